"""Program points: the instructions before which a process can stop, numbered as they are reached."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from shlo.dialects import find_op_def
from shlo.interpreter.engine.frames import Frame
from shlo.interpreter.kernel_api import KernelError
from shlo.interpreter.program.code import CodeBlock, Instruction, Kind
from shlo.interpreter.program.sync_points import (
    MANUAL_COMPUTATION,
    NAMED_COMPUTATION,
    SyncPoint,
    call_target,
    sync_point_of,
)
from shlo.ir import traced_names
from shlo.ir.attributes import SymbolRefAttr
from shlo.ir.locations import file_location
from shlo.ir.operations import Operation, Region
from shlo.ir.source import Position
from shlo.ir.types import IndexType, IntegerType, RankedTensorType, TokenType, Type

NOWHERE = -1
"""The number of the program point of a process that is done."""


@dataclass(frozen=True, eq=False)
class ProgramPoint:
    """An instruction before which a process can stop."""

    code: CodeBlock
    index: int

    @property
    def operation(self) -> Operation:
        """The operation of the instruction."""
        return self.code.instructions[self.index].operation

    @cached_property
    def position(self) -> Position | None:
        """Line and column (in code points) in the source or, without one, of the location; both from 1."""
        return position_of(self.code, self.index)

    @cached_property
    def bound(self) -> tuple[str, ...]:
        """The names of the values that are bound as a process arrives here."""
        return tuple(value_name(self.code, register) for register in self.bound_registers)

    @property
    def bound_registers(self) -> tuple[int, ...]:
        """The registers of the values that are bound as a process arrives here."""
        return self.code.arguments if self.index == 0 else self.code.instructions[self.index - 1].results

    @cached_property
    def is_constant(self) -> bool:
        """Whether the operation's result is a part of the program."""
        return is_constant(self.operation)

    @cached_property
    def may_be_nonfinite(self) -> bool:
        """Whether a result can hold a NaN or infinity that the operation makes."""
        return not self.is_constant and not all(map(_holds_integers, self.operation.result_types))

    @cached_property
    def is_sync_point(self) -> bool:
        """Whether processes of a grid synchronise here, or wait for something."""
        return sync_point_of(self.code, self.index) is SyncPoint.SYNC

    @cached_property
    def has_effect(self) -> bool:
        """Whether the operation, or one that its regions hold or call, must not be carried out twice."""
        return _has_effect(self.operation, self.code, set())

    @cached_property
    def key(self) -> str:
        """What identifies the instruction in a recording: function, operation, custom call, place."""
        operation, place = self.operation, self.code.place(self.index)
        return "|".join((self.code.function.name, operation.name, call_target(operation), place or ""))


def program_point(code: CodeBlock, index: int) -> ProgramPoint:
    """Returns the program point of an instruction, one for all sessions."""
    point = code.points.get(index)
    if point is None:
        point = code.points[index] = ProgramPoint(code, index)
    return point


class ProgramPoints:
    """The program points of the blocks that were reached, by number: those of a block follow each other."""

    def __init__(self) -> None:
        self._places: list[
            tuple[CodeBlock, int]
        ] = []  # the block and the instruction that numbers begin with
        self._firsts: list[int] = []
        self._numbers: dict[CodeBlock, int] = {}
        self._behind: dict[CodeBlock, int] = {}  # of the place behind a block without an end
        self._count = 0

    def number(self, code: CodeBlock, index: int) -> int:
        """Returns the number of an instruction."""
        count = len(code.instructions)
        if index < count:
            first = self._numbers.get(code)
            if first is None:
                first = self._numbers[code] = self._add(code, 0, count)
            return first + index
        if code not in self._behind:
            self._behind[code] = self._add(code, count, 1)
        return self._behind[code]

    def _add(self, code: CodeBlock, index: int, count: int) -> int:
        self._places.append((code, index))
        self._firsts.append(self._count)
        self._count += count
        return self._count - count

    def place(self, number: int) -> tuple[CodeBlock, int]:
        """Returns the block and the index of the instruction of a number."""
        at = bisect_right(self._firsts, number) - 1
        code, index = self._places[at]
        return code, index + number - self._firsts[at]

    def __getitem__(self, number: int) -> ProgramPoint:
        return program_point(*self.place(number))

    def __len__(self) -> int:
        return self._count


def is_constant(operation: Operation) -> bool:
    """Returns whether an operation's result is a part of the program."""
    op_def = find_op_def(operation.name)
    return op_def is not None and op_def.has("constant")


def value_name(code: CodeBlock, register: int) -> str:
    """Returns a value's name in the source, without `%`; `#` and its number where it has none."""
    return code.values.names[register] or f"#{register}"


def argument_label(code: CodeBlock, register: int) -> str:
    """Returns the name of an argument in the program that this was made from, which JAX leaves in a location;
    empty where there is none.
    """
    return traced_names.argument_label(code.block, code.arguments.index(register))


def region_name(frames: Sequence[Frame], depth: int) -> str:
    """Returns which region of its operation the frame of a depth (from 1) is in, as in `body`; empty for a
    function.
    """
    region = frames[depth - 1].region
    if region is None:
        return ""
    op_def = find_op_def(frames[depth - 2].instruction.operation.name)
    specs = op_def.regions if op_def else ()
    if region < len(specs) and specs[region].arity != "variadic":
        return specs[region].name
    return f"{specs[-1].name if specs else 'region'} {region}"


def position_of(code: CodeBlock, index: int) -> Position | None:
    """Line and column of an instruction."""
    source = code.function.program.source
    if source is not None and index < len(code.block.starts):
        return source.position(code.span(index).start)
    location = file_location(code.instructions[index].operation.location)
    return Position(location.line, location.column) if location else None


def _holds_integers(type_: Type) -> bool:
    return isinstance(type_, TokenType) or (
        isinstance(type_, RankedTensorType) and isinstance(type_.element_type, (IntegerType, IndexType))
    )


def _has_effect(operation: Operation, code: CodeBlock, visited: set[str]) -> bool:
    op_def = find_op_def(operation.name)
    if op_def is not None and op_def.has("effect"):
        return True
    return any(_region_has_effect(region, code, visited) for region in operation.regions)


def _region_has_effect(region: Region, code: CodeBlock, visited: set[str]) -> bool:
    operations = [operation for block in region.blocks for operation in block.operations]
    return any(
        _has_effect(inner, code, visited) or _callee_has_effect(inner, code, visited) for inner in operations
    )


def _callee_has_effect(operation: Operation, code: CodeBlock, visited: set[str]) -> bool:
    callees = (operation.attribute(name) for name in ("callee", "decomposition"))
    for symbol in callees:
        if isinstance(symbol, SymbolRefAttr) and symbol.root not in visited:
            visited.add(symbol.root)
            try:
                callee = code.function.program.function("::".join((symbol.root, *symbol.nested)))
            except KernelError:
                continue
            if _region_has_effect(callee.region, code, visited):
                return True
    return False


def is_entered(instruction: Instruction, in_grid: bool) -> bool:
    """Returns whether a process steps into the regions of an instruction; in a grid, also into those in which
    processes synchronise.
    """
    if instruction.kind in (Kind.WHILE, Kind.COUNT, Kind.BRANCH):
        return True
    return in_grid and instruction.operation.name in (MANUAL_COMPUTATION, NAMED_COMPUTATION)
