"""End-to-end tests: the real programs, driven as a person would, with screenshots kept in `build/e2e`.

A tool that is not installed skips its tests, and the table at the end says so; with `E2E_REQUIRED=1` in the
environment it fails them.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import pytest

ROOT = Path(__file__).resolve().parents[2]
SCREENSHOTS = ROOT / "build" / "e2e"
REQUIRED = os.environ.get("E2E_REQUIRED") == "1"
OUTCOMES = pytest.StashKey[list[tuple[str, str, float]]]()


@pytest.fixture(scope="session")
def screenshots() -> Path:
    """The folder where tests leave pictures of what they saw."""
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    return SCREENSHOTS


@pytest.fixture(scope="session")
def tool() -> Callable[..., str]:
    """A function that gives the path of the first installed program of those named, or skips or fails."""
    return find_tool


def find_tool(*names: str) -> str:
    path = next(filter(None, map(shutil.which, names)), None)
    return path or missing(f"{' or '.join(names)} is not installed")


def missing(what: str) -> NoReturn:
    """Ends a test for want of a tool."""
    if REQUIRED:
        pytest.fail(what, pytrace=False)
    pytest.skip(what)


def pytest_configure(config: pytest.Config) -> None:
    config.stash[OUTCOMES] = []


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]):
    report = yield
    if report.when == "call" or report.outcome != "passed":
        reason = report.longrepr[2] if report.skipped and isinstance(report.longrepr, tuple) else ""
        item.config.stash[OUTCOMES].append((item.nodeid, f"{report.outcome} {reason}".strip(), report.duration))
    return report


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    terminalreporter.section("end to end")
    for name, outcome, seconds in config.stash[OUTCOMES]:
        terminalreporter.line(f"{name.rpartition('/')[2]:75} {seconds:6.1f} s  {outcome}")
