"""Formulas as machine code: the steps of `kernels.elementwise.formula` as a loop of vector instructions."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from struct import pack
from typing import Final

from shlo.interpreter.jit.native.lines import Lines, loop_text
from shlo.interpreter.jit.native.machine import Machine
from shlo.interpreter.jit.native.numbers import FLOAT64
from shlo.interpreter.jit.native.objects import data_offset
from shlo.interpreter.kernels.elementwise.formula import FLOAT, Formula, NativeLoop, Step
from shlo.interpreter.runtime.tiers import Unsupported
from shlo.ir.dtypes import Array

CHUNK: Final = 512
"""Elements that a loop with strides copies together at a time."""

_LLVM: Final = {"float64": "double", "uint64": "i64", "bool": "i1"}
_INSTRUCTIONS: Final = {
    "add": "fadd double {0}, {1}",
    "subtract": "fsub double {0}, {1}",
    "multiply": "fmul double {0}, {1}",
    "divide": "fdiv double {0}, {1}",
    "sqrt": "call double @llvm.sqrt.f64(double {0})",
    "absolute": "call double @llvm.fabs.f64(double {0})",
    "negative": "fneg double {0}",
    "less": "fcmp olt double {0}, {1}",
    "equal": "fcmp oeq double {0}, {1}",
    "both": "and i1 {0}, {1}",
    "add_bits": "add i64 {0}, {1}",
    "subtract_bits": "sub i64 {0}, {1}",
    "or_bits": "or i64 {0}, {1}",
    "shift_left": "shl i64 {0}, {1}",
    "shift_right": "lshr i64 {0}, {1}",
    "bits": "bitcast double {0} to i64",
    "value": "bitcast i64 {0} to double",
}
_PLAIN_LOOP: Final = """
!0 = distinct !{!0, !1, !2}
!1 = !{!"llvm.loop.vectorize.enable", i1 false}
!2 = !{!"llvm.loop.unroll.disable"}
"""
"""What keeps LLVM from spending time on loops that copy."""
_LIMITS: Final = {"minimum": "ogt", "maximum": "olt"}
"""Comparisons of a value with a limit that takes its place where they are true: NaN stays."""


@cache
def _machine(formula: Formula) -> Machine:
    return Machine(_text(formula), "formula", integers=2)


def native_loop(formula: Formula) -> NativeLoop | None:
    """Returns machine code that computes a formula; None where none can be made."""
    try:
        machine = _machine(formula)
    except (Unsupported, MemoryError, OSError, RuntimeError):
        return None
    function, form = machine.function, f"={formula.operands + 1}Q"

    def loop(arrays: Sequence[Array], start: int, end: int) -> None:
        function(pack(form, *map(id, arrays)), start, end)

    return loop


def loop_address(formula: Formula) -> int:
    """Returns the address of machine code like that of a ufunc's loop for float32; raises Unsupported, or
    what LLVM raises, where there can be none.
    """
    return _machine(formula).address("strided")


def _text(formula: Formula) -> str:
    places = [*(f"%p{number}" for number in range(formula.operands)), "%result"]
    return "\n".join([_body(formula, places), _on_arrays(places), _strided(places), _PLAIN_LOOP])


def _body(formula: Formula, places: Sequence[str]) -> str:
    """Returns a function of the addresses of elements that lie one behind the other, and their number."""
    lines, values = Lines(), list[str]()
    for place in places[:-1]:
        at = lines.value(f"getelementptr float, ptr {place}, i64 %i")
        element = lines.value(f"load float, ptr {at}")
        values.append(lines.value(f"fpext float {element} to double"))
    for step in formula.steps:
        values.append(_written(lines, step, [values[number] for number in step.operands]))
    at = lines.value(f"getelementptr float, ptr {places[-1]}, i64 %i")
    lines.line(f"store float {lines.value(f'fptrunc double {values[-1]} to float')}, ptr {at}")
    return loop_text("@elements", [f"ptr noalias {place}" for place in places], lines)


def _written(lines: Lines, step: Step, operands: Sequence[str]) -> str:
    if step.name == "constant":
        return FLOAT64.literal(step.constant) if step.dtype == FLOAT else str(step.constant)
    if step.name == "select":
        type_ = _LLVM[step.dtype.name]
        condition, then, otherwise = operands
        return lines.value(f"select i1 {condition}, {type_} {then}, {type_} {otherwise}")
    if step.name in _LIMITS:
        value, limit = operands
        is_beyond = lines.value(f"fcmp {_LIMITS[step.name]} double {value}, {limit}")
        return lines.value(f"select i1 {is_beyond}, double {limit}, double {value}")
    return lines.value(_INSTRUCTIONS[step.name].format(*operands))


def _on_arrays(places: Sequence[str]) -> str:
    """Returns the function of a frame, with the addresses of arrays' objects, and a range of elements."""
    lines = Lines()
    arguments: list[str] = []
    for number, _ in enumerate(places):
        at = lines.value(f"getelementptr ptr, ptr %frame, i64 {number}")
        array = lines.value(f"load ptr, ptr {at}")
        at = lines.value(f"getelementptr i8, ptr {array}, i64 {data_offset()}")
        data = lines.value(f"load ptr, ptr {at}")
        arguments.append(f"ptr {lines.value(f'getelementptr float, ptr {data}, i64 %from')}")
    return "\n".join(
        [
            "define i64 @formula(ptr %frame, i64 %from, i64 %to) {",
            "  %n = sub i64 %to, %from",
            "  %none = icmp sle i64 %n, 0",
            "  br i1 %none, label %end, label %work",
            "work:",
            *lines.lines,
            f"  call void @elements({', '.join(arguments)}, i64 %n)",
            "  br label %end",
            "end:",
            "  ret i64 0",
            "}",
        ]
    )


