"""Time of a run by kind of operation, by name scope and by line of Python."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Final, TypeVar

from msgspec import Struct, field

from shlo.ir.name_stack import joined_scope, scope_path
from shlo.ir.operations import Operation
from shlo.places.origins import Origin, origin_of, origin_of_path
from shlo.runner.files import replace_file
from shlo.text.escape import escaped
from shlo.text.numbers import plural

if TYPE_CHECKING:
    from shlo.interpreter.runtime.profile import ProfiledRun


SMALLEST: Final = 0.005
"""Which part of the time a scope or line must take to be in a table."""

ROWS: Final = 20
"""How many scopes and lines a table has at most."""

_STEP: Final = "  "

Key = TypeVar("Key", str, tuple[str, ...])


class RunCost(Struct):
    """How often operations ran and how many seconds that took."""

    name: str
    count: int = 0
    seconds: float = 0.0

    def add(self, seconds: float) -> None:
        """Adds one run."""
        self.count += 1
        self.seconds += seconds


class OriginsOfRuns:
    """Finds the name stack and line of Python of operations that run, with the calls around them."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, ...], tuple[tuple[str, ...], Origin, tuple[Operation, ...]]] = {}

    def of(self, path: tuple[Operation, ...]) -> tuple[tuple[str, ...], Origin]:
        """Returns the parts of the name stack, and the origin of the operation or of the calls to it."""
        key = tuple(map(id, path))
        origins = self._known.get(key)
        if origins is None:  # which keeps the operations, so that no other gets the identity of one
            origins = self._known[key] = _scope_of(path), origin_of_path(path), path
        return origins[:2]


def _scope_of(path: tuple[Operation, ...]) -> tuple[str, ...]:
    scope: tuple[str, ...] = ()
    for operation in path[:-1]:
        if operation.regions:  # what is in its regions has a whole name stack, as far as it has any
            continue
        origin = origin_of(operation.location)
        primitive = (origin.primitive,) if origin.primitive else ()
        scope = joined_scope(scope, (*scope_path(origin.scope), *primitive))
    return joined_scope(scope, scope_path(origin_of(path[-1].location).scope))


class RunProfile:
    """Adds up the costs of a run's operations; the interpreter calls `record`.

    Args:
        trace: collects each operation, too.
    """

    def __init__(self, trace: TraceEvents | None = None) -> None:
        self._costs: dict[str, RunCost] = {}
        self._scopes: dict[tuple[str, ...], RunCost] = {}
        self._lines: dict[str, RunCost] = {}
        self._origins = OriginsOfRuns()
        self._trace = trace
        self.seconds = 0.0

    def record(self, run: ProfiledRun) -> None:
        """Adds one run of an operation; waiting takes no time."""
        scope, origin = self._origins.of(run.path)
        if self._trace is not None:
            self._trace.add(run, scope, origin)
        if run.is_wait:
            return
        seconds = run.seconds
        _of(self._costs, run.name, run.name).add(seconds)
        for length in range(1, len(scope) + 1):
            _of(self._scopes, scope[:length], scope[length - 1]).add(seconds)
        if (line := origin.line) is not None:
            line_name = f"{line.file}:{line.line}"
            _of(self._lines, line_name, line_name).add(seconds)
        self.seconds += seconds

    @property
    def costs(self) -> list[RunCost]:
        """The costs by kind, the largest first."""
        return _largest_first(self._costs.values())

    @property
    def lines(self) -> list[RunCost]:
        """The costs by line of Python, the largest first; none where locations tell no lines."""
        return _largest_first(self._lines.values())

    @property
    def scopes(self) -> list[tuple[tuple[str, ...], RunCost]]:
        """The costs by name scope, each with what is inside, as the walk through a tree."""
        children: dict[tuple[str, ...], list[tuple[str, ...]]] = {}
        for path in self._scopes:
            children.setdefault(path[:-1], []).append(path)

        def walk(path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], RunCost]]:
            for child in sorted(children.get(path, ()), key=lambda path: -self._scopes[path].seconds):
                yield child, self._scopes[child]
                yield from walk(child)

        return list(walk(()))

    def table(self, total_seconds: float) -> str:
        """Returns tables for people: time, share, count and mean of each kind, of what the rest took, and,
        where locations tell them, of scopes and lines of Python.
        """
        lines = [_header("operation"), *(_line(cost, total_seconds) for cost in self.costs)]
        rest = max(total_seconds - self.seconds, 0.0)
        lines.append(_line(RunCost("(compiling the program, dispatch)", 0, rest), total_seconds))
        lines.append(_line(RunCost("(all)", 0, total_seconds), total_seconds))
        scopes = [(path, cost) for path, cost in self.scopes if cost.seconds >= SMALLEST * self.seconds]
        if scopes:
            shown = [_line(cost, total_seconds, len(path) - 1) for path, cost in scopes]
            lines += ["", *_limited(_header("name scope"), shown, "scope")]
        if self.lines:
            shown = [_line(cost, total_seconds) for cost in self.lines]
            lines += ["", *_limited(_header("line of Python"), shown, "line")]
        return "\n".join(lines)


