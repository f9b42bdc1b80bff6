"""Every game played to its end by clicking, or to the limit of moves at which the lab calls it a draw.

It takes ten minutes, so that its name keeps it out of the daily tests: `make test-web-full`.
"""

from __future__ import annotations

import random

import kibitz as kb
import pytest
from conftest import Server
from person import click, replayed, sit_down, stored, text_of_game, wait
from playwright.sync_api import Page


@pytest.mark.parametrize("game", kb.games())
def test_every_game_is_played_to_its_end(page: Page, server: Server, game: str) -> None:
    dice = random.Random(game)
    url = sit_down(page, server.address, server.data, game)
    found = wait(page)
    while "game is over" not in found["status"]:
        found = click(page, dice, found)
    at_the_end = stored(server.data, url)
    assert at_the_end.over or "Nobody won within 1000 moves" in found["status"]
    assert replayed(text_of_game(page)) == at_the_end
