"""`shlo run --grid`: a program in each process of a grid, or one for each."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

from shlo.command_line.console import Console
from shlo.command_line.exit_codes import FINE
from shlo.command_line.options import grid_call_of, run_options_of
from shlo.ir.diagnostics import ExecutionError
from shlo.ir.operations import Function
from shlo.runner.equality import equal_groups
from shlo.runner.errors import RequestError

if TYPE_CHECKING:
    from shlo.runner.arguments.grid import GridPlace
    from shlo.runner.profile import Profile


class Outcome(NamedTuple):
    """What a process gave: the results of its function, and the items of its outfeed."""

    place: GridPlace
    function: Function
    results: Sequence[Any]
    outfeed: Sequence[tuple[Any, ...]]


def run_in_grid(options: Namespace, console: Console) -> int:
    """Runs the programs of all processes, prints and saves what they give."""
    from shlo import interpreter
    from shlo.cli.run import explain
    from shlo.runner.profile import Profile

    _check(options)
    call = grid_call_of(options)
    keywords = call.keywords()
    profile = Profile() if options.time else None
    chosen = run_options_of(options, max_bytes=options.max_bytes, profile=profile, **keywords)
    start = perf_counter()
    try:
        results = interpreter.make_grid(call.modules, call.inputs, chosen).run()
    except ExecutionError as error:
        return explain(error, call.source_of(error.place), options, console)
    seconds = perf_counter() - start
    outfeeds = [tuple(queues.outfeed) for queues in keywords["channels"]]
    outcomes = [Outcome(*row) for row in zip(call.places, call.functions, results, outfeeds)]
    _save(outcomes, options)
    if options.format == "json":
        _print_json(outcomes, seconds, profile, options, console)
    else:
        _print(outcomes, options, console)
        if profile is not None:
            console.note(profile.table(seconds))
    return FINE


def _check(options: Namespace) -> None:
    from shlo.runner.arguments.feeds import check_outfeed_path
    from shlo.runner.results import check_save_path

    for path, check in ((options.save, check_save_path), (options.outfeed, check_outfeed_path)):
        if path is not None:
            check(path)
            _require_placeholder(path)


def _require_placeholder(path: str) -> None:
    from shlo.runner.arguments.grid import has_placeholder

    if not has_placeholder(path):
        raise RequestError(
            f"each process of the grid has results, and {path} is one file",
            "put {process}, {replica} or {partition} into the name: out{process}.npz",
        )


def _save(outcomes: Sequence[Outcome], options: Namespace) -> None:
    from shlo.runner.arguments.feeds import save_outfeed
    from shlo.runner.results import save_results

    for outcome in outcomes:
        if options.save is not None:
            save_results(outcome.place.fill(options.save), outcome.results)
        if options.outfeed is not None:
            save_outfeed(outcome.place.fill(options.outfeed), outcome.outfeed)


def _print(outcomes: Sequence[Outcome], options: Namespace, console: Console) -> None:
    """The results of each process; once where they are the same for all."""
    from shlo.cli.run import print_outfeed, print_results

    is_same = len(outcomes) > 1 and len(equal_groups((each, None, _values(each)) for each in outcomes)) == 1
    for outcome in outcomes[: 1 if is_same else None]:
        title = f"process ({outcome.place.replica}, {outcome.place.partition})"
        console.print_styled(f"all {len(outcomes)} processes" if is_same else title, "bold")
        print_results(outcome.function, outcome.results, options, console)
        print_outfeed(outcome.outfeed, options, console)


def _values(outcome: Outcome) -> tuple[Any, ...]:
    return (*outcome.results, *(value for item in outcome.outfeed for value in item))


def _print_json(
    outcomes: Sequence[Outcome], seconds: float, profile: Profile | None, options: Namespace, console: Console
) -> None:
    import json

    from shlo.cli.run import costs_data, outfeed_data, results_data

    replicas, partitions = options.grid
    processes = [
        {
            "replica": outcome.place.replica,
            "partition": outcome.place.partition,
            "results": results_data(outcome.function, outcome.results),
            **outfeed_data(outcome.outfeed),
        }
        for outcome in outcomes
    ]
    data = {"replicas": replicas, "partitions": partitions, "processes": processes, "seconds": seconds}
    console.print(json.dumps({**data, **costs_data(profile)}))
