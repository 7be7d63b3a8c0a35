"""`shlo diff`: where two runs diverge, and how two programs, or two files of arrays, differ."""

from __future__ import annotations

import os
import tempfile
from argparse import Action, ArgumentParser, Namespace
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from shlo.cli.runs.array_files import compare_array_files
from shlo.command_line.console import Console, ProgressBar
from shlo.command_line.exit_codes import COULD_NOT, FINE, exit_code_of
from shlo.command_line.options import (
    add_call,
    add_engine,
    add_flag,
    add_grid,
    add_report,
    add_tolerance,
    arguments_of,
    but_with,
    describe,
    engine_of_options,
    grid_call_of,
    refuse_without_grid,
    run_options_of,
)
from shlo.command_line.outputs import REPORTS, add_output, is_same
from shlo.command_line.scripts import second_program
from shlo.engines import Engine, is_command, label_of, takes_devices
from shlo.ir.diagnostics import ExecutionError
from shlo.ir.dtypes import saveable
from shlo.ir.operations import Module
from shlo.runner.errors import RequestError
from shlo.runner.files import parsed_program, read_module, replace_file
from shlo.runner.folders import programs_in
from shlo.support.command_lines import command_line
from shlo.support.conclusion import Conclusion
from shlo.support.suffixes import ARRAY_SUFFIXES, RECORDING_SUFFIX, has_suffix
from shlo.text.numbers import plural
from shlo.text.styled import StyledLine, styled

if TYPE_CHECKING:
    from shlo.divergence.findings import RunDifference
    from shlo.divergence.recorded import RecordedValues
    from shlo.divergence.tolerances import Tolerances
    from shlo.interpreter.options import RunOptions
    from shlo.interpreter.runtime.profile import Progress


class _Text(Action):
    """`--text`: what would be an argument of the run names the second program."""

    def __call__(self, parser: ArgumentParser, namespace: Namespace, *_: Any) -> None:
        """Sets what is known of programs and arguments."""
        namespace.text, namespace.programs, namespace.is_called = True, ("file", "arguments"), False


def configure(parser: ArgumentParser) -> None:
    """Adds the options of `shlo diff`."""
    describe(
        parser,
        "Run a program with the interpreter and, operation by operation, with another engine, and show\n"
        "where the two diverge: operations whose own results differ, the first one at which all errors\n"
        "together are large, results of the whole program. Iterations, calls and processes of a grid\n"
        "are named.\n\n"
        "With a second program before the arguments: run both with the interpreter, and show the first\n"
        "operation whose values diverge, of those that belong together by structure, scope and line. With a\n"
        "folder of .npy files, or a recording with values: the same against what is in it.\n\n"
        "Of two .npy or .npz files: which arrays differ, by how much and where.\n\n"
        "With --text: compare FILE and another program, ARG, by structure. Names of values, the order of\n"
        "operations, locations and names of private functions do not count. What only one program has,\n"
        "and what changed, is shown with the names of the first program, under its name stack and line\n"
        "of Python.",
        ("shlo diff model.mlir x.npy", "the first operation at which XLA gives something else"),
        ("shlo diff model.mlir --random 0 --platform gpu", "on a GPU, with random arguments"),
        ("shlo diff model.mlir x.npy --tolerance 'dot*=1e-3'", "where products may be less exact"),
        ("shlo diff model.mlir --grid 1x8 'x{process}.npy'", "in 8 processes"),
        ("shlo diff before.mlir after.mlir x.npy", "the first operation that a pass has broken"),
        ("shlo diff a.py:f b.py:f --args a.py:make", "two functions of Python on the same arguments"),
        ("shlo diff model.mlir probes/ x.npy", "against probes/NAME.npy, the value %NAME elsewhere"),
        ("shlo diff model.mlir run.shlorec", "against what shlo run --record-values all has recorded"),
        ("shlo diff model.mlir x.npy --format html -o page.html", "a page to look at"),
        ("shlo diff ours.npz theirs.npz", "arrays of the same names"),
        ("shlo diff --text old.mlir new.mlir", "what differs, function by function"),
        ("shlo diff --text old.mlirbc new.mlir", "bytecode and artifacts, too"),
        ("shlo diff --text dumps1 dumps2", "two folders of JAX's dumps, program by program"),
        ("shlo diff --text A B --format html -o page.html", "a page to look at"),
        ("shlo diff --text A B --aligned", "the second program, with the first one's names of values"),
    )
    add_call(parser)
    parser.set_defaults(takes_second_program=True)
    add_engine(parser, "xla")
    add_grid(parser)
    add_tolerance(
        parser,
        "how far results may be apart, as a part of the largest element; OP may be a pattern "
        "(default: by operation and type, docs/engines.md)",
    )
    parser.add_argument(
        "--ignore", action="append", default=[], metavar="OP", help="do not compare operations of that name"
    )
    parser.add_argument(
        "--by",
        choices=("operation", "whole"),
        help="run each operation on the engine, or only whole programs: values in between become results "
        "until the first wrong operation is found, in few runs (default: whole with --engine-command)",
    )
    parser.add_argument(
        "--judge",
        choices=("f64", "reference"),
        help="say which side is nearer to the value in float64, by the interpreter or the reference; what is "
        "zero in exact arithmetic; which loops are chaotic",
    )
    add_flag(
        parser,
        "--bisect-passes",
        help="with --engine xla, where results of the whole program differ: name the pass that makes them",
    )
    parser.add_argument("--text", action=_Text, nargs=0, default=False, help="compare what two programs say")
    add_report(parser, lambda options: "MLIR text" if options.aligned else REPORTS[options.format])
    add_output(
        parser,
        "--issue",
        "text",
        metavar="FILE",
        help="where the engine differs: write a text for an issue in Markdown, with a reduced program, whose "
        ".mlir and .npz files are written beside it",
    )
    add_flag(
        parser,
        "--aligned",
        help="print B with the names of A, to compare with what shlo fmt --canonical A prints",
    )


