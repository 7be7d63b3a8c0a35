"""`shlo run`: runs a function of a program and prints or saves its results."""

from __future__ import annotations

import signal
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from functools import partial
from math import prod
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

from msgspec.structs import asdict, replace

from shlo.cli.runs.results import RunWatch, watch_of
from shlo.command_line.cluster import add_cluster, cluster_of, why_ended
from shlo.command_line.console import Console, ProgressBar
from shlo.command_line.exit_codes import FINDINGS, FINE
from shlo.command_line.options import (
    add_call,
    add_engine,
    add_flag,
    add_format,
    add_grid,
    add_recording,
    add_sanitize,
    add_shadow,
    arguments_of,
    describe,
    engine_of_options,
    grid_call_of,
    natural,
    recording_of,
    refuse_without_grid,
    run_options_of,
)
from shlo.command_line.outputs import add_output
from shlo.engines import DEFAULT
from shlo.ir.diagnostics import ExecutionError
from shlo.ir.operations import Module
from shlo.ir.source import Source
from shlo.runner.errors import RequestError
from shlo.runner.files import read_module
from shlo.support.forking import can_fork, fork_and_wait
from shlo.support.streams import divert_native_output
from shlo.support.suffixes import ARRAY_SUFFIX, has_suffix
from shlo.text.diagnostics import failure_lines

if TYPE_CHECKING:
    from shlo.cli.runs.results import ProcessOutcome
    from shlo.interpreter import RunOptions
    from shlo.interpreter.runtime.program_output import ProgramOutput
    from shlo.runner.profile import RunProfile, TraceEvents

RECORDING_MEMORY: Final = 64 << 20
"""How many bytes of passed values a recorded run keeps beside the file."""


def configure(parser: ArgumentParser) -> None:
    """Adds the options of `shlo run`."""
    describe(
        parser,
        "Run a function of a program and print its results.\n\n"
        "An ARG is a .npy file (one argument), a .npz file (arrays by name or in order), or\n"
        "a literal: 'dense<[1, 2]>', '[1.5, 2.5]', 3, true. Missing arguments can be random or zeros.\n\n"
        "With --grid, {process}, {replica} and {partition} represent the numbers of each process\n"
        "in FILE, ARG, NAME and paths.",
        ("shlo run model.mlir x.npy y.npy", "arguments from files"),
        ("shlo run model.mlir 'dense<[1, 2]>' 3", "arguments written out"),
        ("shlo run model.mlir --random 0", "random arguments"),
        ("shlo run train.py:loss x.npy 0.5", "a function of a script, with JAX"),
        ("shlo run train.py:step --args train.py:batch", "on what another function returns"),
        ("shlo run model.mlir in.npz --save out.npz", "results into a file"),
        ("shlo run model.mlir --zeros --time", "what the time went into"),
        ("shlo run model.mlir --zeros --trace t.json", "a timeline for https://ui.perfetto.dev"),
        ("shlo run model.mlir --grid 2x4 x.npy", "on 2 replicas of 4 partitions, each with the same x"),
        ("shlo run model.mlir --grid 1x8 'x{process}.npy'", "a file for each process"),
        ("shlo run model.mlir --grid 1x8 x.npy --split 0", "argument 0 in 8 parts, one for each process"),
        ("shlo run 'stage{process}.mlir' --grid 1x4", "a program for each process"),
        (
            "shlo run model.mlir x.npy --stub tpu_custom_call=zeros",
            "with zeros for what a device's kernel gives",
        ),
        ("shlo run model.jaxexp x.npy", "what jax.export serialised, on the arguments of its function"),
        ("shlo run model.mlir x.npy --record r.shlorec", "what happens, for `shlo debug r.shlorec`"),
        ("shlo run model.mlir x.npy --engine xla", "with XLA, as JAX does"),
        ("shlo run model.mlir --engine xla --platform gpu --grid 1x8 'x{process}.npy'", "on 8 GPUs"),
        (
            "shlo run model.mlir --engine xla --distributed head:1234 --processes 2 --process 0 --grid 1x8",
            "on two machines, this the first of them",
        ),
        ("shlo run model.mlir --infeed in.npz", "what the infeed gives; the outfeed is printed"),
        ("shlo run model.mlir x.npy --sanitize", "and tell what the specification leaves open"),
        ("shlo run model.mlir x.npy --sanitize=-clamped,-scatter", "without a finding, and an operation"),
        ("shlo run model.mlir x.npy --shadow f64", "and tell which operations lose digits"),
    )
    add_call(parser)
    add_engine(parser)
    add_cluster(parser)
    add_grid(parser)
    add_output(
        parser,
        "--save",
        lambda options: "npy" if has_suffix(options.save, ARRAY_SUFFIX) else "npz",
        has_own_name=True,
        metavar="PATH",
        help="save the results in a .npz file, or a single one in .npy",
    )
    add_output(
        parser,
        "--outfeed",
        "npz",
        has_own_name=True,
        metavar="NPZ",
        help="save what went to the outfeed, as --infeed takes it",
    )
    add_flag(parser, "--full", help="print large results in full")
    add_flag(parser, "--time", help="print what operations took, by kind, scope and line of Python")
    add_output(
        parser,
        "--trace",
        "JSON",
        metavar="FILE",
        help="write a timeline for Perfetto: a track for each process",
    )
    parser.add_argument("--max-bytes", type=natural, metavar="N", help="stop when tensors would take N bytes")
    add_recording(parser)
    add_sanitize(parser, "run step by step, and report")
    add_shadow(parser, "run step by step beside the same in float64, and tell which operations lose digits")
    add_format(parser)


