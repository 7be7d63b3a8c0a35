"""Writes docs/fuzz.md: what `shlo fuzz` writes and compares, and what it has found.

python docs/generate_fuzz.py
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from shlo.divergence.known import KNOWN
from shlo.fuzzing.comparing import RECOMPUTED
from shlo.fuzzing.programs import ALONGSIDE, not_written, writers
from shlo.fuzzing.recipes import COLLECTIVES, RECIPES
from shlo.fuzzing.refused import REFUSED

PAGE = Path(__file__).resolve().parent / "fuzz.md"

INTRODUCTION = """# Random programs on two engines

`shlo fuzz` writes random valid programs, runs them with the interpreter and with XLA (or another
`--engine`), and shows what differs:

```sh
shlo fuzz --count 32 --seed 1
shlo fuzz --ops gather --ops 'dynamic_*slice' --count 16
shlo fuzz --list
```

```
shlo fuzz --time 600 -o differences
```

| option | meaning |
|---|---|
| `--seed N`, `--count N`, `--first N` | which programs (default: 1000 of seed 0), always the same |
| `--time S` | stop after S seconds |
| `--size N` | about how many operations a program has (default: 8), those in regions and functions left out |
| `--ops PATTERN` | operations that each program has |
| `-o DIR` | write programs that show a difference, [reduced](reduce.md), with arguments and a command |
| `--no-reduce` | write programs as they are |
| `--list` | the operations that are written, and why others are not |

The exit code is 1 where something differs, and 2 where nothing does but the engine did not run all
programs, or the run was interrupted: these were not compared, and do not count as programs. `--format json`
has `compared`, false in that case. Control-C ends the run with a report of what was compared so far.

## How programs are compared

Operations come from their definitions: operands of types that an operation takes, attributes of its
constraints, result types by inference, and the verifier
agrees. Operations that need more than that (dimension numbers, regions, operands in a domain) have a
recipe. All element types that both engines have, dynamic forms (their sizes are constants), control
flow, calls and collectives are among
them. Of sixteen programs, nine, six and one are compared in these ways:

