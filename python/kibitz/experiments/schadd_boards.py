"""What the experiments with SP-MCTS share: random boards of SameGame, one unit a board and search, and paired rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import kibitz as kb
from kibitz.arena.playing import derive
from kibitz.experiments.experiment import Row
from kibitz.experiments.judging import by_interval, mean_interval, moments, sample_mean

__all__ = ["BOARDS", "RESULT_SCALES", "SEED", "board", "difference", "divided", "mean", "of_boards", "run", "unit"]

SEED = 1

BOARDS = 250
"""The random positions behind every published mean."""

RESULT_SCALES = (1.0, 60.0)
"""What results are divided by in the formula: the text says 1, the published depths look more like 60."""


def divided(result_scale: float) -> str:
    """How the labels say it."""
    return "raw points" if result_scale == 1 else f"points / {result_scale:g}"


def board(index: int) -> kb.Position:
    """A random board of fifteen by fifteen blocks in five colours; all searches get the same ones."""
    start: kb.Position = kb.game("samegame", seed=derive(SEED, "search", index) >> 1).start()
    return start


def unit(index: int, search: kb.SpMcts, **what: Any) -> dict[str, Any]:
    """A search of a board, with its place in the table."""
    own = search.replace(result_scale=what["scale"], seed=derive(SEED, "random numbers", index))
    return {**what, "board": index, "search": own.spec}


def run(unit: dict[str, Any]) -> dict[str, Any]:
    """The score that the search of a unit found, and what its tree looked like."""
    report = kb.algorithm(unit["search"]).search(board(unit["board"]))
    stats = report.stats
    place = {name: value for name, value in unit.items() if name != "search"}
    return {
        **place,
        "score": report.value,
        "depth": stats["mean_depth"],
        "deepest": stats["deepest"],
        "nodes": stats["tree_nodes"],
        "playouts": stats["simulations"],
    }


def of_boards(results: Sequence[Mapping[str, Any]], quantity: str = "score", **what: Any) -> dict[int, float]:
    """A quantity by board, of the results with this place in the table."""
    chosen = (each for each in results if all(each[name] == value for name, value in what.items()))
    return {each["board"]: each[quantity] for each in chosen}


def mean(label: str, published: float | None, found: Mapping[int, float], *, why: str = "") -> Row:
    """The mean over boards beside a published one, which is a sample of 250 other boards."""
    value, deviation, count = moments(list(found.values()))
    if published is None:
        interval = mean_interval(value, deviation, count)
        return Row(label=label, measured=value, interval=interval, verdict="measured")
    return by_interval(label, published, value, sample_mean(value, deviation, count, of=BOARDS), why=why)


def difference(
    label: str, published: float | None, more: Mapping[int, float], less: Mapping[int, float], *, why: str = ""
) -> Row:
    """The mean of the differences on the same boards; its sign is what the thesis claims."""
    value, deviation, count = moments([more[index] - less[index] for index in more])
    if published is None:
        interval = mean_interval(value, deviation, count)
        return Row(label=label, measured=value, interval=interval, verdict="measured")
    return by_interval(label, published, value, sample_mean(value, deviation, count, of=BOARDS), par=0.0, why=why)
