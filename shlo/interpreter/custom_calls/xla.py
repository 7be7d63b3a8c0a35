"""Custom calls of XLA's and JAX's libraries other than linear algebra.

Top-k, random bits of a shape known at run time, scaled matrix products, and operations of chlo under the
names they have in portable files.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any

import numpy as np

from shlo.dialects.struct_attributes import DotDimensionNumbers
from shlo.interpreter.custom_call_api import CustomCall
from shlo.interpreter.custom_calls.delegation import run_as
from shlo.interpreter.custom_calls.registry import custom_call_handler, register_custom_call
from shlo.interpreter.kernel_api import KernelError, KernelFn
from shlo.interpreter.kernels.random import bit_generator, threefry
from shlo.interpreter.kernels.shapes import as_results
from shlo.interpreter.kernels.spmd.collective import alone, collective_of
from shlo.interpreter.topology.groups import GridShape
from shlo.ir.attributes import Attribute, DenseArrayAttr, IntegerAttr, SymbolRefAttr
from shlo.ir.dense import DenseElementsAttr
from shlo.ir.dtypes import Array
from shlo.ir.types import F32, I1, I32, I64, IntegerType, RankedTensorType

_ELEMENTWISE = ("acos", "acosh", "asin", "asinh", "atanh", "cosh", "erf", "sinh", "tan")
"""Operations of chlo that are also called as custom call `mhlo.<name>`."""


def _elementwise(name: str, call: CustomCall) -> KernelFn:
    call.require_operands(1)
    return run_as(name, call.operand_types, call.result_types)


for _name in _ELEMENTWISE:
    register_custom_call(f"mhlo.{_name}", partial(_elementwise, f"chlo.{_name}"))


# --- greatest elements -------------------------------------------------------------------------------------


@custom_call_handler("TopK", "mhlo.topk")
def top_k(call: CustomCall) -> KernelFn:
    """Returns the k greatest elements of each row and their indices; k is the size of the result's rows."""
    options: dict[str, Any] = call.get("mhlo.attributes") or {}
    if not options.get("largest", True):
        raise KernelError("only the greatest elements can be asked for")
    if len(call.operand_types) != 1 or len(call.result_types) != 2:
        raise KernelError("takes one operand and gives two results")
    count = _known_size(call, call.operation.result_type().rank - 1)
    return run_as("chlo.top_k", call.operand_types, call.result_types, {"k": IntegerAttr(count, I64)})


def _known_size(call: CustomCall, dimension: int) -> int:
    """Returns the size of the first result in a dimension, which must be known."""
    shape = call.operation.result_type().shape
    size = shape[dimension] if 0 <= dimension < len(shape) else None
    if size is None:
        raise KernelError(f"needs a result whose size is known in dimension {dimension}")
    return size


@custom_call_handler("stablehlo.dynamic_top_k")
def dynamic_top_k(call: CustomCall) -> KernelFn:
    """Computes TopK with k as the second operand."""
    if len(call.operand_types) != 2 or len(call.result_types) != 2:
        raise KernelError("takes two operands and gives two results")
    _check_count_type(call, 1)
    first = lru_cache(maxsize=8)(partial(_first, call))
    first(0)  # raises KernelError where the operand has no rows that can be sorted

    def on_arrays(array: Array, count: Array) -> Any:
        wanted = _checked_count(int(count), array.shape[-1])
        return first(wanted)(array)

    return on_arrays


def _first(call: CustomCall, count: int) -> KernelFn:
    """Returns the greatest elements of the first operand's last dimension and their indices."""
    operand = call.operation.tensor_type(0)
    rows = (None,) * (operand.rank - 1)
    operands = (RankedTensorType((*rows, None), operand.element_type),) if operand.rank else (operand,)
    results = RankedTensorType((*rows, count), operand.element_type), RankedTensorType((*rows, count), I32)
    return run_as("chlo.top_k", operands, results, {"k": IntegerAttr(count, I64)})


def _check_count_type(call: CustomCall, index: int) -> None:
    """Raises KernelError if an operand is not an integer that can be a number of elements."""
    type_ = call.operation.tensor_type(index)
    if type_.rank or not isinstance(type_.element_type, IntegerType) or type_.element_type == I1:
        raise KernelError(f"expected operand {index}, a count, to be a scalar integer, got {type_}")


