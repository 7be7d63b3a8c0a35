"""How operations are written whose definitions alone do not say enough: one function for each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Final

from shlo.dialects import find_op_def
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

Recipe = Callable[[Scope, str], None]
"""Writes an operation of the name that it takes."""


def _recipes_of(*modules: ModuleType) -> dict[str, Recipe]:
    """Returns the recipes of modules: the functions that take a name `op`, by that of the operation that they
    are called after."""
    recipes: dict[str, Recipe] = {}
    for module in modules:
        for name, function in vars(module).items():
            if not name.startswith("_") and "op" in getattr(function, "__annotations__", ()):
                short = name.rstrip("_")
                names = (
                    f"{dialect}.{each}" for dialect in DIALECTS for each in (short, short.replace("_", "-"))
                )
                recipes[next(full for full in names if find_op_def(full))] = function
    return recipes


DIALECTS: Final = ("stablehlo", "chlo", "func")
"""The dialects whose operations are written."""

RECIPES: Final[Mapping[str, Recipe]] = _recipes_of(
    movement, indexing, contractions, reductions, linear_algebra, dynamism, control_flow, chlo
)
"""By the names of the operations, those that one process carries out."""

COLLECTIVES: Final[Mapping[str, Recipe]] = _recipes_of(collectives)
"""By the names of the operations, those that the processes of a grid carry out."""
