"""Constants that count elements: the bounds of indices and loops, the numbers that means divide by.

Nothing in a program says that they do, so that they follow is likely, not certain: each is told.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from math import prod
from typing import Any, Final, NamedTuple

from shlo.dialects.constants import constant_elements
from shlo.ir.types import IntegerType, RankedTensorType
from shlo.transforms.propagation.program import OpInstance, SizedProgram
from shlo.transforms.propagation.sizes import Sizes

MAX_TRACED: Final = 8
"""How many operations are between a count and what it counts, at most."""

_INDEX_FLOW: Final[dict[str, slice]] = {
    **dict.fromkeys(
        ("add", "subtract", "convert", "broadcast_in_dim", "reshape", "transpose", "slice"), slice(None)
    ),
    **dict.fromkeys(("clamp", "maximum", "minimum", "concatenate", "remainder"), slice(None)),
    "select": slice(1, None),
    "compare": slice(None),
}
"""Operations whose integers index one dimension, and which of their operands these are."""
_COPIERS: Final = frozenset({"while", "case", "if", "optimization_barrier"})
_PASSES: Final = frozenset({"broadcast_in_dim", "reshape", "convert", "negate"})
"""Operations through which a sum is followed to what divides it."""
_SPREADS: Final = frozenset({*_PASSES, "multiply", "select", "subtract", "add"})
"""Operations through which a quotient is followed to the elements that share it."""


class Count(NamedTuple):
    """A constant that follows: its new number, and what it counts."""

    op: OpInstance
    old: Any
    new: Any
    what: str


def _short(op: OpInstance) -> str:
    return op.operation.name.removeprefix("stablehlo.")


class _Tracing:
    """Where values come from and where they go, through calls and loops."""

    def __init__(self, program: SizedProgram) -> None:
        self.program = program
        self._copies = _classes(program, program.copies)

    @cached_property
    def _definitions(self) -> dict[int, list[OpInstance]]:
        return self._by_class((op, op.results) for op in self.program.ops())

    @cached_property
    def _users(self) -> dict[int, list[OpInstance]]:
        return self._by_class((op, op.operands) for op in self.program.ops())

    def _by_class(self, ops: Iterable[tuple[OpInstance, tuple[int, ...]]]) -> dict[int, list[OpInstance]]:
        """Returns ops by the roots of values; those that copy values are not among them."""
        found: dict[int, list[OpInstance]] = {}
        for op, values in ops:
            if op.callee is None and _short(op) not in _COPIERS:
                for value in values:
                    found.setdefault(self._copies.root(value), []).append(op)
        return found

    def definition(self, value: int) -> OpInstance | None:
        """Returns the only operation that gives a value."""
        ops = self._definitions.get(self._copies.root(value), ())
        return ops[0] if len(ops) == 1 else None

    def users(self, value: int) -> Iterable[OpInstance]:
        """Returns the operations that a value goes into; returns and calls are not among them."""
        return (op for op in self._users.get(self._copies.root(value), ()) if "return" not in _short(op))

    def constant(self, value: int) -> OpInstance | None:
        """Returns the constant that a divisor is made of."""
        for _ in range(MAX_TRACED):
            op = self.definition(value)
            if op is None or number_of(op) is not None:
                return op
            if _short(op) not in _PASSES and _short(op) not in ("subtract", "maximum"):
                return None
            value = op.operands[0]
        return None

    def summed(self, value: int) -> tuple[int, ...]:
        """Returns the dimensions over which a value is a sum, none where it is none."""
        for _ in range(MAX_TRACED):
            op = self.definition(value)
            if op is None:
                return ()
            if _short(op) == "reduce":
                axes = op.numbers("dimensions")
                return tuple(op.dims(0)[axis] for axis in axes)
            if _short(op) == "dot_general":
                return tuple(op.dims(0)[axis] for axis in op.numbers("lhs_contracting_dimensions"))
            if _short(op) not in _PASSES:
                return ()
            value = op.operands[0]
        return ()

    def lockstep(self) -> Iterator[tuple[int, int]]:
        """Yields pairs of values that a loop counts up together."""
        for loop in self.program.named("while"):
            counters: dict[tuple[Any, Any], int] = {}
            for value in loop.results:
                counter = self._counter(value)
                if counter is not None:
                    yield counters.setdefault(counter, value), value

    def _counter(self, value: int) -> tuple[Any, Any] | None:
        """Returns where a value that a loop carries starts and what is added to it, None for any other."""
        ops = self._definitions.get(self._copies.root(value), ())
        starts = [number for op in ops if (number := number_of(op)) is not None]
        steps = [number_of(step) for op in ops if (step := self._step(op, value))]
        return (starts[0], steps[0]) if len(ops) == 2 and len(starts) == len(steps) == 1 else None

    def _step(self, op: OpInstance, value: int) -> OpInstance | None:
        """Returns the constant that an addition adds to a value."""
        if _short(op) != "add" or self._copies.root(op.operands[0]) != self._copies.root(value):
            return None
        return self.definition(op.operands[1])

    def spread(self, value: int, depth: int = 0) -> Iterator[tuple[int, ...]]:
        """Yields the dimensions along which a value is broadcast, as the gradient of a mean is."""
        for op in self.users(value) if depth < MAX_TRACED else ():
            if _short(op) == "broadcast_in_dim":
                kept = op.numbers("broadcast_dimensions")
                added = tuple(size for axis, size in enumerate(op.out()) if axis not in kept)
                grown = tuple(op.out()[axis] for size, axis in zip(op.dims(0), kept) if op.old(size) == 1)
                if any(map(self.program.sizes.is_changed, (*added, *grown))):
                    yield (*added, *grown)
            if _short(op) in _SPREADS:
                yield from self.spread(op.results[0], depth + 1)


def _classes(program: SizedProgram, pairs: Iterable[tuple[int, int]]) -> Sizes:
    classes = Sizes()
    classes.variables([None] * len(program.values))
    for one, other in pairs:
        classes.tie(one, other)
    return classes


def number_of(op: OpInstance) -> Any:
    """Returns the number that all elements of a constant are, None for anything else."""
    value = constant_elements(op.operation)
    if value is None or value.array.dtype.kind not in "iuf":
        return None
    is_one = value.array.size == 1 or value.is_splat
    return value.array.flat[0].item() if is_one and value.array.size else None


class Counting:
    """The constants of a program that count: `tie_loops` before it is solved, `counts` after that."""

    def __init__(self, program: SizedProgram) -> None:
        self._program = program
        self._tracing = _Tracing(program)
        pairs = [*program.copies, *_index_flow(program), *self._tracing.lockstep()]
        self._flow = _classes(program, pairs)
        constants = ((op, number_of(op)) for op in program.ops() if op.results)
        self._numbers = {op.results[0]: (op, number) for op, number in constants if number is not None}

    def tie_loops(self) -> None:
        """Ties the dimensions that one index runs over up to their size: what a scan reads and writes."""
        sizes, indexed = self._program.sizes, self._indexed()
        for op in self._program.named("compare"):
            for _, number in (self._numbers[value] for value in op.operands if value in self._numbers):
                dims = indexed.get(self._flow.root(op.operands[0]), ())
                equal = [size for size in dims if number > 1 and sizes.old[size] == number]
                for size in equal[1:]:
                    sizes.tie(equal[0], size)

    def counts(self) -> Iterator[Count]:
        """Yields the constants that count what has changed, each once."""
        numbers: dict[OpInstance, Count | None] = {}
        for count in (*self._indices(), *_means(self._program, self._tracing)):
            known = numbers.get(count.op, count)
            numbers[count.op] = count if known is not None and known.new == count.new else None
        yield from (count for count in numbers.values() if count is not None)

    def _indexed(self) -> dict[int, set[int]]:
        """Returns the dimensions that each class of values indexes, by its root."""
        indexed: dict[int, set[int]] = {}
        for value, dims in _indexing(self._program):
            roots = map(self._program.sizes.root, dims)
            indexed.setdefault(self._flow.root(value), set()).update(roots)
        return indexed

    def _indices(self) -> Iterator[Count]:
        sizes, indexed = self._program.sizes, self._indexed()
        for op, number in self._numbers.values():
            if not isinstance(number, int) or number <= 1 or not self._only_indexes(op):
                continue
            dims = indexed.get(self._flow.root(op.results[0]), ())
            fitting = [size for size in dims if sizes.old[size] - number in (0, 1)]
            growth = {sizes.now(size) - sizes.old[size] for size in fitting}
            if len(growth) == 1 and growth != {0}:
                yield Count(op, number, number + growth.pop(), "the bound of an index")

    def _only_indexes(self, op: OpInstance) -> bool:
        return all(_short(user) in _INDEX_FLOW for user in self._tracing.users(op.results[0]))


def _index_flow(program: SizedProgram) -> Iterator[tuple[int, int]]:
    for name, indices in _INDEX_FLOW.items():
        for op in program.named(name):
            results = () if name == "compare" else op.results
            values = [value for value in (*op.operands[indices], *results) if _is_integer(program, value)]
            yield from ((values[0], value) for value in values[1:])


def _is_integer(program: SizedProgram, value: int) -> bool:
    type_ = program.types[value]
    element = type_.element_type if isinstance(type_, RankedTensorType) else None
    return isinstance(element, IntegerType) and element.width > 1


def _indexing(program: SizedProgram) -> Iterator[tuple[int, list[int]]]:
    """Yields values that are indices, with the dimensions that they index."""
    for op in program.named("iota", "dynamic_slice", "dynamic_update_slice", "gather", "scatter"):
        match _short(op):
            case "iota":
                yield op.results[0], [op.out()[op.number("iota_dimension")]]
            case "dynamic_slice" | "dynamic_update_slice" as name:
                starts = op.operands[1 if name == "dynamic_slice" else 2 :]
                yield from ((start, [size]) for start, size in zip(starts, op.dims(0)))
            case "gather":
                yield op.operands[1], [op.dims(0)[axis] for axis in op.numbers("start_index_map")]
            case "scatter":
                axes = op.numbers("scatter_dims_to_operand_dims")
                yield op.operands[len(op.results)], [op.dims(0)[axis] for axis in axes]
            case _:
                pass


# --- means -------------------------------------------------------------------------------------------------


def _means(program: SizedProgram, tracing: _Tracing) -> Iterator[Count]:
    for op in program.named("divide"):
        constant = tracing.constant(op.operands[1])
        number = number_of(constant) if constant else None
        if constant is None or number is None or number <= 1:
            continue
        for dims in (tracing.summed(op.operands[0]), *tracing.spread(op.results[0])):
            old = prod(program.sizes.old[size] for size in dims)
            growth = prod(program.sizes.nows(dims)) - old
            if growth and old - number in (0, 1):
                yield Count(constant, number, number + growth, "how many elements a mean has")
                break
