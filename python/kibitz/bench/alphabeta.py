"""Alpha-beta: nodes a second, and on Breakthrough the time beside OpenSpiel's search in Python."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import kibitz as kb
from kibitz.bench import openspiel
from kibitz.bench.rows import Asked, Effort, Row, rate, seconds_of, side_by_side

PLAIN = kb.AlphaBeta(tt_mb=0, deepening=False, etc=False, killers=False, history=False, hints=False)
"""Alpha-beta and nothing else, as OpenSpiel's."""


def value_for_first_player(state: Any) -> float:
    """Our evaluation of Breakthrough from the text of OpenSpiel's state, so that both search for the same value.

    Its first player is `b`, at the top. The last line of the text names the columns.
    """
    rows = str(state).split("\n")[:8]
    text = "".join(rows)
    lowest = max((i for i, row in enumerate(rows) if "b" in row), default=0)
    highest = 7 - min((i for i, row in enumerate(rows) if "w" in row), default=7)
    return (200 * (text.count("b") - text.count("w")) + 50 * (lowest - highest)) / 10_000


NODES_A_SECOND = {
    "breakthrough": (11, 8e6),
    "lines-of-action": (8, 3e6),
    "fish:placement=random": (8, 8e6),
    "othello": (13, 10e6),
}
"""Games from their start with the depth to search, and the nodes a second that are asked for."""


def rows(effort: Effort) -> Iterator[Row]:
    """Nodes a second with the default settings, and the time at equal depth without table and ordering."""
    for game, (depth, least) in NODES_A_SECOND.items():
        yield _nodes_a_second(game, depth - 2 if effort.quick else depth, least, effort)
    # the evaluation that is written for OpenSpiel above
    yield _beside_openspiel(kb.game("breakthrough", evaluation="schadd").start(), effort)


def _nodes_a_second(game: str, depth: int, least: float, effort: Effort) -> Row:
    start = kb.game(game).start()
    method = kb.AlphaBeta(depth=depth)
    nodes = method.search(start).nodes
    speed, _ = side_by_side(effort.rounds, lambda: nodes / seconds_of(lambda: method.search(start)), None)
    return Row(
        "alphabeta",
        f"alpha-beta nodes, {game}, depth {depth}",
        "1/s",
        speed,
        asked=Asked("ours", least=least),
        note=f"default settings; {nodes:,} nodes in {nodes / speed.median:.2f} s",
        details={"depth": depth, "nodes": nodes},
    )


def _beside_openspiel(start: kb.Position, effort: Effort) -> Row:
    depth = 4 if effort.quick else 6
    method = PLAIN.replace(depth=depth)
    report = method.search(start)
    what = f"plain alpha-beta, breakthrough 8×8, depth {depth}"
    details: dict[str, Any] = {"depth": depth, "nodes": report.nodes, "value": report.value}

    def ours() -> float:
        return 1 / rate(1, lambda: method.search(start), effort.seconds / 4)

    if not openspiel.installed():
        mine, _ = side_by_side(effort.rounds, ours, None)
        return Row("alphabeta", what, "s", mine, peer="OpenSpiel Python", note=openspiel.MISSING, details=details)
    from open_spiel.python.algorithms import minimax

    game = openspiel.load("breakthrough")

    def theirs() -> float:
        def search() -> None:
            value, _ = minimax.alpha_beta_search(game, value_function=value_for_first_player, maximum_depth=depth)
            details["their_value"] = value

        return seconds_of(search)

    mine, other = side_by_side(min(effort.rounds, 3), ours, theirs)
    same = "same value" if math.isclose(details["their_value"], report.value) else "DIFFERENT VALUES"
    note = f"table and ordering off; our evaluation on both sides, {same}; {report.nodes:,} nodes here"
    return Row("alphabeta", what, "s", mine, other, "OpenSpiel Python", note=note, details=details)
