"""Small programs, for each finding one that makes it and one that nearly does."""

from __future__ import annotations

from typing import NamedTuple


class Case(NamedTuple):
    """A program that makes a finding, and one that does not.

    Args:
        id: what the test is called.
        name: the finding.
        makes: operations of a function without results.
        spares: the same, of a function that nearly makes it.
        element: how the worst element of the finding is told.
    """

    id: str
    name: str
    makes: str
    spares: str
    element: str


def module(body: str) -> str:
    """Returns a program whose main function consists of these operations."""
    return f"func.func @main() {{\n{body}\n  return\n}}\n"


def constants(**values: str) -> str:
    """Returns constants, each `dense<...> : type`."""
    return "\n".join(f"  %{name} = stablehlo.constant {value}" for name, value in values.items())


def binary(name: str, lhs: str, rhs: str, type_: str) -> str:
    """Returns an operation on two constants."""
    operands = constants(a=f"dense<{lhs}> : {type_}", b=f"dense<{rhs}> : {type_}")
    return f"{operands}\n  %r = stablehlo.{name} %a, %b : {type_}"


def unary(name: str, operand: str, type_: str) -> str:
    """Returns an operation on a constant."""
    return f"{constants(a=f'dense<{operand}> : {type_}')}\n  %r = stablehlo.{name} %a : {type_}"


def convert(operand: str, source: str, target: str) -> str:
    """Returns a conversion of a constant."""
    operands = constants(a=f"dense<{operand}> : tensor<2x{source}>")
    return f"{operands}\n  %r = stablehlo.convert %a : (tensor<2x{source}>) -> tensor<2x{target}>"


def reduce(name: str, operand: str, initial: str, element: str = "i8") -> str:
    """Returns a reduction of three numbers."""
    operands = constants(
        a=f"dense<{operand}> : tensor<3x{element}>", i=f"dense<{initial}> : tensor<{element}>"
    )
    types = f"(tensor<3x{element}>, tensor<{element}>) -> tensor<{element}>"
    return f"{operands}\n  %r = stablehlo.reduce(%a init: %i) applies stablehlo.{name} across dimensions = [0] : {types}"


def window(operand: str, initial: str) -> str:
    """Returns sums of two neighbours each of three numbers."""
    operands = constants(a=f"dense<{operand}> : tensor<3xi8>", i=f"dense<{initial}> : tensor<i8>")
    return f"""{operands}
  %r = "stablehlo.reduce_window"(%a, %i) ({{
  ^bb0(%x: tensor<i8>, %y: tensor<i8>):
    %s = stablehlo.add %x, %y : tensor<i8>
    stablehlo.return %s : tensor<i8>
  }}) {{window_dimensions = array<i64: 2>}} : (tensor<3xi8>, tensor<i8>) -> tensor<2xi8>"""


def pick(initial: str) -> str:
    """Returns the greatest of three numbers with its place."""
    operands = constants(
        a="dense<[1.0, 4.0, 2.0]> : tensor<3xf32>",
        n="dense<[0, 1, 2]> : tensor<3xi32>",
        i=f"dense<{initial}> : tensor<f32>",
        z="dense<0> : tensor<i32>",
    )
    return f"""{operands}
  %r:2 = stablehlo.reduce(%a init: %i), (%n init: %z) across dimensions = [0] : (tensor<3xf32>, tensor<3xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
   reducer(%x: tensor<f32>, %y: tensor<f32>) (%p: tensor<i32>, %q: tensor<i32>) {{
    %g = stablehlo.compare GE, %x, %y, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %v = stablehlo.select %g, %x, %y : tensor<i1>, tensor<f32>
    %w = stablehlo.select %g, %p, %q : tensor<i1>, tensor<i32>
    stablehlo.return %v, %w : tensor<f32>, tensor<i32>
  }}"""


