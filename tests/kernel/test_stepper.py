"""The stepper's widgets, without a browser: what buttons and fields do, and what is shown."""

# pyright: reportAttributeAccessIssue=false, reportOperatorIssue=false
from __future__ import annotations

import json
import re
from html import unescape
from pathlib import Path
from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest

import shlo
from shlo.debugger import Session
from shlo.debugger.views.replay import replay_ahead, replay_of
from shlo.pages.bundle import script_html, view_script
from shlo_kernel.cells.calls import read_call
from shlo_kernel.widgets.stepper import Stepper

from .screens import Notebook
from .test_display import embedded

LOOP = """func.func @main(%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %limit = stablehlo.constant dense<3> : tensor<i32>
  %end:2 = stablehlo.while(%i = %zero, %now = %x) : tensor<i32>, tensor<2x3x4xf32>
  cond {
    %more = stablehlo.compare LT, %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %next = stablehlo.add %now, %now : tensor<2x3x4xf32>
    %following = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %following, %next : tensor<i32>, tensor<2x3x4xf32>
  }
  return %end#1 : tensor<2x3x4xf32>
}
"""
CALL = """func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %y = stablehlo.custom_call @wait(%x) {has_side_effect = true} : (tensor<2xf32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}
"""
HOSTILE = "<img src=x onerror=window.pwned=1>"
EVIL = f"""func.func @"{HOSTILE}"(%x: tensor<2xf32>) -> tensor<2xf32> {{
  %y = stablehlo.add %x, %x {{note = "{HOSTILE}\\1B[31m"}} : tensor<2xf32> loc("jit({HOSTILE})/add"("{HOSTILE}":1:1))
  return %y : tensor<2xf32>
}}
"""


@pytest.fixture
def stepper() -> Any:
    array = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
    return Stepper(Session(shlo.parse(LOOP), [array]))


def click(stepper: Any, text: str) -> None:
    """Presses a button."""
    next(button for button in stepper.buttons if button.description == text).click()


def views(stepper: Any) -> tuple[Any, ...]:
    """Returns all that is shown of a place."""
    return (
        stepper.where.value.replace("breakpoint", ""),
        stepper.source.place.value,
        stepper.frames.options,
        stepper.values.select.options,
        stepper.timeline.value,
    )


def test_steps_back_show_what_steps_showed(stepper: Any) -> None:
    seen = [views(stepper)]
    for _ in range(12):
        click(stepper, "step")
        seen.append(views(stepper))
    for before in reversed(seen[1:-1]):
        click(stepper, "back")
        assert views(stepper) == before
    assert len(set(map(repr, seen))) == len(seen)


def test_every_button_can_be_pressed_anywhere(stepper: Any) -> None:
    for _ in range(2):
        for button in stepper.buttons:
            button.click()
            assert "there is no command" not in stepper.reply.value


def test_the_timeline_goes_to_a_position(stepper: Any) -> None:
    click(stepper, "continue")
    last = stepper.timeline.max
    stepper.timeline.value = 5
    assert stepper.session.position == 5
    assert "[5]" in stepper.where.value
    assert stepper.timeline.max == last


def test_the_picture_of_the_run_has_depths_stops_and_breakpoints_and_is_clicked(stepper: Any) -> None:
    stepper.line.value = "10"
    click(stepper, "continue")
    stop = stepper.session.position
    click(stepper, "continue")
    there = pictured(stepper)
    assert (there["position"], there["last"]) == (stepper.session.position, stepper.session.position)
    assert there["stops"] == [stop, stepper.session.position]
    assert there["breakpoints"] == there["stops"]
    assert (min(there["depths"]), max(there["depths"])) == (1, 2)
    assert len(there["rounds"]) == 2
    stepper.picture.told.value = f"goto {stop} 1"
    assert stepper.session.position == stop
    assert pictured(stepper)["position"] == stop
    stepper.whole.click()
    assert pictured(stepper)["isDone"]
    assert pictured(stepper)["last"] == stepper.timeline.max


def pictured(stepper: Any) -> Any:
    """Returns what the page is given of the timeline."""
    found = re.search(r'timeline="([^"]*)"', stepper.picture.place.value)
    assert found is not None
    return json.loads(unescape(found[1]))


