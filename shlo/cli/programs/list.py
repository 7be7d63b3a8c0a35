"""`shlo list`: the programs of a folder, such as JAX's dumps, and what is in them."""

from __future__ import annotations

import re
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Iterator, Sequence
from typing import Any, Final

from shlo.command_line.console import Console
from shlo.command_line.exit_codes import COULD_NOT, FINDINGS, FINE
from shlo.command_line.options import add_format, describe
from shlo.ir.diagnostics import ParseError
from shlo.ir.operations import Module
from shlo.runner.errors import RequestError
from shlo.runner.files import parsed_program
from shlo.runner.folders import FolderProgram, programs_in
from shlo.text.numbers import plural
from shlo.text.shortening import fitted

WIDEST: Final = 160
"""How many characters of a line are shown."""


def configure(parser: ArgumentParser) -> None:
    """Adds the options of `shlo list`."""
    describe(
        parser,
        "List the programs of a folder, such as JAX writes with JAX_DUMP_IR_TO: name, operations, type.\n"
        "Other subcommands take FOLDER:NAME for the last program of a name, FOLDER:NAME#2 for the second.",
        ("JAX_DUMP_IR_TO=dumps python train.py", "writes what JAX compiles"),
        ("shlo list dumps", "the programs, in the order in which they were compiled"),
        (
            "shlo list dumps --search 'rng|train.py'",
            "lines in which an operation, a scope or a file is named",
        ),
        ("shlo debug dumps:step --random 0", "the last one of that name"),
        ("shlo check dumps", "all of them"),
        ("shlo diff --text before after", "two such folders, program by program"),
    )
    parser.add_argument("folder", metavar="FOLDER", help="a folder of programs: text, bytecode, artifacts")
    parser.add_argument(
        "--search", type=pattern, metavar="REGEX", help="print the lines of the programs that it is found in"
    )
    add_format(parser)


def pattern(text: str) -> re.Pattern[str]:
    """Returns a regular expression; argparse reports the ArgumentTypeError."""
    try:
        return re.compile(text)
    except re.error as error:
        raise ArgumentTypeError(f"expected a regular expression, got {text!r}: {error}") from None


def execute(options: Namespace, console: Console) -> int:
    """Prints the programs or the lines that are searched; 1 where nothing is found, 2 where one cannot be
    read.
    """
    programs = programs_in(options.folder)
    rows = [_row(program) for program in programs]
    code = COULD_NOT if any(error for _, _, error in rows) else FINE
    if options.search is not None:
        return max(code, _search(rows, options, console))
    if options.format == "json":
        console.print_json({"programs": [_data(*row) for row in rows]})
    else:
        _print(rows, console)
    return code


Row = tuple[FolderProgram, Module | None, str]
"""A program, what it holds, and why it cannot be read."""


def _row(program: FolderProgram) -> Row:
    from shlo.api import without_vhlo

    try:
        return program, without_vhlo(parsed_program(program.path)), ""
    except (RequestError, ParseError) as error:
        return program, None, str(error)


def _print(rows: Sequence[Row], console: Console) -> None:
    width = max(len(program.label) for program, _, _ in rows)
    for program, module, error in rows:
        about = error if module is None else f"{_size(module):6,}  {_type(module)}"
        console.print(fitted(f"{program.number:4}  {program.label:{width}}  {about}", WIDEST, " ..."))
    console.print(plural(len(rows), "program"))


def _search(rows: Sequence[Row], options: Namespace, console: Console) -> int:
    """Prints the lines in which something is found; 1 where there is none."""
    matches = [
        (program, number, line)
        for program, module, _ in rows
        if module is not None
        for number, line in _lines(module)
        if options.search.search(line)
    ]
    if options.format == "json":
        keys = ("program", "file", "line", "text")
        found = [dict(zip(keys, (program.label, program.path, *rest))) for program, *rest in matches]
        console.print_json({"matches": found})
    else:
        for program, number, line in matches:
            console.print(fitted(f"{program.path}:{number}: {line.strip()}", WIDEST, " ..."))
    return FINE if matches else FINDINGS


def _lines(module: Module) -> Iterator[tuple[int, str]]:
    text = module.source.text if module.source else module.to_text(locations=True)
    yield from enumerate(text.splitlines(), 1)


def _data(program: FolderProgram, module: Module | None, error: str) -> dict[str, Any]:
    data: dict[str, Any] = {"number": program.number, "name": program.label, "file": program.path}
    if module is None:
        return {**data, "error": error}
    return {**data, "operations": _size(module), "type": _type(module)}


def _size(module: Module) -> int:
    return sum(1 for _ in module.walk())


def _type(module: Module) -> str:
    function = module.functions.get("main")
    return "" if function is None else str(function.type)
