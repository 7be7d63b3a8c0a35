"""Programs without their large constants."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from shlo.ir.attributes import Attribute
from shlo.ir.elision import without_large
from shlo.ir.operations import Module, Operation, Signature
from shlo.transforms.rewriting.rebuild import are_same, remade, with_operations


def elided(module: Module, limit: int, *, marked: bool = False) -> tuple[Module, int]:
    """Returns the program with `dense_resource<__elided__>` in the place of constants of more than `limit`
    bytes, and how many these are. It is for people: it cannot run. No constant is looked at, unless they are
    to be `marked`: different ones have different names then.
    """
    elision = _Elision(limit, marked)
    operation = elision.operation(module.operation)
    return replace(module, operation=operation), elision.count


class _Elision:
    """Elides one module; signatures and attributes that operations share stay shared."""

    def __init__(self, limit: int, marked: bool) -> None:
        self.count = 0
        self._limit, self._marked = limit, marked
        self._signatures: dict[Signature, Signature] = {}
        self._attributes: dict[int, Attribute] = {}

    def operation(self, operation: Operation) -> Operation:
        signature = self._signature(operation.signature)
        regions = tuple([with_operations(region, self.operation) for region in operation.regions])
        if signature is operation.signature and are_same(regions, operation.regions):
            return operation
        return remade(operation, signature, regions=regions)

    def _signature(self, signature: Signature) -> Signature:
        built = self._signatures.get(signature)
        if built is None:
            properties = self._all(signature.properties)
            attributes = self._all(signature.attributes)
            built = signature
            if properties is not signature.properties or attributes is not signature.attributes:
                types = signature.operand_types, signature.result_types
                built = Signature(signature.name, *types, properties, attributes)
            self._signatures[signature] = built
        return built

    def _all(self, attributes: Mapping[str, Attribute]) -> Mapping[str, Attribute]:
        built = {name: self._attribute(attribute) for name, attribute in attributes.items()}
        return attributes if are_same(built.values(), attributes.values()) else built

    def _attribute(self, attribute: Attribute) -> Attribute:
        """Returns what is in place of an attribute, which the module keeps alive: its identity is a key."""
        built = self._attributes.get(id(attribute))
        if built is None:
            built = without_large(attribute, self._limit, marked=self._marked)
            self._attributes[id(attribute)] = built
            self.count += built is not attribute
        return built
