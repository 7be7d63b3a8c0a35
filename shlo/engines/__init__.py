"""Engines: what runs a program as a whole: the interpreter (default), the reference, XLA."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Final

from msgspec.structs import replace

from shlo.engines.engine import ANYWHERE, Cluster, Engine, EngineError, EngineFailure, Placement
from shlo.support.entry_points import entry_points_of
from shlo.text.suggest import did_you_mean

__all__ = [
    "ANYWHERE",
    "DEFAULT",
    "ENGINES",
    "Cluster",
    "Engine",
    "EngineError",
    "EngineFailure",
    "Placement",
    "engine_of",
    "is_command",
    "label_of",
    "may_be_engine",
    "takes_devices",
]

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


def engine_of(engine: str | Engine, placement: Placement | None = None) -> Engine:
    """Returns the engine of a name; raises EngineError where there is none, or where it cannot start.

    Args:
        engine: `interpreter`, `reference` or `xla`; `pjrt:NAME`, XLA on a platform that a plugin brings to
            JAX; `command:WORDS`, a command that reads and writes files; a name that a distribution has as an
            entry point of `shlo.engines`; or an engine itself.
        placement: where it runs programs.
    """
    if not isinstance(engine, str):
        if not hasattr(engine, "execute"):
            raise EngineError(f"there is no engine {engine!r}; the engines are {', '.join(ENGINES)}")
        return engine
    placement = placement or ANYWHERE
    if engine == DEFAULT and placement is ANYWHERE:
        return _any_interpreter()
    kind, _, rest = engine.partition(":")
    if is_command(engine):
        from shlo.engines.command.engine import CommandEngine

        return CommandEngine(rest, placement)
    if kind == "pjrt" and rest:
        return _xla(replace(placement, platform=rest))
    make = ENGINES.get(engine) or _of_distribution(engine)
    if make is None:
        raise EngineError(
            f"there is no engine {engine!r}; the engines are {', '.join(ENGINES)}",
            did_you_mean(engine.lower(), ENGINES) or None,
        )
    return make(placement)


def may_be_engine(name: str) -> bool:
    """Returns whether `engine_of` may have an engine of a name, which need not be installed."""
    is_known = name in ENGINES or name.startswith(("command:", "pjrt:"))
    return is_known or bool(entry_points_of("shlo.engines").get(name))


def label_of(engine: Engine) -> str:
    """Returns what reports call an engine: its name, without the words of a command."""
    return "the command" if is_command(engine.name) else engine.name


def is_command(engine: str) -> bool:
    """Returns whether an engine is a command, whose runs take a while and may refuse single operations."""
    return engine.startswith("command:")


def takes_devices(engine: str) -> bool:
    """Returns whether an engine runs each process of a grid on a device of its own."""
    return engine == "xla" or engine.startswith("pjrt:")


def _of_distribution(name: str) -> Callable[[Placement], Engine] | None:
    """Returns what makes the engine that an installed distribution brings."""
    points = entry_points_of("shlo.engines").get(name, [])
    if len(points) > 1:
        raise EngineError(f"several distributions bring an engine {name!r}")
    return points[0].load() if points else None
