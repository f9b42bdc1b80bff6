"""ProbCut and Multi-ProbCut as algorithms: thresholds, stages, fits, and what they refuse."""

from __future__ import annotations

import dataclasses
import json
import math
import pickle
import random
from pathlib import Path
from typing import Any

import kibitz as kb
import pytest
from kibitz.cli import app
from kibitz.probcut import SHIPPED, Fit
from typer.testing import CliRunner

TREE = "random-tree:width=4,depth=12,range=1200,leaves=sum"
SMALL = "breakthrough:rows=6,cols=6"
MADE_UP = tuple(
    (height, depth, 1.5, 1.0, 0.0, 0.02, *stage)
    for height, depth in ((3, 1), (4, 2))
    for stage in ((0, 2), (3, math.inf))
)


def positions(game: str, count: int, seed: int = 0) -> list[kb.Position]:
    """Positions of random games, one from each."""
    rng, found = random.Random(seed), []
    while len(found) < count:
        position = kb.game(game).start()
        for _ in range(rng.randrange(30)):
            if not position.over:
                position = position.play(rng.choice(position.moves))
        if not position.over:
            found.append(position)
    return found


def said(report: kb.Report) -> dict[str, Any]:
    """Everything but the time."""
    found = report.as_dict()
    return {**found, "seconds": 0, "history": [{**step, "seconds": 0} for step in found["history"]]}


@pytest.mark.parametrize("game", [TREE, "othello", "breakthrough", "lines-of-action", "connect-four"])
def test_an_infinite_threshold_is_alpha_beta_to_the_last_node(game: str) -> None:
    limits = {"depth": 5, "tt_mb": 1}
    for position in positions(game, 6):
        exact = said(kb.AlphaBeta(**limits).search(position))
        assert said(kb.ProbCut(checks=(MADE_UP[0][:6],), threshold=math.inf, **limits).search(position)) == exact
        assert said(kb.MultiProbCut(checks=MADE_UP, threshold=math.inf, **limits).search(position)) == exact


def test_nodes_fall_and_errors_rise_with_the_threshold() -> None:
    sample = positions("othello", 20, seed=1)
    exact = [kb.AlphaBeta(depth=7, tt_mb=1).search(position) for position in sample]
    nodes, errors = [], []
    for threshold in (math.inf, 3, 1.5, 0.7, 0.2):
        found = [kb.MultiProbCut(depth=7, tt_mb=1, threshold=threshold).search(position) for position in sample]
        nodes.append(sum(report.nodes for report in found))
        errors.append(sum(abs(mine.value - right.value) for mine, right in zip(found, exact, strict=True)))
    assert nodes == sorted(nodes, reverse=True)
    assert nodes[0] == sum(report.nodes for report in exact)
    assert nodes[2] < 0.6 * nodes[0]
    assert errors == sorted(errors)
    assert errors[0] == 0 < errors[-1]


def test_prob_cut_checks_eight_plies_by_four() -> None:
    position = positions("othello", 1, seed=2)[0]
    exact = kb.AlphaBeta(depth=9, tt_mb=4).search(position)
    found = kb.ProbCut(depth=9, tt_mb=4).search(position)
    assert found.stats["prob_cuts"] > 0
    assert found.nodes < exact.nodes
    assert not found.proven
    # at the root nothing is checked
    assert "prob_cuts" not in kb.ProbCut(depth=8, tt_mb=4).search(position).stats


def test_the_stage_is_that_of_the_node() -> None:
    # three plies below a root with six moves made nine are made, and a height of three is there and nowhere else
    bare = {"depth": 6, "deepening": False, "tt_mb": 0}
    check = (3, 1, 0.0, 1.0, 0.0, 1.0)
    for seed in range(5):
        position = kb.game(f"{TREE},seed={seed}").start()
        for _ in range(3):
            position = position.play(position.moves[0])
        assert position.progress == 3

        def nodes(*stage: float, position: kb.Position = position) -> int:
            return kb.MultiProbCut(checks=((*check, *stage),), threshold=0, **bare).search(position).nodes

        assert nodes(6, 6) == nodes() < nodes(0, 5) == nodes(7, math.inf) == kb.AlphaBeta(**bare).search(position).nodes


