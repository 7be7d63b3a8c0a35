"""One walk through the stepper, the same in every host: both themes, narrow and wide, with the keyboard alone.

What a host does in its own way (to open, save and close a notebook) is in `walk_hosts.py`; where a stepper has
what the walk uses, in two tables here: one of the widgets of Jupyter, one of the saved stepper.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from msgspec import Struct

pytest.importorskip("playwright", reason="playwright is not installed")

from playwright.sync_api import Locator, Page, expect

from .conftest import Witness, find_tool
from .evidence import failures_of, seen
from .test_pages import BUILT, violations
from .walk_hosts import HOSTS, Host

MOST_TABS = 120
"""How often a person presses Tab on the way to something in a stepper."""
WAY = """element => {
  let at = element.ownerDocument.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  const [here, there] = [at, element].map((each) => each.getBoundingClientRect());
  const isBack = there.top < here.top || (there.top === here.top && there.left < here.left);
  return isBack && at !== element.ownerDocument.body ? 'Shift+Tab' : 'Tab';
}"""
"""The key to something, which is above or below on the screen."""
FOCUSED = """element => {
  let at = element.ownerDocument.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  return at === element && element.ownerDocument.hasFocus();
}"""
TOO_WIDE = "element => element.scrollWidth > element.clientWidth + 1"


class Places(Struct, frozen=True):
    """Where a stepper has what the walk uses, as selectors."""

    source: str
    here: str
    slider: str
    pinned: str
    tensor: str = "shlo-tensor-view:visible"
    graph: str = "shlo-graph-view:visible"


LIVE = Places(
    source=".shlo-source .box, shlo-source-view .box",
    here=".row.shlo-here",
    slider="shlo-timeline-view input[type=range]",
    pinned=".shlo-pinned",
)
SAVED = Places(
    source=".panes .box",
    here=".panes .row.shlo-here",
    slider=".timeline input[type=range]",
    pinned=".pinned",
)


class Walk(Struct):
    """A person with a keyboard before a stepper."""

    host: Host
    page: Page
    places: Places

    def at(self, selector: str) -> Locator:
        """Returns what a selector names in the stepper."""
        return self.host.stepper(self.page).locator(selector).first

    def button(self, name: str) -> Locator:
        """Returns a button of the stepper."""
        return self.host.stepper(self.page).get_by_role("button", name=re.compile(rf"^\W*{name}$")).first

    def reach(self, place: Locator) -> None:
        """Presses Tab, or Shift-Tab, until something has the focus."""
        key = place.evaluate(WAY)
        for _ in range(MOST_TABS):
            if place.evaluate(FOCUSED):
                return
            self.page.keyboard.press(key)
        focused = self.page.evaluate("document.activeElement.outerHTML.slice(0, 300)")
        raise AssertionError(f"Tab does not lead to {place}, but to {focused}")

    def press(self, place: Locator, *keys: str) -> None:
        """Goes to something, and presses keys there."""
        self.reach(place)
        for key in keys:
            self.page.keyboard.press(key)

    def stands_at(self, text: str) -> None:
        """Asserts which operation the stepper shows as the next one."""
        expect(self.at(self.places.here)).to_contain_text(text)


def open_it(walk: Walk) -> None:
    walk.host.open(walk.page)
    restart(walk)


def restart(walk: Walk) -> None:
    walk.press(walk.button("restart"), "Enter")
    walk.stands_at("%one = ")


def step(walk: Walk) -> None:
    walk.press(walk.at(walk.places.source), "s")
    walk.stands_at("%two = ")


def step_back(walk: Walk) -> None:
    walk.press(walk.at(walk.places.source), "S")
    walk.stands_at("%one = ")


def find_nan(walk: Walk) -> None:
    walk.press(walk.at(walk.places.source), "x")
    walk.stands_at("%log = ")
    expect(walk.at(f"{walk.places.tensor} .statistics")).to_contain_text("1 NaN")


def look_at_element(walk: Walk) -> None:
    tensor = walk.places.tensor
    walk.press(walk.at(f"{tensor} .controls input[type=range]"), "ArrowRight")
    label = re.compile(r"\[1, 0:40, 0:60\]")
    expect(walk.at(f"{tensor} .plane canvas")).to_have_attribute("aria-label", label)
    walk.press(walk.at(f"{tensor} .plane"), *["ArrowDown"] * 12, *["ArrowRight"] * 33)
    expect(walk.at(f"{tensor} .place")).to_have_text("[1, 12, 33] = NaN")


def pin(walk: Walk) -> None:
    walk.press(walk.button("pin"), "Enter")
    expect(walk.at(walk.places.pinned)).to_contain_text("log")


def slide(walk: Walk) -> None:
    walk.press(walk.at(walk.places.slider), "ArrowLeft", "ArrowLeft")
    walk.stands_at("%two = ")
    expect(walk.at(walk.places.pinned)).to_be_visible()


def follow_in_graph(walk: Walk) -> None:
    graph = walk.places.graph
    walk.press(walk.button("graph"), "Enter")
    selected = walk.at(f"{graph} [role=treeitem][aria-selected=true]")
    expect(selected).to_contain_text("add")
    walk.press(walk.at(f"{graph} input[type=search]"), *"log", "Enter")
    expect(selected).to_contain_text("log")
    walk.press(walk.at(walk.places.source), "s")
    expect(selected).to_contain_text("log")
    walk.stands_at("%log = ")


def look_around(walk: Walk) -> None:
    """Asserts that nothing is cut off at the right, and that axe-core finds nothing of ours."""
    walk.host.show_all(walk.page)
    assert not walk.host.stepper(walk.page).first.evaluate(TOO_WIDE)
    assert violations(walk.host.frame(walk.page), walk.host.looked_at) == []


def reload(walk: Walk) -> None:
    walk.host.reload(walk.page)
    if walk.host.keeps_place:
        walk.stands_at("%log = ")
    else:
        restart(walk)


def save_close_and_reopen(walk: Walk) -> None:
    walk.host.save(walk.page)
    walk.host.close(walk.page)
    walk.host.reopen(walk.page)
    if walk.host.saves_steps:
        walk.places = SAVED
        restart(walk)
        step(walk)
        step_back(walk)
        find_nan(walk)


WALK: tuple[Callable[[Walk], None], ...] = (
    open_it,
    step,
    step_back,
    find_nan,
    look_at_element,
    pin,
    slide,
    follow_in_graph,
    look_around,
    reload,
    save_close_and_reopen,
)
CASES = [
    pytest.param(
        host,
        theme,
        width,
        id=f"{host}-{theme}-{width}",
        marks=[pytest.mark.core] if (host, theme, width) == ("page", "dark", 620) else [],
    )
    for host in HOSTS
    for theme in ("light", "dark")
    for width in (620, 1600)
]


@pytest.fixture
def host(request: pytest.FixtureRequest, name: str, theme: str, tmp_path: Path) -> Iterator[Host]:
    """Yields the host of a case, running."""
    if not (BUILT / "replay_view.js").exists():
        pytest.skip("the views are not built: make web")
    with HOSTS[name](request, tmp_path, theme, find_tool) as running:
        yield running


@pytest.fixture
def window(host: Host, width: int, witnesses: list[Witness]) -> Iterator[Page]:
    """Yields a window in which no script of ours fails."""
    failures: list[str] = []
    page = host.window(width)
    page.on("pageerror", lambda error: failures.extend(failures_of(error)))
    witnesses.append(lambda picture: seen(page, picture))
    yield page
    assert not failures


@pytest.mark.seconds(240)
@pytest.mark.parametrize(("name", "theme", "width"), CASES)
def test_walk(host: Host, window: Page, name: str, screenshots: Path) -> None:
    walk = Walk(host, window, LIVE if name in ("lab", "notebook") else SAVED)
    for act in WALK:
        act(walk)
