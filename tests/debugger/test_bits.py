"""Elements as bits."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

from shlo.debugger.tensors.bits import fields_text, hex_text


@pytest.mark.parametrize(
    ("element", "digits", "fields"),
    [
        (np.float64(1) + np.spacing(1.0), "0x3ff0000000000001", f"0 01111111111 {'0' * 51}1"),
        (np.float32(-1.5), "0xbfc00000", f"1 01111111 1{'0' * 22}"),
        (ml_dtypes.bfloat16(3), "0x4040", "0 10000000 1000000"),
        (ml_dtypes.float8_e4m3fn(1), "0x38", "0 0111 000"),
        (ml_dtypes.float8_e8m0fnu(1), "0x7f", "01111111"),
        (ml_dtypes.float4_e2m1fn(-1), "0xa", "1 01 0"),
        (ml_dtypes.int4(-1), "0xf", "1111"),
        (ml_dtypes.uint2(3), "0x3", "11"),
        (np.int16(-2), "0xfffe", "1111111111111110"),
        (np.bool_(True), "0x1", "1"),
        (np.complex64(1 - 2j), "0x3f800000 0xc0000000", f"0 01111111 {'0' * 23} | 1 10000000 {'0' * 23}"),
    ],
)
def test_bits_of_every_kind_of_number(element, digits, fields):
    assert (hex_text(element), fields_text(element)) == (digits, fields)
