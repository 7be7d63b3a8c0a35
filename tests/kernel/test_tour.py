"""The tour in `examples`: what a person sees who runs it from top to bottom."""

from __future__ import annotations

from typing import Any

import nbformat
import pytest

from tests.notebooks.execution import EXAMPLES, executed, kernel, texts

pytestmark = pytest.mark.slow

WIDGET = "application/vnd.jupyter.widget-view+json"


@pytest.fixture(scope="module")
def tour(kernel_name: str) -> Any:
    """Returns the tour after its cells have run."""
    with kernel(kernel_name) as client:
        return executed(client, "tour")


@pytest.fixture(scope="module")
def outputs(tour: Any) -> dict[str, list[Any]]:
    """Returns the outputs of the cells by the cells' names."""
    return {cell.id: cell.outputs for cell in tour.cells if cell.cell_type == "code"}


def test_it_is_committed_with_what_it_gives(tour: Any) -> None:
    held = nbformat.read(EXAMPLES / "tour.ipynb", 4)
    nbformat.validate(held)
    expected, given = texts(held), texts(tour)
    assert [name for name in expected if given[name] != expected[name]] == ["time"]


def test_values_have_heat_maps(outputs: dict[str, list[Any]]) -> None:
    assert 'src="data:image/png;base64,' in outputs["waves"][0].data["text/html"]
    assert outputs["run-softmax"][0].data["text/html"].count("<td ") == 36


def test_the_mistake_has_carets_and_changes_nothing(outputs: dict[str, list[Any]]) -> None:
    (error,) = outputs["mistake"]
    assert error.output_type == "error"
    assert "^" in "".join(error.traceback)
    assert "tensor<2x2xf32>" in outputs["unchanged"][0].data["text/plain"]


def test_only_mistakes_fail(outputs: dict[str, list[Any]]) -> None:
    assert [
        name for name, found in outputs.items() if any(each.output_type == "error" for each in found)
    ] == ["mistake", "deadlock"]


def test_processes_share_a_mean_or_wait_for_each_other(outputs: dict[str, list[Any]]) -> None:
    own, mean = (each.data["text/plain"].split("\n") for each in outputs["grid-mean"] if "data" in each)
    assert own[1:] == ["(0, 0): 3.", "(1, 0): 7.", "(2, 0): 11.", "(3, 0): 19."]
    assert mean == ["%mean : tensor<f32> in 4 processes, the same in all", "5."]
    *_, picture, error = outputs["deadlock"]
    assert "this closes the cycle" in picture.data["text/html"]
    assert "deadlock" in error.evalue


def test_words_of_the_magics(outputs: dict[str, list[Any]]) -> None:
    said = {name: "".join(each.get("text", "") for each in found) for name, found in outputs.items()}
    assert "1 passed, 0 failed" in said["test"]
    assert "%attention  tensor<6x6xf32>" in said["who-is-there"]
    assert "stablehlo.reduce" in said["time"]
    assert "rows sum to [" in said["python-cell"]
    assert WIDGET in outputs["step"][0].data
