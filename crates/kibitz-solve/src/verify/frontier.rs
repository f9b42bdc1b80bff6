//! The search of a position that a strategy has left out.
//!
//! A large strategy need not have a move where anybody finds one quickly. This is the one who finds it: plain proof-number search of one small tree with the numbers of mobility, written here once more,
//! so that the check shares no code with the searches that it checks. A repetition is judged on the path from the position that was left out. Who is only to avoid something may also come
//! back to a position of the strategy, for there he goes on avoiding it; who is to reach something may not, since nobody knows how far he then would be.

use kibitz_game::{Game, Ranked, Repetition, Turn, Wdl};

use super::{Claim, Ends};

/// The number of what cannot be done.
const NEVER: u32 = u32::MAX;

struct Node<P> {
    position: P,
    key: u64,
    /// The holder moves here.
    own: bool,
    proof: u32,
    disproof: u32,
    first: u32,
    count: u32,
}

/// Searches of positions that a strategy has no move for.
pub(crate) struct Frontier<'a, G: Game + Repetition + Ranked> {
    game: &'a G,
    ends: Ends<'a, G>,
    tree: Vec<Node<G::Position>>,
    path: Vec<usize>,
    list: Vec<G::Position>,
    moves: Vec<G::Move>,
    /// Nodes made so far.
    pub(crate) nodes: u64,
}

impl<'a, G: Game + Repetition + Ranked> Frontier<'a, G> {
    pub(crate) fn new(game: &'a G, claim: &'a Claim<'a>) -> Self {
        let (tree, path, list, moves) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Self { game, ends: Ends::new(game, claim), tree, path, list, moves, nodes: 0 }
    }

    /// Whether so many nodes show that the holder, who is to move, reaches his goal. `held` says whether the strategy has a move in the position with a key where he moves.
    pub(crate) fn holds(&mut self, position: &G::Position, most: u64, held: impl Fn(u64) -> bool) -> bool {
        self.tree.clear();
        let root = self.open(position, true);
        self.tree.push(root);
        while self.tree[0].proof != 0 && self.tree[0].disproof != 0 && (self.tree.len() as u64) < most {
            self.select();
            if !self.expand(&held) {
                break;
            }
            self.update();
        }
        self.nodes += self.tree.len() as u64;
        self.tree[0].proof == 0
    }

    /// A node about which nothing is known yet.
    fn open(&mut self, position: &G::Position, own: bool) -> Node<G::Position> {
        let count = self.game.mobility(position, &mut self.moves).max(1);
        let (proof, disproof) = if own { (1, count) } else { (count, 1) };
        Node { key: self.game.key(position), position: position.clone(), own, proof, disproof, first: 0, count: 0 }
    }

    /// Goes to the leaf that says most.
    fn select(&mut self) {
        self.path.clear();
        let mut at = 0;
        loop {
            self.path.push(at);
            let Node { own, first, count, .. } = self.tree[at];
            let block = first as usize..(first + count) as usize;
            let number = |child: &usize| if own { self.tree[*child].proof } else { self.tree[*child].disproof };
            let Some(next) = block.min_by_key(number) else { return };
            at = next;
        }
    }

    /// Makes the children of the leaf at the end of the path; says whether it has any.
    fn expand(&mut self, held: impl Fn(u64) -> bool) -> bool {
        let Some(&leaf) = self.path.last() else { return false };
        let mut list = std::mem::take(&mut self.list);
        self.game.successors(&self.tree[leaf].position, &mut list, &mut self.moves);
        let (first, count) = (self.tree.len() as u32, list.len() as u32);
        (self.tree[leaf].first, self.tree[leaf].count) = (first, count);
        for position in list.drain(..) {
            let own = self.game.turn(&position) == Turn::Player(self.ends.claim.holder as u8);
            let mut node = self.open(&position, own);
            if let Some(good) = self.known(&position, node.key, own, &held) {
                (node.proof, node.disproof) = if good { (0, NEVER) } else { (NEVER, 0) };
            }
            self.tree.push(node);
        }
        self.list = list;
        count > 0
    }

    /// Whether the holder has reached his goal in a position, or never will.
    fn known(&self, position: &G::Position, key: u64, own: bool, held: impl Fn(u64) -> bool) -> Option<bool> {
        if let Some(good) = self.ends.good(position, key) {
            return Some(good);
        }
        if own && self.ends.claim.goal != Wdl::Win && held(key) && self.ends.good_to_repeat(position) {
            return Some(true);
        }
        let before = self.path.iter().any(|&at| self.tree[at].key == key);
        before.then(|| self.ends.good_to_repeat(position))
    }

    /// The numbers from the end of the path to its beginning.
    fn update(&mut self) {
        for at in self.path.iter().rev().copied() {
            let Node { own, first, count, .. } = self.tree[at];
            let (mut proof, mut disproof) = if own { (NEVER, 0) } else { (0, NEVER) };
            for child in &self.tree[first as usize..(first + count) as usize] {
                if own {
                    (proof, disproof) = (proof.min(child.proof), sum(disproof, child.disproof));
                } else {
                    (proof, disproof) = (sum(proof, child.proof), disproof.min(child.disproof));
                }
            }
            (self.tree[at].proof, self.tree[at].disproof) = (proof, disproof);
        }
    }
}

/// The sum of two numbers, which stays finite unless one of them is not.
fn sum(a: u32, b: u32) -> u32 {
    if a == NEVER || b == NEVER { NEVER } else { a.saturating_add(b).min(NEVER - 1) }
}
