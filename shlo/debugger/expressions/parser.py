"""Parser of expressions."""

from __future__ import annotations

import math
from collections.abc import Container
from typing import Final, NoReturn

from msgspec.structs import replace

from shlo.debugger.errors import DebuggerError
from shlo.debugger.expressions.functions import FUNCTIONS
from shlo.debugger.expressions.nodes import (
    RELATIONS,
    SHORT_MEASURES,
    Binary,
    Call,
    Index,
    Literal,
    Node,
    Round,
    SliceItem,
    Unary,
    ValueRef,
)
from shlo.debugger.expressions.tokens import Token, refuse, tokens_of
from shlo.text.suggest import did_you_mean

DEEPEST: Final = 40
"""How many expressions may lie inside each other."""

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
_LEVELS: Final = (("or",), ("and",), RELATIONS, ("|",), ("&",), ("+", "-"), ("*", "/", "//"))
_RELATION: Final = 2


def parse_expression(text: str, subject: Node | None = None, names: Container[str] = ()) -> Node:
    """Returns the syntax tree of an expression; raises DebuggerError with the place of the mistake.

    Args:
        text: What was written.
        subject: What short forms without a value are about: `> 10` and `max > 10` of a breakpoint on `%x`.
        names: The names of the program's values, to tell where a name ends that holds `.` or `-`.
    """
    return _Parser(text, subject, names).parse()


