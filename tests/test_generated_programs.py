"""Programs that hypothesis makes up: the oracle reads what we print, and XLA computes what we compute."""

# pyright: reportArgumentType=false

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import shlo
from tests.oracle import Oracle

DTYPES = {"f32": np.float32, "i32": np.int32, "ui8": np.uint8, "i1": np.bool_}
BINARY = {
    "f32": ("add", "subtract", "multiply", "maximum", "minimum"),
    "i32": ("add", "subtract", "multiply", "and", "xor", "divide", "remainder", "shift_left"),
    "ui8": ("add", "multiply", "or", "minimum", "shift_right_logical"),
    "i1": ("and", "or", "xor", "maximum"),
}
UNARY = {
    "f32": ("negate", "tanh", "abs", "floor"),
    "i32": ("negate", "abs", "popcnt"),
    "ui8": ("not",),
    "i1": ("not",),
}
NEUTRAL = {
    "add": {"i32": "0", "ui8": "0", "i1": "false"},
    "maximum": {"i32": "-2147483648", "ui8": "0", "i1": "false"},
    "minimum": {"i32": "2147483647", "ui8": "255", "i1": "true"},
}
Draw = Callable[[st.SearchStrategy[Any]], Any]


class Value(NamedTuple):
    """A value of a program being made: its name, element type and shape."""

    name: str
    element: str
    shape: tuple[int, ...]

    @property
    def type(self) -> str:
        return f"tensor<{''.join(f'{size}x' for size in self.shape)}{self.element}>"


