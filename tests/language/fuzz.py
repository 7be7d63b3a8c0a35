"""Random edits of several documents, most of the time broken: `python -m tests.language.fuzz [--edits N] [--seed S]`.

After each edit the parse result and the answers of all features of `shlo.language` about a place, half of the time
one near the edit, are compared with those of a service that reads the text for the first time; the few that take
long are asked now and then. No answer may fail or take long. The features are the public functions of the package
whose first parameter is a document or a part of one, so a new one joins by itself.
"""

from __future__ import annotations

import argparse
import importlib
import inspect
import pkgutil
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest.mock import patch

from msgspec import Struct
from msgspec.structs import astuple

import shlo.language
from shlo.ir.source import Span
from shlo.language import Document, Edit, chunks
from shlo.language.document import Part
from shlo.language.outline import groups, outline
from tests.language.programs import BROKEN, PROGRAM
from tests.language.test_guests import GUESTS
from tests.mutations import SNIPPETS
from tests.syntax.parse_results import seen

ROOT = Path(__file__).parent.parent.parent
HOSTILE = 'func.func @"`<b>\\0A# x\\1B[31m"(%a: tensor<2xf32>) {\n  "e.v"(%a) {x = "\\E2\\80\\AE](http://x)"} : (tensor<2xf32>) -> ()\n  return\n}\n'
ALIASES = '#a = dense<1> : tensor<2xi32>\n!t = tensor<2xi32>\n#loc1 = loc("f":1:2)\n'
ALIASES_ON_LINES = """\
#a = dense<0> :
  tensor<2xi32>
!t = tensor // }
  <2xi32>
#n = 1
  : i64
!u = tuple<!t,
  tensor<f32>>
!f = (!t)
  -> !t
func.func @f(%a: !t, %u: !u) -> !t {
  %0 = "stablehlo.constant"() {value = #a} : () -> !t
  %1 = "stablehlo.constant"() {value = #a} : () -> !t
  %2 = stablehlo.add %a, %0 : !t
  %3 = stablehlo.add %2, %1 {x = #n, y = !f} : !t
  %4 = stablehlo.add %3, %1 {x = #n, y = !f} : !t
  %5 = stablehlo.get_tuple_element %u[0] : (!u) -> !t
  return %4 : !t
}
"""
LOCATED = """\
#loc1 = loc("a.py":1:2)
module {
  func.func @f(%a: tensor<2xf32>) -> tensor<2xf32> {
    %0 = stablehlo.add %a, %a : tensor<2xf32>
      loc(#loc2)
    %1 = stablehlo.add %0, %0 : tensor<2xf32> loc(#loc1)
    %2 = call @g(%1) : (tensor<2xf32>) -> tensor<2xf32>
    return %2 : tensor<2xf32>
  }
  func.func private @g(%a: tensor<2xf32>) -> tensor<2xf32> {
    return %a : tensor<2xf32>
  }
}
#loc2 = loc("layer/add"(#loc1))
"""
REGIONS = """\
func.func @f(%a: tensor<4xf32>, %i: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.add %a, %a : tensor<4xf32>
  %1 = "stablehlo.reduce"(%0, %i) <{dimensions = array<i64: 0>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %2 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}
"""
SCOPES = "".join(
    (
        "func.func @f(%a: tensor<f32>) {\n",
        *(
            f'  %{number} = stablehlo.abs %a : tensor<f32> loc("jit(f)/{scope}/abs")\n'
            for number, scope in enumerate(
                scope for scope in ("a", "a/b", "c", "c/d/e", "a/b", "c") for _ in range(5)
            )
        ),
        "  return\n}\n",
    )
)
LINES = """\
func.func @f(%a: tensor<2xi32>) -> tensor<2xi32> {
  %c = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %0 = stablehlo.add %a, %c : tensor<2xi32>
  %1 = stablehlo.add %0, %c : tensor<2xi32>
  %2:2 = stablehlo.optimization_barrier %0, %1 : tensor<2xi32>, tensor<2xi32>
  %3 = stablehlo.add %2#0, %2#1 : tensor<2xi32>
  return %3 : tensor<2xi32>
}
"""
MAX_SECONDS = 10.0
"""How long all answers after one edit may take, twice each."""
BRACES = ("{", "}", "\n}\n", "{\n", "// -----\n", "}\nfunc.func @z() {\n")
NAMES = (
    "%a",
    "%0",
    "%x",
    "%1 = ",
    "@f",
    "x",
    "7",
    " ",
    "\n",
    "(",
    ")",
    ">",
    "<",
    ",",
    ":",
    "linalg.abs ins(%a)\n",
)
PIECES = (*SNIPPETS, *(NAMES * 4), *BRACES)
MOST_EDITS = 8
"""After so many edits that were not undone, a document starts again: in a text that is broken everywhere little is
left to answer about."""

