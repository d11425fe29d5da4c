"""The certificate of the secure address, made by the companion for this machine's own names."""

from __future__ import annotations

import ipaddress
import socket
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from web.secret_files import write_secret

# Phones refuse certificates that are valid for longer than 825 days.
VALID_FOR = timedelta(days=800)
RENEW_BEFORE = timedelta(days=30)


def ensure_certificate(folder: Path, hosts: list[str]) -> tuple[Path, Path]:
    """Return the certificate and key files, made anew if they do not cover *hosts* any more."""
    certificate, key = folder / "certificate.pem", folder / "certificate-key.pem"
    names = {*hosts, "localhost", "127.0.0.1", socket.gethostname()}
    if not (key.exists() and _covers(certificate, names)):
        _make(certificate, key, names)
    return certificate, key


def _covers(file: Path, names: set[str]) -> bool:
    try:
        certificate = x509.load_pem_x509_certificate(file.read_bytes())
        listed = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except (OSError, ValueError, x509.ExtensionNotFound):
        return False
    known = {str(name.value) for name in listed}
    return names <= known and certificate.not_valid_after_utc > datetime.now(UTC) + RENEW_BEFORE


def _make(certificate: Path, key: Path, names: set[str]) -> None:
    secret = ec.generate_private_key(ec.SECP256R1())
    title = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Dungeon Companion")])
    today = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(title)
        .issuer_name(title)
        .public_key(secret.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(today - timedelta(days=1))
        .not_valid_after(today + VALID_FOR)
        .add_extension(x509.SubjectAlternativeName([_name(name) for name in sorted(names)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.ExtendedKeyUsage([x509.oid.ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .sign(secret, hashes.SHA256())
    )
    write_secret(
        key,
        secret.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        ),
    )
    certificate.write_bytes(made.public_bytes(serialization.Encoding.PEM))


def _name(text: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(text))
    except ValueError:
        return x509.DNSName(text)
