"""What is shown under the pointer."""

from __future__ import annotations

from pathlib import Path

import pytest

from shlo.language import Document
from shlo.language.hints import hints
from shlo.language.hover.hover import hover
from shlo.language.hover.python import python_text
from shlo.language.hover.types import element_text
from shlo.places.names import python_names
from shlo.runner.python_source import PythonSources
from shlo.syntax import parse_type
from shlo.verifier.op_cursor import ValueIndex
from tests.language.programs import BROKEN, PROGRAM, at


def shown(document: Document, text: str, shift: int = 0) -> str:
    found = hover(document, at(document, text, shift))
    assert found is not None, text
    return found.text


def test_the_python_of_a_value_is_its_line_and_name_and_how_many_others_have_that():
    root = Path(__file__).parents[2]
    document = Document((root / "examples/diverging.mlir").read_text(encoding="utf-8"))
    sources = PythonSources([str(root)])
    function = document.text.index("func.func private @closed_call(")

    def python(text: str) -> str:
        offset = document.text.index(text, function) + 1
        return python_text(
            document, offset, lambda part: python_names(part.module, sources.lines), sources.text_of
        )

    line = "```python\nweights = weights / weights.sum(axis=-1, keepdims=True)\n```"
    name = "`weights` at `lower_diverging.py:44 attention`; 3 other values of that name"
    assert python("%13 = ") == f"{line}\n\n{name}"
    assert python("stablehlo.exponential") == "```python\nweights = jnp.exp(scores)\n```"
    assert not python("tensor<")


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


def test_an_operation_does_not_walk_its_function(monkeypatch: pytest.MonkeyPatch):
    """A hover in a function of a hundred thousand operations looks at few of them."""
    walks: list[object] = []
    monkeypatch.setattr(ValueIndex, "_operations", lambda index: walks.append(index) or iter(()))
    assert "contracting" in shown(Document(MAPS), "stablehlo.dot_general", 12)
    sizes = """func.func @f(%x: tensor<6xf32>) -> tensor<?x?xf32> {
  %shape = stablehlo.constant dense<[2, 4]> : tensor<2xi32>
  %y = stablehlo.dynamic_reshape %x, %shape : (tensor<6xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}"""
    assert "✗" in shown(Document(sizes), "stablehlo.dynamic_reshape", 12)
    assert walks == []


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
    assert "MLIR does not check it" in shown(Document(MAPS), "stablehlo.reduce_window", 12)


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


WORDS = """\
module attributes {mhlo.num_partitions = 2 : i32} {
  sdy.mesh @mesh = <["x"=2, "y"=4]>
  func.func public @main(%arg0: tensor<2x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {?}]>, tf.aliasing_output = 0 : i32} loc("p['w']"),
      %arg1: tensor<3x2x!quant.uniform<i8:f32, 0.5:3>>) -> (tensor<3x2xf32> {jax.result_info = "out"}) {
    %0 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
    %1 = stablehlo.constant dense<"0x000000400000803F000000400000803F000000400000807F"> : tensor<6xf32>
    %2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %3 = stablehlo.dot_general %arg0, %0, contracting_dims = [1] x [0], precision = [HIGHEST, DEFAULT] : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
    %4 = stablehlo.custom_call @Sharding(%0) {mhlo.sharding = "{devices=[3,1]<=[3]}"} : (tensor<3x2xf32>) -> tensor<3x2xf32>
    %5 = stablehlo.custom_call @tpu_custom_call(%0) : (tensor<3x2xf32>) -> tensor<3x2xf32>
    %6 = stablehlo.reshape %0 : (tensor<3x2xf32>) -> tensor<3x1x2xf32>
    %7 = stablehlo.slice %0 [1:3, 0:2] : (tensor<3x2xf32>) -> tensor<2x2xf32>
    %8 = stablehlo.concatenate %0, %4, dim = 0 : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<6x2xf32>
    %9 = stablehlo.reduce(%0 init: %2) applies stablehlo.add across dimensions = [1] : (tensor<3x2xf32>, tensor<f32>) -> tensor<3xf32>
    %10 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<4xbf16>
    %11 = stablehlo.compare LT, %0, %4, FLOAT : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x2xi1>
    return %0 : tensor<3x2xf32>
  }
}
"""


