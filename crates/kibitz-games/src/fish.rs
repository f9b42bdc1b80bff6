//! Hey! That's My Fish! (Alvydas Jakeliunas and Günter Cornett, 2003), for two to four players.

mod geometry;
mod notation;
mod picture;

use kibitz_game::{
    AnyTurn, BadParameter, BadText, Bits, Cell, Chance, Configure, Draw, Evaluate, Game, Hidden, Order, Parameter,
    Params, Playout, Puzzle, Random, Range, Ranked, Repetition, Score, Turn, mix,
};

use geometry::{ALL, SLIDES, TILES, island, neighbours, slide, tile};

const RULES: &str = "\
Sixty hexagonal tiles of ice lie in eight rows of seven and eight in turn, in an order that is drawn by lot (here by \
`seed`): 30 show one fish, 20 two and 10 three. Two players have four penguins each, three players three, and four \
players two. They take turns to place one penguin at a time on an empty tile with one fish; with `placement=random` \
the penguins are placed by lot as well.

Then the players take turns to move. A move slides one of the own penguins in a straight line, in one of the six \
directions, over one tile or more; it cannot go over a gap or another penguin. The tile that the penguin has left is \
taken from the board, and its fish count for the mover. A player none of whose penguins can move is out for good, \
since tiles never come back, and the others go on. When all are out, everybody takes the tiles below the own penguins; \
who has most fish wins.

With `result=difference` the result is the difference of the fish of two players, and with more players the fish of \
each. With `result=win` it is the win, which players with equally many fish share; with `ties=tiles` the one of them \
with most tiles wins, as in the printed rules.

Around a table the end is cut short. With `islands=end` the game is over as soon as every penguin has an island of its \
own, and its owner takes all of that island; with `islands=award` this happens to each such penguin at once, and it \
leaves the board. Either may give more than playing on, for a penguin cannot always walk over all tiles of its island.

Alvydas Jakeliunas and Günter Cornett published the game in 2003. It is the real game of D. Rutko, *Fuzzified Game Tree \
Search* (2012).

**Positions** are the rows from the top with the fish on each tile and `.` for a gap, then for each player the fish \
taken and the places of the penguins, then the player to move, `A` to `D`, or `-` when the game is over: \
`1212131/…/2131212. 12@0,14,30,44 9@4,18,40,58 A`. The tiles are numbered from 0 row by row, gaps included. A penguin \
that is still to be placed is `?`, and one that has left the board is `x`. With `ties=tiles` the tiles taken follow the \
fish: `12+7@…`. **Moves** are from one tile to another, `30-32`, and the tile where a penguin is placed, `12`.

**Evaluation**: the fish taken so far, as a difference for two players, as in Rutko's thesis. With `result=win` a win \
counts 12,000 and a fish of difference, for more than two players to the best opponent, 60.";

/// The rules of Hey! That's My Fish!
#[derive(Clone, Debug)]
pub struct Fish {
    players: usize,
    /// Penguins of each player.
    penguins: usize,
    islands: Islands,
    /// Whether winning counts, and not the number of fish.
    win: bool,
    /// Whether the tiles that a player took are counted, to break ties.
    tiles: bool,
    start: Position,
}

/// What happens to a penguin that is alone on an island.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Islands {
    /// It walks on.
    Played,
    /// The game is over when all are.
    End,
    /// Its owner takes the island.
    Award,
}

/// A position. The fish on a tile are the two bits of `fish`; a tile without fish is a gap.
#[derive(Clone, Copy, Debug)]
pub struct Position {
    fish: [u64; 2],
    occupied: u64,
    /// The places of each player's penguins in the order in which they were placed, which is the order of their moves.
    penguins: [[u8; 4]; 4],
    scores: [u8; 4],
    /// The tiles taken, counted only where ties are broken by them.
    tiles: [u8; 4],
    turn: u8,
    /// Penguins still to be placed.
    to_place: u8,
}

/// The places of a penguin still to be placed, and of one that has left the board or never was.
const UNPLACED: u8 = 62;
const NOWHERE: u8 = 63;
/// The turn when the game is over.
const OVER: u8 = 4;

const WIN: Score = 12_000;
const FISH: Score = 60;
const MOST_FISH: u8 = 100;

/// A move: the number of a slide, or of a tile after all slides.
type Move = u16;

/// The tile on which a move places a penguin.
#[inline(always)]
fn placed(mv: Move) -> Option<u8> {
    mv.checked_sub(SLIDES as Move).map(|tile| tile as u8)
}

impl Position {
    /// Nothing but water.
    const EMPTY: Self = Self {
        fish: [0; 2],
        occupied: 0,
        penguins: [[NOWHERE; 4]; 4],
        scores: [0; 4],
        tiles: [0; 4],
        turn: 0,
        to_place: 0,
    };

