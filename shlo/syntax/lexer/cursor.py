"""Parses tokens: a place in a text, and the pieces of MLIR's grammar that can follow it.

Inside `shlo.syntax` a text that does not follow the grammar raises SyntaxFault; the module parser catches
it, keeps it as a diagnostic, and goes on at the next operation.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple, NoReturn, TypeVar

from shlo.ir.attributes import Attribute
from shlo.ir.diagnostics import Diagnostic, Fix, Severity
from shlo.ir.locations import LocationAlias
from shlo.ir.recursion import MAX_DEPTH
from shlo.ir.source import Span
from shlo.ir.types import Type

if TYPE_CHECKING:
    from shlo.syntax.parser.fast_path import LineTemplates

Item = TypeVar("Item")


class Extent(NamedTuple):
    """What an alias stands for, measured: how many levels it nests, and how many characters its text has with
    all aliases in it replaced."""

    depth: int = 0
    size: int = 0


NO_EXTENT = Extent()

MAX_EXPANSION = 1 << 20
"""By how many characters the aliases that an operation or definition uses may lengthen it, beyond the length
of the text: aliases that name others twice double with each line."""
MAX_TOTAL_EXPANSION, MAX_RATIO = 1 << 25, 16
"""By how many characters all uses of aliases may lengthen a text: so many, and so many times its own length.
Lines that are like others are counted once."""

BLANK = re.compile(r"(?:[ \t\r\n\0]++|//[^\n]*+)*+")
"""What may be passed over; MLIR takes a NUL for a blank."""
MAX_INTEGER = 2**63 - 1
"""The largest integer where the grammar wants one; attributes may hold larger ones."""

MAYBE_BLANK = " \t\r\n\0/"
"""With one of these (or nothing) begins all that may be passed over."""
IDENTIFIER = re.compile(r"[A-Za-z_][\w$.]*", re.ASCII)
WORD = re.compile(r"[A-Za-z_]\w*", re.ASCII)
SUFFIX = re.compile(r"[0-9]+|[A-Za-z_$.-][\w$.-]*", re.ASCII)
VALUE = re.compile(r"%(?:[0-9]+|[A-Za-z_$.-][\w$.-]*)(?:#[0-9]+)?", re.ASCII)
INTEGER = re.compile(r"0x[0-9a-fA-F]+|[0-9]+", re.ASCII)
PLUS = re.compile(r"\+(?=[0-9])", re.ASCII)
FLOAT = re.compile(r"[0-9]+\.[0-9]*(?:[eE][-+]?[0-9]+)?", re.ASCII)
STRING = re.compile(r'"((?:[^"\\\n\v\f]++|\\(?:[nt"\\]|[0-9a-fA-F]{2}))*+)"')
ESCAPE = re.compile(r'\\(?:([nt"\\])|([0-9a-fA-F]{2}))')
TOKEN = re.compile(r'"(?:[^"\\\n]++|\\.)*+"?|[%@#!^][\w$.-]*|[\w$.]+|->|::|.', re.DOTALL)


class SyntaxFault(Exception):
    """A place where the text does not follow the grammar, what was expected there, and what may be done."""

    def __init__(self, message: str, span: Span, code: str = "syntax", help: str = "") -> None:
        super().__init__(message)
        self.message, self.span, self.code, self.help = message, span, code, help

    @property
    def diagnostic(self) -> Diagnostic:
        """The fault as a finding."""
        return Diagnostic(self.message, self.span, self.code, help=self.help)


class CascadingFault(SyntaxFault):
    """A fault that follows from a reported one: a use of an alias whose definition is broken."""


class Context:
    """What the readings of one document share: interned types, and the skeletons of lines (by default
    dialect). One per document or load, never global. Where `reads_mhlo`, operations of MHLO are read as those
    of StableHLO and chlo that mean the same."""

    __slots__ = ("line_templates", "reads_mhlo", "types")

    def __init__(self, reads_mhlo: bool = False) -> None:
        self.reads_mhlo = reads_mhlo
        self.types: dict[Type, Type] = {}
        self.line_templates: dict[str, LineTemplates] = {}

    def intern(self, type_: Type) -> Type:
        """The one object that stands for this type in the document."""
        return self.types.setdefault(type_, type_)


class Cursor:
    """A place in a text. Every method skips blanks and comments first; those that return None leave the
    place as it was. `quantized_type` is what the last elements of a quantized type were written with,
    `has_signed_types` says that the hint at StableHLO's integers has been given. `depth` is the level of
    nesting here; `deepest` and `expansion` are the deepest level and the characters added by aliases in the
    definition or operation that is being read, `total_expansion` those in the whole text, `extents` what was
    measured of the aliases, by their signs and names, `broken_aliases` the signs and names of those whose
    definitions cannot be read."""

    def __init__(self, text: str, context: Context | None = None, pos: int = 0) -> None:
        self.text = text
        self.pos = pos
        self.context = Context() if context is None else context
        self.attribute_aliases: dict[str, Attribute] = {}
        self.type_aliases: dict[str, Type] = {}
        self.location_aliases: dict[str, LocationAlias] = {}
        self.alias_places: dict[str, Span] = {}
        self.extents: dict[str, Extent] = {}
        self.broken_aliases: set[str] = set()
        self.resources: dict[tuple[str, ...], str | bytes] = {}
        self.resources_read = False
        self.diagnostics: list[Diagnostic] = []
        self.quantized_type: Type | None = None
        self.has_signed_types = False
        self.depth = 0
        self.deepest = 0
        self.expansion = 0
        self.total_expansion = 0
        self._passed = (0, 0)

    # --- moving

    def skip(self) -> int:
        """Moves over blanks and comments; gives the place."""
        if self.text[self.pos : self.pos + 1] not in MAYBE_BLANK:
            return self.pos
        match = BLANK.match(self.text, self.pos)
        assert match
        if match.end() > self.pos:
            self._passed = match.span()
            self.pos = match.end()
        return self.pos

    @property
    def end_of_code(self) -> int:
        """The place, without the blanks and comments that were passed over last."""
        start, end = self._passed
        return start if end == self.pos else self.pos

    def leave_nothing_out(self) -> None:
        """Makes what was passed over last belong to the code."""
        self._passed = (self.pos, self.pos)

    def at(self, literal: str) -> bool:
        """Whether the punctuation or keyword follows (a keyword as a whole word)."""
        start = self.skip()
        if not self.text.startswith(literal, start):
            return False
        end = start + len(literal)
        return not (_is_word(literal[-1]) and end < len(self.text) and _is_word(self.text[end]))

    def accept(self, literal: str) -> bool:
        """Moves over the punctuation or keyword if it follows."""
        if not self.at(literal):
            return False
        self.pos += len(literal)
        return True

    def expect(self, literal: str, context: str = "") -> None:
        """Moves over the punctuation or keyword, which must follow."""
        if not self.accept(literal):
            self.fail(f"expected '{literal}'{' ' + context if context else ''}, but found {self.found()}")

    def match(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """Moves over what the pattern matches here."""
        self.skip()
        match = pattern.match(self.text, self.pos)
        if match:
            self.pos = match.end()
        return match

    def peek(self) -> str:
        """The next character, empty at the end of the text."""
        self.skip()
        return self.text[self.pos : self.pos + 1]

    @property
    def at_end(self) -> bool:
        return self.skip() >= len(self.text)

    # --- failing

    def token_span(self) -> Span:
        """The span of the next token (empty at the end of the text)."""
        match = TOKEN.match(self.text, self.skip())
        return Span(self.pos, match.end()) if match else Span(self.pos, self.pos)

    def found(self) -> str:
        """The next token in words, for messages."""
        start, end = self.token_span()
        if start == end:
            return "the end of the text"
        token = self.text[start : min(end, start + 40)]
        return f"'{token}'" if token.isprintable() else repr(token)

    def fail(self, message: str, span: Span | None = None, help: str = "", code: str = "syntax") -> NoReturn:
        """Raises a SyntaxFault, by default at the next token."""
        raise SyntaxFault(message, self.token_span() if span is None else span, code, help)

    def fail_at_alias(self, alias: str, message: str, span: Span) -> NoReturn:
        """Raises a SyntaxFault for `#name` or `!name`, which stands for nothing here."""
        raise (CascadingFault if alias in self.broken_aliases else SyntaxFault)(message, span)

    def report_fault(self, fault: SyntaxFault) -> None:
        """Keeps what stopped the reading, unless it follows from what is kept already."""
        if not isinstance(fault, CascadingFault):
            self.diagnostics.append(fault.diagnostic)

    def report(
        self, message: str, span: Span, severity: Severity = "error", code: str = "syntax", help: str = ""
    ) -> None:
        """Keeps a finding that does not stop the reading."""
        self.diagnostics.append(Diagnostic(message, span, code, severity, help=help))

    def hint(self, message: str, span: Span, replacement: str) -> None:
        """Keeps a hint at today's spelling of what is read all the same; once for each place."""
        fix = Fix(f"Write {replacement}", span, replacement)
        found = Diagnostic(message, span, "spelling", "hint", fix=fix)
        if found not in self.diagnostics[-4:]:
            self.diagnostics.append(found)

    # --- pieces

    def identifier(self) -> str | None:
        """A bare identifier, dots and dollars included (`stablehlo.add`)."""
        match = self.match(IDENTIFIER)
        return match[0] if match else None

    def expect_identifier(self, what: str = "an identifier") -> str:
        name = self.identifier()
        return name if name is not None else self.fail(f"expected {what}, but found {self.found()}")

    def word(self) -> str | None:
        """A keyword or enumeration word, without dots."""
        match = self.match(WORD)
        return match[0] if match else None

    def value_name(self) -> str | None:
        """A use or definition of a value, with its `%` and, for a result of a pack, its `#2`."""
        match = self.match(VALUE)
        return match[0] if match else None

    def string(self) -> str | None:
        """A string literal's value."""
        match = self.match(STRING)
        if match:
            return unescape(match[1])
        if self.peek() == '"':
            self.fail("the string has no end on its line, or a bad escape in it")
        return None

    def expect_string(self, what: str = "a string") -> str:
        value = self.string()
        return value if value is not None else self.fail(f"expected {what}, but found {self.found()}")

    def name_or_string(self, what: str = "a name") -> str:
        """An attribute's name: a bare identifier or a string."""
        value = self.string()
        return value if value is not None else self.expect_identifier(what)

    def symbol(self) -> str | None:
        """`@name` or `@"any text"`, without nested parts."""
        start = self.skip()
        if not self.text.startswith("@", start):
            return None
        self.pos = start + 1
        if self.text.startswith('"', self.pos):
            return self.expect_string()
        match = IDENTIFIER.match(self.text, self.pos)
        if not match:
            self.pos = start
            self.fail("expected a symbol's name after '@'")
        self.pos = match.end()
        return match[0]

    def integer(self) -> int | None:
        """A signed integer literal, decimal or hexadecimal."""
        start = self.skip()
        negative = self.accept("-")
        if not negative:
            self.plus()
        match = INTEGER.match(self.text, self.skip())
        if not match or FLOAT.match(self.text, self.pos):
            self.pos = start
            return None
        self.pos = match.end()
        value = _to_int(match[0])
        if value is None or value > MAX_INTEGER:
            self.fail("the integer does not fit into 64 bits", Span(start, match.end()))
        return -value if negative else value

    def plus(self) -> None:
        """Moves over a plus sign before a digit, which numbers do not have today."""
        start = self.skip()
        if PLUS.match(self.text, start):
            self.pos += 1
            self.hint("a number has no plus sign today", Span(start, start + 1), "")

    def expect_integer(self, what: str = "an integer") -> int:
        value = self.integer()
        return value if value is not None else self.fail(f"expected {what}, but found {self.found()}")

    def comma_list(self, item: Callable[[], Item], close: str) -> list[Item]:
        """Items separated by commas up to and over the closing punctuation; the opening one has been read."""
        items: list[Item] = []
        if self.accept(close):
            return items
        while True:
            items.append(item())
            if self.accept(close):
                return items
            if not self.accept(","):
                self.fail(f"expected ',' or '{close}', but found {self.found()}")

    def integer_list(self) -> tuple[int, ...]:
        """`[1, 2]`."""
        self.expect("[")
        return tuple(self.comma_list(self.expect_integer, "]"))

    def location_alias(self, name: str, use: Span) -> LocationAlias:
        """The location that `#name` stands for, known by now or not."""
        alias = self.location_aliases.get(name)
        if alias is None:
            alias = self.location_aliases[name] = LocationAlias(name)
            self.alias_places[name] = use
        return alias

    def measure_alias(self, sign: str, name: str, span: Span) -> None:
        """Accounts for a use of `#name` or `!name`; fails where what it stands for nests too deep here, or
        makes what is being read too long."""
        extent = self.extents.get(sign + name, NO_EXTENT)
        depth = self.depth - 1 + extent.depth  # the alias itself is no level
        self.deepest = max(self.deepest, depth)
        self.expansion += extent.size
        if depth > MAX_DEPTH:
            self.fail(f"'{sign}{name}' makes this nest more than {MAX_DEPTH} levels deep", span)
        self.total_expansion += extent.size
        limit = MAX_EXPANSION + len(self.text)
        if self.expansion > limit:
            self.fail(f"'{sign}{name}' makes this longer than {limit:,} characters", span)
        limit = MAX_TOTAL_EXPANSION + MAX_RATIO * len(self.text)
        if self.total_expansion > limit:
            self.fail(f"with '{sign}{name}' aliases make the text longer than {limit:,} characters", span)

    def nested(self, parse: Callable[[], Item]) -> Item:
        """Parses something that may contain itself; deeper than MAX_DEPTH it is refused."""
        if self.depth >= MAX_DEPTH:
            self.fail(f"nested more than {MAX_DEPTH} levels deep")
        self.depth += 1
        self.deepest = max(self.deepest, self.depth)
        try:
            return parse()
        finally:
            self.depth -= 1


def unescape(body: str) -> str:
    """The value of a string literal from what stands between its quotes; bytes beyond UTF-8 as surrogate
    escapes."""
    if "\\" not in body:
        return body
    raw = ESCAPE.sub(_unescape_one, body)
    return utf8(raw).decode("utf-8", "surrogateescape")


def utf8(text: str) -> bytes:
    """The bytes of a text in which surrogate escapes stand for bytes; other lone surrogates become `?`."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace")


def _unescape_one(match: re.Match[str]) -> str:
    if match[2]:
        code = int(match[2], 16)
        return chr(code) if code < 0x80 else chr(0xDC00 + code)
    return {"n": "\n", "t": "\t"}.get(match[1], match[1])


def _is_word(character: str) -> bool:
    return character.isalnum() or character in "_$."


def _to_int(digits: str) -> int | None:
    if digits.startswith("0x"):
        return int(digits, 16) if len(digits) <= 3000 else None
    return int(digits) if len(digits) <= 4000 else None