def execute(options: Namespace, console: Console) -> int:
    """Prints how runs or programs differ; 1 where they do, 2 where not all could be compared."""
    if options.text:
        return _compare_programs(options, console)
    if has_suffix(options.file, *ARRAY_SUFFIXES):
        return compare_array_files(options, console)
    return _compare_runs(options, console)


def _compare_runs(options: Namespace, console: Console) -> int:
    """Prints where two runs diverge; 1 where they do."""
    from shlo.divergence.page import page_of
    from shlo.divergence.report import data_of, lines_of
    from shlo.divergence.tolerances import Tolerances
    from shlo.text.diagnostics import failure_lines

    if options.aligned:
        raise RequestError("expected --text with --aligned, got a run")
    if options.infeed is not None:
        raise RequestError("expected a run without an infeed, which only the interpreter reads")
    other = second_program(options.arguments)
    if other is not None:
        options = but_with(options, arguments=options.arguments[1:])
    note = partial(console.message, "note")
    tolerances = Tolerances(tuple(reversed(options.tolerance)), tuple(options.ignore))
    recorded = None
    if other is not None and has_suffix(other, RECORDING_SUFFIX):
        from shlo.divergence.recorded import RecordedValues

        recorded = RecordedValues(other)
    call = _call_of(options, note) if recorded is None else _recorded_call(options, recorded)
    try:
        with ProgressBar(console) as progress:
            shown = progress if progress.is_visible else None
            if other is None:
                difference = _diff_engine(options, call, tolerances, shown)
            elif recorded is not None:
                difference = _diff_recorded(other, recorded, call, tolerances, shown)
            elif os.path.isdir(other):
                difference = _diff_probes(other, call, tolerances, shown)
            else:
                difference = _diff_program(options, other, call, tolerances, shown, note)
    except ExecutionError as error:
        console.report(failure_lines(call.modules[0].source, error))
        return COULD_NOT
    door = partial(_debug_command, options, recording=other if recorded is not None else None)
    console.print_report(
        options,
        lambda: map(styled, lines_of(difference, door)),
        lambda: data_of(difference, door),
        lambda: page_of(difference, options.file, door),
    )
    return exit_code_of(difference.conclusion)


def _debug_command(options: Namespace, position: int, recording: str | None) -> str:
    """Returns the command line that opens the debugger on the run at a position."""
    if recording is not None:
        return command_line(["shlo", "debug", recording, "--at", str(position)])
    words = ["shlo", "debug", options.file, *options.arguments]
    defaults = {"entry": "main", "seed": 0, "semantics": "spec"}
    for name in ("entry", "random", "seed", "max_steps", "semantics", "platform"):
        value = getattr(options, name)
        if value is not None and value != defaults.get(name):
            words += [f"--{name.replace('_', '-')}", str(value)]
    if options.zeros:
        words.append("--zeros")
    if options.grid is not None:
        words += ["--grid", "x".join(map(str, options.grid))]
        words += [word for argument, axis in options.split for word in ("--split", f"{argument}:{axis}")]
    words += [word for stub in options.stubs for word in ("--stub", stub)]
    return command_line([*words, "--at", str(position)])


class ComparedCall(Struct, frozen=True):
    """Programs, the arguments of each process, how they run."""

    modules: Sequence[Module]
    inputs: Sequence[Sequence[Any]]
    options: RunOptions


