"""Programs whose integers have no signs in their types, as dialects of MLIR below StableHLO want them."""

from __future__ import annotations

from typing import Any, cast

from msgspec.structs import replace

from shlo.ir.attributes import Attribute, TypeAttr
from shlo.ir.dense import DenseElementsAttr
from shlo.ir.dtypes import dtype_of
from shlo.ir.operations import Module, Signature
from shlo.ir.types import IntegerType, RankedTensorType, Type
from shlo.transforms.rewriting.retyping import Retyping


def convert_to_signless(module: Module) -> Module:
    """Returns the module with `i8` in place of `ui8`, and so on, in all types and constants.

    What operations do to unsigned numbers is lost: it is for dialects whose operations say it themselves.
    """
    return _Signless().module(module)


class _Signless(Retyping):
    def __init__(self) -> None:
        super().__init__(_signless, self._signed_nowhere)

    def _signed_nowhere(
        self, signature: Signature, operands: tuple[Type, ...], results: tuple[Type, ...]
    ) -> Signature:
        properties = {name: self._attribute(value) for name, value in signature.properties.items()}
        return Signature(signature.name, operands, results, properties, signature.attributes)

    def _attribute(self, attribute: Attribute) -> Attribute:
        if isinstance(attribute, TypeAttr):
            return TypeAttr(self.type(attribute.value))
        if isinstance(attribute, DenseElementsAttr) and self.type(attribute.type) != attribute.type:
            type_ = cast("RankedTensorType", self.type(attribute.type))
            return DenseElementsAttr(type_, attribute.array.view(dtype_of(type_.element_type)))
        return attribute


def _signless(type_: Type) -> Type:
    if isinstance(type_, IntegerType):
        return IntegerType(type_.width)
    element = getattr(type_, "element_type", None)
    if isinstance(element, IntegerType):
        return replace(cast("Any", type_), element_type=_signless(element))
    return type_
