"""Futures of a session: an edit begins another one, and the one before is kept beside it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final, cast

import numpy as np
from msgspec import Struct, field

from shlo.debugger.control.stepping import Stepping
from shlo.debugger.errors import DebuggerError
from shlo.debugger.futures.diff import FuturesDiff, diff_histories
from shlo.debugger.futures.replacement import compile_replacement
from shlo.debugger.inspect.run import SessionRun
from shlo.debugger.inspect.scope import find_value, frame_views, read_value
from shlo.debugger.inspect.snapshots import FrameView, Reason, Snapshot
from shlo.debugger.replay.edits import Edit, Index, ReplaceEdit, Replacement, SkipEdit, ValueEdit
from shlo.debugger.replay.external_state import ExternalState
from shlo.debugger.replay.history import History
from shlo.debugger.replay.program_points import ProgramPoint
from shlo.interpreter.engine.frames import Frame
from shlo.interpreter.engine.stepper import Process
from shlo.interpreter.kernel_api import TOKEN, KernelError, Value
from shlo.interpreter.program.code import Kind
from shlo.interpreter.runtime.marshal import marshal_argument
from shlo.interpreter.runtime.values import check_of, is_static, tensor_type_of, type_words
from shlo.ir.diagnostics import ExecutionError
from shlo.ir.dtypes import UnsupportedTypeError, dtype_of
from shlo.ir.types import RankedTensorType, TokenType, TupleType, Type
from shlo.runner.statistics import tensor_of

MOST_FUTURES: Final = 32
"""How many futures are kept; the one that was left longest ago goes first."""


class Future(Struct, eq=False):
    """A future of a session: its `name`, and where it forked from which other one (None for the first).

    `here` is the position at which the session left it, `frame` the innermost one where it forked. The
    current one's `external` is out of date.
    """

    name: str
    parent: Future | None
    position: int
    history: History
    external: ExternalState
    here: int = 0
    frame: FrameView | None = None
    edits: list[Edit] = field(default_factory=list[Edit])

    @property
    def last(self) -> int:
        """The last position that was reached in it."""
        return self.history.last

    @property
    def is_unused(self) -> bool:
        """Whether nothing but edits happened in it: another edit joins them."""
        skipped = sum(isinstance(edit, SkipEdit) for edit in self.edits)
        return self.parent is not None and self.last == self.position + skipped

    @property
    def status(self) -> str:
        """`done`, `failed`, or `open` where it goes on."""
        if self.history.failure is not None:
            return "failed"
        is_done = all(not trace.depths[-1] for trace in self.history.traces)
        return "done" if is_done else "open"


class Futures:
    """The futures of a session. An edit at a position begins another one there, which becomes the current
    one; further edits at the same position, before any step, belong to it.

    Raises DebuggerError where something cannot be edited, or there is no future of a name.
    """

    def __init__(self, run: SessionRun, stepping: Stepping) -> None:
        self._run = run
        self._cursor = cursor = run.cursor
        self._stepping = stepping
        self._budget = cursor.history.cache.budget
        self._count = 1
        first = Future("f1", None, 0, cursor.history, ExternalState.of(cursor.grid))
        self._all = [first]
        self.current = first
        cursor.edits.compile = self._compile

    def __iter__(self) -> Iterator[Future]:
        return iter(self._all)

    def __len__(self) -> int:
        return len(self._all)

    def __getitem__(self, name: str) -> Future:
        """Returns the future of a name, `f2` or `2`."""
        wanted = name if name.startswith("f") else f"f{name}"
        for future in self._all:
            if future.name == wanted:
                return future
        names = ", ".join(future.name for future in self._all)
        raise DebuggerError(f"there is no future {name!r}; there are {names}")

    def common(self, name: str) -> int:
        """Returns the position up to which the current future is the same as another one, before edits
        there; -1 where that was dropped.
        """
        other = next((future for future in self._all if future.name == name), None)
        return -1 if other is None else _common(self.current, other)

    # --- edits ---

    def set(self, name: str, value: Any, index: Index | None = None, frame: int = -1) -> Snapshot:
        """Sets a value in scope, or the part of it at an index, and goes on from there in another future.

        Args:
            name: The name of the value, with or without `%`.
            value: An array of its type (or of the type of the part), a number, or a list.
            index: What NumPy's indexing takes; None sets the whole value.
            frame: The frame that says what is in scope.
        """
        with self._run.command():
            process = self._editable()
            bound = find_value(process.frames, self._run.frame_index(frame), name)
            type_ = bound.code.values.types[bound.register]
            shown = name.removeprefix("%")
            if index is None:
                new = value_of(value, type_, f"%{shown}")
            else:
                new = _with_part(read_value(self._cursor, bound), index, value, type_, shown)
            position = self._position()
            edit = ValueEdit(position, self._cursor.selected, bound.depth, bound.register, shown, index, new)
        return self._make(edit)

    def skip(self, values: Sequence[Any] | None = None) -> Snapshot:
        """Passes the next operation of the selected process without carrying it out, in another future. Its
        results are these values, zeros unless any are given.
        """
        with self._run.command():
            process = self._editable()
            operation = _operation(process).operation
            types = operation.result_types
            if values is not None and len(values) != len(types):
                raise DebuggerError(f"expected {len(types)} results of {operation.name}, got {len(values)}")
            results = tuple(
                _zeros(type_, number)
                if values is None
                else value_of(values[number], type_, f"result {number}")
                for number, type_ in enumerate(types)
            )
            edit = SkipEdit(self._position(), self._cursor.selected, process.steps, operation.name, results)
        return self._make(edit)

    def replace(self, text: str, once: bool = False) -> Snapshot:
        """Puts another operation in the place of the next one of the selected process, in another future:
        each time that it is reached from here on, or only now.

        Args:
            text: The operation; it may use all values in scope, and has the same types of results.
            once: Whether it takes the place only this time.
        """
        with self._run.command():
            process, cursor = self._editable(), self._cursor
            point = _operation(process)
            edit = ReplaceEdit(self._position(), cursor.selected, process.steps, point.key, text.strip())
            replacement = self._compile(edit, process)
            if once:
                try:
                    results = cursor.edits.evaluate(replacement, cursor.selected)
                except ExecutionError as error:
                    raise DebuggerError(error.message) from error
                edit = SkipEdit(edit.position, edit.process, edit.step, point.operation.name, results)
        return self._make(edit)

    def undo(self) -> Snapshot:
        """Goes back to where the last edit was made, without it."""
        future, parent = self.current, self.current.parent
        if parent is None:
            recorded = self._cursor.history.has_edits
            raise DebuggerError("edits of a recording cannot be undone" if recorded else "nothing was edited")
        *before, _ = future.edits

        def move() -> Reason:
            is_unused = future.is_unused
            self._switch_to(parent, future.position)
            if is_unused:
                self._all.remove(future)
            for edit in before:
                self._fork(edit)
            return "position"

        return self._stepping.go(move)

    # --- other futures ---

    def switch(self, name: str) -> Snapshot:
        """Goes to another future, at the position where the session left it."""
        future = self[name]

        def move() -> Reason:
            if future is not self.current:
                self._switch_to(future, future.here)
            return "position"

        return self._stepping.go(move)

    def drop(self, name: str) -> None:
        """Forgets a future; raises DebuggerError for the current one, and one from which others forked."""
        with self._run.command():
            future = self[name]
            if future is self.current:
                raise DebuggerError(f"{future.name} is the current future")
            if any(other.parent is future for other in self._all):
                raise DebuggerError(f"other futures forked from {future.name}")
            self._all.remove(future)

    def diff(self, one: str, other: str | None = None, most: int = 50) -> FuturesDiff:
        """Returns what differs between two futures, as far as both were run; the second is the current one
        unless it is named.

        Args:
            one: The name of a future.
            other: The name of another one.
            most: How many differing values are listed; all are counted.
        """
        with self._run.command():
            left, right = self[one], self.current if other is None else self[other]
            if left is right:
                raise DebuggerError(f"expected two futures, got {left.name} twice")
            start = _common(left, right)
            return diff_histories(self._cursor, left.history, right.history, start, most)

    # --- inside ---

    def _position(self) -> int:
        """Returns the position at which an edit is made: before the step that fails, where one has failed."""
        cursor = self._cursor
        return cursor.position if cursor.error is None else cursor.history.failing_step

    def _editable(self) -> Process:
        """Returns the selected process; raises DebuggerError where it is done or waits for others."""
        cursor = self._cursor
        process, grid = cursor.process, cursor.grid
        if not process.frames:
            raise DebuggerError("the program is done; go back to edit it")
        is_last = cursor.error is not None and cursor.history.scheduled(self._position()) == cursor.selected
        if not grid.is_alone and grid.status_of(cursor.selected) == "waiting" and not is_last:
            arrived, label = cursor.trace.positions[process.steps], grid.shape.label(cursor.selected)
            raise DebuggerError(f"process {label} waits for others; goto {arrived}, where it arrived")
        return process

    def _compile(self, edit: ReplaceEdit, process: Process) -> Replacement:
        module, semantics = self._run.module_of(edit.process), self._run.options.semantics
        return compile_replacement(module, semantics, process.frames, edit.text, not self._run.in_grid)

    def _make(self, edit: Edit) -> Snapshot:
        def move() -> Reason:
            self._fork(edit)
            if not isinstance(edit, SkipEdit):
                return "position"
            return "done" if self._cursor.status == "done" else "step"

        return self._stepping.go(move)

    def _fork(self, edit: Edit) -> None:
        """Makes an edit at its position: in a future that begins there. Steps over an operation that is
        skipped.
        """
        cursor, current, position = self._cursor, self.current, edit.position
        is_unused = current.is_unused and position == current.last
        if not is_unused:
            current.external, current.here = ExternalState.of(cursor.grid), cursor.position
            history = cursor.history.branch(position)
            external = current.external.before(cursor.grid, cursor.history, position)
            self._count += 1
            future = Future(f"f{self._count}", current, position, history, external, position)
            self._enter(future, position)
            future.frame = frame_views(cursor.grid.processes[edit.process].frames)[-1]
            self._all.append(future)
            self._limit()
            if cursor.listener is not None:
                cursor.listener.cut(position)
        self._stepping.forget(position - 1)
        self.current.edits.append(edit)
        cursor.edits.add(edit)
        if isinstance(edit, SkipEdit):
            cursor.forward(edit.process)

    def _switch_to(self, future: Future, position: int) -> None:
        cursor, left = self._cursor, self.current
        start = _common(left, future)
        left.external, left.here = ExternalState.of(cursor.grid), cursor.position
        self._enter(future, position, start)
        if cursor.listener is not None:
            cursor.listener.switched(start)

    def _enter(self, future: Future, position: int, start: int | None = None) -> None:
        """Makes a future the current one; what the others keep takes half of the memory at most."""
        cursor, self.current = self._cursor, future
        others = [other for other in self._all if other is not future]
        for other in others:
            other.history.cache.trim(self._budget // (2 * len(others)), other.here)
        used = sum(other.history.cache.bytes for other in others)
        future.history.cache.trim(max(self._budget - used, self._budget // 2), position)
        self._stepping.forget((position if start is None else start) - 1)
        cursor.switch(future.history, position, future.external)

    def _limit(self) -> None:
        """Drops a future from which no other forked, where there are too many."""
        parents = {id(future.parent) for future in self._all}
        unused = [future for future in self._all if future is not self.current and id(future) not in parents]
        if len(self._all) > MOST_FUTURES and unused:
            self._all.remove(unused[0])


def value_of(value: Any, type_: Type, what: str) -> Value:
    """Returns a value as one of a type that nothing else writes to; raises DebuggerError where it does not
    fit: `expected tensor<2xf32>, got tensor<3xf32>`.
    """
    if isinstance(type_, (TokenType, TupleType)):
        try:
            return marshal_argument(value, type_, what)
        except KernelError as error:
            raise DebuggerError(str(error)) from None
    expected = tensor_type_of(type_)
    try:
        if check_of(type_)(value):
            return _own(np.asarray(value))
        new = marshal_argument(value, type_, what)
    except (KernelError, UnsupportedTypeError):
        shown = type_words(np.asarray(value)) if not isinstance(value, (str, bytes)) else repr(value)
        if isinstance(value, (bool, int, float, complex)):
            shown = repr(value)
        raise DebuggerError(f"{what}: expected {expected}, got {shown}") from None
    return _own(np.asarray(new))


def _own(array: Any) -> Value:
    copied = np.array(array, order="C")
    copied.flags.writeable = False
    return cast("Any", copied)[()] if copied.ndim == 0 else copied


def _with_part(old: Value, index: Index, value: Any, type_: Type, name: str) -> Value:
    """Returns a copy of a tensor with another part."""
    array = tensor_of(old)
    if array is None or not isinstance(ranked := tensor_type_of(type_), RankedTensorType):
        raise DebuggerError(f"%{name} is no tensor")
    if len(index) > array.ndim:
        raise DebuggerError(f"expected at most {array.ndim} indices of %{name}, got {len(index)}")
    new = np.array(array, order="C")
    try:
        shape = np.shape(new[index])
    except IndexError as error:
        raise DebuggerError(str(error)) from error
    part_type = RankedTensorType(shape, ranked.element_type)
    part = value if np.ndim(value) else _filled(value, shape, part_type, name)
    new[index] = value_of(part, part_type, f"%{name}[...]")
    new.flags.writeable = False
    return cast("Any", new)[()] if new.ndim == 0 else new


def _filled(value: Any, shape: tuple[int, ...], type_: RankedTensorType, name: str) -> Any:
    """Returns a part filled with one number."""
    number = value_of(value, RankedTensorType((), type_.element_type), f"%{name}[...]")
    return np.broadcast_to(np.asarray(number), shape)


def _zeros(type_: Type, number: int) -> Value:
    if isinstance(type_, TokenType):
        return TOKEN
    if isinstance(type_, TupleType):
        return tuple(_zeros(part, number) for part in type_.types)
    tensor = tensor_type_of(type_)
    if not isinstance(tensor, RankedTensorType) or not is_static(tensor):
        raise DebuggerError(f"result {number} is {type_}, of which no zeros are known; write skip = VALUE")
    shape = tuple(size or 0 for size in tensor.shape)
    return _own(np.zeros(shape, dtype_of(tensor.element_type)))


def _operation(process: Process) -> ProgramPoint:
    """Returns the next operation, which must be one that can be left out."""
    frame: Frame = process.frames[-1]
    if frame.index >= len(frame.code.instructions) or frame.instruction.kind in (Kind.JUMP, Kind.RETURN):
        raise DebuggerError("the next operation ends its block, and cannot be skipped or replaced")
    return ProgramPoint(frame.code, frame.index)


def _common(one: Future, other: Future) -> int:
    """Returns the position up to which two futures are the same, before edits there."""
    positions: dict[int, int] = {}
    position, future = 1 << 62, one
    while future is not None:
        positions[id(future)] = position
        position = min(position, future.position)
        future = future.parent
    position, future = 1 << 62, other
    while id(future) not in positions:
        position = min(position, future.position)
        future = cast("Future", future.parent)
    return min(position, positions[id(future)])
