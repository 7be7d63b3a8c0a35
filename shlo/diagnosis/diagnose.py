"""Runs a program with all checks, and ranks what they find."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Any, Final

from msgspec.structs import replace

from shlo.diagnosis.broadcasts import accidental_broadcasts
from shlo.diagnosis.gradients import zero_gradients
from shlo.diagnosis.keys import KeyUses
from shlo.diagnosis.loop_work import invariant_work
from shlo.diagnosis.precision import LEAST_PART, precision_cards
from shlo.diagnosis.report import Diagnosis
from shlo.diagnosis.unused import unused_findings
from shlo.interpreter.options import RunOptions
from shlo.interpreter.program.code import program_of
from shlo.interpreter.runtime.program_output import drop_output
from shlo.interpreter.spmd.needed_grid import unasked_grid
from shlo.interpreter.topology.groups import GridShape
from shlo.ir.diagnostics import ExecutionError
from shlo.ir.operations import Module
from shlo.places.card import Card
from shlo.runner.python_source import PythonSources
from shlo.runner.statistics import is_finite
from shlo.sanitizer.findings import Finding, Findings
from shlo.sanitizer.report import finding_card
from shlo.sanitizer.run import Sanitizer
from shlo.sanitizer.selection import Selection
from shlo.shadow.results import parts_lost
from shlo.shadow.run import ShadowRun
from shlo.support.memory import give_memory_back
from shlo.text.numbers import plural

RANKS: Final = (
    ("argument", "failure", "divergent_branch", "nan", "infinity"),
    ("clamped", "dropped", "wrapped", "divided", "lost", "shifted", "definite", "groups"),
    ("key_reuse", "broadcast"),
    ("precision", "zero_gradient"),
    ("loop_invariant",),
)
"""Kinds of causes, the likeliest to be meant first."""

MOST_STEPS: Final = 300_000
"""How many operations of a run are carried out one by one beside the sanitizer: some seconds."""


def diagnose(
    modules: Sequence[Module],
    inputs: Sequence[Sequence[Any]],
    new_options: Callable[[], RunOptions],
    folders: Sequence[str] = (),
) -> Diagnosis:
    """Returns what is wrong with a run of a program, or of a grid of processes.

    The program runs step by step beside the sanitizer and, in one process, the check of keys; after
    MOST_STEPS operations, the rest is fast and not looked at. If it fails, or results are not finite, it runs
    in a session, in which they are followed back. Where nothing was found, it runs in float64, and where
    results lack digits, step by step beside float64. Lints look at the text of the first process's program.

    Args:
        modules: the program of each process; one for all.
        inputs: what each process's entry function takes.
        new_options: returns the options of a run, with queues of its own. Where they ask for one process, it
            is the grid that the program needs.
        folders: where lines of Python may be read, beside the working folder.

    Raises:
        ExecutionError: the program cannot be started on the arguments.
    """
    return _Checks(modules, inputs, new_options, folders).diagnosis()


class _Checks:
    """The checks of a program. What it prints is shown once, in the first run."""

    def __init__(
        self,
        modules: Sequence[Module],
        inputs: Sequence[Sequence[Any]],
        new_options: Callable[[], RunOptions],
        folders: Sequence[str],
    ) -> None:
        self._modules, self._inputs, self._new_options, self._folders = modules, inputs, new_options, folders
        options = new_options()
        self._shape = GridShape(options.replicas, options.partitions)
        needed = unasked_grid(modules[0], options.entries[0]) if self._shape.size == 1 else None
        if needed is not None:
            self._shape = GridShape(needed.replicas, needed.partitions)
        self._sources = PythonSources([*reversed(folders), "."])
        self._looked_at: list[str] = []
        self._left_out: list[str] = []

    def diagnosis(self) -> Diagnosis:
        steps: list[Card] = []
        results = self._run(steps)
        lints = list(self._lints(results))  # before the results go
        cards = [*self._of_end(results), *steps, *lints]
        if cards:
            self._left_out.append("digits in float64, as there are other causes")
        elif results is not None:
            cards += self._precision(results[0])
        return Diagnosis(_ranked(cards), tuple(self._looked_at), tuple(self._left_out))

    @property
    def _is_alone(self) -> bool:
        return self._shape.size == 1

    def _options(self) -> RunOptions:
        return replace(self._new_options(), replicas=self._shape.replicas, partitions=self._shape.partitions)

    def _run(self, cards: list[Card]) -> list[tuple[Any, ...]] | None:
        """Returns the results of each process, None where the run fails; adds what the sanitizer and the
        check of keys find.
        """
        uses, results = KeyUses(), None
        sanitizer = Sanitizer(
            Selection(but=frozenset({"shifted"})), uses.note if self._is_alone else None, MOST_STEPS
        )
        with suppress(ExecutionError):  # a session raises it again, or ends at it
            if self._is_alone:
                results = [sanitizer.execute(self._modules[0], self._inputs[0], self._options())]
            else:
                results = sanitizer.execute_grid(self._modules, self._inputs, self._options())
        if results is not None:
            count = plural(sum(map(len, results)), "result")
            self._looked_at.append(f"NaN and infinities in {count}")
        self._looked_at.append(f"{plural(sanitizer.findings.looked_at, 'operation')} by the sanitizer")
        if sanitizer.findings.is_cut:
            self._left_out.append(
                f"operations and keys after {MOST_STEPS:,} operations (shlo run --sanitize: all operations)"
            )
        self._left_out.append("shifts by a type's whole width, which JAX's random keys make")
        if self._is_alone:
            self._looked_at.append(f"{plural(uses.looked_at, 'use')} of random keys")
            cards += uses.cards(self._sources)
        else:
            self._left_out.append("random keys, which are not compared between processes")
        unused = self._unused(sanitizer.findings, results)
        cards += (
            finding_card(finding, self._sources) for finding in sanitizer.findings if finding not in unused
        )
        return results

    def _unused(self, findings: Findings, results: list[tuple[Any, ...]] | None) -> list[Finding]:
        """Returns the findings that reach no result of the one process."""
        if results is None or not self._is_alone:
            return []
        unused = unused_findings(findings, self._modules[0], self._inputs[0], self._options, results[0])
        if unused:
            self._left_out.append(f"{plural(len(unused), 'operation')} with findings that reach no result")
        return unused

    def _of_end(self, results: list[tuple[Any, ...]] | None) -> Iterator[Card]:
        """Yields why the run fails, or what made the numbers of its results that are not finite; the
        results are dropped.
        """
        process = 0
        if results is None:
            self._left_out.append("results: the run does not reach its end")
        else:
            process = next((at for at, values in enumerate(results) if not all(map(is_finite, values))), -1)
            if process < 0:
                return
            results.clear()
            give_memory_back()
        from shlo.diagnosis.ends import end_cards  # not loaded for healthy programs

        yield from end_cards(self._modules, self._inputs, self._options(), self._folders, process)

    def _lints(self, results: list[tuple[Any, ...]] | None) -> Iterator[Card]:
        """Yields what the program's text tells, and which results are zero because no derivative leads to an
        argument.
        """
        options = self._new_options()
        entry = options.entries[0]
        code = program_of(self._modules[0], options.semantics).function(entry).code
        yield from accidental_broadcasts(code, self._sources)
        yield from invariant_work(self._modules[0], entry, code, self._sources)
        if results is not None:
            yield from zero_gradients(code, results[0], self._sources)
        self._looked_at.append("broadcasts, loops and gradients in the program's text")

    def _precision(self, results: Sequence[Any]) -> Iterator[Card]:
        """Yields which operations lose digits that results lack."""
        if not self._is_alone:
            self._left_out.append("digits in float64: a grid has no shadow")
            return
        run = self._modules[0], self._inputs[0], replace(self._options(), output=drop_output)
        parts = parts_lost(*run, results)
        if parts is not None and max(parts, default=0.0) < LEAST_PART:
            self._looked_at.append(f"digits of {plural(len(parts), 'result')} in float64")
            return
        shadow = ShadowRun()
        shadow.execute(*run)
        self._looked_at.append(f"digits of {plural(shadow.losses.looked_at, 'operation')} in float64")
        yield from precision_cards(shadow.losses, self._sources)


def _ranked(cards: Sequence[Card]) -> tuple[Card, ...]:
    """Returns cards by rank; of those at one operation, the first alone."""
    ranks = {kind: rank for rank, kinds in enumerate(RANKS) for kind in kinds}
    first: dict[object, Card] = {}
    for card in sorted(cards, key=lambda card: ranks.get(card.kind, len(RANKS))):
        first.setdefault((card.place.line, card.place.operation, card.subject), card)
    return tuple(first.values())
