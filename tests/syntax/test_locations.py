"""Locations, alone and behind something else."""

from __future__ import annotations

import pytest

from shlo.ir.locations import FileLocation, LocationAlias, NameLocation
from shlo.syntax import parse, parse_attribute
from shlo.syntax.attributes.parse_locations import parse_location, parse_trailing_location
from shlo.syntax.lexer.cursor import Cursor, SyntaxFault
from tests.oracle import Oracle
from tests.syntax.texts import ours, theirs

RIGHT = [
    "loc(unknown)",
    'loc("a":1:2)',
    'loc("a":1)',
    'loc("a":0:0)',
    'loc("":1:2)',
    'loc("a":1:2 to 3:4)',
    'loc("a":1:2 to :4)',
    'loc("a":1:2 to 1:5)',
    'loc("a":1:2 to 1:2)',
    'loc("a\\22\\0A")',
    'loc("a"("b":1:2))',
    'loc("a"(unknown))',
    'loc(callsite("a":1:2 at callsite("b" at unknown)))',
    'loc(fused["a", "b"])',
    'loc(fused["a", unknown, "a"])',
    "loc(fused[])",
    'loc(fused[fused["a", "b"], "c"])',
    'loc(fused<"meta">["a", "b"])',
    "loc(fused<{a = 1}>[])",
]

WRONG = [
    "loc()",
    "loc(a)",
    "loc(0)",
    'loc("a"',
    'loc("a":1:99999999999)',
    'loc("a":-1:2)',
    'loc("a":1:2 to 3)',
    'loc("a" to "b")',
    'loc("a"(loc("b")))',
    'loc(callsite("a"))',
    "loc(#foo.bar)",
    'loc(fused<>["a"])',
]


@pytest.mark.parametrize("text", RIGHT)
def test_locations_print_as_the_oracle_prints_them(oracle: Oracle, text: str) -> None:
    expected = theirs(oracle, text)
    assert expected is not None
    assert ours(text) == expected


@pytest.mark.parametrize("text", WRONG)
def test_what_the_oracle_refuses_is_no_location(oracle: Oracle, text: str) -> None:
    assert (ours(text), theirs(oracle, text)) == (None, None)


def test_a_range_on_one_line_keeps_the_line() -> None:
    assert parse_attribute('loc("f":3:1 to :9)') == FileLocation("f", 3, 1, 3, 9)


def test_an_alias_may_be_defined_after_its_use_but_not_inside_of_another_location() -> None:
    alias = parse_trailing_location(Cursor("loc(#loc1)"))
    assert isinstance(alias, LocationAlias)
    assert alias.target is None
    with pytest.raises(SyntaxFault, match="'#loc1' is not defined above"):
        parse_location(Cursor('fused["a", #loc1]'))


def test_a_location_behind_something_is_optional() -> None:
    assert parse_trailing_location(Cursor(": i32")) is None
    assert parse_trailing_location(Cursor('loc("x")')) == NameLocation("x")
    with pytest.raises(SyntaxFault, match="expected '\\(' after 'loc'"):
        parse_trailing_location(Cursor("loc x"))


def test_a_name_in_a_comment_or_string_is_no_parameter(oracle: Oracle) -> None:
    text = """func.func @f(
  // %x: tensor<i32>
  %y: tensor<i32> {a.b = "%x: i32"}, %x: tensor<8xf32>) {
  return
}
"""
    module, _ = parse(text, "-")
    assert module.to_text(locations=True) == oracle.pretty(text, locations=True)


def test_aliases_of_attributes_come_between_locations_that_hold_none_and_those_that_do(
    oracle: Oracle,
) -> None:
    text = """#map = affine_map<(d0) -> (d0 + 1)>
#leaf = loc("a.py":1:2)
#named = loc("n"(#leaf))
func.func @f(%x: memref<4xf32, #map> loc(#leaf), %y: tensor<4xf32> loc(fused[#named, #leaf])) {
  return loc(#named)
}
"""
    module, _ = parse(text, "-")
    assert module.to_text(locations=True) == oracle.pretty(text, locations=True)
