"""`shlo run`: runs a function of a program and prints or saves its results."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Sequence
from dataclasses import replace
from time import perf_counter
from typing import TYPE_CHECKING, Any

from shlo.cli.grid import run_in_grid
from shlo.cli.output.progress import ProgressBar
from shlo.command_line.console import Console
from shlo.command_line.exit_codes import FINDINGS, FINE
from shlo.command_line.options import (
    add_call,
    add_format,
    add_grid,
    arguments_of,
    describe,
    natural,
    refuse_without_grid,
    run_options_of,
)
from shlo.ir.diagnostics import ExecutionError
from shlo.ir.operations import Function, Module
from shlo.ir.source import Source
from shlo.runner.files import read_module
from shlo.text.diagnostics import failure_lines

if TYPE_CHECKING:
    from shlo.interpreter import Channels
    from shlo.runner.profile import Profile


def configure(parser: ArgumentParser) -> None:
    """Adds the options of `shlo run`."""
    describe(
        parser,
        "Run a function of a program and print its results.\n\n"
        "An ARG is a .npy file (one argument), a .npz file (arrays by name or in order), or\n"
        "a literal: 'dense<[1, 2]>', '[1.5, 2.5]', 3, true. Missing arguments can be made up.\n\n"
        "With --grid, {process}, {replica} and {partition} stand for the numbers of each process\n"
        "in FILE, ARG, NAME and paths.",
        ("shlo run model.mlir x.npy y.npy", "arguments from files"),
        ("shlo run model.mlir 'dense<[1, 2]>' 3", "arguments written out"),
        ("shlo run model.mlir --random 0", "random arguments"),
        ("shlo run model.mlir in.npz --save out.npz", "results into a file"),
        ("shlo run model.mlir --zeros --time", "what the time went into"),
        ("shlo run model.mlir --grid 2x4 x.npy", "on 2 replicas of 4 partitions, each with the same x"),
        ("shlo run model.mlir --grid 1x8 'x{process}.npy'", "a file for each process"),
        ("shlo run model.mlir --grid 1x8 x.npy --split 0", "argument 0 in 8 parts, one for each process"),
        ("shlo run 'stage{process}.mlir' --grid 1x4", "a program for each process"),
        (
            "shlo run model.mlir x.npy --stub tpu_custom_call=zeros",
            "with zeros for what a device's kernel gives",
        ),
        ("shlo run model.jaxexp x.npy", "what jax.export serialised, on the arguments of its function"),
        ("shlo run model.mlir --infeed in.npz", "what the infeed gives; the outfeed is printed"),
    )
    add_call(parser)
    add_grid(parser)
    parser.add_argument(
        "--save", metavar="PATH", help="save the results in a .npz file, or a single one in .npy"
    )
    parser.add_argument(
        "--outfeed", metavar="NPZ", help="save what went to the outfeed, as --infeed takes it"
    )
    parser.add_argument("--full", action="store_true", help="print large results in full")
    parser.add_argument("--time", action="store_true", help="print what each kind of operation took")
    parser.add_argument("--max-bytes", type=natural, metavar="N", help="stop when tensors would take N bytes")
    add_format(parser)


def execute(options: Namespace, console: Console) -> int:
    """Loads the program and its arguments, runs it, prints and saves the results."""
    from shlo.runner.arguments.call import entry_function

    if options.grid is not None:
        return run_in_grid(options, console)
    refuse_without_grid(options)
    module = read_module(options.file)
    function = entry_function(module, options.entry)
    _check_paths(function, options)
    arguments = arguments_of(module, function, options)
    channels = _channels(module, options)
    _tell_grid(module, options, console)
    try:
        results, profile, seconds = _run(module, arguments, channels, options, console)
    except ExecutionError as error:
        return explain(error, module.source, options, console)
    _save(results, channels, options)
    if options.format == "json":
        _print_json(function, results, channels, profile, seconds, console)
    else:
        print_results(function, results, options, console)
        print_outfeed(channels.outfeed, options, console)
        if profile is not None:
            console.note(profile.table(seconds))
    return FINE


def _tell_grid(module: Module, options: Namespace, console: Console) -> None:
    """Says in which grid a sharded program runs that does not say for how many devices it is."""
    from shlo.interpreter.spmd.legacy import declared_partitions, sharded_partitions

    partitions = sharded_partitions(module, options.entry)
    if partitions > 1 and declared_partitions(module) is None:
        console.message("note", f"the shardings are over {partitions} devices: as with --grid 1x{partitions}")


def _check_paths(function: Function, options: Namespace) -> None:
    """Raises RequestError where a result cannot be saved under the name given, before anything runs."""
    from shlo.runner.arguments.feeds import check_outfeed_path
    from shlo.runner.results import check_save_path

    if options.save is not None:
        check_save_path(options.save, len(function.type.results))
    if options.outfeed is not None:
        check_outfeed_path(options.outfeed)


def _channels(module: Module, options: Namespace) -> Channels:
    from shlo.interpreter import Channels
    from shlo.runner.arguments.feeds import read_infeed

    return Channels.fed([] if options.infeed is None else read_infeed(options.infeed, module))


def _save(results: Sequence[Any], channels: Channels, options: Namespace) -> None:
    from shlo.runner.arguments.feeds import save_outfeed
    from shlo.runner.results import save_results

    if options.save is not None:
        save_results(options.save, results)
    if options.outfeed is not None:
        save_outfeed(options.outfeed, channels.outfeed)


def _run(
    module: Module, arguments: Sequence[Any], channels: Channels, options: Namespace, console: Console
) -> tuple[Sequence[Any], Profile | None, float]:
    """Returns the results, what they cost by kind of operation where that was asked for, and seconds."""
    from shlo import interpreter
    from shlo.runner.profile import Profile

    profile = Profile() if options.time else None
    chosen = run_options_of(options, max_bytes=options.max_bytes, channels=channels, profile=profile)
    with ProgressBar(console) as progress:
        start = perf_counter()
        chosen = replace(chosen, progress=progress if progress.is_visible else None)
        results = interpreter.execute(module, arguments, chosen)
        return results, profile, perf_counter() - start


def explain(error: ExecutionError, source: Source | None, options: Namespace, console: Console) -> int:
    """Prints why a run failed; gives the exit code."""
    from shlo.runner.arguments.feeds import HOW_TO_FEED, INFEED

    console.report(failure_lines(source, error))
    if error.op == INFEED and options.infeed is None:
        console.message("hint", HOW_TO_FEED)
    return FINDINGS


def print_results(function: Function, results: Sequence[Any], options: Namespace, console: Console) -> None:
    """The results of a function, large ones by their edges."""
    for index, (type_, name, result) in enumerate(zip(function.type.results, _names(function), results)):
        label = f"result {index}" + (f" ({name})" if name else "")
        _print_value(f"{label}: {type_}", result, options, console)


def print_outfeed(items: Iterable[tuple[Any, ...]], options: Namespace, console: Console) -> None:
    """The items that went to the outfeed, where they are not saved."""
    from shlo.interpreter.runtime.values import type_words

    for index, item in enumerate(items if options.outfeed is None else ()):
        for part, value in enumerate(item):
            label = f"outfeed {index}" + (f", part {part}" if len(item) > 1 else "")
            _print_value(f"{label}: {type_words(value)}", value, options, console)


def _print_value(title: str, value: Any, options: Namespace, console: Console) -> None:
    from shlo.runner.display import ELIDE_ABOVE, array_text, summary

    note = None if options.full else summary(value)
    console.print_styled(title + (f"  # {note}" if note else ""), "bold")
    console.print(array_text(value, console.width, None if options.full else ELIDE_ABOVE))


def _names(function: Function) -> list[str]:
    """Returns what JAX calls each result (`jax.result_info`), empty where it says nothing."""
    from shlo.ir.attributes import ArrayAttr, DictionaryAttr, StringAttr

    names = [""] * len(function.type.results)
    attributes = function.operation.attribute("res_attrs")
    if isinstance(attributes, ArrayAttr):
        for index, entry in enumerate(attributes.values[: len(names)]):
            info = entry.as_dict().get("jax.result_info") if isinstance(entry, DictionaryAttr) else None
            names[index] = info.value if isinstance(info, StringAttr) else ""
    return names


def results_data(function: Function, results: Sequence[Any]) -> list[dict[str, Any]]:
    """Returns results for `--format json`."""
    from shlo.runner.display import json_value

    return [
        {"type": str(type_), "name": name or None, "value": json_value(result)}
        for type_, name, result in zip(function.type.results, _names(function), results)
    ]


def outfeed_data(items: Iterable[tuple[Any, ...]]) -> dict[str, Any]:
    """Returns what went to the outfeed for `--format json`, nothing where that is nothing."""
    from shlo.runner.display import json_value

    values = [[json_value(value) for value in item] for item in items]
    return {"outfeed": values} if values else {}


def costs_data(profile: Profile | None) -> dict[str, Any]:
    """What a run cost for `--format json`, nothing where nobody asked."""
    if profile is None:
        return {}
    return {
        "time": [
            {"operation": cost.name, "count": cost.count, "seconds": cost.seconds} for cost in profile.costs
        ]
    }


def _print_json(
    function: Function,
    results: Sequence[Any],
    channels: Channels,
    profile: Profile | None,
    seconds: float,
    console: Console,
) -> None:
    import json

    data = {"results": results_data(function, results), "seconds": seconds}
    console.print(json.dumps({**data, **outfeed_data(channels.outfeed), **costs_data(profile)}))
