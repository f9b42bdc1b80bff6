//! The rules of Chinese Checkers as text.

pub(super) const RULES: &str = "\
The board is a star of six triangles around a hexagon. Each player fills one triangle with pieces and wants to bring them into \
the triangle opposite, the *goal*. On the `small` board a triangle has six cells and the star 73, on the `full` one ten and \
121. Two players begin in opposite corners, three in every second one, so that all goals are empty, four in two \
opposite pairs, and six everywhere. The players take turns, clockwise from the top.

A piece *steps* to an empty cell beside it, or *jumps* in a straight line over one piece of anybody to the empty cell \
behind it, and may go on jumping as long as it can; the cell that it came from counts as empty meanwhile. Steps and jumps are not mixed in one move, nothing is captured, and a move must \
change the position: only where it begins and ends matters. With `area=rhombus` a piece lands only on the hexagon, in its own corner and in its goal, also between two \
jumps; with `area=star` anywhere. A piece that is in its goal when the move begins must end it there, unless \
`leave=true`. A player without a move passes.

The first player whose goal is full wins, if at least one of the pieces in it is the player's own, so that nobody gains by staying at home; this \
is so even if somebody else's move has filled it. With `win=own` all of them must be. If nobody has won after `plies` moves the game is a draw, \
which everybody shares: two players have 0 each, and n players the n-th part of the way from a loss, −1, to a win, 1.

The game is a form of Halma and was first sold as *Stern-Halma* (1892). The small board is that of N. Sturtevant, *An Analysis of UCT in \
Multi-Player Games* (2008), and the experiments of M. Schadd and M. Winands, *Best Reply Search for Multiplayer Games* (2011), use it; they \
call draws impossible, but nothing in the rules forces anybody to get on. They do not say where the players sit, whether a piece may land in the corners of others, nor \
what becomes of a player without a move: these are completions, as is the limit of moves.

**Positions** are rows from the top with the letters of the players, `A` to `F`, and `.` for empty cells, then the player to move, or `-` when the game \
is over, and the number of moves played, unless `plies=0`. Cells are numbered from 0, row by row. **Moves** are two \
numbers, `3-14`, and `pass`.

**Evaluation**: on the small board with `area=rhombus` what a player has is −1,000 for each move that he would need alone on the board, as in \
the paper. All 13,983,816 sets of six places are solved backwards from the goal when an evaluation is first asked for, which takes part of a second. On \
other boards it is −1,000 for each row that the pieces still have to go, added up. A player's value is what he has, less what all others have. Moves \
that go the most rows forward come first.";
