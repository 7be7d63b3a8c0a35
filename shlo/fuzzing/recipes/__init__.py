"""How operations are written whose definitions alone do not say enough: one function for each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from shlo.fuzzing.recipes import (
    chlo,
    collectives,
    contractions,
    control_flow,
    dynamism,
    indexing,
    linear_algebra,
    movement,
    reductions,
)
from shlo.fuzzing.scope import Scope

Recipe = Callable[[Scope], None]

RECIPES: Final[Mapping[str, Recipe]] = {
    **movement.RECIPES,
    **indexing.RECIPES,
    **contractions.RECIPES,
    **reductions.RECIPES,
    **linear_algebra.RECIPES,
    **dynamism.RECIPES,
    **control_flow.RECIPES,
    **chlo.RECIPES,
}
"""By the names of the operations, those that one process carries out."""

COLLECTIVES: Final[Mapping[str, Recipe]] = collectives.RECIPES
"""By the names of the operations, those that the processes of a grid carry out."""
