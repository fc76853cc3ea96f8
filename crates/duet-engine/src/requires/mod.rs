//! Preconditions that make a kernel proved: `duet check --infer-requires`.
//!
//! Input: a kernel that is not proved. Output: a short conjunction of statements about
//! launch sizes and arguments under which it is, found from examples. Runs of small
//! launches and models of failed proofs tell which launches must be excluded
//! ([`samples`]); of the conjunctions that exclude them all, the cheapest ([`vocabulary`],
//! in the order a person would want) is checked like any kernel with an annotation
//! ([`apply`]); what the check finds is a further example. The search stops at the first
//! proof.
//!
//! It is sound because nothing counts but that last check; examples only choose what
//! to try. A precondition is kept only if a run of a launch that it admits was
//! executed without a finding. Attempts are counted, and there is a wall fence.

mod apply;
mod atom;
mod fixed;
mod samples;
mod search;
mod vocabulary;

use duet_analysis::{Aliasing, ArrayUses, Dominators, Loops, Uniformity, UniformityOptions};
use duet_ir::{Func, Language, Module};
use duet_smt::solver::SolverError;

pub use atom::{Atom, Quantity};
pub use fixed::forget_fixed_sizes;

use crate::check::{CheckOptions, KernelReport, Session, Verdict};
use crate::refute::{Run, Subject};

/// A precondition under which a kernel is proved.
#[derive(Clone, Debug)]
pub struct Precondition {
    /// All of them hold.
    pub atoms: Vec<Atom>,
    /// As expressions of the source language.
    pub texts: Vec<String>,
    /// No launch of several blocks was run under it.
    pub one_block_only: bool,
    /// A run under it, without a finding.
    pub run: Run,
    /// The proof.
    pub proof: KernelReport,
    /// Checks that were made.
    pub attempts: usize,
}

impl Precondition {
    /// Lines to paste at the kernel's start.
    pub fn annotations(&self) -> Vec<String> {
        self.texts.iter().map(|text| format!("__requires({text});")).collect()
    }

    /// Does it fix a size or an argument to a number other than 1?
    pub fn fixes_a_size(&self) -> bool {
        self.atoms
            .iter()
            .any(|atom| matches!(atom, Atom::Equal(_, Quantity::Number(number)) if *number != 1))
    }

    /// `gridDim.y == 1 && n == blockDim.x`.
    pub fn text(&self) -> String {
        self.texts.join(" && ")
    }
}

/// Adds to the report of a kernel that is not proved a precondition under which it is,
/// if one can be found.
pub fn add_precondition(
    session: &mut Session,
    module: &Module,
    kernel: Func,
    options: &CheckOptions,
    report: &mut KernelReport,
) -> Result<(), SolverError> {
    if matches!(report.verdict, Verdict::Unproven | Verdict::Refuted) {
        match infer_requires(session, module, kernel, options)? {
            // With all assumptions about overflow at once there was time enough.
            Some(found) if found.atoms.is_empty() => *report = found.proof,
            found => report.precondition = found.map(Box::new),
        }
    }
    Ok(())
}

/// Looks for a precondition under which the kernel is proved; it may be empty.
fn infer_requires(
    session: &mut Session,
    module: &Module,
    kernel: Func,
    options: &CheckOptions,
) -> Result<Option<Precondition>, SolverError> {
    if duet_interp::skips_assumptions(module, kernel) {
        return Ok(None);
    }
    let uniformity = uniformity(module, kernel, options);
    let subject = Subject::new(module, kernel, options, &uniformity);
    search::Search::new(session, &subject).run()
}

fn uniformity(module: &Module, kernel: Func, options: &CheckOptions) -> Uniformity {
    let func = &module.functions[kernel];
    let dominators = Dominators::new(func);
    let loops = Loops::new(func, &dominators);
    let aliasing = if options.may_alias { Aliasing::MayAlias } else { Aliasing::Distinct };
    let uses = ArrayUses::new(module, kernel, aliasing);
    Uniformity::new(module, func, &loops, &uses, UniformityOptions::default())
}

fn texts(atoms: &[Atom], func: &duet_ir::Function, language: Language) -> Vec<String> {
    atoms.iter().map(|atom| atom.text(func, language)).collect()
}
