"""Names of Python in hovers: read once for a program whose sources can be read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from lsprotocol import types

from shlo.language import Document
from shlo.language.source_lines import python_files
from shlo.places.names import NO_NAMES
from shlo_lsp.documents import Edition
from shlo_lsp.features.python_lines import NAMES, names_of, sources_of
from shlo_lsp.positions import Lines
from shlo_lsp.settings import Settings
from shlo_lsp.view import Client, View

PROGRAM = """\
#loc1 = loc("{file}":2:10 to :15)
#loc2 = loc("f"(#loc1))
func.func @main(%x: tensor<f32>) -> tensor<f32> {{
  %0 = stablehlo.add %x, %x : tensor<f32> loc(#loc2)
  return %0 : tensor<f32>
}}
"""


def view_of(file: str, folder: Path, memory: dict[str, Any]) -> View:
    text = PROGRAM.format(file=file)
    edition = Edition(Lines(text, types.PositionEncodingKind.Utf16), 0)
    client = Client(types.ClientCapabilities(), Settings(), (str(folder),))
    return View("untitled:p", client, edition, edition, Document(text), memory)


def test_operations_are_looked_at_only_where_a_source_can_be_read(tmp_path: Path) -> None:
    (tmp_path / "s.py").write_text("def f(x):\n    return x + x\n", newline="\n")
    for file, is_kept in (("s.py", True), ("gone.py", False), ("site-packages/jax/x.py", False)):
        memory: dict[str, Any] = {}
        view = view_of(file, tmp_path, memory)
        [part] = view.document.parts
        names = names_of(view, sources_of(view), part)
        assert ((NAMES in memory), names is not NO_NAMES) == (is_kept, is_kept), file


def test_files_of_python_are_found_in_the_text_of_locations() -> None:
    text = PROGRAM.format(file="a.py") + '#loc3 = loc("b\\\\c.py" : 1 : 2)\n#loc4 = loc("d.txt":1:1)\n'
    [part] = Document(text).parts
    assert python_files(part) == {"a.py", "b\\c.py"}
    assert python_files(Document("func.func @f() {\n  return\n}\n").parts[0]) == set()
