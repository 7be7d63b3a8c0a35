"""Where the StableHLO specification is read."""

from __future__ import annotations

from shlo.dialects.opdef import OpDef

SPECIFICATION = "https://openxla.org/stablehlo/spec"


def url_of(op_def: OpDef) -> str | None:
    """Returns where the specification speaks of the operation, None where it does not."""
    return f"{SPECIFICATION}#{op_def.section}" if op_def.section else None
