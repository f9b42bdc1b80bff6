"""The exact distribution of values in random trees, against whole numbers, the thesis and real trees."""

from __future__ import annotations

import itertools
import math
from collections import Counter

import kibitz as kb
import pytest
from kibitz.experiments.rutko_statistics import published, sub_trees
from kibitz.random_trees import value_distribution
from scipy.stats import chisquare

SHAPES = [(2, 14), (3, 10), (4, 8), (5, 6)]

#: P(value < x) for x from 24 to 37, as two other programs computed it.
CHILD_80 = ".00181 .00721 .02414 .06770 .15856 .30946 .50539 .70146 .85166 .93994 .98018 .99463 .99879 .99977"
ROOT_80 = ".00000 .00005 .00058 .00458 .02514 .09576 .25542 .49205 .72532 .88349 .96075 .98929 .99759 .99954"
CHILD_81 = ".00116 .00479 .01669 .04897 .12061 .24871 .42998 .62977 .79966 .91100 .96765 .99033 .99760 .99950"
ROOT_81 = ".00000 .00002 .00028 .00240 .01455 .06186 .18488 .39661 .63946 .82993 .93635 .98076 .99521 .99900"


@pytest.mark.parametrize(
    ("values", "level", "line"), [(80, 13, CHILD_80), (80, 14, ROOT_80), (81, 13, CHILD_81), (81, 14, ROOT_81)]
)
def test_the_distribution_of_width_2_and_depth_14(values: int, level: int, line: str) -> None:
    found = value_distribution(width=2, depth=14, values=values, level=level)
    assert [f"{found.below(x):.5f}"[1:] for x in range(24, 38)] == line.split()


@pytest.mark.parametrize(("width", "depth", "values"), [(2, 14, 81), (2, 9, 10), (3, 6, 81), (5, 4, 30), (1, 3, 7)])
def test_no_tail_loses_precision_against_whole_numbers(width: int, depth: int, values: int) -> None:
    cumulative, denominator = list(range(values + 1)), values
    for level in range(1, depth + 1):
        whole = denominator**width
        greatest = (depth - level) % 2 == 0
        cumulative = [x**width if greatest else whole - (denominator - x) ** width for x in cumulative]
        denominator = whole
        found = value_distribution(width=width, depth=depth, values=values, level=level)
        for x, exact in enumerate(cumulative):
            assert math.isclose(found.less[x], exact / denominator, rel_tol=1e-9, abs_tol=1e-300)
            assert math.isclose(found.rest[x], (denominator - exact) / denominator, rel_tol=1e-9, abs_tol=1e-300)


def test_every_tree_of_a_small_shape_is_counted() -> None:
    roots: Counter[int] = Counter()
    for a, b, c, d in itertools.product(range(3), repeat=4):
        roots[max(min(a, b), min(c, d))] += 1
    found = value_distribution(width=2, depth=2, values=3)
    assert [found.at(x) for x in range(3)] == pytest.approx([roots[x] / 81 for x in range(3)])
    assert found.mean == pytest.approx(sum(x * count for x, count in roots.items()) / 81)
    assert found.tie == pytest.approx(sum((count / 81) ** 2 for count in roots.values()))


def test_separation_values_are_those_of_the_thesis_and_of_two_other_programs() -> None:
    thesis, leaves = (value_distribution(width=2, depth=14, values=values, level=13) for values in (80, 81))
    assert [thesis.separation_value(2, *bracket) for bracket in ((), (0, 30), (30, 80))] == [30, 29, 31]
    chances = [thesis.separation(2, 30), thesis.separation(2, 29, 0, 30), thesis.separation(2, 31, 30)]
    assert [f"{each:.4f}" for each in chances] == ["0.4999", "0.4748", "0.4785"]
    assert [leaves.separation_value(2, *bracket) for bracket in ((), (0, 30), (30, 81))] == [30, 29, 32]
    assert [f"{leaves.separation(2, x, 30):.4f}" for x in (32, 31)] == ["0.4559", "0.4553"]
    for top, first in ((80, [30, 26, 22, 20]), (800, [300, 254, 222, 200])):
        found = [value_distribution(width=w, depth=d, values=top + 1, level=d - 1) for w, d in SHAPES]
        assert [each.separation_value(w) for each, (w, _) in zip(found, SHAPES, strict=True)] == first


