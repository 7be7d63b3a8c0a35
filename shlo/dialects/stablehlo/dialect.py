"""The StableHLO dialect: all its definitions, enumerations and struct attributes."""

from __future__ import annotations

from shlo.dialects.opdef import dialect_of
from shlo.dialects.stablehlo.enums import ENUMS
from shlo.dialects.stablehlo.ops import (
    collective,
    control_flow,
    creation,
    data_movement,
    dot,
    dynamism,
    effects,
    elementwise,
    indexing,
    linear_algebra,
    quantization,
    reduction,
    windows,
)
from shlo.dialects.stablehlo.structs import STRUCTS

FAMILIES = (
    collective,
    control_flow,
    creation,
    data_movement,
    dot,
    dynamism,
    effects,
    elementwise,
    indexing,
    linear_algebra,
    quantization,
    reduction,
    windows,
)

DIALECT = dialect_of(
    "stablehlo",
    (op_def for family in FAMILIES for op_def in family.OP_DEFS),
    ENUMS,
    STRUCTS,
    region_end="stablehlo.return",
)
