"""Time of a run by kind of operation, by name scope and by line of Python."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final, TypeVar

from msgspec import Struct

from shlo.ir.name_stack import joined_scope, scope_path
from shlo.ir.operations import Operation
from shlo.places.origins import Origin, origin_of, origin_of_path
from shlo.text.numbers import plural

if TYPE_CHECKING:
    from shlo.interpreter.runtime.profile import OperationRun
    from shlo.runner.trace_events import TraceEvents

SMALLEST: Final = 0.005
"""Which part of the time a scope or line must take to be in a table."""

ROWS: Final = 20
"""How many scopes and lines a table has at most."""

_STEP: Final = "  "

Key = TypeVar("Key", str, tuple[str, ...])


class Cost(Struct):
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
        found = self._known.get(key)
        if found is None:  # which keeps the operations, so that no other gets the identity of one
            found = self._known[key] = _scope_of(path), origin_of_path(path), path
        return found[:2]


def _scope_of(path: tuple[Operation, ...]) -> tuple[str, ...]:
    scope: tuple[str, ...] = ()
    for operation in path[:-1]:
        if operation.regions:  # what is in its regions has a whole name stack, as far as it has any
            continue
        origin = origin_of(operation.location)
        primitive = (origin.primitive,) if origin.primitive else ()
        scope = joined_scope(scope, (*scope_path(origin.scope), *primitive))
    return joined_scope(scope, scope_path(origin_of(path[-1].location).scope))


class Profile:
    """Adds up the costs of a run's operations; the interpreter calls `record`.

    Args:
        trace: is told of each operation, too.
    """

    def __init__(self, trace: TraceEvents | None = None) -> None:
        self._costs: dict[str, Cost] = {}
        self._scopes: dict[tuple[str, ...], Cost] = {}
        self._lines: dict[str, Cost] = {}
        self._origins = OriginsOfRuns()
        self._trace = trace
        self.seconds = 0.0

    def record(self, run: OperationRun) -> None:
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
            place = f"{line.file}:{line.line}"
            _of(self._lines, place, place).add(seconds)
        self.seconds += seconds

    @property
    def costs(self) -> list[Cost]:
        """The costs by kind, the largest first."""
        return _largest_first(self._costs.values())

    @property
    def lines(self) -> list[Cost]:
        """The costs by line of Python, the largest first; none where locations tell no lines."""
        return _largest_first(self._lines.values())

    @property
    def scopes(self) -> list[tuple[tuple[str, ...], Cost]]:
        """The costs by name scope, each with what is inside, as the walk through a tree."""
        children: dict[tuple[str, ...], list[tuple[str, ...]]] = {}
        for path in self._scopes:
            children.setdefault(path[:-1], []).append(path)

        def walk(path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Cost]]:
            for child in sorted(children.get(path, ()), key=lambda each: -self._scopes[each].seconds):
                yield child, self._scopes[child]
                yield from walk(child)

        return list(walk(()))

    def table(self, total_seconds: float) -> str:
        """Returns tables for people: time, share, count and mean of each kind, of what the rest took, and,
        where locations tell them, of scopes and lines of Python.
        """
        lines = [_header("operation"), *(_line(cost, total_seconds) for cost in self.costs)]
        rest = max(total_seconds - self.seconds, 0.0)
        lines.append(_line(Cost("(compiling the program, dispatch)", 0, rest), total_seconds))
        lines.append(_line(Cost("(all)", 0, total_seconds), total_seconds))
        scopes = [(path, cost) for path, cost in self.scopes if cost.seconds >= SMALLEST * self.seconds]
        if scopes:
            shown = [_line(cost, total_seconds, len(path) - 1) for path, cost in scopes]
            lines += ["", *_limited(_header("name scope"), shown, "scope")]
        if self.lines:
            shown = [_line(cost, total_seconds) for cost in self.lines]
            lines += ["", *_limited(_header("line of Python"), shown, "line")]
        return "\n".join(lines)


def _of(costs: dict[Key, Cost], key: Key, name: str) -> Cost:
    found = costs.get(key)
    if found is None:
        found = costs[key] = Cost(name)
    return found


def _largest_first(costs: Iterable[Cost]) -> list[Cost]:
    return sorted(costs, key=lambda cost: -cost.seconds)


def _limited(header: str, rows: list[str], noun: str) -> Iterator[str]:
    yield header
    yield from rows[:ROWS]
    if len(rows) > ROWS:
        yield f"{_STEP}... {plural(len(rows) - ROWS, noun)} more"


def _header(what: str) -> str:
    return f"{'time':>12}  {'share':>6}  {'count':>9}  {'mean':>12}  {what}"


def _line(cost: Cost, total: float, depth: int = 0) -> str:
    share = 100 * cost.seconds / total if total else 0.0
    mean = f"{cost.seconds / cost.count * 1e6:.1f} us" if cost.count else ""
    count = f"{cost.count}" if cost.count else ""
    name = _STEP * depth + cost.name
    return f"{cost.seconds * 1e3:9.3f} ms  {share:5.1f}%  {count:>9}  {mean:>12}  {name}"
