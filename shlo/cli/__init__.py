"""The `shlo` command: one module per subcommand, of which only the one that is called is loaded."""

from __future__ import annotations

import gc
import os

TYPE_CHECKING = False  # nothing is loaded before `main` can handle an interrupt
if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["main"]

COLLECTED_EVERY = 200_000
"""How many objects more than were freed Python's collector lets come before it looks for cycles. After 700,
as it does by itself, it walks the modules again and again while they load: a tenth of a small run."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command and returns its exit code; `arguments` are those after its name. Without them it is
    the command of this process, which ends with it.
    """
    try:
        if arguments is None:
            gc.set_threshold(COLLECTED_EVERY)
        code = _main(arguments)
        if arguments is None:
            gc.freeze()  # as Python ends, its collector would walk all modules: an eighth of a small run
            _end_on_interrupt()
        return code
    except (KeyboardInterrupt, RuntimeError) as error:  # as modules were loaded, or after the end
        if not isinstance(error, KeyboardInterrupt) and not isinstance(error.__cause__, KeyboardInterrupt):
            raise  # Python 3.11 makes a RuntimeError of what `__set_name__` raises
        if arguments is None:
            _end_on_interrupt()
        _say_interrupted()
        from shlo.command_line.exit_codes import INTERRUPTED

        return INTERRUPTED


def _main(arguments: Sequence[str] | None) -> int:
    from shlo.runner.interrupts import interruptible

    def run() -> int:  # Python drops an interrupt that arrives as it frees the lock of a module
        from shlo.cli.dispatch import dispatch

        return dispatch(arguments)

    return interruptible(run)


def _end_on_interrupt() -> None:
    """Has an interrupt end the process without a word: the command is done, and Python tidies up."""
    import signal

    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)


def _say_interrupted() -> None:
    try:
        os.write(2, b"interrupted\n")
    except OSError:
        return
