"""From bytes to a module."""

from __future__ import annotations

from shlo.ir.collector import collector_paused
from shlo.ir.operations import Block, Module, Operation, Region, Signature
from shlo_bytecode.container import open_container
from shlo_bytecode.entries import Entries
from shlo_bytecode.regions import RegionReader
from shlo_bytecode.resources import ResourceTexts, read_resources
from shlo_bytecode.stream import Data


def read_module(data: Data) -> Module:
    """The program in a file's bytes; see `shlo_bytecode.read`."""
    with collector_paused():
        return _module(data)


def _module(data: Data) -> Module:
    container = open_container(data)
    resources = read_resources(container)
    entries = Entries(container, resources.of_dialects)
    operation, table = RegionReader(container, entries).root()
    texts = ResourceTexts((*resources.external, *resources.of_dialects))
    if operation.name != "builtin.module" or not operation.regions:
        region = Region((Block([operation]),), table)
        operation = Operation(Signature("builtin.module"), regions=(region,), location=operation.location)
    return Module(operation, resources=texts)
