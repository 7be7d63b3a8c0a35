"""Options that several subcommands have, and how help is laid out."""

from __future__ import annotations

import os
import re
import sys
from argparse import (
    Action,
    ArgumentParser,
    ArgumentTypeError,
    BooleanOptionalAction,
    Namespace,
    RawDescriptionHelpFormatter,
)
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib.util import find_spec
from math import nan
from typing import TYPE_CHECKING, Any, Final, NoReturn

from shlo.command_line.outputs import REPORTS, Kind, add_output
from shlo.command_line.scripts import add_program
from shlo.ir.operations import Function, Module
from shlo.runner.errors import RequestError
from shlo.text.escape import escaped
from shlo.text.shortening import with_short_words

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

    from shlo.engines import Cluster, Engine
    from shlo.interpreter import RunOptions
    from shlo.interpreter.custom_call_api import Stub
    from shlo.runner.arguments.call import ArgumentTexts, Note
    from shlo.runner.arguments.grid import GridCall
    from shlo.runner.python_source import PythonSources
    from shlo.sanitizer.selection import Selection


_NO_OPTION: Final = "\0"
"""Before a word that is no option, whatever it begins with: no command line holds this character."""


class OptionParser(ArgumentParser):
    """A parser that takes what begins as a negative number does for no option (`-1e3`, `-inf`, `-nan`), nor
    the words that `_written_out` marks. Its help keeps the lines of descriptions and examples as they are.
    """

    def __init__(self, prog: str, *, add_help: bool = True) -> None:
        super().__init__(
            prog, formatter_class=RawDescriptionHelpFormatter, add_help=add_help, allow_abbrev=False
        )
        self._negative_number_matcher = re.compile(r"-\.?\d|-(?:inf|nan)$", re.IGNORECASE)
        self.other_option: Callable[[str], str] = str
        """Returns how an option that the parser does not have is to be read: by default as it is written."""
        self.other_names: Callable[[], Iterable[str]] = tuple
        """Returns the names that these have."""

    def _get_value(self, action: Action, arg_string: str) -> Any:
        return super()._get_value(action, arg_string.removeprefix(_NO_OPTION))

    def options_of(self, words: Sequence[str]) -> Namespace:
        """Returns what the words of a command line say; options and arguments may be mixed."""
        known = self._option_string_actions
        end = words.index("--") if "--" in words else len(words)
        read = [word if word.partition("=")[0] in known else self.other_option(word) for word in words[:end]]
        options, left = self.parse_known_intermixed_args(_written_out([*read, *words[end:]]))
        unknown = next((word.partition("=")[0] for word in left if word.startswith("-")), None)
        if unknown is not None:
            from shlo.text.suggest import did_you_mean

            names = [option[2:] for option in known if option.startswith("--")]
            names += self.other_names()
            hint = did_you_mean(unknown.lstrip("-"), names, "--{}", "--help lists the options")
            self.error(f"there is no option {unknown}; {hint}")
        if left:
            self.error(f"unrecognized arguments: {' '.join(left)}")
        return options

    def error(self, message: str) -> NoReturn:
        """Says what is wrong, and what tells the options, and ends with exit code 2."""
        text = escaped(with_short_words(message.replace(_NO_OPTION, "")))
        is_hinted = "--help" in text or "did you mean" in text
        hint = "" if is_hinted else f"hint: {self.prog} --help tells arguments and options\n"
        self.exit(2, f"error: {text}\n{hint}")

    def _print_message(self, message: str, file: SupportsWrite[str] | None = None) -> None:
        (file or sys.stderr).write(message)  # argparse itself drops what cannot be written


def read_other_options(
    parser: ArgumentParser, read: Callable[[str], str], names: Callable[[], Iterable[str]]
) -> None:
    """Lets a command's parser read words that are none of its options as others, which have these names."""
    assert isinstance(parser, OptionParser)
    parser.other_option, parser.other_names = read, names


def describe(parser: ArgumentParser, description: str, *examples: tuple[str, str]) -> None:
    """Gives a parser its description and examples: a command line, and what it does."""
    parser.description = description
    width = max((len(command) for command, _ in examples), default=0)
    lines = [f"  {command:{width}}  {meaning}" for command, meaning in examples]
    parser.epilog = "\n".join(["examples:", *lines])


def add_flag(parser: Any, *flags: str, help: str, **keywords: str) -> None:
    """An option of a parser, or of a group of one, that is given or not."""
    parser.add_argument(*flags, action="store_true", help=help, **keywords)


