"""Files that only their owner may read: the certificate's key and the key that signs cookies."""

from __future__ import annotations

import os
from pathlib import Path


def write_secret(file: Path, content: bytes) -> None:
    """Write a file that only its owner can read, from its first moment on, whole or not at all."""
    part = file.with_name(file.name + ".part")
    part.unlink(missing_ok=True)
    with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as stream:
        stream.write(content)
        stream.flush()
        os.fsync(stream.fileno())
    part.replace(file)


def signing_key(folder: Path) -> bytes:
    """Return the key that signs the phones' cookies, made at the first start."""
    file = folder / "signing-key"
    if not file.exists():
        folder.mkdir(parents=True, exist_ok=True)
        write_secret(file, os.urandom(32))
    return file.read_bytes()
