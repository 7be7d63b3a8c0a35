"""Attributes that no definition of an operation names: those that JAX, XLA and Shardy put on modules,
functions, arguments and operations."""

from __future__ import annotations

from typing import Final

from msgspec import Struct


class KnownAttribute(Struct, frozen=True):
    """What an attribute means, and a value to go on from, empty for one without a value."""

    meaning: str
    snippet: str = ""


SHARDING: Final = {
    "sdy.sharding": KnownAttribute(
        "How Shardy splits the value over the axes of a mesh", "#sdy.sharding<@«mesh», [{«»}]>"
    ),
    "mhlo.sharding": KnownAttribute(
        "How XLA splits the value over devices, in HLO's notation", '"{«replicated»}"'
    ),
}
ARGUMENT_ATTRIBUTES: Final = {
    **SHARDING,
    "jax.result_info": KnownAttribute(
        "What JAX calls the result: its path in what is returned", '"«result»"'
    ),
    "jax.arg_info": KnownAttribute("What JAX calls the argument: its path in the arguments", '"«argument»"'),
    "jax.buffer_donor": KnownAttribute("Whether results may reuse the argument's memory", "true"),
    "tf.aliasing_output": KnownAttribute(
        "The number of the result that reuses the argument's memory, as JAX's donate_argnums asks",
        "«0» : i32",
    ),
    "mhlo.layout_mode": KnownAttribute("The layout in memory: default, auto, or an order", '"«default»"'),
    "mhlo.memory_kind": KnownAttribute(
        "The memory that holds the value, such as device or pinned_host", '"«device»"'
    ),
    "jax.token": KnownAttribute("Whether the value only orders effects", "true"),
}
MODULE_ATTRIBUTES: Final = {
    "mhlo.num_partitions": KnownAttribute(
        "How many partitions of a replica run the program together", "«1» : i32"
    ),
    "mhlo.num_replicas": KnownAttribute(
        "How many replicas run the program, each on data of its own", "«1» : i32"
    ),
    "mhlo.cross_program_prefetches": KnownAttribute("Which arguments XLA loads before it starts", "[]"),
    "mhlo.is_dynamic": KnownAttribute("Whether the program has sizes known only when it runs", "true"),
    "mhlo.use_auto_spmd_partitioning": KnownAttribute("Whether XLA chooses shardings by itself", "true"),
    "jax.uses_shape_polymorphism": KnownAttribute(
        "Whether JAX exported the program for sizes that are not known", "true"
    ),
}
OPERATION_ATTRIBUTES: Final = {
    **SHARDING,
    "mhlo.frontend_attributes": KnownAttribute("Strings that the front end hands to XLA", "{«»}"),
    "mhlo.backend_config": KnownAttribute("Options of what is called, as a dictionary", "{«»}"),
}
ATTRIBUTES_OF: Final = {"builtin.module": MODULE_ATTRIBUTES}
"""Attributes of operations that have no definition, by the operation's name."""
KNOWN: Final = {**OPERATION_ATTRIBUTES, **MODULE_ATTRIBUTES, **ARGUMENT_ATTRIBUTES}
