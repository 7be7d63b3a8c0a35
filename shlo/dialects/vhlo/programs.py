"""Programs with operations of VHLO: whether one has any, and what cannot be converted."""

from __future__ import annotations

from shlo.ir.diagnostics import PassError
from shlo.ir.operations import Module, Region
from shlo.ir.source import Span


class VhloError(PassError):
    """An operation of VHLO without a form in StableHLO; `span` is its place in the text."""

    def __init__(self, name: str, reason: str, place: str | None, span: Span) -> None:
        super().__init__(f"{name} has no form in StableHLO: {reason}", place)
        self.span = span


def has_vhlo(module: Module) -> bool:
    """Returns whether there are operations of VHLO in a module: what is read from bytecode is StableHLO, so
    that they are in its text, or a pass has converted its functions."""
    if module.source is not None and "vhlo" not in module.source.text:
        return _has_functions(module.body)
    return any(operation.name.startswith("vhlo.") for operation, _ in module.walk())


def _has_functions(region: Region) -> bool:
    operations = [operation for block in region.blocks for operation in block.operations]
    modules = [operation for operation in operations if operation.name == "builtin.module"]
    return any(operation.name.startswith("vhlo.") for operation in operations) or any(
        _has_functions(body) for module in modules for body in module.regions
    )