def _call_of(options: Namespace, note: Callable[[str], None]) -> ComparedCall:
    """Returns the call of FILE; raises RequestError and ParseError."""
    from shlo.runner.arguments.call import entry_function

    if options.grid is None:
        refuse_without_grid(options)
        module = read_module(options.file)
        function = entry_function(module, options.entry)
        inputs = [arguments_of(module, function, options, note)]
        return ComparedCall([module], inputs, run_options_of(options))
    call = grid_call_of(options, note)
    chosen = run_options_of(options, **{**call.keywords(), "channels": None})
    return ComparedCall(call.modules, call.inputs, chosen)


def _diff_engine(
    options: Namespace, call: ComparedCall, tolerances: Tolerances, progress: Progress | None
) -> RunDifference:
    """Returns where the engine diverges from the interpreter; raises ExecutionError and EngineError."""
    from shlo.divergence.diff import diff_run
    from shlo.divergence.judge import Judge
    from shlo.divergence.passes import bisect_passes
    from shlo.engines.xla.separate import SeparateXlaEngine
    from shlo.interpreter.spmd.needed_grid import whole_partitions

    chosen = call.options
    if options.devices is None and takes_devices(options.engine):
        meshes = whole_partitions(call.modules[0], chosen.entries[0])
        options = but_with(options, devices=chosen.replicas * max(chosen.partitions, meshes))
    engine = engine_of_options(options, is_separate=True)
    engine.start()
    if options.bisect_passes and not isinstance(engine, SeparateXlaEngine):
        raise RequestError("expected --engine xla or pjrt:NAME with --bisect-passes")
    by = options.by or ("whole" if is_command(options.engine) else "operation")
    difference = diff_run(
        call.modules,
        call.inputs,
        chosen,
        engine,
        tolerances,
        progress,
        compares_operations=by == "operation",
        bisects=True,
        judge=Judge(options.judge, ("interpreter", label_of(engine))) if options.judge else None,
    )
    if isinstance(engine, SeparateXlaEngine) and options.bisect_passes and difference.results:
        difference.passes = bisect_passes(call.modules, call.inputs, chosen, engine, tolerances)
    if options.issue is not None and difference:
        _write_issue(options, difference, call, chosen, engine, tolerances)
    return difference


def _write_issue(
    options: Namespace,
    difference: RunDifference,
    call: ComparedCall,
    chosen: RunOptions,
    engine: Engine,
    tolerances: Tolerances,
) -> None:
    """Writes the text of an issue, and the program and arguments that it is about; raises RequestError."""
    import numpy as np

    from shlo.reduction.issue import issue_text, reduced_difference

    if len(call.inputs) != 1 or (chosen.replicas, chosen.partitions) != (1, 1):
        raise RequestError("expected one process for --issue, got a grid")
    program, arguments = (str(Path(options.issue).with_suffix(suffix)) for suffix in (".mlir", ".npz"))
    for path in (program, arguments):
        if path == options.issue or any(is_same(path, given) for given in (options.file, *options.arguments)):
            raise RequestError(f"expected --issue to name a text of another name than inputs, got {path}")
    reduced = reduced_difference(difference, call.modules[0], call.inputs[0], chosen, engine, tolerances)
    words = ["shlo", "diff", program, arguments, *_engine_words(options, reduced.candidate.entry)]
    passes = difference.passes.passes if difference.passes is not None else ()
    text = issue_text(reduced, engine, command_line(words), passes)
    values: list[Any] = list(map(saveable, reduced.arguments))
    replace_file(arguments, lambda file: np.savez(file, *values))
    replace_file(program, lambda file: file.write(reduced.candidate.text.encode("utf-8", "surrogateescape")))
    replace_file(options.issue, lambda file: file.write(text.encode("utf-8", "surrogateescape")))


def _engine_words(options: Namespace, entry: str) -> list[str]:
    """Returns the options that name the engine, and the function that it runs."""
    kind, _, rest = options.engine.partition(":")
    words = ["--engine-command", rest] if kind == "command" else ["--engine", options.engine]
    words += ["--entry", entry] if entry != "main" else []
    words += ["--platform", options.platform] if options.platform is not None else []
    return [*words, *(word for name, part in options.tolerance for word in ("--tolerance", f"{name}={part}"))]


def _diff_program(
    options: Namespace,
    path: str,
    call: ComparedCall,
    tolerances: Tolerances,
    progress: Progress | None,
    note: Callable[[str], None],
) -> RunDifference:
    """Returns where another program's run diverges from FILE's; raises ExecutionError, RequestError and
    ParseError.
    """
    from shlo.divergence.programs import diff_programs

    if len({id(module) for module in call.modules}) > 1:
        raise RequestError("expected one program for all processes, got several")
    other = _call_of(but_with(options, file=path, arguments=options.second_arguments), note)
    names = options.file, path if path != options.file else f"{path} (second)"
    modules = call.modules[0], other.modules[0]
    return diff_programs(*modules, call.inputs, other.inputs, call.options, names, tolerances, progress)


