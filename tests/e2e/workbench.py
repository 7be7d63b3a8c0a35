"""What a person does in VS Code's window, and sees there."""

from __future__ import annotations

import contextlib
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Locator, Page, TimeoutError, expect

from .code_server import CodeServer

WINDOW = {"width": 1280, "height": 760}
PATIENCE = 60_000
SMOKE_TEST_DRIVER = """
const get = Element.prototype.getAttribute;
Element.prototype.getAttribute = function (name) {
  const value = get.call(this, name);
  if (this.id !== 'vscode-workbench-web-configuration' || name !== 'data-settings' || !value) return value;
  const settings = JSON.parse(value);
  settings.developmentOptions = { ...settings.developmentOptions, enableSmokeTestDriver: true };
  return JSON.stringify(settings);
};
"""
"""Newer versions run tests in the extension host only where the page's settings say so."""


class Workbench:
    """A window of VS Code."""

    def __init__(self, page: Page, server: CodeServer, folder: Path) -> None:
        self.page, self.server, self.folder = page, server, folder

    def open(self, name: str) -> None:
        """Opens a file of the folder in a window of its own, and waits for its text."""
        self.page.goto(self.server.address(self.folder, self.folder / name))
        self.page.wait_for_selector(".editor-instance .view-line span[class^=mtk]", timeout=PATIENCE)
        self.lines.first.click()

    @property
    def lines(self) -> Locator:
        """The lines of the text that are visible."""
        return self.page.locator(".editor-instance .view-lines .view-line")

    def word(self, text: str, line: str = "") -> Locator:
        """A piece of the text that has a colour of its own, in a line that contains a text."""
        exactly = re.compile(rf"^\s*{''.join(map(_literally, text))}\s*$")
        return self.lines.filter(has_text=line).locator("span > span", has_text=exactly).first

    def colour(self, text: str, line: str = "") -> str:
        """The colour of a word."""
        return self.word(text, line).evaluate("each => getComputedStyle(each).color")

    def point_at(self, text: str, line: str = "") -> Locator:
        """Rests the mouse on a word until a hover comes up, again and again while the server starts; gives it."""
        hover = self.page.locator(".monaco-editor .monaco-hover:not(.hidden)")
        end = time.monotonic() + PATIENCE / 1000
        while time.monotonic() < end:
            self.page.keyboard.press("Escape")
            self.page.mouse.move(5, 5)
            expect(hover).to_have_count(0)
            self.word(text, line).hover()
            with contextlib.suppress(TimeoutError):
                hover.first.wait_for(timeout=3000)
                expect(hover.first).not_to_contain_text("Loading...")
                return hover.first
        raise AssertionError(f"nothing hovers over {text}")

    def new_line_after(self, text: str) -> None:
        """Puts the cursor on a new line below the one that contains a text."""
        self.page.keyboard.press("Escape")
        self.lines.filter(has_text=text).first.click()
        self.page.keyboard.press("End")
        self.page.keyboard.press("Enter")

    def command(self, title: str) -> None:
        """Chooses a command in the palette."""
        self.page.keyboard.press("F1")
        box = self.page.locator(".quick-input-widget input").first
        box.fill(f">{title}")
        self.page.locator(".quick-input-list .monaco-list-row").first.wait_for()
        self.page.keyboard.press("Enter")

    def is_offered(self, title: str) -> bool:
        """Whether the palette has a command."""
        self.page.keyboard.press("F1")
        self.page.locator(".quick-input-widget input").first.fill(f">{title}")
        row = self.page.locator(".quick-input-list .monaco-list-row", has_text=title)
        self.page.wait_for_timeout(1000)
        found = row.count() > 0
        self.page.keyboard.press("Escape")
        return found

    def text(self) -> str:
        """The visible text, with plain blanks."""
        found = self.lines.all_inner_texts()
        return "\n".join(line.replace("\xa0", " ") for line in found)


def _literally(character: str) -> str:
    """A character for a pattern in Python and in the browser; blanks of lines are hard ones."""
    return r"\s" if character == " " else f"\\u{ord(character):04x}"


@contextlib.contextmanager
def workbench(browser: Browser, server: CodeServer, folder: Path) -> Iterator[Workbench]:
    """A window over a folder; scripts of the page that fail because of us would be seen in its console."""
    page = browser.new_page(viewport=WINDOW)
    try:
        yield Workbench(page, server, folder)
    finally:
        page.close()


def run_in_extension_host(browser: Browser, server: CodeServer, tests: Path, folder: Path) -> tuple[Any, str]:
    """Runs an extension's tests beside the installed extensions; gives their exit code and what was logged."""
    page = browser.new_page(viewport=WINDOW)
    codes: list[Any] = []
    logged: list[str] = []
    page.expose_function("codeAutomationLog", lambda kind, rest: logged.append(f"{kind}: {rest}"))
    page.expose_function("codeAutomationExit", lambda code, *_: codes.append(code))
    page.add_init_script(SMOKE_TEST_DRIVER)
    payload = {"extensionDevelopmentPath": tests, "extensionTestsPath": tests / "index.js"}
    remote = {name: server.remote(path) for name, path in payload.items()}
    page.goto(server.address(folder, payload=remote))
    for _ in range(240):
        if codes:
            break
        page.wait_for_timeout(500)
    page.close()
    return (codes[0] if codes else "no end"), "\n".join(logged)
