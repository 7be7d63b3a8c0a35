"""Which programs of a folder of checkouts are judged."""

from __future__ import annotations

from pathlib import Path

from tests.corpora.discovery import chunks
from tests.corpora.judging import is_in_scope

ADD = "func.func @f(%x: tensor<f32>) { %y = stablehlo.add %x, %x : tensor<f32> return }\n"


def test_each_program_is_found_once_and_those_of_the_suite_are_left_out(tmp_path: Path):
    texts = {
        "stablehlo/tests/a.mlir": "func.func @upstream() { return }",
        "one/copy.mlir": "// copied\nfunc.func @upstream() {\n  return\n}",
        "one/two.mlir": f"{ADD}// -----\nfunc.func @g() {{ return }}",
        "two/README.md": f"Text.\n\n```mlir\n{ADD}```\n\n```mlir\nfunc.func @h() {{ return }}\n```\n",
        "two/empty.mlir": "// nothing\n",
    }
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    found = [(chunk.key, chunk.first_line) for chunk in chunks(tmp_path)]
    assert found == [("one/two.mlir#0", 1), ("one/two.mlir#1", 2), ("two/README.md#1", 8)]


def test_a_program_is_in_scope_where_all_its_dialects_are_and_one_is_of_stablehlo():
    assert is_in_scope(ADD)
    assert is_in_scope("func.func @f() { return }")
    assert not is_in_scope("%0 = arith.constant 1 : i32")
    assert is_in_scope("%0 = arith.constant 1 : i32\n%1 = stablehlo.iota dim = 0 : tensor<2xi32>")
    assert not is_in_scope(
        '%0 = stablehlo.iota dim = 0 : tensor<2xi32>\n"llvm.call"(%0) : (tensor<2xi32>) -> ()'
    )
