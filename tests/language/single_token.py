"""Recovery from one wrong token: `python -m tests.language.single_token [FILE ...] [--all N] [--sample N] [--seed S]`.

Deletes or inserts one token of a good program. Symbols, hover and definitions outside of the operation that
the token is in must stay as they were. An operation's surroundings are the lines of its own text that hold the
token, and the uses of the values and symbols that these lines define.
How often a value is used may differ where these lines name it. Prints the share of edits that harm
nothing else, and the worst; exit code 1 where one harms more that is no known exception.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import NamedTuple

from shlo.ir.op_path import OpPath, header_spans
from shlo.ir.source import Span
from shlo.language import Document, Edit
from shlo.language.document import Part
from shlo.language.hover.hover import hover
from shlo.language.index.op_names import names_of
from shlo.language.navigation import definition
from shlo.language.outline.items import OutlineItem
from shlo.language.outline.outline import outline
from shlo.syntax.lexer.tokens import line_span, tokens
from shlo.syntax.parser.parse_result import Change
from tests.jax_programs import PROGRAMS as JAX_PROGRAMS

JAX = (
    *("cond_and_switch", "nested_loops", "nested_jit_calls", "game_of_life", "scan_reverse_with_outputs"),
    *(
        "sorting",
        "custom_derivatives",
        "composite",
        "cnn_gradient",
        "lstm",
        "transformer",
        "linalg_qr",
        "shard_map",
    ),
    *("gather_indexing", "scatter_windows", "mlp_adam"),
)
"""Programs of `tests.jax_programs`; with those below they are the twenty of the measurement."""
FILES = (
    "examples/transformer.mlir",
    "examples/squares.mlir",
    "tests/ops/while.mlir",
    "tests/ops/reduce.mlir",
)
EXCEPTIONS = Path(__file__).with_name("single_token_exceptions.txt")
INSERTED = (
    *("{", "}", "(", ")", "[", "]", "<", ">", ",", ":", "=", "->", "%x", "@x", "^x", "#x", "!x", "1", "x"),
    *('"x"', "tensor", "stablehlo.add", "return", "attributes", "loc(unknown)"),
)
PROBES = 24


class TokenEdit(NamedTuple):
    """A token that is deleted or inserted."""

    span: Span
    text: str

    def __str__(self) -> str:
        return f"insert {self.text!r}" if self.text else f"delete {self.span}"


class Harm(NamedTuple):
    """What else an edit changed: how many symbols and probes, and the first of them in words."""

    changed: int
    first: str


@dataclass
class Tally:
    """What became of the edits of one program."""

    name: str
    edits: int = 0
    harmed: list[tuple[Harm, str]] = field(default_factory=list)
    excepted: list[tuple[Harm, str]] = field(default_factory=list)

    @property
    def unharmed(self) -> float:
        """The share of the edits that harmed nothing else."""
        return 1 - len(self.harmed) / max(self.edits, 1)


@dataclass(frozen=True)
class Program:
    """A good program and what an editor says of it."""

    document: Document
    symbols: list[tuple[str, str, Span]]
    probes: list[tuple[Span, str]]

    @staticmethod
    def of(text: str) -> Program:
        document = Document(text)
        found = [
            (token.span, token.text)
            for token in tokens(text)
            if token.kind in ("value", "symbol") or (token.kind == "word" and "." in token.text)
        ]
        return Program(document, list(_symbols(outline(document))), found)

    def edits(self, chance: random.Random, count: int | None) -> Iterator[TokenEdit]:
        """Yields deletions and insertions of tokens: of all, or of `count` chosen ones."""
        text = self.document.text
        spans = [token.span for token in tokens(text) if token.kind != "comment"]
        chosen = spans if count is None else [chance.choice(spans) for _ in range(count)]
        for number, span in enumerate(chosen):
            if count is None or number % 2 == 0:
                yield TokenEdit(span, "")
            if count is None or number % 2 == 1:
                yield TokenEdit(Span(span.start, span.start), f" {chance.choice(INSERTED)} ")

    def harm(self, edit: TokenEdit, chance: random.Random) -> Harm | None:
        """Returns what an edit changes outside of its operation's surroundings."""
        after = self.document.edit([Edit(edit.span, edit.text)])
        change = Change(edit.span.start, edit.span.end, edit.span.start + len(edit.text))
        near, names = self._surroundings(edit.span)
        used = {
            token.text.partition("#")[0]
            for span in near
            for token in tokens(self.document.text, *span)
            if token.kind == "value"
        }
        lost: list[str] = []
        now = {(name, kind, span) for name, kind, span in _symbols(outline(after))}
        for name, kind, span in self.symbols:
            place = change.span(span)
            if not _touch(span, near) and (place is None or (name, kind, place) not in now):
                lost.append(f"symbol {name}")
        for _ in range(PROBES):
            span, text = chance.choice(self.probes)
            if _touch(span, near) or text.partition("#")[0] in names or self._uses_symbol(span, names):
                continue
            may_lose_uses = text.partition("#")[0] in used
            lost += _changed_answers(self.document, after, change, span, may_lose_uses)
        return Harm(len(lost), lost[0]) if lost else None

    def _uses_symbol(self, span: Span, names: set[str]) -> bool:
        """Returns whether a line names one of some symbols: what is said of a call shows its function."""
        line = line_span(self.document.text, span.start)
        return any(
            token.kind == "symbol" and token.text in names for token in tokens(self.document.text, *line)
        )

    def _surroundings(self, edited: Span) -> tuple[list[Span], set[str]]:
        """Returns the lines that an edit may harm, and the names that they define."""
        part, text = self.document.part_at(edited.start), self.document.text
        place = part.index.place_at(edited.start - part.start)
        line = line_span(text, edited.start)
        first = line.start + len(text[slice(*line)]) - len(text[slice(*line)].lstrip())
        places = {each.start: each for each in (place, part.index.place_at(first - part.start))}
        names = {
            f"%{each.name}"
            for holder in places.values()
            for each in names_of(part.text, holder)
            if each.role in ("result", "argument")
        }
        near = [
            Span(line_span(text, span.start).start, line_span(text, max(span.end - 1, span.start)).end)
            for span in (part.place(each) for each in header_spans(place))
            if span.start <= edited.end and edited.start <= span.end
        ]
        if place.parent is None or place.operation.name in ("builtin.module", "func.func"):
            near = [line_span(text, edited.start)]
        near += [_name_span(part, each) for each in place.around() if each.parent is not None]
        names |= {
            token.text
            for span in near
            for token in tokens(text, *span)
            if token.kind in ("symbol", "attribute", "type")
        }
        if place.operation.name == "func.func":
            names |= {f"%{each.name}" for each in names_of(part.text, place) if each.role == "argument"}
        near += _lines_that_use_alias(text, line)
        return near, names


