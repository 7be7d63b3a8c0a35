"""Where a run ends that fails, or gives results that are not finite: it runs once more in a session."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from msgspec.structs import asdict

from shlo.debugger.inspect.scope import read_only
from shlo.debugger.session import Session
from shlo.diagnosis.branches import failure_card
from shlo.diagnosis.nonfinite import nonfinite_cards
from shlo.interpreter.options import RunOptions
from shlo.interpreter.runtime.program_output import drop_output
from shlo.ir.operations import Module
from shlo.places.card import Card

MEMORY: Final = 64 << 20
"""How many bytes of passed values the session keeps."""

_OWN: Final = ("output", "keep_values", "profile", "progress")
"""Options of a run that a session has of its own."""


def end_cards(
    modules: Sequence[Module],
    inputs: Sequence[Sequence[Any]],
    options: RunOptions,
    folders: Sequence[str],
    process: int,
) -> Iterator[Card]:
    """Yields why a run fails, or what made the numbers of a process's results that are not finite.

    Args:
        modules: as for `diagnose`.
        inputs: as for `diagnose`.
        options: of the run, whose replicas and partitions are the grid.
        folders: as for `diagnose`.
        process: whose results are followed back.

    Raises:
        ExecutionError: the program cannot be started on the arguments.
    """
    keywords: dict[str, Any] = {name: value for name, value in asdict(options).items() if name not in _OWN}
    fixed = [list(map(read_only, arguments)) for arguments in inputs]  # a session copies the others
    is_alone = options.replicas * options.partitions == 1
    session = Session(
        modules, inputs=fixed[0] if is_alone else fixed, memory=MEMORY, output=drop_output, **keywords
    )
    for folder in folders:
        session.structure.python.add_folder(folder)
    session.resume()
    failure = failure_card(session)
    if failure is not None:
        yield failure
    else:
        session.cursor.selected = process
        yield from nonfinite_cards(session)
