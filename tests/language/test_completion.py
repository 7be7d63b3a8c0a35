"""What can be typed, and what an operation wants."""

from __future__ import annotations

import re

import pytest

from shlo.dialects import all_op_defs
from shlo.ir.source import Span
from shlo.language import Document, Edit
from shlo.language.completion.items import MAX_SEEN, complete, documentation
from shlo.language.completion.operations import Completion
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
    assert names[0].detail == "EQ or NE or GE or GT or LE or LT"
    words = offered('  %5 = "stablehlo.compare"(%a, %a) <{comparison_direction = |}>')
    assert words[0].insert == "#stablehlo<comparison_direction EQ>"


def test_an_operation_comes_with_its_required_attributes():
    document, offset = marked(f"{HEAD}  %5 = stablehlo.comp|{TAIL}")
    found = next(each for each in complete(document, offset) if each.label == "stablehlo.compare")
    assert document.text[slice(*found.span)] == "stablehlo.comp"
    assert found.insert == "stablehlo.compare ${1|EQ,NE,GE,GT,LE,LT|}, ${2:%lhs}, ${3:%rhs} : $0"
    assert "Specification" in documentation(found.op_name)
    assert "stablehlo" not in found.detail
    after = document.edit([Edit(found.span, filled(found.insert))])
    assert len(after.parts[0].diagnostics) == 1  # the types


def test_names_without_dialect_where_the_dialect_may_be_left_out():
    assert offered("  retu|")[0].label == "return"
    assert "${1:%name} = stablehlo.abs" in next(
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
    pretty = {
        op_def.name: mistakes(operation_snippet(op_def, op_def.name, types=True)) for op_def in all_op_defs()
    }
    assert {name for name, found in pretty.items() if found} <= unfinished
    generic = {
        op_def.name: mistakes(generic_snippet(op_def, types=True))
        for op_def in all_op_defs()
        if op_def.dialect != "sdy"
    }
    assert {name for name, found in generic.items() if found} == set()


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("  %5 = stablehlo.compare |", ["EQ", "NE", "GE", "GT", "LE", "LT"]),
        ("  %5 = stablehlo.compare LT, %a, %a, |", ["NOTYPE", "FLOAT", "TOTALORDER", "SIGNED", "UNSIGNED"]),
        ("  %5:2 = stablehlo.rng_bit_generator %a, algorithm = |", ["DEFAULT", "THREE_FRY", "PHILOX"]),
        ("  %5 = stablehlo.cholesky %a, lower = |", ["true", "false"]),
        ("  %5 = stablehlo.dot_general %a, %a, |", ["batching_dims", "contracting_dims"]),
        ("  %5 = stablehlo.dot_general %a, %a, contracting_dims = [0] x [0], |", ["precision", "algorithm"]),
        (
            "  %5 = stablehlo.dot_general %a, %a, contracting_dims = [0] x [0], precision = [|",
            ["DEFAULT", "HIGH", "HIGHEST"],
        ),
        ("  %5 = stablehlo.transpose %a, d|", ["dims"]),
        ("  %5 = stablehlo.transpose %a, dims = [|", []),
        ("  %5 = stablehlo.slice %a |", []),
    ],
)
def test_enums_and_attributes_are_offered_in_their_place_alone(line: str, expected: list[str]):
    assert [each.label for each in offered(line)] == expected


@pytest.mark.parametrize(
    ("line", "first", "written"),
    [
        ("  %5 = stablehlo.convert %a : (tensor<2xf32>) -> |", ["tensor<2xf32>", "tensor<i32>"], ""),
        (
            "  %5 = stablehlo.concatenate %a, %a, dim = 0 : (tensor<2xf32>, tensor<2xf32>) -> |",
            ["tensor<4xf32>"],
            "",
        ),
        ("  %5 = stablehlo.constant dense<0> : tens|", ["tensor<2xf32>", "tensor<i32>"], "tens"),
        ("  %5 = stablehlo.constant dense<0> : tensor<7x|", ["tensor<7xf32>", "tensor<7xi32>"], "tensor<7x"),
        ("  %5 = stablehlo.constant dense<0> : tensor<7x|>", ["tensor<7xf32>"], "tensor<7x>"),
        ("  %5 = stablehlo.reshape %a : |", ["(tensor<2xf32>) -> "], ""),
        ("}\nfunc.func @h(%q: |", ["tensor<2xf32>"], ""),
        ("}\n!u = tens|", ["tensor<2xf32>"], "tens"),
    ],
)
def test_types_are_offered_wherever_a_type_is_written(line: str, first: list[str], written: str):
    found = offered(line)
    assert [each.label for each in found[: len(first)]] == first
    assert {each.kind for each in found} == {"type"}
    text = marked(f"{HEAD}{line}{TAIL}")[0].text
    assert text[slice(*found[0].span)] == written


def test_attributes_of_arguments_and_modules_are_known():
    found = complete(*marked("func.func @f(%a: tensor<2xf32> {|"))
    assert {"tf.aliasing_output", "sdy.sharding"} <= {each.label for each in found}
    assert "mhlo.num_partitions" in {each.label for each in complete(*marked("module attributes {|"))}
    found = offered(
        '  %5 = "stablehlo.gather"(%a) <{dimension_numbers = #stablehlo.gather<offset_dims = [], |'
    )
    assert found[0].label == "collapsed_slice_dims"


