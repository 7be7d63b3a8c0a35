"""Memory over many edits of a large text, and after it was closed."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from pathlib import Path

import pytest

from shlo.ir.source import Span
from shlo.language import Document, Edit
from shlo.language.diagnostics import diagnostics
from tests.lsp.conftest import Client
from tests.lsp.programs import large

LETTER = Span(0, 0)
MISTAKES = ("x", "%v9", "{", "stablehlo.add %v1, %missing : tensor<4x8xf32>")


@pytest.fixture
def garbage() -> Iterator[list[object]]:
    """Yields what only the collector can free, of what is made from now on: programs of other tests may end
    meanwhile."""
    gc.collect()
    gc.freeze()
    gc.disable()
    gc.set_debug(gc.DEBUG_SAVEALL)
    yield gc.garbage
    gc.set_debug(0)
    gc.garbage.clear()
    gc.enable()
    gc.unfreeze()


@pytest.mark.parametrize("mistake", MISTAKES)
def test_editions_leave_no_large_garbage(garbage: list[object], mistake: str) -> None:
    document = Document(large(300))
    diagnostics(document)
    gc.collect()
    garbage.clear()
    at = document.text.index("\n", 2_000)
    document = document.edit([Edit(Span(at, at), mistake)])
    diagnostics(document)
    document = document.edit([Edit(Span(at, at + len(mistake)), "")])
    assert diagnostics(document) == []
    gc.collect()
    assert len(garbage) < 100


@pytest.mark.slow
@pytest.mark.asyncio(loop_scope="module")
async def test_memory_stays_where_it_is_over_edits(client: Client) -> None:
    server = client.lsp._server
    assert server is not None
    status = Path(f"/proc/{server.pid}/statm")
    if not status.exists():
        pytest.skip("the system does not tell")

    def resident() -> float:
        return int(status.read_text().split()[1]) * 4096 / 1e6

    document = await client.open(large(6_000))
    sizes: list[float] = []
    for number in range(120):
        document.edit("%v5000, %v0 : tensor<4x8xf32>", f"%v5000, %v0 : tensor<4x{number}xf32>")
        await document.findings()
        document.edit(f"tensor<4x{number}xf32>", "tensor<4x8xf32>")
        await document.findings()
        sizes.append(resident())
    assert sizes[-1] - sizes[20] < 30
    document.close()
