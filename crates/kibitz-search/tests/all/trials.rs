//! The control of selective simulations on synthetic moves.

use kibitz_game::Random;
use kibitz_search::{Control, Rule, Scheduler, Trials};

/// The chances of winning of the twenty moves of Sheppard's table 2.
const TABLE: [f64; 20] = [
    0.616, 0.615, 0.611, 0.609, 0.607, 0.594, 0.592, 0.590, 0.587, 0.584, 0.583, 0.582, 0.581, 0.581, 0.581, 0.580,
    0.579, 0.577, 0.577, 0.570,
];

/// The outcome of a move for a continuation: luck that all moves share, and a little of its own.
fn outcome(means: &[f64], seed: u64, mv: usize, continuation: usize) -> f64 {
    let shared = Random::stream(seed, continuation as u64).unit() - 0.5;
    let own = Random::stream(seed + 1000, (continuation * 64 + mv) as u64).unit() - 0.5;
    means[mv] + 0.6 * shared + 0.1 * own
}

/// Runs up to so many trials and tells `watch` of the control and of what it chose.
fn run(
    trials: &mut Trials,
    budget: u64,
    outcome: impl Fn(usize, usize) -> f64,
    mut watch: impl FnMut(&Trials, &[usize]),
) {
    let mut chosen = Vec::new();
    while trials.total() < budget {
        trials.next(&mut chosen);
        watch(trials, &chosen);
        if chosen.is_empty() {
            break;
        }
        for &mv in &chosen {
            trials.add(mv, outcome(mv, trials.trials(mv)));
        }
    }
}

fn open(moves: usize) -> Control {
    Control { sigmas: None, ..Control::new(moves) }
}

#[test]
fn every_move_gets_its_minimum_and_the_leader_always_has_the_most_trials() {
    for scheduler in [Scheduler::ExpectedLoss, Scheduler::Ratio] {
        for seed in 0..10 {
            let mut trials = Trials::new(20, Control { scheduler, epsilon: 0.0, seed, ..open(20) });
            let mut others = 0;
            run(
                &mut trials,
                4000,
                |mv, at| outcome(&TABLE, seed, mv, at),
                |trials, chosen| {
                    let counts = (0..20).map(|mv| trials.trials(mv));
                    if trials.total() < 160 {
                        assert!(counts.clone().max().unwrap() - counts.min().unwrap() <= 1);
                    } else if chosen[0] != trials.leader() {
                        others += 1;
                        assert!(trials.trials(trials.leader()) >= counts.max().unwrap());
                    }
                },
            );
            assert!((0..20).all(|mv| trials.trials(mv) >= 8) && others > 100);
        }
    }
}

#[test]
fn the_chosen_move_has_the_greatest_error_or_the_smallest_ratio() {
    for scheduler in [Scheduler::ExpectedLoss, Scheduler::Ratio] {
        let mut trials = Trials::new(20, Control { scheduler, epsilon: 0.0, ..open(20) });
        run(
            &mut trials,
            3000,
            |mv, at| outcome(&TABLE, 3, mv, at),
            |trials, chosen| {
                let leader = trials.leader();
                if trials.total() < 160 || chosen[0] == leader {
                    return;
                }
                for other in (0..20).filter(|&mv| mv != leader && !trials.co_leads(mv)) {
                    // from the outcomes themselves
                    let [chosen, other] = [chosen[0], other].map(|mv| trials.difference_between(leader, mv));
                    match scheduler {
                        Scheduler::Ratio => assert!(chosen.mean / chosen.sigma() <= other.mean / other.sigma() + 1e-9),
                        _ => assert!(chosen.error() >= other.error() * (1.0 - 1e-9)),
                    }
                }
            },
        );
    }
}

#[test]
fn the_differences_are_those_of_the_common_continuations_whoever_leads() {
    let means = [0.5, 0.501, 0.5005, 0.499, 0.4995, 0.5, 0.498];
    let mut leaders = std::collections::HashSet::new();
    let mut trials = Trials::new(7, open(7));
    run(
        &mut trials,
        5000,
        |mv, at| outcome(&means, 5, mv, at),
        |trials, _| {
            leaders.insert(trials.leader());
            for mv in (0..7).filter(|&mv| mv != trials.leader()) {
                let (kept, fresh) = (trials.difference(mv), trials.difference_between(trials.leader(), mv));
                assert_eq!(kept.count, trials.trials(mv).min(trials.trials(trials.leader())));
                assert_eq!((kept.count, kept.mean, kept.error()), (fresh.count, fresh.mean, fresh.error()));
            }
        },
    );
    // more leaders than rows of differences are kept
    assert!(leaders.len() > 4, "{leaders:?}");
}

