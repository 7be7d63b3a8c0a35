"""Programs on whole tensors with calls that go to the parts of each device and back, as JAX printed them
once.

What stands between the calls is for one device, what stands around them for the whole mesh. All of it runs
in a grid of one process for each partition; outside of the calls the processes compute the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from shlo.interpreter.kernel import KernelError
from shlo.interpreter.meeting_points import SHARDING_CALLS, call_target, operations_within
from shlo.interpreter.program import program_of
from shlo.ir.attributes import IntegerAttr
from shlo.ir.operations import Module

if TYPE_CHECKING:
    from shlo.interpreter.grid import ProcessGrid


def is_sharded_by_calls(module: Module, entry: str) -> bool:
    """Whether a function has such calls, in a module that is for several partitions."""
    if partitions_of(module) <= 1:
        return False
    try:
        code = program_of(module).function(entry).code
    except KernelError:
        return False
    return any(call_target(operation) in SHARDING_CALLS for operation in operations_within(code))


def partitions_of(module: Module) -> int:
    """How many partitions a module says that it is for (`mhlo.num_partitions`)."""
    attribute = module.operation.attribute("mhlo.num_partitions")
    return attribute.value if isinstance(attribute, IntegerAttr) else 1


def sharded_grid(module: Module, arguments: Sequence[Any], **options: Any) -> ProcessGrid:
    """The grid that such a program runs in; `options` are those of `make_grid`."""
    from shlo.interpreter.run_grid import make_grid

    return make_grid(module, [arguments], partitions=partitions_of(module), **options)
