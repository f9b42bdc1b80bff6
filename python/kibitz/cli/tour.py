"""`kibitz demo`: a guided tour that plays, compares, measures and ends by itself."""

from __future__ import annotations

import inspect
import tempfile
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.columns import Columns
from rich.console import Console
from rich.panel import Panel
from rich.rule import Rule
from rich.syntax import Syntax
from rich.table import Table
from rich.text import Text

import kibitz as kb
from kibitz.cli.arguments import Json
from kibitz.cli.match import Watcher, table_of
from kibitz.cli.nim import Nim
from kibitz.cli.terminal import counting, duration, print_json, working

BOARD = "breakthrough:rows=6,cols=6"

STORY = """\
import kibitz as kb
game = kb.game("breakthrough", rows=6, cols=6)
pos = game.start()
str(pos)
pos.turn, len(pos.moves), pos.moves[:3]
pos = pos.play("b2-b3").play("e5-d4")
print(pos.board())
report = kb.AlphaBeta(depth=8).search(pos)
report.best, report.value, report.nodes
report.pv
report = kb.Uct(simulations=20_000, seed=1).search(pos)
report.best, round(report.value, 3)
kb.perft(pos, 4)
kb.playouts(pos, 10_000, seed=1).mean
kb.algorithm("alphabeta:depth=8,etc=false").spec
kb.games()
"""


@dataclass(frozen=True)
class Scale:
    """How much work the tour does."""

    game_depth: int = 10
    game_simulations: int = 200_000
    count_depth: int = 7
    match_games: int = 40
    match_depth: int = 2
    match_simulations: int = 20_000


QUICK = Scale(game_depth=5, game_simulations=5_000, count_depth=5, match_games=6, match_simulations=300)


def demo(
    quick: Annotated[bool, typer.Option("--quick", help="The same tour with less work: a few seconds.")] = False,
    json: Json = False,
) -> None:
    """A guided tour: boards, a game, node counts, a match, a published table, a game in Python. It ends by itself."""
    scale = QUICK if quick else Scale()
    console = Console(highlight=False, emoji=False, quiet=json)
    sections = {"game": _game, "nodes": _nodes, "match": _match, "reproduce": _reproduce, "python": _python}
    console.print(Panel(Text("kibitz: a laboratory for selective search in games", justify="center", style="bold")))
    _story(console)
    measured = {name: section(console, scale) for name, section in sections.items()}
    _next(console)
    if json:
        print_json(measured)


def _title(console: Console, text: str) -> None:
    console.print()
    console.print(Rule(Text(text, style="bold"), align="left"))
    console.print()


def _story(console: Console) -> None:
    """Shows the lines of the story as in a Python session, with what they give here and now."""
    _title(console, "1. Positions and searches")
    names: dict[str, Any] = {}
    for line in STORY.splitlines():
        console.print(Syntax(f">>> {line}", "pycon", background_color="default"))
        if line.startswith("print("):
            console.print(eval(line[len("print(") : -1], names), markup=False)
        elif "import" in line or " = " in line.partition("(")[0]:
            exec(line, names)
        else:
            console.print(repr(eval(line, names)), markup=False, style="green")


