"""Custom calls that JAX and XLA wrote for one platform, and that mean the same on every other one."""

from __future__ import annotations

import struct
from typing import Any

import numpy as np
import pytest

import shlo

from .custom_call_programs import call


def run(program: str, *arguments: Any) -> Any:
    return shlo.run(shlo.parse(program), *arguments)


# --- random bits -------------------------------------------------------------------------------------------

KNOWN_ANSWERS = [
    ((0, 0), (0, 0), (0x6B200159, 0x99BA4EFE)),
    ((0xFFFFFFFF, 0xFFFFFFFF), (0xFFFFFFFF, 0xFFFFFFFF), (0x1CB996FC, 0xBB002BE7)),
    ((0x13198A2E, 0x03707344), (0x243F6A88, 0x85A308D3), (0xC4923A9C, 0x483DF7A0)),
]
"""Key, counter and words of Threefry2x32 with 20 rounds, as its authors published them."""


@pytest.mark.parametrize("target", ["cu_threefry2x32", "cuda_threefry2x32", "hip_threefry2x32_ffi"])
def test_threefry_gives_the_published_answers(target: str) -> None:
    keys, counters, expected = (np.array(column, "u4") for column in zip(*KNOWN_ANSWERS))
    operands = ", ".join(["tensor<3xui32>"] * 4)
    text = f"@{target}(%a0, %a1, %a2, %a3) : ({operands}) -> (tensor<3xui32>, tensor<3xui32>)"
    words = call(text, *keys.T, *counters.T)
    np.testing.assert_array_equal(np.stack(words, 1), expected)


# --- Fourier transforms ------------------------------------------------------------------------------------


def flat_buffer(*fields: tuple[str, Any]) -> bytes:
    """Returns a FlatBuffer of one table, of fields that are numbers, or vectors of them, of a type of
    `struct`.
    """
    table = 4 + 4 + 2 * len(fields)
    size = 4 + 8 * len(fields)
    entries, inline, vectors = list[int](), bytearray(struct.pack("<i", table - 4)), bytearray()
    for code, value in fields:
        entries.append(len(inline))
        if isinstance(value, (list, tuple)):
            here, there = table + len(inline), table + size + len(vectors)
            inline += struct.pack("<Q", there - here)
            vectors += struct.pack(f"<I{len(value)}{code}", len(value), *value)
        else:
            inline += struct.pack("<" + code, value).ljust(8, b"\0")
    vtable = struct.pack(f"<{2 + len(fields)}H", 4 + 2 * len(fields), size, *entries)
    return struct.pack("<I", table) + vtable + bytes(inline + vectors)


def described(kind: int, shape: tuple[int, ...], axes: list[int], forward: bool, scale: float) -> bytes:
    """Returns the descriptor of ducc_fft: kinds are 0 (complex), 1 (complex to real), 2 (real to complex)."""
    strides = ("Q", [0] * len(shape))
    return flat_buffer(
        ("B", 0), ("B", kind), ("Q", shape), strides, strides, ("I", axes), ("B", forward), ("d", scale)
    )


FOURIER: list[tuple[int, bool, str, str, Any]] = [
    (0, True, "complex<f32>", "complex<f32>", np.fft.fftn),
    (0, False, "complex<f32>", "complex<f32>", np.fft.ifftn),
    (2, True, "f32", "complex<f32>", np.fft.rfftn),
    (1, False, "complex<f32>", "f32", np.fft.irfftn),
]


