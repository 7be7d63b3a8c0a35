"""The `shlo` command: one module per subcommand, of which only the one that is called is loaded."""

from __future__ import annotations

import gc
from collections.abc import Sequence

from shlo.runner.interrupts import interruptible

__all__ = ["main"]

COLLECTED_EVERY = 10_000
"""How many objects more than were freed Python's collector lets come before it looks for cycles. After 700,
as it does by itself, it walks the modules again and again while they load: a sixteenth of a small run."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command and returns its exit code; `arguments` are those after its name. Without them it is
    the command of this process, which ends with it.

    All else is imported where an interrupt cannot be lost: Python drops one that arrives as it frees the lock
    of a module.
    """
    if arguments is None:
        gc.set_threshold(COLLECTED_EVERY)
    code = interruptible(lambda: _main(arguments))
    if arguments is None:
        gc.freeze()  # as Python ends, its collector would walk all modules: an eighth of a small run
    return code


def _main(arguments: Sequence[str] | None) -> int:
    from shlo.cli.dispatch import dispatch

    return dispatch(arguments)
