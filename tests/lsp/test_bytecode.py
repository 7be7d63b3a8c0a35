"""Files of bytecode: what the server shows of them, and what it makes of them."""

from __future__ import annotations

import base64
import re
from pathlib import Path
from typing import Any

import pytest
from pygls.exceptions import JsonRpcException

import shlo
import shlo_bytecode
from tests.lsp.conftest import Client

pytestmark = [pytest.mark.slow, pytest.mark.asyncio(loop_scope="module")]
READ, WRITE, CONVERT = "shlo/readBytecode", "shlo/writeBytecode", "shlo/convert"
PROGRAM = """module {
  func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {
    %0 = stablehlo.tan %arg0 : tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
"""


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """Returns a folder with the program as text and as bytecode."""
    (tmp_path / "p.mlir").write_text(PROGRAM)
    (tmp_path / "p.mlirbc").write_bytes(shlo_bytecode.write(shlo.parse(PROGRAM)))
    return tmp_path


async def read(client: Client, path: Path) -> tuple[str, Any]:
    answer = await client.raw(READ, {"uri": path.as_uri()})
    return answer.text, answer.damage


def conversion(path: Path, output: Path, form: str, target: str | None = None) -> dict[str, Any]:
    return {"uri": path.as_uri(), "output": output.as_uri(), "form": form, "target": target}


async def test_a_file_is_shown_with_what_its_header_says(client: Client, program: Path) -> None:
    text, damage = await read(client, program / "p.mlirbc")
    assert damage is None
    banner, _, rest = text.partition("\n\n")
    assert rest == PROGRAM
    size = (program / "p.mlirbc").stat().st_size
    assert banner.splitlines() == [
        f"// MLIR bytecode version 4, {size} bytes.",
        '// Producer: "shlo"',
        "// Dialects: builtin, func, stablehlo",
    ]
    document = await client.open(text)
    assert await document.findings() == []
    document.close()


async def test_an_artifact_says_its_version(client: Client, program: Path) -> None:
    path = program / "p.bc"
    path.write_bytes(shlo_bytecode.write_artifact(shlo.parse(PROGRAM), "1.4.0"))
    text, _ = await read(client, path)
    assert text.startswith("// Portable artifact of StableHLO 1.4.0, MLIR bytecode version 6, ")
    assert text.endswith(f"\n\n{PROGRAM}")


async def test_large_constants_are_left_out(client: Client, program: Path) -> None:
    text = PROGRAM.replace("%0 = stablehlo.tan", "%c = stablehlo.constant CONSTANT\n    %0 = stablehlo.tan")
    numbers = ", ".join(map(str, range(2000)))
    large = shlo.parse(text.replace("CONSTANT", f"dense<[{numbers}]> : tensor<2000xi32>"))
    path = program / "large.mlirbc"
    path.write_bytes(shlo_bytecode.write(large))
    shown, _ = await read(client, path)
    assert "// One constant of more than 4,096 bytes is left out: dense_resource<elided_0>." in shown
    assert "stablehlo.constant dense_resource<elided_0> : tensor<2000xi32>" in shown
    document = await client.open(shown)
    assert await document.findings() == []
    document.close()
    await client.raw(CONVERT, conversion(path, program / "large.mlir", "text"))
    assert (program / "large.mlir").read_text() == large.to_text()


@pytest.mark.parametrize("where", ["end", "length", "version", "magic"])
async def test_a_damaged_file_tells_where(client: Client, program: Path, where: str) -> None:
    whole = (program / "p.mlirbc").read_bytes()
    length = whole.index(b"shlo\0") + len("shlo\0") + 1  # of the first section
    path = program / "bad.mlirbc"
    path.write_bytes(
        {
            "end": whole[:-5],
            "length": whole[:length] + b"\0" + b"\xff" * 8 + whole[length + 1 :],
            "version": whole[:4] + b"\xff" + whole[5:],
            "magic": whole[:4],
        }[where]
    )
    text, damage = await read(client, path)
    assert 0 < damage.offset <= path.stat().st_size
    assert f"// This file cannot be read. Byte {damage.offset}: {damage.message}" in text
    assert '`shlo inspect "bad.mlirbc"` shows' in text
    assert all(line.startswith("//") for line in text.splitlines())


async def test_an_edited_text_is_written_as_what_the_file_is(client: Client, program: Path) -> None:
    path = program / "p.mlirbc"
    before = path.read_bytes()
    answer = await client.raw(READ, {"uri": path.as_uri()})
    edit = {"uri": path.as_uri(), "text": answer.text, "edition": answer.edition}
    assert (await client.raw(WRITE, edit)).edition == answer.edition
    assert path.read_bytes() == before
    with pytest.raises(JsonRpcException, match=r"p\.mlirbc:8:12: .*'%0'"):
        await client.raw(WRITE, {**edit, "text": answer.text.replace("%0 =", "%1 =")})
    assert path.read_bytes() == before
    written = await client.raw(WRITE, {**edit, "text": answer.text.replace("tan", "tanh")})
    assert str(shlo.load(path)) == PROGRAM.replace("tan", "tanh")
    assert (await client.raw(READ, {"uri": path.as_uri()})).edition == written.edition
    with pytest.raises(JsonRpcException, match="has changed since its text was made"):
        await client.raw(WRITE, edit)
    with pytest.raises(JsonRpcException, match="text is that of the file"):
        await client.raw(WRITE, {"uri": path.as_uri()})


async def test_strings_of_a_header_are_data(client: Client, program: Path) -> None:
    hostile = 'a"\nmodule {}\u202e\u2028<img src=x>' + "b" * 500
    path = program / 'p"\n\u202e.mlirbc'
    path.write_bytes(shlo_bytecode.write(shlo.parse(PROGRAM), producer=hostile)[:-5])
    text, damage = await read(client, path)
    assert damage is not None
    assert all(line.startswith("//") and len(line) < 250 for line in text.splitlines())
    assert text.isascii()


