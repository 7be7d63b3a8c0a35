"""The grid of processes that a program is for, as its meshes and attributes say."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from shlo.dialects.sdy.attributes import ShardingPerValue
from shlo.dialects.stablehlo.custom_call_targets import GLOBAL_TO_LOCAL
from shlo.interpreter.kernel_api import KernelError
from shlo.interpreter.options import RunOptions
from shlo.interpreter.program.code import program_of
from shlo.interpreter.program.nested_code import operations_within
from shlo.interpreter.program.sync_points import (
    MANUAL_COMPUTATION,
    call_target,
    is_collective,
)
from shlo.interpreter.semantics import Semantics
from shlo.interpreter.spmd.legacy import declared_partitions, legacy_partitions
from shlo.interpreter.topology.mesh import MeshGridShape, meshes_of
from shlo.ir.attributes import IntegerAttr, SymbolRefAttr
from shlo.ir.operations import Module, Operation
from shlo.syntax.lexer.strings import symbol_text

MOST_UNASKED = 1024
"""Processes of the largest grid that is started because a program needs it."""

IDS = frozenset({"stablehlo.partition_id", "stablehlo.replica_id"})


class NeededGrid(Struct, frozen=True):
    """A grid of processes, and what of the program it is from."""

    replicas: int
    partitions: int
    reason: str

    @property
    def size(self) -> int:
        """How many processes it has."""
        return self.replicas * self.partitions

    def __str__(self) -> str:
        return f"grid {self.replicas}x{self.partitions} from {self.reason}"


def needed_grid(module: Module, entry: str) -> NeededGrid | None:
    """Returns the grid that a function needs: of a process for each device of the mesh that it has manual
    computations over, or as many as the module declares where there are collectives; None where one process
    will do.
    """
    try:
        operations = list(operations_within(program_of(module).function(entry).code))
        return _of_shard_maps(module, operations) or _declared(module, entry, operations)
    except KernelError:
        return None  # running it says what is wrong


def unasked_grid(module: Module, entry: str) -> NeededGrid | None:
    """Returns the grid that a function needs, where that is small enough to be started unasked."""
    needed = needed_grid(module, entry)
    return needed if needed is not None and needed.size <= MOST_UNASKED else None


def stepped_options(module: Module, options: RunOptions) -> RunOptions:
    """Returns options that step through all of a run: for one process, whose arguments and results are whole
    tensors, those for a process for each device that parts of the program are for; any others as they are.
    """
    if (options.replicas, options.partitions) != (1, 1):
        return options
    partitions = whole_partitions(module, options.entries[0], options.semantics)
    return options if partitions == 1 else replace(options, partitions=partitions)


def whole_partitions(module: Module, entry: str, semantics: Semantics = "spec") -> int:
    """Returns on how many devices parts of a function run that takes and gives whole tensors: those of
    manual computations, or of XLA's custom calls for shards; 1 for any other function.
    """
    legacy = legacy_partitions(module, entry, semantics)
    if legacy > 1:
        return legacy
    try:
        operations = list(operations_within(program_of(module, semantics).function(entry).code))
        needed = _of_shard_maps(module, operations)
    except KernelError:
        return 1  # running it says what is wrong
    return needed.partitions if needed else 1


def _of_shard_maps(module: Module, operations: Sequence[Operation]) -> NeededGrid | None:
    shard_maps = [operation for operation in operations if _is_shard_map(operation)]
    meshes = {name: mesh for name, mesh in meshes_of(program_of(module).symbols).items() if mesh.size > 1}
    named = [name for operation in shard_maps for name in _mesh_names(operation) if name in meshes]
    name = next(iter(named or meshes), None) if shard_maps else None
    if name is None:
        return None
    mesh = meshes[name]
    shape = MeshGridShape(1, mesh.size, mesh)
    axes = ", ".join(f"{axis}={size}" for axis, size in shape.axes)
    return NeededGrid(1, mesh.size, f"mesh {symbol_text(name)} ({axes})")


def _is_shard_map(operation: Operation) -> bool:
    return operation.name == MANUAL_COMPUTATION or call_target(operation) == GLOBAL_TO_LOCAL


def _mesh_names(operation: Operation) -> Iterator[str]:
    """Yields the names of the meshes that a manual computation's values are split over."""
    for name in ("in_shardings", "out_shardings"):
        attribute = operation.attribute(name)
        for sharding in attribute.shardings if isinstance(attribute, ShardingPerValue) else ():
            if isinstance(sharding.mesh, SymbolRefAttr):
                yield sharding.mesh.root


def _declared(module: Module, entry: str, operations: Sequence[Operation]) -> NeededGrid | None:
    legacy = legacy_partitions(module, entry)
    if legacy > 1:
        is_declared = declared_partitions(module) is not None
        return NeededGrid(1, legacy, "mhlo.num_partitions" if is_declared else "the shardings")
    if not any(is_collective(operation) or operation.name in IDS for operation in operations):
        return None
    replicas = module.operation.attribute("mhlo.num_replicas")
    counts = replicas.value if isinstance(replicas, IntegerAttr) else 1, declared_partitions(module) or 1
    if min(counts) < 1 or counts == (1, 1):
        return None
    names = ["mhlo.num_replicas", "mhlo.num_partitions"]
    return NeededGrid(*counts, " and ".join(name for name, count in zip(names, counts) if count > 1))
