"""Statements of loops, and what collects them into functions."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence

from msgspec import Struct

from shlo.interpreter.kernels.shapes import Sizes
from shlo.interpreter.loops.expressions import (
    ZERO,
    ArrayMemory,
    Expr,
    LoopVariable,
    NameExpr,
    Operand,
    Place,
    Value,
    affine,
    index_of,
    lifted,
)
from shlo.interpreter.loops.numbers import INDEX, POINTER, Number
from shlo.interpreter.loops.numpy_layout import data_offset, scalar_offset


class Let(Struct):
    """Evaluates an expression once, under a name."""

    name: NameExpr
    value: Expr


class Store(Struct):
    """Stores values, all of which are evaluated before any is stored; vectors of a line of the cache may
    bypass that.
    """

    targets: Sequence[tuple[Place, Expr, Expr]]
    bypasses_cache: bool = False


class For(Struct):
    """Runs statements for each index from 0 up to a count."""

    index: NameExpr
    count: Expr
    body: Sequence[Statement]


class Switch(Struct):
    """Runs the statements whose number the selector is, the last ones for any other. A truth value chooses
    the first ones where it is true.
    """

    selector: Expr
    bodies: Sequence[Sequence[Statement]]


class While(Struct):
    """Runs `condition` and, as long as it gives true, `body`. The function pauses in between."""

    condition: Sequence[Statement]
    goes_on: Expr
    body: Sequence[Statement]


class ElementPass(Struct):
    """A loop over elements as a function of its own, to which different memory never overlaps. `before` and
    `after` run once in it; `variables` are its own."""

    index: NameExpr
    count: Expr
    body: Sequence[Statement]
    variables: Sequence[LoopVariable] = ()
    before: Sequence[Statement] = ()
    after: Sequence[Statement] = ()


class CallCode(Struct):
    """Calls code at an address, or a function of the same text by its name, without a result."""

    target: Expr | str
    arguments: Sequence[Expr]


Statement = Let | Store | For | Switch | While | ElementPass | CallCode


class Pausing(Struct):
    """How a function pauses after so many rounds of its loops together: it returns the number of the pause,
    with which it is called again to go on. `frame` is the address of memory that keeps its variables
    meanwhile, from an `offset` on.
    """

    rounds: int
    frame: Expr
    offset: int
    resumed: NameExpr


class LoopFunction(Struct):
    """A function: what it takes, what begins it, memory on its stack, its variables, what it does, how it
    pauses. It returns 0, or nothing if it `is_inner`.
    """

    name: str
    parameters: Sequence[NameExpr]
    body: Sequence[Statement]
    entry: Sequence[Let] = ()
    stack: Sequence[tuple[ArrayMemory, int]] = ()
    variables: Sequence[LoopVariable] = ()
    is_inner: bool = False
    pausing: Pausing | None = None


class LoopBuilder:
    """Collects the statements of one function."""

    def __init__(self) -> None:
        self.entry: list[Let] = []
        self.stack: list[tuple[ArrayMemory, int]] = []
        self.variables: list[LoopVariable] = []
        self.body: list[Statement] = []
        self.functions: dict[str, LoopFunction] = {}
        """Other functions that statements call, by name."""
        self._numbers = itertools.count(1)

    def name(self, number: Number = INDEX, prefix: str = "t") -> NameExpr:
        """Returns a new name."""
        return NameExpr(number, f"{prefix}{next(self._numbers)}")

    def variable(self, number: Number) -> LoopVariable:
        """Returns a new variable."""
        self.variables.append(LoopVariable(number, f"v{next(self._numbers)}"))
        return self.variables[-1]

    def scratch(self, number: Number, count: int = 1) -> ArrayMemory:
        """Returns memory on the stack, which is not kept when the function pauses."""
        memory = ArrayMemory(number, (count,), self.name(POINTER, "s"))
        self.stack.append((memory, count))
        return memory

    def at_entry(self, value: Expr) -> NameExpr:
        """Returns the name of a value that is computed where the function begins."""
        name = self.name(value.number, "e")
        self.entry.append(Let(name, value))
        return name

    def let(self, value: Expr) -> NameExpr:
        """Returns the name of a value that is computed here."""
        name = self.name(value.number)
        self.body.append(Let(name, value))
        return name

    def store(self, target: Place, index: Expr, value: Operand) -> None:
        """Adds the storing of an element."""
        self.body.append(Store([(target, index, lifted(target.number, value))]))

    def store_all(self, targets: Sequence[tuple[Place, Expr, Expr]]) -> None:
        """Adds the storing of several elements, all of which are computed first."""
        if targets:
            self.body.append(Store(targets))

    def assign(self, variable: LoopVariable, value: Operand) -> None:
        """Adds an assignment."""
        self.store(variable, ZERO, value)

    def collected(self, write: Callable[[], object]) -> list[Statement]:
        """Returns the statements that `write` adds, apart."""
        outer, self.body = self.body, []
        try:
            write()
            return self.body
        finally:
            self.body = outer

    def loop(self, count: Expr, body: Callable[[Expr], object]) -> None:
        """Adds a loop; `body` is given the index."""
        index = self.name(prefix="i")
        self.body.append(For(index, count, self.collected(lambda: body(index))))

    def each(self, shape: Sequence[int], body: Callable[[list[Expr]], object]) -> None:
        """Adds loops over the indices of a shape; `body` is given them."""
        if 0 not in shape:
            self._each(list(shape), [], body)

    def _each(self, shape: list[int], indices: list[Expr], body: Callable[[list[Expr]], object]) -> None:
        if not shape:
            body(indices)
        elif shape[0] == 1:
            self._each(shape[1:], [*indices, ZERO], body)
        else:
            self.loop(index_of(shape[0]), lambda index: self._each(shape[1:], [*indices, index], body))

    def when(self, condition: Expr | None, then: Callable[[], object]) -> None:
        """Adds what is done where a condition holds; None is one that always does."""
        if condition is None:
            then()
        else:
            self.body.append(Switch(condition, [self.collected(then), []]))

    def one_pass(
        self,
        count: Expr,
        body: Callable[[NameExpr], object],
        variables: Sequence[LoopVariable] = (),
        before: Sequence[Statement] = (),
        after: Sequence[Statement] = (),
    ) -> None:
        """Adds a pass over elements; `body` is given the index."""
        index = self.name(prefix="i")
        statements = self.collected(lambda: body(index))
        self.body.append(ElementPass(index, count, statements, variables, before, after))

    def call(self, target: Expr | str, *arguments: Expr) -> None:
        """Adds a call."""
        self.body.append(CallCode(target, arguments))

    def array_data(self, address: Expr) -> Expr:
        """Returns the address of the elements of the array whose object is at an address."""
        return ArrayMemory(POINTER, (), address.bytes_on(data_offset())).at(ZERO)

    def array_at(self, frame: Expr, word: int, number: Number, shape: Sizes = ()) -> ArrayMemory:
        """Returns the elements of the array whose object's address is a word of a frame."""
        return ArrayMemory(number, shape, self.at_entry(self.array_data(_word(frame, word))))

    def number_at(self, frame: Expr, word: int, number: Number) -> Expr:
        """Returns the number of the NumPy scalar whose object's address is a word of a frame."""
        return ArrayMemory(number, (), self.at_entry(_word(frame, word).bytes_on(scalar_offset()))).at(ZERO)

    def function(
        self,
        name: str,
        parameters: Sequence[NameExpr],
        is_inner: bool = False,
        pausing: Pausing | None = None,
    ) -> LoopFunction:
        """Returns the function."""
        return LoopFunction(
            name, parameters, self.body, self.entry, self.stack, self.variables, is_inner, pausing
        )


