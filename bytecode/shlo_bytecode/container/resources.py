"""The resource sections: blobs of data that attributes refer to by key."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct

from shlo_bytecode.container.file import RESOURCE_SIZES, RESOURCES, Container
from shlo_bytecode.container.stream import Stream

BLOB, BOOL, STRING = range(3)


class Resource(Struct, frozen=True):
    """A resource: its section and group in the text (`dialect_resources`, `builtin`), its key, its content
    and that content's alignment; None where the file only declares it.
    """

    section: str
    group: str
    key: str
    value: memoryview | bool | str | None
    alignment: int = 1


class Resources(Struct, frozen=True):
    """The resources of tools, and those of dialects, which attributes refer to by their place in the list."""

    external: tuple[Resource, ...] = ()
    of_dialects: tuple[Resource, ...] = ()


class ResourceTexts(Mapping[tuple[str, ...], "str | bytes"]):
    """A module's table of resources, by section, group and key: a blob becomes text when it is looked up."""

    def __init__(self, resources: Iterable[Resource]) -> None:
        self._resources: dict[tuple[str, ...], Resource] = {
            (resource.section, resource.group, resource.key): resource
            for resource in resources
            if resource.value is not None
        }

    def resource(self, path: tuple[str, ...]) -> Resource | None:
        """Returns the resource itself, None where there is none."""
        return self._resources.get(path)

    def __getitem__(self, path: tuple[str, ...]) -> str:
        text = resource_text(self._resources[path])
        assert text is not None
        return text

    def __iter__(self) -> Iterator[tuple[str, ...]]:
        return iter(self._resources)

    def __len__(self) -> int:
        return len(self._resources)


def read_resources(container: Container) -> Resources:
    """Returns all resources of a file; blobs stay views into it."""
    if RESOURCES not in container.sections:
        return Resources()
    sizes, values = container.stream(RESOURCE_SIZES), container.stream(RESOURCES)
    external: list[Resource] = []
    for _ in range(sizes.count("groups of resources", 2)):
        group = _string(container, sizes, "the tool of resources")
        external += _read_group(container, sizes, values, ("external_resources", group))
    of_dialects: list[Resource] = []
    while sizes.remaining:
        dialect = container.dialects[sizes.index(len(container.dialects), "the dialect of resources")]
        of_dialects += _read_group(container, sizes, values, ("dialect_resources", dialect))
    return Resources(tuple(external), tuple(of_dialects))


def resource_text(resource: Resource) -> str | None:
    """Returns a resource's value as text: of a blob its alignment and bytes in hexadecimal."""
    value = resource.value
    if isinstance(value, memoryview):
        return f"0x{resource.alignment.to_bytes(4, 'little').hex()}{value.hex()}"
    if isinstance(value, bool):
        return "true" if value else "false"
    return value


def _read_group(container: Container, sizes: Stream, values: Stream, path: tuple[str, str]) -> list[Resource]:
    return [_read(container, sizes, values, path) for _ in range(sizes.count("resources", 3))]


def _read(container: Container, sizes: Stream, values: Stream, path: tuple[str, str]) -> Resource:
    key = _string(container, sizes, "the key of a resource")
    size = sizes.varint("the size of a resource")
    kind = sizes.byte("the kind of a resource")
    values.raw(size, f"the resource {key!r}")
    if size == 0:
        return Resource(*path, key, None)
    stream = Stream(values.data, values.pos - size, values.pos)
    resource = Resource(*path, key, *_value(container, stream, kind, f"the resource {key!r}"))
    stream.finish(f"the resource {key!r}")
    return resource


def _value(container: Container, stream: Stream, kind: int, what: str) -> tuple[memoryview | bool | str, int]:
    if kind == BOOL:
        return bool(stream.byte(what)), 1
    if kind == STRING:
        return _string(container, stream, what), 1
    if kind != BLOB:
        stream.fail(f"{what} is of kind {kind}, which there is not")
    alignment = stream.varint(f"the alignment of {what}")
    length = stream.varint(f"the length of {what}")
    stream.align(alignment, what)
    if alignment >> 32:
        stream.fail(f"the alignment of {what} is {alignment}")
    return stream.raw(length, what), alignment


def _string(container: Container, stream: Stream, what: str) -> str:
    return container.strings[stream.index(len(container.strings), what)]
