"""The lab: what all pages share. A page never keeps state of its own beyond one visit."""

from __future__ import annotations

from dataclasses import dataclass

from nicegui import app

from kibitz.web.jobs import Jobs
from kibitz.web.storage import DataDirectory

__all__ = ["Lab", "visitor"]


@dataclass(frozen=True)
class Lab:
    """The data directory and the jobs."""

    data: DataDirectory
    jobs: Jobs


def visitor() -> str:
    """Whose page this is: the same for all tabs of one browser, and after a restart."""
    return str(app.storage.browser["id"])