def _game(console: Console, scale: Scale) -> dict[str, Any]:
    _title(console, "2. A game of Breakthrough: alpha-beta against UCT")
    players: tuple[kb.Algorithm, ...] = (
        kb.AlphaBeta(depth=scale.game_depth, tt_mb=16),
        kb.Uct(simulations=scale.game_simulations, seed=1),
    )
    for side, player in zip("wb", players, strict=True):
        console.print(Text(f"{side}  {player}"))
    console.print()
    positions: list[kb.Position] = [kb.game(BOARD).start()]
    moves: list[str] = []
    usual = round(kb.playouts(positions[0], 1_000, seed=1).plies)
    with counting(console) as bar:
        task = bar.add_task("plies", total=usual, note="")
        while not positions[-1].over:
            pos = positions[-1]
            assert isinstance(pos.turn, int)
            report = players[pos.turn].search(pos)
            moves.append(str(report.best))
            positions.append(pos.play(report.best))
            note = f"{players[pos.turn].name} {report.best} {report.value:+.2f}"
            bar.update(task, completed=len(moves), total=max(usual, len(moves)), note=note)
    last = len(positions) - 1
    moments = sorted({0, last // 3, 2 * last // 3, last})
    console.print(
        Columns([Panel(Text(positions[each].board()), title=f"after {each} plies", expand=False) for each in moments])
    )
    numbered = (f"{ply // 2 + 1}. {' '.join(moves[ply : ply + 2])}" for ply in range(0, len(moves), 2))
    console.print(Text("  ".join(numbered)))
    result = positions[-1].result or ()
    winner = players[result.index(max(result))]
    console.print(Text.assemble((f"{winner.name} wins", "bold green"), f" after {len(moves)} plies."))
    return {"players": [player.spec for player in players], "moves": moves, "result": result, "winner": winner.spec}


def _searches(depth: int) -> Iterator[tuple[str, kb.Algorithm]]:
    """Minimax, plain alpha-beta, alpha-beta with each enhancement alone, and with all."""
    # same_depth: only entries of exactly the depth needed, so that every row must give minimax's value.
    plain = kb.AlphaBeta(
        depth=depth, deepening=False, tt_mb=0, same_depth=True, etc=False, killers=False, history=False, hints=False
    )
    yield "minimax", kb.Minimax(depth=depth)
    yield "alpha-beta", plain
    yield "+ iterative deepening", plain.replace(deepening=True)
    yield "+ transposition table", plain.replace(tt_mb=16)
    yield "+ table and its cutoffs (ETC)", plain.replace(tt_mb=16, etc=True)
    yield "+ killer moves", plain.replace(killers=True)
    yield "+ history heuristic", plain.replace(history=True)
    yield "+ the game's own hints", plain.replace(hints=True)
    yield "everything together", kb.AlphaBeta(depth=depth, tt_mb=16, same_depth=True)


def _nodes(console: Console, scale: Scale) -> list[dict[str, Any]]:
    _title(console, "3. What each enhancement of alpha-beta saves")
    pos = kb.game(BOARD).start()
    searches = list(_searches(scale.count_depth))
    found: list[tuple[str, kb.Report]] = []
    with counting(console) as bar:
        task = bar.add_task("searches", total=len(searches), note="")
        for name, algorithm in searches:
            bar.update(task, note=name)
            found.append((name, algorithm.search(pos)))
            bar.advance(task)
    base = found[0][1]
    table = Table(title=f"The start of {BOARD}, {scale.count_depth} plies deep", title_justify="left")
    table.add_column("search")
    for column in ("value", "nodes", "minimax / this", "time"):
        table.add_column(column, justify="right")
    for name, report in found:
        ratio = f"{base.nodes / report.nodes:,.0f}"
        table.add_row(name, f"{report.value:+.3f}", f"{report.nodes:,}", ratio, duration(report.seconds))
    console.print(table)
    same = all(report.value == base.value for _, report in found)
    console.print("All agree on the value." if same else Text("The values differ: this is a bug.", style="bold red"))
    return [
        {"search": name, "value": report.value, "nodes": report.nodes, "seconds": report.seconds}
        for name, report in found
    ]


def _match(console: Console, scale: Scale) -> dict[str, Any]:
    _title(console, "4. A match with a confidence interval")
    players = {
        "wide": kb.Uct(simulations=scale.match_simulations),
        "deep": kb.AlphaBeta(depth=scale.match_depth, tt_mb=1),
    }
    listed = " against ".join(f"{name} ({player})" for name, player in players.items())
    console.print(Text(f"{listed} on {BOARD}: every opening of two random plies is played from both sides."))
    watcher = Watcher(console)
    with watcher:
        found = kb.match(BOARD, players, games=scale.match_games, openings=2, progress=watcher.tell)
    console.print(table_of(found))
    console.print(found.summary, markup=False)
    best = found.standings[0]
    sure = best.interval.low > best.par
    console.print(f"{best.name} is stronger here." if sure else "Too few games to tell which is stronger.")
    return found.as_dict()


_ROWS = 5
"""So many rows of the published table are shown."""


def _reproduce(console: Console, scale: Scale) -> dict[str, Any]:  # noqa: ARG001
    _title(console, "5. A published table, measured again")
    from kibitz.experiments import experiment, reproduce
    from kibitz.store import Store

    chosen = experiment("rutko-table-3")
    console.print(Text(f"{chosen.paper}: {chosen.table}. {chosen.title}."))
    with (
        working("random trees", console=console),
        tempfile.TemporaryDirectory() as folder,
        Store.open(Path(folder) / "results.db") as store,
    ):
        (outcome,) = reproduce([chosen], "quick", store=store)
    table = Table("", "published", "measured", "95 % interval", "verdict")
    for row in outcome.rows[:_ROWS]:
        interval = "" if row.interval is None else f"{row.interval.low:.4g} to {row.interval.high:.4g}"
        cells = (
            "" if value is None else f"{value:.4g}" if isinstance(value, float) else str(value)
            for value in (row.published, row.measured)
        )
        table.add_row(row.label, *cells, interval, row.verdict)
    console.print(table)
    console.print(f"and {len(outcome.rows) - _ROWS} more rows: kibitz reproduce {chosen.id}")
    return outcome.as_dict()


def _python(console: Console, scale: Scale) -> dict[str, Any]:  # noqa: ARG001
    _title(console, "6. A game written in Python")
    source = inspect.getsource(Nim)
    console.print(Syntax(textwrap.dedent(source), "python", background_color="default"))
    report = _solve(Nim((3, 4, 5)))
    console.print(Syntax(">>> kb.AlphaBeta().search(Nim((3, 4, 5)).start())", "pycon", background_color="default"))
    console.print(
        Text(f"best={report.best}, value={report.value}, proven={report.proven}, nodes={report.nodes}", style="green")
    )
    shapes = [(a, b, c) for a in range(4) for b in range(4) for c in range(4)]
    agree = 0
    for a, b, c in shapes:
        agree += (_solve(Nim((a, b, c))).value > 0) == (a ^ b ^ c != 0)
    console.print(
        f"Of {len(shapes)} starts with three piles of up to 3 stones, the search solves {agree} as Bouton's theorem "
        "(1901) says: who moves wins unless the exclusive or of the piles is zero."
    )
    return {
        "best": str(report.best),
        "value": report.value,
        "proven": report.proven,
        "starts": len(shapes),
        "agree": agree,
    }


def _solve(game: kb.Game) -> kb.Report:
    return kb.AlphaBeta(tt_mb=1).search(game.start())


def _next(console: Console) -> None:
    _title(console, "7. Where to go next")
    table = Table(box=None, show_header=False, pad_edge=False)
    for command, what in (
        ("kibitz games", "all games with their parameters"),
        (f"kibitz play {BOARD}", "play against UCT"),
        ("kibitz analyze othello --with alphabeta,uct --seconds 5", "watch two searches think"),
        ("kibitz match othello alphabeta:depth=4 uct:simulations=2000 --games 100 --openings 6", "compare two players"),
        ("kibitz reproduce", "published tables, to be measured again"),
        ("kibitz complexity connect-four", "how large a game is"),
        ("kibitz play game.py:MyGame", "play a game that you wrote in Python"),
        ("kibitz COMMAND --help", "everything else"),
    ):
        table.add_row(Text(command, style="bold cyan"), what)
    console.print(table)
