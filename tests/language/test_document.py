"""Documents: editions, parts, positions, findings."""

from __future__ import annotations

import re
from collections.abc import Iterable

import pytest

from shlo.ir.locations import FileLocation, Location, resolve
from shlo.ir.source import Span
from shlo.language import Document, Edit
from shlo.language.completion.items import complete
from shlo.language.diagnostics import diagnostics
from shlo.language.navigation import definition, highlights, references
from tests.language.programs import BROKEN, JUMP, LOOP, PROGRAM, at
from tests.syntax.parse_results import seen


def test_each_part_has_findings_of_its_own():
    document = Document(f"{BROKEN}// -----\n{JUMP}// -----\n{BROKEN}")
    assert len(document.parts) == 3
    found = diagnostics(document)
    second = [finding for finding in found if finding.span.start >= document.parts[2].start]
    assert len(found) == 2 * len(second) == 4
    assert [document.text[slice(*finding.span)] for finding in second] == [")", "stablehlo.bogus"]


def test_an_edit_gives_a_new_document_and_keeps_other_parts():
    document = Document(f"{LOOP}// -----\n{JUMP}")
    kept = document.parts[1].module
    place = at(document, "%0 = ")
    after = document.edit([Edit(Span(place, place + 2), "%sum"), Edit(Span(0, 2), "// more:")])
    assert (after.version, document.version) == (1, 0)
    assert after.text.startswith("// more: née")
    assert after.parts[1].module is kept
    found = [finding.message for finding in diagnostics(after)]
    assert found == ["use of undeclared value '%0'", "there is no function @jump in the module"]


def test_the_repr_of_a_document_is_brief():
    document = Document(LOOP, "loop.mlir").edit([Edit(None, "x" * 1_200)])
    assert repr(document) == "<Document loop.mlir, version 1, 1,200 characters>"


def test_an_alias_that_changes_changes_the_lines_that_use_it():
    text = (
        "#one = dense<1.0> : tensor<2xf32>\nfunc.func @f() {\n  %0 = stablehlo.constant #one\n  return\n}\n"
    )
    document = Document(text)
    assert not diagnostics(document)
    after = document.edit([Edit(Span(1, 4), "two")])
    assert [after.text[slice(*finding.span)] for finding in diagnostics(after)] == ["#one"]


@pytest.mark.parametrize(
    "definition",
    [
        "tuple<\n  tensor<f32>>",
        "\n  tensor<f32>",
        'memref<f32, "]">\n',
        "(f32) -> (\n\n  f32)",
        "(f32) ->\n f32",
        "(f32)\n -> f32",
        "(f32) -> // x\n f32",
        "tensor\n<f32>",
        "complex\n<f32>",
    ],
)
def test_an_alias_on_several_lines_that_changes_changes_the_lines_that_use_it(definition: str):
    body = '  %0 = "e.f"(%a) : (!t) -> !t\n  %1 = "e.f"(%0) : (!t) -> !t\n  return %1 : !t\n'
    text = f"!t = {definition}\nfunc.func @f(%a: !t) -> !t {{\n{body}}}\n"
    document, place = Document(text), text.rindex("f32", 0, text.index("func"))
    assert not diagnostics(document)
    for old, new in (("f32", "f64"), ("f64", "f32")):
        document = document.edit([Edit(Span(place, place + len(old)), new)])
        assert seen(document.parts[0].reading) == seen(Document(document.text).parts[0].reading)


@pytest.mark.parametrize(
    ("definition", "old", "new"),
    [
        ("= dense<0> :\n  tensor<2xi32>", "2xi32", "3xi32"),
        ("= dense<0>\n : tensor<2xi32>", "2xi32", "3xi32"),
        ("= dense<0> :\n #b\n", "#b", "i32"),
        ("= 1 :\n i32", "i32", "i64"),
        ("= 1\n : i32", "1", "2"),
        ("\n= 1 : i32", "1", "2"),
        ("= 1 : i32 #b = 2 : i32", "2", "3"),
        ("= 0.0 : f32", "0.0", "-0.0"),
        ('= loc("f":1:2)', "1:2", "1:3"),
    ],
)
def test_lines_that_use_an_attribute_alias_are_read_as_it_is_defined_now(definition: str, old: str, new: str):
    line = '"e.f"() {x = #a} : () -> ()\n'
    text = f"#a {definition}\nfunc.func @f() {{\n  {line}  {line}  return\n}}\n"
    document, place = Document(text), text.index(old)
    diagnostics(document)
    after = document.edit([Edit(Span(place, place + len(old)), new)])
    assert seen(after.parts[0].reading) == seen(Document(after.text).parts[0].reading)
    before = after.edit([Edit(Span(place, place + len(new)), old)])
    assert seen(before.parts[0].reading) == seen(Document(text).parts[0].reading)


