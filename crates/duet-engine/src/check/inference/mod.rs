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
//! * The candidates that an earlier proof kept ([`super::proof_cache`]), wall-clock, over
//!   26 of them: the search takes 2.8 s instead of 4.7 s, the median one less than half
//!   the time; the whole check 39.4 s instead of 42.4 s, in the median 1.2 times as fast.
//!
//! Wall-clock, over 50 kernels, without selectors:
//!
//! * Each claim of an edge by itself to the algebra before all together to a solver: 34.0 s
//!   of inference against 22.9 s in the same run.
//! * Stopping early: see `prove_plainly` in [`super`].

mod beside;
mod board;
mod composition;
mod dynamic;
mod edges;
mod evaluate;
mod function_wide;
mod houdini;
mod rounds;
mod selectors;
mod split;
mod unroll;

use std::collections::HashSet;
use std::time::Instant;

use duet_analysis::Loop;
use duet_ir::{AnnotationKind, InstData};
use duet_smt::TermId;
use duet_smt::solver::SolverError;
use duet_vc::{Candidate, Encoder, Expr, Invariants, Sharing, Source, Start, Walk};

use super::options::CheckOptions;
use super::report::{EngineWork, Inference, Invariant};
use super::rule_counts::by_rule;
use super::session::{Check, KernelFacts};
use super::source_terms::SourceTerms;
use board::{Board, Number};
pub use composition::{Composition, Engine};
use edges::Edge;

impl Check<'_, '_, '_> {
    /// Finds the invariants of all loops.
    pub fn infer_invariants(&mut self) -> Result<(), SolverError> {
        let mut all = Invariants::default();
        for (id, candidate) in candidates(self.facts, self.options) {
            all.add(id, candidate);
        }
        self.infer_among(all)
    }

    /// Finds those of these candidates that are invariants.
    pub(super) fn infer_among(&mut self, all: Invariants) -> Result<(), SolverError> {
        self.invariants = all;
        self.candidates_made = by_rule(&self.invariants);
        if self.invariants.is_empty() {
            return Ok(());
        }
        let board = Board::new(&self.facts.loops, &self.invariants);
        let edges = match self.options.induction_depth {
            0 | 1 => {
                let walk = self.walk_alone();
                self.edges(&walk, &walk.headers, &board)
            }
            depth => self.edges_of_rounds(depth as usize, &board),
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
                self.invariants = board.invariants(&live);
                refuted
            }
            Engine::Base => self.run_edges(edges.iter().filter(|e| !e.is_back), board, proved)?,
            Engine::Step => self.run_edges(edges.iter().filter(|e| e.is_back), board, proved)?,
            Engine::Dynamic => match self.in_range.is_empty() {
                true => dynamic::run(self.facts, self.options, board),
                false => vec![],
            },
            Engine::Unroll(rounds) => self.run_unrolled(rounds, board)?,
        };
        self.search.engines.push(work(engine, start, refuted, board));
        Ok(())
    }

    /// What became of the candidates.
    pub fn inference(&self) -> Inference {
        let mut inference = self.search.clone();
        for (id, data) in self.facts.loops.iter() {
            let insts = &self.facts.func.blocks[data.header].insts;
            let line = insts.iter().find_map(|&inst| self.facts.line_of(inst));
            let words = SourceTerms::new(self.facts, id);
            for candidate in self.invariants.of(id) {
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

    /// One thread by itself, through the whole kernel.
    pub(super) fn walk_alone(&mut self) -> Walk {
        let thread = self.geometry.thread(&mut self.pool, "", None);
        self.walk_thread(&thread)
    }

    /// The same for a thread with a name.
    pub(super) fn walk_thread(&mut self, thread: &duet_vc::ThreadTerms) -> Walk {
        // Whoever walks sees the same contents of what nobody writes.
        let uses = &self.facts.uses;
        let contents = &|array| uses.is_never_written(array);
        let sharing = Sharing { value: &|_| false, visit: &|_| false, contents, tag: "alone" };
        Encoder::walk(
            Self::kernel(self.facts, self.options, &self.geometry, &self.in_range),
            &mut self.pool,
            thread,
            &self.facts.program.alone,
            &sharing,
            &self.invariants,
            Start { before: None },
        )
    }

    /// What is known of one thread from the start.
    pub(super) fn facts_alone(&mut self) -> Vec<TermId> {
        let thread = self.geometry.thread(&mut self.pool, "", None);
        let mut facts = self.geometry.facts.clone();
        facts.extend(thread.facts);
        facts
    }
}

/// What the user wrote at the heads of loops and for all of them, and what the rules
/// make up.
pub(super) fn candidates(
    facts: &KernelFacts<'_>,
    options: &CheckOptions,
) -> Vec<(Loop, Candidate)> {
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
    if options.infer {
        let kernel = duet_infer::Kernel {
            func: facts.func,
            loops: &facts.loops,
            homes: &facts.homes,
            forms: &facts.forms,
            ranges: &facts.ranges,
        };
        found.extend(duet_infer::guess(&kernel, &options.rules));
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
