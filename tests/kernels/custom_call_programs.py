"""Runs a single custom call."""

from __future__ import annotations

from typing import Any

import shlo


def call(text: str, *arguments: Any) -> Any:
    """Runs a custom_call on the arguments, which it calls %a0, %a1, ..."""
    operands, _, results = text.rpartition(" : (")[2].partition(") -> ")
    names = ", ".join(f"%a{i}: {kind}" for i, kind in enumerate(operands.split(", ")))
    count = results.count("tensor")
    pack = ", ".join(f"%r#{i}" for i in range(count)) if count > 1 else "%r"
    program = f"""func.func @main({names}) -> {results} {{
      %r{f":{count}" if count > 1 else ""} = stablehlo.custom_call {text}
      return {pack} : {results.strip("()")} }}"""
    return shlo.run(shlo.parse(program), *arguments)