def _checked_count(count: int, size: int) -> int:
    if not 0 <= count <= size:
        raise KernelError(f"{count} elements are asked for, of {size}")
    return count


@custom_call_handler("ApproxTopK", "stablehlo.dynamic_approx_top_k")
def approx_top_k(call: CustomCall) -> KernelFn:
    """Returns the elements that the comparator orders first, exactly, and the other operands' elements at
    their positions. Each result has an operand and a value to fill up missing elements with; the dynamic form
    has one more operand, the number of elements. The comparator is recognized by its name."""
    count, dimension = len(call.result_types), call.config.get("reduction_dim")
    is_dynamic = call.target != "ApproxTopK"
    if not count or len(call.operand_types) < 2 * count + is_dynamic:
        raise KernelError("takes an operand and an initial value for each result")
    if not isinstance(dimension, int) or not 0 <= dimension < call.operation.tensor_type(0).rank:
        raise KernelError("needs the option reduction_dim, a dimension of the first operand")
    if is_dynamic:
        _check_count_type(call, 2 * count)
    wanted = 0 if is_dynamic else _known_size(call, dimension)
    keys, first = _negated if _is_rising(call) else np.asarray, lru_cache(maxsize=8)(partial(_first, call))

    def on_arrays(*arrays: Array) -> Any:
        shapes = [array.shape for array in arrays[:count]]
        if len(set(shapes)) > 1:
            raise KernelError(
                f"expected operands of one shape, got {', '.join(str(list(s)) for s in shapes)}"
            )
        size = _checked_count(int(arrays[2 * count]) if is_dynamic else wanted, shapes[0][dimension])
        indices = first(size)(keys(np.moveaxis(arrays[0], dimension, -1)))[1]
        order = np.moveaxis(indices, -1, dimension)
        selected = [np.take_along_axis(array, order, dimension) for array in arrays[:count]]
        return selected[0] if count == 1 else tuple(selected)

    return on_arrays


def _negated(values: Array) -> Array:
    """Returns numbers in the reverse order, NaN last."""
    if values.dtype.kind in "iub":
        return ~values
    return np.where(np.isnan(values), values.dtype.type(-np.inf), -values)


def _is_rising(call: CustomCall) -> bool:
    computations = call.get("called_computations") or ()
    names = [symbol.root for symbol in computations if isinstance(symbol, SymbolRefAttr)]
    match = re.match(r"top_k_(gt|lt)_", names[0]) if len(names) == 1 else None
    if match is None:
        raise KernelError("needs a comparator named top_k_gt_... or top_k_lt_..., as JAX names them")
    return match[1] == "lt"


# --- random bits -------------------------------------------------------------------------------------------


_THREEFRY = [f"{device}_threefry2x32{ending}" for device in ("cu", "cuda", "hip") for ending in ("", "_ffi")]
"""JAX's random bits on GPUs: Threefry2x32 of arrays of keys and counters, in every spelling of the call."""


@custom_call_handler(*_THREEFRY)
def threefry2x32(call: CustomCall) -> KernelFn:
    """Returns the two words of each element, from the two words of its key and of its counter. Further
    operands hold a length and a shape known at run time, which the arrays have anyway."""
    if len(call.operand_types) < 4:
        raise KernelError(f"expected four operands, got {len(call.operand_types)}")
    types = [call.operation.tensor_type(i) for i in range(4)]
    word = IntegerType(32, "unsigned")
    if any(type_ != types[0] or type_.element_type != word for type_ in types):
        raise KernelError(f"expected four operands of one shape of ui32, got {types[0]} among others")

    def on_arrays(*operands: Array) -> tuple[Array, ...]:
        key_0, key_1, counter_0, counter_1 = operands[:4]
        return threefry((counter_0, counter_1), (key_0, key_1))

    return on_arrays


@custom_call_handler("stablehlo.dynamic_rng_bit_generator")
def dynamic_rng_bit_generator(call: CustomCall) -> KernelFn:
    """Computes rng_bit_generator with the shape of the bits as the second operand."""
    if len(call.operand_types) != 2 or len(call.result_types) != 2:
        raise KernelError("takes two operands and gives two results")
    algorithm, bits = call.operation.word("rng_algorithm"), call.operation.result_type(1)

    def on_arrays(state: Array, shape: Array) -> Any:
        sizes: tuple[int, ...] = tuple(shape.tolist())
        return bit_generator(algorithm, state.shape, sizes, bits.element_type)(state)

    return on_arrays


