//! The searches of one player against listings, against exhaustive search, and what must hold of all of them.

use crate::searching::make;
use std::collections::HashMap;

use crate::puzzle::{Pick, limits, optimum, replay, run, stat};
use kibitz_game::{Configure, Game, Limits, Params, Playout, Puzzle, Random, Score, Stop, Turn, Value};
use kibitz_games::{Breakthrough, RandomTree, SameGame};
use kibitz_search::{
    AStar, BeamSearch, Context, IdaStar, Layers, NestedMonteCarlo, NestedRollout, NotSupported, PlayoutStrategy,
    Report, Searchable, SimulatedAnnealing, SpMcts,
};

/// A tree of one player whose leaves are sums, so that bounds say something.
fn tree(width: i64, depth: i64, seed: i64) -> RandomTree {
    let mut given: Vec<_> = [("width", width), ("depth", depth), ("players", 1), ("range", 1000), ("seed", seed)]
        .map(|(name, value)| (name.to_owned(), Value::Integer(value)))
        .into();
    given.push(("leaves".to_owned(), Value::Word("sum".to_owned())));
    RandomTree::configure(&Params::complete(&RandomTree::parameters(), given).unwrap()).ok().unwrap()
}

/// Small boards of `SameGame` with their colours and the best score, counted by an independent program.
const BOARDS: [(&str, i64, i64, i64, f64); 6] = [
    ("ABAB/BBBA/ABAB/ABAB", 4, 4, 2, 1042.0),
    ("ABAA/CAAB/ABCC/BBCC", 4, 4, 3, 16.0),
    ("CCCC/CCBB/BBBC/CCAB", 4, 4, 3, 56.0),
    ("BCAAC/CBBAB/AACCB/BCCCB/ABCBC", 5, 5, 3, 1057.0),
    ("BBCBA/BCDAC/DDCDA/AADCB/CDDAB", 5, 5, 4, 1029.0),
    ("ADDBBB/BBCADD/DADCCC/BCADBD/ABDCCA/ADBABC", 6, 6, 4, 1026.0),
];

