"""What may come next in an operation that is being typed: its assembly format, followed up to the cursor."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Literal as Word

from msgspec import Struct

from shlo.dialects.opdef import AttributeDef, OpDef
from shlo.syntax.assembly_format.spec import (
    AllOperands,
    AttrDict,
    AttributeItem,
    Custom,
    Item,
    Literal,
    OperandItem,
    OptionalGroup,
    RegionItem,
    TypeItem,
    format_of,
)
from shlo.syntax.lexer.tokens import CLOSING, Token

MAX_TOKENS = 2_000
"""How many tokens of an operation are followed."""
OPENING = frozenset(CLOSING.values())

ExpectedKind = Word["value", "attribute", "keyword", "types", "colon", "operation", "anything"]


class Expected(Struct, frozen=True):
    """Something that fits at the cursor: a keyword with the `text` that it begins, or the value of the
    attribute `spec`, within whose brackets the cursor is where `inside` is set."""

    kind: ExpectedKind
    spec: AttributeDef | None = None
    text: str = ""
    inside: bool = False


class _Brackets(Struct, frozen=True):
    """A list in brackets; what is in it is an attribute's value where it has words."""

    attribute: str = ""
    snippet: str = "[«0»]"


class _Rest(Struct, frozen=True):
    """All up to the end, of which nothing is known."""


class _Operation(Struct, frozen=True):
    """The name of an operation."""


_Part = Item | _Brackets | _Rest | _Operation


def _entry(name: str, attribute: str = "", *, second: bool = False, snippet: str = "[«0»]") -> list[_Part]:
    """Returns the parts of `name = [...]`, or `name = [...] x [...]`."""
    parts: list[_Part] = [Literal(name), Literal("="), _Brackets(attribute, snippet)]
    return [*parts, Literal("x"), _Brackets(attribute, snippet)] if second else parts


_COMMA = Literal(",")
_PRECISION = _entry("precision", "precision_config", snippet="[«DEFAULT»]")
_WINDOW = {
    "stride": "window_strides",
    "pad": "padding",
    "lhs_dilate": "lhs_dilation",
    "rhs_dilate": "rhs_dilation",
    "reverse": "window_reversal",
}


class _Optional(Struct, frozen=True):
    """Parts that are there together or not at all."""

    parts: tuple[_Part, ...]


_Parts = Sequence[_Part | _Optional]


def _optional(*parts: _Part) -> _Optional:
    return _Optional(parts)


def _grammar(op_def: OpDef, name: str) -> tuple[_Part | _Optional, ...]:
    """Returns the parts of a directive that has functions of its own."""
    match name:
        case "dot_dimension_numbers":
            batching = _entry("batching_dims", "dot_dimension_numbers", second=True)
            contracting = _entry("contracting_dims", "dot_dimension_numbers", second=True)
            return (_optional(*batching, _COMMA), *contracting)
        case "precision_config":
            return (_optional(_COMMA, *_PRECISION),)
        case "precision_config_and_algorithm":
            algorithm = op_def.attribute("algorithm")
            assert algorithm is not None
            named = (_COMMA, Literal("algorithm"), Literal("="), AttributeItem(algorithm))
            return (_optional(_COMMA, *_PRECISION), _optional(*named))
        case "slice_ranges":
            return (_Brackets(),)
        case "convolution_dimensions":
            shown = _Brackets("dimension_numbers")
            return (shown, Literal("x"), shown, Literal("->"), shown)
        case "window_attributes":
            return tuple(_optional(*_entry(*each), OptionalGroup((_COMMA,))) for each in _WINDOW.items())
        case "while":
            pair = (OperandItem("", "one"), Literal("="), OperandItem("", "one"))
            more = tuple(_optional(_COMMA, *pair) for _ in range(8))
            return (Literal("("), _optional(*pair), *more, Literal(")"), Literal(":"), TypeItem("results"))
        case "reduce":
            return (
                Literal("("),
                OperandItem("", "one"),
                Literal("init"),
                Literal(":"),
                OperandItem("", "one"),
                Literal(")"),
                _optional(_COMMA, _Rest()),
                _optional(Literal("applies"), _Operation()),
                Literal("across"),
                *_entry("dimensions", "dimensions"),
                Literal(":"),
                TypeItem("function"),
            )
        case "constant" | "exponent_mantissa" | "function" | "module":
            return ()
        case _:
            return (_Rest(),)


@cache
def _parts(op_def: OpDef) -> tuple[_Part | _Optional, ...] | None:
    form = format_of(op_def)
    return tuple(form.items) if form else None


def expected(op_def: OpDef, tokens: Sequence[Token], *, is_generic: bool) -> list[Expected]:
    """Returns what fits behind some tokens of an operation that follow its name, each once, in the order of
    its format."""
    parts = _parts(op_def)
    if len(tokens) > MAX_TOKENS:
        return []
    if is_generic or parts is None:
        parts = _GENERIC
    matcher = _Matcher(op_def, tokens)
    matcher.run(parts, {0})
    return list(dict.fromkeys(matcher.found))


@cache
def attribute_words(op_def: OpDef) -> dict[str, AttributeDef]:
    """Returns the attributes that an operation's pretty form shows, in its order, by the words that it has
    for them: `dims` for `permutation`, or their names."""
    words: dict[str, AttributeDef] = {}
    pending, before, word = list(_parts(op_def) or ()), "", ""
    while pending:
        part = pending.pop(0)
        spec = None
        match part:
            case Literal("="):
                word = before
            case Literal(text):
                before = text
            case OptionalGroup(items):
                pending[:0] = items
            case _Optional(parts):
                pending[:0] = parts
            case Custom(name):
                pending[:0] = _grammar(op_def, name)
            case AttributeItem(spec):
                pass
            case _Brackets(attribute):
                spec = op_def.attribute(attribute)
            case _:
                word = ""
        if spec is not None:
            if word or spec not in words.values():
                words.setdefault(word or spec.name, spec)
            word = ""
    return words


