"""How long the language service takes in a function of 20,000 operations, and to open a large file.

    python benchmarks/language.py [FILE] [--rounds N]

Without a FILE a program is made. Each edit is done and undone, as while somebody types; an answer is what
the parser finds in the edited text, then what the verifier does, or the hover right after an edit. The goals
(95th percentile): what the parser finds under 150 ms, what the verifier finds under 400 ms, a hover under
50 ms; a file of 12 MB under 4 s to its findings and the colours of what is visible. `cpu` is processor time,
which other programs do not change much.
"""

from __future__ import annotations

import argparse
import gc
import random
import re
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import measure

measure.use_repository()

from shlo.ir.source import Span  # noqa: E402
from shlo.language import Document, Edit  # noqa: E402
from shlo.language.diagnostics import diagnostics, part_diagnostics, syntax_diagnostics  # noqa: E402
from shlo.language.hover.hover import hover  # noqa: E402
from shlo.language.tokens import semantic_tokens  # noqa: E402

EDIT_GOAL, VERIFICATION_GOAL, HOVER_GOAL, OPEN_GOAL = 0.150, 0.400, 0.050, 4.0
OPERATIONS = 20_000
LARGE = 12_000_000
VISIBLE = 4_000
"""About how many characters a screen shows."""


def program(operations: int) -> str:
    """Returns a function of so many operations, each of which uses two of those before it."""
    chance = random.Random(4)
    lines = ["func.func @main(%arg0: tensor<2x15x16xf32>, %arg1: tensor<16x16xf32>) -> tensor<2x15x16xf32> {"]
    names = ["arg0"]
    for number in range(operations):
        one, other = (chance.choice(names[-400:]) for _ in range(2))
        lines.append(_operation(number, one, other))
        if number % 10:
            names.append(str(number))
    lines += [f"  return %{names[-1]} : tensor<2x15x16xf32>", "}", ""]
    return "\n".join(lines)


def _operation(number: int, one: str, other: str) -> str:
    if number % 10 == 0:
        return f"  %{number} = stablehlo.constant dense<{number % 70}.0> : tensor<f32>"
    if number % 10 == 1:
        types = "(tensor<2x15x16xf32>, tensor<16x16xf32>) -> tensor<2x15x16xf32>"
        return f"  %{number} = stablehlo.dot_general %{one}, %arg1, contracting_dims = [2] x [0] : {types}"
    return f"  %{number} = stablehlo.add %{one}, %{other} : tensor<2x15x16xf32>"


def lines_in(text: str, pattern: str) -> list[re.Match[str]]:
    return list(re.finditer(pattern, text, re.MULTILINE))


def literals(text: str, chance: random.Random) -> Iterator[Edit]:
    """Yields a digit in a literal."""
    for match in _chosen(lines_in(text, r"dense<[^\n<>]*?(\d)"), chance):
        yield Edit(Span(*match.span(1)), str(chance.randrange(10)))


def names(text: str, chance: random.Random) -> Iterator[Edit]:
    """Yields a name where it is defined, its uses left alone."""
    for match in _chosen(lines_in(text, r"^ +%([\w]+) ="), chance):
        yield Edit(Span(*match.span(1)), "renamed")


def lines(text: str, chance: random.Random) -> Iterator[Edit]:
    """Yields a line more."""
    for match in _chosen(lines_in(text, r"^ +%\w+ = stablehlo.add"), chance):
        inserted = "  %inserted = stablehlo.constant dense<1.0> : tensor<f32>\n"
        yield Edit(Span(match.start(), match.start()), inserted)


def braces(text: str, chance: random.Random) -> Iterator[Edit]:
    """Yields a brace that nothing closes, at the end of a line; or one that closes the function too early."""
    for number, match in enumerate(_chosen(lines_in(text, r"^ +%\w+ = stablehlo.add[^\n]*"), chance)):
        yield Edit(Span(match.end(), match.end()), "{" if number % 2 else "\n}")


def operations(text: str, chance: random.Random) -> Iterator[Edit]:
    """Yields a letter of an operation's name, so that its line cannot be read."""
    for match in _chosen(lines_in(text, r"stablehlo\.(a)dd"), chance):
        yield Edit(Span(*match.span(1)), "x")


EDITS: dict[str, Callable[[str, random.Random], Iterator[Edit]]] = {
    "a digit in a literal": literals,
    "a value's name": names,
    "a line inserted": lines,
    "an unbalanced brace": braces,
    "an operation's name": operations,
}