def test_a_line_is_a_breakpoint_both_ways(stepper: Any) -> None:
    stepper.line.value = "10"
    assert stepper.line.value == ""
    assert "breakpoint 1: line 10" in stepper.reply.value
    assert "●" in stepper.source.place.value
    rounds = []
    for button in ("continue", "continue", "reverse"):
        click(stepper, button)
        rounds.append(stepper.session.snapshot.frames[-1].iteration)
    assert rounds == [0, 1, 0]


def test_all_of_the_source_is_there_and_its_margin_sets_and_clears_breakpoints(stepper: Any) -> None:
    data = embedded(stepper.source.html.value)
    assert data["lines"] == LOOP.split("\n")
    drawn = stepper.source.html.value

    def marked() -> list[str]:
        return re.findall(r'breakpoints="([^"]*)"', stepper.source.place.value)

    stepper.source.told.value = "break 10 1"
    stepper.source.told.value = "break 9 2"  # no operation begins there: the next one is on line 10
    assert marked() == [""]
    stepper.source.told.value = "break 10 3"
    stepper.source.told.value = "break 2 4"
    assert marked() == ["2 10"]
    click(stepper, "continue")
    assert 'here="10"' in stepper.source.place.value
    stepper.source.told.value = "break 10 5"
    assert marked() == ["2"]
    assert stepper.source.html.value == drawn
    stepper.source.told.value = "break 99 6"
    assert "99" in stepper.reply.value


def test_keys_in_the_source_are_those_of_the_debugger(stepper: Any) -> None:
    keys = embedded(stepper.source.html.value)["keys"]
    assert keys.keys() == set("nNsSfcCxXtT")
    places = []
    for number, asked in enumerate(
        ("key s 1", "key n 1", "key t 11", "key S 1", "key T 2", "key q 1", "key")
    ):
        stepper.source.told.value = f"{asked} {number}"
        places.append(stepper.session.position)
    assert places == [1, 2, 7, 6, 0, 0, 0]


def test_a_line_of_a_cell_is_called_by_its_cell_beside_its_line_of_python() -> None:
    program = re.sub(r"(?m)^(  %zero .*)$", r'\1 loc("folder/train.py":7:1)', LOOP)
    stepper: Any = Stepper(Session(shlo.parse(program), [np.ones((2, 3, 4), np.float32)]))
    data = embedded(stepper.source.html.value)
    assert (data["labels"], data["origins"][:3]) == (None, ["", "train.py:7", ""])
    notebook = Notebook()
    notebook.cell("func.func @h(%x: tensor<f32>) -> tensor<f32> {\n  return %x : tensor<f32>\n}")
    call = "  %0 = call @h(%x) : (tensor<f32>) -> tensor<f32>\n  return %0 : tensor<f32>"
    notebook.cell(f"func.func @f(%x: tensor<f32>) -> tensor<f32> {{\n{call}\n}}")
    data = embedded(stepper_of(notebook, "@f").source.html.value)
    assert set(data["labels"]) == {f"In[{cell}]:{line}" for cell in (1, 2) for line in range(1, 3 + cell)}
    assert data["origins"] is None


def test_a_pinned_value_is_shown_at_each_step(stepper: Any) -> None:
    click(stepper, "step")
    stepper.pin.click()
    stepper.watches.field.value = "max(%x)"
    stepper.watches.field.value = "nothing %"
    assert "expected" in stepper.reply.value or "unexpected" in stepper.reply.value
    first, second = stepper.watches.children[1:]
    assert "%zero = 0" in first.text.value
    second.views.value = True
    assert "max(%x) = 23" in second.text.value
    stepper.line.value = "10"
    click(stepper, "continue")
    assert "%zero = 0" in first.text.value
    first.remove.click()
    assert stepper.watches.children[1:] == (second,)
    assert [watch.expression.text for watch in stepper.session.watches] == ["max(%x)"]


def test_a_pinned_tensor_keeps_its_own_view(stepper: Any) -> None:
    stepper.watches.field.value = "%now"
    (row,) = stepper.watches.children[1:]
    assert "not in scope" in row.text.value
    row.views.value = True
    assert row.tensor.html.value == ""
    stepper.line.value = "10"
    highs = []
    for _ in range(2):
        click(stepper, "continue")
        highs.append(re.findall(r"max (\d+)", row.tensor.html.value)[0])
    assert highs == ["23", "46"]


