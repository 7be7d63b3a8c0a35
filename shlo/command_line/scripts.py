"""Functions of Python scripts in place of a program's file: `shlo run train.py:loss --args batch.npz`."""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Generator, Sequence
from contextlib import ExitStack, contextmanager
from functools import cache, partial

from shlo.jax_programs.kinds import script_of
from shlo.runner.errors import RequestError
from shlo.runner.files import provided
from shlo.support.suffixes import PROGRAM_SUFFIXES, RECORDING_SUFFIX, has_suffix


def add_program(
    parser: ArgumentParser,
    name: str = "file",
    *,
    metavar: str = "FILE",
    nargs: str | None = None,
    help: str = "a program's file, - for standard input",
    is_called: bool = False,
) -> None:
    """An option or argument `name` that names programs: files, or functions of scripts. With the first one
    comes `--args`, as often as there are sources of arguments.

    Args:
        parser: the parser of a subcommand.
        name: the argument, which holds a path or a list of them.
        metavar: as for `add_argument`.
        nargs: likewise.
        help: what is said of files; functions of scripts are added.
        is_called: whether `arguments` of the subcommand are those that the program is called with.
    """
    text = f"{help}; FILE.py:FUNCTION lowers that with JAX"
    parser.add_argument(name, metavar=metavar, nargs=nargs, help=text)
    programs: Sequence[str] = parser.get_default("programs") or ()
    parser.set_defaults(programs=(*programs, name), is_called=is_called)
    if not programs:
        of_script = "FILE.py:NAME, a function that returns a tuple of them"
        what = "for FILE.py:FUNCTION an argument: a .npy or .npz file, a number, or "
        if is_called:
            what = "another ARG; for FILE.py:FUNCTION also "
        parser.add_argument(
            "--args",
            dest="more_arguments",
            action="append",
            default=[],
            metavar="ARG",
            help=what + of_script,
        )


@contextmanager
def scripts_lowered(
    options: Namespace, should_stop: Callable[[], bool] = lambda: False
) -> Generator[Namespace]:
    """Lets the functions of scripts that options name be read as the programs they are lowered to, which they
    are when they are read. Yields the options, with the arguments that the program is called with: those
    that `--args` adds included, in the form that the lowered program takes. Where a command takes a second
    program before the arguments, that one is called with `second_arguments`. `should_stop` ends the lowering.

    Raises RequestError.
    """
    is_called = getattr(options, "is_called", False)
    paths = list[str]()
    for name in getattr(options, "programs", ()):
        named: str | list[str] | None = getattr(options, name)
        paths += [named] if isinstance(named, str) else named or []
    arguments: Sequence[str] = getattr(options, "more_arguments", ())
    is_pair = is_called and getattr(options, "takes_second_program", False)
    second = second_program(options.arguments) if is_pair else None
    before = [] if second is None else [second]
    if is_called:
        arguments = [*options.arguments[len(before) :], *arguments]
    paths += before
    scripts = {path: script for path in paths if (script := script_of(path))}
    lowered_arguments = dict[str, Sequence[str]]()
    if not is_called and arguments and not scripts:
        raise RequestError("--args has the arguments of a script's function", "FILE.py:FUNCTION names one")
    with ExitStack() as stack:
        for path, script in scripts.items():
            from tempfile import TemporaryDirectory

            from shlo.jax_programs.scripts import lower_script

            folder = stack.enter_context(TemporaryDirectory(prefix="shlo-"))
            lowered = cache(partial(lower_script, *script, arguments, folder, should_stop))
            stack.enter_context(provided(path, partial(_text, lowered)))
            if is_called:
                lowered_arguments[path] = lowered()[1]
        if not is_called:
            yield options
            return
        first = lowered_arguments.get(paths[0], arguments)
        others = lowered_arguments.get(paths[-1], first)
        yield Namespace(**{**vars(options), "arguments": [*before, *first], "second_arguments": others})


def second_program(arguments: Sequence[str]) -> str | None:
    """Returns the first argument of a call where that is a program, recording or folder to compare with."""
    if not arguments:
        return None
    first = arguments[0]
    is_file = has_suffix(first, *PROGRAM_SUFFIXES, RECORDING_SUFFIX) or script_of(first) is not None
    return first if is_file or os.path.isdir(first) else None


def _text(lowered: Callable[[], tuple[bytes, Sequence[str]]]) -> bytes:
    return lowered()[0]
