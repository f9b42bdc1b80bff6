"""The searches of games of chance from Python: one value, options, pictures, the fit and what forward pruning costs."""

from __future__ import annotations

import math
import random
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import kibitz as kb
import pytest
from kibitz.chanceprobcut import Fit

SUMS = "random-tree:width=4,depth=5,events=4,chance=random,range=900,leaves=sum"
FAMILY = (
    kb.Expectimax(),
    kb.Star1(),
    kb.Star2(),
    kb.Star2(tt_mb=0, star_etc=False, deepening=False),
    kb.Star25(probes=3, schedule="sequential"),
    kb.Star25(probes=2, hash_move=False, killers=False, history=False, hints=False),
    kb.Star2(tt_exact=True, step=1, seed=5),
)


def expectimax(position: kb.Position, depth: int, chance_plies: bool) -> float:
    """The value for the first player from the definition, in Python."""
    if position.result is not None:
        return position.result[0]
    if depth == 0:
        return position.evaluate(0)
    if position.turn == "chance":
        left = depth - chance_plies
        return sum(p * expectimax(position.play(event), left, chance_plies) for event, p in position.outcomes)
    values = [expectimax(position.play(move), depth - 1, chance_plies) for move in position.moves]
    return max(values) if position.turn == 0 else min(values)


@pytest.mark.parametrize("chance_plies", [True, False])
@pytest.mark.parametrize("method", FAMILY, ids=str)
def test_the_family_is_expectimax(method: kb.Algorithm, chance_plies: bool) -> None:
    rng = random.Random(3)
    for seed in range(6):
        position = kb.game("random-tree:width=3,depth=4,events=3,chance=random,range=90,leaves=sum", seed=seed).start()
        for _ in range(rng.randrange(3)):
            position = position.play(rng.choice(position.moves))
        for depth in (1, 2, 3):
            found = method.search(position, depth=depth, chance_plies=chance_plies, same_depth=True)
            sign = -1 if position.turn == 1 else 1
            assert found.value == pytest.approx(sign * expectimax(position, depth, chance_plies)), (seed, depth)
            assert (found.best is None) == (position.turn == "chance")


def test_a_game_in_python_has_chance_too() -> None:
    class Coin(kb.Game):
        """Bet up to three times on a coin that favours the bold, or stop."""

        players = 1
        results = (-3, 3)

        def start(self) -> tuple[int, int, str]:
            return (0, 3, "choose")

        def turn(self, state: tuple[int, int, str]) -> int | str | None:
            return {"choose": 0, "toss": "chance", "over": None}[state[2]]

        def moves(self, state: tuple[int, int, str]) -> list[str]:
            return ["bet", "stop"]

        def chance(self, state: tuple[int, int, str]) -> list[tuple[str, float]]:
            return [("heads", 0.6), ("tails", 0.4)]

        def play(self, state: tuple[int, int, str], move: str) -> tuple[int, int, str]:
            won, left, _ = state
            if move in ("heads", "tails"):
                won, left = won + (1 if move == "heads" else -1), left - 1
                return (won, left, "choose" if left else "over")
            return (won, left, "toss" if move == "bet" else "over")

        def result(self, state: tuple[int, int, str]) -> tuple[float]:
            return (state[0],)

    for method in (kb.Expectimax(), kb.Star1(), kb.Star2(), kb.MoveFilter(depth=20, replies=9)):
        report = method.search(Coin().start())
        assert (report.best, report.value) == ("bet", pytest.approx(0.6)), method


def test_star2_visits_fewer_leaves_than_expectimax() -> None:
    position = kb.game("random-tree:width=8,depth=3,events=8,chance=uniform,range=1000,leaves=sum").start()
    full, one, two = (
        method.search(position, depth=5, deepening=False).stats["leaves"]
        for method in (kb.Expectimax(), kb.Star1(), kb.Star2())
    )
    assert full == 8 * (8 * 8) ** 2
    assert two < one < full
    assert two < full / 2


def test_uct_and_star2_agree_where_chance_nodes_are_drawn() -> None:
    position = kb.game("pip-race:first=16,second=16,steady=8").start()
    exact = kb.Star2().search(position)
    assert exact.proven
    drawn = kb.Uct(simulations=60_000, seed=1).search(position)
    assert drawn.best == exact.best
    assert drawn.value == pytest.approx(exact.value, abs=0.03)


