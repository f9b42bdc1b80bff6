"""The Rust crate minimax beside us on Connect Four, in one Rust program on the same rules (`benches/minimax-rs`)."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from kibitz.bench.rows import Asked, Effort, Row, Sample

PEER = "minimax 0.6"
PROGRAM = "kibitz-minimax-rs"


def rows(effort: Effort) -> Iterator[Row]:
    """One row for each of its searches and each position, against ours at equal depth or equal simulations."""
    found = measure(effort)
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


def measure(effort: Effort) -> list[dict[str, Any]] | str:
    """What the program prints, or how to get it."""
    manifest = effort.minimax_rs / "Cargo.toml"
    if not manifest.is_file():
        return f"no {manifest}: run in a clone of kibitz, or give --minimax-rs PATH"
    cargo = shutil.which("cargo")
    # a target of its own, beside the one of the workspace
    target = _workspace(effort.minimax_rs) / "target" / "minimax-rs"
    program = target / "release" / PROGRAM
    if effort.quick and not program.is_file():
        return "not built, and --quick does not build it: run kibitz bench --only minimax-rs"
    if not effort.quick:
        if cargo is None:
            return "needs Rust: https://rustup.rs"
        build = [cargo, "build", "--release", "--quiet", "--target-dir", str(target.resolve())]
        # in its directory, so that the flags of .cargo/config.toml above it hold
        built = subprocess.run(build, cwd=effort.minimax_rs, capture_output=True, text=True, check=False)
        if built.returncode:
            last = built.stderr.strip().splitlines()
            return f"cargo build failed: {last[-1] if last else built.returncode}"
    numbers = ("11", "5000", "1") if effort.quick else ("15", "100000", str(effort.rounds))
    ran = subprocess.run([program, *numbers], capture_output=True, text=True, check=False)
    if ran.returncode:
        return f"{PROGRAM} failed with exit code {ran.returncode}"
    entries: list[dict[str, Any]] = json.loads(ran.stdout)
    return entries


def _workspace(directory: Path) -> Path:
    return directory.resolve().parents[1]
