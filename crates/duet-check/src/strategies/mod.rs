//! How a kernel comes to its verdict: attempts, one after the other, until one decides.
//!
//! [`STRATEGIES`] is the list, in the order in which they are tried. Each is a check of the
//! whole kernel in some way, and no one rests on another: the report of the last that was
//! accepted is the result. [`check_under`] is the check that all of them make.

pub(crate) mod bounded;
mod by_logs;
mod cached;
mod carry;
mod guesses;
mod mended_order;
mod order;
mod order_soon;
mod overflow;
mod plain;
mod runs;
mod single_writer;
mod staged;

use std::collections::BTreeMap;
use std::time::Instant;

use duet_ask::{Obstacle, Patience, Session, reason_in_words};
use duet_infer::{by_rule, rule_counts};
use duet_ir::{Func, Inst, Rule, Severity, WellFormed};
use duet_product::KernelFacts;
use duet_smt::solver::SolverError;
use duet_vc::{InRange, Invariants};

use crate::assumptions::assumptions;
use crate::by_logs::ByLogs;
use crate::check::{Case, Check, Stage};
use crate::in_range::{everything, in_words as in_range_in_words};
use crate::options::{CheckOptions, Shortcuts};
use crate::properties::{claims_fail, may_be_ordered};
use crate::report::{Finding, KernelReport, Property, Verdict, Why, property_reports};
use crate::same_place;
use crate::vacuity::{Satisfied, Vacuity};
use mended_order::Mended;
use order_soon::Soon;
use overflow::Accepted;

pub(crate) use carry::may_be_carried;

/// The part of the work for each of the checks that look for protocols at once.
const SOON: u64 = 4;

/// One way to come to a verdict.
pub struct Strategy {
    /// Its name.
    pub name: &'static str,
    /// Why it is tried, and why here.
    pub reason: &'static str,
    /// The part of the work that is left which it may take, in words.
    pub share: &'static str,
    /// Is it of use where accesses are logged? Others try what only pairs can say.
    pub is_for_logs: bool,
    run: fn(&mut Course<'_, '_>) -> Result<(), SolverError>,
}

/// All strategies, in the order in which they are tried.
pub const STRATEGIES: &[Strategy] = &[
    Strategy {
        name: "as before",
        reason: "an earlier proof says which invariants are enough",
        share: "twice the work of that proof",
        is_for_logs: false,
        run: |course| course.as_before(),
    },
    Strategy {
        name: "plain",
        reason: "closed forms are often enough for the algebra, and no solver is started",
        share: "all; the first question that needs a solver ends it",
        is_for_logs: false,
        run: |course| course.plain(),
    },
    Strategy {
        name: "without guesses",
        reason: "where sizes are free, guesses of invariants are the hardest questions, and \
                 closed forms are often enough for a solver",
        share: "an eighth; the first question that is left open ends it",
        is_for_logs: false,
        run: |course| course.without_guesses(),
    },
    Strategy {
        name: "first runs",
        reason: "what a small run shows need not be asked for at length",
        share: "a number of instructions",
        is_for_logs: true,
        run: |course| course.first_runs(),
    },
    Strategy {
        name: "soon",
        reason: "where sizes are free, signed overflow makes hard questions of easy ones: \
                 they are asked without it",
        share: "a third",
        is_for_logs: true,
        run: |course| course.soon(),
    },
    Strategy {
        name: "at length",
        reason: "with all findings; exactly, or without signed overflow as above",
        share: "all",
        is_for_logs: true,
        run: |course| course.at_length(),
    },
    Strategy {
        name: "order",
        reason: "fences and flags may order what no barrier does; few kernels have them",
        share: "all",
        is_for_logs: false,
        run: |course| course.order(),
    },
    Strategy {
        name: "carry",
        reason: "addresses may depend on what a thread stored before a barrier",
        share: "all",
        is_for_logs: false,
        run: |course| course.carry(),
    },
    Strategy {
        name: "single writers",
        reason: "what a thread wrote may survive barriers; few kernels need it",
        share: "all",
        is_for_logs: false,
        run: |course| course.single_writers(),
    },
    Strategy {
        name: "guessed claims",
        reason: "addresses may depend on what other threads stored before a barrier",
        share: "all",
        is_for_logs: false,
        run: |course| course.guessed_claims(),
    },
    Strategy {
        name: "logs",
        reason: "an invariant about logged accesses may be beyond pairs, which keep no log",
        share: "an eighth",
        is_for_logs: false,
        run: |course| course.logs(),
    },
    Strategy {
        name: "runs",
        reason: "what is not proved may be shown to fail",
        share: "a number of instructions",
        is_for_logs: true,
        run: |course| course.runs(),
    },
    Strategy {
        name: "no overflow",
        reason: "what no run shows may hold if signed arithmetic stays in range",
        share: "150 million units at most",
        is_for_logs: true,
        run: |course| course.no_overflow(),
    },
    Strategy {
        name: "mended order",
        reason: "where threads may be meant to be in order by fences and flags, one change may \
                 be all that is missing; it never changes the verdict",
        share: "a few short checks",
        is_for_logs: false,
        run: |course| course.mended_order(),
    },
];

