"""The list of moves, and how a game ended."""

from __future__ import annotations

import html

from kibitz.web.games import PlayedGame

__all__ = ["ended", "moves_html"]

_SHOWN = 400
"""Moves on the list. All of it is sent after every move, so that it must not grow for ever."""


def moves_html(game: PlayedGame, viewer: int | None, looking: int | None) -> str:
    """The moves as whoever looks on from a seat knows them; `looking` is the number of the one that is shown."""
    rows: list[str] = []
    for number, played in enumerate(game.moves):
        text = game.notation(number, viewer)
        if played.move.seat is None and text is None:
            continue  # a deal
        who = "chance" if played.move.seat is None else game.seats[played.move.seat].name
        shown = html.escape("has moved" if text is None else text)
        value = played.move.value if (played.move.nodes or 0) > 1 else None
        figure = "" if value is None or not game.open else f'<span class="lab-figure">{value:+.2f}</span>'
        here = ' aria-current="step"' if looking == number + 1 else ""
        rows.append(
            f'<li><button type="button" data-move-number="{number + 1}"{here}>'
            f'<span class="lab-soft">{len(rows) + 1}</span> <span class="lab-who">{html.escape(who)}</span> '
            f"<b>{shown}</b>{figure}</button></li>"
        )
    if not rows:
        return '<p class="lab-soft">No moves yet.</p>'
    earlier = f'<li class="lab-soft">{len(rows) - _SHOWN:,} earlier moves</li>' if len(rows) > _SHOWN else ""
    return f'<ol aria-label="Moves">{earlier}{"".join(rows[-_SHOWN:])}</ol>'


def ended(game: PlayedGame) -> str:
    """How a game ended, in words."""
    result = game.result or ()
    names = [seat.name for seat in game.seats]
    reason = ""
    if game.ending is not None:
        who = names[game.ending.seat] if game.ending.seat is not None else ""
        reason = {"resigned": f"{who} resigned. ", "time": f"{who} ran out of time. ", "length": ""}[game.ending.reason]
        if game.ending.reason == "length":
            reason = f"Nobody won within {game.max_plies} moves. "
    if len(result) == 1:
        return f"{reason}The game is over. The score is {result[0]:g}."
    best = max(result)
    winners = [name for name, score in zip(names, result, strict=True) if score == best]
    scores = ", ".join(f"{name} {score:g}" for name, score in zip(names, result, strict=True))
    if len(winners) == len(result):
        return f"{reason}The game is over. A draw ({scores})."
    return f"{reason}The game is over. {' and '.join(winners)} won ({scores})."
