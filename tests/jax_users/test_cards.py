"""The card names what made a NaN, at which line of Python, out of which elements, from which argument."""

from __future__ import annotations

import html
import inspect
import re
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import pytest

import shlo
from shlo.debugger import Session
from shlo.debugger.commands.table import run_command
from shlo.debugger.text.card import nonfinite_card
from shlo.places.card import Card, card_data, card_html, card_text
from shlo.places.remedies import PAGE
from shlo_kernel.widgets.stepper import Stepper

from . import nan_programs
from .nan_programs import PROGRAMS

pytestmark = pytest.mark.oracle

ROOT = Path(__file__).parents[2]
LINES = inspect.getsource(nan_programs).splitlines()


def card_at_the_end(session: Session) -> Card | None:
    session.resume()
    return nonfinite_card(session)


def guilty_line(function: Any) -> int:
    """The line of the function, or of the one that it differentiates or calls, that is to blame."""
    start = function.__code__.co_firstlineno
    source = inspect.getsource(function)
    if "# here" not in source:
        return next(at for at in range(start - 1, 0, -1) if "# here" in LINES[at - 1])
    return next(at for at in range(start, len(LINES) + 1) if "# here" in LINES[at - 1])


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program[0].__name__)
def test_a_card_names_operation_line_elements_and_argument(program: Any) -> None:
    function, arguments, subject, cause, source, operation = program
    card: Card = shlo.debug(function, *arguments, front_end=card_at_the_end)
    said = card_text(card)
    assert card.place.origin.line is not None, said
    assert card.place.origin.line.line == guilty_line(function), said
    assert card.code == LINES[guilty_line(function) - 1].strip(), said
    assert card.subject == subject, said
    assert card.place.operation.rpartition(".")[2] == operation, said
    assert cause in " and ".join(each.text for each in card.causes), said
    assert [each.named for each in card.sources][:1] == ([source] if source else []), said


@pytest.mark.parametrize(
    ("function", "anchor"),
    [
        (lambda x: jnp.where(x > 5, x, -jnp.inf) - jnp.inf * -1, "infinity-minus-infinity"),
        (lambda x: x * (x < 0) * jnp.inf, "zero-times-infinity"),
        (lambda x: (x - 3) / (x - 3), "division-by-zero"),
        (lambda x: jnp.exp(x * 100), "logsumexp"),
        (lambda x: x - jnp.float32(3e38) * (x + 1), None),
    ],
)
def test_a_remedy_that_the_page_explains_is_named_where_one_is_known(
    function: Any, anchor: str | None
) -> None:
    card: Card = shlo.debug(function, jnp.arange(4.0), front_end=card_at_the_end)
    assert (card.remedy and card.remedy.anchor) == anchor
    assert anchor is None or f"\n## {anchor}\n" in (ROOT / PAGE).read_text("utf-8")


def test_a_card_counts_its_own_kind_of_number_and_complex_ones_by_parts() -> None:
    mixed = jnp.array([jnp.nan, jnp.inf, 1])
    card: Card = shlo.debug(lambda x: x * 2, mixed, front_end=card_at_the_end)
    assert card_text(card).startswith("argument x holds 1 NaN of 3 from the start, the first at [0]")
    card = shlo.debug(lambda z: z / 0, jnp.array([1, 1j], jnp.complex64), front_end=card_at_the_end)
    assert "made 2 NaN of 2 at " in card_text(card)


def test_exception_commands_and_widget_print_the_same_text() -> None:
    sessions: list[Session] = []
    with pytest.raises(shlo.NaNError) as caught, shlo.debug_nans(front_end=sessions.append):
        jax.jit(nan_programs.square_root)(nan_programs.X)
    (session,) = sessions
    assert caught.value.card is not None
    text = card_text(caught.value.card)
    assert str(caught.value) == text
    assert run_command(session, "where").text.endswith(text)
    assert run_command(session, "blame").text.startswith(text)
    stepper: Any = Stepper(session)
    stepper.run("restart")
    stepper.run("nonfinite")
    assert text in html.unescape(stepper.reply.value)
    assert html.unescape(re.sub("<[^>]*>", "", card_html(caught.value.card))) == text.replace("\n", "", 1)
    assert card_data(caught.value.card)["text"] == text


def test_an_operation_with_a_pole_in_a_narrow_type_has_a_card() -> None:
    x = jnp.zeros(3, jnp.bfloat16)
    with pytest.raises(shlo.NaNError) as caught, shlo.debug_nans(front_end=None):
        jax.jit(lambda x: x / x)(x)
    assert "made 3 NaN of 3" in str(caught.value)
