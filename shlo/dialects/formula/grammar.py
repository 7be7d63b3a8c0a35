"""Reads the notation of formulas: Python's, with `=`, `...`, `? :`, `if A then B`, `has type` and `where`.

Specification: "Formulas". From loose to tight: where; if-then, `? :`; or; and; not; comparisons and
`has type`; `++`, `+`, `-`; `*`, `/`, `%`; unary minus; calls, brackets and `...`.
"""

from __future__ import annotations

import re
from typing import Final, cast

from shlo.dialects.formula.nodes import (
    Compare,
    Comparison,
    Comprehension,
    Conditional,
    Each,
    FunctionPattern,
    HasType,
    Lambda,
    List,
    Logic,
    Logical,
    Name,
    TypePattern,
    Where,
)
from shlo.text.expressions import Call, Constant, ExpressionParser, Node, Unary

_COMPARISONS: Final = ("=", "!=", "<", "<=", ">", ">=", "in", "is", "not")
_DISJUNCTION, _CONJUNCTION, _COMPARED, _SUM, _PRODUCT = range(1, 6)
_PATTERN_WORDS: Final = frozenset(("tensor", "shaped", "tuple", "complex"))
_CONSTANTS: Final = {"true": True, "false": False, "None": None}


class NotationError(Exception):
    """A formula that is none: a mistake on a definition."""


def parse_formula(text: str) -> Node:
    """Returns the parts of a formula; raises NotationError."""
    parser = _FormulaParser(text)
    return parser.whole(parser.formula())


class _FormulaParser(ExpressionParser):
    pattern = re.compile(
        r"\s*(?:(?P<number>\d+(?:\.\d+)?)|(?P<string>'[^']*')|(?P<name>[A-Za-z_]\w*'?)"
        r"|(?P<operator>\.\.\.|\+\+|->|!=|<=|>=|[-+*/%=<>()\[\]{},:;?])|(?P<end>\Z))"
    )
    precedence = {  # noqa: RUF012 - states what ExpressionParser declares
        "or": _DISJUNCTION,
        "and": _CONJUNCTION,
        **dict.fromkeys((*_COMPARISONS, "has"), _COMPARED),
        **dict.fromkeys(("+", "-", "++"), _SUM),
        **dict.fromkeys(("*", "/", "%"), _PRODUCT),
    }
    comparison = _COMPARED
    error = NotationError

    def formula(self) -> Node:
        body = self.argument()
        if not self.accept("where"):
            return body
        definitions: list[tuple[str, Node]] = []
        condition: Node | None = None
        while True:
            if self.token.kind == "name" and self.peek().text == "=":
                name = self.advance()
                self.expect("=")
                definitions.append((name, self.argument()))
            else:
                condition = self.argument()
            if not self.accept(";"):
                return Where(body, tuple(definitions), condition)

    def argument(self) -> Node:
        if self.accept("if", "If"):
            left = self.nested()
            self.accept(",")
            self.expect("then")
            return Logical("then", left, self.argument())
        if self.accept("lambda"):
            parameters = [self.identifier()]
            while self.accept(","):
                parameters.append(self.identifier())
            self.expect(":")
            return Lambda(tuple(parameters), self.argument())
        condition = self.nested()
        if not self.accept("?"):
            return condition
        yes = self.argument()
        self.expect(":")
        return Conditional(condition, yes, self.argument())

    def binary(self, operator: str, left: Node, right: Node) -> Node:
        if operator in ("and", "or"):
            return Logical(cast("Logic", operator), left, right)
        return super().binary(operator, left, right)

    def compared(self, first: Node) -> Node:
        if self.accept("has"):
            self.expect("type")
            return HasType(first, self._pattern())
        operands, operators = [first], list[Comparison]()
        while operator := self.accept(*_COMPARISONS):
            if operator == "not":
                self.expect("in")
                operator = "not in"
            elif operator == "is" and self.accept("not"):
                operator = "is not"
            operators.append(cast("Comparison", operator))
            operands.append(self.operators(_SUM))
        return Compare(tuple(operands), tuple(operators))

    def unary(self) -> Node:
        return Unary("-", self.unary()) if self.accept("-") else self._postfix()

    def _postfix(self) -> Node:
        node = self._atom()
        while bracket := self.accept("[", "..."):
            node = self.subscripted(node) if bracket == "[" else Each(node)
        return node

    def _atom(self) -> Node:
        if self.token.kind == "number":
            number = self.advance()
            return Constant(float(number) if "." in number else int(number))
        if self.token.kind == "string":
            return Constant(self.advance()[1:-1])
        if self.accept("("):
            inner = self.formula()
            self.expect(")")
            return inner
        return self._list() if self.accept("[") else self._named()

    def _list(self) -> Node:
        if self.accept("]"):
            return List(())
        first = self.argument()
        if self.accept("for"):
            return self._comprehension(first)
        return List((first, *self.more("]", self.argument)))

    def _comprehension(self, item: Node) -> Node:
        name = self.identifier()
        self.expect("in")
        values = self.operators(_SUM)
        condition = self.nested() if self.accept("if") else None
        self.expect("]")
        return Comprehension(item, name, values, condition)

    def _named(self) -> Node:
        name = self.identifier()
        if name in _CONSTANTS:
            return Constant(_CONSTANTS[name])
        if name in _PATTERN_WORDS and self.accept("<"):
            return TypePattern(name, tuple(self.listed(">", self._postfix)))
        if self.accept("("):
            return Call(name, tuple(self.listed(")", self.argument)))
        return Name(name)

    def _pattern(self) -> Node:
        """Parses a type, or the type of a function."""
        inputs = self._patterns()
        return FunctionPattern(inputs, self._patterns()) if self.accept("->") else inputs[0]

    def _patterns(self) -> tuple[Node, ...]:
        return tuple(self.listed(")", self._postfix)) if self.accept("(") else (self._postfix(),)
