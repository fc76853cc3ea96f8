//! Loop invariants: which candidates hold.
//!
//! Candidates come from the user and from the rules of `duet-infer`. The kernel is
//! walked once, for one thread, with every loop cut and all candidates stated at the
//! headers ([`edges`]). [`crate::sorting`] finds out which hold.
//!
//! # What was tried
//!
//! Processor time of the search (ours and the solver's), each form right after the other
//! in one process, over 165 kernels with candidates of a public collection:
//!
//! * A solver context for each edge with a selector for each candidate:
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

mod edges;
mod function_wide;
mod k_induction;
mod numbered;
mod unroll;

use std::collections::BTreeMap;
use std::time::Instant;

use duet_analysis::Loop;
use duet_ask::{AskOptions, Asker, SourceTerms};
use duet_ir::{AnnotationKind, InstData};
use duet_product::KernelFacts;
use duet_refute::Setting;
use duet_smt::solver::SolverError;
use duet_vc::{Candidate, Expr, Invariants, Source, Walker};

use crate::Selection;
use crate::rule_counts::by_rule;
use crate::sorting::run as run_kernel;
use crate::sorting::{
    Composition, Engine, EngineWork, Problem, Runs, SortOptions, Sorter, Unrolled,
};
pub use function_wide::holds_at_all_loops;
use numbered::Numbered;

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
        let all = Numbered::new(&self.walker.facts.loops, &self.walker.invariants);
        let board = all.board();
        let edges = match self.options.induction_depth {
            0 | 1 => {
                let walk = self.walker.walk_alone();
                self.edges(&walk, &walk.headers, &all)
            }
            depth => self.edges_by_k_induction(depth as usize, &all),
        };
        let unrolled = self.all_unrolled(&all);
        let options = SortOptions {
            engines: self.options.engines.clone(),
            selectors: self.options.selectors,
            ask: self.options.ask.clone(),
            setting: self.options.setting.clone(),
        };
        // Under an assumption about arithmetic nothing is run: a run may break it.
        let (facts, may_run) = (self.walker.facts, self.walker.in_range.is_empty());
        let setting = &self.options.setting;
        let run = || match may_run {
            true => run_kernel(&Runs { facts, setting, board: &board, judge: &all }),
            false => vec![],
        };
        let problem = Problem { board: &board, edges: &edges, unrolled: &unrolled, run: &run };
        let sorter = Sorter::new(&mut self.walker.pool, self.asker, &options);
        let sorted = sorter.sort_out(&problem)?;
        self.walker.invariants = all.invariants(&sorted.live);
        self.record.undecided = sorted.undecided;
        self.record.rounds = sorted.rounds;
        self.record.engines = sorted.engines;
        Ok(())
    }

    /// The first iterations, where an engine wants them.
    fn all_unrolled(&mut self, all: &Numbered) -> Vec<Unrolled> {
        let mut found = vec![];
        for engine in self.options.engines.stages().iter().flatten() {
            if let Engine::Unroll(iterations) = *engine {
                let start = Instant::now();
                let visits = self.unrolled(iterations, all).unwrap_or_default();
                found.push(Unrolled { iterations, visits, took: start.elapsed() });
            }
        }
        found
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

fn is_invariant(kind: AnnotationKind) -> bool {
    use AnnotationKind::*;
    matches!(kind, Invariant | GlobalInvariant | CandidateInvariant | CandidateGlobalInvariant)
}
