"""Expected texts in comments, as LLVM's FileCheck reads them: `CHECK`, `-NEXT`, `-SAME`, `-EMPTY`, `-NOT`,
`-DAG`, `-COUNT-n` and `-LABEL`, with `[[NAME:regex]]`, `[[NAME]]` and `{{regex}}`.

Runs of blanks are one blank. A label divides the text: what follows it is looked for up to the next label.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

PIECE = re.compile(r"\{\{(?P<regex>.*?)\}\}(?!\})|\[\[(?P<name>[A-Za-z_$][\w$]*)(?P<open>:)?")


class Check(NamedTuple):
    """A line of the expected text: the kind of check (empty for a plain one), its pattern and its line."""

    kind: str
    pattern: str
    line: int


class Failure(Exception):
    """A text that is not as expected."""


class Outcome(NamedTuple):
    """What became of the checks from one label to the next: the label's line, and why they fail."""

    name: str
    line: int
    failure: str | None


def checks_of(text: str, prefixes: Sequence[str] = ("CHECK",)) -> list[Check]:
    """Returns the checks in a text's comments."""
    names = "|".join(map(re.escape, prefixes))
    line_check = re.compile(rf"(?<![\w-])(?:{names})(-[A-Z]+(?:-\d+)?)?(\{{LITERAL\}})?:(.*)$")
    found: list[Check] = []
    for number, line in enumerate(text.splitlines(), 1):
        if match := line_check.search(line):
            pattern = match[3].strip()
            literal = re.sub(r"([\[{])(?=\1)", r"{{\\\1}}", pattern) if match[2] else pattern
            found.append(Check((match[1] or "")[1:], literal, number))
    return found


def judge(text: str, checks: Sequence[Check]) -> list[Outcome]:
    """Returns what becomes of each group of checks, which labels divide, on a text."""
    text = re.sub(r"[ \t]+", " ", text)
    groups = list(_groups(checks))
    variables: dict[str, str] = {}
    places = _label_places(text, [group[0] for group in groups if group[0].kind == "LABEL"])
    outcomes: list[Outcome] = []
    for group in groups:
        label = group[0] if group[0].kind == "LABEL" else None
        try:
            start, end = _section(text, places, label)
            _Matching(text, start, end, variables).run(group)
            outcomes.append(Outcome(_name(label), group[0].line, None))
        except Failure as failure:
            outcomes.append(Outcome(_name(label), group[0].line, str(failure)))
    return outcomes


def _name(label: Check | None) -> str:
    match = re.search(r"@\"?([\w.$-]+)", label.pattern) if label else None
    return match[1] if match else (label.pattern if label else "")


def _groups(checks: Sequence[Check]) -> Iterator[list[Check]]:
    group: list[Check] = []
    for check in checks:
        if check.kind == "LABEL" and group:
            yield group
            group = []
        group.append(check)
    if group:
        yield group


def _label_places(text: str, labels: Sequence[Check]) -> dict[int, int]:
    """Returns where each label stands, by its line; a label that is not found has no place."""
    places: dict[int, int] = {}
    position = 0
    for label in labels:
        if match := re.compile(_regex(label.pattern, {})[0], re.MULTILINE).search(text, position):
            places[label.line] = match.start()
            position = match.end()
    return places


def _section(text: str, places: dict[int, int], label: Check | None) -> tuple[int, int]:
    starts = sorted(places.values())
    if label is None:
        return 0, starts[0] if starts else len(text)
    if label.line not in places:
        raise Failure(f"no text for the label {label.pattern!r}")
    start = places[label.line]
    return start, next((place for place in starts if place > start), len(text))


