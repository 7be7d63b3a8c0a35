"""Linear algebra under the names and calling conventions that JAX has had for it on CPUs, GPUs and TPUs.

What the routines compute is compared with XLA in test_lapack.py; here, calls of other conventions give the
same as `lapack_..._ffi`, or factors whose product is the operand.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import shlo

from .helpers import random_array
from .test_linear_algebra import positive_definite

ELEMENTS = {
    "f4": "f32",
    "f8": "f64",
    "c8": "complex<f32>",
    "c16": "complex<f64>",
    "i4": "i32",
    "u1": "ui8",
    "i1": "i8",
}
LETTERS = {"f4": "s", "f8": "d", "c8": "c", "c16": "z"}
DTYPES = list(LETTERS)


def tensor(shape: Sequence[int], dtype: str) -> str:
    return f"tensor<{''.join(f'{size}x' for size in shape)}{ELEMENTS[dtype]}>"


def layout(rank: int, core: int) -> str:
    """Returns the layout of column-major matrices, as an attribute: from the innermost dimension to the
    outermost.
    """
    order = list(range(rank - 1, -1, -1))
    if core == 2:
        order[:2] = order[1], order[0]
    return f"dense<{order if rank else ''}> : tensor<{rank}xindex>"


Results = Sequence[tuple[tuple[int, ...], str, int]]
"""Shape, dtype and rank without batch dimensions of each result."""


def run(
    target: str,
    operands: Sequence[Any],
    ranks: Sequence[int],
    results: Results,
    attributes: str = "",
    as_tuple: bool = False,
) -> list[Any]:
    """Runs a call of a target, with the layouts that JAX writes."""
    arrays = [np.asarray(operand) for operand in operands]
    given = [tensor(a.shape, a.dtype.str[1:]) for a in arrays]
    made = [tensor(shape, dtype) for shape, dtype, _ in results]
    layouts = [", ".join(layout(a.ndim, rank) for a, rank in zip(arrays, ranks))]
    layouts.append(", ".join(layout(len(shape), core) for shape, _, core in results))
    declared = (
        f"tuple<{', '.join(made)}>" if as_tuple else made[0] if len(made) == 1 else f"({', '.join(made)})"
    )
    text = (
        f'"stablehlo.custom_call"({", ".join(f"%a{i}" for i in range(len(arrays)))}) '
        f'{{call_target_name = "{target}", operand_layouts = [{layouts[0]}], result_layouts = [{layouts[1]}]'
        f"{', ' + attributes if attributes else ''}}} : ({', '.join(given)}) -> {declared}"
    )
    parameters = ", ".join(f"%a{i}: {type_}" for i, type_ in enumerate(given))
    body = f"%r:{len(made)} = {text}" if not as_tuple else f"%t = {text}"
    names = [f"%r#{i}" for i in range(len(made))]
    if as_tuple:
        names = [f"%e{i}" for i in range(len(made))]
        body += "".join(
            f"\n%e{i} = stablehlo.get_tuple_element %t[{i}] : ({declared}) -> {made[i]}"
            for i in range(len(made))
        )
    program = f"""func.func @main({parameters}) -> ({", ".join(made)}) {{
      {body}
      return {", ".join(names)} : {", ".join(made)} }}"""
    return list(shlo.run(shlo.parse(program), *arrays))


def config(**options: int) -> str:
    entries = ", ".join(f"{name} = {value} : ui8" for name, value in options.items())
    return f"mhlo.backend_config = {{{entries}}}"


def i4(*values: int) -> list[Any]:
    return [np.int32(value) for value in values]


def real(dtype: str) -> str:
    return {"c8": "f4", "c16": "f8"}.get(dtype, dtype)


def check_older(
    dtype: str,
    routine: str,
    operands: list[Any],
    numbers: list[Any],
    options: str,
    results: Results,
    older: Results,
    order: list[int],
) -> None:
    """An older call, with numbers in front and results in another order, gives what the call of today gives."""
    ranks = [min(2, operand.ndim - 1) for operand in operands]
    today = run(f"lapack_{LETTERS[dtype]}{routine}_ffi", operands, ranks, results, options)
    for as_tuple in (False, True):
        found = run(
            f"lapack_{LETTERS[dtype]}{routine}",
            [*numbers, *operands],
            [0] * len(numbers) + ranks,
            older,
            "api_version = 2 : i32",
            as_tuple,
        )
        assert len(today) == len(order)
        for expected, place in zip(today, order):
            np.testing.assert_array_equal(found[place], expected)


@pytest.mark.parametrize("dtype", DTYPES)
def test_older_cpu_factorizations(dtype: str) -> None:
    a = random_array(dtype, 2, 4, 3)
    m, v, i = ((2, 4, 3), dtype, 2), ((2, 3), dtype, 1), ((2,), "i4", 0)
    work = ((7,), dtype, 1)
    check_older(
        dtype,
        "getrf",
        [a],
        i4(2, 4, 3),
        config(),
        [m, ((2, 3), "i4", 1), i],
        [m, ((2, 3), "i4", 1), i],
        [0, 1, 2],
    )
    check_older(dtype, "geqrf", [a], i4(2, 4, 3, 7), config(), [m, v], [m, v, i, work], [0, 1])
    orgqr = "orgqr" if dtype in ("f4", "f8") else "ungqr"
    taus = random_array(dtype, 2, 3)
    check_older(dtype, orgqr, [a, taus], i4(2, 4, 3, 3, 7), config(), [m], [m, i, work], [0])


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("lower", [0, 1])
def test_older_cpu_calls_of_symmetric_matrices(dtype: str, lower: int) -> None:
    a = positive_definite(np.dtype(dtype), 2, 4, 4)
    m, i, work = ((2, 4, 4), dtype, 2), ((2,), "i4", 0), ((7,), dtype, 1)
    d, e, taus = ((2, 4), real(dtype), 1), ((2, 3), real(dtype), 1), ((2, 3), dtype, 1)
    uplo, prefix = ord("UL"[lower]), "sy" if dtype in ("f4", "f8") else "he"
    check_older(dtype, "potrf", [a], i4(lower, 2, 4), config(uplo=uplo), [m, i], [m, i], [0, 1])
    check_older(
        dtype,
        f"{prefix}evd",
        [a],
        i4(lower, 2, 4),
        config(uplo=uplo, mode=86),
        [m, d, i],
        [m, d, i, work, ((5,), "i4", 1)],
        [0, 1, 2],
    )
    check_older(
        dtype,
        f"{prefix}trd",
        [a],
        i4(4, lower, 4, 2, 7),
        config(uplo=uplo),
        [m, d, e, taus, i],
        [m, d, e, taus, i, work],
        [0, 1, 2, 3, 4],
    )


@pytest.mark.parametrize("dtype", DTYPES)
def test_older_cpu_calls_of_square_matrices(dtype: str) -> None:
    a, is_real = random_array(dtype, 2, 4, 4), dtype in ("f4", "f8")
    m, v, i = ((2, 4, 4), dtype, 2), ((2, 4), dtype, 1), ((2,), "i4", 0)
    vectors = ((2, 4, 4), {"f4": "c8", "f8": "c16"}.get(dtype, dtype), 2)
    yes, no = np.uint8(ord("V")), np.uint8(ord("N"))
    square, line = ((4, 4), dtype, 2), ((8,), real(dtype), 1)
    w = [v, v] if is_real else [v]
    work = [square] * 3 if is_real else [square, line]
    count = len(w)
    check_older(
        dtype,
        "geev",
        [a],
        [*i4(2, 4), no, yes],
        config(compute_left=78, compute_right=86),
        [*w, vectors, vectors, i],
        [*work, *w, vectors, vectors, i],
        list(range(len(work), len(work) + count + 3)),
    )
    between = [] if is_real else [((4,), real(dtype), 1)]
    places = [
        0,
        1 + len(between) + count,
        *range(1 + len(between), 1 + len(between) + count),
        *(2 + len(between) + count + j for j in range(2)),
    ]
    check_older(
        dtype,
        "gees",
        [a],
        [*i4(2, 4), yes, no],
        config(mode=86, sort=78),
        [m, m, *w, i, i],
        [m, *between, *w, m, i, i],
        places,
    )
    ends = "mhlo.backend_config = {low = 1 : i32, high = 4 : i32}"
    taus = ((2, 3), dtype, 1)
    check_older(
        dtype,
        "gehrd",
        [a],
        i4(4, 1, 4, 4, 2, 7),
        ends,
        [m, taus, i],
        [m, taus, i, ((7,), dtype, 1)],
        [0, 1, 2],
    )


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("full", [0, 1])
def test_older_cpu_singular_values(dtype: str, full: int) -> None:
    a = random_array(dtype, 2, 4, 3)
    m, s, i = ((2, 4, 3), dtype, 2), ((2, 3), real(dtype), 1), ((2,), "i4", 0)
    u, vt = ((2, 4, 4 if full else 3), dtype, 2), ((2, 3, 3), dtype, 2)
    results = [m, s, u, vt, i]
    check_older(
        dtype,
        "gesdd",
        [a],
        i4(full, 1, 2, 4, 3, 7),
        config(mode=ord("SA"[full])),
        results,
        [*results, ((9,), "i4", 1), ((7,), dtype, 1)],
        [0, 1, 2, 3, 4],
    )


@pytest.mark.parametrize("dtype", DTYPES)
def test_older_cpu_triangular_solve(dtype: str) -> None:
    """The factor alpha is an operand, in front of the matrices or, in early _ffi calls, behind them."""
    a = random_array(dtype, 3, 3) + 3 * np.eye(3, dtype=dtype)
    b = random_array(dtype, 3, 2, seed=1)
    alpha = np.array(2, dtype)
    expected = np.linalg.solve(np.tril(a).conj().T, 2 * b)
    numbers = [*i4(1, 1, 2, 0, 3, 2, 1), alpha]
    (x,) = run(f"blas_{LETTERS[dtype]}trsm", [*numbers, a, b], [0] * 8 + [2, 2], [((3, 2), dtype, 2)])
    np.testing.assert_allclose(x, expected, 1e-3, 1e-4)
    options = config(side=76, uplo=76, trans_x=67, diag=78)
    (x,) = run(f"blas_{LETTERS[dtype]}trsm_ffi", [a, b, alpha], [2, 2, 0], [((3, 2), dtype, 2)], options)
    np.testing.assert_allclose(x, expected, 1e-3, 1e-4)


def text(data: bytes) -> str:
    """Returns the bytes of a structure as an attribute."""
    return f'api_version = 2 : i32, backend_config = "{"".join(f"{chr(92)}{byte:02X}" for byte in data)}"'


def flags(**options: bool) -> str:
    return f"mhlo.backend_config = {{{', '.join(f'{name} = {str(value).lower()}' for name, value in options.items())}}}"


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("solver", ["cusolver", "hipsolver", "rocsolver"])
def test_gpu_cholesky_and_eigenvalues(solver: str, dtype: str) -> None:
    """With options in a dictionary, and in structures: the triangles have other numbers in CUDA and ROCm."""
    a = positive_definite(np.dtype(dtype), 2, 4, 4)
    m, w, i = ((2, 4, 4), dtype, 2), ((2, 4), real(dtype), 1), ((2,), "i4", 0)
    for lower in (True, False):
        marked = np.tril(a) if lower else np.triu(a)
        uplo = (0 if lower else 1) if solver == "cusolver" else (122 if lower else 121)
        potrf = struct.pack("<2i2qi4x", 0, uplo, 2, 4, 9)
        for target, options, more in (
            ("potrf_ffi", flags(lower=lower), []),
            ("potrf", text(potrf), [((9,), "i1", 1)]),
        ):
            factor, info, *_ = run(f"{solver}_{target}", [marked], [2], [m, i, *more], options)
            product = np.tril(factor) if lower else np.triu(factor).conj().swapaxes(1, 2)
            np.testing.assert_allclose(product @ product.conj().swapaxes(1, 2), a, 1e-3, 1e-3)
            assert info.tolist() == [0, 0]
        evd = text(struct.pack("<5i", 0, uplo, 2, 4, 9))
        for target, options in (("syevd_ffi", flags(lower=lower)), ("syevd", evd), ("syevj", evd)):
            more = [] if target == "syevd_ffi" else [((9,), dtype, 1)]
            vectors, values, *_ = run(f"{solver}_{target}", [marked], [2], [m, w, i, *more], options)
            np.testing.assert_allclose(
                (vectors * values[:, None]) @ vectors.conj().swapaxes(1, 2), a, 1e-3, 1e-3
            )


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("rows", [3, 5])
def test_gpu_singular_values(dtype: str, rows: int) -> None:
    """The right vectors of the Jacobi method are columns.

    A wide matrix is decomposed as its transpose, whose memory is that of rows.
    """
    a = random_array(dtype, 2, rows, 4)
    k = min(rows, 4)
    m, s, i, work = ((2, rows, 4), dtype, 2), ((2, k), real(dtype), 1), ((2,), "i4", 0), ((9,), dtype, 1)

    def check(u: Any, s: Any, vt: Any) -> None:
        np.testing.assert_allclose((u[..., :k] * s[:, None]) @ vt[:, :k], a, 1e-3, 1e-3)
        for q in (u, vt):
            np.testing.assert_allclose(
                q.conj().swapaxes(1, 2) @ q,
                np.broadcast_to(np.eye(q.shape[2]), (2, *q.shape[2:] * 2)),
                1e-3,
                1e-3,
            )

    u, v = ((2, rows, rows), dtype, 2), ((2, 4, 4), dtype, 2)
    both = flags(compute_uv=True, full_matrices=True)
    for target, options in (
        ("cusolver_gesvdj_ffi", both),
        ("cusolver_gesvdj", text(struct.pack("<7i", 0, 2, rows, 4, 9, 1, 0))),
    ):
        more = [] if target.endswith("_ffi") else [work]
        _, values, left, right, *_ = run(target, [a], [2], [m, s, u, v, i, *more], options)
        check(left, values, right.conj().swapaxes(1, 2))
    is_wide = rows < 4
    sizes = (4, rows) if is_wide else (rows, 4)
    structure = text(struct.pack("<5ibb2x", 0, 2, *sizes, 9, 65, 65))
    given = flags(compute_uv=True, full_matrices=True, transposed=is_wide)
    for target, options in (("hipsolver_gesvd_ffi", given), ("hipsolver_gesvd", structure)):
        more = [] if target.endswith("_ffi") else [work]
        order = [m, s, v, u, i] if is_wide else [m, s, u, v, i]
        core = 0 if is_wide else 2
        declared = [(shape, name, min(core, rank)) for shape, name, rank in order]
        _, values, first, second, *_ = run(target, [a], [core], [*declared, *more], options)
        check(*((second, values, first) if is_wide else (first, values, second)))


def test_singular_values_without_vectors_have_scalars_in_their_place() -> None:
    a = random_array("f4", 4, 3)
    results = [((4, 3), "f4", 2), ((3,), "f4", 1), ((), "f4", 0), ((), "f4", 0), ((), "i4", 0)]
    options = flags(compute_uv=False, full_matrices=False, transposed=False)
    for target in ("cusolver_gesvd_ffi", "hipsolver_gesdd_ffi"):
        _, values, *_ = run(target, [a], [2], results, options)
        np.testing.assert_allclose(values, np.linalg.svd(a, compute_uv=False), 1e-4)


@pytest.mark.parametrize("dtype", DTYPES)
def test_gpu_calls_in_batches(dtype: str) -> None:
    a, b = random_array(dtype, 2, 3, 3) + 3 * np.eye(3, dtype=dtype), random_array(dtype, 2, 3, 2, seed=1)
    m, v, byte = ((2, 3, 3), dtype, 2), ((2, 3), dtype, 1), ((16,), "i1", 1)
    factors, taus, *_ = run("cublas_geqrf_batched", [a], [2], [m, v, byte, byte], text(bytes(16)))
    q, *_ = run(
        "hipsolver_orgqr", [factors, taus], [2, 1], [m, ((2,), "i4", 0), ((9,), dtype, 1)], text(bytes(24))
    )
    np.testing.assert_allclose(q @ np.triu(factors), a, 1e-3, 1e-3)
    structure = struct.pack("<8i", 0, 2, 3, 2, 141, 121, 111, 131)
    x, *_ = run("hipblas_trsm_batched", [a, b], [2, 2], [((2, 3, 2), dtype, 2), byte, byte], text(structure))
    np.testing.assert_allclose(np.triu(a) @ x, b, 1e-3, 1e-3)
    lu, pivots, _ = run("cusolver_getrf_ffi", [a], [2], [m, ((2, 3), "i4", 1), ((2,), "i4", 0)], flags())
    (order,) = run("hip_lu_pivots_to_permutation", [pivots - 1], [1], [((2, 3), "i4", 1)], flags())
    lower, upper = np.tril(lu, -1) + np.eye(3), np.triu(lu)
    np.testing.assert_allclose(lower @ upper, np.take_along_axis(a, order[..., None], 1), 1e-3, 1e-3)


@pytest.mark.parametrize("target", ["cusparse_gtsv2_ffi", "hipsparse_gtsv2_f32"])
def test_gpu_tridiagonal_solve(target: str) -> None:
    lower, diagonal, upper = (random_array("f4", 4, seed=seed) for seed in range(3))
    diagonal = diagonal + 4
    b = random_array("f4", 4, 2, seed=3)
    (x,) = run(target, [lower, diagonal, upper, b], [1, 1, 1, 2], [((4, 2), "f4", 2)])
    full = np.diag(diagonal) + np.diag(lower[1:], -1) + np.diag(upper[:-1], 1)
    np.testing.assert_allclose(full @ x, b, 1e-3, 1e-4)


def test_pivots_beyond_the_rows_are_passed_over() -> None:
    pivots = np.array([[1, 9, 2], [-1, 2, 2]], "i4")
    (order,) = run("cu_lu_pivots_to_permutation", [pivots], [1], [((2, 4), "i4", 1)])
    assert order.tolist() == [[1, 0, 2, 3], [0, 2, 1, 3]]


@pytest.mark.parametrize("target", ["Qr", "LuDecomposition", "Eigh"])
def test_results_of_tpu_calls_may_be_one_tuple(target: str) -> None:
    a = positive_definite(np.dtype("f4"), 3, 3)
    results = {
        "Qr": [((3, 3), "f4", 0), ((3,), "f4", 0)],
        "LuDecomposition": [((3, 3), "f4", 0), ((3,), "i4", 0), ((3,), "i4", 0)],
        "Eigh": [((3, 3), "f4", 0), ((3,), "f4", 0)],
    }[target]
    apart, together = (run(target, [a], [0], results, as_tuple=as_tuple) for as_tuple in (False, True))
    for one, other in zip(apart, together):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize(
    ("target", "data", "message"),
    [
        ("cusolver_syevd", b"", "expected backend_config to be 20 bytes, got 0"),
        (
            "cusolver_syevd",
            struct.pack("<5i", 0, 7, 1, 3, 9),
            "expected uplo in backend_config to be one of 0, 1",
        ),
        ("cusolver_gesvd", struct.pack("<5ibb2x", 0, 1, 3, 3, 9, 1, 1), "expected jobu in backend_config"),
        ("cusolver_gesvdj", b"\xff" * 28, "expected jobz in backend_config to be one of .*, got -1"),
    ],
)
def test_structures_that_are_none_are_refused(target: str, data: bytes, message: str) -> None:
    a = random_array("f4", 3, 3)
    square = ((3, 3), "f4", 2)
    results = (
        [square, ((3,), "f4", 1), square, square, ((), "i4", 0)]
        if "gesvd" in target
        else [square, ((3,), "f4", 1), ((), "i4", 0)]
    )
    with pytest.raises(shlo.ExecutionError, match=message):
        run(target, [a], [2], results, text(data))


def test_results_in_an_order_that_no_release_had_are_refused() -> None:
    with pytest.raises(
        shlo.ExecutionError, match="expected the results of lapack_sgetrf_ffi to be a pivots info"
    ):
        run("lapack_sgetrf_ffi", [random_array("f4", 3, 3)], [2], [((), "i4", 0), ((3, 3), "f4", 2)])


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_iterations_on_what_is_not_finite_end_with_nan(value: float) -> None:
    """LAPACK's own SVD does not end on this matrix with infinity.

    The other matrix of the batch has a result.
    """
    a = np.stack([np.array([[0, 0, -2.5], [value, -2.5, 0.3], [1, 1, 0.3]], "f4"), np.eye(3, dtype="f4")])
    m, v, i = ((2, 3, 3), "f4", 2), ((2, 3), "f4", 1), ((2,), "i4", 0)
    for target, results, options in (
        ("lapack_sgesdd_ffi", [m, v, m, m, i], config(mode=65)),
        (
            "lapack_sgeev_ffi",
            [v, v, ((2, 3, 3), "c8", 2), ((2, 3, 3), "c8", 2), i],
            config(compute_left=86, compute_right=86),
        ),
        ("lapack_sgees_ffi", [m, m, v, v, i, i], config(mode=86, sort=78)),
    ):
        made = run(target, [a], [2], results, options)
        assert made[-1].tolist() == [1, 0]
        assert all(
            np.isnan(part[0]).all() and np.isfinite(part[1]).all() for part in made if part.dtype.kind in "fc"
        )


@pytest.mark.parametrize(
    ("target", "shapes", "options", "message"),
    [
        ("lapack_spotrf_ffi", [(2, 3)], config(uplo=76), "shapes .n, n. in batches, got .2, 3."),
        (
            "lapack_sorgqr_ffi",
            [(2, 3, 2), (4, 2)],
            config(),
            "shapes .m, n., .k. in batches, got .2, 3, 2., .4, 2.",
        ),
        ("cusparse_gtsv2_ffi", [(3,), (3,), (2,), (3, 1)], "", "in batches, got .3., .3., .2., .3, 1."),
        (
            "lapack_strsm_ffi",
            [(3, 3), (2, 3)],
            config(side=76, uplo=76, trans_x=78, diag=78),
            "of size 2, got one of size 3",
        ),
        (
            "lapack_sormqr_ffi",
            [(3, 2), (2,), (2, 4)],
            "mhlo.backend_config = {left = true}",
            "no more than 2 reflectors",
        ),
    ],
)
def test_operands_whose_sizes_do_not_fit_are_refused(
    target: str, shapes: list[tuple[int, ...]], options: str, message: str
) -> None:
    operands = [np.ones(shape, "f4") for shape in shapes]
    batch = len(shapes[0]) - 2 if "gtsv" not in target else 0
    ranks = [operand.ndim - batch for operand in operands]
    results = [
        (shapes[-1] if "mqr" in target or "trsm" in target or "gtsv" in target else shapes[0], "f4", 2)
    ]
    if "potrf" in target:
        results.append(((), "i4", 0))
    with pytest.raises(shlo.ExecutionError, match=message):
        run(target, operands, ranks, results, options)
