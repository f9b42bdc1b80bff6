"""Programs in Rust that measure us beside something else: crates in `benches/`, outside of the workspace."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any


def measured(
    name: str, crate: Path, numbers: tuple[int, ...], *, build: bool, features: tuple[str, ...] = ()
) -> list[dict[str, Any]] | str:
    """What the program of a crate prints when it is given these numbers, or how to get it.

    A program that is not built yet is built only when `build` says so. Each choice of `features` is a build of its own.
    """
    if not (crate / "Cargo.toml").is_file():
        return f"no {crate / 'Cargo.toml'}: run in a clone of kibitz, or give --{name} PATH"
    # a target of its own, beside the one of the workspace
    target = crate.resolve().parents[1] / "target" / "-".join((name, *features))
    program = target / "release" / f"kibitz-{name}"
    if build:
        cargo = shutil.which("cargo")
        if cargo is None:
            return "needs Rust: https://rustup.rs"
        command = [cargo, "build", "--release", "--quiet", "--target-dir", str(target)]
        command += ["--features", ",".join(features)] if features else []
        # in its directory, so that the flags of .cargo/config.toml above it hold
        built = subprocess.run(command, cwd=crate, capture_output=True, text=True, check=False)
        if built.returncode:
            last = built.stderr.strip().splitlines()
            return f"cargo build failed: {last[-1] if last else built.returncode}"
    elif not program.is_file():
        return f"not built, and --quick does not build it: run kibitz bench --only {name}"
    ran = subprocess.run([program, *map(str, numbers)], capture_output=True, text=True, check=False)
    if ran.returncode:
        return f"{program.name} failed with exit code {ran.returncode}"
    entries: list[dict[str, Any]] = json.loads(ran.stdout)
    return entries
