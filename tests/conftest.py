"""Fixtures that several test files share."""

from __future__ import annotations

import os
import shutil
import signal
import tempfile
import threading
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from .oracle import Oracle
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


ORACLES = frozenset(("oracle",))
"""Fixtures that start jaxlib or XLA."""


def pytest_configure(config: pytest.Config) -> None:
    """Makes the folder where this process and those that it starts share texts of programs."""
    if SHARED in os.environ:
        return
    os.environ[SHARED] = folder = tempfile.mkdtemp(prefix="shlo-programs-")

    def remove() -> None:
        del os.environ[SHARED]
        shutil.rmtree(folder, ignore_errors=True)

    config.add_cleanup(remove)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks tests by what they use, so that `make quick` leaves them out."""
    for item in items:
        if ORACLES.intersection(getattr(item, "fixturenames", ())):
            item.add_marker("oracle")
        if "tui" in item.path.parts:
            item.add_marker("screen")


@pytest.fixture(scope="session")
def oracle() -> Iterator[Oracle]:
    """Yields one oracle for all tests of a process, with two CPU devices."""
    with Oracle(devices=2) as oracle:
        yield oracle
