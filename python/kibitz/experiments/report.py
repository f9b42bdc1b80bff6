"""The report of a reproduction: a page that needs nothing else, and the same as Markdown."""

from __future__ import annotations

import datetime
import html
import math
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import kibitz as kb
from kibitz.experiments.experiment import Row, Scale, Value, Verdict
from kibitz.experiments.running import Outcome

__all__ = ["Reproduction", "plain", "row_texts", "tally", "time_text", "write"]


@dataclass(frozen=True, kw_only=True)
class Reproduction:
    """Some outcomes at one scale, and the seconds on the clock that they took this time."""

    outcomes: tuple[Outcome, ...]
    scale: Scale
    seconds: float

    @property
    def core_seconds(self) -> float:
        """The processor time of all units, whenever they were run."""
        return math.fsum(each.core_seconds for each in self.outcomes)

    @property
    def rows(self) -> list[Row]:
        """The rows of all experiments."""
        return [row for each in self.outcomes for row in each.rows]

    def as_dict(self) -> dict[str, Any]:
        """Everything as plain data, for JSON."""
        return {
            "kibitz": kb.__version__,
            "scale": self.scale,
            "seconds": self.seconds,
            "core_seconds": self.core_seconds,
            "verdicts": dict(Counter(row.verdict for row in self.rows)),
            "experiments": [each.as_dict() for each in self.outcomes],
        }


def tally(rows: Iterable[Row]) -> str:
    """How many rows have which verdict: 25 agree, 1 differs."""
    counts = Counter(row.verdict for row in rows)
    words: dict[Verdict, tuple[str, str]] = {
        "agrees": ("agrees", "agree"),
        "same direction": ("has the same direction", "have the same direction"),
        "differs": ("differs", "differ"),
        "holds": ("holds", "hold"),
        "fails": ("fails", "fail"),
        "measured": ("is measured only", "are measured only"),
    }
    found = [f"{counts[verdict]} {words[verdict][counts[verdict] > 1]}" for verdict in words if counts[verdict]]
    return ", ".join(found) or "nothing"


def time_text(seconds: float) -> str:
    """A time for planning: 12 s, 14 min, 3.5 h."""
    if seconds < 0.95:
        return "< 1 s"
    if seconds < 99.5:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 99.5 * 60 else f"{seconds / 3600:.1f} h"


def row_texts(row: Row) -> tuple[str, str, str]:
    """What was published, measured, and the interval, with as many decimals as the interval gives a meaning to."""
    if row.interval is None or not math.isfinite(width := row.interval.high - row.interval.low) or width <= 0:
        interval = "" if row.interval is None else f"{_number(row.interval.low)} to {_number(row.interval.high)}"
        return _number(row.published), _number(row.measured), interval
    decimals = max(0, 1 - math.floor(math.log10(width)))
    low, high = (_number(each, decimals) for each in (row.interval.low, row.interval.high))
    return _number(row.published, decimals + 1), _number(row.measured, decimals + 1), f"{low} to {high}"


def _number(value: Value, decimals: int | None = None) -> str:
    if value is None:
        return "–"
    if isinstance(value, str):
        return value
    if math.isfinite(value) and float(value).is_integer() and abs(value) < 1e15:
        return f"{int(value):,}"
    if decimals is None or not math.isfinite(value):
        return f"{value:.8g}"
    text = f"{value:,.{decimals}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def plain(text: str) -> str:
    """Markdown of a citation without its marks."""
    return re.sub(r"\\(.)|[*`]", lambda mark: mark[1] or "", text)


def _facts(reproduction: Reproduction) -> str:
    now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M UTC")
    return (
        f"kibitz {kb.__version__}, scale {reproduction.scale}, {now}: {len(reproduction.outcomes)} experiments, "
        f"{len(reproduction.rows)} rows; {reproduction.seconds:.1f} s on the clock, "
        f"{reproduction.core_seconds:.1f} core-seconds."
    )


