"""A real ``dungeon serve`` in its own process, to be used, killed and started again."""

import http.cookiejar
import json
import re
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request


class Server:
    """One companion on a data folder; the port stays the same over restarts."""

    def __init__(self, data, *options, command=(sys.executable, "-m", "web"), cwd=None):
        self.data = data
        self.options = options
        self.command = command
        self.cwd = cwd
        self.port = _free_port()
        self.process = None

    @property
    def address(self):
        return f"http://127.0.0.1:{self.port}"

    def start(self):
        log = (self.data.parent / f"{self.data.name}.log").open("ab+")
        start = log.seek(0, 2)
        command = [*self.command, "serve", "--host", "127.0.0.1", "--port", str(self.port)]
        self.process = subprocess.Popen(
            [*command, "--data", str(self.data), *self.options],
            stdout=log,
            stderr=subprocess.STDOUT,
            cwd=self.cwd,
        )
        end = time.monotonic() + 20
        while time.monotonic() < end:
            log.seek(start)
            said = log.read().decode(errors="replace")
            if "Stop with Ctrl-C" in said:
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


def _free_port():
    # A fixed port, not 0: a killed server must get the same one again.
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class HttpPhone:
    """A phone that speaks plain HTTP to a running server, with its cookies and tokens."""

    def __init__(self, server):
        self.server = server
        self.opener = urllib.request.build_opener(
            urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar())
        )
        self.token = ""

    def open(self, path, fields=None, *, live=False):
        """Get a page, or post a form; return its text and final address."""
        headers = {"X-Live": "1"} if live else {}
        data = None
        if fields is not None:
            data = urllib.parse.urlencode({"csrf_token": self.token, **fields}, doseq=True).encode()
        request = urllib.request.Request(self.server.address + path, data, headers)
        with self.opener.open(request, timeout=10) as answer:
            text = answer.read().decode()
            found = re.search(r'name="csrf_token" value="([^"]+)"', text)
            if found:
                self.token = found[1]
            return text, answer.url

    def create(self, *names, game="apprentis"):
        """Create a game, take all its seats, return its code."""
        self.open(f"/new/{game}")
        _text, url = self.open(f"/new/{game}", {"player": names, "option-mode": "full"})
        code = re.search(r"/t/([^/]+)/", url)[1]
        self.open(f"/t/{code}/seats/take-free", {})
        return code

    def act(self, code, event, *, seen, tap, seat=0):
        """Send one event; return the server's answer, which means it is on disk."""
        fields = {"event": json.dumps(event), "seat": seat, "seen": seen, "tap": tap}
        text, _url = self.open(f"/t/{code}/act", fields, live=True)
        return json.loads(text)

    def send(self, code, photo, *, seat=0):
        """Send a photo of the table; return the server's status and its answer."""
        edge = "an edge that is in no photo"
        parts = [
            f'--{edge}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'
            for name, value in (("csrf_token", self.token), ("seat", seat))
        ]
        named = f'--{edge}\r\nContent-Disposition: form-data; name="photo"; filename="table.jpg"\r\n\r\n'
        body = "".join([*parts, named]).encode() + photo + f"\r\n--{edge}--\r\n".encode()
        headers = {"X-Live": "1", "Content-Type": f'multipart/form-data; boundary="{edge}"'}
        request = urllib.request.Request(f"{self.server.address}/t/{code}/photo", body, headers)
        try:
            with self.opener.open(request, timeout=60) as answer:
                return answer.status, json.loads(answer.read())
        except urllib.error.HTTPError as error:
            return error.code, json.loads(error.read())

    def log(self, code):
        """Return the game's exported entries."""
        text, _url = self.open(f"/t/{code}/log.jsonl")
        return [json.loads(line) for line in text.splitlines()[1:]]