async def test_what_is_no_bytecode_is_refused(client: Client, program: Path) -> None:
    for params, why in (
        ({"uri": (program / "p.mlir").as_uri()}, "does not start with 4D 4C EF 52"),
        ({"uri": (program / "none.bc").as_uri()}, "cannot read .*No such file"),
        ({"uri": program.as_uri()}, "cannot read"),
        ({"uri": "http://127.0.0.1/p.mlirbc"}, "uri of a file"),
        ({}, "uri of a file"),
        ({"uri": [1]}, "uri of a file"),
    ):
        with pytest.raises(JsonRpcException, match=why):
            await client.raw(READ, params)


async def test_forms_are_converted_into_one_another(client: Client, program: Path) -> None:
    text, bytecode, artifact, again = (
        program / name for name in ("p.mlir", "q.mlirbc", "p.1_4_0.mlir.bc", "again.mlir")
    )
    for params in (
        conversion(text, bytecode, "bytecode"),
        conversion(bytecode, artifact, "artifact", "1.4.0"),
        conversion(artifact, again, "text"),
    ):
        answer = await client.raw(CONVERT, params)
        assert (answer.reasons, answer.first) == ([], None)
    assert b"StableHLO_v1.4.0" in artifact.read_bytes()
    assert again.read_text() == PROGRAM


async def test_a_version_that_cannot_hold_a_program_is_told(client: Client, program: Path) -> None:
    answer = await client.raw(CONVERT, conversion(program / "p.mlir", program / "p.bc", "artifact", "1.3.0"))
    assert len(answer.reasons) == 1
    assert "p.mlir:3:10: stablehlo.tan: the version has no such operation" in answer.reasons[0]
    assert answer.first == "1.4.0"
    assert not (program / "p.bc").exists()


async def test_conversions_that_cannot_be_are_refused(client: Client, program: Path) -> None:
    (program / "broken.mlir").write_text("func.func @f( {\n}\n")
    text, output = program / "p.mlir", program / "out.bc"
    (program / "held").write_text("notes\n")
    (program / "alias.bc").symlink_to(text)
    for params, why in (
        (conversion(text, output, "artifact"), "for a version of StableHLO"),
        (conversion(text, output, "artifact", "99.0.0"), "0.9.0 to"),
        (conversion(text, output, "bytecode", "1.4.0"), "is for artifacts"),
        (conversion(text, output, "runes"), "text, bytecode, artifact"),
        (conversion(text, text, "bytecode"), "is not replaced"),
        (conversion(text, program / "alias.bc", "bytecode"), "is not replaced"),
        (conversion(text, program / "report.json", "bytecode"), "expected a .mlirbc file, got"),
        (conversion(text, program / "held", "bytecode"), "which holds text"),
        (conversion(text, program / "no" / "out.bc", "bytecode"), "cannot write"),
        (conversion(program / "broken.mlir", output, "bytecode"), "broken.mlir:1:"),
        (conversion(program / "none.mlir", output, "bytecode"), "cannot read"),
    ):
        with pytest.raises(JsonRpcException, match=why):
            await client.raw(CONVERT, params)
    assert not output.exists()
    assert text.read_text() == PROGRAM
    assert (program / "held").read_text() == "notes\n"


async def test_two_programs_are_compared_in_the_first_ones_names(client: Client, program: Path) -> None:
    changed = PROGRAM.replace("%0", "%t").replace(
        "    return", "    %u = stablehlo.sine %t : tensor<4xf32>\n    return"
    )
    data = base64.b64encode((program / "p.mlirbc").read_bytes()).decode()
    answer = await client.raw("shlo/compare", {"before": {"data": data}, "after": {"text": changed}})
    assert (answer.before, answer.reason) == (PROGRAM, None)
    added = set(answer.after.splitlines()) - set(PROGRAM.splitlines())
    assert added == {"    %1 = stablehlo.sine %0 : tensor<4xf32>"}
    assert answer.lines[1] == "  + %1 = stablehlo.sine %0 : tensor<4xf32>"
    assert answer.differs
    big = PROGRAM.replace(
        "return", "%c = stablehlo.constant dense<NUMBERS> : tensor<2000xi32>\n    return", 1
    )
    numbers = [big.replace("NUMBERS", str([*range(1999), last])) for last in (1, 2)]
    answer = await client.raw(
        "shlo/compare", dict(zip(("before", "after"), ({"text": each} for each in numbers)))
    )
    left_out = [
        re.findall(r"dense_resource<(elided_\w+)> : tensor<2000xi32>", text)
        for text in (answer.before, answer.after)
    ]
    assert len(left_out[0]) == len(left_out[1]) == 1
    assert left_out[0] != left_out[1]
    renamed = await client.raw(
        "shlo/compare", {"before": {"text": PROGRAM}, "after": {"text": PROGRAM.replace("%0", "%t")}}
    )
    assert (renamed.after, renamed.differs) == (PROGRAM, False)
    path = (program / "p.mlir").as_uri()
    broken = await client.raw("shlo/compare", {"before": {"uri": path}, "after": {"text": "func.func @"}})
    assert (broken.before, broken.after, broken.lines) == (PROGRAM, "func.func @", [])
    assert "expected" in broken.reason


async def test_the_versions_that_artifacts_can_be_for_are_listed_the_newest_first(client: Client) -> None:
    versions = (await client.raw("shlo/artifactVersions", {})).versions
    numbers = [tuple(map(int, version.split("."))) for version in versions]
    assert numbers == sorted(numbers, reverse=True)
    assert versions[-1] == "0.9.0"
    assert "1.4.0" in versions