    fn all(&self) -> u64 {
        self.fish[0] | self.fish[1]
    }

    #[inline(always)]
    fn free(&self) -> u64 {
        (self.fish[0] | self.fish[1]) & !self.occupied
    }

    /// Where penguins may be placed.
    #[inline(always)]
    fn places(&self) -> u64 {
        self.fish[0] & !self.fish[1] & !self.occupied
    }

    /// The fish on a tile.
    #[inline(always)]
    fn fish_on(&self, tile: u8) -> u8 {
        (self.fish[0] >> tile & 1) as u8 + 2 * (self.fish[1] >> tile & 1) as u8
    }

    fn fish_in(&self, tiles: u64) -> u8 {
        ((self.fish[0] & tiles).count_ones() + 2 * (self.fish[1] & tiles).count_ones()) as u8
    }

    /// The tiles on which a player's penguins stand.
    #[inline(always)]
    fn stands(&self, player: usize) -> u64 {
        self.penguins[player].iter().fold(0, |set, &at| set | 1 << at) & ALL
    }

    #[inline(always)]
    fn can_move(&self, player: usize) -> bool {
        self.penguins[player].iter().fold(0, |set, &at| set | neighbours(at)) & self.free() != 0
    }

    /// The island of a penguin, if it is the only one on it.
    fn own_island(&self, at: u8) -> Option<u64> {
        if usize::from(at) >= TILES {
            return None;
        }
        let island = island(1 << at, self.all());
        (island & self.occupied == 1 << at).then_some(island)
    }
}

/// The order in which penguins were placed changes nothing but the order of the moves.
impl PartialEq for Position {
    fn eq(&self, other: &Self) -> bool {
        self.fish == other.fish
            && (self.scores, self.tiles) == (other.scores, other.tiles)
            && (self.turn, self.to_place) == (other.turn, other.to_place)
            && (0..4).all(|player| self.stands(player) == other.stands(player))
    }
}

impl Eq for Position {}

impl Fish {
    /// The tiles by lot, and the penguins too if they are not placed by the players.
    fn laid_out(&self, seed: u64, random_placement: bool) -> Position {
        let mut lot: Vec<u8> = (0..TILES as u8).collect();
        Random::stream(seed, 0).shuffle(&mut lot);
        let set = |tiles: &[u8]| tiles.iter().fold(0, |set, &tile| set | 1 << tile);
        let (ones, twos, threes) = (set(&lot[..30]), set(&lot[30..50]), set(&lot[50..]));
        let mut position = Position { fish: [ones | threes, twos | threes], ..Position::EMPTY };
        position.to_place = (self.players * self.penguins) as u8;
        for penguins in &mut position.penguins[..self.players] {
            penguins[..self.penguins].fill(UNPLACED);
        }
        if random_placement {
            let mut places: Vec<u32> = ones.squares().collect();
            Random::stream(seed, 1).shuffle(&mut places);
            places.truncate(self.players * self.penguins);
            for place in places {
                self.place(&mut position, place as u8);
            }
        }
        position
    }

    /// The place in turn of the next penguin to be placed: its player and its number.
    fn next_to_place(&self, position: &Position) -> (usize, usize) {
        let done = self.players * self.penguins - usize::from(position.to_place);
        (done % self.players, done / self.players)
    }

    fn place(&self, position: &mut Position, at: u8) {
        let (player, penguin) = self.next_to_place(position);
        position.penguins[player][penguin] = at;
        position.occupied |= 1 << at;
        position.to_place -= 1;
        if position.to_place > 0 {
            position.turn = self.next_to_place(position).0 as u8;
        } else {
            self.pass_on(position, self.players - 1);
        }
    }

    /// Gives the turn to the next player after `last` who can move, after a change of the board.
    #[inline(always)]
    fn pass_on(&self, position: &mut Position, last: usize) {
        if self.islands != Islands::Played {
            self.settle_islands(position);
            if position.turn == OVER {
                return;
            }
        }
        let mut next = last;
        for _ in 0..self.players {
            next = if next + 1 == self.players { 0 } else { next + 1 };
            if position.can_move(next) {
                position.turn = next as u8;
                return;
            }
        }
        position.turn = OVER;
    }

    #[cold]
    fn settle_islands(&self, position: &mut Position) {
        if self.islands == Islands::End {
            let mut penguins = position.penguins.iter().flatten().filter(|&&at| usize::from(at) < TILES);
            if penguins.all(|&at| position.own_island(at).is_some()) {
                position.turn = OVER;
            }
            return;
        }
        for player in 0..self.players {
            for penguin in 0..self.penguins {
                let at = position.penguins[player][penguin];
                if let Some(island) = position.own_island(at) {
                    position.scores[player] += position.fish_in(island);
                    if self.tiles {
                        position.tiles[player] += island.count_ones() as u8;
                    }
                    position.penguins[player][penguin] = NOWHERE;
                    position.occupied &= !island;
                    position.fish = position.fish.map(|plane| plane & !island);
                }
            }
        }
    }

