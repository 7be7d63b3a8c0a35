"""Kernels of operations that are StableHLO's or chlo's under another name, with integers of either sign."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from shlo.interpreter.kernel_api import Kernel, KernelError, KernelFn, OpView, Value
from shlo.interpreter.kernels.numeric import element_dtype
from shlo.interpreter.registry import find_kernel, kernel
from shlo.ir.attributes import IntegerAttr
from shlo.ir.operations import Signature
from shlo.ir.types import I1, IntegerType, RankedTensorType, Type, UnrankedTensorType, element_type_of


class Twin(Struct, frozen=True):
    """Operation with the same values, whether its operands or results are read as unsigned integers, and the
    order of its operands (None: the same)."""

    name: str
    unsigned_operands: bool = False
    unsigned_results: bool = False
    order: tuple[int, ...] | None = None


def signed(name: str) -> Twin:
    """Returns a twin on operands and results as they are."""
    return Twin(f"stablehlo.{name}")


def unsigned(name: str) -> Twin:
    """Returns a twin on unsigned integers."""
    return Twin(f"stablehlo.{name}", True, True)


def twin_evaluate(op: OpView, twin: Twin) -> KernelFn:
    """Returns the function of an operation that its twin computes."""
    operands = [_as(type_, twin.unsigned_operands) for type_ in op.operand_types]
    results = [_as(type_, twin.unsigned_results) for type_ in op.result_types]
    if twin.order is not None:
        operands = [operands[position] for position in twin.order]
    entry = find_kernel(twin.name)
    assert entry is not None, twin.name
    evaluate = entry.kernel(OpView(Signature(twin.name, tuple(operands), tuple(results))))
    dtypes = [element_dtype(type_) for type_ in operands]
    wanted = element_dtype(op.result_types[0])
    if not (twin.unsigned_operands or twin.unsigned_results or twin.order):
        return evaluate

    def viewed(*values: Value) -> Value:
        ordered = values if twin.order is None else [values[position] for position in twin.order]
        result = evaluate(*[_view(value, dtype) for value, dtype in zip(ordered, dtypes, strict=True)])
        return _view(result, wanted) if twin.unsigned_results else result

    return viewed


def register_twins(dialect: str, twins: Mapping[str, Twin]) -> None:
    """Registers kernels for operations of a dialect that have twins."""
    for name, twin in twins.items():
        kernel(f"{dialect}.{name}")(_kernel_of(twin))


def refuse_rounding(op: OpView) -> None:
    """Raises KernelError for a rounding mode that is not carried out."""
    mode = op.get("roundingmode")
    if isinstance(mode, IntegerAttr) and mode.value != 0:
        raise KernelError("rounds to the nearest even number only")


def _kernel_of(twin: Twin) -> Kernel:
    def specialize(op: OpView) -> KernelFn:
        refuse_rounding(op)
        return twin_evaluate(op, twin)

    return specialize


def _view(value: Value, dtype: object) -> Value:
    return value if value.dtype == dtype else value.view(dtype)


def _as(type_: Type, is_unsigned: bool) -> Type:
    """Returns a number as a tensor of rank 0, its integers unsigned if asked."""
    element = element_type_of(type_)
    if is_unsigned and isinstance(element, IntegerType) and element != I1:
        element = IntegerType(element.width, "unsigned")
    if isinstance(type_, (RankedTensorType, UnrankedTensorType)):
        return replace(type_, element_type=element)
    return RankedTensorType((), element)
