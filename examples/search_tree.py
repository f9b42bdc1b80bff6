"""Draws what alpha-beta cuts in an endgame of tic-tac-toe, and what NegaScout searches twice in a random tree."""

from __future__ import annotations

import tempfile
from pathlib import Path

import kibitz as kb


def draw(folder: Path) -> None:
    """Writes both pictures."""
    position = kb.game("tic-tac-toe").position("X../OO./XXO X")
    report = kb.AlphaBeta(deepening=False, tt_mb=0, trace=1000).search(position)
    kb.draw.tree(report).save(folder / "alpha-beta.svg")
    for node in report.tree.nodes if report.tree else ():
        if node.end == "cut":
            print(f"after {node.move} the reply {', '.join(map(str, node.pruned))} was not looked at")
    position = kb.game("random-tree", width=3, depth=3, seed=4).start()
    report = kb.NegaScout(deepening=False, tt_mb=0, wide=True, trace=1000).search(position)
    kb.draw.tree(report).save(folder / "negascout.svg")
    print(f"NegaScout visited {report.nodes} nodes, {report.stats.get('researches', 0)} of them a second time")


if __name__ == "__main__":
    folder = Path(tempfile.mkdtemp())
    draw(folder)
    print(f"pictures in {folder}")