    /// The fish and the tiles of a player when the game is over.
    fn harvest(&self, position: &Position, player: usize) -> (Score, u32) {
        let mut own = position.stands(player);
        if self.islands == Islands::End {
            own = position.penguins[player]
                .iter()
                .fold(own, |own, &at| own | position.own_island(at).unwrap_or_default());
        }
        let fish = Score::from(position.scores[player]) + Score::from(position.fish_in(own));
        (fish, if self.tiles { u32::from(position.tiles[player]) + own.count_ones() } else { 0 })
    }

    /// Tells of the slides of the player to move, penguin by penguin and direction by direction: the number of the shortest,
    /// and how many there are.
    #[inline(always)]
    fn runs(position: &Position, mut tell: impl FnMut(u16, u32)) {
        let free = position.free();
        for &at in &position.penguins[usize::from(position.turn & 3)] {
            for direction in 0..6 {
                let (first, count) = tile(at).slides(direction, free);
                tell(first, count);
            }
        }
    }
}

impl Game for Fish {
    type Position = Position;
    type Move = Move;

    const MANY: bool = true;

    fn players(&self) -> usize {
        self.players
    }

    fn start(&self) -> Position {
        self.start
    }

    #[inline(always)]
    fn turn(&self, position: &Position) -> Turn {
        if position.turn == OVER { Turn::Over } else { Turn::Player(position.turn) }
    }

    #[inline]
    fn moves(&self, position: &Position, out: &mut Vec<Move>) {
        if position.turn == OVER {
            return;
        }
        if position.to_place > 0 {
            out.extend(position.places().squares().map(|tile| SLIDES as Move + tile as Move));
            return;
        }
        // No line is longer than seven tiles, and writing eight numbers at once is faster than asking how many there are.
        let mut list = [0; 4 * 6 * 7 + 1];
        let mut end = 0;
        Self::runs(position, |first, count| {
            list[end..end + 8].copy_from_slice(&[0, 1, 2, 3, 4, 5, 6, 7].map(|more| first + more));
            end += count as usize;
        });
        out.extend_from_slice(&list[..end]);
    }

    #[inline(always)]
    fn play(&self, position: &mut Position, mv: Move) {
        if let Some(at) = placed(mv) {
            self.place(position, at);
            return;
        }
        let (from, to) = slide(mv);
        let player = usize::from(position.turn & 3);
        for at in &mut position.penguins[player] {
            *at = if *at == from { to } else { *at };
        }
        position.scores[player] += position.fish_on(from);
        if self.tiles {
            position.tiles[player] += 1;
        }
        let left = 1u64 << from;
        position.fish = position.fish.map(|plane| plane & !left);
        position.occupied ^= left | 1 << to;
        self.pass_on(position, player);
    }

    fn score(&self, position: &Position, player: usize) -> Score {
        let own = self.harvest(position, player);
        let others = (0..self.players).filter(|&other| other != player).map(|other| self.harvest(position, other));
        if !self.win {
            return own.0 - if self.players == 2 { others.map(|other| other.0).sum() } else { 0 };
        }
        let (mut equal, mut best) = (1, true);
        for other in others {
            best &= other <= own;
            equal += Score::from(other == own);
        }
        match (self.players, best) {
            (2, true) => WIN * (2 - equal),
            (2, false) => -WIN,
            (_, true) => WIN / equal,
            (_, false) => 0,
        }
    }

    fn range(&self, _: usize) -> Range {
        let high = if self.win { WIN } else { Score::from(MOST_FISH) };
        Range { low: if self.players == 2 { -high } else { 0 }, high }
    }

    fn unit(&self) -> Score {
        if self.win { WIN } else { 1 }
    }

    #[inline(always)]
    fn key(&self, position: &Position) -> u64 {
        let &Position { fish, scores, tiles, turn, .. } = position;
        let counts = u64::from(u32::from_le_bytes(scores)) | u64::from(u32::from_le_bytes(tiles)) << 32;
        // the penguins to be placed are those that stand nowhere; the turn is beyond the sixty tiles
        let turn = u64::from(turn) << TILES;
        let mut key = mix(fish[0], fish[1]) ^ mix(!position.stands(0), position.stands(1) | turn);
        key ^= mix(counts, u64::MAX);
        if self.players > 2 {
            key ^= mix(position.stands(2) | 1 << TILES, position.stands(3));
        }
        key
    }

    fn write(&self, position: &Position) -> String {
        notation::write(self, position)
    }

    fn read(&self, text: &str) -> Result<Position, BadText> {
        notation::read(self, text)
    }