fn search_from<G: Searchable>(
    game: &G,
    position: &G::Position,
    search: impl FnOnce(&G, &G::Position, &mut Context<'_, G::Move>) -> Result<Report<G::Move>, NotSupported>,
) -> Report<G::Move> {
    let (stop, limits) = (Stop::new(), Limits::default());
    let context = &mut Context { limits: &limits, stop: &stop, past: &[], progress: &mut |_| {} };
    let report = search(game, position, context).unwrap();
    assert_eq!(game.result(f64::from(replay(game, position, &report.pv))), report.value);
    report
}

#[test]
fn exact_searches_find_the_best_of_everything() {
    for (count, choice) in [(5, 5), (7, 3), (8, 4)] {
        let game = Pick::new(count, choice);
        let best = f64::from(optimum(&game, &game.start()));
        let reports = [
            run(&game, &limits(None, None), |g, p, c| AStar::default().search(g, p, c)),
            run(&game, &limits(None, None), |g, p, c| IdaStar::default().search(g, p, c)),
            run(&game, &limits(None, None), |g, p, c| IdaStar { tt_mb: 1 }.search(g, p, c)),
            run(&game, &limits(None, None), |g, p, c| {
                BeamSearch { width: Some(1 << 20), ..BeamSearch::default() }.search(g, p, c)
            }),
        ];
        for report in &reports {
            assert_eq!((report.value, report.proven), (best, true));
        }
        assert_eq!(stat(&reports[0], "upper_bound"), best);
        assert!(reports[2].nodes <= reports[1].nodes);
    }
    for seed in 0..5 {
        let game = tree(3, 6, seed);
        let best = f64::from(optimum(&game, &game.start()));
        for report in [
            run(&game, &limits(None, None), |g, p, c| AStar::default().search(g, p, c)),
            run(&game, &limits(None, None), |g, p, c| IdaStar::default().search(g, p, c)),
            run(&game, &limits(None, None), |g, p, c| BeamSearch::default().search(g, p, c)),
        ] {
            assert_eq!((report.value, report.proven), (best, true));
        }
    }
}

#[test]
fn small_boards_of_samegame_are_solved() {
    for (text, rows, cols, colours, best) in BOARDS {
        let game: SameGame = make(&[("rows", rows), ("cols", cols), ("colours", colours)]);
        let position = game.read(text).unwrap();
        let a_star = search_from(&game, &position, |g, p, c| AStar::default().search(g, p, c));
        let ida_star = search_from(&game, &position, |g, p, c| IdaStar { tt_mb: 4 }.search(g, p, c));
        let without = search_from(&game, &position, |g, p, c| IdaStar::default().search(g, p, c));
        assert!(ida_star.nodes < without.nodes || colours < 4, "a memory saves work");
        let wide = BeamSearch { width: Some(1 << 20), ..BeamSearch::default() };
        let beam = search_from(&game, &position, |g, p, c| wide.search(g, p, c));
        let by_moves = BeamSearch { layers: Layers::Moves, ..wide };
        let by_moves = search_from(&game, &position, |g, p, c| by_moves.search(g, p, c));
        for report in [a_star, ida_star, without, beam, by_moves] {
            assert_eq!((report.value, report.proven), (best, true), "{text}");
        }
    }
}

#[test]
fn an_exact_search_that_is_stopped_knows_bounds() {
    let game = Pick::new(14, 6);
    let best = run(&game, &limits(None, None), |g, p, c| AStar::default().search(g, p, c)).value;
    for report in [
        run(&game, &limits(Some(3000), None), |g, p, c| AStar::default().search(g, p, c)),
        run(&game, &limits(Some(3000), None), |g, p, c| IdaStar::default().search(g, p, c)),
    ] {
        assert!(!report.proven && report.nodes <= 3000);
        assert!(report.history.is_empty() || report.value <= best);
        assert!(stat(&report, "upper_bound") >= best);
    }
    let big = Pick::new(20, 10);
    let report = run(&big, &limits(Some(10_000_000), None), |g, p, c| AStar { memory_mb: 1 }.search(g, p, c));
    assert!(!report.proven && stat(&report, "memory_full") == 1.0);
}

#[test]
fn a_nested_search_of_level_0_is_a_playout() {
    let game: SameGame = make(&[("position", 1)]);
    let search = NestedMonteCarlo { level: 0, restarts: Some(1), seed: 3, ..NestedMonteCarlo::default() };
    let report = run(&game, &limits(None, None), |g, p, c| search.search(g, p, c));
    let (mut position, mut line) = (game.start(), Vec::new());
    let random = &mut Random::stream(3, 0);
    game.play_strategically(0, 0.0, &mut position, random, &mut Vec::new(), &mut line, u32::MAX);
    assert_eq!((report.pv, stat(&Report { pv: vec![0u16], ..report }, "simulations")), (line, 1.0));
}

/// Level 1 as it is printed, with the memory of the best sequence or without.
fn level_1(game: &Pick, memorise: bool, random: &mut Random) -> (Score, Vec<u8>) {
    let (mut position, mut played) = (game.start(), Vec::new());
    let mut best: Option<(Score, Vec<u8>)> = None;
    while game.turn(&position) != Turn::Over {
        let mut moves = Vec::new();
        game.moves(&position, &mut moves);
        let mut round: Option<(Score, Vec<u8>)> = None;
        for mv in moves {
            let (mut end, mut line) = (position, played.clone());
            game.play(&mut end, mv);
            line.push(mv);
            game.play_strategically(usize::MAX, 0.0, &mut end, random, &mut Vec::new(), &mut line, u32::MAX);
            let score = game.score(&end, 0);
            if round.as_ref().is_none_or(|round| score > round.0) {
                round = Some((score, line));
            }
        }
        if !memorise || best.as_ref().is_none_or(|best| round.as_ref().unwrap().0 > best.0) {
            best = round;
        }
        let next = best.as_ref().unwrap().1[played.len()];
        game.play(&mut position, next);
        played.push(next);
    }
    (game.score(&position, 0), played)
}

#[test]
fn a_nested_search_of_level_1_is_the_listing() {
    let game = Pick::new(12, 4);
    for seed in 0..20 {
        for memorise in [true, false] {
            let search = NestedMonteCarlo {
                level: 1,
                memorise,
                strategy: PlayoutStrategy::Random,
                restarts: Some(1),
                seed,
                ..NestedMonteCarlo::default()
            };
            let report = run(&game, &limits(None, None), |g, p, c| search.search(g, p, c));
            let (score, line) = level_1(&game, memorise, &mut Random::stream(seed, 0));
            if memorise {
                assert_eq!((report.value, report.pv), (f64::from(score), line));
            } else {
                // the best game of all is kept even if the search did not play it
                assert!(report.value >= f64::from(score));
            }
        }
    }
}

#[test]
fn higher_levels_are_better() {
    let game: SameGame = make(&[("position", 6)]);
    let mean = |level: u32| {
        let values = (0..4).map(|seed| {
            let search = NestedMonteCarlo { level, restarts: Some(1), seed, ..NestedMonteCarlo::default() };
            run(&game, &limits(None, Some(4000)), |g, p, c| search.search(g, p, c)).value
        });
        values.sum::<f64>() / 4.0
    };
    assert!(mean(0) < mean(1));
}

/// NRPA as it is printed, with weights and their exponentials.
struct Listing<'a> {
    game: &'a Pick,
    random: Random,
    iterations: u32,
    alpha: f64,
    bias: f64,
}

