"""Convolutions, pooling and Fourier transforms."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .registry import add, add_function, jax, jnp, lax, normal, program

# --- convolutions ------------------------------------------------------------------------------------------

# name -> (lhs shape, rhs shape, options of conv_general_dilated); NCHW images and OIHW kernels by default.
CONVOLUTIONS: dict[str, tuple[tuple[int, ...], tuple[int, ...], dict[str, Any]]] = {
    "plain": ((2, 3, 8, 9), (4, 3, 3, 3), {}),
    "same": ((2, 3, 8, 9), (4, 3, 3, 2), {"padding": "SAME"}),
    "strided": ((2, 3, 9, 9), (4, 3, 3, 3), {"window_strides": (2, 3)}),
    "uneven_padding": ((1, 2, 6, 6), (3, 2, 3, 3), {"padding": [(2, 0), (1, 3)]}),
    "negative_padding": ((1, 2, 8, 8), (3, 2, 3, 3), {"padding": [(-1, 0), (2, -2)]}),
    "kernel_dilated": ((2, 3, 10, 10), (4, 3, 3, 3), {"rhs_dilation": (2, 3)}),
    "input_dilated": ((2, 3, 5, 5), (4, 3, 3, 3), {"lhs_dilation": (2, 2), "padding": [(1, 2), (2, 1)]}),
    "both_dilated": (
        (2, 3, 7, 7),
        (4, 3, 3, 3),
        {"lhs_dilation": (2, 1), "rhs_dilation": (2, 2), "padding": [(1, 1), (3, 2)]},
    ),
    "grouped": ((2, 6, 7, 7), (4, 3, 3, 3), {"feature_group_count": 2}),
    "depthwise": ((2, 6, 7, 7), (12, 1, 3, 3), {"feature_group_count": 6}),
    "batch_grouped": ((4, 3, 7, 7), (6, 3, 3, 3), {"batch_group_count": 2}),
    "pointwise": ((2, 3, 5, 5), (8, 3, 1, 1), {}),
    "channels_last": ((2, 8, 9, 3), (3, 2, 3, 4), {"dimension_numbers": ("NHWC", "HWIO", "NHWC")}),
    "mixed_layout": ((3, 8, 9, 2), (3, 4, 2, 3), {"dimension_numbers": ("CHWN", "IOHW", "HWNC")}),
    "one_dimension": ((2, 3, 12), (4, 3, 5), {"window_strides": (2,), "padding": "SAME"}),
    "three_dimensions": ((1, 2, 5, 6, 7), (3, 2, 2, 3, 2), {"window_strides": (1, 2, 1)}),
    "no_space": ((3, 4), (5, 4), {}),
    "kernel_larger_than_input": ((1, 1, 2, 2), (1, 1, 3, 3), {}),
}


def _convolution(lhs: tuple[int, ...], rhs: tuple[int, ...], options: dict[str, Any]) -> Callable[[], Any]:
    full = {"window_strides": (1,) * (len(lhs) - 2), "padding": "VALID"} | options

    def build() -> Any:
        return (lambda x, k: lax.conv_general_dilated(x, k, **full)), (normal(*lhs), normal(*rhs, seed=1))

    return build


def _gradient(lhs: tuple[int, ...], rhs: tuple[int, ...], options: dict[str, Any]) -> Callable[[], Any]:
    forward, arguments = _convolution(lhs, rhs, options)()
    return lambda: (jax.grad(lambda x, k: jnp.sum(forward(x, k) ** 2), (0, 1)), arguments)


for _name, _case in CONVOLUTIONS.items():
    add(f"convolution_{_name}", _convolution(*_case), atol=1e-4)
    if _name not in ("no_space", "negative_padding", "kernel_larger_than_input"):
        add(f"convolution_{_name}_gradient", _gradient(*_case), atol=1e-3)


@program(atol=1e-4)
def convolution_transposed():
    def f(x, k):
        same = lax.conv_transpose(x, k, (2, 2), "SAME")
        return same, lax.conv_transpose(x, k, (2, 3), "VALID", transpose_kernel=False)

    return f, (normal(2, 5, 5, 3), normal(3, 3, 3, 4, seed=1))


@program()
def convolution_kinds():
    def f(i, k, h, c):
        def conv(x, y, **options):
            return lax.conv_general_dilated(x, y, (1, 1), "SAME", **options)

        return conv(i, k), conv(i, k, preferred_element_type=jnp.int32), conv(h, h[:, :, :3, :3]), conv(c, c)

    i = (normal(1, 2, 5, 5) * 20).astype(np.int8)
    c = (normal(2, 2, 4, 4) + 1j * normal(2, 2, 4, 4, seed=1)).astype(np.complex64)
    return f, (i, i[:, :, :3, :3], normal(2, 2, 5, 5).astype(jnp.bfloat16), c)


@program(atol=1e-4)
def convolve_signal():
    def f(x, k):
        modes = [jnp.convolve(x, k, mode=m) for m in ("full", "same", "valid")]
        return modes, jnp.correlate(x, k), jax.scipy.signal.fftconvolve(x, k)

    return f, (normal(40), normal(7, seed=1))


@program(atol=1e-4)
def convolution_patches():
    return (lambda x: lax.conv_general_dilated_patches(x, (3, 3), (1, 1), "VALID")), (normal(1, 2, 6, 6),)


# --- pooling -----------------------------------------------------------------------------------------------


def _pool(kind: str, x: Any, size: int, stride: int, padding: Any) -> Any:
    window, strides = (1, size, size, 1), (1, stride, stride, 1)
    if kind == "max":
        return lax.reduce_window(x, -jnp.inf, lax.max, window, strides, padding)
    return lax.reduce_window(x, 0.0, lax.add, window, strides, padding) / size**2


def _pooling(kind: str, size: int, stride: int, padding: Any) -> Callable[[], Any]:
    def loss(x: Any) -> Any:
        y = _pool(kind, x, size, stride, padding)
        return jnp.sum(y**2), y

    return lambda: (jax.value_and_grad(loss, has_aux=True), (normal(2, 9, 9, 3),))


for _kind in ("max", "average"):
    add(f"pooling_{_kind}", _pooling(_kind, 3, 3, "VALID"))
    add(f"pooling_{_kind}_overlapping", _pooling(_kind, 3, 2, "SAME"))
    add(f"pooling_{_kind}_padded", _pooling(_kind, 2, 1, [(0, 0), (1, 0), (0, 1), (0, 0)]))


@program()
def reduce_window_dilated():
    def f(x):
        def windows(**options):
            return lax.reduce_window(x, np.float32(0), lax.add, (2, 3), (1, 2), "VALID", **options)

        whole = windows(base_dilation=(2, 1)), windows(window_dilation=(3, 1))
        return whole, lax.reduce_window(x, np.float32(np.inf), lax.min, (3, 1), (2, 2), "SAME")

    return f, (normal(8, 9),)


@program()
def reduce_window_several_operands():
    def f(x, i):
        def larger(a, b):
            return jnp.where(a[0] > b[0], a[0], b[0]), jnp.where(a[0] > b[0], a[1], b[1])

        start = np.float32(-np.inf), np.int32(-1)
        return lax.reduce_window((x, i), start, larger, (3,), (2,), ((1, 0),))

    return f, (normal(11), np.arange(11, dtype=np.int32))


# --- Fourier transforms ------------------------------------------------------------------------------------


def _fft(x: Any, z: Any) -> Any:
    one = jnp.fft.fft(z), jnp.fft.ifft(z), jnp.fft.rfft(x), jnp.fft.irfft(z), jnp.fft.fft(z, axis=0)
    odd = jnp.fft.irfft(z, n=7), jnp.fft.rfft(x, n=5), jnp.fft.hfft(z)
    return one, odd, jnp.fft.fft2(z), jnp.fft.ifft2(z), jnp.fft.rfft2(x), jnp.fft.irfft2(z)


def _complex(*shape: int) -> Any:
    return (normal(*shape) + 1j * normal(*shape, seed=1)).astype(np.complex64)


add_function("fft", _fft, lambda: normal(4, 8), lambda: _complex(4, 8), atol=1e-4)


@program(atol=1e-4)
def fft_n_dimensions():
    def f(x, z):
        forward = jnp.fft.fftn(z), jnp.fft.rfftn(x), jnp.fft.fftshift(x)
        return forward, jnp.fft.ifftn(z), jnp.fft.irfftn(z), jnp.abs(jnp.fft.rfftn(x, axes=(0, 1)))

    return f, (normal(3, 4, 6), _complex(3, 4, 6))


@program(x64=True)
def fft_x64():
    z = _complex(6, 10).astype(np.complex128)
    return (lambda z: (jnp.fft.fft(z), jnp.fft.irfft2(z), jnp.fft.rfft(z.real))), (z,)
