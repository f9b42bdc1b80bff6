//! Crossings (Robert Abbott; in Sid Sackson's *A Gamut of Games*, 1969).

use crate::phalanx::{Phalanx, Variant};

const RULES: &str = "\
White has sixteen pieces in the two highest rows, Black sixteen in the two lowest. White begins.

A *phalanx* is one piece, or several of one side that follow each other without a gap in a row, a column or a diagonal. It moves \
along its own line, a single piece in any of the eight directions, at least one square and at most as many as it has pieces. All \
its pieces move together. A part of a phalanx may move as a phalanx of its own. Nothing is jumped over. A player who has a move \
must make one.

If the piece in front meets an enemy piece within that distance, the enemy pieces that follow each other from there on in the \
direction of the move are the defending phalanx. The attackers can capture if they are more than the defenders: only the first of \
them is taken, and the piece in front ends on its square. A single piece never captures.

A piece that enters the opponent's home row, with a capture or without, has *crossed*. It can never move again and never be \
captured; it still counts among the defenders of a phalanx. When a player has crossed more often than the opponent, the opponent \
must cross with the very next move: the player who has more crossed pieces at the start of his turn has won. A player who has \
lost all pieces loses at once.

A player without a move must pass. When neither player has a move and both have crossed equally often, the game is a draw; so it is \
when a position with the same player to move occurs for the third time and, if `plies` is not 0, after so many moves.

```text
8  . . . . . . . .     [F2,E2,D2] can go two squares to the right, to H2: three would leave
7  . . . . . . . .     the board; [D2,E2,F2] up to three to the left, to A2; the pairs at
6  . . . . . . . .     both ends up to two, and each piece one square to any side that is free
5  . . . . . . . .
4  . . . . . . . .
3  . . . . . . . .
2  . . . b b b . .
1  . . . . . . . .
   A B C D E F G H
```

Robert Abbott invented the game in the 1960s; Sid Sackson published it in *A Gamut of Games* (1969). Names of squares and moves, \
with White at the top, are those of King's thesis (below). It leaves open what crossed defenders count and what a player without \
a move does, and has no rule of repetition and no limit of moves; these are completions. Most other sources set White at the bottom.

**Positions** are rows from the top with `w`, `b` and `.`, then the side to move: \
`wwwwwwww/wwwwwwww/......../......../......../......../bbbbbbbb/bbbbbbbb w`. With `plies` the number of moves played follows. They do not say how often they have occurred; positions reached by \
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
| `defence` | the longest run of its pieces on the second row from home |
| `territory` | for each piece the neighbouring squares that are empty or its own side's |
| `edge` | its pieces on the two outer columns, which are badly placed there |
| `phalanx`, `largest` | the mean and the largest size of its phalanxes |
| `distance` | the mean of the greatest distances of its phalanxes |
| `longest` | the greatest distance that one can go over empty squares |
| `capture` | the largest enemy phalanx that it can attack with success |
| `captures` | the enemy pieces that it can capture, each once |
| `haul` | the pieces that its captures take, on average |

Phalanxes are here the maximal ones: runs of two and more pieces that have not crossed, and pieces without a neighbour of their side. Whose turn it is makes no difference. \
The weights are ours, found by the cross-entropy method in nine rounds, each against the winner of the last, at 1,000 nodes a move. \
At depth 3 they score 66.0 % over 400 games against equal weights of 10 (−10 for `edge`), from which they began.";

/// The rules of Crossings.
pub type Crossings = Phalanx<Rules>;

/// What Crossings is among the games of phalanxes.
#[derive(Clone, Copy, Debug)]
pub struct Rules;

impl Variant for Rules {
    type Board = u64;
    const SUMMARY: &'static str =
        "lines of pieces move as one; cross the board more often than the opponent can answer";
    const RULES: &'static str = RULES;
    const CROSSED_REST: bool = true;
    const TAKES_ALL: bool = false;
    const DEFENCE: u32 = 1;
    const SETUPS: &'static [&'static str] = &["standard"];
    const STARTS: &'static [&'static str] =
        &["wwwwwwww/wwwwwwww/......../......../......../......../bbbbbbbb/bbbbbbbb w"];
    // benches/tune_rounds.py crossings --nodes 1000
    const WEIGHTS: [i64; 14] = [54, 222, 584, -7, 10, 17, -26, 23, -3, 108, 28, 29, 29, 77];
    const SYMMETRY: bool = false;
}

#[cfg(test)]
mod tests;
