"""A finding that says what would help has an edit, or is listed with the reason why it has none."""

from __future__ import annotations

from pathlib import Path

import pytest

from docs.generate_mistakes import PAGE, programs
from tests.language.fix_survey import Surveyed, masked, programs_in, survey

PROGRAMS = sorted(Path("tests/verifier/programs").glob("*.mlir"))


def _left(found: list[Surveyed]) -> list[str]:
    return [f"{each.finding.code}: {each.finding.help}" for each in found if each.is_left]


@pytest.mark.parametrize("path", PROGRAMS, ids=[path.stem for path in PROGRAMS])
def test_help_is_an_edit_or_an_exception(path: Path):
    assert not _left(list(survey(programs_in([path]))))


def test_help_on_the_page_of_mistakes_is_an_edit_or_an_exception():
    assert not _left(
        list(survey(("mistakes.md", text) for text in programs(PAGE.read_text(encoding="utf-8"))))
    )


def test_masked_programs_expect_nothing():
    text = "// expected-error@+1 {{x}}\nfunc.func @f() {\n"
    assert len(masked(text)) == len(text)
    assert "expected-error" not in masked(text)
