"""What the panes show beyond the state of the program: executed and dead code, outline, output, search,
differences, JAX's names, where a grid is from.
"""

from __future__ import annotations

import re

import numpy as np
import pytest

from shlo_tui.dialogs.text import TextDialog
from shlo_tui.widgets.outline import OutlinePane, OutputPane
from shlo_tui.widgets.source import SourcePane
from shlo_tui.widgets.tensor import TensorPane
from shlo_tui.widgets.values import ValuesPane

from .conftest import DIVERGING, EXAMPLES, TRAINING

pytestmark = pytest.mark.asyncio

PROGRAM = """#loc1 = loc("params['w']")
#loc2 = loc("model.py":3:1)
func.func @main(%x: tensor<4xf32> loc(#loc1)) -> (tensor<4xf32> {jax.result_info = "result['y']"}) {
  %0 = stablehlo.log %x : tensor<4xf32> loc(#loc2)
  %dead = stablehlo.cosine %0 : tensor<4xf32>
  %deader = stablehlo.sine %dead : tensor<4xf32>
  %1 = stablehlo.abs %x : tensor<4xf32>
  return %1 : tensor<4xf32>
}
#loc = loc(unknown)
"""
X = "dense<[1.0, -2.0, 3.0, 4.0]> : tensor<4xf32>"

PRINTS = """func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.add %x, %x : tensor<f32>
  "stablehlo.custom_call"(%0) {call_target_name = "xla_ffi_python_cpu_callback", has_side_effect = true,
    api_version = 4 : i32, backend_config = {index = 0 : ui64}} : (tensor<f32>) -> ()
  return %0 : tensor<f32>
}
"""


async def test_executed_and_unused_lines_are_marked(drive, write):
    async with drive(write(PROGRAM), X, size=(100, 30)) as debugger:
        source = debugger.app.pane(SourcePane)
        assert source.states.unused == {4, 5, 6}
        assert source.states.executed == set()
        await debugger.press("n", "n")
        assert source.states.executed == {4, 5}
        lines = debugger.text.split("\n")
        assert next(line for line in lines if "log %x" in line)[:7] == "    4 ·"
        assert "unused" in next(line for line in lines if "sine %dead" in line)
        await debugger.press("N")
        assert source.states.executed == {4}


async def test_locations_of_a_short_file_are_folded(drive, write):
    async with drive(write(PROGRAM), X, size=(100, 40)) as debugger:
        assert "loc" not in debugger.text
        assert "func.func @main" in debugger.text.split("\n")[2]
        await debugger.pilot.click(SourcePane, offset=(12, 1))
        await debugger.settle()
        assert debugger.app.pane(SourcePane).cursor == 2
        await debugger.press("L")
        assert "params['w']" in debugger.text


async def test_long_names_of_jax_show_their_ends_in_a_narrow_window(drive, write):
    long = PROGRAM.replace("params['w']", "params['layers'][0]['w']")
    async with drive(write(long), X, size=(80, 24)) as debugger:
        assert re.search(r"%x …\S*\['w'\] ", debugger.text)


async def test_values_are_found_by_name_jax_name_type_and_nan(drive, write):
    async with drive(write(PROGRAM), X, size=(120, 30)) as debugger:
        await debugger.press("n", "n", "n", "3", "slash")
        values = debugger.app.pane(ValuesPane)
        await debugger.type("params")
        assert values.chosen.name == "x"
        assert "params['w']" in debugger.text
        await debugger.press("slash")
        await debugger.type("NaN")
        assert {values.chosen.name} <= {"0", "dead", "deader"}
        before = values.cursor
        await debugger.press("full_stop")
        assert values.cursor != before
        await debugger.press("slash")
        await debugger.type("none")
        assert "no value is found by none" in debugger.text
        await debugger.press("ampersand")
        await debugger.type("nan")
        assert [row.name for row in values.rows] == ["deader", "dead", "0"]
        await debugger.press("ampersand", "enter", "c")
        assert "result['y']" in debugger.text


