"""The StableHLO dialect: all its definitions, enumerations and struct attributes."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

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

FAMILIES: Final = (
    (collective, "kernels.spmd.collective", "kernels.spmd.processes"),
    (control_flow, "kernels.effects"),
    (creation, "kernels.movement.creation", "kernels.random"),
    (data_movement, "kernels.movement.views", "kernels.elementwise.conversion"),
    (dot, "kernels.contraction.dot", "kernels.contraction.convolution"),
    (
        dynamism,
        "kernels.movement.views",
        "kernels.movement.dynamic",
        "kernels.indexing.dynamic_slice",
        "kernels.contraction.convolution",
    ),
    (effects, "kernels.effects", "custom_calls.registry", "kernels.spmd.channels"),
    (
        elementwise,
        "kernels.elementwise.table",
        "kernels.elementwise.comparison",
        "kernels.elementwise.conversion",
        "kernels.elementwise.bitwise",
    ),
    (indexing, "kernels.movement.views", "kernels.indexing.dynamic_slice", "kernels.indexing.scatter"),
    (linear_algebra, "kernels.linalg"),
    (quantization, "kernels.quantization.arithmetic"),
    (reduction, "kernels.reduction.reduce", "kernels.reduction.sort", "kernels.normalization"),
    (windows, "kernels.reduction.window"),
)
"""The families of definitions, and the modules of `shlo.interpreter` that hold their kernels: they are loaded
in this order until one has the kernel, as all of them take longer than a small program."""

_DEFINITIONS = dialect_of(
    "stablehlo",
    (op_def for family, *_ in FAMILIES for op_def in family.OP_DEFS),
    ENUMS,
    STRUCTS,
    region_end="stablehlo.return",
)
DIALECT = replace(
    _DEFINITIONS,
    kernels={
        op_def.name: tuple(f"shlo.interpreter.{module}" for module in modules)
        for family, *modules in FAMILIES
        for op_def in family.OP_DEFS
    },
)
