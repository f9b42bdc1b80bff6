"""A game in a notebook: people click, engines answer, chance throws its dice."""

from __future__ import annotations

import random
from collections.abc import Mapping
from html import escape
from typing import TYPE_CHECKING, Any

from kibitz._core import Position
from kibitz.draw.board import board
from kibitz.draw.clicks import Clicks
from kibitz.errors import BadParameter, NotSupported
from kibitz.search import Algorithm

if TYPE_CHECKING:
    from kibitz.widget import PlayWidget

__all__ = ["Table", "play_widget"]


class Table:
    """A game with people and engines at it, and the page that shows it.

    `engines` has the algorithm of each player that a person does not play. Engines and chance move as soon as it is
    their turn. Where a game hides something, the page shows what the person to move sees.
    """

    def __init__(self, position: Position, engines: Mapping[int, Algorithm] | None = None, seed: int = 0) -> None:
        if not isinstance(position, Position):
            raise TypeError(f"a game is played from a position, not from {type(position).__name__}")
        players = position.game.players
        for player, engine in (engines or {}).items():
            if player not in range(players):
                raise BadParameter(f"no player {player}: this game has {players}, counted from 0")
            if not callable(getattr(engine, "search", None)):
                raise BadParameter(f"engine {engine!r:.40} is no algorithm; give one such as kb.AlphaBeta(depth=4)")
        self._engines = dict(engines or {})
        self._random = random.Random(seed)
        self._past: list[tuple[Position, str]] = []
        self._clicks = Clicks(())
        self._viewer = next((player for player in range(players) if player not in self._engines), None)
        self._show(position)
        self._answer()

    @property
    def position(self) -> Position:
        """The position on the board."""
        return self._position

    @property
    def moves(self) -> tuple[str, ...]:
        """The moves so far, those of engines and of chance among them."""
        return tuple(move for _, move in self._past)

    def hear(self, message: Mapping[str, Any]) -> None:
        """What a person did on the page: clicked a cell, chose a move, or asked to take one back."""
        if message.get("ply") != len(self._past):
            return
        cell, move = message.get("cell"), message.get("move")
        if isinstance(cell, str):
            self._clicks = self._clicks.click(cell)
        elif isinstance(move, str):
            self._clicks = self._clicks.choose(move)
        elif message.get("action") == "undo":
            self.undo()
        if self._clicks.move is not None:
            self._play(self._clicks.move)
            self._answer()

    def undo(self) -> None:
        """Takes back everything since a person was last to move; nothing where no person has moved."""
        while self._past:
            position, _ = self._past.pop()
            if self._human(position):
                self._show(position)
                return
            if not self._past:
                self._show(position)
                self._answer()

    def _human(self, position: Position) -> bool:
        turn = position.turn
        return isinstance(turn, int) and turn not in self._engines

    def _play(self, move: Any) -> None:
        self._past.append((self._position, self._position.notation(move)))
        self._show(self._position.play(move))

    def _show(self, position: Position) -> None:
        self._position = position
        human = self._human(position)
        if human:
            self._viewer = position.turn if isinstance(position.turn, int) else None
        self._clicks = Clicks.of(position) if human else Clicks(())

    def _answer(self) -> None:
        while not self._position.over and not self._human(self._position):
            turn = self._position.turn
            if turn == "chance":
                outcomes, weights = zip(*self._position.outcomes, strict=True)
                self._play(self._random.choices(outcomes, weights)[0])
            else:
                assert isinstance(turn, int)
                self._play(self._engines[turn].search(self._position).best)

    @property
    def state(self) -> str:
        """What happens next, in words."""
        position = self._position
        if position.over:
            results = position.result or ()
            return "The game is over: " + ", ".join(
                f"player {player} {result:+g}" for player, result in enumerate(results)
            )
        if self._clicks.choices:
            return f"Player {position.turn} chooses"
        return f"Player {position.turn} to move"

    def page(self) -> str:
        """The board and its buttons as HTML; what can be clicked has `data-cell`, `data-move` or `data-action`."""
        hidden = self._position.game.hidden
        last: list[str] = []
        if self._past:
            before, move = self._past[-1]
            last = next(iter(before.clicks(move)), []) if before.turn != "chance" else []
        drawn = board(
            self._position,
            player=self._viewer if hidden else None,
            clicks=self._clicks,
            last=last,
            label=f"{self._position.game.name}, {self.state}",
        ).svg
        offers = self._clicks.choices or (self._clicks.buttons if not self._clicks.clicked else ())
        buttons = "".join(
            f'<button type="button" data-move="{escape(move, quote=True)}">{escape(move)}</button> ' for move in offers
        )
        undo = '<button type="button" data-action="undo">undo</button>' if self._past else ""
        played = "" if hidden else " ".join(f"{n}. {escape(move)}" for n, move in enumerate(self.moves, 1))
        return (
            f'<div class="kb-play">{drawn}<p aria-live="polite">{escape(self.state)}</p>'
            f"<p>{buttons}{undo}</p><p><small>{played}</small></p></div>"
        )


def play_widget(position: Position, *, engines: Mapping[int, Algorithm] | None = None, seed: int = 0) -> PlayWidget:
    """A board in a notebook on which people play by clicking, against each other or against engines.

    - `engines`: the algorithms of the players that no person plays, such as `{1: kb.AlphaBeta(depth=4)}`;
    - `seed`: of the dice and of the cards.

    `widget.position` is the position on the board, `widget.moves` are the moves so far. It needs anywidget, which
    works in Jupyter, JupyterLab, VS Code, Colab and marimo: `pip install 'kibitz[notebook]'`.

        widget = kb.play_widget(kb.game("fanorona").start(), engines={1: kb.AlphaBeta(seconds=1)})
    """
    table = Table(position, engines, seed)
    try:
        from kibitz.widget import PlayWidget
    except ImportError as error:
        raise NotSupported(f"play_widget needs anywidget: pip install 'kibitz[notebook]' ({error})") from None
    return PlayWidget(table)
