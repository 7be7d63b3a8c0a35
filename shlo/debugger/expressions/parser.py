"""Parser of expressions about the values of a run."""

from __future__ import annotations

import math
import re
from collections.abc import Container
from typing import Final

from msgspec.structs import replace

from shlo.debugger.errors import DebuggerError
from shlo.debugger.expressions.functions import ATTRIBUTES, FUNCTIONS
from shlo.debugger.expressions.nodes import (
    COMPARISON,
    PRECEDENCE,
    RELATIONS,
    SHORT_MEASURES,
    Round,
    ValueRef,
)
from shlo.places.names import NO_NAMES, PythonName, PythonNames, python_path
from shlo.places.place import short_line_text
from shlo.text.expressions import (
    TIGHTEST,
    Binary,
    Call,
    Constant,
    ExpressionParser,
    Node,
    Subscript,
    Unary,
    walk,
)
from shlo.text.suggest import did_you_mean

LONGEST: Final = 500
"""How many characters an expression may have."""

MOST_NODES: Final = 200
"""How many parts an expression may have."""

LARGEST_COUNT: Final = 999_999
"""The largest number of a loop or process."""

CONSTANTS: Final[dict[str, int | float]] = {
    "nan": math.nan,
    "inf": math.inf,
    "pi": math.pi,
    "true": True,
    "false": False,
    "True": True,
    "False": False,
}
MEASURES: Final = (*SHORT_MEASURES, "nans", "infs", "zeros")
"""What short forms compare: `%x max > 10`; min, max and mean are those of finite elements."""

_SHORT_TESTS: Final = {"nan": "nans", "inf": "infs"}
_WORDS: Final = ("and", "or", "not", "iter", "outer", "process", "prev", *CONSTANTS)
_METHOD = re.compile(r"\.[A-Za-z_]\w*\Z", re.ASCII)


def parse_expression(
    text: str,
    subject: Node | None = None,
    names: Container[str] = (),
    python: PythonNames = NO_NAMES,
) -> Node:
    """Returns the syntax tree of an expression; raises DebuggerError with the place of the mistake.

    Args:
        text: What was written.
        subject: What short forms without a value are about: `> 10` and `max > 10` of a breakpoint on `%x`.
        names: The names of the program's values, to tell where a name ends that holds `.` or `-`.
        python: Those of the Python source, which go before the program's where no `%` is written.
    """
    if len(text) > LONGEST:
        raise DebuggerError(f"an expression has at most {LONGEST} characters, got {len(text)}")
    return _ValueExpressionParser(text, subject, names, python).parse()


