"""The companion on a home screen: its manifest, its icons, its worker and the page for lost connections."""

import json
import re
import shutil
import struct
from pathlib import Path

import pytest

from tests.web.html_page import Page
from tests.web.phone import Phone

STATIC = Path(__file__).parents[2] / "web" / "static"
LARGEST_ICON = 20_000


def manifest_of(phone, language=""):
    answer = phone.get(f"/manifest.webmanifest?language={language}")
    assert answer.status_code == 200
    return json.loads(answer.text)


def kept_by(answer):
    """Return what the worker is told to keep."""
    return json.loads(re.match(r"const KEPT = (.*);\n", answer.text)[1])


def file_of(phone, address):
    """Return the kind and content of a plain file; it is open until somebody closes it."""
    with phone.get(address) as answer:
        assert answer.status_code == 200, address
        return answer.mimetype, answer.data


def size_of(png):
    """Return the width and height that a PNG file says it has."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    return struct.unpack(">II", png[16:24])


# The manifest


def test_the_manifest_makes_an_app_of_its_own_that_starts_at_the_start_page(phone):
    told = manifest_of(phone)

    assert told["display"] == "standalone"
    assert told["start_url"] == told["scope"] == told["id"] == "/"
    assert told["theme_color"] == told["background_color"] == "#16120e"
    assert len(told["short_name"]) <= 12 < len(told["name"])
    assert phone.get("/manifest.webmanifest").mimetype == "application/manifest+json"


@pytest.mark.parametrize("asked", ["en", "fr"])
def test_the_manifest_speaks_the_language_of_the_page_that_asks(app, asked):
    # Browsers fetch a manifest without cookies, perhaps in another language than the one that was tapped.
    other = Phone(app, "fr" if asked == "en" else "en")

    assert manifest_of(other, asked)["lang"] == asked
    assert manifest_of(other)["lang"] != asked
    assert manifest_of(other, "xx")["lang"] != asked


def test_every_page_names_the_manifest_in_the_tapped_language(phone):
    phone.post("/language", {"language": "fr"})

    links = [dict(attributes) for tag, attributes in Page(phone.get("/").text).tags if tag == "link"]

    manifests = [link["href"] for link in links if link["rel"] == "manifest"]
    assert manifests == ["/manifest.webmanifest?language=fr"]
    touch = [link["href"] for link in links if link["rel"] == "apple-touch-icon"]
    assert size_of(file_of(phone, touch[0])[1]) == (180, 180)


# Icons


def test_every_icon_is_there_as_large_as_it_says_and_light(phone):
    icons = manifest_of(phone)["icons"]

    found = set()
    for icon in icons:
        kind, data = file_of(phone, icon["src"])
        assert kind == icon["type"]
        assert len(data) < LARGEST_ICON
        if kind == "image/png":
            width, height = size_of(data)
            assert icon["sizes"] == f"{width}x{height}"
        found.add((icon["sizes"], icon["purpose"]))
    assert found == {("192x192", "any"), ("512x512", "any"), ("512x512", "maskable"), ("any", "any")}


# The worker and its page


def test_the_worker_keeps_the_page_in_both_languages_and_what_it_is_made_of(phone):
    kept = kept_by(phone.get("/worker.js?language=fr"))

    assert set(kept["pages"]) == {"fr", "en"}
    for language, address in kept["pages"].items():
        answer = phone.get(address)
        assert f'<html lang="{language}">' in answer.text
        needed = re.findall(r'(?:src|href)="([^"]+)"', answer.text)
        assert sorted(needed) == sorted(kept["files"])
    assert all(file_of(phone, file)[1] for file in kept["files"])


def test_files_the_style_of_that_page_needs_are_kept_too(phone):
    kept = kept_by(phone.get("/worker.js"))

    named = re.findall(r'url\("?([^")]+)"?\)', (STATIC / "app.css").read_text("utf-8"))

    assert {f"/static/{name}" for name in named} <= set(kept["files"])


def test_the_page_for_lost_connections_knows_nobody(app):
    answer = app.test_client().get("/offline?language=en")

    assert "Set-Cookie" not in answer.headers
    assert "csrf" not in answer.text


def test_no_page_of_a_table_is_among_what_is_kept(phone):
    kept = kept_by(phone.get("/worker.js"))

    assert all(file.startswith("/static/") for file in kept["files"])
    assert all(page.startswith("/offline?") for page in kept["pages"].values())
    # An address of their own: the same files of other pages never pass through the worker.
    assert all(file.endswith("?offline=1") for file in kept["files"])


def test_the_worker_changes_when_what_it_keeps_has_changed(app, phone, tmp_path):
    before = phone.get("/worker.js")
    again = phone.get("/worker.js")
    shutil.copytree(STATIC, tmp_path / "static")
    with (tmp_path / "static" / "app.css").open("a") as css:
        css.write("b { color: red; }\n")
    app.static_folder = tmp_path / "static"

    after = phone.get("/worker.js")

    assert before.text == again.text
    assert kept_by(after)["name"] != kept_by(before)["name"]
    assert before.mimetype == "text/javascript"


def test_a_page_tells_its_script_which_worker_speaks_its_language(french_phone):
    body = next(dict(attributes) for tag, attributes in french_phone.page("/").tags if tag == "body")

    assert body["data-worker"] == "/worker.js?language=fr"


# The screen


def test_the_menu_of_a_table_offers_to_keep_the_screen_on_and_is_silent_without_scripts(phone):
    code = phone.create()
    phone.sit(code, 0)

    tags = [dict(attributes) for _tag, attributes in phone.page(f"/t/{code}/?seat=0").tags]

    lines = [attributes for attributes in tags if "data-awake" in attributes]
    assert [line["data-awake"] for line in lines] == ["possible", "insecure", "unknown"]
    assert all("hidden" in line for line in lines)
    assert not [attributes for attributes in tags if attributes.get("id") == "awake" and "name" in attributes]
