"""PyTorch's models by way of torchax and torch.export.

torchax needs PyTorch of 2.9, which is no part of the development environment; without both only what is
shlo's own is tested here.
"""

from __future__ import annotations

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest

import shlo
from shlo.debugger import Session

pytestmark = pytest.mark.oracle

CARRIER = """
import jax.numpy as jnp

def log(x):
    return jnp.log(x)
"""


def nan_function(session: Session) -> str:
    session.run_to_nonfinite("nan")
    origin = session.snapshot.last_step.origin
    assert origin is not None
    assert origin.line is not None
    return origin.line.function


def test_lines_are_those_that_call_pytorch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "torchax" / "__init__.py"
    file.parent.mkdir()
    file.write_text(CARRIER)
    spec = spec_from_file_location("torchax", file)
    assert spec is not None
    assert spec.loader is not None
    carrier = module_from_spec(spec)
    spec.loader.exec_module(carrier)
    monkeypatch.setitem(sys.modules, "torchax", carrier)

    def forward(x: Any) -> Any:
        return carrier.log(x)

    assert shlo.debug(forward, jnp.float32(-1), front_end=nan_function).endswith("forward")


def test_a_model_of_pytorch_is_refused_with_the_way_to_take() -> None:
    base = type("Module", (), {"__module__": "torch.nn.modules.module", "__call__": lambda self, x: x})
    model = type("Linear", (base,), {})()
    with pytest.raises(shlo.RequestError, match="function of JAX, got a Linear of PyTorch") as caught:
        shlo.run(model, 1.0)
    assert "torchax.extract_jax(model)" in str(caught.value.hint)


@pytest.fixture
def torchax() -> Any:
    pytest.importorskip("torch", reason="PyTorch takes gigabytes; docs/jax.md says what was measured with it")
    return pytest.importorskip("torchax", reason="torchax is not installed")


def model_of_torch() -> tuple[Any, Any]:
    import torch

    class Model(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.a, self.b = torch.nn.Linear(4, 8), torch.nn.Linear(8, 2)

        def forward(self, x: Any) -> Any:
            return torch.log(self.b(torch.tanh(self.a(x))))

    torch.manual_seed(0)
    return Model().eval(), torch.randn(3, 4)


def test_what_torch_exports_runs_as_in_pytorch(torchax: Any) -> None:
    import torch
    from torchax.export import exported_program_to_stablehlo

    model, x = model_of_torch()
    weights, exported = exported_program_to_stablehlo(torch.export.export(model, (x,)))
    assert shlo.check(exported) == []
    (result,) = shlo.run(exported, weights, ((x.numpy(),),))
    np.testing.assert_allclose(result, model(x).detach().numpy(), rtol=2e-5)


def test_the_debugger_ends_in_the_forward_method(torchax: Any) -> None:
    model, x = model_of_torch()
    weights, function = torchax.extract_jax(model)
    found = shlo.debug(function, weights, (jnp.asarray(x.numpy()),), front_end=nan_function)
    assert found.endswith("Model.forward")
