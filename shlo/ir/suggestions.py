"""Suggestions: what may be done about a finding, as data. Help texts are rendered from them; editors, `--fix`
and JSON use the data itself.

A suggestion speaks of a member of the operation (`lhs`, `dimensions`, `body`), of an entry of its text, or of
the text where the finding is. The verifier adds what the program calls a member: `%w` for the second operand.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from typing import Any, ClassVar, Final, Literal, cast

from msgspec import Struct
from msgspec.structs import replace

from shlo.ir.types import Type


class Applicability(StrEnum):
    """How far a fix can be trusted. Only a certain one is ever applied, or preferred, without a person."""

    CERTAIN = "certain"
    """A rule of the language determines it: no other edit of that place gives a valid program."""
    LIKELY = "likely"
    """It removes the finding and brings no other one; what the author meant may be something else."""
    GUESS = "guess"
    """One of several ways, or one that brings other findings."""


# --- what a suggestion speaks of

MemberRole = Literal["operand", "result", "attribute", "region", ""]

FACETS: Final[Mapping[str, str]] = {
    "argument": "argument {n} of {of}",
    "argument_types": "the types of the arguments of {of}",
    "bitwidth": "the width in bits of the elements of {of}",
    "count": "the number of {of}",
    "dimension": "dimension {n} of {of}",
    "dimensions": "dimensions {text} of {of}",
    "element_type": "the element type of {of}",
    "elements": "the number of elements of {of}",
    "expressed_type": "the expressed type of the elements of {of}",
    "future_types": "the types behind {of}",
    "item": "{of}{text}",
    "length": "the length of {of}",
    "number": "number {n} of {of}",
    "part": "the part {text} of {of}",
    "product": "the product of {of}",
    "quantization_dimension": "the quantized dimension of {of}",
    "rank": "the rank of {of}",
    "returned": "value {n} of what {of} returns",
    "returns": "what {of} returns",
    "scales": "the scales of {of}",
    "shape": "the shape of {of}",
    "storage_type": "the storage type of the elements of {of}",
    "type": "the type of {of}",
    "without": "{of} without {text}",
    "zero_points": "the zero points of {of}",
}
"""What a facet of something is called."""


class Facet(Struct, frozen=True):
    """A part or a property of a member, or of a facet of it.

    `numbers` are axes, an item's index, or where a part begins and ends; `text` is how messages write them.
    """

    kind: str
    numbers: tuple[int | None, ...] = ()
    text: str = ""


class Subject(Struct, frozen=True):
    """What a suggestion changes: facets, inner ones first, of a member of the operation or, where that is a
    list of values or regions, of its element `number`. The verifier fills in the role, the number among all
    operands, results or regions of the operation, and the name that the program has for it."""

    member: str
    number: int | None = None
    facets: tuple[Facet, ...] = ()
    role: MemberRole = ""
    index: int = 0
    name: str = ""

    def of(self, kind: str, *numbers: int | None, text: str = "") -> Subject:
        """Returns a facet of the subject."""
        return replace(self, facets=(*self.facets, Facet(kind, numbers, text)))

    def __str__(self) -> str:
        text = self.name or self.member + ("" if self.number is None else f"[{self.number}]")
        for facet in self.facets:
            number = facet.numbers[0] if facet.numbers else ""
            text = FACETS[facet.kind].format(of=text, n=number, text=facet.text)
        return text


QUALITIES: Final[Mapping[str, str]] = {
    "is_bool": "of boolean type",
    "is_complex": "of complex type",
    "is_empty": "empty",
    "is_float": "of floating-point type",
    "is_integer": "of integer type",
    "is_namespaced_op_name": 'an operation\'s name with its dialect, as in "dialect.name"',
    "is_per_axis_quantized": "quantized along a dimension",
    "is_per_tensor_quantized": "quantized with one scale",
    "is_quantized": "quantized",
    "is_static": "of static shape",
    "is_static_or_bounded": "of static shape, or bounded in one dimension",
    "is_sub_channel_quantized": "quantized in blocks",
    "is_tensor": "a tensor",
    "is_tensor_value": "a list of numbers",
    "is_token": "a token",
    "is_tuple": "a tuple",
    "is_unsigned": "of unsigned integer type",
}
"""What the predicates of formulas say of their first argument."""

RELATIONS: Final[Mapping[str, str]] = {
    "=": "{value}",
    "<": "less than {value}",
    "<=": "at most {value}",
    ">": "greater than {value}",
    ">=": "at least {value}",
    "!=": "something else than {value}",
    "in": "one of {value}",
    "not in": "none of {value}",
    "range": "a number from {low} to {high}",
    "multiple": "a multiple of {value}",
    "permutation": "a permutation of {all}, such as {value}",
    "is": "{quality}",
    "is not": "something that is not {quality}",
    "kind": "a value of this kind: {text}",
}
"""What a value is to be, by the relation to what the suggestion names."""

LISTED: Final = 12
"""Elements of a list that a message shows."""


def shown(value: Any) -> str:
    """Returns a value (a number, a type, a word, a list of these) as messages show it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None:
        return "absent"
    if type(value) is str:
        return f'"{value}"'
    if isinstance(value, tuple):
        items = cast("tuple[Any, ...]", value)
        return f"[{', '.join(map(shown, items[:LISTED]))}{', ...' if len(items) > LISTED else ''}]"
    return str(value)


