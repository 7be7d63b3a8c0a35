"""Programs of one operation on each element, of sizes that are not known and of quantized elements."""

from __future__ import annotations

import re
from typing import Final

import numpy as np

from shlo.dialects.opdef import OpDef
from shlo.fuzzing.programs import Case
from shlo.ir.operations import Module
from shlo.syntax import parse, parse_type
from shlo.verifier import verify

QUANTIZED: Final = ("stablehlo.uniform_dequantize", "stablehlo.uniform_quantize")
"""Operations from and to quantized elements."""

_OF_POSITIVE: Final = ("stablehlo.power", "stablehlo.remainder")
_EXPRESSED: Final = "tensor<63xf32>"
_STORED: Final = "tensor<63x!quant.uniform<i8:f32, 5.000000e-01:3>>"


def with_unknown_sizes(case: Case) -> Case | None:
    """Returns the program with sizes that it does not know; None where it is not valid so."""
    size = case.inputs[0][0].shape[0]
    module = _valid(re.sub(rf"tensor<{size}x", "tensor<?x", case.module.to_text()))
    return None if module is None else Case(case.number, case.how, module, case.inputs)


def quantized(op_def: OpDef, number: int) -> Case | None:
    """Returns a program of an operation on quantized elements; None where it takes or gives none. Its
    arguments are within and beyond what the type can express; none is half way between two steps, which MLIR
    rounds after the zero point is added, others before.
    """
    stored = parse_type(_STORED)
    definitions = (*op_def.operands, *op_def.results)
    is_own = op_def.name in QUANTIZED
    if not is_own and not all(definition.constraint.matches(stored) for definition in definitions):
        return None
    operands = range(1 if is_own else len(op_def.operands))
    parameters = ", ".join(f"%x{each}: {_EXPRESSED}" for each in operands)
    kind = f"({_EXPRESSED}) -> {_STORED}"
    lines = [f"%q{each} = stablehlo.uniform_quantize %x{each} : {kind}" for each in operands]
    names = ", ".join(f"%q{each}" for each in operands)
    types = ", ".join(_STORED for _ in operands)
    if not is_own:
        lines.append(f'%r = "{op_def.name}"({names}) : ({types}) -> {_STORED}')
    last = names if is_own else "%r"
    lines.append(f"%d = stablehlo.uniform_dequantize {last} : ({_STORED}) -> {_EXPRESSED}")
    body = "\n".join([*lines, f"return %d : {_EXPRESSED}"])
    module = _valid(f"func.func @main({parameters}) -> {_EXPRESSED} {{\n{body}\n}}\n")
    # of negative numbers some functions are NaN, which no quantized element is
    is_positive = op_def.has("transcendental") or op_def.name in _OF_POSITIVE
    steps = np.arange(63, dtype=np.float32) * 2.2 + (1 if is_positive else -70)
    inputs = [np.roll(steps, 5 * each) for each in operands]
    return None if module is None else Case(number, "apart", module, [inputs])


def _valid(text: str) -> Module | None:
    """Returns the module of a text, None where it is not valid."""
    module, diagnostics = parse(text)
    findings = [*diagnostics, *verify(module)]
    return None if any(finding.severity == "error" for finding in findings) else module
