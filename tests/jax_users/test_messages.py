"""A wrong call is answered in the caller's words, with what was given and what was expected."""

# pyright: reportArgumentType=false, reportCallIssue=false

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest

import shlo
from shlo.engines import EngineError
from shlo.interpreter.options import OptionError

pytestmark = pytest.mark.oracle

ADD = shlo.parse(
    "func.func @main(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {\n"
    "  %z = stablehlo.add %x, %y : tensor<2xf32>\n  return %z : tensor<2xf32>\n}"
)
X = np.ones(2, np.float32)


async def later(x: Any) -> Any:
    return x


def branch(x: Any, n: Any) -> Any:
    return x if n > 1 else -x


def options(**keywords: Any) -> Callable[[], Any]:
    return lambda: shlo.run(jnp.sin, X, options=keywords)


MISTAKES: dict[str, tuple[Callable[[], Any], type[BaseException], str]] = {
    "options": (
        lambda: shlo.run(jnp.sin, X, options="xla"),
        shlo.RequestError,
        "expected a dictionary or RunOptions for options, got 'xla'",
    ),
    "steps in a text": (options(max_steps="10"), OptionError, "expected an integer for max_steps, got '10'"),
    "negative steps": (options(max_steps=-1), TypeError, "expected max_steps of at least 0, got -1"),
    "no threads": (options(threads=0), OptionError, "expected threads of at least 1, got 0"),
    "an unknown option": (
        options(semantic="xla"),
        TypeError,
        "unexpected option 'semantic'; did you mean semantics?",
    ),
    "engine": (
        lambda: shlo.run(jnp.sin, X, engine="XLA"),
        EngineError,
        "there is no engine 'XLA'; the engines are interpreter, reference, xla",
    ),
    "engine as a number": (
        lambda: shlo.run(jnp.sin, X, engine=3.0),
        EngineError,
        "there is no engine 3.0; the engines are interpreter, reference, xla",
    ),
    "empty text": (lambda: shlo.run(""), shlo.RequestError, "expected a program, got an empty text"),
    "empty text to check": (
        lambda: shlo.check(""),
        shlo.RequestError,
        "expected a program, got an empty text",
    ),
    "verify a text": (lambda: shlo.verify("text"), TypeError, "expected a Module, got a str"),
    "a grid of a function": (
        lambda: shlo.run_grid(branch, [[X]]),
        TypeError,
        "expected a Module, got a function",
    ),
    "a grid of functions": (
        lambda: shlo.run_grid([branch], [[X]]),
        TypeError,
        "expected a Module, got a function",
    ),
    "refine a function": (lambda: shlo.refine(branch, [X]), TypeError, "expected a Module, got a function"),
    "refine for nothing": (
        lambda: shlo.refine(ADD, None),
        shlo.RefinementError,
        "expected a list of the arguments of @main, got None",
    ),
    "refine for a text": (
        lambda: shlo.refine(ADD, "tensor<2xf32>"),
        shlo.RefinementError,
        "expected a list of the arguments of @main, got a str",
    ),
    "front end": (
        lambda: shlo.debug(jnp.sin, X, front_end="tui"),
        shlo.RequestError,
        "expected a function of a Session for front_end, got 'tui'",
    ),
    "program before path": (
        lambda: shlo.save(branch, "f.mlir", X),
        shlo.RequestError,
        "expected the path of a file, and then a program, got branch",
    ),
    "one argument": (
        lambda: shlo.run(ADD, X),
        shlo.ExecutionError,
        "<text>:1:1: error: @main takes 2 arguments, but 1 is given",
    ),
    "complex numbers": (
        lambda: shlo.run(ADD, X * 1j, X),
        shlo.ExecutionError,
        "<text>:1:1: error: argument 0 is tensor<2xcomplex<f32>>, but must be tensor<2xf32>; it has imaginary "
        "parts: pass .real, or a program of complex numbers",
    ),
    "a coroutine": (
        lambda: shlo.run(later, X),
        shlo.RequestError,
        "later is a coroutine function (async def), expected a function that returns arrays",
    ),
    "a generator": (
        lambda: shlo.cost(iterated, X),
        shlo.RequestError,
        "iterated is a generator function (with yield), expected a function that returns arrays",
    ),
}


def iterated(x: Any) -> Any:
    yield x


@pytest.mark.parametrize("name", MISTAKES)
def test_a_wrong_call_is_told_what_was_expected(name: str) -> None:
    act, kind, message = MISTAKES[name]
    with pytest.raises(kind) as caught:
        act()
    assert str(caught.value) == message


def test_engines_of_other_case_are_suggested() -> None:
    with pytest.raises(EngineError) as caught:
        shlo.run(jnp.sin, X, engine="XLA")
    assert caught.value.hint == "did you mean xla?"


def test_jax_says_that_the_callers_function_was_traced() -> None:
    with pytest.raises(TypeError) as caught:
        shlo.run(branch, X, 3)
    assert f"while tracing the function branch at {__file__}:" in str(caught.value)


@pytest.mark.parametrize("read", [shlo.load, shlo.run, shlo.show])
def test_a_missing_file_is_the_same_error_for_all(read: Callable[[str], Any]) -> None:
    with pytest.raises(
        FileNotFoundError, match=r"cannot read missing.mlir: No such file or directory"
    ) as caught:
        read("missing.mlir")
    assert isinstance(caught.value, shlo.RequestError)
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


def test_a_text_in_place_of_a_path_is_named() -> None:
    with pytest.raises(shlo.RequestError, match="expected the path of a program, got its text") as caught:
        shlo.load("func.func @main() {\n  return\n}")
    assert caught.value.hint == "shlo.parse(TEXT) reads that"


def test_modules_are_keys_of_dictionaries() -> None:
    other = shlo.parse("func.func @main() {\n  return\n}")
    assert {ADD: 1, other: 2}[ADD] == 1
