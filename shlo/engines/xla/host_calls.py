"""Custom calls that the run answers while XLA runs the program: callbacks of Python, and those that a stub or
handler of the run is for.

XLA's own call of Python functions takes their places, so that answers come from what the interpreter does at
such a call.
"""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock
from typing import Any, Final, Protocol

import numpy as np

from shlo.engines.engine import EngineError
from shlo.interpreter.custom_call_api import CustomCall
from shlo.interpreter.custom_calls.callbacks import HOST_CALLBACKS
from shlo.interpreter.custom_calls.registry import bind, find_handler
from shlo.interpreter.custom_calls.stubs import matching_stub
from shlo.interpreter.execution import context_of
from shlo.interpreter.kernel_api import TOKEN, KernelFn, OpView, Value
from shlo.interpreter.options import RunOptions
from shlo.interpreter.program.errors import located_at
from shlo.interpreter.program.sync_points import call_target
from shlo.interpreter.runtime.values import tensor_type_of
from shlo.ir.attributes import ArrayAttr, Attribute, DictionaryAttr, IntegerAttr, StringAttr
from shlo.ir.dense import DenseElementsAttr
from shlo.ir.diagnostics import ExecutionError
from shlo.ir.dtypes import Array
from shlo.ir.locations import place_of
from shlo.ir.operations import Module, Operation, Signature, once_per_module
from shlo.ir.types import IndexType, IntegerType, RankedTensorType, TokenType, Type
from shlo.transforms.rewriting.rebuild import reached_from, remade, with_body, with_replaced

_CALLING: Final = "xla_ffi_python_{}_callback"
_CALLING_FOR_EACH: Final = "xla_ffi_partitioned_python_{}_callback"
"""What XLA's partitioner leaves to each device, with its part of the operands."""
_GPUS: Final = ("gpu", "cuda", "rocm")
_TYPED_INTERFACE: Final = 4
"""The version of custom calls whose settings are a dictionary."""
_KEPT: Final = ("has_side_effect", "indices_of_shape_operands")


class Answers(Protocol):
    """What answers the custom calls of a run, those of `targets`, by their number in the program."""

    @property
    def targets(self) -> frozenset[str]:
        """The targets of the calls that are answered."""
        ...

    def answer(self, number: int, operands: Sequence[Array]) -> list[Array]:
        """Returns the tensors among a call's results for the tensors among its operands; raises
        ExecutionError.
        """
        ...


class RunAnswers:
    """Answers the custom calls of one run as the interpreter does; may be used from several threads, one
    after the other.
    """

    def __init__(self, module: Module, targets: frozenset[str], options: RunOptions) -> None:
        self.targets = targets
        self._module = module
        self._calls = hosted_calls(module, targets)
        self._context = context_of(options)
        self._bound: dict[int, KernelFn] = {}
        self._lock = Lock()

    def answer(self, number: int, operands: Sequence[Array]) -> list[Array]:
        """Returns what the callback, handler or stub of a call gives."""
        signature = self._calls[number][0].signature
        tensors = iter(operands)
        values = [TOKEN if _is_token(type_) else next(tensors) for type_ in signature.operand_types]
        try:
            with self._lock, self._context.active():
                function = self._bound.get(number)
                if function is None:
                    function = self._bound[number] = bind(CustomCall(OpView(signature)), self._context)
                result = function(*values)
        except Exception as error:
            raise located_at(error, signature.name, self._place(number)) from error
        types = signature.result_types
        results: Sequence[Value] = (result,) if len(types) == 1 else result or ()
        return [np.asarray(value) for value, type_ in zip(results, types) if not _is_token(type_)]

    def _place(self, number: int) -> str | None:
        return _place(self._module, *self._calls[number])


def answers_of(module: Module, options: RunOptions) -> RunAnswers | None:
    """Returns what answers the custom calls of a program in a run; None where the run has to answer none."""
    targets_by_entry, entry = _known_targets(module), options.entries[0]
    targets = targets_by_entry.get(entry)
    if targets is None:
        targets = targets_by_entry[entry] = _targets(reached_from(module, entry))
    if not targets:
        return None
    hosted = frozenset(target for target in targets if _is_hosted(target, options))
    return RunAnswers(module, hosted, options) if hosted else None


@once_per_module
def _known_targets(module: Module) -> dict[str, frozenset[str]]:
    """Returns the targets of the custom calls that functions of a program reach, as far as asked."""
    return {}


def _targets(module: Module) -> frozenset[str]:
    """Returns the targets of the custom calls of a program."""
    return frozenset(call_target(op) for op, _ in module.walk()) - {""}


