"""Constraints of a grid of programs: which functions it runs, on what, and what feeds it."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from shlo.dialects.func.rules import function_named, own
from shlo.dialects.op_bindings import Broken, OpBindings
from shlo.ir.attributes import ArrayAttr, SymbolRefAttr
from shlo.ir.suggestions import Advise, LeaveOut, Set, Subject, WriteAttribute, advise
from shlo.ir.types import FunctionType, RankedTensorType, UnrankedTensorType

_TENSORS = (RankedTensorType, UnrankedTensorType)


def _rows(bindings: OpBindings) -> list[list[SymbolRefAttr]]:
    """Returns the programs by replica and partition."""
    programs = bindings.signature.properties.get("programs")
    rows = programs.values if isinstance(programs, ArrayAttr) else ()
    return [
        [symbol for symbol in row if isinstance(symbol, SymbolRefAttr)] if isinstance(row, ArrayAttr) else []
        for row in rows
    ]


def _programs(bindings: OpBindings) -> Iterator[FunctionType | Broken]:
    if bindings.around is not None:
        yield from (function_named(bindings, symbol) for row in _rows(bindings) for symbol in row)


def are_programs(bindings: OpBindings) -> Broken | None:
    """Judges whether there are programs, as many for each replica."""
    rows = _rows(bindings)
    if not rows or not rows[0]:
        return Broken("programs is empty", ("programs",), (WriteAttribute("programs", "[[@main]]"),))
    sizes = [len(row) for row in rows]
    if len(set(sizes)) > 1:
        message = f"each replica needs as many programs as the others, but they have {sizes}"
        return Broken(message, ("programs",), advise(f"make the length of each row {max(sizes)}"))
    return None


def programs_exist(bindings: OpBindings) -> Broken | None:
    """Judges whether each program is a function of the module."""
    missing = next((fault for fault in _programs(bindings) if isinstance(fault, Broken)), None)
    return replace(missing, bindings=("programs",)) if missing else None


def _count(bindings: OpBindings, what: str, count: int) -> Broken | None:
    """Returns whether as many values are given as the programs have together."""
    types = list(_programs(bindings))
    if not types or any(isinstance(type_, Broken) for type_ in types):
        return None
    functions = [type_ for type_ in types if isinstance(type_, FunctionType)]
    wanted = sum(len(type_.inputs if what == "inputs" else type_.results) for type_ in functions)
    if count == wanted:
        return None
    message = f"there are {count} {what}, but the programs have {wanted} together"
    return Broken(message, (what, "programs"), (Set(Subject(what).of("count"), "=", wanted),))


def feeds(bindings: OpBindings) -> Broken | None:
    """What is fed in comes from functions that give one tensor."""
    infeed = bindings.signature.properties.get("infeed")
    if not isinstance(infeed, ArrayAttr) or bindings.around is None:
        return None
    if not infeed.values:
        suggestions = Advise("name a function"), LeaveOut("infeed", words="leave infeed out")
        return Broken("infeed is empty", ("infeed",), suggestions)
    for symbol in infeed:
        function = function_named(bindings, symbol) if isinstance(symbol, SymbolRefAttr) else None
        if isinstance(function, Broken):
            return replace(function, bindings=("infeed",))
        if function is not None and [isinstance(type_, _TENSORS) for type_ in function.results] != [True]:
            types = ", ".join(map(str, function.results)) or "nothing"
            message = f"{symbol} must give one tensor, but gives {types}"
            return Broken(message, ("infeed",), advise(f"let {symbol} return one tensor"))
    return None


RUN_PARALLEL = (
    own("A1", "0 < size(programs[0]) and size(programs...) = size(programs[0])", are_programs, "programs"),
    own("A2", "programs... are functions of the module", programs_exist, "programs", needs_context=True),
    own(
        "A3",
        "size(inputs) = sum(size(input_types(programs...)))",
        lambda bindings: _count(bindings, "inputs", len(bindings.signature.operand_types)),
        "inputs",
        needs_context=True,
    ),
    own(
        "A4",
        "size(results) = sum(size(output_types(programs...)))",
        lambda bindings: _count(bindings, "results", len(bindings.signature.result_types)),
        "results",
        needs_context=True,
    ),
    own("A5", "infeed... are functions that give one tensor", feeds, "infeed", needs_context=True),
)
