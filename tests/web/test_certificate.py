"""The certificate of the secure address: for the right names, kept, renewed, secret."""

import os
import socket
import ssl
import stat
from datetime import UTC, datetime, timedelta

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from web import certificate
from web.authority import authority_file, ensure_authority
from web.certificate import ensure_certificate

HOSTS = ["192.168.1.20", "kitchen.local", "fd00::1"]


def read(file):
    return x509.load_pem_x509_certificate(file.read_bytes())


def names(file):
    listed = read(file).extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    return {str(name.value) for name in listed}


def shake_hands(files, host, trusted=None):
    """Let a browser that trusts the authority connect to *host*, in memory; raise if it refuses."""
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(*files)
    browser = ssl.create_default_context(cafile=trusted or authority_file(files[0].parent))
    browser.verify_flags |= ssl.VERIFY_X509_STRICT
    up, down = ssl.MemoryBIO(), ssl.MemoryBIO()
    ends = [
        browser.wrap_bio(down, up, server_hostname=host),
        server.wrap_bio(up, down, server_side=True),
    ]
    while ends:
        for end in list(ends):
            try:
                end.do_handshake()
            except ssl.SSLWantReadError:
                continue
            ends.remove(end)


def test_a_certificate_covers_all_hosts_and_this_machine(tmp_path):
    file, _key = ensure_certificate(tmp_path, HOSTS)

    assert names(file) >= {*HOSTS, "localhost", "127.0.0.1", socket.gethostname()}


def test_the_machine_is_covered_by_the_name_it_has_on_the_network(tmp_path, monkeypatch):
    monkeypatch.setattr(socket, "gethostname", lambda: "kitchen")
    file, _key = ensure_certificate(tmp_path, ["192.168.1.20"])

    assert names(file) >= {"kitchen", "kitchen.local"}


def test_coming_home_from_another_network_makes_no_third_certificate(tmp_path):
    home, friends = ["192.168.1.20"], ["10.0.0.7"]
    file, _key = ensure_certificate(tmp_path, home)
    ensure_certificate(tmp_path, friends)
    both = file.read_bytes()

    assert names(file) >= {*home, *friends}
    ensure_certificate(tmp_path, home)
    assert file.read_bytes() == both


def test_a_certificate_does_not_grow_without_end(tmp_path):
    for n in range(60):
        file, _key = ensure_certificate(tmp_path, [f"10.0.1.{n}"])

    assert len(names(file)) <= certificate.MOST_NAMES


@pytest.mark.parametrize("host", [*HOSTS, "localhost", "127.0.0.1"])
def test_a_browser_that_trusts_it_accepts_it_for_each_host(tmp_path, host):
    files = ensure_certificate(tmp_path, HOSTS)

    shake_hands(files, host)


def test_a_browser_does_not_accept_it_for_another_host(tmp_path):
    files = ensure_certificate(tmp_path, HOSTS)

    with pytest.raises(ssl.SSLCertVerificationError):
        shake_hands(files, "192.168.1.21")


def test_a_certificate_is_valid_now_and_not_longer_than_phones_accept(tmp_path):
    file, _key = ensure_certificate(tmp_path, HOSTS)

    made = read(file)
    assert made.not_valid_before_utc < datetime.now(UTC) < made.not_valid_after_utc
    assert made.not_valid_after_utc - made.not_valid_before_utc <= timedelta(days=825)


def test_a_certificate_cannot_sign_others(tmp_path):
    file, _key = ensure_certificate(tmp_path, HOSTS)

    constraints = read(file).extensions.get_extension_for_class(x509.BasicConstraints)
    assert constraints.value.ca is False


@pytest.mark.parametrize(
    "hosts",
    [
        pytest.param(HOSTS, id="the same"),
        pytest.param(HOSTS[::-1], id="in another order"),
        pytest.param(HOSTS[:1], id="fewer"),
        pytest.param([], id="none"),
    ],
)
def test_a_certificate_is_kept_while_it_fits(tmp_path, hosts):
    before = [file.read_bytes() for file in ensure_certificate(tmp_path, HOSTS)]

    after = [file.read_bytes() for file in ensure_certificate(tmp_path, hosts)]

    assert after == before


@pytest.mark.parametrize("host", ["FD00::1", "fd00:0:0:0:0:0:0:1"])
def test_another_spelling_of_an_address_is_no_new_host(tmp_path, host):
    before = ensure_certificate(tmp_path, [host])[0].read_bytes()

    after = ensure_certificate(tmp_path, [host])[0].read_bytes()

    assert after == before


def test_a_new_host_gets_a_new_certificate(tmp_path):
    before = ensure_certificate(tmp_path, HOSTS)[0].read_bytes()

    files = ensure_certificate(tmp_path, [*HOSTS, "10.0.0.7"])

    assert files[0].read_bytes() != before
    assert "10.0.0.7" in names(files[0])
    shake_hands(files, "10.0.0.7")


@pytest.mark.parametrize(("days", "is_kept"), [(29, False), (31, True)])
def test_a_certificate_is_renewed_a_month_before_it_ends(tmp_path, monkeypatch, days, is_kept):
    with monkeypatch.context() as then:
        then.setattr(certificate, "VALID_FOR", timedelta(days=days))
        before = ensure_certificate(tmp_path, HOSTS)[0].read_bytes()

    after = ensure_certificate(tmp_path, HOSTS)[0].read_bytes()

    assert (after == before) is is_kept


