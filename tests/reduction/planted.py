"""Large programs, and engines with faults that only some programs show."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

import shlo
from shlo.engines import Engine, engine_of
from shlo.interpreter import RunOptions
from shlo.ir.attributes import StringAttr
from shlo.ir.operations import Module, Operation
from shlo.transforms.rewriting.builder import ValueRef
from shlo.transforms.rewriting.driver import Rewriter, rewrite

SHAPES = ("8x16", "16", "4x4x2")
UNARY = ("tanh", "sine", "cosine", "negate", "abs", "logistic")
BINARY = ("add", "subtract", "maximum", "minimum")


def straight_line(count: int, seed: int, planted: Sequence[str] = ()) -> str:
    """Returns a function of `count` operations of random kinds on tensors of some shapes. The lines `planted`
    are put into its middle, each at another place; `{x}` in them is a value of type tensor<8x16xf32>. What
    the last one defines, `%planted`, is part of the first result.
    """
    chosen = random.Random(seed)
    values: dict[str, list[str]] = {shape: [f"%arg{index}"] for index, shape in enumerate(SHAPES)}
    lines: list[str] = []
    places = sorted(chosen.sample(range(count // 4, 3 * count // 4), len(planted)))
    for number in range(count - len(planted) - bool(planted)):
        while places and number >= places[0]:
            lines.append("  " + planted[len(planted) - len(places)].format(x=values[SHAPES[0]][-1]))
            places.pop(0)
        shape = chosen.choice(SHAPES)
        recent = values[shape][-20:]
        if chosen.random() < 0.4:
            name, operands = chosen.choice(UNARY), [chosen.choice(recent)]
        else:
            name, operands = chosen.choice(BINARY), [chosen.choice(recent), chosen.choice(recent)]
        lines.append(f"  %v{number} = stablehlo.{name} {', '.join(operands)} : tensor<{shape}xf32>")
        values[shape].append(f"%v{number}")
    if planted:
        last = values[SHAPES[0]][-1]
        lines.append(f"  %last = stablehlo.add {last}, %planted : tensor<{SHAPES[0]}xf32>")
        values[SHAPES[0]].append("%last")
    arguments = ", ".join(f"%arg{index}: tensor<{shape}xf32>" for index, shape in enumerate(SHAPES))
    types = ", ".join(f"tensor<{shape}xf32>" for shape in SHAPES)
    returned = ", ".join(values[shape][-1] for shape in SHAPES)
    body = "\n".join(lines)
    return f"func.func @main({arguments}) -> ({types}) {{\n{body}\n  return {returned} : {types}\n}}\n"


def in_a_loop(body: str, calls: int = 3) -> str:
    """Returns a program that calls a function in a loop, from a function that `@main` calls."""
    types = ", ".join(f"tensor<{shape}xf32>" for shape in SHAPES)
    takes = ", ".join(f"%arg{index}: tensor<{shape}xf32>" for index, shape in enumerate(SHAPES))
    inits = ", ".join(f"%c{index} = %arg{index}" for index in range(len(SHAPES)))
    carried = ", ".join(f"%c{index}" for index in range(len(SHAPES)))
    results = ", ".join(f"%r#{index}" for index in range(len(SHAPES)))
    given = ", ".join(f"%arg{index}" for index in range(len(SHAPES)))
    work = body.replace("@main", "private @work")
    return f"""func.func @main({takes}) -> ({types}) {{
  %r:3 = call @repeat({given}) : ({types}) -> ({types})
  return {results} : {types}
}}
func.func private @repeat({takes}) -> ({types}) {{
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %most = stablehlo.constant dense<{calls}> : tensor<i32>
  %w:4 = stablehlo.while(%i = %zero, {inits}) : tensor<i32>, {types}
  cond {{
    %go = stablehlo.compare LT, %i, %most : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %go : tensor<i1>
  }} do {{
    %r:3 = func.call @work({carried}) : ({types}) -> ({types})
    %next = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %next, {results} : tensor<i32>, {types}
  }}
  return %w#1, %w#2, %w#3 : {types}
}}
{work}"""


Pattern = Callable[[Rewriter, Operation], bool]
"""Returns whether an operation is one that the engine gets wrong."""


class Miscompiling:
    """The interpreter, but for one operation: where a pattern matches, a hundredth is added to its result; or
    the program is refused with a message.
    """

    name = "miscompiling"

    def __init__(self, operation: str, pattern: Pattern, message: str | None = None) -> None:
        self._operation, self._pattern, self._message = operation, pattern, message
        self._engine: Engine = engine_of("interpreter")

    def start(self) -> None:
        """Does nothing."""

    def own_processes(self, count: int) -> Sequence[int]:
        """Returns the numbers of all processes."""
        return range(count)

    def execute(self, module: Module, arguments: Sequence[Any], options: RunOptions) -> tuple[Any, ...]:
        """Runs what the program becomes."""
        return self._engine.execute(rewrite(module, {self._operation: self._wrong}), arguments, options)

    def execute_grid(
        self, modules: Sequence[Module], inputs: Sequence[Sequence[Any]], options: RunOptions
    ) -> list[tuple[Any, ...]]:
        """Runs a grid rightly."""
        return self._engine.execute_grid(modules, inputs, options)

    def _wrong(self, rewriter: Rewriter, operation: Operation) -> Sequence[ValueRef] | None:
        if operation.attribute("seen") or not self._pattern(rewriter, operation):
            return None
        if self._message is not None:
            raise shlo.ExecutionError(self._message)
        operands = rewriter.refs(operation.operands)
        (value,) = rewriter.create(
            operation.name,
            operands,
            operation.result_types,
            operation.signature.properties,
            attributes={"seen": StringAttr("")},
        )
        return [value + 0.01]


def fed_by(*names: str) -> Pattern:
    """Returns the pattern of operations whose operands come from operations of these names."""

    def matches(rewriter: Rewriter, operation: Operation) -> bool:
        defining = [rewriter.defining(each) for each in rewriter.refs(operation.operands)]
        return [each.name if each else "" for each in defining] == [f"stablehlo.{name}" for name in names]

    return matches


def any_of_them(rewriter: Rewriter, operation: Operation) -> bool:
    """Matches all operations."""
    return True
