"""Provenance through time: from an element back through operations, rounds, calls and processes."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from heapq import heapify, heappop, heappush
from typing import Any, Final, Literal

import numpy as np
from msgspec import Struct, field
from msgspec.structs import replace

from shlo.debugger.provenance.collectives import CollectiveSource, Values, collective_sources
from shlo.debugger.provenance.communication import message_of, part_source, visits_before, whole_sources
from shlo.debugger.provenance.contributions import Index, Role, results_of, run_of
from shlo.debugger.provenance.handed_on import Path, handed_on, unchanged_operand
from shlo.debugger.provenance.rewind import Rewinder
from shlo.debugger.provenance.rounds import first_nonfinite_round
from shlo.debugger.provenance.trace import contributions
from shlo.debugger.replay.cursor import ReplayCursor
from shlo.debugger.replay.program_points import ProgramPoint, origin_in, region_name, value_name
from shlo.dialects.stablehlo.custom_call_targets import GLOBAL_TO_LOCAL, SHARDING_CALLS
from shlo.interpreter.engine.binding import bound_kernel
from shlo.interpreter.engine.frames import Frame, rounds_of
from shlo.interpreter.kernel_api import OpView, Value
from shlo.interpreter.program.code import CodeBlock, Kind
from shlo.interpreter.program.sync_points import (
    ASYNC_DONE,
    ASYNC_START,
    INFEED,
    MANUAL_COMPUTATION,
    MANUAL_RETURN,
    RECV,
    call_target,
)
from shlo.interpreter.spmd.blocking_ops import is_one_collective
from shlo.interpreter.spmd.shard_map import operand_layouts, result_layouts
from shlo.places.origins import Origin
from shlo.places.place import Place
from shlo.runner.statistics import has_nan, is_finite

MOST_LINKS: Final = 10_000
"""How long a chain may get."""

LONGEST_CYCLE: Final = 64
"""How many links a round may have to be recognised in the next one."""

FOLLOWED_ROUNDS: Final = 4
"""How many rounds a chain follows link by link before it passes over those that are alike."""

FEWEST_ROUNDS: Final = 64
"""From which round on those before are looked at for whether they can be passed over."""

MOST_OPERANDS: Final = 4
"""How many finite operands are named of an operation that made a number that is not."""

End = Literal["", "argument", "constant", "infeed", "edited", "source", "opaque", "made", "limit"]
"""Why nothing follows an element: it is one of an argument of the program, of a constant or of an item of the
infeed; it was edited; its operation has no elements of operands that matter; nothing is known about its
operation; it is not finite, but all that it was made of is; the chain is too long. Empty where it goes on.
"""


class ChainElement(Struct, frozen=True):
    """An element of a value, at the position at which that was bound in a frame of this `depth` (from 1).

    `path` says which part of a tuple. `region` and `iteration` are those of the frame, as in `body` and 73.
    """

    process: int
    position: int
    code: CodeBlock
    register: int
    depth: int
    index: Index
    path: Path = ()
    region: str = ""
    iteration: int = 0

    @property
    def is_argument(self) -> bool:
        """Whether the value is an argument of its block."""
        return self.code.defined_at[self.register] < 0

    @property
    def name(self) -> str:
        """The value's name in the source, without `%`."""
        return value_name(self.code, self.register)


class Link(Struct, frozen=True):
    """An element of a chain: its number, the operation that bound its value, its line and where it came from
    (empty and None for an argument of the program), and its role and amount in the element before it in the
    chain. `rounds` are those of a loop between the element before it and this one, at whose beginnings this
    element is not finite either; they are not followed one by one.
    """

    element: ChainElement
    number: Any
    op: str
    line: int | None
    role: Role = "value"
    amount: float | complex | None = None
    origin: Origin = Origin()
    rounds: int = 0

    @property
    def place(self) -> Place:
        """Where the operation is that bound the value."""
        return Place(self.op, self.line, self.origin)

    @property
    def is_finite(self) -> bool:
        """Whether the element is an ordinary number."""
        return is_finite(self.number)

    @property
    def is_nan(self) -> bool:
        """Whether the element is no number."""
        return has_nan(self.number)


class BoundValue(Struct, frozen=True):
    """A value as it was bound, and in which rounds of the loops around, the outermost first."""

    value: Value
    rounds: tuple[int, ...]


class Sources(Struct, frozen=True):
    """What made an element: the elements that it depends on, the most important first, `total` with those
    that are not listed. Without any, `end` says why; `reason` says so in words for an opaque operation.
    """

    links: tuple[Link, ...] = ()
    total: int = 0
    end: End = ""
    reason: str = ""


