"""Every request, on texts that are valid, broken and large."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from tests.lsp.conftest import Client
from tests.lsp.programs import BROKEN, LOOP, large

pytestmark = [pytest.mark.slow, pytest.mark.asyncio(loop_scope="module")]
EVERYWHERE = types.Range(types.Position(0, 0), types.Position(10**6, 0))
OPTIONS = types.FormattingOptions(tab_size=2, insert_spaces=True)
TEXTS = {"valid": LOOP, "broken": BROKEN, "large": LOOP + large(4_000)}
AT_A_PLACE: dict[str, dict[str, Any]] = {
    types.TEXT_DOCUMENT_HOVER: {},
    types.TEXT_DOCUMENT_DEFINITION: {},
    types.TEXT_DOCUMENT_REFERENCES: {"context": types.ReferenceContext(include_declaration=True)},
    types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT: {},
    types.TEXT_DOCUMENT_PREPARE_RENAME: {},
    types.TEXT_DOCUMENT_RENAME: {"new_name": "sum"},
    types.TEXT_DOCUMENT_COMPLETION: {},
    types.TEXT_DOCUMENT_SIGNATURE_HELP: {},
}
OF_A_TEXT: dict[str, dict[str, Any]] = {
    types.TEXT_DOCUMENT_DOCUMENT_SYMBOL: {},
    types.TEXT_DOCUMENT_FOLDING_RANGE: {},
    types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL: {},
    types.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE: {"range": EVERYWHERE},
    types.TEXT_DOCUMENT_INLAY_HINT: {"range": EVERYWHERE},
    types.TEXT_DOCUMENT_CODE_LENS: {},
}


@pytest.mark.parametrize("text", TEXTS)
async def test_every_request_is_answered(client: Client, text: str) -> None:
    document = await client.open(TEXTS[text])
    use = document.at("%x, %a : tensor<2xf32>", 5)
    for method, fields in AT_A_PLACE.items():
        assert await document.request(method, position=use, **fields), method
    for method, fields in OF_A_TEXT.items():
        assert await document.request(method, **fields), method
    document.close()


@pytest.mark.parametrize("text", TEXTS)
async def test_formatting_leaves_broken_operations_alone(client: Client, text: str) -> None:
    document = await client.open(
        TEXTS[text].replace("  %0 = stablehlo.add %a, %a", "%0   =  stablehlo.add %a,%a")
    )
    edits = await document.request(types.TEXT_DOCUMENT_FORMATTING, options=OPTIONS)
    tidy = "  %0 = stablehlo.add %a, %a : tensor<2xf32>"
    assert [edit.new_text for edit in edits[:1]] == [f"{tidy} // 😀 %a\n"]
    second = types.Range(types.Position(2, 0), types.Position(2, 9))
    edits = await document.request(types.TEXT_DOCUMENT_RANGE_FORMATTING, options=OPTIONS, range=second)
    assert [edit.new_text for edit in edits] == [tidy if text != "valid" else f"{tidy} // 😀 %a\n"]
    document.close()


async def test_findings_are_published_with_their_version(client: Client) -> None:
    document = await client.open(
        "func.func @f(%a: tensor<2xf32>) {\n  %0 = stablehlo.abs %b : tensor<2xf32>\n  return\n}\n"
    )
    first = (await document.findings())[0]
    assert (document.words(first.range), first.code, first.source) == ("%b", "syntax", "shlo")
    document.edit("%b", "%a")
    assert await document.findings() == []
    document.edit("  return\n", "")
    (second,) = await document.findings()
    assert second.code == "missing-terminator"
    document.close()
    await document.request_fails(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    assert (client.published[-1].uri, list(client.published[-1].diagnostics)) == (document.uri, [])


async def test_findings_of_the_verifier_link_to_the_specification(client: Client) -> None:
    document = await client.open(
        "func.func @f(%a: tensor<2xf32>) {\n"
        "  %0 = stablehlo.abs %a : tensor<2xf32>\n"
        '  %1 = "stablehlo.add"(%0, %0) : (tensor<2xf32>, tensor<2xf32>) -> tensor<3xf32>\n  return\n}\n'
    )
    (found,) = await document.findings()
    assert (found.code, found.severity) == ("add-C1", types.DiagnosticSeverity.Error)
    assert found.code_description is not None
    assert found.code_description.href.endswith("spec#add")


async def test_findings_that_are_too_many_are_counted(client: Client) -> None:
    wrong = "  stablehlo.custom_call @f(%missing{}) : (tensor<f32>) -> ()\n"
    wrongs = "".join(wrong.format(number) for number in range(300))
    document = await client.open(f"func.func @f() {{\n{wrongs}  return\n}}\n")
    found = await document.findings()
    assert len(found) == 201
    assert found[-1].message == "100 more findings from here on are not shown"


async def test_hover_says_what_a_value_is(client: Client) -> None:
    document = await client.open(LOOP)
    found = await document.request(types.TEXT_DOCUMENT_HOVER, position=document.at("😀 %a", 3))
    assert found is None  # within a comment
    found = await document.request(types.TEXT_DOCUMENT_HOVER, position=document.at("%x, %a", 1))
    assert document.words(found.range) == "%x"
    assert "%x: tensor<2xf32>" in found.contents.value
    assert found.contents.kind == types.MarkupKind.Markdown


async def test_a_name_leads_to_its_definition_and_uses(client: Client) -> None:
    document = await client.open(LOOP)
    use = document.at("%x, %a", 5)
    definition = await document.request(types.TEXT_DOCUMENT_DEFINITION, position=use)
    assert definition.range.start == document.at("%a: tensor")
    uses = {
        included: await document.request(
            types.TEXT_DOCUMENT_REFERENCES, position=use, context=types.ReferenceContext(included)
        )
        for included in (True, False)
    }
    assert {document.words(each.range) for each in uses[True]} == {"%a"}
    assert [each for each in uses[True] if each not in uses[False]] == [definition]
    marks = await document.request(types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT, position=use)
    assert [each.kind for each in marks] == [types.DocumentHighlightKind.Write] + [
        types.DocumentHighlightKind.Read
    ] * len(uses[False])


async def test_a_selection_grows_from_the_word_to_the_whole_text(client: Client) -> None:
    document = await client.open(LOOP)
    use = document.at("%x, %a : tensor<2xf32>", 0)
    (inner,) = await document.request(types.TEXT_DOCUMENT_SELECTION_RANGE, positions=[use])
    spans = [inner.range]
    while inner.parent is not None:
        inner = inner.parent
        spans.append(inner.range)
    assert spans[0] == types.Range(use, types.Position(use.line, use.character + len("%x")))
    assert spans[-1].start == types.Position(0, 0)
    assert all(outer.start <= span.start and span.end <= outer.end for span, outer in pairwise(spans))
    document.close()


async def test_rename_edits_every_place_of_one_version(client: Client) -> None:
    document = await client.open(LOOP)
    place = document.at("%x = ")
    bound_kernel = await document.request(types.TEXT_DOCUMENT_PREPARE_RENAME, position=place)
    assert (document.words(bound_kernel.range), bound_kernel.placeholder) == ("%x", "%x")
    edit = await document.request(types.TEXT_DOCUMENT_RENAME, position=place, new_name="state")
    (changes,) = edit.document_changes
    assert (changes.text_document.uri, changes.text_document.version) == (document.uri, 0)
    assert [(document.words(each.range), each.new_text) for each in changes.edits] == [("%x", "%state")] * 2
    await document.request_fails(
        types.TEXT_DOCUMENT_RENAME, "does not fit here", position=place, new_name="a"
    )
    await document.request_fails(types.TEXT_DOCUMENT_RENAME, "no name", position=place, new_name="a b")


async def test_completion_offers_snippets_with_documentation(client: Client) -> None:
    document = await client.open(LOOP.replace("  return", "  %9 = stablehlo.conc|\n  return"))
    found = await document.request(types.TEXT_DOCUMENT_COMPLETION, position=document.place)
    item = next(each for each in found.items if each.label == "stablehlo.concatenate")
    assert item.insert_text_format == types.InsertTextFormat.Snippet
    assert document.words(item.text_edit.range) == "stablehlo.conc"
    resolved = await client.request(types.COMPLETION_ITEM_RESOLVE, item)
    assert "**stablehlo.concatenate**" in resolved.documentation.value


async def test_completion_puts_values_of_the_right_type_first(client: Client) -> None:
    document = await client.open(LOOP.replace("%i, %c, SIGNED", "%a, %|, SIGNED"))
    found = await document.request(types.TEXT_DOCUMENT_COMPLETION, position=document.place)
    assert [(item.label, item.detail) for item in found.items[:1]] == [("%c", "tensor<i32>")]


async def test_a_colon_brings_the_types_that_follow_and_nothing_else(client: Client) -> None:
    colon = types.CompletionContext(types.CompletionTriggerKind.TriggerCharacter, ":")
    for line, expected in (("%9 = stablehlo.abs %n :|", [" tensor<i32>"]), ("%9:|", [])):
        document = await client.open(LOOP.replace("  return", f"  {line}\n  return"))
        found = await document.request(types.TEXT_DOCUMENT_COMPLETION, position=document.place, context=colon)
        assert [each.text_edit.new_text for each in found.items[:1]] == expected
        assert {each.kind for each in found.items} <= {types.CompletionItemKind.TypeParameter}
        document.close()


async def test_signature_help_marks_the_operand(client: Client) -> None:
    document = await client.open(LOOP.replace("%x, %a : tensor<2xf32>", "%x, |"))
    found = await document.request(types.TEXT_DOCUMENT_SIGNATURE_HELP, position=document.place)
    (signature,) = found.signatures
    assert signature.label.startswith("stablehlo.add(lhs: ")
    start, end = signature.parameters[found.active_parameter].label
    assert signature.label[start:end].startswith("rhs: ")


async def test_the_outline_holds_functions_and_their_values(client: Client) -> None:
    document = await client.open(LOOP + "// -----\n" + LOOP)
    programs = await document.request(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    assert [each.name for each in programs] == ["program 1", "program 2"]
    (function,) = programs[1].children
    assert (function.name, function.kind) == ("@loop", types.SymbolKind.Function)
    assert [each.name for each in function.children] == ["%0", "%w:2"]
    assert document.words(function.selection_range) == "@loop"


async def test_symbols_of_all_open_documents_are_found(client: Client) -> None:
    document = await client.open("func.func private @Needle()\n")
    found = await client.request(types.WORKSPACE_SYMBOL, types.WorkspaceSymbolParams("needle"))
    assert [(each.name, each.location.uri) for each in found] == [("@Needle", document.uri)]


async def test_folding_leaves_closing_brackets_to_see(client: Client) -> None:
    document = await client.open(LOOP)
    found = await document.request(types.TEXT_DOCUMENT_FOLDING_RANGE)
    lines = LOOP.split("\n")
    assert [(lines[each.start_line], lines[each.end_line + 1]) for each in found] == [
        (lines[1], "}"),
        ("    cond {", "    } do {"),
        ("    } do {", "    }"),
    ]


async def test_tokens_are_relative_and_in_utf16(client: Client) -> None:
    document = await client.open('%😀 loc("😀") 7\n')
    numbers = (await document.request(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL)).data
    legend = client.answer.capabilities.semantic_tokens_provider.legend.token_types
    columns, found = 0, []
    for _, column, length, kind, _ in zip(*[iter(numbers)] * 5):
        columns += column
        found.append((columns, length, legend[kind]))
    assert found[-3:] == [(4, 3, "keyword"), (8, 4, "string"), (14, 1, "number")]


async def test_changes_of_tokens_are_sent_alone(client: Client) -> None:
    document = await client.open(LOOP)
    before = await document.request(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL)
    document.edit("stablehlo.add", "add")
    delta = await document.request(
        types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL_DELTA, previous_result_id=before.result_id
    )
    after = list(before.data)
    for edit in delta.edits:
        after[edit.start : edit.start + edit.delete_count] = edit.data
    whole = await document.request(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL)
    assert after == list(whole.data)
    assert sum(len(edit.data) for edit in delta.edits) < len(after) / 4


async def test_hints_show_types_that_are_not_written(client: Client) -> None:
    document = await client.open(LOOP)
    hints = await document.request(types.TEXT_DOCUMENT_INLAY_HINT, range=document.everything)
    assert [(hint.position, hint.label) for hint in hints] == [
        (document.at("%i = ", 2), ": tensor<i32>"),
        (document.at("%x = ", 2), ": tensor<2xf32>"),
    ]
    client.lsp.workspace_did_change_configuration(
        types.DidChangeConfigurationParams({"shlo": {"inlayHints": False}})
    )
    assert not await document.request(types.TEXT_DOCUMENT_INLAY_HINT, range=document.everything)
    client.lsp.workspace_did_change_configuration(types.DidChangeConfigurationParams({"inlayHints": True}))


async def test_a_stopped_debugger_shows_values_behind_the_lines_before(client: Client) -> None:
    document = await client.open(
        "func.func @other(%a: tensor<i32>) {\n  return\n}\n"
        "func.func @f(%x: tensor<i32>) -> tensor<i32> {\n"
        "  %p:2 = stablehlo.while(%i = %x, %j = %x) : tensor<i32>, tensor<i32>\n"
        "  cond {\n    %c = stablehlo.compare LT, %i, %j : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
        "    stablehlo.return %c : tensor<i1>\n"
        "  } do {\n    stablehlo.return %i, %j : tensor<i32>, tensor<i32>\n  }\n"
        "  %y = stablehlo.add %p#0, %x : tensor<i32>\n  %z = stablehlo.add %y, %y : tensor<i32>\n"
        "  return %z : tensor<i32>\n}\n"
    )
    at = document.at("%z = ")
    found = await document.request(
        types.TEXT_DOCUMENT_INLINE_VALUE,
        range=document.everything,
        context=types.InlineValueContext(1, types.Range(at, at)),
    )
    shown = [(document.words(each.range), each.expression) for each in found]
    assert shown == [("%x", "%x"), ("%p", "%p#0"), *((f"%{name}", f"%{name}") for name in "ijcy")]


async def test_a_finding_with_a_fix_has_an_action(client: Client) -> None:
    document = await client.open("func.func private @f(tensor<2xpred>, tensor<3xpred>)\n")
    findings = await document.findings()
    action, *_ = await document.request(
        types.TEXT_DOCUMENT_CODE_ACTION,
        range=document.everything,
        context=types.CodeActionContext(findings),
    )
    (edit,) = action.edit.document_changes[0].edits
    assert (action.kind, action.diagnostics[0].message) == ("quickfix", findings[0].message)
    assert (document.words(edit.range), edit.new_text) == ("pred", "i1")
    refactorings = types.CodeActionContext(findings, only=[types.CodeActionKind.Refactor])
    assert not await document.request(
        types.TEXT_DOCUMENT_CODE_ACTION, range=document.everything, context=refactorings
    )


async def test_an_action_inserts_a_conversion(client: Client) -> None:
    document = await client.open(
        "func.func @f(%a: tensor<2xf32>, %b: tensor<2xi32>) {\n"
        "  %0 = stablehlo.add %a, %b : tensor<2xf32>\n  return\n}\n"
    )
    findings = await document.findings()
    actions = await document.request(
        types.TEXT_DOCUMENT_CODE_ACTION,
        range=findings[0].range,
        context=types.CodeActionContext(findings, only=[types.CodeActionKind.QuickFix]),
    )
    assert [(action.title, action.is_preferred) for action in actions[:1]] == [
        ("Insert stablehlo.convert to tensor<2xf32>", False)
    ]
    inserted, replaced = actions[0].edit.document_changes[0].edits
    assert (document.words(replaced.range), replaced.new_text) == ("%b", "%b_converted")
    assert inserted.new_text == "%b_converted = stablehlo.convert %b : (tensor<2xi32>) -> tensor<2xf32>\n  "


async def test_what_follows_from_a_changed_type_is_previewed(client: Client) -> None:
    document = await client.open(
        "func.func @f(%a: tensor<|8xf32>) -> tensor<8xf32> {\n"
        "  %z = stablehlo.constant dense<0.0> : tensor<f32>\n"
        "  %n = stablehlo.constant dense<8.0> : tensor<f32>\n"
        "  %s = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [0]"
        " : (tensor<8xf32>, tensor<f32>) -> tensor<f32>\n"
        "  %m = stablehlo.divide %s, %n : tensor<f32>\n"
        "  %0 = stablehlo.abs %a : tensor<8xf32>\n  return %0 : tensor<8xf32>\n}\n"
    )
    document.edit("tensor<8", "tensor<12")
    findings = await document.findings()
    actions = await document.request(
        types.TEXT_DOCUMENT_CODE_ACTION,
        range=types.Range(document.place, document.place),
        context=types.CodeActionContext(findings, only=[types.CodeActionKind.QuickFix]),
    )
    (action,) = (action for action in actions if action.title == "Let everything below follow")
    assert action.edit is None
    resolved = await client.request(types.CODE_ACTION_RESOLVE, action)
    (changes,) = resolved.edit.document_changes
    assert {(document.words(edit.range), edit.new_text, edit.annotation_id) for edit in changes.edits} == {
        ("8", "12", "follows"),
        ("8.0", "1.200000e+01", "counts"),
    }
    notes = resolved.edit.change_annotations
    assert {name: note.needs_confirmation for name, note in notes.items()} == {
        "follows": True,
        "counts": True,
    }


async def test_refactorings_are_offered_without_edits_and_get_them_when_chosen(client: Client) -> None:
    document = await client.open(
        "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n"
        "  %0 = stablehlo.sine %x : tensor<2xf32>\n  return %0 : tensor<2xf32>\n}\n"
    )
    place = document.at("stablehlo.sine")
    actions = await document.request(
        types.TEXT_DOCUMENT_CODE_ACTION,
        range=types.Range(place, place),
        context=types.CodeActionContext([], only=[types.CodeActionKind.Refactor]),
    )
    by_title = {action.title: action for action in actions}
    extract = by_title["Extract operation to a function"]
    assert (extract.kind, extract.edit) == ("refactor.extract", None)
    chosen = await client.request(types.CODE_ACTION_RESOLVE, extract)
    call, definition = chosen.edit.document_changes[0].edits
    assert document.words(call.range) == "%0 = stablehlo.sine %x : tensor<2xf32>"
    assert definition.new_text.startswith("\nfunc.func private @extracted(%x: tensor<2xf32>)")
    with pytest.raises(JsonRpcException, match="nothing to do here"):
        await client.request(types.CODE_ACTION_RESOLVE, by_title["Compute it now: put a constant here"])
    document.edit("sine", "cosine")
    with pytest.raises(JsonRpcException, match="changed"):
        await client.request(types.CODE_ACTION_RESOLVE, extract)


FOUR_MISTAKES = """\
func.func @f(%a: tensor<2x3xf32>, %b: tensor<2x3xi32>) {
  %0 = stablehlo.add %a %a : tensor<2x3xf32>
  %1 = stablehlo.abs %a  tensor<2x3xf32>
  %2 = stablehlo.transpose %a, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %3 = stablehlo.add %2, %b : tensor<3x2xf32>
  return
}
"""


async def test_everything_is_fixed_at_once(client: Client) -> None:
    document = await client.open(FOUR_MISTAKES)
    findings = await document.findings(0)

    async def actions(only: list[Any] | None) -> Any:
        return await document.request(
            types.TEXT_DOCUMENT_CODE_ACTION,
            range=findings[0].range,
            context=types.CodeActionContext(findings, only=only),
        )

    (whole,) = await actions([types.CodeActionKind.SourceFixAll])
    assert (whole.kind, whole.title) == ("source.fixAll.shlo", "Fix all in file")
    texts = [edit.new_text for edit in whole.edit.document_changes[0].edits]
    assert [text.strip() for text in texts] == [",", ":", "tensor<3x2xf32>"]
    offered = {action.title: action for action in await actions(None)}
    assert all(title[0].isupper() for title in offered), "refactorings and fixes are in one menu"
    insertion = offered["Insert ','"]
    assert (insertion.is_preferred, insertion.data) == (True, {"applicability": "certain"})
    kind = offered["Fix all findings syntax in file"]
    assert (kind.edit, kind.kind) == (None, "quickfix")
    assert offered["Fix all in file"].kind == "quickfix"  # menus of fixes show no other kind
    resolved = await client.request(types.CODE_ACTION_RESOLVE, kind)
    assert [edit.new_text for edit in resolved.edit.document_changes[0].edits] == texts[:2]
    assert [each.title for each in await actions([types.CodeActionKind.Source])] == ["Fix all in file"]


async def test_each_of_two_mistakes_of_an_operation_has_its_fix(client: Client) -> None:
    document = await client.open(
        FOUR_MISTAKES.replace("stablehlo.ad ", "stablehlo.add ").replace(".ab ", ".abs ")
    )
    findings = await document.findings(0)
    actions = await document.request(
        types.TEXT_DOCUMENT_CODE_ACTION,
        range=types.Range(document.at("%b : tensor"), document.at("%b : tensor", 2)),
        context=types.CodeActionContext(findings),
    )
    assert "Insert stablehlo.convert" in str([action.title for action in actions])


async def test_symbols_after_edits_are_those_of_a_fresh_document(client: Client) -> None:
    text = f"module @m {{\n{LOOP}}}\n// -----\n{LOOP.replace('@loop', '@other')}{LOOP}"
    document = await client.open(text)
    edits = (
        ("stablehlo.add", "stablehlo.subtract"),
        ("module @m {", "module @m {\n\n"),
        ("@other", "@é"),
        ("\n\n", "  "),
    )
    for old, new in edits:
        document.edit(old, new)
        text = text.replace(old, new, 1)
        fresh = await client.open(text)
        answers = [await each.request(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL) for each in (document, fresh)]
        assert answers[0] == answers[1]
