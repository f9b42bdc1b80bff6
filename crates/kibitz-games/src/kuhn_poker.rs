//! Kuhn poker (Harold W. Kuhn, 1950): three cards, one bet.

use kibitz_game::text::{Svg, colour};
use kibitz_game::{
    AnyTurn, BadParameter, BadText, Chance, Configure, Draw, Evaluate, Game, Hidden, Order, Parameter, Params, Playout,
    Puzzle, Random, Range, Ranked, Repetition, Score, Turn, mix,
};

const RULES: &str = "\
Two players put one chip each into the pot. From a pack of three cards, jack below queen below king, each is dealt \
one, first player 0 and then player 1; a player sees only the own card, and the third card stays hidden. Player 0 \
begins with a check or a bet of one chip. After a check player 1 may check or bet too. Who faces a bet folds or calls \
with a chip. A fold gives the pot to the opponent, unseen. After two checks or a call both cards are shown and the \
higher one takes the pot. The score is the chips won or lost: 1 without a called bet, 2 with one.

**Positions** are the card of player 0, the card of player 1 and the betting: `--` before the deal, `K-` after the \
first card, `KJ` before the betting, `KJ:kb` after a check and a bet. The letters are `k` check, `b` bet, `f` fold \
and `c` call. **Moves** are `check`, `bet`, `fold` and `call`; the outcomes of the deal are `J`, `Q` and `K`. A \
player's **view** has `?` for a card that the player has not seen: `K?:kb`.

**Solution**: with best play player 0 loses 1/18 of a chip a hand. Player 0 bets a jack with any probability *a* from \
0 to 1/3, a king with 3*a* and a queen never, and facing a bet folds a jack, calls with a king, and with a queen with \
probability *a* + 1/3. Player 1 bets a king and one jack in three after a check, and facing a bet calls with a king \
and one queen in three. H. W. Kuhn, *A simplified two-person poker*, in *Contributions to the Theory of Games* 1 \
(1950).";

/// The rules of Kuhn poker.
#[derive(Clone, Debug)]
pub struct KuhnPoker {
    /// Whether everybody sees all cards, as in a guess that is searched as it stands.
    open: bool,
}

/// A position: the cards of the players and where the betting stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    cards: [u8; 2],
    betting: u8,
}

/// The letters of the cards; the last one stands for no card.
const CARDS: [char; 4] = ['J', 'Q', 'K', '-'];
const NONE: u8 = 3;

/// The courses of the betting; the first `OPEN` are not finished.
const BETTING: [&str; 9] = ["", "k", "b", "kb", "kk", "bf", "bc", "kbf", "kbc"];
const OPEN: usize = 4;

/// For each unfinished course: who is to move, the two moves, and the courses they lead to.
const TURN: [u8; OPEN] = [0, 1, 1, 0];
const MOVES: [[&str; 2]; OPEN] = [["check", "bet"], ["check", "bet"], ["fold", "call"], ["fold", "call"]];
const NEXT: [[u8; 2]; OPEN] = [[1, 2], [4, 3], [5, 6], [7, 8]];

/// A card in the deal, then 0 for a check or a fold and 1 for a bet or a call.
type Move = u8;

impl Position {
    /// The course of the betting, `None` during the deal or when it is finished.
    #[inline(always)]
    fn open(self) -> Option<usize> {
        let betting = usize::from(self.betting);
        (self.cards[1] != NONE && betting < OPEN).then_some(betting)
    }

    /// Whether the cards have been shown at the end.
    fn shown(self) -> bool {
        matches!(BETTING[usize::from(self.betting)], "kk" | "bc" | "kbc")
    }

    /// The chips that the players have put into the pot, and the words of the betting.
    fn course(self) -> ([usize; 2], Vec<&'static str>) {
        let mut chips = [1, 1];
        let mut words = Vec::new();
        for (i, letter) in BETTING[usize::from(self.betting)].chars().enumerate() {
            chips[i % 2] += usize::from("bc".contains(letter));
            words.push(match letter {
                'k' => "check",
                'b' => "bet",
                'f' => "fold",
                _ => "call",
            });
        }
        (chips, words)
    }

