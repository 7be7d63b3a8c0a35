"""Planes of tensors: results of runs, and arrays of files."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from lsprotocol import types

from tests.lsp.conftest import Client

pytestmark = [pytest.mark.slow, pytest.mark.asyncio]
Begin = Callable[..., Awaitable[Client]]
PROGRAM = """\
func.func @main(%x: tensor<3x40x50xf32>) -> (tensor<3x40x50xf32>, tensor<2xbf16>, tensor<f64>) {
  %y = stablehlo.log %x : tensor<3x40x50xf32>
  %b = stablehlo.constant dense<[1.5, -2.0]> : tensor<2xbf16>
  %s = stablehlo.constant dense<1.0e+300> : tensor<f64>
  return %y, %b, %s : tensor<3x40x50xf32>, tensor<2xbf16>, tensor<f64>
}
"""


def cells(answer: dict[str, Any]) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Returns the numbers and the marks of an answer."""
    kinds = ((answer["numbers"], answer["format"]), (answer["marks"], "uint8"))
    numbers, marks = (np.frombuffer(b64decode(text), kind).reshape(answer["cells"]) for text, kind in kinds)
    return numbers, marks


async def run(client: Client, uri: str, *arguments: Any) -> dict[str, Any]:
    argument = {"uri": uri, "function": "main", "arguments": [*map(str, arguments)]}
    params = types.ExecuteCommandParams("shlo.run", [argument])
    return await client.ask(types.WORKSPACE_EXECUTE_COMMAND, params)


async def tensor(client: Client, **params: Any) -> dict[str, Any]:
    return plain(await client.raw("shlo/tensor", params))


def plain(answer: Any) -> Any:
    """Returns an answer as dictionaries and lists."""
    if hasattr(answer, "_asdict"):
        return {name: plain(value) for name, value in answer._asdict().items()}
    return [plain(each) for each in answer] if isinstance(answer, (list, tuple)) else answer


async def test_results_of_a_run_are_seen_plane_by_plane(begin: Begin, tmp_path: Path) -> None:
    x = np.ones((3, 40, 50), np.float32)
    x[1, 7, 9], x[2, 39, 49] = -1, 0
    np.save(tmp_path / "x.npy", x)
    client = await begin()
    document = await client.open(PROGRAM)
    done = plain(await run(client, document.uri, tmp_path / "x.npy"))
    assert [each["dtype"] for each in done["results"]] == ["float32", "bfloat16", "float64"]
    listed = plain(await client.raw("shlo/arrays", {"run": done["run"]}))["arrays"]
    assert [(each["name"], each["shape"]) for each in listed] == [("0", [3, 40, 50]), ("1", [2]), ("2", [])]
    of_run = {"run": done["run"], "result": 0}
    first = await tensor(client, **of_run, height=20, width=25)
    assert (first["shape"], first["size"], first["cells"], first["texts"]) == (
        [3, 40, 50],
        [40, 50],
        [20, 25],
        None,
    )
    assert first["statistics"]["nans"] == first["statistics"]["negative_infinities"] == 1
    second = await tensor(client, **of_run, at=[1, 0, 0], height=20, width=25)
    assert cells(second)[1][3, 4] == 1  # NaN survives
    assert np.count_nonzero(cells(second)[1]) == 1
    window = await tensor(client, **of_run, at=[2, 0, 0], rows=2, columns=1, window=[48, 38, 9, 9])
    assert (window["window"], window["texts"]) == ([48, 38, 2, 2], ["0", "0", "0", "-Inf"])
    narrow, wide = [await tensor(client, run=done["run"], result=number) for number in (1, 2)]
    assert (narrow["dtype"], narrow["texts"]) == ("bfloat16", ["1.5", "-2"])
    assert (wide["format"], cells(wide)[0].tolist()) == ("float64", [[1e300]])
    document.close()
    await client.open("")
    with pytest.raises(Exception, match="run the function again"):
        await tensor(client, **of_run)


async def test_the_newest_runs_are_kept(begin: Begin) -> None:
    client = await begin()
    small = "func.func @main() -> tensor<i32> {\n  %c = stablehlo.constant dense<7> : tensor<i32>\n"
    document = await client.open(f"{small}  return %c : tensor<i32>\n}}\n")
    first, *_, last = [(await run(client, document.uri))["run"] for _ in range(5)]
    assert (await tensor(client, run=last, result=0))["texts"] == ["7"]
    with pytest.raises(Exception, match="run the function again"):
        await tensor(client, run=first, result=0)
    with pytest.raises(Exception, match="no result 1"):
        await tensor(client, run=last, result=1)


async def test_arrays_of_files_are_seen(begin: Begin, tmp_path: Path) -> None:
    client = await begin()
    path = tmp_path / "both.npz"
    np.savez(
        path, x=np.arange(6).reshape(2, 3), b=np.array([np.inf, 2], ml_dtypes.bfloat16), e=np.zeros((0, 4))
    )
    listed = plain(await client.raw("shlo/arrays", {"uri": path.as_uri()}))
    assert [(each["name"], each["shape"], each["dtype"]) for each in listed["arrays"]] == [
        ("x", [2, 3], "int64"),
        ("b", [2], "bfloat16"),
        ("e", [0, 4], "float64"),
    ]
    seen = [await tensor(client, uri=path.as_uri(), name=name) for name in "xbe"]
    assert [each["texts"] for each in seen] == [list("012345"), ["Inf", "2"], []]
    assert cells(seen[1])[1].tolist() == [[2, 0]]
    (tmp_path / "bad.npy").write_bytes(b"\x93NUMPY\x01\x00\x05\x00{'a'}")
    np.save(tmp_path / "words.npy", np.array(["a"]))
    for name, why in (
        ("bad.npy", "no array file"),
        ("words.npy", "are not shown"),
        ("none.npy", "cannot read"),
    ):
        with pytest.raises(Exception, match=why):
            await tensor(client, uri=(tmp_path / name).as_uri())
    for wrong in ({"at": [1]}, {"at": "x"}, {"rows": 1, "columns": 1}, {"window": [1, 2]}):
        with pytest.raises(Exception, match=r"expected|cannot go"):
            await tensor(client, uri=path.as_uri(), name="x", **wrong)


async def test_nothing_is_read_where_nothing_may_run(begin: Begin, tmp_path: Path) -> None:
    client = await begin({"allowRun": False})
    np.save(tmp_path / "x.npy", np.ones(2))
    for method in ("shlo/arrays", "shlo/tensor"):
        with pytest.raises(Exception, match="not allowed"):
            await client.raw(method, {"uri": (tmp_path / "x.npy").as_uri()})
