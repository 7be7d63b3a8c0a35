"""A notebook of Python, Jupyter's or marimo's, as a front end: `shlo.debug(f, *args)` and
`shlo.show(f, *args)` in a cell.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from IPython.display import display

from shlo.debugger.launch import Launch
from shlo.ir.dtypes import Array
from shlo.jax_programs.program import PythonProgram
from shlo.pages.tensor import bundle_of, numpy_type
from shlo.pages.tree import tree_bundle
from shlo.runner.leaves import Leaf
from shlo_kernel.ipython import marimo_host
from shlo_kernel.ipython.display import CELL_WIDGETS, program_bundle
from shlo_kernel.mime.bundle import named_tensor
from shlo_kernel.mime.planes import LIVE_TENSORS
from shlo_kernel.widgets.stepper import Stepper


def debug(launch: Launch) -> None:
    """Displays the stepper on what is debugged, until the cell runs again."""
    marimo = marimo_host.marimo_here()
    if marimo is not None:
        marimo_host.debug(marimo, launch)
        return
    CELL_WIDGETS.show(Stepper(launch.start()))


def show_program(program: PythonProgram, locations: bool) -> None:
    """Displays a program, with the locations of its operations or without them."""
    show_bundle(program_bundle(program.module, locations))


def show_array(array: Array) -> None:
    """Displays an array in the tensor view."""
    tensor = named_tensor("", numpy_type(array), array)
    assert tensor is not None
    show_bundle(bundle_of(tensor))


def show_tree(leaves: Sequence[Leaf], title: str) -> None:
    """Displays a pytree, whose leaves open as tensor views."""
    has_kernel = marimo_host.marimo_here() is None
    show_bundle(tree_bundle(leaves, title, LIVE_TENSORS.key_of if has_kernel else None))


def show_bundle(bundle: Mapping[str, str]) -> None:
    """Displays what there is by MIME type."""
    marimo = marimo_host.marimo_here()
    if marimo is not None:
        marimo_host.show_bundle(marimo, bundle)
    else:
        display({**bundle}, raw=True)
