//! Builds the tables of Fanorona in memory and prints their counts: `fanorona_tables ROWS COLS PIECES [THREADS] [ALGORITHM]`.

use std::time::Instant;

use kibitz_game::{Configure, Params, Ranked, Stop, Value};
use kibitz_games::Fanorona;
use kibitz_solve::retrograde::{Family, Options, Tables, solve_group};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |index: usize, default| arguments.get(index).map_or(default, |text| text.parse().expect("a number"));
    let (rows, cols, pieces, threads) = (number(0, 5), number(1, 9), number(2, 5), number(3, 1));
    let sizes = [("rows".to_owned(), Value::Integer(rows)), ("cols".to_owned(), Value::Integer(cols))];
    let params = Params::complete(&Fanorona::<u64>::parameters(), sizes).expect("sizes in range");
    let game = Fanorona::<u64>::configure(&params).expect("a board");
    let family = arguments.get(4).map_or(Ok(Family::default()), |name| name.parse()).expect("an algorithm");
    let options = Options { threads: threads as usize, family, ..Options::default() };
    let begin = Instant::now();
    let mut tables = Tables::default();
    for group in game.groups(Some(pieces as u32)) {
        let start = Instant::now();
        let mut phases: Vec<(String, Instant)> = Vec::new();
        let solved = solve_group(
            &game,
            &group,
            &tables,
            &options,
            &mut |progress| {
                let name = format!("{} {}", progress.pass, progress.phase);
                if phases.last().is_none_or(|(last, _)| *last != name) {
                    phases.push((name, Instant::now()));
                }
            },
            &Stop::new(),
        )
        .expect("it is solved");
        let seconds = start.elapsed().as_secs_f64();
        let positions: u64 = group.iter().map(|&slice| game.size(slice)).sum();
        for table in &solved.tables {
            let [_, loss, draw, win] = table.counts.classes;
            println!("{:>5} {win:>12} {draw:>12} {loss:>12}", game.slice_name(table.slice));
        }
        let per_position = seconds * 1e9 * threads as f64 / positions as f64;
        println!("      {seconds:.2} s, {} passes, {per_position:.0} ns a position and thread", solved.passes);
        for (name, from) in phases.iter().take(12) {
            println!("          {:.2} s {name}", (*from - start).as_secs_f64());
        }
        tables.insert(solved);
    }
    println!("{:.1} s, {} MB", begin.elapsed().as_secs_f64(), tables.bytes() >> 20);
}