def add_common_options(parser: ArgumentParser, can_be_sandboxed: bool) -> None:
    """`--color` and `--quiet`, which every command has, and `--sandbox` where files of others are read."""
    group = parser.add_argument_group("what the terminal shows")
    group.add_argument(
        "--color",
        choices=("auto", "always", "never"),
        default="auto",
        help="colours: on terminals (auto, the default), always, never",
    )
    add_flag(group, "-q", "--quiet", help="errors and warnings, no notes, hints and progress")
    if can_be_sandboxed:
        text = "without the rights to start processes, to connect, and to write any file but outputs (Linux)"
        add_flag(parser, "--sandbox", help=text)


def add_format(
    parser: ArgumentParser, *forms: str, help: str = "how to write the output (default: text)"
) -> None:
    """`--format text|json`, or text and other `forms`."""
    parser.add_argument("--format", choices=("text", *(forms or ("json",))), default="text", help=help)


def add_report(parser: ArgumentParser, kind: Callable[[Namespace], Kind] | None = None) -> None:
    """`--format text|json|html` and `-o` of what `Console.print_report` writes; `kind` where that is not the
    form's.
    """
    add_format(parser, "json", "html")
    add_result(parser, kind or (lambda options: REPORTS[options.format]))


def add_result(parser: ArgumentParser, kind: Kind | Callable[[Namespace], Kind] = "MLIR text") -> None:
    """`-o FILE`, which is written in place of standard output."""
    add_output(parser, "-o", kind, dest="output", metavar="FILE", help="write to a file")


def add_entry(parser: ArgumentParser, help: str = "the function to run (default: main)") -> None:
    """`--entry NAME`."""
    parser.add_argument("--entry", default="main", metavar="NAME", help=help)


def add_unregistered(parser: ArgumentParser, default: str) -> None:
    """`--allow-unregistered-dialect` and its opposite; `default` says what holds without both."""
    parser.add_argument(
        "--allow-unregistered-dialect",
        action=BooleanOptionalAction,
        help=f"say nothing about dialects that are not known, or refuse them (default: {default})",
    )


def refuse_unregistered(options: Namespace, module: Module) -> None:
    """Raises ParseError where a module has unknown dialects that `add_unregistered`'s options refuse."""
    if options.allow_unregistered_dialect is False:
        from shlo.runner.validity import refuse_unregistered

        refuse_unregistered(module)


def add_transform(parser: ArgumentParser) -> None:
    """What transforms one program has: FILE, where the result goes, and how it is printed."""
    add_program(parser)
    add_result(parser)
    add_flag(parser, "--generic", help="print MLIR's generic form")
    add_unregistered(parser, "they are allowed")


def program_of(options: Namespace) -> Module:
    """Returns the program that the options of `add_transform` name; raises RequestError and ParseError."""
    from shlo.api import parse
    from shlo.runner.files import read_program

    module = parse(read_program(options.file))
    refuse_unregistered(options, module)
    return module


def add_call(parser: ArgumentParser) -> None:
    """What says which function of which program runs on which arguments: FILE, ARG..., and their options."""
    add_program(parser, is_called=True)
    parser.add_argument(
        "arguments", nargs="*", metavar="ARG", default=[], help="a .npy or .npz file or a literal"
    )
    add_entry(parser)
    filling = parser.add_mutually_exclusive_group()
    filling.add_argument("--random", type=natural, metavar="SEED", help="random values for missing arguments")
    add_flag(filling, "--zeros", help="zeros for missing arguments")
    parser.add_argument(
        "--seed",
        type=natural,
        default=0,
        metavar="N",
        help="start of the generator of stablehlo.rng (default: 0)",
    )
    parser.add_argument("--max-steps", type=natural, metavar="N", help="stop after N operations")
    parser.add_argument(
        "--threads",
        type=whole(1),
        metavar="N",
        help="threads that share a large operation "
        "(default: $SHLO_NUM_THREADS, else the processors of the process)",
    )
    parser.add_argument(
        "--platform",
        metavar="NAME",
        help="of a file of jax.export, the platform whose code runs (default: cpu, else the first); "
        "with --engine xla the devices: cpu, gpu, tpu, cuda, rocm",
    )
    add_stubs(parser)
    add_semantics(parser)


