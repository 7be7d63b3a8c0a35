"""LLVM, in the library of llvmlite: a text to machine code of this processor.

Its functions are called directly, because `llvmlite.binding` declares hundreds more and takes six times as
long to load. Each text has a context of its own, so that threads need no lock.
"""

from __future__ import annotations

import ctypes
import os
import platform
import weakref
from collections.abc import Callable
from ctypes import POINTER, c_bool, c_char_p, c_int, c_uint64, c_void_p
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import SimpleNamespace
from typing import Any, Final, Literal

Passes = Literal["none", "few", "all"]
OLDEST: Final = (0, 45)
"""Version of llvmlite that is needed at least."""
NEWEST: Final = (0, 50)
"""Version of llvmlite up to which FUNCTIONS are as it declares them; those of newer ones are compared."""
_TYPES: Final[dict[str, Any]] = {
    "b": c_bool,
    "i": c_int,
    "p": c_void_p,
    "s": c_char_p,
    "t": POINTER(c_char_p),
    "u": c_uint64,
    "-": None,
}
FUNCTIONS: Final[dict[str, str]] = {
    "ContextCreate": "p",
    "ContextDispose": "-p",
    "CreateMCJITCompiler": "pppbt",
    "CreateNewModulePassManager": "p",
    "CreatePassBuilder": "ppp",
    "CreatePipelineTuningOptions": "p",
    "CreateTargetMachine": "ppsssissiis",
    "DisposeExecutionEngine": "-p",
    "DisposeNewModulePassManger": "-p",
    "DisposePassBuilder": "-p",
    "DisposePipelineTuningOptions": "-p",
    "DisposeString": "-s",
    "FinalizeObject": "-p",
    "GetDefaultTargetTriple": "-t",
    "GetFunctionAddress": "ups",
    "GetHostCPUFeatures": "-t",
    "GetHostCPUName": "-t",
    "GetTargetFromTriple": "pst",
    "InitializeNativeAsmPrinter": "-",
    "InitializeNativeTarget": "-",
    "PTOSetLoopInterleaving": "-pb",
    "PTOSetLoopUnrolling": "-pb",
    "PTOSetSLPVectorization": "-pb",
    "ParseAssembly": "ppst",
    "RunNewModulePassManager": "-ppp",
    "VerifyModule": "bpt",
    "buildPerModuleDefaultPipeline": "ppii",
    "module_AddInstCombinePass": "-p",
    "module_AddSROAPass": "-p",
    "module_AddSimplifyCFGPass": "-p",
}
"""The results and arguments of functions. Where one takes fewer arguments, the last ones do no harm."""


@cache
def is_usable() -> bool:
    """Returns whether there is an llvmlite with these functions, and LLVM's new pass managers."""
    if find_spec("llvmlite") is None:
        return False
    major, minor, *_ = import_module("llvmlite").__version__.split(".")
    version = int(major), int(minor)
    return version >= OLDEST and (version <= NEWEST or is_declared_so())


def is_declared_so() -> bool:
    """Returns whether the llvmlite that is installed declares FUNCTIONS like this."""
    library = import_module("llvmlite.binding.ffi").lib
    codes = {type_: code for code, type_ in _TYPES.items()}
    for name, ours in FUNCTIONS.items():
        function = getattr(library, f"LLVMPY_{name}")
        theirs = "".join(codes.get(type_, "p") for type_ in function.argtypes or ())
        result = codes.get(function.restype, "p") if ours[0] != "-" else "-"
        if not ours.startswith(result + theirs):
            return False
    return True


@cache
def _library() -> Any:
    """Returns the functions, ready to make code for this processor."""
    if not is_usable():
        raise ImportError("no llvmlite that is known")
    (folder,) = import_module("llvmlite").__path__
    name = import_module("llvmlite.utils").get_library_name()
    library = ctypes.CDLL(os.path.join(folder, "binding", name))
    functions = SimpleNamespace()
    for name, (result, *arguments) in FUNCTIONS.items():
        function: Any = getattr(library, f"LLVMPY_{name}")
        function.restype, function.argtypes = _TYPES[result], [_TYPES[code] for code in arguments]
        setattr(functions, name, function)
    functions.InitializeNativeTarget()
    functions.InitializeNativeAsmPrinter()
    return functions


