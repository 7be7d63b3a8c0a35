"""Comparison of programs: what is a difference, and what is none."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import shlo
import shlo_bytecode
from shlo.compare import OperationDifference, aligned_text, compare, compare_and_align
from shlo.compare.matching import align
from shlo.compare.report import page_of
from shlo.ir.operations import Module

EXAMPLES = [
    path for path in sorted((Path(__file__).parents[2] / "examples").glob("*.mlir")) if path.stem != "broken"
]
PROGRAM = """
func.func private @act(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.tanh %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @gain(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.sine %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @main(%x: tensor<4xf32>, %n: tensor<i32>) -> (tensor<i32>, tensor<4xf32>) {
  %one = stablehlo.constant dense<1> : tensor<i32>
  %a = stablehlo.exponential %x : tensor<4xf32> loc("jit(f)/layer_0/exp"("model.py":3:1))
  %b = stablehlo.cosine %x : tensor<4xf32>
  %c = stablehlo.add %a, %b : tensor<4xf32>
  %d = func.call @act(%c) : (tensor<4xf32>) -> tensor<4xf32>
  %e = func.call @gain(%d) : (tensor<4xf32>) -> tensor<4xf32>
  %r:2 = stablehlo.while(%i = %n, %v = %e) : tensor<i32>, tensor<4xf32>
  cond {
    %lt = stablehlo.compare LT, %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %lt : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %w = stablehlo.multiply %v, %c : tensor<4xf32>
    stablehlo.return %j, %w : tensor<i32>, tensor<4xf32>
  }
  return %r#0, %r#1 : tensor<i32>, tensor<4xf32>
}
"""

Shown = list[tuple[str, str, tuple[str, ...]]]


def changed(*edits: tuple[str, str]) -> Module:
    text = PROGRAM
    for old, new in edits:
        assert old in text
        text = text.replace(old, new)
    return shlo.parse(text)


def shown(differences: tuple[OperationDifference, ...]) -> Shown:
    """Returns of each operation that differs the kind, the text before (or else after), and the details."""
    return [
        (each.kind, each.before or each.after or "", each.details)
        for difference in differences
        for each in difference.walk()
        if each.details or each.kind != "changed"
    ]


def differences(before: Module, after: Module) -> Shown:
    return [each for function in compare(before, after).functions for each in shown(function.differences)]


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_another_form_of_a_program_is_no_difference(path: Path) -> None:
    module = shlo.load(path)
    forms = [
        shlo.parse(module.to_text(generic=True)),
        shlo.parse(module.to_text(locations=True)),
        shlo.parse(re.sub(r"%(?=[A-Za-z_])", "%renamed_", path.read_text())),
        shlo_bytecode.read(shlo_bytecode.write(module)),
    ]
    for form in forms:
        assert not compare(module, form)
        assert aligned_text(module, form) == str(module)


EXP = '  %a = stablehlo.exponential %x : tensor<4xf32> loc("jit(f)/layer_0/exp"("model.py":3:1))\n'
COS = "  %b = stablehlo.cosine %x : tensor<4xf32>\n"
FUNCTIONS = PROGRAM[: PROGRAM.index("func.func @main")]


@pytest.mark.parametrize(
    "edits",
    [
        [("%c", "%sum"), ("%one", "%1")],
        [(EXP + COS, COS + EXP)],
        [(FUNCTIONS, ""), ("\n}\n", "\n}\n" + FUNCTIONS)],
        [("@gain", "@tmp"), ("@act", "@gain"), ("@tmp", "@act")],
        [("model.py", "other.py"), ("layer_0", "layer_9")],
    ],
    ids=["values", "order", "order of functions", "names of private functions", "locations"],
)
def test_names_order_and_locations_are_no_difference(edits: list[tuple[str, str]]) -> None:
    after = changed(edits[0])
    if len(edits) > 1:
        text = PROGRAM
        for old, new in edits:
            text = text.replace(old, new)
        after = shlo.parse(text[: text.rindex("}") + 2] if "\n}\n" in edits[-1][0] else text)
    assert not compare(changed(), after)


def test_what_changed_is_named_once_and_what_follows_from_it_is_not() -> None:
    before, after = changed(), changed(("dense<1>", "dense<2>"), ("stablehlo.tanh", "stablehlo.logistic"))
    assert differences(before, after) == [
        ("removed", "%0 = stablehlo.tanh %arg0 : tensor<4xf32>", ()),
        ("added", "%new_0 = stablehlo.logistic %arg0 : tensor<4xf32>", ()),
        ("changed", "return %0 : tensor<4xf32>", ("operand 0: %0 -> %new_0",)),
        (
            "changed",
            "%c = stablehlo.constant dense<1> : tensor<i32>",
            ("value: dense<1> : tensor<i32> -> dense<2> : tensor<i32>",),
        ),
    ]


def test_an_operation_put_in_shows_itself_and_where_it_is_used() -> None:
    after = changed((COS, COS + "  %k = stablehlo.negate %b : tensor<4xf32>\n"), ("add %a, %b", "add %a, %k"))
    inserted, use = differences(changed(), after)
    assert inserted == ("added", "%new_2 = stablehlo.negate %1 : tensor<4xf32>", ())
    assert use == ("changed", "%2 = stablehlo.add %0, %1 : tensor<4xf32>", ("operand 1: %1 -> %new_2",))
    assert [kind for kind, *_ in differences(after, changed())] == ["removed", "changed"]


def test_a_difference_in_a_loop_is_shown_inside_the_loop() -> None:
    (function,) = compare(changed(), changed(("multiply %v, %c", "multiply %v, %v"))).functions
    (loop,) = function.differences
    assert loop.before is not None
    assert loop.before.startswith("%5:2 = stablehlo.while(")
    assert loop.details == ()
    assert [(each.kind, each.details) for each in loop.inner] == [
        ("changed", ("operand 1: %2 -> %iterArg_0",))
    ]


def test_scope_and_line_stand_over_what_changed() -> None:
    (function,) = compare(changed(), changed(("stablehlo.exponential", "stablehlo.sine"))).functions
    removed = next(each for each in function.differences if each.kind == "removed")
    assert (removed.scope, removed.place) == ("jit(f)/layer_0", "model.py:3:1")


def test_functions_that_one_program_lacks_and_public_names_are_differences() -> None:
    other = PROGRAM.replace("@main", "@entry") + "func.func @more() { return }\n"
    found = compare(changed(), shlo.parse(other)).functions
    assert [(each.before, each.after, each.details) for each in found] == [
        ("main", "entry", ("name: @main -> @entry",)),
        (None, "more", ()),
    ]


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_text_with_the_first_programs_names_is_the_second_program(path: Path) -> None:
    """Each kind of operation is changed in turn."""
    before = shlo.load(path)
    text = str(before)
    for old, new in [("stablehlo.add", "stablehlo.multiply"), ("dense<1", "dense<2"), ("@main", "@entry")]:
        after = shlo.parse(text.replace(old, new))
        aligned = aligned_text(before, after)
        assert compare_and_align(before, after, lambda module: module) == (compare(before, after), aligned)
        assert not compare(after, shlo.parse(aligned))
        assert bool(compare(before, after)) == (old in text)
        ours = set(str(before).splitlines())
        assert sum(line not in ours for line in aligned.splitlines()) <= 2 * text.count(old) + 8


def test_alignment_pairs_equal_keys_in_order() -> None:
    before, after = [1, 2, 3, 3, 4, 5, 6, 6, 7], [9, 1, 3, 2, 3, 3, 5, 6, 8, 6, 7]
    pairs = align(before, after)
    assert all(before[index] == after[other] for index, other in pairs)
    assert [index for index, _ in pairs] == [0, 1, 2, 3, 5, 6, 7, 8]
    assert [other for _, other in pairs] == sorted(other for _, other in pairs)
    long = [index % 7 for index in range(3000)]
    assert len(align(long, long[1:])) == 2999


def test_names_from_files_are_text_on_the_page() -> None:
    before = shlo.parse('func.func @"<script>alert(1)</script>"() { return }')
    page = page_of(compare(before, shlo.parse("")), "<b>.mlir", "b")
    assert "<script>" not in page
    assert "<b>" not in page


@pytest.mark.parametrize(
    "text",
    [
        "%0 = stablehlo.constant dense<1.0> : tensor<f32>",
        "module { func.func @f() -> tensor<f32> { %0 = stablehlo.constant dense<1.0> : tensor<f32>\n"
        "return %0 : tensor<f32> } }\nfunc.func @g() { return }",
    ],
)
def test_what_is_outside_of_functions_is_compared(text: str) -> None:
    before, after = shlo.parse(text), shlo.parse(text.replace("1.0", "2.0"))
    assert not compare(before, before)
    found = compare(before, after)
    assert [function.counts.total() for function in found.functions] == [1]
    assert "outside of functions  1 changed" in page_of(found, "a", "b")


def test_a_pack_of_another_size_is_a_new_one() -> None:
    def program(count: int) -> Module:
        types = ", ".join(["tensor<f32>"] * count)
        results = ", ".join(f"%0#{number}" for number in range(count))
        return shlo.parse(
            f"func.func @f(%a: tensor<f32>) -> ({types}) {{\n"
            f"%0:{count} = stablehlo.custom_call @foo(%a) : (tensor<f32>) -> ({types})\n"
            f"return {results} : {types}\n}}"
        )

    found = compare(program(2), program(3))
    assert "results: 2 -> 3" in [detail for each in found.functions[0].differences for detail in each.details]
    assert not compare(program(3), shlo.parse(aligned_text(program(2), program(3))))


@pytest.mark.timeout(60)
def test_many_functions_without_equals_take_linear_time() -> None:
    def program(name: str, type_: str) -> Module:
        return shlo.parse(
            "".join(
                f"func.func private @{name}{number}() {{ %0 = stablehlo.constant dense<1> : {type_}\n"
                "return }\n"
                for number in range(1_000)
            )
        )

    before, after = program("a", "tensor<i32>"), program("b", "tensor<i64>")
    assert len(compare(before, after).functions) == 1_000


def test_many_constants_of_one_type_take_linear_time() -> None:
    """4,000 constants with one hash, compared with each other, took minutes."""
    lines = "".join(f"  %c{n} = stablehlo.constant dense<{n}> : tensor<i32>\n" for n in range(4_000))
    before = shlo.parse(f"func.func @main() {{\n{lines}  return\n}}\n")
    after = shlo.parse(f"func.func @main() {{\n{lines.replace('dense<7>', 'dense<9999>')}  return\n}}\n")
    ((kind, text, _),) = differences(before, after)
    assert (kind, text) == ("changed", "%c_6 = stablehlo.constant dense<7> : tensor<i32>")