def test_the_timeline_says_whether_it_has_the_whole_run(stepper: Any) -> None:
    stepper.line.value = "10"
    click(stepper, "continue")
    place = stepper.session.position
    assert f"of {place} so far" in stepper.extent.value
    stepper.whole.click()
    assert stepper.session.position == place
    assert stepper.timeline.max > place
    assert f"of {stepper.timeline.max}, the whole run" in stepper.extent.value
    assert stepper.whole.disabled
    stepper.timeline.value = stepper.timeline.max
    assert "the program is done" in stepper.where.value
    click(stepper, "restart")
    assert "the whole run" in stepper.extent.value


def test_commands_answer_and_complain(stepper: Any) -> None:
    stepper.command.value = "print %x[0, 0, :]"
    assert "[0., 1., 2., 3.]" in stepper.reply.value
    stepper.command.value = "next"
    assert "[1], @main" in stepper.reply.value
    click(stepper, "next")
    assert stepper.reply.value == ""
    stepper.command.value = "print %nope"
    assert "no value that the program binds is called %nope" in stepper.reply.value


def test_the_value_that_a_step_bound_is_chosen(stepper: Any) -> None:
    click(stepper, "step")
    assert "%zero : tensor&lt;i32&gt;" in stepper.tensor.html.value
    stepper.values.filter.value = "%x"
    assert [name for _, name in stepper.values.select.options] == ["x"]
    assert "%x : tensor&lt;2x3x4xf32&gt;" in stepper.tensor.html.value


def test_one_view_shows_value_after_value() -> None:
    program = LOOP.replace("2x3x4", "20x30x4")
    stepper: Any = Stepper(Session(shlo.parse(program), [np.ones((20, 30, 4), np.float32)]))
    stepper.line.value = "10"
    views = []
    for _ in range(2):
        click(stepper, "continue")
        click(stepper, "step")
        views.append(embedded(stepper.tensor.html.value))
    assert [view["tensors"][0]["statistics"]["high"] for view in views] == [2, 4]
    assert views[0]["view"] == views[1]["view"]
    assert "<script>" not in stepper.tensor.html.value  # a widget runs none: the page has it from the loader
    assert script_html("tensor_view") == stepper.tensor.children[0].outputs[0]["data"]["text/html"]


def test_a_frame_outside_of_the_loop_can_be_looked_at(stepper: Any) -> None:
    stepper.line.value = "10"
    click(stepper, "continue")
    inner = [name for _, name in stepper.values.select.options]
    stepper.frames.value = 0
    outer = [name for _, name in stepper.values.select.options]
    assert "now" in inner
    assert "now" not in outer
    assert "stablehlo.while" in stepper.frames.label


def test_results_are_shown_at_the_end(stepper: Any) -> None:
    click(stepper, "continue")
    assert "the program is done" in stepper.where.value
    assert [name for _, name in stepper.values.select.options] == ["result 0"]
    assert "max 184" in stepper.tensor.html.value


def test_an_interrupt_leaves_a_session_that_goes_on() -> None:
    interrupts = [KeyboardInterrupt()]

    def call(operand: Any) -> Any:
        if interrupts:
            raise interrupts.pop()
        return operand

    module = shlo.parse(CALL)
    stepper: Any = Stepper(Session(module, [np.ones(2, np.float32)], handlers={"wait": lambda _: call}))
    click(stepper, "continue")
    assert "stopped" in stepper.reply.value
    assert stepper.session.snapshot.status == "ready"
    click(stepper, "continue")
    assert "the program is done" in stepper.where.value


def test_texts_of_a_program_are_no_markup() -> None:
    module = shlo.parse(EVIL)
    stepper: Any = Stepper(Session(module, [np.ones(2, np.float32)], entry=HOSTILE))
    click(stepper, "step")
    stepper.command.value = f"print %{HOSTILE}"
    shown = "".join(
        (stepper.where.value, stepper.source.place.value, stepper.reply.value, stepper.tensor.html.value)
    )
    assert "&lt;img" in shown
    assert "<img" not in shown
    assert "\x1b" not in shown