def test_lines_with_a_location_for_an_attribute_are_read_as_it_is_defined_now():
    line = '"e.f"() {x = loc(#a)} : () -> ()\n'
    text = f'#a = loc("f":1:2)\nfunc.func @f() {{\n  {line}  {line}  return\n}}\n'
    document, place = Document(text), text.index("1:2")
    assert not diagnostics(document)
    [part] = document.edit([Edit(Span(place, place + 3), "1:3")]).parts
    used = [each.signature.attributes["x"] for each, _ in part.module.walk() if each.name == "e.f"]
    assert [resolve(each) for each in used if isinstance(each, Location)] == [FileLocation("f", 1, 3)] * 2


def test_lines_that_use_an_alias_which_another_one_defines_are_read_as_that_is_now():
    text = (
        "!e = tensor<2xf32>\n!t = tuple<!e>\nfunc.func @f(%a: !t) {\n"
        '  %0 = "e.f"(%a) : (!t) -> !t\n  %1 = "e.f"(%0) : (!t) -> !t\n  return\n}\n'
    )
    document = Document(text)
    assert not diagnostics(document)
    after = document.edit([Edit(Span(text.index("2xf32"), text.index("xf32")), "3")])
    assert seen(after.parts[0].reading) == seen(Document(after.text).parts[0].reading)


def test_a_line_whose_alias_an_edit_elsewhere_leaves_undefined_is_broken():
    function = 'func.func @f() {\n  "e.f"() {x = #a} : () -> ()\n  return\n}\n'
    text = f"func.func @g() {{\n  return\n}}\n#a = 1 : i32\n{function}"
    for start, end, new in ((text.index("}"), text.index("}") + 1, ""), (0, 0, function)):
        document = Document(text)
        assert not diagnostics(document)
        after = document.edit([Edit(Span(start, end), new)])
        assert diagnostics(after)
        assert seen(after.parts[0].reading) == seen(Document(after.text).parts[0].reading)


def test_a_value_of_a_block_that_an_edit_leaves_nothing_of_is_unknown_in_the_next_block():
    document = Document(
        'func.func @f() {\n  %0 = "e.f"() : () -> i1\n^bb1:\n  "e.g"(%0) : (i1) -> ()\n  return\n}\n'
    )
    assert document.parts[0].module is not None
    place = document.text.index("  %0")
    after = document.edit([Edit(Span(place, place), "%0")])
    assert seen(after.parts[0].reading) == seen(Document(after.text).parts[0].reading)


def test_an_argument_that_an_edit_makes_unknown_is_so_as_in_a_fresh_reading():
    text = "func.func%arg0:{\n%0=stablehlo.convert%arg0:(tensor<2xf32>)->tensor<2xf8E3M4>\n"
    for place in [match.start() for match in re.finditer("ensor", text)]:
        document = Document(text)
        assert diagnostics(document)
        after = document.edit([Edit(Span(place, place + 5), "}")])
        fresh = Document(after.text)
        for match in re.finditer("%arg0", after.text):
            for feature in (definition, references, highlights, complete):
                assert list_of(feature(after, match.end())) == list_of(feature(fresh, match.end()))


def list_of(answer: object) -> object:
    return [*answer] if isinstance(answer, Iterable) else answer


@pytest.mark.parametrize("text", ["", "\n", "// -----", "// -----\n// -----\n", "}", "{", "%", "func.func @"])
def test_every_feature_survives_a_stump(text: str):
    from shlo.language import folding, formatting, navigation, tokens
    from shlo.language.completion import items as completion
    from shlo.language.completion import signature
    from shlo.language.hints import hints
    from shlo.language.hover import hover
    from shlo.language.outline.outline import outline

    document = Document(text)
    for offset in range(len(text) + 1):
        for answer in (hover.hover, completion.complete, navigation.references, signature.signature_help):
            answer(document, offset)
    for whole in (folding.folds, hints, outline, formatting.format_document):
        whole(document)
    list(tokens.semantic_tokens(document))


def test_every_feature_survives_every_prefix_of_a_program():
    from shlo.language.completion.items import complete
    from shlo.language.completion.signature import signature_help
    from shlo.language.folding import folds
    from shlo.language.hints import hints
    from shlo.language.hover.hover import hover
    from shlo.language.navigation import references

    for end in range(0, len(PROGRAM), 13):
        document = Document(PROGRAM[:end])
        for answer in (hover, complete, references, signature_help):
            answer(document, end)
        folds(document)
        hints(document)


def test_a_result_that_an_edit_defines_before_a_region_is_defined_twice_inside():
    text = (
        "func.func @f(%a: tensor<i32>) {\n"
        "  %x = e.while(%a) {\n"
        "    %0 = stablehlo.add %a, %a : tensor<i32>\n"
        "    %x = stablehlo.add %a, %a : tensor<i32>\n"
        "  }\n  return\n}\n"
    )
    place = text.index(".while")
    document = Document(text)
    assert document.parts[0].diagnostics
    document = document.edit([Edit(Span(place, place), "\no")])
    assert seen(document.parts[0].reading) == seen(Document(document.text).parts[0].reading)
