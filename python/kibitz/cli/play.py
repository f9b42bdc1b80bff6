"""`kibitz play`: people and engines at one board."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

import kibitz as kb
from kibitz.cli.analyze import With
from kibitz.cli.arguments import GameText, Json, PositionText, read_algorithms
from kibitz.cli.record import Record
from kibitz.cli.show import result_text
from kibitz.cli.terminal import counted, err, out, print_json, reason, working

_HELP = """\
a move     play it, as in: {example}
moves      list the legal moves
board      show the board again
hint       ask the engine what it would play
undo       take back your last move and what followed it
save FILE  save the game
load FILE  load a saved game
resign     give up
quit       leave (so does Ctrl-D)"""


def play(
    game: GameText,
    position: PositionText = None,
    engines: With = None,
    side: Annotated[
        str,
        typer.Option("--side", metavar="0|1|…|both|none", help="Who you are; several: 0,2; none to watch."),
    ] = "0",
    seed: Annotated[int, typer.Option("--seed", metavar="S", help="Seed of the rolls of chance.")] = 0,
    json: Json = False,
) -> None:
    """Play against an engine (uct with a second a move, if none is named), or watch engines play.

    Where an engine must guess what it cannot see, it is simulation instead.
    """
    record = Record(game, position)
    humans = _sides(side, record.rules.players)
    rules = record.rules._rules
    texts = engines or ["simulation:seconds=1" if rules.hidden and not rules.has_belief else "uct:seconds=1"]
    table = Table(record, humans, read_algorithms(texts), seed, err if json else out)
    if humans and sys.stdin.isatty():
        import readline  # noqa: F401  (line editing at the prompt)
    table.run()
    if json:
        record = table.record
        final = {"final": str(record.now), "result": record.now.result, "resigned": table.resigned}
        print_json({**record.as_dict(), **final})


def _view(pos: kb.Position, player: int | None = None) -> str:
    """What a player sees: a board, where the view of a player is a position of the game."""
    view = pos.view(player)
    try:
        return f"\n{pos.game.position(view).board()}"
    except kb.BadPosition:
        return view


def _sides(text: str, players: int) -> frozenset[int]:
    if text in ("both", "all"):
        return frozenset(range(players))
    if text == "none":
        return frozenset()
    try:
        sides = frozenset(map(int, text.split(",")))
    except ValueError:
        sides = frozenset({-1})
    if not all(0 <= side < players for side in sides):
        raise kb.BadParameter(f"--side {text} must be 0 to {players - 1}, several with commas, both or none")
    return sides


class Table:
    """The people and engines around one record."""

    def __init__(
        self, record: Record, humans: frozenset[int], engines: list[kb.Algorithm], seed: int, console: Console
    ) -> None:
        self.record = record
        self.humans = humans
        self.engines = engines
        # An engine may go on with what it found at its last move.
        self.sessions: dict[object, kb.Session] = {}
        self.seed = seed
        self.console = console
        self.resigned: int | None = None
        self.leaving = False
        self.seen = -1
        self.commands: dict[str, Callable[[str], None]] = {
            "moves": self._moves,
            "board": self._board,
            "hint": self._hint,
            "undo": self._undo,
            "save": self._save,
            "load": self._load,
            "resign": self._resign,
            "help": self._help,
            "quit": self._quit,
        }

    def run(self) -> None:
        """Plays until the game is over or the human leaves."""
        if self.humans:
            self._say("Type a move, or help.", "dim")
        while not self.leaving:
            pos = self.record.now
            if pos.over:
                self._show(pos)
                self._say(f"The game is over: {result_text(pos.result or ())}.", "bold")
                return
            if pos.turn == "chance":
                self._roll(pos)
            elif pos.turn in self.humans:
                self._ask(pos)
            else:
                self._think(pos)

    def _engine(self, player: object) -> kb.Algorithm:
        """Engines take the seats without people in order, again and again."""
        seats = [seat for seat in range(self.record.rules.players) if seat not in self.humans]
        return self.engines[seats.index(player) % len(self.engines)] if player in seats else self.engines[0]

    def _roll(self, pos: kb.Position) -> None:
        # The roll depends on how many moves were played, not on how often: undo does not change one's luck.
        outcomes = pos.outcomes
        dice = random.Random(f"{self.seed} {len(self.record.moves)}")
        (outcome,) = dice.choices([move for move, _ in outcomes], [probability for _, probability in outcomes])
        text = self.record.play(outcome)
        if not self.record.hidden:
            self._say(f"chance: {text}", "magenta")

    def _think(self, pos: kb.Position) -> None:
        if not self.humans:
            self._show(pos)
        engine = self._engine(pos.turn)
        session = self.sessions.setdefault(pos.turn, engine.session())
        with working(f"{engine.name} thinks", engine.seconds):
            report = session.search(pos)
        text = self.record.play(report.best)
        if self.record.hidden and self.humans:
            text = "has moved"
        self._say(f"player {pos.turn} ({engine.name}): {text}", "cyan")

    def _ask(self, pos: kb.Position) -> None:
        if self.seen != len(self.record.moves):
            self._show(pos)
        self.seen = len(self.record.moves)
        line = self._read(f"player {pos.turn}> ")
        if line is None:
            self.leaving = True
            return
        word, _, rest = line.partition(" ")
        if not line:
            return
        if word in self.commands and line not in map(pos.notation, pos.moves):
            try:
                self.commands[word](rest.strip())
            except (kb.Error, OSError) as error:
                self._say(reason(error), "red")
            return
        try:
            self.record.play(line)
        except kb.IllegalMove:
            # The exception's own message would show the whole position, hidden cards included.
            self._say(f"{line!r} is not a legal move here; moves lists them, help tells the commands", "red")

    def _read(self, prompt: str) -> str | None:
        """A line, or `None` at the end of the input. A script's lines are echoed, for a readable transcript."""
        try:
            if sys.stdin.isatty():
                return self.console.input(Text(prompt, style="bold")).strip()
            line = sys.stdin.readline()
        except (EOFError, UnicodeDecodeError):
            line = ""
        self._say(f"{prompt}{line.rstrip()}", "bold")
        return line.strip() if line else None

    def _show(self, pos: kb.Position) -> None:
        if not self.record.hidden or not self.humans:
            self.console.print()
            self._say(pos.board())
        elif pos.turn in self.humans:
            self._say(f"you see {_view(pos)}")
        else:
            for human in sorted(self.humans):
                self._say(f"player {human} sees {_view(pos, human)}")

    def _say(self, text: str, style: str = "") -> None:
        self.console.print(Text(text, style=style), soft_wrap=True)

    def _moves(self, _: str) -> None:
        pos = self.record.now
        self.console.print(Text("  ".join(map(pos.notation, pos.moves))))

    def _board(self, _: str) -> None:
        self._show(self.record.now)

    def _hint(self, _: str) -> None:
        pos = self.record.now
        engine = self._engine(pos.turn)
        with working(f"{engine.name} thinks", engine.seconds):
            report = engine.search(pos)
        self._say(f"{engine.name} would play {pos.notation(report.best)} ({report.value:+.3g} for you)", "cyan")

    def _undo(self, _: str) -> None:
        turns = [pos.turn for pos in self.record.positions[:-1]]
        if not any(turn in self.humans for turn in turns):
            self._say("there is nothing to take back", "red")
            return
        self.record.undo()
        while self.record.now.turn not in self.humans:
            self.record.undo()
        self.seen = -1

    def _save(self, name: str) -> None:
        path = self._path(name, "save")
        self.record.save(path)
        self._say(f"saved as {path}")

    def _load(self, name: str) -> None:
        path = self._path(name, "load")
        record = Record.load(path, self.record.game)
        if record.rules.players != self.record.rules.players:
            players = counted(record.rules.players, "player")
            raise kb.Error(f"{path} is a game of {players}; start it with kibitz play {record.game}")
        self.record = record
        self.seen = -1
        self._say(f"loaded {path}: {record.game}, {counted(len(record.moves), 'move')}")

    def _path(self, name: str, command: str) -> Path:
        if not name or "\0" in name:
            raise kb.BadParameter(f"{command} needs the name of a file: {command} game.json")
        try:
            return Path(name).expanduser()
        except RuntimeError:  # ~name of nobody
            return Path(name)

    def _resign(self, _: str) -> None:
        turn = self.record.now.turn
        self.resigned = turn if isinstance(turn, int) else None
        self._say(f"Player {turn} resigns.", "bold")
        self.leaving = True

    def _help(self, _: str) -> None:
        pos = self.record.now
        self._say(_HELP.format(example=pos.notation(pos.moves[0])))

    def _quit(self, _: str) -> None:
        self.leaving = True
