"""Chromium without a window, and a place for a server to listen."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, sync_playwright

OPTIONS = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update"),
)


@contextmanager
def chromium(executable: str) -> Iterator[Browser]:
    """A browser, until the end of the block."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=list(OPTIONS))
        try:
            yield browser
        finally:
            browser.close()


def free_port() -> int:
    """A port of the loopback on which nothing listens."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]
