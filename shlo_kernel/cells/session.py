"""What the cells of a notebook share: functions and values, and how one more cell changes them.

A cell is a text of StableHLO. Its functions stay, and can be defined again; its top-level ops run at once,
and their values stay. Nothing here knows Jupyter.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from shlo.ir.diagnostics import Diagnostic, ExecutionError
from shlo.ir.operations import Function, Module
from shlo.ir.source import Source, Span
from shlo.ir.types import RankedTensorType, TokenType, TupleType, Type, UnrankedTensorType
from shlo.syntax.split import part_spans
from shlo_kernel.cells.definitions import CELL, Definitions, cell_function
from shlo_kernel.cells.parse import Part, TopLevelOps, read_part
from shlo_kernel.mime.bundle import Value

if TYPE_CHECKING:
    from shlo.interpreter.semantics import Semantics

__all__ = [
    "LAST",
    "CellSession",
    "Outcome",
    "Shown",
    "State",
    "Value",
    "blanked",
    "can_keep",
    "locked",
    "own_type",
]

LAST = "_"
"""The name of the last values that a cell computed without giving them a name."""


class Shown(NamedTuple):
    """A value to show: its name without `%` (empty where it has none), its type, its array."""

    name: str
    type: Type
    array: Any


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a cell.

    `values` are to be shown, in order, after `text`, which says what the cell defined. `diagnostics` speak of
    the cell's own text; where one of them is an error, the cell changed nothing.
    """

    values: tuple[Shown, ...] = ()
    text: str = ""
    diagnostics: tuple[Diagnostic, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether the cell was carried out."""
        return all(diagnostic.severity != "error" for diagnostic in self.diagnostics)


@dataclass(frozen=True, slots=True)
class State:
    """Everything that a session knows. It is never written to: a cell makes a new one."""

    definitions: Definitions = field(default_factory=Definitions)
    values: Mapping[str, Value] = field(default_factory=dict[str, Value])
    semantics: Semantics = "spec"


class CellSession:
    """Functions and values that cells have made. A cell that fails, or is interrupted, changes nothing."""

    def __init__(self) -> None:
        self.state = State()
        """What the session knows; assigning an earlier one goes back to it."""

    @property
    def functions(self) -> dict[str, Function]:
        """The functions by name, without `@`."""
        return self.module.functions

    @property
    def values(self) -> Mapping[str, Value]:
        """The values by name, without `%`; several results `%x:2` are `x#0` and `x#1`."""
        return self.state.values

    @property
    def module(self) -> Module:
        """The functions as one program, the same object for as long as none of them changes."""
        return self.state.definitions.module

    def named(self, name: str) -> list[Shown]:
        """Returns the values of a name, several where an op has several results; none of an unknown name."""
        found = self.values.get(name)
        if found is not None:
            return [Shown(name, *found)]
        return [Shown(key, *value) for key, value in self.values.items() if key.startswith(f"{name}#")]

    def set_value(self, name: str, array: Any, type_: Type | None = None) -> None:
        """Gives a value a name (with or without `%`); its type is, where none is given, that of the array.

        Raises UnsupportedTypeError where StableHLO has no type for the array's elements.
        """
        self.set_values({name.removeprefix("%"): Value(own_type(array) if type_ is None else type_, array)})

    def set_values(self, values: Mapping[str, Value]) -> None:
        """Gives values names without `%`; all results of an op come in one call."""
        kept = {name: Value(value.type, locked(value.array)) for name, value in values.items()}
        self.state = replace(self.state, values=_with_values(self.values, kept))

    @property
    def semantics(self) -> Semantics:
        """Whether runs follow the specification, or XLA where it departs from it."""
        return self.state.semantics

    def reset(self) -> None:
        """Forgets everything."""
        self.state = State()

    def execute(self, source: str, label: str = "cell") -> Outcome:
        """Carries a cell out; messages of later cells speak of it by its label.

        A last line of names (`%x, %y`) shows these values; otherwise the results of the last operation are
        shown. Programs that lines `// -----` separate are read one by one.
        """
        state, outcomes = self.state, list[Outcome]()
        for span in part_spans(source):
            part = read_part(Source(blanked(source, span), label), _given(state.values))
            if part.has_errors:
                return Outcome(diagnostics=part.diagnostics)
            state, outcome = _carry_out(state, part)
            if not outcome.ok:
                return outcome
            outcomes.append(outcome)
        self.state = state
        values = outcomes[-1].values if outcomes else ()
        text = "".join(each.text for each in outcomes)
        return Outcome(values, text, tuple(found for each in outcomes for found in each.diagnostics))


def _carry_out(state: State, part: Part) -> tuple[State, Outcome]:
    """Returns the state after a part of a cell, and what to show."""
    definitions = state.definitions.with_definitions(part.definitions, part.resources)
    values, computed = state.values, list[Shown]()
    findings = (*part.diagnostics, *definitions.findings(part.source, part.definitions, part.top_level))
    if any(finding.severity == "error" for finding in findings):
        return state, Outcome(diagnostics=findings)
    if part.top_level is not None:
        try:
            computed = _run(definitions, values, part.top_level, state.semantics)
        except ExecutionError as error:
            return state, Outcome(diagnostics=(*findings, definitions.diagnostic(error, part.top_level)))
        kept = {each.name or LAST: Value(each.type, each.array) for each in computed}
        values = _with_values(values, kept)
    after = replace(state, definitions=definitions, values=values)
    shown = _shown(values, part, computed)
    if isinstance(shown, Diagnostic):
        return state, Outcome(diagnostics=(*findings, shown))
    text = "".join(f"{definition.headline}\n" for definition in part.definitions)
    return after, Outcome(tuple(shown), text, findings)


def _run(
    definitions: Definitions, values: Mapping[str, Value], top_level: TopLevelOps, semantics: Semantics
) -> list[Shown]:
    """Returns what the top-level ops of a cell compute: all of their values that can be kept."""
    from shlo.interpreter import RunOptions, execute

    kept = [value for operation in top_level.operations for value in operation.results]
    kept = [value for value in kept if can_keep(top_level.values.types[value])]
    module = definitions.with_cell(cell_function(top_level, kept), top_level)
    arguments = [(values.get(name) or values[f"{name}#0"]).array for name in top_level.used]
    results = execute(module, arguments, RunOptions(entry=CELL, semantics=semantics))
    types, names = top_level.values.types, top_level.values.names
    return [Shown(names[value], types[value], locked(array)) for value, array in zip(kept, results)]


def _shown(values: Mapping[str, Value], part: Part, computed: list[Shown]) -> list[Shown] | Diagnostic:
    """Returns the values that the last line names, or the results of the last operation."""
    shown: list[Shown] = []
    for name, span in part.shown:
        found = [key for key in values if key == name or key.startswith(f"{name}#")]
        if not found:
            return Diagnostic(f"there is no value '%{name}'", span)
        shown += [Shown(key, *values[key]) for key in found]
    if part.shown or part.top_level is None:
        return shown
    last = part.top_level.operations[-1].results
    count = sum(can_keep(part.top_level.values.types[value]) for value in last)
    return computed[len(computed) - count :]


def can_keep(type_: Type) -> bool:
    """Returns whether values of a type can go from one cell to another."""
    if isinstance(type_, TupleType):
        return all(can_keep(part) for part in type_.types)
    return isinstance(type_, (RankedTensorType, UnrankedTensorType, TokenType))


def own_type(array: Any) -> RankedTensorType:
    """Returns the type of an array; raises UnsupportedTypeError where StableHLO has none for its elements."""
    import numpy as np

    from shlo.ir.dtypes import element_type_for

    array = np.asarray(array)
    return RankedTensorType(array.shape, element_type_for(array.dtype))


def locked(value: Any) -> Any:
    """Returns a value that is read-only: of an array a view, so that it is not copied."""
    from shlo.runner.display import as_array

    if isinstance(value, tuple):
        return tuple(map(locked, cast("tuple[Any, ...]", value)))
    array = as_array(value)
    if array is None:
        return value
    view = array.view()
    view.flags.writeable = False
    return view


def _given(values: Mapping[str, Value]) -> dict[str, Type]:
    """Returns the names that a cell may use with their types; the name of several results means the first."""
    firsts = {name.removesuffix("#0"): value.type for name, value in values.items() if name.endswith("#0")}
    return firsts | {name: value.type for name, value in values.items()}


def _with_values(values: Mapping[str, Value], new: Mapping[str, Value]) -> dict[str, Value]:
    """Returns the values with new ones, which take the place of all that were known by the same name."""
    names = {name.partition("#")[0] for name in new}
    kept = {name: value for name, value in values.items() if name.partition("#")[0] not in names}
    return {**kept, **new}


def blanked(text: str, span: Span) -> str:
    """Returns a text with nothing but blanks and line ends outside of a span."""
    before, after = (re.sub(r"[^\n]", " ", part) for part in (text[: span.start], text[span.end :]))
    return before + text[span.start : span.end] + after