Asked = Callable[[Document, int, int], Any]
"""A feature that is asked about a stretch of a document."""


def texts() -> list[tuple[str, int]]:
    """Returns the texts that are edited, and how often: the small ones more."""
    return [
        (LOCATED, 9),
        (ALIASES_ON_LINES, 9),
        (REGIONS, 9),
        (SCOPES, 6),
        (LINES, 9),
        (f"{ALIASES}{PROGRAM}// -----\n{BROKEN}// -----\n{HOSTILE}", 4),
        (f"\ufeffmodule @m {{\n{PROGRAM}{HOSTILE}}}\n".replace("\n", "\r\n"), 4),
        (f"module @m {{\n{PROGRAM}}}\n", 4),
        (GUESTS, 4),
        ((ROOT / "examples/training.mlir").read_text(), 1),
        ((ROOT / "examples/squares.mlir").read_text(), 4),
    ]


SELDOM = {
    "fixes.fix_all.fix_all": 100,
    "fixes.fixes.fixes": 8,
    "completion.items.complete": 6,
    "formatting.format_document": 4,
    "refactor.let_follow.let_follow": 4,
    "refactor.refactorings.refactorings": 4,
}
"""Features that take long, because they try edits or list much, and how many times fewer they are asked."""


NUMBERS = {"refactor.changed.changed_at"}
"""Features whose answers have numbers of values, which differ after edits; others show what is made of them."""


def features() -> dict[str, Asked]:
    """Returns the public functions of shlo.language that answer about a document, by module and name."""
    found: dict[str, Asked] = {}
    for info in pkgutil.walk_packages(shlo.language.__path__, "shlo.language."):
        module = importlib.import_module(info.name)
        for name, function in inspect.getmembers(module, inspect.isfunction):
            is_own = not name.startswith("_") and function.__module__ == info.name
            asked = asking(function) if is_own else None
            title = f"{info.name.removeprefix('shlo.language.')}.{name}"
            if asked is not None and title not in NUMBERS:
                found[title] = asked
    return found


def asking(function: Callable[..., Any]) -> Asked | None:
    """Returns how a function is asked about a stretch of a document; None if its first parameter is no
    document or part of one, or one of the others is neither known nor may be left out."""
    parameters = [*inspect.signature(function).parameters.values()]
    if not parameters or parameters[0].annotation not in ("Document", "Part"):
        return None
    first, *others = parameters
    if any(
        each.default is each.empty and each.annotation not in SUPPLIED and each.kind is not each.VAR_KEYWORD
        for each in others
    ):
        return None
    supplied = {each.name: SUPPLIED[each.annotation] for each in others if each.annotation in SUPPLIED}
    of_part = first.annotation == "Part"

    def asked(document: Document, start: int, end: int) -> Any:
        about, base = document, 0
        if of_part:
            about = document.part_at(start)
            base = about.start
        where = {name: supply(document, start - base, end - base) for name, supply in supplied.items()}
        return function(about, **where)

    return asked


