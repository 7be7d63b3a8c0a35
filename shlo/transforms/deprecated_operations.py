"""Operations that StableHLO 1.0 calls deprecated, as the operations that stay."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from shlo.dialects.struct_attributes import DotDimensionNumbers
from shlo.ir.attributes import StringAttr
from shlo.ir.operations import Module, Operation
from shlo.ir.types import TOKEN, RankedTensorType
from shlo.transforms.quantization.operations import is_quantized
from shlo.transforms.rewriting.builder import ValueRef, int64s
from shlo.transforms.rewriting.driver import Rewriter, Rule, rewrite

_WITHOUT_REPLACEMENT: Final = ("stablehlo.map", "stablehlo.rng")


def replace_deprecated(module: Module, *, fail_on_unused: bool = True) -> Module:
    """Returns the module with operations that stay in place of deprecated ones.

    Args:
        module: the module to rewrite.
        fail_on_unused: whether map and rng, which nothing replaces, are errors.

    Raises PassError, with its place, for one of these.
    """
    refused = dict.fromkeys(_WITHOUT_REPLACEMENT, _refused) if fail_on_unused else {}
    return rewrite(module, {**_RULES, **refused})


def _refused(rewriter: Rewriter, operation: Operation) -> Sequence[ValueRef] | None:
    raise rewriter.error(
        f"expected no deprecated operation without replacement, got {operation.name}", operation
    )


def _broadcast(rewriter: Rewriter, operation: Operation) -> Sequence[ValueRef] | None:
    """broadcast_in_dim along the last dimensions."""
    (value,), (type_,) = rewriter.refs(operation.operands), operation.result_types
    if not isinstance(type_, RankedTensorType) or not isinstance(value.type, RankedTensorType):
        return None
    if not type_.is_static:
        return None
    properties = {"broadcast_dimensions": int64s(range(type_.rank - value.tensor.rank, type_.rank))}
    return rewriter.create("stablehlo.broadcast_in_dim", (value,), (type_,), properties)


def _create_token(rewriter: Rewriter, operation: Operation) -> Sequence[ValueRef] | None:
    return rewriter.create("stablehlo.after_all", (), (TOKEN,))


def _cross_replica_sum(rewriter: Rewriter, operation: Operation) -> Sequence[ValueRef] | None:
    """Returns an all_reduce that adds."""
    (value,), groups = rewriter.refs(operation.operands), operation.attribute("replica_groups")
    if not isinstance(value.type, RankedTensorType) or groups is None:
        return None
    scalar = RankedTensorType((), value.element_type)
    with rewriter.region((scalar, scalar)) as body:
        one, other = body.arguments
        rewriter.create("stablehlo.return", (one + other,), ())
    properties = {"replica_groups": groups}
    return rewriter.create(
        "stablehlo.all_reduce", (value,), operation.result_types, properties, (body.region,)
    )


def _dot(rewriter: Rewriter, operation: Operation) -> Sequence[ValueRef] | None:
    """dot_general that contracts the last dimension of lhs and the first of rhs.

    A quantized dot stays, as dot_general takes fewer quantized types.
    """
    operands = rewriter.refs(operation.operands)
    ranks = [value.tensor.rank for value in operands if isinstance(value.type, RankedTensorType)]
    if len(ranks) != 2 or not all(ranks) or is_quantized(operation):
        return None
    numbers = DotDimensionNumbers((), (), (ranks[0] - 1,), (0,))
    properties = {**operation.signature.properties, "dot_dimension_numbers": numbers}
    return rewriter.create("stablehlo.dot_general", operands, operation.result_types, properties)


def _unary_einsum(rewriter: Rewriter, operation: Operation) -> Sequence[ValueRef] | None:
    """Returns einsum with one as its first operand."""
    (value,), config = rewriter.refs(operation.operands), operation.attribute("einsum_config")
    if not isinstance(config, StringAttr) or not isinstance(value.type, RankedTensorType):
        return None
    one = rewriter.splat(RankedTensorType((), value.element_type), 1)
    properties = {"einsum_config": StringAttr(f",{config.value}")}
    return rewriter.create("stablehlo.einsum", (one, value), operation.result_types, properties)


_RULES: Final[dict[str, Rule]] = {
    "stablehlo.broadcast": _broadcast,
    "stablehlo.create_token": _create_token,
    "stablehlo.cross-replica-sum": _cross_replica_sum,
    "stablehlo.dot": _dot,
    "stablehlo.unary_einsum": _unary_einsum,
}