def execute(options: Namespace, console: Console) -> int:
    """Loads programs and arguments, runs them, prints and saves the results."""
    from shlo.cli.runs.results import print_outcomes, save_outcomes

    trace, profile = _measures(options)
    watch = watch_of(options)
    recording_of(options)
    run = _run_alone if options.grid is None else _run_grid
    if options.engine != DEFAULT:
        _refuse_for_engine(options)
        ended = _fork(options, console)
        if ended is not None:
            return ended
    done, is_text = None, options.format == "text"
    try:
        done = run(options, profile, console, watch)
    finally:
        if trace is not None:
            _write_trace(trace, str(options.trace), console)
        if watch is not None and (watch.has_seen() if done is None else is_text and not watch.comes_last):
            _tell(watch, console)
    if done is None:
        return FINDINGS
    outcomes, seconds = done
    save_outcomes(outcomes, options)
    print_outcomes(outcomes, options, profile if options.time else None, watch, seconds, console)
    if watch is not None and watch.comes_last and is_text:
        _tell(watch, console)
    return FINDINGS if watch is not None and watch.is_bad() else FINE


def _measures(options: Namespace) -> tuple[TraceEvents | None, RunProfile | None]:
    """Returns the timeline and the profile of the run, as far as --trace and --time ask for them."""
    if options.trace is None and not options.time:
        return None, None
    from shlo.runner.profile import RunProfile, TraceEvents

    trace = None if options.trace is None else TraceEvents()
    return trace, RunProfile(trace)


def _tell(watch: RunWatch, console: Console) -> None:
    for line in watch.lines():
        console.note(line)


def _fork(options: Namespace, console: Console) -> int | None:
    """Has the engine run in a forked process, where there may be one: returns None in that, and its exit code
    in this one; tells of a signal that ended it.
    """
    if not can_fork():
        return None
    from tempfile import TemporaryFile

    with TemporaryFile() as printed:
        code = fork_and_wait()
        if code is None and options.distributed is not None:
            console.stdout, console.stderr = divert_native_output(printed)
        if code is None or code >= 0:
            return code
        printed.seek(0)
        words = printed.read().decode("utf-8", "replace")
    from shlo.support.processes import ending

    how = ending(code)
    if -code != signal.SIGABRT:
        console.message("error", f"a signal has ended the run: {how}")
    elif options.distributed is not None:
        console.message("error", f"the run has ended: {why_ended(words, options.wait)}")
        console.message("hint", "the messages of the others say more; --wait says how long to wait for them")
    else:
        console.message("error", f"{options.engine} ended the process on the program: {how}")
        console.message("hint", "the interpreter may run it: leave out --engine")
    return FINDINGS


def _refuse_for_engine(options: Namespace) -> None:
    """Raises RequestError where an option looks into a run, which another engine than the interpreter runs as
    a whole.
    """
    for name in ("record", "trace", "time", "infeed", "outfeed", "sanitize", "shadow"):
        if getattr(options, name) not in (None, False):
            raise RequestError(
                f"expected the interpreter for --{name}, got --engine {options.engine}",
                "leave --engine out",
            )


def _write_trace(trace: TraceEvents, path: str, console: Console) -> None:
    trace.write(path)
    if trace.left_out:
        console.message("note", f"the trace leaves out the last {trace.left_out:,} operations")


