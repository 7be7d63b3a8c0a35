"""Operations whose attributes are operands: the same formulas as for those of static sizes.

XLA takes none of them.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from msgspec.structs import replace

from shlo.fuzzing.maker import Maker
from tests.differential import indexing, movement
from tests.differential.instances import Array, Instance


def _dynamic(instance: Instance, name: str, operands: Sequence[Array], attributes: str = "") -> Instance:
    """Returns the instance with some attributes as operands behind those it has."""
    arguments = [*instance.arguments, *operands]
    return replace(
        instance, name=f"stablehlo.{name}", arguments=arguments, attributes=attributes, is_for_xla=False
    )


def _numbers(make: Maker, values: Sequence[int]) -> Array:
    return np.array(values, make.choice(("int32", "int64")))


def _listed(instance: Instance, attribute: str) -> list[int]:
    """Returns the integers of an `array<i64: ...>` attribute of an instance's text."""
    _, _, rest = f", {instance.attributes}".partition(f", {attribute} = array<i64")
    return [int(word) for word in rest.partition(">")[0].lstrip(": ").split(", ") if word]


def dynamic_pad(make: Maker) -> Instance:
    instance, dtype = movement.pad(make), make.choice(("int32", "int64"))
    names = ("edge_padding_low", "edge_padding_high", "interior_padding")
    return _dynamic(instance, "dynamic_pad", [np.array(_listed(instance, name), dtype) for name in names])


def dynamic_reshape(make: Maker) -> Instance:
    instance = movement.reshape(make)
    return _dynamic(instance, "dynamic_reshape", [_numbers(make, instance.results[0].shape)])


def dynamic_broadcast_in_dim(make: Maker) -> Instance:
    instance = movement.broadcast_in_dim(make)
    sizes = _numbers(make, instance.results[0].shape)
    return _dynamic(instance, "dynamic_broadcast_in_dim", [sizes], instance.attributes)


def dynamic_iota(make: Maker) -> Instance:
    instance = movement.iota(make)
    return _dynamic(
        instance, "dynamic_iota", [_numbers(make, instance.results[0].shape)], instance.attributes
    )


def real_dynamic_slice(make: Maker) -> Instance:
    instance, dtype = movement.slice_(make), make.choice(("int32", "int64"))
    names = ("start_indices", "limit_indices", "strides")
    return _dynamic(
        instance, "real_dynamic_slice", [np.array(_listed(instance, name), dtype) for name in names]
    )


def dynamic_gather(make: Maker) -> Instance:
    instance = indexing.gather(make)
    attributes, _, _ = instance.attributes.partition(", slice_sizes")
    sizes = np.array(_listed(instance, "slice_sizes"), instance.arguments[1].dtype)
    return _dynamic(instance, "dynamic_gather", [sizes], attributes)


MAKERS = (
    dynamic_pad,
    dynamic_reshape,
    dynamic_broadcast_in_dim,
    dynamic_iota,
    real_dynamic_slice,
    dynamic_gather,
)
