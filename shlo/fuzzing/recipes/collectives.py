"""Operations that the processes of a grid carry out together."""

from __future__ import annotations

from typing import Final

from shlo.fuzzing.recipes.bodies import simple_region
from shlo.fuzzing.scope import NotHere, Scope, Value
from shlo.ir.types import IntegerType, RankedTensorType

_UI32: Final = RankedTensorType((), IntegerType(32, "unsigned"))


def _groups(scope: Scope, is_flat: bool) -> list[list[int]]:
    """Returns groups of equal size: of all processes where `is_flat`, else of replicas."""
    replicas, partitions = scope.draft.grid
    count = replicas * partitions if is_flat else replicas
    size = scope.make.choice([divisor for divisor in range(1, count + 1) if count % divisor == 0])
    order = scope.make.permutation(count)
    return [order[start : start + size] for start in range(0, count, size)]


def _groups_text(groups: list[list[int]]) -> str:
    return f"replica_groups = dense<{groups}> : tensor<{len(groups)}x{len(groups[0])}xi64>"


def _grouping(scope: Scope) -> tuple[str, int, bool]:
    """Returns the attributes that tell groups, how many processes a group has, and whether these are of
    replicas and partitions.
    """
    make = scope.make
    replicas, partitions = scope.draft.grid
    channel = f"channel_handle = #stablehlo.channel_handle<handle = {make.integer(1, 3)}, type = 0>"
    if make.chance(0.4):
        groups = _groups(scope, is_flat=True)
        return f"{_groups_text(groups)}, {channel}, use_global_device_ids", len(groups[0]), False
    groups = _groups(scope, is_flat=False)
    if make.chance(0.4):
        # the processes of these replicas and of all partitions
        is_both = replicas > 1 and partitions > 1 and len(groups[0]) > 1
        return f"{_groups_text(groups)}, {channel}", len(groups[0]) * partitions, is_both
    return _groups_text(groups), len(groups[0]), False


def all_gather(scope: Scope, op: str) -> None:
    """Writes an all_gather."""
    value = _value(scope)
    axis = scope.make.integer(0, len(value.shape) - 1)
    attributes, count, is_both = _grouping(scope)
    if is_both:
        raise NotHere  # `groups-of-both` of docs/differences.md
    shape = (*value.shape[:axis], value.shape[axis] * count, *value.shape[axis + 1 :])
    type_ = RankedTensorType(shape, value.element)
    scope.write(op, (value,), (type_,), f"all_gather_dim = {axis} : i64, {attributes}")


def _value(scope: Scope) -> Value:
    """Returns a value that has dimensions, and elements."""
    value = scope.pick()
    if not value.shape or 0 in value.shape:
        raise NotHere
    return value


def all_reduce(scope: Scope, op: str) -> None:
    """Writes an all_reduce of integers or booleans."""
    value = scope.pick("integer", "boolean")
    body = simple_region(scope, value.element)
    attributes, _, _ = _grouping(scope)
    scope.write(op, (value,), (value.type,), attributes, (body,))


def cross_replica_sum(scope: Scope, op: str) -> None:
    """Writes a cross-replica-sum of integers, the older form of all_reduce."""
    value = scope.pick("integer")
    groups = _groups_text(_groups(scope, is_flat=False))
    scope.write(op, (value,), (value.type,), groups)


def reduce_scatter(scope: Scope, op: str) -> None:
    """Writes a reduce_scatter of integers."""
    make, element = scope.make, scope.element("integer")
    attributes, count, is_both = _grouping(scope)
    if is_both:
        raise NotHere
    shape = list(make.shape(make.integer(1, 3), smallest=1))
    axis = make.integer(0, len(shape) - 1)
    part = tuple(shape)
    shape[axis] *= count
    value = scope.value(tuple(shape), element)
    body = simple_region(scope, element)
    type_ = RankedTensorType(part, element)
    attributes = f"scatter_dimension = {axis} : i64, {attributes}"
    scope.write(op, (value,), (type_,), attributes, (body,))


def all_to_all(scope: Scope, op: str) -> None:
    """Writes an all_to_all among replicas."""
    make = scope.make
    groups = _groups(scope, is_flat=False)
    count = len(groups[0])
    shape = list(make.shape(make.integer(1, 3), smallest=1))
    split, joined = make.integer(0, len(shape) - 1), make.integer(0, len(shape) - 1)
    result = list(shape)
    shape[split] *= count
    result[joined] *= count
    element = scope.element()
    value = scope.value(tuple(shape), element)
    attributes = (
        f"split_dimension = {split} : i64, concat_dimension = {joined} : i64, split_count = {count} : i64, "
        f"{_groups_text(groups)}"
    )
    scope.write(op, (value,), (RankedTensorType(tuple(result), element),), attributes)


def collective_permute(scope: Scope, op: str) -> None:
    """Writes a collective_permute among replicas, of which some may get zeros."""
    make, value = scope.make, scope.pick()
    replicas, _ = scope.draft.grid
    targets = make.permutation(replicas)
    pairs = [[source, target] for source, target in enumerate(targets) if make.chance(0.8)] or [[0, 0]]
    attributes = f"source_target_pairs = dense<{pairs}> : tensor<{len(pairs)}x2xi64>"
    scope.write(op, (value,), (value.type,), attributes)


def replica_id(scope: Scope, op: str) -> None:
    """Writes a number of the process that runs it."""
    scope.write(op, (), (_UI32,))


partition_id = replica_id
