"""JupyterLab as a person would have it: the real wheel installed, a server on the loopback, and a browser."""

from __future__ import annotations

import json
import os
import re
import secrets
import subprocess
import sys
import sysconfig
import time
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

from playwright.sync_api import Locator, Page, expect

from tests.ports import free_port

from .browser import PATIENCE, stop

ROOT = Path(__file__).resolve().parents[2]
LAB_EXTENSION = ROOT / "shlo_kernel" / "labextension" / "build" / "shlo-jupyterlab" / "package.json"
SECONDS = 120
SETTINGS = {
    "@jupyterlab/notebook-extension/tracker.jupyterlab-settings": {"windowingMode": "none"},
    "@jupyterlab/apputils-extension/notification.jupyterlab-settings": {"fetchNews": "false"},
}
"""All cells are in the page, not only those in view; no news."""


def install_wheel(scratch: Path) -> dict[str, str]:
    """Builds the wheel of this tree, installs it below a folder, and gives the environment in which programs
    see that. The kernel and the JupyterLab extension come with the wheel.
    """
    prefix, wheels = scratch / "prefix", scratch / "wheels"
    python = (sys.executable, "-m")
    pip = (*python, "pip", "--quiet", "--disable-pip-version-check")
    _run(*pip, "wheel", "--no-deps", "--wheel-dir", str(wheels), str(ROOT))
    (wheel,) = wheels.glob("*.whl")
    _run(*pip, "install", "--no-deps", "--ignore-installed", "--prefix", str(prefix), str(wheel))
    packages = sysconfig.get_path("purelib", vars={"base": str(prefix), "platbase": str(prefix)})
    folders = ("config", "data", "runtime")
    return {
        **os.environ,
        **{f"JUPYTER_{name.upper()}_DIR": str(scratch / name) for name in folders},
        "JUPYTER_PATH": str(prefix / "share" / "jupyter"),
        "IPYTHONDIR": str(scratch / "ipython"),
        "JUPYTERLAB_SETTINGS_DIR": str(scratch / "settings"),
        "JUPYTERLAB_WORKSPACES_DIR": str(scratch / "workspaces"),
        "PYTHONPATH": packages,
    }


def _run(*command: str, environment: dict[str, str] | None = None) -> None:
    done = subprocess.run(
        command, env=environment, capture_output=True, text=True, cwd="/", check=False, timeout=2 * SECONDS
    )
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}{done.stderr}"


@contextmanager
def running_lab(
    scratch: Path, folder: Path, environment: Mapping[str, str], python: str | Path = sys.executable
) -> Iterator[Lab]:
    """A JupyterLab of a Python over a folder, until the end of the block."""
    for name, settings in SETTINGS.items():
        path = scratch / "settings" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(settings), encoding="utf-8")
    port, token = free_port(), secrets.token_hex(16)
    options = (
        "--no-browser",
        "--allow-root",
        "--ServerApp.ip=127.0.0.1",
        f"--ServerApp.port={port}",
        "--ServerApp.port_retries=0",
        f"--IdentityProvider.token={token}",
        f"--ServerApp.root_dir={folder}",
        "--LabApp.expose_app_in_browser=True",
        "--JupyterNotebookApp.expose_app_in_browser=True",
        "--LabApp.check_for_updates_class=jupyterlab.handlers.announcements.NeverCheckForUpdate",
    )
    log = scratch / "jupyterlab.log"
    with log.open("wb") as output:
        command = (str(python), "-m", "jupyterlab", *options)
        server = subprocess.Popen(command, env=environment, stdout=output, stderr=output, cwd=folder)
        try:
            lab = Lab(f"http://127.0.0.1:{port}", token, folder, log, scratch / "settings")
            lab.wait(server)
            yield lab
        finally:
            stop(server)


