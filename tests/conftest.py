"""Fixtures that several test files share."""

from __future__ import annotations

import gc
import os
import signal
import sys
import threading
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from .long_tests import without_long
from .oracle import JAXLIB, UNFUSED, UNOPTIMIZED, Oracle
from .programs.registry import SHARED

# How long it takes to make examples tells how busy the machine is, and nothing of what is tested.
settings.register_profile("any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any machine")

# A shell ignores SIGINT in what it starts in the background, and children inherit that: no interrupt would
# end anything.
if (
    signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    and threading.current_thread() is threading.main_thread()
):
    signal.signal(signal.SIGINT, signal.default_int_handler)


# For formats of strings that no test asks for, jsonschema would parse 38 grammars in each process, which takes seconds.
sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]

ORACLES = frozenset(("oracle", "fusing_oracle"))
"""Fixtures that start jaxlib or XLA."""


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    """Names the folder where this process and those that it starts share texts of programs: one of pytest's
    own, which a later run removes, whatever became of this one. Without long tests, XLA compiles for them
    without optimising or fusing, which takes a quarter of the time; each night it compiles as for users.
    """
    if config.getoption("--short"):
        os.environ.setdefault(
            "XLA_FLAGS", f"{UNOPTIMIZED} {UNFUSED}" if JAXLIB[:2] == (0, 10) else UNOPTIMIZED
        )
    if SHARED in os.environ:
        return
    folders: pytest.TempPathFactory = vars(config)["_tmp_path_factory"]  # of pytest's own plugin
    os.environ[SHARED] = str(folders.mktemp("programs"))

    def forget() -> None:
        del os.environ[SHARED]

    config.add_cleanup(forget)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds what `make unit` asks for."""
    parser.addoption("--short", action="store_true", help="all tests but those of tests/long_tests.py")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Marks tests by what they use, so that `make quick` leaves them out; leaves out long ones if asked."""
    if config.getoption("--short"):
        items[:] = without_long(items)
    for item in items:
        if ORACLES.intersection(getattr(item, "fixturenames", ())):
            item.add_marker("oracle")
        if "tui" in item.path.parts:
            item.add_marker("screen")


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Iterator[None]:
    """Keeps what is there for the whole run (modules, thousands of test items) from the garbage collector:
    nothing of it is garbage, and each full collection would walk through it. What comes later is looked through
    less often than Python does by itself, which takes an eighth of the time of a screen.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.set_threshold(10_000)
        gc.enable()


@pytest.fixture(scope="session")
def oracle() -> Iterator[Oracle]:
    """Yields one oracle for all tests of a process, with two CPU devices."""
    with Oracle(devices=2) as oracle:
        yield oracle


@pytest.fixture(scope="session")
def fusing_oracle() -> Iterator[Oracle]:
    """Yields one whose values of XLA are those that users get, for all operations and types."""
    with Oracle(devices=2, fusing=True) as oracle:
        yield oracle
