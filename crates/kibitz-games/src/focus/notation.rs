//! Positions and moves of Focus as text.

use std::fmt::Write;

use kibitz_game::text::square_name;
use kibitz_game::{BadText, Bits};

use super::squares::{self, BOARD, DIRECTIONS, Move, SQUARES};
use super::stacks::{self, EMPTY, TALLEST};
use super::{Focus, MOST_PIECES, NOBODY, OVER, Position};

const COLOURS: [char; 4] = ['R', 'G', 'B', 'Y'];

/// The letter of a player.
pub(super) fn letter(player: usize) -> char {
    COLOURS[player]
}

/// The pieces of a stack from the bottom to the top.
pub(super) fn letters(stack: u16) -> String {
    stacks::colours(stack).map(letter).collect()
}

/// The name of a square: `a1` would be at the lower left.
pub(super) fn name(square: usize) -> String {
    square_name(7 - square / 8, square % 8)
}

pub(super) fn write_move(mv: Move) -> String {
    let (square, pieces) = (name(squares::from(mv)), squares::pieces(mv));
    if pieces == 0 { format!("*{square}") } else { format!("{square}{}{pieces}", DIRECTIONS[squares::direction(mv)].0) }
}

pub(super) fn write(game: &Focus, position: &Position) -> String {
    let mut text = String::new();
    for square in BOARD.squares().map(|square| square as usize) {
        if square % 8 == (BOARD >> (8 * (square / 8)) & 0xff).trailing_zeros() as usize && square > 8 {
            text.push('/');
        }
        let stack = position.stacks[square];
        match stacks::height(stack) {
            0 => text.push('.'),
            1 => text += &letters(stack),
            _ => {
                let _ = write!(text, "({})", letters(stack));
            }
        }
    }
    for player in 0..game.players {
        let prizes = position.prizes(player);
        let others = (0..game.players).filter(|&other| other != player).map(|other| prizes[other].to_string());
        let _ = write!(text, " {}:{}", position.reserve[player], others.collect::<Vec<String>>().join(","));
    }
    text.push(' ');
    text.push(if position.turn == OVER { '-' } else { letter(usize::from(position.turn)) });
    if game.cap > 0 {
        let _ = write!(text, " {}", position.plies);
    }
    text
}

/// The stacks of a text, for so many players.
pub(super) fn read_board(text: &str, players: usize) -> Result<[u16; SQUARES], BadText> {
    let mut stacks = [EMPTY; SQUARES];
    let rows: Vec<&str> = text.split('/').collect();
    if rows.len() != 8 {
        return Err(BadText::new(format!("the board has 8 rows separated by '/', not {}", rows.len())));
    }
    for (row, text) in rows.into_iter().enumerate() {
        let squares = BOARD & 0xff << (8 * row);
        let length = squares.count_ones();
        let bad =
            |count: usize| BadText::new(format!("row {} from the top has {length} squares, not {count}", row + 1));
        let found = read_row(text, players)?;
        if found.len() != length as usize {
            return Err(bad(found.len()));
        }
        squares.squares().zip(found).for_each(|(square, stack)| stacks[square as usize] = stack);
    }
    Ok(stacks)
}

fn read_row(text: &str, players: usize) -> Result<Vec<u16>, BadText> {
    let (mut row, mut open) = (Vec::new(), None);
    for sign in text.chars() {
        let colour = COLOURS[..players].iter().position(|&colour| colour == sign);
        match (sign, colour, open) {
            ('.', _, None) => row.push(EMPTY),
            ('(', _, None) => open = Some(EMPTY),
            (')', _, Some(stack)) if stack != EMPTY => {
                row.push(stack);
                open = None;
            }
            (_, Some(colour), None) => row.push(stacks::with(EMPTY, colour)),
            (_, Some(colour), Some(stack)) if stacks::height(stack) < TALLEST => {
                open = Some(stacks::with(stack, colour));
            }
            (_, Some(_), Some(_)) => return Err(BadText::new("a stack has five pieces at most")),
            _ => {
                let last = letter(players - 1);
                return Err(BadText::new(format!(
                    "{sign:?} is out of place: write R to {last} for a piece, (RG) for a stack, . for an empty square"
                )));
            }
        }
    }
    if open.is_some() { Err(BadText::new("a stack ends with ')'")) } else { Ok(row) }
}

fn number(text: &str, most: u16) -> Option<u16> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|&number| plain && number <= most)
}

