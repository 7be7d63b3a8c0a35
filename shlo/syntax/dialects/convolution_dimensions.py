"""The dimensions of a convolution, `[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]`, both directions.

Each list gives for every dimension of an array what it refers to: a letter, or the number of a spatial
dimension.
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import astuple

from shlo.dialects.struct_attributes import ConvDimensionNumbers
from shlo.ir.source import Span
from shlo.syntax.lexer.cursor import Cursor

Roles = tuple[int, int, tuple[int, ...]]
"""Where the two lettered dimensions are, and where each spatial one is."""


def parse_any_convolution_dimensions(cursor: Cursor) -> ConvDimensionNumbers:
    """Reads the three lists, or the fields one by one behind the word `raw`."""
    is_raw = cursor.accept("raw")
    return parse_raw_convolution_dimensions(cursor) if is_raw else parse_convolution_dimensions(cursor)


def parse_convolution_dimensions(cursor: Cursor) -> ConvDimensionNumbers:
    """Reads the three lists."""
    of_input = _roles(cursor, "b", "f")
    cursor.expect("x", "between the dimensions of input and kernel")
    of_kernel = _roles(cursor, "i", "o")
    cursor.expect("->", "before the dimensions of the output")
    return ConvDimensionNumbers(*of_input, *of_kernel, *_roles(cursor, "b", "f"))


def _roles(cursor: Cursor, first: str, second: str) -> Roles:
    start = cursor.skip()
    cursor.expect("[", "before the dimensions of an array")
    items = cursor.comma_list(lambda: _item(cursor, first, second), "]")
    span = Span(start, cursor.pos)
    places = {item: index for index, item in enumerate(items)}
    spatial = range(len(items) - 2)
    for role in (first, second, *spatial):
        if role not in places:
            cursor.fail(
                f"each of {first}, {second} and the numbers from 0 must occur once; {role} does not", span
            )
    return places[first], places[second], tuple(places[number] for number in spatial)


def _item(cursor: Cursor, first: str, second: str) -> str | int:
    for letter in (first, second):
        if cursor.accept(letter):
            return letter
    return cursor.expect_integer(f"{first}, {second} or a spatial dimension")


def parse_raw_convolution_dimensions(cursor: Cursor) -> ConvDimensionNumbers:
    """Reads `input_batch_dimension = 0, ...`, the fields one by one, behind the word `raw`."""
    start = cursor.skip()
    seen: dict[str, int | tuple[int, ...]] = {}
    names = ConvDimensionNumbers.__struct_fields__
    while not cursor.at(">"):
        name_start = cursor.skip()
        name = cursor.expect_identifier("the name of a dimension")
        if name not in names or name in seen:
            cursor.fail("expected another field of a convolution's dimensions", Span(name_start, cursor.pos))
        cursor.expect("=", f"after '{name}'")
        seen[name] = cursor.integer_list() if name.endswith("s") else cursor.expect_integer()
        if not cursor.accept(","):
            break
    values = {name: seen.get(name, () if name.endswith("s") else 0) for name in names}
    numbers = ConvDimensionNumbers(**values)  # type: ignore[arg-type]
    for first, second, spatial in _all_roles(numbers):
        if sorted((first, second, *spatial)) != list(range(len(spatial) + 2)):
            cursor.fail("every dimension of an array must have one role", Span(start, cursor.pos))
    return numbers


def _all_roles(numbers: ConvDimensionNumbers) -> list[Roles]:
    values: list[Any] = list(astuple(numbers))
    return [tuple(values[start : start + 3]) for start in (0, 3, 6)]


def convolution_dimensions_text(numbers: ConvDimensionNumbers) -> str:
    """Returns the three lists as MLIR prints them."""
    of_input, of_kernel, of_output = _all_roles(numbers)
    return f"{_list(of_input, 'bf')}x{_list(of_kernel, 'io')}->{_list(of_output, 'bf')}"


def _list(roles: Roles, letters: str) -> str:
    names = {roles[0]: letters[0], roles[1]: letters[1]}
    names |= {dimension: str(number) for number, dimension in enumerate(roles[2])}
    return f"[{', '.join(names[dimension] for dimension in sorted(names))}]"
