//! What holds for every game, on positions reached by random play: notation goes both ways, keys and indices agree with
//! the rules, evaluations stay inside their range, random play is uniform, and no text makes a parser panic.

use std::collections::{HashMap, HashSet};
use std::fmt::Debug;

use kibitz_game::{
    AnyTurn, Configure, Draw, Evaluate, Game, Hidden, Order, Pack, Params, Playout, Random, Turn, Value, Wide,
    uniform_playout,
};
use kibitz_games::{
    Backgammon, Breakthrough, ChanceBreakthrough, ChineseCheckers, ConnectFour, Crossings, Dao, Dice, DoGuti,
    Epaminondas, Fanorona, Fish, Focus, Gaps, Hearts, KuhnPoker, LGame, LinesOfAction, Mnk, Morpion, Nim, Othello,
    PipRace, RandomTree, Rolit, SameGame, Spades, Stratego, Surakarta,
};
use proptest::prelude::*;

trait Subject:
    Game<Position: Debug, Move: Debug> + Evaluate + Order + Hidden + AnyTurn + Playout + Draw + Configure
{
}
impl<G: Game<Position: Debug, Move: Debug> + Evaluate + Order + Hidden + AnyTurn + Playout + Draw + Configure> Subject
    for G
{
}

fn game<G: Configure>(given: &[(&str, Value)]) -> G {
    let given = given.iter().map(|(name, value)| ((*name).to_owned(), value.clone()));
    G::configure(&Params::complete(&G::parameters(), given).unwrap()).unwrap()
}

fn moves<G: Game>(game: &G, position: &G::Position) -> Vec<G::Move> {
    let mut moves = Vec::new();
    if game.turn(position) != Turn::Over {
        game.moves(position, &mut moves);
    }
    moves
}

/// A position after `plies` random moves, or the end of the game when it comes earlier.
fn reached<G: Playout>(game: &G, seed: u64, plies: u32) -> G::Position {
    let mut position = game.start();
    uniform_playout(game, &mut position, &mut Random::new(seed), &mut Vec::new(), plies);
    position
}

fn notation_goes_both_ways<G: Subject>(game: &G, position: &G::Position) {
    let text = game.write(position);
    let read = game.read(&text).unwrap_or_else(|bad| panic!("{text}: {bad}"));
    assert_eq!(&read, position, "{text}");
    assert_eq!(game.key(&read), game.key(position), "{text}");
    let moves = moves(game, position);
    assert_eq!(moves.is_empty(), game.turn(position) == Turn::Over, "{text}");
    let mut texts = HashSet::new();
    for mv in moves {
        let written = game.write_move(position, mv);
        assert_eq!(game.read_move(position, &written), Ok(mv), "{text}: {written}");
        assert_eq!(G::Move::unpack(mv.pack()), mv, "{text}: {written}");
        assert!(texts.insert(written.clone()), "{text}: two moves are written {written}");
    }
    assert!(game.board(position).lines().count() > 1);
    assert!(game.svg(position).starts_with("<svg") && game.svg(position).ends_with("</svg>"));
}

fn values_and_indices_are_in_range<G: Subject>(game: &G, position: &G::Position) {
    let text = game.write(position);
    let of_all = |value: &dyn Fn(usize) -> i32| (0..game.players()).map(value).collect::<Vec<i32>>();
    if game.turn(position) == Turn::Over {
        let scores = of_all(&|player| game.score(position, player));
        assert!(scores.len() != 2 || scores[0] == -scores[1], "{text}");
        for (player, score) in scores.into_iter().enumerate() {
            let range = game.range(player);
            assert!((range.low..=range.high).contains(&score), "{text}: {score}");
        }
        return;
    }
    let values = of_all(&|player| game.evaluate(position, player));
    assert!(values.len() != 2 || values[0] == -values[1], "{text}");
    let own = of_all(&|player| game.own_value(position, player));
    for (player, value) in values.into_iter().enumerate().chain(own.into_iter().enumerate()) {
        let range = game.range(player);
        assert!(range.low < value && value < range.high, "{text}: {value}");
    }
    for mv in moves(game, position) {
        assert!(
            game.indices() == 0 || game.index(position, mv) < game.indices(),
            "{text}: {}",
            game.write_move(position, mv)
        );
        game.hint(position, mv);
    }
}

