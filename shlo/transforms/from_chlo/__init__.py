"""chlo's operations as operations of StableHLO, so that a program can be written as a portable artifact."""

from __future__ import annotations

import math
from collections.abc import Callable, Container, Sequence
from typing import Final

from shlo.dialects.chlo.dialect import BROADCASTING
from shlo.ir.dense import DenseElementsAttr
from shlo.ir.operations import Module, Operation
from shlo.ir.types import RankedTensorType
from shlo.transforms.from_chlo import error_functions, integers, special_functions, trigonometry
from shlo.transforms.from_chlo.broadcasting import broadcast, dimensions_of, rewrite_broadcasting
from shlo.transforms.from_chlo.ragged_dot import rewrite_ragged_dot
from shlo.transforms.from_chlo.scan_and_top_k import rewrite_scan, rewrite_top_k
from shlo.transforms.rewriting.builder import ValueRef, is_complex, scalar_of
from shlo.transforms.rewriting.driver import Rewriter, Rule, rewrite
from shlo.transforms.rewriting.elementwise import absolute, as_complex, imag, real, tan

Function = Callable[[ValueRef], ValueRef] | Callable[[ValueRef, ValueRef], ValueRef | None]


def chlo_to_stablehlo(module: Module, keep: Container[str] = ()) -> Module:
    """Returns the module with StableHLO's operations in place of chlo's.

    Those on tensors of unknown rank stay as they are, and ragged_dot and scan of unknown sizes.
    """
    return rewrite(module, {name: rule for name, rule in RULES.items() if name not in keep})


def _of_values(function: Function) -> Rule:
    """Returns a rule that computes an operation's result from its operands; the operation stays where that is
    None.
    """

    def rule(rewriter: Rewriter, operation: Operation) -> Sequence[ValueRef] | None:
        operands = rewriter.refs(operation.operands)
        if not all(isinstance(operand.type, RankedTensorType) for operand in operands):
            return None
        built = function(*operands)
        return None if built is None else [built]

    return rule


def _conj(z: ValueRef) -> ValueRef:
    return as_complex(real(z), -imag(z)) if is_complex(z.type) else z


def _is_inf(x: ValueRef) -> ValueRef:
    return x.builder.one("chlo.is_pos_inf", (absolute(x),))


def _is_neg_inf(x: ValueRef) -> ValueRef:
    return x.equals(-math.inf)


def _is_pos_inf(x: ValueRef) -> ValueRef:
    return x.equals(math.inf)


def _constant(rewriter: Rewriter, operation: Operation) -> Sequence[ValueRef] | None:
    value = operation.attribute("value")
    return [rewriter.dense(value)] if isinstance(value, DenseElementsAttr) else None


def _constant_like(rewriter: Rewriter, operation: Operation) -> Sequence[ValueRef] | None:
    """Returns a constant, broadcast where the sizes are not known."""
    (type_,), value = operation.result_types, operation.attribute("value")
    if not isinstance(type_, RankedTensorType):
        return None
    scalar = scalar_of(value, type_.element_type) if value is not None else None
    if scalar is None:
        return None
    if type_.is_static:
        return [rewriter.dense(DenseElementsAttr(type_, scalar))]
    (like,) = rewriter.refs(operation.operands)
    constant = rewriter.array(scalar, type_.element_type)
    dimensions = dimensions_of(like)
    return [broadcast(constant, (), dimensions) if dimensions else rewriter.broadcast_like(constant, like)]


RULES: Final[dict[str, Rule]] = {
    "chlo._asin_acos_kernel": _of_values(trigonometry.asin_acos_kernel),
    "chlo.acos": _of_values(trigonometry.acos),
    "chlo.acosh": _of_values(trigonometry.acosh),
    "chlo.asin": _of_values(trigonometry.asin),
    "chlo.asinh": _of_values(trigonometry.asinh),
    "chlo.atan": _of_values(trigonometry.atan),
    "chlo.atanh": _of_values(trigonometry.atanh),
    "chlo.bessel_i1e": _of_values(special_functions.bessel_i1e),
    "chlo.conj": _of_values(_conj),
    "chlo.constant": _constant,
    "chlo.constant_like": _constant_like,
    "chlo.cosh": _of_values(trigonometry.cosh),
    "chlo.digamma": _of_values(special_functions.digamma),
    "chlo.erf": _of_values(error_functions.erf),
    "chlo.erf_inv": _of_values(error_functions.erf_inv),
    "chlo.erfc": _of_values(error_functions.erfc),
    "chlo.is_inf": _of_values(_is_inf),
    "chlo.is_neg_inf": _of_values(_is_neg_inf),
    "chlo.is_pos_inf": _of_values(_is_pos_inf),
    "chlo.lgamma": _of_values(special_functions.lgamma),
    "chlo.mulhi": _of_values(integers.mulhi),
    "chlo.next_after": _of_values(integers.next_after),
    "chlo.polygamma": _of_values(special_functions.polygamma),
    "chlo.ragged_dot": rewrite_ragged_dot,
    "chlo.scan": rewrite_scan,
    "chlo.sinh": _of_values(trigonometry.sinh),
    "chlo.square": _of_values(trigonometry.square),
    "chlo.tan": _of_values(tan),
    "chlo.top_k": rewrite_top_k,
    "chlo.zeta": _of_values(special_functions.zeta),
    **{op_def.name: rewrite_broadcasting for op_def in BROADCASTING},
}
"""What replaces each operation of chlo."""