class OpenChoices(tuple[str, ...]):
    """Words that help and completion offer for an option, which takes others as well."""

    __slots__ = ()

    def __contains__(self, word: object) -> bool:
        return True


def add_engine(parser: ArgumentParser, default: str = "interpreter") -> None:
    """`--engine NAME`, `--engine-command CMD` and `--devices N`, beside `add_call`'s `--platform`."""
    from shlo.engines import ENGINES

    chosen = parser.add_mutually_exclusive_group()
    chosen.add_argument(
        "--engine",
        choices=OpenChoices(ENGINES),
        default=default,
        help="what runs the program: interpreter, reference, xla, pjrt:PLATFORM, or one that a distribution "
        "brings; reference and xla need the extra of their name, as in pip install 'shlo[xla]' "
        f"(default: {default})",
    )
    chosen.add_argument(
        "--engine-command",
        dest="engine",
        type=lambda words: f"command:{words}",
        metavar="CMD",
        help="a command that runs it, such as './backend {program} {arguments} {results}' (docs/engines.md)",
    )
    parser.add_argument(
        "--devices",
        type=natural,
        metavar="N",
        help="with --engine xla, how many devices it may use (default: as many as the grid needs)",
    )


def add_platform(parser: ArgumentParser) -> None:
    """`--platform NAME` of commands whose programs are none of a file of jax.export."""
    parser.add_argument(
        "--platform", metavar="NAME", help="with --engine xla the devices: cpu, gpu, tpu, cuda, rocm"
    )


def engine_of_options(
    options: Namespace, cluster: Cluster | None = None, *, is_separate: bool = False
) -> Engine:
    """Returns the engine that the options of `add_engine` name, on the machines of a cluster, or in a process
    of its own where it may end the process and `is_separate`; raises EngineError.
    """
    from shlo.engines import DEFAULT, Placement, engine_of

    platform = None if options.engine == DEFAULT else options.platform
    return engine_of(options.engine, Placement(platform, options.devices, cluster, is_separate))


def add_tolerance(parser: ArgumentParser, help_: str) -> None:
    """`--tolerance [OP=]PART`, which may be given several times."""
    parser.add_argument(
        "--tolerance", type=tolerance, action="append", default=[], metavar="[OP=]PART", help=help_
    )


def tolerance(text: str) -> tuple[str, float]:
    """Returns a pattern of operations and a number, from `dot_general=1e-3` or `1e-3`; argparse reports the
    ArgumentTypeError.
    """
    from shlo.divergence.tolerances import EVERY

    name, _, number = text.rpartition("=")
    try:
        value = float(number)
    except ValueError:
        value = nan
    if not 0 <= value < float("inf"):
        raise ArgumentTypeError(f"expected a part such as 1e-3 or dot_general=1e-3, got {text!r}")
    return name or EVERY, value


def but_with(options: Namespace, **changes: Any) -> Namespace:
    """Returns a copy of options with others in place of some."""
    return Namespace(**{**vars(options), **changes})


def add_semantics(parser: ArgumentParser) -> None:
    """`--semantics spec|xla`."""
    from shlo.interpreter.semantics import SEMANTICS

    parser.add_argument(
        "--semantics",
        choices=SEMANTICS,
        default="spec",
        help="follow the specification, or XLA on CPU where it departs from it (default: spec; "
        "docs/differences.md)",
    )


def add_stubs(parser: ArgumentParser) -> None:
    """`--stub`, as often as there are targets of custom calls."""
    parser.add_argument(
        "--stub",
        dest="stubs",
        action="append",
        default=[],
        metavar="TARGET=HOW",
        help="results of custom calls that have no handler: zeros, random or a .npz file; TARGET may be a "
        "pattern, such as 'tt.*'",
    )


OPTIONAL_VALUES: Final = frozenset({"--sanitize"})
"""Options that are given alone, or with a value behind `=`."""


def _written_out(arguments: Sequence[str]) -> list[str]:
    """Returns arguments for an `OptionParser`: options of OPTIONAL_VALUES that are given alone have an
    empty value, so that they do not take what follows for one, and what follows `--` is marked as no option,
    which argparse forgets where options and arguments may be mixed.
    """
    end = arguments.index("--") if "--" in arguments else len(arguments)
    words = [f"{word}=" if word in OPTIONAL_VALUES else word for word in arguments[:end]]
    return [*words, *arguments[end : end + 1], *(f"{_NO_OPTION}{word}" for word in arguments[end + 1 :])]


