//! `duet check`: races, divergence and assertions of a kernel, for every pair of
//! threads.
//!
//! For each kernel: loop invariants are inferred ([`inference`]); then what must
//! hold of one thread alone ([`alone`]), that pairs stay together at barriers
//! ([`divergence`]), and that no two accesses race ([`races`]). Every question is a
//! conjunction that must be unsatisfiable; only `Unsat` proves anything.
//!
//! The result is plain data ([`KernelReport`]); [`describe_finding`] puts it into
//! the user's words.

mod about_others;
mod alignment;
mod all_threads;
mod alone;
mod annotations;
mod assumptions;
mod bounds;
mod cases;
mod copies;
mod counters;
mod describe;
mod describe_obstacles;
mod describe_run;
mod divergence;
mod effort;
mod exits;
mod guess;
mod inference;
mod launch;
mod lockstep;
mod masks;
mod obstacles;
mod options;
mod overflow;
mod pair;
mod proof_cache;
mod races;
mod report;
mod rule_counts;
mod session;
mod single_writer;
mod source_terms;
mod tolerated;
mod trace;
mod two_threads;
mod vacuity;
mod witness;

use std::time::Instant;

use duet_ir::{Func, Inst, Module, Severity};
use duet_smt::solver::Answer;
use duet_vc::{InRange, Invariants};

pub use annotations::select_annotations;
pub use describe::{array_name, describe_finding, describe_launch, missing_restrict};
pub use duet_infer::{RULES, Selection};
pub use duet_smt::Prefer;
pub use duet_smt::solver::{SolverError, SolverKind};
pub use guess::Likely;
pub use inference::{Composition, Engine};
pub use launch::{argument_values, array_sizes, global_size, launch_spec};
pub use options::{
    AnnotationFilter, AnnotationOptions, CheckOptions, Patience, SessionOptions, Shortcuts,
};
pub use report::{
    EngineWork, Finding, Inference, Invariant, KernelReport, Obstacle, Position, Property,
    PropertyReport, PropertyStatus, Scalar, Variable, Verdict, Why, Witness,
};
pub use rule_counts::{RuleCount, inference_rules};
pub use session::{Session, installed_solvers};
pub use trace::{Asked, kernel_conditions, kernel_invariants, kernel_loops, kernel_pairs};

use crate::bounded;
use crate::refute::Subject;
use crate::refuting;
use overflow::Accepted;
use session::Check;
pub(crate) use session::KernelFacts;

/// Checks one kernel: exactly; then by runs that show what is not proved; then,
/// unless that is refused, assuming that signed arithmetic does not overflow at
/// certain lines.
pub fn check_kernel(
    session: &mut Session,
    module: &Module,
    kernel: Func,
    options: &CheckOptions,
) -> Result<KernelReport, SolverError> {
    if !options.shortcuts.elements {
        let by_bytes = by_bytes(module);
        let shortcuts = Shortcuts { elements: true, ..options.shortcuts };
        let options = CheckOptions { shortcuts, ..options.clone() };
        return check_kernel(session, &by_bytes, kernel, &options);
    }
    if let Some(passes) = options.unwind {
        return bounded::check_passes(session, module, kernel, options, passes);
    }
    let start = Instant::now();
    let before = session.decided();
    let solvers_before = session.in_solvers();
    let mut facts = KernelFacts::new(module, kernel, options);
    let soon = prove_soon(session, &facts, options)?;
    let mut report = match &soon {
        Accepted::Proof(proved) => (**proved).clone(),
        Accepted::NotMet(_) | Accepted::Nothing => {
            let options = options.with_time_since(start);
            check_under(session, &facts, &options, InRange::new(), None)?
        }
    };
    let left = options.with_time_since(start);
    if let Some(proved) = single_writer::prove(session, &mut facts, &left, &report)? {
        report = proved;
    }
    proof_cache::keep(&facts, options, &report);
    if options.refute && report.verdict == Verdict::Unproven {
        let subject = Subject::new(module, kernel, options.run_setting(), &facts.uniformity);
        look_for_runs(&facts, &subject, options, &mut report);
    }
    let later = match (report.verdict, soon) {
        // It would be the same again.
        (Verdict::Unproven, Accepted::NotMet(assumed)) => Accepted::NotMet(assumed),
        _ => overflow::prove(session, &facts, &options.with_time_since(start), &report)?,
    };
    match later {
        Accepted::Proof(proved) => report = *proved,
        Accepted::NotMet(assumed) => {
            let obstacle = Obstacle::NotMet { assumed };
            let open = report.findings.iter_mut().filter(|one| one.severity == Severity::Error);
            open.for_each(|finding| finding.obstacles.push(obstacle.clone()));
        }
        Accepted::Nothing => {}
    }
    report.decided = difference(session.decided(), &before);
    report.took = start.elapsed();
    report.in_solvers = session.in_solvers().saturating_sub(solvers_before);
    Ok(report)
}

