"""`shlo check`: reads and verifies programs, and reports what is wrong with them."""

from __future__ import annotations

from argparse import ArgumentParser, BooleanOptionalAction, Namespace
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from msgspec.structs import replace

import shlo
from shlo.command_line.console import Console
from shlo.command_line.exit_codes import COULD_NOT, FINDINGS, FINE
from shlo.command_line.options import add_flag, add_format, add_unregistered, describe
from shlo.command_line.scripts import add_program
from shlo.ir.diagnostics import Applicability, Diagnostic
from shlo.ir.operations import Module
from shlo.ir.source import Source, Span
from shlo.ir.suggestions import suggestion_data
from shlo.runner.errors import RequestError
from shlo.runner.files import STANDARD_INPUT, open_program, split_program
from shlo.runner.folders import expanded
from shlo.runner.validity import findings_of
from shlo.syntax.parser.definitions import is_guest
from shlo.text.diagnostics import SuggestedFix, diagnostic_data, diagnostic_lines
from shlo.text.shortening import with_short_words
from shlo.verifier import Policy, unregistered_findings

MOST_TRIED: Final = 100
"""For how many findings of a file edits are tried."""
Finding = tuple[Source, Diagnostic, list[SuggestedFix]]
"""What was found in a part of a file, and fixes of it, as far as they are wanted."""
Report = tuple[Source, list[Finding]]
"""A file, and what was found in its parts."""


def configure(parser: ArgumentParser) -> None:
    """Adds the options of `shlo check`."""
    describe(
        parser,
        "Read and verify programs, and report everything that is wrong with them.",
        ("shlo check model.mlir", "findings with their place and line"),
        ("shlo check *.mlir", "several programs"),
        ("shlo check dumps", "all programs of a folder"),
        ("jax-to-mlir | shlo check -", "a program from standard input"),
        ("shlo check --verify-diagnostics x.mlir", "is found what `// expected-error` comments say?"),
        ("shlo check --fix model.mlir", "apply the fixes that are certain"),
        ("shlo check --fix --diff model.mlir", "show what would be fixed"),
        ("shlo check train.py:loss --args x.npy", "what JAX makes of a function of a script"),
        ("shlo check --format json x.mlir", "findings and their fixes for a program to read"),
    )
    add_program(
        parser,
        "files",
        nargs="+",
        help="a program's file, - for standard input, a folder for its programs",
    )
    add_flag(parser, "--split-input-file", help="lines `// -----` separate programs of their own")
    add_flag(
        parser,
        "--verify-diagnostics",
        help="compare what is found with comments `expected-error {{...}}`, by line and severity",
    )
    add_flag(parser, "--match-text", help="with --verify-diagnostics: compare the words, too")
    add_flag(parser, "--fix", help="apply the fixes that are certain; report what is left")
    add_flag(parser, "--diff", help="with --fix: print the changes, and leave the files as they are")
    add_unregistered(parser, "a note for each dialect")
    parser.add_argument(
        "--strict",
        action=BooleanOptionalAction,
        default=True,
        help="operations of unknown dialects that are not in the generic form are errors, as for the MLIR "
        "tools (default); otherwise they are read as opaque ones, with a note for each dialect",
    )
    add_flag(parser, "--warnings-as-errors", help="warnings are errors")
    add_format(parser, *_FORMATS)


