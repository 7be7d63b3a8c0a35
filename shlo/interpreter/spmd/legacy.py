"""Programs on whole tensors with calls that go to the parts of each device and back, as JAX printed them
once and XLA carries them.

What comes between the calls is for one device, what is around them for the whole mesh. All of it runs in a
grid of one process for each partition; outside of the calls the processes compute the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from shlo.dialects.stablehlo.custom_call_targets import SHARDING_CALLS
from shlo.interpreter.kernel_api import KernelError
from shlo.interpreter.program.code import program_of
from shlo.interpreter.program.nested_code import operations_within
from shlo.interpreter.program.sync_points import call_target
from shlo.interpreter.semantics import Semantics
from shlo.ir.attributes import IntegerAttr, StringAttr
from shlo.ir.operations import Module, Operation


def legacy_partitions(module: Module, entry: str, semantics: Semantics = "spec") -> int:
    """Returns how many partitions a function with such calls is for: as many as the module says
    (`mhlo.num_partitions`) or else its shardings, if all are over as many devices; 1 for any other function.
    """
    try:
        function = program_of(module, semantics).function(entry)
        if function.partitions is None:
            has_calls = _has_sharding_calls(module)
            operations = operations_within(function.code) if has_calls else ()
            function.partitions = _partitions(module, list(operations))
        return function.partitions
    except KernelError:
        return 1


def _has_sharding_calls(module: Module) -> bool:
    """Returns whether any operation of a module is such a call. This compiles no code: a first run does not
    wait for functions and regions that it may not reach."""
    regions = [*module.operation.regions]
    while regions:
        for block in regions.pop().blocks:
            for operation in block.operations:
                name = operation.signature.name
                if name == "stablehlo.custom_call" and call_target(operation) in SHARDING_CALLS:
                    return True
                regions.extend(operation.regions)
    return False


def _partitions(module: Module, operations: Sequence[Operation]) -> int:
    if not any(call_target(operation) in SHARDING_CALLS for operation in operations):
        return 1
    declared = declared_partitions(module)
    if declared is not None:
        return declared
    counts = set(_device_counts(module, operations)) - {1}
    return counts.pop() if len(counts) == 1 else 1


def declared_partitions(module: Module) -> int | None:
    """Returns how many partitions a module says that it is for, None where it does not."""
    attribute = module.operation.attribute("mhlo.num_partitions")
    return attribute.value if isinstance(attribute, IntegerAttr) else None


def _device_counts(module: Module, operations: Sequence[Operation]) -> Iterator[int]:
    """Over how many devices the meshes of a module and the shardings of operations are."""
    from shlo.interpreter.topology.hlo_sharding import read_sharding
    from shlo.interpreter.topology.mesh import meshes_of

    try:
        yield from (mesh.size for mesh in meshes_of(program_of(module).symbols).values())
        for operation in operations:
            sharding = operation.attribute("mhlo.sharding")
            if isinstance(sharding, StringAttr) and re.match(r"\{devices=", sharding.value):
                yield len(read_sharding(sharding.value).tiles)
    except KernelError:
        return  # the operation itself says what is wrong, when it runs
