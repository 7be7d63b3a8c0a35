"""A keyword that both shlo and the program's function have is the function's; shlo's options have another way."""

# pyright: reportArgumentType=false, reportCallIssue=false

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import pytest

import shlo
from shlo.interpreter import RunOptions
from shlo.jax_programs.routing import FUNCTION_OPTIONS

pytestmark = pytest.mark.oracle


def motor(x: Any, *, engine: Any = 2.0, locations: Any = 1.0, options: Any = 0.0) -> Any:
    return x * engine + locations + options


@pytest.mark.parametrize(
    "program",
    [motor, jax.jit(motor), jax.jit(motor).lower(1.0, engine=1.0, options=1.0)],
    ids=["function", "jitted", "lowered"],
)
def test_the_function_gets_its_own_keywords(program: Callable[..., Any]) -> None:
    assert shlo.run(program, 1.0, engine=3.0, options=5.0) == 9
    sanitized = shlo.sanitize(program, 1.0, engine=3.0, options=5.0)
    assert sanitized.results == 9


def test_show_and_cost_hand_on_what_the_function_takes(capsys: pytest.CaptureFixture[str]) -> None:
    shlo.show(motor, 1.0, locations=jnp.ones(7))
    assert "tensor<7xf32>" in capsys.readouterr().out

    def ruled(x: Any, rules: Any) -> Any:
        return x * rules

    assert shlo.cost(ruled, 1.0, rules=jnp.ones(7)).total.flops == 7


def test_a_parameter_that_is_given_by_position_leaves_the_keyword_to_shlo() -> None:
    def f(engine: Any, x: Any) -> Any:
        return engine * x

    with pytest.raises(shlo.ShloError, match="there is no engine 'warp'"):
        shlo.run(f, 2.0, 3.0, engine="warp")
    with pytest.raises(shlo.ShloError, match="there is no engine 'warp'"):
        shlo.run(lambda x, **others: x, 3.0, engine="warp")


def test_options_of_shlo_go_into_options_or_a_with_block() -> None:
    def f(x: Any, engine: Any) -> Any:
        return x * engine

    for chosen in ({"engine": "warp"}, {"engine": "warp", "max_steps": 9}):
        with pytest.raises(shlo.ShloError, match="there is no engine 'warp'"):
            shlo.run(f, 3.0, engine=2.0, options=chosen)
    with shlo.options(max_steps=0), shlo.options(shadow="f64"):
        with pytest.raises(shlo.ExecutionError, match="budget of 0 steps"):
            shlo.run(f, 3.0, engine=2.0)
        assert str(shlo.run(f, 3.0, engine=2.0, options={"max_steps": 9}).results) == "6.0"
        assert shlo.run(f, 3.0, engine=2.0, options={"max_steps": 9, "shadow": None}) == 6
    assert shlo.run(motor, 3.0, options=1.0, engine=2.0) == 8
    with shlo.options(locations=True), pytest.raises(shlo.ExecutionError, match="budget of 1 step"):
        shlo.run(f, jnp.ones(3), engine=2.0, options=RunOptions(max_steps=1))


def test_options_that_shlo_does_not_have_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with (
        pytest.raises(TypeError, match=r"unexpected option 'engines'; did you mean engine\?"),
        shlo.options(engines=1),
    ):
        pass
    with pytest.raises(TypeError, match="unexpected option 'max_steps' of show"):
        shlo.show(jnp.sin, 1.0, options={"max_steps": 1})
    shlo.show(jnp.sin, 1.0, options={"locations": True})
    assert "loc(" in capsys.readouterr().out


def test_the_names_of_options_are_those_of_the_functions() -> None:
    functions = (shlo.run, shlo.debug, shlo.check, shlo.show, shlo.diff, shlo.sanitize, shlo.cost, shlo.save)
    keywords = {
        parameter.name
        for function in functions
        for parameter in inspect.signature(function).parameters.values()
        if parameter.kind is parameter.KEYWORD_ONLY
    }
    assert keywords == FUNCTION_OPTIONS | {"options", "entry"}
