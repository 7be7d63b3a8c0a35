"""What the cells of a notebook share: functions and values, and how one more cell changes them.

A cell is a text of StableHLO. Its functions stay, and can be defined again; its top-level ops run at once,
and their values stay. Nothing here knows Jupyter.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import count
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

from msgspec import Struct, field
from msgspec.structs import replace

from shlo.interpreter.semantics import Semantics
from shlo.ir.diagnostics import Diagnostic, ExecutionError
from shlo.ir.operations import Module
from shlo.ir.source import Source, Span
from shlo.ir.symbols import with_renamed_symbols
from shlo.ir.types import FunctionType, RankedTensorType, TokenType, TupleType, Type, UnrankedTensorType
from shlo.syntax.lexer.strings import readable_symbol
from shlo.syntax.split import part_spans
from shlo.text.progress import SHOWN_AFTER_S, progress_text
from shlo_kernel.cells.definitions import (
    CELL,
    CellDefinitions,
    Namespace,
    TopLevelOps,
    cell_function,
    function_type,
    headline,
    linked,
)
from shlo_kernel.cells.parse import CellProgram, read_part
from shlo_kernel.mime.bundle import CellValue

if TYPE_CHECKING:
    from shlo.interpreter import RunOptions
    from shlo.interpreter.runtime.profile import Profile, Progress
    from shlo.runner.arguments.grid import GridCall

INTERVAL_S: Final = 0.5

LAST = "_"
"""The name of the last values that a cell computed without giving them a name."""


class ShownValue(NamedTuple):
    """A value to show: its name without `%` (empty where it has none), its type, its array."""

    name: str
    type: Type
    array: Any


class CellOutcome(Struct, frozen=True):
    """What became of a cell.

    `values` are to be shown, in order, after `text`, which says what the cell defined. `diagnostics` refer to
    the cell's own text; where one of them is an error, the cell changed nothing.
    """

    values: tuple[ShownValue, ...] = ()
    text: str = ""
    diagnostics: tuple[Diagnostic, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether the cell was carried out."""
        return all(diagnostic.severity != "error" for diagnostic in self.diagnostics)


class Naming(Struct, frozen=True):
    """What a text's modules are called: `module` whatever it says itself, `fallback` where it says nothing.
    With neither, one is generated, the same for each `key`. `cell` is the whole cell around a text.
    """

    module: str = ""
    fallback: str = ""
    key: str = ""
    cell: str = ""


class RunSettings(Struct, frozen=True):
    """How runs are limited, and whether they show their progress; `%config` sets it."""

    max_steps: int | None = None
    max_bytes: int | None = None
    progress: bool = True


class CellState(Struct, frozen=True):
    """Everything that a session knows. It is never written to: a cell makes a new one."""

    definitions: CellDefinitions = field(default_factory=CellDefinitions)
    values: Mapping[str, CellValue] = field(default_factory=dict[str, CellValue])
    semantics: Semantics = "spec"
    anonymous: Mapping[str, str] = field(default_factory=dict[str, str])
    settings: RunSettings = field(default_factory=RunSettings)


class RunProgress:
    """Is called by runs with how many of how many operations are done; tells `show` now and then."""

    def __init__(self, show: Callable[[str], None], now: Callable[[], float] = monotonic) -> None:
        self._show, self._now = show, now
        self._start = self._due = now()
        self._before = -1
        self._is_shown = False

    def __call__(self, done: int, total: int) -> None:
        """Takes how many of how many operations are done."""
        now = self._now()
        if done <= self._before or self._before < 0:  # another run began
            self._start, self._due = now, now + SHOWN_AFTER_S
        self._before = done
        if now < self._due:
            return
        self._due = now + INTERVAL_S
        self._is_shown = True
        self._show(progress_text(done, total, now - self._start))

    def close(self) -> None:
        """Takes away what is shown."""
        if self._is_shown:
            self._is_shown = False
            self._show("")