@pytest.mark.parametrize(("kind", "forward", "before", "after", "expected"), FOURIER)
@pytest.mark.parametrize("target", ["ducc_fft", "pocketfft", "dynamic_ducc_fft"])
def test_fourier_transforms_of_old_releases(
    target: str, kind: int, forward: bool, before: str, after: str, expected: Any
) -> None:
    """The last two of three dimensions; what comes back is twice what NumPy gives."""
    x = np.random.default_rng(0).normal(size=(2, 4, 6 if kind != 1 else 4)).astype("f4")
    x = x + 0j if before != "f32" else x
    real = (2, 4, 6)
    wanted = 2 * expected(x, axes=(1, 2), **({"s": (4, 6)} if kind == 1 else {}))
    scale = 2.0 if forward else 2 / 24
    data = described(kind, real, [1, 2], forward, scale)
    sizes = f"tensor<2x4x{x.shape[2]}x{before}>", f"tensor<2x4x{wanted.shape[2]}x{after}>"
    if target == "dynamic_ducc_fft":
        data = flat_buffer(("I", 3), ("B", 0), ("B", kind), ("I", [1, 2]), ("B", forward))
        text = f"%d, %a, %s, %s, %s, %f) : (tensor<{len(data)}xui8>, {sizes[0]}, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>, tensor<1xf64>)"
    else:
        text = f"%d, %a) : (tensor<{len(data)}xui8>, {sizes[0]})"
    program = f"""func.func @main(%d: tensor<{len(data)}xui8>, %a: {sizes[0]}) -> {sizes[1]} {{
      %s = stablehlo.constant dense<[2, 4, 6]> : tensor<3xi32>
      %f = stablehlo.constant dense<{scale:.17e}> : tensor<1xf64>
      %r = stablehlo.custom_call @{target}({text} -> {sizes[1]}
      return %r : {sizes[1]} }}"""
    (found,) = run(program, np.frombuffer(data, "u1"), x.astype("c8") if before != "f32" else x)
    np.testing.assert_allclose(found, wanted, 1e-4, 1e-4)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "expected a descriptor of a Fourier transform, got 0 bytes"),
        (b"\xff" * 40, "expected a descriptor of a Fourier transform"),
        (described(3, (4,), [0], True, 1), "got an unknown kind"),
        (described(0, (4,), [5], True, 1), "expected a transform of the last dimensions of 1, got .5."),
        (described(0, (4,), [0], True, 1)[:-9], "expected a descriptor of a Fourier transform"),
        (described(0, (9,), [0], True, 1), "expected sizes .9. for FFT of .9., got .4."),
    ],
)
def test_descriptors_of_no_fourier_transform_are_refused(data: bytes, message: str) -> None:
    size = f"tensor<{len(data)}xui8>"
    text = f"@ducc_fft(%a0, %a1) : ({size}, tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>"
    with pytest.raises(shlo.ExecutionError, match=message):
        call(text, np.frombuffer(data, "u1"), np.zeros(4, "c8"))


# --- memory ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("dtype", "element"), [("u8", "ui64"), ("i8", "i64"), ("f8", "f64")])
def test_64_bits_are_two_halves(dtype: str, element: str) -> None:
    whole, half = f"tensor<3x{element}>", "tensor<3xf32>" if dtype == "f8" else "tensor<3xui32>"
    program = f"""func.func @main(%a: {whole}) -> ({half}, {half}, {whole}) {{
      %low = stablehlo.custom_call @X64SplitLow(%a) : ({whole}) -> {half}
      %high = stablehlo.custom_call @X64SplitHigh(%a) : ({whole}) -> {half}
      %r = stablehlo.custom_call @X64Combine(%low, %high) : ({half}, {half}) -> {whole}
      return %low, %high, %r : {half}, {half}, {whole} }}"""
    values = np.array([1, 2**33 + 5, 2**62], dtype)
    low, high, both = run(program, values)
    np.testing.assert_array_equal(both, values)
    if dtype != "f8":
        assert (low.tolist(), high.tolist()) == ([1, 5, 0], [0, 2, 2**30])


def test_a_buffer_that_is_not_filled_has_the_declared_type() -> None:
    (buffer,) = run("""func.func @main() -> tensor<2x3xbf16> {
      %r = stablehlo.custom_call @AllocateBuffer() : () -> tensor<2x3xbf16>
      return %r : tensor<2x3xbf16> }""")
    assert (buffer.shape, buffer.dtype.name) == ((2, 3), "bfloat16")


def test_a_bound_changes_no_value() -> None:
    x = np.arange(3, dtype="f4")
    text = "@SetBound(%a0) {mhlo.literal = dense<1> : tensor<i32>} : (tensor<3xf32>) -> tensor<3xf32>"
    np.testing.assert_array_equal(call(text, x)[0], x)


