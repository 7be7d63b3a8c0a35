"""Programs with operations of VHLO: whether one has any, and what cannot be converted."""

from __future__ import annotations

from shlo.ir.diagnostics import PassError
from shlo.ir.operations import Module
from shlo.ir.source import Span


class VhloError(PassError):
    """An operation of VHLO without a form in StableHLO; `span` is its place in the text."""

    def __init__(self, name: str, reason: str, place: str | None, span: Span) -> None:
        super().__init__(f"{name} has no form in StableHLO: {reason}", place)
        self.span = span


def has_vhlo(module: Module) -> bool:
    """Returns whether there are operations of VHLO in a module. Only texts hold any: what is read from
    bytecode is StableHLO."""
    if module.source is not None and "vhlo" not in module.source.text:
        return False
    return any(operation.name.startswith("vhlo.") for operation, _ in module.walk())
