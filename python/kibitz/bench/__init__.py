"""Measurements of speed, most of them side by side with OpenSpiel in the same run; `kibitz bench` prints them.

Each module here measures one subject and yields rows. Everything but `threads`, `parallel` and the arena runs on one
thread, ours and theirs take turns, and what is reported is the median over several rounds, because machines are noisy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from kibitz.bench import (
    adapter,
    algorithms,
    alphabeta,
    arena,
    backgammon,
    hand_written,
    memory,
    minimax_rs,
    morpion_solitaire,
    nested_rollout,
    package,
    parallel,
    perft,
    playouts,
    python_game,
    solve,
    threads,
    tracing,
    uct,
)
from kibitz.bench.fingerprint import fingerprint
from kibitz.bench.rows import Asked, Effort, Row, Sample

__all__ = [
    "GROUPS",
    "Asked",
    "Effort",
    "Row",
    "Sample",
    "adapter",
    "algorithms",
    "alphabeta",
    "arena",
    "backgammon",
    "fingerprint",
    "hand_written",
    "memory",
    "minimax_rs",
    "morpion_solitaire",
    "nested_rollout",
    "package",
    "parallel",
    "perft",
    "playouts",
    "python_game",
    "solve",
    "threads",
    "tracing",
    "uct",
]

GROUPS: dict[str, Callable[[Effort], Iterator[Row]]] = {
    "playouts": playouts.rows,
    "uct": uct.rows,
    "alphabeta": alphabeta.rows,
    "hand-written": hand_written.rows,
    "threads": threads.rows,
    "tracing": tracing.rows,
    "minimax-rs": minimax_rs.rows,
    "nrpa": nested_rollout.rows,
    "morpion-solitaire": morpion_solitaire.rows,
    "perft": perft.rows,
    "backgammon": backgammon.rows,
    "python": python_game.rows,
    "adapter": adapter.rows,
    "arena": arena.rows,
    "parallel": parallel.rows,
    "memory": memory.rows,
    "package": package.rows,
    "algorithms": algorithms.rows,
    "solve": solve.rows,
}
"""Every subject by the name that `kibitz bench --only` knows it by."""