SUPPLIED: Mapping[str, Callable[[Document, int, int], Any]] = {
    "int": lambda _, start, end: start,
    "Span": lambda _, start, end: Span(start, end),
    "Span | None": lambda _, start, end: Span(start, end),
    "str": lambda _, start, end: "renamed",
    "Part": lambda document, start, _: document.part_at(start),
    "list[int]": lambda _, start, end: [start, end],
    "Sequence[int]": lambda _, start, end: [start, end],
    "Iterable[int]": lambda _, start, end: [start, end],
}
"""What a feature is asked with, by the annotation of a parameter."""


def ask(feature: Asked, document: Document, start: int, end: int) -> object:
    """Returns a feature's answer, or its refusal as a text."""
    try:
        answer = feature(document, start, end)
        return [*answer] if isinstance(answer, Iterator) else answer
    except Exception as error:
        # A refusal, such as that of a name that is taken, is an error of the package's own.
        if type(error).__module__.startswith("shlo.language"):
            return str(error)
        raise


def plain(answer: Any) -> object:
    """Returns an answer without objects that are compared by identity."""
    if isinstance(answer, (str, int, float, bool, type(None))):
        return answer
    if isinstance(answer, Document):
        return answer.text
    if isinstance(answer, Part):
        return answer.start, answer.text
    if hasattr(answer, "_fields"):
        return tuple(plain(each) for each in answer)
    if isinstance(answer, Struct):
        if not answer.__struct_config__.eq:
            return type(answer).__name__
        return tuple(plain(each) for each in astuple(answer))
    if isinstance(answer, Mapping):
        return {str(key): plain(value) for key, value in answer.items()}
    if isinstance(answer, (set, frozenset)):
        return sorted(map(repr, map(plain, answer)))
    if isinstance(answer, (Sequence, Iterator)):
        return [plain(each) for each in answer]
    return type(answer).__name__


@dataclass
class Session:
    """One document that is edited. `undo` holds the texts before; `earlier` and `log` are its edits since the
    last time but one that it started again."""

    text: str
    chance: random.Random
    document: Document
    undo: list[str] = field(default_factory=list)
    log: list[tuple[Span | None, str]] = field(default_factory=list[tuple[Span | None, str]])
    earlier: list[tuple[Span | None, str]] = field(default_factory=list[tuple[Span | None, str]])
    clipboard: str = "\n"
    last: int = 0

    def edit(self) -> tuple[int, int]:
        """Edits once; returns the stretch of the new text that the edit made."""
        chance, text = self.chance, self.document.text
        if len(self.undo) > MOST_EDITS or len(text) > 3 * len(self.text) + 1_000:
            self.undo.clear()
            self.earlier, self.log = self.log, []
            self._replace(None, self.text)
            return 0, 0
        start = chance.randrange(len(text) + 1)
        if chance.random() < 0.3:  # most edits of a person are near the last one
            start = min(max(self.last + chance.randrange(-40, 40), 0), len(text))
        end = min(start + chance.choice((1, 1, 3, 30)), len(text))
        match chance.choice(("insert", "insert", "delete", "paste", "undo", "line", "undo")):
            case "insert":
                span, piece = Span(start, start), chance.choice(PIECES)
            case "delete":
                span, piece = Span(start, end), ""
            case "paste":
                self.clipboard = text[start:end] or self.clipboard
                at = chance.randrange(len(text) + 1)
                span, piece = Span(at, at), self.clipboard
            case "line":
                first = text.rfind("\n", 0, start) + 1
                last = text.find("\n", start) + 1 or len(text)
                span, piece = Span(first, last), chance.choice(("", text[first:last] * 2))
            case _:
                if not self.undo:
                    return start, start
                self._replace(None, self.undo.pop())
                return start, start
        self.undo.append(text)
        self.last = span.start
        self._replace(span, piece)
        return span.start, span.start + len(piece)

    def _replace(self, span: Span | None, piece: str) -> None:
        self.document = self.document.edit([Edit(span, piece)])
        self.log.append((span, piece))


