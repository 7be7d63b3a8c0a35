"""LLVM, through llvmlite: a function's text to machine code of this processor, at first simple and quickly
made, later optimized. Both give the same bits.
"""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from importlib import import_module
from typing import Any, Final

from shlo.interpreter.runtime.background import give_way
from shlo.interpreter.runtime.tiers import REFUSALS, make_code, policy

MachineFunction = Callable[..., int]
"""Takes the address of a frame, and integers; returns an integer."""
SIMPLE: Final = 0
OPTIMIZED: Final = 2
"""LLVM's levels."""
LONGEST_TEXT: Final = 1 << 20
"""Characters of a text that is optimized at most: the end of the process waits for LLVM."""


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
        is_simple: whether the code is simple until it has run so long that optimizing it pays.
    """

    def __init__(
        self, text: str, name: str = "loop", integers: int = 1, packs: bool = False, is_simple: bool = False
    ) -> None:
        self._name = name
        self._packs = packs
        self._prototype = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, *[ctypes.c_int64] * integers)
        self._text = text if is_simple and len(text) <= LONGEST_TEXT else ""
        self._engines: list[Any] = []
        self._spent = 0.0
        self.function: MachineFunction = self._compiled(text, SIMPLE if is_simple else OPTIMIZED)
        """The best code so far."""

    @property
    def is_simple(self) -> bool:
        """Whether the code is simple, and is to be optimized once that pays."""
        return self._text != ""

    def spend(self, seconds: float) -> None:
        """Adds what simple code has taken, and has it optimized once that pays."""
        self._spent += seconds
        text = self._text
        if text and policy().pays("optimized", self._spent, text.count("\n")):
            self._text = ""
            make_code(_Optimizing(self, text))

    def optimize(self, text: str) -> None:
        """Has optimized code of the text take the place of the simple one."""
        with suppress(*REFUSALS):
            self.function = self._compiled(text, OPTIMIZED)

    def _compiled(self, text: str, level: int) -> MachineFunction:
        llvm = _llvm()
        features = llvm.get_host_cpu_features().flatten()
        target = llvm.Target.from_default_triple().create_target_machine(
            cpu=llvm.get_host_cpu_name(), features=features, opt=level
        )  # the compiler below takes it over
        module = llvm.parse_assembly(text)
        module.verify()
        options = llvm.create_pipeline_tuning_options(speed_level=level)
        options.slp_vectorization = self._packs
        passes = llvm.create_pass_builder(target, options)
        manager = _simple_passes(llvm) if level == SIMPLE else passes.getModulePassManager()
        give_way()
        manager.run(module, passes)
        give_way()
        engine = llvm.create_mcjit_compiler(module, target)
        engine.finalize_object()
        self._engines.append(engine)
        return self._prototype(engine.get_function_address(self._name))

    def address(self, name: str) -> int:
        """Returns the address of another function of the text."""
        return int(self._engines[-1].get_function_address(name))


_shared: Final = weakref.WeakValueDictionary[str, Machine]()


def simple_machine(text: str) -> Machine:
    """Returns simple machine code of a text's function `loop`. Equal layers of a model share theirs."""
    machine = _shared.get(text)
    if machine is None:
        machine = _shared[text] = Machine(text, is_simple=True)
    return machine


class _Optimizing:
    """The optimizing of a machine's code, as long as something refers to that."""

    def __init__(self, machine: Machine, text: str) -> None:
        self._machine = weakref.ref(machine)
        self._text = text

    def __call__(self) -> None:
        machine = self._machine()
        if machine is not None:
            machine.optimize(self._text)


def _simple_passes(llvm: Any) -> Any:
    """Returns the few passes without which code goes through memory for each number."""
    manager = llvm.create_new_module_pass_manager()
    manager.add_sroa_pass()
    manager.add_simplify_cfg_pass()
    manager.add_instruction_combine_pass()
    return manager
