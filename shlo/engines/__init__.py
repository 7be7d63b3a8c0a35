"""Engines: what runs a program as a whole: the interpreter (default), the reference, XLA."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Final

from shlo.engines.engine import ANYWHERE, Cluster, Engine, EngineError, Placement
from shlo.text.suggest import did_you_mean

__all__ = ["ANYWHERE", "DEFAULT", "ENGINES", "Cluster", "Engine", "EngineError", "Placement", "engine_of"]

DEFAULT: Final = "interpreter"


def _interpreter(placement: Placement) -> Engine:
    from shlo.engines.interpreter import InterpreterEngine

    return InterpreterEngine(placement)


@cache
def _any_interpreter() -> Engine:
    """Returns the interpreter without a placement, which has no state."""
    return _interpreter(ANYWHERE)


def _xla(placement: Placement) -> Engine:
    if placement.is_separate:
        from shlo.engines.xla.separate import SeparateXlaEngine

        return SeparateXlaEngine(placement)
    from shlo.engines.xla.engine import XlaEngine

    return XlaEngine(placement)


def _reference(placement: Placement) -> Engine:
    from shlo.engines.reference import ReferenceEngine

    return ReferenceEngine(placement)


ENGINES: Final[dict[str, Callable[[Placement], Engine]]] = {
    DEFAULT: _interpreter,
    "reference": _reference,
    "xla": _xla,
}
"""How each engine is made; nothing of an engine is imported before."""


def engine_of(name: str, placement: Placement | None = None) -> Engine:
    """Returns the engine of that name; raises EngineError where there is none, or where it cannot start."""
    if name == DEFAULT and (placement is None or placement is ANYWHERE):
        return _any_interpreter()
    make = ENGINES.get(name)
    if make is None:
        close = did_you_mean(name.lower(), ENGINES) if isinstance(name, str) else ""  # pyright: ignore[reportUnnecessaryIsInstance]
        names = ", ".join(ENGINES)
        raise EngineError(f"there is no engine {name!r}; the engines are {names}", close or None)
    return make(placement or ANYWHERE)