def test_a_stepper_closes_with_all_of_its_widgets(stepper: Stepper) -> None:
    import comm

    manager = comm.get_comm_manager()
    before = set(manager.comms)
    other = Stepper(Session(shlo.parse(LOOP), [np.ones((2, 3, 4), np.float32)]))
    assert len(manager.comms) > len(before)
    other.close()
    assert set(manager.comms) == before


def test_the_stepper_has_the_lines_of_the_cells_and_stops_at_them() -> None:
    notebook = Notebook()
    notebook.cell(
        "func.func @h(%x: tensor<f32>) -> tensor<f32> {\n  %a = stablehlo.log %x : tensor<f32>\n  return %a : tensor<f32>\n}"
    )
    notebook.cell(
        "\n\nfunc.func @f(%x: tensor<f32>) -> tensor<f32> {\n  %0 = call @h(%x) : (tensor<f32>) -> tensor<f32>\n  return %0 : tensor<f32>\n}"
    )
    single = stepper_of(notebook, "@h")
    assert re.search(r">\s*2\b.*?stablehlo", single.source.place.value, re.DOTALL)
    single.line.value = "2"
    assert "line 2" in single.reply.value
    both = stepper_of(notebook, "@f")
    both.line.value = "In[1]:2"
    click(both, "continue")
    assert "stablehlo.log" in both.frames.label
    assert "In[1]:2" in both.source.place.value
    assert "In[2]:4" in both.source.place.value or "In[2]:3" not in both.source.place.value


def stepper_of(notebook: Notebook, function: str) -> Any:
    call = read_call(notebook.session, f"{function}(-1.0)")
    return Stepper(Session(call.module, call.arguments, entry=call.function.name))


def test_a_nan_is_found_both_ways() -> None:
    notebook = Notebook()
    notebook.cell(
        "func.func @f(%x: tensor<f32>) -> tensor<f32> {\n  %y = stablehlo.negate %x : tensor<f32>\n  %a = stablehlo.log %x : tensor<f32>\n  %b = stablehlo.negate %y : tensor<f32>\n  return %b : tensor<f32>\n}"
    )
    stepper = stepper_of(notebook, "@f")
    click(stepper, "next NaN")
    assert stepper.session.snapshot.last_step.bound == ("a",)
    assert "stablehlo.log made a NaN on line 3" in stepper.reply.value
    click(stepper, "continue")
    assert "made" not in stepper.reply.value
    click(stepper, "NaN before")
    assert stepper.session.snapshot.last_step.bound == ("a",)
    assert pictured(stepper)["nonfinite"] == [stepper.session.position]


def test_a_stepper_at_a_nan_marks_the_operation_that_made_it_and_says_so(tmp_path: Path) -> None:
    python = tmp_path / "train.py"
    python.write_text("import jax.numpy as jnp\ndef loss(x):\n    return jnp.log(x)  # the NaN\n")
    module = shlo.parse(
        "func.func @main(%x: tensor<f32>) -> tensor<f32> {\n"
        f'  %a = stablehlo.log %x : tensor<f32> loc("loss"("{python}":3:5))\n'
        "  %b = stablehlo.constant dense<0.0> : tensor<f32>\n  return %b : tensor<f32>\n}"
    )
    opened, gone_on = (Session(module, [np.float32(-1)]) for _ in range(2))
    for session in (opened, gone_on):
        session.structure.python.add_folder(str(tmp_path))
    opened.nonfinite.run_to("nan")
    steppers: list[Any] = [Stepper(opened), Stepper(gone_on)]
    steppers[1].command.value = "break nan"
    click(steppers[1], "continue")
    said = "stablehlo.log at train.py:3 loss (MLIR line 2) made a NaN"
    for stepper in steppers:
        assert said in stepper.where.value
        assert "jnp.log(x)  # the NaN" in stepper.where.value
        assert 'here="2"' in stepper.source.place.value
        assert "stablehlo.log" in here(stepper.source.place.value)
        assert [text.split()[-1] for text, _ in stepper.frames.options] == ["stablehlo.log"]
        assert pictured(stepper)["nonfinite"] == [1]
        stepper.shows_graph.value = True
        assert 'line="2"' in stepper.graph.place.value
        static = stepper.mime_bundle()
        assert said in static["text/html"]
        assert said in static["text/plain"]
        assert "stablehlo.log" in here(static["text/html"])


