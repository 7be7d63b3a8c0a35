"""Execution of notebooks in one kernel, and their outputs as texts.

`python -m tests.notebooks.execution` writes the outputs of all notebooks anew.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import nbformat
from nbclient import NotebookClient

EXAMPLES: Final = Path(__file__).parents[2] / "examples"
NAMES: Final = ("jax_nan", "bf16", "sharded", "artifact")
"""Those of Python, in the order in which one kernel runs them: the first one settles how many devices JAX has."""
OF_KERNELS: Final = {"python3": NAMES, "stablehlo": ("tour",)}
"""All notebooks by the kernel that runs them."""

SECONDS: Final = 120
"""How long a cell may take, on a busy machine too."""


@contextmanager
def kernel(name: str = "python3") -> Iterator[NotebookClient]:
    """Yields a client with a kernel that runs in a folder of its own and is shared by all its notebooks."""
    client = NotebookClient(nbformat.v4.new_notebook(), timeout=SECONDS, kernel_name=name)
    with tempfile.TemporaryDirectory() as folder:
        client.resources = {"metadata": {"path": folder}}
        with client.setup_kernel():
            yield client


def executed(client: NotebookClient, name: str) -> Any:
    """Returns a notebook as it is after its cells have run, without variables of those before it."""
    notebook = nbformat.read(EXAMPLES / f"{name}.ipynb", 4)
    if name in NAMES:
        client.nb = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("%reset -f")])
        client.execute_cell(client.nb.cells[0], 0)
    client.nb = notebook
    for number, cell in enumerate(notebook.cells):
        if cell.cell_type == "code":
            cell.outputs = []
            client.execute_cell(cell, number)
            cell.outputs = _joined(cell.outputs)
            cell.execution_count = None
            cell.metadata.pop("execution", None)
    return notebook


def _joined(outputs: list[Any]) -> list[Any]:
    """Returns outputs with what was printed in one piece: how many pieces arrive depends on the clock."""
    joined = list[Any]()
    for output in outputs:
        if output.output_type == "stream" and joined and joined[-1].get("name") == output.name:
            joined[-1].text += output.text
        else:
            joined.append(output)
    return joined


def texts(notebook: Any) -> dict[str, list[str]]:
    """Returns the texts that cells gave, by the cells' names, without the numbers of locations, which are those
    of Jupyter's frames too, and of cells, of which other notebooks ran before. The text of a widget is that of
    where it starts.
    """
    return {
        cell.id: [
            re.sub(r"(#loc|In\[)\d+", r"\1", text) for output in cell.outputs if (text := _text(output))
        ]
        for cell in notebook.cells
        if cell.cell_type == "code"
    }


def _text(output: Any) -> str:
    if output.output_type == "stream":
        return output.text
    if output.output_type == "error":
        return f"{output.ename}: {output.evalue}"
    return output.data.get("text/plain", "")


def _kept(output: Any) -> Any:
    """Returns an output without what only a running kernel, or a page with the views of `web`, can show."""
    if "data" in output:
        output.data = {
            kind: each for kind, each in output.data.items() if kind in ("text/plain", "image/png")
        }
        output.metadata = {}
    if "execution_count" in output:
        output.execution_count = None
    if "traceback" in output:
        output.traceback = [re.sub(r"\x1b\[[0-9;]*m", "", line) for line in output.traceback]
    return output


def main() -> None:
    """Writes the outputs of all notebooks."""
    for kernel_name, names in OF_KERNELS.items():
        with kernel(kernel_name) as client:
            for name in names:
                notebook = executed(client, name)
                for cell in notebook.cells:
                    if cell.cell_type == "code":
                        cell.outputs = [_kept(output) for output in cell.outputs]
                nbformat.write(notebook, EXAMPLES / f"{name}.ipynb")


if __name__ == "__main__":
    main()
