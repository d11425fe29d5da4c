"""The certificate of the secure address: for the right names, kept, renewed, secret."""

import os
import socket
import ssl
import stat
from datetime import UTC, datetime, timedelta

import pytest
from cryptography import x509

from web import certificate
from web.certificate import ensure_certificate

HOSTS = ["192.168.1.20", "kitchen.local", "fd00::1"]


def read(file):
    return x509.load_pem_x509_certificate(file.read_bytes())


def names(file):
    listed = read(file).extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    return {str(name.value) for name in listed}


def shake_hands(files, host):
    """Let a browser that trusts the certificate connect to *host*, in memory; raise if it refuses."""
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(*files)
    browser = ssl.create_default_context(cafile=files[0])
    browser.verify_flags &= ~ssl.VERIFY_X509_STRICT  # a certificate of our own is accepted by hand
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


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes")
def test_the_key_is_readable_by_its_owner_only(tmp_path):
    _file, key = ensure_certificate(tmp_path, HOSTS)

    assert stat.S_IMODE(key.stat().st_mode) == 0o600
