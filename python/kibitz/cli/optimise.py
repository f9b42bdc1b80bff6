"""`kibitz optimise`: the best line of a game for one."""

from __future__ import annotations

import time
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated

import typer
from rich.live import Live
from rich.text import Text

import kibitz as kb
from kibitz.cli.arguments import GameText, Json, PositionText, game_text, knows, read_game, read_position
from kibitz.cli.terminal import amount, counted, err, out, print_json, span

DEFAULTS = {
    "gaps": "nested-rollout:level=3",
    "morpion": "nested-rollout:level=4",
    "samegame": "beam:refine=true",
}
"""The search that did best on each game within a minute on two cores."""

_OTHERWISE = "nested-rollout"
_SECONDS = 60.0


def optimise(
    game: GameText,
    position: PositionText = None,
    algorithm: Annotated[
        str | None,
        typer.Option(
            "--with",
            "-w",
            metavar="ALGO",
            help="The search, such as nested-rollout:level=4 (what suits the game best).",
            show_default=False,
        ),
    ] = None,
    seconds: Annotated[
        float | None, typer.Option("--seconds", "-s", help="Seconds (60 without any limit).", show_default=False)
    ] = None,
    threads: Annotated[
        int | None, typer.Option("--threads", "-t", metavar="T", help="Threads.", show_default=False)
    ] = None,
    seed: Annotated[int | None, typer.Option("--seed", metavar="N", help="Random numbers.", show_default=False)] = None,
    save: Annotated[
        Path | None,
        typer.Option(
            "--save",
            metavar="FILE",
            help="Write the solution, unless a better one is there; kibitz verify checks it.",
            show_default=False,
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Search for the best line of a game for one player. Ctrl-C ends the search and keeps the best line so far."""
    rules = read_game(game)
    pos = read_position(rules, position)
    if rules.players != 1:
        raise kb.NotSupported(f"{rules} has {rules.players} players; optimise searches games for one")
    if pos.over:
        raise kb.BadParameter("the game is over in this position: there is nothing to optimise")
    search = _search(rules, algorithm, {"seconds": seconds, "threads": threads, "seed": seed})
    known = _known(rules, pos, save)
    watcher = _Watcher(search, lines=not json and not out.is_terminal)
    interrupted = None
    with Live(watcher, console=err, refresh_per_second=8, transient=True) if err.is_terminal else nullcontext():
        try:
            report = search.search(pos, progress=watcher.tell)
            watcher.end(report)
        except KeyboardInterrupt as error:
            interrupted = error
    if watcher.line:
        _finish(rules, pos, game_text(rules, game), watcher, save, known, json)
    elif not interrupted:
        raise kb.NotSupported("no game came to its end within the limits: give the search more time")
    if interrupted:
        raise interrupted


def _search(rules: kb.Game, text: str | None, given: dict[str, float | None]) -> kb.Algorithm:
    search = kb.algorithm(text or DEFAULTS.get(rules.name, _OTHERWISE))
    for name, value in given.items():
        if value is not None and not knows(search, name):
            raise kb.BadParameter(f"--{name} means nothing to {search.name}")
        if value is not None:
            search = search.replace(**{name: value})
    limited = any(
        getattr(search, limit) is not None for limit in ("seconds", "nodes", "simulations") if knows(search, limit)
    )
    return search if limited else search.replace(seconds=_SECONDS)


def _known(rules: kb.Game, pos: kb.Position, path: Path | None) -> kb.Solution | None:
    """The solution that is in the file already. What could not be saved in the end is refused before the search."""
    if path is None:
        return None
    if not isinstance(rules, kb.NativeGame):
        raise kb.BadParameter(f"a file could not name {rules}, which is written in Python: leave out --save")
    if not path.parent.is_dir():
        raise kb.BadParameter(f"there is no folder {path.parent}; choose another file")
    if not path.exists():
        return None
    known = kb.Solution.load(path)
    if known.game != rules or known.start != pos:
        raise kb.BadParameter(f"{path} is a solution of {known.game} from {known.start}; choose another file")
    known.verify()
    return known


def _finish(
    rules: kb.Game,
    pos: kb.Position,
    name: str,
    watcher: _Watcher,
    path: Path | None,
    known: kb.Solution | None,
    json: bool,
) -> None:
    """Checks the best line by playing it, and saves and prints it."""
    solution = kb.Solution(rules, pos, watcher.line, watcher.value)
    solution.verify()
    better = known is None or solution.score > known.score
    if path is not None and better:
        solution.save(path)
    if json:
        found = {
            "game": name,
            "position": str(pos),
            "algorithm": watcher.search.spec,
            "score": solution.score,
            "moves": list(solution.moves),
            "seconds": watcher.seconds,
            "simulations": watcher.playouts,
            "nodes": watcher.nodes,
        }
        print_json(found)
        return
    out.print(Text(" ".join(solution.moves), style="cyan"), soft_wrap=True)
    found_by = f"{counted(len(solution.moves), 'move')}, found by {watcher.search.spec}"
    out.print(Text.assemble((f"{solution.score:,g}", "bold green"), f" points in {found_by}"), soft_wrap=True)
    if watcher.proven:
        out.print("no line is better: it is proven")
    if path is not None and better:
        out.print(f"saved in {path}", markup=False, soft_wrap=True)
    elif path is not None and known is not None:
        out.print(f"{path} keeps its solution, which makes {known.score:,g} points", markup=False, soft_wrap=True)


class _Watcher:
    """The best line so far, and how it looks while the search goes on."""

    def __init__(self, search: kb.Algorithm, lines: bool) -> None:
        self.search = search
        self.lines = lines
        self.began = time.perf_counter()
        self.value: float = 0.0
        self.line: tuple[str, ...] = ()
        self.seconds = 0.0
        self.playouts = 0
        self.nodes = 0
        self.proven = False

    def tell(self, step: kb.Iteration) -> None:
        """Takes a step of the search."""
        better = not self.line or step.value > self.value
        self.value, self.line = step.value, tuple(map(str, step.pv))
        self.seconds, self.playouts, self.nodes = step.seconds, step.depth, step.nodes
        if better and self.lines:
            out.print(f"{step.seconds:8.1f} s  {step.value:,g} points in {counted(len(step.pv), 'move')}")

    def end(self, report: kb.Report) -> None:
        """Takes the report of a search that was not interrupted."""
        self.seconds, self.nodes, self.proven = report.seconds, report.nodes, report.proven
        self.playouts = int(report.stats.get("simulations", 0))

    def __rich__(self) -> Text:
        elapsed = time.perf_counter() - self.began
        best = f"{self.value:,g} points in {counted(len(self.line), 'move')}" if self.line else "nothing yet"
        limit = self.search.seconds
        left = f", {span(max(0.0, limit - elapsed))} left" if limit is not None else ""
        found = f"  after {span(self.seconds)}" if self.line else ""
        work = f"  {amount(self.nodes)} positions" if self.nodes else ""
        return Text.assemble(("best ", "bold"), (best, "bold green"), found, f"{work}  {span(elapsed)}{left}")
