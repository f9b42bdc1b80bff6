//! The games of kibitz: one file a game, each reading from the rules through positions, moves and results to notation,
//! evaluation and tests. A game speaks only [`kibitz_game`]; no file here knows an algorithm.

mod breakthrough;
mod connect_four;
mod crossings;
mod dao;
mod do_guti;
mod draw;
mod epaminondas;
mod fanorona;
mod fish;
mod four_by_four;
mod gaps;
mod kuhn_poker;
mod l_game;
mod lines;
mod lines_of_action;
mod mnk;
mod morpion;
mod nim;
mod othello;
mod phalanx;
mod pip_race;
mod random_tree;
mod samegame;
mod shifting;
mod subsets;

pub use breakthrough::Breakthrough;
pub use connect_four::ConnectFour;
pub use crossings::Crossings;
pub use dao::Dao;
pub use do_guti::DoGuti;
pub use epaminondas::Epaminondas;
pub use fanorona::Fanorona;
pub use fish::Fish;
pub use gaps::Gaps;
pub use kuhn_poker::KuhnPoker;
pub use l_game::LGame;
pub use lines_of_action::LinesOfAction;
pub use mnk::Mnk;
pub use morpion::Morpion;
pub use nim::Nim;
pub use othello::Othello;
pub use pip_race::PipRace;
pub use random_tree::RandomTree;
pub use samegame::SameGame;
