"""The parser: what it keeps of a program, and how it goes on after mistakes."""

from __future__ import annotations

import pytest

from shlo.ir.diagnostics import Diagnostic
from shlo.ir.operations import BROKEN, Module
from shlo.ir.source import Source
from shlo.syntax import parse


def findings(text: str) -> list[tuple[int, int, str]]:
    """Returns line, column and message of everything that is wrong with a text."""
    module, diagnostics = parse(text)
    assert module.source is not None
    places = [module.source.position(diagnostic.span.start) for diagnostic in diagnostics]
    return [
        (place[0], place[1], diagnostic.message)
        for place, diagnostic in zip(places, diagnostics, strict=True)
    ]


def parsed(text: str) -> Module:
    module, diagnostics = parse(text)
    assert diagnostics == []
    return module


def ops(module: Module) -> list[str]:
    return [operation.name for operation, _ in module.walk()]


def test_values_of_a_function_are_numbered_by_definition_and_typed() -> None:
    module = parsed("""func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {
      %a = stablehlo.add %x, %x : tensor<2xf32>
      %b:2 = "test.two"(%a) : (tensor<2xf32>) -> (i32, tensor<2xf32>)
      return %b#1 : tensor<2xf32>
    }""")
    body = module.functions["f"].body
    assert body is not None
    add, two, done = body.blocks[0].operations
    assert (add.operands, add.results, two.results, done.operands) == ((0, 0), (1,), (2, 3), (3,))
    assert body.values.names == ["x", "a", "b#0", "b#1"]
    assert [str(type_) for type_ in body.values.types] == [
        "tensor<2xf32>",
        "tensor<2xf32>",
        "i32",
        "tensor<2xf32>",
    ]


def test_lines_that_look_alike_share_one_signature() -> None:
    text = "\n".join(f"%{i + 1} = stablehlo.add %{i}, %{i} : tensor<f32>" for i in range(5))
    module = parsed('%0 = "test.source"() : () -> tensor<f32>\n' + text + "\n")
    operations = module.body.blocks[0].operations[1:]
    assert len({id(operation.signature) for operation in operations}) == 1
    assert [operation.operands for operation in operations] == [(i, i) for i in range(5)]


def test_spans_count_from_the_containing_operation() -> None:
    text = "\n  func.func @f() {\n    stablehlo.while() cond {\n"
    text += "      %t = stablehlo.constant dense<true> : tensor<i1>\n"
    text += (
        "      stablehlo.return %t : tensor<i1>\n    } do {\n      stablehlo.return\n    }\n    return\n  }\n"
    )
    source = Source(text)
    places = {operation.name: source.position(span.start) for operation, span in parsed(text).walk()}
    assert places["func.func"] == (2, 3)
    assert places["stablehlo.while"] == (3, 5)
    assert places["stablehlo.constant"] == (4, 7)
    assert places["func.return"] == (9, 5)


def test_a_value_may_be_used_above_its_definition_and_blocks_in_any_order() -> None:
    module = parsed(""""test.graph"() ({
      "test.use"(%late) : (i32) -> ()
      "cf.br"()[^end] : () -> ()
    ^other:
      "test.x"() : () -> ()
    ^end:
      %late = "test.def"() : () -> i32
    }) : () -> ()""")
    use, branch = module.body.blocks[0].operations[0].regions[0].blocks[0].operations
    assert branch.successors == ((2, ()),)
    (definition,) = module.body.blocks[0].operations[0].regions[0].blocks[2].operations
    assert use.operands == definition.results


