"""Reproductions: every published table beside what was measured here, and a button to measure it again."""

from __future__ import annotations

import re
from html import escape
from typing import Any

from nicegui import ui

import kibitz as kb
from kibitz.experiments.experiment import SCALES, Experiment
from kibitz.experiments.report import plain, time_text
from kibitz.web.desk import Task, toggle, watch
from kibitz.web.jobs import Caps
from kibitz.web.lab import Lab
from kibitz.web.layout import frame, heading
from kibitz.web.sheets import sheet

__all__ = ["register"]

_FOLDER = "reproductions"
_HEADING = ["", "published", "measured", "interval", "verdict", "why"]


class Measuring:
    """One experiment in this lab: everybody sees the same run and the same results."""

    def __init__(self, experiment: Experiment) -> None:
        self.experiment = experiment
        self.task = Task()
        self.units: dict[str, Any] | None = None
        self.version = 0

    def result(self, lab: Lab) -> dict[str, Any] | None:
        """What was measured last, if it is of the present version."""
        found = lab.data.read(_FOLDER, self.experiment.id)
        return found if isinstance(found, dict) and found.get("version") == self.experiment.version else None

    async def start(self, lab: Lab, scale: str) -> None:
        """Measures, or goes on with what was measured."""
        self.units = None
        payload = {
            "id": self.experiment.id,
            "scale": scale,
            "path": str(lab.data.file(_FOLDER, "results", ".sqlite")),
        }
        caps = Caps(seconds=lab.jobs.largest.seconds, memory_mb=lab.jobs.largest.memory_mb, threads=1)

        def heard(event: dict[str, Any]) -> None:
            if event["type"] == "units":
                self.units = event
            elif event["type"] == "result":
                lab.data.write(_FOLDER, self.experiment.id, event["result"])
                self.version += 1

        await self.task.start(lab, "reproduce", payload, caps, heard)


def register(lab: Lab) -> None:
    """Adds the page."""
    from kibitz.experiments import experiment, experiments

    known: dict[str, Measuring] = {}

    def measuring(experiment: Experiment) -> Measuring:
        return known.setdefault(experiment.id, Measuring(experiment))

    @ui.page("/reproductions")
    def reproductions() -> None:
        with frame("Reproductions"):
            heading("Reproductions")
            ui.label(
                "Published tables, measured again with the algorithms of this package. Quick takes seconds, standard "
                "minutes, full is the size of the paper. What has been measured is kept, so that a run goes on where "
                "it was."
            ).classes("lab-soft")
            find = ui.input("Find", placeholder="paper, table or word").props(
                "outlined dense clearable data-field=find"
            )
            place = ui.html(sanitize=False)

            def draw() -> None:
                asked = str(find.value or "").lower()
                place.content = _overview(lab, [measuring(each) for each in experiments()], asked)

            find.on_value_change(draw)
            watch(lambda: sum(each.version + each.task.running for each in known.values()), draw, 1.0)

    @ui.page("/reproductions/{name}")
    def one(name: str) -> None:
        with frame("Reproductions"):
            try:
                found = experiment(name)
            except kb.Error as error:
                heading("Reproductions")
                ui.label(str(error)).props("role=alert")
                ui.link("All tables", "/reproductions")
                return
            ui.link("← All tables", "/reproductions").classes("lab-small")
            _Card(lab, measuring(found))


def _overview(lab: Lab, all_of_them: list[Measuring], asked: str) -> str:
    """All tables by paper, with what was found out about each."""
    papers: dict[str, list[Measuring]] = {}
    for mine in all_of_them:
        papers.setdefault(mine.experiment.paper, []).append(mine)
    out: list[str] = []
    for paper, group in papers.items():
        lines = []
        for mine in group:
            one = mine.experiment
            if asked not in f"{plain(paper)} {one.id} {one.title} {one.table}".lower():
                continue
            try:
                result = mine.result(lab)
            except kb.Error:
                result = None
            state = "measuring now" if mine.task.running else _state(mine.experiment, result)
            lines.append(
                f'<a class="repro-row" href="/reproductions/{one.id}" data-experiment="{one.id}">'
                f"<b>{_inline(one.title)}</b>"
                f'<span class="lab-soft lab-small">{escape(plain(one.table))}; {escape(state)}</span></a>'
            )
        if lines:
            out.append(f'<h2 class="repro-paper">{escape(plain(paper))}</h2>' + "".join(lines))
    return "".join(out) or "<p>Nothing was found.</p>"