def test_the_expected_trees_of_table_4() -> None:
    children = value_distribution(width=2, depth=14, values=81, level=13)
    expected = "2.3 9.5 32.8 93.1 212.1 373.7 490.2 466.3 320.4 162.2 62.6 19.1 4.8"
    assert [f"{1000 * children.separation(2, x):.1f}" for x in range(24, 37)] == expected.split()


def test_separation_counts_exactly_one_child_of_several() -> None:
    leaf = value_distribution(width=2, depth=2, values=5, level=0)
    for low, high, x in ((0, 5, 2), (1, 4, 3), (0, 5, 4)):
        cases = list(itertools.product(range(low, high), repeat=3))
        separated = sum(sum(value >= x for value in case) == 1 for case in cases)
        assert leaf.separation(3, x, low, high) == pytest.approx(separated / len(cases))


def test_a_bracket_without_any_probability_is_split_in_the_middle() -> None:
    children = value_distribution(width=2, depth=40, values=81, level=39)
    assert children.between(60, 81) == 0
    assert children.separation_value(2, 60, 81) == 70


def test_bad_questions_are_refused() -> None:
    children = value_distribution(width=2, depth=14, values=81, level=13)
    for call in (
        lambda: value_distribution(width=0, depth=14, values=81),
        lambda: value_distribution(width=2, depth=14, values=81, level=15),
        lambda: value_distribution(width=2, depth=14, values=1),
        lambda: children.below(82),
        lambda: children.separation(1, 30),
        lambda: children.separation(2, 20, 30, 40),
        lambda: children.separation_value(2, 30, 31),
        lambda: children.separation_value(2, 30, 20),
    ):
        with pytest.raises(kb.BadParameter):
            call()


@pytest.mark.parametrize(
    ("width", "depth", "values"),
    [(2, 14, [29, 29]), (3, 10, [22, 25, 25]), (4, 8, [23, 21, 22, 22]), (5, 6, [18, 17, 20, 20, 19])],
)
def test_sub_trees_of_seed_0_have_the_values_that_two_other_programs_found(
    width: int, depth: int, values: list[int]
) -> None:
    assert sub_trees(width, depth, 80, 0) == values


def test_sub_trees_have_the_values_of_minimax() -> None:
    for seed in range(1, 20):
        start = kb.game("random-tree", width=2, depth=14, range=80, seed=seed).start()
        assert sub_trees(2, 14, 80, seed) == [-kb.Minimax().search(start.play(move)).value for move in start.moves]


def test_table_3_is_the_published_one() -> None:
    table = published()
    roots: Counter[int] = Counter()
    for (larger, smaller), count in table.items():
        assert smaller <= larger
        roots[larger] += count
    assert [roots[x] for x in range(25, 37)] == [1, 5, 11, 38, 124, 206, 252, 189, 111, 42, 14, 7]
    assert sum(count for (larger, smaller), count in table.items() if larger == smaller) == 137
    assert sum(count for (larger, smaller), count in table.items() if larger >= 30 > smaller) == 509
    assert sum(larger * count for (larger, _), count in table.items()) / 1000 == 30.985


def test_table_3_comes_from_leaves_from_0_to_80() -> None:
    """What the thesis leaves open: its sample fits 81 values, and neither 0 to 79 nor 1 to 80."""
    counts: Counter[int] = Counter()
    for (larger, _), count in published().items():
        counts[min(max(larger, 27), 35)] += count

    def fits(values: int, least: int) -> float:
        root = value_distribution(width=2, depth=14, values=values)
        below = [root.below(x - least) for x in range(28, 36)]
        expected = [high - low for low, high in zip([0.0, *below], [*below, 1.0], strict=True)]
        return float(chisquare([counts[x] for x in range(27, 36)], [1000 * each for each in expected]).pvalue)

    assert fits(81, 0) > 0.05
    assert fits(80, 0) < 1e-9
    assert fits(80, 1) < 1e-9