class Chain(Struct, frozen=True):
    """An element, what made it, and so on back: the most important source of each. `end` is that of the
    last link; `operands` are the finite elements of which that made one that is not.
    """

    links: tuple[Link, ...]
    end: End
    reason: str = ""
    operands: tuple[Link, ...] = ()


class Tree(Struct):
    """An element, and trees of the most important elements that made it, of `total`. `end` says why nothing
    follows, or that the tree was cut off there.
    """

    link: Link
    depth: int = 0
    branches: list[Tree] = field(default_factory=list["Tree"])
    total: int = 0
    end: End = ""
    reason: str = ""


class Tracer:
    """Walks back from elements. It moves a fork of the cursor, never the session."""

    def __init__(self, cursor: ReplayCursor) -> None:
        self._cursor = cursor

    def link(self, element: ChainElement, value: Value) -> Link:
        """Returns an element of a value as the first link of a chain."""
        return _link(self._cursor, element, value)

    def result(self, number: int, index: Index) -> Link:
        """Returns an element of a result of the selected process, which is done: one of what it returned."""
        cursor = self._cursor
        returned = cursor.trace.point(cursor.process.steps - 1)
        assert returned is not None
        register = returned.code.instructions[returned.index].operands[number]
        code = _defining(returned.code, register)
        assert code is not None
        position = cursor.values.bound_at(code, register, 1)
        element = ChainElement(cursor.selected, position, code, register, 1, index)
        return _link(cursor, element, cursor.process.returned[number])

    def value(self, element: ChainElement) -> BoundValue:
        """Returns the whole value that an element is of, as it was bound."""
        with self._cursor.fork_at(element.position) as fork:
            Rewinder(fork).to(element.position)
            fork.selected = element.process
            frames = fork.process.frames[: element.depth]
            value = frames[-1].registers[element.register]
        for part in element.path:
            value = value[part]
        return BoundValue(value, rounds_of(frames))

    def sources(self, elements: Sequence[ChainElement], most: int = 20) -> list[Sources]:
        """Returns what made each element; at most so many links."""
        with self._fork(elements) as step:
            return [step.sources(element, most) for element in elements]

    def chains(self, firsts: Sequence[Link], most: Sequence[int]) -> list[Chain]:
        """Returns the chain that begins with each element, of at most so many links. From one that is not
        finite it leads to others that are not; it ends where there are none, that is where the first of them
        was made.

        They are followed side by side, the latest position first, so that each interval is replayed once.
        """
        walks = [_ChainWalk(first, limit) for first, limit in zip(firsts, most)]
        chains: dict[int, Chain] = {}
        waiting = [(-first.element.position, number) for number, first in enumerate(firsts)]
        heapify(waiting)
        with self._fork([first.element for first in firsts]) as step:
            while waiting:
                number = heappop(waiting)[1]
                chain = walks[number].advance(step)
                if chain is None:
                    heappush(waiting, (-walks[number].links[-1].element.position, number))
                else:
                    chains[number] = chain
        return [chains[number] for number in range(len(walks))]

    def tree(self, first: Link, depth: int, width: int = 3, most: int = 200) -> Tree:
        """Returns the tree of the most important sources of an element.

        Args:
            first: The element.
            depth: How often the tree branches on the way to any leaf.
            width: How many sources of an element it follows.
            most: How many elements it has.
        """
        root = Tree(first)
        waiting: list[tuple[int, int, Tree]] = [(-first.element.position, 0, root)]
        count = 1
        with self._fork([first.element]) as step:
            while waiting:  # the latest position first, so that each interval is replayed once
                tree = heappop(waiting)[2]
                if tree.depth >= depth or count >= most:
                    tree.end = "limit" if tree.link.element.position else "argument"
                    continue
                sources = step.sources(tree.link.element, width)
                tree.total, tree.end, tree.reason = sources.total, sources.end, sources.reason
                for link in sources.links:
                    branch = Tree(link, tree.depth + (len(sources.links) > 1))
                    tree.branches.append(branch)
                    heappush(waiting, (-link.element.position, count, branch))
                    count += 1
        return root

    @contextmanager
    def _fork(self, elements: Sequence[ChainElement]) -> Generator[_StepBack]:
        last = max((element.position for element in elements), default=0)
        with self._cursor.fork_at(max(last - 1, 0)) as fork:
            yield _StepBack(Rewinder(fork))