class _Parser:
    def __init__(self, text: str, subject: Node | None, names: Container[str]) -> None:
        self._text, self._subject = text, subject
        self._tokens = tokens_of(text, names)
        self._at = self._depth = self._nodes = 0

    def parse(self) -> Node:
        if self._is_at_end:
            raise DebuggerError("expected an expression: %x, %x[0, 1], max(%x) > 10, %i == 3")
        node = self._level(0)
        if not self._is_at_end:
            if self._token.text in RELATIONS:
                self._refuse("comparisons are not chained: join them with and")
            if self._token.text == "=":
                self._refuse("unexpected '='; did you mean ==?")
            self._refuse_token("an operator")
        return node

    # --- tokens ---

    @property
    def _token(self) -> Token:
        return self._tokens[self._at]

    @property
    def _is_at_end(self) -> bool:
        return self._token.kind == "end"

    @property
    def _next(self) -> str:
        """The text of the token behind the current one."""
        return self._tokens[min(self._at + 1, len(self._tokens) - 1)].text

    def _accept(self, *texts: str) -> str:
        """Passes one of these operators or words; returns which one, empty for none."""
        token = self._token
        if token.kind in ("operator", "name") and token.text in texts:
            self._at += 1
            return token.text
        return ""

    def _expect(self, text: str) -> None:
        if not self._accept(text):
            self._refuse_token(repr(text))

    def _refuse(self, message: str) -> NoReturn:
        refuse(self._text, self._token.start, message)

    def _refuse_token(self, expected: str) -> NoReturn:
        token = self._token
        got = "the end" if token.kind == "end" else repr(self._text[token.start : token.end])
        self._refuse(f"expected {expected}, got {got}")

    def _limited(self, node: Node) -> Node:
        self._nodes += 1
        if self._nodes > MOST_NODES:
            self._refuse(f"an expression has at most {MOST_NODES} parts")
        return node

    # --- grammar, from loose to tight ---

    def _level(self, level: int) -> Node:
        if level == len(_LEVELS):
            return self._unary()
        if level == _RELATION and self._accept("not"):
            return self._limited(Unary("not", self._deeper(_RELATION)))
        if level == _RELATION and (test := self._short_test()):
            return test
        left = self._level(level + 1)
        while operator := self._accept(*_LEVELS[level]):
            left = self._limited(Binary(operator, left, self._level(level + 1)))
            if level == _RELATION:
                break
        return left

    def _short_test(self) -> Node | None:
        """Parses what is about the subject: `> 10`; `nan` where no operator follows."""
        if self._subject is None:
            return None
        if self._token.kind == "operator" and self._token.text in RELATIONS:
            operator = self._accept(*RELATIONS)
            return self._limited(Binary(operator, self._subject, self._level(_RELATION + 1)))
        return self._test_of(self._subject)

    def _test_of(self, value: Node) -> Node | None:
        """Parses `nan` or `inf` behind a value, where an expression can end."""
        if self._token.text in _SHORT_TESTS and self._next in ("", "and", "or", ")"):
            measure = _SHORT_TESTS[self._token.text]
            self._at += 1
            return self._limited(Binary(">", Call(measure, (value,)), Literal(0)))
        return None

    def _deeper(self, level: int) -> Node:
        """Parses something inside something else."""
        self._depth += 1
        if self._depth > DEEPEST:
            self._refuse(f"an expression is at most {DEEPEST} levels deep")
        node = self._level(level)
        self._depth -= 1
        return node

    def _unary(self) -> Node:
        if operator := self._accept("-", "+", "~"):
            operand = self._deeper(len(_LEVELS))
            if operator == "+":
                return operand
            if operator == "-" and isinstance(operand, Literal):
                return Literal(-operand.value)
            return self._limited(Unary("negate" if operator == "-" else operator, operand))
        base = self._postfix()
        if self._accept("**"):
            return self._limited(Binary("**", base, self._deeper(len(_LEVELS))))
        return base

    def _postfix(self) -> Node:
        node = self._primary()
        while True:
            if self._accept("["):
                node = self._limited(Index(node, self._items()))
            elif self._token.text == "." and self._token.kind == "operator":
                self._at += 1
                name = self._function_name()
                self._expect("(")
                node = self._call(name, (node,))
            else:
                return self._measured(node)

    def _measured(self, node: Node) -> Node:
        """Parses a measure behind a value: `%x max`, `%x nan`."""
        if isinstance(node, (ValueRef, Index)) and self._token.kind == "name":
            if self._token.text in MEASURES:
                return self._measure(self._accept(*MEASURES), node)
            return self._test_of(node) or node
        return node

    def _measure(self, name: str, of: Node) -> Node:
        return self._limited(Call(name, (Call("finite", (of,)),) if name in SHORT_MEASURES else (of,)))

    def _items(self) -> tuple[Node | SliceItem, ...]:
        items: list[Node | SliceItem] = []
        while not self._accept("]"):
            if items and not self._accept(","):
                self._refuse_token("',' or ']'")
            items.append(self._item())
        return tuple(items)

    def _item(self) -> Node | SliceItem:
        start = self._bound()
        if not self._accept(":"):
            return self._deeper(0) if start is None else start  # says what is missing
        stop = self._bound()
        step = self._bound() if self._accept(":") else None
        return SliceItem(start, stop, step)

    def _bound(self) -> Node | None:
        return None if self._token.text in (":", ",", "]") else self._deeper(0)

    def _primary(self) -> Node:
        token = self._token
        if token.kind == "number":
            self._at += 1
            return self._limited(Literal(self._number(token)))
        if token.kind == "value":
            self._at += 1
            return self._limited(ValueRef(token.text, process=self._process_behind()))
        if token.kind == "name":
            return self._word(token.text)
        if self._accept("("):
            node = self._deeper(0)
            self._expect(")")
            return node
        return self._refuse_token("a value or number")

    def _number(self, token: Token) -> int | float:
        if token.text[:2] in ("0x", "0X"):
            return int(token.text, 16)
        return int(token.text) if token.text.isdigit() else float(token.text)

    def _word(self, word: str) -> Node:
        is_called = self._next == "("
        if word == "outer":
            return self._outer()
        if word == "process" and is_called:
            return self._of_process()
        if word in ("and", "or", "not"):
            self._refuse_token("a value or number")
        if word == "iter":
            self._at += 1
            level = self._counted("a loop outward: 0 is the innermost") if self._token.text == "(" else 0
            return self._limited(Round(level))
        if word == "prev" and is_called:
            self._at += 2
            start = self._token.start
            node = self._deeper(0)
            self._expect(")")
            return self._earlier(node, start)
        if word in CONSTANTS:
            self._at += 1
            return self._limited(Literal(CONSTANTS[word]))
        if is_called:
            name = self._function_name()
            self._at += 1
            return self._call(name, ())
        self._at += 1
        if word in MEASURES and self._subject is not None:
            return self._measure(word, self._subject)
        if word in FUNCTIONS:
            self._at -= 1
            self._refuse(f"{word} is a function: write {word}(%x), or %x {word} > 10 in a condition")
        return self._limited(ValueRef(word, process=self._process_behind()))

    def _function_name(self) -> str:
        token = self._token
        if token.kind != "name" or token.text not in FUNCTIONS:
            hint = did_you_mean(token.text, (*FUNCTIONS, *_WORDS), otherwise=", ".join(FUNCTIONS))
            self._refuse(f"there is no function {token.text!r}; {hint}")
        self._at += 1
        return token.text

    def _call(self, name: str, arguments: tuple[Node, ...]) -> Node:
        """Parses the arguments of a function behind `(`."""
        function, start = FUNCTIONS[name], self._token.start
        given = list(arguments)
        separated = True
        while not self._accept(")"):
            if not (separated or self._accept(",")):
                self._refuse_token("',' or ')'")
            if self._token.text == "axis" and self._next == "=":
                self._at += 2
                if "axis" not in function.parameters or len(given) != 1:
                    self._refuse(f"{name} takes no axis here")
            given.append(self._deeper(0))
            separated = False
        if not function.least <= len(given) <= len(function.parameters):
            refuse(self._text, start, f"expected {name}({', '.join(function.parameters)})")
        return self._limited(Call(name, tuple(given)))

    def _counted(self, what: str) -> int:
        """Parses `(N)`."""
        self._expect("(")
        token = self._token
        if token.kind != "number" or not token.text.isdigit() or int(token.text) > LARGEST_COUNT:
            self._refuse_token(f"a number, {what}")
        self._at += 1
        self._expect(")")
        return int(token.text)

    def _outer(self) -> Node:
        count = 0
        while self._accept("outer"):
            count += 1
            self._expect(".")
        if self._token.kind not in ("value", "name"):
            self._refuse_token("a value: outer.%x")
        name = self._token.text
        self._at += 1
        return self._limited(ValueRef(name, outer=count, process=self._process_behind()))

    def _of_process(self) -> Node:
        self._at += 1
        number = self._counted("of a process")
        self._expect(".")
        node = self._primary()
        if not isinstance(node, ValueRef) or node.process is not None or node.back:
            self._refuse("expected a value behind process(N): process(1).%x")
        return replace(node, process=number)

    def _process_behind(self) -> int | None:
        """Parses `@3` behind a value."""
        if not self._accept("@"):
            return None
        token = self._token
        if token.kind != "number" or not token.text.isdigit() or int(token.text) > LARGEST_COUNT:
            self._refuse_token("the number of a process: %x@3")
        self._at += 1
        return int(token.text)

    def _earlier(self, node: Node, start: int) -> Node:
        """Returns an expression of the values as they were bound before."""
        if isinstance(node, ValueRef):
            return replace(node, back=node.back + 1)
        if isinstance(node, Index):
            return replace(node, base=self._earlier(node.base, start))
        return refuse(self._text, start, "prev takes a value, or a part of one: prev(%x), prev(%x[0])")
