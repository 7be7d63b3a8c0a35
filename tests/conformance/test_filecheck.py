"""Expected texts as FileCheck reads them."""

from __future__ import annotations

import pytest

from tests.conformance.filecheck import checks_of, judge

TEXT = """module {
  func.func @first(%arg0: i32) {
    %0 = "a"(%arg0)
    %1 = "b"(%0)
    return %1
  }
  func.func @second() {
    %0 = "b"()
  }
}
"""


@pytest.mark.parametrize(
    ("checks", "failing"),
    [
        ('// CHECK-LABEL: @first\n// CHECK-SAME: (%[[X:.*]]: i32)\n// CHECK-NEXT: %{{.*}} = "a"(%[[X]])', []),
        ('// CHECK-LABEL: @first\n// CHECK-NEXT: "b"', ["first"]),
        ("// CHECK: @first\n// CHECK-SAME: return", [""]),
        ('// CHECK: %[[V:[a-z0-9]+]]  =   "b"\n// CHECK: return %[[V]]', []),
        ('// CHECK-LABEL: @first\n// CHECK: "b"()\n// CHECK-LABEL: @second\n// CHECK: "b"()', ["first"]),
        ('// CHECK-DAG: "b"(%0)\n// CHECK-DAG: "a"\n// CHECK-NEXT: return', []),
        ('// CHECK: "a"\n// CHECK-NOT: "b"\n// CHECK: return', [""]),
        ('// CHECK-LABEL: @second\n// CHECK-NOT: "a"', []),
        ('// CHECK-COUNT-2: "b"', []),
        ('// CHECK-COUNT-3: "b"', [""]),
        ('// CHECK-LABEL: @third\n// CHECK: "a"', ["third"]),
    ],
)
def test_directives(checks: str, failing: list[str]) -> None:
    outcomes = judge(TEXT, checks_of(checks))
    assert [outcome.name for outcome in outcomes if outcome.failure] == failing


def test_only_the_given_prefixes_count() -> None:
    text = "// CHECK: nothing\n// OTHER-NEXT: this\n// NOT-OTHER: that"
    assert [(check.kind, check.pattern) for check in checks_of(text, ("OTHER",))] == [("NEXT", "this")]