def _is_hosted(target: str, options: RunOptions) -> bool:
    """Returns whether a run has answers of its own to calls of a target, which XLA has none for or is not
    asked for.
    """
    handlers, stubs = options.handlers or {}, options.stubs or {}
    if target in HOST_CALLBACKS or target in handlers or target in stubs:
        return True
    return matching_stub(target, stubs) is not None and find_handler(target, {}) is None


def hosted_calls(module: Module, targets: frozenset[str]) -> list[tuple[Operation, int]]:
    """Returns the custom calls of these targets in the order of the text, with where they start in it."""
    return [(op, span.start) for op, span in module.walk() if call_target(op) in targets]


def first_place(module: Module, target: str) -> str | None:
    """Returns `file:line:column` of the first call of a target, None where there is none or nothing tells."""
    calls = hosted_calls(module, frozenset({target}))
    return _place(module, *calls[0]) if calls else None


def _place(module: Module, operation: Operation, start: int) -> str | None:
    return place_of(operation.location) if module.source is None else module.source.place(start)


class HostFunctions:
    """The Python functions that an executable calls: one run at a time, which sets `answers`. XLA may do so
    from several threads. `error` is what the first of its calls raised.
    """

    def __init__(self, signatures: Sequence[Signature]) -> None:
        self._signatures = signatures
        self.answers: Answers | None = None
        self.error: ExecutionError | None = None

    def functions(self) -> list[Any]:
        """Returns the function of each call: arrays in, a tuple of arrays out, None for a token."""
        return [self._function(number) for number in range(len(self._signatures))]

    def _function(self, number: int) -> Any:
        signature = self._signatures[number]

        def call(*operands: Any) -> tuple[Any, ...]:
            assert self.answers is not None
            tensors = [
                np.array(value)  # XLA's own memory, which it takes back
                for value, type_ in zip(operands, signature.operand_types)
                if not _is_token(type_)
            ]
            try:
                results = iter(self.answers.answer(number, tensors))
            except ExecutionError as error:
                self.error = self.error or error
                raise
            return tuple(None if _is_token(type_) else next(results) for type_ in signature.result_types)

        return call


def with_host_calls(module: Module, targets: frozenset[str], platform: str) -> tuple[Module, HostFunctions]:
    """Returns a program in which the calls of these targets are XLA's calls of Python functions, by number,
    and those functions. Raises EngineError where XLA has none on a platform, or for a call.
    """
    device = "gpu" if platform in _GPUS else platform
    if device not in ("cpu", "gpu"):
        raise EngineError(
            f"expected a CPU or GPU for a program that calls Python functions, got {platform}",
            "choose another platform, or leave out the engine: the interpreter runs it",
        )
    calls = [op for op, _ in hosted_calls(module, targets)]
    replaced = {id(op): _calling(op, number, device) for number, op in enumerate(calls)}
    body = with_replaced(module.body, replaced)
    return with_body(module, body), HostFunctions([op.signature for op in calls])


def _calling(operation: Operation, number: int, device: str) -> Operation:
    """Returns XLA's call of the Python function of a number in place of a custom call."""
    old = operation.signature
    is_for_each = "_partitioned_" in call_target(operation)
    target = (_CALLING_FOR_EACH if is_for_each else _CALLING).format(device)
    properties: dict[str, Attribute] = {
        "call_target_name": StringAttr(target),
        "api_version": IntegerAttr(_TYPED_INTERFACE, IntegerType(32)),
        "backend_config": DictionaryAttr.of({"index": IntegerAttr(number, IntegerType(64, "unsigned"))}),
        "operand_layouts": _layouts(old.operand_types),
        "result_layouts": _layouts(old.result_types),
    }
    for name in _KEPT:
        attribute = old.attribute(name)
        if attribute is not None:
            properties[name] = attribute
    attributes = {name: value for name, value in old.attributes.items() if name != "mhlo.backend_config"}
    signature = Signature(old.name, old.operand_types, old.result_types, properties, attributes)
    return remade(operation, signature, regions=())


def _layouts(types: Sequence[Type]) -> ArrayAttr:
    """Returns the layouts in which NumPy has arrays of these types; raises EngineError for a tuple."""
    layouts: list[Attribute] = []
    for type_ in types:
        tensor = tensor_type_of(type_)
        if not isinstance(tensor, RankedTensorType | TokenType):
            raise EngineError(
                f"expected tensors for a Python function, got {type_}", "the interpreter takes it"
            )
        order = np.arange(0 if isinstance(tensor, TokenType) else tensor.rank, dtype=np.int64)[::-1]
        layouts.append(DenseElementsAttr(RankedTensorType((len(order),), IndexType()), order))
    return ArrayAttr(tuple(layouts))


def _is_token(type_: Type) -> bool:
    return isinstance(type_, TokenType)
