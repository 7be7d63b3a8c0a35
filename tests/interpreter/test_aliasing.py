"""Random programs full of views, updates and loops: memory that is reused never shows."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping

import numpy as np
import pytest

import shlo
from shlo.interpreter import RunOptions, make_process, run
from shlo.interpreter.jit import fusion
from shlo.interpreter.jit import native_loop as loop
from shlo.interpreter.program.code import program_of
from shlo.interpreter.runtime.tiers import COSTS, Policy, TierCost, use_policy

pytestmark = pytest.mark.slow

T = "tensor<32x40xf32>"
Step = Callable[[str, str, str], str]
STEPS: dict[str, Step] = {
    "add": lambda a, b, c: f"stablehlo.add {a}, {b} : {T}",
    "subtract": lambda a, b, c: f"stablehlo.subtract {a}, {b} : {T}",
    "negate": lambda a, b, c: f"stablehlo.negate {a} : {T}",
    "reverse": lambda a, b, c: f"stablehlo.reverse {a}, dims = [0] : {T}",
    "keep": lambda a, b, c: f"stablehlo.optimization_barrier {a} : {T}",
    "fill": lambda a, b, c: f"stablehlo.broadcast_in_dim {c}, dims = [] : (tensor<f32>) -> {T}",
    "call": lambda a, b, c: f"func.call @update({a}, {b}) : ({T}, {T}) -> {T}",
    "case": lambda a, b, c: f"""stablehlo.custom_call @same({a}) : ({T}) -> {T}""",
}
"""One operation on values %a and %b of the type and a scalar %c."""
WITH_MACHINE_CODE: dict[str, Step] = {
    **{name: step for name, step in STEPS.items() if name not in ("keep", "case")},
    "call twice": lambda a, b, c: f"func.call @update_twice({a}, {b}) : ({T}, {T}) -> {T}",
}
"""Those that loops of machine code carry out."""

UPDATE = f"""
  func.func private @update(%a: {T}, %b: {T}) -> {T} {{
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %three = stablehlo.constant dense<3> : tensor<i32>
    %part = stablehlo.slice %b [2:10, 0:40] : ({T}) -> tensor<8x40xf32>
    %0 = stablehlo.dynamic_update_slice %a, %part, %three, %zero
      : ({T}, tensor<8x40xf32>, tensor<i32>, tensor<i32>) -> {T}
    return %0 : {T}
  }}
  func.func private @update_twice(%a: {T}, %b: {T}) -> {T} {{
    %0 = call @update(%a, %b) : ({T}, {T}) -> {T}
    %1 = call @update(%0, %a) : ({T}, {T}) -> {T}
    return %1 : {T}
  }}"""


class Writer:
    """Writes random operations on the values that are in scope."""

    def __init__(self, seed: int, steps: Mapping[str, Step] = STEPS) -> None:
        self.random = random.Random(seed)
        self.steps = steps
        self.count = 0

    def block(self, scope: list[str], length: int, depth: int) -> list[str]:
        """Returns lines of operations; what they define is added to the scope."""
        lines: list[str] = []
        for _ in range(length):
            kind = self.random.choice([*self.steps, "update", "move", "loop", "loop"])
            self.count += 1
            name = f"%v{self.count}"
            a, b = self.random.choice(scope), self.random.choice(scope[-3:])
            if kind == "loop":
                lines += self.loop(name, scope, depth) if depth < 2 else []
                continue
            step = self.steps.get(kind)
            lines += self.move(kind, name, a, b) if step is None else [f"{name} = {step(a, b, '%c')}"]
            scope.append(name)
        return lines

    def move(self, kind: str, name: str, a: str, b: str) -> list[str]:
        """Returns a slice of %b that goes into %a, at the same place or at another."""
        row = self.random.choice(["%one", "%two"])
        part = f"{name}p = stablehlo.dynamic_slice {b}, %two, %one, sizes = [4, 39]"
        types = f"({T}, tensor<4x39xf32>, tensor<i32>, tensor<i32>) -> {T}"
        target = a if kind == "update" else b
        return [
            f"{part} : ({T}, tensor<i32>, tensor<i32>) -> tensor<4x39xf32>",
            f"{name} = stablehlo.dynamic_update_slice {target}, {name}p, {row}, %one : {types}",
        ]

    def loop(self, name: str, scope: list[str], depth: int) -> list[str]:
        """Returns a loop of six rounds that carries three values and hands them on in some order."""
        initial = [self.random.choice(scope) for _ in range(3)]
        inner = [f"{name}a", f"{name}b", f"{name}c"]
        seen = [*scope, *inner]
        body = self.block(seen, 4, depth + 1)
        returned = [self.random.choice(seen[-5:]) for _ in inner]
        pairs = ", ".join(f"{x} = {y}" for x, y in zip([f"{name}i", *inner], ["%zero", *initial]))
        scope.extend(f"{name}#{index + 1}" for index in range(3))
        return [
            f"{name}:4 = stablehlo.while({pairs}) : tensor<i32>, {T}, {T}, {T}",
            "cond {",
            f"{name}q = stablehlo.compare LT, {name}i, %six : (tensor<i32>, tensor<i32>) -> tensor<i1>",
            f"stablehlo.return {name}q : tensor<i1> }} do {{",
            *body,
            f"{name}n = stablehlo.add {name}i, %one : tensor<i32>",
            f"stablehlo.return {name}n, {', '.join(returned)} : tensor<i32>, {T}, {T}, {T} }}",
        ]

    def program(self) -> str:
        scope = ["%x", "%y"]
        body = self.block(scope, 14, 0)
        returned = [*self.random.sample(scope, 3), scope[-1]]
        lines = [
            f"func.func @main(%x: {T}, %y: {T}, %c: tensor<f32>) -> ({T}, {T}, {T}, {T}) {{",
            *[
                f"%{word} = stablehlo.constant dense<{number}> : tensor<i32>"
                for word, number in (("zero", 0), ("one", 1), ("two", 2), ("six", 6))
            ],
            *body,
            f"return {', '.join(returned)} : {T}, {T}, {T}, {T} }}",
        ]
        return "\n".join(lines) + UPDATE


HANDLERS = {"same": lambda call: lambda x: x}


@pytest.mark.parametrize("seed", range(40))
def test_random_programs_agree_however_they_run(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fusion, "OVERWRITE_FROM", 0)
    module = shlo.parse(Writer(seed).program())
    generator = np.random.default_rng(seed)
    x, y = (generator.standard_normal((32, 40)).astype(np.float32) for _ in range(2))
    kept = x.copy(), y.copy()
    expected = make_process(module, [x, y, 0.5], RunOptions(handlers=HANDLERS)).run()
    for _ in range(4):
        results = run(module, x, y, 0.5, handlers=HANDLERS)
        for result, wanted in zip(results, expected):
            np.testing.assert_array_equal(result, wanted)
            result.fill(99)
    np.testing.assert_array_equal(x, kept[0])
    np.testing.assert_array_equal(y, kept[1])


@pytest.mark.parametrize("seed", range(12))
def test_random_programs_agree_as_machine_code(seed: int) -> None:
    pytest.importorskip("llvmlite")
    module = shlo.parse(Writer(seed, WITH_MACHINE_CODE).program())
    generator = np.random.default_rng(seed)
    x, y = (generator.standard_normal((32, 40)).astype(np.float32) for _ in range(2))
    expected = make_process(module, [x, y, 0.5], RunOptions()).run()
    with use_policy(Policy({**COSTS, "source": TierCost(0.0), "loop": TierCost(0.0)})):  # from inner loops on
        for _ in range(3):
            for result, wanted in zip(run(module, x, y, 0.5), expected):
                np.testing.assert_array_equal(result, wanted)
    loops = [each for each in program_of(module).namespace.values() if isinstance(each, loop.NativeLoop)]
    assert all(each.tier.code is not None for each in loops)