def here(page: str) -> str:
    """Returns the line that a page marks as the current one."""
    (line,) = re.findall(r'<div class="shlo-here".*?</div>', page)
    return line


def test_an_edit_takes_the_marks_of_the_future_that_it_replaces_off_the_picture() -> None:
    notebook = Notebook()
    notebook.cell(
        "func.func @f(%x: tensor<f32>) -> tensor<f32> {\n  %y = stablehlo.negate %x : tensor<f32>\n"
        "  %a = stablehlo.log %x : tensor<f32>\n  %b = stablehlo.abs %a : tensor<f32>\n"
        "  return %b : tensor<f32>\n}"
    )
    stepper = stepper_of(notebook, "@f")
    click(stepper, "next NaN")
    found = stepper.session.position
    stepper.run("reverse-step")
    stops = pictured(stepper)["stops"]
    assert pictured(stepper)["nonfinite"] == [found]
    assert found in stops
    stepper.run("set %x = 1.0")
    stepper.run("continue")
    assert pictured(stepper)["last"] >= found
    assert pictured(stepper)["nonfinite"] == []
    assert found not in pictured(stepper)["stops"]
    stepper.run("future 1")
    assert pictured(stepper)["nonfinite"] == [found]
    assert set(stops) <= set(pictured(stepper)["stops"])


def test_the_graph_follows_the_stepper_and_shows_what_is_selected_in_it(stepper: Any) -> None:
    def place() -> int:
        return int(re.findall(r'line="(\d+)"', stepper.graph.place.value)[0])

    stepper.shows_graph.value = True
    assert "<shlo-graph-view" in stepper.graph_box.children[0].html.value
    drawn, start = stepper.graph.html.value, place()
    click(stepper, "step")
    click(stepper, "step")
    assert place() > start
    assert stepper.graph.html.value == drawn
    here = place()
    stepper.graph.told.value = f"{start} 1"
    assert stepper.values.select.value == "zero"
    assert "shlo-chosen" in stepper.source.place.value
    stepper.graph.told.value = f"{here} 2"
    assert f"line {here} has bound no value here: until {here} goes there" in stepper.reply.value
    stepper.shows_graph.value = False
    assert stepper.graph_box.children == ()
    click(stepper, "step")
    assert place() == start


def test_a_saved_notebook_has_the_place_the_source_and_the_values(stepper: Any) -> None:
    click(stepper, "step")
    bundle = stepper.mime_bundle()
    assert "application/vnd.jupyter.widget-view+json" in bundle
    assert bundle["text/plain"].startswith("[1], @main")
    assert "%zero : tensor<i32> = 0" in bundle["text/plain"]
    page = bundle["text/html"]
    assert 'class="shlo-here"' in page
    assert "%zero : tensor&lt;i32&gt; = 0" in page
    assert ("<shlo-replay-view>" if view_script("replay_view") else "run the cell to step") in page


def test_a_saved_notebook_has_the_steps_ahead_of_a_program_without_effects(stepper: Any) -> None:
    replay = replay_ahead(stepper.session)
    assert replay is not None
    assert (replay.position, stepper.session.position) == (0, 0)
    assert len(replay.steps) > 1
    assert stepper.session.cursor.last == 0


def test_a_program_that_calls_out_is_not_looked_ahead_in() -> None:
    text = """func.func @main(%x: tensor<f32>) -> tensor<f32> {
      %y = stablehlo.custom_call @unknown(%x) : (tensor<f32>) -> tensor<f32>
      return %y : tensor<f32>
    }"""
    assert replay_ahead(Session(shlo.parse(text), np.float32(1))) is None


def test_a_saved_place_is_no_markup() -> None:
    module = shlo.parse(EVIL)
    stepper = Stepper(Session(module, [np.ones(2, np.float32)], entry=HOSTILE))
    click(stepper, "step")
    bundle = stepper.mime_bundle()
    assert "<img src=x" not in bundle["text/html"]
    assert "&lt;img" in bundle["text/html"]
    assert "\x1b" not in bundle["text/html"] + bundle["text/plain"]


