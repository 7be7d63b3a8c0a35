"""Functions of SciPy. Its packages import much more than these functions (NumPy's test tools and f2py among
it) and take twenty times as long to load as the compiled modules that hold them, which are loaded alone.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.machinery import PathFinder
from importlib.util import find_spec, module_from_spec
from pathlib import Path
from types import ModuleType
from typing import Any, Final

_SPECIAL: Final = {"digamma": "psi", "zeta": "_zeta"}
"""Names that functions of `scipy.special` have in the compiled module, where they differ."""


@cache
def _compiled(package: str, name: str) -> ModuleType | None:
    """Returns a compiled module of a package of SciPy; None where this SciPy has none of that name, or its
    package is loaded anyway."""
    scipy = find_spec("scipy")
    if f"scipy.{package}" in sys.modules or scipy is None or not scipy.submodule_search_locations:
        return None
    folders = [str(Path(folder, *package.split("."))) for folder in scipy.submodule_search_locations]
    spec = PathFinder.find_spec(f"scipy.{package}.{name}", folders)
    if spec is None or spec.loader is None:
        return None
    try:
        module = module_from_spec(spec)
        spec.loader.exec_module(module)
    except ImportError:  # it needs what its package loads
        return None
    return module


@cache
def special_function(name: str) -> Callable[..., Any]:
    """Returns a function of `scipy.special`."""
    function = getattr(_compiled("special", "_special_ufuncs"), _SPECIAL.get(name, name), None)
    return getattr(import_module("scipy.special"), name) if function is None else function


@cache
def linear_algebra_routine(name: str, library: str) -> Callable[..., Any] | None:
    """Returns the wrapper of a routine of LAPACK or BLAS, by the `library` "lapack" or "blas"; None if there
    is none."""
    routine = getattr(_compiled("linalg", f"_f{library}"), name, None)
    return getattr(import_module(f"scipy.linalg.{library}"), name, None) if routine is None else routine


def fourier_transform(kind: str, lengths: tuple[int, ...]) -> Callable[[Any], Any]:
    """Returns a Fourier transform of the last dimensions, of these lengths, in its operand's precision.

    Args:
        kind: "FFT", "IFFT", "RFFT" or "IRFFT".
        lengths: the sizes of the real or complex tensor, as `fft_length` of "stablehlo.fft".
    """
    axes = tuple(range(-len(lengths), 0))
    module = _compiled("fft._pocketfft", "pypocketfft")
    if module is None:
        transform = getattr(import_module("scipy.fft"), f"{kind.lower()}n")
        return lambda array: transform(array, s=lengths, axes=axes)
    unscaled, by_count = 0, 2
    if kind == "RFFT":
        return lambda array: module.r2c(array, axes, True, unscaled)
    if kind == "IRFFT":
        return lambda array: module.c2r(array, axes, lengths[-1], False, by_count)
    forward = kind == "FFT"
    return lambda array: module.c2c(array, axes, forward, unscaled if forward else by_count)