Execute = Callable[[Module, Sequence[Any], "RunOptions"], tuple[Any, ...]]
"""Runs a function on arguments and returns its results; raises ExecutionError."""
ExecuteGrid = Callable[["GridCall", Semantics], list[tuple[Any, ...]]]
"""Runs the processes of a grid and returns the results of each."""


def execute_program(module: Module, arguments: Sequence[Any], options: RunOptions) -> tuple[Any, ...]:
    """Runs a function with the interpreter; its results share memory with values that nothing writes to."""
    from shlo.interpreter import execute_read_only

    return execute_read_only(module, arguments, options)


def execute_grid(call: GridCall, semantics: Semantics) -> list[tuple[Any, ...]]:
    """Runs the processes of a grid with the interpreter; returns the results of each."""
    from shlo.interpreter import RunOptions, make_grid

    options = RunOptions(semantics=semantics, **call.keywords())
    return make_grid(call.modules, call.inputs, options).run()


class CellSession:
    """Functions and values that cells have made. A cell that fails, or is interrupted, changes nothing."""

    def __init__(self) -> None:
        self.state = CellState()
        """What the session knows; assigning an earlier one goes back to it."""
        self.execute_program: Execute = execute_program
        """What runs programs: a debugger can take its place."""
        self.execute_grid: ExecuteGrid = execute_grid
        """What runs grids; raises GridError."""
        self.progress: Progress | None = None
        """What runs tell how far they are."""

    @property
    def functions(self) -> dict[str, FunctionType]:
        """The types of the functions by full name, without `@`: `f` outside of modules, `a.main` in one."""
        signatures = ((name, self.state.definitions.signature(name)) for name in self.state.definitions.names)
        typed = ((name, function_type(operation)) for name, operation in signatures if operation is not None)
        return {name: type_ for name, type_ in typed if type_ is not None}

    @property
    def values(self) -> Mapping[str, CellValue]:
        """The values by name, without `%`; several results `%x:2` are `x#0` and `x#1`."""
        return self.state.values

    def named(self, name: str) -> list[ShownValue]:
        """Returns the values of a name, several where an op has several results; none of an unknown name."""
        value = self.values.get(name)
        if value is not None:
            return [ShownValue(name, *value)]
        return [ShownValue(key, *value) for key, value in self.values.items() if key.startswith(f"{name}#")]

    def set_value(self, name: str, array: Any, type_: Type | None = None) -> None:
        """Gives a value a name (with or without `%`); its type is, where none is given, that of the array.

        Raises UnsupportedTypeError where StableHLO has no type for the array's elements.
        """
        self.set_values(
            {name.removeprefix("%"): CellValue(own_type(array) if type_ is None else type_, array)}
        )

    def set_values(self, values: Mapping[str, CellValue]) -> None:
        """Gives values names without `%`; all results of an op come in one call."""
        locked_values = {name: CellValue(value.type, locked(value.array)) for name, value in values.items()}
        self.state = replace(self.state, values=_with_values(self.values, locked_values))

    @property
    def semantics(self) -> Semantics:
        """Whether runs follow the specification, or XLA where it departs from it."""
        return self.state.semantics

    def options(
        self, entry: str, profile: Profile | None = None, settings: RunSettings | None = None
    ) -> RunOptions:
        """Returns the options of a run, with the session's settings or others."""
        from shlo.interpreter import RunOptions

        chosen = settings or self.state.settings
        return RunOptions(
            entry=entry,
            semantics=self.semantics,
            profile=profile,
            max_steps=chosen.max_steps,
            max_bytes=chosen.max_bytes,
            progress=self.progress if chosen.progress else None,
        )

    def reset(self) -> None:
        """Forgets everything."""
        self.state = CellState()

    def execute(self, source: str, label: str = "cell", naming: Naming | None = None) -> CellOutcome:
        """Carries a cell out; messages of later cells refer to it by its label.

        A last line of names (`%x, %y`) shows these values; otherwise the results of the last operation are
        shown. Programs that lines `// -----` separate are read one by one.
        """
        self.state, outcome = self._through(self.state, source, label, naming or Naming(), self._run)
        return outcome

    def check(
        self, state: CellState, source: str, naming: Naming
    ) -> tuple[CellState, tuple[Diagnostic, ...]]:
        """Returns what is wrong with a cell that does not run, and the state after it, whose values of the
        cell have types alone."""
        after, outcome = self._through(state, source, "cell", naming, _typed_results)
        return after, outcome.diagnostics

    def _through(
        self, state: CellState, source: str, label: str, naming: Naming, run: Run
    ) -> tuple[CellState, CellOutcome]:
        """Returns the state after the programs of a cell, or that before where one has errors, and what to
        show."""
        before, outcomes = state, list[CellOutcome]()
        whole = Source(naming.cell or source, label)
        for number, span in enumerate(part_spans(source)):
            part = read_part(blanked(source, span), whole, given_types(state.values))
            if part.has_errors:
                return before, CellOutcome(diagnostics=part.diagnostics)
            key = f"{naming.key or source}/{number}"
            state, outcome = self._carry_out(state, part, replace(naming, key=key), run)
            if not outcome.ok:
                return before, outcome
            outcomes.append(outcome)
        values = outcomes[-1].values if outcomes else ()
        text = "".join(outcome.text for outcome in outcomes)
        return state, CellOutcome(
            values, text, tuple(finding for outcome in outcomes for finding in outcome.diagnostics)
        )

    def _carry_out(
        self, state: CellState, part: CellProgram, naming: Naming, run: Run
    ) -> tuple[CellState, CellOutcome]:
        """Returns the state after a part of a cell, and what to show; `run` runs its top-level ops."""
        part, modules, anonymous = _named_modules(state, part, naming)
        before = state.definitions
        definitions = before.with_definitions(part.definitions, modules, part.resources)
        top_level = part.top_level
        if top_level is not None:  # calls of functions of modules are by their full names
            bound = [with_renamed_symbols(op, definitions.resolve) for op in top_level.operations]
            top_level = replace(top_level, operations=bound)
        values, computed = state.values, list[ShownValue]()
        findings = (
            *part.diagnostics,
            *definitions.findings(part.source, part.definitions, modules, top_level),
        )
        if any(finding.severity == "error" for finding in findings):
            return state, CellOutcome(diagnostics=findings)
        findings += tuple(definitions.broken_callers(before, part.definitions))
        if top_level is not None:
            try:
                computed = run(definitions, values, top_level)
            except ExecutionError as error:
                return state, CellOutcome(diagnostics=(*findings, definitions.diagnostic(error, top_level)))
            results = {result.name or LAST: CellValue(result.type, result.array) for result in computed}
            values = _with_values(values, results)
        after = replace(state, definitions=definitions, values=values, anonymous=anonymous)
        shown = _shown(values, part, computed)
        if isinstance(shown, Diagnostic):
            return state, CellOutcome(diagnostics=(*findings, shown))
        lines = [headline(definition.name, definition.operation) for definition in part.definitions]
        lines += [line for module in modules for line in _module_lines(before, module)]
        return after, CellOutcome(tuple(shown), "".join(f"{line}\n" for line in lines), findings)

    def _run(
        self, definitions: CellDefinitions, values: Mapping[str, CellValue], top_level: TopLevelOps
    ) -> list[ShownValue]:
        """Returns what the top-level ops of a cell compute: all of their values that can be kept."""
        result_values = _kept_results(top_level)
        module = definitions.with_cell(cell_function(top_level, result_values), top_level)
        arguments = [(values.get(name) or values[f"{name}#0"]).array for name in top_level.used]
        results = self.execute_program(module, arguments, self.options(CELL))
        types, names = top_level.values.types, top_level.values.names
        return [
            ShownValue(names[value], types[value], locked(array))
            for value, array in zip(result_values, results)
        ]


