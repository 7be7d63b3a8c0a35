"""The directives of assembly formats: `custom(NAME)` and `type(NAME)`, by name."""

from __future__ import annotations

from shlo.syntax.assembly_format.directives import (
    attributes,
    control_flow,
    functions,
    reduction,
    structured,
    tensors,
    types,
    vhlo,
)
from shlo.syntax.assembly_format.directives import upstream as upstream
from shlo.syntax.assembly_format.directives.registry import Directive, Directives

CUSTOM: Directives = {
    **attributes.DIRECTIVES,
    **control_flow.DIRECTIVES,
    **functions.DIRECTIVES,
    **upstream.DIRECTIVES,
    **reduction.DIRECTIVES,
    **structured.DIRECTIVES,
    **tensors.DIRECTIVES,
    **vhlo.DIRECTIVES,
}

TYPES: Directives = types.DIRECTIVES


def find_directive(name: str) -> Directive:
    """Returns the directive `custom(name)`; a KeyError is a mistake in a definition."""
    return CUSTOM[name]


def find_type_directive(kind: str) -> Directive:
    """Returns the directive `type(kind)`; a KeyError is a mistake in a definition."""
    return TYPES[kind]
