"""Stratego: the native game beside a second program, set-ups, what a player knows, and nothing more."""

from __future__ import annotations

import random

import chance_rules as rules
import kibitz as kb
import pytest
from kibitz import stratego

GAME = kb.game("stratego")


@pytest.mark.parametrize("seed", range(6))
def test_every_position_of_random_games_has_the_same_continuations(seed: int) -> None:
    # the second program remembers no moves
    params = {"two_squares": 0, "more_squares": False, "quiet": 60}
    position = stratego.start(stratego.drawn(seed), stratego.drawn(seed + 1), **params)
    second, lot = rules.Stratego(), random.Random(seed)
    for _ in range(300):
        if position.over:
            break
        state = second.read(str(position))
        ours = [second.read(str(position.play(move))) for move in position.moves]
        assert sorted(ours) == sorted(second.children(state))
        position = position.play(lot.choice(position.moves))


def test_the_library_has_complete_armies_and_both_sides_of_the_figure() -> None:
    known = stratego.setups()
    assert len(known) >= 12
    assert "free" not in known
    for made in known.values():
        assert sorted("".join(made.rows)) == sorted(stratego.ARMY)
        assert stratego.setup(str(made)) == made
    assert stratego.start("schadd-white", "schadd-black") == GAME.start()
    assert str(stratego.start("blitz", "blitz").game) == str(GAME)


def test_a_set_up_is_checked_by_the_rules() -> None:
    text = str(stratego.setup("schadd-white"))
    with pytest.raises(kb.BadPosition, match="piece 1 of row 4"):
        stratego.setup(text[:-19] + "X" + text[-18:])
    with pytest.raises(kb.BadPosition, match="piece"):
        stratego.setup(text.replace("F", "B"))
    with pytest.raises(kb.BadPosition, match="39"):
        stratego.setup(text[:-1])
    with pytest.raises(kb.BadPosition, match="or it is a name"):
        stratego.setup("blizt")


def test_set_ups_drawn_by_lot_are_complete_and_wall_the_flag_in() -> None:
    assert stratego.drawn(1) == stratego.drawn(1) != stratego.drawn(2)
    for seed in range(50):
        rows = stratego.drawn(seed).rows
        flag = rows[3].index("F")
        assert rows[2][flag] == "B"
        assert all(rows[3][col] == "B" for col in (flag - 1, flag + 1) if 0 <= col < 10)
        assert "B" not in rows[0]
        assert sorted("".join(stratego.drawn(seed, walled=False).rows)) == sorted(stratego.ARMY)


def test_a_match_begins_with_other_set_ups_in_each_block() -> None:
    free = kb.game("stratego", white="free", black="free", quiet=20)
    openings = stratego.SetUps().draw(free, 300, seed=1)
    assert len({opening.moves for opening in openings}) == 300
    assert openings[:5] == stratego.SetUps().draw(free, 5, seed=1)
    found = kb.match(
        free, {"a": "random", "b": "random:seed=1"}, games=4, seed=1, openings=stratego.SetUps(), workers=0
    )
    assert found.games == 4
    with pytest.raises(kb.BadParameter, match="white=free"):
        stratego.SetUps().draw(GAME, 1, seed=1)


def test_a_player_sees_the_own_pieces_and_those_that_fought() -> None:
    position = GAME.start().play("a4xa7")
    assert position.view(0).split("/")[3].startswith("p")
    assert position.view(1).split("/")[3] == "ptlttptjrp"
    assert position.view(1).split()[0].split("/")[9] == "UUUUUUUUUU"
    known = GAME.position(position.view(1))
    assert known.view(1) == position.view(1)
    assert known.moves == position.moves


def test_an_attack_on_an_unknown_piece_is_a_chance_node_of_the_view() -> None:
    known = GAME.position(GAME.start().view(0))
    attack = known.play("a4xa7")
    assert attack.turn == "chance"
    assert dict(attack.outcomes)["9"] == pytest.approx(8 / 40)
    assert sum(probability for _, probability in attack.outcomes) == pytest.approx(1)
    assert attack.play("F").result == (1, -1)


@pytest.mark.parametrize("player", [kb.Star2(depth=2, chance_plies=False), kb.Uct(simulations=50, seed=3)])
def test_searches_of_what_looks_the_same_say_the_same(player: kb.Algorithm) -> None:
    setup = stratego.setup("schadd-black")
    first, *rest = setup.rows
    # two pieces change places that Black alone can tell apart
    assert first[0] != first[1]
    other = stratego.Setup((first[1] + first[0] + first[2:], rest[0], rest[1], rest[2]))
    start, swapped = (stratego.start("schadd-white", black) for black in (setup, other))
    assert start != swapped
    assert start.view(0) == swapped.view(0)
    one, two = player.search(start), player.search(swapped)
    assert (one.best, one.value, one.nodes, one.pv) == (two.best, two.value, two.nodes, two.pv)


def test_the_board_of_a_game_at_the_terminal_shows_what_the_player_knows() -> None:
    from kibitz.cli import app
    from typer.testing import CliRunner

    ran = CliRunner().invoke(app, ["play", "stratego", "--side", "1", "--with", "star2:depth=1"], input="a7-a6\n")
    assert ran.exit_code == 0, ran.output
    boards = ran.output.split("you see")
    assert len(boards) > 1
    for board in boards[1:]:
        rows = board.splitlines()[1:11]
        assert rows[-1].split() == ["1", *"UUUUUUUUUU"]
        assert rows[0].split() == ["10", *"jnbfbnltnc"]


def test_searches_without_a_belief_refuse_it() -> None:
    with pytest.raises(kb.NotSupported, match="hid"):
        kb.AlphaBeta(depth=2).search(GAME.start())


def test_a_search_captures_the_flag_it_has_found() -> None:
    position = GAME.position(
        "u.......n./u........./M........./........../..XX..XX../..XX..XX../........../........../........../F......... "
        "w seen=i10 belief=w/fb base=0"
    )
    report = kb.Star2(depth=1, chance_plies=False).search(position)
    assert report.best == "a8xa9"


def test_the_size_of_the_state_space_is_that_of_the_formulas() -> None:
    from kibitz.experiments.schadd_chance_games import breakthrough_positions, stratego_positions

    assert breakthrough_positions() == 39_755_670_348_077_029_794_725_914
    assert f"{float(stratego_positions()):.3g}" == "4.84e+101"
