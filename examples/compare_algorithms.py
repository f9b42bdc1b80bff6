"""How many nodes each enhancement of alpha-beta saves on one position."""

from __future__ import annotations

import kibitz as kb

VARIANTS = {
    "minimax": kb.Minimax(depth=5),
    "plain alpha-beta": kb.AlphaBeta(
        depth=5, deepening=False, tt_mb=0, etc=False, killers=False, history=False, hints=False
    ),
    "with hints, killers and history": kb.AlphaBeta(depth=5, deepening=False, tt_mb=0, etc=False),
    "with everything": kb.AlphaBeta(depth=5),
}

if __name__ == "__main__":
    position = kb.game("breakthrough", rows=6, cols=6).start()
    for label, algorithm in VARIANTS.items():
        report = algorithm.search(position)
        print(f"{label:32} value {report.value:+.3f} {report.nodes:12,} nodes {report.seconds:8.3f} s")
