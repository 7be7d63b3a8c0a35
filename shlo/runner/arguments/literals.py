"""Tensors that a user writes out: `dense<[1, 2]>`, `[1.5, 2.5]`, `3`, `true`, with or without `: type`."""

from __future__ import annotations

import math
import re
import sys
from typing import Any

import numpy as np

from shlo.ir.attributes import Attribute
from shlo.ir.dense import DenseElementsAttr
from shlo.ir.diagnostics import ParseError
from shlo.ir.dtypes import Array, UnsupportedTypeError, bit_width, dtype_of
from shlo.ir.types import (
    I1,
    ComplexType,
    FloatType,
    IndexType,
    IntegerType,
    RankedTensorType,
    Type,
    stored_type,
)
from shlo.runner.errors import RequestError, quoted

_HINT = "give it as an array"


def zero_tensor(type_: RankedTensorType, label: str) -> Array:
    """Returns a tensor of zeros; raises RequestError where the type has no fixed shape."""
    shape, dtype = layout_of(type_, label, _HINT)
    return np.zeros(shape, dtype)


def random_tensor(type_: RankedTensorType, label: str, generator: np.random.Generator) -> Array:
    """Returns a random tensor: normally distributed numbers, integers from 0 to 9, any quantized values."""
    from shlo.interpreter.custom_calls.random_values import random_values

    shape, _ = layout_of(type_, label, _HINT)
    return random_values(type_.element_type, shape, generator)


def layout_of(type_: RankedTensorType, label: str, hint: str) -> tuple[tuple[int, ...], np.dtype[Any]]:
    """Returns the shape and dtype of an array of that type.

    Raises RequestError where a size is unknown (with the `hint`), where no array can hold such elements, and
    where the machine has not the memory.
    """
    from shlo.interpreter.runtime.limits import memory_limit

    if not type_.is_static:
        raise RequestError(f"{label} has type {type_}, of which no value can be made up", hint)
    try:
        dtype = dtype_of(type_.element_type)
    except UnsupportedTypeError as error:
        raise RequestError(f"{label}: {error}") from None
    if type_.element_count * dtype.itemsize > memory_limit():
        raise RequestError(f"{label} has type {type_}, which is more than this machine's memory")
    return type_.static_shape, dtype


_PLAIN_NUMBER = re.compile(r"(?<![\w.])(\d+)(\.\d*)?([eE][-+]?\d+)?(?![\w.])")
_WORD = re.compile(r"(?<![\w.])[-+]?(?:nan|inf)(?![\w.])")
"""A number of a float type that is no plain number."""

_NEEDS_TYPE = "write it with its type: dense<[1, 2]> : tensor<2xi32>"
_FORMS = "give a literal, such as 1.5, [1.5, 2.5] or dense<[1, 2]>, or the name of a .npy or .npz file"


def read_literal(text: str, type_: RankedTensorType, label: str) -> Array:
    """Returns the tensor that a text represents, of a given type; raises RequestError.

    A number alone fills the whole tensor. An unknown size of the type is taken from the literal. A quantized
    tensor is written as what it stores.
    """
    type_ = stored_type(type_)
    try:
        number = _number(text.strip(), type_.element_type)
        if number is not None:
            return _filled(number, type_, text, label)
        attribute = _parse(text.strip(), type_, label)
        if not isinstance(attribute, DenseElementsAttr):
            raise RequestError(f"{label}: {quoted(text)} is no tensor", _FORMS)
        _check_type(attribute.type, type_, text, label)
        return attribute.array
    except UnsupportedTypeError as error:
        raise RequestError(f"{label}: {error}") from None
    except ValueError as error:
        raise RequestError(f"{label}: {quoted(text)} does not fit {type_}: {error}") from None


