"""Retired words: identifiers and prose that still use a name which the project has replaced by a standard
term.

`python -m tests.style.vocabulary` lists what is left. An identifier may keep a retired word where it means
something else there; `exceptions.txt` beside this file says why, one line each: a file or folder, the identifier
or phrase, the reason.
"""

from __future__ import annotations

import ast
import functools
import io
import re
import subprocess
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).resolve().parents[2]
EXCEPTIONS: Final = Path(__file__).with_name("exceptions.txt")
PACKAGES: Final = (
    "shlo",
    "shlo_dap",
    "shlo_lsp",
    "shlo_mcp",
    "shlo_tui",
    "shlo_kernel",
    "bytecode/shlo_bytecode",
)
ANYWHERE: Final = ("",)


@dataclass(frozen=True, slots=True)
class Retired:
    """Words that are no longer used in identifiers.

    Args:
        words: parts of identifiers, in lower case (`looks_around` is two parts).
        instead: the standard term.
        scope: prefixes of the paths in which the words are retired.
    """

    words: str
    instead: str
    scope: tuple[str, ...] = ANYWHERE


IN_DIALECTS: Final = ("shlo/dialects", "shlo/syntax", "shlo/verifier", "shlo/language")
IN_SYNTAX: Final = ("shlo/syntax",)
IN_INTERPRETER: Final = ("shlo/interpreter",)
IN_SPMD: Final = ("shlo/interpreter/spmd", "shlo/debugger", "shlo_tui", "shlo_kernel")
IN_DEBUGGER: Final = ("shlo/debugger", "shlo_tui", "shlo_kernel")
IN_TUI: Final = ("shlo_tui",)
IN_KERNEL: Final = ("shlo_kernel",)

RETIRED: Final = (
    Retired("room rooms house", "package, layer"),
    Retired("kind kinds", "AttrConstraint, TypeConstraint", ("shlo/dialects",)),
    Retired("members", "bindings", IN_DIALECTS),
    Retired("neighbours neighbour", "upstream"),
    Retired("mending meant tired", "fixits, suggest, limit_reached"),
    Retired("surroundings looks", "OpContext, needs_context"),
    Retired("site sites", "OpCursor, ProgramPoint, CollectivePlan"),
    Retired("skeleton skeletons", "LineTemplate", IN_SYNTAX),
    Retired("texts", "TextCache", IN_SYNTAX),
    Retired("gap gaps", "trivia", IN_SYNTAX),
    Retired("reading rereading known paired odd", "parse result, reparse, old tree, unstable", IN_SYNTAX),
    Retired("spellings modernise", "legacy syntax, upgrade"),
    Retired("unread echo echoes", "cascading, suppression"),
    Retired("stretch stretches", "header spans; ufunc reductions"),
    Retired("slot deaths dies", "register, last uses", IN_INTERPRETER),
    Retired("prepared specialization", "BoundKernel, OpView"),
    Retired("boundary accept", "marshal_arguments", IN_INTERPRETER),
    Retired("cold owns", "stubs, donation", IN_INTERPRETER),
    Retired("encounter encounters meeting meetings arrival", "BlockingOps, Rendezvous, ...", IN_SPMD),
    Retired("terms reach", "CollectiveKey, SyncPoint", ("shlo/interpreter/spmd",)),
    Retired("circle circles waits verdict", "cycle, WaitForGraph, DeadlockKind", IN_SPMD),
    Retired("manual sharded tiling", "shard_map, legacy, shard layout", ("shlo/interpreter/spmd",)),
    Retired("extremes combining comparators", "arg_reduce, combiner, sort_keys", IN_INTERPRETER),
    Retired("player playback elsewhere recall", "ReplayCursor, fork_at, recompute", IN_DEBUGGER),
    Retired("track timeline ledger past ownership", "trace, history, budget, effects", ("shlo/debugger",)),
    Retired("verdicts seen", "hit conditions, non-finite detector, scanned", IN_DEBUGGER),
    Retired("plane planes heat describing", "slices, colormap, formatting", IN_DEBUGGER),
    Retired("meet looking moving stopping seeking", "run to next synchronisation, ...", IN_DEBUGGER),
    Retired("look ink saying showing scene inert sheet opening", "theme, styles, status, ...", IN_TUI),
    Retired("segments library assist colours failure", "cell splitter, definitions, ...", IN_KERNEL),
    Retired("hole bare pack moved beside come thing made taken", "spell out"),
)

