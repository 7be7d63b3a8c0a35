"""`shlo check`: reads and verifies programs, and reports what is wrong with them."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final

from shlo.command_line.console import Console
from shlo.command_line.exit_codes import COULD_NOT, FINDINGS, FINE
from shlo.command_line.options import add_unregistered, describe
from shlo.ir.diagnostics import Diagnostic
from shlo.ir.source import Source
from shlo.runner.errors import RequestError
from shlo.runner.files import read_program, split_program
from shlo.runner.validity import findings_of
from shlo.text.diagnostics import diagnostic_data, diagnostic_lines
from shlo.verifier import Policy, unregistered_findings

Report = tuple[Source, list[tuple[Source, Diagnostic]]]
"""A file, and what was found in its parts."""


def configure(parser: ArgumentParser) -> None:
    """Adds the options of `shlo check`."""
    describe(
        parser,
        "Read and verify programs, and report everything that is wrong with them.",
        ("shlo check model.mlir", "findings with their place and line"),
        ("shlo check *.mlir", "several programs"),
        ("jax-to-mlir | shlo check -", "a program from standard input"),
        ("shlo check --verify-diagnostics x.mlir", "is found what `// expected-error` comments say?"),
        ("shlo check --format json x.mlir", "findings for a program to read"),
    )
    parser.add_argument("files", nargs="+", metavar="FILE", help="a program's file, - for standard input")
    parser.add_argument(
        "--split-input-file", action="store_true", help="lines `// -----` separate programs of their own"
    )
    parser.add_argument(
        "--verify-diagnostics",
        action="store_true",
        help="compare what is found with comments `expected-error {{...}}`, by line and severity",
    )
    parser.add_argument(
        "--match-text", action="store_true", help="with --verify-diagnostics: compare the words, too"
    )
    add_unregistered(parser, "a note for each dialect")
    parser.add_argument("--warnings-as-errors", action="store_true", help="warnings are errors")
    parser.add_argument(
        "--format",
        choices=("text", *_FORMATS),
        default="text",
        help="how to write the output (default: text)",
    )


def execute(options: Namespace, console: Console) -> int:
    """Checks each file; the exit code is the worst of all."""
    reports: list[Report] = []
    code = FINE
    for path in options.files:
        try:
            source = read_program(path)
        except RequestError as error:
            console.message("error", str(error))
            code = COULD_NOT
            continue
        parts = split_program(source) if options.split_input_file else [source]
        findings = [(part, finding) for part in parts for finding in _checked(part, options)]
        if any(finding.severity == "error" for _, finding in findings):
            code = max(code, FINDINGS)
        reports.append((source, findings))
        if options.format == "text":
            console.report(diagnostic_lines(findings))
    if options.format != "text":
        console.print_json(_FORMATS[options.format](reports))
    return code


def _checked(source: Source, options: Namespace) -> list[Diagnostic]:
    """What is reported about a program: its findings, or how they differ from those that it expects."""
    module, findings = findings_of(source)
    if options.verify_diagnostics:
        from shlo.cli.output.expectations import unmet

        return unmet(source, module, findings, options.match_text)
    is_allowed = options.allow_unregistered_dialect
    policy: Policy = "note" if is_allowed is None else "allow" if is_allowed else "refuse"
    findings = [*findings, *unregistered_findings(module, policy)]
    if options.warnings_as_errors:
        return [replace(each, severity="error") if each.severity == "warning" else each for each in findings]
    return findings


def _json(reports: Sequence[Report]) -> dict[str, Any]:
    return {
        "files": [
            {"file": source.name, "findings": [diagnostic_data(part, finding) for part, finding in findings]}
            for source, findings in reports
        ]
    }


def _sarif(reports: Sequence[Report]) -> dict[str, Any]:
    from shlo.cli.output.sarif import sarif

    return sarif(pair for _, findings in reports for pair in findings)


_FORMATS: Final[dict[str, Callable[[Sequence[Report]], dict[str, Any]]]] = {"json": _json, "sarif": _sarif}