#[test]
fn identical_moves_are_simulated_together_and_starve_nobody() {
    let means = [0.5, 0.5, 0.5, 0.45, 0.48, 0.4];
    let twin = |mv: usize, at: usize| outcome(&means, 9, if mv < 3 { 0 } else { mv }, at);
    let mut trials = Trials::new(6, open(6));
    let mut together = 0;
    run(&mut trials, 6000, twin, |trials, chosen| {
        if trials.total() > 1000 && chosen.contains(&0) {
            assert!(chosen.len() == 3 && (0..3).all(|mv| chosen.contains(&mv)), "{chosen:?}");
            together += 1;
        }
        assert!(trials.error().is_finite() && trials.error() >= 0.0);
    });
    assert!(together > 100);
    assert!((3..6).all(|mv| trials.trials(mv) > 30), "{:?}", (0..6).map(|mv| trials.trials(mv)).collect::<Vec<_>>());
}

#[test]
fn nothing_but_identical_moves_is_tried_in_turn_until_the_difference_is_known_to_be_small() {
    let same = |_: usize, at: usize| Random::stream(4, at as u64).unit();
    let mut trials = Trials::new(5, Control { tolerance: Some(0.01), range: Some((0.0, 1.0)), ..Control::new(5) });
    run(&mut trials, 1_000_000, same, |_, _| {});
    assert_eq!(trials.stopped(), Some(Rule::Difference));
    // three deviations of one contrary outcome in n are below a hundredth of the range when n is above 300
    assert!((300..400).contains(&trials.trials(0)), "{}", trials.trials(0));
    assert_eq!(trials.error(), 0.0);
}

#[test]
fn outcomes_that_never_vary_prove_nothing_at_first_and_an_obvious_move_soon() {
    let mut trials = Trials::new(4, Control { range: Some((-1.0, 1.0)), ..Control::new(4) });
    run(&mut trials, 10_000, |mv, _| if mv == 2 { 1.0 } else { 0.0 }, |_, _| {});
    assert_eq!((trials.leader(), trials.stopped()), (2, Some(Rule::Obvious)));
    // a lead of half of the range is six times the doubt after more than twelve trials
    assert_eq!(trials.trials(2), 13);
}

#[test]
fn six_sigma_prune_for_good_and_can_be_switched_off() {
    let means = [0.2, 0.6, 0.2, 0.59];
    let mut trials = Trials::new(4, Control { epsilon: 0.5, ..Control::new(4) });
    let mut frozen = [None; 4];
    run(
        &mut trials,
        2000,
        |mv, at| outcome(&means, 2, mv, at),
        |trials, _| {
            for (mv, frozen) in frozen.iter_mut().enumerate().filter(|&(mv, _)| trials.pruned(mv)) {
                assert_eq!(*frozen.get_or_insert(trials.trials(mv)), trials.trials(mv));
            }
        },
    );
    assert!(trials.pruned(0) && trials.pruned(2) && !trials.pruned(1));
    let mut trials = Trials::new(4, open(4));
    run(&mut trials, 2000, |mv, at| outcome(&means, 2, mv, at), |_, _| {});
    assert!((0..4).all(|mv| !trials.pruned(mv)) && trials.total() >= 2000);
}

/// Whether some way to spend what is left gives some move a better mean than the leader's, by trying all of them.
fn may_change(trials: &Trials, moves: usize, left: usize) -> bool {
    let sum = |mv: usize| trials.values(mv).iter().sum::<f64>();
    let (n, leader) = (trials.trials(trials.leader()), sum(trials.leader()));
    (0..moves).filter(|&mv| mv != trials.leader()).any(|mv| {
        (0..=left).any(|given| {
            let best = (sum(mv) + given as f64) / (trials.trials(mv) + given) as f64;
            let worst = leader / (n + left - given) as f64;
            best > worst + 1e-12
        })
    })
}

