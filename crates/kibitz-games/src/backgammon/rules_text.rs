//! The rules as the documentation shows them.

pub const RULES: &str = "\
The board has 24 points. Each side has fifteen checkers and numbers the points from its own end: it moves from the 24-point down to \
the 1-point and off the board. A's point p is B's point 25 − p. The points 1 to 6 are a side's *home board*. Both start with two \
checkers on 24, five on 13, three on 8 and five on 6.

**The opening.** Each player throws one die; equal numbers are thrown again. Who has the higher number begins and plays the two \
numbers thrown. From then on the players take turns to throw two dice.

**Moving.** Each die is a move of one checker by so many points, and doublets are four moves: 3-3 is four moves by three. A checker \
may land on a point unless the opponent holds it with two checkers or more. A single checker there, a *blot*, is hit and goes to the \
bar. One checker may make several of the moves, and each landing must be open.

**The bar.** Who has checkers on the bar must bring them in before anything else moves: a die d enters on the point 25 − d.

**Bearing off.** When all checkers of a side are in its home board, a die d bears a checker off from the point d; if that point and \
all higher ones are empty, from the highest point that is not. A move inside the home board may be made instead. Who is hit must \
come home again first.

**As many dice as possible must be played**: both numbers, or all four of doublets, if there is any way to do so. If only one of two \
numbers can be played, and either of them could be, it is the higher one. If none can be played, the turn is lost. Two plays that lead to the same \
position are one.

**The end.** Who bears off all checkers first wins one point; two for a *gammon*, when the loser has borne off none; three for a \
*backgammon*, when the loser moreover has a checker on the bar or in the winner's home board. With `gammons=false` every win is one point, as in the matches \
of the paper below. There are no matches to a number of points here, and so no Crawford rule.

**The cube.** With `cube` above 1, a player whose turn begins may double the stake before the dice are thrown; the opponent takes the \
double and then owns the cube, or drops and loses the stake as it was. The cube is in the middle at first, where both may double, and goes up to `cube`. \
Nobody doubles in the opening. `jacoby`: gammons and backgammons count only if the cube has been turned. `beavers`: who is doubled may take and turn the cube once more \
at once and keep it; the doubler then takes that or drops.

**Positions** are the checkers of A and of B, each in their own numbering, and what happens next: \
`24:2 13:5 8:3 6:5 / 24:2 13:5 8:3 6:5 / A 31` when A has thrown 3-1, `A rolls` while A's dice fall, `start` before the opening. Checkers that are not written have been borne off; \
`bar:1` is a checker on the bar, `-` a side that has borne off all. With a cube `A` alone is A who rolls or doubles, `A doubled` has been doubled, `A beavered` has been \
beavered, `A dropped` has dropped, and a cube that was turned follows: `/ cube 2 B`. The identifiers of GNU Backgammon are \
understood as well: `4HPwATDgc/ABMA` is the position with A on roll, `4HPwATDgc/ABMA B 31` has the dice of B, and after a colon may come the identifier of a game for money, in which \
player 0 is A. `kibitz.backgammon.position_id` writes them.

**Moves** are written as usual, in the player's own numbering: `13/7 8/7`, `bar/20*` with a star for a hit, `6/off`, `13/10(2)` for two checkers, `24/18*/13` \
for one checker that hits on its way, `pass` when nothing can be played. They are understood in any order and in parts (`24/18 18/13`), and without stars where that is clear. A throw is `31`; in \
the opening the first digit is A's. About the cube: `roll`, `double`, `take`, `drop`, `beaver`.

**Evaluation**: a value for the player about to throw, in points.

| `evaluation` | what it is |
|---|---|
| `network` | two small networks, for positions with contact and for races, which estimate the probabilities to win, to win or lose a gammon, and to win or lose a backgammon; exact values where both sides have at most six checkers left and all are home, from a database of both sides; with more checkers at home the numbers of throws that each side needs, as if it were alone |
| `linear` | the same probabilities from the raw board without a hidden layer, in the manner of Tesauro's `pubeval`; the weights are ours |
| `pips` | the lead in pips after half a throw, against its standard deviation |

Network and linear weights come from TD(λ) learning in self-play and are reproduced by [`kibitz train backgammon`](../backgammon-training.md). The value is 2·P(win) − 1, with gammons plus their \
probabilities, times the cube; before a double is answered it is what the better answer is worth. Dice that have been thrown and not yet played do not count. `noise` adds to the estimated probability to win a number that looks \
normally distributed with this standard deviation in thousandths, always the same for a position, a quarter of it to the gammons and a hundredth to the backgammons, as the experiments of Hauk, Buro and Schaeffer do.

**Counts** compared: distinct plays of all 21 throws from the start, all plays of the second turn, and OpenSpiel's plays on random positions. OpenSpiel differs in \
its form only: one action is two half-moves, so that doublets take two turns of a player; it lists shorter plays and ways to the same position several times; it has no cube.

T. Hauk, M. Buro and J. Schaeffer, *\\*-Minimax Performance in Backgammon*, Computers and Games 2004, is where searches at chance nodes were first tried in this game.";