def _state(experiment: Experiment, result: dict[str, Any] | None) -> str:
    if result is None:
        return f"not measured here yet, quick takes {time_text(experiment.seconds['quick'])}"
    return f"{result['scale']}: {result['tally']}"


class _Card:
    """One experiment: its table, and the button that measures it."""

    def __init__(self, lab: Lab, mine: Measuring) -> None:
        self._lab, self._mine = lab, mine
        experiment = mine.experiment
        ui.html(f"<h1>{_inline(experiment.title)}</h1>", sanitize=False)
        ui.label(f"{plain(experiment.paper)}. {plain(experiment.table)}. {experiment.id}").classes("lab-soft")
        with ui.element("section").classes("lab-card lab-stack").props(f'data-experiment="{experiment.id}"'):
            self._tally = ui.label().props("data-figure=tally")
            if experiment.note:
                ui.html(f"<p>{_inline(experiment.note)}</p>", sanitize=False)
            with ui.row().classes("lab-buttons"):
                times = {scale: f"{scale} ({time_text(experiment.seconds[scale])})" for scale in SCALES}
                self._scale = ui.select(times, value="quick", label="scale")
                self._scale.props("outlined dense options-dense").classes("repro-scale")
                self._go = ui.button("Measure", icon="play_arrow", on_click=self._toggle)
                self._go.props("unelevated no-caps data-act=measure")
            self._bar = ui.linear_progress(value=0, show_value=False).props('aria-label="Progress"')
            self._status = ui.label().classes("lab-soft lab-small").props("role=status")
            self._error = ui.label().classes("lab-error").props("role=alert")
            self._rows = ui.html(sanitize=False)
            self._plot = ui.html(sanitize=False).classes("repro-plot")
        self._drawn = -1
        watch(lambda: (mine.task.version, mine.version), self.draw)

    async def _toggle(self) -> None:
        await toggle(self._mine.task, lambda: self._mine.start(self._lab, str(self._scale.value)))
        self.draw()

    def draw(self) -> None:
        """The table that was measured last, and how far a run is."""
        mine = self._mine
        running = mine.task.running
        self._go.text = "Stop" if running else "Measure"
        self._go.props(f"icon={'stop' if running else 'play_arrow'}")
        self._error.text = mine.task.error
        self._bar.set_visibility(running)
        text = mine.task.status
        if mine.units is not None and running:
            self._bar.value = mine.units["done"] / max(mine.units["units"], 1)
            left = time_text(mine.units["seconds_left"])
            text += f": {mine.units['done']} of {mine.units['units']} units, about {left} left"
        self._status.text = text
        if self._drawn != mine.version:
            self._drawn = mine.version
            try:
                self._show(mine.result(self._lab))
            except kb.Error as error:
                self._error.text = str(error)

    def _show(self, result: dict[str, Any] | None) -> None:
        if result is None:
            self._tally.text = "Not measured here yet."
            return
        self._tally.text = _state(self._mine.experiment, result).capitalize() + "."
        cost = f"{result['units']:,} units, {result['core_seconds']:.1f} core-seconds"
        table = sheet([_HEADING, *result["rows"]], texts=(0, 4, 5), name=self._mine.experiment.id)
        self._rows.content = f"{table}<p class='lab-soft lab-small'>{cost}</p>"
        self._plot.content = result.get("plot") or ""


def _inline(text: str) -> str:
    """The emphasis and code of Markdown as HTML."""
    text = re.sub(r"\*([^*]+)\*", r"<em>\1</em>", escape(text, quote=False))
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", text)
