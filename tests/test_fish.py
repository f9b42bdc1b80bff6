"""Hey! That's My Fish! in searches and matches."""

from __future__ import annotations

import kibitz as kb
import pytest

FIXED = "1212131/21213121/2131212/13121213/1212131/21213121/2131212/13121213 0@0,14,30,44 0@4,18,40,58 A"
"""The layout of the published counts: the fish of the tiles are 1, 2, 1, 2, 1, 3 over and over."""

LEAVES = {1: (1, 45), 2: (0, 102), 3: (3, 2515), 4: (0, 11507), 5: (3, 168279), 6: (0, 1654772)}
"""By depth: minimax of the fish difference, and the leaves of alpha-beta in the order of the moves, by two programs
written to check D. Rutko's thesis (2012)."""


@pytest.mark.parametrize("depth", LEAVES)
def test_alpha_beta_has_the_values_and_leaves_of_other_programs(depth: int) -> None:
    position = kb.game("fish").position(FIXED)
    plain = kb.AlphaBeta(tt_mb=0, etc=False, killers=False, history=False, hints=False, deepening=False)
    report = plain.search(position, depth=depth)
    assert (report.value, report.stats["leaves"]) == LEAVES[depth]
    assert kb.AlphaBeta(same_depth=True).search(position, depth=depth).value == LEAVES[depth][0]


def test_a_game_has_at_most_52_moves() -> None:
    for seed in range(10):
        position = kb.game("fish", seed=seed, placement="random").start()
        plies = 0
        while not position.over:
            position = position.play(position.moves[(7 * plies) % len(position.moves)])
            plies += 1
        assert plies <= 52


def test_looking_ahead_beats_random_play() -> None:
    players = {"four plies": kb.AlphaBeta(depth=4), "random": kb.Random()}
    table = kb.match("fish:placement=random", players, games=40, openings=4, seed=1, workers=0)
    assert table["four plies"].score > 0.7


@pytest.mark.parametrize("players", [3, 4])
def test_more_players_share_the_fish(players: int) -> None:
    position = kb.game("fish", players=players, seed=2, placement="random").start()
    while not position.over:
        position = position.play(kb.Uct(simulations=50, seed=1).search(position).best)
    assert position.result is not None
    assert len(position.result) == players
    assert 60 < sum(position.result) <= 100