class Maker:
    """Writes operations one by one, each on values that are already there."""

    def __init__(self, draw: Draw, arguments: list[Value]) -> None:
        self.draw = draw
        self.values = list(arguments)
        self.lines: list[str] = []

    def define(self, element: str, shape: tuple[int, ...], text: str) -> None:
        value = Value(f"%{len(self.lines)}", element, shape)
        self.lines.append(f"{value.name} = stablehlo.{text.replace('RESULT', value.type)}")
        self.values.append(value)

    def pick(self) -> Value:
        return self.draw(st.sampled_from(self.values))

    def step(self) -> None:
        makers = (self.unary, self.binary, self.compare, self.transpose, self.reshape, self.reverse)
        more = (self.slice, self.pad, self.concatenate, self.broadcast, self.reduce, self.convert, self.iota)
        self.draw(st.sampled_from((*makers, *more)))()

    def unary(self) -> None:
        x = self.pick()
        self.define(x.element, x.shape, f"{self.draw(st.sampled_from(UNARY[x.element]))} {x.name} : {x.type}")

    def same_type(self, x: Value) -> Value:
        return self.draw(st.sampled_from([y for y in self.values if y.type == x.type]))

    def binary(self) -> None:
        x = self.pick()
        op, y = self.draw(st.sampled_from(BINARY[x.element])), self.same_type(x)
        self.define(x.element, x.shape, f"{op} {x.name}, {y.name} : {x.type}")

    def compare(self) -> None:
        x = self.pick()
        y, direction = self.same_type(x), self.draw(st.sampled_from(("EQ", "NE", "LT", "GE")))
        self.define(
            "i1", x.shape, f"compare {direction}, {x.name}, {y.name} : ({x.type}, {x.type}) -> RESULT"
        )

    def transpose(self) -> None:
        x = self.pick()
        order = self.draw(st.permutations(range(len(x.shape))))
        shape = tuple(x.shape[axis] for axis in order)
        self.define(x.element, shape, f"transpose {x.name}, dims = {list(order)} : ({x.type}) -> RESULT")

    def reshape(self) -> None:
        x = self.pick()
        shape = self.draw(st.sampled_from([(int(np.prod(x.shape)),), (1, *x.shape), (*x.shape, 1)]))
        if len(shape) <= 4:
            self.define(x.element, shape, f"reshape {x.name} : ({x.type}) -> RESULT")

    def reverse(self) -> None:
        x = self.pick()
        axes = [axis for axis in range(len(x.shape)) if self.draw(st.booleans())]
        self.define(x.element, x.shape, f"reverse {x.name}, dims = {axes} : {x.type}")

    def slice(self) -> None:
        x = self.pick()
        ranges, shape = [], []
        for size in x.shape:
            start = self.draw(st.integers(0, size))
            limit, stride = self.draw(st.integers(start, size)), self.draw(st.integers(1, 3))
            ranges.append(f"{start}:{limit}:{stride}")
            shape.append(-(-(limit - start) // stride))
        self.define(x.element, tuple(shape), f"slice {x.name} [{', '.join(ranges)}] : ({x.type}) -> RESULT")

    def pad(self) -> None:
        x = self.pick()
        scalars = [y for y in self.values if y.element == x.element and not y.shape]
        if not scalars:
            return
        amounts = [[self.draw(st.integers(low, 2)) for _ in x.shape] for low in (-1, -1, 0)]
        shape = tuple(
            low + high + max(size + (size - 1) * inner, 0) if size else low + high
            for size, low, high, inner in zip(x.shape, *amounts)
        )
        if min(shape, default=0) >= 0:
            value = self.draw(st.sampled_from(scalars))
            low, high, inner = amounts
            text = f"pad {x.name}, {value.name}, low = {low}, high = {high}, interior = {inner}"
            self.define(x.element, shape, f"{text} : ({x.type}, {value.type}) -> RESULT")

    def concatenate(self) -> None:
        x = self.pick()
        if x.shape:
            axis, y = self.draw(st.integers(0, len(x.shape) - 1)), self.same_type(x)
            shape = (*x.shape[:axis], 2 * x.shape[axis], *x.shape[axis + 1 :])
            text = f"concatenate {x.name}, {y.name}, dim = {axis} : ({x.type}, {y.type}) -> RESULT"
            if int(np.prod(shape)) < 5000:
                self.define(x.element, shape, text)

    def broadcast(self) -> None:
        x = self.pick()
        if len(x.shape) < 3:
            size = self.draw(st.integers(0, 3))
            dims = list(range(1, len(x.shape) + 1))
            self.define(
                x.element,
                (size, *x.shape),
                f"broadcast_in_dim {x.name}, dims = {dims} : ({x.type}) -> RESULT",
            )

    def reduce(self) -> None:
        x = self.pick()
        if x.element == "f32":
            return
        axes = [axis for axis in range(len(x.shape)) if self.draw(st.booleans())]
        shape = tuple(size for axis, size in enumerate(x.shape) if axis not in axes)
        op = self.draw(st.sampled_from(("add", "maximum", "minimum")))
        init = Value(f"%{len(self.lines)}", x.element, ())
        self.define(x.element, (), f"constant dense<{NEUTRAL[op][x.element]}> : RESULT")
        text = f"reduce({x.name} init: {init.name}) applies stablehlo.{op} across dimensions = {axes}"
        self.define(x.element, shape, f"{text} : ({x.type}, {init.type}) -> RESULT")

    def convert(self) -> None:
        x = self.pick()
        element = self.draw(st.sampled_from([name for name in DTYPES if name != x.element]))
        self.define(element, x.shape, f"convert {x.name} : ({x.type}) -> RESULT")

    def iota(self) -> None:
        x = self.pick()
        if x.shape and x.element != "i1":
            axis = self.draw(st.integers(0, len(x.shape) - 1))
            self.define(x.element, x.shape, f"iota dim = {axis} : RESULT")


@st.composite
def programs(draw: Draw) -> tuple[str, list[np.ndarray[Any, Any]]]:
    """Returns a program and arguments for it."""
    shapes = draw(st.lists(st.tuples(st.integers(0, 3), st.integers(1, 4)), min_size=1, max_size=2))
    kinds = [(element, shape) for element in DTYPES for shape in [(), *shapes]]
    arguments = [Value(f"%arg{index}", *kind) for index, kind in enumerate(kinds)]
    maker = Maker(draw, arguments)
    for _ in range(draw(st.integers(1, 12))):
        maker.step()
    returned = maker.values[-5:]
    types = ", ".join(value.type for value in returned)
    signature = ", ".join(f"{value.name}: {value.type}" for value in arguments)
    body = "\n  ".join([*maker.lines, f"return {', '.join(value.name for value in returned)} : {types}"])
    text = f"func.func @main({signature}) -> ({types}) {{\n  {body}\n}}\n"
    rng = np.random.default_rng(draw(st.integers(0, 1000)))
    return text, [_argument(rng, value) for value in arguments]


def _argument(rng: np.random.Generator, value: Value) -> np.ndarray[Any, Any]:
    if value.element == "f32":
        return rng.normal(size=value.shape).astype(np.float32)
    low, high = {"i32": (-(2**31), 2**31), "ui8": (0, 256), "i1": (0, 2)}[value.element]
    return rng.integers(low, high, value.shape).astype(DTYPES[value.element])


@settings(max_examples=150, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(programs())
def test_a_generated_program_prints_and_runs_as_the_oracle_does(
    oracle: Oracle, made: tuple[str, list[np.ndarray[Any, Any]]]
) -> None:
    text, arguments = made
    module = shlo.parse(text)
    assert module.to_text() == oracle.pretty(text)
    assert module.to_text(generic=True) == oracle.generic(text)
    for actual, expected in zip(shlo.run(module, *arguments), oracle.run(text, arguments), strict=True):
        assert (actual.dtype, actual.shape) == (expected.dtype, expected.shape)
        if actual.dtype == np.float32:
            np.testing.assert_allclose(actual, expected, rtol=2e-5, atol=1e-6)
        else:
            np.testing.assert_array_equal(actual, expected)
