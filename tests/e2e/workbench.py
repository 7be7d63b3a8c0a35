"""What a person does in VS Code's window, and sees there."""

from __future__ import annotations

import contextlib
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Locator, Page, TimeoutError, ViewportSize, expect

from .browser import PATIENCE
from .code_server import CodeServer
from .evidence import logged, seen

WINDOW: ViewportSize = {"width": 1280, "height": 760}
HOVER = ".monaco-editor .monaco-hover:not(.hidden)"
RESTS = (3, 3, 6, 6, 12, 24)
"""How long the mouse rests on a word, the first time and again: on a busy machine the answer takes longer."""
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

    def __init__(self, browser: Browser, server: CodeServer, folder: Path) -> None:
        self.server, self.folder = server, folder
        self.page = browser.new_page(viewport=WINDOW)
        self.page.set_default_timeout(PATIENCE * 1000)

    def open(self, name: str) -> None:
        """Opens a file of the folder in a window of its own, and waits for its text."""
        self.page.goto(self.server.address(self.folder, self.folder / name))
        self.page.wait_for_selector(".editor-instance .view-line span[class^=mtk]")
        self.lines.first.click()

    def restart(self) -> None:
        """Starts the window anew by its own command: VS Code stores what is open before, which it else does
        later.
        """
        with self.page.expect_event("load"):
            self.command("Developer: Reload Window")

    @property
    def lines(self) -> Locator:
        """The lines of the text that are visible."""
        return self.page.locator(".editor-instance .view-lines .view-line")

    @property
    def lenses(self) -> Locator:
        """What can be clicked above functions."""
        return self.page.locator(".codelens-decoration a")

    def word(self, text: str, line: str = "", which: int = 0) -> Locator:
        """Returns a piece of the text that has a colour of its own, the first or another one in a line that
        contains a text.
        """
        exactly = re.compile(rf"^\s*{''.join(map(_literally, text))}\s*$")
        return self.lines.filter(has_text=line).locator("span > span", has_text=exactly).nth(which)

    def colour(self, text: str, line: str = "") -> str:
        """Returns the colour of a word."""
        return self.word(text, line).evaluate("each => getComputedStyle(each).color")

    def point_at(self, text: str, line: str = "", shows: str = "", which: int = 0) -> Locator:
        """Rests the mouse on a word until a hover shows a text, again and again while the server starts;
        gives it.

        What hovers was asked for once: servers that start meanwhile have no part in it.
        """
        anything = self.page.locator(HOVER)
        hover = anything.filter(has_not_text="Loading...", has_text=shows).first
        for seconds in RESTS:
            self.page.keyboard.press("Escape")
            self.page.mouse.move(5, 5)
            expect(anything).to_have_count(0)
            self.word(text, line, which).hover()
            with contextlib.suppress(TimeoutError):
                hover.wait_for(timeout=seconds * 1000)
                return hover
        raise AssertionError(f"{shows or 'nothing'!r} does not hover over {text}")

    def new_line_after(self, text: str) -> None:
        """Puts the cursor on a new line below the one that contains a text."""
        self.page.keyboard.press("Escape")
        self.lines.filter(has_text=text).first.click()
        self.page.keyboard.press("End")
        self.page.keyboard.press("Enter")

    def mend(self, title: str) -> None:
        """Chooses what the light bulb offers at the cursor, once nothing that hovers covers it."""
        self.page.mouse.move(5, 5)
        expect(self.page.locator(HOVER)).to_have_count(0)
        self.page.locator(".lightBulbWidget").click()
        row = self.page.locator(".action-widget .monaco-list-row.action", has_text=title)
        row.hover(force=True)  # the menu takes no click before the mouse moved
        row.click()

    def command(self, title: str) -> None:
        """Chooses a command in the palette."""
        rows = self._palette(title)
        expect(rows.first).to_contain_text(title)
        self.page.keyboard.press("Enter")

    def notice(self, text: str) -> Locator:
        """Returns a message of the window: as it pops up, or in the list behind the bell, where it is when
        that was missed.
        """
        found = self.page.locator(".notification-list-item", has_text=text).locator("visible=true").first
        for seconds in RESTS:
            with contextlib.suppress(TimeoutError):
                found.wait_for(timeout=seconds * 1000)
                return found
            self.page.locator("[id='status.notifications']").click()
        raise AssertionError(f"there is no message {text!r}")

    def offered(self, category: str, among: str) -> list[str]:
        """Returns the commands of a category in the palette, once one of them is there."""
        rows = self._palette(f"{category}: ")
        rows.filter(has_text=among).wait_for()
        found = rows.all_inner_texts()
        self.page.keyboard.press("Escape")
        return found

    def _palette(self, text: str) -> Locator:
        self.page.keyboard.press("F1")
        self.page.locator(".quick-input-widget input").first.fill(f">{text}")
        return self.page.locator(".quick-input-list .monaco-list-row")

    def close(self) -> None:
        """Leaves the window as a person does: the server hears of it, and ends what ran for the window."""
        self.page.close()

    def witness(self, picture: Path) -> str:
        """Returns what there is to see when a test fails."""
        return f"{seen(self.page, picture)}\n{logged(self.server.logs)}"

    def text(self) -> str:
        """Returns the visible text, with plain blanks."""
        from_the_top = "lines => lines.sort((a, b) => a.offsetTop - b.offsetTop).map(line => line.innerText)"
        return "\n".join(self.lines.evaluate_all(from_the_top)).replace("\xa0", " ")


def _literally(character: str) -> str:
    """Returns a character for a pattern in Python and in the browser; blanks of lines are hard ones."""
    return r"\s" if character == " " else f"\\u{ord(character):04x}"


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
    end = time.monotonic() + 2 * PATIENCE
    while not codes and time.monotonic() < end:
        page.wait_for_timeout(500)
    page.close()
    return (codes[0] if codes else "no end"), "\n".join(logged)


def picture(page: Page, path: Path) -> None:
    """Keeps what is on the screen, once it has faded in."""
    page.wait_for_timeout(500)
    page.screenshot(path=path)


def until(done: Callable[[], bool], page: Page, seconds: float = PATIENCE) -> None:
    """Waits for something that is not on the screen."""
    end = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < end, f"{done} for {seconds} s"
        page.wait_for_timeout(200)
