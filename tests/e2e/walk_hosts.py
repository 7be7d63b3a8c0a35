"""The hosts of the walk: how each opens, saves and closes what holds a stepper, and opens it again without a kernel."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np
import pytest
from playwright.sync_api import Browser, Error, Frame, Locator, Page, expect

from shlo.cli import main
from tests.ports import free_port

from .browser import PATIENCE, chromium, firefox, stop
from .jupyter_lab import Lab

PROGRAM = """func.func @main(%x: tensor<3x40x60xf32>) -> tensor<3x40x60xf32> {
  %one = stablehlo.constant dense<1.0> : tensor<3x40x60xf32>
  %two = stablehlo.add %x, %one : tensor<3x40x60xf32>
  %log = stablehlo.log %two : tensor<3x40x60xf32>
  return %log : tensor<3x40x60xf32>
}"""
INPUT = """import numpy as np
x = np.cos(np.arange(7200, dtype=np.float32)).reshape(3, 40, 60)
x[1, 12, 33] = -2"""
RUN_AGAIN = "run the cell for the view"
SECONDS = 240.0
Tool = Callable[..., str]
Theme = Literal["light", "dark"]


def wait_for_view(path: Path, page: Page) -> None:
    """Waits until a saved file holds a stepper."""
    for _ in range(int(PATIENCE)):
        if path.exists() and "shlo-replay-view" in path.read_text(encoding="utf-8"):
            return
        page.wait_for_timeout(1000)
    raise AssertionError(f"no stepper was saved in {path}")


class Host:
    """A host with a browser: what is the same in most."""

    ours: ClassVar = "shlo-replay-view"
    """What the stepper is in."""
    looked_at: ClassVar = "shlo-replay-view"
    """What axe-core looks at."""
    keeps_place: ClassVar = False
    """Whether the stepper of a page that is loaded again stands where it stood."""
    saves_steps: ClassVar = True
    """Whether what is opened again steps; else it says in a sentence what to do."""

    def __init__(self, browser: Browser, folder: Path, theme: Theme) -> None:
        self.browser, self.folder = browser, folder
        self.theme: Theme = theme

    def window(self, width: int) -> Page:
        """Returns an empty window."""
        return self.browser.new_page(viewport={"width": width, "height": 900}, color_scheme=self.theme)

    def open(self, page: Page) -> None:
        """Opens what holds a stepper, and runs it where something is to be run."""
        raise NotImplementedError

    def reload(self, page: Page) -> None:
        """Loads the page again."""
        page.reload()

    def save(self, page: Page) -> None:
        """Saves what is open."""

    def close(self, page: Page) -> None:
        """Closes what is open, and ends its kernel."""
        page.goto("about:blank")

    def reopen(self, page: Page) -> None:
        """Opens what was saved, without a kernel of it."""
        self.open(page)

    def frame(self, page: Page) -> Page | Frame:
        """Returns the document that the stepper is in."""
        return page

    def stepper(self, page: Page) -> Locator:
        """Returns the stepper."""
        return self.frame(page).locator(self.ours)

    def show_all(self, page: Page) -> None:
        """Makes all of the stepper visible to axe-core."""


class File(Host):
    """A page of `shlo show`, opened from its file, without a network."""

    def open(self, page: Page) -> None:
        path = self.folder / "run.html"
        if not path.exists():
            self._write(path)
        page.context.set_offline(True)
        page.goto(path.as_uri())

    def _write(self, path: Path) -> None:
        names: dict[str, Any] = {}
        exec(INPUT, names)
        program, array, recording = (str(self.folder / name) for name in ("f.mlir", "x.npy", "run.shlorec"))
        Path(program).write_text(PROGRAM, encoding="utf-8")
        np.save(array, names["x"])
        assert main(["run", program, array, "--record", recording]) == 0
        assert main(["show", recording, "-o", str(path)]) == 0


class FileInFirefox(File):
    def window(self, width: int) -> Page:
        # The theme is the browser's: this Firefox does not change it for a page.
        return self.browser.new_page(viewport={"width": width, "height": 900}, color_scheme="null")


class Jupyter(Host):
    """A notebook of the kernel for StableHLO."""

    ours = ".jp-OutputArea-output:has(.shlo-source)"
    looked_at = ".jp-OutputArea"
    keeps_place = True
    place = "lab/tree"

    def __init__(self, browser: Browser, folder: Path, theme: Theme, lab: Lab) -> None:
        super().__init__(browser, folder, theme)
        self.lab = lab
        self.name = lab.write(
            f"walk-{free_port()}", "stablehlo", [PROGRAM, f"%%python\n{INPUT}", "%step @main(%x)"]
        )

    def open(self, page: Page) -> None:
        self.lab.open(page, self.name, self.place)
        self.lab.run_all(page)
        expect(page.locator(".shlo-source")).to_be_visible()

    def reload(self, page: Page) -> None:
        self.lab.reload(page)

    def save(self, page: Page) -> None:
        page.keyboard.press("Control+s")
        wait_for_view(self.lab.folder / self.name, page)

    def close(self, page: Page) -> None:
        self.lab.close(page)

    def reopen(self, page: Page) -> None:
        path = self.lab.folder / self.name
        ours = path.read_text(encoding="utf-8")
        path.write_text(
            ours.replace("%step @main", "%step  @main"), encoding="utf-8"
        )  # somebody else's: not trusted
        self.lab.open(page, self.name, self.place)
        expect(page.locator(".shlo-snapshot").get_by_role("img")).to_be_visible()
        expect(page.locator("shlo-replay-view")).to_have_count(0)
        path.write_text(ours, encoding="utf-8")
        self.lab.open(page, self.name, self.place)
        expect(page.locator("shlo-replay-view")).to_be_visible()
        expect(page.get_by_text("model not found")).to_have_count(0)

    def stepper(self, page: Page) -> Locator:
        saved = page.locator("shlo-replay-view")
        return saved if saved.count() else page.locator(self.ours)

    def show_all(self, page: Page) -> None:
        """Axe-core leaves out what is scrolled away, and all that is in a body without a height, such as
        JupyterLab's.
        """
        assert page.viewport_size
        page.set_viewport_size({"width": page.viewport_size["width"], "height": 4000})
        page.add_style_tag(content="body { height: 100vh }")


class Notebook(Jupyter):
    place = "notebooks"


class Marimo(Host):
    """A notebook of marimo, which shows a saved stepper in a frame, and none in what it opens again."""

    saves_steps = False

    def __init__(self, browser: Browser, folder: Path, theme: Theme) -> None:
        super().__init__(browser, folder, theme)
        self.path = folder / "walk.py"
        body = f"import shlo\n{INPUT}\nshlo.debug(shlo.parse({PROGRAM!r}), x)".replace("\n", "\n    ")
        cell = f"@app.cell\ndef _():\n    {body}\n    return"
        self.path.write_text(f"import marimo\napp = marimo.App()\n\n{cell}\n", encoding="utf-8")
        settings = folder / "config" / "marimo" / "marimo.toml"
        settings.parent.mkdir(parents=True)
        settings.write_text(f'[display]\ntheme = "{theme}"\n', encoding="utf-8")
        self._servers = ExitStack()

    def _serve(self, page: Page) -> None:
        port = free_port()
        options = ("--headless", "--no-token", "--skip-update-check", "--port", str(port))
        environment = {**os.environ, "XDG_CONFIG_HOME": str(self.folder / "config")}
        with (self.folder / "marimo.log").open("ab") as log:
            command = (sys.executable, "-m", "marimo", "edit", str(self.path), *options)
            server = subprocess.Popen(command, env=environment, stdout=log, stderr=log, cwd=self.folder)
        self._servers.callback(stop, server)
        address = f"http://127.0.0.1:{port}"
        for _ in range(int(PATIENCE)):
            try:
                page.goto(address)
                break
            except Error:
                page.wait_for_timeout(1000)
        expect(page.locator(".cm-content").first).to_contain_text("shlo.debug")

    def open(self, page: Page) -> None:
        self._serve(page)
        self._run(page)

    def _run(self, page: Page) -> None:
        page.locator(".cm-content").first.focus()
        page.keyboard.press("Control+Enter")
        expect(self.stepper(page)).to_be_visible()
        page.keyboard.press("Escape")  # out of the editor, where Tab indents

    def reload(self, page: Page) -> None:
        page.reload()
        expect(page.get_by_text(RUN_AGAIN)).to_be_visible()
        self._run(page)

    def save(self, page: Page) -> None:
        page.keyboard.press("Control+s")
        wait_for_view(self.folder / "__marimo__" / "session" / "walk.py.json", page)

    def close(self, page: Page) -> None:
        super().close(page)
        self.end()

    def end(self) -> None:
        """Stops the server."""
        self._servers.close()

    def reopen(self, page: Page) -> None:
        self._serve(page)
        expect(page.get_by_text("%one = ").last).to_be_visible()
        expect(page.get_by_text(RUN_AGAIN)).to_be_visible()
        self.end()

    def frame(self, page: Page) -> Page | Frame:
        found = page.locator("iframe[title=shlo]").element_handle().content_frame()
        assert found
        return found

    def stepper(self, page: Page) -> Locator:
        return page.frame_locator("iframe[title=shlo]").locator(self.ours)


@contextmanager
def _file(request: pytest.FixtureRequest, folder: Path, theme: Theme, tool: Tool) -> Iterator[Host]:
    with chromium(tool("chromium", "chromium-browser", "google-chrome"), SECONDS) as browser:
        yield File(browser, folder, theme)


@contextmanager
def _firefox(request: pytest.FixtureRequest, folder: Path, theme: Theme, tool: Tool) -> Iterator[Host]:
    with firefox(tool("firefox-esr", "firefox"), theme) as browser:
        yield FileInFirefox(browser, folder, theme)


@contextmanager
def _marimo(request: pytest.FixtureRequest, folder: Path, theme: Theme, tool: Tool) -> Iterator[Host]:
    pytest.importorskip("marimo", reason="marimo is not installed")
    with chromium(tool("chromium", "chromium-browser", "google-chrome"), SECONDS) as browser:
        host = Marimo(browser, folder, theme)
        try:
            yield host
        finally:
            host.end()


def _jupyter(kind: type[Jupyter]) -> Any:
    @contextmanager
    def running(request: pytest.FixtureRequest, folder: Path, theme: Theme, tool: Tool) -> Iterator[Host]:
        lab: Lab = request.getfixturevalue("lab")
        with (
            lab.themed(theme.capitalize()),
            chromium(tool("chromium", "chromium-browser", "google-chrome"), SECONDS) as browser,
        ):
            yield kind(browser, folder, theme, lab)

    return running


HOSTS: dict[str, Any] = {
    "lab": _jupyter(Jupyter),
    "notebook": _jupyter(Notebook),
    "marimo": _marimo,
    "page": _file,
    "firefox": _firefox,
}
"""What starts each of them."""
