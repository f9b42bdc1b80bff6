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
from kibitz.cli.arguments import (
    GameText,
    Json,
    PositionText,
    game_text,
    knows,
    read_game,
    read_position,
    split_algorithms,
)
from kibitz.cli.terminal import amount, counted, err, out, print_json, span
from kibitz.single_player import suited

_SECONDS = 60.0


def optimise(
    game: GameText,
    position: PositionText = None,
    algorithm: Annotated[
        list[str] | None,
        typer.Option(
            "--with",
            "-w",
            metavar="ALGO,…",
            help="A search, such as nestedrollout:level=4; several share the time (what suits the game best).",
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
    searches = _searches(rules, algorithm, seconds, {"threads": threads, "seed": seed})
    known = _known(rules, pos, save)
    watcher = _Watcher(searches, lines=not json and not out.is_terminal)
    interrupted = None
    with Live(watcher, console=err, refresh_per_second=8, transient=True) if err.is_terminal else nullcontext():
        try:
            for search in searches:
                watcher.begin(search)
                watcher.end(search.search(pos, progress=watcher.tell))
                if watcher.proven:
                    break
        except KeyboardInterrupt as error:
            interrupted = error
    if watcher.line:
        _finish(rules, pos, game_text(rules, game), watcher, save, known, json)
    elif not interrupted:
        raise kb.NotSupported("no game came to its end within the limits: give the search more time")
    if interrupted:
        raise interrupted


def _searches(
    rules: kb.Game, texts: list[str] | None, seconds: float | None, given: dict[str, int | None]
) -> list[kb.Algorithm]:
    """The searches, each with its share of the seconds."""
    if texts:
        named = split_algorithms(texts)
        shares = [(text, 1 / len(named)) for text in named]
    else:
        shares = [(search.spec, share) for search, share in suited(rules)]
    if not shares:
        raise kb.BadParameter(f"--with needs an algorithm; there are {', '.join(kb.algorithms())}")
    found = []
    for text, share in shares:
        search = kb.algorithm(text)
        for name, value in given.items():
            if value is not None and not knows(search, name):
                raise kb.BadParameter(f"--{name} means nothing to {search.name}")
            if value is not None:
                search = search.replace(**{name: value})
        limits = [getattr(search, limit) for limit in ("seconds", "nodes", "simulations") if knows(search, limit)]
        if seconds is not None or (all(limit is None for limit in limits) and not _ends(search)):
            search = search.replace(seconds=share * (_SECONDS if seconds is None else seconds))
        found.append(search)
    return found


def _ends(search: kb.Algorithm) -> bool:
    """Whether a search ends without limits in the time that one would wait for it."""
    return isinstance(search, kb.BeamSearch) and search.width is not None and not search.refine


def _known(rules: kb.Game, pos: kb.Position, path: Path | None) -> kb.PuzzleSolution | None:
    """The solution that is in the file already. What could not be saved in the end is refused before the search."""
    if path is None:
        return None
    if not isinstance(rules, kb.NativeGame):
        raise kb.BadParameter(f"a file could not name {rules}, which is written in Python: leave out --save")
    if not path.parent.is_dir():
        raise kb.BadParameter(f"there is no folder {path.parent}; choose another file")
    if not path.exists():
        return None
    known = kb.PuzzleSolution.load(path)
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
    known: kb.PuzzleSolution | None,
    json: bool,
) -> None:
    """Checks the best line by playing it, and saves and prints it."""
    solution = kb.PuzzleSolution(rules, pos, watcher.line, watcher.value)
    solution.verify()
    better = known is None or solution.score > known.score
    if path is not None and better:
        solution.save(path)
    if json:
        found = {
            "game": name,
            "position": str(pos),
            "algorithm": watcher.best.spec,
            "score": solution.score,
            "moves": list(solution.moves),
            "seconds": watcher.seconds,
            "simulations": watcher.playouts,
            "nodes": watcher.nodes,
        }
        print_json(found)
        return
    out.print(Text(" ".join(solution.moves), style="cyan"), soft_wrap=True)
    found_by = f"{counted(len(solution.moves), 'move')}, found by {watcher.best.spec}"
    out.print(Text.assemble((f"{solution.score:,g}", "bold green"), f" points in {found_by}"), soft_wrap=True)
    if watcher.proven:
        out.print("no line is better: it is proven")
    if path is not None and better:
        out.print(f"saved in {path}", markup=False, soft_wrap=True)
    elif path is not None and known is not None:
        out.print(f"{path} keeps its solution, which makes {known.score:,g} points", markup=False, soft_wrap=True)


class _Watcher:
    """The best line so far, and how it looks while the searches go on."""

    def __init__(self, searches: list[kb.Algorithm], lines: bool) -> None:
        self.lines = lines
        self.limits = [each.seconds for each in searches]
        self.began = time.perf_counter()
        self.search = self.best = searches[0]
        self.value: float = 0.0
        self.line: tuple[str, ...] = ()
        self.after = 0.0
        self.playouts = self.nodes = 0
        self.ended_nodes = self.ended_playouts = 0
        self.proven = False

    @property
    def seconds(self) -> float:
        """The time since all of it began."""
        return time.perf_counter() - self.began

    def begin(self, search: kb.Algorithm) -> None:
        """Another search begins."""
        self.search = search
        self.ended_nodes, self.ended_playouts = self.nodes, self.playouts

    def tell(self, step: kb.Iteration) -> None:
        """Takes a step of the search."""
        self._count(step.nodes, step.depth)
        if self.line and step.value <= self.value:
            return
        self.best, self.value, self.line = self.search, step.value, tuple(map(str, step.pv))
        self.after = self.seconds
        if self.lines:
            out.print(f"{self.after:8.1f} s  {step.value:,g} points in {counted(len(step.pv), 'move')}")

    def end(self, report: kb.Report) -> None:
        """Takes the report of a search that was not interrupted."""
        self._count(report.nodes, int(report.stats.get("simulations", 0)))
        self.proven = report.proven

    def _count(self, nodes: int, playouts: int) -> None:
        self.nodes, self.playouts = self.ended_nodes + nodes, self.ended_playouts + playouts

    def __rich__(self) -> Text:
        elapsed = self.seconds
        best = f"{self.value:,g} points in {counted(len(self.line), 'move')}" if self.line else "nothing yet"
        known = [limit for limit in self.limits if limit is not None]
        left = f", {span(max(0.0, sum(known) - elapsed))} left" if len(known) == len(self.limits) else ""
        found = f"  after {span(self.after)}" if self.line else ""
        work = f"  {amount(self.nodes)} positions" if self.nodes else ""
        name = f"  {self.search.name}"
        return Text.assemble(("best ", "bold"), (best, "bold green"), found, f"{work}{name}  {span(elapsed)}{left}")