impl Listing<'_> {
    fn moves(&self, position: &crate::puzzle::Picked) -> Vec<u8> {
        let mut moves = Vec::new();
        self.game.moves(position, &mut moves);
        moves
    }

    fn weight(&self, policy: &HashMap<u64, f64>, position: &crate::puzzle::Picked, mv: u8) -> f64 {
        let weight = policy.get(&self.game.code(position, mv)).copied().unwrap_or(0.0);
        (weight + self.bias * self.game.bias(position, mv)).exp()
    }

    fn playout(&mut self, policy: &HashMap<u64, f64>) -> (Score, Vec<u8>) {
        let (mut position, mut line) = (self.game.start(), Vec::new());
        while self.game.turn(&position) != Turn::Over {
            let moves = self.moves(&position);
            let total: f64 = moves.iter().map(|&mv| self.weight(policy, &position, mv)).sum();
            let mut left = self.random.unit() * total;
            let mut chosen = moves[moves.len() - 1];
            for &mv in &moves {
                left -= self.weight(policy, &position, mv);
                if left < 0.0 {
                    chosen = mv;
                    break;
                }
            }
            self.game.play(&mut position, chosen);
            line.push(chosen);
        }
        (self.game.score(&position, 0), line)
    }

    fn adapt(&self, policy: &mut HashMap<u64, f64>, line: &[u8]) {
        let old = policy.clone();
        let mut position = self.game.start();
        for &mv in line {
            *policy.entry(self.game.code(&position, mv)).or_default() += self.alpha;
            let moves = self.moves(&position);
            let total: f64 = moves.iter().map(|&mv| self.weight(&old, &position, mv)).sum();
            for &other in &moves {
                let share = self.weight(&old, &position, other) / total;
                *policy.entry(self.game.code(&position, other)).or_default() -= self.alpha * share;
            }
            self.game.play(&mut position, mv);
        }
    }

    fn search(&mut self, level: u32, policy: &HashMap<u64, f64>) -> (Score, Vec<u8>) {
        if level == 0 {
            return self.playout(policy);
        }
        let mut policy = policy.clone();
        let mut best = (Score::MIN, Vec::new());
        for _ in 0..self.iterations {
            let found = self.search(level - 1, &policy);
            if found.0 >= best.0 {
                best = found;
            }
            self.adapt(&mut policy, &best.1);
        }
        best
    }
}

