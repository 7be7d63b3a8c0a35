"""Canonical forms: what the MLIR tools do to operations of StableHLO and chlo under this name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from shlo.dialects import has_trait
from shlo.dialects.constants import is_constant
from shlo.ir.dense import DenseElementsAttr
from shlo.ir.operations import Module, Operation, Region
from shlo.ir.types import RankedTensorType
from shlo.transforms.rewriting.builder import ValueRef, scalar_of
from shlo.transforms.rewriting.dead_code import hoisting_rules, without_unused
from shlo.transforms.rewriting.driver import Rewriter, Rule
from shlo.transforms.rewriting.matching import splat_number
from shlo.transforms.rewriting.purity import has_no_effect
from shlo.transforms.rewriting.rebuild import in_functions, remade, with_body, with_types

MAX_ROUNDS = 10


def canonicalize(module: Module) -> Module:
    """Returns the module without operations that have neither effects nor uses, with the constants of each
    function at its start and equal ones once, with the branch that a constant chooses in place of `case`, and
    with constants as the last operands of chlo's commutative operations; the module itself where all is so.
    """
    return with_body(module, in_functions(module.body, canonical_body))


def canonical_body(body: Region) -> Region:
    """Returns a function's body in this form."""
    for _ in range(MAX_ROUNDS):
        hoisted = Rewriter(body, hoisting_rules()).rewritten()
        folded = Rewriter(hoisted, _RULES, default=_constants_last).rewritten()
        pruned = without_unused(folded, has_no_effect)
        if pruned is body:
            break
        body = pruned
    return body


def _case(rewriter: Rewriter, operation: Operation) -> Sequence[ValueRef] | None:
    """The branch that a constant chooses; an index that none has stays."""
    index = splat_number(rewriter, rewriter.ref(operation.operands[0]))
    if index is None or not 0 <= index < len(operation.regions):
        return None
    return rewriter.inlined(operation.regions[int(index)], ())


def _constants_last(rewriter: Rewriter, operation: Operation) -> Sequence[ValueRef] | None:
    """The operands of a commutative operation, constants behind others. StableHLO's are not taken as such."""
    if not has_trait(operation.name, "commutative") or operation.name.startswith("stablehlo."):
        return None

    def is_known(value: int) -> bool:
        source = rewriter.definitions.get(value)
        return source is not None and is_constant(source)

    operands = tuple(sorted(operation.operands, key=is_known))
    if operands == operation.operands:
        return None
    types = tuple(rewriter.types[value] for value in operands)
    return rewriter.refs(rewriter.append(remade(operation, with_types(operation.signature, types), operands)))


def _constant_like(rewriter: Rewriter, operation: Operation) -> Sequence[ValueRef] | None:
    """A constant, where the sizes are known."""
    (type_,), value = operation.result_types, operation.attribute("value")
    if not isinstance(type_, RankedTensorType) or not type_.is_static or value is None:
        return None
    scalar = scalar_of(value, type_.element_type)
    if scalar is None:
        return None
    return rewriter.create("chlo.constant", (), (type_,), {"value": DenseElementsAttr(type_, scalar)})


_RULES: Final[dict[str, Rule]] = {"stablehlo.case": _case, "chlo.constant_like": _constant_like}
