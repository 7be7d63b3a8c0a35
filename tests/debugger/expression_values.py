"""Values that expressions are evaluated on in tests, without a program."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from shlo.debugger import DebuggerError
from shlo.debugger.expressions.nodes import ValueRef


@dataclass
class Values:
    """Values by name, and the rounds of loops from the innermost."""

    by_name: Mapping[str, Any]
    rounds: Sequence[int] = ()

    def value(self, ref: ValueRef) -> Any:
        """Returns a value."""
        if ref.name not in self.by_name:
            raise DebuggerError(f"no {ref.name}")
        return self.by_name[ref.name]

    def round(self, level: int) -> int:
        """Returns the round of a loop."""
        if level >= len(self.rounds):
            raise DebuggerError("no loop")
        return self.rounds[level]

    def check(self) -> None:
        """Never stops."""
