"""Definitions of all operations and attributes, by dialect."""

from __future__ import annotations

import sys
from functools import cache
from importlib import import_module

from shlo.dialects.attr_constraints import AttrDef, EnumDef
from shlo.dialects.extensions import extended_dialects, extension_of, loaded_extensions, with_extensions
from shlo.dialects.opdef import Dialect, OpDef, Trait

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
    """Returns the dialect of that name with what installed distributions add to it, or None."""
    builtin = _own_dialect(name)
    if builtin is not None:
        return with_extensions(builtin)
    added = extension_of(name, None)
    if added is None:
        return None
    return Dialect(
        name,
        added.op_defs,
        added.enums,
        added.structs,
        added.complete,
        added.kernels,
        added.region_end,
    )


@cache
def find_op_def(name: str) -> OpDef | None:
    """Returns the definition of an operation by its full name, or None."""
    dialect = find_dialect(name.partition(".")[0])
    return dialect.op_defs.get(name) if dialect else None


def has_trait(name: str, *traits: Trait) -> bool:
    """Returns whether an operation, by its full name, has a definition with one of these traits."""
    op_def = find_op_def(name)
    return op_def is not None and any(map(op_def.has, traits))


def runs_regions(name: str) -> bool:
    """Returns whether an operation is control flow, whose regions are executed operation by operation."""
    op_def = find_op_def(name)
    return op_def is not None and op_def.control_flow in ("while", "branch", "count")


def find_attribute(dialect: str, mnemonic: str) -> AttrDef | EnumDef | None:
    """Returns the definition of a dialect's struct attribute or enumeration of that mnemonic, or None."""
    builtin = _own_dialect(dialect)
    definition = (builtin.structs.get(mnemonic) or builtin.enums.get(mnemonic)) if builtin else None
    if definition is None and (added := extension_of(dialect, builtin)) is not None:
        definition = added.structs.get(mnemonic) or added.enums.get(mnemonic)
    return definition


def find_attr_def(cls: type) -> AttrDef | None:
    """Returns the definition of a class of struct attributes, or None.

    Attributes of other distributions are found once their dialect has been looked up, as it was when one
    was read.
    """
    for added in loaded_extensions().values():
        for struct in added.structs.values():
            if struct.cls is cls:
                return struct
    return None if cls.__module__.startswith("shlo.ir.") else _own_attr_def(cls)


def kernel_modules(op_name: str) -> tuple[str, ...]:
    """Returns the modules of which one holds the kernel of an operation, the likeliest first."""
    dialect = find_dialect(op_name.partition(".")[0])
    return dialect.kernels.get(op_name, ()) if dialect else ()


def dialect_names() -> tuple[str, ...]:
    """Returns the names of all dialects, those of installed distributions last."""
    return tuple(dict.fromkeys((*DIALECT_MODULES, *extended_dialects())))


def all_op_defs() -> list[OpDef]:
    """Returns every definition, ordered by name."""
    dialects = [find_dialect(name) for name in dialect_names()]
    return sorted(
        (op_def for dialect in dialects if dialect for op_def in dialect.op_defs.values()),
        key=lambda op_def: op_def.name,
    )


@cache
def _own_dialect(name: str) -> Dialect | None:
    module = DIALECT_MODULES.get(name)
    return import_module(module).DIALECT if module else None


@cache
def _own_attr_def(cls: type) -> AttrDef | None:
    for name in sorted(DIALECT_MODULES, key=lambda name: DIALECT_MODULES[name] not in sys.modules):
        dialect = _own_dialect(name)  # those that are loaded come first
        for struct in dialect.structs.values() if dialect else ():
            if struct.cls is cls:
                return struct
    return None
