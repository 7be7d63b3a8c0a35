"""Elements of values in scope: where they come from, what they reach."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from typing import Final

import numpy as np

from shlo.debugger.errors import DebuggerError
from shlo.debugger.inspect.inspector import Inspector
from shlo.debugger.inspect.run import SessionRun
from shlo.debugger.provenance.chain import (
    MOST_LINKS,
    BoundValue,
    Chain,
    Link,
    Sources,
    Tracer,
    Tree,
    element_at,
)
from shlo.debugger.provenance.contributions import Index
from shlo.debugger.provenance.reach import Reach, reach
from shlo.interpreter.kernel_api import Value
from shlo.runner.statistics import finite_mask, has_nan, index_at, is_finite, nan_mask, tensor_of

DEEPEST_TREE: Final = 12
"""How often a tree of sources may branch."""


class ElementSources:
    """Answers where elements come from, and what they reach. It never moves the session."""

    def __init__(self, run: SessionRun, inspector: Inspector) -> None:
        self._cursor = run.cursor
        self._command = run.command
        self._inspector = inspector
        self._tracer = Tracer(run.cursor)

    def find(self, name: str, index: tuple[int, ...], frame: int = -1) -> Link:
        """Returns an element of a value in scope, to ask the others about; where the process is done, of
        one that was in scope at the end. Raises DebuggerError where there is none.
        """
        with self._command(), self._in_scope():
            bound, array = self._inspector.tensor_at(name, index, frame)
            element = element_at(self._cursor, bound.code, bound.register, bound.depth, index)
            return self._tracer.link(element, array)

    @contextmanager
    def _in_scope(self) -> Generator[None]:
        """Looks at the end of the entry function, where the selected process is done, as long as it is
        open.
        """
        cursor = self._cursor
        if cursor.process.frames:
            yield
            return
        position = cursor.trace.positions[cursor.process.steps] - 1
        with cursor.fork_at(position) as fork:
            fork.go(position)
            yield

    def nonfinite(self, name: str, frame: int = -1) -> Link | None:
        """Returns the first NaN of a value in scope, else its first infinity; None for neither."""
        index = _first_nonfinite(self._inspector.value(name, frame))
        return None if index is None else self.find(name, index, frame)

    def result(self, number: int, index: Index) -> Link:
        """Returns an element of a result of the selected process, which is done."""
        with self._command():
            return self._tracer.result(number, index)

    def nonfinite_result(self) -> Link | None:
        """Returns the first element of the results that is not finite; the selected process is done."""
        return next((self.result(number, index) for number, index in self.nonfinite_results()), None)

    def nonfinite_results(self) -> Iterator[tuple[int, Index]]:
        """Yields the number of each result with elements that are not finite, and the index of the first; the
        selected process is done.
        """
        for number, value in enumerate(self._cursor.process.returned):
            index = _first_nonfinite(value)
            if index is not None:
                yield number, index

    def sources(self, link: Link, most: int = 20) -> Sources:
        """Returns the elements that made an element, the most important first."""
        return self.sources_of_each([link], most)[0]

    def sources_of_each(self, links: Sequence[Link], most: int) -> list[Sources]:
        """Returns the elements that made each of some elements, the most important first."""
        with self._command():
            return self._tracer.sources([link.element for link in links], most)

    def value_of(self, link: Link) -> BoundValue:
        """Returns the whole value that an element is of, as it was bound."""
        with self._command():
            return self._tracer.value(link.element)

    def chain(self, link: Link, most: int = MOST_LINKS) -> Chain:
        """Returns the chain of the most important sources, from an element back to an argument, a constant or
        the operation that made it; at most so many links.
        """
        return self.chains([link], [most])[0]

    def chains(self, links: Sequence[Link], most: Sequence[int]) -> list[Chain]:
        """Returns the chain of each of some elements, in less time than one after the other."""
        with self._command():
            return self._tracer.chains(links, most)

    def tree(self, link: Link, depth: int) -> Tree:
        """Returns the tree of the most important sources of an element; it branches `depth` times."""
        if not 0 < depth <= DEEPEST_TREE:
            raise DebuggerError(f"expected a depth from 1 to {DEEPEST_TREE}, got {depth}")
        with self._command():
            return self._tracer.tree(link, depth)

    def reached(self, link: Link, frame: int = -1) -> Reach:
        """Returns which elements of later values and of results depend on an element of a value in scope, as
        far as steps are recorded.
        """
        with self._command():
            with self._in_scope():
                shape = np.shape(self._inspector.read(link.element.name, frame))
            return reach(self._cursor, link.element, shape)


def _first_nonfinite(value: Value) -> Index | None:
    """Returns the index of the first NaN of a value, else of its first infinity; None for neither."""
    array = tensor_of(value)
    if array is None or is_finite(array):
        return None
    mask = nan_mask(array) if has_nan(array) else ~finite_mask(array)
    return index_at(int(mask.argmax()), mask.shape)
