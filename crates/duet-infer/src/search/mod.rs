//! Loop invariants: which candidates hold.
//!
//! Candidates come from the user and from the rules of `duet-infer`. The kernel is
//! walked once, for one thread, with every loop cut and all candidates stated at the
//! headers ([`edges`]). Engines refute candidates ([`composition`] says which, and in
//! which order); they share one [`board`]. The last of them is [`houdini`], which alone
//! proves anything: what it leaves is inductive.
//!
//! An engine other than Houdini refutes only what is in no inductive set of
//! candidates, so it changes how long the search takes, not what it finds (test
//! `engines.rs` of the command line).
//!
//! # What was tried
//!
//! Processor time of the search (ours and the solver's), each form right after the other
//! in one process, over 165 kernels with candidates of a public collection:
//!
//! * A solver context for each edge with a selector for each candidate ([`selectors`]):
//!   21.7 s, against 28.9 s with each question by itself. The median kernel is faster by
//!   1.28; the worst takes twice as long, since other models are found. The same
//!   invariants are kept. The first form without a way back (a context is asked again
//!   although it was too hard, and is asked before the algebra) brought 1.19 in all.
//! * Over 65 of them, with selectors, in two runs: `H` 6.9 and 5.8 s; `DYN;H` 5.0 and 4.8 s
//!   (a kernel is faster by 1.04 in the median; the worst takes 2.8 times as long);
//!   `DYN||SBASE||H` 5.2 and 5.1 s (1.00 to 1.05; 2.4 times).
//! * The candidates that an earlier proof kept ([`crate::proof_cache`]), wall-clock, over
//!   26 of them: the search takes 2.8 s instead of 4.7 s, the median one less than half
//!   the time; the whole check 39.4 s instead of 42.4 s, in the median 1.2 times as fast.
//!
//! Wall-clock, over 50 kernels, without selectors:
//!
//! * Each claim of an edge by itself to the algebra before all together to a solver: 34.0 s
//!   of inference against 22.9 s in the same run.
//! * Stopping early: see `prove_plainly` of `duet-check`.

mod beside;
mod board;
mod composition;
mod dynamic;
mod edges;
mod evaluate;
mod function_wide;
mod houdini;
mod k_induction;
mod selectors;
mod split;
mod unroll;

use std::collections::{BTreeMap, HashSet};
use std::time::{Duration, Instant};

use duet_analysis::Loop;
use duet_ask::{AskOptions, Asker, SourceTerms};
use duet_ir::{AnnotationKind, InstData};
use duet_product::KernelFacts;
use duet_refute::Setting;
use duet_smt::TermId;
use duet_smt::solver::SolverError;
use duet_vc::{Candidate, Expr, Invariants, Source, Walker};

use crate::Selection;
use crate::rule_counts::by_rule;
use board::{Board, Number};
pub use composition::{Composition, Engine};
use edges::Edge;
pub use function_wide::holds_at_all_loops;

/// How loop invariants are looked for.
#[derive(Clone, Debug)]
pub struct InferOptions {
    /// Make up candidates; if not, only the user's count.
    pub guesses: bool,
    /// The rules that make them up.
    pub rules: Selection,
    /// Who sorts the candidates out.
    pub engines: Composition,
    /// Iterations of a loop that induction goes back.
    pub induction_depth: u32,
    /// Edges are asked about in solver contexts with a selector for each candidate.
    pub selectors: bool,
    /// How questions are asked by engines that work beside the first.
    pub ask: AskOptions,
    /// What the kernel is run for by the engine that runs it.
    pub setting: Setting,
}

/// What became of the candidates for loop invariants.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Inference {
    /// How many were dropped because no solver decided them within its share.
    pub undecided: usize,
    /// Rounds over all loops.
    pub rounds: usize,
    /// Those that hold.
    pub kept: Vec<Invariant>,
    /// What each engine did, in the order in which they were done.
    pub engines: Vec<EngineWork>,
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

/// A loop invariant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Invariant {
    /// The line of the loop.
    pub line: Option<u32>,
    /// The rule that made it up; none if the user wrote it.
    pub rule: Option<&'static str>,
    /// In the words of the source.
    pub text: String,
}

/// A search for loop invariants: those that are found are put into the walker.
pub struct Search<'w, 'f, 's> {
    walker: &'w mut Walker<'f>,
    asker: &'w mut Asker<'s>,
    options: &'w InferOptions,
    /// How it went.
    record: Inference,
    /// How many candidates each rule made.
    made: BTreeMap<&'static str, usize>,
    /// Invariants may not rest on what the source assumes.
    ignores_stated: bool,
}

/// What came of a search.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// How it went.
    pub inference: Inference,
    /// How many candidates each rule made.
    pub made: BTreeMap<&'static str, usize>,
}

