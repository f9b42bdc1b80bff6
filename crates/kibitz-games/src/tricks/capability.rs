//! What games of tricks offer beyond their rules.

use kibitz_game::{
    AnyTurn, BadParameter, Bits, Cell, Chance, Configure, Draw, Evaluate, Game, Hidden, Order, Parameter, Params,
    Playout, Puzzle, Random, Range, Ranked, Repetition, Score,
};

use super::cards::{self, suit_of};
use super::{BID, MOVES, Move, Position, Stage, Tricks, Variant, picture};

impl<V: Variant> Evaluate for Tricks<V> {
    const INFORMED: bool = true;

    fn evaluate(&self, position: &Position, player: usize) -> Score {
        let range = self.range(player);
        self.variant.value(&self.setup, position, player).clamp(range.low + 1, range.high - 1)
    }

    fn bounds(&self, position: &Position, player: usize) -> Range {
        if position.stage == Stage::Play {
            self.variant.bounds(&self.setup, position, player)
        } else {
            self.range(player)
        }
    }

    /// The cards that are out of the hands.
    fn progress(&self, position: &Position) -> Option<u32> {
        let all = self.setup.cards * self.setup.players as u32;
        (position.stage == Stage::Play)
            .then(|| all.saturating_sub(position.hands.iter().map(|hand| hand.count()).sum()))
    }

    fn greatest_sum(&self) -> Option<i64> {
        self.variant.greatest_sum(&self.setup)
    }
}

impl<V: Variant> Order for Tricks<V> {
    const HINTED: bool = true;

    fn indices(&self) -> usize {
        MOVES
    }

    fn index(&self, _: &Position, mv: Move) -> usize {
        usize::from(mv)
    }

    /// Who cannot win the trick plays low cards first; who can win it by a trump tries the lowest that does (N. Sturtevant,
    /// *Current Challenges in Multi-Player Game Search*, 2004). The rest is not published: winning cards of the suit led come
    /// before losing ones, high leads first in Spades and low ones in Hearts.
    fn hint(&self, position: &Position, mv: Move) -> i32 {
        if position.stage != Stage::Play || mv >= BID {
            return 0;
        }
        let low = 6 - i32::from(cards::rank_of(mv));
        if position.played == 0 {
            return if V::LEADS_LOW { low } else { -low };
        }
        let best = Self::winning(position).1;
        let trumps = V::TRUMP == Some(suit_of(mv)) && suit_of(best) != suit_of(mv);
        if trumps {
            return 1 + low.max(-6);
        }
        if suit_of(mv) == suit_of(best) && mv > best && !V::LEADS_LOW {
            return 7;
        }
        low
    }
}

impl<V: Variant> Playout for Tricks<V> {}

impl<V: Variant> Chance for Tricks<V> {
    const CHANCE: bool = true;
    const ALWAYS_CHANCE: bool = true;

    fn probability(&self, position: &Position, _: Move) -> f64 {
        1.0 / f64::from(self.moves_of(position).count())
    }

    fn outcomes(&self, position: &Position, out: &mut Vec<(Move, f64)>) {
        let cards = self.moves_of(position);
        let probability = 1.0 / f64::from(cards.count());
        out.extend(cards.squares().map(|card| (card as Move, probability)));
    }

    fn sample(&self, position: &Position, random: &mut Random, _: &mut Vec<Move>) -> Move {
        let cards = self.moves_of(position);
        cards.nth(random.below(cards.count() as usize) as u32) as Move
    }
}

impl<V: Variant> Hidden for Tricks<V> {
    const HIDDEN: bool = true;

    fn hides(&self) -> bool {
        !self.setup.open
    }

    fn opened(&self) -> Option<Self> {
        let mut opened = self.clone();
        opened.setup.open = true;
        (!self.setup.open).then_some(opened)
    }

    fn view(&self, position: &Position, player: usize) -> String {
        self.text(position, if self.setup.open { None } else { Some(player) })
    }

    fn guess(&self, position: &Position, player: usize, random: &mut Random) -> Position {
        if self.setup.open {
            return *position;
        }
        // a position always agrees with itself, so that there is a deal
        self.drawn(position, player, random).unwrap_or(*position)
    }
}

impl<V: Variant> Repetition for Tricks<V> {}
impl<V: Variant> Ranked for Tricks<V> {}
impl<V: Variant> Puzzle for Tricks<V> {}
/// Nobody can play out of turn: a trick would lack cards, and hands would differ in size.
impl<V: Variant> AnyTurn for Tricks<V> {}

impl<V: Variant> Draw for Tricks<V> {
    fn board(&self, position: &Position) -> String {
        picture::board(self, position)
    }

    fn svg(&self, position: &Position) -> String {
        picture::svg(self, position, None, None)
    }

    fn cells(&self, position: &Position) -> Vec<Cell> {
        picture::cells(self, position, None)
    }

    /// The card, or any that is as good as it.
    fn clicks(&self, position: &Position, mv: Move, _: &[Cell]) -> Vec<Vec<String>> {
        if mv >= BID {
            return Vec::new();
        }
        let others = self.stands_for(position, mv).squares().map(|card| card as Move).filter(|&card| card != mv);
        [mv].into_iter().chain(others).map(|card| vec![cards::name(card)]).collect()
    }

    fn svg_of_view(&self, position: &Position, player: usize) -> String {
        picture::svg(self, position, None, Some(player))
    }

    fn cells_of_view(&self, position: &Position, player: usize) -> Vec<Cell> {
        picture::cells(self, position, Some(player))
    }

    fn svg_of_move(&self, position: &Position, mv: Move) -> Option<String> {
        (mv < BID).then(|| picture::svg(self, position, Some(mv), None))
    }
}

impl<V: Variant> Configure for Tricks<V> {
    const SUMMARY: &'static str = V::SUMMARY;
    const RULES: &'static str = V::RULES;

    fn parameters() -> Vec<Parameter> {
        let mut parameters = V::parameters();
        parameters.extend([
            Parameter::word("hands", &["hidden", "open"], "who sees a hand: its owner, or everybody"),
            Parameter::flag(
                "equivalent",
                true,
                "whether one move stands for all cards of a run that are as good as each other",
            ),
        ]);
        parameters
    }

    fn configure(params: &Params) -> Result<Self, BadParameter> {
        let (variant, mut setup) = V::configure(params)?;
        setup.open = params.word("hands") == "open";
        setup.equivalent = params.flag("equivalent");
        Ok(Self { setup, variant })
    }
}
