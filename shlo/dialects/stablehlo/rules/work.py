"""Work of the operations that are not elementwise: multiplications, sums, windows, sorting, movement."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from shlo.dialects.stablehlo.custom_call_targets import ANNOTATIONS, SHARDING_CALLS
from shlo.dialects.work import VIEW, NotCounted, OpWork, elements_of, known_shape
from shlo.ir.dtypes import UnsupportedTypeError, bit_width
from shlo.ir.types import TupleType, Type

if TYPE_CHECKING:
    from shlo.dialects.op_bindings import OpBindings

MULTIPLY_ADD: Final = 2
"""Operations of a multiplication whose product is added to a sum."""

COMPLEX_MULTIPLY_ADDS: Final = 4
"""Multiply-adds of a step of a Fourier transform on a complex element."""


def byte_count(type_: Type) -> int:
    """Returns the bytes of a value, elements packed to whole bytes each; 0 for a token. Raises NotCounted."""
    if isinstance(type_, TupleType):
        return sum(map(byte_count, type_.types))
    element = getattr(type_, "element_type", type_)
    try:
        bits = bit_width(element)
    except UnsupportedTypeError:
        return 0
    return elements_of(type_) * max(1, (bits + 7) // 8)


# -- sums of products ---------------------------------------------------------------------------------------


def dot_general_work(op: OpBindings) -> OpWork:
    """Returns 2 operations for each product: elements of the result times the contracted sizes. Each row of a
    ragged_dot meets the matrix of its one group.
    """
    lhs = known_shape(op["lhs"].type)
    return _products(op, math.prod([lhs[axis] for axis in tuple[int, ...](op["lhs_contracting_dimensions"])]))


def dot_work(op: OpBindings) -> OpWork:
    """Returns the same for a product of matrices or vectors."""
    return _products(op, known_shape(op["lhs"].type)[-1])


def einsum_work(op: OpBindings) -> OpWork:
    """Returns 2 operations for each combination of the indices in the equation."""
    sizes: dict[str, int] = {}
    for letters, side in zip(op["einsum_config"].partition("->")[0].split(","), ("lhs", "rhs")):
        shape = known_shape(op[side].type)
        if len(letters) != len(shape):
            raise NotCounted("the equation has an ellipsis")
        sizes.update(zip(letters, shape))
    return OpWork(flops=MULTIPLY_ADD * math.prod(sizes.values()))


def unary_einsum_work(op: OpBindings) -> OpWork:
    """Returns an addition for each element that is summed."""
    return OpWork(flops=max(elements_of(op["operand"].type) - elements_of(op["result"].type), 0))


def _products(op: OpBindings, summed: int) -> OpWork:
    return OpWork(flops=MULTIPLY_ADD * elements_of(op["result"].type) * summed)


def convolution_work(op: OpBindings) -> OpWork:
    """Returns 2 operations for each pair of kernel and input elements that meet; padding and the holes of
    dilated inputs are no elements.
    """
    lhs, rhs = known_shape(op["lhs"].type), known_shape(op["rhs"].type)
    result = known_shape(op["result"].type)
    inputs, kernels, outputs = (
        tuple[int, ...](op[f"{name}_spatial_dimensions"]) for name in ("input", "kernel", "output")
    )
    if op.op_def.attribute("padding") is None:
        raise NotCounted("its padding is known at run time alone")
    ones, nothing = (1,) * len(inputs), ((0, 0),) * len(inputs)
    strides = tuple[int, ...](op["window_strides"] or ones)
    padding = tuple[tuple[int, int], ...](op["padding"] or nothing)
    inner, outer = (tuple[int, ...](op[name] or ones) for name in ("lhs_dilation", "rhs_dilation"))
    pairs = 1
    for axis, size in enumerate(inputs):
        window = strides[axis], padding[axis][0], inner[axis], outer[axis]
        pairs *= _meetings(lhs[size], rhs[kernels[axis]], result[outputs[axis]], window)
    feature_axis, output_axis = int(op["kernel_input_feature_dimension"]), int(op["output_feature_dimension"])
    batch = lhs[int(op["input_batch_dimension"])] // max(int(op["batch_group_count"]), 1)
    features = rhs[feature_axis] * result[output_axis]
    return OpWork(flops=MULTIPLY_ADD * features * batch * pairs)


def _meetings(size: int, kernel: int, outputs: int, window: tuple[int, int, int, int]) -> int:
    """Returns how many pairs of a kernel's and an output's index along a dimension have an input element."""
    stride, low, dilation, spread = window
    count = 0
    for index in range(min(kernel, MOST_STEPS)):
        # output o meets input (o * stride - low + index * spread) / dilation where that is a whole number
        offset = index * spread - low
        step = dilation // math.gcd(stride, dilation)
        first = next((o for o in range(step) if (o * stride + offset) % dilation == 0), None)
        if first is None:
            continue
        lowest = max(0, (stride - 1 - offset) // stride)
        highest = min(outputs - 1, ((size - 1) * dilation - offset) // stride)
        lowest += (first - lowest) % step
        count += max(0, (highest - lowest) // step + 1)
    if kernel > MOST_STEPS:
        raise NotCounted(f"its kernel has more than {MOST_STEPS:,} elements along a dimension")
    return count


MOST_STEPS: Final = 1 << 16
"""How many elements of a kernel along one dimension are looked at."""


# -- regions applied to elements ----------------------------------------------------------------------------


def reduce_work(op: OpBindings) -> OpWork:
    """Returns an application of the body for each element but the first of each result."""
    return OpWork(rounds=(max(elements_of(op["inputs"][0].type) - elements_of(op["results"][0].type), 0),))


def map_work(op: OpBindings) -> OpWork:
    """Returns an application of the body for each element."""
    return OpWork(rounds=(elements_of(op["result"].type),))


def reduce_window_work(op: OpBindings) -> OpWork:
    """Returns an application of the body for each element but the first of each window."""
    window = math.prod(op["window_dimensions"])
    return OpWork(rounds=((window - 1) * elements_of(op["results"][0].type),))


def select_and_scatter_work(op: OpBindings) -> OpWork:
    """Returns a selection for each element but the first of each window, and one combination for each."""
    source = elements_of(op["source"].type)
    window = math.prod(op["window_dimensions"] or ())
    return OpWork(rounds=(source * (window - 1), source))


def sort_work(op: OpBindings) -> OpWork:
    """Returns n log2(n) comparisons for n elements in all, each as one operation."""
    count = elements_of(op["inputs"][0].type)
    return OpWork(flops=count * max(count - 1, 0).bit_length(), rounds=(0,))


def scatter_work(op: OpBindings) -> OpWork:
    """Returns a combination for each update; the updates are read and written, and what they replace read."""
    updates = [update.type for update in op["updates"]]
    update_bytes = sum(map(byte_count, updates))
    read = 2 * update_bytes + byte_count(op["scatter_indices"].type)
    in_place = 0 if len(updates) == 1 else None
    return OpWork(rounds=(elements_of(updates[0]),), read=read, written=update_bytes, in_place=in_place)


def scan_work(op: OpBindings) -> OpWork:
    """Returns an application of the body for each slice."""
    inputs = op["inputs"]
    if not inputs:
        raise NotCounted("it has no input to tell the number of slices")
    return OpWork(rounds=(known_shape(inputs[0].type)[int(op["dimension"])],))


def combined_work(op: OpBindings) -> OpWork:
    """Returns an application of the body for each element of the results, as between two processes."""
    return OpWork(rounds=(sum(elements_of(type_) for type_ in op.signature.result_types),))


# -- linear algebra and random numbers ----------------------------------------------------------------------


def cholesky_work(op: OpBindings) -> OpWork:
    """Returns n^3 / 3 for each matrix, half of which is read and written."""
    type_ = op["a"].type
    half = byte_count(type_) // 2
    return OpWork(flops=known_shape(type_)[-1] * elements_of(type_) // 3, read=half, written=half)


def triangular_solve_work(op: OpBindings) -> OpWork:
    """Returns 2 n for each element of the right sides; half of the matrices is read."""
    a, b = op["a"].type, op["b"].type
    flops = MULTIPLY_ADD * known_shape(a)[-1] * elements_of(b)
    return OpWork(flops=flops, read=byte_count(a) // 2 + byte_count(b))


def fft_work(op: OpBindings) -> OpWork:
    """Returns 8 operations for each element and step; log2 of each length, rounded down, multiplied."""
    steps = math.prod(max(length.bit_length() - 1, 0) for length in op["fft_length"])
    return OpWork(flops=MULTIPLY_ADD * COMPLEX_MULTIPLY_ADDS * steps * elements_of(op["operand"].type))


def random_work(op: OpBindings) -> OpWork:
    """Returns an evaluation of a function for each random number, and for each number of a state."""
    return OpWork(transcendentals=sum(map(elements_of, op.signature.result_types)))


def normalization_work(flops: int) -> _NormalizationWork:
    """Returns the work of a batch normalisation: `flops` for each element, a root for each feature."""
    return _NormalizationWork(flops)


class _NormalizationWork:
    def __init__(self, flops: int) -> None:
        self._flops = flops

    def __call__(self, op: OpBindings) -> OpWork:
        elements, features = elements_of(op["operand"].type), elements_of(op["scale"].type)
        return OpWork(flops=self._flops * elements, transcendentals=features)


# -- movement -----------------------------------------------------------------------------------------------


def view_work(op: OpBindings) -> OpWork:
    """Returns that nothing is computed or moved: the result is its operand's memory."""
    return VIEW


