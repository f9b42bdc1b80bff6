//! Random trees: a game without rules, the test bed of searches.

use kibitz_game::{
    AnyTurn, BadParameter, BadText, Chance, Configure, Evaluate, Game, Hidden, Order, Parameter, Params, Playout,
    Puzzle, Random, Range, Ranked, Repetition, Score, Turn, mix, splitmix64,
};

mod picture;

const RULES: &str = "\
A uniform tree whose leaves have random values. Every inner node of a player has `width` children, every node of \
chance `events`; the game ends at a leaf. On the first level of players the player 0 moves, on the next one player 1, \
and so on round the table, for `depth` levels of players; with `turns=random` every node has a player of its own instead. Everything is a function of the parameters and the `seed`: \
nothing is stored, and the same parameters give the same tree on every machine.

**Chance**: with `chance=uniform` or `chance=random` a level of chance follows every level of players but the last, \
so the leaves come right after a player's move: + \\* − \\* + for `depth=3`, which makes 2 · `depth` − 1 levels of \
moves. This is Ballard's regular \\*-minimax tree. `uniform` makes all events of a node equally likely; `random` \
gives each a whole weight from 1 to 16 of its own.

**Scores**: leaf *i*, counted from the left, with 0 the first, has a value from 0 to `range`, each about equally \
likely. With one player it is the score; with two players it is the score of player 0, and player 1 loses as much; \
with three or more it is the score of player 0, and every other player has an independent value at the same leaf. With \
`sums=constant` three or more players share `range` points instead: the values of the players but the first cut the \
points from 0 to `range` into as many parts as there are players, who get them in order, so that all scores add up to \
`range`. A small `range` makes ties.

**Sums**: with `leaves=sum` and one or two players the value of a leaf is the sum of a value of every move on the way \
to it, each from 0 to *h* = ⌊`range` / levels⌋, so that positions near each other have similar values, as in a game. \
After *k* moves with the sum *s* the value lies between *s* and *s* + (levels − *k*) · *h*, which are the bounds that the \
tree knows, and the middle of them is its evaluation. It does not go together with `states`, by which paths meet.

**Random numbers** are words of 64 bits, with all arithmetic modulo 2^64, `^` the exclusive or and `>>` the shift to \
the right. Let *t*(*z*) be the outcome of `z = (z ^ z >> 30) · 0xBF58476D1CE4E5B9`, \
`z = (z ^ z >> 27) · 0x94D049BB133111EB`, `z = z ^ z >> 31`; the shifts come before `^`. Let \
*s*(*i*) = *t*((*i* + 1) · `0x9E3779B97F4A7C15`), which is splitmix64, and *m*(*a*, *b*) = *t*(*s*(*a*) `^` *b*). \
With seed 0, leaf *i* has the value *s*(*i*) mod (`range` + 1): for a range of 80 the leaves are 7 27 64 61 22 39 23 \
8 … With any other seed it has the value *s*(*m*(`seed`, *i*)) mod (`range` + 1), for seed 1 and a range of 80 \
67 43 71 5 79 62 7 29 … Where three or more play, player *p* from 1 on has the value \
*s*(*m*(*m*(`seed`, *p*), *i*)) mod (`range` + 1), with seed 0 too. With `chance=random`, the weight of event *e* of \
node *j* on level *l* is 1 more than the four bits of *m*(*m*(*m*(*m*(`seed`, 2^32), *l*), *j*), ⌊*e* / 16⌋) from bit \
4 · (*e* mod 16) on. With `leaves=sum`, the move or event that leads to node *j* on level *l* has the value \
*m*(*m*(*m*(`seed`, 3 · 2^32), *l*), *j*) mod (*h* + 1). With `turns=random`, the player who moves at node *j* on level \
*l* is *m*(*m*(*m*(`seed`, 4 · 2^32), *l*), *j*) mod `players`.

**Transpositions**: in a tree, every position is reached on one path only. With `states` above 0, a level that would \
have more positions than that has `states` of them, and each child is one of these at random, so that paths meet, and \
even two moves may lead to the same position: what would be number *c* on such a level *l* is number \
*m*(*m*(*m*(`seed`, 2^33), *l*), *c*) mod `states`.