#[test]
fn nrpa_is_the_listing() {
    let game = Pick::new(12, 5);
    for (seed, level, bias) in [(0, 1, 0.0), (1, 2, 0.0), (2, 2, 1.0), (3, 3, 0.5), (4, 3, 0.0)] {
        let search = NestedRollout {
            level,
            iterations: 8,
            alpha: 0.8,
            bias,
            strategy: PlayoutStrategy::Random,
            restarts: Some(1),
            seed,
            ..NestedRollout::default()
        };
        let report = run(&game, &limits(None, None), |g, p, c| search.search(g, p, c));
        let mut listing = Listing { game: &game, random: Random::stream(seed, 0), iterations: 8, alpha: 0.8, bias };
        let (score, line) = listing.search(level, &HashMap::new());
        assert_eq!((report.value, &report.pv), (f64::from(score), &line));
        assert_eq!(stat(&report, "simulations"), f64::from(8u32.pow(level)));
    }
}

#[test]
fn the_variants_of_nrpa_do_what_they_say() {
    let game = Pick::new(10, 3);
    let plain = NestedRollout {
        level: 2,
        iterations: 30,
        strategy: PlayoutStrategy::Random,
        restarts: Some(1),
        ..NestedRollout::default()
    };
    let playouts = |search: &NestedRollout| {
        stat(&run(&game, &limits(None, None), |g, p, c| search.search(g, p, c)), "simulations")
    };
    assert_eq!(playouts(&plain), 900.0);
    assert_eq!(playouts(&NestedRollout { playouts: 4, ..plain.clone() }), 3600.0);
    assert!(playouts(&NestedRollout { repetitions: Some(2), ..plain.clone() }) < 900.0);
    let line = |search: &NestedRollout| run(&game, &limits(None, Some(3)), |g, p, c| search.search(g, p, c)).pv;
    let lines = [plain.clone(), NestedRollout { bias: 0.0, ..plain.clone() }].map(|search| line(&search));
    assert_ne!(lines[0], lines[1]);
    let lowest = NestedRollout { strategy: PlayoutStrategy::Named("lowest".to_owned()), ..plain };
    // with a choice of two the last number is never picked before the one before the last but one
    let at = |line: &[u8], number: u8| line.iter().position(|&mv| mv == number).unwrap();
    let chosen = line(&lowest);
    assert!(at(&chosen, 9) > at(&chosen, 6));
}

#[test]
fn a_beam_does_not_depend_on_threads_and_fits_into_its_memory() {
    let game: SameGame = make(&[("position", 2)]);
    let search = |beam: &BeamSearch| run(&game, &limits(None, None), |g, p, c| beam.search(g, p, c));
    let beam = BeamSearch { width: Some(40), noise: 30.0, ..BeamSearch::default() };
    let alone = search(&beam);
    let together = search(&BeamSearch { threads: 3, ..beam.clone() });
    assert_eq!((alone.value, &alone.pv, alone.nodes), (together.value, &together.pv, together.nodes));
    assert!(!alone.proven);
    assert_ne!(alone.pv, search(&BeamSearch { seed: 1, ..beam.clone() }).pv);
    assert_ne!(alone.nodes, search(&BeamSearch { per_parent: 1, ..beam.clone() }).nodes);
    assert_ne!(alone.nodes, search(&BeamSearch { layers: Layers::Moves, ..beam.clone() }).nodes);
    let other = BeamSearch { potential: Some("bound".to_owned()), ..beam.clone() };
    assert_ne!(alone.pv, search(&other).pv);
    let wide = BeamSearch { width: Some(1 << 20), memory_mb: 1, ..beam };
    let report = run(&game, &limits(Some(400_000), None), |g, p, c| wide.search(g, p, c));
    assert!(stat(&report, "narrowest") < 10_000.0);
}

