"""Measurements that take their time: run by ``make bench``, as ratios within one run."""

# First of all, as in every program of the companion: it says how NumPy works.
import web  # noqa: F401