class Lab:
    """A server's address, the folder that it shows, what it logs, and where its settings are. It serves
    Notebook 7, too, where that is installed."""

    def __init__(self, address: str, token: str, folder: Path, log: Path, settings: Path) -> None:
        self.address, self.token, self.folder, self.log = address, token, folder, log
        self._settings = settings

    def wait(self, server: subprocess.Popen[bytes]) -> None:
        """Waits until the server answers."""
        end = time.monotonic() + SECONDS
        while time.monotonic() < end and server.poll() is None:
            try:
                with urllib.request.urlopen(f"{self.address}/api/status?token={self.token}", timeout=5):
                    return
            except OSError:
                time.sleep(0.2)
        raise AssertionError(self.log.read_text(errors="replace"))

    def write(self, name: str, kernel: str, cells: Sequence[str], markdown: str = "") -> str:
        """Writes a notebook of code cells, behind one of Markdown if there is any; returns its file's name."""
        code = {"cell_type": "code", "metadata": {}, "execution_count": None, "outputs": []}
        written = [{**code, "id": f"cell-{number}", "source": text} for number, text in enumerate(cells)]
        words = {"cell_type": "markdown", "id": "words", "metadata": {}, "source": markdown}
        notebook = {
            "cells": [words, *written] if markdown else written,
            "metadata": {"kernelspec": {"name": kernel, "display_name": kernel}},
            "nbformat": 4,
            "nbformat_minor": 5,
        }
        (self.folder / f"{name}.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
        return f"{name}.ipynb"

    @contextmanager
    def themed(self, theme: str) -> Iterator[None]:
        """Pages that are opened in the block have JupyterLab's theme `Light` or `Dark`."""
        path = self._settings / "@jupyterlab/apputils-extension/themes.jupyterlab-settings"
        path.write_text(json.dumps({"theme": f"JupyterLab {theme}"}), encoding="utf-8")
        try:
            yield
        finally:
            path.unlink()

    def open(self, page: Page, name: str, place: str = "lab/tree") -> None:
        """Opens a file of the folder, and waits until its editor, or its kernel, is ready; `place` is
        `notebooks` for Notebook 7."""
        reset = "&reset" if place.startswith("lab") else ""  # Lab keeps what was open
        page.goto(f"{self.address}/{place}/{quote(name)}?token={self.token}{reset}")
        self.wait_until_ready(page)

    def wait_until_ready(self, page: Page) -> None:
        """Waits until the editor of the page, or its kernel, is ready."""
        page.wait_for_function(
            "window.jupyterapp?.shell?.currentWidget?.context?.isReady", timeout=PATIENCE * 1e3
        )
        wait_for(
            page,
            """const { context, sessionContext } = window.jupyterapp.shell.currentWidget;
            await window.jupyterapp.restored;
            await (sessionContext ?? context).ready;
            await sessionContext?.session?.kernel?.info;""",
        )

    def reload(self, page: Page) -> None:
        """Saves the notebook that is open, and loads its page again."""
        wait_for(page, "await window.jupyterapp.shell.currentWidget.context.save();")
        page.reload()
        self.wait_until_ready(page)

    def close(self, page: Page) -> None:
        """Ends the kernel of the notebook that is open."""
        wait_for(page, "await window.jupyterapp.shell.currentWidget.sessionContext.shutdown();")

    def run_all(self, page: Page) -> None:
        """Runs all cells of the notebook, and waits for the last one."""
        page.evaluate("() => window.jupyterapp.commands.execute('notebook:run-all-cells')")
        page.wait_for_function(
            """() => {
                const cells = [...window.jupyterapp.shell.currentWidget.content.widgets];
                return cells.filter(cell => cell.model.type === 'code' && cell.model.sharedModel.source)
                    .every(cell => typeof cell.model.executionCount === 'number');
            }""",
            timeout=PATIENCE * 1e3,
        )


def wait_for(page: Page, script: str) -> None:
    """Waits for what a script waits for, but not for ever."""
    late = f"new Promise((_, fail) => setTimeout(fail, {PATIENCE * 1000}, new Error('nothing happened')))"
    page.evaluate(f"() => Promise.race([(async () => {{ {script} }})(), {late}])")


def cell_of(page: Page, text: str) -> Locator:
    """Returns the cell in whose code a text stands."""
    return page.locator(".jp-CodeCell", has=page.locator(".jp-InputArea", has_text=text))


def press(page: Page, text: str, where: str) -> None:
    """Presses a button of the stepper, and waits until it stands at a place and has shown all of it."""
    page.locator(".widget-button", has_text=re.compile(f"^{text}$")).click()
    expect(page.locator(".shlo-where")).to_contain_text(where)
    page.wait_for_function(
        "() => window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.status === 'idle'"
    )


def assert_coloured(
    place: Locator, words: dict[str, str] | None = None, word_in: str = ".cm-line span"
) -> None:
    """Asserts that words of an editor, or of other elements, have the theme's colour of a name."""
    for word, colour in (words or {"stablehlo.": "builtin", "%": "variable-2", "tensor": "meta"}).items():
        span = place.locator(word_in, has_text=word).last
        expect(span).to_be_visible()
        wanted = span.evaluate(
            """(span, name) => {
                const probe = span.appendChild(document.createElement('i'));
                probe.style.color = `var(--jp-mirror-editor-${name}-color)`;
                const colour = getComputedStyle(probe).color;
                probe.remove();
                return colour;
            }""",
            colour,
        )
        expect(span).to_have_css("color", wanted)
