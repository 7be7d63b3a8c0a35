"""The frames of a process: the blocks that it is in, and the values that they hold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from msgspec import Struct

from shlo.interpreter.kernel_api import Value
from shlo.interpreter.program.code import CodeBlock, FunctionCode, Instruction, Kind
from shlo.interpreter.program.errors import located, note_call
from shlo.ir.diagnostics import ExecutionError
from shlo.ir.types import Type


class NamedValue(Struct, frozen=True):
    """A value of a frame: its number, its name in the source (without `%`; it may be empty), its type,
    what it is.
    """

    number: int
    name: str
    type: Type
    value: Value


class Frame(Struct):
    """A block in execution: `index` is its next instruction.

    Frames of one call share their slots. `region` says which region of the instruction of the frame below
    this is (None for a function), `iteration` how often a loop went round before, `carried` what a loop's
    condition will hand on.
    """

    code: CodeBlock
    registers: list[Value]
    index: int = 0
    region: int | None = None
    iteration: int = 0
    carried: tuple[Value, ...] = ()

    @property
    def function(self) -> FunctionCode:
        """The function whose code the frame runs."""
        return self.code.function

    @property
    def instruction(self) -> Instruction:
        """The next instruction; the one that is open, where a frame is above this."""
        return self.code.instructions[self.index]

    @property
    def operands(self) -> tuple[Value, ...]:
        """The operands of the instruction."""
        return tuple([self.registers[register] for register in self.instruction.operands])

    @property
    def place(self) -> str | None:
        """`file:line:column` of the instruction."""
        return self.code.place(self.index)

    def values(self) -> Iterator[NamedValue]:
        """Yields the values that the frame's function holds now, in the order of the source."""
        table = self.code.values
        for number, value in enumerate(self.registers):
            if value is not None:
                yield NamedValue(number, table.names[number], table.types[number], value)

    def live(self) -> set[int]:
        """Returns the slots of the frame's own block that are bound, and that something may still need."""
        instructions, index = self.code.instructions, self.index
        bound = {register for register, defined in self.code.defined_at.items() if defined < index}
        for instruction in instructions[:index]:
            bound.difference_update(instruction.last_uses)
        return bound


class State(Struct, frozen=True):
    """A process between two steps, to come back to: its frames, how many steps it took, its results. Nothing
    changes the frames.
    """

    frames: tuple[Frame, ...]
    steps: int
    results: tuple[Value, ...]

    def values(self) -> list[Value]:
        """Returns all values that the state holds."""
        carried = (value for frame in self.frames for value in frame.carried)
        return [*live_values(self.frames), *carried, *self.results]

    def without_dead(self) -> State:
        """Returns the same state without the values that no operation needs any more."""
        frames = copies(self.frames)
        drop_dead(frames)
        return State(tuple(frames), self.steps, self.results)


def function_frame(function: FunctionCode, arguments: list[Value]) -> Frame:
    """Returns the frame of a function that starts on these values; their list is emptied, so that the frame
    alone holds them."""
    code = function.code
    registers: list[Value] = [None] * len(code.values.types)
    for register, value in zip(code.arguments, arguments):
        registers[register] = value
    arguments.clear()
    return Frame(code, registers)


def rounds_of(frames: Sequence[Frame]) -> tuple[int, ...]:
    """Returns the rounds of the loops that frames are in, from 0, the outermost loop's first."""
    loops = (Kind.WHILE, Kind.COUNT)
    return tuple(above.iteration for below, above in pairwise(frames) if below.instruction.kind in loops)


def fill(registers: list[Value], numbers: Sequence[int], values: Sequence[Value]) -> None:
    """Puts values into slots."""
    for number, value in zip(numbers, values):
        registers[number] = value


def take_operands(instruction: Instruction, registers: list[Value]) -> list[Value]:
    """Returns the operands of control flow; registers that nothing inside of it needs are emptied."""
    values = [registers[register] for register in instruction.operands]
    for register in instruction.dead_inside:
        registers[register] = None
    return values


def located_in(frames: Sequence[Frame], error: Exception) -> ExecutionError:
    """Returns an error of the innermost frame's instruction as an ExecutionError that names the calls through
    which it was reached.
    """
    callers = frames[:-1]
    if isinstance(error, ExecutionError):  # of generated code, or of a region
        located_error, callers = error, frames
    else:
        located_error = located(error, frames[-1].code, frames[-1].index)
    for frame in reversed(callers):
        if frame.instruction.kind is Kind.CALL:
            note_call(located_error, frame.code, frame.index)
    return located_error


def live_values(frames: Sequence[Frame]) -> Iterator[Value]:
    """Yields all values that frames hold, those of shared slots once."""
    registers = {id(frame.registers): frame.registers for frame in frames}
    return (value for values in registers.values() for value in values if value is not None)


def copies(frames: Sequence[Frame]) -> list[Frame]:
    """Frames that share slots as these do, but none with these."""
    registers = {id(frame.registers): frame.registers.copy() for frame in frames}
    return [
        Frame(
            frame.code,
            registers[id(frame.registers)],
            frame.index,
            frame.region,
            frame.iteration,
            frame.carried,
        )
        for frame in frames
    ]


def drop_dead(frames: Sequence[Frame]) -> None:
    """Drops the values that no operation needs any more."""
    live: dict[int, set[int]] = {}
    for frame in frames:
        live.setdefault(id(frame.registers), set()).update(frame.live())
    for frame in frames:
        needed = live[id(frame.registers)]
        if frame.region is None:
            frame.registers[:] = [
                value if register in needed else None for register, value in enumerate(frame.registers)
            ]
