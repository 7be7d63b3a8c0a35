"""The search for the smallest candidate that shows the fault."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from hashlib import sha256
from time import monotonic
from typing import Any, Final

from msgspec import Struct, field
from msgspec.structs import replace

from shlo.ir.operations import Module, inner_operations
from shlo.reduction.candidate import Candidate, adopted, whole
from shlo.reduction.captured import MOST_STEPS, captured
from shlo.reduction.checks import FaultCheck
from shlo.reduction.control_flow import hoisted, inlined, is_control_flow, with_entry
from shlo.reduction.operations import (
    Uses,
    bypassed,
    constants_of,
    cut,
    places_of,
    returning,
    returning_computed,
    with_simple_constants,
    without_attributes,
    without_unused_arguments,
)
from shlo.reduction.sizes import resized
from shlo.runner.errors import RequestError
from shlo.transforms.rewriting.rebuild import reached_from
from shlo.verifier import Verdicts, verify

MOST_VERDICTS: Final = 20_000
"""Signatures whose verdicts are kept."""

Report = Callable[["Candidate", "Progress"], None]


class TimeIsUp(Exception):
    """The time of the reduction is over."""


class Progress(Struct):
    """How far a reduction is.

    Args:
        step: what is tried.
        checks: how many candidates were checked.
        known: how many were not, as they had been checked before.
        invalid: how many were no valid programs.
        seconds: since the start.
        is_complete: whether nothing smaller was found with all that there was to try.
        trouble: why the smallest program is not known to show the fault in the end; empty where it is.
    """

    step: str = ""
    checks: int = 0
    known: int = 0
    invalid: int = 0
    seconds: float = 0.0
    is_complete: bool = False
    trouble: str = ""


def start(
    module: Module,
    entry: str,
    values: Sequence[Any],
    check: FaultCheck,
    report: Report = lambda candidate, progress: None,
    seconds: float | None = None,
    jobs: int = 1,
    steps: int = MOST_STEPS,
) -> Search:
    """Returns a search that begins with a program, or with what one of its functions reaches.

    Args:
        module: the program.
        entry: the function that is run.
        values: what it is called with; none where the check runs nothing on them.
        check: says whether a candidate shows the fault.
        report: gets each better candidate.
        seconds: how long the search may take after that; None: until nothing smaller is found.
        jobs: how many candidates are checked at the same time.
        steps: how many operations a run may take that captures values for candidates.

    Raises:
        RequestError: the program does not show the fault.
    """
    search = Search(check, whole(module, entry, values), report)
    if not search.shows(search.best):
        if check.trouble:
            raise RequestError(f"cannot tell whether the program shows the fault: {check.trouble}")
        raise RequestError("expected a program that shows the fault, got one that does not")
    others = [
        function.name for function in module.functions.values() if function.body and function.name != entry
    ]
    for name in (entry, *others):
        candidate = adopted(module, name, values if name == entry else ())
        if search.shows(candidate):
            search.best = candidate
            break
    search.seconds, search.jobs, search.steps = seconds, jobs, steps
    return search


class Search(Struct):
    """Tries smaller candidates; `best` is the smallest one that shows the fault so far.

    Args:
        check: says whether a candidate shows it.
        best: the program to begin with, which shows it.
        report: gets each better candidate.
        seconds: how long the search may take; None: until nothing smaller is found.
        jobs: how many candidates are checked at the same time: the next ones while it is not known yet what
            comes of one. The result does not depend on it.
        steps: how many operations a run may take that captures values for candidates.
    """

    check: FaultCheck
    best: Candidate
    report: Report = lambda candidate, progress: None
    seconds: float | None = None
    jobs: int = 1
    steps: int = MOST_STEPS
    progress: Progress = field(default_factory=Progress)
    _uses: Uses = field(default_factory=Uses)
    _verdicts: Verdicts = field(default_factory=Verdicts)
    _checked: dict[bytes, bool] = field(default_factory=dict[bytes, bool])
    _start: float = field(default_factory=monotonic)
    _has_improved: bool = False
    _pool: ThreadPoolExecutor | None = None
    _ahead: dict[bytes, Future[bool]] = field(default_factory=dict[bytes, "Future[bool]"])

    def shows(self, candidate: Candidate) -> bool:
        """Returns whether a candidate is as valid as it has to be, and shows the fault; raises TimeIsUp."""
        progress = self.progress
        progress.seconds = monotonic() - self._start
        if self.seconds is not None and progress.seconds > self.seconds:
            raise TimeIsUp
        if not self._is_valid(candidate):
            progress.invalid += 1
            return False
        key = self._key(candidate)
        verdict = self._checked.get(key)
        if verdict is None:
            progress.checks += 1
            ahead = self._ahead.pop(key, None)
            verdict = self._checked[key] = self.check.shows(candidate) if ahead is None else ahead.result()
        else:
            progress.known += 1
        return verdict

    def _is_valid(self, candidate: Candidate) -> bool:
        is_valid = self.check.tolerates(verify(candidate.module, self._verdicts))
        self._verdicts.forget_others(candidate.module, MOST_VERDICTS)
        return is_valid

    def _looking_ahead(self, candidates: Iterable[Candidate | None]) -> Iterator[Candidate | None]:
        """Yields candidates that are tried in turn until one shows the fault; the checks of the next ones
        have begun by then.
        """
        waiting = deque[Candidate | None]()
        for candidate in candidates:
            if candidate is not None and self.jobs > 1 and candidate.weight < self.best.weight:
                self._begin(candidate)
            waiting.append(candidate)
            if len(waiting) >= self.jobs:
                yield waiting.popleft()
        yield from waiting

    def _begin(self, candidate: Candidate) -> None:
        """Begins the check of a candidate in another thread."""
        key = self._key(candidate)
        if key in self._checked or key in self._ahead or not self._is_valid(candidate):
            return
        self._pool = self._pool or ThreadPoolExecutor(self.jobs)
        self._ahead[key] = self._pool.submit(self.check.shows, candidate)

    def run(self) -> Candidate:
        """Returns the smallest candidate found; it is `best`, too, wherever the search is interrupted."""
        steps = (
            ("the suspect", self._keep_suspect),
            ("arguments", self._drop_arguments),
            ("functions", self._drop_functions),
            ("operations", self._cut),
            ("regions as the program", self._hoist),
            ("results", self._drop_results),
            ("control flow", self._inline),
            ("operations, by their operands", self._bypass),
            ("constants", self._simplify_constants),
            ("attributes", self._drop_attributes),
            ("sizes", self._shrink_sizes),
        )
        try:
            while True:
                self._has_improved = False
                for name, step in steps:
                    self.progress.step = name
                    step()
                if not self._has_improved:
                    self._confirm()
                    return self.best
        except TimeIsUp:
            return self.best
        finally:
            if self._pool is not None:
                self._pool.shutdown(cancel_futures=True)

    def _confirm(self) -> None:
        """Checks the smallest candidate again: only if it still shows the fault were others without it."""
        self.progress.is_complete = self.check.shows(self.best)
        if not self.progress.is_complete:
            self.progress.trouble = (
                self.check.trouble or "the smallest program does not show the fault any more"
            )

    def _accept(self, candidate: Candidate | None) -> bool:
        """Makes a candidate the best one if it shows the fault; returns whether it does."""
        if candidate is None or not self.shows(candidate):
            return False
        self.best, self._has_improved = candidate, True
        for check in self._ahead.values():
            check.cancel()
        self._ahead.clear()
        self.report(candidate, self.progress)
        return True

    def _accept_smaller(self, candidate: Candidate | None) -> bool:
        is_smaller = candidate is not None and candidate.weight < self.best.weight
        return is_smaller and self._accept(candidate)

    def _key(self, candidate: Candidate) -> bytes:
        """Returns what candidates have in common that the check cannot tell apart."""
        digest = sha256(candidate.text.encode("utf-8", "surrogateescape"))
        if self.check.needs_arguments:
            for argument in candidate.block.arguments:
                value = candidate.values.get(argument)
                digest.update(b"?" if value is None else value.tobytes())
        return digest.digest()

    def _know_values(self) -> None:
        """Captures the values of the best candidate, where the check runs candidates on chosen arguments."""
        if self.check.needs_arguments and self.best.is_straight:
            self.best = captured(self.best, self.steps)

    # --- steps ---------------------------------------------------------------------------------------------

    def _keep_suspect(self) -> None:
        """Keeps the operation alone that the check takes for the culprit."""
        suspect = self.check.suspect(self.best)
        if suspect is None or not self.best.is_straight:
            return
        self._know_values()
        operations = self.best.block.operations
        for index, operation in enumerate(operations):
            if operation is suspect or any(inner is suspect for inner in inner_operations(operation)):
                self._accept_smaller(cut(self.best, set(range(len(operations) - 1)) - {index}, self._uses))
                return

    def _drop_arguments(self) -> None:
        """Drops what nothing uses; where the check needs them, arguments stay."""
        if self.best.is_straight:
            self._accept_smaller(without_unused_arguments(self.best, self._uses))

    def _drop_functions(self) -> None:
        """Drops functions that the entry function does not reach, or all but one of them."""
        best = self.best
        reached = reached_from(best.module, best.entry)
        if self._accept_smaller(replace(best, module=reached)):
            return
        names = best.module.functions.keys() - reached.functions.keys()
        any(self._accept_smaller(with_entry(best, best.module.functions[name], {})) for name in sorted(names))

    def _hoist(self) -> None:
        """Makes a region or called function the entry function, as long as one will do."""
        while self.best.is_straight:
            self._know_values()
            operations = self.best.block.operations
            indices = [index for index, op in enumerate(operations) if is_control_flow(op)]
            if not any(
                self._accept_smaller(smaller) for index in indices for smaller in hoisted(self.best, index)
            ):
                return
            self._keep_suspect()
            self._cut()

    def _cut(self) -> None:
        """Drops operations of the entry function; their results become arguments."""
        if self.best.is_straight:
            self._know_values()
            self._drop_chunks(
                lambda: range(len(self.best.block.operations) - 1),
                lambda dropped: cut(self.best, dropped, self._uses),
            )

    def _drop_chunks(
        self, items: Callable[[], Sequence[int]], without: Callable[[set[int]], Candidate | None]
    ) -> None:
        """Drops as many items as possible: halves first, the last ones before the first ones, then smaller
        parts.
        """
        size = max(len(items()) // 2, 1)
        while True:
            end, has_dropped = len(items()), False
            while end > 0:
                bounds = [(max(last - size, 0), last) for last in range(end, 0, -size)]
                candidates = (without(set(range(*bound))) for bound in bounds)
                for (start, _), candidate in zip(bounds, self._looking_ahead(candidates)):
                    end = start
                    if self._accept_smaller(candidate):
                        has_dropped = True
                        break
            if size > 1:
                size = min(size // 2, max(len(items()) // 2, 1))
            elif not has_dropped:
                return

    def _drop_results(self) -> None:
        """Drops results of the entry function; arguments are returned only where nothing else is."""
        if not self.best.is_straight:
            return
        self._accept(returning_computed(self.best, self._uses))
        count = len(self.best.block.operations[-1].operands)
        if count > 1 and any(self._accept(returning(self.best, [position])) for position in range(count)):
            return
        self._drop_chunks(
            lambda: range(len(self.best.block.operations[-1].operands)),
            self._returning_others,
        )

    def _returning_others(self, dropped: set[int]) -> Candidate | None:
        count = len(self.best.block.operations[-1].operands)
        positions = [position for position in range(count) if position not in dropped]
        return returning(self.best, positions) if positions else None

    def _inline(self) -> None:
        """Puts what control flow runs in its place."""
        index, most = 0, 2 * self.best.operation_count

        def accept(candidate: Candidate) -> bool:
            return candidate.operation_count <= most and self._accept(candidate)

        while self.best.is_straight and index < len(self.best.block.operations):
            is_done = False
            if is_control_flow(self.best.block.operations[index]):
                is_done = any(map(accept, inlined(self.best, index)))
            if not is_done:
                index += 1

    def _bypass(self) -> None:
        """Drops operations of all blocks; their results are replaced by operands or zeros."""
        number = 0
        while number < len(places_of(self.best.module)):
            self._drop_chunks(partial(self._items, number), partial(self._bypassed, number))
            number += 1

    def _items(self, number: int) -> range:
        places = places_of(self.best.module)
        if number >= len(places):
            return range(0)
        operation, region, block = places[number]
        return range(len(operation.regions[region].blocks[block].operations) - 1)

    def _bypassed(self, number: int, dropped: set[int]) -> Candidate | None:
        places = places_of(self.best.module)
        return bypassed(self.best, places[number], dropped) if number < len(places) else None

    def _simplify_constants(self) -> None:
        """Makes constants zero, one or their first element everywhere."""
        if self._accept_first(with_simple_constants(self.best)):
            return
        constants = constants_of(self.best.module)
        for constant in constants:
            self._accept_first(with_simple_constants(self.best, constant))

    def _accept_first(self, candidates: Iterable[Candidate]) -> bool:
        return any(map(self._accept_smaller, self._looking_ahead(candidates)))

    def _drop_attributes(self) -> None:
        """Drops attributes that operations do not need."""
        for candidate in self._looking_ahead(without_attributes(self.best)):
            if self._accept_smaller(candidate):
                return

    def _shrink_sizes(self) -> None:
        """Makes sizes of dimensions smaller, as long as one will do."""
        while any(map(self._accept_smaller, self._looking_ahead(resized(self.best)))):
            continue
