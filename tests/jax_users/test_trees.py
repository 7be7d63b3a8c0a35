"""Pytrees and pairs: `shlo.show` of models and gradients, `shlo.diff` of two of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import equinox
import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest
from flax import nnx

import shlo
from shlo.jax_programs.trees import leaves_of
from shlo.pages.tree import LEAVES_AT_MOST, tree_bundle, tree_html
from shlo.runner.errors import RequestError

TREES: dict[str, tuple[Callable[[], Any], set[str]]] = {
    "nested": (lambda: {"h": [{"w": np.eye(3)}, 1.5], "name": "relu"}, {"h/0/w", "h/1", "name"}),
    "equinox": (lambda: equinox.nn.Linear(2, 3, key=jax.random.key(0)), {"weight", "bias"}),
    "nnx": (lambda: nnx.Linear(2, 3, rngs=nnx.Rngs(0)), {"kernel", "bias"}),
    "optax": (lambda: optax.adam(1e-3).init({"w": jnp.ones(3)}), {"0/count", "0/mu/w", "0/nu/w"}),
    "abstract": (lambda: jax.eval_shape(lambda x: {"y": x}, 1.0), {"y"}),
}


@pytest.fixture
def model() -> dict[str, Any]:
    return {f"layer{number}": {"w": np.full((40, 30), 0.5, np.float32)} for number in range(30)}


@pytest.mark.parametrize("name", TREES)
def test_every_leaf_is_shown_by_its_path(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    make, paths = TREES[name]
    shlo.show(make())
    lines = capsys.readouterr().out.splitlines()
    assert {line.partition(" : ")[0] for line in lines[1:]} == paths


def test_a_bad_leaf_is_the_first_thing_seen(model: dict[str, Any]) -> None:
    model["layer20"]["w"][3, 4] = np.nan
    model["layer7"]["w"][0, 0] = -np.inf
    bundle = tree_bundle(leaves_of(model) or [])
    first, second, third = bundle["text/plain"].splitlines()[:3]
    assert first.endswith("; NaN in 1 leaf, Inf in 1 leaf")
    assert second.strip() == "layer20/w : float32[40, 30]: 1 of 1,200 NaN, first at [3, 4]"
    assert third.strip() == "layer7/w : float32[40, 30]: 1 of 1,200 Inf, first at [0, 0]"
    before_tree = bundle["text/html"].split('class="shlo-first"')[1].split("layer0")[0]
    assert before_tree.index("layer20/w") < before_tree.index("layer7/w")


def test_numbers_that_reach_the_end_of_their_type_are_saturated() -> None:
    (leaf,) = leaves_of({"x": jnp.asarray([1.0, -65504.0], jnp.float16)}) or []
    assert leaf.alarms == {"saturated": "reaches 6.55e+04, the largest float16"}


def test_large_trees_stay_small_pages_that_keep_the_bad_leaf() -> None:
    tree = {f"w{number}": np.ones((2, 2), np.float32) for number in range(3 * LEAVES_AT_MOST)}
    tree["w2900"][1, 1] = np.nan
    html = tree_html(leaves_of(tree) or [])
    assert len(html) < 1 << 20
    assert "w2900" in html
    assert "more leaves, none with an alarm" in html


def test_a_tree_is_open_at_first_as_far_as_whole_levels_are_short() -> None:
    layers = {f"h_{n}": {"kernel": np.ones(2), "bias": np.ones(2)} for n in range(15)}
    html = tree_html(leaves_of({"params": layers, "grads": layers}) or [])
    assert html.count("<details open>") == 2
    assert html.count("<details><summary><b>h_") == 30
    assert "<details>" not in tree_html(leaves_of({"params": {"h_0": layers["h_0"]}}) or [])


def test_names_in_trees_are_no_markup() -> None:
    html = tree_html(leaves_of({"<b>": np.ones(3), "b": "<img>"}) or [])
    assert "&lt;b&gt;" in html
    assert "<img>" not in html


def test_a_model_that_is_called_is_a_program(capsys: pytest.CaptureFixture[str]) -> None:
    shlo.show(equinox.nn.Linear(2, 3, key=jax.random.key(0)), jnp.ones(2))
    assert "stablehlo.dot_general" in capsys.readouterr().out


def test_trees_that_differ_say_where_and_by_how_much(model: dict[str, Any]) -> None:
    other = jax.tree.map(np.copy, model)
    other["layer3"]["w"][1, 2] = np.nextafter(np.float32(0.5), np.float32(1))
    other["layer5"]["w"][0, 1] = np.nan
    other["more"] = np.ones(2)
    difference = shlo.diff(model, other)
    assert difference
    assert str(difference).splitlines() == [
        "3 of 31 leaves differ, 2 of 36,000 elements, at most 5.96e-08 apart, at most 1 ULP",
        "  more: only in the second",
        "  layer5/w: 1 of 1,200 differ, 1 finite in one alone; at [0, 1] 0.5 and NaN",
        "  layer3/w: 1 of 1,200 differ, at most 5.96e-08 apart, 1 ULP; at [1, 2] 0.5 and 0.50000006",
    ]
    assert "<table>" in difference._repr_mimebundle_()["text/html"]


def test_arrays_that_are_the_same_do_not_differ() -> None:
    array = np.array([np.nan, 0.0, 1.0])
    difference = shlo.diff(array, array * [1, -1, 1])
    assert not difference
    assert str(difference) == "the same: 1 leaf, 3 elements"


DONATED = jnp.ones(3)
DONATED.delete()


@pytest.mark.parametrize(
    ("one", "other", "said"),
    [
        (np.ones(5), np.ones(4), "1 of 1 leaf differs, no elements compared"),
        ({"a": np.ones(3)}, {"b": np.ones(3)}, "2 of 2 leaves differ, no elements compared"),
        (np.ones(0), np.ones(0), "nothing compared: 1 leaf, 0 elements"),
        ({"a": 1, "b": DONATED}, {"a": 1, "b": DONATED}, "the same: 1 leaf, 1 element; 1 leaf not compared"),
        ([DONATED], [DONATED], "nothing compared; 1 leaf not compared"),
        ({}, {}, "nothing compared"),
        ({}, {"a": 1}, "1 of 1 leaf differs, no elements compared"),
    ],
)
def test_what_was_not_compared_is_said(one: Any, other: Any, said: str) -> None:
    assert str(shlo.diff(one, other)).splitlines()[0] == said


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("x" * 1000 + "1", "x" * 1000 + "2"),
        (object(), object()),
        (1 << 70, (1 << 70) + 1),
        (np.array([1, 2], np.int16).view("V2"), np.array([1, 3], np.int16).view("V2")),
        (np.array(["u", "v"]), np.array(["u", "w"])),
        (np.array([1, 2], np.longdouble), np.array([1, 3], np.longdouble)),
    ],
    ids=("text", "object", "int", "void", "texts", "longdouble"),
)
def test_what_has_no_numbers_of_stablehlo_is_compared_by_equality(one: Any, other: Any) -> None:
    assert "1 of 2 leaves differs" in str(shlo.diff([0, one], [0, other]))
    assert (
        str(shlo.diff([0, one], [0, one]))
        == "the same: 2 leaves, 1 element; 1 leaf without numbers, by equality"
    )


def test_differences_of_large_arrays_name_the_worst_element() -> None:
    one = np.zeros((300, 100), np.float32)
    other = one.copy()
    other[7, 8], other[290, 99] = 1, -3
    difference = shlo.diff(one, other)
    assert str(difference).splitlines()[1].endswith("at [290, 99] 0 and -3")


def test_an_array_is_not_compared_with_a_program() -> None:
    with pytest.raises(RequestError, match="another array or pytree"):
        shlo.show(np.ones(2), lambda x: x)
