"""Computations by the names that NumPy, JAX and PyTorch have for them, as arithmetic on values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod, sqrt
from typing import Final, NamedTuple

import numpy as np

from shlo.dialects.struct_attributes import DotDimensionNumbers, GatherDimensionNumbers
from shlo.ir.attributes import IntegerAttr
from shlo.ir.dense import DenseElementsAttr
from shlo.ir.types import I1, I32, I64, FloatType, IntegerType, RankedTensorType
from shlo.transforms.rewriting.builder import ValueRef, int64s, with_element
from shlo.transforms.rewriting.elementwise import select
from shlo.transforms.rewriting.reductions import combining, initial, reduced
from shlo.transforms.rewriting.shapes import reshaped

# -- What an idiom takes -------------------------------------------------------------------------------------

Types = Sequence[RankedTensorType]
Fits = Callable[[Types], bool]


def _is_float(type_: RankedTensorType) -> bool:
    return isinstance(type_.element_type, FloatType)


def _is_integer(type_: RankedTensorType) -> bool:
    return isinstance(type_.element_type, IntegerType) and type_.element_type != I1


def _is_number(type_: RankedTensorType) -> bool:
    return _is_float(type_) or _is_integer(type_)


def _floats(types: Types) -> bool:
    return all(map(_is_float, types)) and types[0] == types[-1]


def _numbers(types: Types) -> bool:
    return all(map(_is_number, types))


def _rows_of_floats(types: Types) -> bool:
    return _floats(types) and types[0].rank > 0


def _rows(types: Types) -> bool:
    return _numbers(types) and types[0].rank > 0


def _matrices(types: Types) -> bool:
    return _numbers(types) and types[0].rank > 1


def _factors(types: Types) -> bool:
    left, right = types
    return (
        _rows(types)
        and left.element_type == right.element_type
        and right.rank > 0
        and (right.rank <= 2 or left.shape[:-2] == right.shape[:-2])
        and left.shape[-1] == right.shape[max(right.rank - 2, 0)]
    )


def _vectors(types: Types) -> bool:
    return types[0].element_type == types[1].element_type and all(
        _is_number(type_) and type_.rank == 1 for type_ in types
    )


def _choices(types: Types) -> bool:
    condition, one, other = types
    return condition.element_type == I1 and one == other and condition.shape == one.shape and _is_number(one)


def _indexed(types: Types) -> bool:
    return types[0].rank > 0 and _is_integer(types[1])


# -- What an idiom writes ------------------------------------------------------------------------------------


def _over_last(value: ValueRef, name: str) -> ValueRef:
    return reduced(value, [value.tensor.rank - 1], name)


def _over_all(value: ValueRef, name: str) -> ValueRef:
    return reduced(value, range(value.tensor.rank), name)


def _spread(value: ValueRef, like: ValueRef) -> ValueRef:
    """Returns a value of all but the last dimension, once for each element along that."""
    properties = {"broadcast_dimensions": int64s(range(value.tensor.rank))}
    type_ = with_element(like.type, value.element_type)
    return value.builder.one("stablehlo.broadcast_in_dim", (value,), type_, properties)


def _applied(name: str, x: ValueRef) -> ValueRef:
    return x.builder.elementwise(name, x)


def _mean(x: ValueRef) -> ValueRef:
    return _over_last(x, "add") / x.tensor.static_shape[-1]


def _mean_of_all(x: ValueRef) -> ValueRef:
    return _over_all(x, "add") / prod(x.tensor.static_shape)


def _deviation(x: ValueRef) -> ValueRef:
    return x - _spread(_mean(x), x)


def _variance(x: ValueRef) -> ValueRef:
    deviation = _deviation(x)
    return _mean(deviation * deviation)


def _scaled(x: ValueRef, mean_square: ValueRef, epsilon: float) -> ValueRef:
    return x * _spread(_applied("rsqrt", mean_square + epsilon), x)


def _layer_norm(x: ValueRef) -> ValueRef:
    deviation = _deviation(x)
    return _scaled(deviation, _mean(deviation * deviation), 1e-5)


def _shifted(x: ValueRef) -> ValueRef:
    return x - _spread(_over_last(x, "maximum"), x)


def _softmax(x: ValueRef) -> ValueRef:
    weights = _applied("exponential", _shifted(x))
    return weights / _spread(_over_last(weights, "add"), x)


def _log_softmax(x: ValueRef) -> ValueRef:
    shifted = _shifted(x)
    total = _over_last(_applied("exponential", shifted), "add")
    return shifted - _spread(_applied("log", total), x)


def _log_sum_exp(x: ValueRef) -> ValueRef:
    largest = _over_last(x, "maximum")
    weights = _applied("exponential", x - _spread(largest, x))
    return _applied("log", _over_last(weights, "add")) + largest


def _places(x: ValueRef, axis: int) -> ValueRef:
    properties = {"iota_dimension": IntegerAttr(axis, I64)}
    return x.builder.one("stablehlo.iota", (), with_element(x.type, I32), properties)


def _place_of(x: ValueRef, name: str) -> ValueRef:
    """Returns the first place of the element that a reduction keeps, or of a NaN."""
    is_kept = x.equals(_spread(_over_last(x, name), x))
    if _is_float(x.tensor):
        is_kept |= x.differs(x)
    places = _places(x, x.tensor.rank - 1)
    return _over_last(select(is_kept, places, places.constant(x.tensor.static_shape[-1])), "minimum")


def _cumulative_sum(x: ValueRef) -> ValueRef:
    rank, size = x.tensor.rank, x.tensor.static_shape[-1]
    padding = np.zeros((rank, 2), np.int64)
    padding[-1, 0] = max(size - 1, 0)
    properties = {
        "window_dimensions": int64s([1] * (rank - 1) + [max(size, 1)]),
        "padding": DenseElementsAttr(RankedTensorType((rank, 2), I64), padding),
    }
    operands = (x, initial(x, "add"))
    return x.builder.one(
        "stablehlo.reduce_window", operands, x.type, properties, (combining(x, "add").region,)
    )


def _matmul(x: ValueRef, y: ValueRef) -> ValueRef:
    batch = tuple(range(y.tensor.rank - 2))
    numbers = DotDimensionNumbers(batch, batch, (x.tensor.rank - 1,), (max(y.tensor.rank - 2, 0),))
    return x.builder.one("stablehlo.dot_general", (x, y), None, {"dot_dimension_numbers": numbers})


def _outer(x: ValueRef, y: ValueRef) -> ValueRef:
    numbers = DotDimensionNumbers((), (), (), ())
    return x.builder.one("stablehlo.dot_general", (x, y), None, {"dot_dimension_numbers": numbers})


def _rows_at(x: ValueRef, index: ValueRef) -> ValueRef:
    rank, kept = index.tensor.rank, x.tensor.static_shape[1:]
    offsets = tuple(range(rank, rank + len(kept)))
    numbers = GatherDimensionNumbers(offsets, (0,), (), (), (0,), rank)
    properties = {"dimension_numbers": numbers, "slice_sizes": int64s((1, *kept))}
    return x.builder.one("stablehlo.gather", (x, index), None, properties)


def _swapped(x: ValueRef) -> ValueRef:
    *leading, rows, columns = range(x.tensor.rank)
    properties = {"permutation": int64s((*leading, columns, rows))}
    return x.builder.one("stablehlo.transpose", (x,), None, properties)


def _lower_triangle(x: ValueRef) -> ValueRef:
    rank = x.tensor.rank
    return select(_places(x, rank - 2) >= _places(x, rank - 1), x, x.constant(0))


def _squared_error(x: ValueRef, y: ValueRef) -> ValueRef:
    error = x - y
    return _mean_of_all(error * error)


def _gelu(x: ValueRef) -> ValueRef:
    inner = x.builder.one("chlo.erf", (x / sqrt(2),), x.type)
    return x * (inner + 1) / 2


class Idiom(NamedTuple):
    """A computation: how it is called on operands, what they are to be, and how it is written."""

    call: str
    fits: Fits
    write: Callable[..., ValueRef]

    @property
    def word(self) -> str:
        """What is typed for it, which its result is called, too."""
        return self.call.partition("(")[0] if "(" in self.call else "index"

    @property
    def operand_count(self) -> int:
        """How many operands it has."""
        return self.call.count("{}")


def _unary(call: str, fits: Fits, write: Callable[[ValueRef], ValueRef]) -> Idiom:
    return Idiom(call, fits, write)


IDIOMS: Final = (
    Idiom("matmul({}, {})", _factors, _matmul),
    Idiom("outer({}, {})", _vectors, _outer),
    Idiom("where({}, {}, {})", _choices, select),
    Idiom("{}[{}]", _indexed, _rows_at),
    Idiom("take({}, {}, axis=0)", _indexed, _rows_at),
    _unary("softmax({}, axis=-1)", _rows_of_floats, _softmax),
    _unary("log_softmax({}, axis=-1)", _rows_of_floats, _log_softmax),
    _unary("logsumexp({}, axis=-1)", _rows_of_floats, _log_sum_exp),
    _unary("sum({})", _rows, lambda x: _over_all(x, "add")),
    _unary("sum({}, axis=-1)", _matrices, lambda x: _over_last(x, "add")),
    _unary("prod({})", _rows, lambda x: _over_all(x, "multiply")),
    _unary("max({})", _rows, lambda x: _over_all(x, "maximum")),
    _unary("max({}, axis=-1)", _matrices, lambda x: _over_last(x, "maximum")),
    _unary("min({})", _rows, lambda x: _over_all(x, "minimum")),
    _unary("min({}, axis=-1)", _matrices, lambda x: _over_last(x, "minimum")),
    _unary("mean({})", _rows_of_floats, _mean_of_all),
    _unary("mean({}, axis=-1)", _rows_of_floats, _mean),
    _unary("var({}, axis=-1)", _rows_of_floats, _variance),
    _unary("std({}, axis=-1)", _rows_of_floats, lambda x: _applied("sqrt", _variance(x))),
    _unary("argmax({}, axis=-1)", _rows, lambda x: _place_of(x, "maximum")),
    _unary("argmin({}, axis=-1)", _rows, lambda x: _place_of(x, "minimum")),
    _unary("cumsum({}, axis=-1)", _rows, _cumulative_sum),
    _unary("layernorm({})", _rows_of_floats, _layer_norm),
    _unary("rmsnorm({})", _rows_of_floats, lambda x: _scaled(x, _mean(x * x), 1e-6)),
    _unary("relu({})", _numbers, lambda x: x.builder.elementwise("maximum", x, x.constant(0))),
    _unary("gelu({})", _floats, _gelu),
    _unary("sigmoid({})", _floats, lambda x: _applied("logistic", x)),
    _unary("silu({})", _floats, lambda x: x * _applied("logistic", x)),
    Idiom("mse({}, {})", _rows_of_floats, _squared_error),
    _unary("tril({})", _matrices, _lower_triangle),
    _unary("swapaxes({}, -1, -2)", _matrices, _swapped),
    _unary("expand_dims({}, -1)", _numbers, lambda x: reshaped(x, (*x.tensor.shape, 1))),
    _unary("zeros_like({})", _numbers, lambda x: x.constant(0)),
    _unary("ones_like({})", _numbers, lambda x: x.constant(1)),
)
