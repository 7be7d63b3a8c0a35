"""`shlo check`: reads programs and reports what is wrong with them."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import Any

from shlo.cli.console import Console
from shlo.cli.exit_codes import COULD_NOT, FINDINGS, FINE
from shlo.cli.findings import finding_data, print_findings
from shlo.cli.options import add_format, describe
from shlo.ir.diagnostics import Diagnostic
from shlo.ir.source import Source
from shlo.runner.errors import RequestError
from shlo.runner.files import read_program, split_program


def configure(parser: ArgumentParser) -> None:
    """Adds the options of `shlo check`."""
    describe(
        parser,
        "Read programs and report everything that is wrong with them.",
        ("shlo check model.mlir", "findings with their place and line"),
        ("shlo check *.mlir", "several programs"),
        ("jax-to-mlir | shlo check -", "a program from standard input"),
        ("shlo check --format json x.mlir", "findings for a program to read"),
    )
    parser.add_argument("files", nargs="+", metavar="FILE", help="a program's file, - for standard input")
    parser.add_argument(
        "--split-input-file", action="store_true", help="lines `// -----` separate programs of their own"
    )
    add_format(parser)


def execute(options: Namespace, console: Console) -> int:
    """Checks each file; the exit code is the worst of all."""
    reports: list[dict[str, Any]] = []
    code = FINE
    for path in options.files:
        try:
            source = read_program(path)
        except RequestError as error:
            console.message("error", str(error))
            code = COULD_NOT
            continue
        findings = [
            (part, finding)
            for part in (split_program(source) if options.split_input_file else [source])
            for finding in findings_of(part)
        ]
        if any(finding.severity == "error" for _, finding in findings):
            code = max(code, FINDINGS)
        if options.format == "json":
            reports.append(_report(source, findings))
        else:
            print_findings(console, findings)
    if options.format == "json":
        _print_json(console, reports)
    return code


def findings_of(source: Source) -> list[Diagnostic]:
    """What is wrong with a program's text."""
    from shlo.syntax import parse

    _, diagnostics = parse(source)
    return diagnostics


def _report(source: Source, findings: list[tuple[Source, Diagnostic]]) -> dict[str, Any]:
    return {"file": source.name, "findings": [finding_data(part, finding) for part, finding in findings]}


def _print_json(console: Console, reports: list[dict[str, Any]]) -> None:
    import json

    console.print(json.dumps({"files": reports}, indent=2))
