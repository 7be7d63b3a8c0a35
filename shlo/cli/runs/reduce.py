"""`shlo reduce`: the smallest program that still shows a fault."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from functools import partial
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct, field

from shlo.command_line.console import Console
from shlo.command_line.exit_codes import COULD_NOT, FINE
from shlo.command_line.options import (
    add_call,
    add_engine,
    add_flag,
    add_format,
    add_tolerance,
    arguments_of,
    but_with,
    describe,
    engine_of_options,
    run_options_of,
    seconds,
    whole,
)
from shlo.command_line.outputs import add_output, is_same
from shlo.engines import DEFAULT, Engine, is_command
from shlo.engines.engine import EnginePool
from shlo.ir.dtypes import saveable
from shlo.ir.operations import Module
from shlo.runner.errors import RequestError
from shlo.runner.files import parsed_program, read_module, replace_file
from shlo.text.numbers import plural

if TYPE_CHECKING:
    from shlo.reduction.candidate import Candidate
    from shlo.reduction.checks import FaultCheck
    from shlo.reduction.search import Progress

WRITTEN_EVERY_S: Final = 2.0
"""How often the file is written, at most, while the search goes on."""


def configure(parser: ArgumentParser) -> None:
    """Adds the options of `shlo reduce`."""
    describe(
        parser,
        "Make a program smaller as long as it shows a fault: drop operations, results, arguments and\n"
        "attributes, make a loop's body or a called function the program, inline, simplify constants,\n"
        "shrink tensors. What was computed by dropped operations becomes arguments, with the values of\n"
        "a run. Each candidate is a valid program. The smallest so far is in the file of -o at any time,\n"
        "also after Ctrl-C; its arguments are in a .npz file of the same name.",
        ("shlo reduce model.mlir x.npy -o small.mlir --diff", "XLA gives something else"),
        ("shlo reduce model.mlir x.npy -o small.mlir --nan", "a result is NaN or infinite"),
        ("shlo reduce model.mlir x.npy -o small.mlir --error RET_CHECK --engine xla", "XLA's error"),
        ("shlo reduce model.mlir -o small.mlir --finding 'dot_general-C10'", "what shlo check says"),
        ("shlo reduce model.mlir -o small.mlir --check './fails.sh {}'", "exit code 0: it is there"),
        ("shlo reduce model.mlir -o small.mlir -j 8 --check ./fails.sh", "eight programs at a time"),
        ("shlo reduce model.mlir x.npy -o small.mlir -j 4 --diff", "four, each with an XLA of its own"),
        ("shlo reduce model.mlir x.npy -o s.mlir --check './fails.sh {} {args}'", "with arguments"),
        ("shlo reduce small.mlir small.npz -o small.mlir --diff --seconds 600", "go on"),
    )
    add_call(parser)
    add_engine(parser)
    add_output(
        parser,
        "-o",
        "MLIR text",
        is_in_place=True,
        has_own_name=True,
        dest="output",
        metavar="FILE",
        required=True,
        help="write the reduced program, FILE itself to go on",
    )
    faults = parser.add_mutually_exclusive_group(required=True)
    faults.add_argument(
        "--check",
        metavar="CMD",
        help="run a command, without a shell; {} is the program's path, {args} that of a .npz file with "
        "arguments; exit code 0 says that the fault is there",
    )
    add_flag(faults, "--diff", help="the interpreter and --engine (xla) differ, as shlo diff says")
    faults.add_argument("--error", metavar="TEXT", help="a run on --engine fails, and says TEXT")
    faults.add_argument("--finding", metavar="TEXT", help="shlo check says TEXT, in a message or as its code")
    add_flag(faults, "--nan", help="a result is NaN (or else infinite), and no argument or constant is")
    add_tolerance(parser, "with --diff: as shlo diff takes it")
    parser.add_argument(
        "--seconds", type=seconds, metavar="S", help="stop after S seconds (default: when nothing is smaller)"
    )
    parser.add_argument(
        "--check-seconds",
        type=seconds,
        default=60.0,
        metavar="S",
        help="how long the command of --check may take (default: 60)",
    )
    parser.add_argument(
        "-j",
        dest="jobs",
        type=whole(1),
        default=1,
        metavar="N",
        help="check N programs at a time: with --check, --diff, or --engine xla",
    )
    add_format(parser)


def execute(options: Namespace, console: Console) -> int:
    """Reduces a program and writes the smallest one."""
    from shlo.reduction.captured import MOST_STEPS
    from shlo.reduction.search import start
    from shlo.runner.arguments.call import entry_function

    if not options.output.endswith(".mlir"):
        raise RequestError(f"expected a .mlir file for -o, got {options.output}")
    has_engines = options.diff or (options.engine != DEFAULT and options.finding is None)
    if options.jobs != 1 and options.check is None and not has_engines:
        raise RequestError(
            "expected --check, --diff or --engine xla with -j",
            "the interpreter and the verifier run in this process, one program after the other",
        )
    module = read_module(options.file) if options.finding is None else parsed_program(options.file)
    function = entry_function(module, options.entry)
    check = _check_of(options, module)
    is_called = check.needs_arguments or bool(options.arguments)
    note = partial(console.message, "note")
    values = arguments_of(module, function, options, note) if is_called else []
    output = _Output(options.output, check.needs_arguments, console)
    _refuse_replacing(options, output)
    steps = MOST_STEPS if options.max_steps is None else options.max_steps
    search = start(module, function.name, values, check, output.report, options.seconds, options.jobs, steps)
    before = search.best.operation_count
    output.write(search.best)
    try:
        search.run()
    except KeyboardInterrupt:
        note("interrupted; the smallest program so far is kept")
    output.write(search.best)
    progress = search.progress
    data = {
        "operations_before": before,
        "operations": search.best.operation_count,
        "checks": progress.checks,
        "invalid": progress.invalid,
        "seconds": round(progress.seconds, 3),
        "complete": progress.is_complete,
        "compared": not progress.trouble,
        "trouble": progress.trouble or None,
        "program": options.output,
        "arguments": output.arguments_path if output.has_arguments else None,
    }
    if options.format == "json":
        console.print_json(data)
    else:
        rest = "" if progress.is_complete else "; there may be smaller ones"
        console.print(
            f"{plural(before, 'operation')} before, {search.best.operation_count} now; "
            f"{plural(progress.checks, 'check')} in {progress.seconds:.1f} s{rest}"
        )
    if not progress.trouble:
        return FINE
    console.message("error", f"not all programs could be checked: {progress.trouble}")
    return COULD_NOT


def _refuse_replacing(options: Namespace, output: _Output) -> None:
    """Raises RequestError where the arguments of another program than that of `-o` would be replaced."""
    path = output.arguments_path
    replaces = output.has_arguments and not is_same(options.output, options.file)
    if replaces and not options.force and any(is_same(path, argument) for argument in options.arguments):
        raise RequestError(
            f"expected -o to name another program than that of an input, got {options.output}, whose "
            f"arguments are written to {path}",
            "--force replaces the input",
        )


def _check_of(options: Namespace, module: Module) -> FaultCheck:
    """Returns the check that options ask for; raises RequestError and EngineError."""
    from shlo.divergence.tolerances import Tolerances
    from shlo.reduction.checks import (
        CommandCheck,
        DivergenceCheck,
        FailureCheck,
        FindingCheck,
        NonfiniteCheck,
    )

    if options.check is not None:
        return CommandCheck(options.check, options.check_seconds)
    if options.finding is not None:
        from shlo.verifier import verify

        return FindingCheck(options.finding, verify(module))
    chosen = run_options_of(options)
    if options.diff:
        name = "xla" if options.engine == DEFAULT else options.engine
        return DivergenceCheck(
            _engines(but_with(options, engine=name)),
            chosen,
            Tolerances(tuple(reversed(options.tolerance))),
            is_whole=is_command(name),
        )
    engine = _engines(options)
    if options.error is not None:
        return FailureCheck(engine, options.error, chosen)
    return NonfiniteCheck(engine, chosen)


def _engines(options: Namespace) -> Engine:
    """Returns the engine that options name, or as many as programs are checked at a time; raises
    EngineError.
    """
    if options.jobs == 1:
        return engine_of_options(options, is_separate=True)
    return EnginePool([engine_of_options(options, is_separate=True) for _ in range(options.jobs)])


class _Output(Struct):
    """The file of the smallest program so far, and that of its arguments."""

    path: str
    has_arguments: bool
    console: Console
    _written: float = field(default=0.0)
    _told: tuple[str, int] = ("", 0)

    @property
    def arguments_path(self) -> str:
        """The path of the file with the arguments."""
        return str(Path(self.path).with_suffix(".npz"))

    def report(self, candidate: Candidate, progress: Progress) -> None:
        """Writes a better candidate, unless one was written just before; tells of it where it is terminal."""
        now = monotonic()
        if now - self._written > WRITTEN_EVERY_S:
            self.write(candidate)
            self._written = now
            count = candidate.operation_count
            if self.console.is_terminal(self.console.stderr):
                self.console.note(
                    f"{plural(count, 'operation')} after {progress.seconds:.0f} s: {progress.step}"
                )

    def write(self, candidate: Candidate) -> None:
        """Writes a candidate, and what it is called with; raises RequestError."""
        import numpy as np

        from shlo.reduction.captured import arguments_of as values_of

        text = candidate.text.encode("utf-8", "surrogateescape")
        if self.has_arguments:
            values: list[Any] = list(map(saveable, values_of(candidate)))
            replace_file(self.arguments_path, lambda file: np.savez(file, *values))
        replace_file(self.path, lambda file: file.write(text))
