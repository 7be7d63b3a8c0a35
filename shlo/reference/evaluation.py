"""Evaluates functions: operations in their order, values by a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from importlib import import_module
from typing import Any, Final, cast

from shlo.dialects import find_op_def
from shlo.ir.attributes import SymbolRefAttr
from shlo.ir.diagnostics import ExecutionError
from shlo.ir.operations import Module, Operation, Region
from shlo.ir.types import QuantizedType, element_type_of
from shlo.reference.element import EvaluationError
from shlo.reference.grid import GridProcess, run_processes
from shlo.reference.op import MEANINGS, Body, Meaning, Op
from shlo.reference.quantized import dequantize, quantize
from shlo.reference.tensor import Tensor, array_of, tensor_of

FAMILIES: Final = (
    *("elementwise", "movement", "indexing", "reduction", "products", "linear_algebra", "quantization"),
    *("normalization", "randomness", "control_flow", "collectives"),
)
"""The modules of operations."""
RETURNS: Final = ("stablehlo.return", "func.return")
CALLS: Final = {"func.call": "callee", "stablehlo.composite": "decomposition"}
"""Operations that are calls, and which of their attributes names the function."""


def meanings() -> Mapping[str, Meaning]:
    """Returns the function of each operation, by name."""
    for family in FAMILIES:
        import_module(f"shlo.reference.{family}")
    return MEANINGS


def evaluate(module: Module, arguments: Sequence[Any], entry: str = "main") -> tuple[Any, ...]:
    """Returns the results of a function on NumPy arrays, as NumPy arrays; raises ExecutionError."""
    return evaluate_grid(module, [arguments], 1, 1, entry)[0]


def evaluate_grid(
    module: Module, inputs: Sequence[Sequence[Any]], replicas: int, partitions: int, entry: str = "main"
) -> list[tuple[Any, ...]]:
    """Returns the results of each process of a grid, replica by replica; `inputs` are one for all or one
    for each."""
    meanings()
    function = module.functions.get(entry)
    if function is None or function.body is None:
        raise EvaluationError(f"expected a function @{entry} with a body")
    types = function.type.inputs

    def run(process: GridProcess) -> tuple[Any, ...]:
        arrays = inputs[process.number] if len(inputs) > 1 else inputs[0]
        if len(arrays) != len(types):
            raise EvaluationError(f"expected {len(types)} arguments, got {len(arrays)}")
        tensors = [tensor_of(array, element_type_of(type_)) for array, type_ in zip(arrays, types)]
        results = ProcessEvaluation(module, process).call(entry, tensors)
        return tuple(array_of(result) if isinstance(result, Tensor) else result for result in results)

    return run_processes(replicas, partitions, run)


class ProcessEvaluation:
    """One process's evaluation of a module."""

    def __init__(self, module: Module, process: GridProcess) -> None:
        self._module = module
        self._process = process

    def call(self, name: str, arguments: Sequence[Any]) -> tuple[Any, ...]:
        """Evaluates a function."""
        function = self._module.functions.get(name)
        if function is None or function.body is None:
            raise EvaluationError(f"expected a function @{name} with a body")
        return self._region(function.body, {}, *arguments)

    def _region(self, region: Region, outside: Mapping[int, Any], *arguments: Any) -> tuple[Any, ...]:
        """Evaluates a region of one block on its arguments, with the values that are defined outside of
        it."""
        if len(region.blocks) != 1:
            raise EvaluationError("expected a region of one block")
        (block,) = region.blocks
        values = {**outside, **dict(zip(block.arguments, arguments, strict=True))}
        for operation in block.operations:
            operands = [values[operand] for operand in operation.operands]
            if operation.name in RETURNS:
                return tuple(operands)
            values.update(
                zip(operation.results, self._results(operation, operands, region, values), strict=True)
            )
        return ()

    def _results(
        self, operation: Operation, operands: list[Any], parent: Region, values: Mapping[int, Any]
    ) -> tuple[Any, ...]:
        bodies = [
            partial(self._region, region, values if region.values is parent.values else {})
            for region in operation.regions
        ]
        try:
            results = self._evaluated(operation, operands, bodies)
        except (EvaluationError, IndexError) as error:
            name = operation.name
            raise ExecutionError(f"{name}: {error}", name, self._place(operation)) from error
        if results is None:
            return ()
        return cast("tuple[Any, ...]", results) if isinstance(results, tuple) else (results,)

    def _place(self, operation: Operation) -> str | None:
        """Returns `file:line:column` of an operation, None where no text is behind it."""
        source = self._module.source
        spans = (span for other, span in self._module.walk() if other is operation)
        return None if source is None else source.place(next(spans).start)

    def _evaluated(self, operation: Operation, operands: list[Any], bodies: Sequence[Body]) -> Any:
        if operation.name in CALLS:
            callee = operation.attribute(CALLS[operation.name])
            assert isinstance(callee, SymbolRefAttr)
            return self.call(callee.root, operands)
        function = MEANINGS.get(operation.name)
        if function is None:
            raise EvaluationError("the reference has no meaning for this operation")
        if not _is_dequantized(operation):
            return function(Op(operation, bodies, self._process), *operands)
        expressed = [dequantize(x) if isinstance(x.element_type, QuantizedType) else x for x in operands]
        results = function(Op(operation, bodies, self._process, is_expressed=True), *expressed)
        several = cast("tuple[Tensor, ...]", results if isinstance(results, tuple) else (results,))
        types = map(element_type_of, operation.result_types)
        return tuple(
            quantize(result, type_) if isinstance(type_, QuantizedType) else result
            for result, type_ in zip(several, types, strict=True)
        )


def _is_dequantized(operation: Operation) -> bool:
    """Returns whether an operation on quantized tensors is one on what they represent:
    `dequantize_op_quantize`."""
    op_def = find_op_def(operation.name)
    types = map(element_type_of, (*operation.operand_types, *operation.result_types))
    is_defined_so = op_def is not None and op_def.quantized == "dequantize"
    return is_defined_so and any(isinstance(type_, QuantizedType) for type_ in types)
