"""Costs of a program: its operations counted as often as they run, and added up in groups."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from shlo.costs.call_graph import CallGraph
from shlo.costs.memory import Memory
from shlo.costs.model import NO_WORK, Group, Note, OperationCost, ProgramCost, Rules, Work, total_of
from shlo.costs.op_work import OpWorks, known_bytes
from shlo.costs.trip_counts import Definitions, definitions, trip_count
from shlo.ir.locations import Location, resolve
from shlo.ir.name_stack import joined_scope, scope_path
from shlo.ir.operations import Block, Module, Operation, Region
from shlo.ir.recursion import recursive
from shlo.ir.source import Span
from shlo.places.origins import Origin, agreed, origin_of, through_calls

MOST_CONTEXTS: Final = 1000
"""From how many different scopes a function is called before they are told apart no more."""

_CUSTOM_CALL: Final = "stablehlo.custom_call"


@recursive
def cost(module: Module, entry: str = "main", rules: Rules = "shlo") -> ProgramCost:
    """Returns what running a function of a program once costs, operation by operation and in groups.

    Args:
        module: the program; sizes that it does not tell are not counted, which the notes say.
        entry: the name of the function.
        rules: "shlo" counts a loop's rounds where they are known; "xla" counts as XLA's cost analysis does.

    Raises:
        ValueError: the program has no function of that name with a body.
    """
    function = module.functions.get(entry)
    if function is None or function.body is None:
        raise ValueError(f"expected a function with a body, got {entry!r}")
    return _Analysis(module, entry, rules).result()


class _Counted(Struct, frozen=True):
    """An operation of a function: how often it is carried out in one call of it, and its work."""

    operation: Operation
    span: Span
    origin: Origin
    times: int
    work: Work
    unknown: str


class _Analysis:
    def __init__(self, module: Module, entry: str, rules: Rules) -> None:
        self._module, self._entry = module, entry
        self._rules: Rules = rules
        self._works = OpWorks()
        self._graph = CallGraph(module, entry, self._works)
        self._totals: dict[str, Work] = {}
        self._regions: dict[int, Work] = {}
        self._origins: dict[int, Origin] = {}
        self._notes: dict[Hashable, Note] = {}
        self._function = entry
        self._counted: list[_Counted] = []
        self._calls: list[tuple[str, tuple[str, ...], int, Origin]] = []
        self._callers: dict[str, set[Origin]] = {}

    def result(self) -> ProgramCost:
        """Returns the costs."""
        for function in reversed(self._graph.order):
            assert function.body is not None
            self._function = function.name
            self._totals[function.name] = self._region_total(function.body, {})
        self._notes.clear()
        memory = Memory(self._graph, self._works)
        scopes, operations = self._called(memory)
        entry = self._module.functions[self._entry]
        return ProgramCost(
            entry=self._entry,
            rules=self._rules,
            total=total_of(operation.total for operation in operations),
            peak_bytes=max((operation.live_bytes for operation in operations), default=0),
            argument_bytes=sum(map(known_bytes, entry.type.inputs)),
            result_bytes=sum(map(known_bytes, entry.type.results)),
            operations=tuple(operations),
            kinds=_largest_first(_grouped(operations, lambda cost: (cost.operation.name,))),
            scopes=tuple(sorted(scopes.values(), key=lambda group: group.path)),
            lines=_largest_first(_grouped(operations, _line_of)),
            notes=tuple(self._notes.values()),
            source=self._module.source,
        )

    # --- functions, callers first ---

    def _called(self, memory: Memory) -> tuple[dict[tuple[str, ...], Group], list[OperationCost]]:
        """Returns the costs by scope, and the operations of all functions with how often they run."""
        contexts: dict[str, dict[tuple[str, ...], int]] = {self._entry: {(): 1}}
        scopes: dict[tuple[str, ...], Group] = {}
        operations: list[OperationCost] = []
        for function in self._graph.order:
            calls = contexts.get(function.name)
            if calls is None or function.body is None:  # only a kernel's region calls it
                continue
            self._function, self._counted, self._calls = function.name, [], []
            self._count_region(function.body, function.span.start, 1, {})
            times = sum(calls.values())
            relative = _scope_groups(self._counted)
            callers = agreed(self._callers.get(function.name, ()))
            for prefix, count in calls.items():
                for group in relative:
                    _add_group(scopes, joined_scope(prefix, group.path), group, count)
            for callee, scope, often, origin in self._calls:
                self._callers.setdefault(callee, set()).add(through_calls(origin, callers))
                into = contexts.setdefault(callee, {})
                for prefix, count in calls.items():
                    path = joined_scope(prefix, scope)
                    if path not in into and len(into) >= MOST_CONTEXTS:
                        path = ()
                    into[path] = into.get(path, 0) + count * often
            operations += (
                OperationCost(
                    count.operation,
                    function.name,
                    count.span,
                    through_calls(count.origin, callers),
                    count.work,
                    count.times * times,
                    memory.at(count.operation),
                    count.unknown,
                )
                for count in self._counted
            )
        return scopes, operations

    # --- operations of a function ---

    def _count_region(self, region: Region, start: int, times: int, definitions: Definitions) -> None:
        for block in region.blocks:
            inside = _inside(block, definitions)
            for index, operation in enumerate(block.operations):
                self._count(operation, block.span(index, start), times, inside)

    def _count(self, operation: Operation, span: Span, times: int, definitions: Definitions) -> None:
        """Counts an operation that is carried out so many times, and those in its regions."""
        work, unknown = self._own(operation, definitions)
        origin = self._origin(operation.location)
        self._counted.append(_Counted(operation, span, origin, times, work, unknown))
        if unknown:
            self._note(unknown, operation, span)
        callee = self._works.of(operation.signature).callee
        if callee is not None and not unknown:
            scope = scope_path(origin.scope)
            path = (*scope, origin.primitive) if origin.primitive else scope
            self._calls.append((callee, path, times, origin))
        for region, rounds in self._rounds(operation, definitions, span) if operation.regions else ():
            self._count_region(region, span.start, times * rounds, definitions)

    def _own(self, operation: Operation, definitions: Definitions) -> tuple[Work, str]:
        """Returns the work of an operation and of its kernel's regions; and why it is not known."""
        facts = self._works.of(operation.signature)
        if self._rules == "xla" and operation.name == _CUSTOM_CALL:
            return Work(flops=-1), facts.unknown
        if facts.work is None:
            return NO_WORK, facts.unknown
        if facts.callee is not None:
            return NO_WORK, self._obstacle(facts.callee)
        work = facts.own
        for region, rounds in zip(operation.regions, facts.work.rounds):
            total = self._region_total(region, definitions)
            work += Work(total.flops, total.transcendentals) * rounds
        return work, ""

    def _obstacle(self, callee: str) -> str:
        """Returns why the work of a call is not known, empty where it is."""
        if self._graph.find(callee) is None:
            return f"what @{callee} computes is not in the program"
        if callee not in self._totals or self._graph.is_cyclic(self._function, callee):
            return f"@{callee} calls itself, how often is not known"
        return ""

    def _rounds(
        self, operation: Operation, definitions: Definitions, span: Span | None = None
    ) -> list[tuple[Region, int]]:
        """Returns the regions of an operation that are carried out operation by operation, and how often."""
        regions = operation.regions
        facts = self._works.of(operation.signature)
        if not regions or facts.has_kernel:
            return []
        if facts.control_flow == "branch":
            totals = [self._region_total(region, definitions) for region in regions]
            best = max(range(len(regions)), key=lambda cost: _weight(totals[cost]))
            if len(regions) > 1 and any(totals) and span is not None:
                self._note("of a branch, the region with the most FLOPs is counted", operation, span)
            return [(regions[best], 1)]
        if facts.control_flow in ("while", "count") and self._rules == "shlo":
            rounds = trip_count(operation, definitions) if operation.name == "stablehlo.while" else None
            if rounds is None and span is not None:
                self._note("how often a loop runs is not known: one round is counted", operation, span)
            rounds = 1 if rounds is None else rounds
            condition = [(regions[0], rounds + 1)] if len(regions) > 1 else []
            return [*condition, (regions[len(regions) - 1], rounds)]
        return [(region, 1) for region in regions]

    def _region_total(self, region: Region, definitions: Definitions) -> Work:
        """Returns the work of carrying a region out once."""
        total = self._regions.get(id(region))
        if total is None:
            parts = list[Work]()
            for block in region.blocks:
                inside = _inside(block, definitions)
                parts += (self._total(operation, inside) for operation in block.operations)
            total = self._regions[id(region)] = total_of(parts)
        return total

    def _total(self, operation: Operation, definitions: Definitions) -> Work:
        """Returns the work of an operation with all that it carries out or calls."""
        work, unknown = self._own(operation, definitions)
        callee = self._works.of(operation.signature).callee
        if callee is not None and not unknown:
            work += self._totals[callee]
        for region, rounds in self._rounds(operation, definitions):
            work += self._region_total(region, definitions) * rounds
        return work

    def _origin(self, location: Location | None) -> Origin:
        location = resolve(location)
        origin = self._origins.get(id(location))
        if origin is None:  # the program keeps its locations
            origin = self._origins[id(location)] = origin_of(location)
        return origin

    def _note(self, text: str, operation: Operation, span: Span) -> None:
        index = self._notes.get(text)
        self._notes[text] = (
            Note(text, self._function, span) if index is None else replace(index, count=index.count + 1)
        )