**Moves out of turn**: a search may let another player move, as best-reply search does; a position with a turn that was \
given away is written `level:index:player`. Child *c* of player *p* is then number \
*m*(*m*(*m*(*m*(`seed`, 5 · 2^32), *l*), *p*), *index* · `width` + *c*) of the next level *l*, modulo the number of \
positions there.

**Positions** are `level:index`, both counted from 0, levels of chance included: `3:17` after three moves. Child *c* \
of a node is number *index* · *children* + *c* on the next level, which with `states` is then scattered. **Moves** \
and events are numbers of children: `0`, `1`, …

**Source**: the trees with `width` and `depth` 2 and 14, 3 and 10, 4 and 8, 5 and 6, and a `range` of 80 or 800, are \
those of D. Rutko, *Fuzzified Game Tree Search* (2012); those with chance are in B. Ballard, *The \\*-minimax search \
procedure for trees containing chance nodes*, Artificial Intelligence 21 (1983).";

/// The rules of a random tree.
#[derive(Clone, Debug)]
pub struct RandomTree {
    width: u64,
    players: u8,
    range: u64,
    seed: u64,
    events: u64,
    nature: Nature,
    /// Whether three or more players share the same number of points at every leaf.
    constant: bool,
    /// Whether every node has a player of its own.
    scattered: bool,
    /// At most this many positions on a level; 0 for a tree.
    states: u64,
    /// The greatest value of a move where the leaves are sums of them; 0 where they are independent.
    step: u64,
    /// The number of positions on each level, the leaves last.
    sizes: Vec<u64>,
}

/// What chance does between two levels of players.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Nature {
    Absent,
    Uniform,
    Weighted,
}

/// A position: the number of moves and events so far, and the number of the node on its level, from the left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    level: u32,
    /// Whose turn it is if that was given away, and otherwise [`NATURAL`].
    turn: u8,
    index: u64,
}

/// It is the turn of whoever moves here by the rules.
const NATURAL: u8 = u8::MAX;

/// A move or event: the number of the child.
type Move = u8;

/// A tree may have this many leaves, so that the number of every child fits into 64 bits.
const MOST_LEAVES: u64 = 1 << 62;

/// What the random numbers of a seed are drawn for; the values of player `p` are purpose `p`.
const EVENTS: u64 = 1 << 32;
const CHILDREN: u64 = 2 << 32;
const STEPS: u64 = 3 << 32;
const TURNS: u64 = 4 << 32;
const STRANGERS: u64 = 5 << 32;

impl RandomTree {
    /// The level of the leaves.
    fn last(&self) -> u32 {
        self.sizes.len() as u32 - 1
    }

    fn is_chance(&self, level: u32) -> bool {
        self.nature != Nature::Absent && level % 2 == 1
    }

    /// The number of children of a node that is not a leaf.
    #[inline(always)]
    fn children(&self, level: u32) -> u64 {
        if self.is_chance(level) { self.events } else { self.width }
    }

    /// The sum of the values of the moves on the way to a position.
    fn sum(&self, position: &Position) -> Score {
        let Position { mut level, mut index, .. } = *position;
        let seed = mix(self.seed, STEPS);
        let mut sum = 0;
        while level > 0 {
            sum += mix(mix(seed, u64::from(level)), index) % (self.step + 1);
            level -= 1;
            index /= self.children(level);
        }
        sum as Score
    }

    /// The value of a leaf for a player.
    #[inline(always)]
    fn leaf(&self, index: u64, player: usize) -> Score {
        if self.step > 0 {
            return self.sum(&Position { level: self.last(), turn: NATURAL, index });
        }
        let word = match (player, self.seed) {
            (0, 0) => index,
            (0, seed) => mix(seed, index),
            (player, seed) => mix(mix(seed, player as u64), index),
        };
        (splitmix64(word) % (self.range + 1)) as Score
    }

    /// The share of a player in the points that all have together.
    fn share(&self, index: u64, player: usize) -> Score {
        let mut cuts = [0; 8];
        let cuts = &mut cuts[..=self.players()];
        cuts[self.players()] = self.range as Score;
        for (other, cut) in cuts.iter_mut().enumerate().take(self.players()).skip(1) {
            *cut = self.leaf(index, other);
        }
        cuts.sort_unstable();
        cuts[player + 1] - cuts[player]
    }

