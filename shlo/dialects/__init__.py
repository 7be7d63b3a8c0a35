"""What every operation is: one definition per op, gathered by dialect."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from shlo.dialects.opdef import Dialect, OpDef

DIALECT_MODULES: dict[str, str] = {
    "builtin": "shlo.dialects.builtin",
    "func": "shlo.dialects.func.dialect",
    "stablehlo": "shlo.dialects.stablehlo.dialect",
    "chlo": "shlo.dialects.chlo.dialect",
    "sdy": "shlo.dialects.sdy.dialect",
    "check": "shlo.dialects.upstream.check",
    "interpreter": "shlo.dialects.upstream.interpreter",
    "quant": "shlo.dialects.upstream.quant",
    "arith": "shlo.dialects.upstream.arith",
    "vhlo": "shlo.dialects.vhlo.dialect",
    "math": "shlo.dialects.upstream.math",
    "ub": "shlo.dialects.upstream.ub",
    "shape": "shlo.dialects.upstream.shape",
    "tensor": "shlo.dialects.upstream.tensor",
    "scf": "shlo.dialects.upstream.scf",
    "cf": "shlo.dialects.upstream.cf",
    "memref": "shlo.dialects.upstream.memref",
    "bufferization": "shlo.dialects.upstream.bufferization",
    "ml_program": "shlo.dialects.upstream.ml_program",
}
"""The dialects with definitions, and the modules whose `DIALECT` holds them, imported when first asked for.
"""


@cache
def find_dialect(name: str) -> Dialect | None:
    """The dialect of that name, None where it has no definitions."""
    module = DIALECT_MODULES.get(name)
    return import_module(module).DIALECT if module else None


@cache
def find_op_def(name: str) -> OpDef | None:
    """The definition of an operation by its full name, None where there is none."""
    dialect = find_dialect(name.partition(".")[0])
    return dialect.op_defs.get(name) if dialect else None


def all_op_defs() -> list[OpDef]:
    """Every definition, ordered by name."""
    dialects = [find_dialect(name) for name in DIALECT_MODULES]
    return sorted(
        (op_def for dialect in dialects if dialect for op_def in dialect.op_defs.values()),
        key=lambda op_def: op_def.name,
    )
