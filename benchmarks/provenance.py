"""How long it takes to follow an element back to where it comes from.

    python benchmarks/provenance.py

CPU seconds, the least of some calls: the chain of an infinity in a gradient of 1,000 operations to one of
30,000 elements of its input, that in examples/training.mlir through 100 rounds, and what those elements
reach. The goal is under a second for each.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any

import measure
import numpy as np

measure.use_repository()


def least(action: Callable[[], Any], rounds: int = 5) -> float:
    """Returns the least CPU seconds of some calls."""
    times: list[float] = []
    for _ in range(rounds):
        start = time.process_time()
        action()
        times.append(time.process_time() - start)
    return min(times)


def main() -> None:
    import shlo
    from shlo.debugger.session import Session
    from tests.debugger.long_gradient import PLANTED, gradient_arguments, gradient_program

    np.seterr(all="ignore")
    examples = measure.ROOT / "examples"
    stored = np.load(examples / "training.npz")
    programs = {
        "gradient of 1,000 operations": (gradient_program(), gradient_arguments(), "x", PLANTED),
        "training, 100 rounds": (
            (examples / "training.mlir").read_text("utf-8"),
            [stored[name] for name in stored.files],
            "arg2",
            (63, 5, 7),
        ),
    }
    print(f"{'':30} {'steps':>7} {'run':>7} {'links':>6} {'chain':>7} {'reaches':>7}")
    for title, (text, arguments, name, index) in programs.items():
        session = Session(shlo.parse(text), list(arguments))
        start = time.process_time()
        session.resume()
        run = time.process_time() - start
        elements = session.elements
        last = elements.nonfinite_result()
        assert last is not None
        links = elements.chain(last).links
        assert links[-1].element.index == index
        chain = least(partial(elements.chain, last))
        session.goto(0)
        first = elements.find(name, index)
        reaches = least(partial(elements.reached, first), 3)
        print(f"{title:30} {session.cursor.last:7} {run:7.3f} {len(links):6} {chain:7.3f} {reaches:7.3f}")


if __name__ == "__main__":
    main()
