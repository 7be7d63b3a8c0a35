"""Functions of programs, run on random inputs by the interpreter and by XLA on the CPU."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

import ml_dtypes
import numpy as np

import shlo
from shlo.interpreter.program.errors import ExecutionError
from shlo.ir.attributes import IntegerAttr
from shlo.ir.operations import Block, Function, Module, Operation, Region
from shlo.ir.source import Source
from shlo.ir.types import ComplexType, FloatType, IntegerType, RankedTensorType, Type
from shlo.runner.arguments.literals import random_tensor
from shlo.runner.validity import findings_of
from tests.conformance.programs import Result
from tests.conformance.suite import Chunk
from tests.corpora.judging import is_in_scope
from tests.corpora.time_limit import TimeLimitReached, time_limit
from tests.oracle import Oracle, OracleError

SECONDS = 60
MOST_ELEMENTS = 1 << 20
MOST_BYTES = 1 << 28

RELATIVE = {"float64": 1e-9, "float32": 2e-4, "float16": 2e-2, "complex64": 2e-4, "complex128": 1e-9}
"""How far a result may lie from XLA's, as a part of its largest element, by dtype."""
RELATIVE_OF_OTHERS = 0.1
"""The same for bf16 and narrower floats."""

NEEDS_A_GRID = re.compile(r"this is one process|expected a process for each device")
"""What an error says where a program runs on one device that is for several."""

SYMBOL = re.compile(r"@([\w$.-]+)")


def run_chunk(oracle: Oracle, chunk: Chunk) -> list[Result]:
    """Returns a result for each function that has a body, in order; none where the program is invalid or out
    of scope.
    """
    if not is_in_scope(chunk.text):
        return []
    module, findings = findings_of(Source(chunk.text))
    if any(finding.severity == "error" for finding in findings) or _is_for_a_grid(module):
        return []
    return [
        Result(f"{chunk.key}::{function.name}", *_compare(oracle, module, function))
        for function in module.functions.values()
        if function.body is not None
    ]


def _is_for_a_grid(module: Module) -> bool:
    counts = (module.operation.attribute(f"mhlo.num_{kind}") for kind in ("replicas", "partitions"))
    return any(isinstance(count, IntegerAttr) and count.value > 1 for count in counts)


def _compare(oracle: Oracle, module: Module, function: Function) -> tuple[str, str]:
    """Returns a verdict on one function, and the reason."""
    types = function.type.inputs
    if not all(_can_make(type_) for type_ in types):
        return "not run: arguments that are not made up", ""
    if _elements(types) > MOST_ELEMENTS or _elements(function.type.results) > MOST_ELEMENTS:
        return "not run: too large", ""
    generator = np.random.default_rng(0)
    arguments = [
        random_tensor(type_, "argument", generator) for type_ in types if isinstance(type_, RankedTensorType)
    ]
    try:
        expected = oracle.run(as_main(module, function), arguments)
    except OracleError as error:
        return "not run: XLA refuses it", str(error)
    try:
        with np.errstate(all="ignore"), time_limit(SECONDS):
            results = shlo.run(module, *arguments, entry=function.name, max_bytes=MOST_BYTES, semantics="xla")
    except TimeLimitReached as error:
        return "failed", str(error)
    except ExecutionError as error:
        if NEEDS_A_GRID.search(str(error)):
            return "not run: needs a grid", ""
        return "failed", str(error)
    except Exception as error:
        return "error", f"{type(error).__name__}: {error}"
    differences = list(_differences(results, expected))
    return ("failed", "; ".join(differences)) if differences else ("agrees", "")


def _can_make(type_: object) -> bool:
    return (
        isinstance(type_, RankedTensorType)
        and type_.is_static
        and isinstance(type_.element_type, IntegerType | FloatType | ComplexType)
    )


def _elements(types: Sequence[Type]) -> int:
    return sum(
        type_.element_count for type_ in types if isinstance(type_, RankedTensorType) and type_.is_static
    )


def _differences(results: Any, expected: list[Any]) -> Iterator[str]:
    if len(results) != len(expected):
        yield f"{len(results)} results, XLA gives {len(expected)}"
    for index, (ours, theirs) in enumerate(zip(results, expected)):
        if ours.shape != theirs.shape:
            yield f"result {index}: shape {ours.shape}, XLA's {theirs.shape}"
        elif not _is_close(ours, theirs):
            yield f"result {index}: {_shown(ours)}, XLA gives {_shown(theirs)}"


def _shown(array: Any) -> str:
    return np.array2string(np.asarray(array).ravel()[:8], precision=6, separator=" ").replace("\n", "")


def _is_close(ours: Any, theirs: Any) -> bool:
    if ours.dtype.kind in "bui" or _is_narrow_integer(ours.dtype):
        return bool(np.array_equal(ours, theirs))
    relative = RELATIVE.get(ours.dtype.name, RELATIVE_OF_OTHERS)
    wide = np.complex128 if ours.dtype.kind == "c" else np.float64
    left, right = ours.astype(wide), theirs.astype(wide)
    finite = np.abs(right[np.isfinite(right)])
    scale = float(finite.max()) if finite.size else 0.0
    return bool(np.allclose(left, right, rtol=relative, atol=relative * scale, equal_nan=True))


def _is_narrow_integer(dtype: np.dtype[Any]) -> bool:
    return dtype.name in {
        np.dtype(getattr(ml_dtypes, name)).name for name in ("int2", "int4", "uint2", "uint4")
    }


def as_main(module: Module, function: Function) -> str:
    """Returns the text of a program whose `main` is `function`, with what it refers to and nothing else."""
    tops = module.symbols
    needed, waiting = dict[str, Operation](), [function.name]
    while waiting:
        name = waiting.pop()
        if name in tops and name not in needed:
            needed[name] = tops[name]
            waiting += SYMBOL.findall(_with_operations(module, [tops[name]]))
    text = _with_operations(module, list(needed.values()))
    if function.name == "main":
        return text
    head, brace, tail = re.sub(r"@main\b", "@main.renamed", text).rpartition("}")
    return f"{head}{_caller(function)}{brace}{tail}"


def _with_operations(module: Module, operations: list[Operation]) -> str:
    """Returns the text of the module with some of its operations only."""
    body = Region((Block(operations),), module.body.values)
    top = Operation(module.operation.signature, regions=(body,))
    return Module(top, resources=module.resources).to_text()


def _caller(function: Function) -> str:
    """Returns a function `main` that gives the results of another one."""
    inputs, outputs = (", ".join(map(str, types)) for types in (function.type.inputs, function.type.results))
    parameters = ", ".join(f"%a{index}: {type_}" for index, type_ in enumerate(function.type.inputs))
    values = ", ".join(f"%a{index}" for index in range(len(function.type.inputs)))
    count = len(function.type.results)
    results = ", ".join(f"%r#{index}" for index in range(count))
    return (
        f"func.func public @main({parameters}) -> ({outputs}) {{\n"
        f"  {f'%r:{count} = ' if count else ''}"
        f'"func.call"({values}) <{{callee = @"{function.name}"}}> : ({inputs}) -> ({outputs})\n'
        f"  func.return {f'{results} : {outputs}' if count else ''}\n}}\n"
    )
