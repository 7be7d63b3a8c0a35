"""Definitions from other distributions: entry points of the group `shlo.dialects`.

An entry point is named after a dialect and loads a `Dialect`, whose definitions are added to those that the
dialect has already. Distributions are searched and loaded when a name is looked up that shlo itself does not
define.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, TypeVar

from msgspec import Struct, field

from shlo.dialects.attr_constraints import AttrDef, EnumDef
from shlo.dialects.opdef import Dialect, OpDef
from shlo.ir.diagnostics import ShloError
from shlo.support.entry_points import entry_points_of

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

ENTRY_POINT_GROUP = "shlo.dialects"
OWN = "shlo"

T = TypeVar("T")


class ExtensionError(ShloError):
    """A distribution whose definitions cannot be loaded, or are those of another one, too."""


class Extension(Struct):
    """What installed distributions add to a dialect; by op name, the modules that hold its kernel."""

    op_defs: dict[str, OpDef] = field(default_factory=dict[str, OpDef])
    enums: dict[str, EnumDef] = field(default_factory=dict[str, EnumDef])
    structs: dict[str, AttrDef] = field(default_factory=dict[str, AttrDef])
    kernels: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    complete: bool = True
    region_end: str | None = None


@cache
def _entry_points() -> dict[str, list[EntryPoint]]:
    return entry_points_of(ENTRY_POINT_GROUP)


def extended_dialects() -> tuple[str, ...]:
    """Returns the names of the dialects that installed distributions add to."""
    return tuple(_entry_points())


_loaded: dict[str, Extension] = {}


def loaded_extensions() -> Mapping[str, Extension]:
    """Returns what has been loaded so far, by dialect."""
    return _loaded


def extension_of(name: str, builtin: Dialect | None) -> Extension | None:
    """Returns what distributions add to the dialect `name`, of which shlo has `own`; None for nothing.

    Raises ExtensionError where one does not load, or two define the same.
    """
    if name in _loaded or name not in _entry_points():
        return _loaded.get(name)
    extension = Extension()
    owners: dict[tuple[str, str], str] = {}
    _claim(builtin, OWN, owners)
    for point in _entry_points()[name]:
        distribution = point.dist.name if point.dist else point.value
        added = _load(point, distribution)
        _claim(added, distribution, owners)
        extension.op_defs.update(added.op_defs)
        extension.enums.update(added.enums)
        extension.structs.update(added.structs)
        extension.kernels.update(added.kernels)
        extension.complete &= added.complete
        extension.region_end = extension.region_end or added.region_end
    _loaded[name] = extension
    return extension


def _load(point: EntryPoint, distribution: str) -> Dialect:
    try:
        dialect = point.load()
    except Exception as error:
        raise ExtensionError(
            f"the dialect '{point.name}' of the distribution {distribution} does not load: {error}"
        ) from error
    if not isinstance(dialect, Dialect) or dialect.name != point.name:
        raise ExtensionError(
            f"expected a Dialect of the name '{point.name}' in the entry point of the distribution"
            f" {distribution}, got {dialect!r:.80}"
        )
    return dialect


def _claim(dialect: Dialect | None, distribution: str, owners: dict[tuple[str, str], str]) -> None:
    """Notes who defines what; raises ExtensionError for a definition that another distribution has."""
    if dialect is None:
        return
    for word, names in (
        ("operation", dialect.op_defs),
        ("enumeration", dialect.enums),
        ("attribute", dialect.structs),
    ):
        for name in names:
            other = owners.setdefault((word, name), distribution)
            if other is not distribution:
                full = name if word == "operation" else f"{dialect.name}.{name}"
                raise ExtensionError(
                    f"the {word} '{full}' is defined by the distributions {other} and {distribution};"
                    " uninstall one of them"
                )


class Definitions(Mapping[str, T]):
    """Definitions of a dialect by name: shlo's own, and those of distributions when they are asked for."""

    __slots__ = ("_dialect", "_own", "_table")

    def __init__(self, builtin: Mapping[str, T], dialect: Dialect, table: str) -> None:
        self._own = builtin
        self._dialect = dialect
        self._table = table

    def _added(self) -> Mapping[str, T]:
        extension = extension_of(self._dialect.name, self._dialect)
        return getattr(extension, self._table) if extension else {}

    def __getitem__(self, name: str) -> T:
        definition = self._own.get(name)
        return self._added()[name] if definition is None else definition

    def __iter__(self) -> Iterator[str]:
        yield from self._own
        yield from self._added()

    def __len__(self) -> int:
        return len(self._own) + len(self._added())


def with_extensions(builtin: Dialect) -> Dialect:
    """Returns a dialect of shlo's with what distributions add to it."""
    return Dialect(
        builtin.name,
        Definitions(builtin.op_defs, builtin, "op_defs"),
        Definitions(builtin.enums, builtin, "enums"),
        Definitions(builtin.structs, builtin, "structs"),
        builtin.complete,
        Definitions(builtin.kernels, builtin, "kernels"),
        builtin.region_end,
    )
