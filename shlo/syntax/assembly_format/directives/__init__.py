"""The directives of assembly formats: `custom(NAME)` and `type(NAME)`, by name."""

from __future__ import annotations

from functools import cache

from shlo.syntax.assembly_format.directives import attributes, control_flow, functions, reduction, types
from shlo.syntax.assembly_format.directives.registry import Directive, Directives

TYPE_DIRECTIVES: Directives = types.DIRECTIVES

_STABLEHLO: Directives = {
    **attributes.DIRECTIVES,
    **control_flow.DIRECTIVES,
    **functions.DIRECTIVES,
    **reduction.DIRECTIVES,
}


def custom_directive(name: str) -> Directive:
    """Returns the directive that formats name `custom(NAME)`. Those of other dialects than StableHLO and func
    are loaded when one is asked for."""
    return _STABLEHLO.get(name) or _other_directives()[name]


@cache
def _other_directives() -> Directives:
    from shlo.syntax.assembly_format.directives import structured, upstream, vhlo

    return {**upstream.DIRECTIVES, **structured.DIRECTIVES, **vhlo.DIRECTIVES}
