"""`with shlo.debug_nans():` opens the debugger where the first NaN of a jitted call was made."""

from __future__ import annotations

import sys
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import shlo
from shlo.debugger import Session

pytestmark = pytest.mark.oracle


@jax.jit
def loss(params: Any, x: Any) -> Any:
    y = x * params["w"]
    return jnp.sum(jnp.sqrt(y))  # the NaN


def train(steps: int, donates: bool = False) -> Any:
    def update(params: Any, x: Any) -> Any:
        return jax.tree.map(lambda w, g: w - 0.6 * g, params, jax.grad(loss)(params, x))

    step = jax.jit(update, donate_argnums=0 if donates else ())
    params, x = {"w": jnp.ones(3)}, jnp.array([1.0, 4.0, 9.0])
    for _ in range(steps):
        params = step(params, x)
    return params


class FrontEnd:
    """Stands for a screen: keeps the sessions that it is opened on."""

    def __init__(self) -> None:
        self.sessions: list[Session] = []

    def __call__(self, session: Session) -> None:
        self.sessions.append(session)

    @property
    def line(self) -> str:
        """The line of Python of the operation that the session is behind."""
        step = self.sessions[-1].snapshot.last_step
        assert step is not None
        assert step.origin.line is not None
        with open(step.origin.line.file, encoding="utf-8") as file:
            return file.read().splitlines()[step.origin.line.line - 1].strip()


@pytest.mark.parametrize("donates", [False, True])
def test_a_step_in_training_is_opened_on_its_arguments(donates: bool) -> None:
    front_end = FrontEnd()
    train(2, donates)  # compiled before, too
    with pytest.raises(shlo.NaNError) as caught, shlo.debug_nans(front_end=front_end):
        train(9, donates)
    (session,) = front_end.sessions
    assert front_end.line == "return jnp.sum(jnp.sqrt(y))  # the NaN"
    assert "made 2 NaN of 3 at" in str(caught.value)
    assert "test_nan_checks.py" in str(caught.value)
    session.restart()
    assert [value.label for value in session.inspector.values() if value.is_argument] == ["params['w']", "x"]


def test_a_step_of_flax_is_opened_in_training() -> None:
    """Flax's functions can be traced only while Flax calls them."""
    import optax
    from flax import nnx

    @nnx.jit
    def step(model: Any, optimizer: Any, x: Any) -> Any:
        value, gradients = nnx.value_and_grad(lambda model: jnp.mean(jnp.sqrt(-jnp.abs(model(x)))))(model)
        optimizer.update(model, gradients)
        return value

    model = nnx.Linear(2, 2, rngs=nnx.Rngs(0))
    optimizer = nnx.Optimizer(model, optax.sgd(0.1), wrt=nnx.Param)
    front_end = FrontEnd()
    with pytest.raises(shlo.NaNError, match="made 2 NaN of 2 at"), shlo.debug_nans(front_end=front_end):
        step(model, optimizer, jnp.ones((1, 2)))
    assert "jnp.sqrt(-jnp.abs(model(x)))" in front_end.line


def test_the_second_call_of_a_function_is_looked_at_too() -> None:
    front_end = FrontEnd()
    signs = iter((1, 1, -1, 1))
    with pytest.raises(shlo.NaNError), shlo.debug_nans(front_end=front_end):
        all(loss({"w": sign * jnp.ones(3)}, jnp.ones(3)) == 3 for sign in signs)
    assert list(signs) == [1]
    assert front_end.line.endswith("# the NaN")


def test_static_arguments_and_keywords_are_those_of_the_call() -> None:
    @jax.jit
    def root(x: Any, *, sign: Any) -> Any:
        return jnp.sqrt(sign * x)

    power = jax.jit(
        lambda x, n, mode: root(x, sign=-1.0 if mode == "down" else 1.0) * n,
        static_argnums=1,
        static_argnames="mode",
    )
    front_end = FrontEnd()
    with pytest.raises(shlo.NaNError), shlo.debug_nans(front_end=front_end):
        [power(2.0, 3, mode=mode) for mode in ("up", "down")]
    assert front_end.line == "return jnp.sqrt(sign * x)"


def test_a_call_within_a_derivative_is_opened() -> None:
    front_end = FrontEnd()
    for _ in range(2):
        with pytest.raises(shlo.NaNError), shlo.debug_nans(front_end=front_end):
            jax.grad(loss)({"w": -jnp.ones(3)}, jnp.ones(3))
        assert front_end.line.endswith("# the NaN")


