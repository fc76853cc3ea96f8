//! What was asked and who answered, kept for those who want to read it: `--explain`,
//! and the conditions of a kernel as text.

use std::collections::BTreeMap;
use std::time::Duration;

use duet_analysis::{Dominators, Loops};
use duet_ir::{Block, Func, Inst, Module, WellFormed};
use duet_smt::solver::{Answer, Reason, SolverError};
use duet_smt::{DecidedBy, Decision, Encoding, TermId};

use super::options::CheckOptions;
use super::report::Inference;
use super::report::Obstacle;
use super::session::{Check, KernelFacts, Session};

/// A question about a kernel: a conjunction that must have no model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Asked {
    /// What it is about (`a race`, `barrier divergence`).
    pub about: String,
    /// The instructions it is about: none, one, or the two accesses.
    pub places: Vec<Inst>,
    /// `unsat` (it is so), `sat` or `unknown`.
    pub answer: &'static str,
    /// Who answered: `simplifier`, `algebra`, `z3 5.4.0 on bit-vectors`, `nobody`.
    pub by: String,
    /// The steps of the algebra, if it did.
    pub proof: Option<String>,
    /// The question as SMT-LIB, if that was wanted.
    pub script: Option<String>,
    /// Time spent.
    pub took: Duration,
}

/// What is kept of the questions.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Trace {
    /// Is anything kept?
    pub is_wanted: bool,
    /// Questions are written down instead of being asked. Nothing is proved then.
    pub only_written: bool,
    /// The places that the next questions are about.
    pub places: Vec<Inst>,
    /// What was asked so far.
    pub asked: Vec<Asked>,
    /// What stood in the way of the last proof, for the finding about it.
    pub obstacles: Vec<Obstacle>,
    /// What the state that broke it reads, by array and index.
    pub read: Vec<(String, BTreeMap<u64, u128>)>,
}

/// The questions that decide about a kernel, each as SMT-LIB, without asking them.
/// Loop invariants are searched for, with the solver, as they are part of them.
pub fn kernel_conditions(
    session: &mut Session,
    module: &WellFormed,
    kernel: Func,
    options: &CheckOptions,
) -> Result<Vec<Asked>, SolverError> {
    let facts = KernelFacts::new(module, kernel, options);
    let mut check = Check::new(session, &facts, options, duet_vc::InRange::new());
    check.infer_invariants()?;
    check.trace = Trace { only_written: true, ..Trace::default() };
    check.check_properties()?;
    Ok(std::mem::take(&mut check.trace.asked))
}

/// The search for a kernel's loop invariants, without the check that they are for.
pub fn kernel_invariants(
    session: &mut Session,
    module: &WellFormed,
    kernel: Func,
    options: &CheckOptions,
) -> Result<Inference, SolverError> {
    let facts = KernelFacts::new(module, kernel, options);
    let mut check = Check::new(session, &facts, options, duet_vc::InRange::new());
    check.infer_invariants()?;
    Ok(check.inference())
}

/// The pairs of threads that a kernel is checked by, as text.
pub fn kernel_pairs(module: &WellFormed, kernel: Func, options: &CheckOptions) -> String {
    let facts = KernelFacts::new(module, kernel, options);
    facts.program.to_text(facts.func)
}

/// The loops of a kernel: the line of each header, where it is known.
pub fn kernel_loops(module: &Module, kernel: Func) -> Vec<Option<u32>> {
    let func = &module.functions[kernel];
    let loops = Loops::new(func, &Dominators::new(func));
    let line = |block: Block| {
        let insts = func.blocks[block].insts.iter();
        insts.filter_map(|inst| module.span_of_inst(func, *inst)).map(|span| span.line).next()
    };
    loops.iter().map(|(_, data)| line(data.header)).collect()
}

impl Check<'_, '_, '_> {
    /// The next questions are about these instructions.
    pub(super) fn about(&mut self, places: impl IntoIterator<Item = Inst>) {
        self.trace.places = places.into_iter().collect();
    }

    /// Keeps what was asked and answered, if wanted.
    pub(super) fn keep(&mut self, about: &str, decision: &Decision) {
        if !self.trace.is_wanted {
            return;
        }
        let (by, proof) = match &decision.by {
            DecidedBy::Algebra(refutation) => {
                ("algebra".to_string(), Some(refutation.explain(&self.pool)))
            }
            DecidedBy::Solver(Encoding::Bits, solver) => (format!("{solver} on bit-vectors"), None),
            DecidedBy::Solver(Encoding::Integers, solver) => {
                (format!("{solver} on integers"), None)
            }
            other => (other.word().to_string(), None),
        };
        self.trace.asked.push(Asked {
            about: about.to_string(),
            places: self.trace.places.clone(),
            answer: decision.answer.word(),
            by,
            proof,
            script: None,
            took: decision.took,
        });
    }

    /// Writes a question down instead of asking it.
    pub(super) fn write_down(&mut self, literals: &[TermId], about: &str) -> Decision {
        let script = duet_smt::text::write_script(&self.pool, literals, about);
        self.trace.asked.push(Asked {
            about: about.to_string(),
            places: self.trace.places.clone(),
            answer: "unknown",
            by: DecidedBy::Nobody.word().to_string(),
            proof: None,
            script: Some(script),
            took: Duration::ZERO,
        });
        Decision {
            // SOUNDNESS: what was not asked is not known, so nothing rests on it.
            answer: Answer::Unknown(Reason::Cancelled),
            by: DecidedBy::Nobody,
            took: Duration::ZERO,
            may_wrap: vec![],
        }
    }
}
