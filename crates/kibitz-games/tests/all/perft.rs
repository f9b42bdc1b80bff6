//! The rules of each game against counts from elsewhere: perft, the number of sequences of exactly so many moves.
//!
//! The data are the files `perft/<game>.perft`. A line is `params | position or start | counts`, the counts for one move,
//! two moves and so on; `#` begins a comment, which says where the counts come from.

use std::path::Path;

use kibitz_game::{Configure, Game, Params, Turn, Value, Wide};
use kibitz_games::{
    Backgammon, Breakthrough, ChanceBreakthrough, ChineseCheckers, ConnectFour, Crossings, Dao, Dice, DoGuti,
    Epaminondas, Fanorona, Fish, Focus, Gaps, Hearts, KuhnPoker, LGame, LinesOfAction, Mnk, Morpion, Nim, Othello,
    PipRace, RandomTree, Rolit, SameGame, Spades, Stratego, Surakarta,
};

/// The parameters `rows=6,exact=true`, or why they are none of `G`.
fn configured<G: Configure>(text: &str) -> Result<G, String> {
    let value = |name: &str, text: &str| {
        let parameters = G::parameters();
        let default = parameters.iter().find(|parameter| parameter.name == name).map(|parameter| &parameter.default);
        match default {
            Some(Value::Flag(_)) => Value::Flag(text == "true"),
            Some(Value::Word(_)) | None => Value::Word(text.to_owned()),
            Some(Value::Integer(_)) => Value::Integer(text.parse().unwrap()),
            Some(Value::List(_)) => Value::List(text.split('-').map(|number| number.parse().unwrap()).collect()),
        }
    };
    let given = text.split(',').filter(|part| !part.is_empty()).map(|part| {
        let (name, text) = part.split_once('=').unwrap_or_else(|| panic!("{part:?} is not name=value"));
        (name.to_owned(), value(name, text))
    });
    let params = Params::complete(&G::parameters(), given).map_err(|bad| bad.0)?;
    G::configure(&params).map_err(|bad| bad.0)
}

fn perft<G: Game>(game: &G, position: &G::Position, depth: usize) -> u64 {
    if game.turn(position) == Turn::Over {
        return 0;
    }
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    if depth == 1 {
        return moves.len() as u64;
    }
    let child = |mv| {
        let mut child = position.clone();
        game.play(&mut child, mv);
        perft(game, &child, depth - 1)
    };
    moves.into_iter().map(child).sum()
}

/// Checks one line, unless the game does not fit into this type.
fn check<G: Game + Configure>(params: &str, position: &str, counts: &[u64]) -> Result<(), String> {
    let game: G = configured(params)?;
    let position = if position == "start" {
        game.start()
    } else {
        game.read(position).unwrap_or_else(|bad| panic!("{position}: {bad}"))
    };
    for (i, &count) in counts.iter().enumerate() {
        assert_eq!(perft(&game, &position, i + 1), count, "{params} | {} at depth {}", game.write(&position), i + 1);
    }
    Ok(())
}

/// The smallest board that the parameters fit on.
macro_rules! first_that_fits {
    ($first:ty $(, $other:ty)*) => {
        |params: &str, position: &str, counts: &[u64]| {
            check::<$first>(params, position, counts)$(.or_else(|_| check::<$other>(params, position, counts)))*
        }
    };
}

fn agrees_with_the_counts(name: &str, check: impl Fn(&str, &str, &[u64]) -> Result<(), String>) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/perft/{name}.perft"));
    let data = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let lines: Vec<&str> = data.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty()).collect();
    assert!(!lines.is_empty(), "{name} has no counts");
    for line in lines {
        let fields: Vec<&str> = line.split('|').map(str::trim).collect();
        let [params, position, counts] = fields[..] else { panic!("{name}: three fields expected in {line:?}") };
        let counts: Vec<u64> = counts.split_whitespace().map(|count| count.parse().unwrap()).collect();
        check(params, position, &counts).unwrap_or_else(|bad| panic!("{name}: {line:?}: {bad}"));
    }
}

macro_rules! games {
    ($($test:ident: $name:literal => $first:ty $(, $other:ty)*;)*) => {
        $(
            #[test]
            fn $test() {
                agrees_with_the_counts($name, first_that_fits!($first $(, $other)*));
            }
        )*

        #[test]
        fn every_file_of_counts_is_read() {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/perft");
            for entry in std::fs::read_dir(folder).unwrap() {
                let file = entry.unwrap().file_name().into_string().unwrap();
                assert!([$(concat!($name, ".perft")),*].contains(&file.as_str()), "{file} belongs to no game");
            }
        }
    };
}

games! {
    backgammon: "backgammon" => Backgammon;
    breakthrough: "breakthrough" => Breakthrough, Breakthrough<Wide<4>>;
    chance_breakthrough: "chance-breakthrough" => ChanceBreakthrough;
    chinese_checkers: "chinese-checkers" => ChineseCheckers;
    connect_four: "connect-four" => ConnectFour, ConnectFour<Wide<4>>;
    crossings: "crossings" => Crossings;
    dao: "dao" => Dao;
    dice: "dice" => Dice, Dice<Wide<4>>;
    do_guti: "do-guti" => DoGuti;
    epaminondas: "epaminondas" => Epaminondas;
    fanorona: "fanorona" => Fanorona, Fanorona<Wide<2>>;
    fish: "fish" => Fish;
    focus: "focus" => Focus;
    gaps: "gaps" => Gaps;
    hearts: "hearts" => Hearts;
    kuhn_poker: "kuhn-poker" => KuhnPoker;
    l_game: "l-game" => LGame;
    lines_of_action: "lines-of-action" => LinesOfAction;
    mnk: "mnk" => Mnk, Mnk<Wide<4>>, Mnk<Wide<8>>;
    morpion: "morpion" => Morpion;
    nim: "nim" => Nim;
    othello: "othello" => Othello;
    pip_race: "pip-race" => PipRace;
    random_tree: "random-tree" => RandomTree;
    rolit: "rolit" => Rolit;
    samegame: "samegame" => SameGame;
    spades: "spades" => Spades;
    stratego: "stratego" => Stratego;
    surakarta: "surakarta" => Surakarta;
}
