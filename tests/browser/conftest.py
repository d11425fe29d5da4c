"""A running companion and real phones: Chromium contexts of phone size that notice their own errors."""

import os
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import sync_playwright

from tests.browser.find_chromium import find_chromium
from tests.running import Server

QUIET = (
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def pytest_collection_modifyitems(items):
    for item in items:
        if "tests/browser" in item.path.as_posix():
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def playwright():
    with sync_playwright() as running:
        yield running


@pytest.fixture(scope="session")
def open_chromium(playwright):
    """Return a function that opens a Chromium with more options than usual."""
    path = find_chromium()
    if path is None:
        missing = "no Chromium on this machine (make test installs one where apt is at hand)"
        if os.environ.get("CI"):
            pytest.fail(missing)
        pytest.skip(missing)
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    usual = [*QUIET, *(["--no-sandbox"] if root else [])]
    return lambda *more: playwright.chromium.launch(executable_path=path, args=[*usual, *more])


@pytest.fixture(scope="session")
def chromium(open_chromium):
    browser = open_chromium()
    yield browser
    browser.close()


@pytest.fixture
def server(tmp_path):
    running = Server(tmp_path / "data").start()
    yield running
    running.kill()  # quicker than stopping, and what it holds is thrown away


@pytest.fixture
def phone(chromium, server):
    """Return a function that hands out phones; at the end none may have seen an error."""
    contexts, troubles = [], []

    def hand_out(*, js=True, locale="en-GB", scheme="dark", width=390, height=844, touch=False):
        context = chromium.new_context(
            base_url=server.address,
            viewport={"width": width, "height": height},
            java_script_enabled=js,
            locale=locale,
            color_scheme=scheme,
            has_touch=touch,
        )
        context.set_default_timeout(10_000)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: troubles.append(f"script error: {error}"))
        page.on("response", lambda r: r.status >= 500 and troubles.append(f"{r.status} {r.url}"))
        page.on("request", lambda r: _note_foreign(r.url, troubles))
        return page

    yield hand_out
    for context in contexts:
        context.close()
    assert troubles == []


def _note_foreign(address, troubles):
    parts = urlsplit(address)
    if parts.scheme in ("http", "https") and parts.hostname != "127.0.0.1":
        troubles.append(f"asked another site: {address}")
