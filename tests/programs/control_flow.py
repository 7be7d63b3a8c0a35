"""Loops, branches, calls and derivatives of derivatives."""

from __future__ import annotations

import numpy as np

from .registry import integers, jax, jnp, lax, normal, program


@program()
def cond_and_switch():
    def f(flag, index, x):
        branches = [jnp.sin, lambda a: a * 2, lambda a: jnp.cumsum(a), lambda a: -a]
        chosen = lax.switch(index, branches, x)
        return lax.cond(flag, lambda a: a + 1, lambda a: a - 1, x), chosen, lax.switch(index + 9, branches, x)

    return f, (True, 2, normal(5))


@program()
def cond_under_vmap():
    def f(x):
        return lax.cond(x.sum() > 0, jnp.exp, lambda a: a * a, x)

    return jax.vmap(f), (normal(6, 4),)


@program()
def mandelbrot():
    def f(re, im):
        c = lax.complex(re, im)

        def body(state):
            z, count, i = state
            inside = jnp.real(z) ** 2 + jnp.imag(z) ** 2 <= 4
            return jnp.where(inside, z * z + c, z), count + inside, i + 1

        zero = jnp.zeros_like(c), jnp.zeros(c.shape, jnp.int32), 0
        return lax.while_loop(lambda s: s[2] < 40, body, zero)[1]

    # An off-centre grid: no point lies so near the set's edge that rounding decides its count.
    grid = np.meshgrid(np.linspace(-2.03, 0.61, 24), np.linspace(-1.21, 1.17, 20))
    return f, tuple(g.astype(np.float32) for g in grid)


@program()
def ode_runge_kutta():
    def field(y):
        a, b = y
        return jnp.stack([1.5 * a - a * b, a * b - 3 * b])

    def f(y):
        def step(y, _):
            h = 0.01
            k1 = field(y)
            k2 = field(y + h / 2 * k1)
            k3 = field(y + h / 2 * k2)
            k4 = field(y + h * k3)
            y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
            return y, y[0]

        return lax.scan(step, y, None, length=100)

    return f, (np.array([10.0, 5.0], np.float32),)


@program()
def collatz():
    def length(n):
        def body(state):
            n, count = state
            return jnp.where(n % 2 == 0, n // 2, 3 * n + 1), count + 1

        return lax.while_loop(lambda s: s[0] != 1, body, (n, 0))[1]

    return (lambda n, many: (length(n), jax.vmap(length)(many))), (27, np.arange(1, 20, dtype=np.int32))


@program()
def fori_dynamic_slice():
    def f(x, updates):
        def body(i, x):
            row = lax.dynamic_slice(x, (i, 0), (2, 4))
            x = lax.dynamic_update_slice(x, row * 2 + updates[i], (i + 1, 1))
            return x.at[i, i].set(i)

        return lax.fori_loop(0, 7, body, x)

    return f, (normal(8, 6), normal(7, seed=1))


@program()
def dynamic_slice_clamped():
    def f(x, start):
        inside = lax.dynamic_slice(x, (start, start), (3, 2))
        written = lax.dynamic_update_slice(x, inside, (start + 5, -start))
        return inside, written, lax.dynamic_index_in_dim(x, -1)

    return f, (normal(6, 5), 9)


@program()
def game_of_life():
    def step(board, _):
        moves = [(i, j) for i in (-1, 0, 1) for j in (-1, 0, 1) if (i, j) != (0, 0)]
        neighbours = sum(jnp.roll(board, move, (0, 1)) for move in moves)
        alive = (neighbours == 3) | ((board == 1) & (neighbours == 2))
        return alive.astype(jnp.int32), alive.sum()

    board = integers(24, 24, low=0, high=2)
    return (lambda board: lax.scan(step, board, None, length=16)), (board,)


@program()
def while_10k():
    """Ten thousand iterations on scalars: nothing but the interpreter's own cost."""

    def body(state):
        i, x = state
        return i + 1, x * np.float32(0.999) + np.float32(0.5)

    return (lambda x: lax.while_loop(lambda s: s[0] < 10_000, body, (0, x))), (np.float32(1.0),)


@program()
def nested_loops():
    def f(x):
        def outer(i, x):
            return lax.fori_loop(0, i, lambda j, y: y + j * jnp.sin(y), x)

        return lax.fori_loop(0, 5, outer, x)

    return f, (normal(4),)


@program()
def scan_reverse_with_outputs():
    def f(c, xs):
        return lax.scan(lambda c, x: (c * 0.5 + x[0], (c, x[1] * 2)), c, xs, reverse=True)

    return f, (normal(3), (normal(6, 3, seed=1), integers(6, 2, low=0, high=9)))


@program()
def associative_scan():
    def combine(a, b):
        return a[0] * b[0], b[0] * a[1] + b[1]

    return (lambda a, b: lax.associative_scan(combine, (a, b))), (normal(13), normal(13, seed=1))


@program()
def nested_jit_calls():
    def f(x, y):
        inner = jax.jit(lambda a, b: a @ b + 1)
        return inner(x, y), jax.jit(lambda a: inner(a, a).sum())(x @ y)

    return f, (normal(3, 5), normal(5, 3, seed=1))


@program()
def custom_derivatives():
    def build_log1pexp():
        @jax.custom_vjp
        def f(x):
            return jnp.log(1 + jnp.exp(x))

        f.defvjp(lambda x: (f(x), x), lambda x, g: (g * jax.nn.sigmoid(x),))
        return f

    def g(x):
        return jnp.sum(build_log1pexp()(x) * jnp.sin(x)) ** 2

    return (lambda x: (jax.grad(g)(x), jax.jacobian(jax.grad(g))(x))), (normal(5),)


@program(atol=1e-4)
def hessian():
    def rosenbrock(x):
        return jnp.sum(100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2)

    return (lambda x: (jax.hessian(rosenbrock)(x), jax.jvp(rosenbrock, (x,), (x,)))), (normal(6),)


@program()
def composite():
    def f(x):
        rounded = lax.composite(lambda a: jnp.floor(a) + 1, "my.round_up", version=2)
        scaled = lax.composite(lambda a, *, factor: a * factor, "my.scale")
        return rounded(x), scaled(x, factor=np.float32(3))

    return f, (normal(4),)


@program()
def optimization_barrier():
    return (lambda x, y: lax.optimization_barrier((x + 1, y * 2))), (normal(3), normal(2))
