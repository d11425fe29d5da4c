"""Requests as raw as a socket sends them: any bytes as a form, any header, any method."""

import io
import sys
from dataclasses import dataclass
from urllib.parse import quote_from_bytes, unquote_to_bytes, urlsplit

from tests.fuzz.bounded import Broken

EDGE = b"an edge that is in no value"
MOST_CHUNKS = 2  # of a stream that never ends by itself and waits for news after these
STREAM = "text/event-stream"


@dataclass
class Answer:
    """What came back."""

    status_code: int
    headers: list
    data: bytes

    @property
    def text(self):
        return self.data.decode("utf-8", "replace")

    def header(self, name):
        return next((value for key, value in self.headers if key.lower() == name.lower()), None)


def raw(text):
    """Return a text as bytes, half letters included."""
    return text.encode("utf-8", "surrogatepass")


def urlencoded(pairs):
    """Return fields as a plain form, or the query of an address, sends them; names and values are bytes."""
    return b"&".join(
        f"{quote_from_bytes(name, safe='')}={quote_from_bytes(value, safe='')}".encode()
        for name, value in pairs
    )


def multipart(pairs, files=()):
    """Return fields as a form with files sends them; of *files*, each is a name, a file name and bytes."""
    parts = [b'Content-Disposition: form-data; name="%s"\r\n\r\n%s' % pair for pair in pairs]
    parts += [
        b'Content-Disposition: form-data; name="%s"; filename="%s"\r\n\r\n%s' % (name, file, data)
        for name, file, data in files
    ]
    body = b"".join(b"--%s\r\n%s\r\n" % (EDGE, part) for part in parts)
    return body + b"--%s--\r\n" % EDGE


def send(phone, method, path, body=b"", headers=()):
    """Send a request as this phone; TOKEN in the body stands for the phone's own."""
    if b"TOKEN" in body:
        body = body.replace(b"TOKEN", phone.token.encode())
    address, _, query = path.partition("?")
    environ = {
        "REQUEST_METHOD": method,
        "SCRIPT_NAME": "",
        "PATH_INFO": unquote_to_bytes(address).decode("latin-1"),
        "QUERY_STRING": query,
        "REQUEST_URI": path,
        "SERVER_NAME": "localhost",
        "SERVER_PORT": "80",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "REMOTE_ADDR": "127.0.0.1",
        "HTTP_HOST": "localhost",
        "HTTP_ACCEPT_LANGUAGE": phone.language,
        "CONTENT_LENGTH": str(len(body)) if body else "",
        "CONTENT_TYPE": "",
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": "http",
        "wsgi.input": io.BytesIO(body),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
    }
    cookie = phone.client.get_cookie("dungeon")
    if cookie is not None:
        environ["HTTP_COOKIE"] = f"dungeon={cookie.value}"
    for name, value in headers:
        key = name.upper().replace("-", "_")
        environ[key if key in ("CONTENT_TYPE", "CONTENT_LENGTH") else f"HTTP_{key}"] = value
    answer = _called(phone.app, environ)
    _check_headers(answer, environ)
    return answer


def _called(app, environ):
    started = []

    def start(status, headers, exc_info=None):
        started[:] = [int(status.split()[0]), headers]

    parts, body = app(environ, start), []
    try:
        for part in parts:
            body.append(part)
            if len(body) == MOST_CHUNKS and ("Content-Type", STREAM) in _plain(started[1]):
                break
    finally:
        if hasattr(parts, "close"):
            parts.close()
    return Answer(started[0], started[1], b"".join(body))


def _plain(headers):
    return [(name, value.split(";")[0]) for name, value in headers]


def _check_headers(answer, environ):
    """Raise if an answer leads to another site, or holds more lines than it says."""
    for name, value in answer.headers:
        if any(letter in f"{name}{value}" for letter in "\r\n\x00"):
            raise Broken("a header holds a line of its own", f"{name}: {value!r}")
        value.encode("latin-1")  # else the server could not send it
    place = answer.header("Location")
    if place is not None:
        # The usual port may be left out.
        here = ("", environ["HTTP_HOST"], environ["HTTP_HOST"].removesuffix(":80"))
        if place.startswith(("//", "/\\")) or urlsplit(place).netloc not in here:
            raise Broken("an answer leads to another site", place)
