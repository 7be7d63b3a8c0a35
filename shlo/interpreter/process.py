"""A process executes a program one instruction at a time, and can be looked at between any two.

It drives the instructions that `run` drives, with a stack of frames of its own: one for the function, one
for each region of control flow and each call that is open. A kernel with regions (a reduce, a sort) is
one instruction. Nothing is ever computed in place, so values that were looked at stay what they were.
Specification: "Execution".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

import numpy as np

from shlo.interpreter.body import set_current_context
from shlo.interpreter.boundary import accept, hand_out
from shlo.interpreter.custom_calls import Handler
from shlo.interpreter.errors import TOO_DEEP, located, note_call, unlocated
from shlo.interpreter.execute import chosen_branch
from shlo.interpreter.flow import check_flow
from shlo.interpreter.kernel import Context, KernelError, Value
from shlo.interpreter.limits import Budget
from shlo.interpreter.program import Code, FunctionCode, Instruction, Kind, program_of
from shlo.ir.diagnostics import ExecutionError
from shlo.ir.operations import Module, Operation
from shlo.ir.types import Type

FRAME_LIMIT = 10_000

Status = Literal["ready", "done", "failed"]


class NamedValue(NamedTuple):
    """A value of a frame: its number, its name in the source (without `%`; it may be empty), its type,
    what it is.
    """

    number: int
    name: str
    type: Type
    value: Value


@dataclass(slots=True)
class Frame:
    """A block in execution: `index` is its next instruction.

    Frames of one call share their slots. `region` says which region of the instruction of the frame below
    this is (None for a function), `iteration` how often a loop went round before, `carried` what a loop's
    condition will hand on.
    """

    code: Code
    slots: list[Value]
    index: int = 0
    region: int | None = None
    iteration: int = 0
    carried: tuple[Value, ...] = ()

    @property
    def function(self) -> FunctionCode:
        return self.code.function

    @property
    def instruction(self) -> Instruction:
        """The next instruction; the one that is open, where a frame stands above this."""
        return self.code.instructions[self.index]

    @property
    def place(self) -> str | None:
        """`file:line:column` of the instruction."""
        return self.code.place(self.index)

    def values(self) -> Iterator[NamedValue]:
        """The values that the frame's function holds now, in the order of the source."""
        table = self.code.values
        for number, value in enumerate(self.slots):
            if value is not None:
                yield NamedValue(number, table.names[number], table.types[number], value)

    def live(self) -> set[int]:
        """The slots of the frame's own block that are bound, and that something may still need."""
        instructions, index = self.code.instructions, self.index
        bound = {slot for slot, defined in self.code.defined_at.items() if defined < index}
        for instruction in instructions[:index]:
            bound.difference_update(instruction.dies)
        return bound


@dataclass(frozen=True, slots=True)
class State:
    """A process between two steps, to come back to: its frames, how many steps it took, its results. Nothing
    changes the frames.
    """

    frames: tuple[Frame, ...]
    steps: int
    results: tuple[Value, ...]

    def values(self) -> list[Value]:
        """All values that the state holds."""
        carried = (value for frame in self.frames for value in frame.carried)
        return [*_live_values(self.frames), *carried, *self.results]

    def without_dead(self) -> State:
        """The same state without the values that no operation needs any more."""
        frames = _copies(self.frames)
        _drop_dead(frames)
        return State(tuple(frames), self.steps, self.results)


@dataclass(frozen=True, slots=True)
class Step:
    """A step that was taken: the operation, where it stands, in which depth of frames, and its results by
    number.

    Control flow that was entered has no results yet: they belong to the step in which it ends.
    """

    operation: Operation
    code: Code
    index: int
    depth: int
    results: tuple[tuple[int, Value], ...]


