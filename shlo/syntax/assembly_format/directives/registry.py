"""What a directive of an assembly format is."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct

from shlo.ir.operations import Operation
from shlo.syntax.assembly_format.parse_state import ParseState
from shlo.syntax.assembly_format.print_state import PrintState


class Directive(Struct, frozen=True):
    """A pair of functions that read and write what a format names `custom(...)` or `type(...)`.

    `attributes` are those that the directive writes, which are then left out of the attribute dictionary.
    `blank` says that a blank is before it, as before other items. `words` maps the words that it writes
    before a `=` to the attributes of the values behind them, an attribute without a word to itself.
    """

    read: Callable[[ParseState], None]
    write: Callable[[PrintState], None]
    attributes: tuple[str, ...] = ()
    blank: bool = True
    fits: Callable[[Operation], bool] = lambda operation: True
    words: Mapping[str, str] = {}


Directives = dict[str, Directive]


def entry_argument_counts(operation: Operation) -> list[int]:
    """Returns how many arguments the first block of each region has that has a block."""
    return [len(region.blocks[0].arguments) for region in operation.regions if region.blocks]
