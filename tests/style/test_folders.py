"""How many modules a folder of the packages holds."""

from __future__ import annotations

from tests.style.folders import FEW, MOST, module_counts


def test_folders_are_small() -> None:
    counts = module_counts()
    assert {folder: count for folder, count in counts.items() if count > MOST} == {}, (
        f"these folders hold over {MOST} modules: make sub-packages"
    )
    assert sum(count > FEW for count in counts.values()) <= len(counts) // 10, (
        "folders over 15 modules are few"
    )
