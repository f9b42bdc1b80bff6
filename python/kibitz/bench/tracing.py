"""What it costs that searches can write their tree down, when nobody asks for it (`benches/tracing`)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from kibitz.bench.rows import Asked, Effort, Row, Sample
from kibitz.bench.rust_program import measured

PEER = "compiled without"
ASKED = Asked("ratio", least=0.97)
"""Nothing, within what a measurement can tell."""


def rows(effort: Effort) -> Iterator[Row]:
    """One row for each search: as it is, beside the same search in a build that knows of no tracing."""
    numbers = (5, 1) if effort.quick else (8, 3)
    sides: dict[str, list[list[dict[str, Any]]]] = {"trace": [], "": []}
    # in turns, so that a slow moment of the machine hits both
    for turn in range(1 if effort.quick else effort.rounds):
        for feature, found in sides.items():
            build = not effort.quick and turn == 0
            features = (feature,) if feature else ()
            entries = measured("tracing", effort.tracing, numbers, build=build, features=features)
            if isinstance(entries, str):
                yield Row("tracing", "searches without a trace", "1/s", peer=PEER, asked=ASKED, note=entries)
                return
            found.append(entries)
    for place, first in enumerate(sides["trace"][0]):
        ours, theirs = ([turn[place] for turn in sides[feature]] for feature in ("trace", ""))
        same = {each["nodes"] for each in (*ours, *theirs)} == {first["nodes"]}
        yield Row(
            "tracing",
            f"{first['search']}, depth {first['depth']}, nobody asks for its tree",
            "1/s",
            _rates(ours),
            _rates(theirs),
            PEER,
            ASKED,
            f"the same {first['nodes']:,} nodes" if same else "DIFFERENT TREES",
            {"ours": ours, "theirs": theirs, "same": same},
        )


def _rates(turns: list[dict[str, Any]]) -> Sample:
    return Sample(tuple(turn["nodes"] / seconds for turn in turns for seconds in turn["seconds"]))