def test_the_current_line_can_be_read_on_light_and_dark(stepper: Any) -> None:
    (style,) = re.findall(r'class="shlo-here" style="background:([^;"]*)', stepper.source.place.value)
    mixed = re.fullmatch(r"color-mix\(in srgb,var\(--jp-warn-color1,#f57c00\) (\d+)%,transparent\)", style)
    assert mixed is not None
    for paper, ink in ((255, 0x1F), (0x11, 255)):  # a light theme's page and letters, a dark one's
        part = int(mixed[1]) / 100
        under = [part * warn + (1 - part) * paper for warn in (0xF5, 0x7C, 0x00)]
        bright, dim = sorted((luminance(under), luminance([ink] * 3)), reverse=True)
        assert (bright + 0.05) / (dim + 0.05) > 7


def luminance(color: list[float]) -> float:
    parts = [part / 3294 if part <= 10 else ((part / 255 + 0.055) / 1.055) ** 2.4 for part in color]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), parts))


def test_an_element_that_is_clicked_tells_where_it_comes_from(stepper: Any) -> None:
    stepper.line.value = "10"
    click(stepper, "continue")
    click(stepper, "step")
    assert 'data-at="1 r c"' in stepper.tensor.html.value  # what a click in the second table says
    stepper.tensor.told.value = "at 1 2 3 1"
    assert "%next[1, 2, 3] = 46" in stepper.origin.html.value
    assert "%now[1, 2, 3] = 23" in stepper.origin.html.value
    stepper.origin.follow.click()
    assert "%x[1, 2, 3] = 23" in stepper.origin.html.value
    stepper.tensor.told.value = "at 9 9 9 2"
    assert stepper.origin.follow not in stepper.origin.children  # there is no such element
    click(stepper, "step")
    assert not stepper.origin.children
    stepper.session.breakpoints.remove(1)
    click(stepper, "continue")
    stepper.tensor.told.value = "at 0 0 1 3"
    assert "%now[0, 0, 1] = 8" in stepper.origin.html.value


def normalized(x: Any) -> Any:
    return x / jnp.sum(x)


def logarithm(x: Any) -> Any:
    y = normalized(x)
    return jnp.log(y)


def test_the_python_and_what_made_a_nan_are_shown_and_a_row_goes_there() -> None:
    sessions: list[Session] = []
    shlo.debug(logarithm, np.zeros(4, np.float32), front_end=sessions.append)
    stepper = Stepper(sessions[0])
    stepper.run("nonfinite")
    stepper.run("next")
    assert "y = [nan, nan, nan, nan]" in stepper.python.value
    stepper.blames.click()
    assert "x / jnp.sum(x) made 4 NaN of 4" in stepper.blame.title.value
    label, link = stepper.blame.rows.options[1]
    assert "stablehlo.divide" in label
    stepper.blame.rows.value = link
    assert stepper.session.position == link.element.position
    stepper.run("continue")
    replay = replay_of(stepper.session)
    assert [file.name for file in replay.python] == ["test_stepper.py"]
    (divide,) = (row for row in replay.blame if "stablehlo.divide" in row.text)
    assert divide.position == link.element.position
    assert divide.position is not None
    step = replay.steps[divide.position - 1]
    assert step.python is not None
    assert "return x / jnp.sum(x)" in replay.python[0].lines[step.python[1] - 1]


def test_a_saved_stepper_knows_which_part_of_a_model_a_step_is_and_whether_it_is_the_derivative() -> None:
    stacks = (
        "jit(f)/jvp(Net)/h_0",
        "jit(f)/jvp(Net)/h_0/mlp",
        "jit(f)/while/body",
        "jit(f)/transpose(jvp(Net))/h_0",
    )
    names = [f"{stack}/mul" for stack in stacks]
    lines = (
        f'%{number} = stablehlo.negate %x : tensor<f32> loc("{name}")' for number, name in enumerate(names)
    )
    module = shlo.parse(f"func.func @main(%x: tensor<f32>) {{ {chr(10).join(lines)}\n return }}")
    session = Session(module, [np.float32(1)])
    session.goto(len(names))
    replay = replay_of(session)
    assert [(scope.name, scope.is_backward) for scope in replay.scopes] == [("h_0", False), ("h_0", True)]
    assert [step.scope for step in replay.steps[: len(names)]] == [0, 0, None, 1]
