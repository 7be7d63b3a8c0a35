"""Reads the notation of formulas: Python's, with `=`, `...`, `? :`, `if A then B`, `has type` and `where`.

Specification: "Formulas". From loose to tight: where; if-then, `? :`; or; and; not; comparisons and
`has type`; `++`, `+`, `-`; `*`, `/`, `%`; unary minus; calls, brackets and `...`.
"""

from __future__ import annotations

import re
from typing import Final, cast

from shlo.dialects.formula.nodes import (
    Arithmetic,
    Binary,
    Call,
    Compare,
    Comparison,
    Comprehension,
    Conditional,
    Each,
    FunctionPattern,
    HasType,
    Lambda,
    List,
    Literal_,
    Logic,
    Logical,
    Minus,
    Name,
    Negation,
    Node,
    Slice,
    Subscript,
    TypePattern,
    Where,
)

_TOKEN = re.compile(
    r"\s*(\d+(?:\.\d+)?|'[^']*'|[A-Za-z_]\w*'?|\.\.\.|\+\+|->|!=|<=|>=|[-+*/%=<>()\[\]{},:;?])"
)
_COMPARISONS: Final = frozenset(("=", "!=", "<", "<=", ">", ">=", "in", "is", "not"))
_CONJUNCTION, _COMPARED, _SUM, _PRODUCT = range(2, 6)
_BINDING: Final = {
    "or": 1,
    "and": _CONJUNCTION,
    **dict.fromkeys((*_COMPARISONS, "has"), _COMPARED),
    **dict.fromkeys(("+", "-", "++"), _SUM),
    **dict.fromkeys(("*", "/", "%"), _PRODUCT),
}
"""How tightly operators bind."""
_PATTERN_WORDS: Final = frozenset(("tensor", "shaped", "tuple", "complex"))
_CONSTANTS: Final = {"true": True, "false": False, "None": None}


class NotationError(Exception):
    """A formula that is none: a mistake on a definition."""


def parse_formula(text: str) -> Node:
    """Returns the parts of a formula; raises NotationError."""
    parser = _Parser(text)
    node = parser.formula()
    if parser.word:
        raise parser.error("an operator")
    return node


