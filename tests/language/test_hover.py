"""What is shown under the pointer."""

from __future__ import annotations

import pytest

from shlo.language import Document
from shlo.language.hints import hints
from shlo.language.hover import bytes_text, hover
from tests.language.programs import BROKEN, PROGRAM, at


def shown(document: Document, text: str, shift: int = 0) -> str:
    found = hover(document, at(document, text, shift))
    assert found is not None, text
    return found.text


@pytest.mark.parametrize(
    ("text", "shift", "expected"),
    [
        ("%w#1", 1, ["%w#1: tensor<2xf32>", "2 elements, 8 B", "Result of `stablehlo.while`"]),
        ("LT, %i", 4, ["%i: tensor<i32>", "Argument of `stablehlo.while`"]),
        (
            "stablehlo.compare",
            3,
            ["`comparison_direction`: EQ or NE", "- → `result`: `tensor<i1>`", "spec#compare"],
        ),
        ("LT, %i", 0, ["ComparisonDirection"]),
        ("@jump(%w", 1, ["func @jump(tensor<2xf32>) -> tensor<2xf32>", "// Goes to its own end."]),
        ("^end(", 1, ["^end(%q: tensor<2xf32>):"]),
        ("tensor<i1>\n", 1, ["tensor<i1>", "1 element, 1 B"]),
    ],
)
def test_what_is_under_the_pointer(text: str, shift: int, expected: list[str]):
    found = shown(Document(PROGRAM), text, shift)
    assert [part for part in expected if part not in found] == []


def test_a_broken_text_keeps_its_hover():
    document = Document(BROKEN)
    assert "%0: tensor<2xf32>" in shown(document, "%0, %b")
    assert "%b: tensor<2xf32>" in shown(document, "%b: ")
    assert hover(document, at(document, "stablehlo.bogus")) is None


def test_a_generic_operation_and_its_attribute():
    text = '%0 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<4xf32>\n'
    document = Document(text)
    assert "stablehlo.iota" in shown(document, '"stablehlo.iota"', 3)
    assert "iota_dimension = 0 : i64" in shown(document, "iota_dimension")


def test_names_from_a_file_stay_code():
    text = 'func.func @"`[x](command:rm)` <b>"() {\n  return\n}\n'
    found = shown(Document(text), '@"', 1)
    opening = found.index("```mlir\n")
    assert opening < found.index("command:") < found.index("\n```", opening + 3)
    value = shown(Document(text.replace("`[x]", "``` [x]")), '@"', 1)
    assert value.startswith("````mlir\n")


def test_sizes_for_people():
    assert [bytes_text(size) for size in (512, 1536, 3 << 20)] == ["512 B", "1.5 KiB", "3 MiB"]


def test_hints_are_for_types_that_no_text_says_near():
    document = Document(PROGRAM)
    found = [(document.text[: hint.offset].rsplit(maxsplit=1)[-1], hint.text) for hint in hints(document)]
    assert found == [("stablehlo.while(%i", ": tensor<i32>"), ("%x", ": tensor<2xf32>")]
    aliased = Document("!t = tensor<7xf32>\n%0 = stablehlo.constant dense<1.0> : !t\n")
    assert [hint.text for hint in hints(aliased)] == [": tensor<7xf32>"]