#[test]
fn a_beam_grows_until_the_limits_and_refines_the_best_line() {
    let game: SameGame = make(&[("position", 9)]);
    let limit = limits(Some(300_000), None);
    let grown = run(&game, &limit, |g, p, c| BeamSearch { first_width: 4, ..BeamSearch::default() }.search(g, p, c));
    assert!(stat(&grown, "passes") >= 4.0 && stat(&grown, "width") >= 32.0);
    let refining = BeamSearch { width: Some(10), refine: true, noise: 20.0, ..BeamSearch::default() };
    let refined = run(&game, &limit, |g, p, c| refining.search(g, p, c));
    assert!(stat(&refined, "passes") > 10.0);
    let first =
        run(&game, &limits(None, None), |g, p, c| BeamSearch { refine: false, ..refining.clone() }.search(g, p, c));
    assert!(refined.value > first.value);
    let again = run(&game, &limit, |g, p, c| refining.search(g, p, c));
    assert_eq!((again.value, again.pv, again.nodes), (refined.value, refined.pv, refined.nodes));
}

#[test]
fn annealing_finds_the_best_of_small_boards() {
    for (text, rows, cols, colours, best) in BOARDS {
        let game: SameGame = make(&[("rows", rows), ("cols", cols), ("colours", colours)]);
        let position = game.read(text).unwrap();
        let report = search_from(&game, &position, |g, p, c| {
            SimulatedAnnealing { changes: 20_000, restarts: Some(2), ..SimulatedAnnealing::default() }.search(g, p, c)
        });
        assert_eq!(report.value, best, "{text}");
    }
    for (count, choice) in [(5, 5), (7, 3), (8, 4)] {
        let game = Pick::new(count, choice);
        let annealing = SimulatedAnnealing { changes: 5_000, hot: Some(20.0), ..SimulatedAnnealing::default() };
        let report = run(&game, &limits(None, None), |g, p, c| annealing.search(g, p, c));
        assert_eq!(report.value, f64::from(optimum(&game, &game.start())));
    }
}

#[test]
fn annealing_is_deterministic_and_climbs_when_it_is_cold() {
    let game: SameGame = make(&[("position", 3)]);
    let limit = limits(None, Some(3_000));
    let annealing = SimulatedAnnealing { changes: 1_000, ..SimulatedAnnealing::default() };
    let line = |search: &SimulatedAnnealing| {
        let report = run(&game, &limit, |g, p, c| search.search(g, p, c));
        assert_eq!(stat(&report, "simulations"), 3_000.0);
        (report.value, stat(&report, "accepted"), report.pv)
    };
    let hot = line(&annealing);
    assert_eq!(hot, line(&annealing));
    assert_ne!(hot, line(&SimulatedAnnealing { seed: 1, ..annealing.clone() }));
    // without heat only lines that are no worse are kept, and at a thousand times the heat almost all
    let cold = line(&SimulatedAnnealing { hot: Some(0.0), ..annealing.clone() });
    let wild = line(&SimulatedAnnealing { hot: Some(60_000.0), cold: Some(60_000.0), ..annealing });
    assert!(cold.1 < hot.1 && hot.1 < wild.1 && wild.0 < hot.0);
}

