"""Test programs on an engine: it computes what checks compare, and the interpreter carries out the checks."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from shlo.engines import Engine, EngineError, Placement, engine_of
from shlo.interpreter import execute
from shlo.ir.diagnostics import ExecutionError
from shlo.ir.operations import Module, inner_operations
from shlo.runner.test_programs import is_check
from shlo.transforms.rewriting.extraction import module_of

if TYPE_CHECKING:
    from shlo.interpreter import RunOptions


def execute_on_engine(
    module: Module, arguments: Sequence[Any], options: RunOptions, engine: str, placement: Placement
) -> None:
    """Runs a test with the engine of a name; raises ExecutionError, because of a CheckFailure if it fails."""
    (entry,) = options.entries
    function = module.functions[entry]
    assert function.body is not None
    *operations, _ = function.body.blocks[0].operations
    checks = list(filter(is_check, operations))
    computed = [operation for operation in operations if not is_check(operation)]
    inner = chain.from_iterable(map(inner_operations, computed))
    if any(map(is_check, inner)) or len(function.body.blocks) > 1:
        raise ExecutionError("checks inside of regions or of several blocks run on the interpreter alone")
    values = list(dict.fromkeys(operand for check in checks for operand in check.operands))
    symbols = [op for op in module.body.blocks[0].operations if op is not function.operation]
    table, resources = function.body.values, module.resources
    name = entry if "main" in module.symbols else "main"  # which is what commands run
    program = module_of(computed, (), values, table, resources, symbols, name)
    try:
        results = _engine(engine, placement).execute(
            program, arguments, replace(options, entry=name, probe_folder=None)
        )
    except EngineError as error:
        raise ExecutionError(str(error)) from error
    execute(module_of(checks, values, (), table, resources, symbols, entry), results, options)


@cache
def _engine(name: str, placement: Placement) -> Engine:
    """Returns the engine of a name, one for all tests; raises EngineError."""
    return engine_of(name, placement)
