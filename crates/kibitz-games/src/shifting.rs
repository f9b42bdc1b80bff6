//! What small games in which White and Black only shift their pieces about have in common. They need not end, so that a
//! repeated position may end them.

use kibitz_game::{BadParameter, BadText, Game, Parameter, Params, Score, Turn};

/// How often a position occurs until the game is a draw; 0 if it goes on for ever.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Repeats(u32);

impl Repeats {
    pub fn parameter() -> Parameter {
        let doc = "occurrences of a position that make the game a draw; 0 if nothing does";
        Parameter::integer("repetition", 3, (0, 100), doc)
    }

    pub fn configure(params: &Params) -> Result<Self, BadParameter> {
        match params.integer("repetition") {
            1 => Err(BadParameter("repetition=1 would end every game at its start: take 0 or 2 to 100".to_owned())),
            times => Ok(Self(times as u32)),
        }
    }

    /// The score of a game in which a position occurs for the `times`-th time.
    #[inline(always)]
    pub fn drawn(self, times: u32) -> Option<Score> {
        (self.0 > 0 && times >= self.0).then_some(0)
    }
}

/// The legal move of a text, which may leave out the hyphen between the squares.
pub(crate) fn read_move<G: Game>(game: &G, position: &G::Position, text: &str) -> Result<G::Move, BadText> {
    if game.turn(position) == Turn::Over {
        return Err(BadText::new("the game is over"));
    }
    let wanted = text.trim();
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    let texts: Vec<String> = moves.iter().map(|&mv| game.write_move(position, mv)).collect();
    let found = texts.iter().position(|written| written == wanted || written.replace('-', "") == wanted);
    found.map(|index| moves[index]).ok_or_else(|| {
        let more = if texts.len() > 6 { ", …" } else { "" };
        let some = texts[..texts.len().min(6)].join(", ");
        BadText::new(format!("{wanted:?} is not a legal move here; legal are {some}{more}"))
    })
}

/// The board of a position's text, and the player to move, who stands behind it: `W` or `B`.
pub(crate) fn split_side(text: &str) -> Result<(&str, u8), BadText> {
    let (board, side) =
        text.trim().split_once(' ').ok_or_else(|| BadText::new("the side to move, W or B, is missing"))?;
    match side.trim() {
        "W" => Ok((board, 0)),
        "B" => Ok((board, 1)),
        other => Err(BadText::new(format!("the side to move is W or B, not {other:?}"))),
    }
}

/// The letter of the player to move.
pub(crate) fn side(turn: u8) -> char {
    if turn == 0 { 'W' } else { 'B' }
}
