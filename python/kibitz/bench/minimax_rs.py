"""The Rust crate minimax beside us on Connect Four, in one Rust program on the same rules (`benches/minimax-rs`)."""

from __future__ import annotations

from collections.abc import Iterator

from kibitz.bench.rows import Asked, Effort, Row, Sample
from kibitz.bench.rust_program import measured

PEER = "minimax 0.6"


def rows(effort: Effort) -> Iterator[Row]:
    """One row for each of its searches and each position, against ours at equal depth or equal simulations."""
    numbers = (11, 5_000, 1) if effort.quick else (15, 100_000, effort.rounds)
    found = measured("minimax-rs", effort.minimax_rs, numbers, build=not effort.quick)
    if isinstance(found, str):
        what = "connect-four at equal depth and at equal simulations"
        yield Row("minimax-rs", what, "s", peer=PEER, asked=Asked("ratio", least=1.0), note=found)
        return
    ours = {(each["position"], each["family"]): each for each in found if each["side"] == "kibitz"}
    for theirs in found:
        if theirs["side"] != "minimax":
            continue
        mine = ours[theirs["position"], theirs["family"]]
        amount = f"{theirs['amount']:,}"
        amount = f"depth {amount}" if theirs["family"] == "depth" else f"{amount} simulations"
        yield Row(
            "minimax-rs",
            f"connect-four, {theirs['position']}, {amount}: {mine['name']} / {theirs['name']}",
            "s",
            Sample(tuple(mine["seconds"])),
            Sample(tuple(theirs["seconds"])),
            PEER,
            Asked("ratio", least=1.0),
            f"{mine['nodes']:,} nodes against {theirs['nodes']:,}",
            {"ours": mine, "theirs": theirs},
        )
