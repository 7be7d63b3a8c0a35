"""Programs that JAX exported once for all sizes: run on several, beside JAX; wrong sizes are refused by name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np
import pytest

import shlo
from shlo.ir.operations import Module
from tests.programs.registry import export, jax, jnp, lax

pytestmark = pytest.mark.slow

Array = np.ndarray[Any, Any]


def attention(x: Any) -> Any:
    scores = jnp.einsum("btd,bsd->bts", x, x) / jnp.sqrt(x.shape[-1])
    mask = jnp.tril(jnp.ones((x.shape[1], x.shape[1])))
    return jax.nn.softmax(jnp.where(mask > 0, scores, -jnp.inf), -1) @ x


def cholesky(x: Any) -> Any:
    return jnp.linalg.cholesky(x @ x.T + 3 * jnp.eye(x.shape[0]))


def convolution(x: Any, kernel: Any) -> Any:
    return lax.conv_general_dilated(x, kernel, (2, 2), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))


def gradient(x: Any) -> Any:
    return jax.grad(lambda y: jnp.sum(jnp.sin(y @ y)))(x)


def largest(x: Any) -> Any:
    return lax.top_k(x, x.shape[1] - 2), lax.approx_max_k(x, x.shape[1] - 1)


def matmul(x: Any, y: Any) -> Any:
    return jnp.tanh(x @ y), x.reshape(-1), jnp.repeat(x, 2, 0)


def random_bits(x: Any) -> Any:
    key = jnp.array([1, 2, 3, 4], jnp.uint32)
    return lax.rng_bit_generator(key, x.shape)[1], jax.random.normal(jax.random.key(0), x.shape) + x


def related(x: Any) -> Any:
    return x.reshape(-1), x.T.sum(0)


def scan(x: Any) -> Any:
    return lax.scan(lambda carry, row: (carry * 0.5 + row, carry.sum()), jnp.zeros(x.shape[1]), x)


def slices(x: Any) -> Any:
    ends = x[1:], x[:-1], x[::2], jnp.roll(x, 2), jnp.pad(x, (2, x.shape[0]))
    return ends, lax.dynamic_slice_in_dim(x, 1, x.shape[0] - 1), lax.dynamic_update_slice(x, x[:2], (1,))


def special(x: Any) -> Any:
    return jax.scipy.special.erf(x), jnp.arcsinh(x)


def windows(x: Any) -> Any:
    whole = lax.reduce_window(x, 0.0, lax.add, (1, x.shape[1] - 1), (1, 1), "VALID")
    return whole, lax.reduce_window(x, -jnp.inf, lax.max, (1, 3), (1, 1), "SAME"), lax.cumsum(x, 1)


SYMBOLS: dict[Callable[..., Any], tuple[str, ...]] = {
    attention: ("b, t, d",),
    cholesky: ("n, n",),
    convolution: ("b, h, w, 3", "3, 3, 3, 8"),
    gradient: ("n, n",),
    largest: ("b, n+2",),
    matmul: ("b, n", "n, m"),
    random_bits: ("n",),
    related: ("b, 2*b",),
    scan: ("b, n",),
    slices: ("n",),
    special: ("n",),
    windows: ("b, n+1",),
}
"""The programs, and the sizes of their arguments as JAX's symbols."""


@cache
def exported(function: Callable[..., Any]) -> tuple[Any, Module]:
    """Returns what JAX exported, and the program in it."""
    scope = export.SymbolicScope()
    shapes = [export.symbolic_shape(text, scope=scope) for text in SYMBOLS[function]]
    made = export.export(jax.jit(function))(*[jax.ShapeDtypeStruct(shape, np.float32) for shape in shapes])
    return made, shlo.parse(made.mlir_module())