/// How far the check of a kernel is.
struct Course<'a, 'm> {
    session: &'a mut Session,
    case: Case<'m>,
    options: &'a CheckOptions,
    /// The session's count of work when the check began.
    work_before: u64,
    /// The best report so far.
    report: Option<KernelReport>,
    /// Arithmetic that the report assumes to stay in range, where that came first.
    assumed: InRange,
    /// An assumption about arithmetic under which it would be proved, but that no run meets.
    not_met: Option<Vec<String>>,
    /// A change to fences or flags with which it is proved.
    mended: Option<Mended>,
    /// The check that follows is left the rest.
    is_given_up: bool,
}

/// Checks one kernel.
pub fn check_kernel(
    session: &mut Session,
    module: &WellFormed,
    kernel: Func,
    options: &CheckOptions,
) -> Result<KernelReport, SolverError> {
    if !options.shortcuts.elements {
        let by_bytes = duet_transform::by_bytes(module);
        let shortcuts = Shortcuts { elements: true, ..options.shortcuts };
        let options = CheckOptions { shortcuts, ..options.clone() };
        return check_kernel(session, &by_bytes, kernel, &options);
    }
    if let Some(passes) = options.unwind {
        return bounded::check_passes(session, module, kernel, options, passes);
    }
    if options.cross_check {
        return by_logs::check_both_ways(session, module, kernel, options);
    }
    if options.staged {
        return staged::check_in_stages(session, module, kernel, options);
    }
    check_stage(session, module, kernel, options, Stage::Whole)
}

/// Do small runs of a kernel show a defect?
pub fn fails_in_small_runs(module: &WellFormed, kernel: Func, options: &CheckOptions) -> bool {
    let options = &options.begun();
    !Case::new(module, kernel, options).failures(options).is_empty()
}

/// Checks one kernel, or one stage of it.
fn check_stage(
    session: &mut Session,
    module: &WellFormed,
    kernel: Func,
    options: &CheckOptions,
    stage: Stage,
) -> Result<KernelReport, SolverError> {
    let start = Instant::now();
    let options = &options.begun();
    if options.fence.is_past() {
        return Ok(not_looked_at(module, kernel, options));
    }
    let before = session.decided();
    let (work_before, solvers_before) = (session.work(), session.in_solvers());
    let mut case = Case::new(module, kernel, options);
    case.stage = stage;
    let mut course = Course {
        session,
        case,
        options,
        work_before,
        report: None,
        assumed: InRange::new(),
        not_met: None,
        mended: None,
        is_given_up: false,
    };
    let by_logs = options.logs().is_some();
    for strategy in STRATEGIES.iter().filter(|strategy| !by_logs || strategy.is_for_logs) {
        let before = course.report.as_ref().map(|report| report.verdict);
        if course.is_given_up {
            break;
        }
        (strategy.run)(&mut course)?;
        // A new report has no name yet; runs change the verdict of the report they find.
        if let Some(report) = &mut course.report
            && (report.decided_by.is_empty() || before != Some(report.verdict))
        {
            report.decided_by = strategy.name;
        }
    }
    let mut report = course.report.expect("one strategy always reports");
    if options.fence.is_past() {
        admit_lateness(&course.case.facts, options, &mut report);
    }
    drop_open_tolerance(&mut report);
    same_place::join(&course.case.facts, &mut report);
    report.properties = property_reports(&report.findings, &left_out(options));
    report.work = session.work() - work_before;
    report.decided = difference(session.decided(), &before);
    report.took = start.elapsed();
    report.in_solvers = session.in_solvers().saturating_sub(solvers_before);
    Ok(report)
}

