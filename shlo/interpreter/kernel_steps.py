"""Runs looked at from outside: the operations that kernels carry out, with their operands and results."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, cast

from msgspec import Struct

from shlo.interpreter.engine.binding import bound_kernel
from shlo.interpreter.engine.frames import Frame
from shlo.interpreter.engine.region_body import RegionBody
from shlo.interpreter.kernel_api import Body, OpView
from shlo.interpreter.program.code import CodeBlock, Kind
from shlo.interpreter.runtime.profile import Progress
from shlo.interpreter.spmd.grid import ProcessGrid
from shlo.ir.operations import Operation
from shlo.places.origins import Origin, origin_of, origin_of_path
from shlo.places.place import Place


class KernelStep(Struct, frozen=True):
    """An operation that its kernel has just carried out.

    Args:
        process: the number of the process.
        frames: the frames of the process, as long as nothing else happens.
        code: the block of the operation.
        instruction: the number of its instruction there.
        operands: what it was given, and behind that what its regions use from outside.
        values: its results.
        is_sync_point: whether processes synchronise at it.
    """

    process: int
    frames: Sequence[Frame]
    code: CodeBlock
    instruction: int
    operands: tuple[Any, ...]
    values: tuple[Any, ...]
    is_sync_point: bool = False

    @property
    def operation(self) -> Operation:
        """The operation."""
        return self.code.instructions[self.instruction].operation

    @property
    def place(self) -> str | None:
        """`file:line:column` of the operation, None where nothing tells."""
        return self.code.place(self.instruction)


def kernel_steps(grid: ProcessGrid, progress: Progress | None = None) -> Iterator[KernelStep]:
    """Takes all steps of a grid, and yields those of kernels; one at which processes synchronise as soon as
    its process has gone on. `progress` is told how many operations of the entry function are done. Raises
    ExecutionError.
    """
    arrived: dict[int, tuple[CodeBlock, int, tuple[Any, ...]]] = {}
    while (number := grid.next_process) is not None:
        frames = grid.processes[number].frames
        frame = frames[-1]
        code, index = frame.code, frame.index
        if progress is not None and len(frames) == 1:
            progress(index, len(code.instructions))
        is_kernel = index < len(code.instructions) and frame.instruction.kind is Kind.KERNEL
        if is_kernel and not grid.is_at_sync_point(number):
            yield _step_of_kernel(grid, number)
            continue
        if is_kernel:
            arrived[number] = code, index, frame.operands
        outcome = grid.step(number)
        for process, step in ((number, outcome.step), *outcome.resumed):
            if step is None or arrived.get(process, (None,))[:2] != (step.code, step.index):
                continue
            if len(step.results) != len(step.operation.results):
                continue  # a region of it was entered
            code, index, operands = arrived.pop(process)
            values = tuple([value for _, value in step.results])
            yield KernelStep(
                process, grid.processes[process].frames, code, index, operands, values, is_sync_point=True
            )


def _step_of_kernel(grid: ProcessGrid, number: int) -> KernelStep:
    """Takes a step of a process, in which its kernel synchronises with no other."""
    frames = grid.processes[number].frames
    code, index, operands = frames[-1].code, frames[-1].index, frames[-1].operands
    step = grid.step(number).step
    values = tuple([value for _, value in step.results]) if step else ()
    return KernelStep(number, frames, code, index, operands, values)


def path_of(frames: Sequence[Frame]) -> tuple[str, ...]:
    """Returns the calls and iterations that lead to the innermost frame's instruction, outermost first."""
    parts: list[str] = []
    for below, above in pairwise(frames):
        kind, operation = below.instruction.kind, below.instruction.operation
        where = at_line(operation, below.place)
        if kind is Kind.CALL:
            parts.append(f"call of @{above.function.name}{where}")
        elif kind in (Kind.WHILE, Kind.COUNT):
            part = ", condition" if kind is Kind.WHILE and above.region == 0 else ""
            parts.append(f"iteration {above.iteration}{part} of {operation.name}{where}")
        else:
            parts.append(f"region {above.region} of {operation.name}{where}")
    return tuple(parts)


def at_line(operation: Operation, place: str | None) -> str:
    """Returns ` at` and the line of Python of a call or loop, or else `file:line:column`; '' for neither."""
    origin = origin_of(operation.location)
    where = Place.at(operation.name, place, origin).where if origin.line else place
    return f" at {where}" if where else ""


def origin_at(operation: Operation, frames: Sequence[Frame]) -> Origin:
    """Returns the origin of an operation in the innermost of these frames, or else of the calls to it."""
    return origin_of_path([*(frame.instruction.operation for frame in frames[:-1]), operation])


def op_view(code: CodeBlock, index: int, operands: Sequence[Any]) -> OpView:
    """Returns the static side of an instruction that was given these operands, with its regions bound to what
    they use from outside; raises KernelError where it has no kernel.
    """
    view = bound_kernel(code, index).op_view
    extra = len(operands) - len(code.instructions[index].operation.operands)
    if not extra:
        return view
    captured = tuple(operands[-extra:])
    bodies: tuple[Body, ...] = tuple(cast("RegionBody", body).bound(captured) for body in view.bodies)
    return OpView(view.signature, bodies, view.callees, view.symbols, view.semantics)
