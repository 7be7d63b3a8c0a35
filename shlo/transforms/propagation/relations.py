"""Relations between sizes that are not equal: sums, products, windows, and what inference knows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import prod
from typing import Any

from msgspec import Struct

from shlo.transforms.propagation.sizes import Sizes, Stuck


class Derived(Struct, frozen=True, eq=False):
    """One variable is a function of others: a padded size of the plain one, a sum of all."""

    result: int
    sources: tuple[int, ...]
    function: Callable[[Sequence[Any]], Any]
    what: str

    @property
    def variables(self) -> tuple[int, ...]:
        """The variables that it relates."""
        return (*self.sources, self.result)

    def assignments(self, sizes: Sizes, is_last: bool) -> Iterator[tuple[int, Any]]:
        """Yields the result; where that is given, the only source that can follow."""
        values = sizes.nows(self.sources)
        value, result = self.function(values), sizes.now(self.result)
        if value == result:
            return
        if not sizes.is_set(self.result, self):
            yield self.result, value
            return
        free = {sizes.root(source): source for source in self.sources if not sizes.is_set(source, self)}
        if len(free) == 1:
            ((_, source),) = free.items()
            fitting = self._fitting(sizes, source, result)
            if fitting is not None:
                yield source, fitting
                return
        raise Stuck(
            f"{self.what} would be {value}, and {result} is needed: decide which of its operands changes"
        )

    def _fitting(self, sizes: Sizes, source: int, result: Any) -> int | None:
        """Returns the size of a source with which the result is as it has to be."""
        root, guess = sizes.root(source), sizes.now(source)
        for _ in range(3):  # the functions are linear, but for divisions that round
            values = [guess if sizes.root(each) == root else sizes.now(each) for each in self.sources]
            missing = result - self.function(values)
            if missing == 0:
                return guess
            share = sum(sizes.root(each) == root for each in self.sources)
            guess += missing // share if missing % share == 0 else missing
            if guess < 0:
                return None
        return None


class SameProduct(Struct, frozen=True, eq=False):
    """The sizes of two lists have one product: neighbouring dimensions of a reshape."""

    ones: tuple[int, ...]
    others: tuple[int, ...]

    @property
    def variables(self) -> tuple[int, ...]:
        """The variables that it relates."""
        return (*self.ones, *self.others)

    def assignments(self, sizes: Sizes, is_last: bool) -> Iterator[tuple[int, Any]]:
        """Yields the only size that can follow."""
        ones, others = prod(sizes.nows(self.ones)), prod(sizes.nows(self.others))
        if ones == others:
            return
        for side, needed in ((self.others, ones), (self.ones, others)):
            free = [variable for variable in side if not sizes.is_set(variable, self)]
            rest = prod(sizes.now(variable) for variable in side if variable not in free[:1])
            if len(free) == 1 and (is_last or len(side) == 1) and rest and needed % rest == 0:
                yield free[0], needed // rest
                return
        shape = "x".join(str(sizes.old[variable]) for variable in self.others)
        raise Stuck(
            f"{ones} elements do not fit the sizes {shape}: "
            "decide which dimension of the result takes the change"
        )


class AtMost(Struct, frozen=True, eq=False):
    """A part is not longer than the whole."""

    part: int
    whole: int
    what: str

    @property
    def variables(self) -> tuple[int, ...]:
        """The variables that it relates."""
        return (self.part, self.whole)

    def assignments(self, sizes: Sizes, is_last: bool) -> Iterator[tuple[int, Any]]:
        """Yields nothing."""
        part, whole = sizes.now(self.part), sizes.now(self.whole)
        if part > whole:
            raise Stuck(f"{self.what} takes {part} of a dimension of {whole}: decide how many it is to take")
        yield from ()


class Grows(Struct, frozen=True, eq=False):
    """A dimension of size 1 may be broadcast; where it changes, so does the result."""

    operand: int
    result: int

    @property
    def variables(self) -> tuple[int, ...]:
        """The variables that it relates."""
        return (self.operand, self.result)

    def assignments(self, sizes: Sizes, is_last: bool) -> Iterator[tuple[int, Any]]:
        """Yields the result."""
        size = sizes.now(self.operand)
        if size == 1 or size == sizes.now(self.result):
            return
        if sizes.is_set(self.result, self):
            raise Stuck(
                f"a dimension of {size} cannot be broadcast to {sizes.now(self.result)}: decide which it is"
            )
        yield self.result, size


class SlicedPart(Struct, frozen=True, eq=False):
    """`[start:limit:stride]` of a dimension: whether an end moves is told by where it was.

    An end at the end of the dimension stays there, and one just before it does; a start in the second half
    keeps its distance from the end, any other from the beginning. Equal parts of the whole stay equal parts:
    `share` is the number of this one and of all, (0, 0) for no such part.
    """

    whole: int
    start: int
    limit: int
    result: int
    stride: int
    share: tuple[int, int]

    @property
    def variables(self) -> tuple[int, ...]:
        """The variables that it relates."""
        return (self.whole, self.start, self.limit, self.result)

    def assignments(self, sizes: Sizes, is_last: bool) -> Iterator[tuple[int, Any]]:
        """Yields the ends, and the size of the result."""
        old = [sizes.old[variable] for variable in self.variables]
        start, limit = self._ends(sizes, *old)
        length = max(0, -(-(limit - start) // self.stride))
        needed = sizes.now(self.result)
        if sizes.is_set(self.result, self) and needed != length:
            span = (needed - 1) * self.stride + 1
            if old[2] == old[0] and old[1] and old[1] * 2 >= old[0]:
                start = limit - span
            else:
                limit = start + span
            length = needed
            if is_last and limit > sizes.now(self.whole) and old[2] == old[0]:
                yield self.whole, limit
        if not 0 <= start <= limit <= sizes.now(self.whole):
            whole = sizes.now(self.whole)
            raise Stuck(f"[{start}:{limit}] is not in a dimension of {whole}: decide which part it takes")
        yield self.start, start
        yield self.limit, limit
        yield self.result, length

    def _ends(self, sizes: Sizes, whole: int, start: int, limit: int, _: int) -> tuple[int, int]:
        new = sizes.now(self.whole)
        number, count = self.share
        if count and new % count == 0:
            return new // count * number, new // count * (number + 1)
        is_at_end = limit == whole or (whole - limit <= 2 and limit * 2 > whole)
        if not is_at_end:
            return start, limit
        growth = new - whole
        return (start + growth if start and start * 2 >= whole else start), limit + growth


class InferredSizes(Struct, frozen=True, eq=False):
    """What the definition of an operation says of its results."""

    operands: tuple[int, ...]
    results: tuple[int, ...]
    function: Callable[[Sizes], Sequence[int | None]]
    what: str

    @property
    def variables(self) -> tuple[int, ...]:
        """The variables that it relates."""
        return (*self.operands, *self.results)

    def assignments(self, sizes: Sizes, is_last: bool) -> Iterator[tuple[int, Any]]:
        """Yields the sizes of the results that follow from the operands."""
        if not any(map(sizes.is_changed, self.operands)):
            return
        for variable, size in zip(self.results, self.function(sizes)):
            if size is None or size == sizes.now(variable):
                continue
            if sizes.is_set(variable, self):
                now = sizes.now(variable)
                raise Stuck(
                    f"{self.what} would have a dimension of {size}, and {now} is needed: decide which"
                )
            yield variable, size


class Listed(Struct, frozen=True, eq=False):
    """Elements are listed one by one, so that their number cannot follow."""

    sizes_: tuple[int, ...]

    @property
    def variables(self) -> tuple[int, ...]:
        """The variables that it relates."""
        return self.sizes_

    def assignments(self, sizes: Sizes, is_last: bool) -> Iterator[tuple[int, Any]]:
        """Yields nothing."""
        if any(map(sizes.is_changed, self.sizes_)):
            old = prod(sizes.old[variable] for variable in self.sizes_)
            shape = "x".join(map(str, sizes.nows(self.sizes_)))
            raise Stuck(f"its {old} elements are listed: decide what those of {shape} are")
        yield from ()


class Foreign(Struct, frozen=True, eq=False):
    """Nothing is known of what an operation does with its operands' sizes."""

    operands: tuple[int, ...]
    what: str

    @property
    def variables(self) -> tuple[int, ...]:
        """The variables that it relates."""
        return self.operands

    def assignments(self, sizes: Sizes, is_last: bool) -> Iterator[tuple[int, Any]]:
        """Yields nothing."""
        if any(map(sizes.is_changed, self.operands)):
            raise Stuck(
                f"the sizes of its operands change, and nothing says what {self.what} gives then: decide that"
            )
        yield from ()
