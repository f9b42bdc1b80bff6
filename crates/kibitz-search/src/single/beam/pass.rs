//! One pass over all layers.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Instant;

use kibitz_game::{Limits, Score, Turn, mix};
use rayon::prelude::*;

use super::super::lineage::{Lineage, ORIGIN};
use super::super::record::Record;
use super::layer::{Layer, Waiting};
use super::{BeamSearch, Layers};
use crate::Searchable;

/// So many positions are expanded before what was found is sorted in, whatever the number of threads.
const BATCH: usize = 2048;
/// So many of them are one piece of work.
const CHUNK: usize = 64;

/// What the expansion of some positions gave: positions with their layers.
type Children<G> = Vec<(u32, Waiting<<G as kibitz_game::Game>::Position, <G as kibitz_game::Game>::Move>)>;

pub(super) struct Pass<'a, G: Searchable> {
    beam: &'a BeamSearch,
    record: &'a Record<'a, G>,
    potential: usize,
    pool: Option<rayon::ThreadPool>,
    start: Instant,
    limits: Limits,
    nodes: AtomicU64,
    halted: AtomicBool,
    /// The number of the pass among those of all threads, and how many there were here.
    number: u64,
    passes: u64,
    noise: f64,
    by_progress: bool,
    /// The moves before the position where the pass begins.
    prefix: Vec<G::Move>,
    lineage: Lineage<G::Move>,
    /// How many positions fit into the memory.
    room: usize,
    memory_mb: usize,
    /// Whether the last pass has dropped anything but duplicates.
    dropped: AtomicBool,
    width: usize,
    narrowest: usize,
    expanded: u64,
    layers: u64,
}

impl<'a, G: Searchable> Pass<'a, G> {
    pub(super) fn new(
        beam: &'a BeamSearch,
        record: &'a Record<'a, G>,
        potential: usize,
        pool: Option<rayon::ThreadPool>,
        memory_mb: usize,
    ) -> Self {
        let game = record.game;
        let extra = game.position_bytes().saturating_sub(size_of::<G::Position>());
        // a place in the table of remainders beside each
        let each = size_of::<Waiting<G::Position, G::Move>>() + extra + 40;
        let unit = 1.0 / (game.result(1.0) - game.result(0.0));
        Self {
            beam,
            record,
            potential,
            pool,
            start: Instant::now(),
            limits: Limits::default(),
            nodes: AtomicU64::new(0),
            halted: AtomicBool::new(false),
            number: 0,
            passes: 0,
            noise: beam.noise * unit,
            by_progress: beam.layers == Layers::Progress && game.progress(record.root).is_some(),
            prefix: Vec::new(),
            lineage: Lineage::new(),
            room: (memory_mb.saturating_mul(1 << 20) / each).max(16),
            memory_mb,
            dropped: AtomicBool::new(true),
            width: 0,
            narrowest: usize::MAX,
            expanded: 0,
            layers: 0,
        }
    }

    /// Begins to count anew: from now on the limits are these.
    pub(super) fn limit(&mut self, limits: &Limits, start: Instant) {
        (self.limits, self.start) = (limits.clone(), start);
        *self.nodes.get_mut() = 0;
        *self.halted.get_mut() = false;
    }

    /// Whether the last pass has seen everything, so that its best is the best there is.
    pub(super) fn complete(&self) -> bool {
        !self.dropped.load(Relaxed) && !self.over()
    }

    fn drop_if(&self, dropped: bool) {
        self.dropped.fetch_or(dropped, Relaxed);
    }

    /// Whether the limits are reached.
    pub(super) fn over(&self) -> bool {
        self.halted.load(Relaxed)
    }

    pub(super) fn stats(&self) -> Vec<(&'static str, f64)> {
        vec![
            ("passes", self.passes as f64),
            ("width", self.width as f64),
            ("narrowest", self.narrowest.min(self.width) as f64),
            ("expanded", self.expanded as f64),
            ("layers", self.layers as f64),
        ]
    }

    /// Expands the best positions of each layer, from a position that `prefix` leads to, to the end of all games.
    /// Calls `look` with the number of positions visited since it was called last.
    pub(super) fn run(&mut self, number: u64, width: usize, prefix: &[G::Move], look: &mut dyn FnMut(u64)) {
        let game = self.record.game;
        let mut root = self.record.root.clone();
        for &mv in prefix {
            game.play(&mut root, mv);
        }
        self.prefix.clear();
        self.prefix.extend_from_slice(prefix);
        self.number = number;
        self.passes += 1;
        self.width = width;
        let mut width = width.min(self.room / 2).max(1);
        self.narrowest = self.narrowest.min(width);
        self.dropped.store(false, Relaxed);
        self.lineage.clear();
        let mut layers: BTreeMap<u32, Layer<G::Position, G::Move>> = BTreeMap::new();
        let mut held = 0;
        let mut told = self.nodes.load(Relaxed);
        let mut number = if self.by_progress { game.progress(&root).unwrap_or(0) } else { 0 };
        let mut current = vec![(ORIGIN, root)];
        self.layers = 0;
        loop {
            self.layers += 1;
            self.expanded += current.len() as u64;
            for batch in current.chunks(BATCH) {
                let found = self.expand(batch, number, &layers);
                let visited = self.nodes.load(Relaxed);
                look(visited - std::mem::replace(&mut told, visited));
                if self.over() {
                    return;
                }
                for (layer, one) in found.into_iter().flatten() {
                    let layer = layers.entry(layer).or_default();
                    if one.rank <= layer.cutoff {
                        self.drop_if(true);
                        continue;
                    }
                    held += usize::from(layer.add(one));
                    if layer.waiting.len() >= 2 * width.max(32) {
                        let before = layer.waiting.len();
                        self.drop_if(layer.prune(width));
                        held -= before - layer.waiting.len();
                    }
                }
                if held > self.room {
                    width = self.narrow(width, &mut layers, &mut held);
                }
            }
            let Some((next, mut layer)) = layers.pop_first() else { return };
            held -= layer.waiting.len();
            if self.beam.per_parent > 0 {
                self.drop_if(layer.spread(self.beam.per_parent));
            }
            self.drop_if(layer.prune(width));
            number = next;
            if self.lineage.bytes() > self.memory_mb << 18 {
                let waiting = layers.values_mut().flat_map(|layer| &mut layer.waiting).chain(&mut layer.waiting);
                self.lineage.forget(waiting.map(|one| &mut one.parent));
            }
            current.clear();
            for one in layer.waiting {
                current.push((self.lineage.add(one.parent, one.mv), one.position));
            }
        }
    }