/// The reserve of a player, and what he has captured.
fn read_player(game: &Focus, player: usize, text: &str) -> Result<(u8, u32), BadText> {
    let bad = || {
        let others = game.players - 1;
        BadText::new(format!(
            "{text:?} is not what {} has: write the reserve and the pieces captured from {others} opponents, as in 1:{}",
            letter(player),
            vec!["0"; others].join(",")
        ))
    };
    let most = u16::from(MOST_PIECES[game.players]);
    let (reserve, captured) = text.split_once(':').ok_or_else(bad)?;
    let reserve = number(reserve, most).ok_or_else(bad)?;
    let counts: Vec<u16> =
        captured.split(',').map(|count| number(count, most)).collect::<Option<_>>().ok_or_else(bad)?;
    let others: Vec<usize> = (0..game.players).filter(|&other| other != player).collect();
    if counts.len() != others.len() {
        return Err(bad());
    }
    let lanes = others.iter().zip(counts).map(|(other, count)| u32::from(count) << (8 * other)).sum();
    Ok((reserve as u8, lanes))
}

pub(super) fn read(game: &Focus, text: &str) -> Result<Position, BadText> {
    let fields: Vec<&str> = text.split_whitespace().collect();
    let expected = game.players + 2 + usize::from(game.cap > 0);
    if fields.len() != expected {
        return Err(BadText::new(format!(
            "write the rows, what {} players have, the player to move{}: {expected} fields, not {}",
            game.players,
            if game.cap > 0 { " and the moves played" } else { "" },
            fields.len()
        )));
    }
    let stacks = read_board(fields[0], game.players)?;
    let (mut reserve, mut captured) = ([0; 4], [0; 4]);
    for player in 0..game.players {
        (reserve[player], captured[player]) = read_player(game, player, fields[player + 1])?;
    }
    let mut position = game.laid_out(&stacks, reserve, captured);
    check_counts(game, &position)?;
    if game.cap > 0 {
        let plies = number(fields[game.players + 2], game.cap);
        position.plies = plies.ok_or_else(|| {
            BadText::new(format!(
                "the moves played are a number up to {}, not {:?}",
                game.cap,
                fields[game.players + 2]
            ))
        })?;
    }
    read_turn(game, &mut position, fields[game.players + 1])?;
    Ok(position)
}

/// No more pieces than there are in the box.
fn check_counts(game: &Focus, position: &Position) -> Result<(), BadText> {
    let mut counts = position.reserve.map(u32::from);
    let on_board = position.stacks.iter().map(|&stack| stacks::count(stack).pieces);
    for lanes in on_board.chain(position.captured) {
        counts.iter_mut().zip(lanes.to_le_bytes()).for_each(|(count, more)| *count += u32::from(more));
    }
    let most = MOST_PIECES[game.players];
    match counts.iter().position(|&count| count > u32::from(most)) {
        Some(player) => {
            Err(BadText::new(format!("{} has {most} pieces at most, not {}", letter(player), counts[player])))
        }
        None => Ok(()),
    }
}

fn read_turn(game: &Focus, position: &mut Position, turn: &str) -> Result<(), BadText> {
    let of = |wanted: &dyn Fn(usize) -> bool| (0..game.players).filter(|&player| wanted(player)).collect::<Vec<_>>();
    let enough = of(&|player| game.short && position.need[player] == 0);
    let able = of(&|player| position.can_move(player));
    position.winner = match (&enough[..], &able[..]) {
        (_, []) => return Err(BadText::new("nobody has a stack or a reserve")),
        ([winner], _) | ([], [winner]) => *winner as u8,
        ([], _) => NOBODY,
        _ => return Err(BadText::new("only one player can have captured enough")),
    };
    let over = position.winner != NOBODY || game.cap > 0 && position.plies == game.cap;
    let named = COLOURS[..game.players].iter().position(|colour| turn == colour.to_string());
    position.turn = match (turn, named, over) {
        ("-", _, true) => OVER,
        ("-", _, false) => return Err(BadText::new("the game is not over: name the player to move")),
        (_, _, true) => return Err(BadText::new(format!("the game is over: the turn is -, not {turn:?}"))),
        (_, Some(player), _) if able.contains(&player) => player as u8,
        (_, Some(_), _) => return Err(BadText::new(format!("{turn} cannot move and is passed over"))),
        _ => {
            let letters: Vec<String> = COLOURS[..game.players].iter().map(char::to_string).collect();
            return Err(BadText::new(format!("the player to move is one of {}, not {turn:?}", letters.join(", "))));
        }
    };
    Ok(())
}
