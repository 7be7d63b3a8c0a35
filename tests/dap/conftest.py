"""Sessions with the adapter, whose programs are examples or small ones of a test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.dap.client import Client

Write = Callable[[str], Path]


@pytest.fixture
def client() -> Iterator[Client]:
    """Yields a session; its adapter is gone when the test ends."""
    session = Client()
    yield session
    session.close()


@pytest.fixture
def process() -> Iterator[Client]:
    """Yields a session with an adapter in a process of its own."""
    session = Client(in_process=True)
    yield session
    session.close()


@pytest.fixture
def program(tmp_path: Path) -> Write:
    """Returns what writes a program and returns its path."""

    def write(text: str) -> Path:
        path = tmp_path / "program.mlir"
        path.write_text(text, encoding="utf-8")
        return path

    return write