impl Course<'_, '_> {
    /// Is a fence or a flag all that stands against a proof? Then no other attempt helps.
    fn is_mended(&self) -> bool {
        self.mended.is_some()
    }

    fn is_unproven(&self) -> bool {
        self.report.as_ref().is_some_and(|report| report.verdict == Verdict::Unproven)
    }

    /// The options with the work that is left.
    fn options_left(&self) -> CheckOptions {
        let spent = self.session.work() - self.work_before;
        self.options.with_work(self.options.work.saturating_sub(spent))
    }

    /// Does a small run of the launch show a defect? Then no proof is looked for.
    fn is_hopeless(&self) -> bool {
        self.options.launch_fails && self.fails()
    }

    fn as_before(&mut self) -> Result<(), SolverError> {
        self.report = cached::prove_as_before(self.session, &self.case, self.options)?;
        Ok(())
    }

    fn plain(&mut self) -> Result<(), SolverError> {
        if self.report.is_none() && !self.is_hopeless() {
            self.report = plain::prove_plainly(self.session, &self.case, self.options)?;
        }
        Ok(())
    }

    fn without_guesses(&mut self) -> Result<(), SolverError> {
        let is_tried = plain::is_tried_briefly(&self.case, self.options) && !self.is_hopeless();
        if self.report.is_some() || !is_tried {
            return Ok(());
        }
        self.report = plain::prove_briefly(self.session, &self.case, self.options)?;
        if self.report.is_none() && may_be_ordered(&self.case.facts) {
            self.order_without_guesses()?;
        }
        Ok(())
    }

    /// Looks for an order by fences and flags, and for a fence that is all that is missing,
    /// before any loop invariants but lists of a few values.
    fn order_without_guesses(&mut self) -> Result<(), SolverError> {
        let is_asked = self.options.refute || self.options.mends;
        let brief = plain::briefly_with_states(self.options);
        let (session, case) = (&mut *self.session, &mut self.case);
        let soon = CheckOptions { work: self.options.work / SOON, ..brief.clone() };
        match order_soon::decide(session, case, &soon)? {
            Some(Soon::Proved(report)) => {
                self.report = Some(report);
                return Ok(());
            }
            Some(Soon::Almost(report, mended)) if is_asked && !self.fails() => {
                (self.report, self.mended) = (Some(report), Some(mended));
                return Ok(());
            }
            Some(Soon::Almost(..)) | None => {}
        }
        let (session, case) = (&mut *self.session, &mut self.case);
        let report = check_under(session, case, &brief, InRange::new(), None)?;
        if !order::is_worth_a_try(&case.facts, &brief, &report) {
            return Ok(());
        }
        self.report = order::prove_without_findings(session, case, &brief, &report)?;
        if self.report.is_none() && is_asked && !self.fails() {
            self.mended = mended_order::find(self.session, &self.case, &brief, &report)?;
            self.report = self.mended.is_some().then_some(report);
        }
        Ok(())
    }

    fn first_runs(&mut self) -> Result<(), SolverError> {
        if self.report.is_none() && self.options.refute {
            self.case.failures(self.options);
        }
        Ok(())
    }

    /// Do small runs of the kernel as it is show a defect?
    fn fails(&self) -> bool {
        !self.case.failures(self.options).is_empty()
    }

