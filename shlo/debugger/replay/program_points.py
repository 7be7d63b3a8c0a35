"""Program points: the instructions before which a process can stop, numbered as they are reached."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import cached_property
from types import NoneType
from typing import Final
from weakref import WeakKeyDictionary

from msgspec import Struct

from shlo.dialects import find_op_def, has_trait
from shlo.dialects.constants import is_constant
from shlo.interpreter.custom_calls.registry import is_pure_built_in
from shlo.interpreter.engine.frames import Frame
from shlo.interpreter.kernel_api import KernelError
from shlo.interpreter.program.code import CodeBlock, Instruction, Kind, Program
from shlo.interpreter.program.nested_code import (
    callee_code,
    codes_below,
    reached_codes,
    runnable_below,
)
from shlo.interpreter.program.sync_points import (
    MANUAL_COMPUTATION,
    NAMED_COMPUTATION,
    SyncPoint,
    call_target,
    sync_point_of,
)
from shlo.ir import traced_names
from shlo.ir.attributes import ArrayAttr, as_bool
from shlo.ir.locations import Location, UnknownLocation, file_location, resolve
from shlo.ir.operations import Operation
from shlo.ir.source import Position, Span
from shlo.ir.types import IndexType, IntegerType, RankedTensorType, TokenType, Type
from shlo.places.origins import Origin, origin_of, through_calls

NEARBY: Final = 100
"""How many operations are looked through for the one whose origin a constant shares."""

NOWHERE = -1
"""The number of the program point of a process that is done."""

COPYING: Final = frozenset(
    f"stablehlo.{name}"
    for name in ("broadcast", "broadcast_in_dim", "concatenate", "convert", "reshape", "slice", "transpose")
)
"""Operations that copy all elements of constants, or some, into one."""

CONVERSIONS: Final = frozenset({"stablehlo.convert", "stablehlo.reduce_precision"})
"""Operations that give numbers another type, or its range."""

MOST_COPIES: Final = 64
"""How many operations are looked at to find that a value is made of constants."""


class ProgramPoint(Struct, frozen=True, eq=False, dict=True):
    """An instruction before which a process can stop; handlers that a session was given replace those of
    built-in custom calls of the targets `replaced`.
    """

    code: CodeBlock
    index: int
    replaced: frozenset[str] = frozenset()

    @property
    def operation(self) -> Operation:
        """The operation of the instruction."""
        return self.code.instructions[self.index].operation

    @cached_property
    def position(self) -> Position | None:
        """Line and column (in code points) in the source or, without one, of the location; both from 1."""
        return position_of(self.code, self.index)

    @cached_property
    def origin(self) -> Origin:
        """Where the operation came from, as far as the program says; a constant, where what follows did."""
        return origin_at(self.code, self.index) if self.is_constant else origin_of(self.operation.location)

    @cached_property
    def span(self) -> Span | None:
        """Where the instruction is in the source, None where it has none."""
        code = self.code
        has_text = code.function.program.source is not None and self.index < len(code.block.starts)
        return code.span(self.index) if has_text else None

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

    @property
    def is_conversion(self) -> bool:
        """Whether the operation gives numbers a type that may not hold them."""
        return self.operation.name in CONVERSIONS

    @cached_property
    def is_searched(self) -> bool:
        """Whether a NaN, infinity or overflow can be found in a result."""
        if self.is_conversion:
            return True
        if all(map(_holds_integers, self.operation.result_types)):
            return False
        return not self.is_constant or self.is_passed_on

    @cached_property
    def copies_constants(self) -> bool:
        """Whether the results are elements of constants."""
        return self.operation.name in COPYING and all(self.constant_operands)

    @cached_property
    def is_passed_on(self) -> bool:
        """Whether control flow, a call or the end of a block takes one of the results."""
        try:
            return _is_passed_on(self.code, self.operation.results)
        except KernelError:
            return True  # an operation that is wrong

    @cached_property
    def constant_operands(self) -> tuple[bool, ...]:
        """Whether each operand of the instruction is a constant, or copied from constants."""
        return tuple(
            _derives_from_constants(self.code, register)
            for register in self.code.instructions[self.index].operands
        )

    @cached_property
    def is_sync_point(self) -> bool:
        """Whether processes of a grid synchronise here, or wait for something."""
        return sync_point_of(self.code, self.index) is SyncPoint.SYNC

    @cached_property
    def has_effect(self) -> bool:
        """Whether the operation, or one that its regions hold or call, must not be carried out twice."""
        here = self.code.instructions[self.index]
        inside = () if here.kind is Kind.CALL else runnable_below(self.code, self.index)
        instructions = (inner for block in reached_codes(inside) for inner in block.instructions)
        return any(
            has_trait(instruction.operation.name, "effect")
            and not _is_pure_call(instruction.operation, self.replaced)
            for instruction in (here, *instructions)
        )

    @cached_property
    def key(self) -> str:
        """What identifies the instruction in a recording: function, operation, custom call, place."""
        operation, path = self.operation, self.code.place(self.index)
        return "|".join((self.code.function.name, operation.name, call_target(operation), path or ""))


def program_point(code: CodeBlock, index: int) -> ProgramPoint:
    """Returns the program point of an instruction, one for all sessions."""
    point = code.points.get(index)
    if point is None:
        point = code.points[index] = ProgramPoint(code, index)
    return point


class ProgramPoints:
    """The program points of the blocks that were reached, by number: those of a block follow each other.
    `replaced` are the built-in custom calls that are handled by others (see ProgramPoint).
    """

    def __init__(self, replaced: frozenset[str] = frozenset()) -> None:
        self.replaced = replaced
        self._own: dict[int, ProgramPoint] = {}  # by number, where there are such custom calls
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

    def runs(self) -> Iterator[tuple[CodeBlock, int, range]]:
        """Yields points that follow each other: their block, the index of the first one, their numbers."""
        for (code, index), first, end in zip(
            self._places, self._firsts, [*self._firsts[1:], self._count], strict=True
        ):
            yield code, index, range(first, end)

    def place(self, number: int) -> tuple[CodeBlock, int]:
        """Returns the block and the index of the instruction of a number."""
        at = bisect_right(self._firsts, number) - 1
        code, index = self._places[at]
        return code, index + number - self._firsts[at]

    def __getitem__(self, number: int) -> ProgramPoint:
        if not self.replaced:
            return program_point(*self.place(number))
        if number not in self._own:
            self._own[number] = ProgramPoint(*self.place(number), self.replaced)
        return self._own[number]

    def __len__(self) -> int:
        return self._count


def origin_in(point: ProgramPoint, callers: Sequence[Frame]) -> Origin:
    """Returns the origin of a program point that these frames led to, the outermost first: its own, else
    that of the nearest call or region around it.
    """
    around = (program_point(frame.code, frame.index).origin for frame in reversed(callers))
    return through_calls(point.origin, around)


def origin_at(code: CodeBlock, index: int, of: Callable[[Location | None], Origin] = origin_of) -> Origin:
    """Returns the origin of an instruction, as far as it says to which area it belongs.

    A constant, or an operation without a location, belongs to where the next operation of its block does;
    the last operation of a block, and what has none behind it, to where the one before does.
    """
    instructions = code.instructions
    last = len(instructions) - 1
    behind = range(index, min(index + NEARBY, last))
    before = range(min(index, last - 1), max(index - NEARBY, -1), -1)
    for at in (*behind, *before):
        operation = instructions[at].operation
        if not is_constant(operation) and not isinstance(resolve(operation.location), _NOWHERE):
            return of(operation.location)
    return of(instructions[index].operation.location)


_NOWHERE: Final = (NoneType, UnknownLocation)


def _derives_from_constants(code: CodeBlock, register: int) -> bool:
    """Returns whether a value in scope of a block is a constant, or copied from constants; an argument of a
    function is where all calls pass such values.
    """
    to_visit = [(code, register)]
    visited = set(to_visit)
    while to_visit:
        definition = _definition(*to_visit.pop())
        if definition is None or len(visited) > MOST_COPIES:
            return False
        block, index, register = definition
        operation = None if index < 0 else block.instructions[index].operation
        if operation is None:
            sources = _passed(block, register)
            if not sources:
                return False
        elif operation.name in COPYING:
            sources = [(block, operand) for operand in operation.operands]
        elif is_constant(operation):
            continue
        else:
            return False
        to_visit += [source for source in sources if source not in visited]
        visited.update(sources)
    return True


def _definition(code: CodeBlock, register: int) -> tuple[CodeBlock, int, int] | None:
    """Returns the block and the instruction (-1 for an argument) that define a value in scope of a block, and
    the register; None for none.
    """
    block: CodeBlock | None = code
    while block is not None:
        for sibling in block.siblings:
            index = sibling.defined_at.get(register)
            if index is not None:
                return sibling, index, register
        block = block.outside and block.outside[0]
    return None


def _passed(code: CodeBlock, register: int) -> list[tuple[CodeBlock, int]]:
    """Returns the values that calls pass for an argument of a function; none for one of another block."""
    if code.outside is not None or code is not code.function.code:
        return []
    behind = len(code.arguments) - code.arguments.index(register)
    calls = _calls(code.function.program).get(code, ())
    return [(block, block.instructions[index].operands[-behind]) for block, index in calls]


_known_calls: Final = WeakKeyDictionary[Program, dict[CodeBlock, list[tuple[CodeBlock, int]]]]()


def _calls(program: Program) -> dict[CodeBlock, list[tuple[CodeBlock, int]]]:
    """Returns the calls of a program by the code of the function that is called."""
    calls = _known_calls.get(program)
    if calls is None:
        calls = dict[CodeBlock, list[tuple[CodeBlock, int]]]()
        blocks = [block for function in program.functions.values() for block in function.code.siblings]
        for block in reached_codes(blocks):
            for index in range(len(block.instructions)):
                callee = callee_code(block, index)
                if callee is not None:
                    calls.setdefault(callee, []).append((block, index))
        _known_calls[program] = calls
    return calls


def _stays_inside(code: CodeBlock, index: int, registers: Sequence[int], callers: Collection[int]) -> bool:
    """Returns whether constants in registers that a call passes are constants to the function, which hands
    them on to nothing else.
    """
    callee = callee_code(code, index)
    if callee is None or id(callee) in callers or len(callers) > MOST_COPIES:
        return False
    operands = code.instructions[index].operands[-len(callee.arguments) :]
    arguments = [argument for argument, operand in zip(callee.arguments, operands) if operand in registers]
    return all(
        _derives_from_constants(callee, argument)
        and not _is_passed_on(callee, (argument,), {*callers, id(callee)})
        for argument in arguments
    )


def _is_passed_on(code: CodeBlock, registers: Sequence[int], callers: Collection[int] = ()) -> bool:
    to_visit = [*code.siblings]
    while to_visit:
        block = to_visit.pop()
        for index, instruction in enumerate(block.instructions):
            if instruction.kind is Kind.KERNEL or _stays_inside(block, index, registers, callers):
                continue
            if not set(registers).isdisjoint(instruction.operation.operands):
                return True
            if not set(registers).isdisjoint(instruction.captures):
                to_visit += codes_below(block, index)
    return False


def value_name(code: CodeBlock, register: int) -> str:
    """Returns a value's name in the source, without `%`; `#` and its number where it has none."""
    return code.values.names[register] or f"#{register}"