PHRASES: Final = (
    "somebody", "nobody", "anybody", "stands", "stand for", "comes to", "that one means", "gives what is", "is wanted",
    "made a mistake", "a mistake of ours", "mistake of its own",
)  # fmt: skip
"""Words and phrases that no docstring, comment, message or document uses."""


class Use(NamedTuple):
    """A retired word in use: the file, the line, the identifier or phrase, and what to write instead."""

    path: str
    line: int
    name: str
    instead: str


def identifier_uses() -> Iterator[Use]:
    """Yields the identifiers that are defined in the packages with a retired word in them."""
    for path in _files(*PACKAGES):
        text = (ROOT / path).read_text("utf-8")
        names = {(1, part): None for part in Path(path).with_suffix("").parts}
        names |= dict.fromkeys(_defined(ast.parse(text)))
        instead_of = {
            word: retired.instead
            for retired in RETIRED
            if path.startswith(retired.scope)
            for word in retired.words.split()
        }
        for line, name in names:
            for word in sorted(_parts(name).intersection(instead_of)):
                yield Use(path, line, name, instead_of[word])


def phrase_uses() -> Iterator[Use]:
    """Yields the retired phrases in docstrings, comments and messages of the packages, and in documents."""
    pattern = re.compile(rf"(?<![\w-])({'|'.join(PHRASES)})(?![\w-])", re.I)
    for path in _files(*PACKAGES):
        text = (ROOT / path).read_text("utf-8")
        if not pattern.search(text):
            continue
        with io.StringIO(text) as lines:
            for token in tokenize.generate_tokens(lines.readline):
                if token.type in (tokenize.COMMENT, tokenize.STRING):
                    yield from _phrases(pattern, path, token.start[0], token.string)
    for path in _files("*.md"):
        if path != "CHANGELOG.md":
            yield from _phrases(pattern, path, 1, (ROOT / path).read_text("utf-8"))


class Exempt(NamedTuple):
    """An entry of `exceptions.txt`: a file or folder, the identifier or phrase that it may use, and why."""

    path: str
    name: str
    reason: str

    def allows(self, use: Use) -> bool:
        """Returns whether this entry allows `use`."""
        return use.name == self.name and (use.path == self.path or use.path.startswith(f"{self.path}/"))


def exceptions() -> list[Exempt]:
    """Returns the uses that are allowed, with their reasons."""
    lines = (line.split(maxsplit=2) for line in EXCEPTIONS.read_text("utf-8").splitlines())
    return [Exempt(*parts) for parts in lines if parts and not parts[0].startswith("#")]


def retired_uses() -> list[Use]:
    """Returns all uses of retired words, those with a reason, too."""
    return [*identifier_uses(), *phrase_uses()]


def unexplained(found: list[Use]) -> list[Use]:
    """Returns the uses that no exception allows."""
    allowed = exceptions()
    return [use for use in found if not any(entry.allows(use) for entry in allowed)]


def _phrases(pattern: re.Pattern[str], path: str, first: int, text: str) -> Iterator[Use]:
    for match in pattern.finditer(text):
        yield Use(path, first + text.count("\n", 0, match.start()), match[0], "see the vocabulary")


def _files(*patterns: str) -> list[str]:
    listed = subprocess.run(
        ["git", "ls-files", *patterns], cwd=ROOT, check=True, capture_output=True, text=True, timeout=60
    ).stdout.splitlines()
    return [path for path in listed if path.endswith((".py", ".md")) and (ROOT / path).exists()]


def _defined(tree: ast.Module) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield node.lineno, name
            case (
                ast.arg(arg=name)
                | ast.Name(id=name, ctx=ast.Store())
                | ast.Attribute(attr=name, ctx=ast.Store())
            ):
                yield node.lineno, name
            case _:
                pass


@functools.cache
def _parts(name: str) -> frozenset[str]:
    return frozenset(re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", name).lower().strip("_").split("_"))


if __name__ == "__main__":
    for use in unexplained(retired_uses()):
        print(f"{use.path}:{use.line}: {use.name} ({use.instead})")