    fn soon(&mut self) -> Result<(), SolverError> {
        let wanted =
            self.report.is_none() && overflow::comes_first(&self.case, self.options, false);
        if wanted && !self.fails() {
            let accepted = overflow::prove_soon(self.session, &self.case, self.options)?;
            if self.options.is_first_look
                && let Accepted::Fails(report) = accepted
            {
                self.report = Some(*report);
                self.is_given_up = true;
                return Ok(());
            }
            self.take(accepted);
        }
        Ok(())
    }

    /// Takes a proof, or notes that no run meets what it assumes. Was it a proof?
    fn take(&mut self, accepted: Accepted) -> bool {
        match accepted {
            Accepted::Proof(proved) => {
                self.report = Some(*proved);
                return true;
            }
            Accepted::NotMet(assumed) => self.not_met = Some(assumed),
            Accepted::Fails(_) | Accepted::Nothing => {}
        }
        false
    }

    fn at_length(&mut self) -> Result<(), SolverError> {
        if self.report.is_some() {
            return Ok(());
        }
        if self.is_hopeless() {
            // The run makes up values that the host code leaves open, so it refutes nothing; but
            // it meets all that is known of them.
            let brief = plain::briefly_with_states(self.options);
            let brief = CheckOptions { work: self.options.work, ..brief };
            let report = check_under(self.session, &self.case, &brief, InRange::new(), None)?;
            self.report = Some(report);
            return Ok(());
        }
        let mut options = self.options_left();
        let fails = self.options.believes_runs() && self.fails();
        let in_range =
            overflow::comes_first(&self.case, self.options, fails) && self.not_met.is_none();
        if fails {
            // The verdict is clear; what else may be wrong is looked at briefly. Models of
            // products are hard to find, and runs show what there is to be shown.
            options.patience = if in_range { Patience::Glance } else { Patience::Little };
        }
        if in_range {
            let assumed = everything(&self.case.facts);
            let report = check_under(self.session, &self.case, &options, assumed.clone(), None)?;
            match report.verdict {
                Verdict::Unproven | Verdict::Refuted => {
                    (self.report, self.assumed) = (Some(report), assumed);
                    return Ok(());
                }
                Verdict::Proved if !self.fails() => {
                    let accepted = overflow::accept(self.session, &self.case, &options, report)?;
                    if self.take(accepted) {
                        return Ok(());
                    }
                }
                // A run shows what is assumed away, or nothing is left.
                Verdict::Proved | Verdict::Vacuous => {}
            }
        }
        let exact = check_under(self.session, &self.case, &options, InRange::new(), None)?;
        self.report = Some(exact);
        Ok(())
    }

    fn carry(&mut self) -> Result<(), SolverError> {
        let left = self.options_left();
        if self.is_mended() {
            return Ok(());
        }
        let (session, case) = (&mut *self.session, &mut self.case);
        if let Some(report) = self.report.as_ref().filter(|one| one.verdict == Verdict::Unproven)
            && case.failures(self.options).is_empty()
            && let Some(proved) = carry::prove(session, case, &left, &self.assumed, report)?
        {
            self.accept(&left, proved)?;
        }
        Ok(())
    }

    fn single_writers(&mut self) -> Result<(), SolverError> {
        let left = self.options_left();
        if self.is_mended() {
            return Ok(());
        }
        let (session, case) = (&mut *self.session, &mut self.case);
        if let Some(report) = self.report.as_ref().filter(|one| one.verdict == Verdict::Unproven)
            && case.failures(self.options).is_empty()
            && let Some(proved) = single_writer::prove(session, case, &left, &self.assumed, report)?
        {
            self.accept(&left, proved)?;
        }
        if let Some(report) = &self.report {
            cached::keep(&self.case.facts, self.options, report);
        }
        Ok(())
    }

    fn guessed_claims(&mut self) -> Result<(), SolverError> {
        let left = self.options_left();
        if self.is_mended() {
            return Ok(());
        }
        if let Some(report) = self.report.as_ref().filter(|one| one.verdict == Verdict::Unproven)
            && self.case.failures(self.options).is_empty()
            && let Some(proved) =
                guesses::prove(self.session, &self.case, &left, &self.assumed, report)?
        {
            self.accept(&left, proved)?;
        }
        Ok(())
    }

