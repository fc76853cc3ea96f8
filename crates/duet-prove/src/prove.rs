//! One kernel: refutation, vacuity, the check, then the proof of each clause.

use std::time::{Duration, Instant};

use duet_analysis::{Dominators, Loops};
use duet_ask::{Likely, Session};
use duet_check::{CheckOptions, Finding, KernelReport, Property, PropertyStatus, Shortcuts};
use duet_check::{Verdict, Why, check_kernel};
use duet_interp::Key;
use duet_ir::WellFormed;
use duet_refute::Run;
use duet_smt::solver::SolverError;
use duet_spec::{Clause, ClauseKind};

use crate::contract::Bound;
use crate::proof;
use crate::replay::{Searched, meets, search};
use crate::report::{ClauseReport, ClauseStatus, ContractReport};
use crate::requires::{left_out, with_requires};
use crate::steps::Steps;

/// Proves the contract of a kernel, or shows how it breaks it.
///
/// # Errors
/// A solver that cannot be asked.
pub fn prove_kernel(
    session: &mut Session,
    module: &WellFormed,
    bound: &Bound<'_>,
    options: &CheckOptions,
    steps: Steps,
) -> Result<ContractReport, SolverError> {
    let start = Instant::now();
    let searched = search(module, bound, &options.launch, &options.scalar_args);
    let clauses: Vec<&Clause> = promises(bound);
    let mut report = ContractReport {
        name: module.functions[bound.kernel].name.clone(),
        kernel: bound.kernel,
        verdict: Verdict::Unproven,
        check: None,
        clauses: clauses
            .iter()
            .map(|clause| ClauseReport {
                span: clause.span,
                text: clause.to_string(),
                status: ClauseStatus::unproven("it was not looked at"),
            })
            .collect(),
        assumptions: vec![],
        runs: searched.runs,
        questions: (0, 0),
        took: Duration::ZERO,
    };
    if let Some(broken) = &searched.broken {
        // The postconditions come first among the clauses, then the frames.
        let number = broken.clause.min(report.clauses.len().saturating_sub(1));
        report.clauses[number].status = ClauseStatus::Refuted(Box::new(broken.clone()));
        report.verdict = Verdict::Refuted;
        report.took = start.elapsed();
        return Ok(report);
    }
    let before = start.elapsed();
    let stated = with_requires(module, bound, &options.launch);
    // A launch that a run showed to suit the preconditions saves a solver the search.
    let likely = searched.example.as_ref().map(|run| likely(&stated, bound, run));
    let options = &CheckOptions { likely, ..options.clone() };
    let mut took = before;
    // Invariants of loops are hard to find, and most contracts are proved without those that
    // the check would find; so it comes first without, as if there were no contract.
    for options in [options, &with_invariants(options)] {
        let mut check = check_kernel(session, &stated, bound.kernel, options)?;
        doubt_runs(module, bound, &options.launch, &mut check);
        let proving = Instant::now();
        let mut attempt = report.clone();
        conclude(
            session,
            &stated,
            bound,
            (options, steps),
            &searched,
            &clauses,
            &check,
            &mut attempt,
        )?;
        let is_done = is_final(module, bound, &check, &attempt);
        took += proving.elapsed();
        // A second look may end at a limit; then the first one says why.
        if report.check.is_none() || check.verdict == Verdict::Proved {
            attempt.check = Some(check);
            report = attempt;
        }
        if is_done {
            break;
        }
    }
    report.took = took;
    Ok(report)
}

/// Would a check that looks for more invariants of loops make no difference?
fn is_final(
    module: &WellFormed,
    bound: &Bound<'_>,
    check: &KernelReport,
    report: &ContractReport,
) -> bool {
    let func = &module.functions[bound.kernel];
    let has_loops = || !Loops::new(func, &Dominators::new(func)).is_empty();
    report.verdict != Verdict::Unproven
        || check.verdict != Verdict::Proved
        || !check.invariants.is_empty()
        || !has_loops()
}

/// What the check and the proof of each clause say, without a search for a run that breaks the
/// contract and without a look at vacuity: no verdict follows from it alone. A clause that is
/// proved here and that a run breaks shows a wrong rule of the proof.
///
/// # Errors
/// A solver that cannot be asked.
pub fn proofs_say(
    session: &mut Session,
    module: &WellFormed,
    bound: &Bound<'_>,
    options: &CheckOptions,
) -> Result<Vec<ClauseStatus>, SolverError> {
    let stated = with_requires(module, bound, &options.launch);
    let clauses = promises(bound);
    let mut statuses = vec![ClauseStatus::unproven("the kernel is not proved"); clauses.len()];
    for options in [options, &with_invariants(options)] {
        let check = check_kernel(session, &stated, bound.kernel, options)?;
        if check.verdict != Verdict::Proved {
            break;
        }
        let how = (options, Steps::default());
        let outcome = proof::prove_clauses(session, &stated, bound, how, &check, &clauses)?;
        statuses = outcome.statuses;
        let is_proved = |one: &ClauseStatus| matches!(one, ClauseStatus::Proved(_));
        if statuses.iter().all(is_proved) || !check.invariants.is_empty() {
            break;
        }
    }
    Ok(statuses)
}