class _ChainWalk:
    """A chain as far as it was followed."""

    def __init__(self, first: Link, most: int) -> None:
        self.links = [first]
        self._most = most  # rounds that are alike count as few

    def advance(self, step: _StepBack) -> Chain | None:
        """Follows the chain by a link; returns it where it ends."""
        links, is_finite_chain = self.links, self.links[0].is_finite
        if len(links) >= self._most:
            return Chain(tuple(links), "limit")
        sources = step.sources(links[-1].element, 1 if is_finite_chain else MOST_OPERANDS)
        if sources.end:
            return Chain(tuple(links), sources.end, sources.reason)
        following = _most_guilty(links[-1], sources.links)
        if not is_finite_chain and following.is_finite:
            return Chain(tuple(links), "made", operands=sources.links)
        links.append(following)
        if not is_finite_chain and (earlier := step.earlier_round(links)):
            links.append(earlier)
        return None


class _StepBack:
    """One step back from an element, in a fork."""

    def __init__(self, rewinder: Rewinder) -> None:
        self._rewinder = rewinder
        self._known: dict[tuple[ChainElement, int], Sources] = {}

    def earlier_round(self, links: Sequence[Link]) -> Link | None:
        """Returns the last element of a chain as it is in an earlier round, where the chain goes the same way
        through rounds and leads through more of them; None elsewhere.
        """
        link = links[-1]
        element = link.element
        if not element.is_argument or element.path or element.iteration < FEWEST_ROUNDS:
            return None
        length = _round_length(links)
        if not length or not _is_repeated(links, length):
            return None
        round_start = first_nonfinite_round(self._rewinder.fork, element)
        if round_start is None:
            return None
        number, position = round_start
        earlier = replace(element, position=position, iteration=number)
        return replace(link, element=earlier, rounds=element.iteration - number)

    def sources(self, element: ChainElement, most: int) -> Sources:
        """Returns what made an element; at most so many links."""
        sources = self._known.get((element, most))
        if sources is None:
            sources = self._known[element, most] = self._find_sources(element, most)
        return sources

    def _find_sources(self, element: ChainElement, most: int) -> Sources:
        if self._rewinder.fork.history.has_edits:
            element, is_edited = _before_edits(self._rewinder.fork, element)
            if is_edited:
                return Sources(end="edited")
        if not element.position:
            return Sources(end="argument")
        cursor = self._rewinder.to(element.position - 1)
        cursor.selected = element.process
        process = cursor.process
        frame = process.frames[-1]
        depth = len(process.frames)
        instruction = frame.instruction
        is_here = not element.is_argument and element.code is frame.code and element.depth == depth
        if is_here and instruction.kind is Kind.KERNEL:
            return self._of_operation(cursor, frame, element, most)
        if instruction.kind is Kind.KERNEL:
            return _entered(cursor, frame, element)
        if instruction.operation.name == MANUAL_RETURN and depth > 1:
            outer = process.frames[-2]
            if outer.instruction.operation.name == MANUAL_COMPUTATION:
                result = outer.instruction.results.index(element.register)
                return _joined(cursor, outer, result, element, most)
        return _handed(cursor, element)

    def _of_operation(self, cursor: ReplayCursor, frame: Frame, element: ChainElement, most: int) -> Sources:
        instruction = frame.instruction
        result = instruction.results.index(element.register)
        point = cursor.points[cursor.points.number(frame.code, frame.index)]
        if point.is_constant:
            return Sources(end="constant")
        if point.is_sync_point:
            return self._of_sync_point(cursor, point, frame, element, result, most)
        operands = frame.operands
        if point.operation.name == "stablehlo.tuple":
            source = _element(cursor, instruction.operands[element.path[0]], element.index, element.path[1:])
            return Sources((_link(cursor, source, operands[element.path[0]]),), 1)
        kernel = bound_kernel(frame.code, frame.index)
        if point.operation.name == "stablehlo.get_tuple_element":
            path = (kernel.op_view.integer("index"), *element.path)
            source = _element(cursor, instruction.operands[0], element.index, path)
            return Sources((_link(cursor, source, operands[0]),), 1)
        if element.path:
            return Sources(end="opaque", reason=f"{point.operation.name} makes a tuple")
        target, context = call_target(point.operation), cursor.process.context
        if target and (target in context.handlers or target in context.stubs):
            return Sources(end="opaque", reason=f"nothing is known about {target!r}, which this run handles")
        results = cursor.history.results(cursor.position)
        if results is None:
            with np.errstate(all="ignore"):
                results = () if kernel.entry.needs_context else results_of(kernel.evaluate(*operands))
        contributed = contributions(run_of(kernel, operands, results), result, element.index, most)
        if contributed.opaque:
            return Sources(end="opaque", reason=contributed.opaque)
        links = tuple(
            _link(
                cursor,
                _element(cursor, instruction.operands[contribution.operand], contribution.index),
                operands[contribution.operand],
                contribution.role,
                contribution.amount,
            )
            for contribution in contributed.listed
        )
        captured = operands[len(kernel.op_view.operand_types) :]
        if captured:
            links = _with_captured(cursor, frame, links, len(captured))
        return Sources(links, max(contributed.total, len(links)), "" if links else "source")

    # --- other processes ---

    def _of_sync_point(
        self,
        cursor: ReplayCursor,
        point: ProgramPoint,
        frame: Frame,
        element: ChainElement,
        result: int,
        most: int,
    ) -> Sources:
        name = call_target(point.operation) or point.operation.name
        if name == INFEED:
            return Sources(end="infeed")
        if name == RECV:
            return self._of_message(cursor, frame, element, result)
        if name in SHARDING_CALLS and not cursor.grid.is_alone:
            return _of_sharding_call(cursor, name, frame, element, result, most)
        if name in SHARDING_CALLS:
            operand = element.path[0] if element.path else result
            source = _element(cursor, frame.instruction.operands[operand], element.index)
            return Sources((_link(cursor, source, frame.operands[operand]),), 1)
        if name == ASYNC_DONE:
            return self._of_future(cursor, frame, element, result, most)
        if name in (ASYNC_START, MANUAL_COMPUTATION):
            hint = "; with --grid it is entered" if name == MANUAL_COMPUTATION else ""
            return Sources(end="opaque", reason=f"{name} ran as one step{hint}")
        view = bound_kernel(frame.code, frame.index).op_view
        frames = {
            number: process.frames
            for number, process in enumerate(cursor.grid.processes)
            if process.frames and process.frames[-1].instruction.operation.name == view.name
        }
        operands = {number: process_frames[-1].operands for number, process_frames in frames.items()}
        sources = collective_sources(
            view, cursor.grid.shape, element.process, operands, result, element.index
        )
        return _of_processes(cursor, view, sources, most)

    def _of_message(self, cursor: ReplayCursor, frame: Frame, element: ChainElement, result: int) -> Sources:
        """Returns the element of the operand of the send that this recv got its value from."""
        message = message_of(cursor, frame)
        if message is None:
            return Sources(end="source")
        process, position = message
        cursor = self._rewinder.to(position)
        cursor.selected = process
        sender = cursor.process.frames[-1]
        source = _element(cursor, sender.instruction.operands[result], element.index)
        return Sources((_link(cursor, source, sender.operands[result]),), 1)

    def _of_future(
        self, cursor: ReplayCursor, frame: Frame, element: ChainElement, result: int, most: int
    ) -> Sources:
        """Returns what a collective got that was started before; what any other region returned."""
        future = _element(cursor, frame.instruction.operands[0], element.index, (result,))
        value = frame.registers[frame.instruction.operands[0]]
        if isinstance(value, tuple):
            return Sources((_link(cursor, future, value),), 1)
        started = future.code.defined_at[future.register]
        if started < 0:
            return Sources(end="opaque", reason="the future was handed on")
        start = future.code.regions(started)[0]
        if not is_one_collective(start):
            return Sources(end="opaque", reason="nothing is known about what was started")
        count = visits_before(cursor, element.process, future.code, started, future.position)
        view = bound_kernel(start, 0).op_view
        places = [start.arguments.index(register) for register in start.instructions[0].operands]
        operands: dict[int, Values] = {}
        positions: dict[int, int] = {}
        for number, trace in enumerate(cursor.history.traces):
            visits = trace.visits(future.code, started)
            if len(visits) >= count:
                positions[number] = visits[count - 1]
                there = self._rewinder.to(positions[number])
                values = there.grid.processes[number].frames[-1].operands
                operands[number] = tuple(values[number] for number in places)
        sources = collective_sources(
            view, cursor.grid.shape, element.process, operands, result, element.index
        )
        links: list[Link] = []
        for source in _ranked(sources, operands)[:most]:
            there = self._rewinder.to(positions[source.process])
            there.selected = source.process
            register = there.process.frames[-1].instruction.operands[places[source.operand]]
            element = _element(there, register, source.index)
            value = operands[source.process][source.operand]
            links.append(_link(there, element, value, source.role, source.amount))
        return _sources_of(links, sources, view)


