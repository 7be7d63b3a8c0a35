"""Real kernels for tests: installed in folders of their own, on the loopback, stopped by their manager."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from shlo_kernel import install

from .screens import Notebook


@pytest.fixture
def notebook() -> Notebook:
    """Returns a notebook without a kernel."""
    return Notebook()


@pytest.fixture(scope="session")
def kernel_name(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Yields the name under which the kernel is installed for the tests."""
    folder: Path = tmp_path_factory.mktemp("jupyter")
    with pytest.MonkeyPatch.context() as patch:
        for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR"):
            patch.setenv(name, str(folder / name))
        install.install()
        yield install.NAME
