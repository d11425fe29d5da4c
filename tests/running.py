"""A real ``dungeon serve`` in its own process, to be used, killed and started again."""

import re
import subprocess
import sys
import time
import urllib.request


class Server:
    """One companion on a data folder; the port stays the same over restarts."""

    def __init__(self, data, *options, command=(sys.executable, "-m", "web")):
        self.data = data
        self.options = options
        self.command = command
        self.port = 0
        self.process = None

    @property
    def address(self):
        return f"http://127.0.0.1:{self.port}"

    def start(self):
        log = (self.data.parent / f"{self.data.name}.log").open("ab+")
        start = log.seek(0, 2)
        command = [*self.command, "serve", "--host", "127.0.0.1", "--port", str(self.port)]
        self.process = subprocess.Popen(
            [*command, "--data", str(self.data), *self.options], stdout=log, stderr=subprocess.STDOUT
        )
        end = time.monotonic() + 20
        while time.monotonic() < end:
            log.seek(start)
            said = log.read().decode(errors="replace")
            found = re.search(r"http://localhost:(\d+)/", said)
            if found:
                self.port = int(found[1])
                log.close()
                return self
            if self.process.poll() is not None:
                raise RuntimeError(f"the server stopped: {said}")
            time.sleep(0.02)
        raise RuntimeError(f"the server did not start: {said}")

    def kill(self):
        """Pull the plug: no chance to tidy up."""
        self.process.kill()
        self.process.wait()

    def stop(self):
        """Ask it to stop, as Ctrl-C does; return the exit status."""
        self.process.terminate()
        return self.process.wait(timeout=15)

    def get(self, path):
        with urllib.request.urlopen(self.address + path, timeout=10) as answer:
            return answer.read().decode()
