"""The variants of UCT, HUCT and flat Monte Carlo as the Python classes know them."""

from typing import Any

import kibitz as kb
import pytest

VARIANTS = {
    "progressive_bias": {"progressive_bias": 1.0},
    "widening": {"widening": 3},
    "rave": {"rave": 300.0},
    "rave_bias": {"rave_bias": 0.5},
    "implicit_minimax": {"implicit_minimax": 0.3},
    "proof_numbers": {"proof_numbers": 1.0},
    "proof_rule": {"proof_numbers": 1.0, "proof_rule": "max"},
    "heuristic_scale": {"progressive_bias": 1.0, "heuristic_scale": 0.05},
    "squash": {"progressive_bias": 1.0, "heuristic_scale": 0.05, "squash": False},
    "playout": {"playout": "evaluation"},
    "epsilon": {"playout": "evaluation", "epsilon": 0.9},
    "mast": {"playout": "mast"},
    "temperature": {"playout": "gibbs", "temperature": 0.02},
    "last_good_reply": {"last_good_reply": 1},
    "forgetting": {"last_good_reply": 1, "forgetting": False},
    "horizon": {"horizon": 6},
    "verdict": {"horizon": 6, "verdict": "evaluation"},
    "playout_bound": {"playout_bound": 0.8},
    "back_up": {"back_up": "max"},
    "mean_weight": {"back_up": "mix", "mean_weight": 5.0},
    "informed": {"back_up": "informed-average"},
    "selection": {"selection": "ucb1-tuned"},
    "first_play_urgency": {"first_play_urgency": 0.6},
    "expansion_threshold": {"expansion_threshold": 5},
}


def visits(player: kb.Algorithm, position: kb.Position) -> list[tuple[str, int, float]]:
    """What a search did, to be compared."""
    return [(str(child.move), child.visits, child.value) for child in player.search(position).children]


def test_every_option_has_an_effect_and_is_deterministic() -> None:
    start = kb.game("breakthrough", rows=6, cols=5).start()
    plain = kb.Uct(simulations=1_000, seed=2)
    seen = [visits(plain, start)]
    for name, changes in VARIANTS.items():
        player = plain.replace(**changes)
        found = visits(player, start)
        assert found not in seen, name
        assert found == visits(kb.algorithm(player.spec), start), name
        seen.append(found)


@pytest.mark.parametrize("game", ["fish:players=3", "pip-race", "random-tree:players=4,depth=8,width=3"])
def test_every_variant_plays_games_of_many_players_and_of_chance(game: str) -> None:
    start = kb.game(game).start()
    for name, changes in VARIANTS.items():
        report = kb.Uct(simulations=200, **changes).search(start)
        assert sum(child.visits for child in report.children) == 200, name


def test_huct_without_an_evaluation_is_uct_visit_for_visit() -> None:
    start = kb.game("random-tree", width=6, depth=8, players=2).start()
    for damped in (False, True):
        huct = kb.Huct(simulations=2_000, seed=4, damped=damped)
        uct = kb.Uct(simulations=2_000, seed=4, c=huct.c, solver=False, final_move="max")
        assert visits(huct, start) == visits(uct, start)
    assert visits(kb.Uct(simulations=500, rave=0.0), start) == visits(kb.Uct(simulations=500), start)


def test_huct_follows_the_evaluation_and_damping_lets_it_go() -> None:
    position = kb.game("othello").start()
    for _ in range(12):
        position = position.play(position.moves[0])
    plain = kb.Huct(simulations=1_000)
    assert visits(plain, position) != visits(plain.replace(damped=True), position)
    # so large a scale leaves nothing of the evaluation
    faint = plain.replace(heuristic_scale=1e12)
    assert visits(plain, position) != visits(faint, position)


def test_score_bounds_prove_and_say_so() -> None:
    position = kb.game("tic-tac-toe").start()
    report = kb.Uct(simulations=50_000, score_bounds=True, solver=False).search(position)
    assert report.proven
    assert report.value == 0


class Take(kb.Game):
    """Take one, two or three; the last one wins."""

    def start(self) -> Any:
        return (9, 0)

    def turn(self, state: tuple[int, int]) -> int | None:
        return state[1] if state[0] else None

    def moves(self, state: tuple[int, int]) -> list[int]:
        return list(range(1, min(state[0], 3) + 1))

    def play(self, state: tuple[int, int], move: int) -> tuple[int, int]:
        return (state[0] - move, 1 - state[1])

    def result(self, state: tuple[int, int]) -> float:
        return 1.0 if state[1] == 1 else -1.0

    def evaluate(self, state: tuple[int, int]) -> float:
        return 0.5 if state[0] % 4 else -0.5


def test_games_in_python_take_part_in_every_variant() -> None:
    for name, changes in VARIANTS.items():
        report = kb.Uct(simulations=300, **changes).search(Take().start())
        assert report.best == 1, name


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"rave": 100.0, "rave_bias": 0.1}, "give one of them"),
        ({"last_good_reply": 3}, "out of range: 0 to 2"),
        ({"implicit_minimax": 1.5}, "out of range: 0 to 1"),
        ({"playout_bound": 2.0}, "out of range: 0 to 1"),
        ({"widening": 0}, "out of range: 1"),
        ({"widening": 3, "widening_growth": 0.5}, "at least 1"),
        ({"playout": "best"}, "uniform, evaluation, mast, gibbs"),
        ({"back_up": "min"}, "average, max, mix, informed-average"),
        ({"proof_rule": "first"}, "rank, sum, max"),
        ({"epsilon": 1.5}, "out of range: 0 to 1"),
    ],
)
def test_bad_options_are_refused_in_words(changes: dict[str, object], words: str) -> None:
    with pytest.raises(kb.BadParameter, match=words):
        kb.Uct(**changes)  # type: ignore[arg-type]


@pytest.mark.parametrize("allocation", ["uniform", "ucb1"])
def test_flat_monte_carlo_takes_a_win_and_shares_its_games_out(allocation: str) -> None:
    position = kb.game("tic-tac-toe").position("XX./OO./... X")
    report = kb.FlatMonteCarlo(simulations=700, allocation=allocation, c=0.4).search(position)
    assert str(report.best) == "c3"
    assert report.value == 1
    shares = sorted(child.visits for child in report.children)
    assert sum(shares) == 700
    assert (shares[0] == shares[-1]) == (allocation == "uniform")