#[test]
fn the_search_bound_stops_only_when_nothing_can_change_and_soon_after() {
    let (mut early, mut late) = (0, 0);
    for seed in 0..40 {
        let budget = 400;
        let means = [0.9, 0.1 + 0.02 * seed as f64, 0.1];
        let control =
            Control { budget: Some(budget), range: Some((0.0, 1.0)), scheduler: Scheduler::RoundRobin, ..open(3) };
        let mut trials = Trials::new(3, control);
        let coin = |mv: usize, at: usize| f64::from(Random::stream(seed, (at * 3 + mv) as u64).unit() < means[mv]);
        run(&mut trials, budget, coin, |_, _| {});
        let left = (budget - trials.total()) as usize;
        if trials.stopped() == Some(Rule::Bound) {
            assert!(!may_change(&trials, 3, left), "seed {seed}");
            early += 1;
        } else {
            late += 1;
        }
    }
    assert!(early >= 10 && late >= 1, "{early} and {late}");
}

#[test]
fn the_best_of_twenty_moves_is_found_with_a_fraction_of_the_trials() {
    for scheduler in [Scheduler::ExpectedLoss, Scheduler::Ratio] {
        let (mut right, mut saved) = (0, 0.0);
        for seed in 0..30 {
            let mut means = TABLE;
            means[0] = 0.63;
            let mut trials = Trials::new(20, Control { scheduler, seed, ..open(20) });
            run(&mut trials, 6000, |mv, at| outcome(&means, seed, mv, at), |_, _| {});
            assert!(trials.error() > 0.0);
            right += usize::from(trials.leader() == 0);
            saved += 1.0 - trials.total() as f64 / (20 * trials.trials(trials.leader())) as f64;
        }
        assert!(right >= 29, "{right} of 30");
        assert!(saved / 30.0 > 0.6, "{}", saved / 30.0);
    }
}

#[test]
fn moves_join_when_all_others_have_been_tried_and_begin_with_the_first_continuation() {
    let means = [0.4, 0.5, 0.3, 0.6, 0.2];
    let mut trials = Trials::new(5, Control { candidates: 2, widen_after: 20, ..open(5) });
    let mut seen = vec![2];
    run(
        &mut trials,
        3000,
        |mv, at| outcome(&means, 1, mv, at),
        |trials, chosen| {
            if trials.admitted() != seen[seen.len() - 1] {
                seen.push(trials.admitted());
                assert_eq!(chosen, [trials.admitted() - 1]);
                assert_eq!(trials.trials(chosen[0]), 0);
                assert!((0..chosen[0]).all(|mv| trials.trials(mv) >= 20));
            }
        },
    );
    assert_eq!(seen, [2, 3, 4, 5]);
    assert_eq!(trials.leader(), 3);
}

#[test]
fn samples_of_two_threads_join_to_the_differences_of_all() {
    let values = |from: usize| {
        let mut trials = Trials::new(2, Control { scheduler: Scheduler::RoundRobin, ..open(2) });
        run(&mut trials, 60, |mv, at| outcome(&TABLE, 8, mv, from + at), |_, _| {});
        trials
    };
    let (first, second) = (values(0), values(30));
    let joined = first.difference_between(0, 1).joined(second.difference_between(0, 1));
    let mut all = Trials::new(2, Control { scheduler: Scheduler::RoundRobin, ..open(2) });
    run(&mut all, 120, |mv, at| outcome(&TABLE, 8, mv, at), |_, _| {});
    let expected = all.difference_between(0, 1);
    assert_eq!(joined.count, 60);
    assert!((joined.mean - expected.mean).abs() < 1e-12 && (joined.sigma() - expected.sigma()).abs() < 1e-12);
    assert!((joined.error() - expected.error()).abs() < 1e-12);
}

#[test]
fn upper_confidence_bounds_give_the_best_move_most_trials_and_no_move_none() {
    for seed in 0..10 {
        let control =
            Control { scheduler: Scheduler::Ucb1, c: 0.5, minimum: 2, seed, range: Some((0.0, 1.0)), ..open(20) };
        let means: Vec<f64> = (0..20).map(|mv| if mv == 7 { 0.7 } else { 0.4 }).collect();
        let mut trials = Trials::new(20, control.clone());
        run(&mut trials, 4000, |mv, at| outcome(&means, seed, mv, at), |_, chosen| assert_eq!(chosen.len(), 1));
        assert!(trials.trials(7) > 2000 && (0..20).all(|mv| trials.trials(mv) >= 10), "{}", trials.trials(7));
        // without exploration a move that is behind is not tried again
        let mut greedy = Trials::new(20, Control { c: 0.0, ..control });
        run(
            &mut greedy,
            4000,
            |mv, at| outcome(&means, seed, mv, at),
            |trials, chosen| {
                assert!(trials.total() < 40 || chosen[0] == trials.leader());
            },
        );
    }
}