- **Operation by operation:** XLA returns all values, with barriers between operations; the interpreter
  computes each operation on the operands that XLA had. [The table of tolerances](engines.md#tolerances)
  says how far results may be apart.
- **As a whole:** a program of operations that leave no choice of result, on integers, or moving
  elements. XLA fuses and simplifies it as it likes; results must be equal.
- **On a grid** of two or four processes, with collectives, likewise.

32 programs are compiled as one, and by halves where XLA does not take them; meanwhile, the next ones are
written. Every program is printed and
read, written as bytecode and as a portable artifact and read, and formatted: the program
must be the same.

XLA runs in a child process: where it aborts, that is counted and shown, and the run goes on. Where the
interpreter fails, that is a difference.
"""

FOUND = """
## What was found

Programs 0 to 2,111 of seed 1 (22,794 operations of 154 kinds), and 1,600 of other seeds, at a load of 15 on
two cores: 1.1 programs a second. In shlo: `sign` of infinite complex numbers, and windows of `maximum` and
`minimum` in types without infinity; both are mended. In XLA: the rows below, and the divisions at the end of
this page.

Since known differences are judged element by element: programs 0 to 9,999 of seed 1 (107,906 operations of
154 kinds), in 7,193 seconds on two cores: eight programs a second at a load of 2.5 to 5, fewer than one at 8
to 18. XLA did not run 16 of them: nine with a `mulhi` in a fusion; 769, 1559, 4701 and 6882, in which a `map`
has a constant in its region, or what folds to one, beside a `chlo.broadcast_select`; 2424, 4836 and 5026, at
which it ends its process, as they order complex constants. All are valid for jaxlib's verifier.
The last two kinds are no longer written (see below). Of 84 operations and programs
with other results, rows that there were explained 75: zeta 20, subnormals 13, leading zeros of constants 11,
polygamma 8, atan2 of complex numbers 6, powers of integer constants 5, operands computed once more 4, order
of complex numbers 3, sums of boolean constants 2, products of i4, rounding of constants and complex
infinities 1 each. What became of the other nine:

| program | operation | who is right | now |
|---|---|---|---|
| 2349 | `clamp` of complex numbers | shlo: XLA compares real parts alone | explained |
| 6713 | `maximum` of complex numbers, NaN | open: XLA gives the other operand | explained |
| 2783, 9491 | `round_nearest_even` of constants of f8E3M4 | shlo: XLA's folding gives NaN | explained |
| 4473 | `reduce_precision` of NaN, without mantissa bits | open: XLA's folding gives infinity | explained |
| 4656 | `batch_norm_training` of f32 | shlo: variances cancel in XLA | explained |
| 5163 | `log_plus_one` of f64 | shlo, to half a unit in the last place: XLA is up to 121 off | explained |
| 4215 | `sign` of complex numbers | both: a quotient, whose last digit is open | not among exact operations |
| 6100 | `reduce` with maximum, from the lowest number | both: it is not neutral | starts from -infinity |

On edge values (limits, infinities, NaN), as constants and as arguments, rows explain every element at which
one of eleven operations with known differences differs.

A program takes 0.2 seconds of a processor: 0.15 in XLA's process, nearly all of it in its compiler, whatever
the number of programs compiled as one, and 0.05 in ours, most of it round trips, while XLA compiles.

## Known differences

A difference that rows of this table explain is counted, not shown. Where an operation is compared by
itself, they explain elements: its operands there, and what both engines give, are what the reason names.
Where a whole program is, an operation of it has such operands.

| name | reason |
|---|---|
"""


NOT_TOGETHER = (
    (
        "divisions of integers by what may be a constant",
        "its folding of constants ends the process where the divisor is zero (SIGFPE)",
    ),
    (
        "comparisons `LT`, `LE`, `GT` and `GE` of complex numbers all of which may be constants",
        "its folding of constants ends the process (SIGABRT); of arguments, it compares them",
    ),
    (
        "`chlo.broadcast_select` and `map`, whose region may have constants, in one program",
        "to expand `chlo.broadcast_select`, it moves constants out of regions (those that it folds, too), "
        "and then refuses values from outside in regions other than those of control flow: "
        "`requires all operands to be defined in the parent region for export`",
    ),
)
"""Programs that XLA does not take, with what it does."""


def page() -> str:
    """The page as it should be."""
    by_definition = [name for name in writers() if name not in RECIPES and name not in COLLECTIVES]
    known = [(each.name, each.reason) for each in KNOWN]
    known.append((RECOMPUTED, "XLA computes operands once more inside of a fusion, with other roundings"))
    reasons = [(f"`{op_def.name}`", reason) for op_def, reason in not_written()]
    refused = [(f"`{each.operation}`", f"`{each.elements}`", each.reason) for each in REFUSED]
    return "".join(
        [
            INTRODUCTION,
            FOUND,
            _rows(known),
            "\n## Operations that are written\n\n| by | operations |\n|---|---|\n",
            _rows(
                [
                    (f"definition: {len(by_definition)}", _names(by_definition)),
                    (f"recipe: {len(RECIPES)}", _names(RECIPES)),
                    (f"recipe, on a grid: {len(COLLECTIVES)}", _names(COLLECTIVES)),
                    (f"with others: {len(ALONGSIDE)}", _names(ALONGSIDE)),
                ]
            ),
            "\n## Operations that are not written\n\n| operation | why |\n|---|---|\n",
            _rows(reasons),
            "\nOn these elements, XLA's CPU backend does not run operations; programs have none of them:\n\n",
            "| operation | elements | XLA |\n|---|---|---|\n",
            _rows(refused),
            "\nNor are these written, which are valid:\n\n",
            "| what | XLA |\n|---|---|\n",
            _rows(NOT_TOGETHER),
            "\n`python docs/generate_fuzz.py` writes this page.\n",
        ]
    )


def _rows(rows: Iterable[Sequence[str]]) -> str:
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def _names(names: Iterable[str]) -> str:
    return ", ".join(f"`{name.removeprefix('stablehlo.')}`" for name in sorted(names))


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
