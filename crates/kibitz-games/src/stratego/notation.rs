//! Positions as text: the board, the side to move, and then one word for each thing that the board does not show.

use kibitz_game::{BadText, Score, text};

use super::Stratego;
use super::board::{BOARD, HOME, LAKES, NONE, SIDE, SQUARES, bit, squares};
use super::moves::Move;
use super::position::{MOVED, NOBODY, Position, SEEN, Stage, piece, rank_of};
use super::rank::{ARMY, BOMB, FLAG, LETTERS, RANKS, Rank, SIGNS, UNKNOWN, moves};
use super::repetition::{Chase, LONGEST_CHASE, LONGEST_TRAIL, Step, Trail};

pub(super) fn name(square: u8) -> String {
    text::square_name(usize::from(square) / SIDE, usize::from(square) % SIDE)
}

fn square(text: &str) -> Result<u8, BadText> {
    let (row, col) = text::parse_square(text, SIDE, SIDE)?;
    let square = (row * SIDE + col) as u8;
    if bit(square) & LAKES != 0 {
        return Err(BadText::new(format!("{text} is in a lake")));
    }
    Ok(square)
}

fn letter(player: usize, rank: Rank) -> char {
    let letter = LETTERS[usize::from(rank)];
    if player == 0 { letter } else { letter.to_ascii_lowercase() }
}

fn rank(letter: char) -> Option<Rank> {
    LETTERS.iter().position(|&known| known == letter.to_ascii_uppercase()).map(|rank| rank as Rank)
}

fn step([from, to]: Step) -> String {
    format!("{}-{}", name(from), name(to))
}

fn read_steps(text: &str) -> Result<Vec<Step>, BadText> {
    let one = |text: &str| {
        let (from, to) =
            text.split_once('-').ok_or_else(|| BadText::new(format!("{text:?} is no move such as a4-a5")))?;
        let [from, to] = [square(from)?, square(to)?];
        let aligned = from / SIDE as u8 == to / SIDE as u8 || from % SIDE as u8 == to % SIDE as u8;
        if from == to || !aligned {
            return Err(BadText::new(format!("{text:?} does not go along a row or a column")));
        }
        Ok([from, to])
    };
    text.split(',').filter(|text| !text.is_empty()).map(one).collect()
}

fn side(text: &str) -> Result<u8, BadText> {
    match text {
        "w" => Ok(0),
        "b" => Ok(1),
        other => Err(BadText::new(format!("a side is w or b, not {other:?}"))),
    }
}

fn number(text: &str, most: i64) -> Result<i64, BadText> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let plain = (1..=6).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
    let value = text.parse::<i64>().ok().filter(|value| plain && value.abs() <= most);
    value.ok_or_else(|| BadText::new(format!("{text:?} is no number that can stand here")))
}

/// What stands on a square of the board, the row counted from the top.
pub(super) fn cell(position: &Position, row: usize, col: usize) -> char {
    let square = (SIDE - 1 - row) * SIDE + col;
    let player = usize::from(position.sides[1] & bit(square as u8) != 0);
    match position.cells[square] {
        0 if LAKES & bit(square as u8) != 0 => 'X',
        0 => '.',
        cell => letter(player, rank_of(cell)),
    }
}

impl Stratego {
    pub(super) fn write_position(position: &Position) -> String {
        let grid = text::write_grid(SIDE, SIDE, |row, col| cell(position, row, col));
        let mut words = vec![grid, ["w", "b"][usize::from(position.turn)].to_owned()];
        let mut word = |name: &str, value: String| {
            if !value.is_empty() {
                words.push(format!("{name}={value}"));
            }
        };
        let marked = |mark: u8, within: [u128; 2]| {
            let all = squares(position.sides[0] & within[0] | position.sides[1] & within[1]);
            let names: Vec<String> = all.filter(|&s| position.cells[usize::from(s)] & mark != 0).map(name).collect();
            names.join(",")
        };
        // a piece away from home has moved
        word("moved", marked(MOVED, HOME));
        word("seen", marked(SEEN, [BOARD; 2]));
        if position.quiet > 0 {
            word("quiet", position.quiet.to_string());
        }
        let [white, black] =
            position.trails.map(|trail| trail.steps().iter().copied().map(step).collect::<Vec<_>>().join(","));
        if !(white.is_empty() && black.is_empty()) {
            word("trail", format!("{white}/{black}"));
        }
        if !position.chase.is_empty() {
            let begins = position.chase.begins().map(|at| if at == NONE { "-".to_owned() } else { at.to_string() });
            let steps: Vec<String> = position.chase.steps().iter().copied().map(step).collect();
            word("chase", format!("{}/{}/{}", begins[0], begins[1], steps.join(",")));
        }
        if position.believer != NOBODY {
            let other = usize::from(1 - position.believer);
            let pool = position.unseen[other].iter().enumerate();
            let pool: String =
                pool.flat_map(|(rank, &n)| std::iter::repeat_n(letter(other, rank as Rank), n.into())).collect();
            word("belief", format!("{}/{pool}", ["w", "b"][usize::from(position.believer)]));
            word("base", position.base.to_string());
        }
        if position.battle[0] != NONE {
            word("battle", step(position.battle));
        }
        if position.stage == Stage::Placing {
            words.insert(2, "places".to_owned());
        }
        words.join(" ")
    }

