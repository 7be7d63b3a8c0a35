"""The stepper's widgets, without a browser: what buttons and fields do, and what is shown."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import shlo
from shlo.debugger import Session
from shlo_kernel.widgets.stepper import CONTROLS, Stepper

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
def stepper() -> Stepper:
    array = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
    return Stepper(Session(shlo.parse(LOOP), [array]))


def click(stepper: Stepper, text: str) -> None:
    """Presses a button."""
    next(button for button in stepper.buttons if button.description == text).click()


def views(stepper: Stepper) -> tuple[Any, ...]:
    """Returns all that is shown of a place."""
    return (
        stepper.where.value.replace("breakpoint", ""),
        stepper.source.value,
        stepper.frames.options,
        stepper.values.select.options,
        stepper.timeline.value,
    )


def test_steps_back_show_what_steps_showed(stepper: Stepper) -> None:
    seen = [views(stepper)]
    for _ in range(12):
        click(stepper, "step")
        seen.append(views(stepper))
    for before in reversed(seen[1:-1]):
        click(stepper, "back")
        assert views(stepper) == before
    assert len(set(map(repr, seen))) == len(seen)


def test_every_button_can_be_pressed_anywhere(stepper: Stepper) -> None:
    for _ in range(2):
        for control in CONTROLS:
            click(stepper, control.text)
            assert "there is no command" not in stepper.reply.value


def test_the_timeline_goes_to_a_position(stepper: Stepper) -> None:
    click(stepper, "continue")
    last = stepper.timeline.max
    stepper.timeline.value = 5
    assert stepper.session.position == 5
    assert "[5]" in stepper.where.value
    assert stepper.timeline.max == last


def test_a_line_is_a_breakpoint_both_ways(stepper: Stepper) -> None:
    stepper.line.value = "10"
    assert stepper.line.value == ""
    assert "breakpoint 1: line 10" in stepper.reply.value
    assert "●" in stepper.source.value
    rounds = []
    for button in ("continue", "continue", "reverse"):
        click(stepper, button)
        rounds.append(stepper.session.snapshot.frames[-1].iteration)
    assert rounds == [0, 1, 0]


def test_commands_answer_and_complain(stepper: Stepper) -> None:
    stepper.command.value = "print %x[0, 0, :]"
    assert "[0., 1., 2., 3.]" in stepper.reply.value
    stepper.command.value = "print %nope"
    assert "no value that the program binds is called %nope" in stepper.reply.value


def test_the_value_that_a_step_bound_is_chosen(stepper: Stepper) -> None:
    click(stepper, "step")
    assert "%zero : tensor&lt;i32&gt;" in stepper.tensor.title.value
    stepper.values.filter.value = "%x"
    assert [name for _, name in stepper.values.select.options] == ["x"]
    assert "%x : tensor&lt;2x3x4xf32&gt;" in stepper.tensor.title.value


def test_planes_are_chosen_by_axes_and_sliders(stepper: Stepper) -> None:
    pane = stepper.tensor
    assert "[0, :, :]" in pane.picture.value
    (place,) = pane.places.children
    place.value = 1
    assert "[1, :, :]" in pane.picture.value
    assert ">23</td>" in pane.picture.value
    pane.rows.value = 0
    assert "[:, 0, :]" in pane.picture.value
    pane.transpose.click()
    assert (pane.rows.value, pane.columns.value) == (2, 0)


def test_a_frame_outside_of_the_loop_can_be_looked_at(stepper: Stepper) -> None:
    stepper.line.value = "10"
    click(stepper, "continue")
    inner = [name for _, name in stepper.values.select.options]
    stepper.frames.value = 0
    outer = [name for _, name in stepper.values.select.options]
    assert "now" in inner
    assert "now" not in outer
    assert "stablehlo.while" in stepper.frames.label


def test_results_are_shown_at_the_end(stepper: Stepper) -> None:
    click(stepper, "continue")
    assert "the program is done" in stepper.where.value
    assert [name for _, name in stepper.values.select.options] == ["result 0"]
    assert "max 184" in stepper.tensor.words.value


def test_an_interrupt_leaves_a_session_that_goes_on() -> None:
    interrupts = [KeyboardInterrupt()]

    def call(operand: Any) -> Any:
        if interrupts:
            raise interrupts.pop()
        return operand

    module = shlo.parse(CALL)
    stepper = Stepper(Session(module, [np.ones(2, np.float32)], handlers={"wait": lambda _: call}))
    click(stepper, "continue")
    assert "stopped" in stepper.reply.value
    assert stepper.session.snapshot.status == "ready"
    click(stepper, "continue")
    assert "the program is done" in stepper.where.value


def test_texts_of_a_program_are_no_markup() -> None:
    module = shlo.parse(EVIL)
    stepper = Stepper(Session(module, [np.ones(2, np.float32)], entry=HOSTILE))
    click(stepper, "step")
    stepper.command.value = f"print %{HOSTILE}"
    shown = "".join(
        (stepper.where.value, stepper.source.value, stepper.reply.value, stepper.tensor.title.value)
    )
    assert "&lt;img" in shown
    assert "<img" not in shown
    assert "\x1b" not in shown
