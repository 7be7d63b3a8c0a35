"""Which types MLIR takes as each operand and result of the operations that jaxlib registers.

    python -m tests.verifier.operand_types

asks jaxlib and writes `operand_types.txt`: for every operand and result, the sample types that the constraint
of ODS on it admits ("operand #0 must be ..." is what MLIR says of others). Constraints between operands do
not count. Positions that take any type, or that MLIR does not judge in such a program, are left out.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from shlo.dialects import all_op_defs
from shlo.dialects.opdef import OpDef, OperandDef
from shlo.ir.types import Type
from shlo.syntax.lexer.cursor import Cursor
from shlo.syntax.types.parse import parse_type
from tests.oracle import Oracle, OracleCrashed, OracleError

FACTS = Path(__file__).parent / "operand_types.txt"
ELEMENTS = (
    *("i1", "i2", "i3", "i8", "i32", "i64", "i128", "ui1", "ui3", "ui8", "ui32", "ui64", "si32", "index"),
    *("bf16", "f16", "f32", "f64", "f80", "tf32", "f8E4M3FN", "f8E8M0FNU", "f4E2M1FN", "f6E2M3FN"),
    *("complex<f16>", "complex<f32>", "complex<f64>", "complex<i32>", "vector<2xf32>"),
    *("!quant.uniform<i8:f32,0.5>", "!quant.uniform<i3:f32,0.5>", "!quant.uniform<i8<-8:7>:f32,0.5:100>"),
    *("!quant.uniform<i8:f32:0,{0.5,0.25}>", "!quant.uniform<i8:f32:0,{0.5}>", "!quant.any<i8:f32>"),
    "!quant.uniform<i8:f32:{0:1},{0.5,0.25}>",
)
"""Element types; an operand takes one if it takes a tensor of it with 0, 1 or 2 dimensions of size 2."""
OTHERS = (
    *(
        "tensor<?xf32>",
        "tensor<?xi64>",
        "tensor<*xf32>",
        "tensor<*xi64>",
        "tensor<*xi1>",
        "tensor<*xcomplex<f32>>",
    ),
    *("tensor<f32>", "tensor<2xf32>", "tensor<2x2xf32>", "tensor<i64>", "tensor<2xi64>", "tensor<2x2xi64>"),
    *("!stablehlo.token", "!stablehlo.future<tensor<f32>>", "memref<2xf32>", "memref<?xi3>", "memref<*xf32>"),
    *(
        "tuple<>",
        "tuple<tuple<!stablehlo.token>>",
        "tuple<f32>",
        "tuple<memref<2xf32>>",
        "tuple<memref<index>>",
    ),
    *("tuple<tensor<*xf32>>", "tuple<tensor<2x!quant.uniform<i8:f32:0,{0.5,0.25}>>>"),
    *("()->()", "vector<2xf32>", "vector<2xi32>", "none", "!shape.shape", "!shape.size", "!shape.witness"),
    *("!shape.value_shape", "tensor<*xindex>", "tensor<?x2xindex>"),
)
SCALARS = tuple(f"scalar:{each}" for each in ELEMENTS[:-1])
"""The element types themselves."""
VALUES = {
    "split_count": "1",
    "feature_group_count": "1",
    "batch_group_count": "1",
    "exponent_bits": "1 : i32",
}
"""Attributes that must not be 0."""
UNKNOWN = frozenset(("stablehlo.collective_reduce",))
"""Operations that jaxlib does not know."""
UNREGISTERED = frozenset(("builtin", "check", "interpreter", "vhlo"))
"""Dialects that jaxlib does not know, or whose operations take any type."""


class Position(NamedTuple):
    """An operand or a result of an operation: `kind` is `operand` or `result`."""

    op_def: OpDef
    kind: str
    number: int
    spec: OperandDef

    def __str__(self) -> str:
        return f"{self.op_def.name} {self.kind} {self.number}"


def positions() -> Iterator[Position]:
    """Yields all operands and results of the dialects that jaxlib registers."""
    for op_def in all_op_defs():
        if op_def.dialect not in UNREGISTERED and op_def.name not in UNKNOWN:
            for kind, specs in (("operand", op_def.operands), ("result", op_def.results)):
                yield from (Position(op_def, kind, number, spec) for number, spec in enumerate(specs))


@cache
def type_of(text: str) -> Type:
    """Returns the type of a text."""
    return parse_type(Cursor(text))


def forms(sample: str) -> tuple[str, ...]:
    """Returns the types that a sample covers: those of tensors for an element type."""
    if sample in ELEMENTS:
        return tuple(f"tensor<{shape}{sample}>" for shape in ("", "2x", "2x2x"))
    return (sample.removeprefix("scalar:"),)


def admits(spec: OperandDef, sample: str) -> bool:
    """Returns whether a definition takes a sample."""
    return any(spec.constraint.matches(type_of(form)) for form in forms(sample))


def program(position: Position, type_: str) -> str:
    """Returns the operation with a type at a position, and types that its definition admits at all others."""
    op_def = position.op_def
    types = {
        "operand": [_any_of(spec) for spec in op_def.operands],
        "result": [_any_of(spec) for spec in op_def.results],
    }
    types[position.kind][position.number] = type_
    inputs = ", ".join(types["operand"])
    arguments = ", ".join(f"%{number}: {each}" for number, each in enumerate(types["operand"]))
    operands = ", ".join(f"%{number}" for number in range(len(op_def.operands)))
    results = f"%r:{len(op_def.results)} = " if op_def.results else ""
    given = ", ".join(_attributes(op_def))
    attributes = f" <{{{given}}}>" if given else ""
    bodies = ", ".join("{\n^bb0:\n  stablehlo.return\n}" for _ in op_def.regions)
    regions = f" ({bodies})" if bodies else ""
    return (
        f'"func.func"() <{{sym_name = "f", function_type = ({inputs}) -> ()}}> ({{\n^bb0({arguments}):\n'
        f'  {results}"{op_def.name}"({operands}){attributes}{regions}'
        f" : ({inputs}) -> ({', '.join(types['result'])})\n  func.return\n}}) : () -> ()\n"
    )


def _attributes(op_def: OpDef) -> Iterator[str]:
    for spec in op_def.attributes:
        if spec.name in VALUES:
            yield f"{spec.name} = {VALUES[spec.name]}"
        elif spec.required and not spec.name.endswith("SegmentSizes"):
            yield spec.example
    for kind, specs in (("operand", op_def.operands), ("result", op_def.results)):
        name = f"{kind}SegmentSizes"
        if sum(spec.arity != "one" for spec in specs) > 1:
            yield f"{name} = array<i32: {', '.join('1' for _ in specs)}>"


def _any_of(spec: OperandDef) -> str:
    samples = (
        "tensor<2xf32>",
        "tensor<f32>",
        "tensor<2xi64>",
        *(form for each in SAMPLES for form in forms(each)),
    )
    return next(form for form in samples if spec.constraint.matches(type_of(form)))


SAMPLES = tuple(dict.fromkeys((*ELEMENTS, *SCALARS, *OTHERS)))


@cache
def facts() -> dict[str, frozenset[str]]:
    """Returns the samples that MLIR admits, by position."""
    found: dict[str, frozenset[str]] = {}
    for block in FACTS.read_text().split("\n\n"):
        lines = [line for line in block.splitlines() if not line.startswith("//")]
        if lines:
            found |= dict.fromkeys(lines[1:], frozenset(lines[0].split()))
    return found


def asked(oracle: Oracle, position: Position) -> frozenset[str]:
    """Returns the samples that MLIR admits at a position."""
    return frozenset(
        sample for sample in SAMPLES if any(is_admitted(oracle, position, form) for form in forms(sample))
    )


def is_admitted(oracle: Oracle, position: Position, type_: str) -> bool:
    """Returns whether the constraint on a position lets a type pass."""
    try:
        verdict = oracle.accepts(program(position, type_), unregistered=True)
    except (OracleCrashed, OracleError):
        return True  # it dies behind the check of operands
    complaint = re.compile(rf"{position.kind} #{position.number} must be ")
    return not any(complaint.search(finding.message) for finding in verdict.diagnostics)


def main() -> None:
    """Writes the facts down."""
    by_samples: dict[frozenset[str], list[str]] = defaultdict(list)
    with Oracle() as oracle:
        for position in positions():
            admitted = asked(oracle, position)
            if len(admitted) < len(SAMPLES):
                by_samples[admitted].append(str(position))
    blocks = (
        "\n".join((" ".join(sample for sample in SAMPLES if sample in admitted), *where))
        for admitted, where in sorted(by_samples.items(), key=lambda pair: pair[1])
    )
    FACTS.write_text("// Made by `python -m tests.verifier.operand_types`.\n\n" + "\n\n".join(blocks) + "\n")


if __name__ == "__main__":
    main()
