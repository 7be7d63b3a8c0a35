"""Facts about the function of a `jax.export` file, as lines and as data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec.structs import asdict

from shlo.text.numbers import plural

if TYPE_CHECKING:
    from shlo_bytecode.exported.exported import Exported


def export_lines(exported: Exported) -> list[str]:
    """Returns the facts of a file's function, a line for each. Its strings are the file's own."""
    effects = {
        "ordered effects": exported.ordered_effects,
        "unordered effects": exported.unordered_effects,
        "checks switched off": exported.disabled_checks,
    }
    writer = f" by JAX {exported.jax_version}" if exported.jax_version else ""
    return [
        f"jax.export of {exported.function}, serialization version {exported.serialization_version}{writer}, "
        f"calling convention {exported.calling_convention}",
        f"platforms: {', '.join(exported.platforms) or 'none'}; {plural(exported.devices, 'device')}",
        *(f"{title}: {', '.join(names)}" for title, names in effects.items() if names),
        f"takes {exported.in_tree}",
        *(
            f"  {name}: {type_}{'' if number in exported.kept else ' (not used)'}"
            for number, (name, type_) in _inputs(exported)
        ),
        f"gives {exported.out_tree}",
        *(f"  {name}: {type_}" for name, type_ in zip(exported.result_names, exported.results)),
        f"derivatives: {f'of order {exported.vjp_order}' if exported.vjp_order else 'none'}",
        f"artifact: bytes {exported.start} to {exported.end}",
    ]


def export_data(exported: Exported) -> dict[str, Any]:
    """Returns the facts of a file's function as plain data."""
    data: dict[str, Any] = asdict(exported)
    data["in_tree"], data["out_tree"] = str(exported.in_tree), str(exported.out_tree)
    data["inputs"] = [
        {"name": name, "type": str(type_), "used": number in exported.kept}
        for number, (name, type_) in _inputs(exported)
    ]
    data["results"] = [
        {"name": name, "type": str(type_)} for name, type_ in zip(exported.result_names, exported.results)
    ]
    return data


def _inputs(exported: Exported) -> list[tuple[int, tuple[str, Any]]]:
    return list(enumerate(zip(exported.input_names, exported.inputs)))