    fn logs(&mut self) -> Result<(), SolverError> {
        if let Some(report) = self.report.as_ref().filter(|report| report.is_left_to_logs)
            && !self.is_mended()
            && self.case.failures(self.options).is_empty()
        {
            let left = self.options_left();
            let proved = by_logs::prove_claims(self.session, &self.case, &left, report)?;
            self.report = proved.or(self.report.take());
        }
        Ok(())
    }

    fn order(&mut self) -> Result<(), SolverError> {
        let left = self.options_left();
        let (session, case) = (&mut *self.session, &mut self.case);
        if let Some(report) = self.report.as_ref().filter(|one| one.verdict == Verdict::Unproven)
            && self.mended.is_none()
            && order::is_worth_a_try(&case.facts, &left, report)
            && (!self.options.refute || case.failures(self.options).is_empty())
        {
            if let Some(proved) = order::prove(session, case, &left, &self.assumed, report)? {
                self.accept(&left, proved)?;
            }
            if self.is_unproven() {
                self.look_for_change()?;
            }
        }
        Ok(())
    }

    /// Looks for a change to fences or flags with which the kernel is proved.
    fn look_for_change(&mut self) -> Result<(), SolverError> {
        let left = self.options_left();
        let is_asked = self.options.refute || self.options.mends;
        if is_asked
            && self.mended.is_none()
            && self.assumed.is_empty()
            && let Some(report) = &self.report
        {
            self.mended = mended_order::find(self.session, &self.case, &left, report)?;
        }
        Ok(())
    }

    /// Takes a proof under what the report assumes of arithmetic.
    fn accept(&mut self, options: &CheckOptions, proved: KernelReport) -> Result<(), SolverError> {
        let accepted = match self.assumed.is_empty() {
            true => Accepted::Proof(Box::new(proved)),
            false => overflow::accept(self.session, &self.case, options, proved)?,
        };
        self.take(accepted);
        Ok(())
    }

    fn runs(&mut self) -> Result<(), SolverError> {
        if self.options.refute
            && self.is_unproven()
            && let Some(report) = &mut self.report
        {
            let subject = self.case.subject(self.options);
            // Rule 10 of order: what is unordered only for want of a fence behind such a draw
            // is left open by runs.
            if !self.mended.as_ref().is_some_and(|mended| mended.is_left_open) {
                let known = &self.case.failures(self.options).runs;
                runs::look_for_runs(&self.case.facts, &subject, self.options, report, known);
                runs::point_at_fences(&self.case.facts, report);
            }
        }
        Ok(())
    }

    fn mended_order(&mut self) -> Result<(), SolverError> {
        if self.options.refute {
            self.look_for_change()?;
        }
        let may_say = |mended: &Mended| self.options.refute || mended.is_left_open;
        if let Some(mended) = self.mended.take().filter(may_say)
            && let Some(report) = &mut self.report
            && report.verdict != Verdict::Proved
        {
            report.findings.push(mended.finding);
            conclude(&self.case.facts, self.options, report);
        }
        Ok(())
    }

    fn no_overflow(&mut self) -> Result<(), SolverError> {
        let left = self.options_left();
        let Some(report) = self.report.as_ref().filter(|_| self.is_unproven()) else {
            return Ok(());
        };
        let subject = self.case.subject(self.options);
        let is_hopeless = !self.assumed.is_empty()
            || self.is_mended()
            || self.not_met.is_some()
            || !overflow::may_help(report)
            || runs::fail_in_models(&subject, &report.findings, report.example.as_ref());
        if !is_hopeless && !self.fails() {
            let accepted = overflow::prove(self.session, &self.case, &left)?;
            self.take(accepted);
        }
        if let (true, Some(assumed)) = (self.is_unproven(), self.not_met.take())
            && let Some(report) = &mut self.report
        {
            let obstacle = Obstacle::NotMet { assumed };
            let errors = report.findings.iter_mut().filter(|one| one.severity == Severity::Error);
            errors.for_each(|finding| finding.obstacles.push(obstacle.clone()));
        }
        Ok(())
    }
}

