"""The parser that languages of expressions share: what binds more tightly, where a mistake is."""

from __future__ import annotations

import re

import pytest

from shlo.text.expressions import Binary, Constant, ExpressionParser, Node, Slice, Subscript, Unary, walk


class _Sums(ExpressionParser):
    pattern = re.compile(
        r"\s*(?:(?P<number>\d+)|(?P<name>not|and)|(?P<operator>[-+*<\[\],:]|&&)|(?P<end>\Z))"
    )
    precedence = {"and": 1, "<": 2, "+": 3, "*": 4}  # noqa: RUF012
    comparison = 2
    mistakes = {"&&": "and"}  # noqa: RUF012
    error = ValueError

    def unary(self) -> Node:
        if self.accept("-"):
            return Unary("-", self.nested(99))
        if self.token.kind != "number":
            self.refuse_token("a number")
        number: Node = Constant(int(self.advance()))
        while self.accept("["):
            number = self.subscripted(number)
        return number


def _parsed(text: str) -> Node:
    parser = _Sums(text)
    return parser.whole(parser.operators(1))


def test_tighter_operators_are_inside_looser_ones() -> None:
    one, two, three = map(Constant, (1, 2, 3))
    assert _parsed("1 + 2 * 3") == Binary("+", one, Binary("*", two, three))
    assert _parsed("1 + 2 + 3") == Binary("+", Binary("+", one, two), three)
    assert _parsed("not 1 < 2 and 3") == Binary("and", Unary("not", Binary("<", one, two)), three)
    assert _parsed("-1[2:, 3]") == Unary("-", Subscript(one, (Slice(two, None), three)))
    assert [part for part in walk(_parsed("1 + -2")) if isinstance(part, Constant)] == [one, two]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1 < 2 < 3", "expected an operator, got '<', at character 7"),
        ("1 and 2 < 3 < 1", "expected an operator, got '<', at character 13"),
        ("1 + not 2", "expected a number, got 'not', at character 5"),
        ("1 + ", "expected a number, got the end, at character 5"),
        ("1 ? 2", "unexpected '\\?', at character 3"),
        ("1 && 2", "unexpected '&&'; did you mean and\\?, at character 3"),
        ("1[2 3]", "expected ',' or ']', got '3', at character 5"),
        ("-" * 50 + "1", "at most 40 levels deep, at character 42"),
    ],
)
def test_a_mistake_is_named_where_it_is(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        _parsed(text)
