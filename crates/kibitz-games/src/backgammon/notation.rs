//! Positions and moves as text, both ways.

use std::fmt::Write;

use kibitz_game::{BadText, Game, Turn};

use super::board::{BAR, CHECKERS, HOME, OFF, PLACES, Side};
use super::{BEAVER, Backgammon, DOUBLE, DROP, Move, NOBODY, Phase, Position, both, dice, plays, position_id};

const NAMES: [char; 2] = ['A', 'B'];

fn write_side(text: &mut String, side: Side) {
    if side.done() {
        text.push('-');
    }
    let places = (1..PLACES).rev().filter(|&place| side.count(place) > 0);
    for (i, place) in places.enumerate() {
        let gap = if i > 0 { " " } else { "" };
        let name = if place == BAR { "bar".to_owned() } else { place.to_string() };
        let _ = write!(text, "{gap}{name}:{}", side.count(place));
    }
}

pub fn write(position: &Position) -> String {
    let mut text = String::new();
    write_side(&mut text, position.sides[0]);
    text.push_str(" / ");
    write_side(&mut text, position.sides[1]);
    let name = NAMES[usize::from(position.turn & 1)];
    let _ = match position.phase {
        Phase::Opening => write!(text, " / start"),
        Phase::Decision => write!(text, " / {name}"),
        Phase::Roll => write!(text, " / {name} rolls"),
        Phase::Play(high, low) => write!(text, " / {name} {high}{low}"),
        Phase::Doubled => write!(text, " / {name} doubled"),
        Phase::Beavered => write!(text, " / {name} beavered"),
        Phase::Dropped => write!(text, " / {name} dropped"),
    };
    if position.cube > 0 {
        let _ = write!(text, " / cube {} {}", 1 << position.cube, NAMES[usize::from(position.owner & 1)]);
    }
    text
}

/// A number of at most two digits, without a sign.
fn number(text: &str) -> Option<u32> {
    let plain = (1..=2).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| plain)
}

fn read_side(text: &str) -> Result<Side, BadText> {
    let mut side = Side::EMPTY;
    if text == "-" {
        return Ok(side);
    }
    for word in text.split_whitespace() {
        let bad = || BadText::new(format!("checkers are written as in 13:5 or bar:1, not {word:?}"));
        let (place, count) = word.split_once(':').ok_or_else(bad)?;
        let place = if place == "bar" { Some(BAR as u32) } else { number(place).filter(|place| *place < 25) };
        let place = place.filter(|&place| place > 0).ok_or_else(bad)? as usize;
        let count = number(count).filter(|&count| count > 0).ok_or_else(bad)?;
        if side.count(place) > 0 {
            return Err(BadText::new(format!("the place of {word} is written twice")));
        }
        if count > side.count(OFF) {
            return Err(BadText::new(format!("a side has {CHECKERS} checkers, and with {word} it has more")));
        }
        (0..count).for_each(|_| side = side.moved(OFF, place));
    }
    if side.done() {
        return Err(BadText::new("write - for a side that has borne off all checkers"));
    }
    Ok(side)
}

fn read_player(text: &str) -> Result<u8, BadText> {
    match text {
        "A" => Ok(0),
        "B" => Ok(1),
        other => Err(BadText::new(format!("the player is A or B, not {other:?}"))),
    }
}

/// What the player does, after the name.
fn read_phase(text: &str) -> Result<Phase, BadText> {
    match text.as_bytes() {
        b"" => Ok(Phase::Decision),
        b"rolls" => Ok(Phase::Roll),
        b"doubled" => Ok(Phase::Doubled),
        b"beavered" => Ok(Phase::Beavered),
        b"dropped" => Ok(Phase::Dropped),
        &[a @ b'1'..=b'6', b @ b'1'..=b'6'] => Ok(Phase::Play(a.max(b) - b'0', a.min(b) - b'0')),
        _ => Err(BadText::new(format!(
            "after the player come the dice, as in A 31, or rolls, doubled, beavered or dropped, not {text:?}"
        ))),
    }
}