def _most_guilty(link: Link, sources: Sequence[Link]) -> Link:
    """Returns the most important source of an element; of a NaN, one that is a NaN before an infinity."""
    return next((source for source in sources if link.is_nan and source.is_nan), sources[0])


def _key(link: Link) -> tuple[CodeBlock, int, Index, int]:
    """Returns what is the same of the elements of one value in all rounds."""
    return link.element.code, link.element.register, link.element.index, link.element.depth


def _round_length(links: Sequence[Link]) -> int:
    """Returns how many links lead from the same element in the round behind to the last one; 0 for none."""
    last = links[-1]
    for length in range(1, min(LONGEST_CYCLE, len(links) - 1) + 1):
        before = links[-1 - length]
        if _key(before) == _key(last):
            return length if before.element.iteration == last.element.iteration + 1 else 0
    return 0


def _is_repeated(links: Sequence[Link], length: int) -> bool:
    """Returns whether the last rounds of a chain, of so many links each, are alike."""
    keys = [_key(link) for link in links[-FOLLOWED_ROUNDS * length - 1 :]]
    return len(keys) == FOLLOWED_ROUNDS * length + 1 and keys[length:] == keys[:-length]


def _with_captured(
    cursor: ReplayCursor, frame: Frame, links: tuple[Link, ...], count: int
) -> tuple[Link, ...]:
    """Returns links with those of scalars that an operation's regions use from outside; what is not finite
    comes first.
    """
    all_links = list(links)
    for register in frame.instruction.operands[-count:]:
        value = frame.registers[register]
        if np.shape(value) == ():
            all_links.append(_link(cursor, _element(cursor, register, ()), value, "term"))
    return tuple(sorted(all_links, key=lambda link: link.is_finite))