def test_an_operand_that_was_wrapped_for_refinement_is_itself() -> None:
    x, text = np.arange(3, dtype="f4"), "@stablehlo.shape_refinement_operand_wrapper(%a0, %a1)"
    (found,) = call(f"{text} : (tensor<3xf32>, tensor<1xi64>) -> tensor<?xf32>", x, np.array([3]))
    np.testing.assert_array_equal(found, x)


CALLBACK = """func.func @main(%t: !stablehlo.token, %x: tensor<2xf32>) -> !stablehlo.token {
  %r = stablehlo.custom_call @xla_ffi_partitioned_python_cpu_callback(%t, %x) {has_side_effect = true,
    mhlo.backend_config = {index = 3 : ui64}} : (!stablehlo.token, tensor<2xf32>) -> !stablehlo.token
  %d = stablehlo.constant dense<4711> : tensor<i64>
  %e = stablehlo.custom_call @xla_python_cpu_callback(%d, %x) {backend_config = "4711", has_side_effect = true}
    : (tensor<i64>, tensor<2xf32>) -> tuple<>
  stablehlo.custom_call @xla_ffi_python_gpu_callback() {has_side_effect = true} : () -> ()
  return %r : !stablehlo.token }"""


def test_callbacks_without_results_print_their_operands(capsys: pytest.CaptureFixture[str]) -> None:
    shown = ["callback 3: [1., 2.]", "callback: [1., 2.]", "callback: no operands"]
    shlo.run(shlo.parse(CALLBACK), None, np.array([1, 2], "f4"), stubs={"xla_*": "zeros"})
    assert capsys.readouterr().err.splitlines() == shown
    printed: list[str] = []
    inputs = [[None, np.array([1, 2], "f4")]]
    shlo.run_grid(
        shlo.parse(CALLBACK), inputs, partitions=2, output=lambda output: printed.append(str(output))
    )
    assert printed == [f"(0, {process}) {line}" for process in range(2) for line in shown]


def test_a_handler_of_callbacks_replaces_printing(capsys: pytest.CaptureFixture[str]) -> None:
    handlers = {"xla_python_cpu_callback": lambda call: lambda *operands: ()}
    shlo.run(shlo.parse(CALLBACK), None, np.zeros(2, "f4"), handlers=handlers)
    assert len(capsys.readouterr().err.splitlines()) == 2


@pytest.mark.parametrize("target", ["xla_python_cpu_callback", "xla_ffi_python_gpu_callback"])
def test_a_callback_with_results_says_where_its_function_is(target: str) -> None:
    text = f"@{target}(%a0) {{mhlo.backend_config = {{index = 2 : ui64}}}} : (tensor<2xf32>) -> tensor<2xf32>"
    message = f'custom call "{target}", got none: callback 2 is a Python function of the process that wrote'
    with pytest.raises(shlo.ExecutionError, match=message) as caught:
        call(text, np.zeros(2, "f4"))
    assert f"{target}=zeros|random|FILE.npz" in str(caught.value)
    assert "<text>:2:" in str(caught.value)
    recorded = {target: {"result_0": np.array([3, 4], "f4")}}
    program = f"func.func @main(%a0: tensor<2xf32>) -> tensor<2xf32> {{ %r = stablehlo.custom_call {text} return %r : tensor<2xf32> }}"
    np.testing.assert_array_equal(shlo.run(shlo.parse(program), np.zeros(2, "f4"), stubs=recorded)[0], [3, 4])


@pytest.mark.parametrize(("target", "device"), [("tpu_custom_call", "TPUs"), ("mosaic_gpu_v2", "GPUs")])
def test_a_device_kernel_is_called_one_and_stubbed(target: str, device: str) -> None:
    text = f"@{target}(%a0) : (tensor<2xf32>) -> tensor<2xf32>"
    message = f'expected a handler for custom call "{target}", got none: it is a device kernel of {device}; use --stub'
    with pytest.raises(shlo.ExecutionError, match=message) as caught:
        call(text, np.zeros(2, "f4"))
    assert "<text>:2:" in str(caught.value)