_GENERIC: tuple[_Part | _Optional, ...] = (
    Literal("("),
    OperandItem("", "variadic"),
    Literal(")"),
    _optional(_Brackets()),
    _optional(Literal("<"), AttrDict(False), Literal(">")),
    _optional(Literal("("), RegionItem(0), Literal(")")),
    AttrDict(False),
    Literal(":"),
    TypeItem("function"),
)


class _Matcher:
    """Follows the parts of a format through tokens; what would be behind the last one is found."""

    def __init__(self, op_def: OpDef, tokens: Sequence[Token]) -> None:
        self.op_def, self.tokens, self.found = op_def, tokens, list[Expected]()

    def run(self, parts: _Parts, starts: set[int]) -> set[int]:
        """Returns where parts that start at some tokens can end."""
        for number, part in enumerate(parts):
            behind = parts[number + 1 :]
            starts = {end for start in sorted(starts) for end in self._step(part, start, behind)}
            if not starts:
                break
        return starts

    def _step(self, part: _Part | _Optional, at: int, behind: _Parts) -> Iterator[int]:  # noqa: C901 - a match
        match part:
            case Literal(text):
                yield from self._literal(text, at, behind)
            case OperandItem(arity=arity):
                yield from self._values(at, arity == "variadic")
                if arity != "one":
                    yield at
            case AllOperands():
                yield from self._values(at, True)
            case AttributeItem(spec):
                yield from self._attribute(spec, at)
            case _Brackets(attribute):
                spec = self.op_def.attribute(attribute) if attribute else None
                yield from self._bracketed(at, spec)
            case OptionalGroup(items):
                yield at
                yield from self.run(items, {at})
            case _Optional(parts):
                yield at
                yield from self.run(parts, {at})
            case AttrDict(keyword):
                yield at
                start = at + 1 if keyword and self._text(at) == "attributes" else at
                if self._text(start) == "{":
                    yield from self._bracketed(start, None)
            case TypeItem():
                yield from self._types(at)
            case RegionItem():
                if self._text(at) == "{":
                    yield from self._bracketed(at, None)
            case Custom(name):
                yield from self.run(_grammar(self.op_def, name), {at})
            case _Operation():
                yield from self._expect(at, Expected("operation"))
            case _Rest():
                self.found.append(Expected("anything"))

    def _text(self, at: int) -> str:
        return self.tokens[at].text if at < len(self.tokens) else ""

    def _expect(self, at: int, expected: Expected) -> Iterator[int]:
        """Finds something where no token is left; else goes on behind the token."""
        if at < len(self.tokens):
            yield at + 1
        else:
            self.found.append(expected)

    def _literal(self, text: str, at: int, behind: _Parts) -> Iterator[int]:
        if not text:
            yield at
        elif at == len(self.tokens):
            if text == ":":
                self.found.append(Expected("colon"))
            elif text[0].isalpha() and text != "x":
                self.found.append(self._keyword(text, behind))
        elif self._text(at) == text:
            yield at + 1
        elif text == "x" and self._text(at).startswith("x"):
            yield at + 1  # `[1] x[0]`

    def _keyword(self, text: str, behind: _Parts) -> Expected:
        """Returns a keyword with what follows it: `dims = [«0»]`."""
        spec, written = None, [text]
        for part in behind:
            match part:
                case Literal("="):
                    written.append("=")
                case Literal("x"):
                    written.append("x")
                case AttributeItem(spec):
                    written.append(spec.constraint.format_snippet or spec.constraint.snippet)
                case _Brackets(attribute, snippet):
                    spec = self.op_def.attribute(attribute) if attribute else spec
                    written.append(snippet)
                case _:
                    break
        return Expected("keyword", spec, " ".join(written) if len(written) > 2 else text)

    def _values(self, at: int, many: bool) -> Iterator[int]:
        while True:
            if at == len(self.tokens):
                self.found.append(Expected("value"))
                return
            if self.tokens[at].kind != "value":
                return
            at += 1
            yield at
            if not many or self._text(at) != ",":
                return
            at += 1

    def _attribute(self, spec: AttributeDef, at: int) -> Iterator[int]:
        if at == len(self.tokens):
            self.found.append(Expected("attribute", spec))
            return
        if self._text(at) in OPENING:
            yield from self._bracketed(at, spec)
            return
        token = self.tokens[at]
        if token.kind in ("value", "label") or token.text in (",", ":", "->"):
            return
        at += 2 if token.text == "-" else 1
        yield at
        if self._text(at) == "<":
            yield from self._bracketed(at, spec)

    def _bracketed(self, at: int, spec: AttributeDef | None) -> Iterator[int]:
        """Goes behind what is in brackets; the cursor may be in them."""
        if at == len(self.tokens) or self._text(at) not in OPENING:
            return
        end = next(self._closed(at), None)
        if end is not None:
            yield end
        elif spec is not None:
            self.found.append(Expected("attribute", spec, inside=True))

    def _types(self, at: int) -> Iterator[int]:
        """Goes behind any number of tokens outside of brackets."""
        self.found += [] if any(each.kind == "types" for each in self.found) else [Expected("types")]
        yield from self._closed(at)

    def _closed(self, at: int) -> Iterator[int]:
        """Yields the places behind the tokens after which no bracket is open."""
        depth = 0
        for number in range(at, len(self.tokens)):
            text = self.tokens[number].text
            depth += (text in OPENING) - (text in CLOSING)
            if depth == 0:
                yield number + 1
