"""The suite's programs with unknown sizes, run on tensors of known ones beside XLA.

They hold no checks. A program gets made-up arguments of concrete sizes; what our interpreter gives for it
must be what XLA gives for the program refined to these sizes. Its first arguments may be the sizes
themselves.
"""

from __future__ import annotations

import multiprocessing
import zlib
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from shlo.interpreter import run
from shlo.ir.dense import DenseElementsAttr
from shlo.ir.diagnostics import ShloError
from shlo.ir.dtypes import Array, element_type_for
from shlo.ir.operations import Function, Module
from shlo.ir.types import I64, RankedTensorType, Type
from shlo.runner.arguments.literals import random_tensor
from shlo.runner.files import read_program
from shlo.syntax import parse
from tests.conformance.programs import Result
from tests.oracle import Oracle, OracleError

FOLDER = "stablehlo/testdata/dynamic"
SIZES = (2, 3, 4, 8)
"""What unknown sizes become: the first that XLA can refine the program to."""

TOLERANCES = {"float64": 1e-12, "complex128": 1e-12, "float32": 2e-5, "complex64": 2e-5}
"""How far from XLA's a number may be, relative to it (and to 1 near zero); narrower floats: by 1 in 50."""

FEW = 8
SIZE = RankedTensorType((), I64)
_oracle: list[Oracle] = []


def run_dynamic(suite: Path, only: str = "", workers: int = 2) -> list[Result]:
    """Returns every program's result, in the order of the files."""
    paths = [path.relative_to(suite).as_posix() for path in sorted((suite / FOLDER).glob("*.mlir"))]
    chosen = [path for path in paths if only in path]
    with multiprocessing.get_context("spawn").Pool(workers, _start_oracle) as pool:
        return list(pool.imap(partial(_judge, suite), chosen, chunksize=8))


def _start_oracle() -> None:
    _oracle.append(Oracle(timeout=60))


def _judge(suite: Path, path: str) -> Result:
    key = f"{path}#0::main"
    module, diagnostics = parse(read_program(str(suite / path)))
    if diagnostics:
        return Result(key, "error", diagnostics[0].message)
    try:
        wrong = _first_difference(module, zlib.crc32(path.encode()))
    except (OracleError, ShloError, AssertionError) as error:
        return Result(key, "error", f"{type(error).__name__}: {str(error).strip()}")
    return Result(key, "failed", wrong) if wrong else Result(key, "passed", "")


def _first_difference(module: Module, seed: int) -> str | None:
    """Returns how our results differ from XLA's, None where they do not."""
    function = module.functions["main"]
    refined, arrays = _refined(module, function, seed)
    ours = run(module, *arrays)
    theirs = _oracle[0].run(refined, [array for array in arrays if not _is_index(array)])
    assert len(ours) == len(theirs)
    for index, (mine, wanted) in enumerate(zip(ours, theirs)):
        wrong = _difference(mine, wanted)
        if wrong:
            return f"result {index}: {wrong}"
    return None


def _refined(module: Module, function: Function, seed: int) -> tuple[str, list[Array]]:
    """Returns the program for arguments of known sizes, and the arguments."""
    refusal: OracleError | None = None
    for size in SIZES:
        arrays = _arguments(function.type.inputs, size, np.random.default_rng(seed))
        types = [type_of(array) for array in arrays if not _is_index(array)]
        try:
            return _oracle[0].refined(_with_constants(module, function, arrays), types), arrays
        except OracleError as error:
            refusal = error
    assert refusal is not None
    raise refusal


def _arguments(inputs: Sequence[Type], size: int, generator: np.random.Generator) -> list[Array]:
    """Arguments of known sizes.

    The first ones are the sizes, each another one; the unknown dimensions of an argument have them in their
    order.
    """
    types = [type_ for type_ in inputs if isinstance(type_, RankedTensorType)]
    count = next(index for index, type_ in enumerate(types) if type_ != SIZE)
    sizes = [size + index for index in range(count)]
    others = [_made_up(_known(type_, sizes or [size]), generator) for type_ in types[count:]]
    return [*[np.array(size, np.int64) for size in sizes], *others]


def _known(type_: RankedTensorType, sizes: Sequence[int]) -> RankedTensorType:
    unknown = iter([*sizes, *[sizes[-1]] * type_.rank])
    shape = tuple(next(unknown) if size is None else size for size in type_.shape)
    return RankedTensorType(shape, type_.element_type)


def _made_up(type_: RankedTensorType, generator: np.random.Generator) -> Array:
    """Random numbers; a few integers, which may be indices, are 0, 1, 2, ..."""
    array = random_tensor(type_, str(type_), generator)
    return np.arange(array.size).reshape(array.shape).astype(array.dtype) if _is_index(array) else array


def _is_index(array: Array) -> bool:
    """Returns whether an argument may be a size or an index, which is part of what a program is refined to."""
    return array.size <= FEW and array.dtype.kind in "iu"


def type_of(array: Array) -> RankedTensorType:
    """Returns the tensor type of an array."""
    return RankedTensorType(array.shape, element_type_for(array.dtype))


def _with_constants(module: Module, function: Function, arrays: Sequence[Array]) -> str:
    """Returns the program with a `main` that calls the one it had with constants for sizes and indices, and
    with its own arguments for the rest.
    """
    inner = module.to_text().replace("func.func public @main(", "func.func private @inner(")
    inputs, results = function.type.inputs, function.type.results
    lines = [_constant(index, array, inputs[index]) for index, array in enumerate(arrays) if _is_index(array)]
    own = [f"%arg{index}: {inputs[index]}" for index, array in enumerate(arrays) if not _is_index(array)]
    values = ", ".join(f"%arg{index}" for index in range(len(inputs)))
    names, types = ", ".join(f"%r#{index}" for index in range(len(results))), ", ".join(map(str, results))
    lines += [
        f"%r:{len(results)} = func.call @inner({values}) : {function.type}",
        f"func.return {names} : {types}",
    ]
    body, at = "\n".join(lines), inner.rindex("}")
    return f"{inner[:at]}func.func @main({', '.join(own)}) -> ({types}) {{\n{body}\n}}\n{inner[at:]}"


def _constant(index: int, array: Array, type_: Type) -> str:
    """Returns a constant as the argument of that number, its sizes forgotten where the argument's are
    unknown.
    """
    attribute = DenseElementsAttr(type_of(array), array)
    if attribute.type == type_:
        return f"%arg{index} = stablehlo.constant {attribute}"
    return (
        f"%known{index} = stablehlo.constant {attribute}\n"
        f"%arg{index} = stablehlo.convert %known{index} : ({attribute.type}) -> {type_}"
    )


def _difference(ours: Array, theirs: Array) -> str | None:
    if ours.dtype != theirs.dtype or ours.shape != theirs.shape:
        return f"{ours.dtype}{ours.shape} where XLA gives {theirs.dtype}{theirs.shape}"
    if ours.dtype.kind in "biu":
        wrong = ours != theirs
    else:
        limit = TOLERANCES.get(ours.dtype.name, 0.02)
        wide: Any = np.complex128 if ours.dtype.kind == "c" else np.float64
        wrong = ~np.isclose(ours.astype(wide), theirs.astype(wide), rtol=limit, atol=limit, equal_nan=True)
    at = next(iter(np.argwhere(wrong)), None)
    return None if at is None else f"{ours[tuple(at)]} at {at.tolist()}, where XLA gives {theirs[tuple(at)]}"
