"""The Python lines and scopes of a program that JAX printed with its locations."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from shlo.debugger import Origin, Session, SourceLine, origin_of
from shlo.ir.locations import CallSiteLocation, FileLocation, FusedLocation, NameLocation, UnknownLocation
from tests.debugger.programs import read


def test_the_scope_and_the_python_line_of_an_operation_of_jax() -> None:
    import jax
    import jax.numpy as jnp

    def attention(x: jax.Array) -> jax.Array:
        with jax.named_scope("attn"):
            return jnp.sin(x) @ x

    def train(x: jax.Array) -> jax.Array:
        with jax.named_scope("layer_3"):
            return attention(x)

    x = np.ones((3, 3), np.float32)
    session = Session(read(jax.jit(train).lower(x).as_text(debug_info=True)), [x])
    frame = session.snapshot.frame
    assert frame
    assert (frame.origin.scope, frame.origin.primitive) == ("jit(train)/layer_3/attn", "sin")
    lines = Path(__file__).read_text().splitlines()
    places = [place for place in frame.origin.lines if place.file == __file__]
    assert [lines[place.line - 1].strip() for place in places[:2]] == [
        "return jnp.sin(x) @ x",
        "return attention(x)",
    ]
    assert places[0].function.endswith("attention")


def test_what_other_locations_tell() -> None:
    here, there = FileLocation("f.py", 3, 5), FileLocation("g.py", 7, 1)
    assert origin_of(None) == origin_of(UnknownLocation()) == Origin()
    assert origin_of(NameLocation("x")) == Origin()
    assert origin_of(here) == Origin(lines=(SourceLine("f.py", 3, 5),))
    assert origin_of(NameLocation("jit(f)/sin", here)) == Origin("jit(f)", "sin", (SourceLine("f.py", 3, 5),))
    calls = CallSiteLocation(NameLocation("inner", here), NameLocation("outer", there))
    fused = FusedLocation((NameLocation("jit(f)", calls),))
    lines = (SourceLine("f.py", 3, 5, "inner"), SourceLine("g.py", 7, 1, "outer"))
    assert origin_of(fused) == Origin("jit(f)", "", lines)
