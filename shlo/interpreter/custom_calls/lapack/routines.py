"""LAPACK's routines by name: computation, operands, and the orders in which calls declare results."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

from shlo.interpreter.custom_calls.lapack import factorizations, spectra
from shlo.interpreter.custom_calls.lapack.options import Factory

VECTORS = frozenset({"d", "dl", "du", "e", "order", "pivots", "s", "taus", "w", "wi", "wr"})
NUMBERS = frozenset({"info", "selected"})
WORK = "work"


class Routine(NamedTuple):
    """LAPACK routine: computation, shapes of operands without batch dimensions, orders of results by name.

    A shape is a letter for each size, equal ones for equal sizes. Calls declare results in one of the orders;
    `work` is a result of any shape without a meaning, as are all that a call declares behind those of its
    order.
    """

    make: Factory
    shapes: tuple[str, ...]
    orders: tuple[str, ...]

    @property
    def ranks(self) -> tuple[int, ...]:
        """The ranks of the operands, without batch dimensions."""
        return tuple(map(len, self.shapes))


_SVD = ("a s u vt info", "a s work work info")

ROUTINES: dict[str, Routine] = {
    "gees": Routine(
        spectra.gees,
        ("nn",),
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
        ("nn",),
        (
            "wr wi vl vr info",
            "w vl vr info",
            "work work work wr wi vl vr info",
            "work work w vl vr info",
        ),
    ),
    "gehrd": Routine(factorizations.gehrd, ("nn",), ("a taus info",)),
    "geqp3": Routine(factorizations.geqp3, ("mn", "n"), ("a order taus",)),
    "geqrf": Routine(factorizations.geqrf, ("mn",), ("a taus",)),
    "gesdd": Routine(partial(spectra.svd, "gesdd"), ("mn",), _SVD),
    "gesvd": Routine(partial(spectra.svd, "gesvd"), ("mn",), _SVD),
    "gesvdj": Routine(spectra.svd_with_columns, ("mn",), ("a s u v info", "a s work work info")),
    "getrf": Routine(factorizations.getrf, ("mn",), ("a pivots info",)),
    "gtsv": Routine(factorizations.gtsv, ("n", "n", "n", "nr"), ("dl d du x info",)),
    "gtsv2": Routine(factorizations.gtsv, ("n", "n", "n", "nr"), ("x",)),
    "orgqr": Routine(factorizations.orgqr, ("mn", "k"), ("a",)),
    "ormqr": Routine(factorizations.ormqr, ("mk", "k", "rc"), ("c",)),
    "packed_geev": Routine(spectra.packed_geev, ("nn",), ("a w vl vr info",)),
    "perturbed_gtsv": Routine(factorizations.perturbed_gtsv, ("n", "n", "n", "nr"), ("x",)),
    "potrf": Routine(factorizations.potrf, ("nn",), ("a info",)),
    "syevd": Routine(spectra.syevd, ("nn",), ("a w info", "a w")),
    "sytrd": Routine(factorizations.sytrd, ("nn",), ("a d e taus info",)),
    "trsm": Routine(factorizations.trsm, ("kk", "mn"), ("x",)),
    "lu_decomposition": Routine(factorizations.lu_decomposition, ("mn",), ("a pivots order",)),
}
"""By LAPACK's names, those for real numbers; the last ones are variants that other platforms have."""


def core_rank(name: str) -> int:
    """Returns the rank of a result of this name, without batch dimensions."""
    return 0 if name in NUMBERS else 1 if name in VECTORS else 2
