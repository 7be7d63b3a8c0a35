"""`shlo git`: programs in git, compared by structure."""

from __future__ import annotations

import shlex
import subprocess
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from pathlib import Path
from typing import Final

from shlo.cli.runs.diff import read_compared
from shlo.command_line.console import Console
from shlo.command_line.exit_codes import FINE
from shlo.command_line.options import add_flag, describe
from shlo.ir.diagnostics import ParseError, PrintError
from shlo.ir.operations import Module
from shlo.runner.errors import RequestError
from shlo.runner.files import open_program, read_bytes, reason

PATTERNS: Final = ("*.mlir", "*.mlirbc", "*.mlir.bc")
"""Which files git compares by this driver."""
DRIVER: Final = "diff.shlo"


def configure(parser: ArgumentParser) -> None:
    """Adds the options of `shlo git`."""
    describe(
        parser,
        "Let git compare programs by structure: `git diff` shows what `shlo diff --text` shows,\n"
        "`git log -p` and `git show` show bytecode as text.",
        ("shlo git install", "in this repository, in .git; nothing is committed"),
        ("shlo git install --global", "for all repositories of the user"),
        ("shlo git uninstall", "as before"),
    )
    parser.add_argument(
        "action", choices=tuple(_ACTIONS), help="what to do; git itself calls diff and textconv"
    )
    parser.add_argument(
        "arguments", nargs="*", metavar="ARG", default=[], help="what git passes to diff and textconv"
    )
    add_flag(parser, "--global", help="for all repositories of the user", dest="is_global")


def execute(options: Namespace, console: Console) -> int:
    """Installs or removes the driver, or is the driver."""
    _ACTIONS[options.action](options, console)
    return FINE


def _install(options: Namespace, console: Console) -> None:
    # -P: git starts drivers in the repository, whose folders are no place to import from
    command = f"{shlex.quote(Path(sys.executable).as_posix())} -P -m shlo git"
    scope = "--global" if options.is_global else "--local"
    _git("config", scope, f"{DRIVER}.command", f"{command} diff")
    _git("config", scope, f"{DRIVER}.textconv", f"{command} textconv")
    path = _attributes_file(options.is_global)
    lines = _lines(path)
    missing = [line for line in _attribute_lines() if line not in lines]
    _write_lines(path, [*lines, *missing])
    console.print(f"git compares {', '.join(PATTERNS)} by structure ({path})")
    console.print("git diff --no-ext-diff compares their lines")


def _uninstall(options: Namespace, console: Console) -> None:
    scope = "--global" if options.is_global else "--local"
    try:
        _git("config", scope, "--remove-section", DRIVER)
    except RequestError:
        console.print("the driver is not installed")
        return
    path = _attributes_file(options.is_global)
    _write_lines(path, [line for line in _lines(path) if line not in _attribute_lines()])
    console.print("git compares programs by lines")


def _diff(options: Namespace, console: Console) -> None:
    """Prints a difference for git, which passes the path, then file, hash and mode of both editions."""
    if len(options.arguments) < 7:
        raise RequestError("expected what git passes: PATH OLD-FILE OLD-HASH OLD-MODE NEW-FILE ...")
    path, old, new = options.arguments[0], options.arguments[1], options.arguments[4]
    console.print_styled(f"diff --shlo a/{path} b/{path}", "bold")
    try:
        before, after = _edition(old), _edition(new)
    except (ParseError, RequestError) as error:
        console.print(f"compared by lines: {str(error).splitlines()[0]}")
        return _diff_lines(path, old, new, console)
    if before is None or after is None:
        word = "new" if before is None else "deleted"
        program = after or before
        assert program is not None
        return console.print(f"{word} program, {sum(1 for _ in program.walk()):,} operations")
    from shlo.compare import compare
    from shlo.compare.report import lines_of

    return console.print_lines(lines_of(compare(before, after)))


def _edition(path: str) -> Module | None:
    return None if path in ("/dev/null", "nul") else read_compared(path)


def _diff_lines(path: str, old: str, new: str, console: Console) -> None:
    console.print_diff(path, _text(old), _text(new))


def _textconv(options: Namespace, console: Console) -> None:
    """Prints a file as text."""
    if len(options.arguments) != 1:
        raise RequestError(f"expected one file, got {len(options.arguments)}")
    console.print(_text(options.arguments[0]), end="")


def _text(path: str) -> str:
    """Returns a program's text as it is, or that of bytecode; of a damaged file, what can be seen of it."""
    if path in ("/dev/null", "nul"):
        return ""
    try:
        program = open_program(path)
        return program.to_text() if isinstance(program, Module) else program.text
    except (RequestError, PrintError) as error:
        return f"{error}\n"


def _attribute_lines() -> list[str]:
    return [f"{pattern} diff=shlo" for pattern in PATTERNS]


def _attributes_file(is_global: bool) -> Path:
    """Returns where git reads attributes that are not committed."""
    if not is_global:
        return Path(_git("rev-parse", "--git-path", "info/attributes"))
    try:
        return Path(_git("config", "--global", "--type=path", "core.attributesFile"))
    except RequestError:
        import os

        home = os.environ.get("XDG_CONFIG_HOME") or str(Path.home() / ".config")
        return Path(home, "git", "attributes")


def _lines(path: Path) -> list[str]:
    return read_bytes(str(path)).decode("utf-8").splitlines() if path.exists() else []


def _write_lines(path: Path, lines: list[str]) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(f"{line}\n" for line in lines), "utf-8", newline="\n")
    except OSError as error:
        raise RequestError(f"cannot write {path}: {reason(error)}") from None


def _git(*arguments: str) -> str:
    """Returns what a git command prints; raises RequestError where it fails."""
    try:
        done = subprocess.run(["git", *arguments], capture_output=True, text=True, timeout=30, check=False)
    except FileNotFoundError:
        raise RequestError("git is not installed") from None
    if done.returncode:
        raise RequestError(f"git {arguments[0]} failed: {done.stderr.strip() or 'nothing is set'}")
    return done.stdout.strip()


_ACTIONS: Final[dict[str, Callable[[Namespace, Console], None]]] = {
    "install": _install,
    "uninstall": _uninstall,
    "diff": _diff,
    "textconv": _textconv,
}
