"""Cursor: a position in a text, and the tokens of MLIR's grammar that can follow it.

Inside `shlo.syntax` a text that does not follow the grammar raises SyntaxFault; the module parser catches it,
keeps it as a diagnostic, and goes on at the next operation.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Generator
from contextlib import contextmanager
from typing import ClassVar, Final, Literal, NamedTuple, NoReturn, TypeVar

from shlo.dialects.attr_constraints import AttrDef, EnumDef
from shlo.dialects.opdef import AttributeDef
from shlo.ir.attributes import Attribute
from shlo.ir.diagnostics import Applicability, Diagnostic, Fix, Severity
from shlo.ir.recursion import MAX_DEPTH
from shlo.ir.source import Span
from shlo.ir.suggestions import ChooseWord, CloseString, Expect, Suggestion
from shlo.ir.types import Type
from shlo.support.picklable import PicklableError
from shlo.syntax.lexer.context import NO_EXTENT, AliasTable, AliasUses, Context, Extent
from shlo.syntax.lexer.strings import LITERAL, literal_value
from shlo.syntax.lexer.tokens import BLANKS, CLOSING, COMMENT, DECIMAL, HEXADECIMAL, NAME, STRING
from shlo.syntax.lexer.tokens import IDENTIFIER as IDENTIFIER_PATTERN
from shlo.text.escape import sanitized
from shlo.text.shortening import with_short_words

Item = TypeVar("Item")
Meaning = TypeVar("Meaning", bound=Attribute | Type)

Expectable = Literal["type", "function type", "integers", "operation"] | AttributeDef | EnumDef
"""What the grammar can read: an attribute in the form of its constraint, a word of an enumeration ..."""
EntryOwner = Literal["operation", "argument"] | AttrDef | None
"""Whose entries a list of `name = value` has: an operation's, those of a function's argument or result, or a
struct attribute's; None for a value that is a dictionary."""

MAX_EXPANSION: Final = 1 << 20
"""By how many characters the aliases that an operation or definition uses may lengthen it, beyond the length
of the text: aliases that name others twice double with each line."""
MAX_TOTAL_EXPANSION, MAX_RATIO = 1 << 25, 16
"""By how many characters all uses of aliases may lengthen a text: so many, and so many times its own length.
Lines that are like others are counted once."""
MAX_INTEGER: Final = 2**63 - 1
"""The largest integer where the grammar wants one; attributes may hold larger ones."""

BLANK: Final = re.compile(rf"(?:{BLANKS}++|{COMMENT})*+")
"""Blanks and comments between tokens."""
MAYBE_BLANK: Final = " \t\r\n\0/"
"""First characters of BLANK."""
IDENTIFIER: Final = re.compile(IDENTIFIER_PATTERN, re.ASCII)
WORD: Final = re.compile(r"[A-Za-z_]\w*", re.ASCII)
SUFFIX: Final = re.compile(NAME, re.ASCII)
VALUE: Final = re.compile(rf"%{NAME}(?:#[0-9]+)?", re.ASCII)
INTEGER: Final = re.compile(rf"{HEXADECIMAL}|[0-9]+", re.ASCII)
PLUS: Final = re.compile(r"\+(?=[0-9])", re.ASCII)
FLOAT: Final = re.compile(DECIMAL, re.ASCII)
FOUND: Final = re.compile(rf"{STRING}|[%@#!^][\w$.-]*|[\w$.]+|->|::|.", re.DOTALL)
"""What a message calls the next token: the longest run that a reader takes for one."""


UNENDED: Final = "the string has no end on its line, or a bad escape in it"


class ValueUse(NamedTuple):
    """A value's name as written, without `%` (`arg0`, `5#1`), and its span."""

    name: str
    span: Span


class SyntaxFault(PicklableError):
    """A place where the text does not follow the grammar, what was expected there, and what may be done."""

    def __init__(
        self, message: str, span: Span, code: str = "syntax", suggestions: tuple[Suggestion, ...] = ()
    ) -> None:
        super().__init__(message)
        self.message, self.span, self.code, self.suggestions = message, span, code, suggestions

    @property
    def diagnostic(self) -> Diagnostic:
        """The fault as a finding."""
        return Diagnostic(with_short_words(self.message), self.span, self.code, suggestions=self.suggestions)