def test_two_stages_with_different_lines_differ_where_the_game_is_in_another_stage() -> None:
    eager, never = (4, 2, 1.0, 1.0, 0.0, 0.0), (4, 2, 1.0, 1.0, 0.0, 1e6)
    early = kb.MultiProbCut(depth=6, checks=((*eager, 0, 30), (*never, 31, math.inf)), threshold=None, tt_mb=1)
    for position in positions("othello", 12, seed=3):
        stage = position.progress
        assert stage is not None
        found = early.search(position)
        one = kb.MultiProbCut(depth=6, checks=(eager,), threshold=None, tt_mb=1).search(position)
        if stage + 6 <= 30:
            assert said(found) == said(one)
        elif stage > 30:
            assert found.nodes == kb.AlphaBeta(depth=6, tt_mb=1).search(position).nodes
            assert "prob_cuts" not in found.stats


def test_each_check_keeps_its_threshold_where_none_is_given() -> None:
    position = positions("othello", 1, seed=4)[0]
    strict, loose = ((4, 2, threshold, 1.0, 0.0, 0.02) for threshold in (3.0, 0.5))

    def nodes(check: tuple[float, ...], threshold: float | None) -> int:
        return kb.MultiProbCut(depth=7, checks=(check,), threshold=threshold, tt_mb=1).search(position).nodes

    assert nodes(strict, None) == nodes(loose, 3.0) == nodes(strict, 3.0)
    assert nodes(loose, None) == nodes(strict, 0.5) < nodes(strict, None)


@pytest.mark.parametrize("name", ["probcut", "multiprobcut"])
def test_the_fit_that_is_shipped_foretells_what_the_evaluation_says_today(name: str) -> None:
    fit = Fit.load(SHIPPED / f"{name}-othello.toml")
    assert fit.game == "othello"
    assert all(line.usable and line.correlation > 0.8 for line in fit.lines)
    shallow = [line for line in fit.lines if line.deep <= 5] or list(fit.lines)
    pairs = sorted({(line.shallow, line.deep) for line in shallow})
    again = kb.probcut.fit("othello", pairs, positions=120, stages=fit.stages, seed=99, workers=0)
    errors = []
    for line, points in zip(again.lines, again.samples, strict=True):
        kept = next(each for each in fit.lines if each[:3] == line[:3])
        errors += [(deep - kept.foretold(shallow)) / kept.deviation for shallow, deep in points]
    # in deviations, so that they are normal if nothing has changed
    assert len(errors) > 80
    assert abs(sum(errors)) / len(errors) < 0.3
    assert 0.5 < sum(error**2 for error in errors) / len(errors) < 2


def test_without_a_fit_it_says_what_to_do() -> None:
    for game in ("breakthrough", "othello:size=6", "othello:result=discs"):
        with pytest.raises(kb.NotSupported, match=r"kb\.MultiProbCut\.fit\(game\)"):
            kb.MultiProbCut(depth=4).search(kb.game(game).start())
    with pytest.raises(kb.NotSupported, match=r"kb\.ProbCut\.fit\(game\)"):
        kb.ProbCut(depth=4).search(kb.game("breakthrough").start())
    # what no fit would cure comes first
    with pytest.raises(kb.NotSupported, match="ProbCut searches games without hidden"):
        kb.ProbCut(depth=4).search(kb.game("kuhn-poker").start())
    with pytest.raises(kb.NotSupported, match="ProbCut searches games without chance"):
        kb.ProbCut(depth=4).search(kb.game("random-tree:chance=uniform,depth=4").start())