def _of_sharding_call(
    cursor: ReplayCursor, name: str, frame: Frame, element: ChainElement, result: int, most: int
) -> Sources:
    """Returns what a call of an older program that goes to the parts of processes, or back, was given."""
    number = element.path[0] if element.path else result
    if name in ("SPMDFullToShardShape", GLOBAL_TO_LOCAL):
        return _part(cursor, frame, number, element)
    return _joined(cursor, frame, number, element, most)


def _before_edits(fork: ReplayCursor, element: ChainElement) -> tuple[ChainElement, bool]:
    """Returns an element as it was before edits of other elements of its value, and whether it was edited
    itself: set, or a result of an operation that was skipped or replaced.
    """
    history, fork.selected = fork.history, element.process
    binding = element.process, element.register, element.depth
    bound_at = fork.values.bound_before_edits(element.code, element.register, element.depth, element.position)
    last = element.position
    while (edit := history.edit_of_value(*binding, bound_at, last)) is not None:
        if edit.covers(element.index):
            return element, True
        last = edit.position - 1
        if edit.position == bound_at:
            break
    trace = history.traces[element.process]
    step = trace.step_at(bound_at) - 1
    point = trace.point(step) if bound_at and step >= 0 else None
    is_edited = point is not None and history.edit_of_step(element.process, step, point) is not None
    return replace(element, position=bound_at), is_edited


def _entered(cursor: ReplayCursor, frame: Frame, element: ChainElement) -> Sources:
    """Returns what an argument of a region of an operation of a grid was given."""
    number = element.code.arguments.index(element.register)
    if frame.instruction.operation.name == MANUAL_COMPUTATION:
        return _part(cursor, frame, number, element)
    source = _element(cursor, frame.instruction.operands[number], element.index, element.path)
    return Sources((_link(cursor, source, frame.operands[number]),), 1)


def _part(cursor: ReplayCursor, frame: Frame, operand: int, element: ChainElement) -> Sources:
    """Returns the element of a whole tensor that is one of a process's part."""
    layout = operand_layouts(frame.code, frame.index, cursor.grid.shape)[operand]
    whole = frame.operands[operand]
    index = part_source(layout, np.shape(whole), element.process, element.index)
    if index is None:
        return Sources(end="source")
    source = _element(cursor, frame.instruction.operands[operand], index)
    return Sources((_link(cursor, source, whole),), 1)


