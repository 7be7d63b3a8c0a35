"""The Jupyter kernel: cells in StableHLO, and its magics in IPython."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from shlo_kernel.widgets.stepper import Stepper

__all__ = ["load_ipython_extension", "run", "step"]


def load_ipython_extension(shell: Any) -> None:
    """Loads the extension, for `%load_ext shlo_kernel` in IPython."""
    from shlo_kernel.ipython.extension import load_ipython_extension

    load_ipython_extension(shell)


def run(program: Any, *arguments: Any, **named: Any) -> Any:
    """Does the same as `shlo.run`."""
    import shlo

    return shlo.run(program, *arguments, **named)


def step(program: Any, *arguments: Any, **named: Any) -> Stepper:
    """Returns the widget that `shlo.debug` displays in a notebook; takes what that takes."""
    import shlo
    from shlo_kernel.widgets.stepper import Stepper

    return shlo.debug(program, *arguments, front_end=Stepper, **named)
