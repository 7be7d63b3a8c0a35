"""Test programs as XLA can run them: the checks taken out, what they check given as results."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from shlo.interpreter.kernel_api import KernelFn, OpView
from shlo.interpreter.registry import find_kernel
from shlo.ir.attributes import StringAttr, TypeAttr
from shlo.ir.operations import Block, Function, Module, Operation, Region, Signature
from shlo.ir.types import FunctionType, Type
from tests.oracle import Oracle

CHECK = "check."


@dataclass(frozen=True)
class Checked:
    """A check: what it does, and how many results of its function it looks at."""

    evaluate: KernelFn
    operands: int


def run_checks(module: Module, oracle: Oracle, without: Collection[str] = ()) -> None:
    """Lets XLA compute what the checks of all functions but some look at, and carries the checks out.

    Raises CheckFailure where what a program expects is not what XLA gives, OracleError where XLA cannot run
    the program.
    """
    top = [operation for block in module.body.blocks for operation in block.operations]
    operations = [operation for operation in top if operation.name != "func.func"]
    checks: list[Checked] = []
    names: list[tuple[str, tuple[Type, ...]]] = []
    for function in module.functions.values():
        if function.name in without:
            continue
        stripped, found = _without_checks(function)
        operations.append(stripped)
        checks += found
        if found:
            names.append((function.name, _function_type(stripped).results))
    if not checks:
        return
    body = Region((Block(operations),), module.body.values)
    program = Module(Operation(module.operation.signature, regions=(body,)))
    arrays = iter(oracle.run(f"{_body(program.to_text())}\n{_caller(names)}", []))
    for check in checks:
        check.evaluate(*[next(arrays) for _ in range(check.operands)])


def _without_checks(function: Function) -> tuple[Operation, list[Checked]]:
    body = function.body
    assert body is not None
    kept: list[Operation] = []
    results: list[int] = []
    checks: list[Checked] = []
    for operation in body.blocks[0].operations:
        if operation.name.startswith(CHECK):
            results += operation.operands
            checks.append(Checked(_evaluate(operation.signature), len(operation.operands)))
        else:
            kept.append(operation)
    if not checks:
        return function.operation, []
    types = tuple(body.values.types[value] for value in results)
    kept[-1] = Operation(Signature("func.return", types), tuple(results))
    properties = dict(function.operation.signature.properties)
    properties |= {
        "function_type": TypeAttr(FunctionType((), types)),
        "sym_visibility": StringAttr("private"),
    }
    region = Region((Block(kept),), body.values)
    return Operation(Signature("func.func", properties=properties), regions=(region,)), checks


def _evaluate(signature: Signature) -> KernelFn:
    entry = find_kernel(signature.name)
    assert entry is not None
    return entry.kernel(OpView(signature))


def _function_type(operation: Operation) -> FunctionType:
    attribute = operation.attribute("function_type")
    assert isinstance(attribute, TypeAttr)
    assert isinstance(attribute.value, FunctionType)
    return attribute.value


def _body(text: str) -> str:
    """Returns the functions of a module's text."""
    return text[text.index("{") + 1 : text.rindex("}")]


def _caller(names: list[tuple[str, tuple[Type, ...]]]) -> str:
    """Returns a function `main` that gives the results of all others."""
    lines: list[str] = []
    values: list[str] = []
    types: list[Any] = []
    for number, (name, results) in enumerate(names):
        listed = ", ".join(map(str, results))
        lines.append(f"  %r{number}:{len(results)} = func.call @{name}() : () -> ({listed})")
        values += [f"%r{number}#{index}" for index in range(len(results))]
        types += results
    signature = ", ".join(map(str, types))
    body = "\n".join([*lines, f"  func.return {', '.join(values)} : {signature}"])
    return f"func.func @main() -> ({signature}) {{\n{body}\n}}"
