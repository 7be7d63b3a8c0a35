"""What is looked for in a run: all findings, some, or all but some, at all operations or some."""

from __future__ import annotations

from fnmatch import fnmatchcase
from functools import cached_property
from typing import Final

from msgspec import Struct

from shlo.dialects import find_op_def
from shlo.ir.attributes import ArrayAttr, StringAttr
from shlo.ir.operations import Operation
from shlo.runner.errors import RequestError
from shlo.sanitizer.table import CHECKS, NAMES, Check
from shlo.text.suggest import did_you_mean

EXPECTS: Final = "shlo.expects"
"""The attribute of an operation that lists the findings which are meant there."""


class Selection(Struct, frozen=True, dict=True):
    """Findings and operations by name: `only` these (none: all that are looked for by default), `also` these,
    and all `but` these.
    """

    only: frozenset[str] = frozenset()
    also: frozenset[str] = frozenset()
    but: frozenset[str] = frozenset()

    @staticmethod
    def of(text: str) -> Selection:
        """Returns what a text selects, `-add,+nan`: names of findings and operations, behind `-` what is left
        out, behind `+` what is looked for, too. Raises RequestError for a name that is none.
        """
        words: dict[str, set[str]] = {"": set(), "+": set(), "-": set()}
        for word in filter(None, map(str.strip, text.split(","))):
            sign = word[0] if word[0] in "+-" else ""
            words[sign].add(_known(word.removeprefix(sign)))
        return Selection(*(frozenset(words[sign]) for sign in ("", "+", "-")))

    def checks_of(self, operation: Operation) -> tuple[Check, ...]:
        """Returns what is looked for at an operation."""
        checks = self._by_name(operation.name)
        expected = operation.attribute(EXPECTS) if checks else None
        if expected is None:
            return checks
        values = expected.values if isinstance(expected, ArrayAttr) else (expected,)
        names = {value.value for value in values if isinstance(value, StringAttr)}
        return tuple(check for check in checks if check.name not in names)

    def _by_name(self, name: str) -> tuple[Check, ...]:
        checks = self._known_operations.get(name)
        if checks is None:
            checks = self._known_operations[name] = tuple(
                check for check in CHECKS if self._selects(check, name)
            )
        return checks

    @cached_property
    def _known_operations(self) -> dict[str, tuple[Check, ...]]:
        return {}

    def _selects(self, check: Check, name: str) -> bool:
        if check.operations and not any(fnmatchcase(name, pattern) for pattern in check.operations):
            return False
        names = {check.name, name}
        if names & self.but:
            return False
        if check.name in self.also | self.only or (name in self.also | self.only and check.is_default):
            return True
        return not self.only and check.is_default


def _known(word: str) -> str:
    """Returns the name of a finding or the full one of an operation; raises RequestError for neither."""
    if word in NAMES:
        return word
    full = word if "." in word else f"stablehlo.{word}"
    if find_op_def(full) is None:
        hint = did_you_mean(word, NAMES, otherwise=f"the findings are {', '.join(NAMES)}")
        raise RequestError(f"expected the name of a finding or an operation, got {word!r}", hint)
    return full
