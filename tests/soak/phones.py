"""A phone as light as one can be: plain sockets, its own cookie, and a live stream as a browser keeps it."""

import asyncio
import re
import time
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import urlencode

from web.live import STREAM_LIFE_S

PATIENCE_S = 30.0  # a browser waits longer, a person does not
SILENCE_S = 30.0  # then a page gives its stream up, see live.js
RETRY_S = 1.5  # what the server tells a page to wait before it follows again
MOST_IDLE = 6  # connections a browser keeps to one server

BROKEN = (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, TimeoutError, ValueError)
TOKEN = re.compile(r'name="csrf_token" value="([^"]+)"')
STAMP = re.compile(r'data-stamp="([^"]+)"')


class Refused(Exception):
    """The server did not answer as it should have."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What the server said."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def text(self):
        return self.body.decode()

    @property
    def stamp(self):
        """The stamp of the state that a page shows."""
        found = STAMP.search(self.text)
        return found[1] if found else ""


class Connection:
    """One socket to the server."""

    def __init__(self, reader, writer):
        self.reader, self.writer = reader, writer

    @classmethod
    async def open(cls, port):
        return cls(*await asyncio.open_connection("127.0.0.1", port))

    async def send(self, head, body=b""):
        self.writer.write(head.encode() + body)
        await self.writer.drain()

    async def head(self):
        """Read the status and the headers; of several cookies the last."""
        lines = (await self.reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        pairs = (line.split(":", 1) for line in lines[1:] if line)
        return int(lines[0].split()[1]), {name.strip().lower(): value.strip() for name, value in pairs}

    async def chunk(self):
        """Read one piece of an answer whose length nobody knows; empty at its end."""
        size = int(await self.reader.readuntil(b"\r\n"), 16)
        return (await self.reader.readexactly(size + 2))[:-2]

    async def body(self, headers):
        if "content-length" in headers:
            return await self.reader.readexactly(int(headers["content-length"]))
        if headers.get("transfer-encoding") == "chunked":
            parts = []
            while part := await self.chunk():
                parts.append(part)
            return b"".join(parts)
        return await self.reader.read()

    def close(self):
        self.writer.close()


class Phone:
    """One browser at one table."""

    def __init__(self, port):
        self.port = port
        self.cookie = self.token = ""
        self.idle = []
        self.renewed = 0  # streams that the server ended because they had lived long enough

    async def get(self, path, *, live=False):
        return await self._ask("GET", path, live=live)

    async def post(self, path, fields, *, live=True):
        """Send a form."""
        body = urlencode({"csrf_token": self.token, **fields}, doseq=True).encode()
        return await self._ask("POST", path, body, "application/x-www-form-urlencoded", live=live)

    async def send_photo(self, path, photo, seat):
        """Send a photo as the form of a table does."""
        edge = "an-edge-that-is-in-no-photo"
        parts = [
            f'--{edge}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'
            for name, value in (("csrf_token", self.token), ("seat", seat))
        ]
        named = f'--{edge}\r\nContent-Disposition: form-data; name="photo"; filename="table.jpg"\r\n\r\n'
        body = "".join([*parts, named]).encode() + photo + f"\r\n--{edge}--\r\n".encode()
        return await self._ask("POST", path, body, f"multipart/form-data; boundary={edge}", live=True)

    async def _ask(self, method, path, body=b"", kind="", *, live):
        head = self._head(method, path, live)
        if method == "POST":
            head += f"Content-Type: {kind}\r\nContent-Length: {len(body)}\r\n"
        try:
            async with asyncio.timeout(PATIENCE_S):
                return await self._exchange(head + "\r\n", body)
        except BROKEN as error:
            raise Refused(f"{method} {path}: {type(error).__name__} {error}") from error

    def _head(self, method, path, live=False):
        more = "X-Live: 1\r\n" if live else ""
        cookie = f"Cookie: {self.cookie}\r\n" if self.cookie else ""
        return f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n{cookie}{more}"

    async def _exchange(self, head, body):
        while self.idle:
            connection = self.idle.pop()
            # The server may have closed it meanwhile; a browser then takes a new one without a word.
            with suppress(OSError, asyncio.IncompleteReadError):
                return await self._on(connection, head, body)
        return await self._on(await Connection.open(self.port), head, body)

    async def _on(self, connection, head, body):
        keep = False
        try:
            await connection.send(head, body)
            status, headers = await connection.head()
            answer = Answer(status, headers, await connection.body(headers))
            keep = headers.get("connection", "").lower() != "close" and len(self.idle) < MOST_IDLE
        finally:
            if keep:
                self.idle.append(connection)
            else:
                connection.close()
        self._remember(answer)
        return answer

    def _remember(self, answer):
        if "set-cookie" in answer.headers:
            self.cookie = answer.headers["set-cookie"].split(";")[0]
        if answer.headers.get("content-type", "").startswith("text/html") and (
            found := TOKEN.search(answer.text)
        ):
            self.token = found[1]

    async def follow(self, code, heard, failed):
        """Follow a table until cancelled: *heard* gets every stamp, *failed* what must not happen."""
        while True:
            start = time.monotonic()
            connection = None
            try:
                connection = await Connection.open(self.port)
                await self._listen(connection, code, heard)
                lived = time.monotonic() - start
                if lived < STREAM_LIFE_S:
                    failed(f"a stream of {code} ended after {lived:.1f} s")
                self.renewed += 1
            except (*BROKEN, Refused) as error:
                lived = time.monotonic() - start
                failed(f"a stream of {code} broke after {lived:.1f} s: {type(error).__name__} {error}")
            finally:
                if connection:
                    connection.close()
            await asyncio.sleep(RETRY_S)

    async def _listen(self, connection, code, heard):
        async with asyncio.timeout(PATIENCE_S):
            await connection.send(
                self._head("GET", f"/t/{code}/live")
                + "Accept: text/event-stream\r\nCache-Control: no-cache\r\n\r\n"
            )
            status, headers = await connection.head()
        if status != 200 or headers.get("transfer-encoding") != "chunked":
            raise Refused(f"status {status}")
        text = ""
        while True:
            async with asyncio.timeout(SILENCE_S):
                part = await connection.chunk()
            if not part:
                return
            *events, text = (text + part.decode()).split("\n\n")
            for event in events:
                if event.startswith("data: "):
                    heard(event.removeprefix("data: "))
                elif event.startswith("event: gone"):
                    raise Refused("the table is gone")

    def close(self):
        while self.idle:
            self.idle.pop().close()
