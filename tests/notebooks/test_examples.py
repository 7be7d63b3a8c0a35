"""The notebooks of `examples` that are of Python give the texts that they hold."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

from tests.oracle import JAXLIB

from .execution import EXAMPLES, NAMES, executed, kernel, texts

OF_JAX = () if JAXLIB < (0, 12) else ("program", "inspect", "convert")
"""Cells that show the operations, versions and sizes in bytes that JAX makes, which the notebooks hold for an
older JAX.
"""
pytestmark = [pytest.mark.oracle, pytest.mark.slow]


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[NotebookClient]:
    """Yields the one kernel of all notebooks, with none of the user's settings."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR"):
            patch.setenv(name, str(tmp_path_factory.mktemp(name.lower())))
        with kernel() as client:
            yield client


def held(name: str) -> Any:
    notebook = nbformat.read(EXAMPLES / f"{name}.ipynb", 4)
    nbformat.validate(notebook)
    return notebook


@pytest.mark.parametrize("name", NAMES)
def test_a_notebook_gives_what_it_holds(name: str, client: NotebookClient) -> None:
    expected = texts(held(name))
    assert any(expected.values())
    found = texts(executed(client, name))
    assert found.keys() == expected.keys()
    assert [id_ for id_ in expected if found[id_] != expected[id_] and id_ not in OF_JAX] == []


def test_every_kind_of_jax_program_ends_at_its_planted_nan() -> None:
    notebook = held("jax_nan")
    planted = {cell.id for cell in notebook.cells if "# the NaN" in cell.source} - {"training"} | {
        "first-nan"
    }
    found = {name for name, shown in texts(notebook).items() if any("# the NaN" in text for text in shown)}
    assert found == planted
    assert len(found) >= 9


@pytest.mark.parametrize("name", NAMES)
def test_a_notebook_names_no_folder_of_a_machine(name: str) -> None:
    text = (EXAMPLES / f"{name}.ipynb").read_text("utf-8")
    assert re.findall(r"/(?:home|root|tmp|work|Users)/\S*", text) == []
