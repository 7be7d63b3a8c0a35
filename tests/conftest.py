"""Fixtures that several test files share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from .oracle import Oracle


@pytest.fixture(scope="session")
def oracle() -> Iterator[Oracle]:
    """One oracle for all tests of a process, with two CPU devices."""
    with Oracle(devices=2) as oracle:
        yield oracle