class _Parser:
    def __init__(self, text: str) -> None:
        self._text = text
        self._place = 0
        self._words: list[str] = [*_TOKEN.findall(text), ""]
        self.word = self._words[0]
        if "".join("".join(self._words).split()) != "".join(text.split()):
            raise NotationError(f"expected nothing but tokens: {text}")

    def _next(self) -> str:
        """Goes to the next token, and gives the one before."""
        passed = self.word
        if passed:
            self._place += 1
            self.word = self._words[self._place]
        return passed

    @property
    def _is_name(self) -> bool:
        return self.word[:1].isalpha() or self.word.startswith("_")

    def error(self, wanted: str) -> NotationError:
        start = 0
        for _ in range(self._place):
            match = _TOKEN.match(self._text, start)
            start = start if match is None else match.end()
        return NotationError(f"expected {wanted} before {self._text[start:].lstrip()!r}: {self._text}")

    def _take(self, word: str) -> bool:
        """Goes past the next token if it is this one, and returns whether it is."""
        if self.word != word:
            return False
        self._place += 1
        self.word = self._words[self._place]
        return True

    def _expect(self, word: str) -> None:
        if not self._take(word):
            raise self.error(f"'{word}'")

    def _identifier(self) -> str:
        if not self._is_name:
            raise self.error("a name")
        return self._next()

    def _is_defined(self) -> bool:
        """Returns whether the next token is a name and `=` follows it."""
        return self._is_name and self._words[self._place + 1] == "="

    # --- from loose to tight ---

    def formula(self) -> Node:
        body = self._expression()
        if not self._take("where"):
            return body
        definitions: list[tuple[str, Node]] = []
        condition: Node | None = None
        while True:
            if self._is_defined():
                name = self._next()
                self._expect("=")
                definitions.append((name, self._expression()))
            else:
                condition = self._expression()
            if not self._take(";"):
                return Where(body, tuple(definitions), condition)

    def _expression(self) -> Node:
        if self.word in ("if", "If"):
            self._next()
            left = self._disjunction()
            self._take(",")
            self._expect("then")
            return Logical("then", left, self._expression())
        if self._take("lambda"):
            parameters = [self._identifier()]
            while self._take(","):
                parameters.append(self._identifier())
            self._expect(":")
            return Lambda(tuple(parameters), self._expression())
        condition = self._disjunction()
        if not self._take("?"):
            return condition
        yes = self._expression()
        self._expect(":")
        return Conditional(condition, yes, self._expression())

    def _disjunction(self) -> Node:
        return self._operators(1)

    def _operators(self, loosest: int) -> Node:
        """Returns a part whose operators bind at least as tightly as `loosest`, a number of _BINDING."""
        if self.word == "not" and loosest <= _COMPARED:
            self._next()
            node, tightest = cast("Node", Negation(self._operators(_COMPARED))), _CONJUNCTION
        else:
            node, tightest = self._unary(), _PRODUCT
        while loosest <= (binding := _BINDING.get(self.word, 0)) <= tightest:
            if binding == _COMPARED:
                node, tightest = self._compared(node), _CONJUNCTION
                continue
            operator = self._next()
            right = self._operators(binding + 1)
            if binding > _COMPARED:
                node = Binary(cast("Arithmetic", operator), node, right)
            else:
                node = Logical(cast("Logic", operator), node, right)
        return node

    def _compared(self, first: Node) -> Node:
        if self._take("has"):
            self._expect("type")
            return HasType(first, self._pattern())
        operands, operators = [first], list[Comparison]()
        while self.word in _COMPARISONS:
            operators.append(self._comparison_operator())
            operands.append(self._operators(_SUM))
        return Compare(tuple(operands), tuple(operators))

    def _comparison_operator(self) -> Comparison:
        word = self._next()
        if word == "not":
            self._expect("in")
            return "not in"
        if word == "is" and self._take("not"):
            return "is not"
        return cast("Comparison", word)

    def _unary(self) -> Node:
        return Minus(self._unary()) if self._take("-") else self._postfix()

    def _postfix(self) -> Node:
        node = self._atom()
        while self.word in ("[", "..."):
            node = Subscript(node, self._indices()) if self._next() == "[" else Each(node)
        return node

    def _indices(self) -> tuple[Node, ...]:
        found = [self._index()]
        while self._take(","):
            found.append(self._index())
        self._expect("]")
        return tuple(found)

    def _index(self) -> Node:
        start = None if self.word == ":" else self._expression()
        if not self._take(":"):
            assert start is not None
            return start
        return Slice(start, None if self.word in ("]", ",") else self._expression())

    # --- what is alone ---

    def _atom(self) -> Node:
        if self._is_name:
            return self._named()
        if self.word[:1].isdigit():
            word = self._next()
            return Literal_(float(word) if "." in word else int(word))
        if self.word.startswith("'"):
            return Literal_(self._next()[1:-1])
        if self._take("("):
            inner = self.formula()
            self._expect(")")
            return inner
        if self._take("["):
            return self._list()
        return self._named()

    def _list(self) -> Node:
        if self._take("]"):
            return List(())
        first = self._expression()
        if self._take("for"):
            return self._comprehension(first)
        items = [first]
        while self._take(","):
            items.append(self._expression())
        self._expect("]")
        return List(tuple(items))

    def _comprehension(self, item: Node) -> Node:
        name = self._identifier()
        self._expect("in")
        values = self._operators(_SUM)
        condition = self._disjunction() if self._take("if") else None
        self._expect("]")
        return Comprehension(item, name, values, condition)

    def _named(self) -> Node:
        name = self._identifier()
        if name in _CONSTANTS:
            return Literal_(_CONSTANTS[name])
        if name in _PATTERN_WORDS and self.word == "<":
            return self._type_pattern(name)
        if not self._take("("):
            return Name(name)
        arguments: list[Node] = []
        while not self._take(")"):
            arguments.append(self._expression())
            if self.word != ")":
                self._expect(",")
        return Call(name, tuple(arguments))

    # --- patterns of types ---

    def _pattern(self) -> Node:
        """Returns a type, or the type of a function."""
        inputs = self._patterns() if self.word == "(" else (self._postfix(),)
        if not self._take("->"):
            return inputs[0]
        results = self._patterns() if self.word == "(" else (self._postfix(),)
        return FunctionPattern(inputs, results)

    def _patterns(self) -> tuple[Node, ...]:
        self._expect("(")
        found: list[Node] = []
        while not self._take(")"):
            found.append(self._postfix())
            if self.word != ")":
                self._expect(",")
        return tuple(found)

    def _type_pattern(self, word: str) -> Node:
        self._expect("<")
        arguments: list[Node] = []
        while not self._take(">"):
            arguments.append(self._postfix())
            if self.word != ">":
                self._expect(",")
        return TypePattern(word, tuple(arguments))