def _word(frame: Expr, word: int) -> Expr:
    return ArrayMemory(POINTER, (), frame).at(index_of(word))


class ArrayRegion(Struct, frozen=True):
    """Where the elements of a part of an array are: at `offset` and the sum of indices times strides."""

    offset: Expr
    strides: Sequence[int]


def copy(
    b: LoopBuilder, shape: Sequence[int], target: Place, to: ArrayRegion, source: Value, origin: ArrayRegion
) -> None:
    """Adds the copying of elements, one for each index of a shape."""
    if 0 in shape:
        return
    merged, to_strides, from_strides = merged_dimensions(shape, to.strides, origin.strides)
    if (
        isinstance(source, ArrayMemory)
        and isinstance(target, ArrayMemory)
        and to_strides == from_strides == [1]
    ):
        size = index_of(merged[0] * target.number.size)
        b.call("llvm.memmove", target.address(to.offset), source.address(origin.offset), size)
        return

    def element(indices: list[Expr]) -> None:
        value = source.at(affine(origin.offset, indices, from_strides))
        b.store(target, affine(to.offset, indices, to_strides), value)

    b.each(merged, element)


def merged_dimensions(
    shape: Sequence[int], first: Sequence[int], second: Sequence[int]
) -> tuple[list[int], list[int], list[int]]:
    """Returns a shape and strides in which dimensions that lie behind each other in both are one."""
    parts: list[tuple[int, int, int]] = []
    for size, one, other in zip(shape, first, second):
        if parts and parts[-1][1] == one * size and parts[-1][2] == other * size:
            parts[-1] = (parts[-1][0] * size, one, other)
        else:
            parts.append((size, one, other))
    return [part[0] for part in parts], [part[1] for part in parts], [part[2] for part in parts]
