"""Functions are lowered once per signature, and never run as they were before."""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import Any
from weakref import ref

import numpy as np
import pytest

import shlo
from shlo.jax_programs import kept, program
from shlo.runner.errors import RequestError

jax = pytest.importorskip("jax")
jnp = jax.numpy

scale = 2.0


class Lowerings:
    """How often functions were lowered since it was last asked."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._count = 0
        for name in ("lower_function", "lower_jitted"):
            monkeypatch.setattr(program, name, self._counted(getattr(program, name)))

    def _counted(self, lower: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*arguments: Any) -> Any:
            self._count += 1
            return lower(*arguments)

        return counted

    def __call__(self) -> int:
        count, self._count = self._count, 0
        return count


@pytest.fixture
def lowerings(monkeypatch: pytest.MonkeyPatch) -> Lowerings:
    return Lowerings(monkeypatch)


def scaled(x: Any, by: Any = 1) -> Any:
    return jnp.asarray(x) * by


@pytest.mark.parametrize("wrap", [lambda f: lambda x, by=1: f(x, by), jax.jit], ids=["plain", "jitted"])
def test_the_second_call_lowers_only_what_has_another_signature(wrap: Any, lowerings: Lowerings) -> None:
    function = wrap(scaled)
    x = np.arange(3, dtype=np.float32)
    assert shlo.run(function, x, 2).tolist() == [0, 2, 4]
    assert lowerings() == 1
    assert shlo.run(function, x + 1, 3).tolist() == [3, 6, 9]
    shlo.check(function, x, 3)
    assert lowerings() == 0
    others = [(x[:2], 2), (x.astype(np.int32), 2), (x, 2.0), (x,), (jnp.asarray(x), 2)]
    for number, arguments in enumerate(others, 1):
        np.testing.assert_array_equal(shlo.run(function, *arguments), function(*arguments))
        assert lowerings() == 1, number


def test_settings_of_jax_are_part_of_the_signature(lowerings: Lowerings) -> None:
    def f(x: Any) -> Any:
        return jnp.sin(x)

    x = np.ones(2, np.float64)
    assert shlo.run(f, x).dtype == np.float32
    with jax.enable_x64(True):
        assert shlo.run(f, x).dtype == np.float64
    assert lowerings() == 2


def test_static_arguments_are_kept_by_value(lowerings: Lowerings) -> None:
    def power(x: Any, n: Any) -> Any:
        return jnp.copysign(x, n) * abs(n)

    jitted = jax.jit(power, static_argnums=1)
    x = np.ones(2, np.float32)
    for n in (2, 3.0, 0.0, -0.0, 3, 2):
        plain = shlo.run(power, x, n, static_argnums=1)
        np.testing.assert_array_equal(plain, shlo.run(jitted, x, n))
        assert (abs(plain[0]), np.signbit(plain[0])) == (abs(n), np.signbit(n))
    assert lowerings() == 2 * 5
    for factor in (1.0, 2.0):  # an array whose values the program holds
        weights = np.full(2, factor, np.float32)
        assert shlo.run(lambda x, w: x * w, x, weights, static_argnums=1).tolist() == [factor] * 2


def test_what_a_function_names_beside_its_arguments_is_never_an_old_value(
    monkeypatch: pytest.MonkeyPatch, lowerings: Lowerings
) -> None:
    factor, table = 1.0, [1.0]

    def inner(x: Any) -> Any:
        return x * scale * factor

    def outer(x: Any) -> Any:
        return inner(x)

    def tabled(x: Any) -> Any:
        return x * table[0]

    x = np.ones(1, np.float32)
    assert [shlo.run(outer, x).item() for _ in range(2)] == [2, 2]
    assert lowerings() == 1
    monkeypatch.setitem(globals(), "scale", 5.0)
    assert shlo.run(outer, x) == 5
    factor = 2.0
    assert shlo.run(outer, x) == 10
    assert shlo.run(tabled, x) == 1
    table[0] = 7.0
    assert shlo.run(tabled, x) == 7


def test_the_program_dies_with_its_function() -> None:
    def function(x: Any) -> Any:
        return x + 1

    shlo.run(function, np.ones(2, np.float32))
    assert function in kept._kept  # pyright: ignore[reportPrivateUsage]
    is_alive = ref(function)
    del function
    gc.collect()
    assert is_alive() is None


def test_as_many_programs_are_kept_as_are_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "_MOST_PROGRAMS", 3)
    monkeypatch.setattr(kept, "_MOST_FUNCTIONS", 2)
    functions = [lambda x: x + 1, lambda x: x + 2, lambda x: x + 3]
    for number, function in enumerate(functions, 1):
        for size in range(1, 6):
            assert shlo.run(function, np.zeros(size, np.float32)).tolist() == [number] * size
            assert len(kept._kept[function]) <= 3  # pyright: ignore[reportPrivateUsage]
    assert len(kept._kept) <= 2  # pyright: ignore[reportPrivateUsage]


def test_an_array_that_was_donated_since_the_last_call_is_named() -> None:
    def double(x: Any) -> Any:
        return x * 2

    array = jnp.arange(3.0)
    np.testing.assert_array_equal(shlo.run(double, array), [0, 2, 4])
    array.delete()
    with pytest.raises(RequestError, match="argument `x` was donated and has no values any more"):
        shlo.run(double, array)
