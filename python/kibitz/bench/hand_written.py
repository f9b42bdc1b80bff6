"""What it costs that one search serves all games: beside an alpha-beta for one alone (`benches/hand-written`)."""

from __future__ import annotations

from collections.abc import Iterator

from kibitz.bench.rows import Asked, Effort, Row, Sample
from kibitz.bench.rust_program import measured

PEER = "written by hand"
ASKED = Asked("ratio", least=0.9)
"""Within ten per cent."""


def rows(effort: Effort) -> Iterator[Row]:
    """One row for each position: both sides search the same tree, node for node, which the row says."""
    numbers = (7, 2) if effort.quick else (9, 2 * effort.rounds + 1)
    found = measured("hand-written", effort.hand_written, numbers, build=not effort.quick)
    if isinstance(found, str):
        yield Row("hand-written", "alpha-beta nodes, breakthrough", "1/s", peer=PEER, asked=ASKED, note=found)
        return
    for ours in found:
        if ours["side"] != "kibitz":
            continue
        theirs = next(each for each in found if each["side"] != "kibitz" and each["position"] == ours["position"])
        same = all(ours[what] == theirs[what] for what in ("value", "best", "nodes"))
        note = f"the same value, move and {ours['nodes']:,} nodes" if same else "DIFFERENT TREES"
        yield Row(
            "hand-written",
            f"alpha-beta nodes, breakthrough, {ours['position']}, depth {ours['depth']}",
            "1/s",
            Sample(tuple(ours["nodes"] / seconds for seconds in ours["seconds"])),
            Sample(tuple(theirs["nodes"] / seconds for seconds in theirs["seconds"])),
            PEER,
            ASKED,
            note,
            {"ours": ours, "theirs": theirs, "same": same},
        )
