"""What can be typed, and what an operation wants."""

from __future__ import annotations

import re

import pytest

from shlo.dialects import all_op_defs
from shlo.ir.source import Span
from shlo.language import Document, Edit
from shlo.language.completion.items import Completion, complete, documentation
from shlo.language.completion.signature import signature_help
from shlo.language.completion.snippets import generic_snippet, operation_snippet
from shlo.language.diagnostics import diagnostics
from shlo.syntax import parse
from tests.language.programs import marked

HEAD = """\
!t = tensor<9xf32>
func.func @f(%a: tensor<2xf32>, %b: tensor<i32>, %p: tensor<i1>) -> tensor<2xf32> { // 😀
  %0 = stablehlo.add %a, %a : tensor<2xf32>
  %w:2 = stablehlo.while(%i = %b, %x = %0) : tensor<i32>, tensor<2xf32>
    cond {
      stablehlo.return %p : tensor<i1>
    } do {
      %1 = stablehlo.add %x, %a : tensor<2xf32>
      stablehlo.return %i, %1 : tensor<i32>, tensor<2xf32>
    }
"""
TAIL = """
  %z = stablehlo.add %a, %a : tensor<2xf32>
  return %z : tensor<2xf32>
}
func.func private @g(tensor<2xf32>, tensor<i32>)
"""
BROKEN_HEAD = HEAD.replace("-> tensor<2xf32> {", "-> tensor<2 {")


def offered(line: str, head: str = HEAD) -> list[Completion]:
    return complete(*marked(f"{head}{line}{TAIL}"))


@pytest.mark.parametrize("head", [HEAD, BROKEN_HEAD])
@pytest.mark.parametrize(
    ("line", "first"),
    [
        ("  %5 = stablehlo.add %b, %|", ["%w#0", "%b"]),
        ("  %5 = stablehlo.add %| : tensor<i1>", ["%p"]),
        ("  %5 = stablehlo.select %p, | : (tensor<i1>, tensor<i32>)", ["%w#0", "%b"]),
        ("  stablehlo.compare %|, %b : (tensor<i1>, tensor<i32>) -> tensor<i1>", ["%p"]),
    ],
)
def test_values_of_the_wanted_type_come_first(head: str, line: str, first: list[str]):
    labels = [each.label for each in offered(line, head)]
    assert labels[: len(first)] == first
    assert {"%a", "%b", "%p", "%0", "%w#0", "%w#1"} == set(labels)  # neither %1 of the loop nor %z below


def test_a_call_and_a_return_know_their_types():
    assert [each.label for each in offered("  %5 = call @g(%a, %|")][:2] == ["%w#0", "%b"]
    assert [each.label for each in offered("  return %|")][:3] == ["%w#1", "%0", "%a"]


def test_symbols_labels_and_aliases():
    assert [(each.label, each.detail) for each in offered("  call @|")] == [
        ("@f", "(tensor<2xf32>, tensor<i32>, tensor<i1>) -> tensor<2xf32>"),
        ("@g", "(tensor<2xf32>, tensor<i32>) -> ()"),
    ]
    assert [each.label for each in offered("  %5 = stablehlo.constant dense<1.0> : !|")] == ["!t"]
    text = "func.func @f() {\n  cf.br ^|\n^end:\n  return\n}\n"
    assert [each.label for each in complete(*marked(text))] == ["^end"]


def test_attributes_and_words():
    names = offered('  %5 = "stablehlo.compare"(%a, %a) <{|}>')
    assert [each.label for each in names] == ["comparison_direction", "compare_type"]
    words = offered('  %5 = "stablehlo.compare"(%a, %a) <{comparison_direction = |}>')
    assert words[0].insert == "#stablehlo<comparison_direction EQ>"
    bare = {each.insert for each in offered("  %5 = stablehlo.compare |") if each.kind == "enumMember"}
    assert {"LT", "SIGNED"} <= bare


def test_an_operation_comes_with_its_required_attributes():
    document, offset = marked(f"{HEAD}  %5 = stablehlo.comp|{TAIL}")
    found = next(each for each in complete(document, offset) if each.label == "stablehlo.compare")
    assert document.text[slice(*found.span)] == "stablehlo.comp"
    assert found.insert.startswith("stablehlo.compare ${1|EQ,NE,GE,GT,LE,LT|}, %${2:lhs}, %${3:rhs}")
    assert "Specification" in documentation(found)
    after = document.edit([Edit(found.span, filled(found.insert))])
    assert len(after.parts[0].diagnostics) == 2  # %lhs and %rhs


