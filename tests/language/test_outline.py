"""Outline, folds, colours, and tidy text as edits."""

from __future__ import annotations

from shlo.ir.source import Span
from shlo.language import Document
from shlo.language.folding import folds
from shlo.language.formatting import format_document, format_range
from shlo.language.symbols import OutlineItem, outline
from shlo.language.tokens import semantic_tokens
from shlo.syntax import format_text
from tests.language.programs import BROKEN, JUMP, LOOP, PROGRAM, at


def names(items: tuple[OutlineItem, ...] | list[OutlineItem]) -> list[object]:
    return [(item.name, names(item.children)) if item.children else item.name for item in items]


def test_the_outline_has_functions_and_results():
    found = outline(Document(PROGRAM))
    assert names(found) == [("@loop", ["%0", ("%w:2", ["%c", "%p", "%1"]), "%2"]), "@jump"]
    assert (found[0].kind, found[1].detail) == ("function", "(tensor<2xf32>) -> tensor<2xf32>")


def test_the_outline_of_a_split_and_broken_text():
    document = Document(f"module @m {{\n{JUMP}}}\n// -----\n{BROKEN}")
    assert names(outline(document)) == [
        ("program 1", [("@m", ["@jump"])]),
        ("program 2", [("@broken", ["%0", "%1", "%2"])]),
    ]
    item = outline(document)[1].children[0]
    assert document.text[slice(*item.name_span)] == "@broken"


def test_folds():
    big = f"%big = stablehlo.constant dense<[{', '.join(['1'] * 60)}]> : tensor<60xi32>\n"
    document = Document(f'{JUMP}{big}#loc1 = loc("a")\n#loc2 = loc("b")\n#loc3 = loc(unknown)\n')
    found = {fold.kind: document.text[slice(*fold.span)] for fold in folds(document)}
    assert set(found) == {"region", "constant", "locations"}
    assert found["region"].endswith("return %q : tensor<2xf32>\n")
    assert found["constant"].startswith("[1, 1")
    assert found["locations"].count("\n") == 2


def test_colours_of_a_line_are_those_of_the_whole():
    document = Document(f"{BROKEN}// -----\n{PROGRAM}")
    whole = list(semantic_tokens(document))
    place = at(document, "%p = ")
    line = list(semantic_tokens(document, Span(place, place + 1)))
    assert line
    assert [token for token in whole if line[0].span.start <= token.span.start <= line[-1].span.start] == line
    kinds = [(document.text[slice(*token.span)], token.kind, sorted(token.modifiers)) for token in line]
    assert kinds[:4] == [
        ("%p", "variable", ["definition"]),
        ("stablehlo.compare", "operation", ["defaultLibrary"]),
        ("LT", "enumMember", []),
        ("%i", "variable", []),
    ]
    assert ("2x", "number") in {(document.text[slice(*token.span)], token.kind) for token in whole}


def test_an_operation_in_generic_form_is_no_string():
    document = Document(
        '%x = "stablehlo.abs"(%a) {m = "text"} : (tensor<f32>) -> tensor<f32>\n"my.op"() : () -> ()'
    )
    words = {document.text[slice(*token.span)]: token for token in semantic_tokens(document)}
    assert [words[word].kind for word in ('"stablehlo.abs"', '"my.op"', '"text"')] == ["operation"] * 2 + [
        "string"
    ]
    assert words['"stablehlo.abs"'].modifiers == {"defaultLibrary"}


def test_formatting_keeps_comments_and_leaves_tidy_lines_alone():
    tidy = format_text(PROGRAM)
    document = Document(tidy.replace("%0 = stablehlo.add %a, %a :", "%0   = stablehlo.add %a,%a:"))
    edits = format_document(document)
    assert len(edits) == 1
    assert document.edit(reversed(edits)).text == tidy
    assert "// 😀 %a" in edits[0].text


def test_a_range_is_formatted_alone_and_a_broken_part_stays():
    untidy = JUMP.replace("  return", "       return").replace("  cf.br", "     cf.br")
    document = Document(f"{BROKEN}// -----\n{untidy}")
    place = at(document, "cf.br")
    edits = format_range(document, Span(place, place + 1))
    assert [edit.text for edit in edits] == ["  cf.br ^end(%a : tensor<2xf32>)\n"]
    after = document.edit(reversed(format_document(document)))
    assert after.text == f"{BROKEN}// -----\n{JUMP}"


def test_a_text_with_carriage_returns_is_tidy_with_them():
    document = Document(LOOP.replace("\n", "\r\n").replace("%a, %a", "%a,%a"))
    text = document.edit(reversed(format_document(document))).text
    assert text == format_text(LOOP).replace("\n", "\r\n")