/// The report on a kernel whose turn came when the time was over. SOUNDNESS: it is no proof
/// (test `what_comes_too_late_is_not_proved`).
fn not_looked_at(module: &WellFormed, kernel: Func, options: &CheckOptions) -> KernelReport {
    let name = &module.functions[kernel].name;
    let what = "what was not looked at by then is open".to_string();
    KernelReport::stopped(name, options.launch.clone(), Rule::TimeLimit, what)
}

/// The fence was reached: what later strategies and runs would have found out is not
/// known, and a report that is no proof says so.
fn admit_lateness(facts: &KernelFacts<'_>, options: &CheckOptions, report: &mut KernelReport) {
    let is_open = matches!(report.verdict, Verdict::Unproven | Verdict::Refuted);
    if is_open && report.findings.iter().all(|finding| finding.rule != Rule::TimeLimit) {
        let why = Why::Stated("what was not looked at by then is open".to_string());
        let (rule, severity) = (Rule::TimeLimit, Severity::Error);
        let (primary, secondary, obstacles) = (None, None, vec![]);
        report.findings.push(Finding { rule, severity, primary, secondary, why, obstacles });
        conclude(facts, options, report);
    }
}

/// Checks one kernel assuming that all signed arithmetic stays in its range, with loop
/// invariants among these only, if they are given.
pub fn check_in_range(
    session: &mut Session,
    module: &WellFormed,
    kernel: Func,
    options: &CheckOptions,
    among: Option<&Invariants>,
) -> Result<KernelReport, SolverError> {
    let options = &options.begun();
    let case = Case::new(module, kernel, options);
    let in_range = match options.strict {
        true => InRange::new(),
        false => everything(&case.facts),
    };
    let assumed = in_range.clone();
    let mut report = check_under(session, &case, options, in_range, among)?;
    // SOUNDNESS: as everywhere, such an assumption counts only if runs meet it
    // (test `an_assumption_that_no_run_meets_is_no_proof`).
    let is_open = report.verdict == Verdict::Proved && !assumed.is_empty();
    let example = report.example.as_ref();
    if is_open && !overflow::is_met(session, &case, options, &assumed, example)? {
        let why = "no run that was tried keeps to what is assumed of arithmetic";
        report.findings.push(Finding {
            rule: Rule::NotShownSatisfiable,
            severity: Severity::Error,
            primary: None,
            secondary: None,
            why: Why::Stated(why.to_string()),
            obstacles: vec![],
        });
        conclude(&case.facts, options, &mut report);
    }
    Ok(report)
}

/// What the findings come to.
pub(crate) fn conclude(facts: &KernelFacts<'_>, options: &CheckOptions, report: &mut KernelReport) {
    report.findings.sort_by_cached_key(|finding| order_of(facts, finding));
    report.verdict = verdict(report.verdict == Verdict::Vacuous, &report.findings);
    report.properties = property_reports(&report.findings, &left_out(options));
}

