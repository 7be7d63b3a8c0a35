"""The frames of a process as snapshots, and the values that are in scope in them."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, cast

import numpy as np
from msgspec import Struct

from shlo.debugger.errors import DebuggerError
from shlo.debugger.inspect.snapshots import FrameView, ValueView
from shlo.debugger.replay.cursor import ReplayCursor
from shlo.debugger.replay.program_points import (
    argument_label,
    position_of,
    program_point,
    region_name,
    value_name,
)
from shlo.interpreter.engine.frames import Frame
from shlo.interpreter.kernel_api import Value
from shlo.interpreter.program.code import CodeBlock, Kind
from shlo.ir.dtypes import Array
from shlo.places.origins import through_calls


class Bound(Struct, frozen=True):
    """A value in scope: the block that binds it, its slot, the depth of the frame, the frame."""

    code: CodeBlock
    register: int
    depth: int
    frame: Frame


def frame_views(frames: list[Frame]) -> tuple[FrameView, ...]:
    """Returns all frames of a process, the outermost first, each at its next or open operation."""
    views: list[FrameView] = []
    for depth, frame in enumerate(frames, 1):
        views.append(_frame_view(frames, depth, frame.index, views[-1:]))
    return tuple(views)


def views_behind(frames: list[Frame], views: tuple[FrameView, ...]) -> tuple[FrameView, ...]:
    """Returns the views of frames with the innermost one at the operation that has just been carried out in
    it; where there is none, as they are.
    """
    index = frames[-1].index - 1 if frames else -1
    if index < 0 or frames[-1].code.instructions[index].kind is not Kind.KERNEL:
        return views
    return (*views[:-1], _frame_view(frames, len(frames), index, views[-2:-1]))


def _frame_view(frames: list[Frame], depth: int, index: int, around: Sequence[FrameView]) -> FrameView:
    frame = frames[depth - 1]
    point = program_point(frame.code, index)
    position = point.position
    return FrameView(
        depth=depth,
        function=frame.function.name,
        region=frame.region,
        region_name=region_name(frames, depth),
        iteration=frame.iteration,
        operation=point.operation,
        span=point.span,
        line=position.line if position else None,
        column=position.column if position else None,
        origin=through_calls(point.origin, [view.origin for view in around]),
    )


def newest(frames: list[Frame], index: int) -> Iterator[Bound]:
    """Yields the values that an operation of frame `index` may use, from the one that was bound last: those
    of its function and of the regions between.
    """
    start = index
    while frames[start].region is not None:
        start -= 1
    for depth in range(index + 1, start, -1):
        frame = frames[depth - 1]
        code = frame.code
        for index in range(frame.index - 1, -1, -1):
            for register in reversed(code.instructions[index].results):
                yield Bound(code, register, depth, frame)
        for register in reversed(code.arguments):
            yield Bound(code, register, depth, frame)


def arguments(frames: list[Frame], index: int) -> Iterator[Bound]:
    """Yields the arguments of the function of frame `index`, and of the regions between, outer ones first."""
    start = index
    while frames[start].region is not None:
        start -= 1
    for depth in range(start + 1, index + 2):
        frame = frames[depth - 1]
        for register in frame.code.arguments:
            yield Bound(frame.code, register, depth, frame)


def value_view(bound: Bound) -> ValueView:
    """Returns a value in scope as a snapshot."""
    defined = bound.code.defined_at[bound.register]
    position = position_of(bound.code, defined) if defined >= 0 else None
    return ValueView(
        name=value_name(bound.code, bound.register),
        type=bound.code.values.types[bound.register],
        depth=bound.depth,
        is_argument=defined < 0,
        is_held=bound.frame.registers[bound.register] is not None,
        line=position.line if position else None,
        label=argument_label(bound.code, bound.register) if defined < 0 else "",
    )


def find_value(frames: list[Frame], index: int, name: str) -> Bound:
    """Returns the value of a name (with or without `%`) in scope; raises DebuggerError for none."""
    wanted = name.removeprefix("%")
    bound = find_bound(frames, index, wanted)
    if bound is None:
        raise DebuggerError(f"%{wanted} is not in scope here")
    return bound


def find_bound(frames: list[Frame], index: int, name: str) -> Bound | None:
    """Returns the value of a name (without `%`) that an operation of frame `index` may use, of several the
    one that was bound last; None for none.
    """
    for depth in range(index + 1, 0, -1):
        frame = frames[depth - 1]
        for defined_at, register in registers_of(frame.code).get(name, ()):
            if defined_at < frame.index:
                return Bound(frame.code, register, depth, frame)
        if frame.region is None:
            break
    return None


def bound_until(frames: list[Frame], name: str) -> int:
    """Returns the instruction of the innermost frame's block up to which a name means the value of the
    frame's function that is there now; -1 where none is.
    """
    bound, frame = find_bound(frames, len(frames) - 1, name), frames[-1]
    if bound is None or bound.frame.registers[bound.register] is None:
        return -1
    later = (at for at, _ in registers_of(frame.code).get(name, ()) if at >= frame.index)
    return min(later, default=sys.maxsize)


@lru_cache(maxsize=1024)
def registers_of(code: CodeBlock) -> dict[str, list[tuple[int, int]]]:
    """Returns, by name, the instructions of a block that define a value, and its register, the last first."""
    by_name: dict[str, list[tuple[int, int]]] = {}
    for register, defined_at in code.defined_at.items():
        by_name.setdefault(value_name(code, register), []).append((defined_at, register))
    for registers in by_name.values():
        registers.sort(reverse=True)
    return by_name


def read_value(cursor: ReplayCursor, bound: Bound) -> Value:
    """Returns a value in scope, computed again where it was dropped."""
    value = bound.frame.registers[bound.register]
    return cursor.values.recompute(bound.code, bound.register, bound.depth) if value is None else value


def read_only(value: Any) -> Any:
    """Returns a value that cannot be written to."""
    if isinstance(value, tuple):
        return tuple(map(read_only, cast("tuple[Any, ...]", value)))
    if not isinstance(value, np.ndarray):
        return value
    view = cast("Array", value).view()
    view.flags.writeable = False
    return view
