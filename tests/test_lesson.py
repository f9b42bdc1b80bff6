"""A search told step by step: the sentences and the picture say what the search has done."""

from __future__ import annotations

import math
import re
import xml.etree.ElementTree as ElementTree

import kibitz as kb
import pytest
from kibitz.draw.lesson import Lesson
from kibitz.tree import Tree, tree_of_dict

OFF = {
    "deepening": False,
    "tt_mb": 0,
    "etc": False,
    "killers": False,
    "history": False,
    "hints": False,
    "hash_move": False,
    "trace": 1000,
}
PLAIN = kb.AlphaBeta(**OFF)
TWO_CUTS = kb.game("tic-tac-toe").position("X../OO./XXO X")


def random_tree(seed: int, **shape: int | str) -> kb.Position:
    return kb.game("random-tree", seed=seed, **{"range": 20, **shape}).start()


def texts(lesson: Lesson) -> str:
    return "\n".join(step.text for step in lesson.steps)


def traced(report: kb.Report) -> Tree:
    assert report.tree is not None
    return report.tree


@pytest.mark.parametrize("algorithm", [PLAIN, kb.NegaScout(**OFF), kb.Mtd(**{**OFF, "tt_mb": 1})])
def test_every_cut_of_the_search_is_a_step_and_every_step_of_a_cut_has_an_empty_window(algorithm: kb.Algorithm) -> None:
    for seed in range(40):
        report = algorithm.search(random_tree(seed, width=3, depth=3))
        lesson, tree = kb.draw.lesson(report), traced(report)
        cut = [number for number, node in enumerate(tree.nodes) if node.end == "cut"]
        steps = [step for step in lesson.steps if step.kind == "cut"]
        assert sorted(step.focus for step in steps) == cut
        for step in steps:
            assert step.span is not None
            assert step.span.low >= step.span.high
            for move in tree.nodes[step.focus].pruned:
                assert str(move) in step.text


def test_windows_in_the_lesson_are_those_of_the_search() -> None:
    """Alpha and beta are worked out again from the values that come back: each node is entered with the same ones."""
    for seed in range(40):
        report = PLAIN.search(random_tree(seed, width=3, depth=4))
        lesson, tree = kb.draw.lesson(report), traced(report)
        windows: dict[int, tuple[float, float]] = {}
        for step in lesson.steps:
            assert step.span is not None
            if step.kind in ("enter", "again"):
                node = tree.nodes[step.focus]
                assert (step.span.low, step.span.high) == (node.alpha, node.beta)
                if node.parent is not None:
                    assert windows[node.parent] == (node.alpha, node.beta)
            here = step.path[-2] if step.kind in ("leaf", "back") else step.path[-1]
            windows[here] = (step.span.low, step.span.high)


def test_the_last_step_has_the_value_and_the_move_of_the_report() -> None:
    for seed in range(40):
        report = PLAIN.search(random_tree(seed, width=3, depth=3))
        last = kb.draw.lesson(report).steps[-1]
        assert last.kind == "end"
        assert last.seen == report.nodes
        assert last.text == f"Done. MAX plays move {report.best}. The value of the root is {report.value:g}."


def test_a_cut_says_where_the_better_value_comes_from() -> None:
    lesson = kb.draw.lesson(PLAIN.search(TWO_CUTS))
    cuts = [step for step in lesson.steps if step.kind == "cut"]
    assert [step.reason for step in cuts] == [0, 0]
    assert cuts[0].text == (
        "Cut. Here MIN holds MAX to −1 or less, but MAX has 0 already by c2 at the root. MAX will not come here. "
        "No need to look at c3."
    )


def test_a_null_window_is_a_question_of_yes_or_no_and_a_second_search_says_why() -> None:
    lesson = kb.draw.lesson(kb.NegaScout(**OFF).search(random_tree(5, width=3, depth=2)))
    said = texts(lesson)
    assert "The only question is whether the value is at least 2: a null window, 1 to 2." in said
    assert "It is better than 1; how good, the null window cannot tell." in said
    assert "Move 1 is searched again" in said
    assert "The first search has shown at least 3, this one at most 3: it is 3." in said


def test_mtd_has_a_pass_for_each_root_and_shows_one_at_a_time() -> None:
    report = kb.Mtd(**{**OFF, "tt_mb": 1}).search(random_tree(5, width=2, depth=3))
    lesson, tree = kb.draw.lesson(report), traced(report)
    assert len(tree.roots) == report.stats["passes"] > 1
    assert [lesson.root(step) for step in range(len(lesson.steps))].count(0) < len(lesson.steps)
    answers = [step.text for step in lesson.steps if step.kind == "end"]
    assert len(answers) == len(tree.roots)
    assert answers[-2:] == ["Yes: the value of the root is at least 10.", "No: the value of the root is at most 10."]
    second = lesson.root(len(lesson.steps) - 1)
    assert min(lesson.marks(len(lesson.steps) - 1)) == second


