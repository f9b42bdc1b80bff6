//! Epaminondas (Robert Abbott, 1975).

use crate::phalanx::{Phalanx, Rows, Variant};

const RULES: &str = "\
The board has fourteen columns and twelve rows. White has twenty-eight pieces in the two highest rows, Black twenty-eight in \
the two lowest. White begins.

A *phalanx* is one piece, or several of one side that follow each other without a gap in a row, a column or a diagonal. It moves \
along its own line, a single piece in any of the eight directions, at least one square and at most as many as it has pieces. All \
its pieces move together. A part of a phalanx may move as a phalanx of its own. Nothing is jumped over. A player who has a move \
must make one.

If the piece in front meets an enemy piece within that distance, the enemy pieces that follow each other from there on in the \
direction of the move are the defending phalanx. The attackers can capture if they are more than the defenders: the whole \
defending phalanx is taken, and the piece in front ends on the square of its first piece. A single piece never captures.

The player who, at the start of his turn, has more pieces on the opponent's home row than the opponent has on his has won. So \
the opponent has one move to restore the balance, by a capture or by crossing himself. Pieces there stay what they are: they may \
move on and may be captured. A player who has lost all pieces loses at once.

With `symmetry`, Abbott's rule against copying the opponent, a player may not move a piece onto the row farthest from him if the \
whole position is then the same from left to right and from right to left. Moves along that row are free.

A player without a move must pass; when neither has one, the game is a draw. So it is when a position with the same player to move \
occurs for the third time and, if `plies` is not 0, after so many moves.

```text
4  . . . . . . . . .     Black's four pieces can capture the three:
3  . . . . . . . . .     [E2,D2,C2,B2] x F2 takes F2, G2 and H2, and
2  . b b b b w w w .     Black's pieces are on C2, D2, E2 and F2 then.
1  . . . . . . . . .     With one more white piece on I2 they could not.
   A B C D E F G H I
```

Robert Abbott invented the game in 1975, out of Crossings. Names of squares and moves, with White at the top, are those of King's \
thesis (below), which adds that a player without pieces loses. It leaves open what a player without a move does, and has no rule of \
repetition and no limit of moves; these are completions, and so is that the rule of symmetry asks only about moves that enter the \
row. Most other sources set White at the bottom.

**Puzzles**: `epaminondas:puzzle1` and `epaminondas:puzzle2` begin with puzzles of Abbott's, rebuilt from the solutions printed in the \
thesis, whose diagrams are lost: other positions than the originals may be, in which the printed first move is the only one that wins. In the \
first White wins in three turns, in the second in two. The solution printed for a third one contradicts itself, so that it cannot be \
rebuilt.

**Positions** are rows from the top with `w`, `b` and `.`, then the side to move: \
`wwwwwwwwwwwwww/wwwwwwwwwwwwww/............../............../............../............../............../............../............../............../bbbbbbbbbbbbbb/bbbbbbbbbbbbbb w`. With `plies` the number of moves played follows. They do not say how often they have occurred; positions reached by \
playing moves know it, and a search counts the positions on its way too, but counts of lines and random games do not. **Moves** \
are those of the thesis: the pieces that move with the one in front first, and the square that it enters: `D2-C1`, \
`[H3,H4,H5]-H2`, and `[E2,D2,C2,B2] x F2` for a capture. The pieces are understood in any order, in place of the \
square entered a list of all captured pieces, and brackets and capitals are optional. In the short form the piece at the back \
stands for all: `H5-H2`, `B2xF2`. A pass is `pass`.

**Evaluation**: the fourteen features of D. King, *Complexity, Heuristic, and Search Analysis for the Games of Crossings and \
Epaminondas* (2014), each the difference between the sides. Every feature has a weight, a parameter of the game, in points for \
one unit, of which a win has 10,000; a feature whose weight is 0 is not counted. The thesis gives no weights and leaves details \
open; what is counted here:

| weight | what a side has |
|---|---|
| `mobility` | the greatest distances of its phalanxes added up, divided by the number of its moves, plus the greatest of them |
| `material` | its pieces |
| `crossing` | its pieces on the opponent's home row |
| `centre` | the distances of its pieces from the middle of the board, with a minus sign |
| `defence` | the longest run of its pieces on the home row |
| `territory` | for each piece the neighbouring squares that are empty or its own side's |
| `edge` | its pieces on the two outer columns, which are badly placed there |
| `phalanx`, `largest` | the mean and the largest size of its phalanxes |
| `distance` | the mean of the greatest distances of its phalanxes |
| `longest` | the greatest distance that one can go over empty squares |
| `capture` | the largest enemy phalanx that it can capture |
| `captures` | the enemy pieces that it can capture, each once |
| `haul` | the pieces that its captures take, on average |

Phalanxes are here the maximal ones: runs of two and more pieces, and pieces without a neighbour of their side. Neither \
whose turn it is nor the rule of symmetry makes a difference. The weights are ours, found by the cross-entropy method in four \
rounds, each against the winner of the last, at 600 nodes a move, from equal weights of 10 (−10 for `edge`).";

/// The rules of Epaminondas.
pub type Epaminondas = Phalanx<Rules>;

/// What Epaminondas is among the games of phalanxes.
#[derive(Clone, Copy, Debug)]
pub struct Rules;

impl Variant for Rules {
    type Board = Rows;
    const SUMMARY: &'static str = "lines of pieces move as one; hold more of the opponent's home row than he of yours";
    const RULES: &'static str = RULES;
    const CROSSED_REST: bool = false;
    const TAKES_ALL: bool = true;
    const DEFENCE: u32 = 0;
    const SETUPS: &'static [&'static str] = &["standard", "puzzle1", "puzzle2"];
    const STARTS: &'static [&'static str] = &[
        "wwwwwwwwwwwwww/wwwwwwwwwwwwww/............../............../............../............../\
         ............../............../............../............../bbbbbbbbbbbbbb/bbbbbbbbbbbbbb w",
        "............../............../............../............../............../............../\
         ............../.......w....../.......w....../.......w....../............../........bbb... w",
        "...........w.b/............../............../............../............../............../\
         ............../............../............../.w............/.w............/..bb......w... w",
    ];
    // benches/tune_rounds.py epaminondas --nodes 600
    const WEIGHTS: [i64; 14] = [61, 223, 365, -3, 71, 20, -45, 65, 9, 54, 23, 49, 59, 89];
    const SYMMETRY: bool = true;
}

#[cfg(test)]
mod tests;
