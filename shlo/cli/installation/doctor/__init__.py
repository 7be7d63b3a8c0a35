"""`shlo doctor`: what is installed, what was found, what is missing, and the command that fixes it."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import TYPE_CHECKING, Final

from shlo.command_line.console import Console
from shlo.command_line.exit_codes import FINDINGS, FINE
from shlo.command_line.options import add_format, describe
from shlo.command_line.outputs import add_output

if TYPE_CHECKING:
    from shlo.command_line.health import HealthCheck
    from shlo.text.styled import Style, StyledLine

_STYLES: Final[dict[str, Style]] = {"ok": "green", "absent": "dim", "broken": "red"}


def configure(parser: ArgumentParser) -> None:
    """Adds the options of `shlo doctor`."""
    describe(
        parser,
        "Tell what of shlo is installed and works, what is missing, and the command that fixes it.\n"
        "Parts that are absent are no fault: the exit code is 1 where something is broken.\n\n"
        "A report is a zip file for an issue: the checks, the versions of what shlo depends on, and\n"
        "the files that are named, as they are; no environment variables but those of a short list.\n"
        "The user's folder is ~ in it, the user's name and others' folders are USER. The command says\n"
        "what it wrote.",
        ("shlo doctor", "what is there, and what is missing"),
        ("shlo doctor --report bug.zip", "the same for an issue, as a file"),
        ("shlo doctor --report bug.zip model.mlir", "with a program that shows the fault"),
        ("shlo doctor --format json", "for a program to read"),
    )
    parser.add_argument("files", nargs="*", metavar="FILE", help="with --report: files to put into it")
    add_output(parser, "--report", "zip", metavar="ZIP", help="write a report for an issue")
    add_format(parser)


def execute(options: Namespace, console: Console) -> int:
    """Shows the checks; writes the report."""
    from msgspec.structs import asdict

    from shlo.cli.installation.doctor.checks import all_checks
    from shlo.runner.errors import RequestError

    if options.files and options.report is None:
        raise RequestError("files are put into a report, and there is none", "add --report bug.zip")
    checks = all_checks(console)
    if options.format == "json":
        console.print_json({"checks": [asdict(check) for check in checks]})
    else:
        console.print_lines(_lines(checks))
    if options.report is not None:
        from shlo.cli.installation.doctor.report import write_report

        console.note(f"{options.report} holds, and nothing else:")
        for name, content in write_report(options.report, checks, options.files):
            console.note(f"  {name:20}  {content}")
    return FINDINGS if any(check.state == "broken" for check in checks) else FINE


def _lines(checks: Iterable[HealthCheck]) -> Iterator[StyledLine]:
    from shlo.text.styled import StyledSpan, styled

    for part, group in groupby(checks, lambda check: check.part):
        yield styled(part, "bold")
        for check in group:
            state = StyledSpan(f"  {check.state:6}  ", _STYLES[check.state])
            yield (state, StyledSpan(f"{check.name}: {check.detail}"))
            if check.advice:
                yield styled(f"          -> {check.advice}", "cyan")