/// Checks one kernel with certain arithmetic assumed to stay in its range. If `among`
/// is given, loop invariants are looked for among these only.
pub(crate) fn check_under(
    session: &mut Session,
    case: &Case<'_>,
    options: &CheckOptions,
    in_range: InRange,
    among: Option<&Invariants>,
) -> Result<KernelReport, SolverError> {
    let facts = &case.facts;
    let start = Instant::now();
    let before = session.decided();
    let (work_before, solvers_before) = (session.work(), session.in_solvers());
    let is_exact = in_range.is_empty();
    let mut assumptions = assumptions(facts, options);
    assumptions.extend(in_range_in_words(facts, &in_range));
    let mut check = Check::new(session, case, options, in_range);
    let inference = Instant::now();
    let logs = options.logs();
    if logs.is_none() {
        check.infer_invariants(among)?;
    }
    let mut in_inference = inference.elapsed();
    let mut example = None;
    let mut vacuous = false;
    let satisfied = Vacuity { check: &mut check }.satisfy_once(case)?;
    match satisfied {
        Satisfied::No => vacuous = true,
        Satisfied::By(witness) => example = Some(*witness),
        Satisfied::Unknown(reason) => {
            let why = Why::Solver(reason_in_words(reason).to_string());
            check.report_kernel(Rule::NotShownSatisfiable, why);
        }
    }
    // Claims that are false contradict what is known at their barriers; they are findings.
    let claims_fail = vacuous && !facts.claims.in_force.is_empty() && claims_fail(&mut check)?;
    vacuous &= !claims_fail;
    if claims_fail {
        // Whatever else is asked follows from the contradiction.
    } else if vacuous {
        check.report_kernel(Rule::Vacuous, Why::Stated("nothing can be concluded".to_string()));
    } else if let Some(logs) = &logs {
        ByLogs { check: &mut check }.check_properties(logs)?;
    } else {
        assumptions.extend(check.check_properties()?);
        assumptions.extend(check.order.iter().flat_map(|order| order.assumptions()));
    }
    // SOUNDNESS: without patience a question was left open, perhaps the only one (test
    // `what_no_patience_leaves_is_a_finding`).
    if check.asker.gave_up() {
        let why = Why::Solver("no solver was asked".to_string());
        check.report_kernel(Rule::NotShownSatisfiable, why);
    }
    if check.asker.is_cut_short() {
        check.report_limit(Rule::TimeLimit);
    }
    let kept = match check.by_logs.take() {
        Some((kept, took)) => {
            in_inference = took;
            kept
        }
        None => by_rule(&check.walker.invariants),
    };
    let rules = rule_counts(&check.found.made, &kept);
    let asked = std::mem::take(&mut check.asker.trace.asked);
    let Check { found, walker, mut findings, is_left_to_logs, .. } = check;
    let (inference, invariants) = (found.inference, walker.invariants);
    findings.sort_by_cached_key(|finding| order_of(facts, finding));
    Ok(KernelReport {
        name: facts.func.name.clone(),
        launch: options.launch.clone(),
        may_alias: options.may_alias,
        verdict: verdict(vacuous, &findings),
        decided_by: "",
        properties: property_reports(&findings, &left_out(options)),
        assumptions,
        findings,
        other_places: BTreeMap::new(),
        example,
        decided: difference(session.decided(), &before),
        loops: facts.loops.iter().count(),
        inference,
        invariants,
        is_left_to_logs,
        is_exact,
        took: start.elapsed(),
        work: session.work() - work_before,
        in_solvers: session.in_solvers().saturating_sub(solvers_before),
        in_inference,
        asked,
        rules,
        stages: vec![],
    })
}

/// That two threads may write the same value is tolerated, and part of what a proof says.
/// Beside findings that stand against a proof it only distracts, unless a run shows it.
fn drop_open_tolerance(report: &mut KernelReport) {
    if report.verdict == Verdict::Unproven {
        let is_open = |one: &Finding| one.rule == Rule::BenignWriteWriteRace && !one.is_refuted();
        report.findings.retain(|finding| !is_open(finding));
    }
}

/// Findings are listed by their places, those about the whole kernel first.
fn order_of(facts: &KernelFacts<'_>, finding: &Finding) -> impl Ord + use<> {
    let place = |inst: Option<Inst>| {
        let loc = facts.func.inst_locs[inst?];
        facts.module.source_span(loc)
    };
    (place(finding.primary), place(finding.secondary), finding.rule)
}

/// SOUNDNESS: proved only if there is no finding but warnings (test
/// `only_unsat_to_all_questions_is_a_proof`).
fn verdict(vacuous: bool, findings: &[Finding]) -> Verdict {
    let clean = findings.iter().all(|finding| finding.severity == Severity::Warning);
    let is_refuted =
        |finding: &Finding| finding.severity == Severity::Error && finding.is_refuted();
    let vacuous = vacuous || findings.iter().any(|finding| finding.rule == Rule::Vacuous);
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
    if options.only_divergence || options.logs().is_some_and(|logs| logs.only_log) {
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
