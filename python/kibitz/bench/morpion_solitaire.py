"""The Rust crate morpion-solitaire beside us on NRPA, in one Rust program (`benches/morpion-solitaire`)."""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from typing import Any

from kibitz.bench.rows import Asked, Effort, Row, Sample
from kibitz.bench.rust_program import measured

PEER = "morpion-solitaire 0.2"


def rows(effort: Effort) -> Iterator[Row]:
    """Positions of playouts a second, adaptation included, with the same level and iterations."""
    numbers = (100, 1) if effort.quick else (2_000, effort.rounds)
    found = measured("morpion-solitaire", effort.morpion_solitaire, numbers, build=not effort.quick)
    asked = Asked("ratio", least=1.0)
    if isinstance(found, str):
        yield Row("morpion-solitaire", "NRPA, positions of playouts", "1/s", peer=PEER, asked=asked, note=found)
        return
    ours = {each["variant"]: each for each in found if each["side"] == "kibitz"}
    for theirs in found:
        if theirs["side"] == "kibitz":
            continue
        mine = ours[theirs["variant"]]
        best = [statistics.median(each["best"]) for each in (mine, theirs)]
        yield Row(
            "morpion-solitaire",
            f"NRPA, morpion:variant={theirs['variant']}, positions of playouts",
            "1/s",
            _speed(mine),
            _speed(theirs),
            PEER,
            asked,
            f"games of {best[0]:g} against {best[1]:g} moves",
            {"ours": mine, "theirs": theirs},
        )


def _speed(side: dict[str, Any]) -> Sample:
    """Positions a second of each round."""
    return Sample(tuple(p / s for p, s in zip(side["positions"], side["seconds"], strict=True)))
