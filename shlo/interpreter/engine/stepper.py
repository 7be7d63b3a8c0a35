"""A process executes a program one instruction at a time, and can be looked at between any two.

It drives the instructions that `run` drives, with a stack of frames of its own: one for the function, one
for each region of control flow and each call that is open. In a grid of processes it stands still before the
operations at which processes meet: the grid carries these out. A kernel with regions (a reduce, a sort) is
one instruction. Nothing is ever computed in place, so values that were looked at stay what they were.
Specification: "Execution".
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from typing import Any, Literal, NoReturn

from shlo.interpreter.engine.errors import TOO_DEEP, located, note_call, unlocated
from shlo.interpreter.engine.fast_path import Run, carry_out
from shlo.interpreter.engine.frames import Frame, State, copies, drop_dead, fill, function_frame, live_values
from shlo.interpreter.kernel_api import KernelError, Value
from shlo.interpreter.program.code import CodeBlock, Kind
from shlo.interpreter.program.control_flow import (
    COUNTED,
    after_condition,
    chosen_branch,
    count_after,
    first_count,
    next_block,
)
from shlo.interpreter.program.region_types import check_region_types
from shlo.interpreter.runtime.context import ExecutionContext
from shlo.interpreter.runtime.limits import Budget
from shlo.interpreter.runtime.marshal import copy_out
from shlo.interpreter.spmd.sync_points import ASYNC_START, SyncPoint, sync_point_of
from shlo.ir.diagnostics import ExecutionError
from shlo.ir.operations import Operation

FRAME_LIMIT = 10_000

Status = Literal["ready", "done", "failed"]


@dataclass(frozen=True, slots=True)
class Step:
    """A step that was taken: the operation, where it stands, in which depth of frames, and its results by
    number.

    Control flow that was entered has no results yet: they belong to the step in which it ends.
    """

    operation: Operation
    code: CodeBlock
    index: int
    depth: int
    results: tuple[tuple[int, Value], ...]


class Process:
    """An execution that starts with a frame: that of a function on values that were marshalled, or of a
    region that a grid starts.

    `keep_values` keeps values that no operation needs any more until their frame ends; `keeps_values` tells
    and changes it.
    """

    def __init__(self, frame: Frame, context: ExecutionContext, keep_values: bool = False) -> None:
        self.context = context
        self.steps = 0
        self.error: ExecutionError | None = None
        self.frames = [frame]
        self.keeps_values = keep_values
        self._budget = context.budget
        self._results: tuple[Value, ...] = ()

    @property
    def status(self) -> Status:
        """Whether there is a next step, the function has returned, or a step has failed."""
        if self.error is not None:
            return "failed"
        return "ready" if self.frames else "done"

    @property
    def results(self) -> tuple[Any, ...]:
        """The function's results, as the caller's own arrays. Raises the error that ended the process, if
        one did, ExecutionError where they would be too large, and ValueError while it is not done.
        """
        if self.error is not None:
            raise self.error
        if self.frames:
            raise ValueError("the process is not done")
        try:
            self._budget.check_results(self._results)
        except KernelError as error:
            raise unlocated(error, None) from error
        return copy_out(self._results)

    @property
    def returned(self) -> tuple[Value, ...]:
        """What the function has returned, as it is: for looking at."""
        return self._results

    def run(self) -> tuple[Any, ...]:
        """Takes all steps that are left, and gives the results."""
        while self.status == "ready":
            self.step()
        return self.results

    def step(self, known: Sequence[Value] | None = None) -> Step:
        """Takes the next step. Raises ExecutionError where it fails, which ends the process, and
        ValueError where there is none. An interrupt leaves the process as it was before the step or as it
        is after it.

        `known` are the results that a kernel gave when a process of the same history took this step: the
        kernel does not run again.
        """
        if self.status != "ready":
            raise ValueError(f"there is no next step: the process is {self.status}")
        frame = self.frames[-1]
        try:
            with self.context.active():
                return self._step(frame, frame.code, frame.index, known)
        except Exception as error:
            self.fail(error)

    def advance(self) -> None:
        """Carries on to the next operation at which processes meet, or to the end, as fast as `run` does;
        operations on the way are not counted. Raises ExecutionError as `step` does.
        """
        run = Run(self.context)
        try:
            with self.context.active():
                while self.frames and self._flow(self.frames[-1], run):
                    pass
        except Exception as error:
            self.fail(error)

    def receive(self, results: Sequence[Value]) -> Step:
        """Goes on behind an operation that the grid carried out, with its results."""
        self._budget.step()
        frame = self.frames[-1]
        return self._taken(frame.code, frame.index, len(self.frames), self._bind(frame, results))

    def enter(self, region: int, arguments: Sequence[Value]) -> Step:
        """Goes into a region of the next operation, on values for its arguments."""
        self._budget.step()
        frame = self.frames[-1]
        code = frame.code.regions(frame.index)[region]
        shares = code.values is frame.code.values
        inner = Frame(code, frame.registers if shares else [None] * len(code.values.types), region=region)
        fill(inner.registers, code.arguments, arguments)
        self._push(inner)
        return self._taken(frame.code, frame.index, len(self.frames) - 1, ())

    def leave(self, results: Sequence[Value]) -> Step:
        """Leaves a region behind its terminator: the operation that contains it has these results."""
        self._budget.step()
        frame, depth = self.frames[-1], len(self.frames)
        return self._taken(frame.code, frame.index, depth, self._finish(self.frames[-2], results))

    def fail(self, error: Exception) -> NoReturn:
        """Ends the process with an error of its next operation."""
        self.error = self._located(error)
        raise self.error from error

    def live(self) -> list[Value]:
        """All values that the frames hold."""
        return list(live_values(self.frames))

    def save(self) -> State:
        """What the process is now, for `restore`."""
        return State(tuple(copies(self.frames)), self.steps, self._results)

    def restore(self, state: State) -> None:
        """Goes back, or on, to a state of this process. What effects did outside the program stays done."""
        self.frames = copies(state.frames)
        self.steps = self._budget.steps = state.steps
        self.error, self._results = None, state.results

    def fork(self, state: State) -> Process:
        """Another process at a state of this one. Both share their effects."""
        other = copy(self)
        other._budget = Budget(self._budget.max_steps, self._budget.max_bytes)
        other.restore(state)
        return other

    def drop_dead(self) -> None:
        """Drops the values that no operation needs any more, and keeps none from now on."""
        self.keeps_values = False
        drop_dead(self.frames)

    def _step(self, frame: Frame, code: CodeBlock, index: int, known: Sequence[Value] | None) -> Step:
        depth = len(self.frames)
        if index >= len(code.instructions):
            frame.index -= 1
            raise KernelError("is the last operation of its block, but does not end it")
        self._budget.step()
        check_region_types(code, index)
        kind = frame.instruction.kind
        if known is not None and kind is Kind.KERNEL:
            results = self._bind(frame, known)
        else:
            results = _CARRY_OUT[kind](self, frame)
        return self._taken(code, index, depth, results)

    def _taken(self, code: CodeBlock, index: int, depth: int, results: Results) -> Step:
        self.steps += 1
        return Step(code.instructions[index].operation, code, index, depth, results)

    def _flow(self, frame: Frame, run: Run) -> bool:
        """Carries out the instructions of a frame that concern this process alone, and then one that opens or
        closes frames; False where the next one is a meeting.
        """
        code, registers, index = frame.code, frame.registers, frame.index
        instructions = code.instructions
        try:
            while (sync := instructions[index].sync or sync_point_of(code, index)) is SyncPoint.LOCAL:
                carry_out(run, code, index, registers)
                index += 1
        finally:
            frame.index = index
        if sync is SyncPoint.SYNC:
            return False
        self._budget.step()
        check_region_types(code, index)
        _CARRY_OUT[instructions[index].kind](self, frame)
        return True

    def _located(self, error: Exception) -> ExecutionError:
        if isinstance(error, ExecutionError):
            return error
        made = located(error, self.frames[-1].code, self.frames[-1].index)
        for frame in reversed(self.frames[:-1]):
            if frame.instruction.kind is Kind.CALL:
                note_call(made, frame.code, frame.index)
        return made

    def _kernel(self, frame: Frame) -> Results:
        instruction = frame.instruction
        self._budget.reserve(instruction.size, self.live)
        bound_kernel = frame.code.bound_kernel(frame.index)
        operands = [frame.registers[register] for register in instruction.operands]
        if bound_kernel.entry.needs_context:
            operands.insert(0, self.context)
        result = bound_kernel.evaluate(*operands)
        if not instruction.is_sized:
            self._budget.reserve_made(result, self.live)
        bound_kernel.check(result)
        return self._bind(frame, (result,) if len(instruction.results) == 1 else result or ())

    def _bind(self, frame: Frame, values: Sequence[Value]) -> Results:
        """A kernel is done: its instruction has its results, and the frame goes on behind it."""
        instruction = frame.instruction
        fill(frame.registers, instruction.results, values)
        frame.index += 1
        self._drop(frame, instruction.last_uses)
        return tuple(zip(instruction.results, values))

    def _enter_while(self, frame: Frame) -> Results:
        values = tuple(frame.registers[register] for register in frame.instruction.operands)
        self._push(self._condition(frame, values, 0))
        self._drop(frame, frame.instruction.dead_inside)
        return ()

    def _enter_branch(self, frame: Frame) -> Results:
        chosen = chosen_branch(frame.instruction, frame.registers)
        if chosen >= len(frame.code.regions(frame.index)):
            return self._bind(frame, ())
        self._push(Frame(frame.code.regions(frame.index)[chosen], frame.registers, region=chosen))
        return ()

    def _enter_count(self, frame: Frame) -> Results:
        values = tuple(frame.registers[register] for register in frame.instruction.operands[COUNTED:])
        number = first_count(frame.instruction, frame.registers)
        if number is None:
            return self._bind(frame, values)
        self._push(self._counted(frame, number, values, 0))
        return ()

    def _counted(self, frame: Frame, number: Value, values: Sequence[Value], iteration: int) -> Frame:
        """The frame of a counting loop's body for a number."""
        (body,) = frame.code.regions(frame.index)
        fill(frame.registers, body.arguments, (number, *values))
        return Frame(body, frame.registers, region=0, iteration=iteration, carried=(number,))

    def _jump(self, frame: Frame) -> Results:
        target, values = next_block(frame.code, frame.index, frame.registers)
        self._drop(frame, frame.instruction.last_uses)
        fill(frame.registers, target.arguments, values)
        self.frames[-1] = Frame(
            target, frame.registers, region=frame.region, iteration=frame.iteration, carried=frame.carried
        )
        return ()

    def _enter_call(self, frame: Frame) -> Results:
        values = [frame.registers[register] for register in frame.instruction.operands]
        self._push(function_frame(frame.code.callee(frame.index), values))
        self._drop(frame, frame.instruction.dead_inside)
        return ()

    def _leave(self, frame: Frame) -> Results:
        """A terminator: the values go to the loop, branch or call that the frame belongs to."""
        values = tuple(frame.registers[register] for register in frame.instruction.operands)
        if len(self.frames) == 1:
            self._results = values
            self.frames = []
            return ()
        below = self.frames[-2]
        if below.instruction.kind is Kind.COUNT:
            number = count_after(below.instruction, below.registers, frame.carried[0])
            if number is None:
                return self._finish(below, values)
            self.frames[-1] = self._counted(below, number, values, frame.iteration + 1)
            return ()
        if below.instruction.kind is not Kind.WHILE:
            is_future = below.instruction.operation.name == ASYNC_START
            return self._finish(below, (values,) if is_future else values)
        if frame.region == 1:
            self.frames[-1] = self._condition(below, values, frame.iteration + 1)
        else:
            carried = after_condition(below.instruction, frame.carried, values)
            if not values[0]:
                return self._finish(below, carried)
            body = below.code.regions(below.index)[1]
            fill(frame.registers, body.arguments, carried)
            self.frames[-1] = Frame(body, frame.registers, region=1, iteration=frame.iteration)
        return ()

    def _finish(self, frame: Frame, values: Sequence[Value]) -> Results:
        """Control flow ends: its instruction has its results, and the frame goes on behind it."""
        instruction = frame.instruction
        fill(frame.registers, instruction.results, values)
        after = Frame(
            frame.code, frame.registers, frame.index + 1, frame.region, frame.iteration, frame.carried
        )
        self.frames = [*self.frames[:-2], after]
        self._drop(frame, instruction.last_uses)
        return tuple(zip(instruction.results, values))

    def _condition(self, frame: Frame, values: tuple[Value, ...], iteration: int) -> Frame:
        condition = frame.code.regions(frame.index)[0]
        fill(frame.registers, condition.arguments, values)
        return Frame(condition, frame.registers, region=0, iteration=iteration, carried=values)

    def _push(self, frame: Frame) -> None:
        if len(self.frames) >= FRAME_LIMIT:
            raise KernelError(TOO_DEEP)
        self.frames.append(frame)

    def _drop(self, frame: Frame, registers: Sequence[int]) -> None:
        if not self.keeps_values:
            for register in registers:
                frame.registers[register] = None


Results = tuple[tuple[int, Value], ...]

_CARRY_OUT = {
    Kind.KERNEL: Process._kernel,  # pyright: ignore[reportPrivateUsage]
    Kind.WHILE: Process._enter_while,  # pyright: ignore[reportPrivateUsage]
    Kind.BRANCH: Process._enter_branch,  # pyright: ignore[reportPrivateUsage]
    Kind.COUNT: Process._enter_count,  # pyright: ignore[reportPrivateUsage]
    Kind.JUMP: Process._jump,  # pyright: ignore[reportPrivateUsage]
    Kind.CALL: Process._enter_call,  # pyright: ignore[reportPrivateUsage]
    Kind.RETURN: Process._leave,  # pyright: ignore[reportPrivateUsage]
}
