"""Operations by what they are to compute: an idiom written out on the nearest values that it fits."""

from __future__ import annotations

import re
from collections.abc import Collection, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import chain, count, islice, permutations
from textwrap import dedent, indent
from typing import Final

from msgspec.structs import replace

from shlo.ir.dtypes import UnsupportedTypeError, dtype_of
from shlo.ir.operations import Operation, ValueTable
from shlo.ir.source import Span
from shlo.ir.types import RankedTensorType, Type
from shlo.language.completion.idioms import IDIOMS, Idiom
from shlo.language.completion.operations import Completion
from shlo.language.completion.statement import Statement
from shlo.language.document import Edit
from shlo.language.index.op_names import indent_of
from shlo.syntax.lexer.tokens import line_span
from shlo.syntax.printer.module import module_text
from shlo.transforms.rewriting.builder import Builder
from shlo.transforms.rewriting.extraction import module_of

MAX_OPERANDS: Final = 12
"""How many values are tried as operands, the nearest."""
MAX_CHOICES: Final = 4
"""How many choices of operands are offered for one idiom."""
HOMES: Final = ("jnp.", "np.", "jax.nn.", "nn.", "torch.")
"""What people write in front of these names."""

_NAME = re.compile(r"%[\w$]+", re.ASCII)
_BODY = re.compile(r" \{\n(    %.*\n)    return (%[\w$]+)", re.DOTALL | re.ASCII)
"""The operations of the only function of a printed module, and the value that it returns."""
Named = tuple[str, RankedTensorType]


def intended(
    statement: Statement, prefix: str, span: Span, scope: Iterable[tuple[str, Type]]
) -> Iterator[Completion]:
    """Yields the computations whose name begins with what is typed, on the nearest values that fit.

    Args:
        statement: the operation that is being typed.
        prefix: what is typed of its name.
        span: where that is.
        scope: the names and types of the values in sight, the nearest first.
    """
    home = next((home for home in HOMES if prefix.startswith(home)), "")
    typed, region = prefix.removeprefix(home), statement.region
    fitting = [idiom for idiom in IDIOMS if idiom.word.startswith(typed)]
    if not fitting or region is None:
        return
    tensors = ((name, type_) for name, type_ in scope if isinstance(type_, RankedTensorType))
    values = [*islice(filter(_has_arrays, tensors), MAX_OPERANDS)]
    used_names = {name.partition("#")[0] for name in region[1].values.names}
    for idiom in fitting:
        for rank, operands in enumerate(_operands(idiom, values)):
            offered = _written_out(statement, span, idiom, operands, used_names)
            order = (0, -2 if idiom.word == typed else 0, rank)
            yield replace(offered, filter=home + offered.filter, order=order)


def _has_arrays(named: Named) -> bool:
    """Returns whether arrays, such as the constants of idioms, can have the type of a value."""
    _, type_ = named
    with suppress(UnsupportedTypeError):
        dtype_of(type_.element_type)
        return type_.is_static
    return False


def _operands(idiom: Idiom, values: Sequence[Named]) -> Iterator[Sequence[Named]]:
    """Yields the nearest values that fit an idiom together, of those as near the one defined first."""
    places = permutations(range(len(values)), idiom.operand_count)
    nearest = sorted(places, key=lambda chosen: (sum(chosen), [-place for place in chosen]))
    choices = ([values[place] for place in chosen] for chosen in nearest)
    fitting = (choice for choice in choices if idiom.fits([type_ for _, type_ in choice]))
    return islice(fitting, MAX_CHOICES)


def _written_out(
    statement: Statement, span: Span, idiom: Idiom, operands: Sequence[Named], used_names: Collection[str]
) -> Completion:
    """Returns an idiom on operands as a completion: where its name is typed, the whole of it; behind a
    result, the last operation, and the ones before it on the lines above."""
    lines, type_ = _lines(idiom, operands, used_names)
    blanks, start = indent_of(statement.part.text, span.start), 0
    if statement.has_results:
        start = max(number for number, line in enumerate(lines) if line.startswith("%"))
    above, text = "".join(lines[:start]), "".join(lines[start:]).rstrip()
    if statement.has_results:
        text = text.partition(" = ")[2]
    first = line_span(statement.part.text, statement.start).start
    names = [f"%{name}" for name, _ in operands]
    return Completion(
        idiom.call.format(*names),
        "idiom",
        str(type_),
        indent(text, blanks).removeprefix(blanks),
        span,
        filter=" ".join((idiom.word, *names)),
        edits=(Edit(Span(first, first), indent(above, blanks)),) if above else (),
    )


def _lines(idiom: Idiom, operands: Sequence[Named], used_names: Collection[str]) -> tuple[list[str], Type]:
    """Returns the lines of an idiom's operations, whose new names are not among `used_names`, and the type
    of its result."""
    builder = _ListBuilder([type_ for _, type_ in operands])
    inputs = range(len(operands))
    result = idiom.write(*builder.refs(inputs))
    printed = module_text(module_of(builder.operations, inputs, [result.number], builder.table))
    match = _BODY.search(printed)
    assert match, "an idiom has operations"
    body, returned = match.groups()
    names = {f"%arg{number}": f"%{name}" for number, (name, _) in enumerate(operands)}
    fresh = (
        name for name in chain([idiom.word], (f"{idiom.word}_{n}" for n in count())) if name not in used_names
    )
    names[returned] = f"%{next(fresh)}"

    def renamed(name: re.Match[str]) -> str:
        if name[0] not in names:
            names[name[0]] = f"%{next(fresh)}"
        return names[name[0]]

    return _NAME.sub(renamed, dedent(body)).splitlines(keepends=True), result.type


class _ListBuilder(Builder):
    """Collects the operations of a block of a function whose arguments are of these types."""

    def __init__(self, types: Sequence[Type]) -> None:
        super().__init__(ValueTable(list(types), [""] * len(types)))
        self.operations: list[Operation] = []

    def append(self, operation: Operation) -> Sequence[int]:
        """Adds an operation."""
        self.operations.append(operation)
        return operation.results

    @contextmanager
    def capture(self) -> Generator[list[Operation]]:
        """Collects the operations that are appended within the `with`."""
        outer, self.operations = self.operations, []
        yield self.operations
        self.operations = outer
