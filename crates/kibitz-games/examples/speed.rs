use kibitz_game::*;
use kibitz_games::Backgammon;
use std::time::Instant;
fn main() {
    let given = std::env::args().nth(1).map(|w| ("evaluation".to_owned(), Value::Word(w)));
    let game = Backgammon::configure(&Params::complete(&Backgammon::parameters(), given).unwrap()).unwrap();
    let mut random = Random::new(1);
    let mut buffer = Vec::new();
    let mut positions = Vec::new();
    let mut leaves = Vec::new();
    for _ in 0..200 {
        let mut p = game.start();
        while game.turn(&p) != Turn::Over {
            if let Turn::Player(_) = game.turn(&p) {
                positions.push(p);
            } else if p != game.start() {
                leaves.push(p);
            }
            let mv = match game.turn(&p) {
                Turn::Chance => game.sample(&p, &mut random, &mut buffer),
                _ => game.random_move(&p, &mut random, &mut buffer),
            };
            game.play(&mut p, mv);
        }
    }
    for _ in 0..20 {
        let t = Instant::now();
        let mut n = 0u64;
        for p in &positions {
            buffer.clear();
            game.moves(p, &mut buffer);
            n += buffer.len() as u64;
        }
        let s = t.elapsed().as_secs_f64();
        println!(
            "{} generations, {:.2} M/s, {:.1} plays each, {:.1} M plays/s",
            positions.len(),
            positions.len() as f64 / s / 1e6,
            n as f64 / positions.len() as f64,
            n as f64 / s / 1e6
        );
        let t = Instant::now();
        let mut sum = 0i64;
        for p in &leaves {
            sum += i64::from(game.evaluate(p, 0));
        }
        let s = t.elapsed().as_secs_f64();
        println!("{} leaves, {:.2} M/s {sum}", leaves.len(), leaves.len() as f64 / s / 1e6);
    }
}
