"""Programs without their large constants, and such programs with them again."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec.structs import replace

from shlo.ir.attributes import Attribute, DenseResourceAttr
from shlo.ir.diagnostics import RequestError
from shlo.ir.elision import LargeAttr, checksum_name, with_leaves, without_large
from shlo.ir.operations import Module, Operation, Signature
from shlo.transforms.rewriting.rebuild import are_same, remade, with_operations

NUMBERED = "elided_"
"""What the names of constants start with that can be put back."""


def elided(module: Module, limit: int) -> Module:
    """Returns the program with resources in the place of constants of more than `limit` bytes; different
    constants have different names. It is for people: it cannot run.
    """
    return _with_attributes(module, lambda attribute: without_large(attribute, limit, checksum_name))


class LeftOut:
    """The large constants of one program, by the names of the resources in their places."""

    def __init__(self) -> None:
        self.constants: dict[str, LargeAttr] = {}

    def elided(self, module: Module, limit: int) -> Module:
        """Returns the program with numbered resources in the place of constants of more than `limit` bytes.
        No constant is looked at.
        """
        return _with_attributes(module, lambda attribute: without_large(attribute, limit, self._name))

    def _name(self, attribute: LargeAttr) -> str:
        name = f"{NUMBERED}{len(self.constants)}"
        self.constants[name] = attribute
        return name

    def restored(self, module: Module) -> Module:
        """Returns a program with the constants in the places of such resources.

        Raises RequestError for a resource of no constant, and for one of another type.
        """
        return _with_attributes(module, lambda attribute: with_leaves(attribute, self._constant))

    def _constant(self, attribute: Attribute) -> Attribute:
        if not isinstance(attribute, DenseResourceAttr) or not attribute.key.startswith(NUMBERED):
            return attribute
        constant = self.constants.get(attribute.key)
        if constant is None:
            raise RequestError(f"expected a constant that was left out, got {attribute.key}")
        if constant.type != attribute.type:
            raise RequestError(f"expected {attribute.key} of type {constant.type}, got {attribute.type}")
        return constant


def _with_attributes(module: Module, change: Callable[[Attribute], Attribute]) -> Module:
    changed = _ChangedAttributes(change)
    return replace(module, operation=changed.operation(module.operation))


class _ChangedAttributes:
    """Changes attributes of one module; signatures and attributes that operations share stay shared."""

    def __init__(self, change: Callable[[Attribute], Attribute]) -> None:
        self._change = change
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
            self._attributes[id(attribute)] = built = self._change(attribute)
        return built
