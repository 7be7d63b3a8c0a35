"""Random numbers, special functions, element types, bit twiddling, NaN and infinity."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .registry import add, add_function, integers, jax, jnp, lax, normal, program

# --- random numbers ----------------------------------------------------------------------------------------

DISTRIBUTIONS: dict[str, Callable[[Any], Any]] = {
    "bits": lambda k: (jax.random.bits(k, (5, 3)), jax.random.bits(k, (7,), "uint8"), jax.random.split(k, 3)),
    "uniform": lambda k: (jax.random.uniform(k, (4, 5)), jax.random.uniform(k, (3,), minval=-2, maxval=5)),
    "normal": lambda k: (jax.random.normal(k, (4, 5)), jax.random.truncated_normal(k, -1, 1, (6,))),
    "randint": lambda k: (jax.random.randint(k, (9,), -5, 50), jax.random.bernoulli(k, 0.3, (12,))),
    "permutation": lambda k: (jax.random.permutation(k, 20), jax.random.choice(k, 30, (5,), replace=False)),
    "categorical": lambda k: (
        jax.random.categorical(k, jnp.log(jnp.arange(1.0, 6.0)), shape=(10,)),
        jax.random.gumbel(k, (4,)),
    ),
    "exponential": lambda k: (jax.random.exponential(k, (5,)), jax.random.laplace(k), jax.random.cauchy(k)),
    "gamma": lambda k: (jax.random.gamma(k, 2.5, (6,)), jax.random.beta(k, 0.7, 1.5, (4,))),
    "poisson": lambda k: (jax.random.poisson(k, 3.0, (8,)), jax.random.dirichlet(k, jnp.ones(3))),
    "multivariate_normal": lambda k: jax.random.multivariate_normal(k, jnp.zeros(2), jnp.eye(2) * 2, (4,)),
    "orthogonal": lambda k: jax.random.orthogonal(k, 4),
    "fold_in": lambda k: jax.random.normal(jax.random.fold_in(k, 17), (3,), jnp.bfloat16),
}


def _random(draw: Callable[[Any], Any], implementation: str) -> Callable[[], Any]:
    words = {"threefry2x32": [0, 42], "rbg": [0, 42, 7, 9], "unsafe_rbg": [0, 42, 7, 9]}[implementation]

    def with_key(words: Any) -> Any:
        result = draw(jax.random.wrap_key_data(words, impl=implementation))
        return jax.tree.map(_key_data, result)

    return lambda: (with_key, (np.array(words, np.uint32),))


def _key_data(leaf: Any) -> Any:
    return jax.random.key_data(leaf) if jnp.issubdtype(leaf.dtype, jax.dtypes.prng_key) else leaf


for _name, _draw in DISTRIBUTIONS.items():
    add(f"random_{_name}", _random(_draw, "threefry2x32"), rtol=1e-4)
for _name in ("bits", "uniform", "normal", "permutation", "fold_in"):
    add(f"random_{_name}_rbg", _random(DISTRIBUTIONS[_name], "rbg"), rtol=1e-4)
add("random_uniform_unsafe_rbg", _random(DISTRIBUTIONS["uniform"], "unsafe_rbg"), rtol=1e-4)


@program(x64=True)
def rng_bit_generator():
    def f(wide, narrow):
        kinds = [np.uint8, np.uint16, np.uint32, np.uint64]
        algorithms = lax.RandomAlgorithm.RNG_THREE_FRY, lax.RandomAlgorithm.RNG_PHILOX
        threefry = [lax.rng_bit_generator(wide, (5,), kind, algorithms[0]) for kind in kinds]
        philox = [lax.rng_bit_generator(narrow, (3, 5), kind, algorithms[1]) for kind in kinds]
        return threefry, philox, lax.rng_bit_generator(narrow, (9,))

    return f, (np.array([3, 2**63 + 9], np.uint64), np.array([1, 2, 3, 2**32 - 1], np.uint32))


# --- special functions -------------------------------------------------------------------------------------

UNARY = ["erf", "erfc", "erf_inv", "lgamma", "digamma", "bessel_i0e", "bessel_i1e"]
CHLO = ["sinh", "cosh", "asin", "acos", "atan", "asinh", "acosh", "atanh", "tan", "square"]
ELEMENTARY = [
    "exp",
    "exp2",
    "expm1",
    "log",
    "log1p",
    "logistic",
    "tanh",
    "sin",
    "cos",
    "sqrt",
    "rsqrt",
    "cbrt",
    "ceil",
    "floor",
    "sign",
    "neg",
    "abs",
    "round",
    "is_finite",
]


def _points() -> Any:
    return np.concatenate([np.linspace(-3, 3, 25), np.linspace(-0.99, 0.99, 20), [10, 30]]).astype(np.float32)


def _each(names: list[str]) -> Callable[[Any], Any]:
    return lambda x: [getattr(lax, name)(_without_pole(x) if name == "digamma" else x) for name in names]


def _without_pole(x: Any) -> Any:
    """Returns numbers without zero, where digamma is NaN up to jaxlib 0.10 and -inf in 0.12."""
    return jnp.where(x == 0, 1, x)


add_function("special_functions", _each(UNARY), _points, rtol=1e-4)
add_function("chlo_functions", _each(CHLO), _points)
add_function("elementary_functions", _each(ELEMENTARY), _points)
add_function("elementary_functions_complex", _each([n for n in ELEMENTARY[:12] if n != "cbrt"] + CHLO),
             lambda: (_points() + 1j * _points()[::-1]).astype(np.complex64), rtol=1e-4)  # fmt: skip
add_function("special_functions_x64", _each(UNARY), lambda: _points().astype(np.float64), x64=True, rtol=1e-9)
add_function("elementary_functions_x64", _each(ELEMENTARY + CHLO), lambda: _points().astype(np.float64),
             x64=True, rtol=1e-9)  # fmt: skip


@program(rtol=1e-4)
def special_functions_of_two():
    special = jax.scipy.special

    def f(a, x):
        orders = special.polygamma(2, x), special.zeta(a + 1.5, x), lax.igamma(a, x), lax.igammac(a, x)
        betas = special.betainc(a, x, jnp.float32(0.3)), special.betaln(a, x), special.xlogy(a, x)
        return orders, betas, special.gammaln(x), special.i0(x), special.i1(x), lax.random_gamma_grad(a, x)

    return f, (np.linspace(0.5, 4, 12, dtype=np.float32), np.linspace(0.2, 6, 12, dtype=np.float32))


@program()
def activations():
    names = [
        "relu",
        "gelu",
        "silu",
        "softplus",
        "elu",
        "selu",
        "celu",
        "sigmoid",
        "log_sigmoid",
        "softmax",
        "hard_tanh",
        "relu6",
        "swish",
        "mish",
        "glu",
    ]
    return (lambda x: [getattr(jax.nn, n)(x) for n in names] + [jax.nn.gelu(x, approximate=False)]), (
        normal(3, 8, scale=3),
    )


# --- element types -----------------------------------------------------------------------------------------

ARITHMETIC: dict[str, Callable[[Any, Any], Any]] = {
    "add": lambda a, b: a + b,
    "subtract": lambda a, b: a - b,
    "multiply": lambda a, b: a * b,
    "divide": lambda a, b: lax.div(a, b),
    "remainder": lambda a, b: lax.rem(a, b),
    "maximum": lambda a, b: lax.max(a, b),
    "minimum": lambda a, b: lax.min(a, b),
    "compare": lambda a, b: (a < b, a == b, a >= b, a != b),
    "select": lambda a, b: lax.select(a > b, a, b),
    "dot": lambda a, b: a @ b,
    "sum": lambda a, b: (a.sum(), a.max(0)),
}
NARROW_FLOATS = ["bfloat16", "float16"]


def _arithmetic(name: str) -> Callable[[], Any]:
    def f(a: Any, b: Any) -> Any:
        floats = [g(a) for g in (jnp.exp, jnp.tanh, lax.rsqrt, jnp.sin)] + [jnp.power(jnp.abs(a), b)]
        return [h(a, b) for h in ARITHMETIC.values()], floats, a.astype(jnp.float32), a.astype(jnp.int32)

    return lambda: (f, (normal(6, 6, scale=3).astype(name), normal(6, 6, seed=1).astype(name)))


for _name in NARROW_FLOATS:
    add(f"arithmetic_{_name}", _arithmetic(_name), rtol=1e-2, atol=1e-2)


@program(rtol=2e-2, atol=2e-2)
def mlp_bfloat16_mixed():
    def f(w, x):
        hidden = jax.nn.gelu(x.astype(jnp.bfloat16) @ w.astype(jnp.bfloat16))
        return hidden, hidden.astype(jnp.float32).mean(0), jax.nn.softmax(hidden)

    return f, (normal(16, 32, scale=0.3), normal(8, 16))


FLOATS_8 = ["e4m3fn", "e5m2", "e4m3b11fnuz", "e4m3fnuz", "e5m2fnuz", "e3m4", "e4m3", "e8m0fnu"]


@program()
def float8_conversions():
    def f(x, *narrow):
        def positive(kind):
            return jnp.abs(x) + 1e-3 if "e8m0" in kind else x

        kinds = [f"float8_{k}" for k in FLOATS_8] + ["float4_e2m1fn"]
        there = [positive(kind).astype(kind) for kind in kinds]
        return there, [a.astype(jnp.float32) for a in narrow], [a.astype(jnp.bfloat16) for a in there]

    x = np.concatenate([normal(24, scale=4), [0, -0.0, 500, -70000, 1e-9, 17]]).astype(np.float32)
    narrow = tuple(np.abs(x).astype(f"float8_{k}") for k in FLOATS_8)
    return f, (x, *narrow)


@program(rtol=1e-1)
def float8_matmul():
    def f(a, b, scale):
        product = lax.dot(a, b, preferred_element_type=jnp.float32)
        return product * scale, (product * scale).astype(jnp.float8_e5m2)

    kind = "float8_e4m3fn"
    return f, (normal(4, 8).astype(kind), normal(8, 3, seed=1).astype(kind), np.float32(0.5))


@program()
def int4_dequantised_matmul():
    def f(x, q, scale):
        return x @ (q.astype(jnp.float32) * scale), q + q, q.astype(jnp.int8) * 3

    return f, (normal(3, 8), integers(8, 5, low=-8, high=8).astype("int4"), np.abs(normal(5)))


@program()
def narrow_integers():
    def f(a, b, c, d):
        return a + b, a * b, a < b, c.astype(jnp.int32), d.astype(jnp.int32), (c.astype(jnp.int8) + 1), -a

    fours = integers(12, low=0, high=16).astype("uint4")
    twos = integers(12, low=0, high=4)
    return f, (fours, fours[::-1], (twos - 2).astype("int2"), twos.astype("uint2"))


@program()
def complex_numbers():
    def f(z, w, x):
        parts = jnp.real(z), jnp.imag(z), jnp.abs(z), jnp.angle(z), jnp.conj(z), lax.complex(x, -x)
        return parts, z * w, z / w, z + 1, z @ w, z == w, z.sum(0), jnp.sort(z[0]), z.prod(1), -z, z**2

    z = normal(4, 4) + 1j * normal(4, 4, seed=1)
    return f, (z.astype(np.complex64), (z.T + 1).astype(np.complex64), normal(4))


@program()
def complex_gradient():
    return jax.grad(lambda z: jnp.sum(jnp.abs(z * jnp.exp(1j * z)) ** 2)), (
        (normal(5) + 1j * normal(5, seed=1)).astype(np.complex64),
    )


@program(x64=True, rtol=1e-9, atol=1e-9)
def x64():
    def f(x, i, u, z):
        whole = i * 3 + i // 7, u >> 3, lax.population_count(u), i.sum(), jnp.cumsum(i), i.astype(jnp.float64)
        return whole, jnp.exp(x) @ x, x.std(), z * z, lax.erf(x), jnp.sort(x), x.astype(jnp.float32)

    i = integers(9, low=-(2**62), high=2**62, dtype=np.int64)
    x = normal(9, dtype=np.float64)
    return f, (x, i, i.astype(np.uint64), (x + 2j * x[::-1]).astype(np.complex128))


# --- bits and integers -------------------------------------------------------------------------------------

INTEGERS = ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"]


def _integer_operations(a: Any, b: Any) -> Any:
    bits = lax.population_count(a), lax.clz(a), ~a, a & b, a | b, a ^ b
    shifts = lax.shift_left(a, b), lax.shift_right_logical(a, b), lax.shift_right_arithmetic(a, b)
    arithmetic = a + b, a - b, a * b, lax.div(a, b), lax.rem(a, b), a // b, a % b, lax.integer_pow(a, 3)
    two, nine = a.dtype.type(2), a.dtype.type(9)
    return bits, shifts, arithmetic, lax.clamp(two, a, nine), lax.sign(a), lax.max(a, b), a < b


def _integer_pairs(name: str) -> tuple[Any, Any]:
    limits = np.iinfo(name)
    bits = limits.bits
    edges = np.array([limits.min, limits.max, 0, 1, limits.max // 2 + 1, 7, bits, bits - 1], name)
    pairs = np.meshgrid(edges, edges)
    return pairs[0].ravel(), pairs[1].ravel()


for _name in INTEGERS:
    add(f"integers_{_name}", lambda name=_name: (_integer_operations, _integer_pairs(name)), x64=True)


@program(x64=True)
def convert_between_kinds():
    kinds = [
        "bool",
        "int8",
        "uint8",
        "int32",
        "uint32",
        "int64",
        "uint64",
        "float16",
        "bfloat16",
        "float32",
        "float64",
    ]

    def f(*arrays):
        return [[a.astype(kind) for kind in kinds] for a in arrays]

    x = np.array([0, 1, -1, 2.5, -2.5, 126.7, 127, 100])
    return f, tuple(np.abs(x).astype(k) if k.startswith("u") else x.astype(k) for k in kinds)


@program(x64=True)
def convert_out_of_range():
    kinds = ["int8", "uint8", "int16", "int32", "uint32", "int64", "uint64"]
    values = [np.nan, np.inf, -np.inf, 1e30, -1e30, 300, -300, 3e9, -3e9, 1e19]

    def f(x, y):
        return [x.astype(kind) for kind in kinds], [y.astype(kind) for kind in kinds], y.astype(jnp.float16)

    return f, (np.array(values, np.float32), np.array(values, np.float64))


@program()
def bitcast():
    def f(x, i, b):
        same = lax.bitcast_convert_type(x, jnp.int32), lax.bitcast_convert_type(i, jnp.float32)
        return same, lax.bitcast_convert_type(x, jnp.uint8), lax.bitcast_convert_type(b, jnp.int32)

    return f, (normal(5), integers(5, low=0, high=2**30), integers(3, 4, low=0, high=256, dtype=np.uint8))


# --- NaN and infinity --------------------------------------------------------------------------------------


@program()
def nan_and_infinity():
    # No subnormal among them: XLA on CPU takes those for zero, which the specification does not ask for.
    special = np.array([np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0, -1.0, 3.4e38, 1e-30], np.float32)

    def f(a, b):
        tests = jnp.isnan(a), jnp.isinf(a), jnp.isfinite(a), jnp.nan_to_num(a), a == b, a < b, a != b, a >= b
        pairs = a + b, a * b, a / b, lax.max(a, b), lax.min(a, b), jnp.power(a, b), lax.atan2(a, b)
        ones = jnp.sqrt(a), jnp.log(a), jnp.exp(a), jnp.sign(a), jnp.nextafter(a, b), lax.clamp(-1.0, a, 1.0)
        many = jnp.nansum(a), a.max(), a.min(), a.argmax(), jnp.cumsum(a), jnp.sort(a), jnp.floor(a)
        return tests, pairs, ones, many, lax.rem(a, b), jnp.round(a)

    pairs = np.meshgrid(special, special)
    return f, (pairs[0].ravel(), pairs[1].ravel())
