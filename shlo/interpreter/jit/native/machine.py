"""LLVM, through llvmlite: a function's text to machine code of this processor."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from time import thread_time
from typing import Any, Final

OLDEST: Final = (0, 45)
FIRST: Final = 2.0
"""How many times as long the first machine code of a process takes: it loads LLVM, and what writes text for
it."""
OFTEN: Final = 8
"""From how many runs on a program is one that is run again and again."""
SOONER: Final = 4.0
"""By how much sooner machine code of such a program pays: it will be run as often once more, and longer."""
Function = Callable[..., int]
"""Takes the address of a frame, and integers; returns an integer."""


class _Compiling(threading.local):
    seconds = 0.0


_compiling = _Compiling()


def work_seconds() -> float:
    """Returns how long this thread has worked; what compiling took is left out, so that no loop seems slow
    because of one inside it that was compiled.
    """
    return thread_time() - _compiling.seconds


@contextmanager
def compiling() -> Generator[None]:
    """Leaves what happens inside out of `work_seconds`."""
    start = work_seconds()
    try:
        yield
    finally:
        _compiling.seconds += work_seconds() - start


def pays_after(seconds: float, runs: int) -> float:
    """Returns how long code has to have run in Python for machine code to pay, which takes so many `seconds`
    once LLVM is loaded; `runs` are those of the program so far.
    """
    cost = seconds if _llvm.cache_info().currsize else FIRST * seconds
    return cost if runs < OFTEN else cost / SOONER


@cache
def is_installed() -> bool:
    """Returns whether an llvmlite with LLVM's new pass managers is there."""
    if find_spec("llvmlite") is None:
        return False
    version: str = import_module("llvmlite").__version__
    major, minor, *_ = version.split(".")
    return (int(major), int(minor)) >= OLDEST


@cache
def _llvm() -> Any:
    """Returns LLVM's binding, ready to make code for this processor."""
    llvm: Any = import_module("llvmlite.binding")
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return llvm


class Machine:
    """Machine code of one function, as long as it is referred to.

    Args:
        text: LLVM's language.
        name: the function.
        integers: how many integers it takes beside a frame.
        packs: whether operations in a straight line become vectors, such as those of a short loop that LLVM
            has unrolled. Of larger functions that makes slower code, and takes up to twice as long.
    """

    def __init__(self, text: str, name: str = "loop", integers: int = 1, packs: bool = False) -> None:
        llvm = _llvm()
        features = llvm.get_host_cpu_features().flatten()
        target = llvm.Target.from_default_triple().create_target_machine(
            cpu=llvm.get_host_cpu_name(), features=features, opt=2
        )  # the compiler below takes it over
        module = llvm.parse_assembly(text)
        module.verify()
        options = llvm.create_pipeline_tuning_options(speed_level=2)
        options.slp_vectorization = packs
        passes = llvm.create_pass_builder(target, options)
        passes.getModulePassManager().run(module, passes)
        self._engine = llvm.create_mcjit_compiler(module, target)
        self._engine.finalize_object()
        prototype = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, *[ctypes.c_int64] * integers)
        self.function: Function = prototype(self._engine.get_function_address(name))

    def address(self, name: str) -> int:
        """Returns the address of another function of the text."""
        return int(self._engine.get_function_address(name))