def add_sanitize(parser: ArgumentParser, what: str) -> None:
    """`--sanitize`, alone or with what is looked for; `what` says what is done about it."""
    parser.add_argument(
        "--sanitize",
        metavar="[NAME,...]",
        help=f"{what} what the specification leaves open, such as integers that wrap, indices out of bounds; "
        "=-NAME leaves a finding or an operation out, =+NAME adds one (docs/sanitizer.md)",
    )


def add_shadow(parser: ArgumentParser, what: str) -> None:
    """`--shadow` with the type that values are computed in beside their own; `what` says what is done."""
    parser.add_argument("--shadow", choices=["f64"], help=f"{what} (docs/shadow.md)")


def python_sources_of(options: Namespace) -> PythonSources:
    """Returns what reads lines of Python beside the program's file, and below the current folder."""
    from shlo.runner.python_source import PythonSources

    return PythonSources([os.path.dirname(options.file) or ".", "."])


def selection_of(options: Namespace) -> Selection | None:
    """Returns what `add_sanitize` was given, None for nothing; raises RequestError."""
    if options.sanitize is None:
        return None
    from shlo.sanitizer.selection import Selection

    return Selection.of(options.sanitize)


def add_grid(parser: ArgumentParser) -> None:
    """What says that the call is that of each process of a grid."""
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
    parser.add_argument(
        "--infeed", metavar="NPZ", help="what the infeed gives: an array for each item, in order"
    )


def grid_call_of(
    options: Namespace,
    note: Note,
    shape: tuple[int, int] | None = None,
    programs: Mapping[str, Module] | None = None,
    local: Sequence[int] | None = None,
) -> GridCall:
    """Returns the grid of `add_call`'s and `add_grid`'s options, or one of `shape`; `known` has programs that
    were read, `note` gets what was skipped, `own` are the processes that run here (None: all). Raises
    RequestError and ParseError.
    """
    from shlo.runner.arguments.grid import load_grid

    return load_grid(
        options.file,
        shape or options.grid,
        _written(options, None if _chooses_devices(options) else options.platform, note),
        entry=options.entry,
        splits=dict(options.split),
        infeed=options.infeed,
        programs_read=programs,
        local=local,
    )


def arguments_of(module: Module, function: Function, options: Namespace, note: Note) -> list[Any]:
    """Returns what a function of a program is called with, by the options of `add_call`; `note` gets what was
    skipped. Raises RequestError.
    """
    from shlo.runner.arguments.call import exported_call, load_call

    is_plain = _chooses_devices(options) and type(module) is Module
    platform = None if is_plain else options.platform
    exported = exported_call(module, function, platform)
    return load_call(function, exported, _written(options, platform, note))


def _written(options: Namespace, platform: str | None, note: Note) -> ArgumentTexts:
    """Returns what the options of `add_call` say of arguments."""
    from shlo.runner.arguments.call import ArgumentTexts, names_capture

    filling = "zeros" if options.zeros else None if options.random is None else "random"
    arguments = options.arguments
    if not arguments and filling is None and names_capture(options.file):
        arguments = [options.file]
    return ArgumentTexts(arguments, filling, options.random or 0, platform, note)


def _chooses_devices(options: Namespace) -> bool:
    """Returns whether `--platform` says on which devices an engine runs."""
    return getattr(options, "engine", "interpreter") != "interpreter"


def refuse_without_grid(options: Namespace) -> None:
    """Raises RequestError where an option of `add_grid` has no meaning, as there is no grid."""
    if options.split:
        raise RequestError("--split splits an argument among the processes of a --grid, and there is none")


def stubs_of(options: Namespace) -> dict[str, Stub]:
    """Returns the stubs that `add_stubs` was given, read; raises RequestError."""
    from shlo.runner.arguments.stubs import read_stubs

    return read_stubs(options.stubs)


def run_options_of(options: Namespace, **others: Any) -> RunOptions:
    """The options of a run that `add_call` was given, with `others` in their place; raises RequestError."""
    from shlo.interpreter import RunOptions

    names = ("entry", "seed", "max_steps", "semantics", "threads")
    values = {name: getattr(options, name) for name in names}
    return RunOptions.of({**values, "stubs": stubs_of(options), **others})


