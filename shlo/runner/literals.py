"""Tensors that a user writes out: `dense<[1, 2]>`, `[1.5, 2.5]`, `3`, `true`, with or without `: type`."""

from __future__ import annotations

import math
import re

import numpy as np

from shlo.ir.attributes import Attribute
from shlo.ir.dense import DenseElementsAttr
from shlo.ir.diagnostics import ParseError
from shlo.ir.dtypes import Array, UnsupportedTypeError
from shlo.ir.types import (
    ComplexType,
    FloatType,
    IndexType,
    IntegerType,
    RankedTensorType,
    Type,
    stored_type,
)
from shlo.runner.errors import RequestError, quoted
from shlo.runner.layout import layout_of

_PLAIN_NUMBER = re.compile(r"(?<![\w.])(\d+)(\.\d*)?([eE][-+]?\d+)?(?![\w.])")
_NEEDS_TYPE = "write it with its type: dense<[1, 2]> : tensor<2xi32>"


def read_literal(text: str, type_: RankedTensorType, label: str) -> Array:
    """The tensor that a text stands for, of a given type; raises RequestError.

    A number alone fills the whole tensor. An unknown size of the type is taken from the literal's own type. A
    quantized tensor is written as what it stores.
    """
    type_ = stored_type(type_)
    try:
        number = _number(text.strip(), type_.element_type)
        if number is not None:
            return _filled(number, type_, text, label)
        attribute = _parse(text.strip(), type_, label)
        if not isinstance(attribute, DenseElementsAttr):
            raise RequestError(f"{label}: {quoted(text)} is no tensor", "write a tensor as dense<[1, 2]>")
        _check_type(attribute.type, type_, text, label)
        return attribute.array
    except UnsupportedTypeError as error:
        raise RequestError(f"{label}: {error}") from None
    except ValueError as error:
        raise RequestError(f"{label}: {quoted(text)} does not fit {type_}: {error}") from None


def _parse(text: str, type_: RankedTensorType, label: str) -> Attribute:
    from shlo.syntax import parse_attribute

    body = f"dense<{_elements(text, type_.element_type)}>" if text.startswith(("[", "(")) else text
    try:
        return parse_attribute(f"{body} : {type_}")
    except ParseError as without_type:
        try:
            return parse_attribute(body)
        except ParseError:
            message = without_type.diagnostics[0].message
            raise RequestError(
                f"{label}: {quoted(text)} is no value of type {type_}: {message}",
                None if type_.is_static else _NEEDS_TYPE,
            ) from None


def _elements(text: str, element: Type) -> str:
    """Elements as MLIR writes them: a float has a decimal point, which users may leave out."""
    if not isinstance(element, (FloatType, ComplexType)):
        return text
    return _PLAIN_NUMBER.sub(lambda number: f"{number[1]}{number[2] or '.0'}{number[3] or ''}", text)


def _check_type(found: Type, wanted: RankedTensorType, text: str, label: str) -> None:
    fits = (
        isinstance(found, RankedTensorType)
        and found.element_type == wanted.element_type
        and found.rank == wanted.rank
        and all(size in (None, there) for size, there in zip(wanted.shape, found.shape))
    )
    if not fits:
        raise RequestError(f"{label} is a {wanted}, but {quoted(text)} is a {found}")


def _number(text: str, element: Type) -> float | int | None:
    """A number or truth value written alone."""
    if text in ("true", "false"):
        return int(text == "true")
    for read in (float,) if isinstance(element, (FloatType, ComplexType)) else (int, float):
        try:
            return read(text)
        except ValueError:
            continue
    return None


def _filled(number: float | int, type_: RankedTensorType, text: str, label: str) -> Array:
    element = type_.element_type
    if isinstance(element, (IntegerType, IndexType)) and not _holds(element, number):
        raise RequestError(f"{label}: {quoted(text)} is no value of type {element}")
    if not isinstance(element, (IntegerType, IndexType, FloatType, ComplexType)):
        raise RequestError(f"{label}: a number alone is no value of type {type_}")
    shape, dtype = layout_of(type_, label, _NEEDS_TYPE)
    with np.errstate(all="ignore"):
        return np.full(shape, np.array(number).astype(dtype))


def _holds(element: IntegerType | IndexType, number: float | int) -> bool:
    if isinstance(number, float):
        return False
    width = element.width if isinstance(element, IntegerType) else 64
    if isinstance(element, IntegerType) and (element.is_unsigned or element.is_boolean):
        return 0 <= number <= math.ldexp(1, width) - 1
    return -(1 << (width - 1)) <= number < 1 << (width - 1)
