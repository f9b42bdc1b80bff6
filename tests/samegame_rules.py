"""The rules of SameGame once more, in Python and sharing nothing with the package: what scores are checked against."""

from __future__ import annotations

from collections.abc import Iterable, Iterator


class Board:
    """Columns from the left, each a list of colours from the bottom."""

    def __init__(self, rows: str) -> None:
        lines = rows.split("/")
        self.columns = [[line[c] for line in reversed(lines) if line[c] != "."] for c in range(len(lines[0]))]
        self._close()
        self.points = 0

    def _close(self) -> None:
        self.columns = [column for column in self.columns if column]

    def group(self, column: int, row: int) -> set[tuple[int, int]]:
        """The cells of the group at a cell."""
        colour = self.columns[column][row]
        found = {(column, row)}
        waiting = [(column, row)]
        while waiting:
            c, r = waiting.pop()
            for near in ((c - 1, r), (c + 1, r), (c, r - 1), (c, r + 1)):
                if near not in found and self._has(*near) and self.columns[near[0]][near[1]] == colour:
                    found.add(near)
                    waiting.append(near)
        return found

    def _has(self, column: int, row: int) -> bool:
        return 0 <= column < len(self.columns) and 0 <= row < len(self.columns[column])

    def groups(self) -> Iterator[set[tuple[int, int]]]:
        """All groups that can be removed, by their first cells."""
        seen: set[tuple[int, int]] = set()
        for c, column in enumerate(self.columns):
            for r in range(len(column)):
                if (c, r) not in seen:
                    found = self.group(c, r)
                    seen |= found
                    if len(found) > 1:
                        yield found

    def remove(self, column: int, row: int) -> int:
        """Plays a move and returns the size of the group."""
        gone = self.group(column, row)
        assert len(gone) > 1, f"{column},{row} is alone"
        self.columns = [
            [colour for r, colour in enumerate(each) if (c, r) not in gone] for c, each in enumerate(self.columns)
        ]
        self._close()
        self.points += (len(gone) - 2) ** 2
        return len(gone)

    def final(self, singleton: int = 1, penalty: bool = True) -> int:
        """The score when no move is left."""
        assert not any(True for _ in self.groups()), "the game is not over"
        if not self.columns:
            return self.points + 1000
        blocks = [colour for column in self.columns for colour in column]
        left = [blocks.count(colour) for colour in set(blocks)]
        return self.points - penalty * sum(singleton if m == 1 else (m - 2) ** 2 for m in left)


def score(rows: str, moves: Iterable[str], *, singleton: int = 1, penalty: bool = True) -> int:
    """The final score of a game, every move checked."""
    board = Board(rows)
    for move in moves:
        column, row = move.split(",")
        board.remove(int(column), int(row))
    return board.final(singleton, penalty)
