"""The page about JAX: its examples in Python give what it shows."""

from __future__ import annotations

import doctest
import re

import pytest

from .replay import ROOT

PAGE = (ROOT / "docs" / "jax.md").read_text("utf-8")

pytestmark = pytest.mark.oracle


def test_python_of_the_page_gives_what_it_shows() -> None:
    source = "\n".join(re.findall(r"```python\n(.*?)```", PAGE, re.S))
    test = doctest.DocTestParser().get_doctest(source, {"__name__": "__main__"}, "jax", "docs/jax.md", 0)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    runner.run(test)
    assert (runner.summarize(verbose=False).failed, len(test.examples) > 5) == (0, True)
