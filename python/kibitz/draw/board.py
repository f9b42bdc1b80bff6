"""A board to look at, to click on and to walk over with the keyboard: the picture of a position with a layer on top.

The picture is that of the game, `position.svg()`. The layer knows nothing of games: it marks cells by their names
and draws arrows between them. Marks differ in shape and not only in colour: the last move is the corners of a frame,
what is selected a whole one, what can be clicked next a dot.
"""

from __future__ import annotations

import math
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from xml.sax.saxutils import quoteattr

from kibitz._core import Cell, Position
from kibitz.draw.clicks import Clicks
from kibitz.draw.tree import Drawing

__all__ = ["KEYBOARD", "STYLE", "Arrow", "board", "line", "trace"]

LAST, CHOSEN, ARROWS = "#D55E00", "#0072B2", ("#D55E00", "#0072B2", "#009E73", "#CC79A7")
"""The colours of Okabe and Ito, which everybody can tell apart; arrows of several searches have one each."""

_NUMBERS = ((0, -12), (0, 19), (-14, 5), (14, 5))
"""Where the number of an arrow stands beside its head, by the colour."""

STYLE = f"""
.kb-board {{ max-width: 100%; height: auto; touch-action: manipulation; user-select: none; }}
.kb-cell {{ fill: transparent; stroke: none; outline: none; }}
.kb-cell.kb-on {{ cursor: pointer; }}
.kb-cell.kb-on:hover {{ fill: {CHOSEN}; fill-opacity: .16; }}
.kb-cell:focus-visible {{ stroke: #000; stroke-width: 3; stroke-dasharray: 5 3; }}
.kb-mark, .kb-arrow, .kb-number {{ pointer-events: none; }}
"""
"""The look of the layer; every interactive board carries it."""

KEYBOARD = """
(() => {
  if (window.kibitzBoards) return;
  const boards = window.kibitzBoards = { cell: null };
  const cellOf = (node) => node instanceof Element ? node.closest('.kb-board [data-cell]') : null;
  const middle = (cell) => ['x', 'y'].map((axis, i) =>
    Number(cell.getAttribute(axis)) + Number(cell.getAttribute(['width', 'height'][i])) / 2);
  const focus = (cell) => {
    for (const other of cell.parentNode.children) other.setAttribute('tabindex', other === cell ? '0' : '-1');
    boards.cell = cell.dataset.cell;
    cell.focus();
  };
  const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  document.addEventListener('focusin', (event) => { boards.cell = cellOf(event.target)?.dataset.cell ?? null; });
  document.addEventListener('keydown', (event) => {
    const cell = cellOf(event.target);
    if (!cell) return;
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      cell.dispatchEvent(new MouseEvent('click', { bubbles: true, composed: true }));
    } else if (event.key in steps) {
      event.preventDefault();
      const [dx, dy] = steps[event.key], [x, y] = middle(cell);
      let best = null, least = Infinity;
      for (const other of cell.parentNode.children) {
        const [to_x, to_y] = middle(other), ahead = (to_x - x) * dx + (to_y - y) * dy;
        const aside = Math.abs((to_x - x) * dy) + Math.abs((to_y - y) * dx);
        if (other !== cell && ahead > 0.5 && aside <= ahead && ahead + 3 * aside < least) {
          best = other; least = ahead + 3 * aside;
        }
      }
      if (best) focus(best);
    }
  });
  // a board that takes the place of another keeps the focus where it was
  new MutationObserver(() => {
    if (boards.cell === null || document.activeElement !== document.body) return;
    const again = document.querySelector(`.kb-board [data-cell="${CSS.escape(boards.cell)}"]`);
    if (again) focus(again);
  }).observe(document.documentElement, { childList: true, subtree: true });
})();
"""
"""A script for a page with boards: arrow keys walk over the cells, Enter and the space bar click. Loading it twice is
harmless. A click bubbles to whatever contains the board; the cell is `event.target.closest("[data-cell]")`."""


@dataclass(frozen=True)
class Arrow:
    """An arrow from cell to cell, through any number of them, perhaps with a text at its head.

    One cell has a circle; `at` says where in it, if that is not its middle.
    """

    cells: tuple[str, ...]
    text: str = ""
    colour: str = ARROWS[0]
    at: tuple[float, float] | None = None


def trace(position: Position, move: Any, *, text: str = "", colour: str = ARROWS[0]) -> Arrow:
    """The arrow of a legal move: the plainest way to click it; without cells where it is not made on the picture."""
    ways = position.clicks(move)
    cells = tuple(ways[0]) if ways else ()
    return Arrow(cells, text, colour, _landing(position, move, cells[0]) if len(cells) == 1 else None)