# --- suggestions


def _kebab_case(name: str) -> str:
    return "".join(f"-{letter.lower()}" if letter.isupper() else letter for letter in name).lstrip("-")


class Suggestion(Struct, frozen=True, kw_only=True, tag_field="kind", tag=_kebab_case):
    """What may be done about a finding. `text` says it in words, "" where the message does."""

    applicability: Applicability = Applicability.GUESS

    template: ClassVar[str] = ""

    @property
    def text(self) -> str:
        """The suggestion in words: its own `words`, or those of its kind."""
        return getattr(self, "words", "") or self.template.format(self)


class Advise(Suggestion, frozen=True):
    """Advice that only a person can follow."""

    words: str
    template: ClassVar[str] = "{0.words}"


def advise(words: str) -> tuple[Suggestion, ...]:
    """Returns plain advice, where there is any."""
    return (Advise(words),) if words else ()


class MemberSuggestion(Suggestion, frozen=True):
    """A suggestion that changes a member of the operation."""

    subject: Subject


class Set(MemberSuggestion, frozen=True):
    """Makes a facet of a member a value, or brings it into a relation to one. `like` is a type with it.

    The relation "is" names a quality (a predicate of formulas), "range" a pair of bounds, "kind" a constraint
    in words.
    """

    relation: str
    value: Any
    like: Type | None = None

    @property
    def items(self) -> tuple[Any, ...]:
        """The items of the value, none where it is no list."""
        value = self.value
        return cast("tuple[Any, ...]", value) if isinstance(value, tuple) else ()

    @property
    def text(self) -> str:
        """`make dimension 0 of %x at least 3`."""
        return f"make {self.subject} {self._wanted()}"

    def _wanted(self) -> str:
        low, high = self.items if self.relation == "range" else (0, 0)
        words = RELATIONS[self.relation].format(
            value=self._shown_value(),
            low=low,
            high=high,
            all=shown(tuple(range(len(self.items)))),
            quality=QUALITIES.get(str(self.value), ""),
            text=self.value,
        )
        return f"{words}, as in {self.like}" if self.like and self.relation != "kind" else words

    def _shown_value(self) -> str:
        """Types of a list are written without brackets."""
        kind = self.subject.facets[-1].kind if self.subject.facets else ""
        if kind in ("argument_types", "returns", "future_types"):
            return shown(self.value)[1:-1] or "none"
        return shown(self.value)


class SetType(Set, frozen=True):
    """Gives an operand or a result another type, or one with another facet."""


class SetAttribute(Set, frozen=True):
    """Gives an attribute another value, or one with another item or length."""


class SetRegion(Set, frozen=True):
    """Gives what a region takes or returns other types."""


class FittingType(Struct, frozen=True):
    """A type of a list: None is a scalar tensor with elements of the operation; one that is repeated is there
    for each of the operation's results."""

    type: Type | None
    is_repeated: bool = False


class SetSignature(MemberSuggestion, frozen=True):
    """Makes the arguments and the results of a region fit a pattern, which `pattern` shows."""

    pattern: str
    inputs: tuple[FittingType, ...] = ()
    results: tuple[FittingType, ...] | None = None
    template: ClassVar[str] = "let {0.subject} be of type {0.pattern}"


