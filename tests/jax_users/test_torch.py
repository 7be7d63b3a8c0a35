"""PyTorch's models by way of torchax and torch.export.

torchax needs PyTorch of 2.9, which is no part of the development environment; without both only what is
shlo's own is tested here.
"""

# pyright: reportArgumentType=false, reportCallIssue=false

from __future__ import annotations

import sys
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import jax
import jax.numpy as jnp
import ml_dtypes
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


class Tensor:
    """A tensor as PyTorch's: of elements that NumPy may lack, perhaps with a gradient or without values."""

    is_quantized = False

    def __init__(self, bits: Any, dtype: str, requires_grad: bool = False, device: str = "cpu") -> None:
        self.bits, self.dtype, self.requires_grad = bits, f"torch.{dtype}", requires_grad
        self.layout, self.is_meta, self.shape = "torch.strided", device == "meta", bits.shape

    def __array__(self, *_: object) -> Any:
        raise RuntimeError("Can't call numpy() on Tensor that requires grad.")

    def detach(self) -> Tensor:
        return Tensor(self.bits, self.dtype.removeprefix("torch."))

    def cpu(self) -> Tensor:
        return self

    resolve_conj = resolve_neg = contiguous = cpu

    def element_size(self) -> int:
        return self.bits.itemsize

    def view(self, dtype: str) -> Tensor:
        return Tensor(self.bits.view(dtype), dtype)

    def numpy(self) -> Any:
        if self.requires_grad or self.dtype == "torch.bfloat16":
            raise TypeError("Got unsupported ScalarType BFloat16")
        return self.bits


Tensor.__module__ = "torch"


@pytest.fixture
def torch(monkeypatch: pytest.MonkeyPatch) -> None:
    """Puts a stand-in for PyTorch where it would be."""
    monkeypatch.setitem(sys.modules, "torch", SimpleNamespace(int16="int16", uint8="uint8"))  # type: ignore[arg-type]


@pytest.mark.usefixtures("torch")
@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "float8_e4m3fn"])
def test_tensors_of_pytorch_are_arguments(dtype: str) -> None:
    array = np.arange(3).astype(np.dtype(getattr(ml_dtypes, dtype, dtype)))
    tensor = Tensor(array, dtype, requires_grad=dtype == "float32")

    def total(parts: Any, *, scale: Any) -> Any:
        return parts["x"] + scale

    lowered = jax.jit(total).lower({"x": array}, scale=array)
    for program in (total, lowered):
        result = shlo.run(program, {"x": tensor}, scale=tensor)
        assert result.dtype == array.dtype
        assert result.tolist() == [0, 2, 4]
    (result,) = shlo.run(lowered.as_text(), [tensor, tensor])
    assert result.tolist() == [0, 2, 4]


@pytest.mark.usefixtures("torch")
def test_a_tensor_of_pytorch_without_values_is_named() -> None:
    tensor = Tensor(np.ones(2, np.float32), "float32", device="meta")
    message = r"argument `args\[0\]\['x'\]` is a tensor of PyTorch on the device meta, which has no values"
    with pytest.raises(shlo.RequestError, match=message):
        shlo.run(lambda parts: parts["x"], {"x": tensor})


def nan_function(session: Session) -> str:
    session.nonfinite.run_to("nan")
    step = session.snapshot.last_step
    assert step is not None
    assert step.origin.line is not None
    return step.origin.line.function


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
    assert str(caught.value.hint).startswith("pip install torchax; then ") == (find_spec("torchax") is None)
    exported = type("ExportedProgram", (), {"__module__": "torch.export.exported_program"})()
    for ask in (shlo.debug, shlo.why):
        with pytest.raises(shlo.RequestError, match="got an ExportedProgram of PyTorch") as caught:
            ask(exported, 1.0)
        assert "exported_program_to_stablehlo(exported)" in str(caught.value.hint)


@pytest.fixture
def torchax() -> Any:
    pytest.importorskip("torch", reason="PyTorch takes gigabytes; docs/jax.md says what was measured with it")
    return pytest.importorskip("torchax", reason="torchax is not installed")


def model_of_torch() -> tuple[Any, Any]:
    torch = pytest.importorskip("torch")

    class Model(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.a, self.b = torch.nn.Linear(4, 8), torch.nn.Linear(8, 2)

        def forward(self, x: Any) -> Any:
            return torch.log(self.b(torch.tanh(self.a(x))))

    torch.manual_seed(0)
    return Model().eval(), torch.randn(3, 4)


def test_what_torch_exports_runs_as_in_pytorch(torchax: Any) -> None:
    torch, export = pytest.importorskip("torch"), pytest.importorskip("torchax.export")
    model, x = model_of_torch()
    weights, exported = export.exported_program_to_stablehlo(torch.export.export(model, (x,)))
    assert shlo.check(exported) == []
    (result,) = shlo.run(exported, weights, ((x.numpy(),),))
    np.testing.assert_allclose(result, model(x).detach().numpy(), rtol=2e-5)


def test_the_debugger_ends_in_the_forward_method(torchax: Any) -> None:
    model, x = model_of_torch()
    weights, function = torchax.extract_jax(model)
    found = shlo.debug(function, weights, (jnp.asarray(x.numpy()),), front_end=nan_function)
    assert found.endswith("Model.forward")
