"""What a long session leaves behind: cells that run again, and steppers that new ones take the place of, cost
no memory. `python -m tests.kernel.long` measures 2,000 cells and 500 steppers in real kernels.
"""

from __future__ import annotations

import gc
from collections.abc import Callable

import pytest

from .screens import Notebook, Screen

FUNCTION = """func.func @f(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %y = stablehlo.negate %x : tensor<64x64xf32>
  return %y : tensor<64x64xf32>
}"""


def run_cell(notebook: Notebook, number: int) -> None:
    """Runs a cell with a text of its own, as one that is edited has, and shows a value."""
    text = f"%x = stablehlo.iota dim = 0 : tensor<64x64xf32>\n// {number}\n%y = stablehlo.sine %x : tensor<64x64xf32>"
    notebook.cell(text)


def run_stepper(notebook: Notebook, number: int) -> None:
    """Opens a stepper in the cell of the one before, and takes steps."""
    notebook.screen = notebook.seen = Screen()
    notebook.run("%step @f(zeros)", "In[1]", "one cell")
    (stepper,) = notebook._widgets["one cell"]
    for command in ("step", "step", "reverse-step"):
        stepper.run(command)  # type: ignore[attr-defined]


def objects_after(work: Callable[[Notebook, int], None], notebook: Notebook, counts: list[int]) -> list[int]:
    """Returns how many objects the collector knows after each of so many more rounds of work."""
    found: list[int] = []
    number = 0
    for count in counts:
        for _ in range(count):
            number += 1
            work(notebook, number)
        gc.collect()
        found.append(len(gc.get_objects()))
    return found


@pytest.mark.slow
@pytest.mark.parametrize("work", [run_cell, run_stepper])
def test_what_runs_again_leaves_nothing_behind(
    notebook: Notebook, work: Callable[[Notebook, int], None]
) -> None:
    notebook.cell(FUNCTION)
    _, first, last = objects_after(work, notebook, [12, 4, 12])
    assert last - first < 12, "an object is left behind in each round"
