"""All families of instances."""

from __future__ import annotations

from collections.abc import Callable

from shlo.fuzzing.maker import Maker
from tests.differential import dynamism, elementwise, indexing, linear_algebra, movement, products, reductions
from tests.differential.instances import Instance

MAKERS: tuple[Callable[[Maker], Instance], ...] = (
    *elementwise.MAKERS,
    *movement.MAKERS,
    *indexing.MAKERS,
    *reductions.MAKERS,
    *products.MAKERS,
    *linear_algebra.MAKERS,
    *dynamism.MAKERS,
)


def make_instances(seed: int, count: int, only: str = "") -> list[Instance]:
    """Returns `count` random instances of the families whose function's name contains `only`."""
    make = Maker(seed)
    families = [maker for maker in MAKERS if only in maker.__name__]
    return [make.choice(families)(make) for _ in range(count)]
