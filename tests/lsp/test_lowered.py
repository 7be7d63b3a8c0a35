"""Files of Python beside the programs that their functions are lowered to."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pygls.exceptions import JsonRpcException

from tests.lsp.conftest import Client

pytestmark = [pytest.mark.slow, pytest.mark.asyncio(loop_scope="module")]
SCRIPT = """\
import jax, jax.numpy as jnp

def loss(w, x):
    y = jnp.tanh(x @ w)
    return (y * 2.0).sum()

def batch():
    return jax.ShapeDtypeStruct((3, 4), "float32"), jnp.ones((2, 3))
"""
LOOP = """\
import jax

def doubled(x):
    body = lambda _, y: y * 2
    y = jax.lax.fori_loop(0, 3, body, x)
    return y + 1
"""


def params(path: Path, *arguments: str, before: str | None = None) -> dict[str, Any]:
    return {"uri": path.as_uri(), "function": "loss", "arguments": list(arguments), "before": before}


async def test_a_function_is_lowered_beside_its_lines(client: Client, tmp_path: Path) -> None:
    path = tmp_path / "train.py"
    path.write_text(SCRIPT)
    answer = await client.raw("shlo/lowerPython", params(path, "batch"))
    lines = answer.text.splitlines()
    came = {(lines[line - 1].split("stablehlo.")[1].split(" ")[0], python) for line, python in answer.lines}
    assert {("dot_general", 4), ("tanh", 4), ("multiply", 5), ("reduce(%3", 5)} <= came
    costs = {cost.line: cost.text for cost in answer.costs}
    assert costs[4] == "2 operations, 48 FLOP, 168 B accessed"
    assert (answer.changed, answer.difference) == ([], "")
    values = {python: lines[line - 1].split()[2].split("(")[0] for python, line in answer.values}
    assert values == {4: "stablehlo.tanh", 5: "stablehlo.reduce"}  # the last of each line


async def test_a_run_of_it_says_what_each_line_of_python_gave(client: Client, tmp_path: Path) -> None:
    path = tmp_path / "train.py"
    path.write_text(LOOP, newline="\n")
    answer = await client.raw("shlo/lowerPython", {**params(path, "3"), "function": "doubled"})
    document = await client.open(answer.text)
    run = await client.raw(
        "workspace/executeCommand",
        {"command": "shlo.run", "arguments": [{"uri": document.uri, "function": "main", "arguments": ["3"]}]},
    )
    given = {value.line: value.text for value in run.values}
    assert {python: given[line] for python, line in answer.values if line in given} == {
        4: "all 24 (3 times)",  # in the body of the loop, which has several results itself
        6: "all 25",
    }


async def test_what_a_change_of_the_file_changed_is_told(client: Client, tmp_path: Path) -> None:
    path = tmp_path / "train.py"
    path.write_text(SCRIPT)
    before = (await client.raw("shlo/lowerPython", params(path, "batch"))).text
    path.write_text(SCRIPT.replace("y * 2.0", "jnp.sin(y) * 2.0"))
    answer = await client.raw("shlo/lowerPython", params(path, "batch", before=before))
    lines = answer.text.splitlines()
    assert [lines[line - 1].split()[2] for line in answer.changed] == ["stablehlo.sine", "stablehlo.multiply"]
    assert answer.difference.startswith("1 function differs; ")
    same = await client.raw("shlo/lowerPython", params(path, "batch", before=answer.text))
    assert same.changed == []
    assert same.difference.startswith("no differences in ")


async def test_what_cannot_be_lowered_is_told(client: Client, tmp_path: Path) -> None:
    path = tmp_path / "train.py"
    path.write_text(SCRIPT + "def broken(:\n")
    with pytest.raises(JsonRpcException, match="could not be lowered"):
        await client.raw("shlo/lowerPython", params(path, "batch"))
    path.write_text(SCRIPT)
    with pytest.raises(JsonRpcException, match=r"train\.py has no none"):
        await client.raw("shlo/lowerPython", params(path, "none"))
    with pytest.raises(JsonRpcException, match="the parameters are"):
        await client.raw("shlo/lowerPython", {"uri": path.as_uri()})