def _strided(places: Sequence[str]) -> str:
    """Returns the function that is called as the loops of ufuncs are. It copies elements together, chunk by
    chunk: those of an operand that is one number have a stride of 0.
    """
    lines, buffers = Lines(), [f"%b{number}" for number, _ in enumerate(places)]
    lines.begin("chunk")
    lines.lines.append("  %done = phi i64 [0, %enter], [%after, %copied]")
    lines.line("%left = sub i64 %count, %done")
    lines.line(f"%n = call i64 @llvm.umin.i64(i64 %left, i64 {CHUNK})")
    sources: list[str] = []
    for number, _ in enumerate(places):
        stride = f"%stride{number}"
        offset = lines.value(f"mul i64 %done, {stride}")
        sources.append(lines.value(f"getelementptr i8, ptr %data{number}, i64 {offset}"))
    for number, source in enumerate(sources[:-1]):
        _copy(lines, source, f"%stride{number}", buffers[number], "4", f"in{number}")
    arguments = ", ".join(f"ptr {buffer}" for buffer in buffers)
    lines.line(f"call void @elements({arguments}, i64 %n)")
    last = len(places) - 1
    _copy(lines, buffers[last], "4", sources[last], f"%stride{last}", "out")
    lines.jump("copied")
    lines.begin("copied")
    lines.line("%after = add i64 %done, %n")
    lines.line("%again = icmp slt i64 %after, %count")
    lines.branch("%again", "chunk", "end")
    entry = Lines()
    for number, buffer in enumerate(buffers):
        entry.line(f"{buffer} = alloca [{CHUNK} x float], align 64")
        entry.line(f"%arg{number} = getelementptr ptr, ptr %arguments, i64 {number}")
        entry.line(f"%data{number} = load ptr, ptr %arg{number}")
        entry.line(f"%step{number} = getelementptr i64, ptr %strides, i64 {number}")
        entry.line(f"%stride{number} = load i64, ptr %step{number}")
    return "\n".join(
        [
            "define void @strided(ptr %arguments, ptr %counts, ptr %strides, ptr %unused) {",
            "enter:",
            *entry.lines,
            "  %count = load i64, ptr %counts",
            "  %some = icmp sgt i64 %count, 0",
            "  br i1 %some, label %chunk, label %end",
            *lines.lines,
            "end:",
            "  ret void",
            "}",
        ]
    )


def _copy(lines: Lines, source: str, source_stride: str, target: str, target_stride: str, name: str) -> None:
    """Writes the copy of %n elements."""
    before = lines.label()
    lines.jump(before)
    lines.begin(before)
    lines.jump(name)
    lines.begin(name)
    lines.line(f"%{name}.i = phi i64 [0, %{before}], [%{name}.next, %{name}]")
    for end, at, stride in (("from", source, source_stride), ("to", target, target_stride)):
        lines.line(f"%{name}.{end}.offset = mul i64 %{name}.i, {stride}")
        lines.line(f"%{name}.{end} = getelementptr i8, ptr {at}, i64 %{name}.{end}.offset")
    lines.line(f"%{name}.value = load float, ptr %{name}.from, align 4")
    lines.line(f"store float %{name}.value, ptr %{name}.to, align 4")
    lines.line(f"%{name}.next = add i64 %{name}.i, 1")
    lines.line(f"%{name}.more = icmp slt i64 %{name}.next, %n")
    after = f"{name}.end"
    lines.line(f"br i1 %{name}.more, label %{name}, label %{after}, !llvm.loop !0")
    lines.begin(after)
