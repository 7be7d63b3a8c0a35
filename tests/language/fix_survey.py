"""Which findings with suggestions have a fix: `python -m tests.language.fix_survey PATH ... [--code CODE] [--examples N]`.

Reads the programs of files and of folders whose comments expect errors (the comments are masked) or that are
invalid otherwise. Prints the share of findings with suggestions that have an edit, and those without one by code, with
an example. What `fix_exceptions.txt` lists, with its reason, is counted apart.
"""

from __future__ import annotations

import argparse
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from shlo.ir.diagnostics import Diagnostic
from shlo.ir.suggestions import MemberSuggestion, Set, Suggestion
from shlo.language import Document
from shlo.language.diagnostics import diagnostics
from shlo.language.fixes.fixes import fixes_of

EXCEPTIONS = Path(__file__).with_name("fix_exceptions.txt")
_EXPECTED = re.compile(r"expected-(error|warning|note|remark)")


@dataclass(frozen=True, slots=True)
class Exempt:
    """Findings whose suggestions are no edit: what their codes and suggestions look like, and why."""

    code: re.Pattern[str]
    suggestion: re.Pattern[str]
    reason: str

    @property
    def is_open(self) -> bool:
        """Returns whether an edit is possible and not there yet."""
        return self.reason.startswith("open:")


@dataclass(frozen=True, slots=True)
class Surveyed:
    """A finding with suggestions, the document it is in, the name of that, and whether it has an edit."""

    name: str
    document: Document
    finding: Diagnostic
    has_fix: bool
    exempt: Exempt | None

    @property
    def is_left(self) -> bool:
        """Returns whether the suggestions are a promise that is not kept."""
        return not self.has_fix and self.exempt is None


@cache
def exceptions() -> tuple[Exempt, ...]:
    """Returns the entries of `fix_exceptions.txt`: `code | suggestion | reason`, the first two regular expressions."""
    lines = EXCEPTIONS.read_text(encoding="utf-8").splitlines()
    fields = (line.split(" | ", 2) for line in lines if line and not line.startswith("#"))
    return tuple(
        Exempt(re.compile(code), re.compile(suggestion), reason) for code, suggestion, reason in fields
    )


def signature(suggestion: Suggestion) -> str:
    """Returns the kind of a suggestion, the facets of the member that it changes, and the relation."""
    kind = str(suggestion.__struct_config__.tag)
    if not isinstance(suggestion, MemberSuggestion):
        return kind
    relation = suggestion.relation if isinstance(suggestion, Set) else ""
    return f"{kind} {'.'.join(facet.kind for facet in suggestion.subject.facets)} {relation}"


def exempt(finding: Diagnostic) -> Exempt | None:
    """Returns the entry that speaks of a finding."""
    return next(
        (
            each
            for each in exceptions()
            if each.code.fullmatch(finding.code)
            and any(each.suggestion.fullmatch(signature(suggestion)) for suggestion in finding.suggestions)
        ),
        None,
    )


def masked(text: str) -> str:
    """Returns a text whose comments expect no errors."""
    return _EXPECTED.sub(lambda match: "_" * len(match[0]), text)


def survey(programs: Iterable[tuple[str, str]], code: str | None = None) -> Iterator[Surveyed]:
    """Yields the findings with suggestions of named programs."""
    for name, text in programs:
        document = Document(masked(text))
        for finding in diagnostics(document):
            if (
                finding.suggestions
                and finding.severity not in ("hint", "note")
                and code in (None, finding.code)
            ):
                has_fix = bool(fixes_of(document, finding))
                yield Surveyed(name, document, finding, has_fix, exempt(finding))


def programs_in(paths: Iterable[Path]) -> Iterator[tuple[str, str]]:
    """Yields the files at paths, of folders those that expect errors, with what is between `// -----` apart."""
    for path in paths:
        for file in sorted(path.rglob("*.mlir")) if path.is_dir() else [path]:
            text = file.read_text(encoding="utf-8", errors="replace")
            if not path.is_dir() or re.search(r"expected-error|// expect:", text):
                yield str(file), text


def main() -> None:
    """Prints the survey."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("paths", nargs="+", type=Path)
    parser.add_argument("--code")
    parser.add_argument("--examples", type=int, default=1)
    given = parser.parse_args()
    found = list(survey(programs_in(given.paths), given.code))
    fixed, listed = (
        sum(each.has_fix for each in found),
        sum(not each.has_fix and not each.is_left for each in found),
    )
    undone = sum(not each.has_fix and each.exempt is not None and each.exempt.is_open for each in found)
    print(
        f"{fixed} of {len(found)} findings with suggestions have an edit; {listed} are exceptions, {undone} of them open"
    )
    groups: dict[str, list[Surveyed]] = defaultdict(list)
    for each in found:
        if each.is_left:
            groups[each.finding.code].append(each)
    for code, those in sorted(groups.items(), key=lambda item: -len(item[1])):
        print(f"\n{len(those):4} {code}")
        for each in those[: given.examples]:
            source, span = each.document.source, each.finding.span
            line, column = source.position(span.start)
            print(f"     {each.name}:{line}:{column}\n       {source.line_text(line).strip()[:300]}")
            print(f"       {each.finding.message}\n       help: {each.finding.help}")


if __name__ == "__main__":
    main()