class Unrepeat(MemberSuggestion, frozen=True):
    """Leaves one of several equal values."""

    value: Any

    @property
    def text(self) -> str:
        """`let 1 occur once in dims`."""
        return f"let {shown(self.value)} occur once in {self.subject}"


class ConversionStep(Struct, frozen=True):
    """An operation that makes a value of one type from a value of another: its name without the dialect, its
    attributes as they are written, the types."""

    operation: str
    attributes: str
    before: Type
    after: Type

    @property
    def types(self) -> str:
        """What is written behind the operand."""
        return f"{self.attributes} : ({self.before}) -> {self.after}"


class InsertConversion(MemberSuggestion, frozen=True):
    """Converts an operand before the operation."""

    steps: tuple[ConversionStep, ...]

    @property
    def text(self) -> str:
        """`use stablehlo.convert %n : ..., in place of %n`."""
        first, *others = self.steps
        more = "".join(f", and stablehlo.{step.operation} of it{step.types}" for step in others)
        return (
            f"use stablehlo.{first.operation} {self.subject}{first.types}{more}, in place of {self.subject}"
        )


class SetValue(MemberSuggestion, frozen=True):
    """Gives an attribute, or a field of one, a value with which the operation is valid, and its results the
    types that go with it, where the declared ones do not."""

    old: Any
    value: Any
    results: tuple[Type, ...] | None = None

    @property
    def text(self) -> str:
        """`set dim to 1, which gives tensor<2x6xf32>`."""
        gives = "" if self.results is None else f", which gives {', '.join(map(str, self.results))}"
        return f"set {self.subject} to {shown(self.value)}{gives}"


class SetDeclaredType(Suggestion, frozen=True):
    """Changes a type that a function or another operation declares."""

    of: str
    old: Type
    new: Type
    template: ClassVar[str] = "change the type {0.old} of {0.of} to {0.new}"


NameKind = Literal["operation", "value", "function", "mesh", "type", "attribute", "entry", "word"]


class Rename(Suggestion, frozen=True):
    """Replaces a name or word that means nothing here by one that does; without a `new` one, others of its
    kind may be tried."""

    old: str
    new: str = ""
    of: NameKind = "word"

    @property
    def text(self) -> str:
        """`did you mean %x?`."""
        if self.of == "entry":
            return f"rename '{self.old}' to '{self.new}'"
        new = f"'{self.new}'" if self.of == "attribute" else self.new
        return f"did you mean {new}?" if new else ""


class ChooseWord(Suggestion, frozen=True):
    """Replaces a word, which the message names, by one of those that it lists."""

    old: str
    words: tuple[str, ...]


class Declare(Suggestion, frozen=True):
    """Declares a symbol that the module lacks."""

    symbol: str
    of: Literal["function", "mesh"]

    @property
    def text(self) -> str:
        """`define it: sdy.mesh @m = <[...]>`."""
        if self.of == "mesh":
            return f"define it: sdy.mesh {self.symbol} = <[...]>"
        return f"define it, or declare it: func.func private {self.symbol}"


class Terminate(Suggestion, frozen=True):
    """Ends a block with a terminator; `types` are those of its values where they are known."""

    operation: str
    types: tuple[Type, ...] | None = None

    @property
    def text(self) -> str:
        """`put func.return with tensor<f32> at its end`."""
        if self.types is None:
            return f"put {self.operation} at its end"
        return f"put {self.operation} with {', '.join(map(str, self.types)) or 'no values'} at its end"


class Replace(Suggestion, frozen=True):
    """Writes something in place of a piece of the operation's text; where `old` is empty, of what the finding
    shows."""

    old: str
    new: str
    words: str = ""
    template: ClassVar[str] = "write {0.new}"


class ReplaceTerminator(Suggestion, frozen=True):
    """Ends a block with another terminator."""

    old: str
    new: str
    template: ClassVar[str] = "write {0.new} in place of {0.old}"


class WriteAttribute(Suggestion, frozen=True):
    """Gives an entry of the operation's text a value; an example where others may be meant."""

    name: str
    value: str
    is_example: bool = True
    words: str = ""

    @property
    def entry(self) -> str:
        """The entry as it is written."""
        return f"{self.name} = {self.value}" if self.value else self.name

    @property
    def text(self) -> str:
        """`write layout = [[1, 0]], for instance`."""
        return self.words or f"write {self.entry}{', for instance' if self.is_example else ''}"


