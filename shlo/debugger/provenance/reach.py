"""What an element reaches: the elements of later values, and of the function's results, that depend on it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final, NamedTuple

import numpy as np
from msgspec import Struct, field

from shlo.debugger.provenance.chain import ChainElement
from shlo.debugger.provenance.contributions import Index, OpRun, results_of
from shlo.debugger.provenance.handed_on import handed_on
from shlo.debugger.provenance.trace import reached_from
from shlo.debugger.replay.cursor import ReplayCursor
from shlo.debugger.replay.program_points import origin_in, value_name
from shlo.dialects.stablehlo.custom_call_targets import GLOBAL_TO_LOCAL, SHARDING_CALLS
from shlo.interpreter.engine.binding import bound_kernel
from shlo.interpreter.engine.frames import Frame
from shlo.interpreter.engine.stepper import Process
from shlo.interpreter.kernel_api import Value
from shlo.interpreter.kernels.spmd.channels import received_from, sent_to
from shlo.interpreter.kernels.spmd.collective import Collective, collective_of
from shlo.interpreter.program.code import CodeBlock, Kind
from shlo.interpreter.program.control_flow import next_block
from shlo.interpreter.program.sync_points import (
    ASYNC_DONE,
    ASYNC_START,
    MANUAL_COMPUTATION,
    MANUAL_RETURN,
    RECV,
    SEND,
    SyncPoint,
    call_target,
    is_collective,
    sync_point_of,
)
from shlo.interpreter.spmd.blocking_ops import is_one_collective
from shlo.interpreter.spmd.shard_map import operand_layouts, result_layouts
from shlo.ir.dtypes import Array
from shlo.ir.types import TokenType
from shlo.places.origins import Origin
from shlo.places.place import Place
from shlo.runner.statistics import index_at, tensor_of
from shlo.support.cancellation import Cancelled, checkpoint

MOST_STEPS: Final = 200_000
"""How many recorded steps an element is followed through."""

Masks = dict[tuple[int, int], Array]
"""Which elements are reached, by the depth of the frame whose registers hold a value, and its register."""


class ReachedValue(NamedTuple):
    """A value, or a result of the program (`name` is then its number), some elements of which are reached:
    how many of how many where it is bound first, at `position`, the first of them, how many at most later.
    """

    process: int
    name: str
    reached: int
    size: int
    first: Index
    position: int
    line: int | None = None
    most: int = 0
    origin: Origin = Origin()

    @property
    def place(self) -> Place:
        """Where the operation is that binds the value."""
        return Place("", self.line, self.origin)


class Reach(Struct):
    """What an element reaches in the recorded steps. `is_complete` says whether these lead to the end,
    `is_limited` whether more were recorded than it is followed through; `notes` say where all that an
    operation gave was taken for reached.
    """

    results: list[ReachedValue] = field(default_factory=list[ReachedValue])
    values: dict[tuple[int, CodeBlock, int], ReachedValue] = field(
        default_factory=dict[tuple[int, CodeBlock, int], ReachedValue]
    )
    notes: list[str] = field(default_factory=list[str])
    is_complete: bool = False
    is_limited: bool = False


class _Before(Struct, frozen=True):
    """A process before a step: its next instruction, how many steps it took, the frame around, operands."""

    code: CodeBlock
    at: int
    steps: int
    outer: Frame | None
    values: list[Value]
    masks: list[Array | None]


def reach(cursor: ReplayCursor, element: ChainElement, shape: tuple[int, ...]) -> Reach:
    """Follows an element of a value of a shape through the steps that were recorded. Moves a fork."""
    with cursor.fork_at(element.position) as fork:
        fork.go(element.position)
        return _Follower(fork, element, shape).follow()


class _Follower:
    """Masks of what is reached, kept beside the frames of a fork that goes forward."""

    def __init__(self, fork: ReplayCursor, element: ChainElement, shape: tuple[int, ...]) -> None:
        self._fork = fork
        self._masks: list[Masks] = [{} for _ in fork.grid.processes]
        self._deciding: list[set[int]] = [set() for _ in fork.grid.processes]
        self._started: set[tuple[CodeBlock, int]] = (
            set()
        )  # asynchronous collectives that got reached elements
        self._messages: dict[object, list[list[Array | None]]] = {}
        self._found = Reach()
        mask = np.zeros(shape, bool)
        mask[element.index] = True
        base = _base(fork.grid.processes[element.process].frames, element.depth)
        self._masks[element.process][base, element.register] = mask

    def follow(self) -> Reach:
        """Goes to the last position that was recorded."""
        fork = self._fork
        last = min(fork.last, fork.position + MOST_STEPS)
        with suppress(Cancelled):
            while fork.position < last:
                checkpoint()
                number = fork.history.schedule[fork.position]
                if not any(self._masks) and not self._messages and not self._started:
                    break
                if not self._step(number):
                    break
        self._found.is_limited = fork.position == last < fork.last
        self._found.is_complete = (fork.position == fork.last and fork.is_over) or not any(self._masks)
        return self._found

    def _step(self, number: int) -> bool:
        """Takes a step of a process; returns False where there is none."""
        process = self._fork.grid.processes[number]
        frame = process.frames[-1]
        if not self._fork.grid.is_alone and sync_point_of(frame.code, frame.index) is SyncPoint.SYNC:
            return self._sync(number, frame)
        if not self._masks[number]:
            return self._fork.forward()
        if frame.instruction.kind is Kind.KERNEL:
            masks = self._of_kernel(number, process, frame)
            base, results = _base(process.frames, len(process.frames)), frame.instruction.results
            going = self._fork.forward()
            self._bind(number, frame.code, base, dict(zip(results, masks)))
            return going
        return self._hand_on(number, process, frame)

    def _of_kernel(self, number: int, process: Process, frame: Frame) -> list[Array | None]:
        """Returns which elements of the results of the next step are reached."""
        instruction, base = frame.instruction, _base(process.frames, len(process.frames))
        masks = [self._masks[number].get((base, register)) for register in instruction.operands]
        if all(mask is None for mask in masks):
            return [None] * len(instruction.results)
        kernel = bound_kernel(frame.code, frame.index)
        operands = frame.operands
        results = self._fork.history.results(self._fork.position)
        if results is None and not kernel.entry.needs_context:
            results = results_of(kernel.evaluate(*operands))
        view = kernel.op_view
        if results is not None:
            evaluate = None if kernel.entry.needs_context else kernel.evaluate
            reached = reached_from(
                OpRun(view, evaluate or _refused, operands, results), masks, bool(evaluate)
            )
            if reached is not None:
                return list(reached)
        types = view.result_types
        if not all(isinstance(type_, TokenType) for type_ in types):
            self._note(frame.code, frame.index, "does not say how elements depend on each other")
        values = results or [None] * len(types)
        return [
            None if isinstance(type_, TokenType) else _whole(value) for type_, value in zip(types, values)
        ]

    def _hand_on(self, number: int, process: Process, frame: Frame) -> bool:
        """Takes a step of control flow."""
        before, instruction = list(process.frames), frame.instruction
        depth, base = len(before), _base(before, len(before))
        own_masks = self._masks[number]
        jumped: dict[int, Array | None] = {}
        if instruction.kind is Kind.JUMP:
            target, values = next_block(frame.code, frame.index, frame.registers)
            by_value = {id(frame.registers[operand]): operand for operand in instruction.operands}
            for argument, value in zip(target.arguments, values):
                jumped[argument] = own_masks.get((base, by_value[id(value)]))
        self._decide(number, before)
        returned = [own_masks.get((base, register)) for register in instruction.operands]
        values = [frame.registers[register] for register in instruction.operands]
        going = self._fork.forward()
        frames = process.frames
        if not frames:
            self._finish(number, returned, values)
            return going
        now = frames[-1]
        registers = now.code.arguments if not now.index else now.code.instructions[now.index - 1].results
        masks: dict[int, Array | None] = {}
        for register in registers:
            if instruction.kind is Kind.JUMP:
                masks[register] = jumped[register]
                continue
            source = handed_on(before, now.code, register, len(frames))
            masks[register] = None if source is None else own_masks.get((base, source[0]))
            if source is not None and now.index and now.code.instructions[now.index - 1].kind is Kind.KERNEL:
                # the end of the region of an async_start, whose result is all that the region returned
                masks[register] = np.ones((), bool) if any(mask is not None for mask in returned) else None
            if len(frames) in self._deciding[number] and now.index:
                masks[register] = _whole(now.registers[register])
        if now.index:
            self._deciding[number].discard(len(frames))
        if len(frames) < depth or instruction.kind is Kind.CALL:
            inner = _base(frames, len(frames))
            limit = inner if len(frames) < depth else inner - 1
            for key in [key for key in own_masks if key[0] > limit]:
                del own_masks[key]
        self._bind(number, now.code, _base(frames, len(frames)), masks)
        return going

    def _decide(self, number: int, frames: Sequence[Frame]) -> None:
        """Notes control flow that may go another way."""
        frame, base = frames[-1], _base(frames, len(frames))
        instruction = frame.instruction
        if not instruction.operands or (base, instruction.operands[0]) not in self._masks[number]:
            return
        ends_condition = (
            instruction.kind is Kind.RETURN
            and len(frames) > 1
            and frames[-2].instruction.kind is Kind.WHILE
            and frame.region == 0
        )
        if ends_condition:
            self._note(frames[-2].code, frames[-2].index, "may take another number of rounds")
            self._deciding[number].add(len(frames) - 1)
        elif instruction.kind is Kind.BRANCH:
            self._note(frame.code, frame.index, "may take another branch")
            self._deciding[number].add(len(frames))
        elif instruction.operation.name == "cf.cond_br":
            self._note(frame.code, frame.index, "may jump elsewhere, which is not followed")

    # --- other processes ---

    def _sync(self, number: int, frame: Frame) -> bool:
        """Takes a step of a process that concerns others."""
        fork, grid = self._fork, self._fork.grid
        target = call_target(frame.instruction.operation) or frame.instruction.operation.name
        before: dict[int, _Before] = {}
        for one, process in enumerate(grid.processes):
            if process.frames:
                top, base = process.frames[-1], _base(process.frames, len(process.frames))
                registers = top.instruction.operands
                values = [top.registers[register] for register in registers]
                masks = [self._masks[one].get((base, register)) for register in registers]
                outer = process.frames[-2] if len(process.frames) > 1 else None
                before[one] = _Before(top.code, top.index, process.steps, outer, values, masks)
        going = fork.forward()
        for one, process_frames in before.items():
            process = grid.processes[one]
            if process.steps == process_frames.steps:
                continue
            if not process.frames:
                self._finish(one, process_frames.masks, process_frames.values)
                continue
            now = process.frames[-1]
            bound = now.code.arguments if not now.index else now.code.instructions[now.index - 1].results
            synchronized = dict(zip(bound, self._synchronized(one, target, before)))
            base = _base(process.frames, len(process.frames))
            self._bind(one, now.code, base, {register: synchronized.get(register) for register in bound})
        return going

    def _synchronized(self, one: int, target: str, before: Mapping[int, _Before]) -> Sequence[Array | None]:
        """Returns which elements are reached of what a process got at a synchronisation point."""
        here, process = before[one], self._fork.grid.processes[one]
        code, index, masks = here.code, here.at, here.masks
        operation = code.instructions[index].operation
        if target in (SEND, RECV):
            return self._message(process, target, here)
        if target == MANUAL_RETURN and here.outer is not None:
            is_manual = here.outer.instruction.operation.name == MANUAL_COMPUTATION
            return self._whole_from(one, here.outer.code, here.outer.index, before) if is_manual else masks
        if target == MANUAL_COMPUTATION or target in ("SPMDFullToShardShape", GLOBAL_TO_LOCAL):
            layouts = operand_layouts(code, index, self._fork.grid.shape)
            return [
                None if mask is None else np.asarray(layout.part(mask, one))
                for layout, mask in zip(layouts, masks)
            ]
        if target in SHARDING_CALLS:
            return self._whole_from(one, code, index, before)
        if is_collective(operation):
            return self._of_collective(one, code, index, before)
        if target == ASYNC_START and is_one_collective(code.regions(index)[0]):
            if any(mask is not None for mask in masks):
                self._started.add((code, index))
            return []
        if target == ASYNC_DONE:
            future = code, code.defined_at.get(operation.operands[0], -1)
            if future not in self._started and masks[0] is None:
                return []
            self._note(code, index, "is taken for reached as a whole")
            return [_whole(process.frames[-1].registers[register]) for register in operation.results]
        return masks

    def _message(self, process: Process, target: str, here: _Before) -> Sequence[Array | None]:
        view = bound_kernel(here.code, here.at).op_view
        if target == SEND:
            self._messages.setdefault(sent_to(view, process.context), []).append(here.masks)
            return []
        key = received_from(view, process.context)
        waiting = self._messages.get(key, [])
        message = waiting.pop(0) if waiting else []
        if not waiting:
            self._messages.pop(key, None)
        return message

    def _whole_from(
        self, process: int, code: CodeBlock, index: int, before: Mapping[int, _Before]
    ) -> list[Array | None]:
        """Returns the masks of whole tensors, from those of the parts that processes hold."""
        layouts, group_of = result_layouts(code, index, self._fork.grid.shape)
        group = group_of.get(process, (process,))
        whole_masks: list[Array | None] = []
        for number, layout in enumerate(layouts):
            parts = [
                np.zeros(np.shape(before[one].values[number]), np.int64)
                if mask is None
                else mask.astype(np.int64)
                for one in group
                for mask in [before[one].masks[number]]
            ]
            whole_masks.append(np.asarray(layout.whole(group, parts)).astype(bool))
        return whole_masks

    def _of_collective(
        self, process: int, code: CodeBlock, index: int, before: Mapping[int, _Before]
    ) -> list[Array | None]:
        """Returns which elements of a process's results of a collective are reached."""
        view = bound_kernel(code, index).op_view
        collective: Collective = collective_of(view, self._fork.grid.shape)
        group = collective.group_of.get(process, (process,))
        if process not in collective.group_of or all(
            mask is None for one in group if one in before for mask in before[one].masks
        ):
            return [None] * len(view.result_types)
        count = len(before[process].values)
        rank = group.index(process)
        operands = tuple(value for one in group for value in before[one].values)
        masks = [mask for one in group for mask in before[one].masks]

        def evaluate(*values: Value) -> Value:
            rows = [tuple(values[start : start + count]) for start in range(0, len(values), count)]
            return tuple(collective.together(group, rows)[rank])

        results = results_of(evaluate(*operands))
        reached = reached_from(OpRun(view, evaluate, operands, results), masks, by_name=False)
        return list(reached or ())

    # --- what is known ---

    def _bind(self, number: int, code: CodeBlock, base: int, masks: dict[int, Array | None]) -> None:
        own_masks = self._masks[number]
        for register, mask in masks.items():
            if mask is None or not mask.any():
                own_masks.pop((base, register), None)
                continue
            own_masks[base, register] = mask
            self._report(number, code, register, mask)

    def _report(self, number: int, code: CodeBlock, register: int, mask: Array) -> None:
        key = number, code, register
        before, count = self._found.values.get(key), int(np.count_nonzero(mask))
        if before is not None:
            if count > before.most:
                self._found.values[key] = before._replace(most=count)
            return
        defined = code.defined_at.get(register, -1)
        points = self._fork.points
        point = points[points.number(code, defined)] if defined >= 0 else None
        frames = self._fork.grid.processes[number].frames
        self._found.values[key] = ReachedValue(
            number,
            value_name(code, register),
            count,
            mask.size,
            _first(mask),
            self._fork.position,
            point.position.line if point and point.position else None,
            count,
            origin_in(point, frames[:-1]) if point else Origin(),
        )

    def _finish(self, number: int, masks: Sequence[Array | None], values: Sequence[Value]) -> None:
        """Notes what the function's results hold."""
        self._masks[number].clear()
        for result, mask in enumerate(masks):
            if mask is not None and mask.any():
                count = int(np.count_nonzero(mask))
                self._found.results.append(
                    ReachedValue(number, str(result), count, mask.size, _first(mask), self._fork.position)
                )

    def _note(self, code: CodeBlock, index: int, text: str) -> None:
        point = self._fork.points[self._fork.points.number(code, index)]
        location = Place(point.operation.name, point.position.line if point.position else None, point.origin)
        note = f"{location.text} {text}"
        if note not in self._found.notes:
            self._found.notes.append(note)


_refused: Callable[..., Any] = lambda *operands: None  # noqa: E731


def _base(frames: Sequence[Frame], depth: int) -> int:
    """Returns the depth of the outermost frame that shares its registers with one."""
    while depth > 1 and frames[depth - 2].registers is frames[depth - 1].registers:
        depth -= 1
    return depth


def _first(mask: Array) -> Index:
    return index_at(int(mask.argmax()), mask.shape)


def _whole(value: Value) -> Array:
    array = tensor_of(value)
    return np.ones(() if array is None else array.shape, bool)
