"""A notebook of Python as a front end: `shlo.debug(f, *args)` and `shlo.show(f, *args)` in a cell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from IPython.display import display

from shlo.debugger.launch import Launch
from shlo.ir.dtypes import Array
from shlo.jax_programs.program import PythonProgram
from shlo.pages.tensor import bundle_of, numpy_type
from shlo.pages.tree import tree_bundle
from shlo.runner.leaves import Leaf
from shlo_kernel.ipython.display import CELL_WIDGETS, program_bundle
from shlo_kernel.mime.bundle import named_tensor
from shlo_kernel.mime.planes import LIVE_TENSORS
from shlo_kernel.widgets.stepper import Stepper


def debug(launch: Launch) -> None:
    """Displays the stepper on what is debugged, until the cell runs again."""
    CELL_WIDGETS.show(Stepper(launch.start()))


def show_program(program: PythonProgram, locations: bool) -> None:
    """Displays a program, with the locations of its operations or without them."""
    display(program_bundle(program.module, locations), raw=True)


def show_array(array: Array) -> None:
    """Displays an array in the tensor view."""
    tensor = named_tensor("", numpy_type(array), array)
    assert tensor is not None
    display(bundle_of(tensor), raw=True)


def show_tree(leaves: Sequence[Leaf], title: str) -> None:
    """Displays a pytree, whose leaves open as tensor views."""
    display(tree_bundle(leaves, title, LIVE_TENSORS.key_of), raw=True)


def show_bundle(bundle: Mapping[str, str]) -> None:
    """Displays what there is by MIME type."""
    display({**bundle}, raw=True)
