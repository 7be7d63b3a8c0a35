"""Valid programs: read and verified without an error."""

from __future__ import annotations

from collections.abc import Sequence

from shlo.api import without_vhlo
from shlo.dialects.vhlo.programs import VhloError
from shlo.ir.diagnostics import Diagnostic, ParseError
from shlo.ir.operations import Module
from shlo.ir.source import Source
from shlo.ir.upper_layers import RichResult


class ProgramFindings(RichResult, list[Diagnostic]):
    """What is wrong with a program, as a list that notebooks display with the lines that it is about.

    Args:
        source: the program's text, None where there is none.
        findings: what is wrong.
    """

    def __init__(self, source: Source | None, findings: Sequence[Diagnostic]) -> None:
        super().__init__(findings)
        self.source = source

    def __reduce__(self) -> tuple[type[ProgramFindings], tuple[Source | None, list[Diagnostic]]]:
        return ProgramFindings, (self.source, list(self))


def findings_of(source: Source, reads_mhlo: bool = False) -> tuple[Module, list[Diagnostic]]:
    """Returns a program, and what is wrong with its text and then with what it says, as far as that does not
    follow from what could not be read. Where `reads_mhlo`, operations of MHLO are read as StableHLO's.
    """
    from shlo.syntax import Context, parse
    from shlo.verifier import verify

    module, errors = parse(source, context=Context(reads_mhlo))
    if not errors:
        return module, verify(module)
    from shlo.syntax.parser.definitions import once_per_dialect
    from shlo.verifier.cascading import with_name_suggestions, without_cascading

    findings = without_cascading(verify(module), errors, module, source.text)
    return module, [*once_per_dialect(with_name_suggestions(errors, module, source.text)), *findings]


def valid_program(source: Source, reads_mhlo: bool = False) -> Module:
    """Returns the program that a text holds, with operations of VHLO as operations of StableHLO.

    Raises ParseError with all findings where one of them is an error, and where an operation of VHLO has no
    form in StableHLO.
    """
    from shlo.verifier import verify

    module = verified_program(source, reads_mhlo)
    try:
        converted = without_vhlo(module)
    except VhloError as error:
        raise ParseError((Diagnostic(error.message, error.span, "vhlo"),), source) from None
    return module if converted is module else _without_errors(converted, verify(converted), source)


def verified_program(source: Source, reads_mhlo: bool = False) -> Module:
    """Returns the program that a text holds, as `findings_of` reads it.

    Raises ParseError with all findings where one of them is an error.
    """
    return _without_errors(*findings_of(source, reads_mhlo), source)


def _without_errors(module: Module, findings: Sequence[Diagnostic], source: Source) -> Module:
    if any(finding.severity == "error" for finding in findings):
        raise ParseError(tuple(findings), source)
    return module


def refuse_unregistered(module: Module) -> Module:
    """Returns the module.

    Raises ParseError where it has operations, attributes or types of dialects that are not known.
    """
    from shlo.verifier import unregistered_findings

    findings = unregistered_findings(module, "refuse")
    if findings:
        raise ParseError(tuple(findings), module.source or Source(module.to_text()))
    return module


def refuse_invalid(module: Module, name: str) -> None:
    """Raises ParseError, about the text that MLIR would print, where a program from no text is invalid."""
    from shlo.verifier import verify

    if any(finding.severity == "error" for finding in verify(module)):
        valid_program(Source(module.to_text(), name))