    pub(super) fn read_position(&self, text: &str) -> Result<Position, BadText> {
        let mut words = text.split_whitespace().peekable();
        let cells = text::parse_grid(words.next().unwrap_or(""), SIDE, SIDE, "MGCJPLRNTSBFUmgcjplrntsbfu.X")?;
        let mut position = Position::empty();
        position.turn = side(words.next().ok_or_else(|| BadText::new("the side to move, w or b, is missing"))?)?;
        if words.next_if_eq(&"places").is_none() {
            position.stage = Stage::Playing;
        }
        let mut marks = [0u8; SQUARES];
        let mut pool = None;
        let mut later = Vec::new();
        for word in words {
            let (name, value) =
                word.split_once('=').ok_or_else(|| BadText::new(format!("{word:?} is not of the form name=value")))?;
            match name {
                "moved" | "seen" => {
                    for text in value.split(',') {
                        marks[usize::from(square(text)?)] |= if name == "moved" { MOVED } else { SEEN };
                    }
                }
                "quiet" => position.quiet = number(value, 65_535)?.unsigned_abs() as u16,
                "base" => position.base = number(value, 20_000)? as Score,
                "belief" => {
                    let (who, ranks) = value.split_once('/').unwrap_or((value, ""));
                    position.believer = side(who)?;
                    pool = Some(ranks);
                }
                "trail" | "chase" | "battle" => later.push((name, value)),
                other => return Err(BadText::new(format!("there is no word {other:?} in a position"))),
            }
        }
        Self::put_pieces(&mut position, &cells, &marks)?;
        Self::count_pieces(&mut position, pool)?;
        for (name, value) in later {
            match name {
                "trail" => self.read_trails(&mut position, value)?,
                "chase" => self.read_chase(&mut position, value)?,
                _ => self.read_battle(&mut position, value)?,
            }
        }
        self.find_stage(&mut position)?;
        Ok(position)
    }

    fn put_pieces(position: &mut Position, cells: &[char], marks: &[u8; SQUARES]) -> Result<(), BadText> {
        for (i, &cell) in cells.iter().enumerate() {
            let square = ((SIDE - 1 - i / SIDE) * SIDE + i % SIDE) as u8;
            let bad = |reason: &str| Err(BadText::new(format!("{} {reason}", name(square))));
            if (cell == 'X') != (LAKES & bit(square) != 0) {
                return bad(if cell == 'X' { "is no lake" } else { "is in a lake: write X" });
            }
            let mut mark = marks[usize::from(square)];
            let Some(rank) = rank(cell).filter(|_| cell != 'X') else {
                if mark != 0 {
                    return bad("is empty; nothing there has moved or been seen");
                }
                continue;
            };
            let player = usize::from(cell.is_ascii_lowercase());
            if HOME[player] & bit(square) == 0 {
                mark |= MOVED;
            }
            if mark & MOVED != 0 && !moves(rank) && rank != UNKNOWN {
                return bad("has a Bomb or a Flag, which never move");
            }
            if rank == UNKNOWN && !position.hides(player) {
                return bad("has an unknown piece; say whose belief this is: belief=w/… or belief=b/…");
            }
            if rank == UNKNOWN && mark & SEEN != 0 || rank != UNKNOWN && mark & SEEN == 0 && position.hides(player) {
                return bad("has a piece that is either known and seen or neither");
            }
            if rank == UNKNOWN && mark & MOVED != 0 {
                position.roving += 1;
            }
            position.put(square, piece(player, rank, mark));
        }
        Ok(())
    }

    /// Counts the pieces on the board and those that are unknown.
    fn count_pieces(position: &mut Position, pool: Option<&str>) -> Result<(), BadText> {
        for player in 0..2 {
            let (mut alive, mut unseen, mut unknown) = ([0u8; RANKS], [0u8; RANKS], 0usize);
            for square in squares(position.sides[player]) {
                let cell = position.cells[usize::from(square)];
                if rank_of(cell) == UNKNOWN {
                    unknown += 1;
                    continue;
                }
                alive[usize::from(rank_of(cell))] += 1;
                unseen[usize::from(rank_of(cell))] += u8::from(cell & SEEN == 0);
            }
            if let Some(pool) = pool.filter(|_| position.hides(player)) {
                if position.stage != Stage::Placing && pool.chars().count() != unknown {
                    return Err(BadText::new(format!(
                        "belief names {} unknown pieces, not {unknown}",
                        pool.chars().count()
                    )));
                }
                for letter in pool.chars() {
                    let rank = rank(letter)
                        .filter(|&rank| rank != UNKNOWN && letter.is_ascii_lowercase() == (player == 1))
                        .ok_or_else(|| BadText::new(format!("{letter:?} is no piece of that side")))?;
                    alive[usize::from(rank)] += 1;
                    unseen[usize::from(rank)] += 1;
                }
                let movers: u8 = unseen[..usize::from(BOMB)].iter().sum();
                if movers < position.roving {
                    return Err(BadText::new(format!(
                        "{} unknown pieces have moved, but only {movers} can",
                        position.roving
                    )));
                }
            }
            if let Some(rank) = (0..RANKS).find(|&rank| alive[rank] > ARMY[rank]) {
                return Err(BadText::new(format!("a side has at most {} of {}", ARMY[rank], SIGNS[rank])));
            }
            if position.stage != Stage::Placing {
                position.alive[player] = alive;
                position.unseen[player] = unseen;
            } else if position.hides(player) && unseen != ARMY {
                return Err(BadText::new("before the first move the belief names all 40 pieces"));
            }
        }
        Ok(())
    }

