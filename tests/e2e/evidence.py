"""What is kept of a test that failed in a browser: a picture, the words on the screen, the logs of the
programs.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from playwright.sync_api import Error, Page

PATIENCE = 10_000
LAST = 2000
"""How many characters of a log are shown, from its end."""


def seen(page: Page, picture: Path) -> str:
    """Returns what is on the screen, in words, and where the picture of it is.

    A page that hangs or is gone says so.
    """
    try:
        page.screenshot(path=picture, timeout=PATIENCE)
        return f"{picture}\n{page.locator('body').inner_text(timeout=PATIENCE)}"
    except Error as error:
        return str(error)


def failures_of(error: Error) -> list[str]:
    """Returns what a script failed with; nothing where all that ran is Notebook 7's own."""
    frames = [line for line in (error.stack or "").splitlines() if line.lstrip().startswith("at ")]
    places = [line for line in frames if "://" in line]
    is_foreign = bool(places) and all("/static/notebook/" in line for line in places)
    return [] if is_foreign else [str(error)]


def logged(logs: Iterable[Path]) -> str:
    """Returns the ends of logs."""
    return "\n".join(f"{log}:\n{log.read_text(errors='replace')[-LAST:]}" for log in logs)