/// Cells lie inside the picture and have names of their own, and the ways to click a move consist of them. Two moves that share
/// a way are told apart by their notation, which `notation_goes_both_ways` looks at.
fn moves_are_made_on_the_picture<G: Subject>(game: &G, position: &G::Position) {
    let text = game.write(position);
    let picture = game.svg(position);
    let size = picture.split('"').nth(3).and_then(|view| view.strip_prefix("0 0 ")).expect("a viewBox");
    let (width, height) = size.split_once(' ').expect("width and height");
    let (width, height): (i32, i32) = (width.parse().unwrap(), height.parse().unwrap());
    let cells = game.cells(position);
    let mut names = HashSet::new();
    for cell in &cells {
        let ((x, y), (wide, high)) = (cell.corner, cell.size);
        let inside = x >= 0 && y >= 0 && wide > 0 && high > 0 && x + wide <= width && y + high <= height;
        assert!(inside, "{text}: {cell:?} is not inside of {width} by {height}");
        assert!(!cell.name.is_empty() && names.insert(cell.name.as_str()), "{text}: two cells are {}", cell.name);
    }
    if let Turn::Player(_) = game.turn(position) {
        for mv in moves(game, position) {
            for way in game.clicks(position, mv, &cells) {
                let known = !way.is_empty() && way.iter().all(|name| names.contains(name.as_str()));
                assert!(known, "{text}: {way:?} is no way to click {}", game.write_move(position, mv));
            }
        }
    }
}