class AddAttribute(Suggestion, frozen=True):
    """Adds an attribute that is missing, `entry` for instance."""

    name: str
    entry: str
    template: ClassVar[str] = "add {0.entry}, for instance"


class LeaveOut(Suggestion, frozen=True):
    """Leaves out an entry, or the operation's regions, successors or results. `words` say more than its
    name."""

    name: str
    of: Literal["entry", "text", "regions", "successors", "results"] = "entry"
    words: str = ""

    @property
    def text(self) -> str:
        """`leave 'dims' out`."""
        if self.words:
            return self.words
        return (
            f"leave '{self.name}' out" if self.of == "entry" else f"leave {self.name or f'the {self.of}'} out"
        )


class SortItems(Suggestion, frozen=True):
    """Sorts a list in braces that the finding shows, each of its items once."""

    words: str = "sort them"
    template: ClassVar[str] = "{0.words}"


class UseType(Suggestion, frozen=True):
    """Gives one of the operation's values, or `of` them, a type."""

    type: Type
    of: str = "its type"
    template: ClassVar[str] = "make {0.of} {0.type}"


class MoveDefinition(Suggestion, frozen=True):
    """Moves the operation that defines a value up, before its first use."""

    value: str

    @property
    def text(self) -> str:
        """`move the operation that defines %x up, before this one`."""
        return f"move the operation that defines {self.value or 'it'} up, before this one"


class RenameDefinition(Suggestion, frozen=True):
    """Gives the value that is defined here a name that no other value has."""

    name: str


class NameResults(Suggestion, frozen=True):
    """Names as many results as there are."""

    count: int


class Expect(Suggestion, frozen=True):
    """Inserts one of some signs or words, or a type, where the grammar wants it."""

    literals: tuple[str, ...] = ()
    is_type: bool = False


class CloseString(Suggestion, frozen=True):
    """Ends a string on its line."""


class FitLiteral(Suggestion, frozen=True):
    """Gives a literal, or what takes it, another type: one of those named, or with one of the shapes."""

    types: tuple[Type, ...] = ()
    shapes: tuple[tuple[int, ...], ...] = ()


def rendered(suggestions: Iterable[Suggestion]) -> str:
    """Returns suggestions as one sentence of help."""
    text = ""
    for words in dict.fromkeys(suggestion.text for suggestion in suggestions):
        if text and words:
            text += f", or {words.removeprefix('make ')}"
        else:
            text = text or words
    return text


def types_in(suggestions: Iterable[Suggestion]) -> Iterator[Type]:
    """Yields the types that suggestions name, in their order."""
    from shlo.ir.types import Type

    yield from (value for value in _values_in(tuple(suggestions)) if isinstance(value, Type))


def numbers_in(suggestions: Iterable[Suggestion]) -> Iterator[int]:
    """Yields the numbers that suggestions name, in their order."""
    yield from (value for value in _values_in(tuple(suggestions)) if type(value) is int)


def _values_in(value: Any) -> Iterator[Any]:
    """Yields what lists and suggestions hold, types as a whole."""
    if isinstance(value, tuple):
        for item in cast("tuple[Any, ...]", value):
            yield from _values_in(item)
    elif isinstance(value, _PARTS):
        for name in value.__struct_fields__:
            yield from _values_in(getattr(value, name))
    else:
        yield value


_PARTS: Final = (Suggestion, Subject, Facet, ConversionStep, FittingType)


def suggestion_data(suggestion: Suggestion) -> dict[str, Any]:
    """Returns a suggestion for JSON: its kind, its text and its fields, types as text."""
    data = {"kind": suggestion.__struct_config__.tag, "text": suggestion.text or None}
    return data | {name: _data(getattr(suggestion, name)) for name in suggestion.__struct_fields__}


def _data(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_data(item) for item in cast("tuple[Any, ...]", value)]
    if isinstance(value, _PARTS):
        return {name: _data(getattr(value, name)) for name in value.__struct_fields__}
    return value if value is None or type(value) in (bool, int, str) else str(value)
