"""How often completion offers what stands in a program: `python -m tests.language.completion_survey [--every N] [--misses]`.

Takes tokens out of the programs of tests and examples, and asks what can be typed there: once with the rest of the
line behind the cursor and nothing typed, once at the end of a line of which the token's first character is typed.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from shlo.ir.source import Span
from shlo.language import Document, Edit
from shlo.language.completion.items import complete
from shlo.language.completion.operations import Completion
from shlo.syntax.lexer.tokens import Token, TokenKind, line_span, tokens

ROOT = Path(__file__).parents[2]
FOLDERS = ("examples", "tests/ops", "tests/verifier/programs")
KINDS: tuple[TokenKind, ...] = ("value", "word", "symbol", "label", "type", "attribute")
MAX_TEXT = 20_000


@dataclass(frozen=True, slots=True)
class Surveyed:
    """A token that was taken out of a program, whether only its first character is left of its line's rest, and
    whether it was offered, and as the first."""

    line: str
    token: Token
    is_typing: bool
    is_offered: bool
    is_first: bool

    @property
    def is_operand(self) -> bool:
        """Whether the token is a value that an operation takes."""
        return self.token.kind == "value" and self.token.text in self.line.partition(" = ")[2]


def survey(every: int) -> Iterator[Surveyed]:
    """Yields every so many tokens of the programs, each in both ways."""
    number = 0
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.mlir")):
            text = path.read_text(encoding="utf-8", errors="replace")
            if len(text) > MAX_TEXT:
                continue
            document = Document(text)
            for token in tokens(text):
                if token.kind in KINDS:
                    number += 1
                    if number % every == 0:
                        yield surveyed(document, token, is_typing=False)
                        yield surveyed(document, token, is_typing=True)


def surveyed(document: Document, token: Token, *, is_typing: bool) -> Surveyed:
    """Takes a token out of a program and asks for completions in its place."""
    text, (start, end) = document.text, token.span
    line = line_span(text, start)
    typed = token.text[:1] if is_typing else ""
    without = document.edit([Edit(Span(start, line.end if is_typing else end), typed)])
    offered = [stands_at(text, token, completion) for completion in complete(without, start + len(typed))]
    return Surveyed(text[slice(*line)].strip(), token, is_typing, any(offered), offered[:1] == [True])


def stands_at(text: str, token: Token, completion: Completion) -> bool:
    """Returns whether a completion is what stands at a token, the whole of it at least."""
    label = completion.label
    start = text.rfind(label, 0, token.span.start + len(label)) if label else -1
    return 0 <= start <= token.span.start and start + len(label) >= token.span.end


def main() -> None:
    """Prints the shares."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--every", type=int, default=40)
    parser.add_argument("--misses", action="store_true")
    options = parser.parse_args()
    asked, offered, first = (Counter[tuple[bool, str]]() for _ in range(3))
    for case in survey(options.every):
        key = case.is_typing, case.token.kind
        asked[key] += 1
        offered[key] += case.is_offered
        first[key] += case.is_first
        if options.misses and not case.is_offered:
            print(f"{case.is_typing} {case.token.text} IN {case.line}")
    for key, count in sorted(asked.items()):
        print(
            f"{'typing' if key[0] else 'masked':8} {key[1]:10} {offered[key]:6} of {count:6}, {first[key]:6} as the first"
        )
    print(f"all {offered.total()} of {asked.total()}")


if __name__ == "__main__":
    main()
