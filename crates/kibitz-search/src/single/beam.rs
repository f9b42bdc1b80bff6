//! Beam search: layer by layer, only the most promising positions of each are expanded.

mod layer;
mod pass;

use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use kibitz_game::{Limits, Random, Report};

use super::effort::{Effort, Teller};
use super::first_report;
use super::record::Record;
use super::team::{Searches, conclude, run};
use crate::{Context, NotSupported, Searchable};
use pass::Pass;

/// What positions of one layer have in common.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Layers {
    /// The number of moves so far.
    Moves,
    /// The progress of the game, such as the blocks that are gone; moves where the game does not know it.
    #[default]
    Progress,
}

/// Beam search (B. Lowerre, *The Harpy Speech Recognition System*, 1976) for the best score of a puzzle: of each layer the `width` positions with
/// the highest potential are expanded. Of positions from which the game goes on in the same way only the best is kept.
#[derive(Clone, Debug, PartialEq)]
pub struct BeamSearch {
    /// How many positions of a layer are expanded; none for twice as many in each pass until the limits are reached.
    pub width: Option<usize>,
    /// The width of the first pass, where each has twice as many or those after it refine a line.
    pub first_width: usize,
    /// The potential of the game by which positions are ordered; none for its first.
    pub potential: Option<String>,
    /// What makes a layer.
    pub layers: Layers,
    /// At most so many children of one position are expanded; 0 for all.
    pub per_parent: u32,
    /// A random number up to this, in units of the result, is added to each potential, another one in each pass.
    pub noise: f64,
    /// After the first pass of a `width` the next ones begin at random positions of the best line known, until the limits are reached.
    pub refine: bool,
    /// The memory for positions, in megabytes; the beam is made narrower where it does not fit.
    pub memory_mb: usize,
    /// The seed.
    pub seed: u64,
    /// How many threads expand positions.
    pub threads: usize,
}

impl Default for BeamSearch {
    fn default() -> Self {
        Self {
            width: None,
            first_width: 64,
            potential: None,
            layers: Layers::Progress,
            per_parent: 0,
            noise: 0.0,
            refine: false,
            memory_mb: 1024,
            seed: 0,
            threads: 1,
        }
    }
}

const NAME: &str = "BeamSearch";

/// The width of passes that refine a line, where none is given.
const REFINING: usize = 300;

/// Without a limit the beam becomes no wider than this.
const WIDEST: usize = 1 << 10;

impl BeamSearch {
    /// Searches with one width or, until the limits are reached, with greater and greater ones.
    pub fn search<G: Searchable>(
        &self,
        game: &G,
        position: &G::Position,
        context: &mut Context<'_, G::Move>,
    ) -> Result<Report<G::Move>, NotSupported> {
        let potential = self.potential_of(game)?;
        if self.refine && *context.limits != Limits::default() {
            self.refined(game, position, potential, context)
        } else {
            self.widened(game, position, potential, context)
        }
    }

    /// One pass after the other, each from the beginning, in which all threads work together.
    fn widened<G: Searchable>(
        &self,
        game: &G,
        position: &G::Position,
        potential: usize,
        context: &mut Context<'_, G::Move>,
    ) -> Result<Report<G::Move>, NotSupported> {
        let mut report = first_report(NAME, game, position)?;
        if report.proven {
            return Ok(report);
        }
        let limits = context.limits;
        let record = Record::new(game, position, context.stop);
        let mut teller = Teller::new(context.progress);
        let pool = if self.threads > 1 {
            rayon::ThreadPoolBuilder::new().num_threads(self.threads).build().ok()
        } else {
            None
        };
        let mut pass = Pass::new(self, &record, potential, pool, self.memory_mb);
        pass.limit(limits, teller.start);
        let mut width = self.width.unwrap_or(self.first_width).max(1);
        for number in 0.. {
            let began = teller.start.elapsed();
            pass.run(number, width, &[], &mut |nodes| {
                record.nodes.fetch_add(nodes, Relaxed);
                teller.look(&record);
            });
            let ended = teller.start.elapsed();
            let widest = *limits == Limits::default() && width >= WIDEST;
            if pass.over() || pass.complete() || self.width.is_some() || widest {
                break;
            }
            width = next_width(width, ended.saturating_sub(began), limits.time.map(|time| time.saturating_sub(ended)));
        }
        report.stats = pass.stats();
        report.stats.insert(0, ("games", record.playouts.load(Relaxed) as f64));
        teller.look(&record);
        conclude(NAME, &record, teller, pass.complete(), &mut report)?;
        Ok(report)
    }

    /// Passes from random positions of the best line known so far, each on a thread of its own. On each thread the first ones begin at the beginning.
    fn refined<G: Searchable>(
        &self,
        game: &G,
        position: &G::Position,
        potential: usize,
        context: &mut Context<'_, G::Move>,
    ) -> Result<Report<G::Move>, NotSupported> {
        let memory_mb = (self.memory_mb / self.threads.max(1)).max(1);
        let width = self.width.unwrap_or(REFINING).max(1);
        let narrow = if self.first_width < width { self.threads as u64 } else { 0 };
        let search = |number: u64, effort: &mut Effort<'_, '_, G>, passes: &mut u64| {
            let record = effort.record;
            let mut random = Random::stream(self.seed, number);
            let mut prefix: Vec<G::Move> = Vec::new();
            // a narrow pass first, so that a short search knows some game, and then one of the whole width
            let width = if number < narrow { self.first_width.max(1) } else { width };
            if number >= narrow + self.threads as u64 {
                record.with(|found| prefix.extend_from_slice(&found.line[..random.below(found.line.len())]));
            }
            let mut pass = Pass::new(self, record, potential, None, memory_mb);
            pass.limit(&effort.limits, Instant::now());
            pass.run(number, width, &prefix, &mut |nodes| {
                effort.budget.add(nodes);
                effort.tell();
            });
            *passes += 1;
        };
        let (mut report, tallies, _) = run(NAME, game, position, context, self.threads, Searches::UntilLimit, search)?;
        // what came to its end here was no playout
        report.stats[0].0 = "games";
        report.stats.extend([("passes", tallies.iter().sum::<u64>() as f64), ("width", width as f64)]);
        Ok(report)
    }

    /// The number of the potential in a game.
    fn potential_of<G: Searchable>(&self, game: &G) -> Result<usize, NotSupported> {
        let known = game.potentials();
        let Some(name) = &self.potential else { return Ok(0) };
        known.iter().position(|known| known == name).ok_or_else(|| {
            let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
            NotSupported(format!("this game has no potential {name:?}; it has {known}"))
        })
    }
}

/// Twice the width or, where only one more pass fits into the time that is left, what fits.
fn next_width(width: usize, took: Duration, left: Option<Duration>) -> usize {
    let Some(left) = left else { return 2 * width };
    // a little slower than in proportion, as more of it is outside of the cache
    let fitting = width as f64 * 0.85 * left.as_secs_f64() / took.as_secs_f64().max(1e-6);
    if fitting > 6.0 * width as f64 { 2 * width } else { (fitting as usize).clamp(width.min(64), 8 * width) }
}
