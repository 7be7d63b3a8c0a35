"""A process executes a program one instruction at a time, and can be looked at between any two.

It drives the instructions that `run` drives, with a stack of frames of its own: one for the function, one
for each region of control flow and each call that is open. In a grid of processes it is still before the
operations at which processes meet: the grid carries these out. A kernel with regions (a reduce, a sort) is
one instruction. Nothing is ever computed in place, so values that were looked at stay what they were.
Specification: "Execution".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from time import perf_counter
from typing import Any, Final, Literal, NoReturn

from msgspec import Struct
from msgspec.structs import replace

from shlo.interpreter.engine.binding import LINKER, bound_kernel
from shlo.interpreter.engine.control_flow import FrameStack, Results
from shlo.interpreter.engine.fast_path import FastPath
from shlo.interpreter.engine.frames import Frame, State, copies, drop_dead, fill, located_in
from shlo.interpreter.jit.traced import Rounds
from shlo.interpreter.kernel_api import KernelError, Value
from shlo.interpreter.program.code import CodeBlock, Kind
from shlo.interpreter.program.errors import unlocated
from shlo.interpreter.program.region_types import check_region_types
from shlo.interpreter.runtime.context import ExecutionContext
from shlo.interpreter.runtime.limits import Budget
from shlo.interpreter.runtime.marshal import copy_out
from shlo.ir.diagnostics import ExecutionError
from shlo.ir.operations import Operation

Status = Literal["ready", "done", "failed"]

MOST_HELD: Final = 32 << 20
"""How many bytes of results `run_kernels` returns, about."""


class Step(Struct):
    """A step that was taken: the operation, where it is, in which depth of frames, and its results by
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
        self._budget = context.budget
        self._stack = FrameStack(frame, keep_values)

    @property
    def frames(self) -> list[Frame]:
        """The frames that are open, the innermost last; none once the function has returned."""
        return self._stack.frames

    @property
    def keeps_values(self) -> bool:
        """Whether values are kept that no operation needs any more."""
        return self._stack.keeps_values

    @keeps_values.setter
    def keeps_values(self, keeps: bool) -> None:
        self._stack.keeps_values = keeps

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
            self._budget.check_results(self.returned)
        except KernelError as error:
            raise unlocated(error, None) from error
        return copy_out(self.returned)

    @property
    def returned(self) -> tuple[Value, ...]:
        """What the function has returned, as it is: for looking at."""
        return self._stack.results

    def run(self) -> tuple[Any, ...]:
        """Takes all steps that are left, and gives the results."""
        while self.status == "ready":
            self.step()
        return self.results

    def step(self, results: Sequence[Value] | None = None) -> Step:
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
            return self._step(frame, frame.code, frame.index, results)
        except Exception as error:
            self.fail(error)

    def advance(self) -> None:
        """Carries on to the next operation at which processes meet, or to the end, as fast as `run` does;
        operations on the way are not counted. Raises ExecutionError as `step` does.
        """
        fast_path = FastPath(
            self._stack, self.context, LINKER, self._budget, self.context.meter, in_grid=True
        )
        try:
            with self.context.active():
                fast_path.run()
        except ExecutionError as error:
            self.error = error
            raise

    def run_kernels(
        self,
        end: int,
        seconds: float,
        known_results: Callable[[int], tuple[Value, ...] | None] | None,
        goes_on: Callable[[int, Sequence[Value], Sequence[Value]], bool] | None = None,
    ) -> list[tuple[Value, ...]]:
        """Carries out kernels from the next instruction up to instruction `end`, or for some `seconds` or
        `MOST_HELD` bytes, and returns the results of each. It ends before a kernel that fails: `step` raises
        its error. There must be no limit on steps and bytes.

        Args:
            end: the first instruction that is left, of the innermost frame; those before it are kernels.
            seconds: after which time it ends early.
            known_results: returns, for a number of steps, the results that the next kernel is known to have.
            goes_on: returns, for an instruction, its operands and its results, whether to go on behind it; it
                ends before the first that is not accepted.
        """
        frame, context, budget = self.frames[-1], self.context, self._budget
        code, registers, index, steps = frame.code, frame.registers, frame.index, self.steps
        instructions, keeps_values = code.instructions, self.keeps_values
        results: list[tuple[Value, ...]] = []
        deadline, held = perf_counter() + seconds, 0
        try:
            with context.active():
                while index < end:
                    instruction = instructions[index]
                    values = None if known_results is None else known_results(steps)
                    operands = [registers[register] for register in instruction.operands]
                    if values is None:
                        kernel = instruction.bound_kernel or bound_kernel(code, index)
                        if not instruction.verified:
                            budget.reserve(instruction.size, self.live)
                        arguments = [context, *operands] if kernel.entry.needs_context else operands
                        result = kernel.evaluate(*arguments)
                        if not instruction.verified:
                            kernel.check(result)
                            instruction.verified = kernel.may_trust
                        values = (result,) if len(instruction.results) == 1 else result or ()
                    if goes_on is not None and not goes_on(index, operands, values):
                        break
                    for register, value in zip(instruction.results, values):
                        registers[register] = value
                    if not keeps_values:
                        for register in instruction.last_uses:
                            registers[register] = None
                    results.append(values)
                    index += 1
                    steps += 1
                    held += instruction.size
                    if held > MOST_HELD or perf_counter() > deadline:
                        break
        except Exception:  # the step that fails is taken again, and raises it
            pass
        frame.index = index
        self.steps = budget.steps = steps
        return results

    def end_rounds(self, rounds: Rounds, steps: int, inside: Sequence[int]) -> None:
        """Takes over what generated code did in so many steps, from the condition of a loop on; `inside` are
        the registers of values that the loop binds.
        """
        stack, condition = self._stack, self.frames[-1]
        registers = condition.registers
        for register in inside:
            registers[register] = None
        if rounds.is_over:
            stack.finish(rounds.values, len(self.frames) - 1)
        else:
            fill(registers, condition.code.arguments, rounds.values)
            iteration = condition.iteration + rounds.count
            self.frames[-1] = replace(condition, iteration=iteration, carried=rounds.values)
        self.steps += steps
        self._budget.steps += steps

    def end_span(
        self, end: int, steps: int, unbound: Sequence[int], bound: Sequence[int], values: Sequence[Value]
    ) -> None:
        """Takes over what generated code did up to an instruction of the innermost frame.

        Args:
            end: the next instruction.
            steps: how many steps were taken.
            unbound: the registers of values that were bound and are not known.
            bound: the registers of values that were bound and are needed.
            values: what these are.
        """
        frame = self.frames[-1]
        for register in unbound:
            frame.registers[register] = None
        fill(frame.registers, bound, values)
        if not self.keeps_values:
            for instruction in frame.code.instructions[frame.index : end]:
                for register in instruction.last_uses:
                    frame.registers[register] = None
        frame.index = end
        self.steps += steps
        self._budget.steps += steps

    def leave_function(self) -> bool:
        """Takes the next step if it is the return of a function that was taken before, so that its types are
        known to fit and it cannot fail. Returns whether it is.
        """
        frame = self.frames[-1]
        instruction = frame.instruction
        if frame.region is not None or instruction.kind is not Kind.RETURN or not instruction.verified:
            return False
        self._stack.carry_out(Kind.RETURN, frame)
        self.steps += 1
        self._budget.steps += 1
        return True

    def receive(self, results: Sequence[Value]) -> Step:
        """Goes on behind an operation that the grid carried out, with its results."""
        self._budget.step()
        frame = self.frames[-1]
        return self._completed(frame.code, frame.index, len(self.frames), self._stack.bind(frame, results))

    def enter(self, region: int, arguments: Sequence[Value]) -> Step:
        """Goes into a region of the next operation, on values for its arguments."""
        self._budget.step()
        frame = self.frames[-1]
        code = frame.code.regions(frame.index)[region]
        shares = code.values is frame.code.values
        inner = Frame(code, frame.registers if shares else [None] * len(code.values.types), region=region)
        fill(inner.registers, code.arguments, arguments)
        self._stack.push(inner)
        return self._completed(frame.code, frame.index, len(self.frames) - 1, ())

    def leave(self, results: Sequence[Value]) -> Step:
        """Leaves a region behind its terminator: the operation that contains it has these results."""
        self._budget.step()
        frame, depth = self.frames[-1], len(self.frames)
        return self._completed(frame.code, frame.index, depth, self._stack.finish(results, depth - 1))

    def fail(self, error: Exception) -> NoReturn:
        """Ends the process with an error of its next operation."""
        self.error = located_in(self.frames, error)
        raise self.error from error

    def live(self) -> list[Value]:
        """Returns all values that the frames hold."""
        return self._stack.live()

    def save(self) -> State:
        """What the process is now, for `restore`."""
        return State(tuple(copies(self.frames)), self.steps, self.returned)

    def restore(self, state: State) -> None:
        """Goes back, or on, to a state of this process. What effects did outside the program stays done."""
        self._stack.frames, self._stack.results = copies(state.frames), state.results
        self.steps = self._budget.steps = state.steps
        self.error = None

    def fork(self, state: State) -> Process:
        """Another process at a state of this one. Both share their effects."""
        other = copy(self)
        other._stack = copy(self._stack)
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
            results = self._stack.bind(frame, known)
        elif kind is Kind.KERNEL:
            results = self._kernel(frame)
        else:
            results = self._stack.carry_out(kind, frame)
        return self._completed(code, index, depth, results)

    def _completed(self, code: CodeBlock, index: int, depth: int, results: Results) -> Step:
        self.steps += 1
        return Step(code.instructions[index].operation, code, index, depth, results)

    def _kernel(self, frame: Frame) -> Results:
        instruction = frame.instruction
        self._budget.reserve(instruction.size, self.live)
        operands = [frame.registers[register] for register in instruction.operands]
        with self.context.active():
            kernel = bound_kernel(frame.code, frame.index)
            if kernel.entry.needs_context:
                operands.insert(0, self.context)
            result = kernel.evaluate(*operands)
        if not instruction.is_sized:
            self._budget.reserve_result(result, self.live)
        kernel.check(result)
        return self._stack.bind(frame, (result,) if len(instruction.results) == 1 else result or ())