def dot(lhs: str, rhs: str = "[65536, 1]", element: str = "i32") -> str:
    """Returns a product of two vectors."""
    type_ = f"tensor<2x{element}>"
    operands = constants(a=f"dense<{lhs}> : {type_}", b=f"dense<{rhs}> : {type_}")
    return f"{operands}\n  %r = stablehlo.dot_general %a, %b, contracting_dims = [0] x [0] : ({type_}, {type_}) -> tensor<{element}>"


def convolution(lhs: str) -> str:
    """Returns sums of two neighbours each of three numbers, times numbers."""
    operands = constants(a=f"dense<{lhs}> : tensor<1x1x3xi8>", b="dense<2> : tensor<1x1x2xi8>")
    return f"""{operands}
  %r = stablehlo.convolution(%a, %b) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {{}}
    {{batch_group_count = 1 : i64, feature_group_count = 1 : i64}}
    : (tensor<1x1x3xi8>, tensor<1x1x2xi8>) -> tensor<1x1x2xi8>"""


def select_and_scatter(initial: str) -> str:
    """Returns three numbers, two of which are added to where the greater of two neighbours was."""
    operands = constants(
        a="dense<[1.0, 3.0, 2.0]> : tensor<3xf32>",
        u="dense<[5.0, 6.0]> : tensor<2xf32>",
        i=f"dense<{initial}> : tensor<f32>",
    )
    return f"""{operands}
  %r = "stablehlo.select_and_scatter"(%a, %u, %i) ({{
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %c = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }}, {{
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }}) {{window_dimensions = array<i64: 2>}} : (tensor<3xf32>, tensor<2xf32>, tensor<f32>) -> tensor<3xf32>"""


def torch_index_select(index: int) -> str:
    """Returns one of three numbers."""
    operands = constants(a="dense<1.0> : tensor<3xf32>", i=f"dense<{index}> : tensor<1xi32>")
    return f"""{operands}
  %r = "stablehlo.torch_index_select"(%a, %i) {{dim = 0 : i64, batch_dims = 0 : i64}}
    : (tensor<3xf32>, tensor<1xi32>) -> tensor<1xf32>"""


def dynamic_slice(start: int) -> str:
    """Returns two of five numbers."""
    operands = constants(a="dense<1> : tensor<5xi32>", s=f"dense<{start}> : tensor<i32>")
    return f"{operands}\n  %r = stablehlo.dynamic_slice %a, %s, sizes = [2] : (tensor<5xi32>, tensor<i32>) -> tensor<2xi32>"


def dynamic_slice_of_matrix(row: int, column: int) -> str:
    """Returns two numbers of each of two rows, from starts of the widest unsigned type."""
    operands = constants(
        a="dense<1> : tensor<5x5xi32>", r=f"dense<{row}> : tensor<ui64>", c=f"dense<{column}> : tensor<ui64>"
    )
    return f"{operands}\n  %s = stablehlo.dynamic_slice %a, %r, %c, sizes = [2, 2] : (tensor<5x5xi32>, tensor<ui64>, tensor<ui64>) -> tensor<2x2xi32>"


def dynamic_update_slice(start: int) -> str:
    """Returns five numbers, two of them replaced."""
    operands = constants(
        a="dense<1> : tensor<5xi32>", u="dense<2> : tensor<2xi32>", s=f"dense<{start}> : tensor<i32>"
    )
    return f"{operands}\n  %r = stablehlo.dynamic_update_slice %a, %u, %s : (tensor<5xi32>, tensor<2xi32>, tensor<i32>) -> tensor<5xi32>"


def gather(indices: str, is_sorted: bool = False, element: str = "i32") -> str:
    """Returns three rows of five."""
    operands = constants(a="dense<1.0> : tensor<5x2xf32>", s=f"dense<{indices}> : tensor<3x1x{element}>")
    return f"""{operands}
  %r = "stablehlo.gather"(%a, %s) {{
    dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 2>, indices_are_sorted = {str(is_sorted).lower()}
  }} : (tensor<5x2xf32>, tensor<3x1x{element}>) -> tensor<3x2xf32>"""