    fn read_trails(&self, position: &mut Position, text: &str) -> Result<(), BadText> {
        let (white, black) = text.split_once('/').ok_or_else(|| BadText::new("a trail is written White's/Black's"))?;
        for (player, text) in [white, black].into_iter().enumerate() {
            let steps = read_steps(text)?;
            let mut trail = Trail::default();
            for &step in steps.iter().take(LONGEST_TRAIL) {
                trail.extend(step, self.two_squares, true);
            }
            let ends = steps.last().is_none_or(|step| position.movers[player] & bit(step[1]) != 0);
            if trail.steps() != steps || !ends {
                return Err(BadText::new(format!("{text:?} is no trail of a piece between two squares")));
            }
            position.trails[player] = trail;
        }
        Ok(())
    }

    fn read_chase(&self, position: &mut Position, text: &str) -> Result<(), BadText> {
        let parts: Vec<&str> = text.split('/').collect();
        let &[white, black, steps] = &parts[..] else {
            return Err(BadText::new("a chase is written as where White's begins/where Black's begins/moves"));
        };
        let begins =
            |text: &str| if text == "-" { Ok(NONE) } else { number(text, LONGEST_CHASE as i64).map(|n| n as u8) };
        let (begins, steps) = ([begins(white)?, begins(black)?], read_steps(steps)?);
        let chase = Chase::new(&steps, begins, position.turn).filter(|_| self.more_squares);
        position.chase = chase.ok_or_else(|| BadText::new(format!("{text:?} is no chase of this game")))?;
        Ok(())
    }

    fn read_battle(&self, position: &mut Position, text: &str) -> Result<(), BadText> {
        let bad = || BadText::new(format!("{text:?} is no attack on or by an unknown piece"));
        let steps = read_steps(text)?;
        let &[[from, to]] = &steps[..] else { return Err(bad()) };
        let player = usize::from(position.turn);
        let fits = position.stage == Stage::Playing
            && position.cells[usize::from(to)] != 0
            && [from, to].iter().any(|&square| rank_of(position.cells[usize::from(square)]) == UNKNOWN)
            && self.visit(position, player, |step| step == [from, to]);
        if !fits {
            return Err(bad());
        }
        position.battle = [from, to];
        Ok(())
    }

    /// Whether pieces are placed, the game goes on, or is over.
    fn find_stage(&self, position: &mut Position) -> Result<(), BadText> {
        let turn = usize::from(position.turn);
        if position.stage == Stage::Placing {
            return Self::check_placing(position);
        }
        let flags = [0, 1].map(|player: usize| position.alive[player][usize::from(FLAG)] > 0);
        if !flags[1 - turn] {
            return Err(BadText::new("the side to move has won already; it cannot be its turn"));
        }
        if flags[turn] {
            if position.battle[0] == NONE {
                self.settle(position);
            }
        } else if position.battle[0] == NONE {
            position.stage = Stage::Won(1 - turn as u8);
        } else {
            return Err(BadText::new("the game is over; there is no battle"));
        }
        Ok(())
    }

    fn check_placing(position: &Position) -> Result<(), BadText> {
        let bad = |reason: &str| Err(BadText::new(reason));
        for player in 0..2 {
            let count = position.sides[player].count_ones() as usize;
            let filled = (0..count).fold(0, |set, n| set | bit(super::board::home_square(player, n)));
            if position.sides[player] != filled {
                return bad("pieces are placed from the own left corner to the right, the back row first");
            }
        }
        let first = (0..2).find(|&player| position.sides[player] != HOME[player]);
        if first != Some(usize::from(position.turn)) {
            return bad("the next piece is White's until White has placed all, and then Black's");
        }
        let untouched = squares(position.sides[0] | position.sides[1])
            .all(|square| position.cells[usize::from(square)] & (MOVED | SEEN) == 0);
        let fresh =
            *position == Position { quiet: 0, trails: Default::default(), chase: Chase::default(), ..*position };
        if !untouched || !fresh {
            return bad("nothing has moved before all pieces are placed");
        }
        Ok(())
    }

    pub(super) fn written_move(position: &Position, mv: Move) -> String {
        if position.stage == Stage::Placing || position.battle[0] != NONE {
            return SIGNS[usize::from(mv)].to_string();
        }
        let [from, to] = super::moves::squares_of(mv);
        let sign = if position.cells[usize::from(to)] == 0 { '-' } else { 'x' };
        format!("{}{sign}{}", name(from), name(to))
    }
}
