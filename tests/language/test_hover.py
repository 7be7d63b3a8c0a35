"""What is shown under the pointer."""

from __future__ import annotations

import pytest

from shlo.language import Document
from shlo.language.hints import hints
from shlo.language.hover.hover import hover
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


def test_hints_are_for_types_that_no_text_says_near():
    document = Document(PROGRAM)
    found = [(document.text[: hint.offset].rsplit(maxsplit=1)[-1], hint.text) for hint in hints(document)]
    assert found == [("stablehlo.while(%i", ": tensor<i32>"), ("%x", ": tensor<2xf32>")]
    aliased = Document("!t = tensor<7xf32>\n%0 = stablehlo.constant dense<1.0> : !t\n")
    assert [hint.text for hint in hints(aliased)] == [": tensor<7xf32>"]


MAPS = """\
func.func @maps(%a: tensor<2x4x3xf32>, %b: tensor<2x3x6xf32>, %i: tensor<2x2x2xi64>, %o: tensor<3x4x2xf32>,
    %u: tensor<2x2x2x2xf32>, %z: tensor<f32>, %x: tensor<1x28x28x1xf32>, %k: tensor<3x3x1x32xf32>) {
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1]
    : (tensor<2x4x3xf32>, tensor<2x3x6xf32>) -> tensor<2x4x6xf32>
  %1 = "stablehlo.gather"(%o, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3],
    collapsed_slice_dims = [0], start_index_map = [1, 0], index_vector_dim = 2>,
    slice_sizes = array<i64: 1, 2, 2>}> : (tensor<3x4x2xf32>, tensor<2x2x2xi64>) -> tensor<2x2x2x2xf32>
  %2 = stablehlo.broadcast_in_dim %z, dims = [] : (tensor<f32>) -> tensor<5xf32>
  %3 = "stablehlo.reduce_window"(%a, %z) <{window_dimensions = array<i64: 1, 2, 1>,
    window_strides = array<i64: 1, 2, 1>, padding = dense<[[0,0],[1,1],[0,0]]> : tensor<3x2xi64>}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    stablehlo.return %p : tensor<f32>
  }) : (tensor<2x4x3xf32>, tensor<f32>) -> tensor<2x3x3xf32>
  %4 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
    window = {stride = [2, 1], pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
    : (tensor<1x28x28x1xf32>, tensor<3x3x1x32xf32>) -> tensor<1x14x28x32xf32>
  %5 = "stablehlo.scatter"(%o, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<
    update_window_dims = [2, 3], inserted_window_dims = [0], scatter_dims_to_operand_dims = [1, 0],
    index_vector_dim = 2>}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    stablehlo.return %p : tensor<f32>
  }) : (tensor<3x4x2xf32>, tensor<2x2x2xi64>, tensor<2x2x2x2xf32>) -> tensor<3x4x2xf32>
  return
}
"""


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("dot_general", ["lhs [b=2, m=4, k=3] x rhs [b=2, k=3, n=6] -> [b, m, n]"]),
        (
            "gather",
            [
                "operand [collapsed=3, o0=4, o1=2]",
                "start_indices [b0=2, b1=2, index=2]",
                "[b0=2, b1=2, o0=2, o1=2]",
            ],
        ),
        ("broadcast_in_dim", ["operand [] -> result [new=5]"]),
        ("reduce_window", ["dimension 1: 4 in windows of 2, stride 2, padding 1 and 1 -> 3"]),
        (
            "convolution",
            [
                "lhs [b=1, 0=28, 1=28, f=1] x rhs [0=3, 1=3, i=1, o=32] -> result [b=1, 0=14, 1=28, f=32]",
                "dimension 1: 28 in windows of 3, padding 1 and 1 -> 28",
            ],
        ),
        ("scatter", ["updates [b0=2, b1=2, w0=2, w1=2]", "inputs [inserted=3, w0=4, w1=2]"]),
    ],
)
def test_dimensions_map(name: str, expected: list[str]):
    found = shown(Document(MAPS), f"stablehlo.{name}", 12)
    assert [part for part in expected if part not in found] == [], found
    assert "✗" not in found


def test_constraints_have_ticks_crosses_and_question_marks():
    text = """\
func.func @f(%a: tensor<?xf32>, %b: tensor<3xf32>) {
  %0 = "stablehlo.add"(%a, %b) : (tensor<?xf32>, tensor<3xf32>) -> tensor<4xf32>
  %1 = stablehlo.broadcast_in_dim %a, dims = [0] : (tensor<?xf32>) -> tensor<4xf32>
  %2 = stablehlo.abs %b : tensor<3xf32>
  return
}
"""
    document = Document(text)
    added = shown(document, "stablehlo.add", 12)
    assert (
        "✗ C1 `shape(lhs) = shape(rhs) = shape(result)`: `shape(rhs) is [3], but shape(result) is [4]`"
        in added
    )
    assert "1 broken" in added
    assert "✗" not in shown(document, "stablehlo.abs", 12)
    assert "? C" in shown(document, "broadcast_in_dim", 3)
    assert "(the specification alone)" in shown(Document(MAPS), "stablehlo.reduce_window", 12)


def test_constraints_of_hostile_attributes_stay_code():
    text = (
        "func.func @f(%a: tensor<2xf32>) {\n"
        '  %0 = "stablehlo.compare"(%a, %a) <{comparison_direction = "`[x](command:rm) <b>"}>'
        " : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>\n  return\n}\n"
    )
    found = shown(Document(text), '"stablehlo.compare"', 5)
    line = next(line for line in found.splitlines() if "command:" in line)
    assert line.startswith("- ✗ I3: ``")
    assert line.endswith("``")
