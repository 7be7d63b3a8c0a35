"""Operations on integers carried out again by their own kernels, on float64: what they would give if their
types had no limits.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

import numpy as np

from shlo.interpreter.kernel_api import KernelError, KernelFn, OpView, Value
from shlo.interpreter.program.bound_kernel import bind_kernel
from shlo.ir.attributes import Attribute
from shlo.ir.dtypes import Array
from shlo.ir.operations import Block, Signature
from shlo.ir.types import FloatType, RankedTensorType, Type

F64: Final = FloatType("f64")
NUMBER: Final = RankedTensorType((), F64)

COMBINERS: Final[Mapping[str, np.ufunc]] = {"stablehlo.add": np.add, "stablehlo.multiply": np.multiply}
"""Operations on which regions are carried out again."""


class WideBody:
    """A region that combines two numbers of type f64 by one operation (see `kernel_api.Body`)."""

    def __init__(self, name: str) -> None:
        self._combine = COMBINERS[name]
        self.signature = Signature(name, (NUMBER, NUMBER), (NUMBER,))
        self.argument_types: tuple[Type, ...] = (NUMBER, NUMBER)
        self.result_types: tuple[Type, ...] = (NUMBER,)
        self.single_operation: Signature | None = self.signature
        self.returned_arguments: tuple[int, ...] | None = None
        self.is_vectorizable = True
        self.text_key: object = ("wide", name)

    @property
    def block(self) -> Block:
        """Raises KernelError: the region is no part of a program."""
        raise KernelError("the region has no block")

    def on_arrays(self, *arrays: Array) -> tuple[Array, ...]:
        """Returns two arrays combined."""
        return (self._combine(*arrays),)

    def on_scalars(self, *values: Value) -> tuple[Value, ...]:
        """Returns two numbers combined."""
        return (self._combine(*values),)


def widened(type_: Type) -> Type:
    """Returns a tensor type with elements of type f64."""
    return RankedTensorType(type_.shape, F64) if isinstance(type_, RankedTensorType) else type_


def wide_result(view: OpView, operands: Sequence[Any]) -> Array | None:
    """Returns the first result of an operation on float64, None where its kernel does not take that, or a
    region of it does more than add or multiply its arguments.
    """
    reducer = ""
    if view.bodies:
        single = view.bodies[0].single_operation
        if single is None or single.name not in COMBINERS or len(view.result_types) != 1:
            return None
        reducer = single.name
    kernel = _wide_kernel(view.signature, reducer)
    if kernel is None:
        return None
    with np.errstate(all="ignore"):
        return np.asarray(kernel(*[np.asarray(operand).astype(np.float64) for operand in operands]))


def scattered(view: OpView, operands: Sequence[Any]) -> Array | None:
    """Returns what a scatter adds up in one input of zeros, with updates of ones: how many updates each
    element gets; None where its kernel refuses that.
    """
    count = (len(operands) - 1) // 2
    types = widened(view.operand_types[0]), view.operand_types[count], widened(view.operand_types[count + 1])
    properties = {
        name: property for name, property in view.signature.properties.items() if name != "unique_indices"
    }
    attributes = {
        name: attribute for name, attribute in view.signature.attributes.items() if name != "unique_indices"
    }
    kernel = _bound(view.name, types, (types[0],), properties, attributes, "stablehlo.add")
    if kernel is None:
        return None
    shapes = np.shape(operands[0]), np.shape(operands[count + 1])
    return np.asarray(kernel(np.zeros(shapes[0]), operands[count], np.ones(shapes[1])))


@lru_cache(maxsize=256)
def _wide_kernel(signature: Signature, reducer: str) -> KernelFn | None:
    operands, results = (
        tuple(map(widened, result_type)) for result_type in (signature.operand_types, signature.result_types)
    )
    return _bound(signature.name, operands, results, signature.properties, signature.attributes, reducer)


def _bound(
    name: str,
    operands: tuple[Type, ...],
    results: tuple[Type, ...],
    properties: Mapping[str, Attribute],
    attributes: Mapping[str, Attribute],
    reducer: str,
) -> KernelFn | None:
    bodies = (WideBody(reducer),) if reducer else ()
    try:
        return bind_kernel(
            OpView(Signature(name, operands, results, properties, attributes), bodies)
        ).evaluate
    except KernelError:
        return None