def _recorded_call(options: Namespace, recorded: RecordedValues) -> ComparedCall:
    """Returns the call of FILE with the arguments, and in the grid, of a recording; raises RequestError."""
    if options.arguments or options.grid is not None:
        raise RequestError("expected no arguments and no grid beside a recording, which has them")
    replicas, partitions = recorded.shape
    chosen = run_options_of(options, replicas=replicas, partitions=partitions)
    return ComparedCall([read_module(options.file)], recorded.inputs, chosen)


def _diff_recorded(
    path: str, recorded: RecordedValues, call: ComparedCall, tolerances: Tolerances, progress: Progress | None
) -> RunDifference:
    """Returns where the run diverges from a recorded one; raises ExecutionError."""
    from shlo.divergence.programs import diff_values

    expected = recorded.expected_of(call.modules[0])
    difference = diff_values(call.modules, call.inputs, call.options, path, expected, tolerances, progress)
    for name, count in recorded.unused().items():
        difference.not_compared[name] = (
            f"{plural(count, 'recorded result')} of it belong to no operation that ran"
        )
    return difference


def _diff_probes(
    folder: str, call: ComparedCall, tolerances: Tolerances, progress: Progress | None
) -> RunDifference:
    """Returns where the run diverges from the values of a folder; raises ExecutionError and RequestError."""
    from shlo.divergence.probes import ProbeFiles
    from shlo.divergence.programs import diff_values

    if (call.options.replicas, call.options.partitions) != (1, 1):
        raise RequestError("expected one process for a folder of probes, got a grid")
    probes = ProbeFiles(folder)
    with tempfile.TemporaryDirectory(prefix="shlo-diff-", ignore_cleanup_errors=True) as scratch:
        chosen = replace(call.options, probe_folder=scratch)
        difference = diff_values(
            call.modules, call.inputs, chosen, folder, probes.expected, tolerances, progress
        )
    for name in probes.unused():
        difference.not_compared[name] = "no operation of that name was run so often"
    return difference


def _compare_programs(options: Namespace, console: Console) -> int:
    """Prints how two programs differ; 1 where they do."""
    if len(options.arguments) != 1:
        raise RequestError(f"expected two programs for --text, got {1 + len(options.arguments)}")
    paths = options.file, options.arguments[0]
    if all(map(os.path.isdir, paths)):
        return _compare_folders(options, *paths, console)
    from shlo.compare import aligned_text, compare
    from shlo.compare.report import data_of, lines_of, page_of

    before, after = map(read_compared, paths)
    if options.aligned:
        console.print_program(aligned_text(before, after), options.output)
        return FINE
    difference = compare(before, after)
    console.print_report(
        options,
        lambda: lines_of(difference),
        lambda: data_of(difference),
        lambda: page_of(difference, *paths),
    )
    return exit_code_of(difference.conclusion)


def _compare_folders(options: Namespace, first: str, second: str, console: Console) -> int:
    """Prints how the programs of two folders differ, those of a name in their order; 1 where they do."""
    from shlo.compare import compare
    from shlo.compare.report import data_of, lines_of

    if options.aligned or options.format == "html" or options.output is not None:
        raise RequestError("expected two programs for --aligned, --format html and -o, got two folders")
    before, after = (
        {program.label: program.path for program in programs_in(folder)} for folder in (first, second)
    )
    data, only_in, different, empty = dict[str, Any](), dict[str, str](), 0, 0
    for label in [*before, *(label for label in after if label not in before)]:
        if label not in before or label not in after:
            only_in[label] = first if label in before else second
            title, lines = f"{label}: only in {only_in[label]}", list[StyledLine]()
        else:
            difference = compare(read_compared(before[label]), read_compared(after[label]))
            data[label] = data_of(difference)
            empty += not difference.compared
            if not difference:
                continue
            different += 1
            title, lines = f"{label}: {before[label]} and {after[label]}", list(lines_of(difference))
        if options.format == "text":
            console.print_styled(title, "bold")
            console.print_lines(lines)
    if options.format == "json":
        console.print_json({"programs": data, "only_in": only_in})
    else:
        same = len(data) - different - empty
        console.print(
            f"{plural(same, 'program')} the same, {different} different, {len(only_in)} in one folder alone"
            + (f", {empty} empty" if empty else "")
        )
    return exit_code_of(Conclusion(bool(different or only_in), len(data) + len(only_in) - empty, empty))


def read_compared(path: str) -> Module:
    """Returns the program of a file of any form, with StableHLO's operations in place of VHLO's.

    Raises RequestError and ParseError.
    """
    from shlo.api import without_vhlo

    return without_vhlo(parsed_program(path))