class Process:
    """An execution of the function `entry` of a module; arguments and errors are those of `run`.

    `keep_values` keeps values that no operation needs any more until their frame ends; `keeps_values` tells
    and changes it.
    """

    def __init__(
        self,
        module: Module,
        *arguments: Any,
        entry: str = "main",
        seed: int = 0,
        max_steps: int | None = None,
        max_bytes: int | None = None,
        handlers: Mapping[str, Handler] | None = None,
        probe_folder: str | None = None,
        keep_values: bool = False,
    ) -> None:
        self.context = Context(seed=seed, handlers=handlers or {}, probe_folder=probe_folder)
        self.steps = 0
        self.error: ExecutionError | None = None
        self.frames: list[Frame] = []
        self._budget = Budget(max_steps, max_bytes)
        self.keeps_values = keep_values
        self._results: tuple[Value, ...] = ()
        function = None
        try:
            function = program_of(module).function(entry)
            self.frames = [_function_frame(function, accept(function, arguments))]
        except Exception as error:
            raise unlocated(error, function) from error

    @property
    def status(self) -> Status:
        """Whether there is a next step, the function has returned, or a step has failed."""
        if self.error is not None:
            return "failed"
        return "ready" if self.frames else "done"

    @property
    def results(self) -> tuple[Any, ...]:
        """The function's results, as the caller's own arrays. Raises the error that ended the process, if
        one did, and ValueError while it is not done.
        """
        if self.error is not None:
            raise self.error
        if self.frames:
            raise ValueError("the process is not done")
        return hand_out(self._results)

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
        before = set_current_context(self.context)
        try:
            with np.errstate(all="ignore"):
                return self._step(frame, frame.code, frame.index, known)
        except Exception as error:
            self.error = self._located(error)
            raise self.error from error
        finally:
            set_current_context(before)

    def live(self) -> list[Value]:
        """All values that the frames hold."""
        return list(_live_values(self.frames))

    def save(self) -> State:
        """What the process is now, for `restore`."""
        return State(tuple(_copies(self.frames)), self.steps, self._results)

    def restore(self, state: State) -> None:
        """Goes back, or on, to a state of this process. What effects did outside the program stays done."""
        self.frames = _copies(state.frames)
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
        _drop_dead(self.frames)

    def _step(self, frame: Frame, code: Code, index: int, known: Sequence[Value] | None) -> Step:
        depth = len(self.frames)
        if index >= len(code.instructions):
            frame.index -= 1
            raise KernelError("is the last operation of its block, but does not end it")
        self._budget.step()
        check_flow(code, index)
        kind = frame.instruction.kind
        if known is not None and kind is Kind.KERNEL:
            results = self._bind(frame, known)
        else:
            results = _CARRY_OUT[kind](self, frame)
        self.steps += 1
        return Step(code.instructions[index].operation, code, index, depth, results)

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
        prepared = frame.code.prepared(frame.index)
        operands = [frame.slots[slot] for slot in instruction.operands]
        if prepared.entry.needs_context:
            operands.insert(0, self.context)
        result = prepared.evaluate(*operands)
        prepared.check(result)
        return self._bind(frame, (result,) if len(instruction.results) == 1 else result or ())

    def _bind(self, frame: Frame, values: Sequence[Value]) -> Results:
        """A kernel is done: its instruction has its results, and the frame goes on behind it."""
        instruction = frame.instruction
        _fill(frame.slots, instruction.results, values)
        frame.index += 1
        self._drop(frame, instruction.dies)
        return tuple(zip(instruction.results, values))

    def _enter_while(self, frame: Frame) -> Results:
        values = tuple(frame.slots[slot] for slot in frame.instruction.operands)
        self._push(self._condition(frame, values, 0))
        self._drop(frame, frame.instruction.released)
        return ()

    def _enter_branch(self, frame: Frame) -> Results:
        (selector,) = frame.instruction.operands
        chosen = chosen_branch(frame.instruction, frame.slots[selector])
        self._push(Frame(frame.code.regions(frame.index)[chosen], frame.slots, region=chosen))
        return ()

    def _enter_call(self, frame: Frame) -> Results:
        values = [frame.slots[slot] for slot in frame.instruction.operands]
        self._push(_function_frame(frame.code.callee(frame.index), values))
        self._drop(frame, frame.instruction.released)
        return ()

    def _leave(self, frame: Frame) -> Results:
        """A terminator: the values go to the loop, branch or call that the frame belongs to."""
        values = tuple(frame.slots[slot] for slot in frame.instruction.operands)
        if len(self.frames) == 1:
            self._results = values
            self.frames = []
            return ()
        below = self.frames[-2]
        if below.instruction.kind is not Kind.WHILE:
            return self._finish(below, values)
        if frame.region == 1:
            self.frames[-1] = self._condition(below, values, frame.iteration + 1)
        elif values[0]:
            body = below.code.regions(below.index)[1]
            _fill(frame.slots, body.arguments, frame.carried)
            self.frames[-1] = Frame(body, frame.slots, region=1, iteration=frame.iteration)
        else:
            return self._finish(below, frame.carried)
        return ()

    def _finish(self, frame: Frame, values: Sequence[Value]) -> Results:
        """Control flow ends: its instruction has its results, and the frame goes on behind it."""
        instruction = frame.instruction
        _fill(frame.slots, instruction.results, values)
        after = Frame(frame.code, frame.slots, frame.index + 1, frame.region, frame.iteration, frame.carried)
        self.frames = [*self.frames[:-2], after]
        self._drop(frame, instruction.dies)
        return tuple(zip(instruction.results, values))

    def _condition(self, frame: Frame, values: tuple[Value, ...], iteration: int) -> Frame:
        condition = frame.code.regions(frame.index)[0]
        _fill(frame.slots, condition.arguments, values)
        return Frame(condition, frame.slots, region=0, iteration=iteration, carried=values)

    def _push(self, frame: Frame) -> None:
        if len(self.frames) >= FRAME_LIMIT:
            raise KernelError(TOO_DEEP)
        self.frames.append(frame)

    def _drop(self, frame: Frame, slots: Sequence[int]) -> None:
        if not self.keeps_values:
            for slot in slots:
                frame.slots[slot] = None


