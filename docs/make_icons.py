"""Draws the icons that a phone's home screen shows, from the tower of web/static/favicon.svg.

Run ``python -m docs.make_icons`` when the tower has changed; needs the test environment and a Chromium.
"""

import os
import re
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.browser.find_chromium import find_chromium

STATIC = Path(__file__).parents[1] / "web" / "static"
GROUND = "#16120e"
# Name, pixels, how much of the picture the tower's own square takes, and the roundness of the corners.
# Systems cut "maskable" icons to any shape within a circle of 80 %; iPhones round corners themselves.
ICONS = (
    ("icon-192", 192, 1.0, 5),
    ("icon-512", 512, 1.0, 5),
    ("icon-maskable-512", 512, 0.92, 0),
    ("apple-touch-icon", 180, 1.0, 0),
)


def drawn(size, share, corner):
    """Return a picture of the tower on dark ground."""
    tower = re.search(r"<path[^>]*/>", (STATIC / "favicon.svg").read_text("utf-8"))[0]
    edge = 24 * (1 - share) / 2
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{size}" height="{size}" viewBox="0 0 24 24">'
        f'<rect width="24" height="24" rx="{corner}" fill="{GROUND}"/>'
        f'<g transform="translate({edge} {edge}) scale({share})">{tower}</g></svg>'
    )


def main():
    with sync_playwright() as playwright:
        root = hasattr(os, "geteuid") and os.geteuid() == 0
        args = ["--disable-gpu", *(["--no-sandbox"] if root else [])]
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=args)
        for name, size, share, corner in ICONS:
            page = browser.new_page(viewport={"width": size, "height": size})
            page.set_content(f'<body style="margin:0;line-height:0">{drawn(size, share, corner)}')
            page.screenshot(path=STATIC / f"{name}.png", omit_background=True)
            page.close()
        browser.close()


if __name__ == "__main__":
    main()