class _Matching:
    """Checks against a part of a text."""

    def __init__(self, text: str, start: int, end: int, variables: dict[str, str]) -> None:
        self._text = text
        self._position = self._start = start
        self._end = end
        self._variables = variables
        self._forbidden: list[Check] = []

    def run(self, checks: Sequence[Check]) -> None:
        """Raises Failure at the first check that fails."""
        index = 0
        while index < len(checks):
            kind = checks[index].kind
            if kind == "DAG":
                last = index
                while last < len(checks) and checks[last].kind == "DAG":
                    last += 1
                self._match_in_any_order(checks[index:last])
                index = last
                continue
            if kind == "NOT":
                self._forbidden.append(checks[index])
            else:
                times = int(kind.removeprefix("COUNT-")) if kind.startswith("COUNT-") else 1
                for _ in range(times):
                    self._match(checks[index])
            index += 1
        self._refuse(self._position, self._end)

    def _match(self, check: Check) -> None:
        pattern = r"(?<=\n)\n" if check.kind == "EMPTY" else check.pattern
        match = (
            self._search(check, self._position)
            if check.kind != "EMPTY"
            else re.compile(pattern).search(self._text, self._position, self._end)
        )
        if match is None:
            raise self._failure(check)
        between = self._text.count("\n", self._position, match.start())
        if (check.kind == "NEXT" and between != 1) or (check.kind == "SAME" and between != 0):
            raise self._failure(check, " on that line")
        self._refuse(self._position, match.start())
        self._bind(check, match)
        self._position = match.end()

    def _match_in_any_order(self, checks: Sequence[Check]) -> None:
        """Each check somewhere behind the position, no two at the same place."""
        taken: list[tuple[int, int]] = []
        for check in checks:
            position = self._position
            while True:
                match = self._search(check, position)
                if match is None:
                    raise self._failure(check)
                if all(match.end() <= start or end <= match.start() for start, end in taken):
                    break
                position = match.start() + 1
            taken.append(match.span())
            self._bind(check, match)
        self._refuse(self._position, min(start for start, _ in taken))
        self._position = max(end for _, end in taken)

    def _search(self, check: Check, position: int) -> re.Match[str] | None:
        regex, _ = _regex(check.pattern, self._variables)
        return re.compile(regex, re.MULTILINE).search(self._text, position, self._end)

    def _bind(self, check: Check, match: re.Match[str]) -> None:
        _, groups = _regex(check.pattern, self._variables)
        for name, group in groups.items():
            self._variables[name] = match[group]

    def _refuse(self, start: int, end: int) -> None:
        for check in self._forbidden:
            regex, _ = _regex(check.pattern, self._variables)
            if match := re.compile(regex, re.MULTILINE).search(self._text, start, end):
                raise Failure(f"line {check.line}: found {match[0]!r}, which CHECK-NOT forbids")
        self._forbidden = []

    def _failure(self, check: Check, where: str = "") -> Failure:
        line = self._text[self._position : self._end].lstrip("\n").split("\n", 1)[0].strip()
        return Failure(f"line {check.line}: expected{where} {check.pattern!r}, got {line[:160]!r}")


def _regex(pattern: str, variables: dict[str, str]) -> tuple[str, dict[str, str]]:
    """Returns a check's pattern as a regular expression of Python, and the groups of the variables that it
    sets.
    """
    pattern = re.sub(r"[ \t]+", " ", pattern)
    made: list[str] = []
    groups: dict[str, str] = {}
    position = 0
    while match := PIECE.search(pattern, position):
        made.append(re.escape(pattern[position : match.start()]))
        position = match.end()
        if match["regex"] is not None:
            made.append(f"(?:{_python(match['regex'])})")
            continue
        name = match["name"]
        if match["open"]:
            end = _end_of_regex(pattern, position)
            group = f"v{len(groups)}"
            made.append(f"(?P<{group}>{_python(pattern[position:end])})")
            groups[name] = group
            position = end + 2
        else:
            position += 2
            made.append(f"(?P={groups[name]})" if name in groups else re.escape(variables.get(name, "\0")))
    made.append(re.escape(pattern[position:]))
    return "".join(made), groups


def _end_of_regex(pattern: str, position: int) -> int:
    """Returns where the `]]` of a variable is whose regular expression starts at a position."""
    depth = 0
    while not (depth == 0 and pattern.startswith("]]", position)):
        character = pattern[position]
        if character == "\\":
            position += 1
        elif character == "[":
            depth += 1
        elif character == "]":
            depth -= 1
        position += 1
    return position


def _python(regex: str) -> str:
    """Returns a POSIX regular expression as Python writes it."""
    return re.sub(r"\[\[:(\w+):\]\]", lambda match: {"digit": r"\d", "alnum": "[^\\W_]"}[match[1]], regex)
