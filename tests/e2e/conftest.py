"""End-to-end tests: the real programs, driven as a person would, with screenshots kept in `build/e2e`.

A tool that is not installed skips its tests, and the table at the end says so; with `E2E_REQUIRED=1` in the
environment it fails them.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from .code_server import CodeServer
    from .jupyter_lab import Lab
    from .workbench import Workbench

ROOT = Path(__file__).resolve().parents[2]
SCREENSHOTS = ROOT / "build" / "e2e"
REQUIRED = os.environ.get("E2E_REQUIRED") == "1"
SECONDS = 120.0
"""How long a test may have its browser, unless it is marked with more seconds."""
Witness = Callable[[Path], str]
"""Tells of a test that failed what there was to see, and leaves a picture at a path."""
Start = Callable[..., "Workbench"]
"""Opens a window with user settings and, beside ours, extensions (.vsix files): `start(settings,
*extensions)`.
"""
WITNESSES = pytest.StashKey[list[Witness]]()


@pytest.fixture(scope="session")
def screenshots() -> Path:
    """Returns the folder where tests leave pictures of what they saw."""
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    return SCREENSHOTS


@pytest.fixture(scope="session")
def tool() -> Callable[..., str]:
    """Returns a function that gives the path of the first installed program of those named, or skips or
    fails.
    """
    return find_tool


@pytest.fixture
def browser(request: pytest.FixtureRequest) -> Iterator[Browser]:
    """Yields a browser of the test's own: one that hangs or breaks is of no harm to the next test."""
    from .browser import chromium

    mark = request.node.get_closest_marker("seconds")
    executable = find_tool("chromium", "chromium-browser", "google-chrome")
    with chromium(executable, mark.args[0] if mark else SECONDS) as running:
        yield running


@pytest.fixture
def witnesses(request: pytest.FixtureRequest, screenshots: Path) -> list[Witness]:
    """Who is asked when the test fails, before its fixtures end."""
    return request.node.stash.setdefault(WITNESSES, [])


@pytest.fixture(scope="session")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    """Yields a JupyterLab with the wheel, over a folder where tests write notebooks."""
    pytest.importorskip("jupyterlab", reason="JupyterLab is not installed")
    from .jupyter_lab import LAB_EXTENSION, install_wheel, running_lab

    if not LAB_EXTENSION.exists():
        missing("the JupyterLab extension is not built (make labextension)")
    scratch = tmp_path_factory.mktemp("jupyterlab")
    folder = scratch / "files"
    folder.mkdir()
    with running_lab(scratch, folder, install_wheel(scratch)) as running:
        yield running


@pytest.fixture
def page(browser: Browser, lab: Lab, witnesses: list[Witness]) -> Iterator[Page]:
    """Yields a window for JupyterLab or Notebook 7 in which no script of ours fails. Scripts of Notebook 7 do:
    7.6 reads settings of plugins that it has not loaded."""
    from .evidence import failures_of, logged, seen

    failures: list[str] = []
    window = browser.new_page(viewport={"width": 1200, "height": 1180})
    window.on("pageerror", lambda error: failures.extend(failures_of(error)))
    witnesses.append(lambda picture: f"{seen(window, picture)}\n{logged([lab.log])}")
    yield window
    window.close()
    assert not failures


@pytest.fixture(scope="session")
def vsix() -> Path:
    """Our extension."""
    from .code_server import VSIX

    return VSIX if VSIX.exists() else missing(f"{VSIX.relative_to(ROOT)} is not built: make vsix")


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory, vsix: Path) -> Iterator[CodeServer]:
    """Yields a server with our extension, for a patient person with shlo in the selected environment."""
    from .code_server import SELECTED, code_server

    settings = {**SELECTED, "shlo.run.seconds": 100}
    with code_server(tmp_path_factory.mktemp("vscode"), settings, vsix) as server:
        yield server


@pytest.fixture
def code(browser: Browser, server: CodeServer, folder: Path, witnesses: list[Witness]) -> Iterator[Workbench]:
    """Yields a window over the test's `folder`."""
    from .workbench import Workbench

    code = Workbench(browser, server, folder)
    witnesses.append(code.witness)
    yield code
    code.close()


@pytest.fixture
def start(
    browser: Browser, folder: Path, tmp_path: Path, vsix: Path, witnesses: list[Witness]
) -> Iterator[Start]:
    """Yields a function that opens a window over the test's `folder`, from a server of the test's own."""
    from .code_server import code_server
    from .workbench import Workbench

    with ExitStack() as servers:

        def begin(settings: Mapping[str, Any], *extensions: Path) -> Workbench:
            server = servers.enter_context(code_server(tmp_path / "state", settings, vsix, *extensions))
            code = Workbench(browser, server, folder)
            servers.callback(code.close)
            witnesses.append(code.witness)
            return code

        yield begin


def find_tool(*names: str) -> str:
    path = next(filter(None, map(shutil.which, names)), None)
    return path or missing(f"{' or '.join(names)} is not installed")


def missing(what: str) -> NoReturn:
    """Ends a test for want of a tool."""
    if REQUIRED:
        pytest.fail(what, pytrace=False)
    pytest.skip(what)


class Outcomes:
    """The table at the end: each test's outcome and seconds, told by the workers where there are several."""

    def __init__(self) -> None:
        self._rows: list[str] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when != "call" and report.outcome == "passed":
            return
        reason = report.longrepr[2] if report.skipped and isinstance(report.longrepr, Sequence) else ""
        outcome = f"{report.outcome} {reason}".strip()
        self._rows.append(f"{report.nodeid.rpartition('/')[2]:75} {report.duration:6.1f} s  {outcome}")

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        terminalreporter.section("end to end")
        for row in self._rows:
            terminalreporter.line(row)


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "seconds(number): how long the test may have its browser")
    config.pluginmanager.register(Outcomes())


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]):
    report = yield
    if report.when == "call" and report.failed:
        for number, witness in enumerate(item.stash.get(WITNESSES, [])):
            name = re.sub(r"[^A-Za-z0-9]+", "-", f"failed-{item.name}-{number}")
            report.sections.append(("what there was to see", witness(SCREENSHOTS / f"{name}.png")))
    return report
