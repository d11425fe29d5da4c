"""Running the application on cheroot, plain and over TLS, until somebody stops it."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cheroot import wsgi
from cheroot.ssl.builtin import BuiltinSSLAdapter
from flask import Flask

from web.crowding import CountedConnection

# Each live stream keeps a thread; what is above that serves taps and pages.
SPARE_THREADS = 40


@dataclass(frozen=True, slots=True)
class Binding:
    """One address and port to listen on."""

    host: str
    port: int
    certificate: tuple[Path, Path] | None = None


def run(app: Flask, bindings: list[Binding], *, when_ready: Callable[[list[int]], None]) -> None:
    """Serve until SIGINT or SIGTERM; *when_ready* gets the real ports.

    Raises:
        OSError: an address is already in use or not allowed.
    """
    servers = [_prepare(app, binding) for binding in bindings]
    stopped = threading.Event()
    for name in ("SIGINT", "SIGTERM"):
        signal.signal(getattr(signal, name), lambda *_: stopped.set())
    for server in servers:
        threading.Thread(target=server.serve, daemon=True).start()
    when_ready([server.bind_addr[1] for server in servers])
    # A plain wait() without a time cannot be interrupted on Windows.
    while not stopped.wait(0.5):
        pass
    app.extensions["hub"].close()
    for server in servers:
        server.stop()


def _prepare(app: Flask, binding: Binding) -> Any:
    threads = app.extensions["hub"].max_streams + SPARE_THREADS
    server = wsgi.Server(
        (binding.host, binding.port),
        app,
        numthreads=threads,
        server_name="dungeon",
        request_queue_size=128,
        timeout=20,
        shutdown_timeout=2,
    )
    server.ConnectionClass = CountedConnection
    if binding.certificate is not None:
        certificate, key = binding.certificate
        server.ssl_adapter = BuiltinSSLAdapter(str(certificate), str(key))
    server.prepare()
    return server