def _parse(text: str, type_: RankedTensorType, label: str) -> Attribute:
    from shlo.syntax import parse_attribute

    sized = type_ if type_.is_static else _with_sizes(type_, text, label)
    lacks_dense = text.startswith(("[", "("))
    written = f"dense<{_elements(text, type_.element_type)}" if lacks_dense else text
    body = f"{written}>" if lacks_dense else text
    try:
        return parse_attribute(f"{body} : {sized}")
    except ParseError as without_type:
        try:
            return parse_attribute(body)
        except ParseError as alone:
            problem = f"{label}: {quoted(text) or 'an empty text'} is no value of type {type_}"
            is_word = alone.diagnostics[0].span.start == 0  # it may be meant as a file or a name
            if is_word or (text.startswith("(") and not isinstance(type_.element_type, ComplexType)):
                raise RequestError(problem, _FORMS) from None
            message = _message(written, len(f"{body} : "), without_type)
            raise RequestError(f"{problem}: {message}", None if type_.is_static else _NEEDS_TYPE) from None


def _message(written: str, type_start: int, error: ParseError) -> str:
    """Returns what is wrong with a text that was parsed with more behind it, which is not the user's, and its
    type behind that.
    """
    if len(written) <= error.diagnostics[0].span.start < type_start:
        from shlo.syntax import parse_attribute

        try:
            parse_attribute(written)
        except ParseError as alone:
            error = alone
    return error.diagnostics[0].message


def _sizes(text: str, most: int) -> list[int]:
    """Returns how many items the first list of each depth has, in nested lists, down to a depth."""
    sizes: list[int] = []
    inner = re.sub(r"\([^()]*\)", "0", text).removeprefix("dense<")  # a complex number is one item
    while inner.startswith("[") and len(sizes) < most:
        inner = inner[1:].lstrip()
        sizes.append(_count_items(inner))
    return sizes


def _count_items(text: str) -> int:
    """Returns how many items a list has that began before a text."""
    depth, count = 0, 0
    for token in re.findall(r"[\[\],]|[^\[\],\s]+", text):
        if token == "]" and depth == 0:
            break
        count += depth == 0 and token != ","
        depth += (token == "[") - (token == "]")
    return count


def _with_sizes(type_: RankedTensorType, text: str, label: str) -> RankedTensorType:
    """Returns a type whose unknown sizes are those of a literal's lists, if there are any."""
    sizes = _sizes(text, type_.rank + 1)
    if not sizes:
        return type_
    if len(sizes) != type_.rank:
        raise RequestError(f"{label} is a {type_}, but {quoted(text)} is of another rank")
    shape = tuple(there if size is None else size for size, there in zip(type_.shape, sizes))
    return RankedTensorType(shape, type_.element_type, type_.encoding)


def _elements(text: str, element: Type) -> str:
    """Returns elements as MLIR writes them: floats with a decimal point, nan and inf as bits."""
    if not isinstance(element, (FloatType, ComplexType)):
        return text
    part = element.element_type if isinstance(element, ComplexType) else element
    numbers = _PLAIN_NUMBER.sub(lambda number: f"{number[1]}{number[2] or '.0'}{number[3] or ''}", text)
    return _WORD.sub(lambda word: _bits(word[0], part), numbers)


def _bits(word: str, element: Type) -> str:
    """Returns nan or inf as MLIR writes it; the word itself where the type does not have it."""
    number = np.array(float(word), np.float64)
    with np.errstate(all="ignore"):
        rounded = number.astype(dtype_of(element))
        same = np.array_equal(rounded.astype(np.float64), number, equal_nan=True)
    if not same:
        return word
    return "0x" + rounded.tobytes()[:: -1 if sys.byteorder == "little" else 1].hex().upper()


def _check_type(actual: Type, wanted: RankedTensorType, text: str, label: str) -> None:
    fits = (
        isinstance(actual, RankedTensorType)
        and actual.element_type == wanted.element_type
        and actual.rank == wanted.rank
        and all(size in (None, there) for size, there in zip(wanted.shape, actual.shape))
    )
    if not fits:
        raise RequestError(f"{label} is a {wanted}, but {quoted(text)} is a {actual}")


def _number(text: str, element: Type) -> float | int | None:
    """Returns a number or truth value written alone."""
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
    width = bit_width(element)
    if isinstance(element, IntegerType) and (element.is_unsigned or element == I1):
        return 0 <= number <= math.ldexp(1, width) - 1
    return -(1 << (width - 1)) <= number < 1 << (width - 1)
