"""From bytes to a module."""

from __future__ import annotations

from shlo.ir.collector import collector_paused
from shlo.ir.operations import Block, Module, Operation, Region, Signature
from shlo_bytecode.container import open_container
from shlo_bytecode.entries import Entries
from shlo_bytecode.errors import BytecodeError
from shlo_bytecode.regions import RegionReader
from shlo_bytecode.resources import read_resources, resource_text


def read(data: bytes | bytearray | memoryview, name: str = "<bytecode>") -> Module:
    """The program in MLIR bytecode of versions 0 to 6, or in a portable artifact of StableHLO 0.9.0 to
    1.20.0, whose VHLO becomes StableHLO of today.

    Messages call the file `name`. Large constants stay views into the bytes until somebody looks at them.
    The module is not verified. Raises BytecodeError with the offset of what is wrong.
    """
    try:
        with collector_paused():
            return _module(bytes(data))
    except BytecodeError as error:
        raise error.named(name) from None


def _module(data: bytes) -> Module:
    container = open_container(data)
    resources = read_resources(container)
    entries = Entries(container, resources.of_dialects)
    operation, table = RegionReader(container, entries).root()
    texts = {
        (resource.section, resource.group, resource.key): text
        for resource in (*resources.external, *resources.of_dialects)
        if (text := resource_text(resource)) is not None
    }
    if operation.name != "builtin.module" or not operation.regions:
        region = Region((Block([operation]),), table)
        operation = Operation(Signature("builtin.module"), regions=(region,), location=operation.location)
    return Module(operation, resources=texts)