@pytest.mark.parametrize(
    ("text", "shift", "expected"),
    [
        (
            "dims = [1, 0]",
            0,
            ["**dims** (`permutation`)", "dimension of the operand that", "✓ C", "array<i64: 1, 0>"],
        ),
        ("contracting_dims", 2, ["summed over", "dot_dimension_numbers"]),
        ("precision", 0, ["precision_config", "DEFAULT or HIGH or HIGHEST"]),
        ("HIGHEST", 2, ["most exact"]),
        ("LT,", 0, ["`LT` of ComparisonDirection: less"]),
        ("iota_dimension", 0, ["count up from 0", "iota_dimension = 0 : i64"]),
        ("mhlo.num_partitions", 4, ["partitions of a replica", "mhlo.num_partitions = 2 : i32"]),
        ("tf.aliasing_output", 4, ["reuses the argument's memory"]),
        ("jax.result_info", 4, ["What JAX calls the result"]),
        (
            "sdy.sharding = ",
            4,
            ["dimension 0: split into 2 parts over `x`", "dimension 1: whole, may be split"],
        ),
        ("#sdy.sharding<", 4, ["dimension 0: split into 2 parts over `x`"]),
        ("mhlo.sharding", 4, ["Split: dimension 0 in 3"]),
        ('"0x0000', 1, ["tensor<6xf32>", "[2, 1, 2, 1, 2, Inf]", "1 +Inf"]),
        ("0xFF800000", 2, ["`0xFF800000` is -Inf"]),
        ("@Sharding", 2, ["shlo runs it"]),
        ("@tpu_custom_call", 2, ["kernel of TPUs"]),
        ("4xbf16", 3, ["16 bits, 1 of the sign, 8 of the exponent, 7 of the fraction", "8 B"]),
        ("!quant", 1, ["Stored in `i8` from -128 to 127", "scale 0.5, zero point 3"]),
        ("%arg0, dims", 1, ["2 uses: `stablehlo.transpose`, `stablehlo.dot_general`", "p['w']"]),
        ("%10 =", 1, ["Not used."]),
        ("stablehlo.transpose", 12, ["operand [m=2, n=3] -> result [n=3, m=2]"]),
        ("stablehlo.reshape", 12, ["[3], [2] -> [1, 2]"]),
        ("stablehlo.slice", 12, ["dimension 0: 1 to 2 of 3 -> 2"]),
        ("stablehlo.concatenate", 12, ["dimension 0 of 6", "3 to 5: input 1"]),
        ("stablehlo.reduce", 12, ["input [m=3, reduced=2] -> result [m=3]"]),
        ("stablehlo.dot_general", 12, ["\nk: contracting (summed)"]),
        ("@main", 1, ["  %arg0: tensor<2x3xf32>,  // p['w']\n", ") -> tensor<3x2xf32>  // out"]),
    ],
)
def test_words_inside_of_operations_are_explained(text: str, shift: int, expected: list[str]):
    found = shown(Document(WORDS), text, shift)
    assert [part for part in expected if part not in found] == [], found
    assert not any(word in found for word in ("i64_array", "struct:", "enum:", "specification alone"))


@pytest.mark.parametrize(
    ("sharding", "said"),
    [
        ("{replicated}", "Every device holds the whole tensor."),
        ("{maximal device=3}", "Device 3 holds the whole tensor."),
        ("{manual}", "The program splits the tensor by hand."),
        ("{devices=[3,1,2]<=[6] last_tile_dim_replicate}", "Split: dimension 0 in 3"),
        ("{devices=[1,2,4]<=[8] last_tile_dims={manual, replicated}}", "Not split."),
    ],
)
def test_a_sharding_of_xla_is_told_in_words(sharding: str, said: str):
    text = WORDS.replace("{devices=[3,1]<=[3]}", sharding)
    assert said in shown(Document(text), "mhlo.sharding", 4)


def test_a_function_of_many_arguments_is_cut():
    arguments = ", ".join(f"%arg{n}: tensor<f32>" for n in range(100))
    found = shown(Document(f"func.func @big({arguments}) {{\n  return\n}}\n"), "@big", 1)
    assert "// and 84 more" in found


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("i0", "`i0`: 0 bits"),
        ("i8", "`i8`: 8 bits, from -128 to 127"),
        ("ui64", "`ui64`: 64 bits, from 0 to 18,446,744,073,709,551,615"),
        ("i16777215", "`i16777215`: 16,777,215 bits"),
    ],
)
def test_integers_of_any_width(name: str, expected: str):
    assert element_text(parse_type(name)) == expected


@pytest.mark.parametrize(
    ("element", "literal", "shown"),
    [
        ("i3", "[1, -2]", "[1, -2]"),
        ("i128", '"0x02000000000000000000000000000000FEFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF"', "[2, -2]"),
        ("ui7", '"0x0102"', "[1, 2]"),
        ("f80", "[1.5, 2.0]", "[1.500000e+00, 2.000000e+00]"),
        ("complex<i8>", "(1, 2)", "2 elements, all (1,2)"),
    ],
)
def test_constants_of_elements_that_are_no_numbers_of_numpy(element: str, literal: str, shown: str):
    document = Document(f"%0 = stablehlo.constant dense<{literal}> : tensor<2x{element}>\n")
    found = hover(document, at(document, "dense"))
    assert found is not None
    assert shown in found.text
    assert [hint.text for hint in hints(document)] == ([f" = {shown}"] if "0x" in literal else [])


USED = """func.func @main(%1: tensor<f32>, %p: tensor<i1>) -> tensor<f32> {
  %10 = stablehlo.add %1, %1 : tensor<f32>  // %1 twice, and %1
  %11 = "stablehlo.if"(%p) ({
    %12 = stablehlo.negate %10 : tensor<f32>
    stablehlo.return %12 : tensor<f32>
  }, {
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  // %12
  return %11 : tensor<f32>
}
func.func @other(%1: tensor<f32>) -> tensor<f32> {
  return %1 : tensor<f32>
}
"""


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("%1:", "3 uses: `stablehlo.add` × 2, `stablehlo.return`"),
        ("%10 =", "1 use: `stablehlo.negate`"),
        ("%12 =", "1 use: `stablehlo.return`"),
        ("%11 =", "1 use: `func.return`"),
        ("%p:", "1 use: `stablehlo.if`"),
    ],
)
def test_uses_are_those_of_the_value_not_of_its_name(name: str, said: str):
    assert shown(Document(USED), name, 1).endswith(said)


@pytest.mark.parametrize(
    ("bound", "said"),
    [
        ("MAX_NAMED", "2 uses at least: `stablehlo.add` × 2"),
        ("MAX_CHARACTERS", "Not used by the next 0 lines."),
    ],
)
def test_uses_are_counted_up_to_a_bound(bound: str, said: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(f"shlo.language.hover.hover.{bound}", 2)
    assert said in shown(Document(USED), "%1:", 1)
