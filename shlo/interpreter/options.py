"""Options of a run."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from operator import index
from typing import Any, Final, SupportsIndex, TypedDict

from msgspec import Struct

from shlo.interpreter.custom_call_api import Handler, Stub
from shlo.interpreter.runtime.channels import Channels
from shlo.interpreter.runtime.profile import Profile, Progress
from shlo.interpreter.runtime.program_output import OutputFn
from shlo.interpreter.semantics import Semantics
from shlo.ir.diagnostics import ShloError
from shlo.text.suggest import did_you_mean


class RunKeywords(TypedDict, total=False):
    """The keyword arguments that refer to the fields of RunOptions."""

    entry: str | Sequence[str]
    replicas: int
    partitions: int
    seed: int
    max_steps: int | None
    max_bytes: int | None
    handlers: Mapping[str, Handler] | None
    stubs: Mapping[str, Stub] | None
    callbacks: Sequence[Callable[..., Any]]
    semantics: Semantics
    output: OutputFn | None
    probe_folder: str | None
    channels: Channels | Sequence[Channels] | None
    keep_values: bool
    profile: Profile | None
    progress: Progress | None
    threads: int | None


class OptionError(ShloError, TypeError):
    """An option of a run that is unknown, or has a value that it cannot have."""


class RunOptions(Struct, frozen=True, kw_only=True):
    """How a function of a program runs.

    Args:
        entry: name of the function; in a grid one for all processes or one for each.
        replicas: rows of the process grid.
        partitions: processes in each row.
        seed: start of the generator of `rng`.
        max_steps: limit of operations that all processes carry out together.
        max_bytes: limit of bytes that all values take together.
        handlers: handlers of custom calls by target; they go before the registered ones.
        stubs: results of custom calls that have no handler, by target or pattern.
        callbacks: the Python functions that host callbacks call, by the index that the program has for each.
        semantics: "xla" does as XLA on CPU where it departs from the specification (see semantics.py).
        output: is called with what callbacks without results (`jax.debug.print`) show; by default that is
            printed to standard error.
        probe_folder: the folder that `interpreter.probe` writes to and `check.expect_serialized_eq` reads.
        channels: what `infeed` reads, and `outfeed` and `send` write; in a grid one for all processes, or one
            for each, whose channels they share. Without any, each has an infeed and an outfeed of its own.
        keep_values: keeps values that no operation needs any more until their function returns.
        profile: is told what each operation costs.
        progress: is called with how many of the entry function's operations are done, and of how many.
        threads: how many threads share the work of an operation; by default what SHLO_NUM_THREADS says, else
            as many as processors that the process may use. Results do not depend on it.
    """

    entry: str | Sequence[str] = "main"
    replicas: int = 1
    partitions: int = 1
    seed: int = 0
    max_steps: int | None = None
    max_bytes: int | None = None
    handlers: Mapping[str, Handler] | None = None
    stubs: Mapping[str, Stub] | None = None
    callbacks: Sequence[Callable[..., Any]] = ()
    semantics: Semantics = "spec"
    output: OutputFn | None = None
    probe_folder: str | None = None
    channels: Channels | Sequence[Channels] | None = None
    keep_values: bool = False
    profile: Profile | None = None
    progress: Progress | None = None
    threads: int | None = None

    @staticmethod
    def of(keywords: Mapping[str, Any]) -> RunOptions:
        """Returns the options that keyword arguments name; raises OptionError, a TypeError, for one that is
        unknown or has a value that it cannot have."""
        if not keywords:
            return _DEFAULTS
        for name in keywords:
            if name not in RunKeywords.__annotations__:
                known = RunOptions.__struct_fields__
                close = did_you_mean(name, known, otherwise=f"the options are {', '.join(known)}")
                raise OptionError(f"unexpected option {name!r}; {close}")
        for name in keywords.keys() & _LEAST.keys():
            _check_integer(name, keywords[name])
        return RunOptions(**keywords)

    @property
    def entries(self) -> Sequence[str]:
        """The names of the functions: one for all processes, or one for each."""
        return [self.entry] if isinstance(self.entry, str) else self.entry


_LEAST: Final = {"replicas": 1, "partitions": 1, "max_steps": 0, "max_bytes": 0, "threads": 1}
"""The least values of options that are numbers."""


def _check_integer(name: str, value: object) -> None:
    """Raises OptionError for the value of an option that is no integer, or too small."""
    if value is None and getattr(_DEFAULTS, name) is None:
        return
    if not isinstance(value, SupportsIndex) or isinstance(value, bool):
        raise OptionError(f"expected an integer for {name}, got {value!r}")
    if index(value) < _LEAST[name]:
        raise OptionError(f"expected {name} of at least {_LEAST[name]}, got {value!r}")


_DEFAULTS: Final = RunOptions()
