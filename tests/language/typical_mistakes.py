"""Typical mistakes, made in valid programs by named edits of one line each.

`python -m tests.language.typical_mistakes` prints what the findings and the first fix of each are, and the counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

import shlo
from shlo.ir.source import Span
from shlo.language import Document, Edit
from shlo.language.causes import shown_diagnostics
from shlo.language.fixes.fixes import fixes

MODEL = """func.func @main(%x: tensor<8x16xf32>, %w: tensor<16x4xf32>, %b: tensor<4xf32>) -> tensor<8x4xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x4xf32>) -> tensor<8x4xf32>
  %1 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<4xf32>) -> tensor<8x4xf32>
  %2 = stablehlo.add %0, %1 : tensor<8x4xf32>
  %3 = call @relu(%2) : (tensor<8x4xf32>) -> tensor<8x4xf32>
  %4 = stablehlo.reduce(%3 init: %low) applies stablehlo.maximum across dimensions = [1] : (tensor<8x4xf32>, tensor<f32>) -> tensor<8xf32>
  %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<8xf32>) -> tensor<8x4xf32>
  %6 = stablehlo.subtract %3, %5 : tensor<8x4xf32>
  %7 = stablehlo.exponential %6 : tensor<8x4xf32>
  %8 = stablehlo.reduce(%7 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<8x4xf32>, tensor<f32>) -> tensor<8xf32>
  %9 = stablehlo.broadcast_in_dim %8, dims = [0] : (tensor<8xf32>) -> tensor<8x4xf32>
  %10 = stablehlo.divide %7, %9 : tensor<8x4xf32>
  return %10 : tensor<8x4xf32>
}
func.func private @relu(%a: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<8x4xf32>
  %r = stablehlo.maximum %a, %z : tensor<8x4xf32>
  return %r : tensor<8x4xf32>
}
"""
MOVEMENT = """func.func @main(%x: tensor<6x4xf32>, %i: tensor<6xi32>, %n: tensor<i32>) -> (tensor<4x9xf32>, tensor<6x4xf32>) {
  %c = stablehlo.constant dense<2> : tensor<6xi32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %start = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.slice %x [0:3, 0:4] : (tensor<6x4xf32>) -> tensor<3x4xf32>
  %1 = stablehlo.concatenate %x, %0, dim = 0 : (tensor<6x4xf32>, tensor<3x4xf32>) -> tensor<9x4xf32>
  %2 = stablehlo.transpose %1, dims = [1, 0] : (tensor<9x4xf32>) -> tensor<4x9xf32>
  %3 = stablehlo.compare LT, %i, %c, SIGNED : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi1>
  %4 = stablehlo.broadcast_in_dim %3, dims = [0] : (tensor<6xi1>) -> tensor<6x4xi1>
  %5 = stablehlo.reverse %x, dims = [1] : tensor<6x4xf32>
  %6 = stablehlo.select %4, %x, %5 : tensor<6x4xi1>, tensor<6x4xf32>
  %7 = stablehlo.convert %i : (tensor<6xi32>) -> tensor<6xf32>
  %8 = stablehlo.reshape %7 : (tensor<6xf32>) -> tensor<6x1xf32>
  %9 = stablehlo.pad %8, %zero, low = [0, 1], high = [0, 2], interior = [0, 0] : (tensor<6x1xf32>, tensor<f32>) -> tensor<6x4xf32>
  %10 = stablehlo.iota dim = 1 : tensor<6x4xf32>
  %11 = stablehlo.multiply %9, %10 : tensor<6x4xf32>
  %12 = stablehlo.add %11, %6 : tensor<6x4xf32>
  %13 = stablehlo.dynamic_slice %12, %n, %start, sizes = [6, 4] : (tensor<6x4xf32>, tensor<i32>, tensor<i32>) -> tensor<6x4xf32>
  return %2, %13 : tensor<4x9xf32>, tensor<6x4xf32>
}
"""
LOOP = """func.func @main(%x: tensor<5xf32>, %n: tensor<i32>) -> tensor<5xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %half = stablehlo.constant dense<0.5> : tensor<5xf32>
  %0:2 = stablehlo.while(%i = %zero, %v = %x) : tensor<i32>, tensor<5xf32>
  cond {
    %p = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %u = stablehlo.multiply %v, %half : tensor<5xf32>
    %t = stablehlo.tanh %u : tensor<5xf32>
    stablehlo.return %j, %t : tensor<i32>, tensor<5xf32>
  }
  %1 = stablehlo.negate %0#1 : tensor<5xf32>
  %2 = stablehlo.abs %1 : tensor<5xf32>
  return %2 : tensor<5xf32>
}
"""
PROGRAMS: Final = {"model": MODEL, "movement": MOVEMENT, "loop": LOOP}

EDITS: Final[dict[str, tuple[str, str]]] = {
    "an argument of another size": (r"(func\.func @\w+\(%\w+: tensor<)\d", r"\g<1>7"),
    "an argument of other elements": (r"(func\.func @\w+\(%\w+: tensor<[\dx]*)f32", r"\g<1>bf16"),
    "a result type of another size": (r"(-> tensor<)\d+(x[^=]*)$", r"\g<1>7\g<2>"),
    "the type of an elementwise operation": (r"( : tensor<)\d+(x?\w*>)$", r"\g<1>7\g<2>"),
    "other elements of a result": (r"(-> tensor<[\dx]*)f32>$", r"\g<1>f64>"),
    "elements that are no type": (r"f32>$", "f23>"),
    "a type that is not closed": (r"(tensor<[\dx]*[fi]\d+)>$", r"\1"),
    "commas in a type": (r"tensor<(\d)x(\d)x", r"tensor<\1,\2x"),
    "no type": (r" : (tensor<[^()]*>|\([^()]*\) -> tensor<\w*>)$", ""),
    "no colon before the type": (r" : (tensor|\()", r" \1"),
    "a misspelt operation": (r"stablehlo\.(\w{3})(\w)(\w*)", r"stablehlo.\1\3"),
    "an operation with transposed letters": (r"stablehlo\.(\w)(\w)(\w)", r"stablehlo.\1\3\2"),
    "no dialect": (r"= stablehlo\.", "= "),
    "no comma between operands": (r"(%\w+), (%\w+)", r"\1 \2"),
    "no % before an operand": (r"(stablehlo\.\w+|relu\(|LT,) ?%(\w+)", r"\1 \2"),
    "no % before a result": (r"^(\s+)%(\w+) =", r"\1\2 ="),
    "no equals sign": (r"^(\s+%\w+) =", r"\1"),
    "no result": (r"^(\s+)%\w+ = ", r"\1"),
    "an operand that is not there": (r"(= stablehlo\.\w+ )%\w+", r"\1%nowhere"),
    "a misspelt entry": (r"(dim|contracting_dim|size|low|across dimension)s? =", r"\1z ="),
    "a dimension out of range": (r"(dims? = \[?|dimensions = \[)(\d)", r"\g<1>9"),
    "a limit out of range": (r":4\]", ":14]"),
    "another comparison": (r"compare LT", "compare LESS"),
    "no brace": (r" \{$", ""),
    "a bracket too many": (r"(tensor<\w+>)$", r"\1)"),
    "an operand twice": (r"(stablehlo\.\w+) (%\w+) :", r"\1 \2, \2 :"),
    "a return with another value": (r"return (%\w+) : tensor<(\d)", r"return %w : tensor<\2"),
    "a symbol that is not there": (r"@relu\(%2", "@rleu(%2"),
}


class Mistake(NamedTuple):
    """A named edit of a line of a program."""

    name: str
    program: str
    span: Span
    text: str

    @property
    def document(self) -> Document:
        """The program after the edit of the valid one."""
        valid = Document(PROGRAMS[self.program])
        assert not diagnostics_that_count(valid)
        return valid.edit([Edit(self.span, self.text)])


class Outcome(NamedTuple):
    """What is said of a mistake: the findings, whether the first is on the line, and what its first fix makes."""

    findings: int
    is_on_line: bool
    restores: bool
    title: str
    messages: tuple[str, ...]


def mistakes() -> Iterator[Mistake]:
    """Yields each edit on each line that it fits, the first seven of a program."""
    for name, (pattern, new) in EDITS.items():
        for program, text in PROGRAMS.items():
            start, found = 0, 0
            for line in text.splitlines():
                edited = re.sub(pattern, new, line, count=1)
                if edited != line and found < 7:
                    found += 1
                    yield Mistake(name, program, *minimal(line, edited, start))
                start += len(line) + 1


def minimal(line: str, edited: str, start: int) -> tuple[Span, str]:
    """Returns the edit of what differs between two lines, the first of which is at an offset."""
    head = next((i for i, (a, b) in enumerate(zip(line, edited)) if a != b), min(len(line), len(edited)))
    most = min(len(line), len(edited)) - head
    tail = next((i for i in range(most) if line[-1 - i] != edited[-1 - i]), most)
    return Span(start + head, start + len(line) - tail), edited[head : len(edited) - tail]


def diagnostics_that_count(document: Document) -> list[shlo.Diagnostic]:
    return [finding for finding in shown_diagnostics(document) if finding.severity in ("error", "warning")]


def outcome(mistake: Mistake) -> Outcome:
    """Returns what is said of a mistake."""
    document = mistake.document
    findings = diagnostics_that_count(document)
    if not findings:
        return Outcome(0, False, False, "", ())
    first = findings[0]
    fix = next(fixes(document, first.span), None)
    restored = fix is not None and same(
        document.edit(reversed(sorted_edits(fix.edits))).text, PROGRAMS[mistake.program]
    )
    line = document.text.count("\n", 0, mistake.span.start)
    lines = document.text.count("\n", 0, first.span.start), document.text.count("\n", 0, first.span.end)
    messages = tuple(finding.message for finding in findings)
    return Outcome(len(findings), lines[0] <= line <= lines[1], restored, fix.title if fix else "", messages)


def sorted_edits(edits: tuple[Edit, ...]) -> list[Edit]:
    return sorted(edits, key=lambda edit: edit.span or Span(0, 0))


def same(text: str, other: str) -> bool:
    try:
        return str(shlo.parse(text)) == str(shlo.parse(other))
    except shlo.ShloError:
        return False


def main() -> None:
    counts, total = [0, 0, 0], 0
    for mistake in mistakes():
        result = outcome(mistake)
        total += 1
        for number, holds in enumerate((result.findings == 1, result.is_on_line, result.restores)):
            counts[number] += holds
        if (result.findings, result.is_on_line, result.restores) != (1, True, True):
            line = mistake.document.text.count("\n", 0, mistake.span.start) + 1
            print(f"{mistake.name} ({mistake.program}:{line})", *result, sep=" | ")
    print(total, "one finding {}, on the line {}, restored {}".format(*counts))


if __name__ == "__main__":
    main()