def execute(options: Namespace, console: Console) -> int:
    """Checks each file; the exit code is the worst of all."""
    reports: list[Report] = []
    code = FINE
    _check_options(options)
    for path in expanded(options.files):
        try:
            program, name = open_program(path), STANDARD_INPUT if path == "-" else path
            if _is_fine(program, options):
                reports.append((Source("", name), []))
                continue
            source = program if isinstance(program, Source) else Source(program.to_text(), name)
            if options.fix:
                fixed = _fixed(path, program, options.diff, console)
                code = max(code, FINDINGS if options.diff and fixed.text != source.text else FINE)
                source = fixed
        except RequestError as error:
            console.message("error", error.with_hint)
            code = COULD_NOT
            continue
        parts = split_program(source) if options.split_input_file or options.fix else [source]
        findings = [(part, finding) for part in parts for finding in _checked(part, options)]
        if isinstance(program, Module):
            from shlo_bytecode.vhlo.upgrade import NEWER_ARTIFACT

            newer = [finding for finding in program.diagnostics if finding.code == NEWER_ARTIFACT]
            findings = [*((source, finding) for finding in newer), *findings]
        if any(finding.severity == "error" for _, finding in findings):
            code = max(code, FINDINGS)
        with_fixes = list(_with_fixes(findings)) if options.fix or options.format != "text" else []
        if options.fix:
            _note_likely(with_fixes, source.name, console)
        if options.format == "text":
            console.report(diagnostic_lines(findings))
        reports.append((source, with_fixes))
    if options.format != "text":
        console.print_json(_FORMATS[options.format](reports))
    return code


def _is_fine(program: Source | Module, options: Namespace) -> bool:
    """Returns whether nothing is to be said about bytecode: its text, which findings are about, takes many
    times the memory of its weights."""
    if isinstance(program, Source) or options.fix or options.verify_diagnostics or options.split_input_file:
        return False
    from shlo.verifier import verify

    return not verify(program) and not unregistered_findings(program, _policy(options))


def _policy(options: Namespace) -> Policy:
    is_allowed = options.allow_unregistered_dialect
    return "note" if is_allowed is None else "allow" if is_allowed else "refuse"


def _check_options(options: Namespace) -> None:
    if options.diff and not options.fix:
        raise RequestError("--diff needs --fix")
    if options.fix and options.verify_diagnostics:
        raise RequestError("--fix would fix what --verify-diagnostics expects", "leave one of them out")


def _fixed(path: str, source: Source | Module, only_shows: bool, console: Console) -> Source:
    """Returns a program after its certain fixes, and writes it; raises RequestError."""
    from shlo.language import Document
    from shlo.language.fixes.fix_all import fix_all
    from shlo.text.numbers import plural

    if isinstance(source, Module):
        what = f"{path} is bytecode, which has no text to fix"
        raise RequestError(what, "shlo fmt prints it as text")
    fixed = fix_all(Document(source.text, source.name))
    text = fixed.document.text
    if only_shows:
        console.print_diff(source.name, source.text, text)
    elif path == "-":
        console.print_program(text)
    elif fixed.applied:
        console.print_program(text, path)
    if fixed.applied and not only_shows:
        console.note(f"{source.name}: fixed {plural(len(fixed.applied), 'finding')}")
    return Source(text, source.name)


def _note_likely(findings: Sequence[Finding], name: str, console: Console) -> None:
    """Says how many findings have a likely fix."""
    best = [fixes[0] for _, finding, fixes in findings if fixes and finding.severity != "hint"]
    if left := sum(fix.applicability is Applicability.LIKELY for fix in best):
        have = "finding has a likely fix" if left == 1 else "findings have a likely fix"
        console.note(f"{name}: {left} {have} that --fix does not apply")


def _checked(source: Source, options: Namespace) -> list[Diagnostic]:
    """What is reported about a program: its findings, or how they differ from those that it expects."""
    module, findings = findings_of(source)
    if options.verify_diagnostics:
        from shlo.verifier.expectations import unmet

        return unmet(source, module, findings, options.match_text)
    if not options.strict:
        findings = [
            replace(finding, severity="note") if is_guest(finding) else finding for finding in findings
        ]
    findings = [*findings, *unregistered_findings(module, _policy(options))]
    if options.warnings_as_errors:
        return [
            replace(finding, severity="error") if finding.severity == "warning" else finding
            for finding in findings
        ]
    return findings


def _json(reports: Sequence[Report]) -> dict[str, Any]:
    return {
        "files": [
            {"file": source.name, "findings": [diagnostic_data(*finding) for finding in findings]}
            for source, findings in reports
        ]
    }