def test_fit_returns_a_ready_algorithm() -> None:
    method = kb.MultiProbCut.fit(
        SMALL, [(1, 3), (2, 4)], stages=(0, 4), positions=80, seed=2, workers=0, depth=5, threshold=1.0
    )
    fit = kb.probcut.fit(SMALL, [(1, 3), (2, 4)], stages=(0, 4), positions=80, seed=2, workers=0)
    assert method == kb.MultiProbCut(depth=5, threshold=1.0, checks=fit.checks())
    assert {len(check) for check in method.checks} == {8}
    position = kb.game(SMALL).start()
    found = method.search(position)
    assert found.depth == 5
    assert found.nodes != kb.AlphaBeta(depth=5).search(position).nodes
    one = kb.ProbCut.fit(SMALL, 1, 3, positions=80, seed=2, workers=0)
    assert isinstance(one, kb.ProbCut)
    assert [check[:3] for check in one.checks] == [(3, 1, 1.5)]


def test_it_is_fitted_to_the_search_that_it_will_make() -> None:
    asked = {"positions": 40, "seed": 2, "workers": 0}
    quiet = kb.ProbCut.fit("lines-of-action", 1, 2, quiescence=4, **asked)
    assert quiet.quiescence == 4
    player = kb.AlphaBeta(tt_mb=8, same_depth=True, quiescence=4)
    assert quiet.checks == kb.probcut.fit("lines-of-action", [(1, 2)], player=player, **asked).checks()
    assert quiet.checks != kb.ProbCut.fit("lines-of-action", 1, 2, **asked).checks


def test_games_whose_values_foretell_nothing_are_refused() -> None:
    with pytest.raises(kb.NotSupported, match="foretell nothing"):
        kb.ProbCut.fit("nim:piles=5-6-7", 1, 2, positions=20, workers=0)
    with pytest.raises(kb.NotSupported):
        kb.MultiProbCut.fit("kuhn-poker", workers=0)
    with pytest.raises(kb.BadParameter, match="no parameter 'dept'"):
        kb.ProbCut.fit(SMALL, dept=3)


class Race(kb.Game):
    """Two runners; whoever has gone six steps first wins."""

    results = (-1, 1)

    def start(self) -> Any:
        return (0, 0, 0)

    def turn(self, state: Any) -> Any:
        return None if 6 in state[:2] else state[2]

    def moves(self, state: Any) -> Any:
        return [step for step in (1, 2) if state[state[2]] + step <= 6]

    def play(self, state: Any, move: Any) -> Any:
        a, b, turn = state
        return (a + move, b, 1) if turn == 0 else (a, b + move, 0)

    def result(self, state: Any) -> Any:
        return (1, -1) if state[0] == 6 else (-1, 1)

    def evaluate(self, state: Any) -> Any:
        a, b, turn = state
        return (a - b if turn == 0 else b - a) / 10


class CountedRace(Race):
    def progress(self, state: Any) -> Any:
        return state[0] + state[1]


class MiscountedRace(Race):
    def progress(self, state: Any) -> Any:
        return "far" if state[0] else 0


def test_a_game_in_python_may_say_how_far_it_has_come() -> None:
    plain, counted = Race(), CountedRace()
    assert plain.start().progress is None
    assert counted.start().play(2).play(1).progress == 3
    method = kb.MultiProbCut(depth=4, checks=((3, 1, 1.5, 1.0, 0.0, 0.0, 0, 2),), threshold=0)
    assert method.search(counted.start()).depth == 4
    with pytest.raises(kb.NotSupported, match="fit it with one stage"):
        method.search(plain.start())
    with pytest.raises(kb.BadParameter, match="Race does not say how far it has come"):
        kb.probcut.fit(plain, [(1, 2)], stages=(0, 3), positions=10, workers=0)
    with pytest.raises(kb.GameError, match=r"progress\(\) returned 'far'; expected a whole number"):
        method.search(MiscountedRace().start())