def _told(function: Any, *arguments: Any) -> tuple[Any, bytes]:
    """Returns what a function returns, and the text that it leaves."""
    pointer = c_char_p()
    result, text = function(*arguments, ctypes.byref(pointer)), pointer.value
    if text is not None:
        _library().DisposeString(pointer)
    return result, text or b""


@cache
def _host() -> tuple[Any, bytes, bytes, bytes]:
    """Returns the target of code for this processor, its name, and the processor's name and features."""
    library = _library()
    triple, cpu, features = (
        _told(function)[1]
        for function in (library.GetDefaultTargetTriple, library.GetHostCPUName, library.GetHostCPUFeatures)
    )
    target, error = _told(library.GetTargetFromTriple, triple)
    if not target:
        raise RuntimeError(error.decode())
    return target, triple + (b"-elf" if os.name == "nt" else b""), cpu, features


class MachineCode:
    """Machine code of a text's functions, as long as it is referred to. Raises RuntimeError for a wrong text,
    ImportError or OSError where there is no LLVM.

    Args:
        text: LLVM's language.
        give_way: called between the steps.
        level: LLVM's level of optimization behind the passes.
        passes: which passes run: none; the few without which code goes through memory for each number; all.
        packs: whether loops are unrolled, and operations in a straight line become vectors.
    """

    def __init__(
        self,
        text: str,
        give_way: Callable[[], None],
        level: int,
        passes: Passes = "all",
        packs: bool = False,
    ) -> None:
        self._library = library = _library()
        machine = library.CreateTargetMachine(*_host(), level, b"default", b"jitdefault", 0, 0, b"")
        context = library.ContextCreate()
        module, error = _told(library.ParseAssembly, context, text.encode())
        is_wrong, error = _told(library.VerifyModule, module) if module else (True, error)
        if is_wrong:
            raise RuntimeError(error.decode())
        give_way()
        if passes != "none":
            _run_passes(library, module, machine, passes == "all", packs, level == 0)
            give_way()
        is_arm = platform.machine().lower() in ("arm64", "aarch64")  # where code must lie near
        self._engine, error = _told(library.CreateMCJITCompiler, module, machine, is_arm)
        if not self._engine:
            raise RuntimeError(error.decode())
        library.FinalizeObject(self._engine)
        weakref.finalize(self, _dispose, library, self._engine, context).atexit = False

    def address(self, name: str) -> int:
        """Returns the address of a function."""
        return int(self._library.GetFunctionAddress(self._engine, name.encode()))


def _run_passes(
    library: Any, module: Any, machine: Any, all_of_them: bool, packs: bool, interleaves: bool
) -> None:
    """Runs all passes, or the few. Several vectors of a loop side by side take up to a third more time, and
    make faster only what is not optimized behind the passes: each round of its loops goes through memory."""
    tuning = library.CreatePipelineTuningOptions()
    library.PTOSetLoopInterleaving(tuning, interleaves)
    library.PTOSetLoopUnrolling(tuning, packs)
    library.PTOSetSLPVectorization(tuning, packs)
    builder = library.CreatePassBuilder(machine, tuning)
    if all_of_them:
        manager = library.buildPerModuleDefaultPipeline(builder, 2, 0)
    else:
        manager = library.CreateNewModulePassManager()
        library.module_AddSROAPass(manager)
        library.module_AddSimplifyCFGPass(manager)
        library.module_AddInstCombinePass(manager)
    library.RunNewModulePassManager(manager, module, builder)
    library.DisposeNewModulePassManger(manager)
    library.DisposePassBuilder(builder)
    library.DisposePipelineTuningOptions(tuning)


def _dispose(library: Any, engine: Any, context: Any) -> None:
    library.DisposeExecutionEngine(engine)  # with its module and the machine
    library.ContextDispose(context)