def no_work(op: OpBindings) -> OpWork:
    """Returns that nothing is computed or moved, as for elements that are in the program."""
    return OpWork(read=0, written=0)


def elements_work(op: OpBindings) -> OpWork:
    """Returns an operation for each element, as for an elementwise operation."""
    return OpWork(flops=elements_of(op["result"].type))


def convert_work(op: OpBindings) -> OpWork:
    """Returns an operation for each element, none where the type stays the same."""
    operand, result = op["operand"].type, op["result"].type
    return VIEW if operand == result else OpWork(flops=elements_of(result))


def slice_work(op: OpBindings) -> OpWork:
    """Returns that only the elements of the result are read."""
    return OpWork(read=byte_count(op["result"].type))


def dynamic_slice_work(op: OpBindings) -> OpWork:
    """Returns that the elements of the result and the indices are read."""
    result, indices = op["result"].type, op.signature.operand_types[1:]
    return OpWork(read=byte_count(result) + sum(map(byte_count, indices)))


def dynamic_update_slice_work(op: OpBindings) -> OpWork:
    """Returns that the update is read with the indices, and written."""
    update_bytes, indices = byte_count(op["update"].type), op.signature.operand_types[2:]
    return OpWork(read=update_bytes + sum(map(byte_count, indices)), written=update_bytes, in_place=0)


def gather_work(op: OpBindings) -> OpWork:
    """Returns that the elements of the result and the indices are read."""
    return OpWork(read=byte_count(op["result"].type) + byte_count(op["start_indices"].type))


def custom_call_work(op: OpBindings) -> OpWork:
    """Returns the work of a custom call that only annotates its operand.

    Raises NotCounted for any other: what it computes is not in the program.
    """
    target = str(op["call_target_name"])
    if target in ANNOTATIONS or target in SHARDING_CALLS:
        return VIEW
    raise NotCounted(f"what the custom call {target!r} computes is not in the program")
