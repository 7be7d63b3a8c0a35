"""Fixtures that several test files share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from .oracle import Oracle

# How long it takes to make examples tells how busy the machine is, and nothing of what is tested.
settings.register_profile("any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any machine")


@pytest.fixture(scope="session")
def oracle() -> Iterator[Oracle]:
    """One oracle for all tests of a process, with two CPU devices."""
    with Oracle(devices=2) as oracle:
        yield oracle
