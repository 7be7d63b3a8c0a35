"""What a kernel is.

A kernel is a pure function named as its operation. It gets the operation's static side once (a
`OpView`: types, attributes, compiled bodies) and gives a function from arrays to arrays, which runs
each time the operation does:

    @kernel("stablehlo.add")
    def add(op: OpView) -> KernelFn:
        if is_boolean(op.operand_types[0]):
            return np.logical_or
        return np.add

Arrays at run time: a tensor is a NumPy array of `dtype_of(element_type)`; a tensor of rank 0 may also be a
NumPy scalar. A token is `TOKEN`, a tuple a Python tuple, a quantized tensor its storage array. Operands
must never be written to: they may be locked, shared, or views. A result may be a view of an operand, and
may be broadcast (stride 0). An operation with several results gives a tuple; one with one result gives the
array itself; with none, None. A kernel (when specialized) or its function (when run) raises KernelError
with a message a user can act on where the program is wrong; the executor adds the operation and its place.
Shapes with unknown sizes are taken from the arrays.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Protocol, TypeVar, cast

import numpy as np
from msgspec import Struct, field

from shlo.interpreter.semantics import Departure, Semantics
from shlo.ir.attributes import (
    Attribute,
    DenseArrayAttr,
    EnumAttr,
    FloatAttr,
    IntegerAttr,
    StringAttr,
    as_bool,
)
from shlo.ir.diagnostics import ShloError
from shlo.ir.dtypes import Array, dtype_of
from shlo.ir.operations import Block, Operation, Signature
from shlo.ir.types import RankedTensorType, Type

A = TypeVar("A", bound=Attribute)

Value = Any
"""An array, a NumPy scalar for rank 0, TOKEN, or a tuple of Values."""

KernelFn = Callable[..., Value]
UnaryFn = Callable[[Value], Value]
BinaryFn = Callable[[Value, Value], Value]


class UfuncLike:
    """Base of the callables that generated code may call as it calls NumPy's ufuncs: functions of arrays that
    broadcast their operands and take `out=`, the memory of an operand, for the result. They may leave `out`
    alone, so the caller uses what they return."""

    __slots__ = ()


def is_like_ufunc(function: Any) -> bool:
    """Returns whether a function is a ufunc with one result, or may be called like one."""
    if isinstance(function, UfuncLike):
        return True
    return isinstance(function, np.ufunc) and function.nout == 1 and function.signature is None


class KernelError(ShloError):
    """A program that is wrong at this operation, in words for its author."""


class Token:
    """The one value of type `!stablehlo.token`."""

    def __repr__(self) -> str:
        return "token"


TOKEN: Final = Token()


class Body(Protocol):
    """A region of a kernel's operation (the reducer of a reduce, the comparator of a sort), compiled.

    `signature` is the signature of the single operation that the body consists of when it does nothing but
    apply it to its arguments in order and return the result, else None: what decides whether a ufunc can
    refer to it.
    """

    @property
    def argument_types(self) -> tuple[Type, ...]:
        """The types of the region's arguments."""
        ...

    @property
    def result_types(self) -> tuple[Type, ...]:
        """The types of the values that the region returns."""
        ...

    @property
    def single_operation(self) -> Signature | None:
        """The operation that the body applies to its arguments in order, if it does nothing else."""
        ...

    @property
    def returned_arguments(self) -> tuple[int, ...] | None:
        """The argument numbers that a body without operations returns (`return %arg1` is (1,)), else None."""
        ...

    @property
    def is_vectorizable(self) -> bool:
        """Whether `on_arrays` works: every operation of the body is elementwise on rank-0 tensors."""
        ...

    def on_arrays(self, *arrays: Array) -> tuple[Array, ...]:
        """Returns the body on whole arrays at once: each argument is an array of scalars, all of one
        shape."""
        ...

    def on_scalars(self, *values: Value) -> tuple[Value, ...]:
        """Returns the body once, on values of its argument types."""
        ...

    @property
    def block(self) -> Block:
        """The body's block as it is in the program, for kernels that know more of its shape than one
        operation."""
        ...

    @property
    def text_key(self) -> object:
        """Equal for bodies with the same operations: a key under which what was recognised in a body is
        kept."""
        ...


