"""The resource section behind a module: the bytes of the `dense_resource` attributes in it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from shlo.ir.attributes import ArrayAttr, Attribute, DenseResourceAttr, DictionaryAttr
from shlo.syntax.strings import key_text, quoted

SECTION, DIALECT = "dialect_resources", "builtin"


def resource_keys(attribute: Attribute) -> Iterator[str]:
    """The keys of the resources that an attribute speaks of."""
    if isinstance(attribute, DenseResourceAttr):
        yield attribute.key
    elif isinstance(attribute, ArrayAttr):
        for value in attribute:
            yield from resource_keys(value)
    elif isinstance(attribute, DictionaryAttr):
        for _, value in attribute.entries:
            yield from resource_keys(value)


def resources_text(keys: Iterable[str], resources: Mapping[tuple[str, ...], str | bytes]) -> str:
    """The section with the entries of these keys, in their order; empty where there are none."""
    entries = [
        f"      {key_text(key)}: {_value_text(resources[SECTION, DIALECT, key])}"
        for key in dict.fromkeys(keys)
        if (SECTION, DIALECT, key) in resources
    ]
    if not entries:
        return ""
    listed = ",\n".join(entries)
    return f"\n{{-#\n  {SECTION}: {{\n    {DIALECT}: {{\n{listed}\n    }}\n  }}\n#-}}\n"


def _value_text(value: str | bytes) -> str:
    return f'"0x{value.hex().upper()}"' if isinstance(value, bytes) else quoted(value)
