"""One mistake gives one error: users of a value whose type was found to be wrong are not blamed for it."""

from __future__ import annotations

from collections.abc import Iterator

from shlo.dialects.findings import Finding
from shlo.dialects.op_bindings import OpBindings, Origin
from shlo.verifier.op_cursor import Site


class Echoes:
    """The results whose types were found to be wrong, by the table and the number of the value."""

    def __init__(self) -> None:
        self._suspects: set[tuple[int, int]] = set()

    def holds(self, finding: Finding, site: Site, members: OpBindings | None) -> bool:
        """Whether a finding is about a value whose type is known to be wrong; notes what it blames."""
        origins = list(_origins(finding, members))
        if any(value in self._suspects for value in _values(site, origins, "operand")):
            self._suspects.update((id(_table(site)), value) for value in site.operation.results)
            return True
        if finding.severity == "error":
            self._suspects.update(_values(site, origins, "result"))
        return False


def _origins(finding: Finding, members: OpBindings | None) -> Iterator[Origin]:
    known = members.origins if members is not None else {}
    return (known[name] for name in finding.members if name in known)


def _values(site: Site, origins: list[Origin], kind: str) -> Iterator[tuple[int, int]]:
    operation, table = site.operation, id(_table(site))
    values = operation.operands if kind == "operand" else operation.results
    for origin in origins:
        if origin.kind == kind:
            yield from ((table, value) for value in values[origin.first : origin.first + origin.count])


def _table(site: Site) -> object:
    return site.region.values if site.region else None
