"""What follows from a changed type: JAX's own lowering for other sizes, calls that part, what cannot follow."""

from __future__ import annotations

import gc
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from shlo import parse
from shlo.ir.source import Span
from shlo.language import Document, Edit
from shlo.language.diagnostics import diagnostics
from shlo.language.refactor.following import Following, follow
from shlo.language.refactor.let_follow import can_follow, let_follow
from shlo.transforms.propagation import ChangedType
from shlo.transforms.propagation.program import OpInstance, SizedProgram

Lowered = tuple[str, str, str, int]
"""The kind of a case, the texts at both sizes, and the number of an argument whose type differs."""
LEAST = {"batch": 45, "sequence": 16}
"""How many cases of a kind become JAX's other text; the rest stops at one finding each."""


@pytest.fixture(scope="module")
def lowered() -> dict[str, Lowered]:
    program = Path(__file__).with_name("jax_at_two_sizes.py")
    output = subprocess.run([sys.executable, program], capture_output=True, check=True, timeout=250).stdout
    return json.loads(output)


def retyped(text: str, other: str) -> Following:
    """Returns what follows where the arguments of the main function get their types in another text."""
    module = parse(text)
    function = module.functions["main"]
    types = parse(other).functions["main"].type.inputs
    assert function.body is not None
    arguments = function.body.blocks[0].arguments
    return follow(text, module, [ChangedType("main", *pair) for pair in zip(arguments, types)])


def errors(text: str) -> list[str]:
    return [finding.message for finding in diagnostics(Document(text)) if finding.severity == "error"]


@pytest.mark.slow
def test_other_arguments_give_the_other_lowering_of_jax_or_one_finding(lowered: dict[str, Lowered]) -> None:
    equal = dict.fromkeys(LEAST, 0)
    for name, (kind, text, other, _) in lowered.items():
        following = retyped(text, other)
        if following.text == other:
            equal[kind] += 1
        else:
            assert len(following.stops) == 1, name
            assert len(errors(following.text)) == 1, name
    assert all(equal[kind] >= least for kind, least in LEAST.items()), equal


@pytest.mark.slow
def test_one_edited_argument_and_the_action_give_it_too(lowered: dict[str, Lowered]) -> None:
    equal = dict.fromkeys(LEAST, 0)
    for kind, text, other, number in lowered.values():
        old, new = (str(parse(each).functions["main"].type.inputs[number]) for each in (text, other))
        edited = text.replace(f"%arg{number}: {old}", f"%arg{number}: {new}", 1)
        following = let_follow(Document(edited), Span(*[edited.index("%arg0")] * 2))
        equal[kind] += following is not None and following.text == other
    assert all(equal[kind] >= least for kind, least in LEAST.items()), equal


OPERATIONS = {
    "tanh": "%r = stablehlo.tanh %a : tensor<8x16xf32>",
    "add": "%r = stablehlo.add %a, %a : tensor<8x16xf32>",
    "dot_general": "%r = stablehlo.dot_general %a, %w, contracting_dims = [1] x [0]"
    " : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>",
    "reduce": "%r = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [1]"
    " : (tensor<8x16xf32>, tensor<f32>) -> tensor<8xf32>",
    "transpose": "%r = stablehlo.transpose %a, dims = [1, 0] : (tensor<8x16xf32>) -> tensor<16x8xf32>",
    "broadcast": "%r = stablehlo.broadcast_in_dim %a, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x2xf32>",
    "slice": "%r = stablehlo.slice %a [0:8, 0:4] : (tensor<8x16xf32>) -> tensor<8x4xf32>",
    "concatenate": "%r = stablehlo.concatenate %a, %a, dim = 0"
    " : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<16x16xf32>",
    "convert": "%r = stablehlo.convert %a : (tensor<8x16xf32>) -> tensor<8x16xi32>",
    "compare": "%r = stablehlo.compare GT, %a, %a, FLOAT : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xi1>",
    "reshape": "%r = stablehlo.reshape %a : (tensor<8x16xf32>) -> tensor<128xf32>",
    "call": "%r = func.call @g(%a) : (tensor<8x16xf32>) -> tensor<8x16xf32>",
}


@pytest.mark.parametrize("name", OPERATIONS)
def test_each_operation_takes_a_changed_argument(name: str) -> None:
    operation = OPERATIONS[name]
    result = operation.split(" -> ")[-1].split(" : ")[-1]
    text = f"""func.func private @g(%q: tensor<8x16xf32>) -> tensor<8x16xf32> {{
  return %q : tensor<8x16xf32>
}}
func.func @f(%a: tensor<12x16xf32>, %w: tensor<16x16xf32>, %z: tensor<f32>) -> {result} {{
  {operation}
  return %r : {result}
}}
"""
    document = Document(text)
    finding = next(each for each in diagnostics(document) if each.severity == "error")
    assert can_follow(document, finding.span) is not None
    following = let_follow(document, finding.span)
    assert following is not None
    assert (following.stops, errors(following.text)) == ([], [])
    assert "%a: tensor<12x16xf32>" in following.text


CALLS = """func.func @main(%x: tensor<12x4xf32>, %y: tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32>) {
  // comments and   blanks stay
  %0 = call @relu( %x ) : (tensor<8x4xf32>) -> tensor<8x4xf32>   // first
  %1 = call @relu(%y) : (tensor<8x4xf32>) -> tensor<8x4xf32>
  return %0, %1 : tensor<8x4xf32>, tensor<8x4xf32>
}
func.func private @relu(%a: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<8x4xf32>
  %r = stablehlo.maximum %a, %z : tensor<8x4xf32>
  return %r : tensor<8x4xf32>
}
"""