def test_location_aliases_are_found_before_and_after_their_use() -> None:
    module = parsed("""#loc1 = loc("early")
      "test.a"() : () -> () loc(#loc1)
      "test.b"() : () -> () loc(#loc2)
      #loc2 = loc("late")""")
    names = [getattr(operation.location, "target").name for operation in module.body.blocks[0].operations]  # noqa: B009
    assert names == ["early", "late"]


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        ('"a.b"() : () -> (\n', 2, 1, "expected a type"),
        ('%a = "a.b"() : () ->\n%b = "a.c"() : () -> i32', 1, 21, "expected a type, but found the end of the line"),
        ('%a = "a.b"() {x = #stablehlo.gather<\n  offset = [1]>} : () -> i32', 2, 3, "but found 'offset'"),
        ("%0 = stablehlo.add %x, %y : tensor<f32>", 1, 20, "undeclared value '%x'"),
        ("%a = stablehlo.frobnicate %a", 1, 6, "unknown operation 'stablehlo.frobnicate'"),
        ('%a, %b = "a.b"() : () -> i32', 1, 1, "'a.b' has 1 result, but 2 are named"),
        ("func.func @f() {\n  return\n", 3, 1, "expected '}' before the end of the text"),
        ('"a.b"() : () -> ()\n}\n', 2, 1, "expected an operation, but found '}'"),
        ("func.func @f() {\n  x\n  return\n}\n", 2, 3, "expected an operation, but found 'x'"),
        ('"a.b"() : () -> () loc(#gone)', 1, 24, "'#gone' is never defined"),
        ('%a = "a.b"() : () -> i32\n%a = "a.b"() : () -> i32', 2, 1, "redefinition of value '%a'"),
        ('%a = "a.b"() : () -> i32\n"a.c"(%a) : (i64) -> ()', 2, 7, "used as i64, but it is i32"),
        ('"a.b"()[^no] : () -> ()', 1, 9, "no block has the label '^no'"),
        ('"a.b"()[^no(%x : i32)] : () -> ()', 1, 12, "expected ',' or ']' behind the block's label"),
        ('"a.b', 1, 1, "the string has no end"),
    ],
)  # fmt: skip
def test_a_mistake_is_located(text: str, line: int, column: int, message: str) -> None:
    found = findings(text)
    assert [place[:2] for place in found[:1]] == [(line, column)]
    assert message in found[0][2]


def test_reading_goes_on_after_a_broken_operation_without_echoes() -> None:
    text = """func.func @f(%x: tensor<f32>) -> tensor<f32> {
      %a = stablehlo.add %x %x : tensor<f32>
      %b = stablehlo.multiply %a, %x : tensor<f32>
      %c = stablehlo.nonsense %b
      return %c : tensor<f32>
    }
    func.func @g() { return }"""
    assert [(line, message.split(",")[0]) for line, _, message in findings(text)] == [
        (2, "expected ':'"),
        (4, "unknown operation 'stablehlo.nonsense'"),
    ]
    module, _ = parse(text)
    assert set(module.functions) == {"f", "g"}
    assert ops(module).count(BROKEN) == 2


def test_the_body_of_a_broken_function_is_still_read() -> None:
    text = """func.func @f(%x tensor<f32>) {
      %a = stablehlo.add %x, %x : tensor<f32>
      return
    }
    func.func @g() { return }"""
    assert len(findings(text)) == 1
    assert "stablehlo.add" in ops(parse(text)[0])
    assert set(parse(text)[0].functions) == {"g"}


@pytest.mark.parametrize("opening", ["[", "tuple<", '"a.b"() ({', "{a = ", "callsite("])
def test_deep_nesting_is_a_finding(opening: str) -> None:
    nested = opening * 5000
    text = {'"a.b"() ({': nested, "callsite(": f'"a.b"() : () -> () loc({nested}'}.get(
        opening, f'"a.b"() {{x = {nested}'
    )
    assert any("nested" in message for _, _, message in findings(text))


def test_a_byte_order_mark_and_carriage_returns_are_no_trouble() -> None:
    text = "\ufeffmodule {\r\n  func.func @f() {\r\n    return\r\n  }\r\n}\r\n"
    assert set(parsed(text).functions) == {"f"}
    assert isinstance(parse(b"\xff")[1][0], Diagnostic)


def test_a_body_that_starts_on_the_line_of_a_mistake_is_read() -> None:
    text = """func.func @main(%x: tensor<4xf32>) -> tensor<2xnone> { %0 = stablehlo.abs %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""
    _, diagnostics = parse(text)
    assert [diagnostic.span.start for diagnostic in diagnostics] == [text.index("none")]