def scatter(indices: str, flags: str = "", element: str = "i32") -> str:
    """Returns five numbers to which windows of two are added, at three places."""
    operands = constants(
        a="dense<0.0> : tensor<5xf32>",
        s=f"dense<{indices}> : tensor<3x1x{element}>",
        u="dense<1.0> : tensor<3x2xf32>",
    )
    return f"""{operands}
  %r = "stablehlo.scatter"(%a, %s, %u) ({{
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %t = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %t : tensor<f32>
  }}) {{
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>{flags}
  }} : (tensor<5xf32>, tensor<3x1x{element}>, tensor<3x2xf32>) -> tensor<5xf32>"""


def sort(comparison: str, operand: str = "[2.0, 1.0, 3.0, 1.0]") -> str:
    """Returns four numbers sorted."""
    operands = constants(a=f"dense<{operand}> : tensor<4xf32>")
    return f"""{operands}
  %r = "stablehlo.sort"(%a) ({{
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %c = stablehlo.compare {comparison} : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }}) : (tensor<4xf32>) -> tensor<4xf32>"""


def cholesky(matrix: str) -> str:
    """Returns the factor of a matrix."""
    operands = constants(a=f"dense<{matrix}> : tensor<2x2xf32>")
    return f"{operands}\n  %r = stablehlo.cholesky %a, lower = true : tensor<2x2xf32>"


def rng(first: float, second: float, kind: str) -> str:
    """Returns random numbers."""
    operands = constants(
        a=f"dense<{first}> : tensor<f32>", b=f"dense<{second}> : tensor<f32>", s="dense<4> : tensor<1xi64>"
    )
    return f"{operands}\n  %r = stablehlo.rng %a, %b, %s, distribution = {kind} : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<4xf32>"


UNIQUE = ", unique_indices = true"
SORTED = ", indices_are_sorted = true"
I8 = "tensor<2xi8>"

