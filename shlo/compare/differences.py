"""What a comparison of two programs finds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from shlo.support.conclusion import Conclusion

Kind = Literal["changed", "removed", "added"]


class OperationDifference(Struct, frozen=True):
    """An operation that is in one program only (`before` or `after` is None), or that changed.

    `before` and `after` are its texts, in which values that both programs have are called as in the first.
    `scope` is its name stack (`jit(train)/layer_3`), `place` its line of Python, each empty where not known;
    `details` say what changed, `inner` are the differences in its regions.
    """

    kind: Kind
    before: str | None
    after: str | None
    scope: str = ""
    place: str = ""
    details: tuple[str, ...] = ()
    inner: tuple[OperationDifference, ...] = ()

    def walk(self) -> Iterator[OperationDifference]:
        """Yields the difference and those inside of it."""
        yield self
        for inner in self.inner:
            yield from inner.walk()


class FunctionDifference(Struct, frozen=True):
    """A function, or another symbol, that is in one program only or differs. `operations` is how many
    operations the larger one has."""

    before: str | None
    after: str | None
    details: tuple[str, ...]
    differences: tuple[OperationDifference, ...]
    operations: int

    @property
    def counts(self) -> Counter[Kind]:
        """How many operations changed, are removed, are added."""
        return Counter(
            inner.kind
            for difference in self.differences
            for inner in difference.walk()
            if inner.details or inner.kind != "changed"
        )


class ProgramDifference(Struct, frozen=True):
    """How two programs differ: in the module's attributes (`details`) and in functions."""

    details: tuple[str, ...]
    functions: tuple[FunctionDifference, ...]
    operations: int

    def __bool__(self) -> bool:
        """Whether there is any difference."""
        return bool(self.details or self.functions)

    @property
    def conclusion(self) -> Conclusion:
        """What this says of the programs."""
        return Conclusion(bool(self), self.operations)

    @property
    def compared(self) -> bool:
        """Whether there was anything to compare."""
        return self.conclusion.compared
