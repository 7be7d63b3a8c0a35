"""Programs and arrays shown where Python runs: displayed in a notebook, or else printed."""

from __future__ import annotations

from shlo.ir.dtypes import Array
from shlo.jax_programs.debugging import front_end_here, where
from shlo.jax_programs.program import Program
from shlo.text.escape import escaped


def show_program(program: Program, locations: bool) -> None:
    """Displays or prints a program, with the locations of its operations or without them.

    A text without locations is printed as it is written.
    """
    if where() == "notebook":
        front_end_here().show_program(program, locations)
        return
    text = program.text
    print(escaped(text if locations or "loc(" not in text else program.module.to_text()).rstrip("\n"))


def show_array(array: Array) -> None:
    """Displays or prints an array: its type, statistics, and numbers."""
    if where() == "notebook":
        front_end_here().show_array(array)
        return
    from shlo.pages.tensor import tensor_text

    print(tensor_text(array))
