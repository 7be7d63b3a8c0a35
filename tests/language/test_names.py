"""Definitions, uses and new names of values, labels, symbols and aliases."""

from __future__ import annotations

import re

import pytest

from shlo.language import Document
from shlo.language.navigation import definition, references, target_at
from shlo.language.rename import RenameError, rename, renameable
from shlo.syntax.lexer.tokens import tokens
from tests.language.programs import BROKEN, JUMP, LOOP, PROGRAM, at


def uses(document: Document, offset: int) -> list[tuple[int, str]]:
    """Returns the lines, from 1, and the names at which a name stands."""
    found = references(document, offset)
    return [(document.source.line_of(each.span.start), document.text[slice(*each.span)]) for each in found]


def test_a_loops_argument_is_one_name_in_both_regions():
    document = Document(PROGRAM)
    expected = [(4, "%i"), (7, "%i"), (11, "%i")]
    assert uses(document, at(document, "%i = ")) == expected
    assert uses(document, at(document, "LT, %i", 4)) == expected


def test_a_pack_is_one_name_whatever_the_number():
    document = Document(PROGRAM)
    assert uses(document, at(document, "%w#1", 3)) == [(4, "%w"), (13, "%w")]
    assert definition(document, at(document, "%w#1")) == (at(document, "%w:2"), at(document, ":2"))


def test_a_function_has_its_own_names():
    document = Document(PROGRAM)
    assert uses(document, at(document, "^end(%a", 5)) == [(17, "%a"), (18, "%a")]


def test_labels_and_symbols():
    document = Document(PROGRAM)
    assert uses(document, at(document, "^end")) == [(18, "^end"), (19, "^end")]
    assert uses(document, at(document, "@jump(%w")) == [(13, "@jump"), (17, "@jump")]


def test_symbols_of_nested_modules_are_apart():
    text = (
        "module @m {\n  func.func @f() { return }\n}\nfunc.func @f() {\n  call @f() : () -> ()\n  return\n}\n"
    )
    document = Document(text)
    assert uses(document, at(document, "call @f", 5)) == [(4, "@f"), (5, "@f")]


def test_aliases_leave_strings_and_longer_names_alone():
    text = (
        '!t = tensor<2xf32>\n!t2 = tensor<i1>\nfunc.func @f(%a: !t {x.y = "!t"}, %b: !t2) { return } // !t\n'
    )
    document = Document(text)
    assert uses(document, 0) == [(1, "!t"), (3, "!t")]


def test_names_in_and_around_a_broken_operation():
    document = Document(BROKEN)
    assert uses(document, at(document, "%b")) == [(1, "%b"), (3, "%b"), (4, "%b")]
    assert uses(document, at(document, "%0 = ")) == [(2, "%0"), (3, "%0")]
    assert uses(document, at(document, "%1, ")) == [(3, "%1"), (4, "%1")]


@pytest.mark.parametrize("text", [PROGRAM, BROKEN, f"{BROKEN}// -----\n{LOOP}// -----\n{JUMP}"])
def test_every_name_is_among_its_own_uses(text: str):
    document = Document(text)
    names = [token for token in tokens(text) if token.kind in ("value", "label")]
    for token in names:
        assert target_at(document, token.span.start), token
        spans = [each.span for each in references(document, token.span.end)]
        assert token.span.start in [span.start for span in spans], token


def renamed(document: Document, offset: int, name: str) -> str:
    return document.edit(reversed(rename(document, offset, name))).text


def test_renaming_edits_every_use_and_nothing_else():
    document = Document(PROGRAM)
    text = renamed(document, at(document, "%0 = "), "%sum")
    assert text == PROGRAM.replace("%0", "%sum")
    pack = renamed(document, at(document, "%w#1"), "both")
    assert pack == PROGRAM.replace("%w:2", "%both:2").replace("%w#1", "%both#1")
    symbol = renamed(document, at(document, "@jump"), "to the end")
    assert symbol == PROGRAM.replace("@jump", '@"to the end"')
    assert renameable(document, at(document, "stablehlo.add")) is None


def test_renaming_works_in_a_broken_text():
    document = Document(BROKEN)
    assert renamed(document, at(document, "%b"), "bias") == BROKEN.replace("%b,", "%bias,").replace(
        "%b:", "%bias:"
    ).replace("%b ", "%bias ")


@pytest.mark.parametrize(
    ("name", "new_name", "reason"),
    [
        ("%0 = ", "a", "redefinition"),
        ("%a:", "p", "redefinition"),
        ("%0 = ", "1 2", "no name"),
        ("%0 = ", "", "no name"),
        ("@jump", "loop", "another symbol"),
        ("^end", "", "no name"),
        ("stablehlo.add", "x", "nothing to rename"),
    ],
)
def test_names_that_cannot_be_given(name: str, new_name: str, reason: str):
    document = Document(PROGRAM)
    with pytest.raises(RenameError, match=reason):
        rename(document, at(document, name), new_name)


def test_a_name_that_nothing_defines_has_an_answer_in_text_with_stray_braces():
    for text in ("func{\n{\n}\n}\n%0=", "func{\n{\n%0=\n}\n}\n%0="):
        document = Document(text)
        for match in re.finditer("%0", text):
            assert all(each.span.end <= len(text) for each in references(document, match.start() + 1))