@pytest.mark.parametrize("damage", ["no key", "no certificate", "empty certificate", "broken certificate"])
def test_a_damaged_certificate_is_made_anew(tmp_path, damage):
    file, key = ensure_certificate(tmp_path, HOSTS)
    match damage:
        case "no key":
            key.unlink()
        case "no certificate":
            file.unlink()
        case "empty certificate":
            file.write_bytes(b"")
        case "broken certificate":
            file.write_bytes(file.read_bytes()[:100])

    files = ensure_certificate(tmp_path, HOSTS)

    shake_hands(files, "localhost")


def test_a_key_that_does_not_belong_to_the_certificate_is_made_anew(tmp_path):
    # The power went between writing the new key and the new certificate.
    file, _key = ensure_certificate(tmp_path, HOSTS)
    old = file.read_bytes()
    ensure_certificate(tmp_path, [*HOSTS, "10.0.0.7"])
    file.write_bytes(old)

    files = ensure_certificate(tmp_path, HOSTS)

    shake_hands(files, "localhost")


def test_a_machine_with_an_accent_in_its_name_gets_a_certificate(tmp_path, monkeypatch):
    monkeypatch.setattr(certificate.socket, "gethostname", lambda: "PC-de-Zoé")

    files = ensure_certificate(tmp_path, HOSTS)

    shake_hands(files, "localhost")


# The authority that phones may trust


def test_a_phone_that_trusts_the_authority_is_not_warned_in_another_network(tmp_path):
    ensure_certificate(tmp_path, ["192.168.1.20"])
    trusted = tmp_path / "on the phone.pem"
    trusted.write_bytes(authority_file(tmp_path).read_bytes())

    files = ensure_certificate(tmp_path, ["10.0.0.7"])

    shake_hands(files, "10.0.0.7", trusted)


def signed_by(authority, host, folder):
    """Sign a certificate for *host* as somebody could who stole the authority's key."""
    key = ec.generate_private_key(ec.SECP256R1())
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(x509.Name([]))
        .issuer_name(authority.certificate.subject)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=9))
        .add_extension(x509.SubjectAlternativeName([host]), critical=True)
        .add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_public_key(authority.key.public_key()), critical=False
        )
        .sign(authority.key, hashes.SHA256())
    )
    files = folder / "stolen.pem", folder / "stolen-key.pem"
    files[0].write_bytes(made.public_bytes(serialization.Encoding.PEM))
    files[1].write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
    )
    return files


@pytest.mark.parametrize(
    ("host", "is_home"),
    [
        ("192.168.7.7", True),
        ("kitchen.local", True),
        ("mybank.example", False),
        ("local.example", False),
        ("notlocal", False),
        ("8.8.8.8", False),
        ("2001:db8::1", False),
    ],
)
def test_not_even_a_thief_can_use_the_authority_for_the_internet(tmp_path, host, is_home):
    authority = ensure_authority(tmp_path, "kitchen")
    name = certificate._name(host)
    files = signed_by(authority, name, tmp_path)

    assert authority.vouches_for(name) is is_home
    if is_home:
        shake_hands(files, host)
    else:
        with pytest.raises(ssl.SSLCertVerificationError, match="permitted subtree"):
            shake_hands(files, host)


@pytest.mark.parametrize("host", ["dungeon.example.org", "8.8.8.8"])
def test_a_host_on_the_internet_signs_for_itself(tmp_path, host):
    file, _key = ensure_certificate(tmp_path, [host])

    assert read(file).issuer == read(file).subject
    assert host in names(file)
    before = file.read_bytes()
    assert ensure_certificate(tmp_path, [host])[0].read_bytes() == before


def test_a_certificate_from_before_there_was_an_authority_is_replaced(tmp_path):
    file, _key = ensure_certificate(tmp_path, ["dungeon.example.org"])
    old = file.read_bytes()

    ensure_certificate(tmp_path, ["192.168.1.20"])

    assert file.read_bytes() != old
    assert read(file).issuer == read(authority_file(tmp_path)).subject


def test_the_authority_stays_the_same(tmp_path):
    ensure_certificate(tmp_path, HOSTS)
    before = authority_file(tmp_path).read_bytes()

    ensure_certificate(tmp_path, ["10.0.0.7"])

    assert authority_file(tmp_path).read_bytes() == before


@pytest.mark.parametrize("damage", ["no key", "no certificate", "broken certificate", "another's key"])
def test_a_damaged_authority_is_made_anew_and_signs_anew(tmp_path, damage):
    ensure_certificate(tmp_path, HOSTS)
    file, key = authority_file(tmp_path), tmp_path / "authority-key.pem"
    match damage:
        case "no key":
            key.unlink()
        case "no certificate":
            file.unlink()
        case "broken certificate":
            file.write_bytes(file.read_bytes()[:100])
        case "another's key":
            key.write_bytes((tmp_path / "certificate-key.pem").read_bytes())

    shake_hands(ensure_certificate(tmp_path, HOSTS), "localhost")


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes")
def test_the_key_is_readable_by_its_owner_only(tmp_path):
    _file, key = ensure_certificate(tmp_path, HOSTS)

    for secret in (key, tmp_path / "authority-key.pem"):
        assert stat.S_IMODE(secret.stat().st_mode) == 0o600