def test_an_operation_outside_of_jit_is_a_call_of_its_own() -> None:
    front_end = FrontEnd()
    with pytest.raises(shlo.NaNError), shlo.debug_nans(front_end=front_end):
        jnp.log(jnp.float32(-1))
    assert front_end.sessions[0].snapshot.last_step.op == "stablehlo.log"


def test_nans_that_come_in_are_told_as_such() -> None:
    front_end = FrontEnd()
    with (
        pytest.raises(shlo.NaNError, match=r"argument x \(%arg1\) holds 1 NaN at \[2\]"),
        shlo.debug_nans(front_end=front_end),
    ):
        loss({"w": jnp.ones(3)}, np.array([1, 2, np.nan], np.float32))
    assert front_end.sessions[0].position == 0


def test_functions_are_decorated() -> None:
    front_end = FrontEnd()

    @shlo.debug_nans(front_end=front_end)
    def run(sign: float) -> Any:
        return loss({"w": sign * jnp.ones(3)}, jnp.ones(3))

    assert run(1.0) == 3
    for _ in range(2):
        with pytest.raises(shlo.NaNError):
            run(-1.0)
    assert len(front_end.sessions) == 2


def test_other_errors_pass_and_nothing_is_left_behind() -> None:
    before = jax.config.jax_debug_nans, jax.config.jax_traceback_filtering
    with pytest.raises(ZeroDivisionError), shlo.debug_nans():
        1 / 0  # noqa: B018
    assert (jax.config.jax_debug_nans, jax.config.jax_traceback_filtering) == before
    assert np.isnan(loss({"w": -jnp.ones(3)}, jnp.ones(3)))
    assert type(jax._src.api_util.maybe_recursive_nan_check).__module__ == "builtins"
    assert jax._src.api_util.maybe_recursive_nan_check.__module__ == "jax._src.api_util"


def test_without_what_is_private_in_jax_the_call_is_still_found(monkeypatch: pytest.MonkeyPatch) -> None:
    from shlo.jax_programs import nan_checks

    monkeypatch.setattr(nan_checks, "_CHECK", "no_such_function")
    monkeypatch.setattr(nan_checks, "_context", lambda: None)
    front_end = FrontEnd()
    loss({"w": jnp.ones(3)}, jnp.ones(3))
    with pytest.raises(shlo.NaNError), shlo.debug_nans(front_end=front_end):
        loss({"w": -jnp.ones(3)}, jnp.ones(3))
    assert front_end.line.endswith("# the NaN")


def test_without_a_terminal_the_error_names_operation_and_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a batch job."""
    monkeypatch.setattr(sys, "__stdin__", None)
    where = r"jnp.sqrt made . NaN of . at .*test_nan_checks.py:\d+ in loss"
    with pytest.raises(shlo.NaNError, match=where) as caught, shlo.debug_nans():
        loss({"w": -jnp.ones(3)}, jnp.ones(3))
    assert caught.value.hint == "no debugger was opened: standard input is no terminal"


def test_an_operation_of_a_library_is_named_by_the_line_that_called_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    @jax.jit
    def step(z: Any) -> Any:
        return jax.grad(length)(z)

    def length(z: Any) -> Any:
        return jnp.sum(jnp.linalg.norm(z, axis=-1))

    monkeypatch.setattr(sys, "__stdin__", None)
    line = length.__code__.co_firstlineno + 1
    with pytest.raises(shlo.NaNError, match=rf"test_nan_checks.py:{line} in .*length"), shlo.debug_nans():
        step(np.zeros((2, 3), np.float32))


async def later(x: Any) -> Any:
    return x


def one_by_one(x: Any) -> Any:
    yield x


PARENTHESES = "expected debug_nans() or debug_nans(front_end=FUNCTION)"


@pytest.mark.parametrize(
    ("use", "message"),
    [
        (lambda: shlo.debug_nans(train), f"{PARENTHESES}, got debug_nans(train)"),
        (lambda: shlo.debug_nans(5), f"{PARENTHESES}, got debug_nans(5)"),
        (lambda: shlo.debug_nans(front_end=5), "expected a function of a Session for front_end, got 5"),
        (lambda: shlo.debug_nans(options=5), "expected a dictionary or RunOptions for options, got 5"),
        (
            lambda: shlo.debug_nans()(later),
            "later is a coroutine function (async def), expected a function that returns arrays",
        ),
        (
            lambda: shlo.debug_nans()(one_by_one),
            "one_by_one is a generator function (with yield), expected a function that returns arrays",
        ),
    ],
)
def test_a_wrong_use_is_refused_at_once(use: Any, message: str) -> None:
    with pytest.raises(shlo.RequestError) as caught:
        use()
    assert str(caught.value) == message