def argument_label(code: CodeBlock, register: int) -> str:
    """Returns the name of an argument in the program that this was made from, which JAX leaves in a location;
    empty where there is none. In what each device runs of a `shard_map` it is that of the whole argument.
    """
    number = code.arguments.index(register)
    outer = code.outside
    if outer is not None and outer[0].instructions[outer[1]].operation.name == MANUAL_COMPUTATION:
        whole = outer[0].instructions[outer[1]].operands[number]
        return argument_label(outer[0], whole) if whole in outer[0].arguments else ""
    return traced_names.argument_label(code.block, number)


def region_name(frames: Sequence[Frame], depth: int) -> str:
    """Returns which region of its operation the frame of a depth (from 1) is in, as in `body`; empty for a
    function.
    """
    region = frames[depth - 1].region
    if region is None:
        return ""
    return region_label(frames[depth - 2].instruction.operation, region)


def region_label(operation: Operation, region: int) -> str:
    """Returns what a region of an operation is called: `body`, `branch 1`."""
    op_def = find_op_def(operation.name)
    specs = op_def.regions if op_def else ()
    if region < len(specs) and specs[region].arity != "variadic":
        return specs[region].name
    return f"{specs[-1].name if specs else 'region'} {region}"


def position_of(code: CodeBlock, index: int) -> Position | None:
    """Line and column of an instruction; None for one that the text does not have."""
    source = code.function.program.source
    if source is not None and index < len(code.block.starts):
        span = code.span(index)
        return source.position(span.start) if span.end > span.start else None
    location = file_location(code.instructions[index].operation.location)
    return Position(location.line, location.column) if location else None


def _holds_integers(type_: Type) -> bool:
    return isinstance(type_, TokenType) or (
        isinstance(type_, RankedTensorType) and isinstance(type_.element_type, (IntegerType, IndexType))
    )


def _is_pure_call(operation: Operation, replaced: frozenset[str]) -> bool:
    """Returns whether an operation is a custom call that may be carried out again and again."""
    target = call_target(operation)
    if not target or target in replaced or _calls_functions(operation):
        return False
    effect = operation.attribute("has_side_effect")
    return (effect is None or not as_bool(effect)) and is_pure_built_in(target)


def _calls_functions(operation: Operation) -> bool:
    called = operation.attribute("called_computations")
    return called is not None and not (isinstance(called, ArrayAttr) and not called.values)


def is_entered(instruction: Instruction, in_grid: bool) -> bool:
    """Returns whether a process steps into the regions of an instruction; in a grid, also into those in which
    processes synchronise.
    """
    if instruction.kind in (Kind.WHILE, Kind.COUNT, Kind.BRANCH):
        return True
    return in_grid and instruction.operation.name in (MANUAL_COMPUTATION, NAMED_COMPUTATION)
