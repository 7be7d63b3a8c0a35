"""What a handler of custom calls is: a function from the static side of a call to the function that runs.

    def double(call: CustomCall) -> KernelFn:
        return lambda x: x * 2

The function maps operands to the result (a tuple of several, None for none), as a kernel's does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal

from msgspec import Struct

from shlo.interpreter.kernel_api import KernelError, KernelFn, OpView
from shlo.ir.attributes import (
    ArrayAttr,
    Attribute,
    DenseArrayAttr,
    DictionaryAttr,
    FloatAttr,
    IntegerAttr,
    StringAttr,
    UnitAttr,
)
from shlo.ir.dense import DenseElementsAttr
from shlo.ir.types import I1, Type
from shlo.text.numbers import plural


class CustomCall(Struct, frozen=True):
    """A custom_call as its handler sees it. Specification: "custom_call"."""

    operation: OpView

    @property
    def target(self) -> str:
        """The name of what is called."""
        return self.operation.word("call_target_name")

    @property
    def operand_types(self) -> tuple[Type, ...]:
        """The types of the operands."""
        return self.operation.operand_types

    @property
    def result_types(self) -> tuple[Type, ...]:
        """The types of the results."""
        return self.operation.result_types

    @property
    def api_version(self) -> int:
        """1 unless the call says otherwise; 4 is the typed interface, whose backend_config is a
        dictionary."""
        return self.operation.integer("api_version", 1)

    @property
    def config(self) -> Mapping[str, Any]:
        """The dictionary in `backend_config`, or else in `mhlo.backend_config`, as Python values; empty
        without one."""
        for name in ("backend_config", "mhlo.backend_config"):
            attribute = self.operation.get(name)
            if isinstance(attribute, DictionaryAttr):
                return {key: python_value(value) for key, value in attribute.entries}
        return {}

    @property
    def config_text(self) -> str:
        """`backend_config` where it is a text, else the empty one."""
        attribute = self.operation.get("backend_config")
        return attribute.value if isinstance(attribute, StringAttr) else ""

    @property
    def config_bytes(self) -> bytes:
        """`backend_config` where it is a text, as the bytes that MLIR's strings are."""
        return self.config_text.encode("utf-8", "surrogateescape")

    def get(self, name: str) -> Any:
        """Another attribute of the operation as a Python value, None where it is absent."""
        attribute = self.operation.get(name)
        return None if attribute is None else python_value(attribute)

    def require_operands(self, count: int) -> None:
        """Raises KernelError where the call has another number of operands."""
        if len(self.operand_types) != count:
            got = len(self.operand_types)
            raise KernelError(f"{self.target} takes {plural(count, 'operand')}, not {got}")


Handler = Callable[[CustomCall], KernelFn]

Stub = Literal["zeros", "random"] | Mapping[str, Any]
"""Results for calls that have no handler: zeros, random numbers, or recorded arrays by name."""


def python_value(attribute: Attribute) -> Any:
    """Returns an attribute as a Python value: number, bool, str, NumPy array, tuple, dict; any other kind as
    it is."""
    if isinstance(attribute, IntegerAttr):
        is_boolean = attribute.type == I1
        return bool(attribute.value) if is_boolean else attribute.value
    if isinstance(attribute, (FloatAttr, StringAttr)):
        return attribute.value
    if isinstance(attribute, UnitAttr):
        return True
    if isinstance(attribute, DenseElementsAttr):
        return attribute.array
    if isinstance(attribute, ArrayAttr):
        return tuple(python_value(value) for value in attribute)
    if isinstance(attribute, DenseArrayAttr):
        return attribute.values
    if isinstance(attribute, DictionaryAttr):
        return {key: python_value(value) for key, value in attribute.entries}
    return attribute
