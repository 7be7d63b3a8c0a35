"""Control flow between frames: how calls, branches, loops and jumps open and close them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from shlo.interpreter.engine.frames import Frame, fill, function_frame, live_values
from shlo.interpreter.kernel_api import KernelError, Value
from shlo.interpreter.program.code import Kind
from shlo.interpreter.program.control_flow import (
    COUNTED,
    after_condition,
    chosen_branch,
    count_after,
    first_count,
    next_block,
)
from shlo.interpreter.program.errors import TOO_DEEP
from shlo.interpreter.program.sync_points import ASYNC_START

FRAME_LIMIT = 10_000

Results = tuple[tuple[int, Value], ...]
"""Registers and the values that an instruction put into them."""

CompiledLoop = Callable[[Frame, int, Sequence[Value]], Callable[..., Sequence[Value]] | None]
"""Returns code that runs a loop from an iteration on, with what it carries, to its end; None to go on with
frames."""


class FrameStack:
    """The frames of an execution, the innermost last; none once it has returned `results`.

    Values that no operation needs any more are dropped unless `keeps_values`. `compiled_loop` may replace
    iterations by generated code.
    """

    __slots__ = ("compiled_loop", "frames", "keeps_values", "results")

    def __init__(self, frame: Frame, keeps_values: bool = False) -> None:
        self.frames = [frame]
        self.results: tuple[Value, ...] = ()
        self.keeps_values = keeps_values
        self.compiled_loop: CompiledLoop | None = None

    def live(self) -> list[Value]:
        """Returns all values that the frames hold."""
        return list(live_values(self.frames))

    def carry_out(self, kind: Kind, frame: Frame) -> Results:
        """Carries out the next instruction of the innermost frame, which no kernel does: opens or closes
        frames. Returns what it put into registers.
        """
        return _CONTROL_FLOW[kind](self, frame)

    def bind(self, frame: Frame, values: Sequence[Value]) -> Results:
        """Puts the results of a kernel into registers, and goes on behind it."""
        instruction = frame.instruction
        fill(frame.registers, instruction.results, values)
        frame.index += 1
        self._drop(frame, instruction.last_uses)
        return tuple(zip(instruction.results, values))

    def finish(self, values: Sequence[Value], depth: int | None = None) -> Results:
        """Ends the control flow of frame number `depth` (counted from 1; None: the innermost), which has
        these results, and closes the frames above it.
        """
        depth = len(self.frames) if depth is None else depth
        frame = self.frames[depth - 1]
        instruction = frame.instruction
        fill(frame.registers, instruction.results, values)
        after = Frame(
            frame.code, frame.registers, frame.index + 1, frame.region, frame.iteration, frame.carried
        )
        self.frames = [*self.frames[: depth - 1], after]
        self._drop(frame, instruction.last_uses)
        return tuple(zip(instruction.results, values))

    def push(self, frame: Frame) -> None:
        """Opens a frame; raises KernelError where there are too many."""
        if len(self.frames) >= FRAME_LIMIT:
            raise KernelError(TOO_DEEP)
        self.frames.append(frame)

    def _enter_call(self, frame: Frame) -> Results:
        values = [frame.registers[register] for register in frame.instruction.operands]
        self.push(function_frame(frame.code.callee(frame.index), values))
        self._drop(frame, frame.instruction.dead_inside)
        return ()

    def _enter_branch(self, frame: Frame) -> Results:
        chosen = chosen_branch(frame.instruction, frame.registers)
        regions = frame.code.regions(frame.index)
        if chosen >= len(regions):
            return self.bind(frame, ())
        self.push(Frame(regions[chosen], frame.registers, region=chosen))
        self._drop(frame, frame.instruction.dead_inside)
        return ()

    def _enter_while(self, frame: Frame) -> Results:
        return self._iterate_while(frame, frame.operands, 0, len(self.frames))

    def _iterate_while(self, frame: Frame, values: tuple[Value, ...], iteration: int, depth: int) -> Results:
        """Opens the condition of a loop in frame number `depth`, in place of a frame of the loop."""
        loop = None if self.compiled_loop is None else self.compiled_loop(frame, iteration, values)
        if loop is not None:
            self._drop(frame, frame.instruction.dead_inside)
            return self.finish(loop(*values), depth)
        condition = frame.code.regions(frame.index)[0]
        fill(frame.registers, condition.arguments, values)
        opened = Frame(condition, frame.registers, region=0, iteration=iteration, carried=values)
        if depth < len(self.frames):
            self.frames[-1] = opened
        else:
            self.push(opened)
            self._drop(frame, frame.instruction.dead_inside)
        return ()

    def _enter_count(self, frame: Frame) -> Results:
        values = frame.operands[COUNTED:]
        number = first_count(frame.instruction, frame.registers)
        return self._iterate_count(frame, number, values, 0, len(self.frames))

    def _iterate_count(
        self, frame: Frame, number: Value | None, values: Sequence[Value], iteration: int, depth: int
    ) -> Results:
        """Opens the body of a counting loop for a number, None where it has counted all."""
        if number is None:
            return self.finish(values, depth)
        loop = None if self.compiled_loop is None else self.compiled_loop(frame, iteration, values)
        if loop is not None:
            _, end, step = (frame.registers[operand] for operand in frame.instruction.operands[:COUNTED])
            return self.finish(loop(number, end, step, *values), depth)
        (body,) = frame.code.regions(frame.index)
        fill(frame.registers, body.arguments, (number, *values))
        opened = Frame(body, frame.registers, region=0, iteration=iteration, carried=(number,))
        if depth < len(self.frames):
            self.frames[-1] = opened
        else:
            self.push(opened)
        return ()

    def _jump(self, frame: Frame) -> Results:
        target, values = next_block(frame.code, frame.index, frame.registers)
        self._drop(frame, frame.instruction.last_uses)
        fill(frame.registers, target.arguments, values)
        self.frames[-1] = replace(frame, code=target, index=0)
        return ()

    def _leave(self, frame: Frame) -> Results:
        """Carries out a terminator: the values go to the loop, branch or call that the frame belongs to."""
        instruction = frame.instruction
        values = tuple(map(frame.registers.__getitem__, instruction.operands))
        self._drop(frame, instruction.last_uses)
        depth = len(self.frames) - 1
        if depth == 0:
            self.results = values
            self.frames = []
            return ()
        below = self.frames[-2]
        if below.instruction.kind is Kind.COUNT:
            number = count_after(below.instruction, below.registers, frame.carried[0])
            return self._iterate_count(below, number, values, frame.iteration + 1, depth)
        if below.instruction.kind is not Kind.WHILE:
            is_future = below.instruction.operation.name == ASYNC_START
            return self.finish((values,) if is_future else values, depth)
        if frame.region == 1:
            return self._iterate_while(below, values, frame.iteration + 1, depth)
        carried = after_condition(below.instruction, frame.carried, values)
        if not values[0]:
            return self.finish(carried, depth)
        body = below.code.regions(below.index)[1]
        fill(frame.registers, body.arguments, carried)
        self.frames[-1] = Frame(body, frame.registers, region=1, iteration=frame.iteration)
        return ()

    def _drop(self, frame: Frame, registers: Sequence[int]) -> None:
        if not self.keeps_values:
            for register in registers:
                frame.registers[register] = None


_CONTROL_FLOW = {
    Kind.WHILE: FrameStack._enter_while,  # pyright: ignore[reportPrivateUsage]
    Kind.BRANCH: FrameStack._enter_branch,  # pyright: ignore[reportPrivateUsage]
    Kind.COUNT: FrameStack._enter_count,  # pyright: ignore[reportPrivateUsage]
    Kind.JUMP: FrameStack._jump,  # pyright: ignore[reportPrivateUsage]
    Kind.CALL: FrameStack._enter_call,  # pyright: ignore[reportPrivateUsage]
    Kind.RETURN: FrameStack._leave,  # pyright: ignore[reportPrivateUsage]
}