async def test_the_source_is_searched_by_scope_and_line_of_python(drive):
    async with drive(*DIVERGING) as debugger:
        source = debugger.app.pane(SourcePane)
        for text, line in (("layer_1", 201), ("lower_diverging.py:72", 137), ("exponential", 191)):
            await debugger.press("home", "slash")
            await debugger.type(text)
            assert source.cursor + 1 == line
        await debugger.press("full_stop")
        assert source.cursor + 1 == 210


async def test_the_difference_of_two_values_is_shown_with_a_heat_map(drive, write):
    async with drive(write(PROGRAM), X, size=(100, 30)) as debugger:
        await debugger.press("n", "n", "n", "n", "D")
        await debugger.type("%x")
        assert isinstance(debugger.app.screen, TextDialog)
        assert "%1 and %x: 1 of 4 elements differ, at most 4 apart" in debugger.text
        assert "[1] 2 and -2: 4 apart" in debugger.text
        assert "▀" in debugger.text


async def test_the_outline_shows_scopes_and_leads_to_them(drive):
    async with drive(*DIVERGING, size=(120, 40)) as debugger:
        outline = debugger.app.pane(OutlinePane)
        assert not outline.display
        await debugger.press("8")
        assert outline.display
        names = [row.name for row in outline.rows]
        assert names[:2] == ["@main", "jit(anneal)"]
        outline.put_cursor(names.index("layer_1"))
        await debugger.press("enter")
        assert debugger.app.pane(SourcePane).cursor == 200
        count = len(outline.rows)
        await debugger.press("left")
        assert len(outline.rows) == count - 3
        await debugger.press("right", "x", "x")
        assert "NaN!" in next(line for line in debugger.text.split("\n") if " @closed_call  " in line[:20])
        assert outline.here == ("@closed_call", "layer_0/attn")  # of what made the NaN
        await debugger.press("8")
        assert not outline.display


async def test_printed_output_has_a_pane(drive, write):
    async with drive(write(PRINTS), "2.5", size=(80, 24)) as debugger:
        output = debugger.app.pane(OutputPane)
        await debugger.press("9")
        assert "nothing was printed" in debugger.text
        await debugger.press("n", "n")
        assert output.display
        assert "─output─" in debugger.text
        assert "[2] line 3, callback 0: 5." in debugger.text
        await debugger.press("N")
        assert not output.display


@pytest.mark.parametrize(
    ("file", "options", "text"),
    [
        ("mesh", {}, "grid 1x8 from mesh @mesh"),
        ("data_parallel", {"grid": (1, 4)}, "grid 1x4 from --grid"),
    ],
)
async def test_the_first_screen_says_where_the_grid_is_from(file, options, text, drive):
    arguments = EXAMPLES / f"{file}.mlir", EXAMPLES / f"{file}.npz"
    async with drive(*arguments, **options, size=(120, 40)) as debugger:
        assert text in debugger.text


async def test_skipped_arrays_are_noted(drive, tmp_path):
    arrays = dict(np.load(TRAINING[1]))
    np.savez(tmp_path / "x.npz", **arrays, other=np.zeros(3))
    async with drive(TRAINING[0], tmp_path / "x.npz", size=(250, 40)) as debugger:
        assert "skipped 1 array named after no argument: other" in debugger.text


BEHIND = """func.func @main(%x: tensor<3x40xf32>) -> tensor<3x40xf32> {
  %0 = stablehlo.sqrt %x : tensor<3x40xf32> loc("root"("train.py":3:5))
  %1 = stablehlo.sine %0 : tensor<3x40xf32> loc("train.py":4:5)
  return %1 : tensor<3x40xf32>
}
"""


async def test_all_panes_are_at_the_operation_that_made_a_nan_and_at_the_element(drive, write, tmp_path):
    x = np.ones((3, 40), np.float32)
    x[2, 30] = -1
    np.save(tmp_path / "x.npy", x)
    async with drive(write(BEHIND), tmp_path / "x.npy", size=(120, 40)) as debugger:
        await debugger.press("!")
        assert debugger.app.pane(SourcePane).cursor + 1 == 2
        assert "train.py:3 root" in debugger.text.split("\n")[0]
        assert debugger.app.pane(TensorPane).element_index == (2, 30)