def _sarif(reports: Sequence[Report]) -> dict[str, Any]:
    return sarif(finding for _, findings in reports for finding in findings)


def _with_fixes(findings: Sequence[tuple[Source, Diagnostic]]) -> Iterator[Finding]:
    """Yields findings with their fixes; of many findings only the first ones are tried."""
    from shlo.language import Document
    from shlo.language.fixes.fixes import fixes_of

    documents: dict[int, Document] = {}
    for number, (part, finding) in enumerate(findings):
        if number < MOST_TRIED and finding.code != "expectation":
            document = documents.setdefault(id(part), Document(part.text, part.name))
            suggested = [
                SuggestedFix(
                    fix.title,
                    fix.applicability,
                    [(edit.span, edit.text) for edit in fix.edits if edit.span is not None],
                )
                for fix in fixes_of(document, finding)
            ]
        else:
            fix = finding.fix
            edits = [(fix.span, fix.replacement)] if fix else []
            suggested = [SuggestedFix(fix.title, fix.applicability, edits)] if fix else []
        yield part, finding, suggested


_FORMATS: Final[dict[str, Callable[[Sequence[Report]], dict[str, Any]]]] = {"json": _json, "sarif": _sarif}


# --- SARIF 2.1.0, the format in which code hosts and editors take the results of analyses -------------------


SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS: Final = {"error": "error", "warning": "warning", "note": "note", "hint": "note"}


def sarif(findings: Iterable[tuple[Source, Diagnostic, Sequence[SuggestedFix]]]) -> dict[str, Any]:
    """One run of the tool with its results, each with its fixes."""
    results = [_result(source, finding, fixes) for source, finding, fixes in findings]
    rules = sorted({result["ruleId"] for result in results})
    driver = {"name": "shlo", "version": shlo.__version__, "rules": [{"id": rule} for rule in rules]}
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _result(source: Source, finding: Diagnostic, fixes: Sequence[SuggestedFix]) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": finding.code,
        "level": _LEVELS[finding.severity],
        "message": {"text": _message(finding.message)},
        "locations": [_location(source, finding.span)],
    }
    if finding.related:
        result["relatedLocations"] = [
            {**_location(source, related.span), "message": {"text": _message(related.message)}}
            for related in finding.related
        ]
    if fixes:
        result["fixes"] = [_fix(source, suggested) for suggested in fixes]
    if finding.suggestions:
        result["properties"] = {"suggestions": [*map(suggestion_data, finding.suggestions)]}
    if finding.help:
        result["message"]["text"] += f"\nhelp: {_message(finding.help)}"
    return result


def _location(source: Source, span: Span) -> dict[str, Any]:
    return {"physicalLocation": {"artifactLocation": _artifact(source), "region": _region(source, span)}}


def _artifact(source: Source) -> dict[str, str]:
    return {"uri": quote(Path(source.name).as_posix(), safe="/:")}


def _region(source: Source, span: Span) -> dict[str, int]:
    start, end = source.position(span.start), source.position(max(span.end, span.start))
    return {
        "startLine": start.line,
        "startColumn": start.column,
        "endLine": end.line,
        "endColumn": end.column,
    }


def _fix(source: Source, suggested: SuggestedFix) -> dict[str, Any]:
    replacements = [
        {"deletedRegion": _region(source, span), "insertedContent": {"text": _plain(text)}}
        for span, text in suggested.edits
    ]
    change = {"artifactLocation": _artifact(source), "replacements": replacements}
    return {
        "description": {"text": _message(suggested.title)},
        "artifactChanges": [change],
        "properties": {"applicability": suggested.applicability.value},
    }


def _message(text: str) -> str:
    return _plain(with_short_words(text))


def _plain(text: str) -> str:
    """Returns text without halves of characters, which JSON cannot hold."""
    return text.encode("utf-8", "backslashreplace").decode()