    /// The text with the cards that `seen` allows.
    fn text(self, seen: impl Fn(usize) -> bool) -> String {
        let card = |player: usize| match self.cards[player] {
            card if card == NONE || seen(player) => CARDS[usize::from(card)],
            _ => '?',
        };
        let colon = if self.betting == 0 { "" } else { ":" };
        format!("{}{}{colon}{}", card(0), card(1), BETTING[usize::from(self.betting)])
    }
}

impl Game for KuhnPoker {
    type Position = Position;
    type Move = Move;

    fn players(&self) -> usize {
        2
    }

    fn start(&self) -> Position {
        Position { cards: [NONE; 2], betting: 0 }
    }

    #[inline(always)]
    fn turn(&self, position: &Position) -> Turn {
        match position.open() {
            _ if position.cards[1] == NONE => Turn::Chance,
            Some(betting) => Turn::Player(TURN[betting]),
            None => Turn::Over,
        }
    }

    #[inline]
    fn moves(&self, position: &Position, out: &mut Vec<Move>) {
        match self.turn(position) {
            Turn::Chance => out.extend((0..NONE).filter(|&card| card != position.cards[0])),
            Turn::Player(_) => out.extend([0, 1]),
            Turn::Over => {}
        }
    }

    #[inline(always)]
    fn play(&self, position: &mut Position, mv: Move) {
        match position.open() {
            Some(betting) => position.betting = NEXT[betting][usize::from(mv)],
            None => position.cards[usize::from(position.cards[0] != NONE)] = mv,
        }
    }

    fn score(&self, position: &Position, player: usize) -> Score {
        let higher = if position.cards[0] > position.cards[1] { 1 } else { -1 };
        let first = match BETTING[usize::from(position.betting)] {
            "bf" => 1,
            "kbf" => -1,
            "kk" => higher,
            _ => 2 * higher,
        };
        if player == 0 { first } else { -first }
    }

    fn range(&self, _: usize) -> Range {
        Range { low: -2, high: 2 }
    }

    #[inline(always)]
    fn key(&self, position: &Position) -> u64 {
        let [first, second] = position.cards.map(u64::from);
        mix(first << 2 | second, u64::from(position.betting))
    }

    fn write(&self, position: &Position) -> String {
        position.text(|_| true)
    }

    fn read(&self, text: &str) -> Result<Position, BadText> {
        let text = text.trim();
        let (dealt, letters) = text.split_once(':').unwrap_or((text, ""));
        let cards: Option<Vec<u8>> =
            dealt.chars().map(|letter| CARDS.iter().position(|&card| card == letter).map(|card| card as u8)).collect();
        let Some(&[first, second]) = cards.as_deref() else {
            return Err(BadText::new(format!("the cards are two of J, Q, K and - for none, not {dealt:?}")));
        };
        if first == NONE && second != NONE {
            return Err(BadText::new("player 0 is dealt the first card"));
        }
        if first == second && first != NONE {
            return Err(BadText::new(format!("there is only one {}", CARDS[usize::from(first)])));
        }
        let betting = BETTING.iter().position(|&course| course == letters).ok_or_else(|| {
            BadText::new(format!("{letters:?} is not a course of the betting; there are {}", BETTING[1..].join(", ")))
        })?;
        if second == NONE && betting > 0 {
            return Err(BadText::new("the betting begins when both cards are dealt"));
        }
        Ok(Position { cards: [first, second], betting: betting as u8 })
    }

    fn write_move(&self, position: &Position, mv: Move) -> String {
        match position.open() {
            Some(betting) => MOVES[betting][usize::from(mv)].to_owned(),
            None => CARDS[usize::from(mv)].to_string(),
        }
    }
}

impl Evaluate for KuhnPoker {}
impl Order for KuhnPoker {}
impl Playout for KuhnPoker {}

impl Chance for KuhnPoker {
    const CHANCE: bool = true;
    const ALWAYS_CHANCE: bool = true;

    fn probability(&self, position: &Position, _: Move) -> f64 {
        if position.cards[0] == NONE { 1.0 / 3.0 } else { 0.5 }
    }
}

impl Repetition for KuhnPoker {}
impl Ranked for KuhnPoker {}
impl Puzzle for KuhnPoker {}
impl AnyTurn for KuhnPoker {}
impl Hidden for KuhnPoker {
    const HIDDEN: bool = true;

    fn hides(&self) -> bool {
        !self.open
    }

