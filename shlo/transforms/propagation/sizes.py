"""Variables with an old and a new value, classes of equal ones, and relations between classes."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any, Final, Protocol

MAX_STEPS: Final = 8
"""How often one relation may change a class: a loop may make what it carries longer each time."""


class Stuck(Exception):
    """What a relation cannot decide: its first argument says what a person has to."""


class Relation(Protocol):
    """A relation between variables, of one operation."""

    @property
    def variables(self) -> Sequence[int]:
        """The variables that it relates."""
        ...

    def assignments(self, sizes: Sizes, is_last: bool) -> Iterator[tuple[int, Any]]:
        """Yields variables that follow from others with their new values; raises Stuck where none can.

        Args:
            sizes: the variables.
            is_last: nothing else follows any more, so that what is likely may be taken.
        """
        ...


class Sizes:
    """Variables: sizes of dimensions, numbers in attributes, element types. Equal ones are one class.

    Ties come first, values after them: `tie` is not to be called once `solve` was.
    """

    def __init__(self) -> None:
        self.old: list[Any] = []
        self._parents: list[int] = []
        self._new: dict[int, Any] = {}
        self._reasons: dict[int, object] = {}
        self._watchers: dict[int, list[Relation]] = {}
        self._steps: dict[tuple[int, int], int] = {}
        self.stuck: dict[Relation, str] = {}
        """The relations that cannot hold, and what is to be decided."""

    def variable(self, old: Any) -> int:
        """Returns a new variable of this value."""
        return self.variables((old,))[0]

    def variables(self, values: Sequence[Any]) -> range:
        """Returns new variables of these values."""
        new = range(len(self.old), len(self.old) + len(values))
        self.old += values
        self._parents += new
        return new

    def root(self, variable: int) -> int:
        """Returns the variable that represents the class of one."""
        parents = self._parents
        while parents[variable] != variable:
            parents[variable] = parents[parents[variable]]
            variable = parents[variable]
        return variable

    def tie(self, one: int, other: int) -> None:
        """Makes two variables equal; those of different old values stay apart."""
        parents = self._parents
        if parents[one] == parents[other]:
            return
        one, other = self.root(one), self.root(other)
        if one != other and self.old[one] == self.old[other]:
            parents[max(one, other)] = min(one, other)

    def tie_all(self, ones: Sequence[int], others: Sequence[int]) -> None:
        """Ties two lists of variables where they are of one length."""
        if len(ones) == len(others):
            for one, other in zip(ones, others):
                self.tie(one, other)

    def watch(self, relation: Relation) -> None:
        """Adds a relation; ties are made before it."""
        for root in {self.root(variable) for variable in relation.variables}:
            self._watchers.setdefault(root, []).append(relation)

    def now(self, variable: int) -> Any:
        """Returns the new value, the old one where nothing changes it."""
        return self._new.get(self.root(variable), self.old[variable])

    def nows(self, variables: Sequence[int]) -> list[Any]:
        """Returns the new values of some variables."""
        return [self.now(variable) for variable in variables]

    def is_changed(self, variable: int) -> bool:
        """Returns whether the value is another one."""
        return self.now(variable) != self.old[variable]

    def is_set(self, variable: int, relation: object) -> bool:
        """Returns whether something else than a relation gave the class its value."""
        root = self.root(variable)
        return root in self._new and self._reasons[root] is not relation

    # -- solving ---------------------------------------------------------------------------------------------

    def solve(self, seeds: Sequence[tuple[int, Any]]) -> list[int]:
        """Gives variables new values, and all that follow theirs.

        Returns the seeds that another one contradicts.
        """
        contradicted: list[int] = []
        waiting: deque[Relation] = deque()
        for variable, value in seeds:
            if self.now(variable) != value and self.is_set(variable, None):
                contradicted.append(variable)
            else:
                waiting += self._assigned(variable, value, self)
        self._run(waiting)
        return contradicted

    def _run(self, waiting: deque[Relation]) -> None:
        undecided: dict[Relation, None] = {}
        while waiting or undecided:
            is_last = not waiting
            relation = waiting.popleft() if waiting else next(iter(undecided))
            undecided.pop(relation, None)
            if relation in self.stuck:
                continue
            try:
                for variable, value in relation.assignments(self, is_last):
                    waiting += self._follow(relation, variable, value)
            except Stuck as reason:
                if is_last:
                    self.stuck[relation] = str(reason)
                else:
                    undecided[relation] = None

    def _follow(self, relation: Relation, variable: int, value: Any) -> list[Relation]:
        if self.now(variable) == value:
            return []
        if self.is_set(variable, relation):
            raise Stuck(f"expected {self.now(variable)} here from other operations, got {value}")
        key = id(relation), self.root(variable)
        self._steps[key] = self._steps.get(key, 0) + 1
        if self._steps[key] > MAX_STEPS:
            raise Stuck("its result grows with its operand, which is its result")
        return self._assigned(variable, value, relation)

    def _assigned(self, variable: int, value: Any, reason: object) -> list[Relation]:
        root = self.root(variable)
        self._new[root], self._reasons[root] = value, reason
        return self._watchers.get(root, [])