def _chosen(matches: list[re.Match[str]], chance: random.Random) -> Iterator[re.Match[str]]:
    while True:
        yield chance.choice(matches)


def timed(action: Callable[..., Any], *arguments: Any) -> tuple[float, Any]:
    """Returns the seconds that a call takes, and its result."""
    start = time.perf_counter()
    result = action(*arguments)
    return time.perf_counter() - start, result


class Latency(NamedTuple):
    """The seconds from an edit to what the parser finds and to what the verifier finds, and the processor
    time of both.
    """

    syntax: float
    everything: float
    cpu: float


def measure_edits(document: Document, rounds: int, make: Callable[..., Iterator[Edit]]) -> list[Latency]:
    """Returns how long the findings of each edit, and of its undoing, take."""
    latencies: list[Latency] = []
    edits = make(document.text, random.Random(7))
    for _ in range(rounds):
        edit = next(edits)
        assert edit.span is not None
        before = document.text[slice(*edit.span)]
        there, changed = measured(document, edit)
        back = Edit(Span(edit.span.start, edit.span.start + len(edit.text)), before)
        and_back, restored = measured(changed, back)
        assert restored.text == document.text
        latencies += [there, and_back]
    return latencies


def measured(document: Document, edit: Edit) -> tuple[Latency, Document]:
    """Returns an edit, and how long its findings take."""
    start, cpu = time.perf_counter(), time.process_time()
    after = document.edit([edit])
    for part in after.parts:
        list(syntax_diagnostics(part))
    syntax = time.perf_counter() - start
    for part in after.parts:
        part_diagnostics(part)
    return Latency(syntax, time.perf_counter() - start, time.process_time() - cpu), after


def edited(document: Document, edit: Edit) -> Document:
    after = document.edit([edit])
    diagnostics(after)
    return after


def measure_hovers(document: Document, rounds: int) -> list[float]:
    """Returns the seconds of the first hover after an edit, over uses of values anywhere."""
    uses = lines_in(document.text, r"stablehlo.add (%\w+)")
    chance = random.Random(9)
    times: list[float] = []
    for edit, _ in zip(literals(document.text, chance), range(rounds)):
        changed = edited(document, edit)
        offset = chance.choice(uses).start(1) + 1
        times.append(timed(hover, changed, offset)[0])
    return times


def report(what: str, times: Sequence[float], goal: float) -> None:
    times = sorted(times)
    half, most = times[len(times) // 2], times[min(int(len(times) * 0.95), len(times) - 1)]
    verdict = "" if most <= goal else f"  over {goal * 1000:.0f} ms"
    print(f"{what:24} p50 {half * 1000:7.1f} ms   p95 {most * 1000:7.1f} ms{verdict}")


def open_large(text: str) -> None:
    """Opens a file and prints how long the findings and the visible colours take."""
    document = Document(text)
    middle = len(text) // 2
    findings, _ = timed(diagnostics, document)
    colours, _ = timed(visible_colours, document, Span(middle, middle + VISIBLE))
    verdict = "" if findings + colours <= OPEN_GOAL else f"  over {OPEN_GOAL:.0f} s"
    opened = f"{len(text) / 1e6:.1f} MB opened"
    print(f"{opened}: findings {findings:.2f} s, colours {colours * 1000:.1f} ms{verdict}")


def visible_colours(document: Document, span: Span) -> int:
    return sum(1 for _ in semantic_tokens(document, span))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("file", nargs="?", type=Path)
    parser.add_argument("--rounds", type=int, default=30)
    options = parser.parse_args()
    text = options.file.read_text() if options.file else program(OPERATIONS)
    document = Document(text)
    diagnostics(document)
    gc.collect()
    print(f"{text.count(chr(10)):,} lines, {len(text) / 1e6:.1f} MB")
    for what, make in EDITS.items():
        syntax, everything, cpu = zip(*measure_edits(document, options.rounds, make))
        report(what, syntax, EDIT_GOAL)
        report("  verified", everything, VERIFICATION_GOAL)
        report("  cpu", cpu, VERIFICATION_GOAL)
    report("hover after an edit", measure_hovers(document, options.rounds), HOVER_GOAL)
    open_large(text if len(text) > LARGE // 2 else program(LARGE // 60))


if __name__ == "__main__":
    main()