    fn opened(&self) -> Option<Self> {
        (!self.open).then_some(Self { open: true })
    }

    fn view(&self, position: &Position, player: usize) -> String {
        position.text(|owner| owner == player || position.shown() || self.open)
    }

    fn guess(&self, position: &Position, player: usize, random: &mut Random) -> Position {
        let mut guess = *position;
        if self.open {
            return guess;
        }
        let (own, other) = (position.cards[player], position.cards[1 - player]);
        if other != NONE && !position.shown() {
            let unseen = (0..NONE).filter(|&card| card != own);
            let count = unseen.clone().count();
            guess.cards[1 - player] = unseen.clone().nth(random.below(count)).unwrap_or(other);
        }
        guess
    }
}

/// A card with its upper left corner at a point, and the colour and width of its edge; a back for no card.
fn draw_card(svg: &mut Svg, card: u8, (x, y): (i32, i32), (edge, width): (&str, i32)) {
    let look = format!("rx=\"8\" stroke=\"{edge}\" stroke-width=\"{width}\"");
    if card == NONE {
        svg.rect((x, y), (76, 108), &format!("fill=\"{}\" {look}", colour::DARK));
        let inner = format!("rx=\"4\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"", colour::PAPER);
        svg.rect((x + 7, y + 7), (62, 94), &inner);
        let diamonds = format!("M{} {}l19 29l-19 29l-19-29zm0 14l10 15l-10 15l-10-15z", x + 38, y + 25);
        svg.path(&diamonds, &format!("fill=\"{}\" fill-rule=\"evenodd\"", colour::PAPER));
    } else {
        let letter = CARDS[usize::from(card)].to_string();
        svg.rect((x, y), (76, 108), &format!("fill=\"#fdfdfb\" {look}"));
        svg.group("fill=\"#262626\" font-family=\"serif\" font-weight=\"bold\"", |svg| {
            svg.text((x + 38, y + 71), &letter, "font-size=\"50\"");
            svg.text((x + 13, y + 21), &letter, "font-size=\"16\"");
            svg.text((x + 63, y + 100), &letter, "font-size=\"16\"");
        });
    }
}

impl KuhnPoker {
    /// The picture with the cards that are seen.
    fn picture(&self, position: Position, cards: [u8; 2]) -> String {
        let (chips, words) = position.course();
        let turn = self.turn(&position);
        let ink = format!("fill=\"{}\"", colour::INK);
        let mut svg = Svg::new(300, 196);
        for (player, x) in [24, 200].into_iter().enumerate() {
            let middle = x + 38;
            let own = format!("fill=\"{}\"", colour::PLAYERS[player]);
            svg.text((middle, 24), &format!("player {player}"), &ink);
            if turn == Turn::Player(player as u8) {
                svg.circle((middle - 40, 20), 6, &own);
            }
            let won = turn == Turn::Over && self.score(&position, player) > 0;
            let edge = if won { (colour::MARK, 4) } else { (colour::LINE, 1) };
            draw_card(&mut svg, cards[player], (x, 36), edge);
            for chip in 0..chips[player] {
                let at = (if player == 0 { 122 } else { 178 }, 134 - 9 * chip as i32);
                svg.path(
                    &format!("M{} {}v6a14 6 0 0 0 28 0v-6", at.0 - 14, at.1 - 6),
                    &format!("{own} stroke=\"#fff\""),
                );
                svg.path(
                    &format!("M{} {}a14 6 0 0 1 28 0a14 6 0 0 1-28 0", at.0 - 14, at.1 - 6),
                    &format!("{own} stroke=\"#fff\""),
                );
            }
            let said: Vec<&str> = words.iter().skip(player).step_by(2).copied().collect();
            svg.text((middle, 166), &said.join(", "), &ink);
            if won {
                let wins = format!("wins {}", self.score(&position, player));
                svg.text((middle, 184), &wins, &format!("font-weight=\"bold\" {ink}"));
            }
        }
        svg.text((150, 64), "pot", &ink);
        svg.text(
            (150, 88),
            &(chips[0] + chips[1]).to_string(),
            &format!("font-size=\"22\" font-weight=\"bold\" {ink}"),
        );
        if turn == Turn::Chance {
            svg.text((150, 166), "the deal", &ink);
        }
        svg.finish()
    }
}

impl Draw for KuhnPoker {
    fn board(&self, position: &Position) -> String {
        let (chips, words) = position.course();
        let [first, second] = position.cards.map(|card| CARDS[usize::from(card)]);
        let lines =
            format!("player 0: {first}  {}\nplayer 1: {second}  {}", "o".repeat(chips[0]), "o".repeat(chips[1]));
        if words.is_empty() { lines } else { format!("{lines}\n{}", words.join(", ")) }
    }

    fn svg(&self, position: &Position) -> String {
        self.picture(*position, position.cards)
    }

    /// The other card is shown when the game has shown it.
    fn svg_of_view(&self, position: &Position, player: usize) -> String {
        let mut cards = position.cards;
        if !self.open && !position.shown() {
            cards[1 - player] = NONE;
        }
        self.picture(*position, cards)
    }
}

impl Configure for KuhnPoker {
    const SUMMARY: &'static str = "poker with three cards and one bet: the smallest game that needs bluffing";
    const RULES: &'static str = RULES;

    fn parameters() -> Vec<Parameter> {
        Vec::new()
    }

    fn configure(_: &Params) -> Result<Self, BadParameter> {
        Ok(Self { open: false })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::{BTreeSet, HashMap};

    const GAME: KuhnPoker = KuhnPoker { open: false };

    fn moves(position: Position) -> Vec<Move> {
        let mut moves = Vec::new();
        GAME.moves(&position, &mut moves);
        moves
    }

    fn after(mut position: Position, mv: Move) -> Position {
        GAME.play(&mut position, mv);
        position
    }

    fn every_position(from: Position) -> Vec<Position> {
        let below = moves(from).into_iter().flat_map(|mv| every_position(after(from, mv)));
        [from].into_iter().chain(below).collect()
    }

    /// The probability that the player to move, who has this view, bets or calls.
    type Strategy<'a> = &'a dyn Fn(&str) -> f64;

    /// What player 0 wins on average.
    fn value(position: Position, strategies: [Strategy; 2]) -> f64 {
        let weighted = |mv: Move, probability: f64| probability * value(after(position, mv), strategies);
        match GAME.turn(&position) {
            Turn::Over => f64::from(GAME.score(&position, 0)),
            Turn::Chance => moves(position).into_iter().map(|mv| weighted(mv, GAME.probability(&position, mv))).sum(),
            Turn::Player(player) => {
                let active = strategies[usize::from(player)](&GAME.view(&position, player.into()));
                weighted(0, 1.0 - active) + weighted(1, active)
            }
        }
    }

    /// Everything that a player may see when it is that player's turn.
    fn information_sets(player: usize) -> Vec<String> {
        let all = every_position(GAME.start());
        let own = all.iter().filter(|position| GAME.turn(position) == Turn::Player(player as u8));
        let views: BTreeSet<String> = own.map(|position| GAME.view(position, player)).collect();
        views.into_iter().collect()
    }

    /// What the best of all pure strategies wins against the opponent's strategy.
    fn best_response(player: usize, opponent: Strategy) -> f64 {
        let sets = information_sets(player);
        let results = (0..1u32 << sets.len()).map(|choice| {
            let plan: HashMap<&str, f64> =
                sets.iter().enumerate().map(|(i, set)| (set.as_str(), f64::from(choice >> i & 1))).collect();
            let own = |view: &str| plan[view];
            if player == 0 { value(GAME.start(), [&own, opponent]) } else { -value(GAME.start(), [opponent, &own]) }
        });
        results.fold(f64::NEG_INFINITY, f64::max)
    }

    fn close(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-12
    }

    #[test]
    fn there_are_58_histories_30_of_them_finished_and_12_information_sets() {
        let all = every_position(GAME.start());
        assert_eq!(all.len(), 58);
        assert_eq!(all.iter().filter(|position| GAME.turn(position) == Turn::Over).count(), 30);
        assert_eq!(information_sets(0), ["J?", "J?:kb", "K?", "K?:kb", "Q?", "Q?:kb"]);
        assert_eq!(information_sets(1), ["?J:b", "?J:k", "?K:b", "?K:k", "?Q:b", "?Q:k"]);
    }

    #[test]
    fn kuhns_strategies_are_an_equilibrium_of_value_minus_one_eighteenth() {
        let second = |view: &str| match view {
            "?K:k" | "?K:b" => 1.0,
            "?J:k" | "?Q:b" => 1.0 / 3.0,
            _ => 0.0,
        };
        for alpha in [0.0, 1.0 / 6.0, 1.0 / 3.0] {
            let first = move |view: &str| match view {
                "J?" => alpha,
                "K?" => 3.0 * alpha,
                "Q?:kb" => alpha + 1.0 / 3.0,
                "K?:kb" => 1.0,
                _ => 0.0,
            };
            assert!(close(value(GAME.start(), [&first, &second]), -1.0 / 18.0));
            assert!(close(best_response(1, &first), 1.0 / 18.0), "against player 0 with {alpha}");
        }
        assert!(close(best_response(0, &second), -1.0 / 18.0));
    }

    #[test]
    fn best_responses_to_simple_players_win_what_the_reference_says() {
        let faces_bet = |view: &str| view.ends_with('b');
        let calling = move |view: &str| if faces_bet(view) { 1.0 } else { 0.0 };
        let players: [(Strategy, [f64; 2]); 3] = [
            (&calling, [1.0 / 3.0, 1.0 / 3.0]),
            (&|_| 1.0, [1.0 / 3.0, 1.0 / 3.0]),
            (&|_| 0.5, [1.0 / 2.0, 5.0 / 12.0]),
        ];
        for (i, (strategy, expected)) in players.into_iter().enumerate() {
            for (player, expected) in expected.into_iter().enumerate() {
                assert!(close(best_response(player, strategy), expected), "player {player} against {i}");
            }
        }
    }

    #[test]
    fn guesses_look_the_same_and_are_uniform_over_what_looks_the_same() {
        let all = every_position(GAME.start());
        let mut random = Random::new(3);
        for position in &all {
            for player in 0..2 {
                let view = GAME.view(position, player);
                let mut counts: HashMap<u64, u32> = HashMap::new();
                for other in all.iter().filter(|other| GAME.view(other, player) == view) {
                    counts.insert(GAME.key(other), 0);
                }
                let possible = counts.len();
                for _ in 0..600 * possible {
                    let guess = GAME.guess(position, player, &mut random);
                    assert_eq!(GAME.view(&guess, player), view);
                    *counts.get_mut(&GAME.key(&guess)).unwrap() += 1;
                }
                assert!(counts.values().all(|count| (480..720).contains(count)), "{view}: {counts:?}");
            }
        }
    }

    #[test]
    fn a_view_hides_the_other_card_until_it_is_shown() {
        let views = |text: &str| [0, 1].map(|player| GAME.view(&GAME.read(text).unwrap(), player));
        assert_eq!(views("--"), ["--", "--"]);
        assert_eq!(views("K-"), ["K-", "?-"]);
        assert_eq!(views("KJ:kb"), ["K?:kb", "?J:kb"]);
        assert_eq!(views("KJ:kbf"), ["K?:kbf", "?J:kbf"]);
        assert_eq!(views("KJ:kbc"), ["KJ:kbc", "KJ:kbc"]);
    }

    #[test]
    fn texts_of_positions_come_back_and_nonsense_is_rejected() {
        for position in every_position(GAME.start()) {
            assert_eq!(GAME.read(&GAME.write(&position)), Ok(position));
        }
        for bad in ["", "K", "-K", "KK", "KJQ", "K?", "KJ:x", "KJ:bb", "K-:k", "--:b", "kj", "KJ:k:b", "ÄJ"] {
            assert!(GAME.read(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn the_picture_shows_cards_chips_and_betting() {
        let position = GAME.read("KJ:kb").unwrap();
        assert_eq!(GAME.board(&position), "player 0: K  o\nplayer 1: J  oo\ncheck, bet");
    }

    #[test]
    fn the_svg_picture_shows_cards_pot_and_winner() {
        let picture = |text| GAME.svg(&GAME.read(text).unwrap());
        assert!(picture("--").contains(">the deal<") && !picture("--").contains(">K<"));
        for shown in [">K<", ">J<", ">3</text>", ">check<", ">bet<", "<circle"] {
            assert!(picture("KJ:kb").contains(shown), "{shown}");
        }
        assert!(picture("KJ:kbc").contains(">wins 2<") && !picture("KJ:kbc").contains("<circle"));
    }
}
