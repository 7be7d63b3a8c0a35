"""Random bits against XLA on CPU, bit for bit; rng against its distributions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from shlo.interpreter.kernel_api import KernelError
from shlo.interpreter.runtime.context import ExecutionContext
from shlo.ir.dtypes import dtype_of
from shlo.ir.types import F32, F64, I1, I32, I64, FloatType, IntegerType, Type
from tests.oracle import Oracle

from .helpers import entry_of, evaluate, specialization, tensor

UI64 = IntegerType(64, "unsigned")
STATES = {
    "THREE_FRY": [(2, 3)],
    "PHILOX": [(2, 3), (7, 2**64 - 2, 2**64 - 1)],
    "DEFAULT": [(2**64 - 1, 2**64 - 1)],
}
ELEMENTS: dict[str, Type] = {f"ui{width}": IntegerType(width, "unsigned") for width in (2, 4, 8, 16, 32, 64)}
I8 = IntegerType(8)
ELEMENTS |= {"i8": I8, "i32": I32, "i64": I64, "f32": F32, "f64": F64}


def program(algorithm: str, state: int, element: str, shape: tuple[int, ...]) -> str:
    before = f"tensor<{state}xui64>"
    results = f"{before}, tensor<{'x'.join((*map(str, shape), element))}>"
    return f"""func.func @main(%s: {before}) -> ({results}) {{
      %r:2 = stablehlo.rng_bit_generator %s, algorithm = {algorithm} : ({before}) -> ({results})
      return %r#0, %r#1 : {results} }}"""


def check(
    oracle: Oracle, algorithm: str, words: tuple[int, ...], element: str, shape: tuple[int, ...]
) -> None:
    state = np.array(words, np.uint64)
    expected = oracle.run(program(algorithm, len(words), element, shape), [state])
    types = [tensor(UI64, len(words)), tensor(ELEMENTS[element], *shape)]
    actual = evaluate("rng_bit_generator", state, result_types=types, rng_algorithm=algorithm)
    np.testing.assert_array_equal(actual[0], expected[0])
    assert (actual[1].shape, actual[1].dtype) == (shape, dtype_of(ELEMENTS[element]))
    bits = f"u{actual[1].dtype.itemsize}"
    np.testing.assert_array_equal(actual[1].view(bits), np.asarray(expected[1]).view(bits))


@pytest.mark.parametrize("algorithm", STATES)
@pytest.mark.parametrize("shape", [(), (1,), (4,), (7,), (0,), (3, 5), (5, 3), (3, 4, 2), (7, 1, 9)])
def test_rng_bit_generator_shapes(oracle: Oracle, algorithm: str, shape: tuple[int, ...]) -> None:
    """Odd sizes too; the counter carries into its high half."""
    for words in STATES[algorithm]:
        check(oracle, algorithm, words, "ui32", shape)
        check(oracle, algorithm, words, "ui64", shape)


@pytest.mark.parametrize("algorithm", ["THREE_FRY", "PHILOX"])
@pytest.mark.parametrize("element", ELEMENTS)
def test_rng_bit_generator_element_types(oracle: Oracle, algorithm: str, element: str) -> None:
    check(oracle, algorithm, (2**63, 5), element, (3, 5))


@pytest.mark.parametrize(
    ("algorithm", "size", "element", "message"),
    [
        ("PHILOX", 4, F32, "expected a state of 2 or 3 elements"),
        ("PHILOX", 2, I1, "no random bits of type"),
    ],
)
def test_rng_bit_generator_refuses(algorithm: str, size: int, element: Type, message: str) -> None:
    types = [tensor(UI64, size), tensor(element, 3)]
    with pytest.raises(KernelError, match=message):
        evaluate("rng_bit_generator", np.zeros(size, np.uint64), result_types=types, rng_algorithm=algorithm)


def draw(distribution: str, element: Type, a: float, b: float, *contexts: ExecutionContext) -> list[Any]:
    dtype, shape = dtype_of(element), np.array([100, 50])
    types = tensor(element), tensor(element), tensor(I64, 2)
    attributes = {"rng_distribution": distribution}
    op = specialization("rng", types, [tensor(element, 100, 50)], attributes)
    function = entry_of("rng").kernel(op)
    return [function(context, np.asarray(a, dtype), np.asarray(b, dtype), shape) for context in contexts]


@pytest.mark.parametrize("element", [F32, FloatType("bf16"), I8, UI64])
def test_rng_uniform_stays_in_its_range(element: Type) -> None:
    (drawn,) = draw("UNIFORM", element, 3, 7, ExecutionContext())
    numbers = drawn.astype(np.float64)
    assert drawn.dtype == dtype_of(element)
    assert numbers.min() >= 3
    assert numbers.max() < 7
    assert abs(numbers.mean() - (5 if isinstance(element, FloatType) else 4.5)) < 0.1


def test_rng_normal() -> None:
    (drawn,) = draw("NORMAL", F64, 3, 0.5, ExecutionContext())
    assert (abs(drawn.mean() - 3), abs(drawn.std() - 0.5)) < (0.05, 0.05)


def test_rng_depends_on_seed_and_place_in_the_grid() -> None:
    first = ExecutionContext(seed=1)
    a, b, c, d, e = draw(
        "NORMAL",
        F32,
        0,
        1,
        first,
        first,
        ExecutionContext(seed=1),
        ExecutionContext(seed=2),
        ExecutionContext(1, seed=1),
    )
    assert np.array_equal(a, c)
    assert not any(np.array_equal(a, other) for other in (b, d, e))


def test_rng_refuses() -> None:
    with pytest.raises(KernelError, match="range from 7 to 3 is empty"):
        draw("UNIFORM", I32, 7, 3, ExecutionContext())
    with pytest.raises(KernelError, match="no distribution NORMAL"):
        draw("NORMAL", I32, 0, 1, ExecutionContext())