Run = Callable[[CellDefinitions, Mapping[str, CellValue], TopLevelOps], list[ShownValue]]
"""Returns the results of top-level ops; raises ExecutionError."""


def _kept_results(top_level: TopLevelOps) -> list[int]:
    """Returns the results of top-level ops that can go to other cells."""
    results = (value for operation in top_level.operations for value in operation.results)
    return [value for value in results if can_keep(top_level.values.types[value])]


def _typed_results(
    definitions: CellDefinitions, values: Mapping[str, CellValue], top_level: TopLevelOps
) -> list[ShownValue]:
    """Returns the results of top-level ops that do not run: names and types without arrays."""
    types, names = top_level.values.types, top_level.values.names
    return [ShownValue(names[value], types[value], None) for value in _kept_results(top_level)]


def _named_modules(
    state: CellState, part: CellProgram, naming: Naming
) -> tuple[CellProgram, list[Namespace], Mapping[str, str]]:
    """Returns a part with its modules under names: the user's, their own, or a generated one, which stays the
    same when the cell runs again."""
    parsed, anonymous = part.modules, dict(state.anonymous)
    if naming.module and not parsed:
        part, parsed = replace(part, definitions=[]), [linked(part.definitions, part.resources)]
    modules = list[Namespace]()
    for number, module in enumerate(parsed):
        name = naming.module or module.name or naming.fallback
        if not name:
            key = f"{naming.key}/{number}"
            used = {*state.definitions.namespaces, *(namespace.name for namespace in modules)}
            numbered = (f"module_{at}" for at in count(1))
            name = anonymous.get(key) or next(candidate for candidate in numbered if candidate not in used)
            anonymous[key] = name
        modules.append(Namespace(name, module))
    return part, modules, anonymous