Results = tuple[tuple[int, Value], ...]

_CARRY_OUT = {
    Kind.KERNEL: Process._kernel,  # pyright: ignore[reportPrivateUsage]
    Kind.WHILE: Process._enter_while,  # pyright: ignore[reportPrivateUsage]
    Kind.BRANCH: Process._enter_branch,  # pyright: ignore[reportPrivateUsage]
    Kind.CALL: Process._enter_call,  # pyright: ignore[reportPrivateUsage]
    Kind.RETURN: Process._leave,  # pyright: ignore[reportPrivateUsage]
}


def _function_frame(function: FunctionCode, arguments: Sequence[Value]) -> Frame:
    slots: list[Value] = [None] * len(function.values.types)
    _fill(slots, function.code.arguments, arguments)
    return Frame(function.code, slots)


def _fill(slots: list[Value], numbers: Sequence[int], values: Sequence[Value]) -> None:
    for number, value in zip(numbers, values):
        slots[number] = value


def _live_values(frames: Sequence[Frame]) -> Iterator[Value]:
    slots = {id(frame.slots): frame.slots for frame in frames}
    return (value for values in slots.values() for value in values if value is not None)


def _copies(frames: Sequence[Frame]) -> list[Frame]:
    """Frames that share slots as these do, but none with these."""
    slots = {id(frame.slots): frame.slots.copy() for frame in frames}
    return [replace(frame, slots=slots[id(frame.slots)]) for frame in frames]


def _drop_dead(frames: Sequence[Frame]) -> None:
    live: dict[int, set[int]] = {}
    for frame in frames:
        live.setdefault(id(frame.slots), set()).update(frame.live())
    for frame in frames:
        needed = live[id(frame.slots)]
        if frame.region is None:
            frame.slots[:] = [value if slot in needed else None for slot, value in enumerate(frame.slots)]
