"""Codes of findings: what `shlo check` prints in brackets behind a message."""

from __future__ import annotations

import re

from docs.site.contents import ROOT
from docs.site.stage import code, running_cell, table
from shlo.dialects import all_op_defs
from shlo.verifier.codes import GENERAL_CODES, TYPE_CONSTRAINTS


def codes_in_sources() -> set[str]:
    """Returns the codes, labels of constraints aside, that the parser, the verifier and the runner give."""
    found: set[str] = set()
    for folder in ("shlo/verifier", "shlo/syntax", "shlo/runner", "shlo/dialects"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            found |= set(re.findall(r"\"([a-z]+(?:-[a-z]+)*)\"", path.read_text("utf-8"))) & set(
                GENERAL_CODES
            )
    return found


def codes_page() -> str:
    """Returns the page of all codes."""
    labelled = sum(len(each.constraints) for each in all_op_defs()) + sum(map(len, TYPE_CONSTRAINTS.values()))
    rows = ((code(name), running_cell(meaning)) for name, meaning in sorted(GENERAL_CODES.items()))
    return (
        "# Codes of findings\n\n"
        "A finding of `shlo check` ends with its code: `[reverse-C3]`. It does not change with the words of the message, so "
        "scripts and `// expected-error` comments can rely on it.\n\n"
        "## Constraints of operations and types\n\n"
        "`OPERATION-LABEL` is a constraint of the specification, or one that the MLIR tools check (labels with A): "
        f"{labelled:,} of them are on [the page of constraints](constraints.md), each with its formula, and on the page of "
        "its [operation](ops/stablehlo.md). `OPERATION-I1`, `-I2` and so on: operand, attribute or region 1, 2 is not "
        "of its kind. `shlo ops OPERATION` prints them.\n\n"
        f"## All other codes\n\n{table(('code', 'meaning'), rows)}"
    )