/// Outcomes of chance have probabilities, listed or asked one by one, and what is sampled is one of them.
fn chance_is_a_distribution<G: Subject>(game: &G, position: &G::Position, seed: u64) {
    if game.turn(position) == Turn::Chance {
        assert!(G::CHANCE, "a game with chance nodes says so");
        let outcomes = moves(game, position);
        let probabilities: Vec<f64> = outcomes.iter().map(|&outcome| game.probability(position, outcome)).collect();
        assert!(probabilities.iter().all(|&probability| probability > 0.0), "{}", game.write(position));
        assert!((probabilities.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{}", game.write(position));
        assert!(outcomes.contains(&game.sample(position, &mut Random::new(seed), &mut Vec::new())));
        let mut both = Vec::new();
        game.outcomes(position, &mut both);
        assert!(
            both.iter().copied().eq(outcomes.into_iter().zip(probabilities)),
            "outcomes say what moves and probability say: {}",
            game.write(position)
        );
    }
}

/// A player cannot tell the position from a guess, and where nothing is hidden the guess is right.
fn guesses_look_the_same<G: Subject>(game: &G, position: &G::Position, seed: u64) {
    for player in 0..game.players() {
        let guess = game.guess(position, player, &mut Random::new(seed));
        assert_eq!(game.view(&guess, player), game.view(position, player));
        assert_eq!(game.svg_of_view(&guess, player), game.svg_of_view(position, player), "{}", game.write(position));
        assert_eq!(game.cells_of_view(&guess, player), game.cells_of_view(position, player));
        assert_eq!(game.turn(&guess), game.turn(position), "{}", game.write(position));
        assert!(G::HIDDEN || &guess == position, "{}", game.write(position));
        notation_goes_both_ways(game, &guess);
    }
}

/// What a player knows is the same in positions that look the same, is a position itself, and leaves the player the same moves.
fn beliefs_tell_what_a_player_knows<G: Subject>(game: &G, position: &G::Position, seed: u64) {
    for player in 0..game.players() {
        let belief = game.belief(position, player);
        assert!(G::HIDDEN || &belief == position, "{}", game.write(position));
        if G::BELIEF {
            let guess = game.guess(position, player, &mut Random::new(seed));
            assert!(game.belief(&guess, player) == belief, "{}", game.write(position));
            assert!(game.belief(&belief, player) == belief, "{}", game.write(&belief));
            assert_eq!(game.turn(&belief), game.turn(position), "{}", game.write(position));
            if game.turn(position) == Turn::Player(player as u8) {
                assert!(moves(game, &belief) == moves(game, position), "{}", game.write(position));
            }
            notation_goes_both_ways(game, &belief);
            values_and_indices_are_in_range(game, &belief);
            successors_are_the_positions_after_the_moves(game, &belief);
        }
    }
}

/// Different positions that are one or two moves apart have different keys.
fn neighbours_have_different_keys<G: Subject>(game: &G, position: &G::Position) {
    let mut seen: HashMap<u64, G::Position> = HashMap::from([(game.key(position), position.clone())]);
    let mut queue = vec![(position.clone(), 0)];
    while let Some((position, depth)) = queue.pop() {
        for mv in moves(game, &position).into_iter().take(40) {
            let mut child = position.clone();
            game.play(&mut child, mv);
            let other = seen.entry(game.key(&child)).or_insert_with(|| child.clone());
            assert_eq!(other, &child, "one key for two positions");
            if depth == 0 {
                queue.push((child, 1));
            }
        }
    }
}

/// What solvers ask is what the moves say.
fn successors_are_the_positions_after_the_moves<G: Subject>(game: &G, position: &G::Position) {
    if game.turn(position) == Turn::Over {
        return;
    }
    let listed = moves(game, position);
    let (mut successors, mut buffer) = (vec![position.clone()], Vec::new());
    game.successors(position, &mut successors, &mut buffer);
    assert_eq!(&successors[0], position, "what was there stays");
    let played = listed.iter().map(|&mv| {
        let mut child = position.clone();
        game.play(&mut child, mv);
        child
    });
    assert!(played.eq(successors.drain(1..)), "{}", game.write(position));
    assert_eq!(game.mobility(position, &mut buffer) as usize, listed.len(), "{}", game.write(position));
}

/// A pass gives the turn to the next player and changes the key; noisy moves are legal ones.
fn passes_and_noisy_moves_have_a_meaning<G: Subject>(game: &G, position: &G::Position) {
    let Turn::Player(player) = game.turn(position) else { return };
    let mut passed = position.clone();
    if game.pass(&mut passed) {
        assert!(G::PASSES);
        let next = (usize::from(player) + 1) % game.players();
        assert_eq!(game.turn(&passed), Turn::Player(next as u8), "{}", game.write(position));
        assert_ne!(game.key(&passed), game.key(position), "{}", game.write(position));
        assert!(!moves(game, &passed).is_empty(), "{}", game.write(position));
    } else {
        assert_eq!(&passed, position);
    }
    let mut noisy = Vec::new();
    game.noisy(position, &mut noisy);
    assert!(noisy.is_empty() || G::NOISY);
    let legal = moves(game, position);
    assert!(noisy.iter().all(|mv| legal.contains(mv)), "{}", game.write(position));
}

/// Whoever is given the turn has it, and has a move; whoever is not leaves the position as it was.
fn turns_can_be_given<G: Subject>(game: &G, position: &G::Position) {
    let Turn::Player(_) = game.turn(position) else { return };
    for player in 0..game.players() {
        let mut given = position.clone();
        if game.give_turn(&mut given, player) {
            assert_eq!(game.turn(&given), Turn::Player(player as u8), "{}", game.write(position));
            assert!(!moves(game, &given).is_empty(), "{}", game.write(position));
            assert!(G::ANY_TURN || &given == position, "{}", game.write(position));
        } else {
            assert_eq!(&given, position);
        }
    }
}

/// A playout of the game's own ends where the rules end, at a position that the rules know.
fn playouts_obey_the_rules<G: Subject>(game: &G, position: &G::Position, seed: u64, plies: u32) {
    let mut end = position.clone();
    let played = game.playout(&mut end, &mut Random::new(seed), &mut Vec::new(), plies);
    assert!(played <= plies);
    assert!(played == plies || game.turn(&end) == Turn::Over);
    notation_goes_both_ways(game, &end);
    if plies > 0 && game.turn(position) != Turn::Over {
        let mut one = position.clone();
        assert_eq!(game.playout(&mut one, &mut Random::new(seed), &mut Vec::new(), 1), 1);
        let child = |mv| {
            let mut child = position.clone();
            game.play(&mut child, mv);
            child
        };
        assert!(moves(game, position).into_iter().any(|mv| child(mv) == one));
    }
}

/// The game's own strategies play legal moves to the end, prefer some of them, and write down what they played.
fn strategies_obey_the_rules<G: Subject>(game: &G, position: &G::Position, seed: u64, plies: u32) {
    let mut random = Random::new(seed);
    let names: HashSet<&str> = game.strategies().iter().copied().chain(["random"]).collect();
    assert_eq!(names.len(), game.strategies().len() + 1);
    for strategy in 0..names.len() {
        let plan = game.plan(strategy, position, &mut random);
        if let Turn::Player(_) = game.turn(position) {
            let (all, mut some) = (moves(game, position), Vec::new());
            game.preferred(strategy, plan, position, &mut some);
            let places: Vec<_> = some.iter().map(|mv| all.iter().position(|legal| legal == mv).unwrap()).collect();
            assert!(!some.is_empty() && places.is_sorted(), "{}", game.write(position));
        }
        for epsilon in [0.0, 0.5, 1.0] {
            let (mut end, mut line) = (position.clone(), Vec::new());
            let played =
                game.play_strategically(strategy, epsilon, &mut end, &mut random, &mut Vec::new(), &mut line, plies);
            assert_eq!(played as usize, line.len());
            assert!(played == plies || game.turn(&end) == Turn::Over);
            let mut replayed = position.clone();
            for mv in line {
                assert!(moves(game, &replayed).contains(&mv), "{}", game.write(&replayed));
                game.play(&mut replayed, mv);
            }
            assert_eq!(replayed, end);
        }
    }
}

fn random_moves_are_uniform<G: Subject>(game: &G, position: &G::Position) {
    if game.turn(position) == Turn::Chance {
        return;
    }
    let moves = moves(game, position);
    let mut counts = vec![0u32; moves.len()];
    let (mut random, mut buffer) = (Random::new(1), Vec::new());
    let expected = 1000;
    for _ in 0..expected * moves.len() {
        let mv = game.random_move(position, &mut random, &mut buffer);
        counts[moves.iter().position(|&listed| listed == mv).expect("a listed move")] += 1;
    }
    // more than six standard deviations away
    assert!(counts.iter().all(|&count| count.abs_diff(expected as u32) < 200), "{counts:?}");
}

/// The mean result and length of the game's own playouts are those of plain random play.
fn own_playouts_are_uniform<G: Subject>(game: &G) {
    let games = 3000;
    let mean = |own: bool| {
        let (mut random, mut buffer) = (Random::new(u64::from(own)), Vec::new());
        let (mut score, mut plies) = (0.0, 0.0);
        for _ in 0..games {
            let mut position = game.start();
            plies += f64::from(if own {
                game.playout(&mut position, &mut random, &mut buffer, u32::MAX)
            } else {
                uniform_playout(game, &mut position, &mut random, &mut buffer, u32::MAX)
            });
            score += f64::from(game.score(&position, 0)) / f64::from(game.range(0).high);
        }
        (score / f64::from(games), plies / f64::from(games))
    };
    let ((own, own_plies), (plain, plain_plies)) = (mean(true), mean(false));
    // five standard deviations of the difference of two means of numbers between -1 and 1
    assert!((own - plain).abs() < 5.0 * (2.0 / f64::from(games)).sqrt(), "{own} and {plain}");
    assert!((own_plies / plain_plies - 1.0).abs() < 0.1, "{own_plies} and {plain_plies}");
}

/// Random text, or a valid one with a few characters changed, left out or added.
fn fuzzed(valid: &str, random: &mut Random) -> String {
    const LIKELY: &[char] =
        &['X', 'O', 'x', 'o', 'w', 'b', '.', '/', ' ', '-', 'a', '1', '9', '0', 'p', '\n', 'ä', '∞'];
    let any = |random: &mut Random| {
        if random.below(2) == 0 {
            LIKELY[random.below(LIKELY.len())]
        } else {
            char::from_u32(random.below(0x11_0000) as u32).unwrap_or('\0')
        }
    };
    if random.below(4) == 0 {
        let bytes: Vec<u8> = (0..random.below(40)).map(|_| random.bits() as u8).collect();
        return String::from_utf8_lossy(&bytes).into_owned();
    }
    let mut chars: Vec<char> = valid.chars().collect();
    for _ in 0..=random.below(4) {
        let at = random.below(chars.len() + 1);
        match random.below(4) {
            0 => chars.insert(at, any(random)),
            1 => chars.truncate(at),
            2 if at < chars.len() => drop(chars.remove(at)),
            _ if at < chars.len() => chars[at] = any(random),
            _ => {}
        }
    }
    chars.into_iter().collect()
}

/// Whatever is read is a position of the game: it can be written, drawn and played on.
fn no_text_panics<G: Subject>(game: &G) {
    let mut random = Random::new(9);
    for i in 0..10_000 {
        let position = reached(game, i % 50, (i % 50) as u32);
        let text = fuzzed(&game.write(&position), &mut random);
        if let Ok(read) = game.read(&text) {
            notation_goes_both_ways(game, &read);
            moves_are_made_on_the_picture(game, &read);
            successors_are_the_positions_after_the_moves(game, &read);
            values_and_indices_are_in_range(game, &read);
            playouts_obey_the_rules(game, &read, i, 300);
        }
        let listed = moves(game, &position);
        let valid = listed.first().map_or(String::new(), |&mv| game.write_move(&position, mv));
        let text = fuzzed(&valid, &mut random);
        if let Ok(mv) = game.read_move(&position, &text) {
            assert!(listed.contains(&mv), "{text:?} is no move of {}", game.write(&position));
        }
    }
}

/// The value of a parameter as the table of games below has it; a list is written as a word.
fn value(literal: &impl ToString) -> Value {
    let text = literal.to_string();
    text.parse().map(Value::Integer).or_else(|_| text.parse().map(Value::Flag)).unwrap_or(Value::Word(text))
}

macro_rules! games {
    ($($test:ident: $game:ty, [$(($name:literal, $value:literal)),*];)*) => {
        $(
            mod $test {
                use super::*;

                fn subject() -> $game {
                    game(&[$(($name, value(&$value))),*])
                }

                proptest! {
                    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(60) })]
                    #[test]
                    fn holds_on_random_positions(seed: u64, plies in 0u32..200, more in 0u32..200) {
                        let game = subject();
                        // half of the positions are near the start
                        let position = reached(&game, seed, if seed % 2 == 0 { plies } else { plies / 10 });
                        notation_goes_both_ways(&game, &position);
                        moves_are_made_on_the_picture(&game, &position);
                        values_and_indices_are_in_range(&game, &position);
                        successors_are_the_positions_after_the_moves(&game, &position);
                        passes_and_noisy_moves_have_a_meaning(&game, &position);
                        turns_can_be_given(&game, &position);
                        playouts_obey_the_rules(&game, &position, seed, more);
                        strategies_obey_the_rules(&game, &position, seed, more);
                        chance_is_a_distribution(&game, &position, seed);
                        guesses_look_the_same(&game, &position, seed);
                        beliefs_tell_what_a_player_knows(&game, &position, seed);
                    }
                }

                #[test]
                fn different_positions_have_different_keys() {
                    let game = subject();
                    for plies in [0, 5, 12, 30] {
                        neighbours_have_different_keys(&game, &reached(&game, 4, plies));
                    }
                }

                #[test]
                fn random_play_is_uniform() {
                    let game = subject();
                    random_moves_are_uniform(&game, &reached(&game, 2, 4));
                    own_playouts_are_uniform(&game);
                }

                #[test]
                fn fuzzed_text_never_panics() {
                    no_text_panics(&subject());
                }
            }
        )*
    };
}

