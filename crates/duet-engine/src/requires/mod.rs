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
mod recorded;
mod samples;
mod search;
mod suggested;
mod vocabulary;

use duet_analysis::{Aliasing, ArrayUses, Dominators, Loops, Uniformity, UniformityOptions};
use duet_ir::{Func, Language, Module, WellFormed};
use duet_smt::solver::SolverError;

pub use atom::{Atom, Quantity};
pub use recorded::Wanted;

use crate::Report;
use crate::check::{CheckOptions, KernelReport, Patience, Session, Verdict, check_kernel};
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

/// Work to see what is wrong with a kernel without the precondition that was found.
const LAST_LOOK: u64 = 20_000_000;
/// There is work enough left if so many proofs of the kind that was found would fit.
const LAST_LOOKS: u64 = 6;

/// Checks a kernel and, if it is not proved, looks for a precondition under which it is.
///
/// What takes little comes first: a check, then many preconditions at a glance. Only if
/// that finds nothing the kernel is checked at length, and then preconditions are. All
/// of it keeps to the limits that are given for a kernel.
///
/// # Errors
/// If a solver cannot be asked.
pub fn check_with_precondition(
    session: &mut Session,
    module: &WellFormed,
    kernel: Func,
    options: &CheckOptions,
) -> Result<Report, SolverError> {
    check_admitting(session, module, kernel, options, &Wanted::default())
}

/// The same; a precondition is only looked for among those that admit the launches.
///
/// # Errors
/// If a solver cannot be asked.
pub fn check_admitting(
    session: &mut Session,
    module: &WellFormed,
    kernel: Func,
    options: &CheckOptions,
    wanted: &Wanted,
) -> Result<Report, SolverError> {
    let options = &options.begun();
    let end = session.work() + options.work;
    let soon = CheckOptions {
        patience: Patience::Glance,
        verdict_only: true,
        refute: false,
        // Assumptions about overflow come later, all at once.
        strict: true,
        ..options.with_work(options.work / 4)
    };
    let mut report = check_kernel(session, module, kernel, &soon)?;
    if !is_open(&report) {
        return Ok(report.into());
    }
    if duet_interp::skips_assumptions(module, kernel) {
        return Ok(check_kernel(session, module, kernel, options)?.into());
    }
    let uniformity = uniformity(module, kernel, options);
    let subject =
        Subject::new(module, kernel, options.run_setting(), &uniformity).until(options.fence);
    let mut search = search::Search::new(session, &subject, options, end, wanted);
    let found = search.run(Patience::Glance)?;
    if let Some(found) = found {
        // What the kernel comes to without it is to be seen, if enough work is left.
        let left = search.work_left();
        if left > found.proof.work * LAST_LOOKS {
            let work = LAST_LOOK.min(left / 3);
            let last = CheckOptions { patience: Patience::Glance, ..options.with_work(work) };
            report = check_kernel(search.session(), module, kernel, &last)?;
        }
        return Ok(with(report, found));
    }
    let at_length = options.with_work(search.work_left() / 4);
    report = check_kernel(search.session(), module, kernel, &at_length)?;
    if is_open(&report)
        && let Some(found) = search.run(Patience::Little)?
    {
        return Ok(with(report, found));
    }
    Ok(report.into())
}

fn is_open(report: &KernelReport) -> bool {
    matches!(report.verdict, Verdict::Unproven | Verdict::Refuted)
}

/// The report with what was found.
fn with(report: KernelReport, found: Precondition) -> Report {
    let mut report = Report::from(report);
    if is_open(&report) {
        match found.atoms.is_empty() {
            // With all assumptions about overflow at once there was time enough.
            true => report = found.proof.into(),
            false => report.precondition = Some(Box::new(found)),
        }
    }
    report
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