def _cost(outcome: Outcome) -> str:
    seed = "nothing random" if outcome.experiment.seed is None else f"seeds from {outcome.experiment.seed}"
    stored = outcome.units - outcome.fresh
    return (
        f"{outcome.units:,} units ({stored:,} of them from the store), {outcome.core_seconds:.1f} core-seconds, "
        f"scale {outcome.scale}, version {outcome.experiment.version}, {seed}"
    )


LEGEND = (
    "A row *agrees* when the published value lies in the measured interval, or is the same where nothing is random. It "
    "has the *same direction* when only the tendency is confirmed. Otherwise it *differs*, and says why. Self-checks "
    "*hold* or *fail*."
)


# files


def write(reproduction: Reproduction, folder: Path) -> tuple[Path, Path]:
    """Writes report.html and report.md, with the plots as files for the latter, and returns both paths."""
    plots = _plots(reproduction)
    for name, svg in plots.items():
        (folder / f"{name}.svg").write_text(svg, encoding="utf-8")
    page, text = folder / "report.html", folder / "report.md"
    page.write_text(_page(reproduction, plots), encoding="utf-8")
    text.write_text(_markdown(reproduction, set(plots)), encoding="utf-8")
    return page, text


def _plots(reproduction: Reproduction) -> dict[str, str]:
    drawn = [each for each in reproduction.outcomes if each.experiment.plot is not None]
    if not drawn:
        return {}
    from kibitz import plots

    return {each.experiment.id: plots.svg(each.experiment.plot(each.results)) for each in drawn if each.experiment.plot}


# Markdown


def _markdown(reproduction: Reproduction, plots: set[str]) -> str:
    lines = [
        "# Published and measured",
        "",
        _facts(reproduction),
        "",
        f"In short: {tally(reproduction.rows)}.",
        "",
        LEGEND,
    ]
    for outcome in reproduction.outcomes:
        experiment = outcome.experiment
        lines += [
            "",
            f"## {experiment.title}",
            "",
            f"`{experiment.id}`. {experiment.paper}. {_capital(experiment.table)}.",
        ]
        if experiment.note:
            lines += ["", experiment.note]
        lines += ["", "| | published | measured | interval | verdict | why |", "|---|---|---|---|---|---|"]
        for row in outcome.rows:
            cells = (row.label, *row_texts(row), row.verdict, row.why)
            lines.append("| " + " | ".join(_cell(each) for each in cells) + " |")
        if experiment.id in plots:
            lines += ["", f"![{experiment.title}]({experiment.id}.svg)"]
        lines += ["", f"{_capital(_cost(outcome))}."]
    return "\n".join(lines) + "\n"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


# HTML

_STYLE = """
:root { color-scheme: light dark; --page: #fff; --ink: #1c1b1a; --soft: #6b6763; --line: #ddd8d2; --card: #f7f4f0;
  --good: #1a7f4b; --fair: #9a6700; --bad: #c0362c; }
@media (prefers-color-scheme: dark) { :root { --page: #171615; --ink: #e9e6e2; --soft: #a39d96; --line: #3a3733;
  --card: #211f1d; --good: #58c78c; --fair: #dfb04a; --bad: #f0857b; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 66rem; padding: 1.5rem 1rem 4rem; background: var(--page); color: var(--ink);
  font: 16px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.8rem; margin: 0.5rem 0; } h2 { font-size: 1.25rem; margin: 3rem 0 0.3rem; }
p { margin: 0.5rem 0; } .soft { color: var(--soft); font-size: 0.9rem; }
a { color: inherit; } code { font-size: 0.9em; }
table { border-collapse: collapse; width: 100%; margin: 1rem 0; font-size: 0.92rem; }
th, td { padding: 0.35rem 0.6rem; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
th { font-weight: 600; color: var(--soft); } td.number { font-variant-numeric: tabular-nums; white-space: nowrap; }
.verdict { font-weight: 600; white-space: nowrap; }
.agrees, .holds { color: var(--good); } .same { color: var(--fair); } .differs, .fails { color: var(--bad); }
figure { margin: 1rem 0; padding: 0.8rem; background: #fff; border: 1px solid var(--line); border-radius: 8px; }
figure svg { display: block; width: 100%; max-width: 34rem; height: auto; margin: 0 auto; }
@media (max-width: 44rem) {
  thead { display: none; }
  tr { display: block; padding: 0.5rem 0.7rem; margin: 0.6rem 0; background: var(--card); border-radius: 8px; }
  td { display: flex; gap: 0.8rem; border: 0; padding: 0.1rem 0; } td:empty { display: none; }
  td.number { white-space: normal; }
  td::before { content: attr(data-name); flex: 0 0 5.5rem; color: var(--soft); }
  td:first-child { font-weight: 600; } td:first-child::before { content: none; }
}
"""


