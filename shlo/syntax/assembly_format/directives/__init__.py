"""The directives of assembly formats: `custom(NAME)` and `type(NAME)`, by name."""

from __future__ import annotations

from shlo.syntax.assembly_format.directives import (
    attributes,
    control_flow,
    functions,
    reduction,
    structured,
    types,
    vhlo,
)
from shlo.syntax.assembly_format.directives import upstream as upstream
from shlo.syntax.assembly_format.directives.registry import Directives

CUSTOM_DIRECTIVES: Directives = {
    **attributes.DIRECTIVES,
    **control_flow.DIRECTIVES,
    **functions.DIRECTIVES,
    **upstream.DIRECTIVES,
    **reduction.DIRECTIVES,
    **structured.DIRECTIVES,
    **vhlo.DIRECTIVES,
}

TYPE_DIRECTIVES: Directives = types.DIRECTIVES