    /// Who moves at a player's node by the rules.
    #[inline(always)]
    fn mover(&self, position: &Position) -> u8 {
        if self.scattered {
            let seed = mix(mix(self.seed, TURNS), u64::from(position.level));
            return (mix(seed, position.index) % u64::from(self.players)) as u8;
        }
        let level = if self.nature == Nature::Absent { position.level } else { position.level / 2 };
        (level % u32::from(self.players)) as u8
    }

    /// The weights of the events of a chance node, four bits of randomness for each.
    fn weights(&self, position: &Position) -> impl Iterator<Item = u32> {
        let node = mix(mix(mix(self.seed, EVENTS), u64::from(position.level)), position.index);
        let words = (0u64..).map(move |word| mix(node, word));
        words.flat_map(|word| (0..16).map(move |i| (word >> (4 * i)) as u32 % 16 + 1)).take(self.events as usize)
    }

    /// The numbers of the children on the way from the root, in a tree.
    fn path(&self, position: &Position) -> Vec<u64> {
        let mut index = position.index;
        let mut path: Vec<u64> = (0..position.level)
            .rev()
            .map(|level| {
                let children = self.children(level);
                let child = index % children;
                index /= children;
                child
            })
            .collect();
        path.reverse();
        path
    }
}

impl Game for RandomTree {
    type Position = Position;
    type Move = Move;

    const MANY: bool = true;

    fn players(&self) -> usize {
        self.players.into()
    }

    fn start(&self) -> Position {
        Position { level: 0, turn: NATURAL, index: 0 }
    }

    #[inline(always)]
    fn turn(&self, position: &Position) -> Turn {
        let level = position.level;
        if level == self.last() {
            Turn::Over
        } else if self.is_chance(level) {
            Turn::Chance
        } else if position.turn != NATURAL {
            Turn::Player(position.turn)
        } else {
            Turn::Player(self.mover(position))
        }
    }

    #[inline]
    fn moves(&self, position: &Position, out: &mut Vec<Move>) {
        if position.level < self.last() {
            out.extend(0..self.children(position.level) as Move);
        }
    }

    #[inline(always)]
    fn play(&self, position: &mut Position, mv: Move) {
        let children = self.children(position.level);
        let parents = self.sizes[position.level as usize];
        let child = position.index * children + u64::from(mv);
        position.level += 1;
        if position.turn != NATURAL {
            let seed = mix(mix(mix(self.seed, STRANGERS), u64::from(position.level)), u64::from(position.turn));
            position.index = mix(seed, child) % self.sizes[position.level as usize];
            position.turn = NATURAL;
            return;
        }
        // only a level that has been cut down to `states` has fewer positions than there are ways to it
        position.index = if self.sizes[position.level as usize] == parents * children {
            child
        } else {
            mix(mix(mix(self.seed, CHILDREN), u64::from(position.level)), child) % self.states
        };
    }

    #[inline(always)]
    fn score(&self, position: &Position, player: usize) -> Score {
        match (self.players, player) {
            (2, 1) => -self.leaf(position.index, 0),
            _ if self.constant => self.share(position.index, player),
            _ => self.leaf(position.index, player),
        }
    }

    fn range(&self, player: usize) -> Range {
        let range = self.range as Score;
        if self.players == 2 && player == 1 { Range { low: -range, high: 0 } } else { Range { low: 0, high: range } }
    }

    #[inline(always)]
    fn key(&self, position: &Position) -> u64 {
        let turn = if position.turn == NATURAL { 0 } else { u64::from(position.turn) + 1 };
        mix(u64::from(position.level) | turn << 32, position.index)
    }

    fn write(&self, position: &Position) -> String {
        let natural = format!("{}:{}", position.level, position.index);
        if position.turn == NATURAL { natural } else { format!("{natural}:{}", position.turn) }
    }

