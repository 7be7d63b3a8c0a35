"""Strings of a program do nothing on the screen but stand there."""

from __future__ import annotations

import unicodedata

import pytest

from shlo.text.escape import sanitized
from shlo_tui.render.source_line import shown_line

NASTY = "[bold]x[/][@click=app.quit]\x1b[31m\x1b]0;t\x07\u202eabc\u200b\u0301\x9b2J\ud800"

PROGRAM = r"""#loc = loc("[red]a[/]\1B[2J/f.py":1:2)
func.func @"[bold]f\1B[31m"(%x: tensor<2xf32>) -> tensor<2xf32> attributes {note = "NASTY"} {
  %0 = stablehlo.negate %x : tensor<2xf32> loc("jit([blink]f[/])/\1B]0;owned\07/neg"(#loc))
  return %0 : tensor<2xf32>
}
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  // NASTY
  %0 = func.call @"[bold]f\1B[31m"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
"""


def test_every_character_that_is_more_than_a_glyph_is_escaped():
    shown = sanitized(NASTY)
    assert shown.startswith("[bold]x[/][@click=app.quit]\\x1b[31m")
    assert all(char.isprintable() and not unicodedata.combining(char) for char in shown)
    assert sanitized("a\tb") == "a  b"
    assert sanitized("né 日本 ×") == "né 日本 ×"


def test_places_in_a_line_are_found_again_behind_what_is_elided_or_escaped():
    blob = "0" * 500
    line = f'  %c = stablehlo.constant dense<"0x{blob}"> : tensor<9xf32> loc("\x1b")'
    shown = shown_line(line)
    assert len(shown.text) < 90
    assert "…" in shown.text
    assert shown.text[shown.column(line.index(": tensor")) :].startswith(": tensor")
    assert shown.text[shown.column(line.index("\x1b")) :].startswith("\\x1b")
    assert shown_line("x" * 100_000).column(99_999) <= len(shown_line("x" * 100_000).text)


@pytest.mark.asyncio
async def test_no_markup_and_no_control_character_of_a_program_acts(drive, write):
    text = PROGRAM.replace("NASTY", NASTY.replace("\ud800", "").replace('"', ""))
    async with drive(write(text), zeros=True, size=(140, 40)) as debugger:
        for key in ("s", "s", "B", "escape", "n", "2", "N", "3", "question_mark", "escape", "c"):
            await debugger.press(key)
            assert all(char.isprintable() or char == "\n" for char in debugger.text)
        await debugger.press("colon")
        await debugger.type("info frames")
        await debugger.press("escape", "ctrl+r", "s")
        assert "[bold]f" in debugger.text
        assert "[blink]f[/]" in debugger.text
        assert debugger.app.return_value is None


@pytest.mark.asyncio
async def test_findings_with_markup_are_shown_as_they_are(drive, write):
    async with drive(write('func.func @main() {\n  "[bold]oops[/]\x1b[31m"\n}')) as debugger:
        assert "[bold]oops[/]\\x1b" in debugger.text
        assert "\x1b" not in debugger.text


@pytest.mark.asyncio
async def test_an_invalid_program_opens_on_what_the_verifier_says(drive, write):
    text = """func.func @main(%a: tensor<4xf32>) {
  %0 = "stablehlo.add"(%a, %a) : (tensor<4xf32>, tensor<4xf32>) -> tensor<5xf32>
  return
}
"""
    async with drive(write(text), zeros=True, size=(180, 30)) as debugger:
        await debugger.pilot.pause()
        assert "[add-C1]" in debugger.text
        assert "2:" in debugger.text