    fn write_move(&self, _: &Position, mv: Move) -> String {
        if let Some(at) = placed(mv) {
            return at.to_string();
        }
        let (from, to) = slide(mv);
        format!("{from}-{to}")
    }
}

impl Evaluate for Fish {
    const INFORMED: bool = true;

    #[inline(always)]
    fn evaluate(&self, position: &Position, player: usize) -> Score {
        let own = Score::from(position.scores[player & 3]);
        if self.players == 2 {
            // byte by byte, as they were written: a wider read would have to wait for the last of these writes
            let difference = own - Score::from(position.scores[(player & 1) ^ 1]);
            return if self.win { FISH * difference } else { difference };
        }
        let scores = position.scores.map(Score::from);
        if self.win {
            let others = scores[..self.players].iter().enumerate().filter(|(other, _)| *other != player);
            return WIN / 2 + FISH * (own - others.map(|(_, &score)| score).max().unwrap_or(0));
        }
        // everybody ends with a tile for each penguin, and nobody has all fish before the end
        own.max(self.penguins as Score)
    }

    /// The fish caught.
    #[inline]
    fn progress(&self, position: &Position) -> Option<u32> {
        Some(position.scores.iter().map(|&score| u32::from(score)).sum())
    }
}

impl Order for Fish {
    fn indices(&self) -> usize {
        SLIDES + TILES
    }

    #[inline(always)]
    fn index(&self, _: &Position, mv: Move) -> usize {
        usize::from(mv)
    }
}

impl Playout for Fish {
    /// Counts the slides in each direction and picks one of them; no list is made.
    #[inline(always)]
    fn random_move(&self, position: &Position, random: &mut Random, _: &mut Vec<Move>) -> Move {
        if position.to_place > 0 {
            let places = position.places();
            return SLIDES as Move + places.nth(random.below(places.count() as usize) as u32) as Move;
        }
        let (mut runs, mut listed, mut total) = ([(0, 0); 24], 0, 0);
        Self::runs(position, |first, count| {
            runs[listed] = (first, count);
            listed += 1;
            total += count;
        });
        let mut n = random.below(total as usize) as u32;
        for &(first, count) in &runs {
            if n < count {
                return first + n as Move;
            }
            n -= count;
        }
        unreachable!("the number is below the number of slides")
    }
}

impl Chance for Fish {}
impl Hidden for Fish {}
impl Repetition for Fish {}
impl Ranked for Fish {}
impl Puzzle for Fish {}

impl AnyTurn for Fish {
    const PASSES: bool = true;

    /// A penguin must be placed, and who is out does not move.
    #[inline(always)]
    fn pass(&self, position: &mut Position) -> bool {
        let next = (usize::from(position.turn) + 1) % self.players;
        if position.to_place > 0 || !position.can_move(next) {
            return false;
        }
        position.turn = next as u8;
        true
    }
}

impl Draw for Fish {
    fn board(&self, position: &Position) -> String {
        picture::board(self, position)
    }

    fn svg(&self, position: &Position) -> String {
        picture::svg(self, position)
    }

    fn cells(&self, position: &Position) -> Vec<Cell> {
        picture::cells(position)
    }
}

impl Configure for Fish {
    const SUMMARY: &'static str = "Hey! That's My Fish!: penguins slide over melting ice and collect fish";
    const RULES: &'static str = RULES;

    fn parameters() -> Vec<Parameter> {
        vec![
            Parameter::integer("players", 2, (2, 4), "players; they have 4, 3 or 2 penguins each"),
            Parameter::integer("seed", 1, (0, i64::MAX), "which layout of the tiles, and of the penguins if by lot"),
            Parameter::word("placement", &["played", "random"], "who places the penguins: the players, or the lot"),
            Parameter::word("result", &["difference", "win"], "what counts: the fish, or winning"),
            Parameter::word(
                "ties",
                &["shared", "tiles"],
                "who wins with equally many fish: all, or who has most tiles",
            ),
            Parameter::word(
                "islands",
                &["played", "end", "award"],
                "penguins alone on an island: walk on, end the game when all are, or get the island at once",
            ),
        ]
    }

    fn configure(params: &Params) -> Result<Self, BadParameter> {
        let players = params.integer("players") as usize;
        let (win, tiles) = (params.word("result") == "win", params.word("ties") == "tiles");
        if tiles && !win {
            return Err(BadParameter("ties=tiles says who wins and needs result=win".to_owned()));
        }
        let islands = match params.word("islands") {
            "end" => Islands::End,
            "award" => Islands::Award,
            _ => Islands::Played,
        };
        let mut game = Self { players, penguins: 6 - players, islands, win, tiles, start: Position::EMPTY };
        game.start = game.laid_out(params.integer("seed") as u64, params.word("placement") == "random");
        Ok(game)
    }
}

#[cfg(test)]
mod tests;
