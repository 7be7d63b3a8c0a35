"""One mistake is one finding: typical mistakes in valid programs, and wrong types without a history."""

from __future__ import annotations

from itertools import islice

import pytest

from shlo.language import Document
from shlo.language.causes import shown_diagnostics
from shlo.language.fixes.fixes import fixes
from tests.language.typical_mistakes import LOOP, MODEL, mistakes, outcome


@pytest.mark.slow
@pytest.mark.parametrize("part", range(3))
def test_typical_mistakes_give_one_finding_on_their_line_whose_first_fix_restores(part: int) -> None:
    outcomes = list(map(outcome, islice(mistakes(), part, None, 3)))
    assert len(outcomes) >= 66
    shares = {
        "one finding": sum(result.findings == 1 for result in outcomes) / len(outcomes),
        "on the line": sum(result.is_on_line for result in outcomes) / len(outcomes),
        "restored": sum(result.restores for result in outcomes) / len(outcomes),
    }
    least = {"one finding": 0.95, "on the line": 0.95, "restored": 0.8}
    assert {name: share for name, share in shares.items() if share < least[name]} == {}


WRONG = {
    "a definition": MODEL.replace("add %0, %1 : tensor<8x4xf32>", "add %0, %1 : tensor<7x4xf32>"),
    "a result": LOOP.replace("tanh %u : tensor<5xf32>", "tanh %u : tensor<6xf32>"),
}


@pytest.mark.parametrize("what", WRONG)
def test_uses_of_a_wrong_definition_are_judged_as_if_it_were_right(what: str) -> None:
    document = Document(WRONG[what])
    (finding,) = (each for each in shown_diagnostics(document) if each.severity == "error")
    line = document.text.splitlines()[document.text.count("\n", 0, finding.span.start)]
    assert "tensor<7x4" in line or "tensor<6x" in line
    assert finding.related
    assert next(fixes(document, finding.span)).finding == finding


def test_two_mistakes_stay_two_findings() -> None:
    text = MODEL.replace("exponential %6", "exponential %nowhere").replace("%2) :", "%neither) :")
    messages = [
        finding.message for finding in shown_diagnostics(Document(text)) if finding.severity == "error"
    ]
    assert len(messages) == 2
