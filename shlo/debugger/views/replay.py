"""A bounded part of a session as plain data, which a page steps through without a kernel: lines, values in
words, and elements of values near the place where it is (`Replay` of web/src/replay_model.ts)."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from math import prod
from typing import Any, Final

import msgspec
from msgspec import Struct, field

from shlo.debugger.errors import DebuggerError
from shlo.debugger.inspect.snapshots import Snapshot, ValueView
from shlo.debugger.session import Session
from shlo.debugger.text.card import nonfinite_card
from shlo.debugger.text.format import where_text
from shlo.debugger.views.blame import blame_tree, unfolded
from shlo.debugger.views.controls import CONTROLS, Control, keys_of
from shlo.debugger.views.python import current_origin
from shlo.debugger.views.source import WIDEST, marked_lines, source_data, source_view
from shlo.debugger.views.values import summary_line, title_of
from shlo.dialects import find_op_def
from shlo.graph.build import graph_of
from shlo.graph.formats import graph_data
from shlo.ir.diagnostics import ExecutionError
from shlo.ir.dtypes import Array
from shlo.ir.name_stack import is_transposed, joined_scope, part_names, scope_path
from shlo.ir.operations import Module
from shlo.ir.types import RankedTensorType
from shlo.places.place import short_file_text
from shlo.runner.statistics import tensor_of
from shlo.text.escape import escaped
from shlo.text.shortening import clipped

MOST_STEPS: Final = 2000
"""How many steps a replay has."""
MOST_ELEMENTS: Final = 1 << 14
"""Of a larger value no elements are kept."""
MOST_PLACES: Final = 4
"""How many steps that made numbers which are not finite are such places."""
MOST_FILES: Final = 4
"""How many Python files are kept."""
MOST_LINES: Final = 3000
"""A Python file with more lines is not."""
MOST_ROWS: Final = 200
"""How many rows of what made a number that is not finite are kept."""
MOST_DRAWN: Final = 2000
"""A program with more operations has no graph."""
MOST_SEARCHED: Final = 64
"""How many steps that made such numbers, and breakpoints between them, are looked at."""
MOST_BYTES: Final = 700_000
"""How many bytes of elements are kept: those first that are nearest to the place, or to where a step made
numbers that are not finite."""
AHEAD: Final = 3
"""Steps behind such a place are as near as this many times as many before it."""

AHEAD_STEPS: Final = 300
"""How many steps a stepper that has not run yet is looked ahead."""
AHEAD_S: Final = 0.25
"""For how many seconds at most."""
_CONTROL_FLOW: Final = frozenset(("", "while", "body", "cond", "closed_call", "pjit", "checkpoint", "remat"))
"""Parts of name stacks that JAX's control flow leaves, which are none of a model."""
_KEPT_OPTIONS: Final = ("entry", "seed", "semantics", "handlers", "stubs", "max_steps", "max_bytes")


class ReplayValue(Struct, frozen=True):
    """A value that a step bound: its name, type and summary; the number of its elements in `tensors`."""

    name: str
    type: str
    summary: str
    tensor: int | None = None


class ReplayStep(Struct, frozen=True):
    """A position: the line of the next operation (of the last one where the program is done), how many frames
    are open, what the step that led there bound, whether that made a NaN or an infinity, the operation's
    line of Python, as the number of the file in `python` and that of the line, and the number of the part of
    the model in `scopes` that it belongs to.
    """

    line: int
    depth: int
    values: tuple[ReplayValue, ...] = ()
    is_nonfinite: bool = False
    python: tuple[int, int] | None = None
    scope: int | None = None


class ReplayScope(Struct, frozen=True):
    """A part of a model, a layer say, and whether steps compute its derivative."""

    name: str
    is_backward: bool


class ReplayFile(Struct, frozen=True):
    """A Python file of a replay: its name and its lines."""

    name: str
    lines: Sequence[str]


class ReplayBlame(Struct, frozen=True):
    """A row of the tree of what made a number that is not finite: how deep it is, its words, and the position
    at which its element was bound; None where that is not in the replay.
    """

    depth: int
    text: str
    position: int | None


class Replay(Struct, frozen=True, rename="camel"):
    """A bounded part of a session.

    Args:
        source: the program's text (`SourceData` of web/src/source_model.ts).
        first: the position of the first step.
        position: where the session is.
        last: the last position that was reached.
        is_done: whether the program has ended there.
        steps: the positions from `first` on.
        breakpoints: lines with breakpoints.
        text: where the session is, in words; the card of what went wrong.
        controls: the buttons and keys that move through it.
        python: the Python files that operations come from.
        scopes: the parts of the model that operations belong to.
        blame: what made the number that is not finite where the session is.
        graph: the program as a graph (`GraphData` of web/src/graph_model.ts), None of a large one.
        tensors: names, types and elements of values.
    """

    source: dict[str, Any]
    first: int
    position: int
    last: int
    is_done: bool
    steps: Sequence[ReplayStep]
    breakpoints: Sequence[int]
    text: str
    controls: Sequence[Control] = CONTROLS
    python: Sequence[ReplayFile] = ()
    scopes: Sequence[ReplayScope] = ()
    blame: Sequence[ReplayBlame] = ()
    graph: dict[str, Any] | None = None
    tensors: list[tuple[str, str, Array]] = field(default_factory=list[tuple[str, str, Array]])


