"""A mistake of every kind that has a remedy: it has a fix, which mends it and brings nothing new."""

from __future__ import annotations

from collections import Counter

import pytest

from docs.generate_mistakes import PAGE, programs
from shlo.language import Document
from shlo.language.diagnostics import diagnostics
from shlo.language.fixes.fixes import QuickFix, fixes_of

F = "func.func @f(%x: tensor<2x3xf32>, %n: tensor<2x3xi32>, %s: tensor<f32>, %w: tensor<3x2xf32>)"
RETURNS = f"{F} -> tensor<2x3xf32> {{\n  BODY\n}}\n"
PLAIN = f"{F} {{\n  BODY\n  return\n}}\n"
OTHERS = "func.func private @third(tensor<2x3xf32>) -> tensor<2x3xf32>\n"

MISTAKES: list[tuple[str, str, str, str]] = [
    # kind, shell, body, what the text holds after the first fix
    ("callee", OTHERS + PLAIN, "%0 = call @thirdd(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>", "@third("),
    ("callee of the right type", OTHERS + "func.func private @thirty(tensor<i32>)\n" + PLAIN,
     "%0 = call @thirt(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>", "call @third("),
    ("no such callee", PLAIN, "%0 = call @elsewhere(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>",
     "func.func private @elsewhere(tensor<2x3xf32>) -> tensor<2x3xf32>"),
    ("operation", PLAIN, "%0 = stablehlo.multply %x, %x : tensor<2x3xf32>", "stablehlo.multiply"),
    ("operation, by operands", PLAIN, "%0 = stablehlo.ad %x, %x : tensor<2x3xf32>", "stablehlo.add"),
    ("operation of mhlo", PLAIN, "%0 = mhlo.add %x, %x : tensor<2x3xf32>", "stablehlo.add"),
    ("operation in quotes", PLAIN, '%0 = "stablehlo.ad"(%x, %x) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>', '"stablehlo.add"'),
    ("value", PLAIN, "%0 = stablehlo.abs %xx : tensor<2x3xf32>", "stablehlo.abs %x :"),
    ("value of the right type", PLAIN, "%xa = stablehlo.abs %x : tensor<2x3xf32>\n  %xb = stablehlo.abs %s : tensor<f32>\n"
     "  %0 = stablehlo.abs %xc : tensor<f32>", "abs %xb :"),
    ("stray token", PLAIN, "%0 = stablehlo.abs %x x : tensor<2x3xf32>", "abs %x : tensor"),
    ("stray word", PLAIN, "x\n  %0 = stablehlo.abs %x : tensor<2x3xf32>", "{\n  %0 = stablehlo.abs"),
    ("missing arrow", PLAIN, "%0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x3xf32>) tensor<3x2xf32>", ") -> tensor<3x2xf32>"),
    ("missing types", PLAIN, "%0 = stablehlo.add %x, %x", "add %x, %x : tensor<2x3xf32>"),
    ("missing colon", PLAIN, "%0 = stablehlo.add %x, %x tensor<2x3xf32>", "%x : tensor"),
    ("missing comma", PLAIN, "%0 = stablehlo.add %x %x : tensor<2x3xf32>", "add %x, %x"),
    ("unclosed type", PLAIN, "%0 = stablehlo.add %x, %x : tensor<2x3xf32", "tensor<2x3xf32>\n"),
    ("unclosed bracket", PLAIN, "%0 = stablehlo.transpose %x, dims = [1, 0 : (tensor<2x3xf32>) -> tensor<3x2xf32>", "[1, 0]"),
    (
        "attribute of layouts for what has none",
        PLAIN,
        "%d = stablehlo.custom_call @g() : () -> tuple<tensor<f32>>\n  "
        "%0 = stablehlo.custom_call @f(%d) {operand_layouts = [dense<0> : tensor<1xindex>], "
        "result_layouts = [dense<[1, 0]> : tensor<2xindex>]} : (tuple<tensor<f32>>) -> tensor<2x3xf32>",
        "@f(%d) {result_layouts = [dense<[1, 0]>",
    ),
    ("unclosed string", PLAIN, "%0 = stablehlo.custom_call @foo(%x) {backend_config = \"a} : (tensor<2x3xf32>) -> tensor<2x3xf32>", '"a"}'),
    ("result type", PLAIN, "%0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<2x3xf32>", "-> tensor<3x2xf32>"),
    ("result type that is used", RETURNS.replace("-> tensor<2x3xf32>", "-> tensor<3x5xf32>"),
     "%0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x5xf32>\n  return %0 : tensor<3x5xf32>", "-> tensor<3x2xf32>"),
    ("integers with floats", PLAIN, "%0 = stablehlo.add %x, %n : tensor<2x3xf32>", "stablehlo.convert %n"),
    ("scalar with tensor", PLAIN, '%0 = "stablehlo.add"(%x, %s) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>', "broadcast_in_dim %s"),
    ("argument of a call", OTHERS + PLAIN, "%0 = call @third(%n) : (tensor<2x3xi32>) -> tensor<2x3xf32>", "stablehlo.convert %n"),
    ("result of a call", OTHERS + PLAIN, "%0 = call @third(%x) : (tensor<2x3xf32>) -> tensor<2x3xi32>", "-> tensor<2x3xf32>\n"),
    ("missing return", RETURNS, "%0 = stablehlo.abs %x : tensor<2x3xf32>", "return %0 : tensor<2x3xf32>"),
    ("missing return of nothing", F + " {\n  BODY\n}\n", "%0 = stablehlo.abs %x : tensor<2x3xf32>", "\n  return\n"),
    ("empty body", RETURNS, "", "return %x : tensor<2x3xf32>"),
    ("return of another type", RETURNS, "return %n : tensor<2x3xi32>", "stablehlo.convert %n"),
    ("return of another shape", RETURNS, "return %w : tensor<3x2xf32>", "-> tensor<3x2xf32> {"),
    ("return of too many", RETURNS, "return %x, %n : tensor<2x3xf32>, tensor<2x3xi32>", "-> (tensor<2x3xf32>, tensor<2x3xi32>)"),
    ("return without types", RETURNS, "return %x", "return %x : tensor<2x3xf32>"),
    ("second function of a name", f"{OTHERS}{PLAIN}".replace("@f", "@third"), "", "@third_2("),
    ("value defined twice", PLAIN, "%0 = stablehlo.abs %x : tensor<2x3xf32>\n  %0 = stablehlo.abs %s : tensor<f32>", "%v0_2 ="),
    ("wrong terminator", F + " {\n  BODY\n}\n", "stablehlo.return", "{\n  func.return\n"),
    ("terminator in the middle", RETURNS, "return %x : tensor<2x3xf32>\n  %0 = stablehlo.abs %x : tensor<2x3xf32>\n"
     "  return %0 : tensor<2x3xf32>", "{\n  %0"),
    ("use before definition", PLAIN, "%0 = stablehlo.abs %1 : tensor<2x3xf32>\n  %1 = stablehlo.abs %x : tensor<2x3xf32>", "{\n  %1"),
    ("public declaration", "BODY", "func.func @g(tensor<f32>)", "func.func private @g"),
    ("count of results", PLAIN, "%0:2 = stablehlo.abs %x : tensor<2x3xf32>", "%0 = stablehlo.abs"),
    ("reshape to another count", PLAIN, "%0 = stablehlo.reshape %x : (tensor<2x3xf32>) -> tensor<7xf32>", "-> tensor<6xf32>"),
    ("literal of another count", PLAIN, "%0 = stablehlo.constant dense<[1.0, 2.0]> : tensor<3xf32>", "tensor<2xf32>"),
    ("dot of other sizes", PLAIN, "%0 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x2xf32>", "[1] x [1]"),
    ("missing attribute", PLAIN, '%0 = "stablehlo.transpose"(%x) : (tensor<2x3xf32>) -> tensor<3x2xf32>', "permutation = "),
    ("attribute's value", PLAIN, "%0 = stablehlo.concatenate %x, %x, dim = 2 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x6xf32>", "dim = 1"),
    ("unknown property", PLAIN, '%0 = "stablehlo.transpose"(%x) <{permutatoin = array<i64: 1, 0>}> : (tensor<2x3xf32>) -> tensor<3x2xf32>', "permutation = array<i64: 1, 0>"),
    ("word of a list", PLAIN, "%0 = stablehlo.compare LTT, %x, %x : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>", "compare LT,"),
    ("old spelling", PLAIN, '%0 = "stablehlo.transpose"(%x) {permutation = dense<[1, 0]> : tensor<2xi64>} : (tensor<2x3xf32>) -> tensor<3x2xf32>', "array<i64: 1, 0>"),
    ("operand's type", PLAIN, "%0 = stablehlo.abs %x : tensor<4xf32>", "abs %x : tensor<2x3xf32>"),
    ("bool of a tensor", PLAIN, '%0 = "stablehlo.not"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>', "stablehlo.convert %x"),
    ("region of another element type", PLAIN, '%i = stablehlo.constant dense<0> : tensor<i32>\n  %0 = "stablehlo.reduce"(%x, %i) <{dimensions = array<i64: 0, 1>}> ({\n  ^bb0(%a: tensor<i32>, %b: tensor<i32>):\n'
     '    %1 = stablehlo.add %a, %b : tensor<i32>\n    stablehlo.return %1 : tensor<i32>\n  }) : (tensor<2x3xf32>, tensor<i32>) -> tensor<i32>', "convert %x : (tensor<2x3xf32>) -> tensor<2x3xi32>"),
    ("literal of a constant", PLAIN, '%c = stablehlo.constant dense<[1, 2]> : tensor<2xi32>\n  %r = stablehlo.reshape %x : (tensor<2x3xf32>) -> tensor<6xf32>\n'
     '  %0 = "stablehlo.dynamic_slice"(%r, %c) <{slice_sizes = array<i64: 1>}> : (tensor<6xf32>, tensor<2xi32>) -> tensor<1xf32>', "dense<1> : tensor<i32>"),
    ("shape of a literal", PLAIN, '%0 = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[0, 1]> : tensor<2xi64>}> : (tensor<2x3xf32>) -> tensor<2x3xf32>', "dense<[[0, 1]]> : tensor<1x2xi64>"),
    ("number of a literal", PLAIN, '%0 = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[0, -1]]> : tensor<1x2xi64>}> : (tensor<2x3xf32>) -> tensor<2x3xf32>', "dense<0> : tensor<1x2xi64>"),
    ("tuple", PLAIN, '%t = stablehlo.tuple %x, %x : tuple<tensor<2x3xf32>, tensor<2x3xf32>>\n  %0 = "stablehlo.concatenate"(%t) <{dimension = 0 : i64}> : (tuple<tensor<2x3xf32>, tensor<2x3xf32>>) -> tensor<4x3xf32>',
     '"stablehlo.concatenate"(%t_0, %t_1) <{dimension = 0 : i64}> : (tensor<2x3xf32>, tensor<2x3xf32>)'),
    ("shape of what a region returns", PLAIN, '%0 = "stablehlo.while"(%x) ({\n  ^bb0(%a: tensor<2x3xf32>):\n    %1 = stablehlo.constant dense<true> : tensor<1xi1>\n    stablehlo.return %1 : tensor<1xi1>\n'
     '  }, {\n  ^bb0(%a: tensor<2x3xf32>):\n    stablehlo.return %a : tensor<2x3xf32>\n  }) : (tensor<2x3xf32>) -> tensor<2x3xf32>', "stablehlo.reshape %1 : (tensor<1xi1>) -> tensor<i1>"),
    ("attribute that is absent", PLAIN, '%0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({\n  ^bb0(%a: tensor<f32>, %b: tensor<f32>):\n'
     '    %1 = stablehlo.add %a, %b : tensor<f32>\n    stablehlo.return %1 : tensor<f32>\n  }) : (tensor<2x3xf32>) -> tensor<2x3xf32>', "channel_handle = "),
    ("use in another region", PLAIN, '%p = stablehlo.constant dense<true> : tensor<i1>\n  %0 = "stablehlo.if"(%p) ({\n    stablehlo.return %1 : tensor<2x3xf32>\n  }, {\n'
     '    %1 = stablehlo.abs %x : tensor<2x3xf32>\n    stablehlo.return %1 : tensor<2x3xf32>\n  }) : (tensor<i1>) -> tensor<2x3xf32>', "%1 = stablehlo.abs %x : tensor<2x3xf32>\n  %0 ="),
    ("regions too many", PLAIN, '%0 = "stablehlo.abs"(%x) ({\n    stablehlo.return %x : tensor<2x3xf32>\n  }) : (tensor<2x3xf32>) -> tensor<2x3xf32>', '"stablehlo.abs"(%x) : ('),
    ("dimensions of a sharding", "sdy.mesh @mesh = <[\"data\"=2]>\n" + PLAIN, '%0 = sdy.sharding_constraint %x <@mesh, [{"data"}]> : tensor<2x3xf32>', '[{"data"}, {}]'),
    ("priority of nothing", "sdy.mesh @mesh = <[\"data\"=2]>\n" + PLAIN, '%0 = sdy.sharding_constraint %x <@mesh, [{}p0, {"data"}]> : tensor<2x3xf32>', '[{}, {"data"}]'),
    ("type of a function among others", "func.func @f(%x: tensor<2xf32>, %g: (tensor<3xf32>) -> tensor<2xf32>) {\n  BODY\n  return\n}\n",
     '%0 = "func.call_indirect"(%g, %x) : ((tensor<3xf32>) -> tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>', "%g, %x) : ((tensor<3xf32>) -> tensor<2xf32>, tensor<3xf32>)"),
    ("type of a function as a value", "func.func private @g(tensor<3xf32>)\n" + PLAIN, "%0 = constant @g : (tensor<2xf32>) -> ()", "@g : (tensor<3xf32>) -> ()"),
    ("what regions give", "func.func @f(%p: tensor<i1>, %x: memref<2xf32>) -> memref<2xf32> {\n  BODY\n  return %0 : memref<2xf32>\n}\n",
     '%0 = "stablehlo.if"(%p) ({\n    stablehlo.return %x : memref<2xf32>\n  }, {\n    stablehlo.return %x : memref<2xf32>\n  }) : (tensor<i1>) -> memref<2xf32>',
     "%x: tensor<2xf32>) -> tensor<2xf32> {"),
    ("what a region computes with", PLAIN, '%0 = "stablehlo.reduce"(%x, %s) <{dimensions = array<i64: 0, 1>}> ({\n  ^bb0(%a: tensor<f80>, %b: tensor<f80>):\n    %1 = stablehlo.add %a, %b : tensor<f80>\n'
     '    stablehlo.return %1 : tensor<f80>\n  }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<f32>', "%a: tensor<f32>"),
    ("axis", "sdy.mesh @mesh = <[\"data\"=2]>\n" + PLAIN, '%0 = sdy.sharding_constraint %x <@mesh, [{"dat"}, {}]> : tensor<2x3xf32>', '{"data"}'),
    ("axis twice", "sdy.mesh @mesh = <[\"data\"=2]>\n" + PLAIN, '%0 = sdy.sharding_constraint %x <@mesh, [{"data"}, {"data"}]> : tensor<2x3xf32>', '{}'),
    ("mesh", "sdy.mesh @mesh = <[\"data\"=2]>\n" + PLAIN, '%0 = sdy.sharding_constraint %x <@mash, [{}, {}]> : tensor<2x3xf32>', '@mesh, [{}'),
]  # fmt: skip


