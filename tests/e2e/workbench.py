"""What a person does in VS Code's window, and sees there."""

from __future__ import annotations

import contextlib
import os
import re
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, FloatRect, Locator, Page, TimeoutError, ViewportSize, expect

from .browser import PATIENCE
from .code_server import CodeServer
from .conftest import ROOT
from .evidence import logged, seen

WINDOW: ViewportSize = {"width": 1280, "height": 760}
HOVER = ".monaco-editor .monaco-hover:not(.hidden)"
RESTS = (3, 3, 6, 6, 12, 24)
"""How many seconds to wait for an answer, the first time and again: on a busy machine it takes longer."""
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

    def colours(self, words: Mapping[str, str], different: int) -> dict[str, str]:
        """Returns the colours of words, each in a line that contains a text, once so many of them differ: a text
        is seen before it is coloured.
        """
        found: dict[str, str] = {}

        def differ() -> bool:
            for word, line in words.items():
                found[word] = self.word(word, line).evaluate("each => getComputedStyle(each).color")
            return len(set(found.values())) >= different

        until(differ, self.page)
        return found

    def expect_text(self, *texts: str) -> None:
        """Waits until texts are to be seen in the editor."""
        for text in texts:
            until(lambda text=text: text in self.text(), self.page)

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

    def rest_on(self, text: str, line: str, shows: str) -> Locator:
        """Rests the mouse on a word until the debugger's hover shows a text; gives it.

        Each time on another character: VS Code forgets a position where the text scrolls before it has asked
        the debugger (inline values that come late make a line longer), and does not ask for the same one again.
        """
        hover = self.page.locator(".debug-hover-widget")
        word = self.word(text, line)
        for number, seconds in enumerate(RESTS):
            self.page.mouse.move(5, 5)
            box = word.bounding_box()
            assert box
            character = (len(text) // 2 + number) % len(text)
            x = (character + 0.5) * box["width"] / len(text)
            word.hover(position={"x": x, "y": box["height"] / 2})
            with contextlib.suppress(TimeoutError):
                hover.filter(has_text=shows).wait_for(timeout=seconds * 1000)
                return hover
        raise AssertionError(f"the debugger shows no {shows!r} over {text}")

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

    def choose(self, entry: str) -> None:
        """Chooses from the menu that is open, until it is gone: one that has just opened takes no click."""
        item = self.page.locator(".monaco-menu .action-label", has_text=entry).first
        item.wait_for()
        for seconds in RESTS:
            with contextlib.suppress(TimeoutError):  # it may go between two of these
                item.hover(timeout=seconds * 1000)
                item.click(timeout=seconds * 1000)
            with contextlib.suppress(AssertionError):
                expect(item).to_have_count(0, timeout=seconds * 100)
                return
        raise AssertionError(f"the menu stays open at {entry!r}")

    def choose_for_file(self, name: str, entry: str) -> None:
        """Chooses from the menu of a file in the explorer, which is opened again where it has no such entry: it
        shows what there was when it opened, before the window had read all extensions or knew the file.
        """
        row = self.page.locator(".explorer-folders-view .monaco-list-row", has_text=name).first
        item = self.page.locator(".monaco-menu .action-label", has_text=entry).first
        for seconds in RESTS:
            row.click(button="right")
            with contextlib.suppress(TimeoutError):
                item.wait_for(timeout=seconds * 1000)
                self.choose(entry)
                return
            self.page.keyboard.press("Escape")
            expect(self.page.locator(".monaco-menu")).to_have_count(0)
        raise AssertionError(f"the menu of {name} has no {entry!r}")

    def command(self, title: str) -> None:
        """Chooses a command in the palette, which is opened again where it does not know the command: it lists
        what there was when it opened, before the window had read all extensions.
        """
        for seconds in RESTS:
            first = self._palette(title).first
            with contextlib.suppress(AssertionError):
                expect(first).to_contain_text(title, timeout=seconds * 1000)
                self.page.keyboard.press("Enter")
                return
            self.page.keyboard.press("Escape")
        raise AssertionError(f"the palette has no command {title!r}")

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

    def offered(self, text: str, known: str) -> list[str]:
        """Returns the first commands that the palette finds for a text. It is opened again until it finds a
        command that is `known` to be there: what it lists before says nothing.
        """
        for seconds in RESTS:
            rows = self._palette(known)
            with contextlib.suppress(AssertionError):
                expect(rows.first).to_contain_text(known, timeout=seconds * 1000)
                break
            self.page.keyboard.press("Escape")
        else:
            raise AssertionError(f"the palette has no command {known!r}")
        self.page.keyboard.press("Escape")
        rows, found = self._palette(text), list[str]()
        rows.first.wait_for()
        while not found or found != rows.all_inner_texts():  # it looks through all commands
            found = rows.all_inner_texts()
            self.page.wait_for_timeout(500)
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


def documentation(page: Page, name: str, height: int, left: int = 0, top: int = 0) -> None:
    """Makes a picture for the documentation, of a part of the screen, when somebody asks for new ones."""
    if os.environ.get("SHLO_WRITE_PICTURES") == "1":
        width = page.evaluate("innerWidth")
        clip: FloatRect = {"x": left, "y": top, "width": width - left, "height": height}
        page.screenshot(path=ROOT / "docs" / name, clip=clip)


def both_themes(code: Workbench, path: Path) -> None:
    """Keeps what is on the screen, and the same in the other theme, dark or light."""
    picture(code.page, path)
    dark = code.page.locator(".monaco-workbench.vs-dark")
    is_dark = dark.count() == 1
    for other in (path.with_stem(f"{path.stem}-other"), None):
        code.command("Preferences: Toggle between Light/Dark Themes")
        is_dark = not is_dark
        expect(dark).to_have_count(int(is_dark))
        if other:
            code.page.mouse.move(5, 5)
            picture(code.page, other)


def until(done: Callable[[], bool], page: Page, seconds: float = PATIENCE) -> None:
    """Waits for something that is not on the screen."""
    end = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < end, f"{done} for {seconds} s"
        page.wait_for_timeout(200)
