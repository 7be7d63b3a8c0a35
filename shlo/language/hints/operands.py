"""What operands are for, where the text shows only their order: in the generic form, and in calls."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from shlo.dialects import find_op_def
from shlo.dialects.operand_groups import operand_groups
from shlo.ir.attributes import SymbolRefAttr
from shlo.ir.op_path import OpPath
from shlo.ir.operations import Operation
from shlo.ir.traced_names import argument_label
from shlo.language.document import Part
from shlo.language.hints.hint import Hint, shortened
from shlo.language.index.op_names import names_of

GENERIC = re.compile(r'(?:%[^=\n]*=\s*)?"', re.ASCII)
NUMBERED = re.compile(r"(?:arg)?\d+|iterArg(?:_\d+)?", re.ASCII)
"""Names that say nothing."""


def operand_hints(part: Part, place: OpPath) -> Iterator[Hint]:
    """Yields `name:` before each operand, in spans of the part, where there are two at least."""
    operation = place.operation
    if len(operation.operands) < 2:
        return
    names = _argument_names(part, place)
    if names is None and GENERIC.match(part.text, place.start):
        names = _names(operation)
    if names is None:
        return
    uses = [name for name in names_of(part.text, place) if name.role == "use"]
    for use, name in zip(uses, names):
        if name and name != use.name:
            yield Hint(use.span.start, f"{shortened(name)}:", name, "parameter")


def _names(operation: Operation) -> Sequence[str] | None:
    """Returns the name of each operand on the operation's definition."""
    op_def = find_op_def(operation.name)
    if op_def is None or len(op_def.operands) < 2:
        return None
    names = [""] * len(operation.operands)
    for name, numbers in operand_groups(op_def, len(names), operation.signature.properties).items():
        for index, number in enumerate(numbers):
            names[number] = name if len(numbers) == 1 else f"{name}[{index}]"
    return names


def _argument_names(part: Part, place: OpPath) -> Sequence[str] | None:
    """Returns the names of the arguments of the function that an operation calls, empty where they say
    nothing; None for no call."""
    callee = place.operation.attribute("callee") if place.operation.name == "func.call" else None
    if not isinstance(callee, SymbolRefAttr):
        return None
    symbol = part.index.symbols.visible(place, callee.root)
    region = next(iter(symbol.place.operation.regions), None) if symbol else None
    if region is None or not region.blocks:
        return None
    block = region.blocks[0]
    own = [region.values.names[value] for value in block.arguments]
    return [
        argument_label(block, index) or ("" if NUMBERED.fullmatch(name) else name)
        for index, name in enumerate(own)
    ]