def _lines_that_use_alias(text: str, defining: Span) -> list[Span]:
    """Returns the lines that use the alias that a line defines, itself or by the definitions of others: what
    comes from where is said there in its words."""
    aliases = {*re.findall(r"^#[\w$.-]+(?= =)", text[slice(*defining)])}
    lines = [(match[0], Span(*match.span())) for match in re.finditer(r".+", text)]
    found: dict[Span, None] = {}
    while aliases:
        names = "|".join(map(re.escape, aliases))
        using = [each for each in lines if re.search(rf"(?:{names})(?![\w$.-])", each[0])]
        found |= dict.fromkeys(span for _, span in using)
        known = aliases
        aliases = {alias for line, _ in using for alias in re.findall(r"^#[\w$.-]+(?= =)", line)} - known
        lines = [each for each in lines if each[1] not in found]
    return list(found)


def _name_span(part: Part, place: OpPath) -> Span:
    """Returns the line where an operation starts: what is inside of it is said of it, too."""
    return part.place(line_span(part.text, place.start))


def _touch(span: Span, near: Sequence[Span]) -> bool:
    return any(span.start <= each.end and each.start <= span.end for each in near)


def _symbols(items: Sequence[OutlineItem]) -> Iterator[tuple[str, str, Span]]:
    for item in items:
        yield item.name, item.kind, item.name_span
        yield from _symbols(item.children)