def changed(text: str, at: str) -> Following:
    following = let_follow(Document(text), Span(text.index(at), text.index(at)))
    assert following is not None
    return following


def test_a_function_that_another_call_needs_as_it_is_gets_a_variant() -> None:
    text = changed(CALLS, "12x4").text
    assert errors(text) == []
    assert "  // comments and   blanks stay\n  %0 = call @relu_0( %x ) : (tensor<12x4xf32>)" in text
    assert "%1 = call @relu(%y) : (tensor<8x4xf32>) -> tensor<8x4xf32>" in text
    assert "func.func private @relu_0(%a: tensor<12x4xf32>) -> tensor<12x4xf32> {" in text


CHANGED = {
    "a declared result": ("-> tensor<8x5xf32> {", "-> tensor<12x5xf32> {"),
    "an operation": ("tanh %x : tensor<8x4xf32>", "tanh %x : tensor<12x4xf32>"),
    "a constant": ("dense<1.0> : tensor<8x4xf32>", "dense<1.0> : tensor<12x4xf32>"),
    "elements": ("%x: tensor<8x4xf32>", "%x: tensor<8x4xbf16>"),
    "a limit": ("[0:8, 0:4]", "[0:6, 0:4]"),
}
CHAIN = """func.func @main(%x: tensor<8x4xf32>, %w: tensor<4x5xf32>) -> tensor<8x5xf32> {
  %one = stablehlo.constant dense<1.0> : tensor<8x4xf32>
  %t = stablehlo.tanh %x : tensor<8x4xf32>
  %s = stablehlo.add %t, %one : tensor<8x4xf32>
  %c = stablehlo.slice %s [0:8, 0:4] : (tensor<8x4xf32>) -> tensor<8x4xf32>
  %0 = stablehlo.dot_general %c, %w, contracting_dims = [1] x [0]
    : (tensor<8x4xf32>, tensor<4x5xf32>) -> tensor<8x5xf32>
  return %0 : tensor<8x5xf32>
}
"""


@pytest.mark.parametrize("what", CHANGED)
def test_changes_go_up_and_down(what: str) -> None:
    old, new = CHANGED[what]
    text = CHAIN.replace(old, new, 1)
    assert errors(text)
    following = changed(text, new)
    assert (following.stops, errors(following.text)) == ([], [])
    assert new in following.text


STOPS = {
    "listed elements": (
        "%c = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>\n  %0 = stablehlo.add %x, %c : tensor<4xi32>",
        "listed",
    ),
    "a split": (
        "%1 = stablehlo.reshape %x : (tensor<4xi32>) -> tensor<2x2xi32>\n  %0 = stablehlo.abs %x : tensor<4xi32>",
        "which dimension",
    ),
    "what is not known": ('%0 = "x.y"(%x) : (tensor<4xi32>) -> tensor<4xi32>', "nothing says what x.y gives"),
}


@pytest.mark.parametrize("what", STOPS)
def test_what_cannot_follow_is_one_finding_that_says_what_to_decide(what: str) -> None:
    body, message = STOPS[what]
    text = (
        f"func.func @main(%x: tensor<4xi32>) -> tensor<4xi32> {{\n  {body}\n  return %0 : tensor<4xi32>\n}}\n"
    )
    other = "func.func @main(%x: tensor<9xi32>) { return }"
    (stop,) = retyped(text, other).stops
    assert message in stop.message
    assert "decide" in stop.message


def numbered(text: str) -> Iterator[str]:
    yield from (line.strip() for line in text.splitlines() if "constant" in line)


def test_constants_follow_a_type_that_no_array_holds() -> None:
    text = (
        "func.func @f(%a: tensor<2xi32>) -> tensor<2xi32> {\n"
        "  %c = stablehlo.constant dense<[1, 2]> : tensor<2xi32>\n"
        "  %0 = stablehlo.add %a, %c : tensor<2xi32>\n  return %0 : tensor<2xi32>\n}\n"
    )
    result = text.index("i32> {")
    document = Document(text)
    assert list(diagnostics(document)) == []
    document = document.edit([Edit(Span(result, result + 3), "i3")])
    following = let_follow(document, Span(result, result))
    assert following is not None
    assert following.text == text.replace("i32", "i3")


def test_numbers_follow_where_they_count_and_only_there() -> None:
    text = """func.func @main(%x: tensor<8xf32>) -> tensor<f32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %count = stablehlo.constant dense<8.0> : tensor<f32>
  %eight = stablehlo.constant dense<8.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
  %1 = stablehlo.divide %0, %count : tensor<f32>
  %2 = stablehlo.multiply %1, %eight : tensor<f32>
  return %2 : tensor<f32>
}
"""
    following = retyped(text, "func.func @main(%x: tensor<12xf32>) { return }")
    constants = list(numbered(following.text))
    assert constants[1:] == [
        "%count = stablehlo.constant dense<1.200000e+01> : tensor<f32>",
        "%eight = stablehlo.constant dense<8.0> : tensor<f32>",
    ]
    assert [finding.severity for finding in following.findings] == ["note"]
    assert len(following.likely) == 1


def test_nothing_is_left_for_the_collector() -> None:
    text = """func.func private @twice(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.add %a, %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @twice(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}"""
    gc.collect()
    gc.disable()
    try:
        assert retyped(text, text.replace("4x", "5x")).text == text.replace("4x", "5x")
        assert not any(isinstance(each, (SizedProgram, OpInstance)) for each in gc.get_objects())
    finally:
        gc.enable()