def test_names_without_dialect_where_the_dialect_may_be_left_out():
    assert offered("  retu|")[0].label == "return"
    assert "%${1:name} = stablehlo.abs" in next(
        each.insert for each in offered("  |") if each.label == "stablehlo.abs"
    )


def filled(snippet: str) -> str:
    """Returns a snippet with its defaults, as somebody leaves it who types nothing."""
    text = re.sub(r"\$\{\d+\|([^,|]*)[^|]*\|\}", r"\1", snippet)
    text = re.sub(r"\$\{\d+:((?:[^}\\]|\\.)*)\}", lambda match: match[1].replace("\\", ""), text)
    return re.sub(r"\$\d+", "", text)


def mistakes(snippet: str) -> list[str]:
    _, found = parse(filled(snippet))
    return [finding.message for finding in found if "undeclared" not in finding.message]


def test_every_snippet_can_be_read():
    unfinished = {"func.call_indirect", "sdy.manual_computation"}  # their types depend on what is called
    pretty = {op_def.name: mistakes(operation_snippet(op_def, op_def.name)) for op_def in all_op_defs()}
    assert {name for name, found in pretty.items() if found} <= unfinished
    generic = {
        op_def.name: mistakes(generic_snippet(op_def)) for op_def in all_op_defs() if op_def.dialect != "sdy"
    }
    assert {name for name, found in generic.items() if found} == set()


@pytest.mark.parametrize(
    ("line", "start", "active"),
    [
        ("  %5 = stablehlo.add %b, %|", "stablehlo.add(lhs: ", 1),
        ("  %5 = stablehlo.compare LT, |", "stablehlo.compare(lhs: ", 0),
        ('  %5 = "stablehlo.add"(%b|', "stablehlo.add(lhs: ", 0),
        ("  %5 = stablehlo.concatenate %a, %a, |", "stablehlo.concatenate(inputs: ", 0),
        ("  call @g(%a, |", "@g(tensor<2xf32>, tensor<i32>)", 1),
    ],
)
def test_signatures(line: str, start: str, active: int):
    found = signature_help(*marked(f"{HEAD}{line}{TAIL}"))
    assert found is not None
    assert (found.label[: len(start)], found.active) == (start, active)
    first, last = found.parameters[active]
    assert found.label[first:last]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("  %5 = stablehlo.add %a, %0 |", ": tensor<2xf32>"),
        ("  %5 = stablehlo.add %a, %0 : |", "tensor<2xf32>"),
        ("  %5 = stablehlo.compare LT, %b, %w#0, SIGNED |", ": (tensor<i32>, tensor<i32>) -> tensor<i1>"),
        (
            "  stablehlo.broadcast_in_dim %a, dims = [1] |",
            None,
        ),
        ("  %5 = stablehlo.reshape %a |", None),
        (
            "  %5 = stablehlo.concatenate %a, %w#1, dim = 0 |",
            ": (tensor<2xf32>, tensor<2xf32>) -> tensor<4xf32>",
        ),
        (
            '  %5 = "stablehlo.slice"(%a) <{start_indices = array<i64: 0>, limit_indices = array<i64: 1>,'
            " strides = array<i64: 1>}> |",
            ": (tensor<2xf32>) -> tensor<1xf32>",
        ),
        ("  %5 = stablehlo.add %a, %unknown |", None),
        ("  %5 = stablehlo.add %a, %b |", None),
        ("  %5 = stablehlo.add %a, |", None),
    ],
)
def test_types_follow_from_operands(line: str, expected: str | None):
    found = [each.insert for each in offered(line) if each.kind == "type"]
    assert found == ([expected] if expected else [])
    if expected:
        document, offset = marked(f"{HEAD}{line}{TAIL}")
        after = document.edit([Edit(Span(offset, offset), found[0])])
        assert diagnostics(after) == []


def test_the_signature_shows_constraints_of_the_operand_at_the_cursor():
    found = signature_help(*marked(f"{HEAD}  %5 = stablehlo.pad %a, |{TAIL}"))
    assert found is not None
    assert "element_type(padding_value)" in found.documentation
    assert found.documentation.count("\n- C") <= 3


def test_nothing_is_offered_in_a_comment():
    document = Document("// stablehlo.add %")
    assert complete(document, len(document.text)) == []
    assert signature_help(document, len(document.text)) is None
