//! How playouts choose their moves: strategies that keep one colour for later, so that its blocks grow together.

use kibitz_game::Random;

use super::Position;
use super::columns::{Block, Cell, Columns, Starts};

/// The strategies beside uniformly random play.
pub(super) const NAMES: &[&str] = &["tabu-color-random", "tabu-color-clear", "tabu-random"];
pub(super) const TABU_COLOR_CLEAR: usize = 1;
const TABU_RANDOM: usize = 2;

/// The mark of a plan that may play the tabu colour when this removes all of it.
const CLEAR: u32 = 16;

/// The tabu colour, drawn from those on the board or the most frequent one; 0 on an empty board.
pub(super) fn plan(strategy: usize, columns: &Columns, colours: u8, random: &mut Random) -> u32 {
    match strategy {
        TABU_RANDOM => {
            let mut present = [0; 16];
            let mut count = 0;
            for colour in (1..=colours).filter(|&colour| columns.count(colour) > 0) {
                present[count] = u32::from(colour);
                count += 1;
            }
            present[random.below(count.max(1))]
        }
        TABU_COLOR_CLEAR => CLEAR | u32::from(columns.most_frequent(colours)),
        _ => u32::from(columns.most_frequent(colours)),
    }
}

/// The tabu colour of a plan, 0 if there is none.
#[inline(always)]
fn tabu(plan: u32) -> u8 {
    (plan & (CLEAR - 1)) as u8
}

/// The block that has all cells of the tabu colour, if there is one, it can be removed, and the plan allows for it.
#[inline(always)]
fn last_of_tabu(columns: &Columns, plan: u32) -> Option<Block> {
    if plan & CLEAR == 0 { None } else { columns.only_block(tabu(plan)) }
}

/// Calls `visit` with the blocks that a plan chooses from.
#[inline(always)]
pub(super) fn preferred(columns: &Columns, plan: u32, mut visit: impl FnMut(&Block)) {
    let mut last = last_of_tabu(columns, plan);
    let others = Starts::new(columns, tabu(plan));
    if others.count() == 0 {
        Starts::new(columns, 0).each(columns, visit);
        return;
    }
    others.each(columns, |block| {
        // in the order of the moves
        if let Some(last) = last.take_if(|last| last.cell() < block.cell()) {
            visit(&last);
        }
        visit(block);
    });
    if let Some(last) = last {
        visit(&last);
    }
}

/// One of the blocks that a plan chooses from; there is one.
#[inline]
pub(super) fn draw(columns: &Columns, plan: u32, random: &mut Random) -> Block {
    let others = Starts::new(columns, tabu(plan));
    let count = others.count();
    if count > 0 {
        return choose(&others, count, columns, plan, random);
    }
    let all = Starts::new(columns, 0);
    all.draw(all.count(), columns, random)
}

/// Plays by a plan to the end of the game or so many plies; tells `record` of every move. Only what a move has changed
/// is looked at again after it.
#[inline(always)]
pub(super) fn walk(
    position: &mut Position,
    plan: u32,
    epsilon: f64,
    random: &mut Random,
    plies: u32,
    mut record: impl FnMut(Cell),
) -> u32 {
    let tabu = tabu(plan);
    let mut starts = Starts::new(&position.columns, tabu);
    for played in 0..plies {
        let columns = &position.columns;
        let count = starts.count();
        let any = count == 0 || epsilon > 0.0 && random.unit() < epsilon;
        let block = if any && tabu != 0 {
            let all = Starts::new(columns, 0);
            let count = all.count();
            if count == 0 {
                return played;
            }
            all.draw(count, columns, random)
        } else if count == 0 {
            return played;
        } else {
            choose(&starts, count, columns, plan, random)
        };
        record(block.cell());
        let end = position.remove(&block);
        starts.update(&position.columns, tabu, block.first, end);
    }
    plies
}

/// One of the blocks of other colours or, where the plan allows for it, the only one of the tabu colour.
#[inline(always)]
fn choose(starts: &Starts, count: u32, columns: &Columns, plan: u32, random: &mut Random) -> Block {
    if let Some(last) = last_of_tabu(columns, plan) {
        // as likely as each of the other blocks, of which there may be fewer than starts
        return starts.draw_with(count, &last, columns, random);
    }
    starts.draw(count, columns, random)
}
