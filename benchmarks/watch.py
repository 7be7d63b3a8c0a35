"""What `shlo.watch` costs a training loop: five models, small and of the sizes that are trained on a CPU.

    python benchmarks/watch.py [--rounds N] [--quick]

A loop gives its state, which is donated, to the next step, a new batch to each, and waits for nothing. A bare
and a watched loop take turns in one process, 100 steps each, so that snapshots count; the order changes from
turn to turn. The ratio of a turn is that of its seconds; medians, of CPU time (all threads of the process)
and of wall time. The goal is 1.05.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable
from typing import Any

import measure

measure.use_repository()

from tests.programs import models  # noqa: E402 - the repository must be on the path first
from tests.programs.registry import integers, normal  # noqa: E402

STEPS = 100
BATCHES = 8
AT_MOST = 1.05
Loss = Callable[..., Any]


def mlp(sizes: tuple[int, ...], batch: int) -> tuple[Loss, Any, Any]:
    """Returns a perceptron's loss, parameters and batch."""
    data = normal(batch, sizes[0]), integers(batch, low=0, high=sizes[-1])
    return _classifying(models.mlp_forward), models.mlp_parameters(sizes), data


def lstm(steps: int, batch: int, features: int, width: int) -> tuple[Loss, Any, Any]:
    """Returns a recurrent network's loss, parameters and batch."""
    parameters, x = models._lstm(steps, batch, features, width)
    return lambda p, x: (models.lstm_forward(p, x) ** 2).mean(), parameters, (x,)


def cnn(batch: int) -> tuple[Loss, Any, Any]:
    """Returns a convolutional network's loss, parameters and batch."""
    data = normal(batch, 16, 16, 3, seed=9), integers(batch, low=0, high=10)
    return _classifying(models._cnn_forward), models._cnn_parameters(), data


def transformer(layers: int, width: int, length: int, batch: int) -> tuple[Loss, Any, Any]:
    """Returns a language model's loss, parameters and batch."""
    parameters = models.transformer_parameters(layers, width, 128, length)
    tokens = integers(batch, length, low=0, high=128)
    return lambda p, t: models._language_model_loss(p, t, 4), parameters, (tokens,)


def resnet18(batch: int, size: int) -> tuple[Loss, Any, Any]:
    """Returns ResNet-18's loss, parameters and batch."""
    data = normal(batch, size, size, 3), integers(batch, low=0, high=1000)
    return _classifying(models.resnet18_forward), models.resnet18_parameters(), data


def _classifying(forward: Callable[..., Any]) -> Loss:
    return lambda parameters, x, labels: models.cross_entropy(forward(parameters, x), labels)


MODELS: dict[str, Callable[[], tuple[Loss, Any, Any]]] = {
    "mlp_adam, corpus": lambda: mlp((20, 32, 16, 4), 8),
    "lstm, corpus": lambda: lstm(12, 4, 8, 16),
    "cnn, corpus": lambda: cnn(4),
    "transformer, corpus": lambda: transformer(2, 64, 16, 2),
    "mlp_adam": lambda: mlp((784, 256, 128, 10), 64),
    "lstm": lambda: lstm(50, 16, 32, 64),
    "cnn": lambda: cnn(32),
    "transformer": lambda: transformer(2, 64, 64, 8),
    "resnet18": lambda: resnet18(2, 64),
}


class Loop:
    """A training loop with Adam; batches are arrays of NumPy that are put on the device, as loaders do."""

    def __init__(self, name: str, is_watched: bool) -> None:
        import jax

        import shlo

        loss, parameters, self.batch = MODELS[name]()

        def train_step(state: Any, *batch: Any) -> tuple[Any, Any]:
            parameters, moments = state
            value, gradients = jax.value_and_grad(loss)(parameters, *batch)
            return models.adam(parameters, gradients, moments), value

        step: Any = jax.jit(train_step, donate_argnums=0)
        self.step = shlo.watch(step) if is_watched else step
        self.state = jax.tree.map(jax.numpy.array, (parameters, models.adam_state(parameters)))

    def run(self, steps: int) -> tuple[float, float]:
        """Returns the CPU and wall seconds of a step, until all results are there."""
        import jax

        cpu, wall = time.process_time(), time.perf_counter()
        for _ in range(steps):
            self.state, _ = self.step(self.state, *jax.device_put(self.batch))
        jax.block_until_ready(self.state)
        return (time.process_time() - cpu) / steps, (time.perf_counter() - wall) / steps


def loops(name: str, turns: str) -> dict[str, float]:
    """Returns the medians of turns of a bare and a watched loop, and of their ratios."""
    bare, watched = Loop(name, is_watched=False), Loop(name, is_watched=True)
    rows: list[tuple[float, ...]] = []
    for turn in range(int(turns) + 1):
        pair = [bare, watched]
        random.Random(turn).shuffle(pair)
        taken = {loop: loop.run(STEPS) for loop in pair}
        cpu, wall = taken[bare]
        rows.append((cpu, wall, taken[watched][0] / cpu, taken[watched][1] / wall))
    medians = map(statistics.median, zip(*rows[1:], strict=True))  # the first turn compiles
    return dict(zip(("cpu", "wall", "cpu_ratio", "wall_ratio"), medians, strict=True))


def main() -> None:
    """Measures every model and prints a table."""
    rounds, quick = measure.rounds_or_child(__doc__, "measure for less time", {"loops": loops})
    print(f"load average {measure.load():.1f}; milliseconds of a step; {measure.cores()} cores")
    rows: list[list[str]] = []
    for name in MODELS:
        turns = rounds if name == "resnet18" else rounds * (4 if quick else 20)
        figures = measure.child(__file__, "loops", name, str(turns))
        rows.append(
            [
                name,
                measure.milliseconds(figures["cpu"]),
                measure.ratio(figures["cpu_ratio"], 1, AT_MOST),
                measure.milliseconds(figures["wall"]),
                measure.ratio(figures["wall_ratio"], 1, AT_MOST),
            ]
        )
    measure.table(("model", "CPU", "watched", "wall", "watched"), rows)


if __name__ == "__main__":
    main()
