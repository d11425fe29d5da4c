"""Takes docs/pictures/vision-*.png: a photo with its overlay, as people with other colour vision see it.

Run ``python -m docs.take_vision_screenshots``; needs the test environment and a Chromium.
"""

import io
import os
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

from tests.browser.find_chromium import find_chromium
from tests.browser.journey import PHOTO, create_drop, gather
from tests.running import Server

PICTURES = Path(__file__).parent / "pictures"
KINDS_OF_VISION = ("none", "protanopia", "deuteranopia", "tritanopia", "achromatopsia")
# Wide enough for the letters to be read in a document.
SCREEN = {"width": 720, "height": 900}
COLOURS = 64  # enough to judge by, at less than half the size


def look_at_a_table(page):
    """Begin a game, send a photo, and wait for the cubes that were seen in it."""
    table = create_drop(page, "Ana", "Ben").replace("seats/", "")
    page.locator("form[action$='take-free'] button").click()
    page.locator("#hero").wait_for()
    for seat in (0, 1):
        page.goto(f"{table}?seat={seat}")
        gather(page, initiative=4 + seat)
    page.goto(f"{table}?seat=0")
    page.locator(".bar .last button").click()
    page.locator("input[type=file]").first.set_input_files(PHOTO)
    page.locator(".overlay").wait_for(timeout=60_000)


def take_vision_screenshots(page):
    """Take one picture of the overlay for each kind of colour vision."""
    session = page.context.new_cdp_session(page)
    for vision in KINDS_OF_VISION:
        session.send("Emulation.setEmulatedVisionDeficiency", {"type": vision})
        page.wait_for_timeout(250)
        picture = Image.open(io.BytesIO(page.locator(".photo").screenshot())).convert("RGB")
        picture.quantize(COLOURS).save(PICTURES / f"vision-{vision}.png", optimize=True)


def main():
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        root = hasattr(os, "geteuid") and os.geteuid() == 0
        args = ["--disable-gpu", *(["--no-sandbox"] if root else [])]
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=args)
        server = Server(Path(folder) / "data").start()
        page = browser.new_page(base_url=server.address, viewport=SCREEN, locale="en-GB")
        try:
            look_at_a_table(page)
            take_vision_screenshots(page)
        finally:
            server.kill()
            browser.close()


if __name__ == "__main__":
    main()
