"""Module of a file's bytes."""

from __future__ import annotations

from shlo.ir.collector import collector_paused
from shlo.ir.locations import UnknownLocation
from shlo.ir.operations import Block, Module, Operation, Region, Signature, ValueTable
from shlo.support.files import Data
from shlo_bytecode.container.file import open_container
from shlo_bytecode.container.resources import ResourceTexts, read_resources
from shlo_bytecode.reader.entries import Entries
from shlo_bytecode.reader.regions import RegionReader
from shlo_bytecode.vhlo.upgrade import unknown_operations


def read_module(data: Data) -> Module:
    """Returns the program in a file's bytes; see `shlo_bytecode.read`."""
    with collector_paused():
        return _module(data)


def _module(data: Data) -> Module:
    container = open_container(data)
    resources = read_resources(container)
    entries = Entries(container, resources.of_dialects)
    operation = container_module(*RegionReader(container, entries).root())
    texts = ResourceTexts((*resources.external, *resources.of_dialects))
    names = dict.fromkeys(name.name for name in container.operation_names)
    return Module(operation, None, unknown_operations(names, container.producer), texts)


def container_module(block: Block, table: ValueTable) -> Operation:
    """Returns the only outermost operation if it is a module, or else a module around all of them."""
    operations = block.operations
    if len(operations) == 1 and operations[0].name == "builtin.module" and operations[0].regions:
        return operations[0]
    location = operations[0].location if operations else UnknownLocation()
    return Operation(Signature("builtin.module"), regions=(Region((block,), table),), location=location)
