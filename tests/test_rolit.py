"""Rolit through the Python API, and the training of its tables."""

from __future__ import annotations

from pathlib import Path

import kibitz as kb
import pytest
from kibitz import rolit

TABLES = Path(__file__).parent.parent / "crates/kibitz-games/src/rolit/tables.bin"


def test_the_first_move_wipes_out_a_colour() -> None:
    start = kb.game("rolit", players=4).start()
    assert start.moves == ["f5", "d3", "f3"]
    assert "Green 0" in start.play("f5").board()


@pytest.mark.parametrize("players", [2, 3, 4])
def test_searches_of_many_players_play_it(players: int) -> None:
    start = kb.game("rolit", players=players).start()
    for search in (kb.Paranoid(depth=3), kb.BestReply(depth=3), kb.MaxN(depth=3), kb.Uct(simulations=100)):
        assert search.search(start).best in start.moves


def test_paranoid_and_best_reply_find_the_fixed_values() -> None:
    start = kb.game("rolit", players=3, result="discs", evaluation="discs").start()
    assert [kb.Paranoid(depth=depth).search(start).value for depth in range(1, 7)] == [2, 1, -2, 1, -2, -6]
    assert [kb.BestReply(depth=depth).search(start).value for depth in range(1, 6)] == [2, -1, 2, -2, 2]
    values = kb.MaxN(depth=6).search(start).values
    assert values == (3, 6, 1)


def test_training_does_not_depend_on_threads_and_makes_a_file(tmp_path: Path) -> None:
    for name, threads in (("one", 1), ("two", 2)):
        steps = list(rolit.train(tmp_path / name, games=40, depth=1, threads=threads, every=25))
        assert [step.games for step in steps] == [25, 40]
        assert steps[-1].known > 1000
    first = (tmp_path / "one").read_bytes()
    assert first == (tmp_path / "two").read_bytes()
    assert first.startswith(b"kibitz rolit 1\n")
    assert TABLES.read_bytes().startswith(b"kibitz rolit 1\n")
    with pytest.raises(kb.BadParameter, match="depth"):
        rolit.train(tmp_path / "three", depth=0)
    with pytest.raises(kb.BadParameter, match="folder"):
        rolit.train(tmp_path / "nowhere" / "file")
