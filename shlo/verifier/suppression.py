"""Suppression of cascading errors: users of a value whose type is wrong are not reported for it."""

from __future__ import annotations

from collections.abc import Iterator

from shlo.dialects.findings import Finding
from shlo.dialects.op_bindings import OpBindings, Origin
from shlo.verifier.op_cursor import OpCursor


class CascadeFilter:
    """Collects results whose types were found to be wrong, by the table and the number of the value."""

    def __init__(self) -> None:
        self._suspects: set[tuple[int, int]] = set()

    def holds(self, finding: Finding, cursor: OpCursor, bindings: OpBindings | None) -> bool:
        """Returns whether a finding is about a value whose type is known to be wrong; records the results it
        names.
        """
        origins = list(_origins(finding, bindings))
        if any(value in self._suspects for value in _values(cursor, origins, "operand")):
            self._suspects.update((id(_table(cursor)), value) for value in cursor.operation.results)
            return True
        if finding.severity == "error":
            self._suspects.update(_values(cursor, origins, "result"))
        return False


def _origins(finding: Finding, bindings: OpBindings | None) -> Iterator[Origin]:
    known = bindings.origins if bindings is not None else {}
    return (known[name] for name in finding.bindings if name in known)


def _values(cursor: OpCursor, origins: list[Origin], role: str) -> Iterator[tuple[int, int]]:
    operation, table = cursor.operation, id(_table(cursor))
    values = operation.operands if role == "operand" else operation.results
    for origin in origins:
        if origin.role == role:
            yield from ((table, value) for value in values[origin.first : origin.first + origin.count])


def _table(cursor: OpCursor) -> object:
    return cursor.region.values if cursor.region else None
