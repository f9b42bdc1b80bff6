"""The page Watch a search think, in a real browser."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import pytest
from conftest import Server
from kibitz.web.lessons import LESSONS
from machine import milliseconds
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.xdist_group("web")


def act(page: Page, name: str) -> None:
    page.locator(f"[data-act={name}]").click()


def step(page: Page) -> int:
    return int(page.locator("svg.lesson").get_attribute("data-step") or -1)


@pytest.fixture
def first(page: Page, server: Server) -> Page:
    """The page as a student finds it."""
    page.goto(f"{server.address}/think")
    expect(page.locator("svg.lesson")).to_be_visible()
    return page


def test_every_step_has_a_sentence_and_cuts_are_struck(first: Page) -> None:
    page, sentence = first, first.locator(".think-sentence")
    expect(sentence).to_have_text("MAX is to move. Every value can still matter: the window is open on both sides.")
    assert page.locator("svg.lesson [data-node]").count() == 1
    act(page, "next")
    expect(page.locator("svg.lesson")).to_have_attribute("data-step", "1")
    expect(sentence).to_contain_text("MIN is to move")
    act(page, "cut")
    expect(sentence).to_contain_text("Cut. Here MIN holds MAX to")
    expect(page.locator("svg.lesson .strike")).to_have_count(1)
    expect(page.locator("svg.lesson .reason")).to_have_count(1)
    expect(page.locator("svg.lesson .empty")).to_have_text("nothing lies between α and β")
    at = step(page)
    act(page, "back")
    expect(page.locator("svg.lesson .strike")).to_have_count(0)
    page.keyboard.press("ArrowRight")
    expect(page.locator("svg.lesson")).to_have_attribute("data-step", str(at))
    act(page, "last")
    expect(sentence).to_contain_text("Done. MAX plays move 0. The value of the root is 12.")
    expect(page.get_by_text("without any cut the search would look at 13")).to_be_visible()


def test_it_plays_by_itself_and_stops_at_the_end(first: Page) -> None:
    page = first
    act(page, "cut")
    act(page, "cut")
    at = step(page)
    act(page, "play")
    expect(page.locator("svg.lesson")).not_to_have_attribute("data-step", str(at))
    expect(page.locator(".think-sentence")).to_contain_text("Done.", timeout=milliseconds(10_000))
    expect(page.locator("[data-act=play] i")).to_have_text("play_arrow")


def test_a_reload_keeps_the_lesson_and_the_step_whose_picture_is_saved_as_svg(first: Page) -> None:
    page = first
    act(page, "cut")
    expect(page.locator(".think-sentence")).to_contain_text("Cut.")
    at = step(page)
    page.reload()
    expect(page.locator("svg.lesson")).to_have_attribute("data-step", str(at))
    with page.expect_download() as saved:
        act(page, "save")
    text = saved.value.path().read_text(encoding="utf-8")
    assert ElementTree.fromstring(text).tag.endswith("svg")
    assert 'class="strike"' in text
    assert "var(" not in text


def test_lessons_of_every_family_begin_and_come_to_their_end(first: Page, server: Server) -> None:
    """What the steps of all lessons say is tested without a browser, in `test_lesson.py` and `test_work.py`."""
    page = first
    ends = {"mtd": "the value of the root is at most", "star2": "Done", "proof": "Done", "uct": "Done"}
    for name, end in ends.items():
        page.goto(f"{server.address}/think?lesson={name}")
        expect(page.locator("h2").first).to_have_text(next(each.title for each in LESSONS if each.name == name))
        expect(page.locator("svg.lesson")).to_be_visible()
        expect(page.get_by_text("The search is still running")).to_have_count(0)
        act(page, "last")
        expect(page.locator(".think-sentence")).to_contain_text(end)


def test_a_search_of_ones_own_is_seen_growing_node_by_node_and_can_be_paused(first: Page) -> None:
    page, sentence = first, first.locator(".think-sentence")
    page.evaluate(WATCH_NODES)
    page.get_by_text("A search of your own").click()
    page.locator("[data-field=depth]").fill("3")
    act(page, "watch")
    expect(page.locator("h2").first).to_have_text("alphabeta at tic-tac-toe")
    # it plays by itself; a slow browser may miss a step, but not the growth
    page.wait_for_function("counts.at(-1) >= 4")
    assert len(page.evaluate("counts")) >= 4
    act(page, "play")
    expect(page.locator("[data-act=play] i")).to_have_text("play_arrow")
    # no node was left out
    act(page, "first")
    expect(sentence).to_contain_text("Depth 1. MAX is to move")
    nodes = page.locator("svg.lesson [data-node]")
    for count in range(1, 5):
        expect(nodes).to_have_count(count)
        act(page, "next")
    expect(nodes).to_have_count(5)
    act(page, "back")
    expect(nodes).to_have_count(4)
    act(page, "cut")
    expect(sentence).to_contain_text("Cut.")
    act(page, "last")
    expect(sentence).to_contain_text("Depth 3 is done.")


WATCH_NODES = """() => {
    window.counts = [0];
    new MutationObserver(() => {
        const count = document.querySelectorAll('svg.lesson [data-node]').length;
        if (count !== counts.at(-1)) counts.push(count);
    }).observe(document.body, {childList: true, subtree: true});
}"""
"""Writes down how many nodes the picture had, one number after the other."""


def test_what_is_wrong_with_a_search_is_said_and_a_large_one_is_shown_in_part(first: Page) -> None:
    page = first
    page.get_by_text("A search of your own").click()
    page.locator(".think-own textarea").fill("nonsense")
    act(page, "watch")
    expect(page.locator(".q-notification")).to_contain_text("bad position")
    page.locator(".think-own textarea").fill("")
    page.locator("[data-field=depth]").fill("7")
    page.get_by_text("All parameters").first.click()
    page.locator("[data-field=deepening]").click()
    act(page, "watch")
    expect(page.get_by_text("The picture ends here; the search looked at")).to_be_visible()
    act(page, "last")
    # the picture is wider than its place, and still shows what the step is about
    expect(page.locator("svg.lesson .focus")).to_be_in_viewport()
