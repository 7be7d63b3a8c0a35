"""What answers about a program cost beside the program: `shlo.why`, calls of plain functions.

    python benchmarks/answers.py [--rounds N] [--quick]

Each program has a process of its own. "why": CPU seconds of the first `shlo.why` of it over those of the
first `shlo.run`, and the same of the memory at its peak; the goals are 3 and 1.3. "again": a later `shlo.run`
of a function over one of its parsed module; the goal is 2.
"""

from __future__ import annotations

import resource
import statistics
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import measure

measure.use_repository()

from tests.jax_programs import PROGRAMS  # noqa: E402 - the repository must be on the path first

NAMES = ("mlp_adam", "cnn_gradient", "transformer_gradient", "lstm_gradient", "resnet18")
WARM_UPS = 3
"""How often a program runs before later runs are measured: some code is made after the second run."""
WHY_AT_MOST, MEMORY_AT_MOST, AGAIN_AT_MOST = 3.0, 1.3, 2.0


def answer(which: str, name: str) -> dict[str, float]:
    """Returns the CPU seconds and the peak memory of the first `shlo.why` or `shlo.run` of a program."""
    import shlo

    module, arguments = shlo.parse(PROGRAMS[name].text()), PROGRAMS[name].arguments
    ask: Callable[..., Any] = getattr(shlo, which)
    start = time.process_time()
    ask(module, *arguments)
    return {
        "seconds": time.process_time() - start,
        "memory": float(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss),
    }


def again(name: str, seconds: str) -> dict[str, float]:
    """Returns the seconds of later runs of a plain function, and of its parsed module."""
    import jax

    import shlo

    function, arguments = PROGRAMS[name].build()
    jax.config.update("jax_enable_x64", PROGRAMS[name].x64)
    module, arrays = shlo.parse(PROGRAMS[name].text()), PROGRAMS[name].arguments
    jitted = jax.jit(function)

    def plain(
        *arguments: Any,
    ) -> Any:  # the corpus's own name modules that are loaded late, which are not kept
        return jitted(*arguments)

    calls = {"function": partial(shlo.run, plain, *arguments), "module": partial(shlo.run, module, *arrays)}
    for call in (*calls.values(),) * WARM_UPS:
        call()
    return measure.alternating(float(seconds), calls)


def _answers(rounds: int, name: str) -> dict[str, dict[str, float]]:
    """Returns the medians of `answer` for `run` and `why`, which take turns."""
    taken: dict[str, list[dict[str, float]]] = {"run": [], "why": []}
    for _ in range(rounds):
        for which, answers in taken.items():
            answers.append(measure.child(__file__, "answer", which, name))
    return {
        which: {key: statistics.median(each[key] for each in answers) for key in ("seconds", "memory")}
        for which, answers in taken.items()
    }


def main() -> None:
    """Measures every program and prints a table."""
    rounds, quick = measure.rounds_or_child(
        __doc__, "measure for less time", {"answer": answer, "again": again}
    )
    seconds = "0.3" if quick else "5"
    print(f"load average {measure.load():.1f}; milliseconds; {measure.cores()} cores")
    rows: list[list[str]] = []
    for name in NAMES:
        sides = _answers(rounds, name)
        later = measure.child(__file__, "again", name, seconds)
        rows.append(
            [
                name,
                measure.milliseconds(sides["run"]["seconds"]),
                measure.ratio(sides["why"]["seconds"], sides["run"]["seconds"], WHY_AT_MOST),
                measure.ratio(sides["why"]["memory"], sides["run"]["memory"], MEMORY_AT_MOST),
                measure.milliseconds(later["module"]),
                measure.ratio(later["function"], later["module"], AGAIN_AT_MOST),
            ]
        )
    measure.table(("program", "run", "why", "its memory", "module", "again"), rows)


if __name__ == "__main__":
    main()
