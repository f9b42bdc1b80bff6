"""Dice, ChanceBreakthrough and Stratego once more, written apart from the native games: plain boards, square by square.

Run as a program, it prints the counts of the files `dice`, `chance-breakthrough` and `stratego` in
`crates/kibitz-games/tests/perft`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

Board = tuple[str, ...]


class Dice:
    """Board, player to move, and the line that was rolled: -1 before the roll, -2 for a full one."""

    def __init__(self, size: int, k: int = 0, passes: bool = False) -> None:
        self.size, self.k, self.passes = size, k or size, passes

    def start(self) -> tuple[Board, int, int]:
        return ("." * self.size,) * self.size, 0, -1

    def has_line(self, board: Board, own: str) -> bool:
        reach = range(self.size)
        for row in reach:
            for col in reach:
                for up, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                    cells = [(row + n * up, col + n * right) for n in range(self.k)]
                    if all(r in reach and c in reach and board[r][c] == own for r, c in cells):
                        return True
        return False

    def over(self, board: Board) -> bool:
        if self.has_line(board, "C") or self.has_line(board, "R"):
            return True
        hopeful = [tuple("".join(own if c == "." else c for c in row) for row in board) for own in "CR"]
        return not (self.has_line(hopeful[0], "C") or self.has_line(hopeful[1], "R"))

    def children(self, state: tuple[Board, int, int]) -> Iterator[tuple[Board, int, int]]:
        board, turn, die = state
        if self.over(board):
            return
        lines = [[(n, line) if turn == 0 else (line, n) for n in range(self.size)] for line in range(self.size)]
        empty = [[(r, c) for r, c in line if board[r][c] == "."] for line in lines]
        if die == -1:
            yield from ((board, turn, n) for n in range(self.size) if empty[n])
            if self.passes and not all(empty):
                yield board, turn, -2
        elif die == -2:
            yield board, 1 - turn, -1
        else:
            for row, col in empty[die]:
                changed = board[row][:col] + "CR"[turn] + board[row][col + 1 :]
                yield (*board[:row], changed, *board[row + 1 :]), 1 - turn, -1


class ChanceBreakthrough:
    """Board with row 1 first, player to move, and whether the dice fall."""

    def __init__(self, rows: int, cols: int, ranks: int = 2) -> None:
        self.rows, self.cols, self.ranks = rows, cols, ranks

    def start(self) -> tuple[Board, int, bool]:
        empty = self.rows - 2 * self.ranks
        return ("w" * self.cols,) * self.ranks + ("." * self.cols,) * empty + ("b" * self.cols,) * self.ranks, 0, False

    def children(self, state: tuple[Board, int, bool]) -> Iterator[tuple[Board, int, bool]]:
        board, turn, rolling = state
        text = "".join(board)
        squares = [(r, c) for r in range(self.rows) for c in range(self.cols)]

        def changed(changes: dict[tuple[int, int], str]) -> Board:
            return tuple("".join(changes.get((r, c), board[r][c]) for c in range(self.cols)) for r in range(self.rows))

        if rolling:
            yield from (
                (changed({square: "."}), 1 - turn, False) for square in squares if board[square[0]][square[1]] != "."
            )
            if "." in text:
                yield board, 1 - turn, False
            return
        if "w" in board[-1] or "b" in board[0] or "w" not in text or "b" not in text:
            return
        own, ahead = "wb"[turn], (1, -1)[turn]
        for row, col in squares:
            if board[row][col] != own:
                continue
            for right in (-1, 0, 1):
                to = row + ahead, col + right
                if not (0 <= to[0] < self.rows and 0 <= to[1] < self.cols):
                    continue
                there = board[to[0]][to[1]]
                if there == "." or (right and there != own):
                    yield changed({(row, col): ".", to: own}), 1 - turn, False
        yield board, turn, True


RANKS = "MGCJPLRNTSBF"
LAKES = {(row, col) for row in (4, 5) for col in (2, 3, 6, 7)}


class Stratego:
    """Board with row 1 first and player to move. No count goes so deep that the rules of repetition matter."""

    def read(self, text: str) -> tuple[Board, int]:
        grid, side = text.split()[:2]
        return tuple(reversed(grid.split("/"))), "wb".index(side)

    def children(self, state: tuple[Board, int]) -> Iterator[tuple[Board, int]]:
        board, turn = state
        text = "".join(board)
        if "F" not in text or "f" not in text:
            return
        for row in range(10):
            for col in range(10):
                piece = board[row][col]
                if piece in ".X" or piece.isupper() != (turn == 0) or piece in "BFbf":
                    continue
                for up, right in ((0, 1), (0, -1), (1, 0), (-1, 0)):
                    for length in range(1, 10 if piece in "Tt" else 2):
                        to = row + length * up, col + length * right
                        if not (0 <= to[0] < 10 and 0 <= to[1] < 10) or to in LAKES:
                            break
                        there = board[to[0]][to[1]]
                        if there != "." and there.isupper() == piece.isupper():
                            break
                        grid = [list(line) for line in board]
                        grid[row][col] = "."
                        grid[to[0]][to[1]] = self.survivor(piece, there)
                        yield tuple("".join(line) for line in grid), 1 - turn
                        if there != ".":
                            break

    def survivor(self, attacker: str, defender: str) -> str:
        """What stands on the square of the defender afterwards."""
        one, two = attacker.upper(), defender.upper()
        if two in ".F" or (one, two) in (("N", "B"), ("S", "M")):
            return attacker
        if two == "B":
            return defender
        if one == two:
            return "."
        return attacker if RANKS.index(one) < RANKS.index(two) else defender


def counts(game: Dice | ChanceBreakthrough | Stratego, state: object, depth: int) -> list[int]:
    """The numbers of sequences of 1, 2, … moves."""

    @cache
    def count(state: object, depth: int) -> int:
        below = list(game.children(state))  # type: ignore[arg-type]
        return len(below) if depth == 1 else sum(count(child, depth - 1) for child in below)

    return [count(state, depth) for depth in range(1, depth + 1)]


def placements(depth: int) -> list[int]:
    """The sequences of so many pieces out of an army: one count for each number of different orders."""
    army = (1, 1, 2, 3, 4, 4, 4, 5, 8, 1, 6, 1)

    @cache
    def count(left: tuple[int, ...], depth: int) -> int:
        some = [rank for rank, n in enumerate(left) if n]
        if depth == 1:
            return len(some)
        return sum(count((*left[:rank], left[rank] - 1, *left[rank + 1 :]), depth - 1) for rank in some)

    return [count(army, depth) for depth in range(1, depth + 1)]


STRATEGO = (
    (
        "start",
        "jnbfbnltnc/lrgbrtsmbr/cbpjlnbntt/ptlttptjrp/..XX..XX../"
        "..XX..XX../TLRCTLJPLT/PTNTLTPGBT/BRSMNBCRJP/FBNJBRBNTN w",
        4,
    ),
    (
        "middle",
        "jnbfb..tnc/lr.brts.b./.bpj.nbn../p.l..p.jr./.gXXT.XXt./"
        "..XXm.XXL./T.RC.LJPL./P.NT.TPGB./BRSMNBCRJ./FBNJ.RBNT. w",
        4,
    ),
    (
        "end",
        "f..b....../b......n../....N...../t......p../..XX..XX../"
        "..XX..XXT./..J......./.....s..../.M......../F....B.... b",
        5,
    ),
)


def main() -> None:
    """Prints the counts."""

    def line(params: str, position: str, found: list[int]) -> None:
        print(f"{params} | {position} | {' '.join(map(str, found))}")

    for size, k, passes, depth in (
        (5, 0, False, 6),
        (3, 0, False, 18),
        (3, 0, True, 12),
        (2, 0, True, 20),
        (11, 4, False, 5),
    ):
        dice = Dice(size, k, passes)
        params = [f"size={size}", *([f"k={k}"] if k else []), *(["full=pass"] if passes else [])]
        line(",".join(params), "start", counts(dice, dice.start(), depth))
    for rows, cols, ranks, depth in ((8, 8, 2, 5), (5, 3, 1, 9), (4, 4, 2, 6)):
        chance = ChanceBreakthrough(rows, cols, ranks)
        line(f"rows={rows},cols={cols},ranks={ranks}", "start", counts(chance, chance.start(), depth))
    for name, text, depth in STRATEGO:
        line("", "start" if name == "start" else text, counts(Stratego(), Stratego().read(text), depth))
    line("white=free,black=free", "start", placements(5))


if __name__ == "__main__":
    main()