class OpView(Struct, frozen=True, eq=False):
    """The static side of an operation, as its kernel sees it. `callees` are the functions that it names (a
    custom call in `called_computations`), as far as the module has them; `symbols` what else the module
    names, meshes among them. `semantics` says whose the operation's meaning is."""

    signature: Signature
    bodies: tuple[Body, ...] = ()
    callees: tuple[Body, ...] = ()
    symbols: Mapping[str, Operation] = field(default_factory=dict[str, Operation])
    semantics: Semantics = "spec"

    def departs(self, departure: Departure) -> bool:
        """Returns whether the kernel does as XLA where this departs from the specification."""
        assert departure.kernels, f"{departure.name} is not followed"
        return self.semantics == "xla"

    @property
    def name(self) -> str:
        """The name of the operation, such as `stablehlo.add`."""
        return self.signature.name

    @property
    def operand_types(self) -> tuple[Type, ...]:
        """The types of the operands."""
        return self.signature.operand_types

    @property
    def result_types(self) -> tuple[Type, ...]:
        """The types of the results."""
        return self.signature.result_types

    def tensor_type(self, index: int) -> RankedTensorType:
        """Returns the type of an operand that must be a ranked tensor."""
        return _ranked(self.operand_types, index, "operand")

    def result_type(self, index: int = 0) -> RankedTensorType:
        """Returns the type of a result that must be a ranked tensor."""
        return _ranked(self.result_types, index, "result")

    def result_dtype(self, index: int = 0) -> Any:
        """Returns the NumPy dtype of a result's elements."""
        return dtype_of(self.result_type(index).element_type)

    def get(self, name: str) -> Attribute | None:
        """Returns an attribute, None where it is absent."""
        return self.signature.attribute(name)

    def require(self, name: str, cls: type[A], *others: type[A]) -> A:
        """Returns an attribute of one of these classes, which the definition guarantees."""
        value = self.signature.attribute(name)
        if isinstance(value, (cls, *others)):
            return value
        raise KernelError(f"expected an attribute '{name}' of its type, got {value}")

    def integer(self, name: str, default: int | None = None) -> int:
        """Returns an integer attribute; without a default it must be there."""
        absent = default is not None and self.get(name) is None
        return cast("int", default) if absent else self.require(name, IntegerAttr).value

    def integers(self, name: str, default: Sequence[int] | None = None) -> tuple[int, ...]:
        """Returns an `array<i64: ...>` attribute, booleans as 0 and 1; without a default it must be there."""
        if default is not None and self.get(name) is None:
            return tuple(default)
        return self.require(name, DenseArrayAttr).values

    def number(self, name: str) -> float:
        """Returns a floating-point attribute, which must be there."""
        return self.require(name, FloatAttr).value

    def flag(self, name: str, default: bool = False) -> bool:
        """Returns a boolean or unit attribute as a truth value."""
        value = self.get(name)
        return default if value is None else as_bool(value)

    def word(self, name: str, default: str | None = None) -> str:
        """Returns the word of an enumeration attribute, or the text of a string attribute."""
        if default is not None and self.get(name) is None:
            return default
        return self.require(name, EnumAttr, StringAttr).value


Kernel = Callable[[OpView], KernelFn]


class KernelEntry(Struct, frozen=True):
    """A registered kernel. One that `needs_context` gives a function whose first argument is the run's
    ExecutionContext (see runtime/context.py).

    `expression` is Python source for the result on rank-0 operands that are NumPy scalars of equal type,
    with `{0}`, `{1}` for them: straight-line code is generated from it. It must give exactly what the
    kernel gives; `np` is NumPy in it, and it may use `SOURCE_NAMES` of kernels/numeric. `in_place` gives
    a function that may overwrite operand 0 and return it: the executor calls it in place of the kernel's
    where operand 0 is an array that owns its memory, is writeable, and that is not needed afterwards; None
    where this operation has no such function.
    """

    kernel: Kernel
    needs_context: bool = False
    expression: Callable[[OpView], str | None] | None = None
    in_place: Callable[[OpView], KernelFn | None] | None = None


def _ranked(types: tuple[Type, ...], index: int, what: str) -> RankedTensorType:
    type_ = types[index]
    if isinstance(type_, RankedTensorType):
        return type_
    raise KernelError(f"expected a ranked tensor as {what} {index}, got {type_}")
