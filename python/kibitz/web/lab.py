"""The lab: what all pages share. A page never keeps state of its own beyond one visit."""

from __future__ import annotations

from dataclasses import dataclass

from nicegui import app

from kibitz.web.jobs import Jobs
from kibitz.web.storage import DataDirectory
from kibitz.web.tables import Tables

__all__ = ["Lab", "visitor"]


@dataclass(frozen=True)
class Lab:
    """The data directory, the jobs and the tables."""

    data: DataDirectory
    jobs: Jobs
    tables: Tables


def visitor() -> str:
    """Whose page this is: the same for all tabs of one browser, and after a restart."""
    return str(app.storage.browser["id"])