@dataclass
class Result:
    """What a run has found."""

    edits: int = 0
    answers: int = 0
    broken: int = 0
    slowest: tuple[float, str] = (0.0, "")
    faults: list[str] = field(default_factory=list)
    kinds: Counter[str] = field(default_factory=Counter)

    def fault(self, name: str, said: str, session: Session) -> None:
        """Keeps what is wrong with a feature's answer, and the edits that led there."""
        self.kinds[name] += 1
        self.faults.append(f"{said}\n{session.earlier + session.log!r}")


def run(edits: int, seed: int, most_faults: int = 20, seldom: Mapping[str, int] = SELDOM) -> Result:
    """Edits all documents in turn; compares the parse result and what the features answer after each edit.

    What the outline keeps is in so small pieces that edits leave many of them as they are.
    """
    with (
        patch.object(chunks, "SIZE", 3),
        patch.object(groups, "PAGE", 3),
        patch.object(outline, "MAX_RESULTS", 20),
    ):
        return _run(edits, seed, most_faults, seldom)


def _run(edits: int, seed: int, most_faults: int, seldom: Mapping[str, int]) -> Result:
    chance, result, found = random.Random(seed), Result(), features()
    sessions = [
        Session(text, random.Random(f"{seed} {n}"), Document(text), log=[(None, text)])
        for n, (text, _) in enumerate(texts())
    ]
    shares = [share for _, share in texts()]
    while result.edits < edits and len(result.faults) < most_faults:
        [session] = chance.choices(sessions, shares)
        started = time.process_time()
        start, end = session.edit()
        result.edits += 1
        fresh = Document(session.document.text)
        if len(fresh.parts) == len(session.document.parts):  # it knows when a program was valid last
            for part, edited in zip(fresh.parts, session.document.parts):
                part.since_valid = edited.since_valid
        result.broken += any(part.diagnostics for part in fresh.parts)
        place = min(start, len(fresh.text))
        if chance.random() < 0.5:
            place = chance.randrange(len(fresh.text) + 1)
        span = place, min(max(end, place) + chance.choice((0, 3, 200)), len(fresh.text))
        _compare(result, "parse result", _parse_result, session, fresh, span)
        for name in chance.sample(sorted(found), len(found)):  # what one has kept, another one may use
            if name not in seldom or chance.randrange(seldom[name]) == 0:
                _compare(result, name, found[name], session, fresh, span)
        seconds = time.process_time() - started
        if seconds > MAX_SECONDS:
            result.fault("time", f"edit {result.edits} took {seconds:.1f} s of CPU", session)
    return result


def _parse_result(document: Document, start: int, end: int) -> object:
    return [(part.start, seen(part.reading)) for part in document.parts]


def _compare(
    result: Result, name: str, feature: Asked, session: Session, fresh: Document, span: tuple[int, int]
) -> None:
    result.answers += 1
    started = time.perf_counter()
    said = f"{name}{span} edit {result.edits}"
    try:
        given, expected = ask(feature, session.document, *span), ask(feature, fresh, *span)
        if given != expected and plain(given) != plain(expected):
            result.fault(name, f"{said}: differs from a fresh answer", session)
    except Exception as error:
        result.fault(name, f"{said}: {type(error).__name__}: {error}", session)
    result.slowest = max(result.slowest, (time.perf_counter() - started, said))


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--edits", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--list", action="store_true", help="list the features")
    options = parser.parse_args(arguments)
    if options.list:
        print(*sorted(features()), sep="\n")
        return 0
    started = time.perf_counter()
    result = run(options.edits, options.seed)
    for fault in result.faults:
        print(fault, end="\n\n")
    print(
        f"{result.edits} edits ({result.broken} left a broken text), {result.answers} answers of "
        f"{len(features())} features, {len(result.faults)} faults {dict(result.kinds)}, slowest "
        f"{result.slowest[0]:.2f} s ({result.slowest[1]}), {time.perf_counter() - started:.0f} s"
    )
    return 1 if result.faults else 0


if __name__ == "__main__":
    sys.exit(main())
