"""Where two runs part, as text and as data."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import isfinite
from typing import Any

import numpy as np
from msgspec.structs import asdict

from shlo.debugger.tensors.difference import ElementDifference
from shlo.divergence.findings import Bisection, DivergenceFinding, Judgement, PassBisection, RunDifference
from shlo.runner.pairs import MOST_ULPS
from shlo.text.escape import sanitized
from shlo.text.numbers import exact_number_text, number_text, plural

MOST_SHOWN = 20
"""How many findings of a kind are shown."""


Door = Callable[[int], str]
"""Returns the command line that opens the debugger at a position."""


def lines_of(diff: RunDifference, door: Door | None = None) -> Iterator[str]:
    """Yields what `shlo diff` prints, with what opens the debugger at each operation."""
    if diff.alone:
        yield f"operations that differ on the interpreter's own operands: {len(diff.alone)}"
        for finding in diff.alone[:MOST_SHOWN]:
            count = diff.occurrences[finding.operation, finding.place]
            yield from _finding_lines(finding, diff, count, door)
        if len(diff.alone) > MOST_SHOWN:
            yield f"  and {len(diff.alone) - MOST_SHOWN} more"
    if diff.together is not None:
        yield "the first operation at which all errors together are more than is allowed:"
        if any(_is_at(diff.together, finding) for finding in diff.alone):
            yield f"  {_titled(diff.together.operation, diff.together.place)}, as above"
        else:
            yield from _finding_lines(diff.together, diff, 1, door)
    if diff.parted is not None:
        yield f"control flow goes another way before {sanitized(diff.parted)}"
    if diff.results:
        yield "results of the whole program:"
        for finding in diff.results[:MOST_SHOWN]:
            yield from _finding_lines(finding, diff, 1)
    yield from _cause_lines(diff)
    if diff and diff.growth:
        yield "where the largest error, relative to its tensor, grew tenfold:"
        for name, location, error in diff.growth[:MOST_SHOWN]:
            yield f"  {number_text(error)}  {_titled(name, location)}"
    for name, reason in diff.not_alone.items():
        yield f"compared by the results alone: {sanitized(name)}: {sanitized(reason)}"
    for name, reason in diff.not_compared.items():
        yield f"not compared: {sanitized(name)}: {sanitized(reason)}"
    largest = diff.largest
    if largest is not None:
        where = _titled(largest.operation, largest.place) if largest.operation else "a result of the program"
        allowed = f"allowed: {number_text(largest.allowed)} ({largest.reason})"
        yield f"largest difference: {number_text(largest.distance)} at {where}; {allowed}"
    whole = f" and {plural(diff.whole, 'result')}" if diff.whole else ""
    yield (f"{plural(diff.operations, 'operation')}{whole} compared on {_named(diff)}{diff.conclusion.text}")


def _judgement_lines(judgement: Judgement, diff: RunDifference) -> Iterator[str]:
    if judgement.exact:
        who = "float64" if judgement.by == "f64" else "the reference in float64"
        values = ", ".join(exact_number_text(np.asarray(value)[()]) for value in map(_real, judgement.exact))
        one, other = map(number_text, judgement.distances)
        nearer = f"{sanitized(judgement.nearer)} is nearer" if judgement.nearer else "both are as near"
        sides = f"{sanitized(diff.reference)} {one} away, {sanitized(diff.engine)} {other}"
        yield f"    {who}: {values}; {nearer}: {sides}"
    if judgement.note:
        yield f"    {sanitized(judgement.note)}"


def _real(value: complex) -> complex | float:
    return value if value.imag else value.real


def _cause_lines(diff: RunDifference) -> Iterator[str]:
    """Yields what was found of the cause of wrong results."""
    for loop in diff.chaotic:
        yield (
            f"chaotic: {sanitized(loop.title)}: a change of the last bit grows {loop.growth:.2f} times in an "
            f"iteration, from {number_text(loop.first)} to {number_text(loop.last)} of the largest element "
            f"in {loop.iterations:,}"
        )
    if diff.bisection is not None:
        yield from _bisection_lines(diff.bisection, diff)
    if diff.passes is not None:
        yield from _pass_lines(diff.passes)


def _bisection_lines(bisection: Bisection, diff: RunDifference) -> Iterator[str]:
    runs = f"{plural(bisection.runs, 'run')} of {_side(diff.engine)}"
    if bisection.finding is not None:
        yield f"the first operation that makes them wrong, on the operands that it has there, in {runs}:"
        yield from _finding_lines(bisection.finding, diff, 1)
        return
    if bisection.between is not None:
        first, last, count = bisection.between
        which = f"before or at {last}" if count == 1 else f"from {first} to {last}, {count:,} operations"
        yield f"what makes them wrong is {sanitized(which)}, after {runs}"
    else:
        yield f"what makes them wrong was not found in {runs}"
    if bisection.note:
        yield f"  {sanitized(bisection.note)}"


def _pass_lines(found: PassBisection) -> Iterator[str]:
    programs = f"passes that change the program: {len(found.candidates)}, compilations: {found.runs}"
    if found.passes:
        yield f"XLA's pass that makes them wrong: {sanitized(', '.join(found.passes))} ({programs})"
        yield "  without it the results are right"
    else:
        yield f"no pass of XLA makes them wrong by itself ({programs})"
        yield f"  {sanitized(', '.join(found.candidates))}"
    for names, reason in found.refused.items():
        yield f"  not run without {sanitized(names)}: {sanitized(reason)}"


def _is_at(one: DivergenceFinding, other: DivergenceFinding) -> bool:
    """Returns whether two findings are of one step of one process."""
    return (one.place, one.path, one.process) == (other.place, other.path, other.process)


def _finding_lines(
    finding: DivergenceFinding, diff: RunDifference, count: int, door: Door | None = None
) -> Iterator[str]:
    difference = finding.difference
    yield (
        f"  {_titled(finding.operation, finding.place)}"
        if finding.operation
        else f"  result {finding.result}"
    )
    for part in finding.path:
        yield f"    in {sanitized(part)}"
    if finding.counterpart:
        yield f"    compared with {sanitized(finding.counterpart)}"
    process = f"process {finding.process} of {diff.processes}: " if diff.processes > 1 else ""
    result = f"result {finding.result}: " if finding.operation and finding.result else ""
    yield f"    {process}{result}{amount_text(finding, diff)}"
    for element in finding.worst:
        yield f"    {_element_text(element, diff)}"
    if difference is not None:
        yield f"    allowed: {number_text(finding.allowed)} ({finding.reason})"
    if finding.judgement is not None:
        yield from _judgement_lines(finding.judgement, diff)
    if finding.known:
        yield f"    known: {finding.known}"
    if count > 1:
        yield f"    and {plural(count - 1, 'more time')}"
    if door is not None and finding.position is not None:
        yield f"    {sanitized(door(finding.position))}"


def amount_text(finding: DivergenceFinding, diff: RunDifference) -> str:
    """Returns how much of two tensors differs, or of which types they are."""
    difference = finding.difference
    if finding.types is not None:
        sides = zip(finding.types, (diff.reference, diff.engine))
        types = [f"{type_} in {_side(name)}" for type_, name in sides if type_]
        return ", ".join(types) if len(types) > 1 else f"only {types[0]}"
    assert difference is not None
    count = difference.signed.size
    share = f"{difference.differing:,} of {plural(count, 'element')} differ{'s' * (count == 1)}"
    ulps = difference.ulps
    is_near = ulps is not None and ulps <= MOST_ULPS
    return f"{share}, at most {ulps:,} ULP" if is_near else share


def _side(name: str) -> str:
    return "the interpreter" if name == "interpreter" else sanitized(name)


def _titled(name: str, location: str | None) -> str:
    return sanitized(f"{location}: {name}" if location else name)


def _named(diff: RunDifference) -> str:
    """Returns the names of what was compared."""
    return " and ".join(map(_side, (diff.reference, diff.engine)))


def _element_text(element: ElementDifference, diff: RunDifference) -> str:
    index = ", ".join(map(str, element.index))
    one, other = exact_number_text(element.one), exact_number_text(element.other)
    apart = f", {number_text(element.distance)} apart" if isfinite(element.distance) else ""
    return f"[{index}]: {sanitized(diff.reference)} {one}, {sanitized(diff.engine)} {other}{apart}"


def data_of(diff: RunDifference, door: Door | None = None) -> dict[str, Any]:
    """Returns what `shlo diff --format json` prints, with what opens the debugger at each operation."""
    return {
        "reference": diff.reference,
        "engine": diff.engine,
        "processes": diff.processes,
        "compared": diff.compared,
        "operations": diff.operations,
        "whole": diff.whole,
        "largest": None if diff.largest is None else asdict(diff.largest),
        "alone": [
            {**_data(finding, door), "count": diff.occurrences[finding.operation, finding.place]}
            for finding in diff.alone
        ],
        "together": None if diff.together is None else _data(diff.together, door),
        "results": [_data(result, door) for result in diff.results],
        "bisection": None if diff.bisection is None else _bisection_data(diff.bisection, door),
        "chaotic": [{**asdict(loop), "growth": loop.growth} for loop in diff.chaotic],
        "passes": None if diff.passes is None else asdict(diff.passes),
        "parted": diff.parted,
        "growth": [
            {"operation": name, "place": location, "error": error} for name, location, error in diff.growth
        ],
        "not_compared": diff.not_compared,
        "not_alone": diff.not_alone,
    }


def _bisection_data(bisection: Bisection, door: Door | None) -> dict[str, Any]:
    return {
        "runs": bisection.runs,
        "finding": None if bisection.finding is None else _data(bisection.finding, door),
        "between": None if bisection.between is None else list(bisection.between),
        "note": bisection.note or None,
    }


def _judgement_data(judgement: Judgement) -> dict[str, Any]:
    exact = [exact_number_text(np.asarray(value)[()]) for value in map(_real, judgement.exact)]
    return {**asdict(judgement), "exact": exact, "note": judgement.note or None}


def _data(finding: DivergenceFinding, door: Door | None) -> dict[str, Any]:
    difference = finding.difference
    return {
        "operation": finding.operation or None,
        "place": finding.place,
        "counterpart": finding.counterpart or None,
        "path": list(finding.path),
        "process": finding.process,
        "position": finding.position,
        "debug": None if door is None or finding.position is None else door(finding.position),
        "result": finding.result,
        "types": None if finding.types is None else list(finding.types),
        "differing": None if difference is None else difference.differing,
        "size": None if difference is None else int(difference.signed.size),
        "ulps": None if difference is None else difference.ulps,
        "allowed": finding.allowed,
        "reason": finding.reason,
        "known": finding.known or None,
        "judgement": None if finding.judgement is None else _judgement_data(finding.judgement),
        "worst": [
            {
                "index": list(element.index),
                "reference": exact_number_text(element.one),
                "engine": exact_number_text(element.other),
            }
            for element in finding.worst
        ],
    }