def arguments(made: Any, sizes: Sequence[int]) -> list[Array]:
    """Arguments whose symbols, in the order of the alphabet, are these sizes."""
    dimensions = [size for argument in made.in_avals for size in argument.shape]
    names = {name for size in dimensions if not isinstance(size, int) for name in size._get_vars()}
    values = dict(zip(sorted(names), sizes))
    generator = np.random.default_rng(sum(sizes))
    shapes = [
        [size if isinstance(size, int) else int(size._evaluate(values)) for size in argument.shape]
        for argument in made.in_avals
    ]
    return [generator.standard_normal(shape).astype(np.float32) for shape in shapes]


@pytest.mark.parametrize("function", SYMBOLS, ids=lambda function: function.__name__)
def test_results_are_those_of_jax_for_all_sizes(function: Callable[..., Any]) -> None:
    made, module = exported(function)
    for sizes in ((3, 4, 5), (5, 7, 3), (6, 3, 8)):
        arrays = arguments(made, sizes)
        ours, theirs = shlo.run(module, *arrays), jax.tree.leaves(made.call(*arrays))
        for mine, wanted in zip(ours, map(np.asarray, theirs), strict=True):
            assert (mine.dtype, mine.shape) == (wanted.dtype, wanted.shape)
            np.testing.assert_allclose(mine, wanted, rtol=2e-5, atol=2e-6)


@pytest.mark.parametrize(
    ("function", "shapes", "message"),
    [
        (matmul, ((2, 3), (4, 5)), r"args\[1\]\.shape\[0\] \(= 4\) and the specification 'n' \(= 3\)"),
        (related, ((3, 7),), r"args\[0\]\.shape\[1\] \(= 7\) and the specification '2\*b' \(= 6\)"),
        (gradient, ((3, 4),), r"args\[0\]\.shape\[1\] \(= 4\) and the specification 'n' \(= 3\)"),
        (slices, ((0,),), r"Expected value >= 1 for dimension variable 'n'.*'n' = 0"),
        (convolution, ((1, 4, 4, 2), (3, 3, 3, 8)), r"argument 0 is tensor<1x4x4x2xf32>"),
    ],
)
def test_sizes_that_break_a_constraint_are_named(
    function: Callable[..., Any], shapes: Sequence[tuple[int, ...]], message: str
) -> None:
    _, module = exported(function)
    with pytest.raises(shlo.ExecutionError, match=message) as error:
        shlo.run(module, *[np.ones(shape, np.float32) for shape in shapes])
    assert error.value.place


SIZES_OF_OPERANDS = {
    "add %a, %b : tensor<?x4xf32>": "shape(lhs) is [2, 4], but shape(rhs) is [3, 4] [add-C1]",
    "concatenate %a, %b, dim = 1 : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x8xf32>": "[concatenate-C2]",
    "slice %a [0:4, 0:4] : (tensor<?x4xf32>) -> tensor<4x4xf32>": "dim(operand, 0), which is 2 [slice-C3]",
    "abs %a : (tensor<?x4xf32>) -> tensor<3x4xf32>": "is [3, 4], but shape(operand) is [2, 4] [abs-C1]",
    "reshape %a : (tensor<?x4xf32>) -> tensor<3x4xf32>": "is 8, but size(result) is 12 [reshape-C2]",
}


@pytest.mark.parametrize("operation", SIZES_OF_OPERANDS)
def test_operations_name_sizes_that_do_not_fit(operation: str) -> None:
    result = operation.rpartition("-> ")[2] if "->" in operation else "tensor<?x4xf32>"
    text = f"""func.func @main(%a: tensor<?x4xf32>, %b: tensor<?x4xf32>) -> {result} {{
      %r = stablehlo.{operation}
      return %r : {result}
    }}"""
    with pytest.raises(shlo.ExecutionError) as error:
        shlo.run(shlo.parse(text), np.ones((2, 4), np.float32), np.ones((3, 4), np.float32))
    assert SIZES_OF_OPERANDS[operation] in error.value.message
    assert error.value.place == "<text>:2:7"