pub fn read(game: &Backgammon, text: &str) -> Result<Position, BadText> {
    let text = text.trim();
    let mut position = Position { sides: [Side::EMPTY; 2], turn: 0, phase: Phase::Decision, cube: 0, owner: NOBODY };
    let first_word = text.split_whitespace().next().unwrap_or("");
    let by_ids = first_word != "-" && !first_word.contains(':') || position_id::looks_like_ids(first_word);
    // identifiers have slashes inside
    let rest = if by_ids { &text[first_word.len()..] } else { text };
    let mut fields = rest.split('/').map(str::trim);
    let first = fields.next().unwrap_or("");
    let state = if by_ids {
        let (own, other, matched) = position_id::read(first_word)?;
        position = matched.unwrap_or(position);
        if let Some(name) = first.split(' ').next().filter(|name| !name.is_empty() && *name != "start") {
            position.turn = read_player(name)?;
            position.phase = Phase::Decision;
        }
        let words = first.split_once(' ').map_or("", |(_, phase)| phase.trim());
        let player = usize::from(if words == "doubled" { 1 - position.turn } else { position_id::on_roll(&position) });
        position.sides[player] = own;
        position.sides[1 - player] = other;
        first
    } else {
        let second = fields.next().ok_or_else(|| BadText::new("the checkers of B are missing after /"))?;
        position.sides = [read_side(first)?, read_side(second)?];
        let state = fields.next().filter(|state| !state.is_empty());
        state.ok_or_else(|| BadText::new("the player is missing: write / A rolls, or / A 31"))?
    };
    if state == "start" {
        position.phase = Phase::Opening;
        position.turn = 0;
    } else if !state.is_empty() {
        let (name, phase) = state.split_once(' ').unwrap_or((state, ""));
        position.turn = read_player(name)?;
        position.phase = read_phase(phase.trim())?;
    }
    if let Some(cube) = fields.next() {
        let mut words = cube.split_whitespace();
        let bad = || BadText::new(format!("the cube is written as in cube 2 A, not {cube:?}"));
        let (Some("cube"), Some(value), Some(owner), None) = (words.next(), words.next(), words.next(), words.next())
        else {
            return Err(bad());
        };
        let value = number(value).filter(|value| *value > 1 && value.is_power_of_two()).ok_or_else(bad)?;
        position.cube = value.ilog2() as u8;
        position.owner = read_player(owner)?;
    }
    if fields.next().is_some() {
        return Err(BadText::new("there is something after the cube"));
    }
    checked(game, position)
}

/// The position with its turn begun as the game does it, or why there is no such position.
fn checked(game: &Backgammon, mut position: Position) -> Result<Position, BadText> {
    let [a, b] = position.sides;
    if let Some(point) = (1..=24).find(|&point| a.count(point) > 0 && b.count(25 - point) > 0) {
        return Err(BadText::new(format!("both sides stand on A's {point}-point, which is B's {}", 25 - point)));
    }
    if position.cube > game.cube {
        return Err(BadText::new(format!("the cube goes up to {} in this game", 1 << game.cube)));
    }
    if a.done() && b.done() {
        return Err(BadText::new("only one side can have borne off all checkers"));
    }
    let closed = |side: Side, other: Side| side.count(BAR) > 0 && other.held() & HOME == HOME;
    if closed(a, b) && closed(b, a) {
        return Err(BadText::new("both sides are on the bar before closed boards, so that nobody could ever move"));
    }
    if let Some(winner) = position.home()
        && (usize::from(position.turn) == winner || position.phase != Phase::Roll)
    {
        let [name, other] = [NAMES[winner], NAMES[1 - winner]];
        return Err(BadText::new(format!("{name} has borne off all checkers: write {other} rolls")));
    }
    let (cube, owner, turn) = (position.cube, position.owner, position.turn);
    match position.phase {
        Phase::Opening if cube > 0 => return Err(BadText::new("nobody can have doubled before the game begins")),
        Phase::Decision => game.begin(&mut position, turn),
        Phase::Doubled if cube >= game.cube || owner == turn => {
            return Err(BadText::new("the other player cannot have doubled"));
        }
        Phase::Beavered if !game.beavers || cube == 0 || cube >= game.cube || owner == turn => {
            return Err(BadText::new("the other player cannot have beavered"));
        }
        // who drops after a beaver does not own the cube
        Phase::Dropped if game.cube == 0 || owner == turn || cube >= game.cube => {
            return Err(BadText::new("the other player cannot have doubled"));
        }
        _ => {}
    }
    Ok(position)
}

/// A run of one checker: the places that it touches, with a mark for each hit, and how many checkers do the same.
struct Run {
    places: Vec<(usize, bool)>,
    times: u32,
}

fn name(place: usize) -> String {
    match place {
        OFF => "off".to_owned(),
        BAR => "bar".to_owned(),
        point => point.to_string(),
    }
}

pub fn write_move(position: &Position, mv: Move) -> String {
    match position.phase {
        Phase::Play(..) => write_play(position, mv),
        Phase::Roll | Phase::Opening => {
            let (first, second) = dice(mv);
            format!("{first}{second}")
        }
        Phase::Decision => (if mv == DOUBLE { "double" } else { "roll" }).to_owned(),
        _ => match mv {
            DROP => "drop",
            BEAVER => "beaver",
            _ => "take",
        }
        .to_owned(),
    }
}