def _landing(position: Position, move: Any, name: str) -> tuple[float, float] | None:
    """Where a piece comes to lie in a cell with room for several, such as a column: what is new there in the picture.

    Nothing where a cell is as wide as high, or where more than one place is new.
    """
    cell = next((each for each in position.cells() if each.name == name), None)
    # the whole picture tells what a player may not see
    if cell is None or cell.width == cell.height or position.game.hidden:
        return None
    new = _circles(position.play(move).svg()) - _circles(position.svg())
    places = {(x, y) for x, y, _ in new if cell.x <= x <= cell.x + cell.width and cell.y <= y <= cell.y + cell.height}
    return places.pop() if len(places) == 1 else None


def _circles(svg: str) -> set[tuple[float, float, str]]:
    """The middles of the circles of a picture, each with its look, which may be that of the group around it."""
    return {
        (float(each.get("cx", 0)), float(each.get("cy", 0)), f"{group.attrib} {each.attrib}")
        for group in ElementTree.fromstring(svg).iter()
        for each in group
        if each.tag.endswith("circle")
    }


def line(position: Position, moves: Iterable[Any], *, most: int = 4, colour: str = ARROWS[0]) -> tuple[Arrow, ...]:
    """Arrows for the first moves of a line from a position, with their numbers; chance ends it."""
    arrows: list[Arrow] = []
    for number, move in enumerate(moves, 1):
        if number > most or position.over or position.turn == "chance":
            break
        arrows.append(trace(position, move, text=str(number), colour=colour))
        position = position.play(move)
    return tuple(arrow for arrow in arrows if arrow.cells)


def board(
    position: Position,
    *,
    player: int | None = None,
    clicks: Clicks | None = None,
    last: Sequence[str] = (),
    arrows: Iterable[Arrow] = (),
    label: str = "",
) -> Drawing:
    """The picture of a position with marks, and with cells to click on if `clicks` is given.

    - `player`: whose view it is; nothing that this player cannot see is in the document;
    - `clicks`: how far a move is clicked: it says what is selected and what can be clicked next. Every cell becomes an
      element with `data-cell`, a label for screen readers and a place in the order of the keyboard (see `KEYBOARD`);
    - `last`: the cells of the last move, such as `before.clicks(move)[0]`; those that the picture no longer has are
      left out;
    - `label`: what the board is, for screen readers.

    >>> import kibitz as kb
    >>> start = kb.game("tic-tac-toe").start()
    >>> picture = kb.draw.board(start, clicks=kb.draw.Clicks.of(start))
    >>> picture.svg.count("data-cell")
    9
    """
    cells = {cell.name: cell for cell in position.cells(player)}
    picture = position.svg(player=player)
    words = label or f"{position.game.name} board"
    layer = [_corners(cells[name]) for name in dict.fromkeys(last) if name in cells]
    if clicks is not None:
        layer += [_frame(cells[name]) for name in dict.fromkeys(clicks.clicked) if name in cells]
    # numbers last, since arrows may cross
    parts = [part for arrow in arrows for part in _arrow(arrow, cells)]
    layer += sorted(parts, key=lambda part: part.startswith("<text"))
    if clicks is not None:
        # at the beginning of a move almost everything of the mover would have a dot
        if clicks.clicked:
            layer += [_dot(cells[name]) for name in sorted(clicks.next) if name in cells]
        layer.append(_targets(list(cells.values()), clicks))
    role = "group" if clicks is not None else "img"
    opening = f'<svg class="kb-board" role="{role}" aria-label={quoteattr(words)} '
    style = f"<style>{STYLE}</style>"
    body = picture.removeprefix("<svg ").removesuffix("</svg>")
    return Drawing(f"{opening}{body}{style}{''.join(layer)}</svg>")


