"""Formulas of float32: by NumPy, as machine code and on Python's numbers the same bits, whatever the size, the
layout or the values.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from shlo.interpreter.kernels.elementwise import formula as formula_module
from shlo.interpreter.kernels.elementwise import formulas
from shlo.interpreter.kernels.elementwise.formula import Formula
from shlo.interpreter.loops import formulas as native
from shlo.interpreter.loops.functions import loop_of
from shlo.interpreter.loops.numbers import FLOAT32
from shlo.interpreter.runtime import background, machine_code
from shlo.interpreter.runtime.context import ExecutionContext
from shlo.interpreter.runtime.tiers import is_installed

from .helpers import evaluate

needs_llvmlite = pytest.mark.skipif(not is_installed(), reason="needs llvmlite")
FORMULAS = [value for value in vars(formulas).values() if isinstance(value, Formula)]
EDGES = [0.0, -0.0, 1, -1, 2, -2, 0.5, -0.5, 3, 4, -3, 1e-45, -1e-45, 1e-38, 3e38, np.inf, -np.inf, np.nan]


def _operands(formula: Formula) -> list[Any]:
    generator = np.random.default_rng(0)
    anything = generator.integers(0, 1 << 32, (formula.operands, 20_000), np.uint64).astype(np.uint32)
    usual = generator.uniform(-12, 12, (formula.operands, 10_000)).astype(np.float32)
    edges = np.array(EDGES, np.float32)
    crossed = np.meshgrid(*[edges] * formula.operands)
    return [
        np.concatenate([bits.view(np.float32), some, each.reshape(-1)])
        for bits, some, each in zip(anything, usual, crossed)
    ]


def _bits(x: Any) -> Any:
    return np.where(np.isnan(x), np.uint32(0x7FC00000), x.view(np.uint32))


def _by_numpy(formula: Formula, operands: list[Any]) -> Any:
    return Formula(formula._function, formula.operands)(*operands)


@needs_llvmlite
@pytest.mark.parametrize("formula", FORMULAS, ids=lambda formula: formula.__name__)
def test_machine_code_gives_the_bits_of_numpy(formula: Formula) -> None:
    operands = _operands(formula)
    with np.errstate(all="ignore"):
        expected = _by_numpy(formula, operands)
    loop = native.native_loop(formula)
    for count in (0, 1, 3, expected.size):
        result = np.empty_like(expected)
        loop([*operands, result], 0, count)
        np.testing.assert_array_equal(_bits(result[:count]), _bits(expected[:count]))


@pytest.mark.parametrize("formula", FORMULAS, ids=lambda formula: formula.__name__)
def test_numbers_of_python_give_the_bits_of_numpy(formula: Formula, monkeypatch: pytest.MonkeyPatch) -> None:
    operands = [np.concatenate([operand[:30_000:25], operand[30_000:]]) for operand in _operands(formula)]
    few = Formula(formula._function, formula.operands)
    monkeypatch.setattr(formula_module, "WRITING", 0.0)
    with np.errstate(all="ignore"):
        expected = _by_numpy(formula, operands)
        results = [few(*numbers) for numbers in zip(*operands)]
        assert few(*[operand[:6].reshape(2, 3) for operand in operands]).shape == (2, 3)
    np.testing.assert_array_equal(_bits(np.array(results)), _bits(expected))
    assert "_of_numbers" in vars(few)


def test_blocks_and_threads_change_no_bit(monkeypatch: pytest.MonkeyPatch) -> None:
    operands = _operands(formulas.LGAMMA)
    results: list[Any] = []
    for block, threads in ((8192, 1), (100, 1), (100, 3)):
        monkeypatch.setattr(formula_module, "BLOCK", block)
        with ExecutionContext(given_threads=threads).active():
            results.append(_bits(_by_numpy(formulas.LGAMMA, operands)))
    np.testing.assert_array_equal(results[0], results[1])
    np.testing.assert_array_equal(results[0], results[2])


@needs_llvmlite
def test_formulas_become_machine_code_when_they_have_run_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[tuple[int, int]] = []

    def compiler(formula: Any) -> Any:
        return lambda arrays, start, end: calls.append((start, end))

    monkeypatch.setattr(machine_code, "current_compiler", lambda: compiler)
    formula = Formula(formulas.ERF._function)
    x = np.zeros(1 << 16, np.float32)
    for _ in range(1000):
        formula(x)
        background.wait_for_work()
        if calls:
            break
    assert calls == [(0, x.size)]


@needs_llvmlite
def test_a_loop_takes_strides_of_any_size() -> None:
    import ctypes

    address = loop_of(formulas.ZETA, FLOAT32, 2).address
    call = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 4)(address)
    x, q = np.linspace(1.5, 9, 2001).astype(np.float32), np.array([2.5], np.float32)
    result = np.zeros((1001, 3), np.float32)
    pointers = np.array([x.ctypes.data, q.ctypes.data, result.ctypes.data], np.uint64)
    counts, strides = np.array([1001]), np.array([8, 0, 12])
    call(pointers.ctypes.data, counts.ctypes.data, strides.ctypes.data, None)
    expected = _by_numpy(formulas.ZETA, [x[::2], np.broadcast_to(q, 1001)])
    np.testing.assert_array_equal(result[:, 0], expected)
    assert not result[:, 1:].any()


@pytest.mark.parametrize(
    ("name", "operand", "expected"),
    [
        ("erf", [-0.0, np.inf, -np.inf, 1e-45], [-0.0, 1, -1, 1e-45]),
        ("erfc", [0.0, np.inf, -np.inf, 10.06], [1, 0, 2, 0]),
        ("erf_inv", [-0.0, 1, -1, 1.5], [-0.0, np.inf, -np.inf, np.nan]),
        ("bessel_i1e", [-0.0, np.inf, -np.inf, 8], [-0.0, 0, 0, 0.134142488]),
        ("lgamma", [0.0, -0.0, -3, 1, 2, np.inf, -np.inf], [np.inf, np.inf, np.inf, 0, 0, np.inf, np.inf]),
        ("digamma", [0.0, -0.0, -3, np.inf, 1e-45], [np.nan, np.nan, np.nan, np.inf, -np.inf]),
    ],
)
def test_special_values(name: str, operand: list[float], expected: list[float]) -> None:
    result = evaluate(f"chlo.{name}", np.array([*operand, np.nan], np.float32))
    wanted = np.array([*expected, np.nan], np.float32)
    np.testing.assert_array_equal(result, wanted)
    assert np.signbit(result[0]) == np.signbit(wanted[0]) or np.isnan(wanted[0])


def test_zeta_and_polygamma_of_what_their_formulas_leave_out() -> None:
    x = np.array([1, 0.5, 2, 2, 2], np.float32)
    q = np.array([2, 2, -0.5, 0, np.inf], np.float32)
    zeta = [np.inf, np.nan, 8.9348022, np.inf, 0]
    np.testing.assert_allclose(evaluate("chlo.zeta", x, q), zeta, rtol=1e-6)
    n, place = np.array([1, 0, 1.5, -1], np.float32), np.array([-0.5, -0.5, 2, 2], np.float32)
    polygamma = [8.9348022, 0.03648998, np.nan, np.nan]
    np.testing.assert_allclose(evaluate("chlo.polygamma", n, place), polygamma, rtol=1e-6)
