"""Runs a program with all checks, and ranks what they find."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from msgspec.structs import asdict, replace

from shlo.debugger.inspect.scope import read_only
from shlo.debugger.session import Session, session_for
from shlo.diagnosis.branches import failure_card
from shlo.diagnosis.broadcasts import accidental_broadcasts
from shlo.diagnosis.gradients import zero_gradients
from shlo.diagnosis.keys import KeyUses
from shlo.diagnosis.loop_work import invariant_work
from shlo.diagnosis.nonfinite import LEAST_PART, nonfinite_cards, precision_cards
from shlo.diagnosis.report import Diagnosis
from shlo.interpreter.options import RunOptions
from shlo.interpreter.program.code import program_of
from shlo.ir.operations import Module
from shlo.places.card import Card
from shlo.sanitizer.report import finding_card
from shlo.sanitizer.run import Sanitizer
from shlo.sanitizer.selection import Selection
from shlo.shadow.run import ShadowRun, parts_lost
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


def diagnose(
    module: Module, arguments: Sequence[Any], options: RunOptions, folders: Sequence[str] = ()
) -> Diagnosis:
    """Returns what is wrong with a run of a program.

    The program runs once, to its end, where results that are not finite are followed back; once step by step
    beside the sanitizer and the check of keys; and, where nothing else was found, once in float64, and where
    results lack digits of those, once more step by step beside float64. Lints look at its text.

    Args:
        module: the program.
        arguments: what its entry function takes.
        options: of the run.
        folders: where lines of Python may be read, beside the working folder.

    Raises:
        ExecutionError: the program cannot be started on the arguments.
    """
    fixed = list(map(read_only, arguments))
    session = session_for(module, fixed, **_keywords(options, but=("replicas", "partitions")))
    return _judged(session, [module], [fixed], lambda: options, folders)


def diagnose_grid(
    modules: Sequence[Module],
    inputs: Sequence[Sequence[Any]],
    options: Callable[[], RunOptions],
    folders: Sequence[str] = (),
) -> Diagnosis:
    """Returns what is wrong with a run of a grid, of which lints look at the first process's program.

    Args:
        modules: the program of each process.
        inputs: what each process's entry function takes.
        options: gives those of a run, of which each has new queues; `replicas` and `partitions` are the grid.
        folders: as for `diagnose`.

    Raises:
        ExecutionError: a program cannot be started on its arguments.
    """
    fixed = [list(map(read_only, arguments)) for arguments in inputs]
    session = Session(modules, fixed, **_keywords(options()))
    return _judged(session, modules, fixed, options, folders)


def _judged(
    session: Session,
    modules: Sequence[Module],
    inputs: Sequence[Sequence[Any]],
    options: Callable[[], RunOptions],
    folders: Sequence[str],
) -> Diagnosis:
    for folder in folders:
        session.structure.python.add_folder(folder)
    session.resume()
    return _Checks(session, modules, inputs, options).diagnosis()


def _keywords(options: RunOptions, but: Sequence[str] = ()) -> dict[str, Any]:
    """Returns what a session takes of the options of a run."""
    own = {name: value for name, value in asdict(options).items() if name not in (*_OWN, *but)}
    return {**own, "memory": MEMORY}


MEMORY: Final = 128 << 20
"""How many bytes of passed values the session keeps."""

_OWN: Final = ("output", "keep_values", "profile", "progress")
"""Options of a run that a session has of its own."""


class _Checks:
    """The checks of a run whose session is at its end."""

    def __init__(
        self,
        session: Session,
        modules: Sequence[Module],
        inputs: Sequence[Sequence[Any]],
        options: Callable[[], RunOptions],
    ) -> None:
        self._session, self._modules, self._inputs, self._new_options = session, modules, inputs, options
        self._options = options()
        self._sources = session.structure.python
        self._code = program_of(modules[0], self._options.semantics).function(self._options.entries[0]).code
        self._results: Sequence[Any] = ()
        self._looked_at: list[str] = []
        self._left_out: list[str] = []

    def diagnosis(self) -> Diagnosis:
        zero = list(self._zero_gradients())  # before the results go
        cards = [*self._run(), *self._steps(), *self._lints(), *zero]
        if not cards:
            cards += self._precision()
        else:
            self._left_out.append("digits in float64, as there are other causes")
        return Diagnosis(_ranked(cards), tuple(self._looked_at), tuple(self._left_out))

    def _run(self) -> Iterator[Card]:
        """Yields why the run failed, or what made numbers of its results that are not finite."""
        failure = failure_card(self._session)
        if failure is not None:
            self._left_out.append("results: the run does not reach its end")
            yield failure
            return
        results = plural(len(self._session.cursor.process.returned), "result")
        self._looked_at.append(f"NaN and infinities in {results} of {plural(self._session.position, 'step')}")
        yield from nonfinite_cards(self._session)

    def _steps(self) -> Iterator[Card]:
        """Yields what the sanitizer and the check of keys find."""
        if self._session.cursor.error is not None:
            self._left_out.append("steps: the run does not reach its end")
            return
        self._session.cursor.history.cache.trim(0, 0)  # what was followed back is
        give_memory_back()
        uses = KeyUses()
        sanitizer = Sanitizer(Selection(but=frozenset({"shifted"})), uses.note)
        grid = self._session.grid
        if grid is None:
            self._results = sanitizer.execute(self._modules[0], self._inputs[0], self._options)
        else:
            shape = replace(self._new_options(), replicas=grid.replicas, partitions=grid.partitions)
            sanitizer.execute_grid(self._modules, self._inputs, shape)
        self._looked_at.append(f"{plural(sanitizer.findings.looked_at, 'operation')} by the sanitizer")
        self._left_out.append("shifts by a type's whole width, which JAX's random keys make")
        if grid is None:
            self._looked_at.append(f"{plural(uses.looked_at, 'use')} of random keys")
            yield from uses.cards(self._sources)
        else:
            self._left_out.append("random keys, which are not compared between processes")
        yield from (finding_card(finding, self._sources) for finding in sanitizer.findings)

    def _lints(self) -> Iterator[Card]:
        """Yields what the program's text tells."""
        yield from accidental_broadcasts(self._code, self._sources)
        yield from invariant_work(self._modules[0], self._options.entries[0], self._code, self._sources)
        self._looked_at.append("broadcasts, loops and gradients in the program's text")

    def _zero_gradients(self) -> Iterator[Card]:
        """Yields which results are zero because no derivative leads to an argument."""
        if self._session.cursor.error is None:
            returned = self._session.cursor.process.returned
            yield from zero_gradients(self._code, returned, self._sources)

    def _precision(self) -> Iterator[Card]:
        """Yields which operations lose digits that results lack."""
        if self._session.grid is not None:
            self._left_out.append("digits in float64: a grid has no shadow")
            return
        run = self._modules[0], self._inputs[0], self._options
        parts = parts_lost(*run, self._results)
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