def replay_of(session: Session, text: str = "") -> Replay:
    """Returns the part of a session around where it is, to which it returns. Moves through what was
    reached, and no further.

    Args:
        session: the session.
        text: what to say of where it is; by default what `text_of` says.
    """
    text, position, last = text or text_of(session), session.position, session.cursor.last
    first = max(0, min(position - MOST_STEPS * AHEAD // (AHEAD + 1), last - MOST_STEPS))
    breakpoints, source = sorted(marked_lines(source_view(session))), session.module.source
    snapshots: list[tuple[Snapshot, list[_Value]]] = []
    files = _Files(session)
    python_lines: list[tuple[int, int] | None] = []
    try:
        nonfinite = set(_nonfinite_positions(session, first))
        for at in range(first, min(last, first + MOST_STEPS) + 1):
            snapshot = session.goto(at)
            snapshots.append((snapshot, _values(session, snapshot, at == first)))
            python_lines.append(files.current_line())
    finally:
        session.goto(position)
    places = [position, *sorted(nonfinite)[:MOST_PLACES]]
    kept = _nearest([values for _, values in snapshots], [place - first for place in places])
    numbers = {id(value): number for number, value in enumerate(kept)}
    scopes: dict[ReplayScope, int] = {}
    graph = graph_of(session.module)
    return Replay(
        {} if source is None else source_data(session, source, keys_of(CONTROLS)),
        first,
        position,
        last,
        session.cursor.is_over,
        [
            _step(snapshot, values, numbers, snapshot.position in nonfinite, python, scopes)
            for (snapshot, values), python in zip(snapshots, python_lines)
        ],
        breakpoints,
        escaped(text),
        python=files.files,
        scopes=list(scopes),
        blame=list(_blame(session, first)),
        graph=graph_data(graph) if graph.count() <= MOST_DRAWN else None,
        tensors=[(value.name, value.type, value.array) for value in kept if value.array is not None],
    )


def page_data(replay: Replay) -> dict[str, Any]:
    """Returns a replay as the page has it, but for its tensors."""
    return msgspec.to_builtins(msgspec.structs.replace(replay, tensors=[]))


def text_of(session: Session) -> str:
    """Returns where a session is in words, with the card of what went wrong there."""
    card = nonfinite_card(session)
    alone = f"of the processes, the page has {session.process_label} alone" if session.process_label else ""
    return "\n\n".join(filter(None, (str(card) if card else "", where_text(session), alone)))


def replay_ahead(session: Session, steps: int = AHEAD_STEPS, seconds: float = AHEAD_S) -> Replay | None:
    """Returns a replay of a session of one process that may not have run yet, from a second one, which runs
    some steps further within some seconds. Returns None where this could be noticed, as the program
    calls something outside of itself, or does not come to where the session is in that time.
    """
    options, position = session.run.options, session.position
    if session.grid is not None or options.callbacks or _calls_out(session.module):
        return None
    deadline = time.monotonic() + seconds
    keywords: Any = {name: getattr(options, name) for name in _KEPT_OPTIONS}
    inputs, stop = session.cursor.inputs[0], lambda: time.monotonic() > deadline
    second = Session(session.module, inputs=inputs, stop=stop, **keywords)
    with suppress(DebuggerError, ExecutionError):  # the steps before are shown all the same
        second.goto(position + steps)
    if second.cursor.last < position:
        return None
    deadline = float("inf")
    second.goto(position)
    lines = sorted(marked_lines(source_view(session)))
    return msgspec.structs.replace(replay_of(second, text_of(session)), breakpoints=lines)


def _calls_out(module: Module) -> bool:
    """Returns whether a program does something outside of itself, which must not be done twice."""
    names = {operation.name for operation, _ in module.walk()} - {"func.call"}
    definitions = map(find_op_def, names)
    return any(op_def is None or op_def.has("effect") for op_def in definitions)


class _Value(Struct, frozen=True):
    """A value with its elements, None where they are not kept."""

    name: str
    type: str
    summary: str
    array: Array | None


def _values(session: Session, snapshot: Snapshot, is_first: bool) -> list[_Value]:
    """Returns what the last step bound; at the first position all that is in scope."""
    bound = snapshot.last_step.bound if snapshot.last_step else ()
    views = session.inspector.values(most=None if is_first else len(bound) + 1)
    return [_value(session, view) for view in views if is_first or view.name in bound]


def _value(session: Session, view: ValueView) -> _Value:
    shape = view.type.shape if isinstance(view.type, RankedTensorType) else ()
    is_kept = 1 < prod(size or 0 for size in shape) <= MOST_ELEMENTS
    array, summary = None, ""
    with suppress(DebuggerError):  # it is not in the recording, and cannot be computed again
        array = tensor_of(session.inspector.value(view.name)) if is_kept else None
        summary = summary_line(session, view.name) or ""
    return _Value(title_of(view), str(view.type), escaped(summary), array)


def _step(
    snapshot: Snapshot,
    values: Sequence[_Value],
    numbers: dict[int, int],
    is_nonfinite: bool,
    python: tuple[int, int] | None,
    scopes: dict[ReplayScope, int],
) -> ReplayStep:
    """Returns a step; adds the part of the model that it belongs to."""
    step, frame = snapshot.last_step, snapshot.upcoming or snapshot.frame
    line = frame.line if frame else step.line if step else None
    bound = (ReplayValue(value.name, value.type, value.summary, numbers.get(id(value))) for value in values)
    scope = _scope(snapshot)
    number = None if scope is None else scopes.setdefault(scope, len(scopes))
    return ReplayStep(line or 0, len(snapshot.frames), tuple(bound), is_nonfinite, python, number)


def _scope(snapshot: Snapshot) -> ReplayScope | None:
    """Returns the part of the model that the next operation belongs to: the second name of its name stack,
    which is that of a layer, or else the only one; None where it has none.
    """
    stack: tuple[str, ...] = ()
    for frame in snapshot.frames:
        stack = joined_scope(stack, scope_path(frame.origin.scope))
    named = (part_names(part)[-1] for part in stack if not part.startswith("jit("))
    names = [escaped(clipped(name, WIDEST, " ...")) for name in named if name not in _CONTROL_FLOW][:2]
    return ReplayScope(names[-1], any(map(is_transposed, stack))) if names else None


class _Files:
    """The Python files that a session's operations come from, MOST_FILES at most."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._numbers: dict[str, int | None] = {}
        self.files: list[ReplayFile] = []

    def current_line(self) -> tuple[int, int] | None:
        """Returns the number of the file and line of the session's operation; None where it is not known."""
        line = current_origin(self._session).line
        if line is None:
            return None
        if line.file not in self._numbers:
            self._numbers[line.file] = self._add(line.file)
        number = self._numbers[line.file]
        return None if number is None else (number, line.line)

    def _add(self, path: str) -> int | None:
        lines = self._session.structure.python.lines(path)
        if lines is None or len(lines) > MOST_LINES or len(self.files) == MOST_FILES:
            return None
        cut = [escaped(clipped(line.expandtabs(4), WIDEST, " ...")) for line in lines]
        self.files.append(ReplayFile(short_file_text(path), cut))
        return len(self.files) - 1


def _blame(session: Session, first: int) -> Iterator[ReplayBlame]:
    """Yields the rows of what made the number that is not finite here, rounds unfolded; none where there is
    no such number, or its elements are not known any more.
    """
    try:
        rows = list(unfolded(blame_tree(session).rows))[:MOST_ROWS]
    except DebuggerError:
        return
    for row in rows:
        at = None if row.link is None else row.link.element.position
        is_there = at is not None and first <= at < first + MOST_STEPS
        yield ReplayBlame(row.depth, escaped(f"{row.python}  {row.text}".strip()), at if is_there else None)


def _nonfinite_positions(session: Session, first: int) -> Iterator[int]:
    """Yields where a step that was taken made a NaN or infinity, the last first, from `first` on."""
    position = session.goto(session.cursor.last).position + 1
    for _ in range(MOST_SEARCHED):
        snapshot = session.nonfinite.reverse_to()
        if not first < snapshot.position < position:
            return
        position = snapshot.position
        if snapshot.is_behind:
            yield position


def _nearest(steps: Sequence[Sequence[_Value]], places: Sequence[int]) -> list[_Value]:
    """Returns the values whose elements are kept, those of the steps nearest to one of some places."""

    def distance(at: int) -> int:
        return min(place - at if at <= place else AHEAD * (at - place) for place in places)

    kept: list[_Value] = []
    left_bytes = MOST_BYTES
    for value in (value for at in sorted(range(len(steps)), key=distance) for value in steps[at]):
        size = 0 if value.array is None else 4 * value.array.size
        if 0 < size <= left_bytes:
            left_bytes -= size
            kept.append(value)
    return kept