def _run_alone(
    options: Namespace, profile: RunProfile | None, console: Console, watch: RunWatch | None
) -> tuple[list[ProcessOutcome], float] | None:
    """Runs one program; returns its outcome and the seconds, or prints why it failed and returns None."""
    from shlo import interpreter
    from shlo.cli.runs.results import ProcessOutcome, check_paths
    from shlo.interpreter.spmd.legacy import legacy_partitions
    from shlo.runner.arguments.call import entry_function
    from shlo.runner.arguments.grid import places_of

    refuse_without_grid(options)
    cluster = cluster_of(options)
    module = read_module(options.file)
    function = entry_function(module, options.entry)
    check_paths(options, function)
    arguments = arguments_of(module, function, options, partial(console.message, "note"))
    channels = interpreter.Channels.fed(_infeed_of(module, options))
    engine = engine_of_options(options, cluster)
    if options.engine == DEFAULT:
        _tell_grid(module, options, console)
    chosen = _options_of(options, console, channels=channels, profile=profile)
    try:
        with ProgressBar(console) as progress:
            start = perf_counter()
            chosen = replace(chosen, progress=progress if progress.is_visible else None)
            if watch is not None:
                results = watch.run.execute(module, arguments, chosen)
            elif options.record is None:
                results = engine.execute(module, arguments, chosen)
            else:
                partitions = legacy_partitions(module, options.entry)
                inputs = arguments if partitions == 1 else [arguments]
                chosen = replace(chosen, partitions=partitions)
                results = _recorded(options, [module], inputs, chosen, console)[0]
            seconds = perf_counter() - start
    except ExecutionError as error:
        return _explain(error, module.source, options, console)
    (process,) = places_of(1, 1)
    return [ProcessOutcome(process, function, results, tuple(channels.outfeed))], seconds


def _infeed_of(module: Module, options: Namespace) -> Sequence[tuple[Any, ...]]:
    if options.infeed is None:
        return ()
    from shlo.runner.arguments.feeds import read_infeed

    return read_infeed(options.infeed, module)


def _run_grid(
    options: Namespace, profile: RunProfile | None, console: Console, watch: RunWatch | None
) -> tuple[list[ProcessOutcome], float] | None:
    """Runs the programs of all processes of a grid; returns as `_run_alone`."""
    from shlo.cli.runs.results import ProcessOutcome, check_paths
    from shlo.runner.arguments.grid import places_of

    check_paths(options)
    cluster = cluster_of(options)
    engine = engine_of_options(options, cluster)
    local = engine.own_processes(prod(options.grid))
    call = grid_call_of(options, partial(console.message, "note"), local=local)
    keywords = call.keywords()
    chosen = _options_of(options, console, profile=profile, **keywords)
    start = perf_counter()
    try:
        if watch is not None:
            results = watch.run.execute_grid(call.modules, call.inputs, chosen)
        elif options.record is None:
            results = engine.execute_grid(call.modules, call.inputs, chosen)
        else:
            results = _recorded(options, call.modules, call.inputs, chosen, console)
    except ExecutionError as error:
        return _explain(error, call.source_of(error.place), options, console)
    seconds = perf_counter() - start
    if cluster is not None and cluster.gathers:
        places = places_of(*options.grid) if 0 in local else ()
        return [
            ProcessOutcome(process, call.functions[0], row, ()) for process, row in zip(places, results)
        ], seconds
    outfeeds = [tuple(queues.outfeed) for queues in keywords["channels"]]
    return [ProcessOutcome(*row) for row in zip(call.places, call.functions, results, outfeeds)], seconds


def _recorded(
    options: Namespace, modules: Sequence[Module], inputs: Sequence[Any], chosen: RunOptions, console: Console
) -> list[tuple[Any, ...]]:
    """Runs step by step, with a recording; returns the results of each process, and raises as a run does."""
    from shlo.debugger import Session
    from shlo.debugger.errors import DebuggerError
    from shlo.debugger.recording.recorder import record

    if options.time or options.trace is not None:
        flag = "--time" if options.time else "--trace"
        raise RequestError(f"expected --record or {flag}, got both", "a recorded run takes longer by itself")
    try:
        session = Session(modules, inputs=inputs, memory=RECORDING_MEMORY, **asdict(chosen))
        recorder = record(session, options.record, **recording_of(options))
    except DebuggerError as error:
        raise RequestError(str(error)) from None
    try:
        session.resume()
    finally:
        recorder.close()
        if recorder.error is not None:
            console.message("error", f"the recording is not complete: {recorder.error}")
    return session.cursor.grid.results


def _options_of(options: Namespace, console: Console, **others: Any) -> RunOptions:
    """Returns the options of a run whose program prints to standard error."""

    def show(output: ProgramOutput) -> None:
        console.note(str(output))

    return run_options_of(options, max_bytes=options.max_bytes, output=show, **others)


def _tell_grid(module: Module, options: Namespace, console: Console) -> None:
    """Prints in which grid a sharded program runs that does not say for how many devices it is."""
    from shlo.interpreter.spmd.legacy import declared_partitions, legacy_partitions

    partitions = legacy_partitions(module, options.entry)
    if partitions > 1 and declared_partitions(module) is None:
        console.message("note", f"the shardings are over {partitions} devices: as with --grid 1x{partitions}")


def _explain(error: ExecutionError, source: Source | None, options: Namespace, console: Console) -> None:
    """Prints why a run failed."""
    from shlo.runner.arguments.feeds import HOW_TO_FEED, INFEED

    console.report(failure_lines(source, error))
    if error.op == INFEED and options.infeed is None:
        console.message("hint", HOW_TO_FEED)
