//! A check in two stages: races and barriers without claims about memory, then the rest.
//!
//! The first stage takes the claims at barriers out of the kernel; reads for the sake of
//! permission stay, since they are accesses. If it leaves nothing open but assertions, races
//! are not asked about again: the second stage has the claims, and asks about them and about
//! all else. If not, addresses may depend on what the claims say, and the second stage is the
//! whole check.
//!
//! *Why it is right.* Both stages rest on one induction over a run, by the first thing that
//! fails. The first shows that no race comes before an assertion that fails; the second, that
//! no claim and no assertion fails before a race. So nothing comes first.
//!
//! SOUNDNESS: an assertion that is open is no matter to the first stage, anything else is: a
//! limit, or what is not modelled, may stand for a race that was not asked about (test
//! `races_are_asked_about_in_one_stage`). It must be proved exactly, or as a whole: a proof
//! under an assumption about arithmetic is accepted as a whole only.

use duet_ask::Session;
use duet_ir::{Func, Rule, Severity, WellFormed};
use duet_smt::solver::SolverError;
use duet_transform::without_claims;

use super::{check_stage, conclude};
use crate::check::{Case, Stage};
use crate::options::CheckOptions;
use crate::report::{Finding, KernelReport, StageReport, Verdict};

/// Checks a kernel in two stages.
pub(super) fn check_in_stages(
    session: &mut Session,
    module: &WellFormed,
    kernel: Func,
    options: &CheckOptions,
) -> Result<KernelReport, SolverError> {
    let options = &CheckOptions { staged: false, ..options.begun() };
    // All findings are wanted: the first one must not end the search for races.
    let alone = CheckOptions { verdict_only: false, refute: false, ..options.clone() };
    let first = check_stage(session, &without_claims(module), kernel, &alone, Stage::Whole)?;
    let is_settled = leaves_no_race_open(&first);
    let stage = if is_settled { Stage::WithoutRaces } else { Stage::Whole };
    let left = options.with_work(options.work.saturating_sub(first.work));
    let second = check_stage(session, module, kernel, &left, stage)?;
    let case = Case::new(module, kernel, options);
    let mut report = second;
    report.stages = stages(&first, &report, is_settled);
    if is_settled {
        take_over(&mut report, first);
        conclude(&case.facts, options, &mut report);
    }
    Ok(report)
}

fn leaves_no_race_open(report: &KernelReport) -> bool {
    let is_open = |one: &&Finding| one.severity == Severity::Error;
    let mut open = report.findings.iter().filter(is_open);
    match report.verdict {
        Verdict::Proved => true,
        Verdict::Unproven => {
            report.is_exact && open.all(|finding| finding.rule == Rule::AssertionFailed)
        }
        Verdict::Refuted | Verdict::Vacuous => false,
    }
}

/// What the first stage assumes and warns about holds for the verdict as well.
fn take_over(report: &mut KernelReport, first: KernelReport) {
    for assumption in first.assumptions {
        if !report.assumptions.contains(&assumption) {
            report.assumptions.push(assumption);
        }
    }
    report.is_exact &= first.is_exact;
    report.work += first.work;
    report.took += first.took;
    report.in_solvers += first.in_solvers;
    let places = |one: &Finding| (one.rule, one.primary, one.secondary);
    for warning in first.findings.into_iter().filter(|one| one.severity == Severity::Warning) {
        if !report.findings.iter().any(|known| places(known) == places(&warning)) {
            report.findings.push(warning);
        }
    }
}

fn stages(first: &KernelReport, second: &KernelReport, is_settled: bool) -> Vec<StageReport> {
    let result = if is_settled { "no race, without claims" } else { "open without claims" };
    let about = "races and barriers";
    let mut stages = vec![StageReport { about, result, work: first.work }];
    let about = match is_settled {
        true => "claims and assertions",
        false => "all, with claims",
    };
    let result = second.verdict.word();
    stages.push(StageReport { about, result, work: second.work });
    stages
}
