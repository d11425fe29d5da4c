"""Finds the Chromium that the browser tests drive; run as a script it installs one where it can."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
PLACES = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Google\Chrome\Application\chrome.exe",
)


def find_chromium():
    """Return the path of a Chromium, or None."""
    named = os.environ.get("CHROMIUM")
    candidates = [named, *map(shutil.which, NAMES), *PLACES]
    found = next((path for path in candidates if path and Path(path).exists()), None)
    return found or _playwrights_own()


def _playwrights_own():
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if Path(path).exists() else None


def install():
    """Try the system's packages, then Playwright's own download."""
    if shutil.which("apt-get"):
        root = os.geteuid() == 0
        prefix = [] if root else ["sudo", "-n"]
        if root or shutil.which("sudo"):
            subprocess.run([*prefix, "apt-get", "update", "-qq"], check=False)
            quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
            subprocess.run([*prefix, "apt-get", "install", "-y", "-qq", "chromium"], check=False, env=quiet)
    if find_chromium() is None:
        subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], check=False)


if __name__ == "__main__":
    if find_chromium() is None:
        print("No Chromium found: installing one for the browser tests.", flush=True)
        install()
    if find_chromium() is None:
        print("No Chromium could be installed: the browser tests will be skipped (in CI they fail).")
