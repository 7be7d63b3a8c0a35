"""`shlo run`: runs a function of a program and prints or saves its results."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from time import perf_counter
from typing import TYPE_CHECKING, Any

from shlo.cli.console import Console
from shlo.cli.exit_codes import FINDINGS, FINE
from shlo.cli.findings import print_failure
from shlo.cli.grid import run_in_grid
from shlo.cli.options import add_call, add_format, describe, filling_of, grid, natural, split
from shlo.cli.progress import ProgressBar
from shlo.ir.diagnostics import ExecutionError
from shlo.ir.operations import Function, Module
from shlo.runner.errors import RequestError
from shlo.runner.files import read_module

if TYPE_CHECKING:
    from shlo.runner.profile import Profile


def configure(parser: ArgumentParser) -> None:
    """Adds the options of `shlo run`."""
    describe(
        parser,
        "Run a function of a program and print its results.\n\n"
        "An ARG is a .npy file (one argument), a .npz file (arrays by name or in order), or\n"
        "a literal: 'dense<[1, 2]>', '[1.5, 2.5]', 3, true. Missing arguments can be made up.",
        ("shlo run model.mlir x.npy y.npy", "arguments from files"),
        ("shlo run model.mlir 'dense<[1, 2]>' 3", "arguments written out"),
        ("shlo run model.mlir --random 0", "random arguments"),
        ("shlo run model.mlir in.npz --save out.npz", "results into a file"),
        ("shlo run model.mlir --zeros --time", "what the time went into"),
        ("shlo run model.mlir --grid 2x4 x.npy", "on 2 replicas of 4 partitions, each with the same x"),
        ("shlo run model.mlir --grid 1x8 'x{process}.npy'", "a file for each process"),
        ("shlo run model.mlir --grid 1x8 x.npy --split 0", "argument 0 in 8 parts, one for each process"),
    )
    add_call(parser)
    parser.add_argument(
        "--save", metavar="PATH", help="save the results in a .npz file, or a single one in .npy"
    )
    parser.add_argument("--full", action="store_true", help="print large results in full")
    parser.add_argument("--time", action="store_true", help="print what each kind of operation took")
    parser.add_argument("--max-bytes", type=natural, metavar="N", help="stop when tensors would take N bytes")
    parser.add_argument(
        "--grid", type=grid, metavar="RxP", help="run R replicas of P partitions side by side (2x4)"
    )
    parser.add_argument(
        "--split",
        type=split,
        action="append",
        default=[],
        metavar="ARG[:DIM]",
        help="with --grid: argument number ARG holds the parts of all processes, along dimension DIM (0)",
    )
    add_format(parser)


def execute(options: Namespace, console: Console) -> int:
    """Loads the program and its arguments, runs it, prints and saves the results."""
    from shlo.runner.arguments import entry_function, load_arguments
    from shlo.runner.results import check_save_path, save_results

    module = read_module(options.file)
    if options.grid is not None:
        return run_in_grid(module, options, console)
    if options.split:
        raise RequestError("--split splits an argument among the processes of a --grid, and there is none")
    function = entry_function(module, options.entry)
    if options.save is not None:
        check_save_path(options.save, len(function.type.results))
    arguments = load_arguments(function, options.arguments, filling_of(options), options.random or 0)
    try:
        results, profile, seconds = _run(module, arguments, options, console)
    except ExecutionError as error:
        print_failure(console, module.source, error)
        return FINDINGS
    if options.save is not None:
        save_results(options.save, results)
    if options.format == "json":
        _print_json(function, results, profile, seconds, console)
    else:
        print_results(function, results, options, console)
        if profile is not None:
            console.note(profile.table(seconds))
    return FINE


def _run(
    module: Module, arguments: Sequence[Any], options: Namespace, console: Console
) -> tuple[Sequence[Any], Profile | None, float]:
    """The results, what they cost by kind of operation where that was asked for, and seconds."""
    from shlo import interpreter
    from shlo.runner.profile import Profile

    profile = Profile() if options.time else None
    with ProgressBar(console) as progress:
        start = perf_counter()
        results = interpreter.run(
            module,
            *arguments,
            entry=options.entry,
            seed=options.seed,
            max_steps=options.max_steps,
            max_bytes=options.max_bytes,
            profile=profile,
            progress=progress if progress.is_visible else None,
        )
        return results, profile, perf_counter() - start


def print_results(function: Function, results: Sequence[Any], options: Namespace, console: Console) -> None:
    from shlo.runner.display import ELIDE_ABOVE, array_text, summary

    for index, (type_, name, result) in enumerate(zip(function.type.results, _names(function), results)):
        label = f"result {index}" + (f" ({name})" if name else "")
        note = None if options.full else summary(result)
        console.print_styled(f"{label}: {type_}" + (f"  # {note}" if note else ""), "bold")
        console.print(array_text(result, console.width, None if options.full else ELIDE_ABOVE))


def _names(function: Function) -> list[str]:
    """What JAX calls each result (`jax.result_info`), empty where it says nothing."""
    from shlo.ir.attributes import ArrayAttr, DictionaryAttr, StringAttr

    names = [""] * len(function.type.results)
    attributes = function.operation.attribute("res_attrs")
    if isinstance(attributes, ArrayAttr):
        for index, entry in enumerate(attributes.values[: len(names)]):
            info = entry.as_dict().get("jax.result_info") if isinstance(entry, DictionaryAttr) else None
            names[index] = info.value if isinstance(info, StringAttr) else ""
    return names


def results_data(function: Function, results: Sequence[Any]) -> list[dict[str, Any]]:
    """Results for `--format json`."""
    from shlo.runner.display import json_value

    return [
        {"type": str(type_), "name": name or None, "value": json_value(result)}
        for type_, name, result in zip(function.type.results, _names(function), results)
    ]


def _print_json(
    function: Function, results: Sequence[Any], profile: Profile | None, seconds: float, console: Console
) -> None:
    import json

    data: dict[str, Any] = {"results": results_data(function, results), "seconds": seconds}
    if profile is not None:
        data["time"] = [
            {"operation": cost.name, "count": cost.count, "seconds": cost.seconds} for cost in profile.costs
        ]
    console.print(json.dumps(data))
