"""A small TextMate engine: the scopes that a grammar gives to each character of a text."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

Rule = dict[str, Any]


class _Open(NamedTuple):
    """A rule with a begin and an end whose end has not come yet."""

    rule: Rule
    scopes: tuple[str, ...]


@cache
def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text)


class Grammar:
    """A TextMate grammar, as much of the format as ours uses: matches, begin and end, captures, includes."""

    def __init__(self, file: Path) -> None:
        self.root: Rule = json.loads(file.read_text(encoding="utf-8"))

    def scopes(self, text: str) -> list[tuple[str, ...]]:
        """Returns the scopes of each character."""
        found: list[tuple[str, ...]] = []
        stack = [_Open(self.root, ())]
        for line in text.splitlines(keepends=True):
            marks: list[tuple[str, ...]] = [()] * len(line)
            self._line(line, stack, marks)
            found += marks
        return found

    def _line(self, line: str, stack: list[_Open], marks: list[tuple[str, ...]]) -> None:
        pos, opened = 0, set[tuple[int, int]]()
        while pos <= len(line):
            rule, scopes = stack[-1]
            match, inner = self._next(line, pos, rule)
            stop = match.start() if match else len(line)
            _mark(marks, pos, stop, scopes)
            if match is None:
                return
            pos = match.end()
            if inner is None:  # the end of the innermost rule
                _capture(marks, match, rule.get("endCaptures", {}), scopes)
                stack.pop()
            else:
                named = scopes + tuple(inner.get("name", "").split())
                captures = inner.get("beginCaptures") or inner.get("captures", {})
                _capture(marks, match, captures, named)
                if "begin" in inner:
                    stack.append(_Open(inner, named))
            if match.end() == match.start():
                if (match.start(), len(stack)) in opened:
                    pos += 1
                opened.add((match.start(), len(stack)))

    def _next(self, line: str, pos: int, rule: Rule) -> tuple[re.Match[str] | None, Rule | None]:
        """Returns the leftmost match from a position on, and its rule; None as the rule is the end of `rule`."""
        best: tuple[re.Match[str] | None, Rule | None] = (None, None)
        if "end" in rule:
            best = (_pattern(rule["end"]).search(line, pos), None)
        for each in self._patterns(rule):
            found = _pattern(each.get("match") or each["begin"]).search(line, pos)
            if found and (best[0] is None or found.start() < best[0].start()):
                best = (found, each)
        return best

    def _patterns(self, rule: Rule) -> Iterator[Rule]:
        for each in rule.get("patterns", ()):
            include = each.get("include")
            if include is not None:
                each = self.root if include == "$self" else self.root["repository"][include[1:]]
            if "match" in each or "begin" in each:
                yield each
            else:
                yield from self._patterns(each)


def _mark(marks: list[tuple[str, ...]], start: int, end: int, scopes: tuple[str, ...]) -> None:
    marks[start:end] = [scopes] * (end - start)


def _capture(
    marks: list[tuple[str, ...]], match: re.Match[str], captures: dict[str, Rule], scopes: tuple[str, ...]
) -> None:
    _mark(marks, *match.span(), scopes)
    for number, capture in captures.items():
        start, end = match.span(int(number))
        for at in range(start, end):
            marks[at] += tuple(capture["name"].split())
