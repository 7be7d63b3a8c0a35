"""Results of a run, of one process or of a grid: checked paths, files, text, JSON."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec import Struct

from shlo.command_line.console import Console
from shlo.command_line.options import python_sources_of, selection_of
from shlo.ir.operations import Function
from shlo.ir.traced_names import result_labels
from shlo.runner.arguments.grid import GridPlace, has_placeholder
from shlo.runner.display import ELIDE_ABOVE, array_text, json_value, result_title, summary
from shlo.runner.errors import RequestError
from shlo.runner.files import check_save_path, save_results

if TYPE_CHECKING:
    from shlo.runner.profile import RunProfile
    from shlo.sanitizer.run import Sanitizer
    from shlo.shadow.run import ShadowRun


class ProcessOutcome(NamedTuple):
    """What a process returned: the results of its function, and the items of its outfeed."""

    place: GridPlace
    function: Function
    results: Sequence[Any]
    outfeed: Sequence[tuple[Any, ...]]

    @property
    def values(self) -> tuple[Any, ...]:
        """The results, and the values of the outfeed's items."""
        return (*self.results, *(value for item in self.outfeed for value in item))


def check_paths(options: Namespace, function: Function | None = None) -> None:
    """Raises RequestError where results cannot be saved under the names given, before anything runs.

    Args:
        options: the command line's options, `save` and `outfeed` among them.
        function: the function that runs; None in a grid, where each process needs a file of its own.
    """
    if options.save is not None:
        check_save_path(options.save, None if function is None else len(function.type.results))
    if options.outfeed is not None:
        from shlo.runner.arguments.feeds import check_outfeed_path

        check_outfeed_path(options.outfeed)
    for path in (options.save, options.outfeed) if function is None else ():
        if path is not None and not has_placeholder(path):
            raise RequestError(
                f"each process of the grid has results, and {path} is one file",
                "put {process}, {replica} or {partition} into the name: out{process}.npz",
            )


def save_outcomes(outcomes: Sequence[ProcessOutcome], options: Namespace) -> None:
    """Saves results and outfeeds under the names given, with the numbers of each process in them."""
    for process, _, results, outfeed in outcomes:
        if options.save is not None:
            save_results(options.save if options.grid is None else process.fill(options.save), results)
        if options.outfeed is not None:
            from shlo.runner.arguments.feeds import save_outfeed

            save_outfeed(options.outfeed if options.grid is None else process.fill(options.outfeed), outfeed)


def print_outcomes(
    outcomes: Sequence[ProcessOutcome],
    options: Namespace,
    profile: RunProfile | None,
    watch: RunWatch | None,
    seconds: float,
    console: Console,
) -> None:
    """Prints results, outfeeds and costs; those of a grid once where all processes returned the same bits."""
    if options.format == "json":
        data = _data(outcomes, options, profile, seconds)
        if watch is not None:
            data[watch.name] = watch.data()
        console.print_json(data, indent=None)
        return
    is_same = len(outcomes) > 1 and _are_equal(outcomes)
    for outcome in outcomes[: 1 if is_same else None]:
        if options.grid is not None:
            title = f"process ({outcome.place.replica}, {outcome.place.partition})"
            console.print_styled(f"all {len(outcomes)} processes" if is_same else title, "bold")
        _print_results(outcome, options, console)
        if options.outfeed is None:
            _print_outfeed(outcome.outfeed, options, console)
    if profile is not None:
        console.note(profile.table(seconds))


def _are_equal(outcomes: Iterable[ProcessOutcome]) -> bool:
    from shlo.runner.equality import equal_groups

    return len(equal_groups((outcome, None, outcome.values) for outcome in outcomes)) == 1


def _print_results(outcome: ProcessOutcome, options: Namespace, console: Console) -> None:
    types = outcome.function.type.results
    names = result_labels(outcome.function.operation, len(types))
    for index, (type_, name, result) in enumerate(zip(types, names, outcome.results)):
        _print_value(result_title(index, name, type_), result, options, console)


