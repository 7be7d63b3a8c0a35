"""Runs with shadows: a program and, beside each of its steps, the same step in float64."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from msgspec.structs import replace

from shlo.interpreter.engine.frames import Frame, live_values
from shlo.interpreter.engine.stepper import Process
from shlo.interpreter.execution import make_process
from shlo.interpreter.kernel_steps import KernelStep, kernel_steps, origin_at, path_of
from shlo.interpreter.options import RunOptions
from shlo.interpreter.program.code import Kind
from shlo.interpreter.spmd.grid import ProcessGrid
from shlo.interpreter.spmd.legacy import legacy_partitions
from shlo.interpreter.topology.groups import GridShape
from shlo.ir.diagnostics import ExecutionError
from shlo.ir.operations import Module
from shlo.ir.types import element_type_of
from shlo.runner.errors import RequestError, quoted
from shlo.runner.statistics import index_at
from shlo.shadow.losses import CarriedLoss, LoopLoss, Losses, ResultLoss, WidenedLoss
from shlo.shadow.measures import (
    FEWEST,
    is_measured,
    precision_of,
    value_digits_lost,
)
from shlo.shadow.tracker import Loss, Pair, ShadowTracker
from shlo.shadow.widening import widened_value


class ShadowRun:
    """Runs a program and collects what digits it loses, also where the run fails. One thread at a time uses
    it.
    """

    def __init__(self) -> None:
        self.losses = Losses()

    def execute(self, module: Module, arguments: Sequence[Any], options: RunOptions) -> tuple[Any, ...]:
        """Runs a function of a module and returns its results, as `interpreter.execute`.

        Raises:
            ExecutionError: the program cannot be run to its end.
            RequestError: it runs in a grid of processes.
        """
        partitions = legacy_partitions(module, options.entries[0], options.semantics)
        if max(partitions, options.replicas * options.partitions) > 1:
            raise refuse_grid()
        process = make_process(module, arguments, replace(options, profile=None, progress=None))
        grid = ProcessGrid([process], GridShape(), is_alone=True)
        tracker = ShadowTracker(module, options.semantics)
        try:
            for step in kernel_steps(grid, options.progress):
                self.look_at(tracker, process, step)
        except ExecutionError as error:
            raise process.error or error from error.__cause__
        for number, value in enumerate(process.returned):
            self._add_result(number, value, tracker)
        return process.results

    def execute_grid(
        self, modules: Sequence[Module], inputs: Sequence[Sequence[Any]], options: RunOptions
    ) -> list[tuple[Any, ...]]:
        """Raises RequestError: a grid has no shadow."""
        raise refuse_grid()

    def look_at(self, tracker: ShadowTracker, process: Process, step: KernelStep) -> Loss | None:
        """Notes a step of a process; returns what digits it loses, None for less than one."""
        losses = self.losses
        losses.looked_at += 1
        loss = take(tracker, process, step)
        if not tracker.has_shadow:
            self._note_without(step)
        if loss is not None:
            losses.add(loss, step.code, step.instruction, step.frames)
        self._note_widened(tracker, step)
        for depth, (below, frame) in enumerate(pairwise(step.frames), 2):
            if below.instruction.kind is Kind.WHILE:
                self._note_carried(tracker, step.frames[:depth], _carried(frame, step))
        return loss

    def _note_without(self, step: KernelStep) -> None:
        name = step.operation.name
        title = f"{step.place}: {name}" if step.place else name
        self.losses.without_shadow[title] = self.losses.without_shadow.get(title, 0) + 1

    def _note_widened(self, tracker: ShadowTracker, step: KernelStep) -> None:
        """Notes where a step makes numbers that lack digits of those of a narrower type."""
        operands = zip(step.operands, step.operation.operand_types)
        types = {np.asarray(operand).dtype: type_ for operand, type_ in operands if is_measured(operand)}
        for value in step.values:
            if not is_measured(value) or types.keys() <= {np.asarray(value).dtype}:
                continue
            narrow = max(types, key=lambda type_: precision_of(type_).unit)
            narrow_precision, own_precision = precision_of(narrow), precision_of(np.asarray(value).dtype)
            if narrow_precision.unit <= own_precision.unit:
                continue
            total = float(value_digits_lost(value, tracker.values.of(value)).max())
            name = str(element_type_of(types[narrow]))
            earlier = self.losses.widened.get(name)
            if total >= FEWEST and (earlier is None or total > earlier.total):
                origin = origin_at(step.operation, step.frames)
                self.losses.widened[name] = WidenedLoss(
                    step.operation,
                    step.place,
                    origin,
                    name,
                    narrow_precision.digits,
                    total,
                    own_precision.digits,
                )

    def _note_carried(self, tracker: ShadowTracker, frames: Sequence[Frame], values: Sequence[Any]) -> None:
        """Notes the errors of what a loop carries, of which the innermost frame is the condition or body;
        None for values that are not held any more.
        """
        below, frame = frames[-2:]
        operation = below.instruction.operation
        loop = self.losses.loops.get(id(operation))
        if loop is None:
            outer = frames[:-1]
            loop = self.losses.loops[id(operation)] = LoopLoss(
                operation, below.place, origin_at(operation, outer), path_of(outer)
            )
        here, last = (frame.iteration, frame.region or 0), loop.looked_at
        loop.looked_at = here
        if here[0] == last[0] and here[1] >= last[1] and here != (0, 0):
            return  # it was looked at; (0, 0) again may begin another execution
        for number, (register, value) in enumerate(zip(frame.code.arguments, values)):
            if not is_measured(value):
                continue
            lost = value_digits_lost(value, tracker.values.of(value))
            worst = float(lost.max())
            carried = loop.carried.get(number)
            if carried is None:
                digits = precision_of(np.asarray(value).dtype).digits
                name = frame.code.values.names[register]
                carried = loop.carried[number] = CarriedLoss(name, digits, worst, worst, began=worst)
            if carried.note(frame.iteration, worst):
                carried.index, carried.element = _worst_element(lost, value, tracker, carried.name)

    def _add_result(self, number: int, value: Any, tracker: ShadowTracker) -> None:
        if not is_measured(value):
            return
        lost = value_digits_lost(value, tracker.values.of(value))
        index, element = _worst_element(lost, value, tracker, "")
        digits = precision_of(np.asarray(value).dtype).digits
        self.losses.results.append(ResultLoss(number, float(lost.max()), digits, index, element))


def take(tracker: ShadowTracker, process: Process, step: KernelStep) -> Loss | None:
    """Makes the shadows of a step of a process, and forgets those of values that the process has dropped
    where many are held; returns what digits the step loses, None for less than one.
    """
    with process.context.active():
        loss = tracker.step(step.code, step.instruction, step.operands, step.values)
    if tracker.values.is_crowded:
        tracker.values.drop_others(_held_by(process.frames))
    return loss


def check_precision(name: str) -> None:
    """Raises RequestError for the name of a type that no shadow is computed in."""
    if name != "f64":
        raise RequestError(f"expected a shadow in f64, got {quoted(name)}")


def refuse_grid() -> RequestError:
    """Returns the error for a shadow of a grid of processes."""
    return RequestError(
        "expected one process with a shadow, got a grid of them",
        "collectives have no shadow; run the part of one process",
    )


def _carried(frame: Frame, step: KernelStep) -> list[Any]:
    """Returns what a loop carries, whose condition or body a frame is; None for what the body needs no more,
    unless the step has just taken it.
    """
    if frame.carried:
        return list(frame.carried)
    operands = dict(zip(step.code.instructions[step.instruction].operands, step.operands))
    arguments = [(register, frame.registers[register]) for register in frame.code.arguments]
    if frame is not step.frames[-1]:
        return [value for _, value in arguments]
    return [operands.get(register) if value is None else value for register, value in arguments]


def _held_by(frames: Sequence[Frame]) -> list[Any]:
    """Returns all values that frames hold, those that a loop carries through its condition among them."""
    return [*live_values(frames), *(value for frame in frames for value in frame.carried)]


def _worst_element(lost: Any, value: Any, tracker: ShadowTracker, name: str) -> tuple[tuple[int, ...], Pair]:
    index = index_at(int(lost.argmax()), lost.shape)
    shadow = np.asarray(tracker.values.of(value))
    return index, Pair(name, np.asarray(widened_value(value))[index], shadow[index])
