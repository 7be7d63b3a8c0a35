"""What one missing or additional token costs: the operation that it is in."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from shlo.ir.diagnostics import Diagnostic
from shlo.ir.operations import BROKEN
from shlo.language import Document
from shlo.language.diagnostics import diagnostics
from shlo.language.outline.outline import outline
from tests.growth.work import count_steps

STEPS = 30_000_000

FIRST = """\
func.func @first(%a: tensor<f32>) -> tensor<f32> {
  %0 = "stablehlo.case"(%i) ({
    stablehlo.return %a : tensor<f32>
  }, {
    stablehlo.return %a : tensor<f32>
  }) : (tensor<i32>) -> tensor<f32>
  %1 = stablehlo.while(%x = %a) : tensor<f32>
  cond {
    %p = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    stablehlo.return %x : tensor<f32>
  }
  return %1 : tensor<f32>
}
""".replace("%i)", "%c)").replace('  %0 = "', '  %c = stablehlo.constant dense<0> : tensor<i32>\n  %0 = "')
SECOND = FIRST.replace("@first", "@second")
TEXT = FIRST + SECOND
FLAT = "\n".join(line.strip() for line in TEXT.split("\n"))


def functions(text: str) -> list[str]:
    return [item.name for item in outline(Document(text)) if item.kind == "function"]


@pytest.mark.parametrize("text", [TEXT, FLAT], ids=["indented", "flat"])
def test_a_function_ends_what_is_open(text: str) -> None:
    end = text.index("}\nfunc.func @second")
    damaged = text[:end] + text[end + 2 :]
    assert functions(damaged) == ["@first", "@second"]
    (found,) = diagnostics(Document(damaged))
    assert found.message == "expected '}' before this statement"
    assert found.fix is not None
    assert damaged[: found.fix.span.start] + found.fix.replacement + damaged[found.fix.span.end :] == text


@pytest.mark.parametrize(
    "header",
    [
        "func.func @second(%a: tensor<f32>) -> tensor<f32> {",
        "func.func @second(%a: tensor<f32> {x.y = 1 : i32}) -> tensor<f32> {",
        "func.func private @second(%a: tensor<f32>) -> (tensor<f32> {x.y}) {  // a remark",
        "module @second {",
    ],
)
def test_a_body_without_its_opening_brace_is_inside(header: str) -> None:
    second = SECOND.replace("func.func @second(%a: tensor<f32>) -> tensor<f32> {", header)
    if header.startswith("module"):
        second = "module @second {\n  func.func private @inner()\n}\n"
    text = FIRST + second + FIRST.replace("@first", "@third")
    brace = text.rindex(" {", 0, text.index(header) + len(header))
    damaged = text[:brace] + text[brace + 2 :]
    assert functions(damaged) == functions(text)
    (found,) = diagnostics(Document(damaged))
    assert found.message == "expected '{' behind this header"
    assert found.fix is not None
    assert damaged[: found.fix.span.start] + found.fix.replacement + damaged[found.fix.span.end :] == text


def test_declarations_above_indented_operations_stay_declarations() -> None:
    text = f"module {{\n  func.func private @f()\n    func.func @g() {{\n    return\n  }}\n}}\n{FIRST}"
    assert diagnostics(Document(text)) == []


@pytest.mark.parametrize("name", ["builtin.module", "module"])
def test_modules_may_nest(name: str) -> None:
    text = f"{name} @a {{\n{name} @b {{\n{FIRST}}}\n{SECOND}}}\n"
    assert diagnostics(Document(text)) == []


@pytest.mark.parametrize(
    ("token", "replacement"),
    [
        *(("{\n", "\n"), ("{\n", "{ {\n"), ("}\n", "\n"), ("}\n", "} }\n"), ("({\n", "{\n"), ("}, {", ", {")),
        *(("}) :", ") :"), ("}) :", "} :"), ("} do {", "do {"), ("} do {", "} do"), ("(%x =", "%x =")),
        *((" : tensor<f32>\n", " : tensor<f32\n"), ("return", "[ return"), ("  %p", "  } %p")),
        *(
            (f"{indent}{old}", f"{indent}{new} {old}")
            for new in ("!x", "#x", "^x", "%x", "[", '"x"')
            for indent in ("  ", "\n")
            for old in ("func.func", "%1", "return", "}")
        ),
    ],
)
def test_one_token_costs_its_operation_alone(token: str, replacement: str) -> None:
    place = -1
    while (place := FIRST.find(token, place + 1)) >= 0:
        text = FIRST[:place] + replacement + FIRST[place + len(token) :] + SECOND
        document = Document(text)
        start = text.index("func.func @second")
        assert functions(text)[-1] == "@second", text
        assert [each for each in diagnostics(document) if each.span.start > start] == [], text
        broken = [
            span.start
            for operation, span in document.parts[0].module.walk()
            if operation.name == BROKEN and span.start >= start
        ]
        assert broken == [], text


@pytest.mark.parametrize("piece", ["<{", "{", "{\n", "({", "{ ", "foo.bar {\n", "  }\n{\n", "  {\n    a.b\n"])
def test_many_braces_take_linear_work(piece: str) -> None:
    def found(count: int) -> Sequence[Diagnostic]:
        text = f"func.func @f(%a: tensor<f32>) {{\n  %8 = stablehlo.{piece * count}\n  return\n}}\n"
        return Document(text).parts[0].diagnostics

    assert found(20_000)  # and whatever is done once is done
    few, more, most = (count_steps(lambda count=count: found(count), STEPS) for count in (500, 1_000, 2_000))
    assert most - more < 2.5 * (more - few) + 1_000


def test_a_dictionary_of_a_module_is_no_body_where_an_attribute_in_it_is_wrong() -> None:
    text = "module attributes {\n  a.b = #stablehlo.dot<\n      rhs_contracting_dimensions = [1],\n"
    found = diagnostics(Document(f"{text}      rhs_contracting_dimensions = [3]\n  >}} {{}}\n"))
    assert [each.message for each in found] == ["the field 'rhs_contracting_dimensions' is given twice"]


def test_a_closed_body_ends_a_broken_operation_in_it() -> None:
    text = "func.func @first() {\n  return\n  2}\n x func.func private @second() {\n  return\n}\n"
    first = outline(Document(text))[0]
    assert (first.name, text[first.span.start : first.span.end].count("\n")) == ("@first", 2)


def test_a_broken_function_behind_a_lost_brace_keeps_its_body() -> None:
    text = "func.func @f() {\n  return\nfunc.func @g(%a: tensor<f32>, %b: ) {\n  return\n}\n"
    assert [diagnostic.message for diagnostic in diagnostics(Document(text))] == [
        "expected '}' before this statement",
        "expected a type, but found ')'",
    ]
