"""One instance, or many at once: our results beside XLA's and beside the formula's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import ml_dtypes
import numpy as np

import shlo
from shlo.fuzzing.maker import tensor_type
from shlo.interpreter.program.errors import ExecutionError
from tests.differential.instances import Array, Instance
from tests.oracle import Oracle, OracleError


class Comparison(NamedTuple):
    """What came of an instance: `same`, `invalid` (the verifier refuses it, and so does XLA), or a difference
    with its reason; whether XLA judged it.
    """

    verdict: str
    reason: str = ""
    judged_by_xla: bool = True


def compare(oracle: Oracle, instances: Sequence[Instance]) -> list[Comparison]:
    """Compares all instances; XLA compiles them as one program, and one by one where it refuses that."""
    valid = [not _errors(instance) for instance in instances]
    asked = [is_valid and instance.is_for_xla for is_valid, instance in zip(valid, instances)]
    by_xla = iter(_on_xla(oracle, [instance for instance, is_asked in zip(instances, asked) if is_asked]))
    return [
        _compare(instance, next(by_xla) if is_asked else None) if is_valid else _refused(oracle, instance)
        for instance, is_valid, is_asked in zip(instances, valid, asked)
    ]


def _errors(instance: Instance) -> list[str]:
    return [str(finding) for finding in shlo.verify(shlo.parse(instance.text)) if finding.severity == "error"]


def _refused(oracle: Oracle, instance: Instance) -> Comparison:
    """Returns an instance that our verifier refuses: so must MLIR's."""
    if oracle.accepts(instance.text).accepted:
        return Comparison("false reject", _errors(instance)[0])
    return Comparison("invalid")


def _on_xla(oracle: Oracle, instances: Sequence[Instance]) -> list[list[Array] | None]:
    """XLA's results of each instance, None where it refuses one."""
    if not instances:
        return []
    try:
        flat = iter(oracle.run(program(instances), [a for instance in instances for a in instance.arguments]))
    except OracleError:
        if len(instances) == 1:
            return [None]
        half = len(instances) // 2
        return [*_on_xla(oracle, instances[:half]), *_on_xla(oracle, instances[half:])]
    return [[next(flat) for _ in instance.results] for instance in instances]


def program(instances: Sequence[Instance]) -> str:
    """Returns the text of a module whose `main` calls all instances."""
    if len(instances) == 1:
        return instances[0].text
    functions = [f"func.func private @i{n}{instance.function}" for n, instance in enumerate(instances)]
    parameters: list[str] = []
    lines: list[str] = []
    values: list[str] = []
    types: list[str] = []
    for number, instance in enumerate(instances):
        inputs = [tensor_type(argument.shape, argument.dtype) for argument in instance.arguments]
        first = len(parameters)
        names = [f"%a{first + index}" for index in range(len(inputs))]
        parameters += [f"{name}: {type_}" for name, type_ in zip(names, inputs)]
        outputs = [result.type for result in instance.results]
        lines.append(
            f"  %r{number}:{len(outputs)} = func.call @i{number}({', '.join(names)})"
            f" : ({', '.join(inputs)}) -> ({', '.join(outputs)})"
        )
        values += [f"%r{number}#{index}" for index in range(len(outputs))]
        types += outputs
    joined = ", ".join(types)
    main = f"func.func @main({', '.join(parameters)}) -> ({joined}) {{\n"
    return (
        "".join(functions) + main + "\n".join(lines) + f"\n  func.return {', '.join(values)} : {joined}\n}}\n"
    )


def _compare(instance: Instance, theirs: list[Array] | None) -> Comparison:
    by_xla = theirs is not None
    if instance.formula is None and theirs is None:
        return Comparison("not judged", judged_by_xla=False)
    module = shlo.parse(instance.text)
    try:
        if instance.formula is not None:
            expected = instance.expected()
            found = difference(_run(module, instance, "spec"), expected, instance.tolerance)
            if found:
                return Comparison("differs from the formula", found, by_xla)
        if theirs is not None:
            ours = [_flushed(result) for result in _run(module, instance, "xla")]
            found = difference(ours, [_flushed(result) for result in theirs], instance.xla_tolerance)
            if found:
                return Comparison("differs from XLA", found)
    except ExecutionError as error:
        return Comparison("refused by the interpreter", str(error), by_xla)
    return Comparison("same", judged_by_xla=by_xla)


def _run(module: shlo.Module, instance: Instance, semantics: str) -> Sequence[Array]:
    with np.errstate(all="ignore"):
        return shlo.run(module, *instance.arguments, semantics=semantics)


def _flushed(result: Array) -> Array:
    """Returns the result with zeros for subnormal numbers, the difference `subnormals` of
    docs/differences.md.
    """
    if result.dtype.kind in "biu" or "int" in result.dtype.name:
        return result
    if result.dtype.kind == "c":
        return np.asarray(_flushed(result.real) + 1j * _flushed(result.imag)).astype(result.dtype)
    with np.errstate(invalid="ignore"):
        small = np.abs(result) < ml_dtypes.finfo(result.dtype).smallest_normal
    return np.where(small, np.copysign(np.zeros_like(result), result), result)


def difference(ours: Sequence[Any], wanted: Sequence[Any], tolerance: float) -> str:
    """Returns how results differ, empty where they do not; NaNs are alike whatever their bits."""
    for index, (left, right) in enumerate(zip(ours, wanted)):
        right = np.asarray(right)
        if left.shape != right.shape or left.dtype != right.dtype:
            return (
                f"result {index}: {left.dtype}{list(left.shape)}, expected {right.dtype}{list(right.shape)}"
            )
        wrong = ~_alike(left, right, tolerance)
        if wrong.any():
            place = tuple(int(i) for i in np.argwhere(wrong)[0])
            return f"result {index} at {list(place)}: {left[place]!r}, expected {right[place]!r}"
    return ""


def _alike(left: Array, right: Array, tolerance: float) -> Array:
    """Returns where two arrays agree."""
    if left.dtype.kind == "c":
        parts = ((left.real, right.real), (left.imag, right.imag))
        scale = _scale(np.stack([np.abs(right.real), np.abs(right.imag)]))
        return np.logical_and(*(_alike_floats(a, b, tolerance, scale) for a, b in parts))
    if left.dtype.kind in "biu" or left.dtype.name.lstrip("u").startswith("int"):
        return np.asarray(left == right)
    wide = np.longdouble
    return _alike_floats(left.astype(wide), right.astype(wide), tolerance, _scale(np.abs(right.astype(wide))))


def _alike_floats(left: Array, right: Array, tolerance: float, scale: float) -> Array:
    nan = np.isnan(left) & np.isnan(right)
    if tolerance == 0:
        return nan | ((left == right) & (np.signbit(left) == np.signbit(right)))
    with np.errstate(invalid="ignore"):
        return nan | (left == right) | (np.abs(left - right) <= tolerance * np.maximum(np.abs(right), scale))


def _scale(magnitudes: Array) -> float:
    finite = magnitudes[np.isfinite(magnitudes)]
    return float(finite.max()) if finite.size else 0.0