def _of(costs: dict[Key, RunCost], key: Key, name: str) -> RunCost:
    cost = costs.get(key)
    if cost is None:
        cost = costs[key] = RunCost(name)
    return cost


def _largest_first(costs: Iterable[RunCost]) -> list[RunCost]:
    return sorted(costs, key=lambda cost: -cost.seconds)


def _limited(header: str, rows: list[str], noun: str) -> Iterator[str]:
    yield header
    yield from rows[:ROWS]
    if len(rows) > ROWS:
        yield f"{_STEP}... {plural(len(rows) - ROWS, noun)} more"


def _header(what: str) -> str:
    return f"{'time':>12}  {'share':>6}  {'count':>9}  {'mean':>12}  {what}"


def _line(cost: RunCost, total: float, depth: int = 0) -> str:
    share = 100 * cost.seconds / total if total else 0.0
    mean = f"{cost.seconds / cost.count * 1e6:.1f} us" if cost.count else ""
    count = f"{cost.count}" if cost.count else ""
    name = _STEP * depth + cost.name
    return f"{cost.seconds * 1e3:9.3f} ms  {share:5.1f}%  {count:>9}  {mean:>12}  {name}"


# --- timelines in the trace event format --------------------------------------------------------------------


MOST_EVENTS: Final = 1_000_000
"""How many slices are kept; what comes later is left out."""

_MICROSECONDS: Final = 1e6


class _Track(Struct):
    """A process: what messages call it, the scopes that are open with their starts, the end of the last
    slice."""

    label: str
    scopes: list[tuple[str, float]] = field(default_factory=list[tuple[str, float]])
    end: float = 0.0


class TraceEvents:
    """Collects slices, and writes them."""

    def __init__(self) -> None:
        self._tracks: dict[int, _Track] = {}
        self._slices: list[dict[str, Any]] = []
        self.left_out = 0

    def add(self, run: ProfiledRun, scope: tuple[str, ...], origin: Origin) -> None:
        """Adds an operation that ran, or a wait, in a name scope."""
        if len(self._slices) >= MOST_EVENTS:
            self.left_out += 1
            return
        track = self._tracks.get(run.process)
        if track is None:
            track = self._tracks[run.process] = _Track(run.label or "main")
        same = 0
        while same < min(len(scope), len(track.scopes)) and scope[same] == track.scopes[same][0]:
            same += 1
        self._close(run.process, track, same)
        track.scopes += ((part, run.start) for part in scope[same:])
        name, category = (f"wait: {run.name}", "wait") if run.is_wait else (run.name, "operation")
        arguments = _arguments(run.path[-1], origin)
        self._slice(run.process, name, category, run.start, run.start + run.seconds, arguments)
        track.end = run.start + run.seconds

    def write(self, path: str) -> None:
        """Writes the trace; raises RequestError."""
        for number, track in self._tracks.items():
            self._close(number, track, 0)
        start = min((event["ts"] for event in self._slices), default=0.0)
        events: list[dict[str, Any]] = [_metadata("process_name", 0, {"name": "shlo run"})]
        for number, track in sorted(self._tracks.items()):
            events.append(_metadata("thread_name", number, {"name": escaped(track.label)}))
            events.append(_metadata("thread_sort_index", number, {"sort_index": number}))
        for event in sorted(self._slices, key=lambda event: (event["ts"], -event["dur"])):
            events.append({**event, "ts": round(event["ts"] - start, 3), "dur": round(event["dur"], 3)})
        data = json.dumps({"traceEvents": events, "displayTimeUnit": "ns"}).encode()
        replace_file(path, lambda file: file.write(data))

    def _close(self, number: int, track: _Track, depth: int) -> None:
        """Ends the scopes that are open, but for the outer ones that are kept."""
        while len(track.scopes) > depth:
            part, start = track.scopes.pop()
            self._slice(number, part, "scope", start, track.end, {})

    def _slice(
        self, number: int, name: str, category: str, start: float, end: float, arguments: dict[str, Any]
    ) -> None:
        self._slices.append(
            {
                "ph": "X",
                "name": escaped(name),
                "cat": category,
                "ts": start * _MICROSECONDS,
                "dur": (end - start) * _MICROSECONDS,
                "pid": 0,
                "tid": number,
                "args": arguments,
            }
        )


def _metadata(name: str, number: int, arguments: dict[str, Any]) -> dict[str, Any]:
    return {"ph": "M", "name": name, "pid": 0, "tid": number, "args": arguments}


def _arguments(operation: Operation, origin: Origin) -> dict[str, Any]:
    """Returns what is shown beside a slice."""
    texts = {
        "operands": ", ".join(map(str, operation.operand_types)),
        "results": ", ".join(map(str, operation.result_types)),
    }
    if origin.line is not None:
        texts["python"] = f"{origin.line.file}:{origin.line.line}"
    return {name: escaped(text) for name, text in texts.items()}
