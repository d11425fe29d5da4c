"""The page about the secure address: the right address, the right fingerprint, and what to do without one."""

import hashlib
import re
import socket
import ssl
from datetime import UTC, datetime

import pytest

from tests.running import Server
from tests.web.html_page import Page
from web.app import ServedAt
from web.certificate import ensure_certificate, trusted_through
from web.https_page import Identity, identity_of

SECURE = ("https://192.168.1.20:8443/", "https://10.0.0.7:8443/")
FINGERPRINT = ":".join(f"{number:02X}" for number in range(32))
IDENTITY = Identity(FINGERPRINT, datetime(2029, 1, 25, 12, tzinfo=UTC))


def fingerprint_of(pem):
    """Work out a fingerprint from the bytes alone."""
    return hashlib.sha256(ssl.PEM_cert_to_DER_cert(pem)).hexdigest().upper()


def digits(text):
    return re.sub(r"[:\s]", "", text)


@pytest.fixture
def secure(app):
    app.extensions["served_at"] = ServedAt(https=SECURE, identity=IDENTITY)
    return app


def test_without_a_secure_address_the_page_says_how_to_get_one(phone):
    text = phone.page("/https").text

    assert "dungeon serve --https-port 8443" in re.sub(r"\s+", " ", text)
    assert "fingerprint below" not in text


def test_the_page_names_every_secure_address(secure, phone):
    page = phone.page("/https")

    assert set(SECURE) <= set(page.links)
    assert "--https-port" not in page.text


def test_the_page_shows_the_whole_fingerprint_in_rows_that_fit_a_phone(secure, phone):
    assert digits(FINGERPRINT) in digits(phone.page("/https").text)
    assert [len(row) for row in IDENTITY.rows] == [23] * 4
    assert " ".join(IDENTITY.rows).replace(" ", ":") == FINGERPRINT


@pytest.mark.parametrize(("language", "day"), [("en", "January 25, 2029"), ("fr", "25 janvier 2029")])
def test_the_page_says_until_when_the_certificate_is_valid(secure, phone, language, day):
    phone.language = language

    assert day in phone.page("/https").text


def test_a_phone_gets_the_authority_to_trust(app, phone, tmp_path):
    ensure_certificate(tmp_path, ["192.168.1.20"])
    file = trusted_through(tmp_path)
    app.extensions["served_at"] = ServedAt(https=SECURE, identity=IDENTITY, authority=file)

    page = phone.page("/https")
    answer = phone.get("/https/dungeon-companion.crt")

    assert "/https/dungeon-companion.crt" in page.links
    assert answer.mimetype == "application/x-x509-ca-cert"
    assert answer.data == ssl.PEM_cert_to_DER_cert(file.read_text())
    assert fingerprint_of(file.read_text()) in digits(page.text)


def test_without_an_authority_there_is_none_to_trust(secure, phone, tmp_path):
    ensure_certificate(tmp_path, ["dungeon.example.org"])

    assert trusted_through(tmp_path) is None
    assert "/https/dungeon-companion.crt" not in phone.page("/https").links
    assert phone.get("/https/dungeon-companion.crt").status_code == 404


def test_who_is_there_already_is_told_so(secure, phone):
    there = "This phone is there already."

    assert there not in phone.page("/https").text
    assert there in Page(secure.test_client().get("/https", base_url="https://localhost/").text).text


def test_the_start_page_leads_there_if_there_is_a_warning_to_explain(app, phone):
    without = phone.page("/").links
    app.extensions["served_at"] = ServedAt(https=SECURE, identity=IDENTITY)

    assert "/https" not in without
    assert "/https" in phone.page("/").links


def test_the_camera_page_leads_there(phone):
    code = phone.post("/new/dungeon-drop", {"player": ["Ana", "Ben"]}).location.split("/")[2]
    phone.sit(code, 0)

    assert "/https" in phone.page(f"/t/{code}/camera?seat=0").links


def test_a_certificate_is_known_by_its_bytes(tmp_path):
    file, _key = ensure_certificate(tmp_path, ["192.168.1.20"])
    before = identity_of(file)
    ensure_certificate(tmp_path, ["192.168.1.21"])  # another network: another certificate

    after = identity_of(file)

    assert digits(after.fingerprint) == fingerprint_of(file.read_text())
    assert after.fingerprint != before.fingerprint
    assert after.valid_until > datetime.now(UTC)


def test_the_fingerprint_that_is_printed_and_shown_is_of_the_certificate_that_is_served(tmp_path):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    server = Server(tmp_path / "data", "--https-port", str(port)).start()
    try:
        served = fingerprint_of(ssl.get_server_certificate(("127.0.0.1", port)))
        page = Page(server.get("/https"))
    finally:
        server.kill()

    printed = (tmp_path / "data.log").read_text("utf-8")
    assert served in digits(printed)
    assert served in digits(page.text)
    assert f"https://127.0.0.1:{port}/" in page.links
