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

from web.authority import Authority, authority_file, ensure_authority, write_key

# Phones refuse certificates that are valid for longer than 825 days.
VALID_FOR = timedelta(days=800)
RENEW_BEFORE = timedelta(days=30)
# A laptop is carried between a few networks; phones need not be warned anew at each.
MOST_NAMES = 40


def ensure_certificate(folder: Path, hosts: list[str]) -> tuple[Path, Path]:
    """Return the certificate and key files, made anew if they do not cover *hosts* any more.

    A new one covers the hosts of the one before as well, so that coming home does not make a third. It is
    signed by the companion's authority, which phones may trust; a host that the authority cannot vouch for,
    one with a name on the internet, gets a certificate that signs itself.
    """
    folder.mkdir(parents=True, exist_ok=True)
    certificate, key = folder / "certificate.pem", folder / "certificate-key.pem"
    machine = socket.gethostname()
    # The name by which phones find a machine without a name server.
    on_the_lan = machine if "." in machine else f"{machine}.local"
    texts = (*hosts, "localhost", "127.0.0.1", machine, on_the_lan)
    names = {name for name in map(_name, texts) if name is not None}
    mine = ensure_authority(folder, machine)
    authority = (
        mine if all(mine.vouches_for(name) for name in map(_name, hosts) if name is not None) else None
    )
    if authority is not None:
        names = {name for name in names if mine.vouches_for(name)}
    before = _covered(certificate, key, authority)
    if not names <= before:
        _make(certificate, key, names | before if len(names | before) <= MOST_NAMES else names, authority)
    return certificate, key


def trusted_through(folder: Path) -> Path | None:
    """Return the certificate that phones may trust instead of this one, if an authority signed this one."""
    signed = x509.load_pem_x509_certificate((folder / "certificate.pem").read_bytes())
    return None if signed.issuer == signed.subject else authority_file(folder)


def _covered(file: Path, key: Path, authority: Authority | None) -> set[x509.GeneralName]:
    """Return the names that a certificate is good for; none if it is missing, broken or soon too old, or was
    not signed by this authority, or not by itself if there is none."""
    try:
        certificate = x509.load_pem_x509_certificate(file.read_bytes())
        secret = serialization.load_pem_private_key(key.read_bytes(), password=None)
        listed = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except (OSError, ValueError, TypeError, x509.ExtensionNotFound):
        return set()
    belongs = secret.public_key() == certificate.public_key()
    fresh = certificate.not_valid_after_utc > datetime.now(UTC) + RENEW_BEFORE
    signed = certificate.issuer == certificate.subject if authority is None else authority.made(certificate)
    return set(listed) if belongs and fresh and signed else set()


def _make(certificate: Path, key: Path, names: set[x509.GeneralName], authority: Authority | None) -> None:
    secret = ec.generate_private_key(ec.SECP256R1())
    title = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Dungeon Companion")])
    today = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(title)
        .issuer_name(authority.certificate.subject if authority else title)
        .public_key(secret.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(today - timedelta(days=1))
        .not_valid_after(today + VALID_FOR)
        .add_extension(x509.SubjectAlternativeName(sorted(names, key=str)), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.ExtendedKeyUsage([x509.oid.ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(_signer(authority.key if authority else secret), critical=False)
        .sign(authority.key if authority else secret, hashes.SHA256())
    )
    write_key(key, secret)
    certificate.write_bytes(made.public_bytes(serialization.Encoding.PEM))


def _signer(key: ec.EllipticCurvePrivateKey) -> x509.AuthorityKeyIdentifier:
    return x509.AuthorityKeyIdentifier.from_issuer_public_key(key.public_key())


def _name(text: str) -> x509.GeneralName | None:
    """Return a host as certificates write it; None for a name that no address can hold."""
    try:
        return x509.IPAddress(ipaddress.ip_address(text))
    except ValueError:
        pass
    try:
        return x509.DNSName(text.encode("idna").decode())
    except UnicodeError:
        return None
