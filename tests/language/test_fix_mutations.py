"""What `--fix` changes after a random typing mistake is the program before it: a slice of the measurement."""

from __future__ import annotations

from tests.language.fix_mutations import known_exceptions, mutations, originals, outcome_of


def test_no_fix_changes_a_program_silently():
    words = [
        outcome_of(original, text).word
        for number, original, text in mutations(originals(is_small=True), 20261126, 0, 250)
        if (20261126, number) not in known_exceptions()
    ]
    assert words.count("silent change") == 0
    assert words.count("equal") > 10
    assert words.count("still wrong") < 10
