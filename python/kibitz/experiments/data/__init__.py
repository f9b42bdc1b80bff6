"""Published tables, one CSV file each; lines that begin with `#` say where it is from."""

from __future__ import annotations

import csv
from pathlib import Path

__all__ = ["read"]


def read(name: str) -> list[dict[str, str]]:
    """The rows of a table, by the names of the columns."""
    lines = (Path(__file__).parent / f"{name}.csv").read_text(encoding="utf-8").splitlines()
    return list(csv.DictReader(line for line in lines if not line.startswith("#")))
