"""Valid programs: read and verified without an error."""

from __future__ import annotations

from shlo.dialects.vhlo.versions import has_vhlo
from shlo.ir.diagnostics import Diagnostic, ParseError
from shlo.ir.operations import Module
from shlo.ir.source import Source


def findings_of(source: Source, reads_mhlo: bool = False) -> tuple[Module, list[Diagnostic]]:
    """Returns a program, and what is wrong with its text and then with what it says, as far as that does not
    follow from what could not be read. Where `reads_mhlo`, operations of MHLO are read as StableHLO's.
    """
    from shlo.syntax import Context, parse
    from shlo.syntax.parser.unknown_dialects import once_per_dialect
    from shlo.verifier import verify
    from shlo.verifier.cascading import with_name_suggestions, without_cascading

    module, errors = parse(source, context=Context(reads_mhlo))
    found = without_cascading(verify(module), errors, module, source.text)
    return module, [*once_per_dialect(with_name_suggestions(errors, module, source.text)), *found]


def valid_program(source: Source, reads_mhlo: bool = False) -> Module:
    """Returns the program that a text holds, with operations of VHLO as operations of StableHLO.

    Raises ParseError with all findings where one of them is an error.
    """
    return without_vhlo(verified_program(source, reads_mhlo))


def verified_program(source: Source, reads_mhlo: bool = False) -> Module:
    """Returns the program that a text holds, as `findings_of` reads it.

    Raises ParseError with all findings where one of them is an error.
    """
    module, findings = findings_of(source, reads_mhlo)
    if any(finding.severity == "error" for finding in findings):
        raise ParseError(tuple(findings), source)
    return module


def without_vhlo(module: Module) -> Module:
    """Returns the program with operations of StableHLO in place of VHLO's.

    Raises ParseError where one has no form there, or is not valid in it.
    """
    if not has_vhlo(module):
        return module
    from shlo.transforms.vhlo_to_stablehlo import VhloError, vhlo_to_stablehlo
    from shlo.verifier import verify

    source = module.source or Source(module.to_text())
    try:
        converted = vhlo_to_stablehlo(module)
    except VhloError as error:
        raise ParseError((Diagnostic(error.message, error.span, "vhlo"),), source) from None
    findings = verify(converted)
    if any(finding.severity == "error" for finding in findings):
        raise ParseError(tuple(findings), source)
    return converted


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
    """Raises ParseError where a program that comes from no text is invalid; it speaks of the text that MLIR
    would print.
    """
    from shlo.verifier import verify

    if any(finding.severity == "error" for finding in verify(module)):
        valid_program(Source(module.to_text(), name))
