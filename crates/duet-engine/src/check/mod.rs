//! `duet check`: races, divergence and assertions of a kernel, for every pair of
//! threads.
//!
//! For each kernel: loop invariants are inferred ([`invariants`]); then what must
//! hold of one thread alone ([`alone`]), that pairs stay together at barriers
//! ([`divergence`]), and that no two accesses race ([`races`]). Every question is a
//! conjunction that must be unsatisfiable; only `Unsat` proves anything.
//!
//! The result is plain data ([`KernelReport`]); [`describe_finding`] puts it into
//! the user's words.

mod alignment;
mod alone;
mod annotations;
mod assumptions;
mod bounds;
mod cases;
mod describe;
mod divergence;
mod invariants;
mod launch;
mod options;
mod pair;
mod races;
mod report;
mod rule_counts;
mod session;
mod source_terms;
mod tolerated;
mod trace;
mod witness;

use std::time::Instant;

use duet_ir::{Func, Inst, Module, Severity};
use duet_smt::solver::{Answer, SolverError};

pub use annotations::select_annotations;
pub use describe::{describe_finding, describe_launch, missing_restrict};
pub use duet_infer::{RULES, Selection};
pub use duet_smt::Prefer;
pub use duet_smt::solver::SolverKind;
pub use launch::{argument_values, array_sizes, global_size, launch_spec};
pub use options::{AnnotationFilter, AnnotationOptions, CheckOptions, SessionOptions, Shortcuts};
pub use report::{
    Finding, Inference, Invariant, KernelReport, Position, Property, PropertyReport,
    PropertyStatus, Scalar, Verdict, Why, Witness,
};
pub use rule_counts::{RuleCount, inference_rules};
pub use session::{Session, installed_solvers};
pub use trace::{Asked, kernel_conditions, kernel_loops, kernel_pairs};

use session::{Check, KernelFacts};

/// Checks one kernel.
pub fn check_kernel(
    session: &mut Session,
    module: &Module,
    kernel: Func,
    options: &CheckOptions,
) -> Result<KernelReport, SolverError> {
    let start = Instant::now();
    let before = session.decided();
    let solvers_before = session.in_solvers();
    let facts = KernelFacts::new(module, kernel, options);
    let mut assumptions = facts.assumptions(options);
    let mut check = Check::new(session, &facts, options);
    let inference = Instant::now();
    check.infer_invariants()?;
    let in_inference = inference.elapsed();
    let mut example = None;
    let mut vacuous = false;
    match check.satisfy_assumptions()? {
        Answer::Unsat => vacuous = true,
        Answer::Sat(model) => example = Some(check.witness(&model)),
        Answer::Unknown(reason) => {
            let why = Why::Solver(session::reason_in_words(reason).to_string());
            check.report_kernel("not-shown-satisfiable", why);
        }
    }
    if vacuous {
        check.report_kernel("vacuous", Why::Stated("nothing can be concluded".to_string()));
    } else {
        assumptions.extend(check.check_properties()?);
    }
    let kept = rule_counts::by_rule(&check.invariants);
    let rules = rule_counts::rule_counts(&check.candidates_made, &kept);
    let asked = std::mem::take(&mut check.trace.asked);
    let inference = check.inference();
    let mut findings = check.into_findings();
    findings.sort_by_cached_key(|finding| order_of(&facts, finding));
    Ok(KernelReport {
        name: module.functions[kernel].name.clone(),
        launch: options.launch.clone(),
        verdict: verdict(vacuous, &findings),
        properties: report::property_reports(&findings, &left_out(options)),
        assumptions,
        findings,
        example,
        decided: difference(session.decided(), &before),
        loops: facts.loops.iter().count(),
        inference,
        took: start.elapsed(),
        in_solvers: session.in_solvers().saturating_sub(solvers_before),
        in_inference,
        asked,
        rules,
    })
}

impl Check<'_, '_, '_> {
    /// Every property that the options ask for; returns what was not checked.
    fn check_properties(&mut self) -> Result<Option<String>, SolverError> {
        self.about([]);
        self.reject_unmodelled();
        self.reject_annotations();
        let not_checked = self.check_user_invariants();
        self.check_alone()?;
        self.check_alignment()?;
        if self.options.check_bounds {
            self.check_bounds()?;
        }
        self.check_divergence()?;
        if !self.options.only_divergence {
            self.check_races()?;
        }
        let lines: Vec<String> = not_checked.iter().map(u32::to_string).collect();
        Ok((!lines.is_empty()).then(|| {
            format!(
                "nothing rests on the invariants about logged accesses (line {}), which were not checked",
                lines.join(", ")
            )
        }))
    }
}

/// Findings are listed by their places, those about the whole kernel first.
fn order_of(facts: &KernelFacts<'_>, finding: &Finding) -> impl Ord + use<> {
    let place = |inst: Option<Inst>| {
        let loc = facts.func.inst_locs[inst?];
        duet_frontend::source_span(facts.module, loc)
    };
    (place(finding.primary), place(finding.secondary), finding.rule)
}

/// SOUNDNESS: proved only if there is no finding but warnings.
fn verdict(vacuous: bool, findings: &[Finding]) -> Verdict {
    let clean = findings.iter().all(|finding| finding.severity == Severity::Warning);
    match (vacuous, clean) {
        (true, _) => Verdict::Vacuous,
        (false, true) => Verdict::Proved,
        (false, false) => Verdict::Unproven,
    }
}

/// The properties that the options leave out.
fn left_out(options: &CheckOptions) -> Vec<Property> {
    let mut list = vec![];
    if options.only_divergence {
        list.push(Property::RaceFree);
    }
    if !options.check_bounds {
        list.push(Property::InBounds);
    }
    list
}

/// The counts that were added.
fn difference(
    after: Vec<(&'static str, u64)>,
    before: &[(&'static str, u64)],
) -> Vec<(&'static str, u64)> {
    let old = |word| before.iter().find(|(known, _)| *known == word).map_or(0, |(_, count)| *count);
    after
        .into_iter()
        .map(|(word, count)| (word, count - old(word)))
        .filter(|(_, count)| *count > 0)
        .collect()
}
