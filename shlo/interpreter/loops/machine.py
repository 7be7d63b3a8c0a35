"""LLVM, through llvmlite: a function's text to machine code of this processor."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any

MachineFunction = Callable[..., int]
"""Takes the address of a frame, and integers; returns an integer."""


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
        self.function: MachineFunction = prototype(self._engine.get_function_address(name))

    def address(self, name: str) -> int:
        """Returns the address of another function of the text."""
        return int(self._engine.get_function_address(name))
