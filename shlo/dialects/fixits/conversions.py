"""Operations that make a value of one type from a value of another: they are before one that wants it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from shlo.ir.suggestions import ConversionStep
from shlo.ir.types import ComplexType, FloatType, IntegerType, RankedTensorType, Type

CONVERTIBLE: Final = (IntegerType, FloatType, ComplexType)
"""The elements that `stablehlo.convert` takes."""


class Conversion(Struct, frozen=True):
    """An operand by its number, and the steps that make it a value of another type."""

    operand: int
    steps: tuple[ConversionStep, ...]

    @property
    def wanted(self) -> Type:
        """The type after the last step."""
        return self.steps[-1].after


def conversions(operands: Sequence[Type], wanted: Sequence[Type]) -> Iterator[Conversion]:
    """Yields the ways to make an operand a value of one of the wanted types, those of the last operand
    first."""
    for number in reversed(range(len(operands))):
        for type_ in dict.fromkeys(wanted):
            found = tuple(steps(operands[number], type_))
            if found:
                yield Conversion(number, found)


def steps(own: Type, wanted: Type) -> Iterator[ConversionStep]:
    """Yields the operations that make one type of another, none where there is no way."""
    if not isinstance(own, RankedTensorType) or not isinstance(wanted, RankedTensorType):
        return
    converted = replace(own, element_type=wanted.element_type)
    dimensions = _dimensions(own.shape, wanted.shape)
    elements = (own.element_type, wanted.element_type)
    if dimensions is None or own.encoding != wanted.encoding:
        return
    if own.element_type != wanted.element_type:
        if not all(isinstance(each, CONVERTIBLE) for each in elements):
            return
        yield ConversionStep("convert", "", own, converted)
    if own.shape != wanted.shape:
        yield ConversionStep("broadcast_in_dim", f", dims = {dimensions}", converted, wanted)


def _dimensions(own: tuple[int | None, ...], wanted: tuple[int | None, ...]) -> list[int] | None:
    """Returns where the dimensions of a tensor go that is repeated to a wanted shape, the last ones to the
    last ones; None where they do not fit."""
    if own == wanted:
        return [*range(len(own))]
    first = len(wanted) - len(own)
    if first < 0 or None in own or None in wanted:
        return None
    fit = all(size in (1, target) for size, target in zip(own, wanted[first:]))
    return [*range(first, len(wanted))] if fit else None
