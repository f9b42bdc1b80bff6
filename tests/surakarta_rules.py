"""Surakarta once more, written apart from the native game: pieces walk point by point and around the corners.

Run as a program, it prints the counts of `crates/kibitz-games/tests/perft/surakarta.perft`.
"""

from __future__ import annotations

from collections.abc import Iterator

SIDE = 6
Point = tuple[int, int]
Board = dict[Point, str]
"""Columns and rows from 0, and whose piece stands there: `w` or `b`."""

START: Board = {(x, y): "w" if y < 2 else "b" for x in range(SIDE) for y in (0, 1, 4, 5)}


def turned(point: Point, way: Point) -> tuple[Point, Point] | None:
    """Where a piece comes back that leaves the board at a point in a direction, and in which; edges have no loop."""
    (x, y), (dx, dy) = point, way
    line = y if dx else x
    if line in (0, SIDE - 1):
        return None
    low = line < SIDE // 2
    # The loop goes around the nearer corner and ends as far from it on the other side.
    if dx:
        column = line if (dx < 0) == low else SIDE - 1 - line
        return ((column, 0), (0, 1)) if low else ((column, SIDE - 1), (0, -1))
    row = line if (dy < 0) == low else SIDE - 1 - line
    return ((0, row), (1, 0)) if low else ((SIDE - 1, row), (-1, 0))


def inside(point: Point) -> bool:
    return all(0 <= each < SIDE for each in point)


def captures(board: Board, start: Point) -> set[Point]:
    """The enemy pieces that the piece on a point can capture."""
    found = set()
    for way in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        point, heading, loops = start, way, 0
        for _ in range(4 * SIDE):
            ahead = (point[0] + heading[0], point[1] + heading[1])
            if inside(ahead):
                point = ahead
            else:
                around = turned(point, heading)
                if around is None:
                    break
                point, heading = around
                loops += 1
            if point != start and point in board:
                if board[point] != board[start] and loops:
                    found.add(point)
                break
    return found


def moves(board: Board, side: str) -> Iterator[tuple[Point, Point]]:
    for start in [point for point, owner in board.items() if owner == side]:
        for dx in (-1, 0, 1):
            for dy in (-1, 0, 1):
                target = (start[0] + dx, start[1] + dy)
                if inside(target) and target not in board:
                    yield start, target
        for target in captures(board, start):
            yield start, target


def perft(board: Board, side: str, depth: int) -> int:
    other = "b" if side == "w" else "w"
    total = 0
    for start, target in moves(board, side):
        after = {point: owner for point, owner in board.items() if point != start}
        after[target] = side
        total += perft(after, other, depth - 1) if depth > 1 else 1
    return total


def read(text: str) -> tuple[Board, str]:
    """The board and the side to move of a position as the game writes it."""
    grid, side = text.split()
    rows = grid.split("/")[::-1]
    return {(x, y): rows[y][x] for y in range(SIDE) for x in range(SIDE) if rows[y][x] != "."}, side


POSITIONS = (
    "bb.b.b/b.bb../..w..b/.b..w./w.w.ww/.ww.w. w",
    "b....b/....../..w.../...b../....../w....w b",
    ".b..../..b..w/....../.w..b./b....w/..w..b w",
    "...b../....../....../....../.w..../...... w",
)

if __name__ == "__main__":
    print("| start |", *(perft(START, "w", depth) for depth in range(1, 5)))
    for text in POSITIONS:
        print("|", text, "|", *(perft(*read(text), depth) for depth in range(1, 4)))
