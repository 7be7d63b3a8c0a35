"""Outline, folds, colours, and tidy text as edits."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from lsprotocol import types

from shlo.ir.source import Span
from shlo.language import Document, Edit, chunks
from shlo.language.folding import folds
from shlo.language.formatting import format_document, format_range
from shlo.language.outline import groups
from shlo.language.outline import outline as outline_module
from shlo.language.outline.items import Inside, Items, OutlineItem
from shlo.language.outline.outline import MAX_RESULTS, OutlineBy, outline
from shlo.language.tokens import semantic_tokens
from shlo.language.unused import unused_values
from shlo.syntax import format_text
from shlo_lsp.documents import Edition
from shlo_lsp.features.outline import document_symbols
from shlo_lsp.positions import Lines
from shlo_lsp.protocol import Json
from shlo_lsp.settings import Settings
from shlo_lsp.view import Client, View
from tests.language.programs import BROKEN, JUMP, LOOP, PROGRAM, TRACED, at


def names(items: Sequence[OutlineItem]) -> list[object]:
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


def test_the_outline_has_scopes_of_the_name_stack_and_names_of_arguments():
    document = Document(TRACED)
    layers = [("layer_1", ["%0", ("%1:2", ["%c", "%k"])]), ("layer_2", ["%2", "%3"])]
    main = outline(document)[0].children[0]
    assert names(main.children) == ["%arg0", ("jit(f)", layers)]
    assert (main.children[0].detail, main.children[1].kind) == ("params['w']: tensor<2xf32>", "scope")
    by_operation = outline(document, "operations")[0].children[0]
    assert names(by_operation.children) == ["%arg0", "%0", ("%1:2", ["%c", "%k"]), "%2", "%3"]
    assert names(outline(Document(TRACED.replace("return %3 :", "return %3 %")))[0].children[:1]) == names(
        [main]
    )


@pytest.mark.parametrize(
    ("old", "new"),
    [("add %arg0, %arg1", "add %arg0 %arg1"), ("call @helper", "call helper"), (":3:4)", ":3:)")],
)
def test_what_is_broken_stays_in_its_scope(old: str, new: str):
    before, after = (outline(Document(text)) for text in (TRACED, TRACED.replace(old, new)))
    assert names(after) == names(before)


def test_a_long_outline_says_what_it_leaves_out():
    line = "  stablehlo.add %arg0, %arg0 : tensor<2xf32>\n"
    count = MAX_RESULTS + 1_500
    text = "".join(line.replace("  stab", f"  %{number} = stab") for number in range(count))
    document = Document(f"{JUMP}// -----\nfunc.func @f(%arg0: tensor<2xf32>) {{\n{text}  return\n}}\n")
    pages = outline(document)[1].children[0].children[-2:]
    assert [page.detail for page in pages] == ["1,000 operations", "500 operations"]
    first = document.source.line_of(at(document, f"%{MAX_RESULTS} ="))
    assert pages[0].name == f"lines {first:,} to {first + 999:,}"
    assert document.text[slice(*pages[1].span)].startswith(f"%{MAX_RESULTS + 1000} =")


def test_what_is_inside_of_a_function_that_did_not_change_is_kept():
    text = f"module @m {{\n{LOOP}{JUMP}}}\n"
    document = Document(text)
    kept = inside(outline(document))
    for old, new in (
        ("stablehlo.add", "stablehlo.subtract"),
        ("tract %", "tract\n %"),
        ("module", "// a\nmodule"),
    ):
        start = document.text.index(old)
        document = document.edit([Edit(Span(start, start + len(old)), new)])
        assert outline(document) == outline(Document(document.text))
        if old != "module":  # else the text is read anew
            assert inside(outline(document))["@jump"] is kept["@jump"]
            assert inside(outline(document))["@loop"] is not kept["@loop"]
    assert outline(document, "operations") == outline(Document(document.text), "operations")


NOTES = ("note", "nöte")
"""A comment, and one with more bytes than characters."""


@pytest.mark.parametrize("seed", range(14, 20))
def test_what_is_kept_of_a_function_is_as_a_fresh_reading_has_it(monkeypatch: pytest.MonkeyPatch, seed: int):
    monkeypatch.setattr(chunks, "SIZE", 2)
    monkeypatch.setattr(outline_module, "MAX_RESULTS", 30)
    monkeypatch.setattr(groups, "PAGE", 4)
    chance, numbers = random.Random(seed), itertools.count()
    scopes = ["one", "one/two", "one/two/three", "one/four", "five/two"]
    result = '  %{} = stablehlo.abs %a : tensor<f32> loc("jit(f)/{}/abs")'
    body_of_one = "({{  // {}\n    %{} = stablehlo.abs %a : tensor<f32>{}\n  }}) : () -> {} loc(#h)"

    def line() -> str:
        """Returns a result, an operation with others inside, or what is in no scope."""
        number, inner, note = next(numbers), next(numbers), chance.choice(NOTES)
        scope = ' loc("jit(f)/one/two/h/abs")' if inner % 3 == 1 else ""
        return chance.choice(
            [
                *(result.format(number, each) for each in scopes),
                *[f'  %{number} = "e.h"() {body_of_one.format(note, inner, scope, "i1")}'] * 3,
                *[f'  "e.i"() {body_of_one.format(note, inner, scope, "()")}'] * 3,
                *[f"  %{number} = stablehlo.abs %a : tensor<f32>"] * 3,
                f'  %{number}:2 = "e.f"() : () -> (i1, i1) loc("jit(f)/five/f")',
                "  ? broken",
            ]
        )

    body = [result.format(next(numbers), each) for each in scopes * 3 for _ in range(chance.randrange(2, 7))]
    document, memory, kept = Document(program_of(body)), {}, 0
    for number in range(130):
        before = {id(each) for each in scope_entries(outline(document)).values()}
        place = chance.randrange(len(body))
        match chance.choice(("line", "line", "insert", "delete", "move", "text", "text", "text")):
            case "line":
                body[place] = line()
            case "insert":
                body.insert(place, line())
            case "delete":
                del body[place]
            case "move":
                body.insert(chance.randrange(len(body)), body.pop(place))
            case _:  # places of lines, and names, change while offsets stay, or the other way round
                old, new = chance.choice(
                    (
                        *((f"  // {note}", f"\n{' ' * (4 + len(note))}") for note in NOTES),
                        ("})", "}) "),
                        ("\n    %", "\n    %1"),
                        (".abs", ".log"),
                        ("  %1", "  %x"),
                    )
                )
                places = [index for index, each in enumerate(body) if old in each]
                if places:
                    place = chance.choice(places)
                    body[place] = body[place].replace(old, new, 1)
        document = document.edit([Edit(None, program_of(body))])
        fresh = Document(document.text)
        assert outline(document) == outline(fresh), number
        assert symbols_json(document, memory) == symbols_json(fresh, {}), number
        kept += sum(id(each) in before for each in scope_entries(outline(document)).values())
    assert kept > 65


KEPT = """\
#h = loc("jit(f)/one/two/h")
module @m {
  func.func @g(%a: tensor<f32> loc("x")) -> tensor<f32> {
    %c = "e.j"() ({ "e.k"() : () -> () }) : () -> i1
    %0 = stablehlo.abs %a : tensor<f32> loc("jit(g)/one/abs")
    %1 = stablehlo.abs %a : tensor<f32>
    return %0 : tensor<f32>
  }
  func.func @f(%a: tensor<f32> loc("x"), %b: tensor<f32>) {
    %0 = stablehlo.abs %a : tensor<f32> loc("jit(f)/one/abs")
    %1 = stablehlo.abs %a : tensor<f32>
    %2 = stablehlo.abs %a : tensor<f32> loc("jit(f)/one/two/abs")  // note
    %3 = stablehlo.abs %a : tensor<f32> loc("jit(f)/one/two/log")
    %4 = "e.h"() ({  // note
      %5 = stablehlo.abs %a : tensor<f32>
      %6 = stablehlo.abs %a : tensor<f32> loc("jit(f)/one/two/h/abs")
    }) : () -> i1 loc(#h)
    %7 = stablehlo.abs %a : tensor<f32> loc("jit(f)/one/two/abs")
    "e.i"() ({
      %8 = stablehlo.abs %a : tensor<f32> loc("jit(f)/one/two/h/abs")
    }) : () -> () loc("jit(f)/six/two/h")
    %9 = stablehlo.abs %a : tensor<f32> loc("jit(f)/six/two/abs")
    %11 = stablehlo.abs %a : tensor<f32> loc("jit(f)/one/two/abs")
    %12 = stablehlo.abs %a : tensor<f32> loc("jit(f)/one/abs")
    %10 = stablehlo.reduce(%a init: %b) applies stablehlo.add across dimensions = [] : (tensor<f32>, tensor<f32>) -> tensor<f32>
    return
  }
}
"""
OF_ONE_LENGTH = (
    ("abs %", "log %"),
    ("/one", "/six"),
    ("/six", "/one"),
    ("/two", "/ten"),
    ("  %", "%  "),
    ("%0", "%c"),
    ("%10 =", "%cc ="),
    ("#h)", "#g)"),
    ("#h =", "#g ="),
    ('"x"', '"y"'),
    ("@g", "@k"),
    ("%b:", "%d:"),
    ("f32> {", "f64> {"),
    ('"e.', '"d.'),
    ("i1 loc", "i8 loc"),
    ("  // note", f"\n{' ' * 8}"),
)
"""What a line of `KEPT` has, and another text of its length."""


def edits_of(text: str) -> Iterator[tuple[Span, str]]:
    """Yields stretches of a text and what is put there: each line is left out, written three times, put behind
    each of the next five, and written anew with as many characters or one more."""
    lines = text.splitlines(keepends=True)
    starts = [*itertools.accumulate(map(len, lines), initial=0)]
    for number, line in enumerate(lines):
        start, end = starts[number : number + 2]
        yield Span(start, end), ""
        yield Span(end, end), 2 * line
        for last in starts[number + 2 : number + 7]:
            yield Span(start, last), text[end:last] + line
        for old, new in OF_ONE_LENGTH:
            if old in line:
                at = start + line.index(old)
                yield Span(at, at + len(old)), new
                yield Span(at, at), " "


@pytest.mark.parametrize("part", range(4))
@pytest.mark.parametrize(("by", "shown"), [("scopes", 30), ("scopes", 7), ("operations", 7)])
def test_after_every_small_edit_and_back_what_is_kept_is_that_of_a_fresh_reading(
    monkeypatch: pytest.MonkeyPatch, by: OutlineBy, shown: int, part: int
):
    monkeypatch.setattr(chunks, "SIZE", 2)
    monkeypatch.setattr(groups, "PAGE", 2)
    monkeypatch.setattr(outline_module, "MAX_RESULTS", shown)
    document, memory = Document(KEPT), {}
    for (start, end), new in itertools.islice(edits_of(KEPT), part, None, 4):
        edited = KEPT[:start] + new + KEPT[end:]
        back = Edit(Span(start, start + len(new)), KEPT[start:end])
        for edit, text in ((Edit(Span(start, end), new), edited), (back, KEPT)):
            document, fresh = document.edit([edit]), Document(text)
            assert outline(document, by) == outline(fresh, by), edit
            assert symbols_json(document, memory, by) == symbols_json(fresh, {}, by), edit
            assert folds(document) == folds(fresh), edit
            assert [*map(unused_values, document.parts)] == [*map(unused_values, fresh.parts)], edit


def test_scopes_and_operations_are_asked_for_in_turns():
    text = f'%0 = stablehlo.constant {{n = 1 : i32}} dense<1.0> : tensor<f32> loc("a/b/c")\n{KEPT}'
    for document in (Document(KEPT), Document(text)):
        for by in ("scopes", "operations", "scopes", "operations"):
            assert outline(document, by) == outline(Document(document.text), by)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('#x = loc("p[0]")\n{}', '#x = loc("q[1]")\n{}'),  # no alias that a reading depends on
        ("!t =\n tensor<f32>\n{}", "!t =\n tensor<f64>\n{}"),
    ],
)
def test_arguments_are_those_of_a_header_that_means_something_else(before: str, after: str):
    function = 'func.func @f(%a: {} loc({})) {{\n  %0 = "e.f"() : () -> i1\n  return\n}}\n'
    function = function.format(*(("tensor<f32>", "#x") if "#x" in before else ("!t", '"p[0]"')))
    document = Document(before.format(function))
    [argument, _] = outline(document)[0].children
    assert argument.detail == "p[0]: tensor<f32>"
    document = document.edit([Edit(None, after.format(function))])
    assert outline(document) == outline(Document(document.text))


def test_scopes_that_an_edit_is_not_in_are_kept():
    scopes = [
        f"layer_{layer}/{part}" for layer in range(40) for part in ("mlp", "attention") for _ in range(20)
    ]
    line = '  %{} = stablehlo.add %a, %a : tensor<f32> loc("jit(f)/{}/add")'
    inside = f'  %{{}} = "e.h"() ({{{{\n  {line.format("x", "h")}\n  }}}}) : () -> i1 loc("jit(f)/{{}}/h")'
    lines = [inside if number % 20 == 7 else line for number in range(len(scopes))]
    document = Document(program_of([line.format(*each) for line, each in zip(lines, enumerate(scopes))]))
    kept = scope_entries(outline(document))
    place = at(document, "  %810 =")  # in the middle of layer 20
    document = document.edit([Edit(Span(place, place), "  // all behind it is moved\n")])
    now = scope_entries(outline(document))
    assert len(now) == len(kept) == 121
    # The edited scope, those around it, and those that share a chunk with it.
    changed = {name for name in now if now[name] is not kept[name]}
    assert {name.split()[-1] for name in changed} >= {"jit(f)", "layer_20", "mlp"}
    assert len(changed) < 30


def scope_entries(items: Sequence[OutlineItem], around: str = "") -> dict[str, object]:
    """Returns the entries of what is in scopes, by where these are in the tree."""
    found: dict[str, object] = {}
    for number, item in enumerate(items):
        name = f"{around}/{number} {item.name}"
        if item.kind == "scope" and isinstance(item.children, Items):
            found[name] = item.children.entries
        found |= scope_entries(item.children, name)
    return found


def program_of(body: Sequence[str]) -> str:
    """Returns a module of two functions, one of which has a body of these lines."""
    lines = "\n".join(body)
    return f'#h = loc("jit(f)/one/two/h")\nmodule @m {{\n{JUMP}func.func @f(%a: tensor<f32> loc("x")) {{\n{lines}\n  return\n}}\n}}\n'


def symbols_json(document: Document, memory: dict[str, Any], by: OutlineBy = "scopes") -> bytes:
    """Returns the server's answer about symbols, with what it kept of the one before."""
    edition = Edition(Lines(document.text, "utf-16"), document.version)
    text_document = types.TextDocumentClientCapabilities(
        document_symbol=types.DocumentSymbolClientCapabilities(hierarchical_document_symbol_support=True)
    )
    client = Client(types.ClientCapabilities(text_document=text_document), Settings(outline=by))
    view = View("file:///a.mlir", client, edition, edition, document, memory)
    identifier = types.TextDocumentIdentifier(view.uri)
    answer = document_symbols(view, types.DocumentSymbolParams(identifier))
    assert isinstance(answer, Json)
    return answer.data


def inside(items: Sequence[OutlineItem]) -> dict[str, object]:
    """Returns the entries of what is inside of functions, by their names."""
    found: dict[str, object] = {}
    for item in items:
        if isinstance(item.children, Inside):
            found[item.name] = item.children.entries
        found |= inside(item.children)
    return found


def test_folds():
    big = f"%big = stablehlo.constant dense<[{', '.join(['1'] * 60)}]> : tensor<60xi32>\n"
    document = Document(f'{JUMP}{big}#loc1 = loc("a")\n#loc2 = loc("b")\n#loc3 = loc(unknown)\n')
    found = {fold.kind: document.text[slice(*fold.span)] for fold in folds(document)}
    assert set(found) == {"region", "constant", "locations"}
    assert found["region"].endswith("return %q : tensor<2xf32>\n")
    assert found["constant"].startswith("[1, 1")
    assert found["locations"].count("\n") == 2


def test_locations_behind_a_module_are_not_read_as_its_attributes():
    table = "".join(f"#loc{number} = loc(fused[\n  unknown, unknown])\n" for number in range(3))
    document = Document(f"module @m {{\n{JUMP}}}\n{table}")
    assert {fold.kind for fold in folds(document)} == {"region"}
    run = '#loc1 = loc("a")\n#loc2 = loc("b")\n'
    document = Document(f"module @m {{\n{JUMP}}}\n// one\n{run}")
    for edit in (Edit(Span(0, 0), "// a\n// b\n"), Edit(Span(*[at(document, "return %q")] * 2), "\n")):
        found = [fold for fold in folds(document.edit([edit])) if fold.kind == "locations"]
        assert [document.edit([edit]).text[slice(*fold.span)] for fold in found] == [run.rstrip()]


def test_attributes_over_several_lines_fold():
    document = Document("""func.func @f(%x: tensor<4xf32>, %s: tensor<f32>) -> tensor<f32> attributes {
  a = 1 : i32,
  b = 2 : i32
} {
  %0 = "stablehlo.reduce"(%x, %s) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {
    dimensions = array<i64: 0>,
    b = {
      c = 1 : i32
    }
  } : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
""")
    found = [
        document.text[slice(*fold.span)].split() for fold in folds(document) if fold.kind == "attributes"
    ]
    assert [each[:3] for each in found] == [
        ["a", "=", "1"],
        ["dimensions", "=", "array<i64:"],
        ["c", "=", "1"],
    ]


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


def test_what_has_no_error_is_formatted_in_a_broken_part():
    document = Document(
        "module {\n func.func @broken(%a: tensor<2xf32>) {\n%0   = stablehlo.add %a,%a:tensor<2xf32> // why\n"
        "   %1 = stablehlo.bogus   %0\n  return\n  }\n" + JUMP.replace("  return", "       return") + "}\n"
    )
    after = document.edit(reversed(format_document(document))).text
    assert (
        "\n    %0 = stablehlo.add %a, %a : tensor<2xf32> // why\n   %1 = stablehlo.bogus   %0\n    return\n"
        in after
    )
    assert "\n    return %q : tensor<2xf32>\n  }\n" in after
    assert format_document(Document(after)) == []
    place = at(document, "%0   =")
    assert [edit.text for edit in format_range(document, Span(place, place + 1))] == [
        "    %0 = stablehlo.add %a, %a : tensor<2xf32>"
    ]


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