def test_best_node_search_tests_moves_and_never_asks_for_the_value() -> None:
    report = kb.BestNode(**{**OFF, "tt_mb": 1}).search(random_tree(5, width=3, depth=2))
    lesson = kb.draw.lesson(report)
    said = texts(lesson)
    assert "No, move 0 fails the test." in said
    assert f"Yes, move {report.best} passes the test." in said
    assert lesson.steps[-1].text.startswith(f"Only one move is left: move {report.best} is the best move.")


def test_star2_probes_before_it_searches() -> None:
    position = random_tree(3, width=2, depth=2, chance="uniform", events=2)
    lesson = kb.draw.lesson(kb.Star2(deepening=False, tt_mb=0, trace=1000).search(position))
    said = texts(lesson)
    assert "A probe of outcome 0: one move of MIN is searched, which gives a bound." in said
    assert "The probe says that outcome 0 is worth at most 13." in said
    assert "Outcome 0 is searched again" in said
    assert "Their average, weighted by the probabilities, is 4." in said


def test_a_tree_of_uct_grows_by_one_simulation_a_step() -> None:
    search = kb.Uct(trace=1000, solver=False, seed=1)
    stages = [traced(search.search(TWO_CUTS, simulations=count)) for count in range(1, 31)]
    lesson = kb.draw.growing(stages)
    assert [step.kind for step in lesson.steps] == ["grow"] * 30 + ["end"]
    for number, step in enumerate(lesson.steps[:-1], 1):
        assert step.text.startswith(f"Simulation {number} goes ")
        assert lesson.marks(number - 1)[0].above == str(number)
        # all that is on the way has one visit more, and nothing else changes
        assert set(step.path) == {node for node in step.marks if lesson.tree.nodes[node].visits}
    results = [
        float(re.findall(r"(?:gives|result) (−?[\d.]+)", step.text)[0].replace("−", "-")) for step in lesson.steps[:-1]
    ]
    assert sum(results) / 30 == pytest.approx(stages[-1].nodes[0].value)


def test_a_proof_grows_by_one_expansion_a_step() -> None:
    solver = kb.ProofNumber(trace=1000, goal="win")
    stages = []
    nodes = 1
    while True:
        solution = solver.solve(TWO_CUTS, nodes=nodes)
        assert solution.tree is not None
        stages.append(solution.tree)
        if solution.goals[0].answer is not None:
            break
        nodes = solution.nodes + 1
    lesson = kb.draw.growing(stages)
    assert len(lesson.steps) == len(stages) + 1
    assert lesson.steps[-1].text == "Done. The question is answered: no, the opponent can prevent it."
    root = stages[-1].nodes[0]
    assert (root.proof, root.disproof, root.value) == (math.inf, 0, -1)
    for step in lesson.steps[1:-1]:
        assert "most-proving node" in step.text
    assert lesson.marks(len(stages) - 1)[0] == ("∞ | 0", "no", True)


def test_a_tree_comes_back_from_its_plain_data() -> None:
    for tree in (
        traced(PLAIN.search(TWO_CUTS)),
        traced(kb.Uct(simulations=20, trace=100).search(TWO_CUTS)),
        kb.ProofNumber(trace=100).solve(TWO_CUTS).tree,
    ):
        assert tree is not None
        assert tree_of_dict(tree.as_dict()) == tree


def test_the_picture_draws_what_is_known_and_strikes_what_is_cut() -> None:
    lesson = kb.draw.lesson(PLAIN.search(TWO_CUTS))
    first = lesson.next(0, "cut")
    assert first is not None
    before, after = (lesson.picture(step).svg for step in (first - 1, first))
    for picture in (before, after):
        ElementTree.fromstring(picture)
        assert "var(" not in picture
    assert (before.count('class="strike"'), after.count('class="strike"')) == (0, 1)
    assert "nothing lies between α and β" in after
    assert lesson.picture(0).svg.count("data-node") == 1
    assert lesson.picture(len(lesson.steps) - 1).svg.count("data-node") == len(lesson.tree.nodes)
    assert lesson.next(lesson.next(first, "cut") or 0, "cut") is None


def test_what_cannot_be_told_says_why() -> None:
    with pytest.raises(kb.BadParameter, match="has no tree: search with trace=1000"):
        kb.draw.lesson(kb.AlphaBeta(depth=2).search(TWO_CUTS))
    with pytest.raises(kb.BadParameter, match="nodes were not written down"):
        kb.draw.lesson(PLAIN.search(TWO_CUTS, trace=3))
    with pytest.raises(kb.BadParameter, match="search less deep"):
        kb.draw.lesson(PLAIN.search(kb.game("tic-tac-toe").start()))
    with pytest.raises(kb.BadParameter, match="told from its stages"):
        kb.draw.lesson(kb.Uct(simulations=10, trace=100).search(TWO_CUTS))
    with pytest.raises(kb.BadParameter, match="told by lesson"):
        kb.draw.growing([traced(PLAIN.search(TWO_CUTS))])
    with pytest.raises(kb.BadParameter, match="there is nothing to tell"):
        kb.draw.growing([])
    with pytest.raises(kb.BadParameter, match="there is no step 99"):
        kb.draw.lesson(PLAIN.search(TWO_CUTS)).picture(99)
    with pytest.raises(kb.BadParameter, match="trace= needs threads=1"):
        kb.ProofNumber(trace=10, threads=2)
