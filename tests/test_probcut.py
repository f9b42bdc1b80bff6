"""The fit of ProbCut: the regression, what it is made of, and what a search does with it."""

from __future__ import annotations

import dataclasses
import math
from pathlib import Path

import kibitz as kb
import pytest
from kibitz.probcut import Fit, Line, _regression

GAME = "random-tree:width=4,depth=12,range=1200,leaves=sum"


@pytest.fixture(scope="module")
def fitted() -> Fit:
    return kb.probcut.fit(GAME, pairs=[(1, 3), (2, 4)], positions=120, stages=(0, 4), seed=3, workers=0)


def test_a_line_with_known_errors_is_found_again() -> None:
    points = [(float(x), 0.5 * x + 3 + error) for x in range(-50, 50) for error in (-2.0, 2.0)]
    slope, offset, deviation, correlation = _regression(points)
    assert slope == pytest.approx(0.5)
    assert offset == pytest.approx(3)
    assert deviation == pytest.approx(math.sqrt(4 * 200 / 198))
    assert 0.98 < correlation < 1


def test_every_pair_and_stage_has_a_line_and_every_position_is_in_one(fitted: Fit) -> None:
    assert [(line.stage, line.shallow, line.deep) for line in fitted.lines] == [
        (0, 1, 3),
        (0, 2, 4),
        (1, 1, 3),
        (1, 2, 4),
    ]
    assert sum(line.positions for line in fitted.lines) + fitted.proven == 2 * 120
    assert [len(points) for points in fitted.samples] == [line.positions for line in fitted.lines]
    assert fitted.proven > 0
    assert (fitted.stage(0), fitted.stage(3), fitted.stage(4), fitted.stage(99)) == (0, 0, 1, 1)


def test_shallow_searches_of_sums_foretell_deep_ones(fitted: Fit) -> None:
    for line in fitted.lines:
        assert line.usable
        assert line.correlation > 0.5
        assert line.deviation > 0
        assert 0.6 < line.covered <= 1


def test_the_same_seed_gives_the_same_fit_over_any_number_of_processes(fitted: Fit) -> None:
    again = kb.probcut.fit(GAME, pairs=[(1, 3), (2, 4)], positions=120, stages=(0, 4), seed=3, workers=2)
    assert again == fitted
    assert again.samples == fitted.samples
    other = kb.probcut.fit(GAME, pairs=[(1, 3)], positions=40, seed=4, workers=0)
    assert other.lines != kb.probcut.fit(GAME, pairs=[(1, 3)], positions=40, seed=5, workers=0).lines


def test_values_are_those_of_the_search(fitted: Fit) -> None:
    low, high = fitted.samples[0][0]
    assert 0 < abs(low) < 1200
    assert low == int(low)
    assert high == int(high)


def test_a_fit_is_the_same_after_it_was_saved(fitted: Fit, tmp_path: Path) -> None:
    path = tmp_path / "fit.toml"
    fitted.save(path)
    loaded = Fit.load(path)
    assert loaded == fitted
    assert loaded.samples == ()
    assert loaded.checks(1.2, stage=1) == fitted.checks(1.2, stage=1)
    assert path.read_text().count("[[line]]") == 4


def test_files_that_are_no_fits_are_refused_in_words(tmp_path: Path) -> None:
    with pytest.raises(kb.Error, match="cannot read"):
        Fit.load(tmp_path / "none.toml")
    for text, why in (("= 3", "not a TOML file"), ("game = 'nim'", "not a fit"), ("line = [3]", "not a fit")):
        path = tmp_path / "bad.toml"
        path.write_text(text)
        with pytest.raises(kb.Error, match=why):
            Fit.load(path)


def test_an_infinite_threshold_is_alpha_beta_and_a_small_one_cuts(fitted: Fit) -> None:
    plain = kb.AlphaBeta(depth=6, same_depth=True)
    cut = 0
    for seed in range(10):
        position = kb.game(f"{GAME},seed={seed}").start()
        exact = plain.search(position)
        never = plain.search(position, checks=fitted.checks(math.inf))
        assert (never.value, never.best) == (exact.value, exact.best)
        cut += plain.search(position, checks=fitted.checks(0.5)).stats.get("prob_cuts", 0)
    assert cut > 0


def test_lines_that_foretell_nothing_are_not_used() -> None:
    flat = Line(0, 1, 3, -0.1, 0.0, 1.0, -0.2, 50, 0.9)
    fit = Fit(game="nim", seed=0, stages=(0,), lines=(flat, flat._replace(slope=0.5, shallow=2)))
    assert fit.checks() == ((3, 2, 1.5, 0.5, 0.0, 1.0),)
    # nim has no evaluation: every value that is not proven is the same
    nim = kb.probcut.fit("nim:piles=5-6-7", pairs=[(1, 2)], positions=30, workers=0)
    assert not nim.lines[0].usable
    assert nim.checks() == ()


def test_it_reads_and_draws_well(fitted: Fit, tmp_path: Path) -> None:
    lines = str(fitted).splitlines()
    assert lines[0].split() == [
        "stage", "depths", "positions", "slope", "offset", "deviation", "correlation", "covered"
    ]  # fmt: skip
    assert len(lines) == 5
    assert len({len(line) for line in lines}) == 1
    fitted.plot(tmp_path / "fit.svg")
    again = tmp_path / "again.svg"
    fitted.plot(again)
    assert again.read_text() == (tmp_path / "fit.svg").read_text()
    assert "depth 1 → 3, stage 0" in again.read_text()
    dataclasses.replace(fitted, samples=()).plot(tmp_path / "lines.png")


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ({"pairs": [(3, 3)]}, "shallow, deep"),
        ({"pairs": []}, "some pairs"),
        ({"positions": 3}, "positions"),
        ({"stages": (1, 2)}, "first of them 0"),
        ({"seed": -1}, "seed"),
    ],
)
def test_what_makes_no_sense_is_refused(arguments: dict[str, object], why: str) -> None:
    with pytest.raises(kb.BadParameter, match=why):
        kb.probcut.fit(GAME, workers=0, **arguments)  # type: ignore[arg-type]


def test_games_that_alpha_beta_cannot_search_are_refused() -> None:
    with pytest.raises(kb.NotSupported):
        kb.probcut.fit("kuhn-poker", workers=0)