/// Proofs use the invariants of loops that the check finds.
fn with_invariants(options: &CheckOptions) -> CheckOptions {
    let shortcuts = Shortcuts { plain_in_range: false, ..options.shortcuts };
    CheckOptions { shortcuts, ..options.clone() }
}

/// Looks for a run that breaks the contract.
pub fn runs_say(module: &WellFormed, bound: &Bound<'_>, options: &CheckOptions) -> Searched {
    search(module, bound, &options.launch, &options.scalar_args)
}

/// Runs by which the check refutes the kernel meet the preconditions that the check knows. One
/// that breaks another precondition of the contract, or may do so, refutes nothing.
fn doubt_runs(
    module: &WellFormed,
    bound: &Bound<'_>,
    launch: &duet_analysis::LaunchSpec,
    check: &mut KernelReport,
) {
    let unknown = left_out(bound, launch);
    if check.verdict != Verdict::Refuted || unknown.is_empty() {
        return;
    }
    for finding in &mut check.findings {
        if let Why::Run(evidence) = &finding.why
            && !meets(module, bound, &evidence.run, &unknown)
        {
            let why = "the check does not know all preconditions of the contract";
            finding.why = Why::Stated(why.to_string());
        }
    }
    if !check.findings.iter().any(Finding::is_refuted) {
        check.verdict = Verdict::Unproven;
    }
    for property in &mut check.properties {
        let own = |finding: &Finding| Property::of_rule(finding.rule) == Some(property.property);
        let is_shown = check.findings.iter().any(|one| own(one) && one.is_refuted());
        if property.status == PropertyStatus::Refuted && !is_shown {
            property.status = PropertyStatus::Unproven;
        }
    }
}

/// The launch of a run, to begin with.
fn likely(module: &WellFormed, bound: &Bound<'_>, run: &Run) -> Likely {
    let func = &module.functions[bound.kernel];
    let given = |index: usize, name: &str| {
        let by_name = || run.inputs.scalars.get(&Key::Name(name.to_string()));
        run.inputs.scalars.get(&Key::Index(index)).or_else(by_name).copied()
    };
    let arguments = func
        .scalar_params()
        .filter_map(|param| Some((param.value, given(param.index, param.name)?)))
        .collect();
    Likely { block: run.launch.block, grid: run.launch.grid, arguments }
}

/// The clauses that promise something: postconditions, then frames.
fn promises<'s>(bound: &Bound<'s>) -> Vec<&'s Clause> {
    let clauses = &bound.contract().clauses;
    let of = |test: fn(&ClauseKind) -> bool| clauses.iter().filter(move |one| test(&one.kind));
    of(|kind| matches!(kind, ClauseKind::Ensures(_)))
        .chain(of(|kind| matches!(kind, ClauseKind::Assigns(_))))
        .collect()
}

/// The verdict on each clause, and on all.
#[allow(clippy::too_many_arguments)]
fn conclude(
    session: &mut Session,
    stated: &WellFormed,
    bound: &Bound<'_>,
    options: (&CheckOptions, Steps),
    searched: &Searched,
    clauses: &[&Clause],
    check: &KernelReport,
    report: &mut ContractReport,
) -> Result<(), SolverError> {
    // SOUNDNESS: without the check the facts of the proof contradict each other, and
    // everything is proved (kernels/prove/traps/01-racy).
    if check.verdict != Verdict::Proved {
        for clause in &mut report.clauses {
            let why = "the kernel itself is not proved free of races and divergence";
            clause.status = ClauseStatus::unproven(why);
        }
        report.verdict =
            if check.verdict == Verdict::Refuted { check.verdict } else { Verdict::Unproven };
        return Ok(());
    }
    if clauses.is_empty() {
        report.verdict = Verdict::Unproven;
        return Ok(());
    }
    let outcome = proof::prove_clauses(session, stated, bound, options, check, clauses)?;
    report.assumptions = outcome.assumptions;
    report.questions = outcome.questions;
    for (number, (clause, status)) in report.clauses.iter_mut().zip(outcome.statuses).enumerate() {
        // SOUNDNESS: one run shows that the preconditions, its end and the guard can be met
        // together (kernels/prove/traps/19-vacuous).
        let met = searched.met.get(number).copied().unwrap_or(searched.any);
        clause.status = if met { status } else { ClauseStatus::Vacuous };
    }
    let all = report.clauses.iter().map(|clause| clause.status.verdict());
    report.verdict = all.fold(Verdict::Proved, worse);
    Ok(())
}

fn worse(a: Verdict, b: Verdict) -> Verdict {
    let rank = |verdict: Verdict| match verdict {
        Verdict::Proved => 0,
        Verdict::Unproven => 1,
        Verdict::Vacuous => 2,
        Verdict::Refuted => 3,
    };
    if rank(a) >= rank(b) { a } else { b }
}