# --- windows -----------------------------------------------------------------------------------------------


@custom_call_handler("stablehlo.dynamic_reduce_window")
def dynamic_reduce_window(call: CustomCall) -> KernelFn:
    """Computes reduce_window with a function as reducer. The last operands are window sizes, strides, base
    dilations, window dilations and padding."""
    inputs = 2 * len(call.result_types)
    if len(call.operand_types) != inputs + 5:
        raise KernelError("takes an operand and an initial value for each result, and five operands more")
    if len(call.operation.callees) != 1:
        raise KernelError("needs one function of the module in called_computations")
    planned = lru_cache(maxsize=8)(partial(_window_reduction, call, inputs))

    def on_arrays(*arrays: Array) -> Any:
        return planned(*[tuple(array.ravel().tolist()) for array in arrays[inputs:]])(*arrays[:inputs])

    return on_arrays


_WINDOW_ATTRIBUTES = ("window_dimensions", "window_strides", "base_dilations", "window_dilations")


def _window_reduction(call: CustomCall, inputs: int, *options: tuple[int, ...]) -> KernelFn:
    *windows, padding = options
    rank = call.operation.tensor_type(0).rank
    if len(padding) != 2 * rank:
        raise KernelError(f"needs padding of shape [{rank}, 2]")
    attributes: dict[str, Attribute] = {
        name: DenseArrayAttr(I64, values) for name, values in zip(_WINDOW_ATTRIBUTES, windows)
    }
    pairs = np.array(padding, np.int64).reshape(rank, 2)
    attributes["padding"] = DenseElementsAttr(RankedTensorType((rank, 2), I64), pairs)
    operands, results = call.operand_types[:inputs], call.result_types
    return run_as("stablehlo.reduce_window", operands, results, attributes, call.operation.callees)


# --- scaled matrix products --------------------------------------------------------------------------------


@custom_call_handler("__op$block_scaled_dot")
def block_scaled_dot(call: CustomCall) -> KernelFn:
    """Computes products of rows of lhs and of rhs in f32, each block of whose elements has a scale."""
    types = [call.operation.tensor_type(i) for i in range(len(call.operand_types))]
    if len(types) != 4 or not all(type_.is_static and type_.rank == types[0].rank >= 2 for type_ in types):
        raise KernelError("takes lhs, rhs and the scales of each, all of one rank and of known sizes")
    last = types[0].rank - 1
    batch = tuple(range(last - 1))
    lhs, rhs = (RankedTensorType(type_.shape, F32) for type_ in types[:2])
    numbers = DotDimensionNumbers(batch, batch, (last,), (last,))
    attributes: dict[str, Attribute] = {"dot_dimension_numbers": numbers}
    multiply = run_as("stablehlo.dot_general", (lhs, rhs), call.result_types, attributes)
    scale_lhs, scale_rhs = (_scaler(types[i].static_shape, types[i + 2].static_shape) for i in range(2))

    def on_arrays(left: Array, right: Array, left_scale: Array, right_scale: Array) -> Array:
        return multiply(scale_lhs(left, left_scale), scale_rhs(right, right_scale))

    return on_arrays


def _scaler(shape: tuple[int, ...], scales: tuple[int, ...]) -> Callable[[Array, Array], Array]:
    if shape[:-1] != scales[:-1] or not scales[-1] or shape[-1] % scales[-1]:
        raise KernelError(f"scales of shape {list(scales)} do not divide shape {list(shape)} into blocks")
    blocks = (*scales, shape[-1] // scales[-1])

    def scaled(array: Array, scale: Array) -> Array:
        products = array.astype(np.float32).reshape(blocks) * scale.astype(np.float32)[..., None]
        return products.reshape(shape)

    return scaled


# --- collective operations ---------------------------------------------------------------------------------


@custom_call_handler("ragged_all_to_all")
def ragged_all_to_all(call: CustomCall) -> KernelFn:
    """Computes the slices that the process sends to itself; see `kernels.spmd.collective`."""
    plan = collective_of(call.operation, GridShape())
    return lambda *operands: as_results(alone(plan, 0, operands))