    /// Makes all layers, and if that is not enough the beam, narrower.
    #[cold]
    fn narrow(
        &mut self,
        mut width: usize,
        layers: &mut BTreeMap<u32, Layer<G::Position, G::Move>>,
        held: &mut usize,
    ) -> usize {
        loop {
            let mut left = 0;
            for layer in layers.values_mut() {
                self.drop_if(layer.prune(width));
                left += layer.waiting.len();
            }
            *held = left;
            if *held <= self.room / 4 * 3 || width == 1 {
                self.narrowest = self.narrowest.min(width);
                return width;
            }
            width = (width / 4 * 3).max(1);
        }
    }

    /// The children of some positions, in their order.
    fn expand(
        &self,
        batch: &[(u32, G::Position)],
        number: u32,
        layers: &BTreeMap<u32, Layer<G::Position, G::Move>>,
    ) -> Vec<Children<G>> {
        let work = |chunk: &[(u32, G::Position)]| {
            let mut found = Vec::new();
            let mut moves = Vec::new();
            let mut line = Vec::new();
            for (step, position) in chunk {
                if self.look() {
                    break;
                }
                self.children(*step, position, number, layers, &mut moves, &mut line, &mut found);
            }
            found
        };
        match &self.pool {
            Some(pool) => pool.install(|| batch.par_chunks(CHUNK).map(work).collect()),
            None => batch.chunks(CHUNK).map(work).collect(),
        }
    }

    /// Looks at the limits.
    fn look(&self) -> bool {
        let over = self.record.stop.ask()
            || self.record.chance.load(Relaxed)
            || self.limits.time.is_some_and(|time| self.start.elapsed() >= time);
        if over {
            self.halted.store(true, Relaxed);
        }
        self.over()
    }

    fn children(
        &self,
        step: u32,
        position: &G::Position,
        number: u32,
        layers: &BTreeMap<u32, Layer<G::Position, G::Move>>,
        moves: &mut Vec<G::Move>,
        line: &mut Vec<G::Move>,
        found: &mut Children<G>,
    ) {
        let game = self.record.game;
        moves.clear();
        game.moves(position, moves);
        for &mv in moves.iter() {
            let visited = self.nodes.fetch_add(1, Relaxed);
            if self.limits.nodes.is_some_and(|limit| visited >= limit) {
                self.nodes.fetch_sub(1, Relaxed);
                self.halted.store(true, Relaxed);
                return;
            }
            let mut child = position.clone();
            game.play(&mut child, mv);
            match game.turn(&child) {
                Turn::Over => self.end(step, mv, game.score(&child, 0), line),
                Turn::Chance => self.record.chance.store(true, Relaxed),
                Turn::Player(_) => {
                    let next = if self.by_progress { game.progress(&child).unwrap_or(0) } else { 0 };
                    let next = next.max(number + 1);
                    let remainder = game.remainder(&child);
                    let rank = game.potential(&child, self.potential) + self.luck(remainder);
                    // a hopeless one need not be carried to its layer
                    if layers.get(&next).is_some_and(|layer| rank <= layer.cutoff) {
                        self.dropped.store(true, Relaxed);
                        continue;
                    }
                    let gained = game.gained(&child);
                    found.push((next, Waiting { rank, remainder, gained, parent: step, mv, position: child }));
                }
            }
        }
    }

    /// The random part of the rank of a position.
    fn luck(&self, remainder: u64) -> f64 {
        if self.noise == 0.0 {
            return 0.0;
        }
        let word = mix(mix(self.beam.seed, self.number), remainder);
        self.noise * (word >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A game that is over.
    fn end(&self, step: u32, mv: G::Move, score: Score, line: &mut Vec<G::Move>) {
        self.record.playouts.fetch_add(1, Relaxed);
        if self.record.top().is_none_or(|top| score > top) {
            self.lineage.line(step, line);
            line.push(mv);
            line.splice(0..0, self.prefix.iter().copied());
            self.record.offer(score, self.number, line);
        }
    }
}