impl<'w, 'f, 's> Search<'w, 'f, 's> {
    /// A search for the invariants that walks of the walker may assume.
    pub fn new(
        walker: &'w mut Walker<'f>,
        asker: &'w mut Asker<'s>,
        options: &'w InferOptions,
    ) -> Search<'w, 'f, 's> {
        let (record, made) = (Inference::default(), BTreeMap::new());
        Search { walker, asker, options, record, made, ignores_stated: false }
    }

    /// The same, but invariants may not rest on what the source assumes.
    pub fn ignoring_stated(self) -> Search<'w, 'f, 's> {
        Search { ignores_stated: true, ..self }
    }
}

impl Search<'_, '_, '_> {
    /// Finds the invariants of all loops.
    pub fn find(self) -> Result<Found, SolverError> {
        let mut all = Invariants::default();
        for (id, candidate) in candidates(self.walker.facts, self.options) {
            all.add(id, candidate);
        }
        self.find_among(all)
    }

    /// Finds those of these candidates that are invariants.
    pub fn find_among(mut self, all: Invariants) -> Result<Found, SolverError> {
        self.walker.invariants = all;
        self.made = by_rule(&self.walker.invariants);
        if !self.walker.invariants.is_empty() {
            self.run_stages()?;
        }
        Ok(Found { inference: self.inference(), made: self.made })
    }

    fn run_stages(&mut self) -> Result<(), SolverError> {
        let board = Board::new(&self.walker.facts.loops, &self.walker.invariants);
        let edges = match self.options.induction_depth {
            0 | 1 => {
                let walk = self.walker.walk_alone();
                self.edges(&walk, &walk.headers, &board)
            }
            depth => self.edges_by_k_induction(depth as usize, &board),
        };
        for number in edges.iter().flat_map(|edge| &edge.unclaimed) {
            board.refute(*number);
        }
        let mut proved = HashSet::new();
        for stage in self.options.engines.stages() {
            match stage[..] {
                [engine] => self.run_engine(engine, &board, &edges, &mut proved)?,
                _ => self.run_beside(stage, &board, &edges, &mut proved)?,
            }
        }
        Ok(())
    }

    fn run_engine(
        &mut self,
        engine: Engine,
        board: &Board,
        edges: &[Edge],
        proved: &mut HashSet<Vec<TermId>>,
    ) -> Result<(), SolverError> {
        let start = Instant::now();
        let refuted: Vec<Number> = match engine {
            Engine::Houdini => {
                let (live, refuted) = self.run_houdini(edges, board, proved)?;
                self.walker.invariants = board.invariants(&live);
                refuted
            }
            Engine::Base => self.run_edges(edges.iter().filter(|e| !e.is_back), board, proved)?,
            Engine::Step => self.run_edges(edges.iter().filter(|e| e.is_back), board, proved)?,
            Engine::Dynamic => match self.walker.in_range.is_empty() {
                true => dynamic::run(self.walker.facts, self.options, board),
                false => vec![],
            },
            Engine::Unroll(iterations) => self.run_unrolled(iterations, board)?,
        };
        self.record.engines.push(work(engine, start, refuted, board));
        Ok(())
    }

    /// What became of the candidates.
    fn inference(&self) -> Inference {
        let mut inference = self.record.clone();
        for (id, data) in self.walker.facts.loops.iter() {
            let insts = &self.walker.facts.func.blocks[data.header].insts;
            let line = insts.iter().find_map(|&inst| self.walker.facts.line_of(inst));
            let words = SourceTerms::new(self.walker.facts, id);
            for candidate in self.walker.invariants.of(id) {
                let rule = match candidate.source {
                    Source::Rule(rule) => Some(rule),
                    Source::User(_) => None,
                };
                let text = words.statement(&candidate.expr);
                inference.kept.push(Invariant { line, rule, text });
            }
        }
        inference
    }
}

/// What the user wrote at the heads of loops and for all of them, and what the rules
/// make up.
pub fn candidates(facts: &KernelFacts<'_>, options: &InferOptions) -> Vec<(Loop, Candidate)> {
    let mut found = vec![];
    for (id, data) in facts.loops.iter() {
        for &inst in &facts.func.blocks[data.header].insts {
            let InstData::Annotation { kind, args } = &facts.func.insts[inst] else { continue };
            if is_invariant(*kind) {
                let params = 0..facts.func.blocks[data.header].params.len();
                let params = params.map(Expr::Param).collect();
                let expr = Expr::InHeader { value: args[0], params };
                found.push((id, Candidate { source: Source::User(inst), expr }));
            }
        }
    }
    found.extend(function_wide::candidates(facts));
    if options.guesses {
        found.extend(crate::guess(facts, &options.rules));
    }
    found
}

/// What an engine did since `start`.
fn work(engine: Engine, start: Instant, refuted: Vec<Number>, board: &Board) -> EngineWork {
    EngineWork {
        name: engine.to_string(),
        took: start.elapsed(),
        refuted: refuted.into_iter().map(|number| board.name(number)).collect(),
    }
}

fn is_invariant(kind: AnnotationKind) -> bool {
    use AnnotationKind::*;
    matches!(kind, Invariant | GlobalInvariant | CandidateInvariant | CandidateGlobalInvariant)
}
