"""Chromium without a window, and servers for it: where they listen, and their end."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Timer
from typing import Literal

from playwright.sync_api import Browser, expect, sync_playwright

OPTIONS = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update"),
)
PATIENCE = 60.0
"""Seconds for what a person waits for, on a machine that has other things to do."""


@contextmanager
def chromium(executable: str, seconds: float) -> Iterator[Browser]:
    """A browser, until the end of the block, or of a time: then all that waits for it fails, whatever hangs."""
    expect.set_options(timeout=PATIENCE * 1000)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=list(OPTIONS))
        end = Timer(seconds, os.kill, (_process(browser), signal.SIGKILL))
        end.daemon = True
        end.start()
        try:
            yield browser
        finally:
            browser.close()
            end.cancel()


@contextmanager
def firefox(executable: str, theme: Literal["light", "dark"]) -> Iterator[Browser]:
    """Debian's Firefox in a theme, until the end of the block. It is spoken to as any WebDriver would be, and
    has no way to change the theme of a page.
    """
    expect.set_options(timeout=PATIENCE * 1000)
    preferences: dict[str, str | float | bool] = {
        "layout.css.prefers-color-scheme.content-override": int(theme == "light")
    }
    with sync_playwright() as playwright:
        browser = playwright.firefox.launch(
            executable_path=executable, channel="moz-firefox", firefox_user_prefs=preferences
        )
        try:
            yield browser
        finally:
            browser.close()


def _process(browser: Browser) -> int:
    """Returns the id of the browser's process: playwright does not give it, the browser itself does."""
    session = browser.new_browser_cdp_session()
    processes = session.send("SystemInfo.getProcessInfo")["processInfo"]
    session.detach()
    return next(process["id"] for process in processes if process["type"] == "browser")


def stop(server: subprocess.Popen[bytes]) -> None:
    """Ends a server that was started for a test, one that does not listen to it as well."""
    server.terminate()
    try:
        server.wait(PATIENCE / 4)
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait()
