"""What the site consists of: its parts, and the pages of each in their order."""

from __future__ import annotations

from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).resolve().parents[2]


def _listed(folder: str) -> tuple[str, ...]:
    return tuple(path.relative_to(ROOT).as_posix() for path in sorted((ROOT / folder).glob("*.md")))


ADRS: Final = _listed("docs/adr")
INTERNALS: Final = _listed("docs/internals")
NOTES: Final = _listed("benchmarks/notes")
"""Figures that decisions rest on."""


class Part(NamedTuple):
    """A part of the site: its caption, and its pages, files of the repository or generated ones."""

    caption: str
    pages: tuple[str, ...]


PARTS: Final = (
    Part(
        "Tutorials",
        (
            "docs/first-program.md",
            "docs/nan-of-a-step.md",
            "docs/wrong-process.md",
            "docs/interpreter-and-xla.md",
            "docs/write-a-test.md",
            "docs/notebook-tour.md",
            "examples/tour.ipynb",
            "examples/jax_nan.ipynb",
            "examples/bf16.ipynb",
            "examples/sharded.ipynb",
            "examples/artifact.ipynb",
        ),
    ),
    Part(
        "How to",
        (
            "docs/install.md",
            "docs/commands.md",
            "docs/jax.md",
            "docs/watch.md",
            "docs/library.md",
            "docs/compatibility.md",
            "docs/debugger.md",
            "docs/vscode-debugging.md",
            "vscode-extension/README.md",
            "docs/editors.md",
            "docs/mcp.md",
            "docs/notebooks.md",
            "docs/ci.md",
            "docs/json.md",
            "docs/engines.md",
            "docs/distributed.md",
            "docs/cost.md",
            "docs/reduce.md",
            "docs/views.md",
            "docs/why.md",
            "docs/remedies.md",
            "docs/sanitizer.md",
            "docs/shadow.md",
            "docs/conformance.md",
            "docs/scorecards.md",
            "docs/how-we-know.md",
            "docs/fuzz.md",
            "docs/recording.md",
            "docs/nan-in-training.md",
            "docs/wrong-value-in-a-loop.md",
            "docs/two-futures.md",
            "docs/debugger-scopes.md",
            "docs/grids-wrong-data.md",
            "docs/grids-mesh.md",
            "docs/grids-deadlock.md",
        ),
    ),
    Part(
        "Reference",
        (
            "reference/commands.md",
            "reference/api.md",
            "docs/ops.md",
            "docs/constraints.md",
            "reference/codes.md",
            "docs/mistakes.md",
            "reference/debugger-commands.md",
            "reference/magics.md",
            "docs/lsp.md",
            "docs/dap.md",
            "bytecode/README.md",
            "docs/recordings.md",
        ),
    ),
    Part(
        "Explanation",
        (
            "ARCHITECTURE.md",
            *INTERNALS,
            "docs/differences.md",
            "docs/accuracy.md",
            "docs/speed.md",
            *ADRS,
            *NOTES,
            "SECURITY.md",
            "CONTRIBUTING.md",
            "CODE_OF_CONDUCT.md",
            "CHANGELOG.md",
        ),
    ),
)
HOME: Final = "README.md"
MOVED: Final = {
    "README.md": "index.md",
    "ARCHITECTURE.md": "architecture.md",
    "SECURITY.md": "security.md",
    "CONTRIBUTING.md": "contributing.md",
    "CODE_OF_CONDUCT.md": "conduct.md",
    "CHANGELOG.md": "changelog.md",
    "bytecode/README.md": "reference/bytecode.md",
    "vscode-extension/README.md": "vscode.md",
    **{
        f"examples/{name}.ipynb": f"notebooks/{name}.md"
        for name in ("tour", "jax_nan", "bf16", "sharded", "artifact")
    },
    "docs/constraints.md": "reference/constraints.md",
    "docs/ops.md": "reference/ops.md",
    "docs/lsp.md": "reference/lsp.md",
    "docs/dap.md": "reference/dap.md",
    "docs/mistakes.md": "reference/mistakes.md",
    "docs/recordings.md": "reference/recordings.md",
}
"""Pages whose place on the site is not that of their file below `docs`."""


def pages() -> dict[str, str]:
    """Returns the place on the site of each file of the repository that is a page."""
    files = [HOME, *(page for part in PARTS for page in part.pages if not page.startswith("reference/"))]
    return {file: MOVED.get(file, file.removeprefix("docs/")) for file in files}


def place_of(page: str) -> str:
    """Returns where a page of PARTS is on the site."""
    return page if page.startswith("reference/") else pages()[page]