def _page(reproduction: Reproduction, plots: dict[str, str]) -> str:
    overview = "".join(
        _line(
            [
                ("experiment", f'<a href="#{each.experiment.id}">{_inline(each.experiment.title)}</a>', ""),
                ("table", _inline(each.experiment.table), ""),
                ("verdicts", tally(each.rows), ""),
                ("core-seconds", f"{each.core_seconds:.1f}", "number"),
            ]
        )
        for each in reproduction.outcomes
    )
    body = "".join(_section(each, plots.get(each.experiment.id)) for each in reproduction.outcomes)
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Published and measured: kibitz {kb.__version__}</title>
<style>{_STYLE}</style>
</head>
<body>
<h1>Published and measured</h1>
<p class="soft">{_inline(_facts(reproduction))}</p>
<p>In short: {tally(reproduction.rows)}. {_inline(LEGEND)}</p>
<table><thead><tr><th>experiment</th><th>table</th><th>verdicts</th><th>core-seconds</th></tr></thead>
<tbody>{overview}</tbody></table>
{body}</body>
</html>
"""


def _section(outcome: Outcome, plot: str | None) -> str:
    experiment = outcome.experiment
    rows = "".join(_row(row) for row in outcome.rows)
    note = f"<p>{_inline(experiment.note)}</p>\n" if experiment.note else ""
    figure = f"<figure>{_own_names(plot, experiment.id)}</figure>\n" if plot else ""
    return f"""<section id="{experiment.id}">
<h2>{_inline(experiment.title)}</h2>
<p class="soft"><code>{experiment.id}</code>. {_inline(experiment.paper)}. {_inline(_capital(experiment.table))}.</p>
{note}<table><thead><tr><th></th><th>published</th><th>measured</th><th>interval</th><th>verdict</th><th>why</th></tr></thead>
<tbody>{rows}</tbody></table>
{figure}<p class="soft">{_inline(_capital(_cost(outcome)))}.</p>
</section>
"""


def _row(row: Row) -> str:
    published, measured, interval = (html.escape(each) for each in row_texts(row))
    kind = row.verdict.split()[0]
    return _line(
        [
            ("", html.escape(row.label), ""),
            ("published", published, "number"),
            ("measured", measured, "number" if not isinstance(row.measured, str) else ""),
            ("interval", interval, "number"),
            ("verdict", f'<span class="verdict {kind}">{row.verdict}</span>', ""),
            ("why", html.escape(row.why), ""),
        ]
    )


def _line(cells: list[tuple[str, str, str]]) -> str:
    def cell(name: str, text: str, kind: str) -> str:
        return f'<td data-name="{name}"{f" class={kind}" if kind else ""}>{text}</td>'

    return f"<tr>{''.join(cell(*each) for each in cells)}</tr>\n"


def _inline(text: str) -> str:
    """The emphasis and code of Markdown as HTML."""
    text = re.sub(r"\*([^*]+)\*", r"<em>\1</em>", html.escape(text, quote=False))
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", text)


def _own_names(svg: str, name: str) -> str:
    """A picture whose parts have names of their own, so that several of them can stand in one page."""
    svg = re.sub(r'\bid="([^"]+)"', rf'id="{name}-\1"', svg)
    svg = re.sub(r'href="#([^"]+)"', rf'href="#{name}-\1"', svg)
    return re.sub(r"url\(#([^)]+)\)", rf"url(#{name}-\1)", svg)