def _changed_answers(
    before: Document, after: Document, change: Change, span: Span, may_lose_uses: bool
) -> Iterator[str]:
    """Yields what is said differently about a token."""
    now = change.span(span)
    assert now is not None
    place = f"at {before.source.line_of(span.start)}: {before.text[span.start : span.end]}"
    defined, defined_now = definition(before, span.start), definition(after, now.start)
    expected = change.span(defined) if defined else None
    if (defined is None or expected is not None) and defined_now != expected:
        yield f"definition {place}"
    shown, shown_now = hover(before, span.start), hover(after, now.start)
    texts = [found.text if found else "" for found in (shown, shown_now)]
    if may_lose_uses:
        texts = [re.sub(r"(?m)^(?:[\d,]+ uses?\b|Not used).*$", "", text) for text in texts]
    if texts[0] != texts[1]:
        yield f"hover {place}"


def programs() -> Iterator[tuple[str, str]]:
    """Yields the names and texts of twenty real programs."""
    root = Path(__file__).parent.parent.parent
    for name in JAX:
        yield name, JAX_PROGRAMS[name].text()
    for name in FILES:
        yield name, (root / name).read_text()


@cache
def exceptions() -> list[re.Pattern[str]]:
    """Returns the patterns of what is known to be harmed, with a reason each in their file."""
    lines = [line for line in EXCEPTIONS.read_text().splitlines() if line and not line.startswith("#")]
    return [re.compile(line.rpartition(" | ")[0]) for line in lines]


def survey(name: str, text: str, chance: random.Random, all_up_to: int, sample: int) -> Tally:
    """Edits one program: every token of a small one, a sample of a large one."""
    program = Program.of(text)
    tally = Tally(name)
    count = None if len(text) <= all_up_to else sample
    for edit in program.edits(chance, count):
        tally.edits += 1
        if found := program.harm(edit, chance):
            line = program.document.source.line_of(edit.span.start)
            said = f"insert{edit.text}" if edit.text else f"delete {text[slice(*edit.span)]!r}"
            column = edit.span.start - text.rfind("\n", 0, edit.span.start)
            place = f"{name}:{line}:{column} {said}"
            is_known = any(pattern.search(f"{place}: {found.first}") for pattern in exceptions())
            (tally.excepted if is_known else tally.harmed).append((found, place))
    return tally


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--all", type=int, default=3_000, help="edit every token of texts up to this size")
    parser.add_argument("--sample", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--worst", type=int, default=12)
    options = parser.parse_args(arguments)
    chosen = [(path.name, path.read_text()) for path in options.files] if options.files else programs()
    worst: list[tuple[Harm, str]] = []
    edits = excepted = 0
    for name, text in chosen:
        started = time.perf_counter()
        tally = survey(name, text, random.Random(options.seed), options.all, options.sample)
        edits += tally.edits
        worst += tally.harmed
        excepted += len(tally.excepted)
        print(
            f"{tally.unharmed:8.2%} of {tally.edits:6} {time.perf_counter() - started:6.1f} s  {name}",
            flush=True,
        )
    print(
        f"{1 - len(worst) / max(edits, 1):8.2%} of {edits:6} edits harm nothing else; {excepted} exceptions"
    )
    for harm, said in sorted(worst, reverse=True)[: options.worst]:
        print(f"  {harm.changed:5}  {said}: {harm.first}")
    return 1 if worst else 0


if __name__ == "__main__":
    sys.exit(main())
