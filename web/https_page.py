"""The page about the secure address: where it is, how to know its certificate, what the warning means."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from flask import Blueprint, Response, abort, current_app, render_template, request
from flask.typing import ResponseReturnValue
from flask_babel import format_date

bp = Blueprint("https", __name__)

START = "dungeon serve --https-port 8443"
ROW_PAIRS = 8  # as many as a narrow phone shows in a line


@dataclass(frozen=True, slots=True)
class Identity:
    """What tells a certificate from every other, and until when it is good.

    Attributes:
        fingerprint: SHA-256 in pairs of digits with colons, as browsers and OpenSSL write it.
    """

    fingerprint: str
    valid_until: datetime

    @property
    def rows(self) -> tuple[str, ...]:
        """The fingerprint in short rows, which are easier to compare."""
        pairs = self.fingerprint.split(":")
        return tuple(" ".join(pairs[at : at + ROW_PAIRS]) for at in range(0, len(pairs), ROW_PAIRS))


def identity_of(file: Path) -> Identity:
    """Read who a certificate file says it is."""
    certificate = x509.load_pem_x509_certificate(file.read_bytes())
    fingerprint = certificate.fingerprint(hashes.SHA256()).hex(":").upper()
    return Identity(fingerprint, certificate.not_valid_after_utc)


@bp.get("/https")
def page() -> ResponseReturnValue:
    """Show the secure address and what to compare before going on past the browser's warning."""
    served = current_app.extensions["served_at"]
    identity: Identity | None = served.identity
    return render_template(
        "https.html",
        addresses=served.https,
        identity=identity,
        authority=served.authority and identity_of(served.authority),
        valid_until=identity and format_date(identity.valid_until.astimezone(), "long"),
        is_secure=request.is_secure,
        start=START,
    )


@bp.get("/https/dungeon-companion.crt")
def authority() -> ResponseReturnValue:
    """Hand out the authority's certificate, in the form that phones offer to trust."""
    file: Path | None = current_app.extensions["served_at"].authority
    if file is None:
        abort(404)
    certificate = x509.load_pem_x509_certificate(file.read_bytes())
    return Response(
        certificate.public_bytes(serialization.Encoding.DER), mimetype="application/x-x509-ca-cert"
    )
