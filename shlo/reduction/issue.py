"""A difference as a text for an issue: a reduced program, arguments, what is expected and what there is."""

from __future__ import annotations

import platform
from collections.abc import Iterator, Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from shlo import __version__
from shlo.divergence.diff import diff_run
from shlo.divergence.findings import DivergenceFinding, RunDifference
from shlo.divergence.tolerances import Tolerances
from shlo.engines import Engine, label_of
from shlo.interpreter.options import RunOptions
from shlo.ir.operations import Module
from shlo.ir.version import STABLEHLO_VERSION
from shlo.reduction.candidate import RETURN, Candidate
from shlo.reduction.captured import arguments_of
from shlo.reduction.checks import DivergenceCheck
from shlo.reduction.search import start
from shlo.runner.display import array_text
from shlo.runner.errors import RequestError
from shlo.text.numbers import exact_number_text, number_text

SECONDS: Final = 60.0
"""How long a program is reduced."""

_PACKAGES: Final = ("jaxlib", "iree-base-compiler")
"""Packages that hold a compiler; those that are installed are told."""


class ReducedDifference(Struct, frozen=True):
    """A small program on which an engine differs.

    Args:
        candidate: the program.
        arguments: what it is called with.
        difference: how the results differ.
    """

    candidate: Candidate
    arguments: Sequence[Any]
    difference: RunDifference


def reduced_difference(
    difference: RunDifference,
    module: Module,
    inputs: Sequence[Any],
    options: RunOptions,
    engine: Engine,
    tolerances: Tolerances,
) -> ReducedDifference:
    """Returns a small program on which an engine differs: the operation that was found, where that shows it
    alone, else what is left of the whole program.

    Args:
        difference: what was found.
        module: the whole program.
        inputs: what it is called with.
        options: how it runs.
        engine: the engine.
        tolerances: how far results may be apart.

    Raises:
        RequestError: neither shows a difference.
    """
    finding = first_finding(difference)
    alone = None if finding is None else finding.call
    calls = [(module, options.entries[0], inputs)]
    if alone is not None:
        calls.insert(0, (alone.module, "main", alone.arguments))
    for program, entry, arguments in calls:
        check = DivergenceCheck(engine, options, tolerances, is_whole=True)
        try:
            search = start(program, entry, arguments, check, seconds=SECONDS)
        except RequestError as error:
            if program is module:
                raise RequestError(f"expected a program that shows the difference: {error}") from None
            continue
        search.run()
        best, values = search.best, arguments_of(search.best)
        run_options = replace(options, entry=best.entry)
        found = diff_run([best.module], [values], run_options, engine, tolerances, compares_operations=False)
        return ReducedDifference(best, values, found)
    raise AssertionError("the whole program is the last call")


def first_finding(difference: RunDifference) -> DivergenceFinding | None:
    """Returns the finding that an issue is about: an operation, else a result."""
    bisected = difference.bisection.finding if difference.bisection is not None else None
    return next(iter([*difference.alone, *([bisected] if bisected else []), *difference.results]), None)


def issue_text(reduced: ReducedDifference, engine: Engine, command: str, passes: Sequence[str] = ()) -> str:
    """Returns the text in Markdown; `command` shows the difference, `passes` are XLA's that make it."""
    return "\n".join(_issue_lines(reduced, engine, command, passes)) + "\n"


def _issue_lines(
    reduced: ReducedDifference, engine: Engine, command: str, passes: Sequence[str]
) -> Iterator[str]:
    operations = [op.name for op in reduced.candidate.block.operations if op.name != RETURN]
    names = list(dict.fromkeys(name for name in operations if not name.endswith(".constant")))
    yield f"# Wrong results of {', '.join(names[:3])}{' and others' if len(names) > 3 else ''}"
    yield "\n## Program\n"
    yield from _block(reduced.candidate.text.rstrip(), "mlir")
    yield "\n## Arguments\n"
    for number, value in enumerate(reduced.arguments):
        yield from _block(f"argument {number}:\n{array_text(value)}")
    yield f"\n## Expected by the specification (shlo's interpreter), and got from {label_of(engine)}\n"
    for finding in reduced.difference.results:
        yield from _result_lines(finding)
    if passes:
        yield f"\nXLA's pass that makes them wrong: `{', '.join(passes)}`; without it they are right."
    yield "\n## To reproduce\n"
    yield from _block(command, "sh")
    yield "\n## Versions\n"
    yield f"- shlo {__version__}, StableHLO {STABLEHLO_VERSION}"
    yield f"- Python {platform.python_version()}, {platform.system()} {platform.machine()}"
    yield from (f"- {package} {number}" for package, number in _versions())


def _result_lines(finding: DivergenceFinding) -> Iterator[str]:
    if finding.types is not None:
        expected, got = (type_ or "none" for type_ in finding.types)
        yield f"Result {finding.result}: expected {expected}, got {got}."
        return
    yield f"| result {finding.result}, element | expected | got | allowed difference |"
    yield "|---|---|---|---|"
    for element in finding.worst:
        one, other = exact_number_text(element.one), exact_number_text(element.other)
        allowed = f"{number_text(finding.allowed)} ({finding.reason})"
        yield f"| {list(element.index)} | {one} | {other} | {allowed} |"


def _block(text: str, language: str = "") -> Iterator[str]:
    """Yields the lines of a block of text, whose fence is longer than any in it."""
    fence = "```"
    while fence in text:
        fence += "`"
    yield f"{fence}{language}"
    yield text
    yield fence


def _versions() -> Iterator[tuple[str, str]]:
    for package in _PACKAGES:
        try:
            yield package, version(package)
        except PackageNotFoundError:
            continue