BAD: list[tuple[dict[str, Any], str]] = [
    ({"threshold": -1.0}, "threshold=-1.0"),
    ({"threshold": math.nan}, "threshold=nan"),
    ({"threshold": "high"}, "threshold='high'"),
    ({"checks": ((4, 2, 1, 1, 0, 0, 3),)}, "the least and the greatest progress follow"),
    ({"checks": ((4, 2, 1, 1, 0, 0, 5, 3),)}, "the least and the greatest progress follow"),
    ({"checks": ((4, 2, 1, 1, 0, 0, 0.5, 3),)}, "the least and the greatest progress follow"),
    ({"checks": ((4, 2, 1, math.inf, 0, 0),)}, "a positive slope"),
]


@pytest.mark.parametrize(("given", "message"), BAD, ids=[str(given) for given, _ in BAD])
def test_bad_parameters_are_refused_in_words(given: dict[str, Any], message: str) -> None:
    with pytest.raises(kb.BadParameter, match=message):
        kb.MultiProbCut(**given)


def test_prob_cut_has_one_check_and_no_stages() -> None:
    for checks in (MADE_UP[:1], (MADE_UP[0][:6], MADE_UP[2][:6])):
        with pytest.raises(kb.BadParameter, match="MultiProbCut has any number"):
            kb.ProbCut(checks=checks)


@pytest.mark.parametrize(
    "method",
    [kb.ProbCut(), kb.MultiProbCut(depth=3, checks=MADE_UP), kb.MultiProbCut(threshold=math.inf, nodes=9)],
    ids=str,
)
def test_they_are_the_same_after_a_pickle_and_as_text(method: kb.Algorithm) -> None:
    assert pickle.loads(pickle.dumps(method)) == method
    assert kb.algorithm(method.spec) == method
    assert hash(kb.algorithm(method.spec)) == hash(method)


@pytest.mark.parametrize("method", [kb.ProbCut(nodes=20_000, tt_mb=1), kb.MultiProbCut(nodes=20_000, tt_mb=1)], ids=str)
def test_the_same_search_gives_the_same_report(method: kb.Algorithm) -> None:
    position = positions("othello", 1, seed=6)[0]
    report = method.search(position)
    assert said(method.search(position)) == said(report)
    assert report.nodes == 20_000


def run(*args: str, code: int = 0) -> str:
    result = CliRunner().invoke(app, list(args), env={"COLUMNS": "160"})
    assert result.exit_code == code, result.output
    return result.output


def test_the_command_line_analyses_and_plays_with_them(tmp_path: Path) -> None:
    found = json.loads(
        run("analyze", "--json", "othello", "--with", "probcut,multiprobcut:threshold=inf,alphabeta", "--depth", "4")
    )
    values = {(report["value"], report["best"]) for report in found}
    assert len(values) == 1
    shown = run("match", "othello", "multiprobcut:nodes=300", "alphabeta:nodes=300", "--games", "2", "--workers", "0",
                "--store", str(tmp_path / "games.sqlite"))  # fmt: skip
    assert "multiprobcut:nodes=300" in shown
    assert "MultiProbCut.fit(game)" in run("analyze", "breakthrough", "--with", "multiprobcut:depth=3", code=2)


def test_the_command_line_reads_a_saved_fit(tmp_path: Path) -> None:
    path = tmp_path / "small.toml"
    fit = kb.probcut.fit(SMALL, [(1, 3)], positions=30, stages=(0, 3), workers=0)
    fit.save(path)
    assert kb.algorithm(f"multiprobcut:depth=4,checks={path}") == kb.MultiProbCut(depth=4, checks=fit.checks())
    assert kb.algorithm(f"pvs:checks={path}") == kb.Pvs(checks=fit.checks())
    assert "nodes" in run("analyze", SMALL, "--with", f"multiprobcut:depth=4,checks={path}")
    with pytest.raises(kb.Error, match="cannot read"):
        kb.algorithm("multiprobcut:checks=nowhere.toml")
    wrong = dataclasses.replace(fit, stages=(0,))
    wrong.save(path)
    with pytest.raises(kb.Error, match="a stage that is not there"):
        Fit.load(path)
