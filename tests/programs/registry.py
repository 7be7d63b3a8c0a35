"""What a corpus program is, and the table they all register in."""

from __future__ import annotations

import contextlib
import functools
import importlib
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import numpy as np

from shlo.support.files import write_atomically

Array = np.ndarray[Any, Any]
SHARED = "SHLO_TEST_PROGRAMS"
"""Names a folder, in the environment, where the processes of a run of the tests share what JAX lowered."""


class LazyModule:
    """Stands for a module that is imported when one of its names is first used.

    Collecting the tests must not cost the half second that importing JAX takes.
    """

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, attribute: str) -> Any:
        return getattr(importlib.import_module(self._name), attribute)


jax = LazyModule("jax")
jnp = LazyModule("jax.numpy")
lax = LazyModule("jax.lax")
export = LazyModule("jax.export")
mlir = LazyModule("jax.interpreters.mlir")
ir = LazyModule("jaxlib.mlir.ir")

Builder = Callable[[], tuple[Callable[..., Any], tuple[Any, ...]]]


@dataclass(frozen=True)
class Program:
    """A JAX function with example arguments, lowered and compiled at most once in a process.

    `build` gives the function (not yet jitted) and its arguments (trees of arrays). `jit` holds further
    options of `jax.jit`. `symbols` names the arguments' dimensions (`"n, 3"`), an argument a string:
    the program is then exported for any size. `rtol` and `atol` are the distances from XLA's that float
    results may have. `role` says what it is for: to be run; only to be parsed and printed; the same but
    large.
    """

    name: str
    build: Builder
    jit: dict[str, Any] = field(default_factory=dict)
    symbols: tuple[str, ...] = ()
    x64: bool = False
    rtol: float = 1e-5
    atol: float = 1e-5
    role: Literal["run", "print", "giant"] = "run"

    def text(self, *, generic: bool = False, debug_info: bool = False) -> str:
        """Returns the StableHLO module JAX prints; `generic` and `debug_info` choose among MLIR's own four
        forms.
        """
        return shared(
            f"{self.name}{'-generic' * generic}{'-debug-info' * debug_info}",
            lambda: self._module.operation.get_asm(
                print_generic_op_form=generic, enable_debug_info=debug_info
            ),
        )

    @property
    def arguments(self) -> list[Array]:
        """What `main` takes, in order, flattened, in JAX's own types."""
        return [np.asarray(leaf) for leaf in jax.tree.leaves(self._call[1])]

    @functools.cached_property
    def expected(self) -> list[Array]:
        """What XLA on CPU computes for `arguments`, flattened in the order of main's results."""
        with self._precision():
            # Copies, because a donated argument is gone after the call.
            arguments = jax.tree.map(jnp.array, self._call[1])
            return [np.asarray(leaf) for leaf in jax.tree.leaves(self.compiled(*arguments))]

    @functools.cached_property
    def compiled(self) -> Any:
        """The program as XLA compiled it for the CPU: call it with `build()`'s arguments."""
        with self._precision():
            return self._lowered.compile()

    @contextlib.contextmanager
    def _precision(self) -> Iterator[None]:
        with jax.enable_x64(self.x64):
            yield

    @functools.cached_property
    def _call(self) -> tuple[Any, Any]:
        """The jitted function and its arguments as JAX arrays."""
        with self._precision():
            function, arguments = self.build()
            jitted = jax.jit(function, keep_unused=True, **self.jit)
            return jitted, jax.tree.map(jnp.asarray, arguments)

    @functools.cached_property
    def _lowered(self) -> Any:
        with self._precision():
            return self._call[0].lower(*self._call[1])

    @functools.cached_property
    def _module(self) -> Any:
        if not self.symbols:
            return self._lowered.compiler_ir("stablehlo")
        shapes = export.symbolic_args_specs(self._call[1], self.symbols)
        with mlir.make_ir_context():
            return ir.Module.parse(export.export(self._call[0])(*shapes).mlir_module())


def shared(name: str, lower: Callable[[], str]) -> str:
    """Returns a text that was lowered: by another process where one has, and the environment names a folder."""
    folder = os.environ.get(SHARED)
    if folder is None:
        return lower()
    path = Path(folder, f"{name}.mlir")
    if not path.exists():
        text = lower().encode()
        write_atomically(str(path), lambda file: file.write(text))
    return path.read_bytes().decode()


PROGRAMS: dict[str, Program] = {}


def program(**options: Any) -> Callable[[Builder], Builder]:
    """Registers a builder under its function's name; `options` are `Program`'s fields."""

    def register(build: Builder) -> Builder:
        add(build.__name__, build, **options)
        return build

    return register


def add(name: str, build: Builder, **options: Any) -> None:
    """Registers a builder under a name: for families whose members differ in one function only."""
    if name in PROGRAMS:
        raise ValueError(f"two programs are called {name}")
    PROGRAMS[name] = Program(name, build, **options)


Maker = Callable[[], Any]


def add_function(name: str, function: Callable[..., Any], *arguments: Maker, **options: Any) -> None:
    """Registers a function of arrays; each argument is given as a callable that makes it."""
    add(name, lambda: (function, tuple(make() for make in arguments)), **options)


def rng(seed: int = 0) -> np.random.Generator:
    """Returns the generator that example arguments come from."""
    return np.random.default_rng(seed)


def normal(*shape: int, seed: int = 0, scale: float = 1.0, dtype: Any = np.float32) -> Array:
    """Returns a reproducible normally distributed array."""
    return (rng(seed).standard_normal(shape) * scale).astype(dtype)


def integers(*shape: int, low: int, high: int, seed: int = 0, dtype: Any = np.int32) -> Array:
    """Returns a reproducible array of integers from `low` up to, but not including, `high`."""
    return rng(seed).integers(low, high, shape).astype(dtype)
