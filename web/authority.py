"""The companion's own authority: a phone that trusts it once is not warned again, whatever network it is in.

Whoever trusts an authority trusts everything it signs, so this one is made to be harmless: it is written into
it that it can vouch for addresses and names of home networks only, and its key never leaves this machine.
"""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from web.secret_files import write_secret

VALID_FOR: Final = timedelta(days=3650)
RENEW_BEFORE: Final = timedelta(days=830)  # what it signs must not outlive it
# Addresses that no site on the internet can have, and endings that are kept for networks at home.
NETWORKS: Final = (
    "10.0.0.0/8",
    "172.16.0.0/12",
    "192.168.0.0/16",
    "100.64.0.0/10",
    "169.254.0.0/16",
    "127.0.0.0/8",
    "fc00::/7",
    "fe80::/10",
    "::1/128",
)
ENDINGS: Final = ("local", "lan", "home.arpa", "internal", "localhost")


@dataclass(frozen=True, slots=True, eq=False)
class Authority:
    """A certificate that signs others, and its key."""

    certificate: x509.Certificate
    key: ec.EllipticCurvePrivateKey

    def made(self, certificate: x509.Certificate) -> bool:
        """Whether it signed this certificate."""
        try:
            certificate.verify_directly_issued_by(self.certificate)
        except (ValueError, TypeError, InvalidSignature):
            return False
        return True

    def vouches_for(self, name: x509.GeneralName) -> bool:
        """Whether it can vouch for a host."""
        limits = self.certificate.extensions.get_extension_for_class(x509.NameConstraints).value
        return any(_within(name, permitted) for permitted in limits.permitted_subtrees or ())


def _within(name: x509.GeneralName, permitted: x509.GeneralName) -> bool:
    if isinstance(name, x509.IPAddress) and isinstance(permitted, x509.IPAddress):
        return ipaddress.ip_address(str(name.value)) in ipaddress.ip_network(str(permitted.value))
    if isinstance(name, x509.DNSName) and isinstance(permitted, x509.DNSName):
        return name.value == permitted.value or name.value.endswith(f".{permitted.value}")
    return False


def authority_file(folder: Path) -> Path:
    """Return where the certificate to trust is."""
    return folder / "authority.pem"


def ensure_authority(folder: Path, machine: str) -> Authority:
    """Return the authority of this data folder, made at the first use and again when it is soon too old.

    Args:
        machine: a name that it may vouch for as well, if it has no dot: no site on the internet is called so.
    """
    file, key = authority_file(folder), folder / "authority-key.pem"
    known = _read(file, key)
    if known is None:
        known = _new(machine)
        write_key(key, known.key)
        file.write_bytes(known.certificate.public_bytes(serialization.Encoding.PEM))
    return known


def write_key(file: Path, key: ec.EllipticCurvePrivateKey) -> None:
    """Write a key where only its owner can read it."""
    pem = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    write_secret(file, pem)


def _read(file: Path, key: Path) -> Authority | None:
    try:
        certificate = x509.load_pem_x509_certificate(file.read_bytes())
        secret = serialization.load_pem_private_key(key.read_bytes(), password=None)
    except (OSError, ValueError, TypeError):
        return None
    if not isinstance(secret, ec.EllipticCurvePrivateKey) or secret.public_key() != certificate.public_key():
        return None
    fresh = certificate.not_valid_after_utc > datetime.now(UTC) + RENEW_BEFORE
    return Authority(certificate, secret) if fresh else None


def _new(machine: str) -> Authority:
    key = ec.generate_private_key(ec.SECP256R1())
    today = datetime.now(UTC)
    # The day tells the authorities of two companions apart in a phone's settings.
    title = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, f"Dungeon Companion {today:%Y-%m-%d}")])
    endings = ENDINGS if "." in machine or not machine.isascii() else (*ENDINGS, machine)
    permitted: list[x509.GeneralName] = [x509.IPAddress(ipaddress.ip_network(each)) for each in NETWORKS]
    permitted += [x509.DNSName(ending) for ending in endings]
    usage = x509.KeyUsage(
        key_cert_sign=True,
        crl_sign=True,
        digital_signature=False,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        encipher_only=False,
        decipher_only=False,
    )
    identifier = x509.SubjectKeyIdentifier.from_public_key(key.public_key())
    certificate = (
        x509.CertificateBuilder()
        .subject_name(title)
        .issuer_name(title)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(today - timedelta(days=1))
        .not_valid_after(today + VALID_FOR)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(usage, critical=True)
        .add_extension(x509.NameConstraints(permitted, None), critical=True)
        .add_extension(x509.ExtendedKeyUsage([x509.oid.ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(identifier, critical=False)
        .sign(key, hashes.SHA256())
    )
    return Authority(certificate, key)
