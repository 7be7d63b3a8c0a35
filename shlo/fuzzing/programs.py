"""Random programs: what is written, and from which seed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from fnmatch import fnmatchcase
from functools import cache
from typing import Final, Literal

from msgspec import Struct

from shlo.dialects import all_op_defs
from shlo.dialects.opdef import OpDef
from shlo.dialects.vhlo.versions import ROWS
from shlo.fuzzing.by_definition import TRIES, is_by_definition, write_by_definition, write_on
from shlo.fuzzing.maker import Maker
from shlo.fuzzing.recipes import COLLECTIVES, DIALECTS, RECIPES
from shlo.fuzzing.scope import ELEMENTS, Draft, NotHere, Scope, operation_text
from shlo.ir.dtypes import Array
from shlo.ir.operations import Module
from shlo.ir.types import F32, FutureType, RankedTensorType, TokenType, Type
from shlo.syntax import parse
from shlo.text.suggest import did_you_mean
from shlo.verifier import Verdicts, verify

NOT_WRITTEN: Final = {
    "chlo.ragged_dot": "XLA's CPU backend has none",
    "chlo.constant": "what `stablehlo.constant` is",
    "func.call_indirect": "functions as values: XLA has none",
    "func.constant": "functions as values: XLA has none",
    "stablehlo.set_dimension_size": "results of sizes that depend on values: XLA needs static sizes",
    "stablehlo.unary_einsum": "an older form, which XLA does not take",
}
"""Operations that are not written, with reasons; `reason_of` has those that definitions tell."""

How = Literal["apart", "fused", "grid"]
"""How the results of a program are compared: those of each operation, on the operands that the engine had for
it; or those of the whole program, all of whose results are exact, on one process or on a grid."""

_NAME: Final = re.compile(r"%v\d+(?:#\d+)?")

_ATTEMPTS: Final = 20
"""How often writing one operation is tried with other draws, where the first ones do not fit it."""
_GRIDS: Final = ((1, 2), (2, 1), (2, 2), (1, 4), (4, 1))


class Case(Struct, frozen=True):
    """A program, and how it is run.

    Args:
        number: which of the run it is.
        how: how results are compared.
        module: the program, whose `@main` returns what no other operation uses.
        inputs: the arguments of each process.
        grid: replicas and partitions.
    """

    number: int
    how: How
    module: Module
    inputs: Sequence[Sequence[Array]]
    grid: tuple[int, int] = (1, 1)


class InvalidProgram(Exception):
    """A generated program that the verifier refuses: a mistake of the generator, or of the verifier."""


class Generator:
    """Writes programs: the same for the same seed and number.

    Args:
        seed: of which programs.
        size: how many operations a program has, about; those of regions and functions left out.
        only: patterns of the names of operations, of which each program has some; none for all.
        fillers: names of the operations that fill blocks; none for all.
    """

    def __init__(
        self, seed: int, size: int = 8, only: Sequence[str] = (), fillers: Sequence[str] = ()
    ) -> None:
        self._seed, self._size, self._fillers = seed, size, fillers
        self._verdicts = Verdicts()
        self._wanted = [name for name in writers() if _is_chosen(name, only)] if only else []

    def case(self, number: int, how: How) -> Case:
        """Returns a program; raises InvalidProgram."""
        make = Maker([self._seed, number])
        grid = make.choice(_GRIDS) if how == "grid" else (1, 1)
        draft = Draft(make, self._write_any, f"f{number}_", grid, is_exact=how != "apart")
        scope = Scope(draft)
        while len(scope.lines) < self._size:
            if self._wanted and make.chance(0.5):
                _written(scope, writers()[make.choice(self._wanted)], self._verdicts)
            self._write_any(scope)
        return self._finished(number, how, draft, scope)

    def case_of(
        self,
        name: str,
        number: int,
        grid: tuple[int, int] = (1, 1),
        elements: Sequence[Type] = ELEMENTS,
        maker: Callable[[Sequence[int]], Maker] = Maker,
    ) -> Case | None:
        """Returns a program of one operation, None where none could be written; raises InvalidProgram.

        Args:
            name: the operation.
            number: which of its programs.
            grid: replicas and partitions.
            elements: the types of elements that values are to have.
            maker: makes what is random, from a seed.
        """
        for attempt in range(_ATTEMPTS):
            make = maker([self._seed, number, attempt, *name.encode()])
            scope = Scope(
                Draft(make, self._write_any, f"f{number}_", grid, is_exact=False, elements=elements)
            )
            _written(scope, writers()[name], self._verdicts)
            if scope.lines:
                return self._finished(number, "apart" if grid == (1, 1) else "grid", scope.draft, scope)
        return None

    def case_on(
        self,
        op_def: OpDef,
        number: int,
        arrays: Sequence[Array],
        chosen: Mapping[str, str],
        elements: Sequence[Type] = ELEMENTS,
    ) -> Case | None:
        """Returns a program of one operation on arguments, None where there is none of their types; raises
        InvalidProgram.

        Args:
            op_def: the operation.
            number: which of its programs: other attributes are random.
            arrays: its operands.
            chosen: the text of attributes.
            elements: the types of elements that results are to have where the operands leave them open.
        """
        make = Maker([self._seed, number, *op_def.name.encode()])
        scope = Scope(Draft(make, self._write_any, f"f{number}_", elements=elements))
        operands = [scope.argument(array) for array in arrays]
        with suppress(NotHere):
            if any(write_on(scope, op_def, operands, self._verdicts, chosen) for _ in range(TRIES)):
                return self._finished(number, "apart", scope.draft, scope)
        return None

    def _finished(self, number: int, how: How, draft: Draft, scope: Scope) -> Case:
        text = _program_text(draft, scope)
        module, diagnostics = parse(text, f"program {number}")
        findings = [*diagnostics, *verify(module, self._verdicts)]
        wrong = next((finding for finding in findings if finding.severity in ("error", "warning")), None)
        if wrong is not None:
            raise InvalidProgram(f"program {number}: {wrong.message}\n{text}")
        self._verdicts.forget_others(module, 2000)
        grid = draft.grid
        count = grid[0] * grid[1]
        inputs = [[arrays[process] for _, arrays in draft.arguments] for process in range(count)]
        return Case(number, how, module, inputs, grid)

    def _write_any(self, scope: Scope) -> None:
        """Writes an operation of any kind, or none where a chosen one does not fit."""
        names = self._fillers or _chosen_names(scope.draft.grid != (1, 1) and scope.depth == 0)
        _written(scope, writers()[scope.make.choice(names)], self._verdicts)


Writer = Callable[[Scope, Verdicts], None]


def _written(scope: Scope, write: Writer, verdicts: Verdicts) -> None:
    count = len(scope.values), len(scope.lines), len(scope.draft.arguments), len(scope.draft.functions)
    try:
        write(scope, verdicts)
    except NotHere:
        draft = scope.draft
        del scope.values[count[0] :], scope.lines[count[1] :]
        del draft.arguments[count[2] :], draft.functions[count[3] :]


@cache
def writers() -> dict[str, Writer]:
    """Returns what writes each operation that can be, by name."""
    by_name: dict[str, Writer] = {}
    for name, recipe in {**RECIPES, **COLLECTIVES}.items():
        by_name[name] = lambda scope, verdicts, recipe=recipe, name=name: recipe(scope, name)
    for op_def in all_op_defs():
        is_open = op_def.name not in by_name and op_def.name not in NOT_WRITTEN
        if op_def.dialect in DIALECTS and is_open and _is_known_outside(op_def) and is_by_definition(op_def):
            by_name[op_def.name] = lambda scope, verdicts, op_def=op_def: write_by_definition(
                scope, op_def, verdicts
            )
    return dict(sorted(by_name.items()))


def _is_known_outside(op_def: OpDef) -> bool:
    """Returns whether other implementations have an operation: one of StableHLO is in VHLO, too."""
    return op_def.dialect != "stablehlo" or any(row.stablehlo_name == op_def.name for row in ROWS)


@cache
def _chosen_names(is_grid: bool) -> list[str]:
    """Returns names of operations, each as often as it is to be chosen: those with recipes more often, chlo's
    less often.
    """
    names: list[str] = []
    for name in writers():
        if name in COLLECTIVES:
            weight = 8 if is_grid else 0
        elif name in RECIPES:
            weight = 3
        else:
            weight = 1 if name.startswith("chlo.") else 2
        names += [name] * weight
    return names


def not_written() -> Iterator[tuple[OpDef, str]]:
    """Yields the operations that are not written, with reasons."""
    for op_def in all_op_defs():
        name = op_def.name
        if op_def.dialect in DIALECTS and name not in writers() and name not in ALONGSIDE:
            yield op_def, NOT_WRITTEN.get(name) or reason_of(op_def)


def reason_of(op_def: OpDef) -> str:
    """Returns what of the definition of an operation without a recipe keeps it from being written."""
    if not _is_known_outside(op_def):
        return "VHLO does not have it, so that no other implementation does"
    constraints = [value.constraint for value in (*op_def.operands, *op_def.results)]
    if any(constraint.matches(TokenType()) and not constraint.matches(_F32) for constraint in constraints):
        return "tokens: what they order is outside of the program"
    if any(constraint.matches(FutureType(())) and not constraint.matches(_F32) for constraint in constraints):
        return "futures, which are no tensors"
    if not all(constraint.matches(_F32) or not constraint.takes_quantized for constraint in constraints):
        return "quantized tensors: XLA has them as integers alone"
    if op_def.has("effect"):
        return "its results are not determined by the program"
    if op_def.synchronizes is not None:
        return "XLA's CPU backend has none"
    return "its definition does not tell enough"


_F32: Final = RankedTensorType((), F32)


ALONGSIDE: Final = frozenset(
    {
        "stablehlo.constant",
        "stablehlo.get_tuple_element",
        "stablehlo.return",
        "func.func",
        "func.return",
    }
)
"""Operations that are written together with others."""


def matching(patterns: Sequence[str], others: Sequence[str] = ()) -> list[str]:
    """Returns the names of the operations that patterns name, of those that can be written and of `others`;
    raises ValueError where one names none."""
    names = sorted({*writers(), *others})
    for pattern in patterns:
        if not any(_is_chosen(name, [pattern]) for name in names):
            for op_def, reason in not_written():
                if _is_chosen(op_def.name, [pattern]):
                    raise ValueError(f"no program with {op_def.name} is written: {reason}")
            close = did_you_mean(pattern, [*names, *(name.rpartition(".")[2] for name in names)])
            raise ValueError(
                f"no operation that can be written is called {pattern!r}; {close or ''}".rstrip("; ")
            )
    return [name for name in names if _is_chosen(name, patterns)]


def written_names() -> list[str]:
    """Returns the names of all operations that programs have."""
    return sorted({*writers(), *ALONGSIDE})


def _is_chosen(name: str, patterns: Sequence[str]) -> bool:
    short = name.rpartition(".")[2]
    return any(fnmatchcase(name, pattern) or fnmatchcase(short, pattern) for pattern in patterns)


def _program_text(draft: Draft, scope: Scope) -> str:
    """Returns the text of a program that returns what no other operation uses, or its last values."""
    text = "\n".join(scope.lines)
    mentions = Counter(_NAME.findall(text))
    arguments = {value.name for value, _ in draft.arguments}
    computed = [value for value in scope.values if value.name not in arguments]
    # where one of several results is mentioned, it is used; where a single one is, its definition is, too
    unused = [value for value in computed if mentions[value.name] <= ("#" not in value.name)]
    returned = unused or computed[-1:]
    parameters = ", ".join(f"{value.name}: {value.type}" for value, _ in draft.arguments)
    results = ", ".join(str(value.type) for value in returned)
    end = operation_text("", "func.return", returned, ())
    return "".join(
        [*draft.functions, f"func.func @main({parameters}) -> ({results}) {{\n{text}\n{end}\n}}\n"]
    )