/// A proof that takes solvers little: with what an earlier one kept, without guesses
/// about loops, with them, or under
/// the assumption that signed arithmetic stays in its range.
fn prove_soon(
    session: &mut Session,
    facts: &KernelFacts<'_>,
    options: &CheckOptions,
) -> Result<Accepted, SolverError> {
    let mut proved = proof_cache::prove_as_before(session, facts, options)?;
    if proved.is_none() {
        proved = prove_plainly(session, facts, options)?;
    }
    match proved {
        Some(proved) => Ok(Accepted::Proof(Box::new(proved))),
        None => overflow::prove_soon(session, facts, options),
    }
}

/// Checks one kernel assuming that all signed arithmetic stays in its range, with loop
/// invariants among these only, if they are given.
pub(crate) fn check_in_range(
    session: &mut Session,
    module: &Module,
    kernel: Func,
    options: &CheckOptions,
    among: Option<&Invariants>,
) -> Result<KernelReport, SolverError> {
    let facts = KernelFacts::new(module, kernel, options);
    let in_range = match options.strict {
        true => InRange::new(),
        false => overflow::everything(&facts),
    };
    check_under(session, &facts, options, in_range, among)
}

/// A proof without guessed loop invariants and without solvers, if there is one: the
/// empty set of guesses is inductive, and closed forms are often enough for the algebra.
///
/// Measured over 45 kernels with loops, the better of two runs each: 8 are proved so, in
/// 94 ms instead of 1067 ms; the other 37 take 16.0 s instead of 15.2 s. In all that is
/// neither gain nor loss. Asking solvers too (300,000 units each) proves three in four,
/// and the processor time over 50 kernels was the same as without (10.8 s). A larger set
/// that is closed and might be enough is tried only if an earlier proof names one
/// ([`proof_cache`]): over 26 kernels the search is 4.7 s of 42.4 s, so guessing such a
/// set could save a tenth at most, and a wrong guess costs a check.
///
/// SOUNDNESS: in haste nobody asks whether a warning is true, so there must be none.
fn prove_plainly(
    session: &mut Session,
    facts: &KernelFacts<'_>,
    options: &CheckOptions,
) -> Result<Option<KernelReport>, SolverError> {
    let wanted = options.infer && options.shortcuts.plain_first;
    if !(wanted && facts.loops.iter().next().is_some()) {
        return Ok(None);
    }
    let plain = CheckOptions {
        infer: false,
        verdict_only: true,
        patience: Patience::None,
        ..options.clone()
    };
    let report = check_under(session, facts, &plain, InRange::new(), None)?;
    let is_proved = report.verdict == Verdict::Proved && report.findings.is_empty();
    Ok(is_proved.then_some(report))
}

/// Looks for runs that show what is not proved.
pub(crate) fn look_for_runs(
    facts: &KernelFacts<'_>,
    subject: &Subject<'_>,
    options: &CheckOptions,
    report: &mut KernelReport,
) {
    refuting::refute(subject, report.example.as_ref(), &mut report.findings);
    if let Some(obstacle) = obstacles::about_two_threads(facts, subject.kernel) {
        let open = report.findings.iter_mut().filter(|finding| !finding.is_refuted());
        open.for_each(|finding| finding.obstacles.insert(0, obstacle.clone()));
    }
    conclude(facts, options, report);
}