def whole(least: int = 0, most: int | None = None) -> Callable[[str], int]:
    """Returns the type of an option that is a whole number in a range; argparse reports its
    ArgumentTypeError.
    """
    bounds = f"of at least {least:,}" if most is None else f"from {least:,} to {most:,}"

    def number_of(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            number = least - 1
        if number < least or (most is not None and number > most):
            raise ArgumentTypeError(f"expected a whole number {bounds}, got {text!r}")
        return number

    return number_of


natural: Final = whole()

MOST_SECONDS: Final = 1e6
"""The longest time that an option may name: longer ones do not fit what waits for processes."""


def seconds(text: str) -> float:
    """Returns a time in seconds, at most MOST_SECONDS; argparse reports the ArgumentTypeError."""
    try:
        number = float(text)
    except ValueError:
        number = nan
    if not 0 <= number <= MOST_SECONDS:
        raise ArgumentTypeError(f"expected seconds, from 0 to {MOST_SECONDS:,.0f}, got {text!r}")
    return number


def byte_count(text: str) -> int:
    """Returns a number of bytes, `100000`, `64MiB` or `64M` (powers of 1024), `1GB` (of 1000); argparse
    reports the ArgumentTypeError."""
    match = re.fullmatch(r"([0-9]{1,15}) ?(?:([KMGT])(iB|B)?|B)?", text, re.ASCII | re.IGNORECASE)
    if match is None:
        raise ArgumentTypeError(f"expected a size such as 100000, 64MiB or 1GB, got {text!r}")
    number, prefix, unit = match.groups("")
    base = 1000 if unit.upper() == "B" else 1024
    return int(number) * base ** " KMGT".index(prefix.upper() or " ")


def add_recording(parser: ArgumentParser) -> None:
    """`--record PATH`, and what is recorded."""
    add_output(
        parser,
        "--record",
        "recording",
        metavar="PATH",
        help="write a recording, which `shlo debug` opens at any step",
    )
    parser.add_argument(
        "--record-values",
        choices=("none", "statistics", "all"),
        help="record nothing of the values that operations give, their statistics, or all of them "
        "(default: statistics)",
    )
    parser.add_argument(
        "--record-limit",
        type=byte_count,
        metavar="SIZE",
        help="from which size on the file holds fewer values (default: 1GiB)",
    )


def recording_of(options: Namespace) -> dict[str, Any]:
    """Returns which values are recorded, and up to which size, as far as `add_recording`'s options say it;
    raises RequestError where they do without a recording.
    """
    chosen = {"values": options.record_values, "limit": options.record_limit}
    chosen = {name: value for name, value in chosen.items() if value is not None}
    if options.record is None and chosen:
        raise RequestError(f"expected --record PATH beside --record-{next(iter(chosen))}, got none")
    return chosen


def grid(text: str) -> tuple[int, int]:
    """Returns a grid's replicas and partitions, `2x4`; argparse reports the ArgumentTypeError."""
    from shlo.runner.arguments.grid import read_grid

    try:
        return read_grid(text)
    except ValueError:
        hint = f", such as 1x{text} for {text} partitions" if text.isdecimal() else ", such as 2x4"
        raise ArgumentTypeError(f"expected replicas x partitions{hint}, got {text!r}") from None


def split(text: str) -> tuple[int, int]:
    """Returns an argument and the dimension it is split along, `0` or `0:1`; argparse reports the
    ArgumentTypeError.
    """
    from shlo.runner.arguments.grid import read_split

    try:
        return read_split(text)
    except ValueError:
        raise ArgumentTypeError(f"expected an argument and a dimension such as 0:1, got {text!r}") from None


def need(extra: str, *packages: str) -> None:
    """Raises RequestError where one of the packages that an extra of shlo brings is missing."""
    missing = [package for package in packages if find_spec(package) is None]
    if missing:
        raise RequestError(f"{', '.join(missing)} is not installed", f"pip install 'shlo[{extra}]'")


def add_debugging(parser: ArgumentParser) -> None:
    """What debugs a program has beside `add_call` and `add_grid`: recordings, and where Python files are."""
    add_recording(parser)
    add_sanitize(parser, "stop behind the operations that do")
    add_shadow(parser, "show what digits values lack beside the same program in float64")
    parser.add_argument(
        "--at", type=natural, metavar="N", help="begin at position N: after N operations of all processes"
    )
    parser.add_argument(
        "--source-root",
        metavar="DIR",
        action="append",
        default=[],
        help="show the Python files below a folder, beside those of FILE's and the working folder",
    )