def test_what_is_drawn_depends_on_the_seed_alone() -> None:
    position = kb.game("pip-race:first=60,second=60,steady=8").start()
    search = kb.Star2(depth=3, samples=4)
    values = [search.search(position, seed=seed).value for seed in (1, 1, 2, 3)]
    assert values[0] == values[1]
    assert len(set(values)) == 3
    assert search.search(position).bound == "estimate"
    assert search.search(position, samples=21).value == kb.Star2(depth=3).search(position).value


def test_noise_is_the_same_for_the_same_seed() -> None:
    position = kb.game("pip-race:first=60,second=60,steady=8").start()
    for method in (kb.Star2(depth=3), kb.MoveFilter(depth=3), kb.Expectimax(depth=3)):
        quiet = method.search(position).value
        noisy = [method.search(position, noise=0.03, noise_seed=seed).value for seed in (0, 0, 1)]
        assert noisy[0] == noisy[1] != noisy[2]
        assert abs(noisy[0] - quiet) < 0.1


def test_values_of_every_move_come_with_expectimax() -> None:
    position = kb.game(SUMS).start()
    report = kb.Expectimax(depth=3).search(position)
    assert {child.move for child in report.children} == set(position.moves)
    for child in report.children:
        assert kb.Star2(depth=3, only=child.move).search(position).value == pytest.approx(child.value)
    assert max(child.value for child in report.children) == report.value


@pytest.mark.parametrize(
    ("bad", "why"),
    [
        (lambda: kb.Star2(probes=0), "probes=0 is out of range"),
        (lambda: kb.Star25(schedule="random"), "not one of cyclic, sequential"),
        (lambda: kb.ChanceProbCut(depths=(3, 4.5)), "whole numbers"),
        (lambda: kb.ChanceProbCut(depths=3), "whole numbers"),
        (lambda: kb.ChanceProbCut(t=-1), "out of range|zero or more"),
        (lambda: kb.ChanceProbCut(checks=((3, 5, 1, 1, 0, 1),)), "shallow"),
        (lambda: kb.MoveFilter(filters=((1, 2),)), "keep, extra, within"),
        (lambda: kb.MoveFilter(filters=((1, -2, 0),)), "keep, extra, within"),
        (lambda: kb.Expectimax(noise=math.nan), "finite"),
    ],
)
def test_bad_parameters_are_refused_in_words(bad: object, why: str) -> None:
    with pytest.raises(kb.BadParameter, match=why):
        bad()  # type: ignore[operator]


@pytest.mark.parametrize(
    ("method", "game", "why"),
    [
        (kb.Star2(), "othello", "use AlphaBeta"),
        (kb.MoveFilter(), "othello", "use AlphaBeta"),
        (kb.Star2(), "kuhn-poker", "hides something"),
        (kb.Star2(), "random-tree:players=3,chance=uniform", "one or two players"),
        (kb.ChanceProbCut(), "random-tree:chance=uniform", "fitted"),
        (kb.ChanceProbCut(depth=2), "chance-breakthrough", "chance_plies=False"),
        (kb.Star2(only="9"), "random-tree:chance=uniform", "only=9"),
    ],
    ids=str,
)
def test_what_cannot_be_searched_is_refused(method: kb.Algorithm, game: str, why: str) -> None:
    with pytest.raises(kb.NotSupported, match=why):
        method.search(kb.game(game).start())


def test_the_texts_of_algorithms_go_both_ways() -> None:
    for method in (
        kb.ChanceProbCut(depth=7, t=0.8, depths=(4, 5), checks=((4, 2, 1.0, 0.9, 0.5, 12.0),)),
        kb.ChanceProbCut(t=math.inf, safe=True, window="star1"),
        kb.MoveFilter(depth=5, filters=((1, 4, 0.2), (-1, 0, 0))),
        kb.Star2(depth=5, chance_plies=False, samples=10, only="bar/20"),
    ):
        assert kb.algorithm(method.spec) == method


