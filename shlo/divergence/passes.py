"""The pass of XLA that makes the results of a program wrong: without it they are right."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from shlo.divergence.diff import diff_run
from shlo.divergence.findings import PassBisection
from shlo.divergence.tolerances import Tolerances
from shlo.engines.xla.separate import SeparateXlaEngine
from shlo.interpreter.options import RunOptions
from shlo.ir.operations import Module

DISABLED: Final = "xla_disable_hlo_passes"
_START: Final = "pipeline-start"
_DUMPED: Final = re.compile(r"\.\d{4,}\.([^.]+)\.after_([^.]+)\.before_[^.]+\.txt$")
"""The end of the name of a dumped program: the pipeline, and the pass that has just changed it."""


def bisect_passes(
    modules: Sequence[Module],
    inputs: Sequence[Sequence[Any]],
    options: RunOptions,
    engine: SeparateXlaEngine,
    tolerances: Tolerances,
) -> PassBisection:
    """Returns the pass without which XLA gives the results of the interpreter; several where none alone will
    do. XLA runs in its child process, which it may end where a pass is missing.

    Args:
        modules: the program, whose results are wrong.
        inputs: what it is called with.
        options: how it runs.
        engine: XLA; what its compiler is told is the same afterwards.
        tolerances: how far results may be apart.
    """
    search = _PassSearch(modules, inputs, options, engine, tolerances)
    search.run()
    return search.found


class _PassSearch:
    """Searches by halves, as long as XLA compiles the program without them."""

    def __init__(
        self,
        modules: Sequence[Module],
        inputs: Sequence[Sequence[Any]],
        options: RunOptions,
        engine: SeparateXlaEngine,
        tolerances: Tolerances,
    ) -> None:
        self._modules, self._inputs, self._options = modules, inputs, options
        self._engine, self._tolerances = engine, tolerances
        self._told = engine.compiler_options
        self.found = PassBisection()

    def run(self) -> None:
        """Searches; the compiler's options are the same afterwards."""
        try:
            self.found.candidates = self._candidates()
            self.found.passes = self._search(self.found.candidates)
        finally:
            self._engine.compiler_options = self._told

    def _candidates(self) -> list[str]:
        """Returns the passes that change the program."""
        with tempfile.TemporaryDirectory(prefix="shlo-passes-", ignore_cleanup_errors=True) as folder:
            self._is_right(("xla_dump_to", folder), ("xla_dump_hlo_pass_re", ".*"))
            names = sorted(path.name for path in Path(folder).iterdir())
        matches = [match for name in names if (match := _DUMPED.search(name))]
        pipelines = {match[1] for match in matches} | {_START}
        return list(dict.fromkeys(match[2] for match in matches if match[2] not in pipelines))

    def _search(self, names: Sequence[str]) -> list[str]:
        """Returns passes among these without which results are right, as few as are found."""
        if len(names) > 1:
            middle = len(names) // 2
            for half in (names[:middle], names[middle:]):
                if self._is_right_without(half):
                    return self._search(half)
            alone = next((name for name in names if self._is_right_without([name])), None)
            if alone is not None:
                return [alone]
        return self._fewest(names) if self._is_right_without(names) else []

    def _fewest(self, names: Sequence[str]) -> list[str]:
        """Returns passes all of which must be missing."""
        left = list(names)
        for name in names:
            others = [other for other in left if other != name]
            if others and self._is_right_without(others):
                left = others
        return left

    def _is_right_without(self, names: Sequence[str]) -> bool:
        return bool(names) and self._is_right((DISABLED, ",".join(names)), names=names)

    def _is_right(self, *told: tuple[str, str], names: Sequence[str] = ()) -> bool:
        """Returns whether results are right where the compiler is told something."""
        self._engine.compiler_options = (*self._told, *told)
        self.found.runs += 1
        difference = diff_run(
            self._modules,
            self._inputs,
            self._options,
            self._engine,
            self._tolerances,
            compares_operations=False,
        )
        for reason in difference.not_compared.values():
            self.found.refused[", ".join(names) or "nothing"] = reason
        return bool(difference.whole) and not difference.results
