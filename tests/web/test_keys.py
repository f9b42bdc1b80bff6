"""A board under the keyboard, and the widget of notebooks, in a real browser and without a server."""

from __future__ import annotations

from collections.abc import Iterator

import kibitz as kb
import pytest
from kibitz.draw.board import KEYBOARD, board
from kibitz.draw.clicks import Clicks
from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.xdist_group("web")

HEAR = """
window.heard = [];
document.addEventListener('click', (event) => {
  const cell = event.target.closest('[data-cell]');
  if (cell) heard.push(cell.dataset.cell);
});
"""


@pytest.fixture
def blank(browser: Browser) -> Iterator[Page]:
    """An empty page."""
    page = browser.new_page()
    yield page
    page.close()


def focused(page: Page) -> str | None:
    return page.evaluate("document.activeElement.dataset.cell ?? null")  # type: ignore[no-any-return]


def drawn(clicks: Clicks) -> str:
    return board(kb.game("breakthrough").start(), clicks=clicks).svg


def test_a_move_is_made_with_the_keyboard_alone(blank: Page) -> None:
    clicks = Clicks.of(kb.game("breakthrough").start())
    blank.set_content(f"<div id=place>{drawn(clicks)}</div><script>{KEYBOARD}{KEYBOARD}{HEAR}</script>")
    blank.keyboard.press("Tab")
    begun = focused(blank)
    assert begun in clicks.next
    for key in ("ArrowRight", "ArrowRight", "ArrowUp", "ArrowDown", "ArrowLeft", "ArrowLeft"):
        blank.keyboard.press(key)
    assert focused(blank) == begun
    blank.keyboard.press("ArrowRight")
    assert focused(blank) == "b2"
    blank.keyboard.press("Enter")
    blank.keyboard.press("ArrowUp")
    blank.keyboard.press(" ")
    assert blank.evaluate("heard") == ["b2", "b3"], "loading the script twice clicks once"
    # the tabulator leaves the board at once
    blank.keyboard.press("Tab")
    assert focused(blank) is None


def test_a_new_board_keeps_the_focus_where_it_was(blank: Page) -> None:
    clicks = Clicks.of(kb.game("breakthrough").start())
    blank.set_content(f"<div id=place>{drawn(clicks)}</div><script>{KEYBOARD}</script>")
    blank.keyboard.press("Tab")
    blank.keyboard.press("ArrowRight")
    blank.evaluate("svg => { document.getElementById('place').innerHTML = svg; }", drawn(clicks.click("b2")))
    blank.wait_for_function("document.activeElement.dataset.cell === 'b2'")


def test_a_board_is_as_wide_as_a_telephone(blank: Page) -> None:
    blank.set_viewport_size({"width": 390, "height": 800})
    epaminondas = kb.game("epaminondas").start()
    blank.set_content(f"<body style='margin:0'>{board(epaminondas, clicks=Clicks.of(epaminondas)).svg}")
    assert blank.evaluate("document.documentElement.scrollWidth") <= 390


def test_the_widget_draws_its_page_and_sends_what_is_clicked(blank: Page) -> None:
    from kibitz.widget import SCRIPT

    widget = kb.play_widget(kb.game("breakthrough").start())
    blank.set_content("<div id=place></div>")
    blank.evaluate(
        """async ([script, page]) => {
          const module = await import(URL.createObjectURL(new Blob([script], { type: 'text/javascript' })));
          window.sent = []; window.state = { page, ply: 0 }; window.changed = {};
          const model = {
            get: (name) => state[name], on: (name, act) => { changed[name] = act; }, send: (what) => sent.push(what),
          };
          module.default.render({ model, el: document.getElementById('place') });
        }""",
        [SCRIPT, widget.page],
    )
    blank.click("[data-cell=c2]")
    blank.click("[data-cell=d3]")
    for message in blank.evaluate("sent"):
        widget._handle_custom_msg(message, [])
    assert widget.moves == ("c2-d3",)
    blank.evaluate("([page, ply]) => { state = { page, ply }; changed['change:page'](); }", [widget.page, widget.ply])
    blank.click("[data-action=undo]")
    assert blank.evaluate("sent.at(-1)") == {"action": "undo", "ply": 1}