fn write_play(position: &Position, play: Move) -> String {
    let (_, mut other) = both(position);
    let mut steps = Vec::new();
    for (from, die) in plays::steps(play) {
        let to = from.saturating_sub(die);
        let hit = to > 0 && other.count(25 - to) == 1;
        if hit {
            other = other.moved(25 - to, BAR);
        }
        steps.push((from, to, hit));
    }
    // one checker that runs and two of which one takes the other's place are the same
    steps.sort_by_key(|step| std::cmp::Reverse(step.0));
    let mut runs: Vec<Run> = Vec::new();
    for (from, to, hit) in steps {
        match runs.iter_mut().find(|run| run.places.last().is_some_and(|&(place, _)| place == from)) {
            Some(run) => run.places.push((to, hit)),
            None => runs.push(Run { places: vec![(from, false), (to, hit)], times: 1 }),
        }
    }
    if runs.is_empty() {
        return "pass".to_owned();
    }
    for run in &mut runs {
        let last = run.places.len() - 1;
        let mut i = 0;
        run.places.retain(|&(_, hit)| {
            i += 1;
            i == 1 || i == last + 1 || hit
        });
    }
    runs.sort_by(|a, b| b.places.cmp(&a.places));
    let mut merged: Vec<Run> = Vec::new();
    for run in runs {
        match merged.last_mut().filter(|last| last.places == run.places) {
            Some(last) => last.times += 1,
            None => merged.push(run),
        }
    }
    let texts = merged.iter().map(|run| {
        let places: Vec<String> =
            run.places.iter().map(|&(place, hit)| name(place) + if hit { "*" } else { "" }).collect();
        let times = if run.times > 1 { format!("({})", run.times) } else { String::new() };
        places.join("/") + &times
    });
    texts.collect::<Vec<_>>().join(" ")
}

/// What a play does: how many checkers leave or reach each place on balance, and the points where it hits.
#[derive(Debug, PartialEq, Eq)]
struct Effect {
    balance: [i8; PLACES],
    hits: u32,
}

/// The effect that a text asks for, and whether it marks hits.
fn effect_of_text(text: &str) -> Option<Effect> {
    let mut effect = Effect { balance: [0; PLACES], hits: 0 };
    for word in text.split_whitespace() {
        let (run, times) = match word.split_once('(') {
            Some((run, times)) => (run, number(times.strip_suffix(')')?).filter(|times| (1..=4).contains(times))?),
            None => (word, 1),
        };
        let mut places = Vec::new();
        for place in run.split('/') {
            let (place, hit) = place.strip_suffix('*').map_or((place, false), |place| (place, true));
            let place = match place {
                "off" => OFF,
                "bar" => BAR,
                point => number(point).filter(|point| (*point as usize) < PLACES)? as usize,
            };
            if hit {
                effect.hits |= 1 << place;
            }
            places.push(place);
        }
        let (&first, &last) = (places.first()?, places.last()?);
        if places.len() < 2 || !places.is_sorted_by(|a, b| a > b) {
            return None;
        }
        effect.balance[first] -= times as i8;
        effect.balance[last] += times as i8;
        // four dozens of words are no play, and would be too many for a balance of eight bits
        if effect.balance.iter().any(|count| count.abs() > 15) {
            return None;
        }
    }
    Some(effect)
}

fn effect_of_play(position: &Position, play: Move) -> Effect {
    let (_, mut other) = both(position);
    let mut effect = Effect { balance: [0; PLACES], hits: 0 };
    for (from, die) in plays::steps(play) {
        let to = from.saturating_sub(die);
        effect.balance[from] -= 1;
        effect.balance[to] += 1;
        if to > 0 && other.count(25 - to) == 1 {
            other = other.moved(25 - to, BAR);
            effect.hits |= 1 << to;
        }
    }
    effect
}

pub fn read_move(game: &Backgammon, position: &Position, text: &str) -> Result<Move, BadText> {
    if game.turn(position) == Turn::Over {
        return Err(BadText::new("the game is over"));
    }
    let text = text.trim();
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    let illegal = || {
        let some: Vec<String> = moves.iter().take(6).map(|&mv| write_move(position, mv)).collect();
        let more = if moves.len() > some.len() { ", …" } else { "" };
        BadText::new(format!("{text:?} is not a legal move here; legal are {}{more}", some.join(", ")))
    };
    if !matches!(position.phase, Phase::Play(..)) || moves == [0] {
        // the dice may be written in any order, but those of the opening belong to A and B
        let turned: String = text.chars().rev().collect();
        let found = moves.iter().find(|&&mv| {
            let written = write_move(position, mv);
            written == text || position.phase == Phase::Roll && written == turned
        });
        return found.copied().ok_or_else(illegal);
    }
    // what a play does tells it from all others
    let wanted = effect_of_text(text).ok_or_else(illegal)?;
    let mut same: Vec<(Move, Effect)> = moves.iter().map(|&mv| (mv, effect_of_play(position, mv))).collect();
    same.retain(|(_, effect)| effect.balance == wanted.balance);
    // without stars a play that hits is meant only if there is no other
    if wanted.hits != 0 || same.iter().any(|(_, effect)| effect.hits == 0) {
        same.retain(|(_, effect)| effect.hits == wanted.hits);
    }
    let same: Vec<Move> = same.into_iter().map(|(mv, _)| mv).collect();
    match same[..] {
        [mv] => Ok(mv),
        [] => Err(illegal()),
        _ => {
            let texts: Vec<String> = same.iter().map(|&mv| write_move(position, mv)).collect();
            Err(BadText::new(format!("{text:?} may be {}: mark what it hits", texts.join(" or "))))
        }
    }
}
