"""What fits behind the start of an operation, by the grammar that reads it."""

from __future__ import annotations

import pytest

from shlo.syntax.lexer.context import AliasTable
from shlo.syntax.parser.expectations import MAX_TEXT, ExpectedItem, expectations


def shown(item: ExpectedItem) -> str:
    """Returns an expectation in short."""
    return item.text or getattr(item.of, "name", "") or item.kind


@pytest.mark.parametrize(
    ("text", "items", "attribute"),
    [
        ("%0 = stablehlo.compare ", ["comparison_direction", "ComparisonDirection"], "comparison_direction"),
        ("stablehlo.add %a", [",", "{", ":"], ""),
        ("stablehlo.add %a, ", ["value"], ""),
        ("stablehlo.add %a, %b : ", ["(", "type"], ""),
        ("stablehlo.reshape %a : ", ["function type", "("], ""),
        ("stablehlo.reshape %a : (tensor<", ["*", "?", "type"], ""),
        ("stablehlo.transpose %a, dims = ", ["permutation", "integers", "["], "permutation"),
        ("stablehlo.dot_general %a, %a, ", ["batching_dims", "contracting_dims"], "dot_dimension_numbers"),
        ('"stablehlo.compare"(%a, %a) <{compare_type = ', ["compare_type"], "compare_type"),
        (
            '"stablehlo.gather"(%a) <{dimension_numbers = #stablehlo.gather<',
            [">", "entry"],
            "dimension_numbers",
        ),
        ("stablehlo.reduce(%a init: %b) applies ", ["operation"], ""),
        ("stablehlo.while(%i = %a) : tensor<i32> ", [",", "attributes", "cond"], ""),
        ("func.func @f(%a: ", ["type"], ""),
        ("^bb0(%a: ", ["type"], ""),
        ("!t = ", ["type"], ""),
        ("cf.br ", ["^"], ""),
        ("stablehlo.bogus %a, ", [], ""),
    ],
)
def test_what_the_grammar_reads_next_is_expected(text: str, items: list[str], attribute: str):
    found = expectations(text, "func", AliasTable())
    assert [shown(item) for item in found.items] == items
    assert found.attribute == attribute


def test_aliases_of_the_program_are_known_and_stay_as_they_are():
    aliases = AliasTable()
    assert expectations("stablehlo.add %a, %b : !t", "func", aliases).items == ()
    expectations("!t = tensor<2xf32>", "builtin", aliases)
    assert aliases == AliasTable()


def test_long_texts_are_left_alone():
    assert expectations(f"stablehlo.add %a{' ' * MAX_TEXT}, ", "func", AliasTable()).items == ()