def fixed(document: Document, fix: QuickFix) -> Document:
    """Returns the document after a fix, carried out as an editor does."""
    text = document.text
    for edit in sorted(fix.edits, key=lambda edit: edit.span or (0, 0), reverse=True):
        assert edit.span is not None
        text = text[: edit.span.start] + edit.text + text[edit.span.end :]
    return Document(text)


@pytest.mark.parametrize(("kind", "shell", "body", "expected"), MISTAKES, ids=[each[0] for each in MISTAKES])
def test_a_mistake_has_a_fix(kind: str, shell: str, body: str, expected: str):
    document = Document(shell.replace("BODY", body))
    found = diagnostics(document)
    assert found, "no mistake"
    offered = fixes_of(document, found[0])
    assert offered, found
    after = fixed(document, offered[0])
    left = Counter((each.code, each.message) for each in diagnostics(after) if each.severity != "hint")
    before = Counter((each.code, each.message) for each in found if each.severity != "hint")
    assert left[(found[0].code, found[0].message)] < max(before[(found[0].code, found[0].message)], 1), (
        offered[0].title
    )
    assert expected in after.text, [(fix.title, fixed(document, fix).text) for fix in offered]
    if "attribute" not in kind and kind != "unknown property":
        assert not left - before, left


WITHOUT_FIX = {
    "if-C2": "no conversion makes one branch's shape the other's",
}


@pytest.mark.parametrize("program", programs(PAGE.read_text(encoding="utf-8")))
def test_a_message_with_help_has_a_fix(program: str):
    document = Document(program)
    for finding in diagnostics(document):
        has_fix = bool(fixes_of(document, finding))
        assert has_fix != (finding.code in WITHOUT_FIX), finding


def test_a_conversion_of_an_unknown_value_is_no_fix():
    body = "%0 = stablehlo.add %x, %elsewhere : tensor<2x3xf32>"
    typed = body.replace(": tensor", ": (tensor<2x3xf32>, tensor<2x3xi8>) -> tensor")
    document = Document(
        PLAIN.replace("BODY", typed.replace("stablehlo.add ", '"stablehlo.add"(').replace(" :", ") :"))
    )
    for finding in diagnostics(document):
        assert not [
            fix
            for fix in fixes_of(document, finding)
            if "convert" in fix.title and "elsewhere" in finding.message
        ]
