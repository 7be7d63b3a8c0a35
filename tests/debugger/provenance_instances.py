"""Random instances of operations for which tests/differential has no maker: those of chlo, and custom calls."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from shlo.fuzzing.maker import Maker
from tests.differential.instances import Instance, Result

F32 = np.dtype(np.float32)


def chlo_broadcasting(make: Maker) -> Instance:
    name = make.choice(["add", "multiply", "maximum", "atan2", "subtract"])
    shape = make.shape(make.integer(1, 3), 1)
    other = tuple(1 if make.chance(0.3) else size for size in shape[make.integer(0, len(shape)) :])
    arguments = [make.small(shape, "float32"), make.small(other, "float32")]
    return Instance(f"chlo.broadcast_{name}", arguments, [Result(shape, F32)])


def chlo_broadcast_select(make: Maker) -> Instance:
    shape = make.shape(2, 1)
    predicate = make.small(shape[1:] if make.chance(0.5) else shape, "bool")
    arguments = [predicate, make.small(shape, "float32"), make.small((1, shape[1]), "float32")]
    return Instance("chlo.broadcast_select", arguments, [Result(shape, F32)])


def chlo_elementwise(make: Maker) -> Instance:
    shape = make.shape(make.integer(0, 2), 1)
    name = make.choice(["erf", "tan", "sinh", "digamma", "lgamma"])
    return Instance(f"chlo.{name}", [make.small(shape, "float32")], [Result(shape, F32)])


def chlo_top_k(make: Maker) -> Instance:
    shape = make.shape(make.integer(1, 2), 1)
    k = make.integer(1, shape[-1])
    results = [Result((*shape[:-1], k), F32), Result((*shape[:-1], k), np.dtype(np.int32))]
    return Instance("chlo.top_k", [make.small(shape, "float32")], results, f"k = {k} : i64")


def _group_sizes(make: Maker, total: int, shape: tuple[int, ...]) -> np.ndarray:  # type: ignore[type-arg]
    """Returns sizes of groups, which may leave the end to none."""
    sizes = np.zeros(shape, np.uint32)
    for outer in np.ndindex(*shape[:-1]):
        cuts = sorted(make.integers(shape[-1], 0, total))
        sizes[outer] = np.diff([0, *cuts])
    return sizes


def _ragged(
    make: Maker,
    lhs: tuple[int, ...],
    rhs: tuple[int, ...],
    sizes: object,
    numbers: str,
    result: tuple[int, ...],
) -> Instance:
    arguments = [make.small(lhs, "float32"), make.small(rhs, "float32"), np.asarray(sizes)]
    attributes = f"ragged_dot_dimension_numbers = #chlo.ragged_dot<{numbers}>"
    return Instance("chlo.ragged_dot", arguments, [Result(result, F32)], attributes)


def ragged_dot_of_free_groups(make: Maker) -> Instance:
    b, g, m, k, n = make.integers(5, 1, 3)
    if make.chance(0.5):
        numbers = "lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]"
        return _ragged(make, (m, k), (g, k, n), _group_sizes(make, m, (g,)), numbers, (m, n))
    numbers = (
        "lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [2], "
        "rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [1], rhs_group_dimensions = [0]"
    )
    return _ragged(make, (b, m, k), (g, b, k, n), _group_sizes(make, m, (b, g)), numbers, (b, m, n))


def ragged_dot_of_contracted_groups(make: Maker) -> Instance:
    g, m, k, n = make.integers(4, 1, 3)
    numbers = (
        "lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0], lhs_ragged_dimensions = [1]"
    )
    return _ragged(make, (m, k), (k, n), _group_sizes(make, k, (g,)), numbers, (g, m, n))


def ragged_dot_of_a_batch(make: Maker) -> Instance:
    b, g, m, k, n = make.integers(5, 1, 3)
    numbers = (
        "lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], "
        "rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0]"
    )
    return _ragged(make, (b, m, k), (b, k, n), _group_sizes(make, b, (g,)), numbers, (b, m, n))


def scan(make: Maker) -> Instance:
    """A scan whose region turns the slice around, and hands on one of two sums."""
    rows, columns = make.integers(2, 1, 4)
    axis = make.integer(0, 1)
    shape = (rows, columns) if axis == 0 else (columns, rows)
    part = f"tensor<{columns}xf32>"
    region = f"""{{
  ^bb0(%input: {part}, %carry: {part}):
    %turned = stablehlo.reverse %input, dims = [0] : {part}
    %sum = stablehlo.add %turned, %carry : {part}
    %out = stablehlo.multiply %carry, %input : {part}
    stablehlo.return %out, %sum : {part}, {part}
  }}"""
    attributes = f"dimension = {axis} : i64, is_reverse = {str(make.chance(0.5)).lower()}, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>"
    results = [Result(shape, F32), Result((columns,), F32)]
    return Instance(
        "chlo.scan",
        [make.small(shape, "float32"), make.small((columns,), "float32")],
        results,
        attributes,
        [region],
    )


def call_of_annotation(make: Maker) -> Instance:
    shape = make.shape(2, 1)
    target = make.choice(
        ["Sharding", "annotate_device_placement", "MoveToHost", "xla.sdy.PropagationBarrier"]
    )
    return Instance(
        "stablehlo.custom_call",
        [make.small(shape, "float32")],
        [Result(shape, F32)],
        f'call_target_name = "{target}"',
    )


def call_by_element(make: Maker) -> Instance:
    shape = make.shape(2, 1)
    target = make.choice(["mhlo.tan", "mhlo.erf", "mhlo.sinh"])
    return Instance(
        "stablehlo.custom_call",
        [make.small(shape, "float32")],
        [Result(shape, F32)],
        f'call_target_name = "{target}"',
    )


def call_of_top_k(make: Maker) -> Instance:
    shape = make.shape(2, 1)
    k = make.integer(1, shape[-1])
    results = [Result((shape[0], k), F32), Result((shape[0], k), np.dtype(np.int32))]
    return Instance(
        "stablehlo.custom_call", [make.small(shape, "float32")], results, 'call_target_name = "TopK"'
    )


def call_of_lapack(make: Maker) -> Instance:
    """A QR factorisation of each matrix of a batch."""
    b, n = make.integers(2, 1, 3)
    results = [Result((b, n, n), F32), Result((b, n), F32)]
    attributes = 'call_target_name = "lapack_sgeqrf_ffi", api_version = 4 : i32, mhlo.backend_config = {}'
    return Instance("stablehlo.custom_call", [make.small((b, n, n), "float32")], results, attributes)


MAKERS: tuple[Callable[[Maker], Instance], ...] = (
    chlo_broadcasting,
    chlo_broadcast_select,
    chlo_elementwise,
    chlo_top_k,
    ragged_dot_of_free_groups,
    ragged_dot_of_contracted_groups,
    ragged_dot_of_a_batch,
    scan,
    call_of_annotation,
    call_by_element,
    call_of_top_k,
    call_of_lapack,
)
