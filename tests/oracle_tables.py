"""jaxlib's tables of operations: which it knows, and what their operands and attributes are called."""

from __future__ import annotations

import importlib
from functools import cache

from .oracle import JAXLIB

WITHOUT_TABLES = frozenset(
    {
        "vhlo",
        "ub",
        "check",
        "interpreter",
        "quant",
        "shape",
        "tensor",
        "bufferization",
        "ml_program",
    }
)
"""Dialects of which jaxlib has no table of operations; `test_neighbours` compares their texts."""


@cache
def oracle_ops(dialect: str) -> dict[str, type]:
    """Returns jaxlib's class of every op of a dialect, by name."""
    module = importlib.import_module(f"jaxlib.mlir.dialects._{dialect}_ops_gen")
    classes: dict[str, list[type]] = {}
    for value in vars(module).values():
        name = getattr(value, "OPERATION_NAME", None)
        if isinstance(value, type) and name:
            classes.setdefault(name, []).append(value)
    return {
        name: next(cls for cls in found if "Adaptor" not in cls.__name__) for name, found in classes.items()
    }


def is_known_to_oracle(op_name: str) -> bool:
    """Returns whether jaxlib has an operation, which may be newer than it or of another project; without jaxlib, yes,
    as nothing asks it.
    """
    dialect = op_name.partition(".")[0]
    return not JAXLIB or dialect in WITHOUT_TABLES or op_name in oracle_ops(dialect)
