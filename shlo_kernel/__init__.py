"""The Jupyter kernel: cells in StableHLO, and its magics in IPython."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from shlo_kernel.widgets.stepper import Stepper

__all__ = ["load_ipython_extension", "run", "step"]


def load_ipython_extension(shell: Any) -> None:
    """What `%load_ext shlo_kernel` calls in IPython."""
    from shlo_kernel.ipython.extension import load_ipython_extension

    load_ipython_extension(shell)


def run(program: Any, *arguments: Any, **named: Any) -> Any:
    """Runs what `jax.jit(f).lower(...)` returns, an exported function or a Module with shlo's interpreter.

    What JAX lowered takes what the Python function takes, on NumPy or JAX arrays, and gives what that gives,
    in NumPy arrays; a Module gives a tuple. Raises RequestError, ParseError and ExecutionError.
    """
    from shlo_kernel.ipython.programs import run

    return run(program, *arguments, **named)


def step(program: Any, *arguments: Any, **named: Any) -> Stepper:
    """Returns the same as `run`, but step by step: a widget, which a notebook displays."""
    from shlo_kernel.ipython.programs import step

    return step(program, *arguments, **named)
