"""The `shlo` command: one module per subcommand, of which only the one that is called is loaded."""

from __future__ import annotations

from collections.abc import Sequence

from shlo.runner.interrupts import interruptible

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command and returns its exit code; `arguments` are those after its name.

    All else is imported where an interrupt cannot be lost: Python drops one that arrives as it frees the lock
    of a module.
    """
    return interruptible(lambda: _main(arguments))


def _main(arguments: Sequence[str] | None) -> int:
    from shlo.cli.dispatch import dispatch

    return dispatch(arguments)