    fn read(&self, text: &str) -> Result<Position, BadText> {
        let text = text.trim();
        let plain = |digits: &str| {
            let only = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
            digits.parse::<u64>().ok().filter(|_| only)
        };
        let (natural, turn) = match text.splitn(3, ':').collect::<Vec<_>>()[..] {
            [level, index, turn] => (&text[..level.len() + 1 + index.len()], Some(turn)),
            _ => (text, None),
        };
        let (level, index) = natural
            .split_once(':')
            .and_then(|(level, index)| Some((plain(level)?, plain(index)?)))
            .ok_or_else(|| BadText::new(format!("{text:?} is not a position; write level:index, as in 3:17")))?;
        let size = *self
            .sizes
            .get(level as usize)
            .ok_or_else(|| BadText::new(format!("there is no level {level}; the leaves are on {}", self.last())))?;
        if index >= size {
            return Err(BadText::new(format!("there is no position {index} on level {level}; it has {size}")));
        }
        let mut position = Position { level: level as u32, turn: NATURAL, index };
        if let Some(turn) = turn {
            let player = plain(turn).filter(|&player| player < u64::from(self.players));
            let player = player.ok_or_else(|| BadText::new(format!("there is no player {turn:?}")))?;
            if level == u64::from(self.last()) || self.is_chance(level as u32) {
                return Err(BadText::new(format!("no player moves on level {level}")));
            }
            self.give_turn(&mut position, player as usize);
        }
        Ok(position)
    }

    fn write_move(&self, _: &Position, mv: Move) -> String {
        mv.to_string()
    }
}

impl Evaluate for RandomTree {
    /// The middle of the bounds of sums; an evaluation at the end of the range would pass for a proof.
    fn evaluate(&self, position: &Position, player: usize) -> Score {
        let Range { low, high } = self.range(player);
        if self.step == 0 {
            Range { low, high }.middle()
        } else {
            self.bounds(position, player).middle().clamp(low + 1, high - 1)
        }
    }

    /// An equal share, where the players share something.
    fn own_value(&self, position: &Position, player: usize) -> Score {
        if self.constant { (self.range / u64::from(self.players)) as Score } else { self.evaluate(position, player) }
    }

    fn greatest_sum(&self) -> Option<i64> {
        Some(match self.players {
            2 => 0,
            _ if self.constant => self.range.cast_signed(),
            players => i64::from(players) * self.range.cast_signed(),
        })
    }

    fn bounds(&self, position: &Position, player: usize) -> Range {
        if self.step == 0 {
            return self.range(player);
        }
        let low = self.sum(position);
        let high = low + (self.last() - position.level) as Score * self.step as Score;
        if self.players == 2 && player == 1 { Range { low: -high, high: -low } } else { Range { low, high } }
    }

    /// The moves and events so far.
    #[inline]
    fn progress(&self, position: &Position) -> Option<u32> {
        Some(position.level)
    }
}

impl Order for RandomTree {}
impl Repetition for RandomTree {}

impl AnyTurn for RandomTree {
    const ANY_TURN: bool = true;

    #[inline]
    fn give_turn(&self, position: &mut Position, player: usize) -> bool {
        if self.is_chance(position.level) {
            return false;
        }
        let natural = self.mover(position);
        position.turn = if usize::from(natural) == player { NATURAL } else { player as u8 };
        true
    }
}

impl Hidden for RandomTree {}

impl Ranked for RandomTree {}
impl Puzzle for RandomTree {
    const SOLITAIRE: bool = true;

    /// The node behind the move: nothing can be learned from one node about another.
    #[inline]
    fn code(&self, position: &Position, mv: Move) -> u64 {
        let mut child = *position;
        self.play(&mut child, mv);
        self.key(&child)
    }

    /// The sum so far, where the leaves are sums.
    fn gained(&self, position: &Position) -> Score {
        if self.step == 0 { 0 } else { self.sum(position) }
    }
}

impl Chance for RandomTree {
    const CHANCE: bool = true;

    fn probability(&self, position: &Position, outcome: Move) -> f64 {
        if self.nature == Nature::Uniform {
            return 1.0 / self.events as f64;
        }
        let (mut total, mut own) = (0, 0);
        for (event, weight) in self.weights(position).enumerate() {
            total += weight;
            if event == usize::from(outcome) {
                own = weight;
            }
        }
        f64::from(own) / f64::from(total)
    }