/// What a search of that name answered.
type Answer<G> = (&'static str, Result<Report<<G as Game>::Move>, NotSupported>);

/// Every search, each with a name.
fn all<G: Searchable>(game: &G, position: &G::Position, limits: &Limits, stop: &Stop) -> Vec<Answer<G>> {
    let context = || Context { limits, stop, past: &[], progress: Box::leak(Box::new(|_: &_| {})) };
    vec![
        ("SpMcts", SpMcts::default().search(game, position, &mut context())),
        ("NestedMonteCarlo", NestedMonteCarlo::default().search(game, position, &mut context())),
        ("NestedRollout", NestedRollout::default().search(game, position, &mut context())),
        ("SimulatedAnnealing", SimulatedAnnealing::default().search(game, position, &mut context())),
        ("BeamSearch", BeamSearch::default().search(game, position, &mut context())),
        ("BeamSearch", BeamSearch { refine: true, ..BeamSearch::default() }.search(game, position, &mut context())),
        ("AStar", AStar::default().search(game, position, &mut context())),
        ("IdaStar", IdaStar::default().search(game, position, &mut context())),
    ]
}

#[test]
fn limits_hold() {
    let game: SameGame = make(&[]);
    for nodes in [1, 2, 100, 5000] {
        for (name, report) in all(&game, &game.start(), &limits(Some(nodes), None), &Stop::new()) {
            let report = report.unwrap();
            // a playout is not cut off in the middle
            assert!(report.nodes <= nodes + 130, "{name} {} {nodes}", report.nodes);
            assert!(report.best.is_some(), "{name}");
        }
    }
    for (name, report) in all(&game, &game.start(), &limits(Some(20_000), Some(7)), &Stop::new()) {
        let report = report.unwrap();
        if matches!(name, "SpMcts" | "NestedMonteCarlo" | "NestedRollout" | "SimulatedAnnealing") {
            assert_eq!(stat(&report, "simulations"), 7.0, "{name}");
        }
    }
    let brief = Limits { time: Some(std::time::Duration::from_millis(50)), ..Limits::default() };
    for (name, report) in all(&game, &game.start(), &brief, &Stop::new()) {
        assert!(report.unwrap().time.as_secs_f64() < 5.0, "{name}");
    }
}

#[test]
fn a_search_that_is_stopped_has_a_move() {
    let game: SameGame = make(&[]);
    let stop = Stop::new();
    stop.raise();
    for (name, report) in all(&game, &game.start(), &Limits::default(), &stop) {
        assert!(report.unwrap().best.is_some(), "{name}");
    }
}

#[test]
fn a_game_that_is_over_has_its_result() {
    let game = Pick::new(0, 1);
    for (name, report) in all(&game, &game.start(), &Limits::default(), &Stop::new()) {
        let report = report.unwrap();
        assert!(report.proven && report.best.is_none() && report.value == 0.0, "{name}");
    }
}

#[test]
fn games_of_two_or_with_chance_are_refused() {
    let limits = limits(Some(1000), None);
    let two: Breakthrough<u64> = make(&[]);
    for (name, report) in all(&two, &two.start(), &limits, &Stop::new()) {
        let message = report.unwrap_err().0;
        assert!(message.contains(name) && message.contains("2 players"), "{message}");
    }
    let given = [
        ("players".to_owned(), Value::Integer(1)),
        ("depth".to_owned(), Value::Integer(5)),
        ("chance".to_owned(), Value::Word("uniform".to_owned())),
    ];
    let chance = RandomTree::configure(&Params::complete(&RandomTree::parameters(), given).unwrap()).ok().unwrap();
    for (name, report) in all(&chance, &chance.start(), &limits, &Stop::new()) {
        let message = report.unwrap_err().0;
        assert!(message.contains(name) && message.contains("chance"), "{message}");
    }
}

#[test]
fn names_that_a_game_does_not_know_are_refused() {
    let game: SameGame = make(&[]);
    let (stop, limits) = (Stop::new(), limits(Some(100), None));
    let context = &mut Context { limits: &limits, stop: &stop, past: &[], progress: &mut |_| {} };
    let beam = BeamSearch { potential: Some("luck".to_owned()), ..BeamSearch::default() };
    let message = beam.search(&game, &game.start(), context).unwrap_err().0;
    assert!(message.contains("luck") && message.contains("groups"), "{message}");
    let search = SpMcts { strategy: PlayoutStrategy::Named("wild".to_owned()), ..SpMcts::default() };
    let message = search.search(&game, &game.start(), context).unwrap_err().0;
    assert!(message.contains("wild") && message.contains("tabu-random"), "{message}");
}
