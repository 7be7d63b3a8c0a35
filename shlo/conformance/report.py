"""Scorecards as data, as a page, as JUnit XML, and cases as files."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO, Final, Literal
from urllib.parse import quote

import msgspec

from shlo.conformance.cases import SUITE, ConformanceCase
from shlo.conformance.judge import FAILURES, JudgedCase, Results, Scorecard, Verdict, right_results
from shlo.divergence.tolerances import allowance_of
from shlo.engines.command.case_files import write_case, write_manifest
from shlo.fuzzing.forms import MAIN
from shlo.ir.dense import DenseElementsAttr
from shlo.ir.types import RankedTensorType, element_type_of
from shlo.ir.version import STABLEHLO_VERSION
from shlo.support.junit import JunitCase, write_junit_suite
from shlo.syntax import attribute_text
from shlo.text.escape import sanitized
from shlo.text.html import page_html, text_html
from shlo.text.numbers import plural

ORDER: Final = (*FAILURES, "refused", "waived", "pass")
"""Verdicts, the worst first: a cell of the table shows the worst of its cases."""
SIGNS: Final = {"wrong": "X", "crashed": "C", "timeout": "T", "refused": "-", "waived": "w", "pass": "+"}
"""What a cell shows of a verdict beside its colour."""
FEW: Final = 3
"""Cases that a line names."""

_STYLE: Final = """
body { font: 15px system-ui, sans-serif; margin: 2rem; max-width: 90rem; color-scheme: light dark }
table { border-collapse: collapse }
td, th { padding: .15rem .5rem; text-align: center; border: 1px solid #8885 }
th:first-child { text-align: left } pre { overflow-x: auto } summary { cursor: pointer }
.pass { background: #4a84 } .wrong { background: #d338 } .crashed, .timeout { background: #c5c6 }
.refused { background: #8883 } .waived { background: #db35 }
.wrong, .crashed, .timeout { font-weight: bold } .legend span { padding: .1rem .4rem }
td a { color: inherit } section:target { outline: 2px solid }
"""


def data_of(scorecard: Scorecard) -> dict[str, Any]:
    """Returns what `shlo conform --format json` prints."""
    return {
        "suite": SUITE,
        "engine": scorecard.engine,
        "stablehlo": STABLEHLO_VERSION,
        "counts": {verdict: scorecard.counts[verdict] for verdict in ORDER},
        "compared": scorecard.conclusion.looked_at,
        "cases": [
            {
                "name": judged.case.name,
                "op": judged.case.subject,
                "type": judged.case.type,
                "verdict": judged.verdict,
                "detail": judged.detail,
                "judge": judged.judge,
                "seconds": round(judged.seconds, 3),
                "allowed": judged.allowed,
                "tests": judged.case.sentence,
                "link": judged.case.url,
                **{name: texts for name, texts in msgspec.to_builtins(judged.traits).items() if texts},
                **({"waiver": msgspec.to_builtins(judged.waiver)} if judged.waiver else {}),
                **_reduced_data(judged),
            }
            for judged in scorecard.judged
        ],
    }


def _reduced_data(judged: JudgedCase) -> dict[str, Any]:
    reduced = judged.reduced
    if reduced is None:
        return {"not_reduced": judged.not_reduced} if judged.not_reduced else {}
    program = reduced.case.case.module.to_text()
    return {"reduced": {"program": program, "arguments": _literals(reduced.case), "detail": reduced.detail}}


def _literals(case: ConformanceCase) -> list[str]:
    """Returns the arguments of a case of one process, as `shlo run` takes them."""
    types = case.case.module.functions[MAIN].type.inputs
    tensors = [
        DenseElementsAttr(RankedTensorType(array.shape, element_type_of(type_)), array)
        for type_, array in zip(types, case.case.inputs[0])
    ]
    return [attribute_text(tensor) for tensor in tensors]


def table_of(scorecard: Scorecard) -> dict[str, dict[str, Counter[str]]]:
    """Returns how many cases of each operation and type have each verdict."""
    table: defaultdict[str, defaultdict[str, Counter[str]]] = defaultdict(lambda: defaultdict(Counter))
    for judged in scorecard.judged:
        table[judged.case.subject][judged.case.type][judged.verdict] += 1
    return {name: dict(row) for name, row in table.items()}


def summary_lines(scorecard: Scorecard, baseline: Sequence[dict[str, Any]] = ()) -> list[str]:
    """Returns the summary that a terminal shows: what is wrong first, then what is waived or in the baseline,
    and the counts."""
    new = new_failures(scorecard, baseline)
    lines = [line for judged in new for line in _failure_lines(judged)]
    names = {judged.case.name for judged in new}
    known = [judged.case.name for judged in scorecard.failures if judged.case.name not in names]
    lines += _named_line("failed in the baseline, too", known)
    waived: defaultdict[str, list[str]] = defaultdict(list)
    for judged in scorecard.judged:
        if judged.waiver is not None:
            waived[judged.waiver.reason].append(judged.case.name)
    for reason, names in waived.items():
        lines += _named_line(f"waived ({reason})", names)
    refused = Counter(
        sanitized(f"{judged.case.subject}: {judged.detail}")
        for judged in scorecard.judged
        if judged.verdict == "refused"
    )
    lines += [f"refused, {count} times: {reason}" for reason, count in refused.most_common()]
    counts = ", ".join(f"{count} {verdict}" for verdict, count in sorted(scorecard.counts.items()))
    cases, operations = (
        plural(len(names), word)
        for names, word in (
            (scorecard.judged, "case"),
            ({judged.case.subject for judged in scorecard.judged}, "operation"),
        )
    )
    lines.append(f"{cases} of {operations} on {sanitized(scorecard.engine)}: {counts}")
    return lines


def _named_line(title: str, names: Sequence[str]) -> Iterator[str]:
    """Yields a line that names a few cases, none where there are none."""
    more = f" and {len(names) - FEW} more" if len(names) > FEW else ""
    if names:
        yield sanitized(f"{title}: {', '.join(names[:FEW])}{more}")


def _failure_lines(judged: JudgedCase) -> Iterator[str]:
    yield sanitized(f"{judged.verdict}: {judged.case.name}: {judged.detail}")
    if judged.not_reduced:
        yield sanitized(f"  not reduced: {judged.not_reduced}")
    if judged.reduced is None:
        return
    case = judged.reduced.case
    if case.name != judged.case.name:
        yield f"  reduced: as {case.name}"
        return
    yield from (f"  {sanitized(line)}" for line in case.case.module.to_text().splitlines())
    yield from (f"  argument {number}: {text}" for number, text in enumerate(_literals(case)))


def page_of(scorecard: Scorecard) -> str:
    """Returns the scorecard as a page: operations times types, and each case that is not passed."""
    table = table_of(scorecard)
    types = sorted({type_ for row in table.values() for type_ in row})
    head = "".join(f"<th>{text_html(type_)}</th>" for type_ in types)
    rows = "".join(
        f"<tr><th>{text_html(name)}</th>{''.join(_cell(name, type_, row.get(type_)) for type_ in types)}</tr>"
        for name, row in sorted(table.items())
    )
    shown: defaultdict[str, list[JudgedCase]] = defaultdict(list)
    for judged in scorecard.judged:
        if judged.verdict != "pass":
            shown[_anchor(judged.case.subject, judged.case.type)].append(judged)
    details = "".join(
        f'<section id="{anchor}">{"".join(map(_details, cases))}</section>' for anchor, cases in shown.items()
    )
    counts = ", ".join(
        f"{scorecard.counts[verdict]} {verdict}" for verdict in ORDER if scorecard.counts[verdict]
    )
    body = (
        f"<h1>StableHLO {STABLEHLO_VERSION} on {text_html(scorecard.engine)}</h1>"
        f"<p>{len(scorecard.judged)} cases: {counts}.</p>{_legend()}"
        f"<table><tr><th></th>{head}</tr>{rows}</table><h2>Not passed</h2>{details or '<p>None.</p>'}"
    )
    return page_html("Conformance", _STYLE, body)


def _anchor(subject: str, type_: str) -> str:
    """Returns where the page has the cases of an operation and type."""
    return quote(f"{subject}-{type_}", safe="")


def _cell(subject: str, type_: str, counts: Counter[str] | None) -> str:
    """Returns a cell, with a link to its cases unless all are passed."""
    if not counts:
        return "<td></td>"
    worst = next(verdict for verdict in ORDER if counts[verdict])
    title = f"{counts[worst]} of {plural(counts.total(), 'case')} {worst}"
    text = f"{SIGNS[worst]} {counts[worst]}/{counts.total()}"
    if worst != "pass":
        text = f'<a href="#{_anchor(subject, type_)}">{text}</a>'
    return f'<td class="{worst}" title="{title}">{text}</td>'


def _legend() -> str:
    """Returns what the signs of cells mean."""
    signs = " ".join(f'<span class="{verdict}">{SIGNS[verdict]} {verdict}</span>' for verdict in ORDER)
    text = "A cell shows the worst verdict of its cases and how many of them have it, and leads to them"
    return f'<p class="legend">{text}: {signs}</p>'


def _details(judged: JudgedCase) -> str:
    case = judged.case
    title = f"{judged.verdict}: {text_html(case.name)}: {text_html(judged.detail)}"
    sentence = f'<a href="{text_html(case.url)}">{text_html(case.sentence)}</a>' if case.url else ""
    waiver = "" if judged.waiver is None else f"{judged.waiver.reason} {judged.waiver.link}"
    parts = [
        f'<details id="{text_html(case.name)}"><summary class="{judged.verdict}">{title}</summary>',
        f"<p>{sentence}</p><p>{text_html(waiver)}</p>{_run_html(judged)}",
        f"<h3>Reduced</h3>{_run_html(judged.reduced)}" if judged.reduced else "",
        f"<p>Not reduced: {text_html(judged.not_reduced)}</p>" if judged.not_reduced else "",
        "</details>",
    ]
    return "".join(parts)


def _run_html(judged: JudgedCase) -> str:
    """Returns a program, what it is called with, what is right and what the engine gave."""
    program = judged.case.case
    parts = [
        f"<pre>{text_html(program.module.to_text())}</pre>",
        f"<p>Arguments</p>{_tensors_html(program.inputs)}",
        f"<p>Expected by the {judged.judge} (allowed: {text_html(judged.allowed)})</p>",
        f"{_tensors_html(judged.expected)}",
        f"<p>Got</p>{_tensors_html(judged.given)}" if judged.given else "",
    ]
    return "".join(parts)


def _tensors_html(processes: Results) -> str:
    """Returns the tensors of each process."""
    text = "\n".join(str(array) for arrays in processes for array in arrays)
    return f"<pre>{text_html(text)}</pre>"


_KINDS: Final[dict[Verdict, Literal["", "failure", "error", "skipped"]]] = {
    "pass": "",
    "wrong": "failure",
    "crashed": "error",
    "timeout": "error",
    "refused": "skipped",
    "waived": "skipped",
}


def write_junit(file: BinaryIO, scorecard: Scorecard) -> None:
    """Writes the cases as a test suite: wrong ones are failures, crashed and late ones errors."""
    cases = [
        JunitCase(
            judged.case.subject,
            judged.case.name,
            _KINDS[judged.verdict],
            judged.detail,
            seconds=judged.seconds,
        )
        for judged in scorecard.judged
    ]
    write_junit_suite(file, "shlo conform", cases)


def export_suite(cases: Iterable[ConformanceCase], folder: Path) -> int:
    """Writes cases as files for engines without Python, and returns how many.

    Each has a folder: `program.mlir`, and arguments and expected results, both as `.npz` and as folders of
    raw numbers; `manifest.json` lists them with how far results may be apart.
    """
    rows: list[dict[str, Any]] = []
    for case in cases:
        judging, (expected,) = right_results(case)
        write_case(folder / case.name, case.case.module, case.case.inputs[0], expected)
        rows.append({"name": case.name, "type": case.type, "judge": judging, **allowance_of(case.subject)})
    write_manifest(folder, rows)
    return len(rows)


def new_failures(scorecard: Scorecard, baseline: Sequence[dict[str, Any]]) -> list[JudgedCase]:
    """Returns wrong, crashed and late cases that are not so in the cases of an earlier run's JSON."""
    before = {case.get("name") for case in baseline if case.get("verdict") in FAILURES}
    return [judged for judged in scorecard.failures if judged.case.name not in before]


def newly_refused(scorecard: Scorecard, baseline: Sequence[dict[str, Any]]) -> list[JudgedCase]:
    """Returns the refused cases that the engine passed in an earlier run, by that run's JSON."""
    before = {case.get("name") for case in baseline if case.get("verdict") == "pass"}
    return [each for each in scorecard.judged if each.verdict == "refused" and each.case.name in before]
