"""What a long session leaves behind: cells that run again, and steppers that new ones take the place of, cost
no memory. `python -m tests.kernel.test_memory` measures 2,000 cells and 500 steppers.
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
    _, first, last = objects_after(work, notebook, [40, 20, 40])
    assert last - first < 40, "an object is left behind in each round"


def main() -> None:
    """Prints memory in MiB and the collector's objects, now and then."""
    from pathlib import Path

    for work, count in ((run_cell, 2000), (run_stepper, 500)):
        notebook = Notebook()
        notebook.cell(FUNCTION)
        for part in range(5):
            (objects,) = objects_after(work, notebook, [count // 5])
            status = Path("/proc/self/status").read_text(encoding="ascii")
            (resident,) = (line.split()[1] for line in status.splitlines() if line.startswith("VmRSS"))
            done = (part + 1) * (count // 5)
            print(
                f"{work.__name__} {done:5} {int(resident) / 1024:8.1f} MiB {objects:8,} objects", flush=True
            )


if __name__ == "__main__":
    main()
