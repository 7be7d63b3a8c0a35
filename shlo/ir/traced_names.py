"""Names that the program a module was made from gave to arguments and results of functions.

JAX leaves those of arguments in locations (`loc("params['w']")`) and those of results in the attribute
`jax.result_info`.
"""

from __future__ import annotations

from typing import Final

from shlo.ir.attributes import ArrayAttr, DictionaryAttr, StringAttr
from shlo.ir.locations import NameLocation, resolve
from shlo.ir.operations import Block, Operation

LONGEST: Final = 200
"""How many characters of a name are kept."""
ONLY_RESULT: Final = "result"
"""What JAX calls the only result of a function, which its number says, too."""


def argument_label(block: Block, index: int) -> str:
    """Returns what an argument of a function's first block was called, empty where nothing says; `shard_map:`
    is the name of an operation.
    """
    locations = block.argument_locations
    origin = resolve(locations[index]) if index < len(locations) else None
    name = origin.name if isinstance(origin, NameLocation) else ""
    return "" if name.endswith(":") else name[:LONGEST]


def result_labels(function: Operation, count: int) -> tuple[str, ...]:
    """Returns what the results of a function, of which there are `count`, were called, empty where nothing
    says.
    """
    labels = [""] * count
    attributes = function.attribute("res_attrs")
    if isinstance(attributes, ArrayAttr):
        for index, entry in enumerate(attributes.values[:count]):
            info = entry.as_dict().get("jax.result_info") if isinstance(entry, DictionaryAttr) else None
            labels[index] = info.value[:LONGEST] if isinstance(info, StringAttr) else ""
    return tuple(labels)