    fn outcomes(&self, position: &Position, out: &mut Vec<(Move, f64)>) {
        if self.nature == Nature::Uniform {
            let probability = 1.0 / self.events as f64;
            out.extend((0..self.events as Move).map(|event| (event, probability)));
            return;
        }
        let total: u32 = self.weights(position).sum();
        let probabilities = self.weights(position).map(|weight| f64::from(weight) / f64::from(total));
        out.extend((0..).zip(probabilities));
    }

    fn sample(&self, position: &Position, random: &mut Random, _: &mut Vec<Move>) -> Move {
        if self.nature == Nature::Uniform {
            return random.below(self.events as usize) as Move;
        }
        let total: u32 = self.weights(position).sum();
        let mut left = random.below(total as usize) as u32;
        let mut event = 0;
        for weight in self.weights(position) {
            if left < weight {
                break;
            }
            left -= weight;
            event += 1;
        }
        event
    }
}

impl Playout for RandomTree {
    #[inline(always)]
    fn random_move(&self, position: &Position, random: &mut Random, _: &mut Vec<Move>) -> Move {
        random.below(self.children(position.level) as usize) as Move
    }
}

impl Configure for RandomTree {
    const SUMMARY: &'static str = "a uniform tree with random leaves: the test bed of searches";
    const RULES: &'static str = RULES;

    fn parameters() -> Vec<Parameter> {
        vec![
            Parameter::integer("width", 2, (1, 64), "moves of every player's node"),
            Parameter::integer("depth", 14, (1, 200), "levels of players"),
            Parameter::integer("range", 80, (1, 1_000_000), "the greatest value of a leaf; the least is 0"),
            Parameter::integer("seed", 0, (0, i64::MAX), "which of the trees of this shape"),
            Parameter::integer("players", 2, (1, 6), "players"),
            Parameter::word("turns", &["rotating", "random"], "players move in turn, or in no order"),
            Parameter::word("sums", &["free", "constant"], "what three or more players score together"),
            Parameter::word("chance", &["none", "uniform", "random"], "nodes of chance between those of players"),
            Parameter::integer("events", 2, (1, 64), "outcomes of every node of chance"),
            Parameter::word(
                "leaves",
                &["independent", "sum"],
                "values of leaves on their own, or sums of those of moves",
            ),
            Parameter::integer(
                "states",
                0,
                (0, 1 << 40),
                "how many different positions a level has at most, so that paths meet; 0 for a tree",
            ),
        ]
    }

    fn configure(params: &Params) -> Result<Self, BadParameter> {
        let [width, depth, range, seed, players, events, states] =
            ["width", "depth", "range", "seed", "players", "events", "states"].map(|name| params.integer(name) as u64);
        let nature = match params.word("chance") {
            "uniform" => Nature::Uniform,
            "random" => Nature::Weighted,
            _ => Nature::Absent,
        };
        let levels = if nature == Nature::Absent { depth } else { 2 * depth - 1 };
        let mut step = 0;
        if params.word("leaves") == "sum" {
            if players > 2 || states > 0 {
                return Err(BadParameter("leaves=sum needs one or two players and states=0".to_owned()));
            }
            step = range / levels;
            if step == 0 || range < 2 {
                return Err(BadParameter(format!("leaves=sum needs a range of at least {}", levels.max(2))));
            }
        }
        let constant = params.word("sums") == "constant";
        if constant && players < 3 {
            return Err(BadParameter(
                "sums=constant needs three or more players; the scores of two add up to zero".to_owned(),
            ));
        }
        let scattered = params.word("turns") == "random";
        let players = players as u8;
        let mut tree =
            Self { width, players, range, seed, events, nature, constant, scattered, states, step, sizes: Vec::new() };
        let most = if states == 0 { MOST_LEAVES } else { states };
        let mut size = 1u64;
        tree.sizes.push(size);
        for level in 0..levels {
            size = size.saturating_mul(tree.children(level as u32));
            if size > most && states == 0 {
                return Err(BadParameter(format!(
                    "width={width}, depth={depth} has more than 2^62 leaves; choose a smaller width or depth, or \
                     bound the positions on a level with states"
                )));
            }
            size = size.min(most);
            tree.sizes.push(size);
        }
        Ok(tree)
    }
}

#[cfg(test)]
mod tests;
