"""The tree of a search as data and as a picture."""

from __future__ import annotations

import json
import math
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import kibitz as kb
import pytest
from kibitz.tree import Tree

PLAIN = kb.AlphaBeta(
    deepening=False, tt_mb=0, etc=False, killers=False, history=False, hints=False, hash_move=False, trace=1000
)
SVG = "{http://www.w3.org/2000/svg}"

TWO_CUTS = kb.game("tic-tac-toe").position("X../OO./XXO X")
"""X to move; the first move holds the draw, and both others are refuted by the first reply."""


def parsed(picture: kb.draw.Drawing) -> ElementTree.Element:
    return ElementTree.fromstring(picture.svg)


def classes(picture: kb.draw.Drawing) -> list[str]:
    return [found for each in parsed(picture).iter() if (found := each.get("class")) is not None]


def the_tree(report: kb.Report) -> Tree:
    assert report.tree is not None
    return report.tree


def test_tic_tac_toe_with_two_prunings_has_ten_nodes_and_two_cuts() -> None:
    report = PLAIN.search(TWO_CUTS)
    tree = the_tree(report)
    assert (report.value, report.nodes, len(tree.nodes), tree.missing) == (0, 10, 10, 0)
    assert tree.roots == (0,)
    assert tree.children(0) == (1, 6, 8)
    assert [node.move for node in tree.nodes if node.parent == 0] == TWO_CUTS.moves
    cut = [node for node in tree.nodes if node.end == "cut"]
    assert [(node.alpha, node.beta, node.value, node.bound) for node in cut] == [(0, math.inf, -1, "upper")] * 2
    for node in cut:
        after = TWO_CUTS.play(node.move)
        assert set(node.pruned) == {after.moves[1]}


def test_the_picture_shows_every_node_and_every_cut() -> None:
    picture = kb.draw.tree(PLAIN.search(TWO_CUTS))
    found = classes(picture)
    assert (found.count("max"), found.count("min"), found.count("leaf")) == (3, 3, 4)
    assert (found.count("pruned"), found.count("cut")) == (2, 2)
    texts = ["".join(each.itertext()) for each in parsed(picture).iter(f"{SVG}text")]
    assert "[0, ∞]" in texts
    assert texts.count("≤−1") == 2
    assert len(parsed(picture).findall(f"{SVG}g/{SVG}title")) == 10


def test_a_small_random_tree_is_drawn_as_it_was_searched() -> None:
    # leaves 7 27 64 61 22 39 23 8 69 64 46 36 75 62 50 9 of the rules of random trees: the value is 46 for depth 4
    report = PLAIN.search(kb.game("random-tree", width=2, depth=4).start())
    tree = the_tree(report)
    assert len(tree.nodes) == report.nodes
    assert sum(node.end == "over" for node in tree.nodes) == report.stats["leaves"]
    assert sum(node.end == "cut" for node in tree.nodes) == sum(bool(node.pruned) for node in tree.nodes)
    picture = kb.draw.tree(report)
    assert classes(picture).count("cut") == sum(len(node.pruned) for node in tree.nodes)
    assert classes(picture).count("leaf") == report.stats["leaves"]


def test_null_windows_and_second_searches_are_marked() -> None:
    search = kb.NegaScout(
        deepening=False, tt_mb=0, etc=False, killers=False, history=False, hints=False, trace=1000, wide=True
    )
    again = 0
    for seed in range(20):
        report = search.search(kb.game("random-tree", width=3, depth=4, seed=seed).start())
        nodes = the_tree(report).nodes
        again += sum(node.again for node in nodes)
        assert sum(node.again for node in nodes) == report.stats.get("researches", 0)
        assert all(node.beta - node.alpha == 1 for node in nodes if node.null_window)
        picture = kb.draw.tree(report, nodes=500, legend=False)
        inner = [node for node in nodes if node.player is not None]
        assert picture.svg.count('stroke-width="3.5"') == sum(node.again for node in inner)
        assert picture.svg.count('stroke-dasharray="4 2"') == sum(node.null_window for node in inner)
    assert again > 0


def test_every_pass_has_a_root() -> None:
    report = kb.Mtd(deepening=False, tt_exact=True, trace=1000).search(kb.game("random-tree", width=2, depth=4).start())
    tree = the_tree(report)
    assert len(tree.roots) == report.stats["passes"] > 1
    assert any(node.end == "table" for node in tree.nodes)
    assert ">table</text>" in kb.draw.tree(report).svg


def test_the_same_search_gives_the_same_bytes(tmp_path: Path) -> None:
    first, second = (kb.draw.tree(PLAIN.search(TWO_CUTS)) for _ in range(2))
    assert first == second
    first.save(tmp_path / "tree.svg")
    assert (tmp_path / "tree.svg").read_text(encoding="utf-8") == first.svg == first._repr_svg_()
    with pytest.raises(kb.Error, match="cannot write"):
        first.save(tmp_path)


def test_trees_that_nobody_could_read_are_refused() -> None:
    position = kb.game("othello").start()
    with pytest.raises(kb.BadParameter, match="search with trace=1000"):
        kb.draw.tree(kb.AlphaBeta(depth=2).search(position))
    report = PLAIN.search(position, depth=5)
    with pytest.raises(kb.BadParameter, match=f"the tree has {report.nodes:,} nodes.*less deep or ask for nodes="):
        kb.draw.tree(report)
    assert classes(kb.draw.tree(report, nodes=1000)).count("min") > 1
    cut_short = PLAIN.search(position, depth=3, trace=20)
    assert len(the_tree(cut_short).nodes) == 20
    with pytest.raises(kb.BadParameter, match=f"search with trace={cut_short.nodes}"):
        kb.draw.tree(cut_short)
    with pytest.raises(kb.BadParameter, match="empty"):
        kb.draw.tree(Tree(()))
    with pytest.raises(TypeError, match="takes a report"):
        kb.draw.tree("tree")  # type: ignore[arg-type]


def test_moves_that_look_like_markup_are_written_as_text() -> None:
    class Tags(kb.Game):
        def start(self) -> object:
            return ()

        def turn(self, state: tuple[str, ...]) -> int | None:
            return len(state) if len(state) < 2 else None

        def moves(self, state: tuple[str, ...]) -> list[str]:
            return ["<b>&", '"x"']

        def play(self, state: tuple[str, ...], move: str) -> tuple[str, ...]:
            return (*state, move)

        def result(self, state: tuple[str, ...]) -> int:
            return 1 if state[0] == state[1] else -1

    picture = kb.draw.tree(PLAIN.search(Tags().start()))
    assert "<b>&" in {"".join(each.itertext()) for each in parsed(picture).iter(f"{SVG}text")}


def test_a_report_with_a_tree_is_plain_data() -> None:
    data = PLAIN.search(TWO_CUTS).as_dict()
    again = json.loads(json.dumps(data["tree"]))
    assert len(again["nodes"]) == 10
    assert again["nodes"][0]["alpha"] is None
    assert kb.Minimax(depth=1).search(TWO_CUTS).as_dict()["tree"] is None