class _ValueExpressionParser(ExpressionParser):
    pattern = re.compile(
        r"\s*(?:"
        r"(?P<value>%[\w$.#-]+)"
        r"|(?P<number>0[xX][0-9a-fA-F]+|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?)(?![\w$])"
        r"|(?P<name>[A-Za-z_$][\w$#]*)"
        r"|(?P<operator>\*\*|//|<=|>=|==|!=|[-+*/<>=()\[\],:.@&|~])"
        r"|(?P<end>\Z))",
        re.ASCII,
    )
    precedence = PRECEDENCE
    comparison = COMPARISON
    mistakes = {  # noqa: RUF012 - states what ExpressionParser declares
        "&&": "and",
        "||": "or",
        "!": "not",
        "=>": ">=",
        "=<": "<=",
        "<>": "!=",
        "^": "**",
    }
    error = DebuggerError

    def __init__(self, text: str, subject: Node | None, names: Container[str], python: PythonNames) -> None:
        self._names = names
        self._python = python
        self._subject = subject
        super().__init__(text)

    def parse(self) -> Node:
        if self.token.kind == "end":
            raise DebuggerError("expected an expression: %x, %x[0, 1], max(%x) > 10, %i == 3")
        node = self.operators(1)
        if self.token.text in RELATIONS:
            self.refuse("comparisons are not chained: join them with and")
        if self.token.text == "=":
            self.refuse("unexpected '='; did you mean ==?")
        if sum(1 for _ in walk(node)) > MOST_NODES:
            self.refuse(f"an expression has at most {MOST_NODES} parts")
        return self.whole(node)

    def token_end(self, match: re.Match[str]) -> int:
        """Returns where a name ends, which may hold `.` and `-` in MLIR: it is the longest one that the
        program has; where there is none, it ends before `-` and before `.method(`. One of Python's is the
        longest path, `params['w']`, that the source has.
        """
        if match.lastgroup == "name":
            return self._python.end_of_path(self.text, match.start("name")) or match.end()
        if match.lastgroup != "value":
            return match.end()
        start, longest = match.start("value") + 1, match["value"][1:]
        ends = [len(longest), *(mark.start() for mark in re.finditer(r"[.-]", longest))]
        for end in sorted(ends, reverse=True):
            if end and longest[:end] in self._names:
                return start + end
        name = longest.partition("-")[0] or longest
        if name == longest and self.text.startswith("(", match.end()):
            name = _METHOD.sub("", name) or name
        return start + len(name)

    # --- grammar, from loose to tight ---

    def truth(self) -> Node | None:
        """Parses `not x`, and what is about the subject: `> 10`; `nan` where no operator follows."""
        if self._subject is None:
            return super().truth()
        if self.token.kind == "operator" and self.token.text in RELATIONS:
            return self.compared(self._subject)
        return self._test_of(self._subject) or super().truth()

    def _test_of(self, value: Node) -> Node | None:
        """Parses `nan` or `inf` behind a value, where an expression can end."""
        if self.token.text in _SHORT_TESTS and self.peek().text in ("", "and", "or", ")"):
            return Binary(">", Call(_SHORT_TESTS[self.advance()], (value,)), Constant(0))
        return None

    def unary(self) -> Node:
        if sign := self.accept("-", "+", "~"):
            operand = self.nested(TIGHTEST)
            if sign == "+":
                return operand
            if sign == "-" and isinstance(operand, Constant) and isinstance(operand.value, (int, float)):
                return Constant(-operand.value)
            return Unary(sign, operand)
        base = self._postfix()
        return Binary("**", base, self.nested(TIGHTEST)) if self.accept("**") else base

    def _postfix(self) -> Node:
        node = self._primary()
        while True:
            if self.accept("["):
                node = self.subscripted(node)
            elif self.accept("."):
                if self.token.text in ATTRIBUTES and self.peek().text != "(":
                    node = Call(ATTRIBUTES[self.advance()], (node,))
                    continue
                name = self._function_name()
                self.expect("(")
                node = self._call(name, (node,))
            else:
                return self._measured(node)

    def _measured(self, node: Node) -> Node:
        """Parses a measure behind a value: `%x max`, `%x nan`."""
        if isinstance(node, (ValueRef, Subscript)) and self.token.kind == "name":
            measure = self.accept(*MEASURES)
            return self._measure(measure, node) if measure else self._test_of(node) or node
        return node

    def _measure(self, name: str, of: Node) -> Node:
        return Call(name, (Call("finite", (of,)),) if name in SHORT_MEASURES else (of,))

    def _primary(self) -> Node:
        if self.token.kind == "number":
            digits = self.advance()
            if digits[:2] in ("0x", "0X"):
                return Constant(int(digits, 16))
            return Constant(int(digits) if digits.isdigit() else float(digits))
        if self.token.kind == "value":
            return self._value()
        if self.token.kind == "name":
            return self._word(self.token.text)
        if self.accept("("):
            node = self.nested()
            self.expect(")")
            return node
        return self.refuse_token("a value or number")

    def _value(self, outer: int = 0) -> ValueRef:
        """Parses `%x`, `x` and `%x@3`."""
        written = self.advance()
        name = written.removeprefix("%")
        python = () if written.startswith("%") else self._python_values(written)
        process = self._count("the number of a process: %x@3") if self.accept("@") else None
        return ValueRef(python[0].name if python else name, outer, process, 0, python)

    def _python_values(self, written: str) -> tuple[PythonName, ...]:
        """Returns the values of a name of Python; refuses one whose value is not known."""
        name = python_path(written)
        if (line := self._python.unknown.get(name)) is not None:
            also = f"; %{name} is a value of the program" if name in self._names else ""
            self.refuse(f"which value is {name} of {short_line_text(line)} is not known{also}")
        return tuple(self._python.values_of(name))

    def _word(self, word: str) -> Node:
        is_called = self.peek().text == "("
        if word == "outer":
            return self._outer()
        if word == "process" and is_called:
            return self._of_process()
        if word in ("and", "or", "not"):
            self.refuse_token("a value or number")
        if word == "iter":
            self.advance()
            return Round(self._counted("a loop outward: 0 is the innermost") if is_called else 0)
        if word == "prev" and is_called:
            self.advance()
            self.expect("(")
            start = self.token.start
            node = self.nested()
            self.expect(")")
            return self._earlier(node, start)
        if word in CONSTANTS:
            return Constant(CONSTANTS[self.advance()])
        if is_called:
            name = self._function_name()
            self.expect("(")
            return self._call(name, ())
        if word in MEASURES and self._subject is not None:
            return self._measure(self.advance(), self._subject)
        if word in FUNCTIONS:
            self.refuse(f"{word} is a function: write {word}(%x), or %x {word} > 10 in a condition")
        return self._value()

    def _function_name(self) -> str:
        name = self.token.text
        if self.token.kind != "name" or name not in FUNCTIONS:
            hint = did_you_mean(name, (*FUNCTIONS, *_WORDS), otherwise=", ".join(FUNCTIONS))
            self.refuse(f"there is no function {name!r}; {hint}")
        return self.advance()

    def _call(self, name: str, arguments: tuple[Node, ...]) -> Node:
        """Parses the arguments of a function behind `(` and those before, as of a method."""
        function, start = FUNCTIONS[name], self.token.start
        operands = [*arguments]
        operands.extend(self.listed(")", lambda: self._operand(name, len(operands))))
        if not function.least <= len(operands) <= len(function.parameters):
            self.refuse(f"expected {name}({', '.join(function.parameters)})", start)
        return Call(name, tuple(operands))

    def _operand(self, name: str, number: int) -> Node:
        if self.token.text == "axis" and self.peek().text == "=":
            self.advance()
            self.expect("=")
            if "axis" not in FUNCTIONS[name].parameters or number != 1:
                self.refuse(f"{name} takes no axis here")
        return self.nested()

    def _counted(self, what: str) -> int:
        """Parses `(N)`."""
        self.expect("(")
        count = self._count(f"a number, {what}")
        self.expect(")")
        return count

    def _count(self, expected: str) -> int:
        token = self.token
        if token.kind != "number" or not token.text.isdigit() or int(token.text) > LARGEST_COUNT:
            self.refuse_token(expected)
        return int(self.advance())

    def _outer(self) -> Node:
        count = 0
        while self.accept("outer"):
            count += 1
            self.expect(".")
        if self.token.kind not in ("value", "name"):
            self.refuse_token("a value: outer.%x")
        return self._value(count)

    def _of_process(self) -> Node:
        self.advance()
        number = self._counted("of a process")
        self.expect(".")
        node = self._primary()
        if not isinstance(node, ValueRef) or node.process is not None or node.back:
            self.refuse("expected a value behind process(N): process(1).%x")
        return replace(node, process=number)

    def _earlier(self, node: Node, start: int) -> Node:
        """Returns an expression of the values as they were bound before."""
        if isinstance(node, ValueRef):
            return replace(node, back=node.back + 1)
        if isinstance(node, Subscript):
            return replace(node, value=self._earlier(node.value, start))
        return self.refuse("prev takes a value, or a part of one: prev(%x), prev(%x[0])", start)
