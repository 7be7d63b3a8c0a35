"""How the time of every operation grows with the size of the input, for every shape of program.

    python benchmarks/growth.py [--shapes NAME ...] [--work NAME ...] [--seconds N]

For each shape and operation four sizes are measured, each twice the one before; the exponent is fitted over
the times (1 is linear, 2 quadratic). Each shape runs in a process of its own, and an operation that takes
longer than its share is given up. Exponents over the goal are marked.
"""

from __future__ import annotations

import argparse
import json
import signal
import time
from types import FrameType

import measure
import numpy as np

measure.use_repository()

GOAL = 1.3
SIZES = (250, 500, 1000, 2000)
DEEP_SIZES = (11, 22, 45, 90)
MEASURABLE = 0.002
"""Seconds below which a time says nothing."""


class GivenUp(BaseException):
    """The operation took too long."""


def exponent(sizes: tuple[int, ...], times: list[float]) -> float | None:
    """Returns the slope of the logarithms of times over those of sizes; None where the times are too
    short."""
    if times[-1] < MEASURABLE:
        return None
    known = [(size, seconds) for size, seconds in zip(sizes, times) if seconds >= MEASURABLE / 10]
    if len(known) < 2:
        return None
    logarithms = np.log(np.array(known))
    return float(np.polyfit(logarithms[:, 0], logarithms[:, 1], 1)[0])


def measured(name: str, operations: list[str], seconds: int) -> dict[str, object]:
    """For each operation its exponent and the time at the largest size, or a word for what is wrong."""
    from tests.growth.shapes import DEEP, SHAPES
    from tests.growth.work import WORK

    def give_up(number: int, frame: FrameType | None) -> None:
        raise GivenUp

    signal.signal(signal.SIGALRM, give_up)
    sizes = DEEP_SIZES if name in DEEP else SIZES
    found: dict[str, object] = {}
    for operation in operations or list(WORK):
        times: list[float] = []
        signal.alarm(seconds)
        try:
            for size in sizes:
                text = SHAPES[name](size)
                WORK[operation](text)()
                action = WORK[operation](text)
                start = time.process_time()
                action()
                times.append(time.process_time() - start)
            found[operation] = [exponent(sizes, times), times[-1]]
        except GivenUp:
            found[operation] = "given up"
        except Exception as error:
            found[operation] = type(error).__name__
        finally:
            signal.alarm(0)
    return found


def main() -> None:
    """Measures every shape, and prints a table of the exponents over the goal and of what failed."""
    from tests.growth.shapes import SHAPES

    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--shapes", nargs="*", default=[])
    parser.add_argument("--work", nargs="*", default=[])
    parser.add_argument("--seconds", type=int, default=20, help="for one operation on one shape (default 20)")
    parser.add_argument("--child", nargs=3, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        name, operations, seconds = options.child
        print(json.dumps(measured(name, operations.split(",") if operations else [], int(seconds))))
        return
    rows: list[list[str]] = []
    for name in options.shapes or SHAPES:
        found = measure.child(__file__, name, ",".join(options.work), str(options.seconds))
        for operation, result in found.items():
            if isinstance(result, str):
                rows.append([name, operation, result, ""])
            elif result[0] is not None:
                mark = " OVER" if result[0] > GOAL else ""
                rows.append([name, operation, f"{result[0]:.2f}{mark}", measure.milliseconds(result[1])])
    measure.table(("shape", "operation", "exponent", "ms at the largest size"), rows)
    over = sum(not row[3] or "OVER" in row[2] for row in rows)
    print(f"{len(rows)} measured, {over} over {GOAL} or failed")


if __name__ == "__main__":
    main()