def test_operations_of_the_programs_dialects_come_first_and_are_compared_by_their_bare_names():
    found = offered("  ad|")
    assert [each.label for each in found[:2]] == ["stablehlo.add", "arith.addf"]
    assert found[0].filter == "add"
    arith = "func.func @f(%a: f32) {\n  %0 = arith.mulf %a, %a : f32\n  ad|\n  return\n}\n"
    assert complete(*marked(arith))[0].label == "arith.addf"


@pytest.mark.parametrize(
    ("line", "start", "active"),
    [
        ("  %5 = stablehlo.add %b, %|", "stablehlo.add(lhs: ", 1),
        ("  %5 = stablehlo.compare LT, |", "stablehlo.compare(lhs: ", 0),
        ('  %5 = "stablehlo.add"(%b|', "stablehlo.add(lhs: ", 0),
        ("  %5 = stablehlo.concatenate %a, %a, |", "stablehlo.concatenate(inputs: ", 0),
        ("  call @g(%a, |", "@g(tensor<2xf32>, tensor<i32>)", 1),
        ("  call @f(%a, |", "@f(%a: tensor<2xf32>, %b: tensor<i32>", 1),
    ],
)
def test_signatures(line: str, start: str, active: int):
    found = signature_help(*marked(f"{HEAD}{line}{TAIL}"))
    assert found is not None
    assert (found.label[: len(start)], found.active) == (start, active)
    first, last = found.parameters[active]
    assert found.label[first:last]
    assert "i64_array" not in found.label + found.documentation


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
        ("  %5 = stablehlo.abs %a : tensor<2x|", "tensor<2xf32>"),
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
    found = [each.insert for each in offered(line) if each.detail == "the types that follow"]
    assert found == ([expected] if expected else [])
    if expected:
        document, offset = marked(f"{HEAD}{line}{TAIL}")
        (span,) = {each.span for each in offered(line) if each.insert == expected}
        assert span.end == offset
        after = document.edit([Edit(span, expected)])
        assert diagnostics(after) == []


@pytest.mark.parametrize("between", [0, 2 * MAX_SEEN])
def test_types_follow_from_values_far_above_not_from_those_that_were_deleted(between: int):
    far = "  %far:2 = stablehlo.custom_call @two() : () -> (tensor<2xf32>, tensor<3xf32>)\n"
    others = "".join(f"  %n{number} = stablehlo.abs %a : tensor<2xf32>\n" for number in range(between))
    document, offset = marked(f"{HEAD}{far}{others}  %5 = stablehlo.abs %far#1 |{TAIL}")
    found = [each.insert for each in complete(document, offset) if each.detail == "the types that follow"]
    assert found == [": tensor<3xf32>"]
    without = document.edit([Edit(Span(len(HEAD), len(HEAD) + len(far)), "")])
    later = complete(without, offset - len(far))
    assert "the types that follow" not in {each.detail for each in later}


def test_the_signature_shows_constraints_of_the_operand_at_the_cursor():
    found = signature_help(*marked(f"{HEAD}  %5 = stablehlo.pad %a, |{TAIL}"))
    assert found is not None
    assert "element_type(padding_value)" in found.documentation
    assert found.documentation.count("\n- C") <= 3


@pytest.mark.parametrize(
    ("line", "parameter"),
    [
        ("  %5 = stablehlo.transpose %a, dims = [|", "dims: an array of 64-bit integers"),
        ('  %5 = "stablehlo.transpose"(%a) <{permutation = |', "permutation: an array of 64-bit integers"),
        (
            "  %5 = stablehlo.dot_general %a, %a, contracting_dims = [|",
            "contracting_dims: dot (#stablehlo.dot)",
        ),
        ("  %5 = stablehlo.compare |", "comparison_direction: EQ or NE or GE or GT or LE or LT"),
    ],
)
def test_the_signature_marks_the_attribute_in_the_words_of_the_text(line: str, parameter: str):
    found = signature_help(*marked(f"{HEAD}{line}{TAIL}"))
    assert found is not None
    assert found.active is not None
    assert found.label[slice(*found.parameters[found.active])] == parameter


def test_the_signature_of_a_call_has_the_names_of_jax_and_a_part_of_many_arguments():
    arguments = ", ".join(f"%arg{n}: tensor<f32> loc(\"p['w{n}']\")" for n in range(100))
    text = f"func.func @h({arguments}) {{\n  call @h({'%arg0, ' * 50}|)\n  return\n}}\n"
    found = signature_help(*marked(text))
    assert found is not None
    assert found.active is not None
    first, last = found.parameters[found.active]
    assert found.label[first:last] == "p['w50']: tensor<f32>"
    assert len(found.parameters) == 24
    assert "more)" in found.label


def test_nothing_is_offered_in_a_comment():
    document = Document("// stablehlo.add %")
    assert complete(document, len(document.text)) == []
    assert signature_help(document, len(document.text)) is None
