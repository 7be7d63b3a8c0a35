"""Runs one kernel on arrays, without a program around it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import ml_dtypes
import numpy as np
import pytest

import shlo
from shlo.interpreter.kernel_api import Body, KernelEntry, KernelFn, OpView
from shlo.interpreter.registry import find_kernel
from shlo.interpreter.runtime.context import ExecutionContext
from shlo.ir.attributes import Attribute, DenseArrayAttr, EnumAttr, FloatAttr, IntegerAttr
from shlo.ir.dense import DenseElementsAttr
from shlo.ir.dtypes import dtype_of, element_type_for
from shlo.ir.floats import bits_from_float
from shlo.ir.operations import Signature
from shlo.ir.types import F32, I1, I64, RankedTensorType, Type
from tests.oracle import Oracle


def evaluate(
    name: str,
    *arrays: Any,
    result_types: Sequence[Type] | None = None,
    bodies: tuple[Body, ...] = (),
    **attributes: Any,
) -> Any:
    """Returns the kernel's result for arrays (anything else, a token or a tuple, needs `specialize`).

    `name` without a dialect means stablehlo's. `result_types` is one type per result, by default that of
    the first operand.
    Attributes are Python values (see `attribute_of`) or attributes.
    """
    operand_types = tuple(tensor_type(array) for array in arrays)
    results = operand_types[:1] if result_types is None else tuple(result_types)
    function = specialize(name, operand_types, results, attributes, bodies)
    with np.errstate(all="ignore"):
        return function(*arrays)


def specialize(
    name: str,
    operand_types: Sequence[Type],
    result_types: Sequence[Type],
    attributes: Mapping[str, Any] | None = None,
    bodies: tuple[Body, ...] = (),
) -> KernelFn:
    """Returns the kernel's function for these types; one that needs a context gets a fresh one."""
    entry = entry_of(name)
    function = entry.kernel(specialization(name, operand_types, result_types, attributes, bodies))
    if not entry.needs_context:
        return function
    context = ExecutionContext()
    return lambda *values: function(context, *values)


def specialization(
    name: str,
    operand_types: Sequence[Type],
    result_types: Sequence[Type],
    attributes: Mapping[str, Any] | None = None,
    bodies: tuple[Body, ...] = (),
) -> OpView:
    """Returns the static side of an operation of these types and attributes."""
    properties = {key: attribute_of(value) for key, value in (attributes or {}).items()}
    signature = Signature(_full(name), tuple(operand_types), tuple(result_types), properties)
    return OpView(signature, bodies)


def entry_of(name: str) -> KernelEntry:
    """Returns the registered kernel of that name."""
    entry = find_kernel(_full(name))
    assert entry is not None, f"no kernel for {name}"
    return entry


def tensor_type(array: Any) -> RankedTensorType:
    """Returns the tensor type of an array or NumPy scalar."""
    return RankedTensorType(np.shape(array), element_type_for(np.asarray(array).dtype))


def tensor(element_type: Type, *shape: int) -> RankedTensorType:
    """`tensor(F32, 2, 3)` is tensor<2x3xf32>."""
    return RankedTensorType(shape, element_type)


def splat(type_: RankedTensorType, value: Any) -> DenseElementsAttr:
    """Returns a constant whose elements are all `value`."""
    return DenseElementsAttr(type_, np.full((), value, dtype_of(type_.element_type)))


def attribute_of(value: Any) -> Attribute:
    """Returns a bool as i1, an int as i64, a float as f32, a word as an enumeration's, a list as array<i64>."""
    if isinstance(value, Attribute):
        return value
    if isinstance(value, bool):
        return IntegerAttr(int(value), I1)
    if isinstance(value, int):
        return IntegerAttr(value, I64)
    if isinstance(value, float):
        return FloatAttr(bits_from_float(value, F32), F32)
    if isinstance(value, str):
        return EnumAttr("stablehlo", "word", value)
    values = tuple(value)
    is_boolean = bool(values) and all(isinstance(item, bool) for item in values)
    return DenseArrayAttr(I1 if is_boolean else I64, tuple(int(item) for item in values))


def _full(name: str) -> str:
    return name if "." in name else f"stablehlo.{name}"


class Call(NamedTuple):
    """One operation on arrays; `attributes` is the text between its braces."""

    name: str
    arrays: Sequence[Any]
    result_types: Sequence[Type] | None = None
    attributes: str = ""

    @property
    def results(self) -> list[Type]:
        return [tensor_type(self.arrays[0])] if self.result_types is None else list(self.result_types)


def on_xla(
    oracle: Oracle,
    name: str,
    *arrays: Any,
    result_types: Sequence[Type] | None = None,
    attributes: str = "",
) -> list[Any]:
    """Returns what XLA computes for one operation: its results."""
    return all_on_xla(oracle, [Call(name, arrays, result_types, attributes)])


def all_on_xla(oracle: Oracle, calls: Sequence[Call]) -> list[Any]:
    """Returns what XLA computes for several operations in one program, which compiles faster: all their
    results.
    """
    operations: list[str] = []
    arrays: list[Any] = []
    values: list[str] = []
    for i, call in enumerate(calls):
        names = [f"%a{len(arrays) + k}" for k in range(len(call.arrays))]
        types = f"({_types(map(tensor_type, call.arrays))}) -> ({_types(call.results)})"
        operands = f"({', '.join(names)}) {{{call.attributes}}}"
        operations.append(f'%r{i}:{len(call.results)} = "{_full(call.name)}"{operands} : {types}')
        values += [f"%r{i}#{k}" for k in range(len(call.results))]
        arrays += call.arrays
    arguments = ", ".join(f"%a{i}: {tensor_type(array)}" for i, array in enumerate(arrays))
    results = _types(result for call in calls for result in call.results)
    lines = "\n  ".join([*operations, f"return {', '.join(values)} : {results}"])
    return oracle.run(f"func.func @main({arguments}) -> ({results}) {{\n  {lines}\n}}", arrays)


def _types(types: Iterable[Type]) -> str:
    return ", ".join(map(str, types))


def random_array(dtype: Any, *shape: int, seed: int = 0) -> Any:
    """Returns all bits of an integer type; standard normal numbers of any other."""
    random, dtype = np.random.default_rng(seed), np.dtype(dtype)
    if dtype.kind in "iu":
        limits = np.iinfo(dtype)
        return random.integers(limits.min, limits.max, shape, dtype, endpoint=True)
    if dtype == np.bool_:
        return random.random(shape) < 0.4
    if dtype in (ml_dtypes.int4, ml_dtypes.uint4):
        return random.integers(*((0, 16) if dtype == ml_dtypes.uint4 else (-8, 8)), shape).astype(dtype)
    imaginary = 1j * random.normal(size=shape) if dtype.kind == "c" else 0
    return (random.normal(size=shape) + imaginary).astype(dtype)


def compare(function: Callable[..., Any], *arguments: Any) -> None:
    """The results of the program that JAX lowers, here and in XLA."""
    jax = pytest.importorskip("jax")
    with jax.enable_x64(True):
        jitted = jax.jit(function)
        text = jitted.lower(*arguments).as_text()
        expected = [np.asarray(value) for value in jax.tree.leaves(jitted(*arguments))]
    actual = shlo.run(shlo.parse(text), *arguments)
    assert len(actual) == len(expected)
    for ours, theirs in zip(actual, expected):
        assert (ours.shape, ours.dtype) == (theirs.shape, theirs.dtype)
        wide = ours.dtype in (np.float64, np.complex128)
        np.testing.assert_allclose(ours, theirs, *((1e-9, 1e-10) if wide else (1e-3, 1e-4)))
