"""Files of bytecode that are edited as texts: what they keep, and what is refused."""

from __future__ import annotations

import re
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

import shlo
import shlo_bytecode
from shlo.ir.diagnostics import ParseError
from shlo.runner import bytecode_view
from shlo.runner.bytecode_view import view_of
from shlo.runner.edited_artifacts import edited_bytes, edition_of, save_edited
from shlo.runner.errors import RequestError
from shlo_bytecode.container.file import open_container
from tests.bytecode.exports import write_exports
from tests.jax_programs import SMALL, Program, program_id
from tests.oracle import Oracle, OracleError

pytestmark = pytest.mark.slow

PROGRAM = """\
module @named {
  func.func public @main(%arg0: tensor<2xf32> loc("x")) -> tensor<2xf32> {
    %cst = stablehlo.constant dense<[1.5, 2.0]> : tensor<2xf32> loc("f.py":1:2)
    %0 = stablehlo.add %arg0, %cst : tensor<2xf32> loc("f.py":2:2)
    %1 = stablehlo.multiply %0, %0 : tensor<2xf32> loc("f.py":3:2)
    return %1 : tensor<2xf32> loc("f.py":4:2)
  } loc("f.py":5:2)
} loc(unknown)
"""
CALL = """
import pathlib, sys, numpy
from jax import export
print(export.deserialize(bytearray(pathlib.Path(sys.argv[1]).read_bytes())).call(numpy.float32([1, 2])).tolist())
"""
WRITE = """
import pathlib, sys, jax, numpy
from jax import export
def scaled(x):
    return x * numpy.float32([3, 5])
exported = export.export(jax.jit(scaled), platforms=["cpu"])(jax.ShapeDtypeStruct((2,), "float32"))
pathlib.Path(sys.argv[1]).write_bytes(exported.serialize())
"""


def shown(data: bytes) -> str:
    return bytecode_view.view_of_bytes(data, "x.mlirbc").text


def edit(path: Path, old: str, new: str) -> bool:
    text = view_of(str(path)).text
    assert old in text
    return save_edited(str(path), text.replace(old, new, 1), edition_of(str(path)))


@pytest.fixture(params=["bytecode", "artifact"])
def path(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    path = tmp_path / "p.mlirbc"
    module = shlo.parse(PROGRAM)
    if request.param == "artifact":
        path.write_bytes(shlo_bytecode.write_artifact(module, "1.4.0"))
    else:
        path.write_bytes(shlo_bytecode.write(module, 3, producer="another tool"))
    return path


@pytest.mark.parametrize("program", SMALL, ids=program_id)
def test_a_text_that_is_saved_as_it_was_opened_leaves_every_byte(
    oracle: Oracle, program: Program, tmp_path: Path
) -> None:
    """An edit that is taken back gives the same bytes, too: locations and orders of uses are kept."""
    text, path = program.text(debug_info=True), tmp_path / "p.mlirbc"
    files = [oracle.bytecode(text)]
    with suppress(OracleError):  # no artifact can hold it
        files.append(oracle.artifact(text, "1.17.0", mixed=True))
    for data in files:
        path.write_bytes(data)
        assert not save_edited(str(path), view_of(str(path)).text, edition_of(str(path)))
        assert path.read_bytes() == data
        assert edit(path, "module @", "module @other_")
        assert edit(path, "module @other_", "module @")
        assert path.read_bytes() == data


def test_an_edit_keeps_form_version_producer_and_locations(path: Path, oracle: Oracle) -> None:
    before = path.read_bytes()
    assert edit(path, "[1.500000e+00, 2.000000e+00]", "[4.0, 2.0]")
    after = path.read_bytes()
    headers = [(one.version, one.producer) for one in map(open_container, (before, after))]
    assert headers[0] == headers[1]
    changed = PROGRAM.replace("[1.5, 2.0]", "[4.0, 2.0]")
    assert shlo_bytecode.read(after).to_text(locations=True) == shlo.parse(changed).to_text(locations=True)
    printed = oracle.pretty_artifact if b"StableHLO_v" in after else oracle.pretty_bytecode
    assert printed(after, locations=True) == oracle.pretty(changed, locations=True)


def test_locations_stay_with_their_operations_where_lines_come_and_go(path: Path) -> None:
    multiply = "    %1 = stablehlo.multiply %0, %0 : tensor<2xf32>\n"
    sine = "    %s = stablehlo.sine %0 : tensor<2xf32>\n"
    assert edit(path, multiply, f"{sine}    // new\n    %1 = stablehlo.multiply %0, %s : tensor<2xf32>\n")
    text = shlo_bytecode.load(path).to_text(locations=True)
    places = dict(re.findall(r"^(#loc\d*) = loc\((.*)\)", text, re.MULTILINE))
    kept = re.findall(r" = stablehlo\.(\w+).* loc\((#loc\d*)\)$", text, re.MULTILINE)
    assert [(name, places[alias]) for name, alias in kept] == [
        ("constant", '"f.py":1:2'),
        ("add", '"f.py":2:2'),
        ("sine", "unknown"),
        ("multiply", '"f.py":3:2'),
    ]


def test_comments_and_blanks_change_no_byte(path: Path) -> None:
    before = path.read_bytes()
    text = view_of(str(path)).text
    assert not save_edited(str(path), text.replace("\n", "\n\n  // a comment\n"), edition_of(str(path)))
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("add %arg0, %cst", "add %arg0, %none", "%none"),
        ("dense<[1.500000e+00", "dense<[", "expected"),
        ("-> tensor<2xf32> {", "-> tensor<3xf32> {", "tensor<3xf32>"),
    ],
)
def test_a_text_with_errors_is_not_written(path: Path, old: str, new: str, message: str) -> None:
    before = path.read_bytes()
    with pytest.raises(ParseError, match=message):
        edit(path, old, new)
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]