def _corners(cell: Cell) -> str:
    """The corners of a frame: they leave the colour of what is inside as it is."""
    left, top, right, bottom = cell.x + 2, cell.y + 2, cell.x + cell.width - 2, cell.y + cell.height - 2
    side = max(4, min(cell.width, cell.height) // 4)
    path = (
        f"M{left} {top + side}v-{side}h{side}M{right - side} {top}h{side}v{side}"
        f"M{right} {bottom - side}v{side}h-{side}M{left + side} {bottom}h-{side}v-{side}"
    )
    common = f'class="kb-mark kb-last" d="{path}" fill="none" stroke-linejoin="round"'
    return (
        f'<path {common} stroke="#fff" stroke-width="6" stroke-opacity=".7"/>'
        f'<path {common} stroke="{LAST}" stroke-width="3.5"/>'
    )


def _frame(cell: Cell) -> str:
    return (
        f'<rect class="kb-mark kb-chosen" x="{cell.x + 3}" y="{cell.y + 3}" width="{cell.width - 6}" '
        f'height="{cell.height - 6}" rx="4" fill="none" stroke="{CHOSEN}" stroke-width="5"/>'
    )


def _middle(cell: Cell) -> tuple[float, float]:
    return cell.x + cell.width / 2, cell.y + cell.height / 2


def _dot(cell: Cell) -> str:
    x, y = _middle(cell)
    radius = max(4.0, min(cell.width, cell.height) * 0.17)
    return (
        f'<circle class="kb-mark kb-next" cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{CHOSEN}" stroke="#fff" '
        f'stroke-width="2"/>'
    )


def _targets(cells: list[Cell], clicks: Clicks) -> str:
    """The cells to click on. The tabulator stops at one of them: the last one clicked, or the first that can be."""
    live = clicks.next | clicks.first if clicks.move is None else frozenset()
    on = [cell.name for cell in cells if cell.name in clicks.next] or [cell.name for cell in cells]
    begin = clicks.clicked[-1] if clicks.clicked else next(iter(on), "")

    def target(cell: Cell) -> str:
        state = ", ".join(
            word
            for word, holds in (
                (cell.holds, True),
                ("selected", cell.name in clicks.clicked),
                ("can be clicked", cell.name in clicks.next),
            )
            if word and holds
        )
        words = f"{cell.name}: {state}" if state else cell.name
        kind = "kb-cell kb-on" if cell.name in live else "kb-cell"
        return (
            f'<rect class="{kind}" data-cell={quoteattr(cell.name)} role="button" '
            f'tabindex="{0 if cell.name == begin else -1}" aria-label={quoteattr(words)} '
            f'x="{cell.x}" y="{cell.y}" width="{cell.width}" height="{cell.height}"/>'
        )

    return f'<g class="kb-cells">{"".join(map(target, cells))}</g>'


def _arrow(arrow: Arrow, cells: dict[str, Cell]) -> list[str]:
    points = [_middle(cells[name]) for name in arrow.cells if name in cells]
    if not points:
        return []
    colour = quoteattr(arrow.colour)
    # where several searches agree, circles lie inside each other and numbers around the same place
    layer = ARROWS.index(arrow.colour) if arrow.colour in ARROWS else 0
    if len(points) == 1:
        points = [arrow.at or points[0]]
        x, y = points[0]
        cell = cells[next(name for name in arrow.cells if name in cells)]
        radius = min(cell.width, cell.height) * (0.36 - 0.09 * layer)
        path = f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}"'
    else:
        path = f'<path d="{_shaft(points)}"'
    common = 'class="kb-arrow" fill="none" stroke-linecap="round" stroke-linejoin="round"'
    parts = [
        f'{path} {common} stroke="#fff" stroke-width="8" stroke-opacity=".8"/>',
        f'{path} {common} stroke={colour} stroke-width="4.5"/>',
    ]
    if arrow.text:
        x, y = (at + shift for at, shift in zip(points[-1], _NUMBERS[layer], strict=True))
        look = f'fill={colour} stroke="#fff" stroke-width="4" paint-order="stroke" font-size="15" font-weight="bold"'
        parts.append(f'<text class="kb-number" x="{x:g}" y="{y:g}" {look}>{_text(arrow.text)}</text>')
    return parts


def _text(words: str) -> str:
    return quoteattr(words)[1:-1]


def _shaft(points: list[tuple[float, float]]) -> str:
    """A line through points with a head, whose sides are 12 units long each way."""
    (from_x, from_y), (x, y) = points[-2:]
    length = max(1.0, math.hypot(x - from_x, y - from_y))
    dx, dy = (x - from_x) / length * 12, (y - from_y) / length * 12
    sides = [(x - dx - turn * dy, y - dy + turn * dx) for turn in (0.8, -0.8)]
    way = "L".join(f"{at_x:g} {at_y:g}" for at_x, at_y in points)
    (left_x, left_y), (right_x, right_y) = sides
    return f"M{way}M{left_x:.1f} {left_y:.1f}L{x:g} {y:g}L{right_x:.1f} {right_y:.1f}"
