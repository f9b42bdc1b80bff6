//! Positions of Chinese Checkers as text: the cells, the player to move, and the moves played.

use std::fmt::Write;

use kibitz_game::BadText;

use super::{ChineseCheckers, NOBODY, OVER, Position};

const PLAYERS: [char; 6] = ['A', 'B', 'C', 'D', 'E', 'F'];

/// The letter of a player.
pub(super) fn letter(player: usize) -> char {
    PLAYERS[player]
}

pub(super) fn write(game: &ChineseCheckers, position: &Position) -> String {
    let mut text = String::new();
    let mut cell = 0;
    for length in game.star.row_lengths() {
        if cell > 0 {
            text.push('/');
        }
        for _ in 0..length {
            text.push(game.owner(position, cell).map_or('.', letter));
            cell += 1;
        }
    }
    text.push(' ');
    text.push(if position.turn == OVER { '-' } else { letter(usize::from(position.turn)) });
    if game.cap > 0 {
        let _ = write!(text, " {}", position.plies);
    }
    text
}

pub(super) fn read(game: &ChineseCheckers, text: &str) -> Result<Position, BadText> {
    let fields: Vec<&str> = text.split_whitespace().collect();
    let (cells, turn, plies) = match (&fields[..], game.cap) {
        (&[cells, turn], 0) => (cells, turn, 0),
        (&[cells, turn, plies], 1..) => (cells, turn, read_plies(plies, game.cap)?),
        (_, 0) => return Err(BadText::new("write the rows and the player to move: two fields")),
        _ => return Err(BadText::new("write the rows, the player to move and the moves played: three fields")),
    };
    let mut position = game.laid_out(&read_cells(game, cells)?);
    position.plies = plies;
    let winners: Vec<usize> = (0..game.players).filter(|&player| game.has_won(&position, player)).collect();
    match winners[..] {
        [] => {}
        [winner] => position.winner = winner as u8,
        _ => return Err(BadText::new("only one player can have won")),
    }
    let over = position.winner != NOBODY || game.cap > 0 && plies == game.cap;
    position.turn = match (turn, over) {
        ("-", true) => OVER,
        ("-", false) => return Err(BadText::new("the game is not over: name the player to move")),
        (_, true) => return Err(BadText::new(format!("the game is over: the turn is -, not {turn:?}"))),
        _ => {
            let named = PLAYERS[..game.players].iter().position(|player| turn == player.to_string());
            named.ok_or_else(|| {
                BadText::new(format!("the player to move is A to {}, not {turn:?}", letter(game.players - 1)))
            })? as u8
        }
    };
    Ok(position)
}

fn read_plies(text: &str, cap: u16) -> Result<u16, BadText> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit());
    let plies = text.parse().ok().filter(|&plies| plain && plies <= cap);
    plies.ok_or_else(|| BadText::new(format!("the moves played are a number up to {cap}, not {text:?}")))
}

fn read_cells(game: &ChineseCheckers, text: &str) -> Result<Vec<Option<usize>>, BadText> {
    let (rows, lengths) = (text.split('/').collect::<Vec<&str>>(), game.star.row_lengths());
    let whole = rows.len() == lengths.len() && rows.iter().zip(&lengths).all(|(row, &n)| row.chars().count() == n);
    if !whole {
        let lengths: Vec<String> = lengths.iter().map(usize::to_string).collect();
        return Err(BadText::new(format!("the board has rows of {} cells separated by '/'", lengths.join(", "))));
    }
    let mut owners = Vec::with_capacity(game.views.cells);
    let mut counts = [0; 6];
    for letter in text.chars().filter(|&letter| letter != '/') {
        let owner = PLAYERS[..game.players].iter().position(|&player| player == letter);
        if owner.is_none() && letter != '.' {
            let last = PLAYERS[game.players - 1];
            return Err(BadText::new(format!("{letter:?} is not a cell; use A to {last} and . for empty cells")));
        }
        if let Some(owner) = owner {
            counts[owner] += 1;
            if game.views.seen[owner][owners.len()] & game.views.area == 0 {
                let cell = owners.len();
                return Err(BadText::new(format!(
                    "no piece of {letter} can be on cell {cell}, outside of its rhombus"
                )));
            }
        }
        owners.push(owner);
    }
    for (player, &count) in counts[..game.players].iter().enumerate() {
        if count != game.pieces {
            return Err(BadText::new(format!("{} has {} pieces, not {count}", letter(player), game.pieces)));
        }
    }
    Ok(owners)
}
