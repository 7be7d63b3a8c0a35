"""Random instances: an operation with attributes, operands and the formula of its results."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, Literal

import numpy as np
from msgspec import Struct

from shlo.fuzzing.maker import Shape, tensor_type
from shlo.reference import evaluate
from shlo.syntax import parse

Array = np.ndarray[Any, Any]

BY_REFERENCE: Final = "reference"
"""In place of a formula: the results are those of `shlo.reference`."""


class Result(Struct, frozen=True):
    """A result's shape and dtype."""

    shape: Shape
    dtype: np.dtype[Any]

    @property
    def type(self) -> str:
        return tensor_type(self.shape, self.dtype)


class Instance(Struct, frozen=True):
    """One operation on arguments `%a0`, `%a1`, ...

    `formula` computes the results in loops, `BY_REFERENCE` has those of the reference (None: the
    specification leaves them to the implementation, and XLA alone judges); `tolerance` is how far results may
    lie from it, as a part of the largest element, 0 for the same bits; `xla_tolerance` the same beside XLA,
    which is asked where `is_for_xla`.
    """

    name: str
    arguments: list[Array]
    results: list[Result]
    attributes: str = ""
    regions: Sequence[str] = ()
    formula: Callable[[], Sequence[Any]] | Literal["reference"] | None = None
    tolerance: float = 0.0
    xla_tolerance: float = 0.0
    is_for_xla: bool = True

    def expected(self) -> Sequence[Any]:
        """Returns the results by the formula, which the instance has."""
        assert self.formula is not None
        return (
            evaluate(parse(self.text)[0], self.arguments) if self.formula == BY_REFERENCE else self.formula()
        )

    @property
    def text(self) -> str:
        """The text of a module whose `main` is the operation."""
        return f"func.func @main{self.function}"

    @property
    def function(self) -> str:
        """The function's text behind its name: parameters, results and body."""
        types = [tensor_type(argument.shape, argument.dtype) for argument in self.arguments]
        parameters = ", ".join(f"%a{index}: {type_}" for index, type_ in enumerate(types))
        names = ", ".join(f"%a{index}" for index in range(len(types)))
        results = ", ".join(result.type for result in self.results)
        values = ", ".join(f"%r#{index}" for index in range(len(self.results)))
        regions = f" ({', '.join(self.regions)})" if self.regions else ""
        attributes = f" {{{self.attributes}}}" if self.attributes else ""
        return (
            f"({parameters}) -> ({results}) {{\n"
            f'  %r:{len(self.results)} = "{self.name}"({names}){regions}{attributes}'
            f" : ({', '.join(types)}) -> ({results})\n"
            f"  func.return {values} : {results}\n}}\n"
        )