/// What the findings come to.
pub(crate) fn conclude(facts: &KernelFacts<'_>, options: &CheckOptions, report: &mut KernelReport) {
    report.findings.sort_by_cached_key(|finding| order_of(facts, finding));
    report.verdict = verdict(report.verdict == Verdict::Vacuous, &report.findings);
    report.properties = report::property_reports(&report.findings, &left_out(options));
}

/// Checks one kernel with certain arithmetic assumed to stay in its range. If `among`
/// is given, loop invariants are looked for among these only.
pub(crate) fn check_under(
    session: &mut Session,
    facts: &KernelFacts<'_>,
    options: &CheckOptions,
    in_range: InRange,
    among: Option<&Invariants>,
) -> Result<KernelReport, SolverError> {
    let start = Instant::now();
    let before = session.decided();
    let solvers_before = session.in_solvers();
    let is_exact = in_range.is_empty();
    let mut assumptions = facts.assumptions(options);
    assumptions.extend(overflow::in_words(facts, &in_range));
    let mut check = Check::new(session, facts, options, in_range);
    let inference = Instant::now();
    match among {
        None => check.infer_invariants()?,
        Some(among) => check.infer_among(among.clone())?,
    }
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
    // SOUNDNESS: without patience a question was left open, perhaps the only one.
    if check.gave_up {
        let why = Why::Solver("no solver was asked".to_string());
        check.report_kernel("not-shown-satisfiable", why);
    }
    let kept = rule_counts::by_rule(&check.invariants);
    let rules = rule_counts::rule_counts(&check.candidates_made, &kept);
    let asked = std::mem::take(&mut check.trace.asked);
    let (inference, invariants) = (check.inference(), check.invariants.clone());
    let mut findings = check.into_findings();
    findings.sort_by_cached_key(|finding| order_of(facts, finding));
    Ok(KernelReport {
        name: facts.func.name.clone(),
        launch: options.launch.clone(),
        may_alias: options.may_alias,
        verdict: verdict(vacuous, &findings),
        properties: report::property_reports(&findings, &left_out(options)),
        assumptions,
        findings,
        example,
        decided: difference(session.decided(), &before),
        loops: facts.loops.iter().count(),
        inference,
        invariants,
        is_exact,
        took: start.elapsed(),
        in_solvers: session.in_solvers().saturating_sub(solvers_before),
        in_inference,
        asked,
        rules,
        precondition: None,
        suggestions: vec![],
    })
}

/// The module with every array modelled by bytes.
fn by_bytes(module: &Module) -> Module {
    let mut module = module.clone();
    module.arrays.values_mut().for_each(|array| array.granule = 1);
    module
}

impl Check<'_, '_, '_> {
    /// Every property that the options ask for; returns what was not checked.
    fn check_properties(&mut self) -> Result<Option<String>, SolverError> {
        self.about([]);
        self.reject_unmodelled();
        self.reject_annotations();
        let not_checked = self.check_user_invariants();
        self.check_alone()?;
        self.check_two_threads()?;
        self.check_alignment()?;
        if self.options.check_bounds {
            self.check_bounds()?;
        }
        self.check_divergence()?;
        self.check_copy_arguments();
        if !self.options.only_divergence {
            self.check_races()?;
            self.check_exits()?;
            self.check_copies()?;
        }
        if self.options.vacuity || self.assumes_too_much_in_loops() {
            self.check_vacuity()?;
        }
        let lines: Vec<String> = not_checked.iter().map(u32::to_string).collect();
        Ok((!lines.is_empty()).then(|| {
            format!(
                "nothing rests on the invariants about logged accesses or other threads (line {}), which were not checked",
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
    let is_refuted =
        |finding: &Finding| finding.severity == Severity::Error && finding.is_refuted();
    let vacuous = vacuous || findings.iter().any(|finding| finding.rule == "vacuous");
    match (vacuous, clean) {
        (true, _) => Verdict::Vacuous,
        (false, true) => Verdict::Proved,
        (false, false) if findings.iter().any(is_refuted) => Verdict::Refuted,
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
