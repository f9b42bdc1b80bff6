//! The games that Python can ask for by name: one line a game.

use std::sync::Arc;

use kibitz_game::{BadParameter, Configure, Parameter, Params, Value, Wide};
use kibitz_games::{
    Backgammon, Breakthrough, ChanceBreakthrough, ChineseCheckers, ConnectFour, Crossings, Dao, Dice, DoGuti,
    Epaminondas, Fanorona, Fish, Focus, Gaps, Hearts, KuhnPoker, LGame, LinesOfAction, Mnk, Morpion, Nim, Othello,
    PipRace, RandomTree, Rolit, SameGame, Spades, Stratego, Surakarta,
};

use crate::bridge::{AnyRules, Bridge, Rules};

/// A game by name.
pub struct Listing {
    pub name: &'static str,
    pub summary: &'static str,
    pub rules: &'static str,
    /// The game that this one is a special case of.
    pub preset_of: Option<&'static str>,
    pub parameters: fn() -> Vec<Parameter>,
    pub make: fn(&Params) -> Result<Box<dyn AnyRules>, BadParameter>,
}

fn rules<G: Bridge + Configure>(params: &Params) -> Result<Box<dyn AnyRules>, BadParameter> {
    Ok(Box::new(Rules(Arc::new(G::configure(params)?))))
}

/// The smallest of several board sizes that the parameters fit into.
macro_rules! sized {
    ($game:ident: $($size:ty),+) => {
        |params| {
            let mut error = None;
            $(match rules::<$game<$size>>(params) {
                Ok(made) => return Ok(made),
                Err(bad) => error = error.or(Some(bad)),
            })+
            Err(error.expect("at least one size was tried"))
        }
    };
}

macro_rules! list {
    ($($name:literal, $game:ty, $make:expr;)+) => {
        vec![$(Listing {
            name: $name,
            summary: <$game>::SUMMARY,
            rules: <$game>::RULES,
            preset_of: None,
            parameters: <$game>::parameters,
            make: $make,
        }),+]
    };
}

macro_rules! bridges {
    ($($game:ty),+) => { $(impl Bridge for $game {})+ };
}

bridges!(
    Backgammon,
    ChanceBreakthrough,
    ChineseCheckers,
    Crossings,
    Dao,
    DoGuti,
    Epaminondas,
    Fish,
    Focus,
    Gaps,
    Hearts,
    KuhnPoker,
    LGame,
    LinesOfAction,
    Morpion,
    Nim,
    Othello,
    PipRace,
    RandomTree,
    Rolit,
    SameGame,
    Spades,
    Stratego,
    Surakarta
);

impl<B: kibitz_game::Bits> Bridge for Breakthrough<B> {}
impl<B: kibitz_game::Bits> Bridge for ConnectFour<B> {}
impl<B: kibitz_game::Bits> Bridge for Dice<B> {}
impl<B: kibitz_game::Bits> Bridge for Fanorona<B> {}
impl<B: kibitz_game::Bits> Bridge for Mnk<B> {}

/// All games, in alphabetical order.
pub fn listings() -> Vec<Listing> {
    let mut all = list! {
        "backgammon", Backgammon, rules::<Backgammon>;
        "breakthrough", Breakthrough<u64>, sized!(Breakthrough: u64, Wide<4>);
        "chance-breakthrough", ChanceBreakthrough, rules::<ChanceBreakthrough>;
        "chinese-checkers", ChineseCheckers, rules::<ChineseCheckers>;
        "connect-four", ConnectFour<u64>, sized!(ConnectFour: u64, Wide<4>);
        "crossings", Crossings, rules::<Crossings>;
        "dao", Dao, rules::<Dao>;
        "dice", Dice<u64>, sized!(Dice: u64, Wide<4>);
        "do-guti", DoGuti, rules::<DoGuti>;
        "epaminondas", Epaminondas, rules::<Epaminondas>;
        "fanorona", Fanorona<u64>, sized!(Fanorona: u64, Wide<2>);
        "fish", Fish, rules::<Fish>;
        "focus", Focus, rules::<Focus>;
        "gaps", Gaps, rules::<Gaps>;
        "hearts", Hearts, rules::<Hearts>;
        "kuhn-poker", KuhnPoker, rules::<KuhnPoker>;
        "l-game", LGame, rules::<LGame>;
        "lines-of-action", LinesOfAction, rules::<LinesOfAction>;
        "mnk", Mnk<u64>, sized!(Mnk: u64, Wide<4>, Wide<8>);
        "morpion", Morpion, rules::<Morpion>;
        "nim", Nim, rules::<Nim>;
        "othello", Othello, rules::<Othello>;
        "pip-race", PipRace, rules::<PipRace>;
        "random-tree", RandomTree, rules::<RandomTree>;
        "rolit", Rolit, rules::<Rolit>;
        "samegame", SameGame, rules::<SameGame>;
        "spades", Spades, rules::<Spades>;
        "stratego", Stratego, rules::<Stratego>;
        "surakarta", Surakarta, rules::<Surakarta>;
    };
    all.push(Listing {
        name: "fanoron-dimy",
        summary: "Fanorona on five by five points: fanorona with rows=5, cols=5",
        rules: Fanorona::<u64>::RULES,
        preset_of: Some("fanorona"),
        parameters: || preset(Fanorona::<u64>::parameters(), &[("rows", 5), ("cols", 5)]),
        make: sized!(Fanorona: u64, Wide<2>),
    });
    all.push(Listing {
        name: "fanoron-telo",
        summary: "Fanorona on three by three points: fanorona with rows=3, cols=3",
        rules: Fanorona::<u64>::RULES,
        preset_of: Some("fanorona"),
        parameters: || preset(Fanorona::<u64>::parameters(), &[("rows", 3), ("cols", 3)]),
        make: sized!(Fanorona: u64, Wide<2>),
    });
    all.push(Listing {
        name: "gomoku",
        summary: "five in a row on fifteen by fifteen: mnk with rows=15, cols=15, k=5",
        rules: Mnk::<u64>::RULES,
        preset_of: Some("mnk"),
        parameters: || preset(Mnk::<u64>::parameters(), &[("rows", 15), ("cols", 15), ("k", 5)]),
        make: sized!(Mnk: u64, Wide<4>, Wide<8>),
    });
    all.push(Listing {
        name: "tic-tac-toe",
        summary: "three in a row on three by three: mnk with its defaults",
        rules: Mnk::<u64>::RULES,
        preset_of: Some("mnk"),
        parameters: || preset(Mnk::<u64>::parameters(), &[("rows", 3), ("cols", 3), ("k", 3)]),
        make: sized!(Mnk: u64, Wide<4>, Wide<8>),
    });
    all.sort_by_key(|listing| listing.name);
    all
}

/// The parameters of a game with other defaults.
fn preset(mut parameters: Vec<Parameter>, defaults: &[(&str, i64)]) -> Vec<Parameter> {
    for parameter in &mut parameters {
        if let Some(&(_, value)) = defaults.iter().find(|(name, _)| *name == parameter.name) {
            parameter.default = Value::Integer(value);
        }
    }
    parameters
}