def test_pictures_show_chance_nodes_and_cuts() -> None:
    position = kb.game("random-tree:width=2,depth=2,events=3,chance=random,range=20,seed=1").start()
    ends = {}
    for method in (kb.Expectimax(), kb.Star1(), kb.Star2()):
        report = method.search(position, depth=3, deepening=False, tt_mb=0, trace=100)
        tree = report.tree
        assert tree is not None
        chance = [node for node in tree.nodes if node.chance]
        assert len(chance) == 2
        assert all(node.player is None for node in chance)
        for node in tree.nodes:
            above = None if node.parent is None else tree.nodes[node.parent]
            assert (node.probability is not None) == (above is not None and above.chance)
        svg = kb.draw.tree(report).svg
        ElementTree.fromstring(svg)
        assert svg.count('class="chance"') == 2
        ends[method.name] = {node.end for node in chance}
    assert ends == {"expectimax": {""}, "star1": {"", "cut"}, "star2": {"", "probe-cut"}}


@pytest.fixture(scope="module")
def fitted() -> Fit:
    return kb.chanceprobcut.fit(SUMS, [(1, 3), (3, 5)], positions=150, seed=2, workers=0)


def test_a_fit_of_a_game_of_chance(fitted: Fit, tmp_path: Path) -> None:
    assert [(line.shallow, line.deep) for line in fitted.lines] == [(1, 3), (3, 5)]
    assert all(line.usable and line.correlation > 0.5 and 0.6 < line.covered <= 1 for line in fitted.lines)
    assert fitted.chance_plies is True
    fitted.save(tmp_path / "fit.toml")
    assert Fit.load(tmp_path / "fit.toml") == fitted
    assert "ChanceProbCut" in (tmp_path / "fit.toml").read_text(encoding="utf-8")
    fitted.plot(tmp_path / "fit.svg")
    assert kb.algorithm(f"chanceprobcut:t=none,checks={tmp_path / 'fit.toml'}").checks == fitted.checks()
    plies = kb.Star2(tt_mb=8, same_depth=True, chance_plies=False)
    assert kb.chanceprobcut.fit(SUMS, [(1, 2)], positions=20, player=plies, workers=0).chance_plies is False


def test_shipped_fits_work_as_they_are() -> None:
    for game, chance_plies in (("dice", True), ("chance-breakthrough", False), ("stratego", True)):
        rng = random.Random(2)
        position = kb.game(game).start()
        for _ in range(12):
            position = position.play(rng.choice(position.moves))
        if position.turn == "chance":
            position = position.play(position.moves[0])
        report = kb.ChanceProbCut(nodes=20_000, chance_plies=chance_plies).search(position)
        assert report.depth > 1, game


def test_less_confidence_means_fewer_nodes_and_more_errors(fitted: Fit) -> None:
    positions = [kb.game(SUMS, seed=seed).start() for seed in range(1, 9)]

    def errors(t: float) -> list[kb.chanceprobcut.MoveError]:
        method = kb.ChanceProbCut(depth=7, t=t, checks=fitted.checks())
        return [kb.chanceprobcut.move_error(position, method) for position in positions]

    careful, sure, bold = errors(math.inf), errors(3.0), errors(0.1)
    assert all(each.error == 0 == each.regret and each.nodes == each.full_nodes for each in careful)
    assert sum(each.nodes for each in bold) < sum(each.nodes for each in sure)
    assert sum(each.nodes for each in bold) < 0.8 * sum(each.full_nodes for each in bold)
    assert sum(each.error for each in bold) >= sum(each.error for each in sure)
    assert all(each.regret >= -1e-9 and each.reduction < 1 for each in bold)
    with pytest.raises(kb.BadParameter, match="depth"):
        kb.chanceprobcut.move_error(positions[0], kb.ChanceProbCut(checks=fitted.checks()))


def test_estimates_are_made_at_the_depths_that_are_asked_for(fitted: Fit) -> None:
    position = kb.game(SUMS).start()
    method = kb.ChanceProbCut(depth=7, t=0.5, checks=fitted.checks())
    both, one, none = (
        method.search(position, depths=depths).stats.get("shallow_searches", 0) for depths in ((), (5,), (9,))
    )
    assert both > one > none == 0


def test_a_filter_drops_moves_on_the_way() -> None:
    position = kb.game(SUMS).start()
    assert len(kb.MoveFilter(depth=1).search(position).children) == 4
    for keep in (1, 2, 4):
        report = kb.MoveFilter(depth=5, filters=((keep, 0, 0),)).search(position)
        assert len(report.children) == keep
        assert [step.depth for step in report.history] == [1, 5]
