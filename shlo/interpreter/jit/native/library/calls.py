"""The machine code of `kernels.routine_calls`: a loop around the calls of a routine."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from shlo.interpreter.jit.native.lines import Lines
from shlo.interpreter.jit.native.machine import Machine
from shlo.interpreter.jit.native.objects import data_offset
from shlo.interpreter.kernels.routine_calls import Arity
from shlo.interpreter.runtime.tiers import Unsupported


@cache
def _machine(arity: Arity) -> Machine:
    return Machine(_text(arity.arguments), "calls")


def native_calls(arity: Arity) -> Callable[[bytes, int], int] | None:
    """Returns machine code of a frame and a number of calls; None where none can be made.

    The frame holds numbers of 64 bits: the routine's address, and for each argument the address of an
    array's object, where in its data the first call's argument is, and by how many bytes each next one is
    further on.
    """
    try:
        return _machine(arity).function
    except (Unsupported, MemoryError, OSError, RuntimeError):
        return None


def _text(arguments: int) -> str:
    lines = Lines()

    def member(number: int, type_: str) -> str:
        place = lines.value(f"getelementptr i64, ptr %frame, i64 {number}")
        return lines.value(f"load {type_}, ptr {place}")

    routine = member(0, "ptr")
    places: list[tuple[str, str]] = []
    for number in range(1, 1 + 3 * arguments, 3):
        at = lines.value(f"getelementptr i8, ptr {member(number, 'ptr')}, i64 {data_offset()}")
        data = lines.value(f"load ptr, ptr {at}")
        first = lines.value(f"getelementptr i8, ptr {data}, i64 {member(number + 1, 'i64')}")
        places.append((first, member(number + 2, "i64")))
    loop = Lines()
    passed: list[str] = []
    for number, (first, step) in enumerate(places):
        loop.line(f"%offset{number} = mul i64 %i, {step}")
        loop.line(f"%argument{number} = getelementptr i8, ptr {first}, i64 %offset{number}")
        passed.append(f"ptr %argument{number}")
    return "\n".join(
        [
            "define i64 @calls(ptr %frame, i64 %count) {",
            "begin:",
            *lines.lines,
            "  %some = icmp sgt i64 %count, 0",
            "  br i1 %some, label %loop, label %end",
            "loop:",
            "  %i = phi i64 [0, %begin], [%next, %loop]",
            *loop.lines,
            f"  call void {routine}({', '.join(passed)})",
            "  %next = add i64 %i, 1",
            "  %more = icmp slt i64 %next, %count",
            "  br i1 %more, label %loop, label %end",
            "end:",
            "  ret i64 0",
            "}",
        ]
    )