def _module_lines(before: CellDefinitions, module: Namespace) -> Iterator[str]:
    """Yields what a cell says of a module that it defined."""
    yield from module.headlines
    old = before.namespaces.get(module.name)
    if old is not None and old.source.name != module.source.name:
        name = readable_symbol(module.name)
        yield f"{name} takes the place of the module of that name in {old.source.name}"


def _shown(
    values: Mapping[str, CellValue], part: CellProgram, computed: list[ShownValue]
) -> list[ShownValue] | Diagnostic:
    """Returns the values that the last line names, or the results of the last operation."""
    shown: list[ShownValue] = []
    for name, span in part.shown:
        keys = [key for key in values if key == name or key.startswith(f"{name}#")]
        if not keys:
            return Diagnostic(f"there is no value '%{name}'", span)
        shown += [ShownValue(key, *values[key]) for key in keys]
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
    from shlo.runner.equality import tensor_of

    if isinstance(value, tuple):
        return tuple(map(locked, cast("tuple[Any, ...]", value)))
    array = tensor_of(value)
    if array is None:
        return value
    view = array.view()
    view.flags.writeable = False
    return view


def given_types(values: Mapping[str, CellValue]) -> dict[str, Type]:
    """Returns the names that a cell may use with their types; the name of several results means the first."""
    firsts = {name.removesuffix("#0"): value.type for name, value in values.items() if name.endswith("#0")}
    return firsts | {name: value.type for name, value in values.items()}


def _with_values(values: Mapping[str, CellValue], new: Mapping[str, CellValue]) -> dict[str, CellValue]:
    """Returns the values with new ones, which take the place of all that were known by the same name."""
    names = {name.partition("#")[0] for name in new}
    others = {name: value for name, value in values.items() if name.partition("#")[0] not in names}
    return {**others, **new}


def blanked(text: str, span: Span) -> str:
    """Returns a text with nothing but blanks and line ends outside of a span."""
    before, after = (re.sub(r"[^\n]", " ", part) for part in (text[: span.start], text[span.end :]))
    return before + text[span.start : span.end] + after
