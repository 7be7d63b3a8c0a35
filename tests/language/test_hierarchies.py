"""Who calls whom, what values are made from, and where programs came from: in good text and in broken."""

from __future__ import annotations

import pytest

from shlo.language import Document
from shlo.language.hierarchies.calls import callables_at, incoming_calls, outgoing_calls
from shlo.language.hierarchies.values import consumers, nodes_at, producers
from shlo.language.navigation import highlights, implementations, type_definition
from shlo.language.source_lines import counts_of_file, links, operations_of_line, origin_around, place_at
from tests.language.programs import JUMP, LOOP, PROGRAM, TRACED, at, words

BROKEN_CALL = TRACED.replace("%2 = call @helper(%1#1) :", "%2 = call @helper(%1#1 :")
SPLIT = f"{JUMP}// -----\n{TRACED}"


@pytest.mark.parametrize("text", [TRACED, BROKEN_CALL, SPLIT], ids=["good", "broken", "split"])
def test_calls_of_functions_composites_and_bodies(text: str):
    document = Document(text)
    found = {
        name: (
            [
                (call.other.name, words(document, list(call.spans)))
                for call in incoming_calls(document, offset)
            ],
            [
                (call.other.name, words(document, list(call.spans)))
                for call in outgoing_calls(document, offset)
            ],
        )
        for name in ("@main", "@helper", "@impl")
        for offset in [at(document, f"{name}(%{'arg0' if name == '@main' else 'x'}: ")]
    }
    assert found == {
        "@main": ([], [("@helper", ["@helper"]), ("@impl", ["@impl"])]),
        "@helper": ([("@main", ["@helper"]), ("@impl", ["@helper"])], [("@impl", ["@impl"])]),
        "@impl": ([("@main", ["@impl"]), ("@helper", ["@impl"])], [("@helper", ["@helper"])]),
    }


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        ("@helper(%1", ["@helper"]),
        ("stablehlo.composite", ["@impl"]),
        ("stablehlo.custom_call", ["@helper"]),
        ("func.func private @impl", ["@impl"]),
        ("%0 = stablehlo.add", []),
    ],
)
def test_what_a_call_hierarchy_starts_from(place: str, expected: list[str]):
    document = Document(TRACED)
    assert [each.name for each in callables_at(document, at(document, place, 1))] == expected
    if "composite" in place or "custom" in place:
        assert words(document, implementations(document, at(document, place, 1))) == expected


@pytest.mark.parametrize(
    ("text", "place", "up", "down"),
    [
        (TRACED, "%0 = ", ["%arg0", "%arg1"], ["%1"]),
        (TRACED, "%1#1", ["%0", "%arg0", "%c", "%k", "%i"], ["%2"]),  # a loop: its operands, what it returns
        (TRACED, "%x: ", ["%1"], ["%0"]),  # an argument: what the caller passes
        (TRACED, "%k = ", ["%i", "%j"], ["stablehlo.return"]),
        (TRACED, "stablehlo.return %k", ["%k", "%i"], ["%1"]),
        (TRACED, "call @helper", ["%1"], ["%3"]),
        (LOOP, "%i = ", ["%n", "%i"], ["%p", "stablehlo.return"]),
        (JUMP, "%q:", ["%a"], ["func.return"]),
        (
            TRACED.replace("%arg1 : tensor<2xf32> loc", "%arg1 tensor<2xf32> loc"),
            "%0 = ",
            ["%arg0", "%arg1"],
            ["%1"],
        ),
    ],
)
def test_what_values_are_made_from_and_what_is_made_from_them(
    text: str, place: str, up: list[str], down: list[str]
):
    document = Document(text)
    offset = at(document, place)
    assert [node.name for node in producers(document, offset)] == up
    assert [node.name for node in consumers(document, offset)] == down
    (node,) = nodes_at(document, offset)
    assert nodes_at(document, node.name_span.start) == [node]


def test_a_value_of_a_hierarchy_says_what_it_is():
    document = Document(TRACED)
    details = [nodes_at(document, at(document, name))[0].detail for name in ("%2 = ", "%arg0:", "%i:")]
    assert details == [
        "func.call: tensor<2xf32>",
        "params['w'] argument of func.func: tensor<2xf32>",
        "argument of stablehlo.while: tensor<2xf32>",
    ]


def test_the_type_of_a_value_is_where_it_is_written_first():
    document = Document(TRACED)
    lines = {
        place: document.source.line_of(span.start)
        for place in ("%arg0, %arg1 :", "%0, %arg0) (", "%1#1", "%k, %i")
        if (span := type_definition(document, at(document, place)))
    }
    assert lines == {"%arg0, %arg1 :": 1, "%0, %arg0) (": 5, "%1#1": 14, "%k, %i": 12}


@pytest.mark.parametrize(
    ("text", "place", "expected"),
    [
        (TRACED, "func.func public", ["func.func", "return"]),
        (TRACED, "return %3", ["func.func", "return"]),
        (TRACED, "tensor<i1>", ["tensor"]),  # else editors would mark all equal words
        (PROGRAM, "stablehlo.while", ["stablehlo.while", "stablehlo.return", "stablehlo.return"]),
        (PROGRAM, "%p = ", ["%p", "%p"]),
    ],
)
def test_what_is_marked(text: str, place: str, expected: list[str]):
    document = Document(text)
    assert words(document, [each.span for each in highlights(document, at(document, place, 2))]) == expected


@pytest.mark.parametrize(
    ("place", "lines", "scope"),
    [
        ("#loc5)", [("model.py", 3, "attn"), ("train.py", 30, "")], "jit(f)/layer_1"),
        ("stablehlo.add", [("model.py", 3, "attn"), ("train.py", 30, "")], "jit(f)/layer_1"),
        ("#loc6)", [("a.py", 1, "g"), ("train.py", 30, "")], "jit(f)/layer_2"),
        ("train.py", [("train.py", 30, "")], ""),  # one end of a location alone
        ("loc(callsite(#loc2", [("model.py", 3, "attn"), ("train.py", 30, "")], ""),
    ],
)
@pytest.mark.parametrize("broken", [False, True])
def test_locations_lead_to_lines_of_python(
    place: str, lines: list[tuple[str, int, str]], scope: str, broken: bool
):
    document = Document(TRACED.replace("return %3 :", "return %3 %") if broken else TRACED)
    found = place_at(document, at(document, place, 1))
    assert found
    assert [(line.file, line.line, line.function) for line in found.origin.lines] == lines
    assert found.origin.scope == scope


def test_a_line_of_python_leads_to_its_operations():
    document = Document(SPLIT)
    found = operations_of_line(document, "/home/me/train.py", 30)
    assert [document.text[slice(*each.span)][:4] for each in found] == ["%0 =", "%2 ="]
    assert [each.scope for each in found] == ["jit(f)/layer_1", "jit(f)/layer_2"]
    assert counts_of_file(document, "model.py") == {3: 1}
    assert counts_of_file(document, "del.py") == {}
    assert [(link.line.file, link.line.line) for link in links(document.text)][1:] == [
        ("train.py", 30),
        ("a.py", 1),
    ]


@pytest.mark.parametrize("body", ["{\n", "{\n}\n", "\n", "{\n^a:\n}\n"])
def test_an_argument_that_only_a_broken_text_names_has_no_producers(body: str):
    text = f"func.func @f(%a: tensor<2xf32>) -> ^x {body}func.func @g() {{\n  return\n}}\n"
    for offset in range(len(text)):
        assert producers(Document(text), offset) == []
        assert origin_around(Document(text), offset).lines == ()
