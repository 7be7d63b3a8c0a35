"""Matching of values and replacement of operations in simplification rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from shlo.dialects.constants import constant_elements
from shlo.ir.attributes import Attribute, DenseArrayAttr, DictionaryAttr, IntegerAttr
from shlo.ir.dense import DenseElementsAttr
from shlo.ir.operations import NO_ATTRIBUTES, Operation, Region, Signature
from shlo.ir.types import RankedTensorType, Type
from shlo.transforms.rewriting.builder import ValueRef
from shlo.transforms.rewriting.driver import Rewriter, Rule
from shlo.transforms.rewriting.rebuild import remade

FRONTEND: Final = "mhlo.frontend_attributes"
PAYLOAD: Final = "xla_metadata_payload"
"""An entry of the frontend attributes that distinguishes operations, and so is never copied to another."""


def first_of(*rules: Rule) -> Rule:
    """Returns the rule that applies the first of several that does."""

    def rule(rewriter: Rewriter, operation: Operation) -> Sequence[ValueRef] | None:
        for candidate in rules:
            built = candidate(rewriter, operation)
            if built is not None:
                return built
        return None

    return rule


def constant(rewriter: Rewriter, value: ValueRef) -> DenseElementsAttr | None:
    """Returns the elements of a value that a constant defines."""
    source = rewriter.defining(value)
    return None if source is None else constant_elements(source)


def splat_number(rewriter: Rewriter, value: ValueRef) -> Any:
    """Returns the number that all elements of a constant are, as a NumPy scalar; None for another value."""
    elements = constant(rewriter, value)
    return elements.array[(0,) * elements.array.ndim] if elements is not None and elements.is_splat else None


def is_number(rewriter: Rewriter, value: ValueRef, test: Callable[[Any], bool]) -> bool:
    """Returns whether all elements of a constant are one number that passes a test."""
    number = splat_number(rewriter, value)
    return number is not None and bool(test(number))


def is_integer(value: ValueRef) -> bool:
    """Returns whether a value is a tensor of integers or truths."""
    from shlo.ir.types import IntegerType

    return isinstance(value.element_type, IntegerType)


def all_ones(number: Any) -> bool:
    """Returns whether an integer has all bits set."""
    return bool(number) if number.dtype == np.bool_ else bool(np.invert(number) == 0)


def integers(operation: Operation, name: str) -> tuple[int, ...]:
    """Returns a list of integers that is an attribute; empty where it is absent."""
    attribute = operation.attribute(name)
    return attribute.values if isinstance(attribute, DenseArrayAttr) else ()


def integer(operation: Operation, name: str) -> int | None:
    """Returns an integer that is an attribute."""
    attribute = operation.attribute(name)
    return attribute.value if isinstance(attribute, IntegerAttr) else None


def constant_integers(rewriter: Rewriter, value: ValueRef) -> list[int] | None:
    """Returns the elements of a constant of integers."""
    elements = constant(rewriter, value) or _constant_shape(rewriter, value)
    return (
        None if elements is None or elements.array.dtype.kind not in "iu" else elements.array.ravel().tolist()
    )


def _constant_shape(rewriter: Rewriter, value: ValueRef) -> DenseElementsAttr | None:
    source = rewriter.defining(value)
    shape = source.attribute("shape") if source is not None and source.name == "shape.const_shape" else None
    return shape if isinstance(shape, DenseElementsAttr) else None


def is_static(type_: Type) -> bool:
    """Returns whether a type is a ranked tensor's of known sizes."""
    return isinstance(type_, RankedTensorType) and type_.is_static


def source_of(rewriter: Rewriter, value: ValueRef, name: str) -> Operation | None:
    """Returns the operation that defines a value, if it has a name."""
    source = rewriter.defining(value)
    return source if source is not None and source.name == f"stablehlo.{name}" else None


# --- replacing ----------------------------------------------------------------------------------------------


def created(
    rewriter: Rewriter,
    operation: Operation,
    name: str,
    operands: Sequence[ValueRef],
    properties: Mapping[str, Attribute] = NO_ATTRIBUTES,
    regions: tuple[Region, ...] = (),
) -> tuple[ValueRef, ...]:
    """Returns an operation with the result types and the discardable attributes of the one that it
    replaces."""
    return rewriter.create(
        f"stablehlo.{name}",
        operands,
        operation.result_types,
        properties,
        regions,
        operation.signature.attributes,
    )


def value_instead(rewriter: Rewriter, operation: Operation, value: ValueRef) -> Sequence[ValueRef] | None:
    """Returns a value in place of an operation's result, whose definition gets the discardable attributes;
    None where the types differ.
    """
    if value.type != operation.result_types[0]:
        return None
    attributes = operation.signature.attributes
    if attributes:
        rewriter.amend(value, lambda target: _with_attributes(target, attributes))
    return [value]


def _with_attributes(operation: Operation, attributes: Mapping[str, Attribute]) -> Operation:
    old = operation.signature
    merged = {**old.attributes, **attributes}
    ours, others = old.attributes.get(FRONTEND), attributes.get(FRONTEND)
    if isinstance(ours, DictionaryAttr) and isinstance(others, DictionaryAttr):
        entries = {**ours.as_dict(), **others.as_dict()}
        if PAYLOAD in ours.as_dict():
            entries[PAYLOAD] = ours.as_dict()[PAYLOAD]
        merged[FRONTEND] = DictionaryAttr.of(entries)
    signature = Signature(old.name, old.operand_types, old.result_types, old.properties, merged)
    return remade(operation, signature)
