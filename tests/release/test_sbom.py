"""The list of what a release depends on."""

from __future__ import annotations

from release.sbom import bill


def test_the_bill_names_what_is_needed_and_what_is_carried() -> None:
    data = bill()
    names = {component["name"] for component in data["components"]}
    assert {"numpy", "ml-dtypes", "scipy", "msgpack", "msgspec", "@dagrejs/dagre"} <= names
    assert "shlo" not in names
    assert all(each["purl"].endswith(f"@{each['version']}") for each in data["components"])
    assert data == bill()
