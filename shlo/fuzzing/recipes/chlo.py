"""Operations of CHLO that their definitions do not tell enough of."""

from __future__ import annotations

import numpy as np

from shlo.fuzzing.scope import NotHere, Scope, region_text
from shlo.fuzzing.structures import size_of
from shlo.ir.types import I32, RankedTensorType


def top_k(scope: Scope, op: str) -> None:
    """Writes a top_k of distinct elements: the order decides between equal ones."""
    make = scope.make
    shape = make.shape(make.integer(1, 2), smallest=1)
    k = make.integer(1, shape[-1])
    array = make.random.permutation(size_of(shape)).reshape(shape) - 5
    value = scope.of_array(np.asarray(array).astype(make.choice(("int32", "float32", "int64"))))
    results = [RankedTensorType((*shape[:-1], k), element) for element in (value.element, I32)]
    scope.write(op, (value,), results, f"k = {k} : i64")


def constant_like(scope: Scope, op: str) -> None:
    """Writes a constant of a value's shape."""
    value = scope.pick("float", "integer")
    number = "1.5" if "f" in str(value.element) else "1"
    if value.type.element_type not in (I32,) and "f" not in str(value.element):
        raise NotHere
    attributes = f"value = {number} : {value.element}"
    scope.write(op, (value,), (value.type,), attributes)


def scan(scope: Scope, op: str) -> None:
    """Writes a scan whose region turns a slice around, and hands on a sum."""
    make = scope.make
    rows, columns, axis = make.integer(1, 4), make.integer(1, 4), make.integer(0, 1)
    element = scope.element("integer")
    shape = (rows, columns) if axis == 0 else (columns, rows)
    part = RankedTensorType((columns,), element)
    operands = [scope.value(shape, element), scope.value((columns,), element)]
    block, (value, carry) = scope.inner((part, part), is_isolated=True)
    (turned,) = block.write("stablehlo.reverse", (value,), (part,), "dimensions = array<i64: 0>")
    (total,) = block.write("stablehlo.add", (turned, carry), (part,))
    (output,) = block.write("stablehlo.multiply", (carry, value), (part,))
    region = region_text(block, (value, carry), (output, total))
    attributes = (
        f"dimension = {axis} : i64, is_reverse = {make.choice(('true', 'false'))}, "
        "operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>"
    )
    scope.write(op, operands, (operands[0].type, part), attributes, (region,))
