"""Random typing mistakes in valid programs, and what `--fix` makes of them:
`python -m tests.language.fix_mutations [--count 10000] [--seed 1] [--from 0] [--show 5] [--small]`.

A mutation deletes, inserts, repeats or swaps a few characters, tokens or lines of a program, or changes a
type, a number or a name in it. Where `fix_all` changes the mutated text, the program after it must be the one
before the mutation (or the mutated one, where that is valid), or compute the same results from random
arguments; anything else is a silent change. Prints a table; exit code 1 where there is a silent change that
`fix_mutation_exceptions.txt` does not list. Mutation N of a seed is the same in every run: `--from` and
`--count` divide a long run among processes.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from functools import cache
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import numpy as np

import shlo
from shlo.ir.diagnostics import ShloError
from shlo.ir.operations import Module
from shlo.ir.types import RankedTensorType
from shlo.language import Document
from shlo.language.diagnostics import diagnostics
from shlo.language.fixes.fix_all import fix_all
from shlo.runner.arguments.call import parameters_of
from shlo.runner.arguments.literals import random_tensor as random_argument
from shlo.runner.equality import bits_of
from shlo.syntax import module_text
from tests.jax_programs import RUNNABLE
from tests.language.programs import PROGRAM
from tests.mutations import CHARACTERS, TOKEN, drop_characters, drop_token, repeat_token

ROOT = Path(__file__).parent.parent.parent
EXCEPTIONS = Path(__file__).with_name("fix_mutation_exceptions.txt")
LARGEST = 4_000
"""Programs of more characters are left out."""
MAX_STEPS = 20_000
"""After so many operations a program is as one that fails."""
NUMBERS = ("0", "1", "2", "3", "4", "5", "7", "8", "16", "-1", "?")
ELEMENTS = ("f32", "f16", "bf16", "f64", "i32", "i64", "i1", "ui8")
INSERTED = (
    *("{", "}", "(", ")", "[", "]", "<", ">", ",", ":", "=", "->", "%0", "%x", "@x", "1", "0", "x", '"'),
    *("tensor<f32>", "stablehlo.add", "return", "dense<0>", "i32", "FLOAT", "//"),
)
OWN = """\
func.func @main(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>, %p: tensor<2x3xi1>) -> tensor<3xf32> {
  %cst = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.subtract %x, %y : tensor<2x3xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %2 = stablehlo.dot_general %1, %x, contracting_dims = [1] x [0] : (tensor<3x2xf32>, tensor<2x3xf32>) -> tensor<3x3xf32>
  %3 = stablehlo.slice %2 [0:2, 0:3] : (tensor<3x3xf32>) -> tensor<2x3xf32>
  %4 = stablehlo.select %p, %3, %y : tensor<2x3xi1>, tensor<2x3xf32>
  %5 = stablehlo.iota dim = 1 : tensor<2x3xi32>
  %6 = stablehlo.convert %5 : (tensor<2x3xi32>) -> tensor<2x3xf32>
  %7:2 = stablehlo.optimization_barrier %4, %6 : tensor<2x3xf32>, tensor<2x3xf32>
  %8 = stablehlo.divide %7#0, %7#1 : tensor<2x3xf32>
  %9 = stablehlo.compare GT, %8, %y, FLOAT : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
  %10 = stablehlo.select %9, %8, %x : tensor<2x3xi1>, tensor<2x3xf32>
  %11 = stablehlo.concatenate %10, %x, dim = 0 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
  %12 = stablehlo.reduce(%11 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<4x3xf32>, tensor<f32>) -> tensor<3xf32>
  %13 = call @scaled(%12, %cst) : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
  return %13 : tensor<3xf32>
}
func.func private @scaled(%v: tensor<3xf32>, %s: tensor<f32>) -> tensor<3xf32> {
  %0 = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<3xf32>
  %1 = stablehlo.power %v, %0 : tensor<3xf32>
  return %1 : tensor<3xf32>
}
"""
"""A program of operations that a swap of operands, or another name, number or type, changes."""

Mistake = Callable[[random.Random, str], str]


# --- mistakes ---


def _changed(
    pattern: str, new: Callable[[random.Random, re.Match[str], list[re.Match[str]]], str]
) -> Mistake:
    """Returns a mistake that writes something else in place of one match of a pattern."""

    def mistake(chance: random.Random, text: str) -> str:
        matches = list(re.finditer(pattern, text))
        if not matches:
            return text
        match = chance.choice(matches)
        return text[: match.start()] + new(chance, match, matches) + text[match.end() :]

    return mistake


def type_a_character(chance: random.Random, text: str) -> str:
    at = chance.randrange(len(text) + 1)
    return text[:at] + chance.choice(CHARACTERS) + text[at + chance.randrange(2) :]


def insert_token(chance: random.Random, text: str) -> str:
    at = chance.choice([match.start() for match in TOKEN.finditer(text)])
    return f"{text[:at]} {chance.choice(INSERTED)} {text[at:]}"


def swap_neighbours(chance: random.Random, text: str) -> str:
    tokens = TOKEN.findall(text)
    solid = [index for index, token in enumerate(tokens) if not token.isspace()]
    first = chance.randrange(len(solid) - 1)
    one, other = solid[first], solid[min(first + chance.choice((1, 1, 2)), len(solid) - 1)]
    tokens[one], tokens[other] = tokens[other], tokens[one]
    return "".join(tokens)


def edit_lines(chance: random.Random, text: str) -> str:
    lines = text.split("\n")
    at = chance.randrange(len(lines))
    match chance.randrange(4):
        case 0:
            del lines[at]
        case 1:
            lines.insert(at, lines[at])
        case 2:
            other = min(at + 1, len(lines) - 1)
            lines[at], lines[other] = lines[other], lines[at]
        case _:
            lines[at : at + 2] = [" ".join(line.strip() for line in lines[at : at + 2])]
    return "\n".join(lines)


MISTAKES: Sequence[Mistake] = (
    type_a_character,
    drop_characters,
    drop_token,
    drop_token,
    repeat_token,
    insert_token,
    swap_neighbours,
    edit_lines,
    _changed(r"%[\w$.-]+", lambda chance, _, all_names: chance.choice(all_names)[0]),
    _changed(r"(?m)^\s*%[\w$.:-]+ = ", lambda *_: ""),
    _changed(r"(%[\w$.#-]+), (%[\w$.#-]+)", lambda _, match, __: f"{match[2]}, {match[1]}"),
    _changed(r"tensor<[^<>]*>", lambda chance, _, all_types: chance.choice(all_types)[0]),
    _changed(r"(?<=[<x])(?:\d+|\?)(?=x)", lambda chance, *_: chance.choice(NUMBERS)),
    _changed(r"(?<=[<x])(?:[a-z]+\d+)(?=>)", lambda chance, *_: chance.choice(ELEMENTS)),
    _changed(r"(?<![\w%.#-])-?\d+(?![\w.])", lambda chance, *_: chance.choice(NUMBERS)),
    _changed(r"\b[a-z]+\.[a-z_]+\b", lambda chance, _, all_words: chance.choice(all_words)[0]),
)


def mutate(chance: random.Random, text: str) -> str:
    """Returns a text with one mistake. Of two, one might be valid by itself, and no fix could undo it."""
    return chance.choice(MISTAKES)(chance, text)


# --- what becomes of them ---


class Original(NamedTuple):
    """A valid program: its name, its document, what it is and what it computes."""

    name: str
    document: Document
    module: Module

    @staticmethod
    def of(name: str, text: str) -> Original:
        document = Document(text)
        assert not any(finding.severity == "error" for finding in diagnostics(document)), name
        return Original(name, document, document.parts[0].module)


class Outcome(NamedTuple):
    """What became of a mutation: in a word, how many findings and fixes there were, and the texts."""

    word: str
    findings: int = 0
    fixes: tuple[str, ...] = ()
    mutated: str = ""
    fixed: str = ""


def outcome_of(original: Original, mutated: str) -> Outcome:
    """Fixes a mutated program, and compares what comes out with the program before the mutation."""
    document = Document(mutated)
    findings = diagnostics(document)
    is_valid = not any(finding.severity == "error" for finding in findings)
    if not findings:
        return Outcome("valid")
    fixed = fix_all(document)
    titles = tuple(fix.title for fix in fixed.applied)

    def outcome(word: str) -> Outcome:
        return Outcome(word, len(findings), titles, mutated, fixed.document.text)

    if not titles:
        return outcome("not fixed")
    if any(finding.severity == "error" for finding in diagnostics(fixed.document, strict=True)):
        return outcome("still wrong")
    wanted = document.parts[0].module if is_valid else original.module
    fixed_module = fixed.document.parts[0].module
    if len(fixed.document.parts) > 1:
        return outcome("silent change")
    if module_text(fixed_module, generic=True) == module_text(wanted, generic=True):
        return outcome("equal")
    is_same = results_of(fixed_module) == (_results(original.name) if not is_valid else results_of(wanted))
    return outcome("same results" if is_same else "silent change")


def results_of(module: Module) -> Hashable:
    """Returns what each function of a program computes from random arguments, or why it fails."""
    return tuple((name, *_call(module, name)) for name in sorted(module.functions))


def _call(module: Module, name: str) -> tuple[Hashable, ...]:
    function = module.functions[name]
    generator = np.random.default_rng(20261126)
    try:
        types = [parameter.type for parameter in parameters_of(function)]
        arguments = [
            random_argument(type_, "an argument", generator)
            for type_ in types
            if isinstance(type_, RankedTensorType)
        ]
        results = shlo.run(module, *arguments, entry=name, max_steps=MAX_STEPS)
        return tuple(map(str, types)), tuple(map(bits_of, results))
    except (ShloError, TypeError) as error:
        return (type(error).__name__, re.sub(r"\S+:\d+:\d+:?|%\S+", "", str(error)))


@cache
def originals(is_small: bool = False) -> tuple[Original, ...]:
    """Returns the programs that are mutated; without those of JAX, which take long to make, if asked."""
    texts = [("own", OWN), ("loop", PROGRAM)] * 4
    texts += [
        (path.stem, path.read_text())
        for path in [*sorted(ROOT.glob("tests/ops/*.mlir")), *sorted(ROOT.glob("examples/*.mlir"))]
        if path.stem != "broken"
    ]
    if not is_small:
        texts += [(program.name, program.text()) for program in RUNNABLE if not program.symbols]
    return tuple(Original.of(name, text) for name, text in texts if len(text) <= LARGEST)


@cache
def _results(name: str) -> Hashable:
    return results_of(next(each.module for each in originals() if each.name == name))


@cache
def known_exceptions() -> frozenset[tuple[int, int]]:
    """Returns seed and number of the silent changes that `fix_mutation_exceptions.txt` lists with a reason."""
    lines = EXCEPTIONS.read_text(encoding="utf-8").splitlines()
    numbers = (line.split(" | ")[0].split() for line in lines if line and not line.startswith("#"))
    return frozenset((int(seed), int(number)) for seed, number in numbers)


def mutations(
    programs: Sequence[Original], seed: int, first: int, count: int
) -> list[tuple[int, Original, str]]:
    """Returns mutations of programs by their numbers."""
    found: list[tuple[int, Original, str]] = []
    for number in range(first, first + count):
        chance = random.Random(f"{seed}:{number}")
        original = chance.choice(programs)
        found.append((number, original, mutate(chance, original.document.text)))
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs mutations and prints the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--from", dest="first", type=int, default=0)
    parser.add_argument("--show", type=int, default=5, help="how many of each bad outcome are shown")
    parser.add_argument("--small", action="store_true", help="without the programs of JAX")
    options = parser.parse_args(arguments)
    words: Counter[str] = Counter()
    titles: dict[str, Counter[str]] = {}
    findings = applied = 0
    for number, original, text in mutations(
        originals(options.small), options.seed, options.first, options.count
    ):
        outcome = outcome_of(original, text)
        if outcome.word == "silent change" and (options.seed, number) in known_exceptions():
            outcome = outcome._replace(word="exception")
        words[outcome.word] += 1
        findings += outcome.findings
        applied += len(outcome.fixes)
        titles.setdefault(outcome.word, Counter()).update(map(_kind_of, outcome.fixes))
        if outcome.word == "silent change" or (
            outcome.word == "still wrong" and words["still wrong"] <= options.show
        ):
            show(number, original, outcome)
    print(f"{options.count} mutations, {findings} findings, {applied} fixes applied")
    for word, count in words.most_common():
        print(f"{count:8}  {word:14} {dict(titles[word].most_common(12)) if titles[word] else ''}")
    return 1 if words["silent change"] else 0


def _kind_of(title: str) -> str:
    return re.sub(r"tensor<.*|'%.*|%\S+|\d+", "_", title)[:40]


def show(number: int, original: Original, outcome: Outcome) -> None:
    """Prints the lines that a mutation and its fixes changed."""
    print(f"{outcome.word}: mutation {number} of {original.name}: {'; '.join(outcome.fixes)}")
    texts = [text.split("\n") for text in (original.document.text, outcome.mutated, outcome.fixed)]
    for mark, lines, others in (
        ("-", texts[0], texts[1]),
        ("~", texts[1], texts[0]),
        ("+", texts[2], texts[0]),
    ):
        for line in islice((line for line in lines if line not in others), 4):
            print(f"  {mark} {line.strip()[:160]}")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
