//! The search of a question with a table.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use kibitz_game::{Budget, Limits};

use super::Provable;
use super::best_first::End;
use super::depth_first::{Busy, DepthFirst};
use super::numbers::Numbers;
use super::solve::{Refused, Searched, Solver, Work};
use super::watch::Whole;

impl Solver {
    pub(super) fn depth_first<G: Provable>(
        &self,
        work: &mut Work<'_, '_, '_, G>,
        epsilon: f64,
    ) -> Result<Searched, Refused> {
        let Some(table) = work.table else { return Err(self.no_memory()) };
        work.budget.add(1);
        if self.threads > 1 {
            return self.parting(work, epsilon);
        }
        let Work { question, position, path, budget, watch, .. } = work;
        let mut search = DepthFirst::new(question, self.leaf, epsilon, table, None);
        let look = |nodes, numbers| watch.look(nodes, &Whole::Table(table, numbers));
        let found = search.run(position, path, budget, look)?;
        watch.finish(budget.nodes, &Whole::Table(table, found.numbers))?;
        let leading = Some(found.choice);
        Ok(Searched { end: found.end, numbers: found.numbers, stored: 0, kept: Vec::new(), leading })
    }

    /// Several threads with one table. The first that solves the root ends the others.
    fn parting<G: Provable>(&self, work: &mut Work<'_, '_, '_, G>, epsilon: f64) -> Result<Searched, Refused> {
        let Some(table) = work.table else { return Err(self.no_memory()) };
        let Work { question, position, path, budget, watch, limits, stop, .. } = work;
        let (question, position) = (*question, *position);
        let begun = budget.nodes;
        let limits = Limits {
            nodes: limits.nodes.map(|nodes| nodes.saturating_sub(begun)),
            time: limits.time.map(|time| time.saturating_sub(budget.elapsed())),
            ..Limits::default()
        };
        let limits = limits.shared(self.threads);
        let (busy, done, nodes) = (Busy::new(), AtomicBool::new(false), AtomicU64::new(begun));
        let root = AtomicU64::new(1 << 32 | 1);
        let mut looked = Ok(());
        let found = std::thread::scope(|scope| {
            let workers: Vec<_> = (0..self.threads)
                .map(|_| {
                    let (mut path, stop) = (path.clone(), *stop);
                    let (busy, done, nodes, root, limits) = (&busy, &done, &nodes, &root, &limits);
                    scope.spawn(move || {
                        let mut budget = Budget::new(limits, stop).until(done);
                        let mut search = DepthFirst::new(question, self.leaf, epsilon, table, Some(busy));
                        let mut told = 0;
                        let found = search.run(position, &mut path, &mut budget, |counted, numbers| {
                            nodes.fetch_add(counted - told, Ordering::Relaxed);
                            told = counted;
                            let Numbers { proof, disproof } = numbers;
                            root.store(u64::from(proof) | u64::from(disproof) << 32, Ordering::Relaxed);
                            Ok(())
                        });
                        nodes.fetch_add(budget.nodes - told, Ordering::Relaxed);
                        if found.as_ref().is_ok_and(|found| found.end == End::Solved) {
                            done.store(true, Ordering::Relaxed);
                        }
                        found
                    })
                })
                .collect();
            while !workers.iter().all(std::thread::ScopedJoinHandle::is_finished) {
                std::thread::sleep(Duration::from_millis(2));
                let numbers = root.load(Ordering::Relaxed);
                let numbers = Numbers { proof: numbers as u32, disproof: (numbers >> 32) as u32 };
                if looked.is_ok() {
                    looked = watch.look(nodes.load(Ordering::Relaxed), &Whole::Table(table, numbers));
                }
                if looked.is_err() {
                    done.store(true, Ordering::Relaxed);
                }
            }
            let found = workers.into_iter().filter_map(|worker| worker.join().ok()?.ok());
            found.min_by_key(|found| found.end != End::Solved)
        });
        looked?;
        budget.add(nodes.load(Ordering::Relaxed) - begun);
        let (end, numbers, leading) = match found {
            Some(found) => (found.end, found.numbers, Some(found.choice)),
            None => (End::Budget, Numbers { proof: 1, disproof: 1 }, None),
        };
        if end != End::Solved {
            budget.end();
        }
        watch.finish(budget.nodes, &Whole::Table(table, numbers))?;
        Ok(Searched { end, numbers, stored: 0, kept: Vec::new(), leading })
    }
}
