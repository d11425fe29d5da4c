"""The command: ``python -m tests.fuzz [SUBJECT ...] --seconds N --seed S``."""

import argparse
import sys

from tests.fuzz.bounded import Bounded
from tests.fuzz.subjects import SUBJECTS, opened


def main(arguments=None):
    """Run the subjects one after the other; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("subjects", nargs="*", metavar="SUBJECT", help=f"of {', '.join(SUBJECTS)}; all")
    parser.add_argument("--seconds", type=float, default=60, help="for each subject (60)")
    parser.add_argument("--seed", type=int, default=1, help="another one, other cases (1)")
    asked = parser.parse_args(arguments)
    unknown = set(asked.subjects) - set(SUBJECTS)
    if unknown:
        parser.error(f"there is no subject {', '.join(sorted(unknown))}")
    broken = False
    for name in asked.subjects or SUBJECTS:
        with opened(name) as subject:
            report = Bounded(name, subject, seconds=asked.seconds, seed=asked.seed, hard=True).run()
        print(report.line(), flush=True)
        for found in report.found:
            broken = True
            print(f"  {found.name}\n{_indented(found.error)}\n    smallest case:\n{_indented(found.lines)}")
    return 1 if broken else 0


def _indented(lines):
    lines = lines.splitlines() if isinstance(lines, str) else lines
    return "\n".join(f"    {line}" for line in lines)


if __name__ == "__main__":
    sys.exit(main())