def _print_outfeed(items: Iterable[tuple[Any, ...]], options: Namespace, console: Console) -> None:
    from shlo.interpreter.runtime.values import type_words

    for index, item in enumerate(items):
        for part, value in enumerate(item):
            label = f"outfeed {index}" + (f", part {part}" if len(item) > 1 else "")
            _print_value(f"{label}: {type_words(value)}", value, options, console)


def _print_value(title: str, value: Any, options: Namespace, console: Console) -> None:
    note = None if options.full else summary(value)
    console.print_styled(title + (f"  # {note}" if note else ""), "bold")
    console.print(array_text(value, console.width, None if options.full else ELIDE_ABOVE))


def _data(
    outcomes: Sequence[ProcessOutcome], options: Namespace, profile: RunProfile | None, seconds: float
) -> dict[str, Any]:
    """Returns all of it for `--format json`."""
    if options.grid is None:
        data = {"results": _results_data(outcomes[0]), "seconds": seconds, **_outfeed_data(outcomes[0])}
    else:
        processes = [
            {
                "replica": outcome.place.replica,
                "partition": outcome.place.partition,
                "results": _results_data(outcome),
                **_outfeed_data(outcome),
            }
            for outcome in outcomes
        ]
        replicas, partitions = options.grid
        data = {"replicas": replicas, "partitions": partitions, "processes": processes, "seconds": seconds}
    if profile is not None:
        data["time"] = [
            {"operation": cost.name, "count": cost.count, "seconds": cost.seconds} for cost in profile.costs
        ]
    return data


def _results_data(outcome: ProcessOutcome) -> list[dict[str, Any]]:
    types = outcome.function.type.results
    names = result_labels(outcome.function.operation, len(types))
    return [
        {"type": str(type_), "name": name or None, "value": json_value(result)}
        for type_, name, result in zip(types, names, outcome.results)
    ]


def _outfeed_data(outcome: ProcessOutcome) -> dict[str, Any]:
    values = [[json_value(value) for value in item] for item in outcome.outfeed]
    return {"outfeed": values} if values else {}


# --- the sanitizer and the shadow of a run ------------------------------------------------------------------


class RunWatch(Struct, frozen=True):
    """A run that is looked at.

    Args:
        name: under which `--format json` has what was seen.
        run: runs programs.
        lines: what was seen, for people.
        data: the same for `--format json`.
        has_seen: whether there was anything to look at.
        is_bad: whether what was seen fails the run.
        comes_last: whether the lines follow the results.
    """

    name: str
    run: Sanitizer | ShadowRun
    lines: Callable[[], Iterator[str]]
    data: Callable[[], dict[str, Any]]
    has_seen: Callable[[], bool]
    is_bad: Callable[[], bool]
    comes_last: bool = False


def watch_of(options: Namespace) -> RunWatch | None:
    """Returns the sanitizer or shadow of the run, None without either option; raises RequestError."""
    selection = selection_of(options)
    chosen = [name for name in ("sanitize", "shadow") if getattr(options, name) is not None]
    if not chosen:
        return None
    name = chosen[0]
    for other in (*chosen[1:], "record", "trace", "time"):
        if getattr(options, other):
            raise RequestError(
                f"expected --{name} or --{other}, got both", f"a run with --{name} goes step by step"
            )
    if selection is not None:
        from shlo.sanitizer.report import data_of, lines_of
        from shlo.sanitizer.run import Sanitizer

        sanitizer = Sanitizer(selection)
        findings, sources = sanitizer.findings, python_sources_of(options)
        return RunWatch(
            "sanitizer",
            sanitizer,
            lambda: lines_of(findings, sources),
            lambda: data_of(findings),
            lambda: findings.looked_at > 0,
            lambda: bool(findings),
        )
    return _shadow(options)


def _shadow(options: Namespace) -> RunWatch:
    from shlo.shadow.report import data_of, lines_of
    from shlo.shadow.run import ShadowRun, refuse_grid

    if options.grid is not None:
        raise refuse_grid()
    shadow = ShadowRun()
    losses, sources = shadow.losses, python_sources_of(options)
    return RunWatch(
        "shadow",
        shadow,
        lambda: lines_of(losses, sources),
        lambda: data_of(losses),
        lambda: losses.looked_at > 0,
        lambda: False,
        comes_last=True,
    )
