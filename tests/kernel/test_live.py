"""What a page is told while a cell is written: findings against the session, words under the pointer."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from shlo_kernel.live import LiveAnswers, findings

from .screens import Notebook


def told(notebook: Notebook, code: str, above: str = "") -> list[tuple[str, str]]:
    """Returns what is wrong with a cell: the message, and the part of the cell that it is about."""
    return [(each.message, code[each.span.start : each.span.end]) for each in findings(notebook, code, above)]


@pytest.fixture
def started(notebook: Notebook) -> Notebook:
    """Returns a notebook with a value %x and a function @f."""
    notebook.cell("%x = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>")
    notebook.cell("""func.func @f(%a: tensor<2xf32>) -> tensor<2xf32> {
  %b = stablehlo.negate %a : tensor<2xf32>
  return %b : tensor<2xf32>
}""")
    return notebook


def test_a_cell_is_checked_against_the_session_and_nothing_runs(started: Notebook) -> None:
    before = started.session.state
    assert told(started, "%y = stablehlo.add %x, %x : tensor<2xf32>\n%y") == []
    assert told(started, "%y = func.call @f(%x) : (tensor<2xf32>) -> tensor<2xf32>") == []
    ((message, where),) = told(started, "%y = stablehlo.negate %x : tensor<3xf32>")
    assert where == "%x"
    assert "tensor<2xf32>" in message
    ((message, where),) = told(started, "%y = func.call @g(%x) : (tensor<2xf32>) -> tensor<2xf32>")
    assert "no function @g" in message
    assert told(started, "%nope")[0] == ("there is no value '%nope'", "%nope")
    ((message, where),) = told(started, "// first\n%y = stablehlo.ad %x, %x : tensor<2xf32>")
    assert where == "stablehlo.ad"
    assert started.session.state is before


def test_values_of_a_cell_are_known_below_it_in_the_cell(started: Notebook) -> None:
    cell = "%y = stablehlo.add %x, %x : tensor<2xf32>\n// -----\n%z = stablehlo.negate %y : tensor<4xf32>"
    assert [where for _, where in told(started, cell)] == ["%y"]


def test_what_magics_and_cells_above_define_is_not_missed(started: Notebook) -> None:
    magic = "%run %y = @f(%x)\n%z = stablehlo.add %y, %y : tensor<2xf32>"
    assert told(started, magic) == []
    again = "%input %x = zeros : tensor<7xf32>\n%z = stablehlo.add %x, %x : tensor<7xf32>"
    assert told(started, again) == []
    use = "%z = stablehlo.negate %w : tensor<2xf32>"
    assert [where for _, where in told(started, use)] == ["%w"]
    assert told(started, use, "%w = stablehlo.constant dense<1.0> : tensor<2xf32>") == []
    assert told(started, use, "%load values.npz") == []
    call = "%z = func.call @later(%x) : (tensor<2xf32>) -> tensor<2xf32>"
    assert told(started, call, "func.func @later(%a: tensor<2xf32>) -> tensor<2xf32> {") == []
    assert len(told(started, f"{use}\n%q = stablehlo.nope", "%w = stablehlo.iota")) == 1


def test_magics_are_checked_too(started: Notebook) -> None:
    ((message, where),) = told(started, "%rum @f(%x)")
    assert (where, "%run" in message) == ("%rum @f(%x)", True)
    assert [where for _, where in told(started, "%%time\n%y = stablehlo.negate %x : tensor<3xf32>")] == ["%x"]
    assert told(started, "%%python\nthis is no python") == []


def test_a_page_asks_and_is_answered(started: Notebook) -> None:
    answers = LiveAnswers(started)
    found = answers.answer(
        {"number": 1, "ask": "findings", "text": "%y = stablehlo.iota dim = 4 : tensor<2xf32>"}
    )
    (finding,) = found["findings"]
    assert (found["number"], finding["start"], finding["end"]) == (1, 20, 27)
    assert finding["fix"] == {"title": "set iota_dimension to 0", "start": 26, "end": 27, "text": "0"}
    code = "%y = stablehlo.add %x, %x : tensor<2xf32>"
    word = {"number": 2, "ask": "hover", "text": code, "offset": 8}
    assert "stablehlo.add" in answers.answer(word)["markdown"]
    assert "[1., 2.]" in answers.answer({**word, "offset": code.index("%x")})["markdown"]
    for wrong in (None, {}, {"text": 1}, {"text": "", "ask": "nope"}, {**word, "offset": 10**9}):
        assert "error" in answers.answer(wrong)
    assert answers.answer({"ask": "findings", "text": "", "above": [1, None]})["findings"] == []


def test_pages_are_told_that_a_cell_has_run(started: Notebook) -> None:
    class Comm:
        def __init__(self) -> None:
            self.sent: list[Any] = []
            self.close: Any = None

        def on_msg(self, handler: Any) -> None: ...

        def on_close(self, handler: Any) -> None:
            self.close = handler

        def send(self, data: Any) -> None:
            self.sent.append(data)

    answers, open_, closed = LiveAnswers(started), Comm(), Comm()
    for comm in (open_, closed):
        answers.open_comm(comm, {})
    closed.close({})
    answers.tell_change()
    assert (open_.sent, closed.sent) == ([{"changed": True}], [])


def test_cells_of_python_notebooks_are_checked_and_explained() -> None:
    from IPython.core.interactiveshell import InteractiveShell

    from shlo_kernel.ipython.extension import StableHLOMagics

    shell = InteractiveShell()
    magics = StableHLOMagics(shell)
    shell.user_ns["x"] = np.ones(2, np.float32)
    cell = "%%stablehlo -o y\n%y = stablehlo.negate %x : tensor<3xf32>"
    (finding,) = magics.live.answer({"ask": "findings", "text": cell})["findings"]
    assert cell[finding["start"] : finding["end"]] == "%x"
    assert magics.live.answer({"ask": "findings", "text": "x = %x"})["findings"] == []
    asked: list[Any] = []
    inspect = magics.inspecting(lambda *arguments: asked.append(arguments) or {})
    found = inspect(cell, cell.index("negate") + 1, 0)
    assert "stablehlo.negate" in found["data"]["text/plain"]
    assert "[1., 1.]" in inspect(cell, cell.index("%x") + 1)["data"]["text/plain"]
    inspect(cell, 3)
    inspect("print", 2, 1)
    assert asked == [(cell, 3), ("print", 2, 1)]