def test_what_an_artifact_of_its_version_cannot_hold_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "p.mlirbc"
    path.write_bytes(shlo_bytecode.write_artifact(shlo.parse(PROGRAM), "1.3.0"))
    with pytest.raises(RequestError, match=r"stablehlo\.tan: the version has no such operation"):
        edit(path, "stablehlo.multiply %0, %0", "stablehlo.tan %0")


def test_constants_that_are_left_out_are_put_back(tmp_path: Path) -> None:
    numbers = list(range(2000))
    large = PROGRAM.replace(
        "%0 = ", f"%big = stablehlo.constant dense<{numbers}> : tensor<2000xi32>\n    %0 = "
    )
    path = tmp_path / "p.mlirbc"
    path.write_bytes(shlo_bytecode.write_artifact(shlo.parse(large), "1.0.0"))
    assert edit(path, "[1.500000e+00, 2.000000e+00]", "[4.0, 2.0]")
    assert str(shlo.load(path)) == str(shlo.parse(large.replace("[1.5, 2.0]", "[4.0, 2.0]")))
    with pytest.raises(RequestError, match="expected a constant that was left out, got elided_7"):
        edit(path, "elided_0> :", "elided_7> :")
    with pytest.raises(RequestError, match="expected elided_0 of type tensor<2000xi32>, got tensor<20xi32>"):
        edit(path, "dense_resource<elided_0> : tensor<2000xi32>", "dense_resource<elided_0> : tensor<20xi32>")


@pytest.fixture(scope="module")
def export(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("edited") / "scaled.jaxexp"
    subprocess.run([sys.executable, "-c", WRITE, str(path)], check=True, timeout=120)
    return path.read_bytes()


def test_an_edited_constant_of_a_jax_export_is_what_jax_computes_with(export: bytes, tmp_path: Path) -> None:
    path = tmp_path / "scaled.jaxexp"
    path.write_bytes(export)
    assert edit(path, "dense<[3.000000e+00, 5.000000e+00]>", "dense<[7.0, 9.0]>")
    called = subprocess.run(
        [sys.executable, "-c", CALL, str(path)], capture_output=True, text=True, timeout=120
    )
    assert called.stdout == "[7.0, 18.0]\n", called.stderr
    assert np.allclose(shlo.run(shlo.load(path), np.array([1, 2], np.float32)), [7, 18])


def test_an_export_can_grow_and_shrink_again(export: bytes, tmp_path: Path) -> None:
    path = tmp_path / "scaled.jaxexp"
    path.write_bytes(export)
    name = "module @jit_scaled"
    assert edit(path, name, f"{name}{'_longer' * 100}")
    grown = path.read_bytes()
    assert edit(path, f"{name}{'_longer' * 100}", f"{name}{'_longer' * 200}")
    assert len(path.read_bytes()) - len(grown) == 700
    assert edit(path, f"{name}{'_longer' * 200}", name)
    called = subprocess.run(
        [sys.executable, "-c", CALL, str(path)], capture_output=True, text=True, timeout=120
    )
    assert called.stdout == "[3.0, 10.0]\n", called.stderr


def test_exports_of_every_kind_are_edited(tmp_path: Path) -> None:
    write_exports(tmp_path)
    for path in sorted(tmp_path.iterdir()):
        data = path.read_bytes()
        assert edited_bytes(data, view_of(str(path)).text, str(path)) is None
        before = shlo.load(path).to_text(locations=True)
        assert edit(path, "module @", "module @x")
        assert edit(path, "module @x", "module @")
        assert shlo.load(path).to_text(locations=True) == before


def test_an_export_keeps_the_types_of_its_function(export: bytes, tmp_path: Path) -> None:
    path = tmp_path / "scaled.jaxexp"
    path.write_bytes(export)
    text = view_of(str(path)).text.replace("2xf32", "3xf32").replace("dense<[3.0", "dense<[1.0, 3.0")
    with pytest.raises(
        RequestError, match=r"expected @main of type .*2xf32.* as the file of jax.export says"
    ):
        save_edited(str(path), text, edition_of(str(path)))
    assert path.read_bytes() == export