games! {
    backgammon: Backgammon, [];
    backgammon_by_pips: Backgammon, [("evaluation", "pips"), ("gammons", false), ("noise", 30)];
    backgammon_with_a_cube: Backgammon, [("evaluation", "linear"), ("cube", 64), ("jacoby", true), ("beavers", true)];
    breakthrough: Breakthrough, [];
    breakthrough_12x12: Breakthrough<Wide<4>>, [("rows", 12), ("cols", 12)];
    chance_breakthrough: ChanceBreakthrough, [];
    chance_breakthrough_4x4: ChanceBreakthrough, [("rows", 4), ("cols", 4), ("noise", 5)];
    chinese_checkers: ChineseCheckers, [("plies", 120)];
    chinese_checkers_of_three_players: ChineseCheckers, [("players", 3), ("plies", 200), ("leave", true)];
    chinese_checkers_of_four_players: ChineseCheckers, [("players", 4), ("area", "star"), ("plies", 150)];
    chinese_checkers_of_six_players: ChineseCheckers, [("players", 6), ("plies", 250)];
    chinese_checkers_on_the_full_board: ChineseCheckers, [("board", "full"), ("win", "own"), ("plies", 200)];
    chinese_checkers_on_the_full_star: ChineseCheckers, [("players", 3), ("board", "full"), ("area", "star"), ("plies", 200)];
    connect_four: ConnectFour, [];
    connect_four_4x4: ConnectFour, [("rows", 4), ("cols", 4)];
    connect_four_9x10: ConnectFour<Wide<4>>, [("rows", 9), ("cols", 10)];
    connect_four_15x16: ConnectFour<Wide<4>>, [("rows", 15), ("cols", 16), ("k", 15)];
    crossings: Crossings, [];
    crossings_of_sixty_plies: Crossings, [("plies", 60)];
    dao: Dao, [];
    dao_of_the_paper: Dao, [("counted", "mover"), ("noise", 50), ("seed", 7), ("repetition", 0)];
    dice: Dice, [];
    dice_with_passes: Dice, [("size", 3), ("full", "pass"), ("noise", 100)];
    dice_11x11: Dice<Wide<4>>, [("size", 11), ("k", 6)];
    do_guti: DoGuti, [];
    do_guti_from_the_bottom: DoGuti, [("white", "bottom"), ("repetition", 2)];
    epaminondas: Epaminondas, [("plies", 60)];
    epaminondas_from_a_puzzle: Epaminondas, [("setup", "puzzle2"), ("plies", 100), ("symmetry", false)];
    fanorona: Fanorona, [];
    fanorona_3x3: Fanorona, [("rows", 3), ("cols", 3), ("stalemate", "draw"), ("evaluation", "mobility")];
    fanorona_5x7: Fanorona, [("cols", 7), ("strong", "centre"), ("returns", true), ("noise", 50)];
    fanorona_9x9: Fanorona<Wide<2>>, [("rows", 9), ("cols", 9)];
    fish: Fish, [];
    fish_by_lot: Fish, [("placement", "random"), ("seed", 7), ("result", "win"), ("ties", "tiles")];
    fish_of_three_players: Fish, [("players", 3), ("islands", "award")];
    fish_of_four_players: Fish, [("players", 4), ("placement", "random"), ("islands", "end"), ("result", "win")];
    focus: Focus, [("plies", 80)];
    focus_of_three_players: Focus, [("players", 3), ("setup", "reserve"), ("plies", 80)];
    focus_of_four_players: Focus, [("players", 4), ("plies", 120)];
    focus_by_the_long_rule: Focus, [("players", 3), ("rule", "long"), ("plies", 120)];
    gaps: Gaps, [];
    gaps_of_seven_ranks: Gaps, [("ranks", 7), ("seed", 4)];
    gaps_of_two_ranks: Gaps, [("ranks", 2), ("seed", 2)];
    gaps_common: Gaps, [("variant", "common"), ("plies", 300)];
    gaps_common_of_five_ranks: Gaps, [("variant", "common"), ("ranks", 5), ("seed", 2), ("plies", 60)];
    hearts: Hearts, [];
    hearts_with_all_rules: Hearts, [("passing", "left"), ("opening", "club"), ("breaking", "queen"), ("first", "clean")];
    hearts_of_three_players: Hearts, [("players", 3), ("cards", 7), ("utility", "lead"), ("totals", "10-0-30")];
    hearts_with_open_hands: Hearts, [("players", 3), ("deck", "reduced"), ("hands", "open"), ("moon", false)];
    kuhn_poker: KuhnPoker, [];
    l_game: LGame, [];
    lines_of_action: LinesOfAction, [];
    lines_of_action_for_the_mover: LinesOfAction, [("simultaneous", "mover")];
    morpion: Morpion, [];
    morpion_disjoint: Morpion, [("variant", "5D")];
    morpion_of_lines_of_four: Morpion, [("variant", "4T")];
    morpion_of_disjoint_lines_of_four: Morpion, [("variant", "4D")];
    nim: Nim, [];
    nim_misere: Nim, [("piles", "1-0-3-12"), ("misere", true)];
    pip_race: PipRace, [];
    pip_race_of_one_thousand: PipRace, [("first", 1000), ("second", 1)];
    pip_race_with_steps: PipRace, [("first", 60), ("second", 40), ("steady", 8)];
    random_tree: RandomTree, [];
    random_tree_of_one_player: RandomTree, [("players", 1), ("seed", 3)];
    random_tree_of_three_players: RandomTree, [("players", 3), ("width", 3), ("chance", "uniform")];
    random_tree_with_chance: RandomTree, [("depth", 5), ("chance", "random"), ("events", 6)];
    random_tree_of_sums: RandomTree, [("width", 3), ("depth", 9), ("leaves", "sum"), ("seed", 5)];
    random_tree_with_transpositions: RandomTree, [("width", 4), ("depth", 100), ("states", 50)];
    rolit: Rolit, [];
    rolit_of_two_players: Rolit, [("players", 2), ("result", "discs")];
    rolit_of_four_players_by_discs: Rolit, [("players", 4), ("evaluation", "discs"), ("result", "discs")];
    rolit_6x6: Rolit, [("size", 6)];
    samegame: SameGame, [];
    samegame_of_the_test_set: SameGame, [("position", 7), ("penalty", "singleton-free")];
    samegame_16x20: SameGame, [("rows", 16), ("cols", 20), ("colours", 9), ("penalty", "none")];
    samegame_2x3: SameGame, [("rows", 2), ("cols", 3), ("colours", 2), ("seed", 5)];
    spades: Spades, [];
    spades_with_nil: Spades, [("nil", true), ("breaking", true), ("bags", "3-4-5-6"), ("equivalent", false)];
    spades_of_three_players: Spades, [("players", 3), ("deck", "short"), ("utility", "overtricks"), ("hands", "open")];
    spades_for_tricks: Spades, [("players", 3), ("cards", 8), ("utility", "tricks")];
    stratego: Stratego, [("quiet", 40)];
    stratego_with_free_set_ups: Stratego, [("white", "free"), ("black", "free"), ("quiet", 10), ("chance", "exact")];
    surakarta: Surakarta, [];
    tic_tac_toe: Mnk, [];
    mnk_7x7: Mnk, [("rows", 7), ("cols", 7), ("k", 5)];
    mnk_15x15: Mnk<Wide<4>>, [("rows", 15), ("cols", 15), ("k", 5)];
    mnk_19x19: Mnk<Wide<8>>, [("rows", 19), ("cols", 19), ("k", 5)];
    othello_4x4: Othello, [("size", 4)];
    othello_6x6: Othello, [("size", 6)];
    othello: Othello, [];
}

#[test]
fn gomoku_without_overlines_holds_on_random_positions() {
    let numbers = [("rows", 6), ("cols", 6), ("k", 4)].map(|(name, number)| (name, Value::Integer(number)));
    let given: Vec<_> = numbers.into_iter().chain([("exact", Value::Flag(true))]).collect();
    let game: Mnk = game(&given);
    for seed in 0..200 {
        let position = reached(&game, seed, seed as u32 % 37);
        notation_goes_both_ways(&game, &position);
        playouts_obey_the_rules(&game, &position, seed, 50);
    }
}

#[test]
fn othello_by_discs_holds_on_random_positions() {
    for size in [4, 6, 8] {
        let game: Othello = game(&[("size", Value::Integer(size)), ("result", Value::Word("discs".to_owned()))]);
        for seed in 0..200 {
            values_and_indices_are_in_range(&game, &reached(&game, seed, seed as u32 % 70));
        }
    }
}
