"""Bodies of reductions, scatters and the like: their text, and the same as a function of Python's numbers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from shlo.fuzzing.maker import Maker, tensor_type
from shlo.fuzzing.values import INTEGERS, UNSIGNED, dtype_named
from tests.differential.elementwise import wrapped
from tests.differential.instances import Array

NUMBERS = (*INTEGERS[2:], *UNSIGNED[2:], "float32", "float64", "bfloat16", "float16")
LOGICAL = ("bool", *INTEGERS[2:], *UNSIGNED[2:])


@dataclass(frozen=True)
class Body:
    """A reducer: its operations on `%x` and `%y` of type T giving `%s`, its function, a neutral value by type
    name.
    """

    text: str
    function: Callable[[Any, Any], Any]
    neutral: Callable[[str], Any]
    names: tuple[str, ...] = NUMBERS

    def region(self, dtype: np.dtype[Any]) -> str:
        """Returns the region's text for scalars of this dtype."""
        scalar = tensor_type((), dtype)
        operations = self.text.replace("TYPE", scalar)
        return (
            f'{{ ^bb0(%x: {scalar}, %y: {scalar}): {operations} "stablehlo.return"(%s) : ({scalar}) -> () }}'
        )

    def combine(self, left: Any, right: Any, name: str) -> Any:
        """Returns the body on two elements, as an element of type `name` again."""
        if name == "bool" or name.lstrip("u").startswith("int"):
            value = wrapped(self.function(int(left), int(right)), name)
            return np.asarray(value).astype(dtype_named(name))
        return np.asarray(self.function(float(left), float(right))).astype(dtype_named(name))


def _lowest(name: str) -> Any:
    if name == "bool" or name.startswith("uint"):
        return 0
    return np.iinfo(name).min if name.startswith("int") else -np.inf


def _highest(name: str) -> Any:
    if name == "bool":
        return 1
    return np.iinfo(name).max if "int" in name else np.inf


_LARGER = "%c = stablehlo.compare GT, %x, %y : (TYPE, TYPE) -> tensor<i1> "

BODIES = {
    "add": Body("%s = stablehlo.add %x, %y : TYPE", lambda x, y: x + y, lambda name: 0),
    "multiply": Body("%s = stablehlo.multiply %x, %y : TYPE", lambda x, y: x * y, lambda name: 1),
    "maximum": Body("%s = stablehlo.maximum %x, %y : TYPE", max, _lowest),
    "minimum": Body("%s = stablehlo.minimum %x, %y : TYPE", min, _highest),
    "and": Body("%s = stablehlo.and %x, %y : TYPE", lambda x, y: x & y, lambda name: -1, LOGICAL),
    "or": Body("%s = stablehlo.or %x, %y : TYPE", lambda x, y: x | y, lambda name: 0, LOGICAL),
    "xor": Body("%s = stablehlo.xor %x, %y : TYPE", lambda x, y: x ^ y, lambda name: 0, LOGICAL),
    "select": Body(_LARGER + "%s = stablehlo.select %c, %x, %y : tensor<i1>, TYPE", max, _lowest),
}

UPDATES = BODIES | {
    "replace": Body("%s = stablehlo.add %y, %y : TYPE", lambda x, y: y + y, lambda name: 0),
    "subtract": Body("%s = stablehlo.subtract %x, %y : TYPE", lambda x, y: x - y, lambda name: 0),
}
"""Bodies that need not be associative: those of scatters with unique indices."""


def draw(make: Maker, bodies: dict[str, Body]) -> tuple[Body, str]:
    """Returns a body, and the name of an element type that it takes."""
    body = bodies[make.choice(sorted(bodies))]
    return body, make.choice(body.names)


def neutral(body: Body, name: str) -> Array:
    value = body.neutral(name)
    value = wrapped(value, name) if name == "bool" or "int" in name else value
    return np.asarray(value).astype(dtype_named(name))
