"""The package itself: how long an import takes, how large it is, and with `--build` how long a clean build takes."""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path

import kibitz
from kibitz import _core
from kibitz.bench.rows import Asked, Effort, Row, Sample, seconds_on_the_clock, side_by_side

WHEEL = Asked("ours", most=15e6)


def rows(effort: Effort) -> Iterator[Row]:
    """Import, module, package, and what `effort` asks for beyond."""
    yield _import_time(effort)
    module = Path(str(_core.__file__))
    yield Row("package", f"compiled module {module.name}", "bytes", Sample((float(module.stat().st_size),)))
    yield Row(
        "package",
        "package, compressed as in a wheel",
        "bytes",
        Sample((float(_compressed(Path(str(kibitz.__file__)).parent)),)),
        asked=WHEEL,
    )
    if effort.build or effort.wheel:
        with tempfile.TemporaryDirectory() as target:
            yield from _builds(effort, Path(target))


def _import_time(effort: Effort) -> Row:
    def run(statement: str) -> float:
        return seconds_on_the_clock(lambda: subprocess.run([sys.executable, "-c", statement], check=True))

    run("import kibitz")
    rounds = max(5, effort.rounds) if effort.quick else 15
    whole, bare = side_by_side(rounds, lambda: run("import kibitz"), lambda: run("pass"))
    assert bare is not None
    note = f"{whole.median * 1e3:.0f} ms in a fresh process, {bare.median * 1e3:.0f} ms of them Python's start"
    spent = tuple(max(0.0, value - bare.median) for value in whole.values)
    return Row("package", "import kibitz", "s", Sample(spent), asked=Asked("ours", most=0.150), note=note)


def _compressed(directory: Path) -> int:
    """The size of an archive of everything that a wheel contains."""
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as wheel:
        for path in sorted(directory.rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                wheel.write(path, path.relative_to(directory.parent))
    return len(archive.getvalue())


def _builds(effort: Effort, target: Path) -> Iterator[Row]:
    """A clean release build, and a wheel, in a directory for their own."""
    root = effort.minimax_rs.resolve().parents[1]
    environment = {**os.environ, "CARGO_TARGET_DIR": str(target)}

    def run(program: str, *arguments: str) -> str:
        """Runs it in the workspace and says what went wrong."""
        found = shutil.which(program) or shutil.which(program, path=str(Path(sys.executable).parent))
        if found is None or not (root / "Cargo.toml").is_file():
            return f"needs {program} and a clone of kibitz"
        command = [found, *arguments]
        ran = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=False)
        return "" if ran.returncode == 0 else f"{program} failed: {(ran.stderr.strip().splitlines() or ['?'])[-1]}"

    if effort.build:
        begin = time.perf_counter()
        problem = run("cargo", "build", "--release", "--workspace", "--locked")
        sample = None if problem else Sample((time.perf_counter() - begin,))
        note = problem or f"{os.cpu_count()} cores"
        yield Row("package", "clean release build", "s", sample, asked=Asked("ours", most=360.0), note=note)
    if effort.wheel:
        problem = run("maturin", "build", "--release", "--out", str(target / "wheels"))
        sizes = [path.stat().st_size for path in (target / "wheels").glob("*.whl")]
        sample = Sample((float(sizes[0]),)) if sizes and not problem else None
        yield Row("package", "wheel", "bytes", sample, asked=WHEEL, note=problem)