CASES = (
    Case("add", "wrapped", binary("add", "[1, 100]", "[2, 28]", I8), binary("add", "[1, 100]", "[2, 27]", I8), "[1]: lhs 100, rhs 28, result -128"),
    Case("unsigned add", "wrapped", binary("add", "-128", "-1", I8), binary("add", "255", "255", "tensor<2xui8>"), "[0]: lhs -128, rhs -1, result 127"),
    Case("subtract", "wrapped", binary("subtract", "-100", "29", I8), binary("subtract", "-100", "28", I8), "[0]: lhs -100, rhs 29, result 127"),
    Case("negate", "wrapped", unary("negate", "[5, -128]", I8), unary("negate", "[5, -127]", I8), "[1]: operand -128, result -128"),
    Case("abs", "wrapped", unary("abs", "[5, -128]", I8), unary("abs", "[5, -127]", I8), "[1]: operand -128, result -128"),
    Case("narrow add", "wrapped", binary("add", "7", "1", "tensor<2xi4>"), binary("add", "7", "-1", "tensor<2xi4>"), "[0]: lhs 7, rhs 1, result -8"),
    Case("multiply", "wrapped", binary("multiply", "[3, 4294967296]", "[3, 2147483648]", "tensor<2xi64>"), binary("multiply", "[3, 4294967296]", "[3, -2147483648]", "tensor<2xi64>"), "[1]: lhs 4294967296, rhs 2147483648, exact 9223372036854775808, result -9223372036854775808"),
    Case("power", "wrapped", binary("power", "[2, 2]", "[6, 7]", I8), binary("power", "[2, 2]", "[6, -7]", I8), "[1]: lhs 2, rhs 7, exact 128, result -128"),
    Case("divide", "wrapped", binary("divide", "-128", "-1", I8), binary("divide", "-128", "-2", I8), "[0]: lhs -128, rhs -1, result -128"),
    Case("reduce", "wrapped", reduce("add", "[100, 27, 1]", "0"), reduce("add", "[100, 100, -100]", "0"), "exact 128, result -128"),
    Case("product", "wrapped", reduce("multiply", "[16, 4, 2]", "1"), reduce("multiply", "[16, 4, -2]", "1"), "exact 128, result -128"),
    Case("window", "wrapped", window("[64, 63, 65]", "0"), window("[64, 63, 64]", "0"), "[1]: exact 128, result -128"),
    Case("dot", "wrapped", dot("[32768, 0]"), dot("[32767, 65535]"), "exact 2147483648, result -2147483648"),
    Case("sum of i64", "wrapped", reduce("add", "[9223372036854775807, 1, 0]", "0", "i64"), reduce("add", "[9223372036854775807, 1, -1]", "0", "i64"), "exact 9223372036854775808, result -9223372036854775808"),
    Case("product of i64", "wrapped", reduce("multiply", "[4294967296, 2147483647, 3]", "1", "i64"), reduce("multiply", "[4294967296, 2147483647, -1]", "1", "i64"), "about 2.7670116097679426e+19, result 9223372023969873920"),
    Case("dot of i64", "wrapped", dot("[2305843009213693952, 2305843004918726656]", "[2305843009213693952, -2305843013508661248]", "i64"), dot("[1647362659282246032, 2208945931919479116]", "[2151680228615566584, -1604655692164030368]", "i64"), "exact 18446744073709551616, result 0"),
    Case("convolution", "wrapped", convolution("[[[31, 32, 32]]]"), convolution("[[[31, 32, 31]]]"), "[0, 0, 1]: exact 128, result -128"),
    Case("integer division by zero", "divided", binary("divide", "[1, 1]", "[2, 0]", "tensor<2xi32>"), binary("divide", "[1.0, 1.0]", "[2.0, 0.0]", "tensor<2xf32>"), "[1]: lhs 1, rhs 0, result -1"),
    Case("remainder", "divided", binary("remainder", "[1, 5]", "[2, 0]", "tensor<2xui8>"), binary("remainder", "[1, 0]", "[2, 5]", "tensor<2xui8>"), "[1]: lhs 5, rhs 0, result 5"),
    Case("power of zero", "divided", binary("power", "0", "[2, -1]", "tensor<2xi32>"), binary("power", "0", "[2, 0]", "tensor<2xi32>"), ""),
    Case("shift by too much", "shifted", binary("shift_left", "1", "[31, 32]", "tensor<2xi32>"), binary("shift_left", "1", "[31, 30]", "tensor<2xi32>"), "[1]: lhs 1, rhs 32, result 0"),
    Case("shift by less than none", "shifted", binary("shift_right_arithmetic", "8", "[0, -1]", "tensor<2xi8>"), binary("shift_right_arithmetic", "8", "[0, 7]", "tensor<2xi8>"), "[1]: lhs 8, rhs -1, result 0"),
    Case("float to integer", "lost", convert("[1.5, 128.0]", "f32", "i8"), convert("[1.5, 127.9]", "f32", "i8"), "[1]: operand 128, result 127"),
    Case("NaN to integer", "lost", convert("[1.0, 0x7FC00000]", "f32", "i32"), convert("[1.0, 0x7FC00000]", "f32", "f16"), "[1]: operand NaN, result 0"),
    Case("narrower integer", "lost", convert("[255, 256]", "i32", "ui8"), convert("[255, 256]", "ui32", "ui8"), "[1]: operand 256, result 0"),
    Case("narrower float", "lost", convert("[1.0, 65520.0]", "f32", "f16"), convert("[1.0, 0x7F800000]", "f32", "f16"), "[1]: operand 65520, result Inf"),
    Case("inexact", "lost", convert("[3, -1]", "i64", "ui64"), convert("[3, 16777217]", "i64", "f32"), "[1]: operand -1, result 18446744073709551615"),
    Case("dynamic_slice", "clamped", dynamic_slice(4), dynamic_slice(3), "[0]: dimension 0, start 4, greatest 3"),
    Case("starts of ui64", "clamped", dynamic_slice_of_matrix(1, 9223372036854775809), dynamic_slice_of_matrix(1, 3), "[1]: dimension 1, start 9223372036854775809, greatest 3"),
    Case("dynamic_update_slice", "clamped", dynamic_update_slice(-1), dynamic_update_slice(0), "[0]: dimension 0, start -1, greatest 3"),
    Case("gather", "clamped", gather("[[0], [5], [4]]"), gather("[[0], [3], [4]]"), "[1]: index [5], greatest [4]"),
    Case("torch_index_select", "clamped", torch_index_select(3), torch_index_select(2), "[0]: index 3, greatest 2"),
    Case("scatter", "dropped", scatter("[[0], [2], [4]]"), scatter("[[0], [2], [3]]"), "[2]: index [4], greatest [3]"),
    Case("overlap", "overlap", scatter("[[0], [2], [3]]", UNIQUE), scatter("[[0], [2], [3]]"), "[3]: updates 2"),
    Case("neighbours", "overlap", scatter("[[0], [2], [2]]", UNIQUE), scatter("[[2], [0], [0]]"), "[2]: updates 2"),
    Case("unsorted scatter", "unsorted", scatter("[[0], [3], [2]]", SORTED), scatter("[[0], [2], [2]]", SORTED), "[1]: index [2], before it [3]"),
    Case("unsorted gather", "unsorted", gather("[[0], [3], [2]]", True), gather("[[0], [2], [2]]", True), "[1]: index [2], before it [3]"),
    Case("unsorted gather of ui64", "unsorted", gather("[[3], [2], [4]]", True, "ui64"), gather("[[0], [3], [4]]", True, "ui64"), "[0]: index [2], before it [3]"),
    Case("initial value", "init", reduce("add", "[1, 2, 3]", "1"), reduce("maximum", "[1, 2, 3]", "1"), "result 7, initial value 1, combined 8"),
    Case("initial value of floats", "init", reduce("minimum", "[3.0, 4.0, 5.0]", "2.0", "f32"), reduce("minimum", "[1.0, 2.0, 3.0]", "2.0", "f32"), "result 2, without initial value 3"),
    Case("zeros", "init", reduce("add", "[1.0, -0.0, 3.0]", "0.5", "f32"), reduce("add", "[1.0, -0.0, 3.0]", "0.0", "f32"), "result 4.5, initial value 0.5, combined 5"),
    Case("initial value of windows", "init", window("[1, 2, 3]", "1"), window("[1, 2, 3]", "0"), "[0]: result 4, initial value 1, combined 5"),
    Case("initial value of pairs", "init", pick("4.5"), pick("1.5"), "result 0 4.5, result 1 0, without initial value 0 4, without initial value 1 1"),
    Case("initial value of a scatter", "init", select_and_scatter("0.5"), select_and_scatter("0.0"), "[0]: result 0.5, initial value 0.5, combined 1"),
    Case("not irreflexive", "order", sort("GE, %x, %y, FLOAT"), sort("GT, %x, %y, FLOAT"), ""),
    Case("not asymmetric", "order", sort("NE, %x, %y, FLOAT"), sort("LT, %y, %x, FLOAT"), ""),
    Case("not transitive", "order", sort("LT, %x, %y, FLOAT", "[2.0, 0x7FC00000, 3.0, 1.0]"), sort("LT, %x, %y, TOTALORDER", "[2.0, 0x7FC00000, 3.0, 1.0]"), ""),
    Case("not positive", "definite", cholesky("[[1.0, 2.0], [2.0, 1.0]]"), cholesky("[[4.0, 2.0], [2.0, 2.0]]"), "least eigenvalue -1"),
    Case("not Hermitian", "definite", cholesky("[[4.0, 0.0], [2.0, 2.0]]"), cholesky("[[4.0, 2.0], [2.0000001, 2.0]]"), "a[0, 1] 0, a[1, 0] 2"),
    Case("uniform", "range", rng(1.0, 1.0, "UNIFORM"), rng(1.0, 2.0, "UNIFORM"), "a 1, b 1"),
    Case("normal", "range", rng(0.0, -1.0, "NORMAL"), rng(0.0, 0.0, "NORMAL"), "a 0, b -1"),
)  # fmt: skip