def _inside(block: Block, known: Definitions) -> Definitions:
    return {**known, **definitions(block)}


def _weight(work: Work) -> tuple[int, int, int]:
    return work.flops, work.transcendentals, work.accessed_bytes


def _scope_groups(counted: Iterable[_Counted]) -> list[Group]:
    """Returns the work of one call of a function by scope."""
    members_of: dict[str, list[_Counted]] = {}
    for count in counted:
        members_of.setdefault(count.origin.scope, []).append(count)
    return [
        Group(
            scope_path(scope),
            total_of(member.work * member.times for member in members),
            len(members),
            sum(member.times for member in members),
        )
        for scope, members in members_of.items()
    ]


def _add_group(into: dict[tuple[str, ...], Group], path: tuple[str, ...], group: Group, count: int) -> None:
    known = into.get(path)
    work, times = group.work * count, group.times * count
    if known is None:
        into[path] = Group(path, work, group.count, times)
    else:
        into[path] = Group(path, known.work + work, known.count + group.count, known.times + times)


def _grouped(
    operations: Iterable[OperationCost], path_of: Callable[[OperationCost], tuple[str, ...]]
) -> Iterable[Group]:
    members_of: dict[tuple[str, ...], list[OperationCost]] = {}
    for operation in operations:
        members_of.setdefault(path_of(operation), []).append(operation)
    for path, members in members_of.items():
        work = total_of(member.total for member in members)
        yield Group(path, work, len(members), sum(member.times for member in members))


def _line_of(operation: OperationCost) -> tuple[str, ...]:
    line = operation.origin.line
    return () if line is None else (f"{line.file}:{line.line}",)


def _largest_first(groups: Iterable[Group]) -> tuple[Group, ...]:
    return tuple(
        sorted(groups, key=lambda group: (-group.work.operations, -group.work.accessed_bytes, group.path))
    )
