"""Regions for kernels under test: built from a list of operations, evaluated with the elementwise kernels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from shlo.interpreter.kernel_api import OpView, Value
from shlo.interpreter.registry import find_kernel
from shlo.ir.dtypes import Array
from shlo.ir.operations import Block, Operation, Signature
from shlo.ir.types import I1, RankedTensorType, Type
from tests.kernels.helpers import attribute_of

Step = tuple[Any, ...]
"""An operation: its name, the numbers of the values it uses and, where it needs them, a dict of attributes
and the element type of its result (by default the one of its first operand, i1 for a compare)."""


@dataclass
class ListedBody:
    """A Body whose values are numbered: its arguments first, then one result per step."""

    arguments: Sequence[Type]
    steps: Sequence[Step]
    returned: tuple[int, ...]
    vectorizable: bool = True
    calls: int = 0
    types: list[RankedTensorType] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.types = [RankedTensorType((), element) for element in self.arguments]
        operations = [self._operation(*step) for step in self.steps]
        final = Operation(Signature("stablehlo.return", self.result_types), self.returned)
        self.block = Block([*operations, final], tuple(range(len(self.arguments))))

    def _operation(
        self,
        name: str,
        operands: Sequence[int],
        attributes: Mapping[str, Any] | None = None,
        element: Type | None = None,
    ) -> Operation:
        types = tuple(self.types[operand] for operand in operands)
        if element is None:
            element = I1 if name == "compare" else types[0].element_type
        self.types.append(RankedTensorType((), element))
        properties = {key: attribute_of(value) for key, value in (attributes or {}).items()}
        signature = Signature(f"stablehlo.{name}", types, (self.types[-1],), properties)
        return Operation(signature, tuple(operands), (len(self.types) - 1,))

    @property
    def argument_types(self) -> tuple[Type, ...]:
        return tuple(self.types[: len(self.arguments)])

    @property
    def result_types(self) -> tuple[Type, ...]:
        return tuple(self.types[value] for value in self.returned)

    @property
    def single_operation(self) -> Signature | None:
        first, *rest = self.block.operations
        alone = len(rest) == 1 and first.operands == self.block.arguments
        return first.signature if alone else None

    @property
    def returned_arguments(self) -> tuple[int, ...] | None:
        return self.returned if not self.steps else None

    @property
    def is_vectorizable(self) -> bool:
        return self.vectorizable

    @property
    def text_key(self) -> object:
        return id(self)

    def on_arrays(self, *arrays: Array) -> tuple[Array, ...]:
        assert self.vectorizable
        assert len({array.shape for array in arrays}) == 1
        return self._evaluate(*arrays)

    def on_scalars(self, *values: Value) -> tuple[Value, ...]:
        assert all(np.shape(value) == () for value in values)
        return self._evaluate(*values)

    def _evaluate(self, *arguments: Value) -> tuple[Value, ...]:
        self.calls += 1
        values = list(arguments)
        for operation in self.block.operations[:-1]:
            entry = find_kernel(operation.name)
            assert entry is not None
            function = entry.kernel(OpView(operation.signature))
            values.append(function(*[values[operand] for operand in operation.operands]))
        return tuple(values[value] for value in self.returned)


def applying(name: str, element: Type, vectorizable: bool = True) -> ListedBody:
    """`applying("add", F32)`: the body that applies one operation to its two arguments."""
    return ListedBody((element, element), [(name, (0, 1))], (2,), vectorizable)


def compared(
    direction: str, element: Type, payloads: Sequence[Type] = (), kind: str | None = None
) -> ListedBody:
    """Returns a comparator of the first operand's elements, with arguments for payloads behind it."""
    arguments = [element, element] + [payload for payload in payloads for _ in range(2)]
    attributes = {"comparison_direction": direction} | ({"compare_type": kind} if kind else {})
    return ListedBody(arguments, [("compare", (0, 1), attributes)], (len(arguments),))


def returning(element: Type, *returned: int, count: int = 2) -> ListedBody:
    """Returns a body without operations that returns some of its arguments."""
    return ListedBody((element,) * count, [], returned)
