"""OpDefs of MLIR's builtin dialect."""

from __future__ import annotations

from shlo.dialects.attr_constraints import STRING_ATTR, SYMBOL_NAME_ATTR
from shlo.dialects.func.rules import VISIBILITY
from shlo.dialects.op_bindings import Broken, OpBindings
from shlo.dialects.opdef import OpDef, constraint, dialect_of, may, region, traits, variadic
from shlo.dialects.type_constraints import ANY_TYPE
from shlo.ir.suggestions import Replace


def attributes_have_dialects(bindings: OpBindings) -> Broken | None:
    """Returns whether a module's attributes, but its name and visibility, are of a dialect
    (`dialect.name`)."""
    name = next((name for name in bindings.signature.attributes if "." not in name), None)
    if name is None:
        return None
    message = f"expected an attribute with a dialect, got '{name}'"
    return Broken(
        message, (name,), (Replace(name, f"dialect.{name}", f"write it as dialect.{name}, or leave it out"),)
    )


OP_DEFS = (
    OpDef(
        "builtin.module",
        "Holds a program or a part of one: functions and what belongs to them.",
        attributes=(may("sym_name", SYMBOL_NAME_ATTR), may("sym_visibility", STRING_ATTR)),
        regions=(region("body"),),
        format="custom(module)",
        traits=traits("isolated", "symbol", "graph_region", "no_terminator"),
        anchor="programs",
        default_dialect="builtin",
        constraints=(
            *VISIBILITY,
            constraint("A2", "other attributes have a dialect", check=attributes_have_dialects),
        ),
    ),
    OpDef(
        "builtin.unrealized_conversion_cast",
        "Connects values of types that a conversion has not reconciled yet.",
        operands=(variadic("inputs", ANY_TYPE),),
        results=(variadic("outputs", ANY_TYPE),),
        format="[ $inputs `:` type(operands) ]? `to` type(results) attr-dict",
        quantized="own",
    ),
)

DIALECT = dialect_of("builtin", OP_DEFS, kernels=("shlo.interpreter.kernels.upstream.tensor",))
