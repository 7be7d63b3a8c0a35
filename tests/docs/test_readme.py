"""What the README and the pages it leads to say works: commands, output, Python examples."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path

import numpy as np
import pytest

from shlo.cli import main
from tests.style.vocabulary import PACKAGES

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
PAGES = {
    name: (ROOT / name).read_text("utf-8") for name in ("README.md", "docs/commands.md", "docs/library.md")
}


@pytest.fixture(autouse=True)
def _in_the_repository(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


def shown_commands() -> list[tuple[str, str]]:
    """Returns the commands in console blocks with the output shown below each."""
    blocks = [block for page in PAGES.values() for block in re.findall(r"```console\n(.*?)```", page, re.S)]
    shown = {
        (command, output)
        for block in blocks
        for command, output in re.findall(r"^\$ shlo (.*)\n((?:(?!\$ ).*\n)*)", block, re.M)
    }
    return sorted(shown)


def examples() -> list[str]:
    """Returns the runs that are shown without their output."""
    return sorted({run for page in PAGES.values() for run in re.findall(r"^shlo (run .*)$", page, re.M)})


@pytest.mark.parametrize(("command", "output"), shown_commands())
def test_command_prints_what_its_page_shows(
    command: str, output: str, capfd: pytest.CaptureFixture[str]
) -> None:
    main(shlex.split(command))
    out, err = capfd.readouterr()
    assert err + out == output


@pytest.mark.parametrize("command", examples())
def test_example_of_jax_runs(command: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    arguments = [word.replace("results.npz", str(tmp_path / "results.npz")) for word in shlex.split(command)]
    assert main(arguments) == 0


@pytest.mark.parametrize("page", ["README.md", "docs/library.md"])
def test_python_of_a_page_gives_what_it_shows(page: str) -> None:
    source = "\n".join(re.findall(r"```python\n(.*?)```", PAGES[page], re.S))
    test = doctest.DocTestParser().get_doctest(source, {}, page, page, 0)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    runner.run(test)
    assert (runner.summarize(verbose=False).failed, len(test.examples) > 5) == (0, True)


def test_transformer_gives_what_xla_gives() -> None:
    jax = pytest.importorskip("jax")
    import shlo
    from examples import lower_transformer

    inputs = np.load(ROOT / "examples" / "transformer.npz")
    arrays = [inputs[name] for name in inputs.files]
    results = shlo.run(shlo.load(ROOT / "examples" / "transformer.mlir"), *arrays)
    weights = lower_transformer.initial_weights(np.random.default_rng(0))
    expected = jax.tree.leaves(jax.jit(lower_transformer.loss_and_gradient)(weights, arrays[-1]))
    assert len(results) == len(expected)
    for ours, theirs in zip(results, expected, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-4, atol=1e-5)


def test_documents_link_to_files_that_exist() -> None:
    folders = ("", "docs", "docs/adr", "docs/internals", "benchmarks/notes")
    for path in (path for folder in folders for path in (ROOT / folder).glob("*.md")):
        for target in re.findall(r"\]\((?!https?:)([^)#]+)\)", path.read_text()):
            assert (path.parent / target).exists(), f"{path.name} -> {target}"


NAMING_MODULES = [
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "bytecode/README.md",
    *(path.relative_to(ROOT).as_posix() for path in sorted(ROOT.glob("docs/internals/*.md"))),
]


@pytest.mark.parametrize("page", NAMING_MODULES)
def test_documents_name_modules_that_exist(page: str) -> None:
    """A path in backquotes is that of a module, from the root or from the end of its path."""
    paths = {path.as_posix() for folder in PACKAGES for path in (ROOT / folder).rglob("*.py")}
    for name in re.findall(r"`((?:\w+/)*\w+\.py)`", (ROOT / page).read_text()):
        assert (ROOT / name).exists() or any(path.endswith(f"/{name}") for path in paths), f"{page}: {name}"
