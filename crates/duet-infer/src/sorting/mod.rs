//! Sorting candidates out, in whatever encoding: which of them hold?
//!
//! An encoding states its candidates on the edges into loop heads ([`Edge`]): what is known
//! where an edge starts, what the candidates say that were assumed on the way, and what each
//! of them says at its end. Engines refute candidates ([`Composition`] says which, and in
//! which order); they share one [`Board`]. The last of them is [`houdini`], which alone proves
//! anything: what it leaves is inductive.
//!
//! An engine other than Houdini refutes only what is in no inductive set of candidates, so it
//! changes how long the search takes, not what it finds (test `engines.rs` of the command
//! line).

mod beside;
mod board;
mod composition;
mod dynamic;
mod edges;
mod evaluate;
mod houdini;
mod pending;
mod selectors;
mod split;

use std::collections::HashSet;
use std::time::{Duration, Instant};

use duet_ask::{AskOptions, Asker};
use duet_refute::Setting;
use duet_smt::solver::SolverError;
use duet_smt::{TermId, TermPool};

pub use board::{Board, Entry, Number};
pub use composition::{Composition, Engine};
pub use dynamic::{Judge, Runs, run};
pub use edges::Edge;
pub use evaluate::HeaderVisit;
pub use pending::Done;

/// How candidates are sorted out.
#[derive(Clone, Debug)]
pub struct SortOptions {
    /// Who does it.
    pub engines: Composition,
    /// Edges are asked about in solver contexts with a selector for each candidate.
    pub selectors: bool,
    /// How questions are asked by engines that work beside the first.
    pub ask: AskOptions,
    /// What the kernel is run for by the engine that runs it.
    pub setting: Setting,
}

/// What an engine that refutes candidates did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EngineWork {
    /// Its name, as options spell it.
    pub name: String,
    /// How long it worked.
    pub took: Duration,
    /// The candidates that it was the first to refute, by names that are the same on
    /// every run.
    pub refuted: Vec<String>,
}

/// What is sorted out.
pub struct Problem<'e> {
    /// The candidates, and which of them are refuted.
    pub board: &'e Board,
    /// The edges into loop heads.
    pub edges: &'e [Edge],
    /// Visits of heads in the first iterations of every loop, as far as an engine wants them.
    pub unrolled: &'e [Unrolled],
    /// Refutes the candidates that runs break, and returns them.
    pub run: &'e (dyn Fn() -> Vec<Number> + Sync),
}

/// The first iterations of every loop.
pub struct Unrolled {
    /// How many.
    pub iterations: u32,
    /// The visits of heads; none if there are too many.
    pub visits: Vec<Edge>,
    /// How long it took to make them.
    pub took: Duration,
}

impl<'e> Problem<'e> {
    /// The edges that an engine looks at, and how long it took to make them for it alone.
    fn edges_for(&self, engine: Engine) -> (Vec<&'e Edge>, Duration) {
        let edges = self.edges.iter();
        match engine {
            Engine::Houdini => (edges.collect(), Duration::ZERO),
            Engine::Base => (edges.filter(|edge| !edge.is_back).collect(), Duration::ZERO),
            Engine::Step => (edges.filter(|edge| edge.is_back).collect(), Duration::ZERO),
            Engine::Dynamic => (vec![], Duration::ZERO),
            Engine::Unroll(iterations) => {
                let found = self.unrolled.iter().find(|one| one.iterations == iterations);
                found
                    .map_or((vec![], Duration::ZERO), |one| (one.visits.iter().collect(), one.took))
            }
        }
    }
}

/// Sorts candidates out.
pub struct Sorter<'p, 'a, 's> {
    pool: &'p mut TermPool,
    asker: &'a mut Asker<'s>,
    options: &'p SortOptions,
    /// Conjunctions that have no model.
    proved: HashSet<Vec<TermId>>,
    /// How it went.
    record: Sorted,
}

/// What came of it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Sorted {
    /// Which candidates hold: a set, taken at one moment, that is inductive.
    pub live: Vec<bool>,
    /// How many were dropped because no solver decided them within its share.
    pub undecided: usize,
    /// Rounds over all loops.
    pub rounds: usize,
    /// What each engine did, in the order in which they were done.
    pub engines: Vec<EngineWork>,
}

impl<'p, 'a, 's> Sorter<'p, 'a, 's> {
    /// Nothing sorted out yet. The edges are about terms of the pool.
    pub fn new(
        pool: &'p mut TermPool,
        asker: &'a mut Asker<'s>,
        options: &'p SortOptions,
    ) -> Sorter<'p, 'a, 's> {
        Sorter { pool, asker, options, proved: HashSet::new(), record: Sorted::default() }
    }

    /// Runs all stages, of which the last has Houdini.
    pub fn sort_out(mut self, problem: &Problem<'_>) -> Result<Sorted, SolverError> {
        for number in problem.edges.iter().flat_map(|edge| &edge.unclaimed) {
            problem.board.refute(*number);
        }
        for stage in self.options.engines.stages() {
            match stage[..] {
                [engine] => self.run_engine(engine, problem)?,
                _ => self.run_beside(stage, problem)?,
            }
        }
        Ok(self.record)
    }

    fn run_engine(&mut self, engine: Engine, problem: &Problem<'_>) -> Result<(), SolverError> {
        let start = Instant::now();
        let board = problem.board;
        let (edges, made_in) = problem.edges_for(engine);
        let refuted: Vec<Number> = match engine {
            Engine::Houdini => {
                let (live, refuted) = self.run_houdini(problem.edges, board)?;
                self.record.live = live;
                refuted
            }
            Engine::Base | Engine::Step | Engine::Unroll(_) => self.run_edges(&edges, board)?,
            Engine::Dynamic => (problem.run)(),
        };
        self.record.engines.push(work(engine, start.elapsed() + made_in, refuted, board));
        Ok(())
    }
}

/// What an engine did.
fn work(engine: Engine, took: Duration, refuted: Vec<Number>, board: &Board) -> EngineWork {
    let refuted = refuted.into_iter().map(|number| board.name(number)).collect();
    EngineWork { name: engine.to_string(), took, refuted }
}
