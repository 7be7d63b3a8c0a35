"""`shlo run --grid`: a program in each process of a grid."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from time import perf_counter
from typing import TYPE_CHECKING, Any

from shlo.cli.console import Console
from shlo.cli.exit_codes import FINDINGS, FINE
from shlo.cli.findings import print_failure
from shlo.cli.options import filling_of
from shlo.ir.diagnostics import ExecutionError
from shlo.ir.operations import Function, Module
from shlo.runner.errors import RequestError

if TYPE_CHECKING:
    from shlo.runner.grid_arguments import GridPlace

Results = Sequence[Sequence[Any]]


def run_in_grid(module: Module, options: Namespace, console: Console) -> int:
    """Runs the program in all processes, prints and saves their results."""
    from shlo import api
    from shlo.runner.arguments import entry_function
    from shlo.runner.grid_arguments import load_grid_arguments, places_of

    _check(options)
    replicas, partitions = options.grid
    places = places_of(replicas, partitions)
    entries = [place.fill(options.entry) for place in places]
    functions = [entry_function(module, entry) for entry in entries]
    inputs = load_grid_arguments(
        functions, options.arguments, places, dict(options.split), filling_of(options), options.random or 0
    )
    start = perf_counter()
    try:
        results = api.run_grid(
            module,
            inputs,
            replicas=replicas,
            partitions=partitions,
            entry=entries,
            seed=options.seed,
            max_steps=options.max_steps,
            max_bytes=options.max_bytes,
        )
    except ExecutionError as error:
        print_failure(console, module.source, error)
        return FINDINGS
    seconds = perf_counter() - start
    _save(options.save, places, results)
    if options.format == "json":
        _print_json(functions, places, results, seconds, options, console)
    else:
        _print(functions, places, results, options, console)
    return FINE


def _check(options: Namespace) -> None:
    from shlo.interpreter.process_groups import MOST_PROCESSES
    from shlo.runner.grid_arguments import has_placeholder
    from shlo.runner.results import check_save_path

    replicas, partitions = options.grid
    if replicas * partitions > MOST_PROCESSES:
        raise RequestError(f"a grid has at most {MOST_PROCESSES} processes, not {replicas * partitions}")
    if options.time:
        raise RequestError("--time tells what one process does, and this is a grid of them")
    if options.save is not None:
        check_save_path(options.save)
        if not has_placeholder(options.save):
            raise RequestError(
                f"each process of the grid has results, and {options.save} is one file",
                "put {process}, {replica} or {partition} into the name: out{process}.npz",
            )


def _save(path: str | None, places: Sequence[GridPlace], results: Results) -> None:
    from shlo.runner.results import save_results

    for place, values in zip(places, results):
        if path is not None:
            save_results(place.fill(path), values)


def _print(
    functions: Sequence[Function],
    places: Sequence[GridPlace],
    results: Results,
    options: Namespace,
    console: Console,
) -> None:
    """The results of each process; once where they are the same for all."""
    from shlo.cli.run import print_results

    is_same = len(places) > 1 and all(_same(values, results[0]) for values in results)
    for place, function, values in zip(places[: 1 if is_same else None], functions, results):
        title = f"process ({place.replica}, {place.partition})"
        console.print_styled(f"all {len(places)} processes" if is_same else title, "bold")
        print_results(function, values, options, console)


def _same(values: Sequence[Any], others: Sequence[Any]) -> bool:
    """Whether processes gave the same bits."""
    if len(values) != len(others):
        return False
    return all(_bits(one) == _bits(other) for one, other in zip(values, others))


def _bits(value: Any) -> Any:
    from shlo.runner.display import as_array

    array = as_array(value)
    return repr(value) if array is None else (array.shape, array.dtype, array.tobytes())


def _print_json(
    functions: Sequence[Function],
    places: Sequence[GridPlace],
    results: Results,
    seconds: float,
    options: Namespace,
    console: Console,
) -> None:
    import json

    from shlo.cli.run import results_data

    replicas, partitions = options.grid
    processes = [
        {"replica": place.replica, "partition": place.partition, "results": results_data(function, values)}
        for place, function, values in zip(places, functions, results)
    ]
    data = {"replicas": replicas, "partitions": partitions, "processes": processes, "seconds": seconds}
    console.print(json.dumps(data))