class CascadingFault(SyntaxFault):
    """A fault that follows from a reported one: a use of an alias whose definition is broken."""


class Cursor:
    """A position in a text.

    Every method skips blanks and comments first; those that return None leave the position as it was.

    Attributes:
        goes_on: Whether a text that ends inside of brackets is not over yet.
        aliases: The definitions of aliases that the text has so far.
        resources: The values of the text's resource sections by section, dialect (or tool) and key.
        quantized_type: The type that the last elements of a quantized type were written with.
        has_signed_types: Whether the hint about StableHLO's signed integers has been given.
        depth: The level of nesting here.
        deepest: The deepest level within the definition or operation being parsed.
        uses: What the aliases mean that the definition or operation being parsed uses.
        expansion: The characters added by aliases in the definition or operation being parsed.
        total_expansion: The characters added by aliases in the whole text.
        attribute: The attribute or entry whose value is being read, the innermost one.
        looked: How far the operation being parsed has looked for what it does not hold.
    """

    goes_on: ClassVar[bool] = False

    def __init__(self, text: str, context: Context | None = None, pos: int = 0) -> None:
        self.text = text
        self.pos = pos
        self.context = Context() if context is None else context
        self.aliases = AliasTable()
        self.resources: dict[tuple[str, ...], str | bytes] = {}
        self.resources_read = False
        self.diagnostics: list[Diagnostic] = []
        self.quantized_type: Type | None = None
        self.has_signed_types = False
        self.depth = 0
        self.deepest = 0
        self.uses: AliasUses = {}
        self.expansion = 0
        self.total_expansion = 0
        self.attribute = ""
        self.looked = 0
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
        """Returns whether the punctuation or keyword follows (a keyword as a whole word)."""
        if not self.accept(literal):
            return False
        self.pos -= len(literal)
        return True

    def accept(self, literal: str) -> bool:
        """Moves over the punctuation or keyword if it follows."""
        start, text = self.pos, self.text
        if text[start : start + 1] in MAYBE_BLANK:
            start = self.skip()
        if not text.startswith(literal, start):
            return False
        end = start + len(literal)
        if _is_word(literal[-1]) and end < len(text) and _is_word(text[end]):
            return False
        self.pos = end
        return True

    def expect(self, literal: str, context: str = "") -> None:
        """Moves over the punctuation or keyword, which must follow."""
        if not self.accept(literal):
            self.fail_expected(f"'{literal}'{' ' + context if context else ''}", literals=(literal,))

    def match(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """Moves over what the pattern matches here."""
        self.skip()
        match = pattern.match(self.text, self.pos)
        if match:
            self.pos = match.end()
        return match

    def peek(self) -> str:
        """Returns the next character, empty at the end of the text."""
        self.skip()
        return self.text[self.pos : self.pos + 1]

    @property
    def at_end(self) -> bool:
        """Whether only trivia is left of the text."""
        return self.skip() >= len(self.text)

    # --- saying what follows: `ExpectationCursor` collects what fits at the end of an unfinished text

    def expects(self, what: Expectable) -> None:
        """States what the grammar reads next."""

    def expects_entry(self, owner: EntryOwner, written: Collection[str]) -> None:
        """States that the name of an entry is read next, in a list that has some already."""

    def expects_entry_value(self, owner: EntryOwner, name: str) -> None:
        """States that the value of an entry is read next."""

    # --- failing

    def token_span(self) -> Span:
        """Returns the span of the next token (empty at the end of the text)."""
        match = FOUND.match(self.text, self.skip())
        return Span(self.pos, match.end()) if match else Span(self.pos, self.pos)

    def found(self) -> str:
        """Returns the next token in words, for messages."""
        start, end = self.token_span()
        if start == end:
            return "the end of the text"
        token = self.text[start : min(end, start + 40)]
        return f"'{token if token.isprintable() else sanitized(token)}'"

    def fail(
        self,
        message: str,
        span: Span | None = None,
        suggestions: tuple[Suggestion, ...] = (),
        code: str = "syntax",
    ) -> NoReturn:
        """Raises a SyntaxFault, by default at the next token."""
        raise SyntaxFault(message, self.token_span() if span is None else span, code, suggestions)

    def fail_expected(
        self,
        what: str,
        span: Span | None = None,
        *,
        literals: tuple[str, ...] = (),
        words: tuple[str, ...] = (),
        is_type: bool = False,
    ) -> NoReturn:
        """Raises a SyntaxFault where the grammar wants one of some signs and keywords, one of the words of a
        list, or a type: by default at the next token, or where the line ends before a value or `}`, which
        begins something else.
        """
        token = self.found()
        suggestion = ChooseWord(token[1:-1], words) if words else Expect(literals, is_type)
        if span is None and not words and (end := self._line_end()) is not None:
            span, token = Span(end, end), "the end of the line"
        self.fail(f"expected {what}, but found {token}", span, (suggestion,))

    def _line_end(self) -> int | None:
        """Returns where the line before the next token ends, None where that begins no line or is no value or
        `}`."""
        start = self.token_span().start
        if not self.text.startswith(("%", "}"), start):
            return None
        blank_from = start
        while blank_from and self.text[blank_from - 1].isspace():
            blank_from -= 1
        line_start = self.text.rfind("\n", 0, blank_from) + 1
        is_new_line = "\n" in self.text[blank_from:start] and "//" not in self.text[line_start:blank_from]
        return blank_from if is_new_line else None

    def look_to(self, *offsets: int) -> None:
        """Notes that what is parsed depends on the text up to some offsets."""
        self.looked = max(self.looked, *offsets)

    def report_fault(self, fault: SyntaxFault) -> None:
        """Keeps what stopped the parse, unless it follows from what is kept already."""
        self.look_to(self.pos, fault.span.end)
        if not isinstance(fault, CascadingFault):
            self.diagnostics.append(fault.diagnostic)

    def report(
        self,
        message: str,
        span: Span,
        severity: Severity = "error",
        code: str = "syntax",
        suggestions: tuple[Suggestion, ...] = (),
    ) -> None:
        """Keeps a finding that does not stop the parse."""
        message = with_short_words(message)
        self.diagnostics.append(Diagnostic(message, span, code, severity, suggestions=suggestions))

    def hint(self, message: str, span: Span, replacement: str) -> None:
        """Keeps a hint at today's form of legacy syntax, once for each place."""
        fix = Fix(f"write {replacement}", span, replacement, Applicability.CERTAIN)
        finding = Diagnostic(with_short_words(message), span, "spelling", "hint", fix=fix)
        if finding not in self.diagnostics[-4:]:
            self.diagnostics.append(finding)

    # --- pieces

    def identifier(self) -> str | None:
        """Returns a bare identifier, dots and dollars included (`stablehlo.add`)."""
        match = self.match(IDENTIFIER)
        return match[0] if match else None

    def expect_identifier(self, what: str = "an identifier") -> str:
        """Returns an identifier; fails if there is none."""
        name = self.identifier()
        return name if name is not None else self.fail_expected(what)

    def word(self) -> str | None:
        """Returns a keyword or enumeration word, without dots."""
        match = self.match(WORD)
        return match[0] if match else None

    def string(self) -> str | None:
        """Parses a string literal; returns its value."""
        match = self.match(LITERAL)
        if match is None:
            return None
        value = literal_value(match)
        if value is None:
            self.pos = match.start()
            self.fail(UNENDED, suggestions=(CloseString(),))
        return value

    def expect_string(self, what: str = "a string") -> str:
        """Returns the value of a string literal; fails if there is none."""
        value = self.string()
        return value if value is not None else self.fail_expected(what)

    def name_or_string(self, what: str = "a name") -> str:
        """Returns an attribute's name: a bare identifier or a string."""
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

    def expect_symbol(self, what: str = "a symbol '@name'") -> str:
        """Returns the name of `@name`; fails if there is none."""
        name = self.symbol()
        return name if name is not None else self.fail_expected(what)

    def integer(self) -> int | None:
        """Returns a signed integer literal, decimal or hexadecimal."""
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
        """Returns an integer literal; fails if there is none."""
        value = self.integer()
        return value if value is not None else self.fail_expected(what)

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
                self.fail_expected(f"',' or '{close}'", literals=(",", close))

    def sequence(self, item: Callable[[], Item]) -> list[Item]:
        """Items separated by commas, one at least."""
        items = [item()]
        while self.accept(","):
            items.append(item())
        return items

    def integer_list(self) -> tuple[int, ...]:
        """`[1, 2]`."""
        self.expects("integers")
        self.expect("[")
        return tuple(self.comma_list(self.expect_integer, "]"))

    def operand(self) -> ValueUse:
        """Parses a use of a value, `%x`."""
        use = self.operand_or_none()
        if use is None:
            self.fail_expected("an operand such as %0")
        return use

    def operand_or_none(self) -> ValueUse | None:
        """Parses a use of a value, `%x`, or `%x#2` for a result of a pack; None where none follows."""
        match = self.match(VALUE)
        return None if match is None else ValueUse(match[0][1:], Span(*match.span()))

    def operand_sequence(self) -> list[ValueUse]:
        """Parses uses separated by commas, as long as a `%` follows the comma; none where no `%` follows."""
        uses: list[ValueUse] = []
        while (use := self.operand_or_none()) is not None:
            uses.append(use)
            before = self.pos
            if not self.accept(","):
                break
            if not self.at("%"):
                self.pos = before
                break
        return uses

    # --- nesting and aliases

    @contextmanager
    def measured(self) -> Generator[Callable[[], Extent]]:
        """Yields a function that returns the extent of what is parsed inside: depth, aliases' characters."""
        outer, outer_uses = (self.deepest, self.expansion), self.uses
        depth = self.deepest = self.depth
        self.expansion, self.uses = 0, {}
        try:
            yield lambda: Extent(self.deepest - depth, self.expansion)
        finally:
            self.deepest, self.expansion = outer
            outer_uses.update(self.uses)
            self.uses = outer_uses

    def use_alias(self, sign: str, name: str, value: Meaning | None, span: Span) -> Meaning:
        """Returns what `#name` or `!name` means, and accounts for the use; fails where it is not defined,
        nests too deep or is too long here."""
        if value is None:
            fault = CascadingFault if sign + name in self.aliases.broken else SyntaxFault
            kind = "type" if sign == "!" else "attribute"
            raise fault(f"the {kind} alias '{sign}{name}' is not defined", span)
        self.uses[sign + name] = value
        extent = self.aliases.extents.get(sign + name, NO_EXTENT)
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
        return value

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


def parse_bool(cursor: Cursor) -> bool:
    """Returns whether `true` follows rather than `false`; fails if neither does."""
    if not (cursor.at("true") or cursor.at("false")):
        cursor.fail_expected("true or false")
    return cursor.word() == "true"


def _is_word(character: str) -> bool:
    return character.isalnum() or character in "_$."


def _to_int(digits: str) -> int | None:
    if digits.startswith("0x"):
        return int(digits, 16) if len(digits) <= 3000 else None
    return int(digits) if len(digits) <= 4000 else None


# -- Brackets in the bodies of dialects' types and attributes, of which MLIR only says that the --------------


_OPENING: Final = {opening: closing for closing, opening in CLOSING.items()}
_STEP: Final = re.compile(rf"{STRING}|->|[<\[{{(>\]}})\0]")


def balanced_end(cursor: Cursor, start: int) -> int:
    """Returns the offset behind the bracket that closes the one at `start`, past strings and arrows."""
    open_brackets: list[tuple[str, int]] = []
    for match in _STEP.finditer(cursor.text, start):
        token, at = match[0], match.start()
        cursor.look_to(match.end())
        if token[0] == '"':
            literal = LITERAL.match(token)
            if literal is None or literal_value(literal) is None or "\0" in token:
                cursor.fail(UNENDED, Span(at, at + 1), (CloseString(),))
        elif token in _OPENING:
            open_brackets.append((_OPENING[token], at))
        elif token == "\0":
            break
        elif len(token) == 1 and open_brackets.pop()[0] != token:
            cursor.fail(f"'{token}' closes a bracket of another kind", Span(at, at + 1))
        if not open_brackets:
            return match.end()
    if cursor.goes_on:
        return len(cursor.text)
    cursor.look_to(len(cursor.text))
    opening = open_brackets[-1][1] if open_brackets else start
    return cursor.fail(f"the '{cursor.text[opening]}' is never closed", Span(opening, opening + 1))


def is_balanced(text: str) -> bool:
    """Returns whether a text's last character closes the bracket at its start, all between balancing."""
    try:
        return balanced_end(Cursor(text), 0) == len(text)
    except SyntaxFault:
        return False
