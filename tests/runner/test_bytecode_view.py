"""The text of bytecode for people: what is left out of it, and how it is read."""

from __future__ import annotations

from pathlib import Path

import pytest

import shlo
import shlo_bytecode
from shlo.runner import bytecode_view
from shlo.runner.bytecode_view import view_of
from shlo_bytecode.container.output import varint

BLOB = '"0x01000000' + "AB" * 8000 + '"'
PROGRAM = f"""module {{
  func.func @main() {{
    %0 = stablehlo.constant dense_resource<big> : tensor<2000xf32>
    %1 = stablehlo.constant dense_resource<big> : tensor<2000xf32>
    %2 = stablehlo.constant dense_resource<small> : tensor<1xf32>
    %3 = stablehlo.constant dense<1.0> : tensor<2000xf32>
    "a.op"() {{a.list = [{{x = dense<{list(range(2000))}> : tensor<2000xi32>}}, "kept"]}} : () -> ()
    return
  }}
}}
{{-#
  dialect_resources: {{
    builtin: {{
      big: {BLOB},
      small: "0x010000000000803F"
    }}
  }}
#-}}
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "p.mlirbc"
    path.write_bytes(shlo_bytecode.write(shlo.parse(PROGRAM)))
    return path


@pytest.mark.parametrize("mapped", [False, True])
def test_large_constants_are_left_out_wherever_they_stand(
    path: Path, mapped: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bytecode_view, "MAPPED_FROM", 1 if mapped else 1 << 20)
    text = view_of(str(path)).text
    assert "// 2 constants of more than 4,096 bytes are left out" in text
    assert text.count("stablehlo.constant dense_resource<elided_0> : tensor<2000xf32>") == 2
    assert 'a.list = [{x = dense_resource<elided_1> : tensor<2000xi32>}, "kept"]' in text
    assert "dense<1.000000e+00> : tensor<2000xf32>" in text
    assert 'small: "0x010000000000803F"' in text
    assert len(text) < 2_000
    shlo.parse(text)


def test_a_text_that_no_editor_takes_is_not_made(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bytecode_view, "LONGEST_TEXT", 500)
    view = view_of(str(path))
    assert "too many for an editor: convert it to text." in view.text
    assert "stablehlo.constant" not in view.text
    assert view.damage is None


def test_a_header_of_many_dialects_stays_short(path: Path) -> None:
    names = "".join([f'  "d{number}.op"() : () -> ()\n' for number in range(100)])
    path.write_bytes(shlo_bytecode.write(shlo.parse(f"func.func @f() {{\n{names}  return\n}}\n")))
    banner = view_of(str(path)).text.partition("\n\n")[0]
    assert ", d13 and 86 more" in banner
    assert max(map(len, banner.splitlines())) < 200


def test_versions_that_dialects_state_are_shown(path: Path) -> None:
    data = shlo_bytecode.write(shlo.parse("func.func @f() {\n  return\n}\n"))
    start = data.index(b"shlo\0") + len(b"shlo\0")
    length = data[start + 1] >> 1
    content = bytearray(data[start + 2 : start + 2 + length])
    version = varint(1) + varint(17) + varint(0)
    content[1:2] = bytes([content[1] | 2, 7]) + varint(len(version)) + version
    path.write_bytes(data[: start + 1] + varint(len(content)) + content + data[start + 2 + length :])
    assert "// Dialects: builtin 1.17.0, func\n" in view_of(str(path)).text