def _joined(cursor: ReplayCursor, frame: Frame, operand: int, element: ChainElement, most: int) -> Sources:
    """Returns the elements of the parts of processes that make one of a whole tensor. The processes are at
    the end of the operation of the frame, or at the operation itself.
    """
    layouts, group_of = result_layouts(frame.code, frame.index, cursor.grid.shape)
    group = group_of.get(element.process, (element.process,))
    shape = np.shape(cursor.process.frames[-1].operands[operand])
    sources = whole_sources(layouts[operand], group, shape, element.index)
    role: Role = "value" if len(sources) == 1 else "term"
    return _of_processes(
        cursor, None, [CollectiveSource(number, operand, at, role) for number, at in sources], most
    )


def _of_processes(
    cursor: ReplayCursor, view: OpView | None, sources: list[CollectiveSource] | None, most: int
) -> Sources:
    """Returns elements of operands of the next operations of processes."""
    processes = cursor.grid.processes
    operands = {source.process: processes[source.process].frames[-1].operands for source in sources or ()}
    links: list[Link] = []
    for source in _ranked(sources, operands)[:most]:
        cursor.selected = source.process
        frame = cursor.process.frames[-1]
        element = _element(cursor, frame.instruction.operands[source.operand], source.index)
        links.append(_link(cursor, element, frame.operands[source.operand], source.role, source.amount))
    return _sources_of(links, sources, view)


def _ranked(sources: list[CollectiveSource] | None, operands: Mapping[int, Values]) -> list[CollectiveSource]:
    """Returns elements that are not finite first, then those that add most."""

    def key(source: CollectiveSource) -> tuple[bool, float]:
        finite = is_finite(np.asarray(operands[source.process][source.operand])[source.index])
        return finite, -abs(source.amount or 0) if finite else 0

    return sorted(sources or (), key=key)


def _sources_of(links: list[Link], sources: list[CollectiveSource] | None, view: OpView | None) -> Sources:
    if sources is None:
        name = "" if view is None else view.name
        return Sources(end="opaque", reason=f"{name} does not say which elements it moves")
    return Sources(tuple(links), len(sources), "" if links else "source")


def _handed(cursor: ReplayCursor, element: ChainElement) -> Sources:
    """Returns what control flow handed on; what a loop was given, where its rounds do not change that."""
    frames = cursor.process.frames
    frame = frames[-1]
    passed = handed_on(frames, element.code, element.register, element.depth, element.path)
    if passed is None:
        return Sources(end="source")
    register, path = passed
    value = frame.registers[register]
    if value is None:  # what a loop carries is not needed by its condition
        value = frame.carried[frame.code.arguments.index(register)]
    if frame.instruction.kind is Kind.RETURN:
        operand = unchanged_operand(frames, element.code, element.register, element.depth)
        if operand is not None:
            depth = element.depth - element.is_argument
            source = _element(cursor, operand, element.index, path, depth)
            return Sources((_link(cursor, source, value),), 1)
    source = _element(cursor, register, element.index, path)
    return Sources((_link(cursor, source, value),), 1)


def _element(
    cursor: ReplayCursor, register: int, index: Index, path: Path = (), depth: int | None = None
) -> ChainElement:
    """Returns an element of a value in scope in a frame of the selected process; in the innermost, unless
    `depth` says.
    """
    frames = cursor.process.frames
    depth = len(frames) if depth is None else depth
    while (code := _defining(frames[depth - 1].code, register)) is None:
        depth -= 1
    return element_at(cursor, code, register, depth, index, path)


def element_at(
    cursor: ReplayCursor, code: CodeBlock, register: int, depth: int, index: Index, path: Path = ()
) -> ChainElement:
    """Returns an element of a value that is in scope in a frame of a depth."""
    frames, position = cursor.process.frames, cursor.values.bound_at(code, register, depth)
    region, iteration = region_name(frames, depth), frames[depth - 1].iteration
    return ChainElement(cursor.selected, position, code, register, depth, index, path, region, iteration)


def _defining(code: CodeBlock, register: int) -> CodeBlock | None:
    return next((block for block in code.siblings if register in block.defined_at), None)


def _link(
    cursor: ReplayCursor,
    element: ChainElement,
    value: Value,
    role: Role = "value",
    amount: float | complex | None = None,
) -> Link:
    for part in element.path:
        value = value[part]
    number: Any = np.asarray(value)[element.index]
    defined = element.code.defined_at[element.register]
    if defined < 0:
        return Link(element, number, "", None, role, amount)
    point = cursor.points[cursor.points.number(element.code, defined)]
    line = point.position.line if point.position else None
    origin = origin_in(point, cursor.process.frames[: element.depth - 1])
    return Link(element, number, point.operation.name, line, role, amount, origin)
