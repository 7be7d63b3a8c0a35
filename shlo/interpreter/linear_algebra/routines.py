"""LAPACK's routines by name: what each computes, of which operands, in which orders calls declare results."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

from shlo.interpreter.linear_algebra import factorizations, solvers, spectra
from shlo.interpreter.linear_algebra.options import Factory

VECTORS = frozenset({"d", "dl", "du", "e", "order", "pivots", "s", "taus", "w", "wi", "wr"})
NUMBERS = frozenset({"info", "selected"})
WORK = "work"


class Routine(NamedTuple):
    """A routine: what it computes, the ranks of its operands without batch dimensions, and the orders in
    which calls declare results, by name. `work` is a result of any shape that means nothing, as are all that
    a call declares behind those of its order.
    """

    make: Factory
    ranks: tuple[int, ...]
    orders: tuple[str, ...]


_SVD = ("a s u vt info", "a s work work info")

ROUTINES: dict[str, Routine] = {
    "gees": Routine(
        spectra.gees,
        (2,),
        (
            "a vs wr wi selected info",
            "a vs w selected info",
            "a wr wi vs selected info",
            "a w vs selected info",
            "a work w vs selected info",
        ),
    ),
    "geev": Routine(
        spectra.geev,
        (2,),
        (
            "wr wi vl vr info",
            "w vl vr info",
            "work work work wr wi vl vr info",
            "work work w vl vr info",
        ),
    ),
    "gehrd": Routine(factorizations.gehrd, (2,), ("a taus info",)),
    "geqp3": Routine(factorizations.geqp3, (2, 1), ("a order taus",)),
    "geqrf": Routine(factorizations.geqrf, (2,), ("a taus",)),
    "gesdd": Routine(partial(spectra.svd, "gesdd"), (2,), _SVD),
    "gesvd": Routine(partial(spectra.svd, "gesvd"), (2,), _SVD),
    "gesvdj": Routine(spectra.svd_with_columns, (2,), ("a s u v info", "a s work work info")),
    "getrf": Routine(factorizations.getrf, (2,), ("a pivots info",)),
    "gtsv": Routine(solvers.gtsv, (1, 1, 1, 2), ("dl d du x info",)),
    "gtsv2": Routine(solvers.gtsv, (1, 1, 1, 2), ("x",)),
    "orgqr": Routine(factorizations.orgqr, (2, 1), ("a",)),
    "ormqr": Routine(factorizations.ormqr, (2, 1, 2), ("c",)),
    "packed_geev": Routine(spectra.packed_geev, (2,), ("a w vl vr info",)),
    "perturbed_gtsv": Routine(solvers.perturbed_gtsv, (1, 1, 1, 2), ("x",)),
    "potrf": Routine(factorizations.potrf, (2,), ("a info",)),
    "syevd": Routine(spectra.syevd, (2,), ("a w info", "a w")),
    "sytrd": Routine(factorizations.sytrd, (2,), ("a d e taus info",)),
    "trsm": Routine(solvers.trsm, (2, 2), ("x",)),
    "lu_decomposition": Routine(factorizations.lu_decomposition, (2,), ("a pivots order",)),
}
"""By LAPACK's names, those for real numbers; the last ones are variants that other platforms have."""


def core_rank(name: str) -> int:
    """Returns the rank of a result of this name, without batch dimensions."""
    return 0 if name in NUMBERS else 1 if name in VECTORS else 2
