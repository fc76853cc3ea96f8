//! Order by fences and flags, decided soon where it can be.
//!
//! Where sizes are free, to list every race that is open costs many times what a proof does: a
//! solver looks for a state of each. So before that list is made, protocols are looked for in
//! checks that end at the first thing that is not proved. The arrays that threads hand over are
//! those of the races that end them, one check after the other. If a fence behind a
//! read-modify-write is all that is missing (rule 10 of order: a draw, and a barrier of the block
//! behind it), the races are the pairs that a protocol orders with that fence, and none orders
//! without it.
//!
//! SOUNDNESS: a proof is that of one check, with the contents of the arrays unknown that it hands
//! over (kernels/order/stale-index-sizes-bug). The other report has findings that are errors, so it
//! is no proof (kernels/order/last-block-sizes-almost, last-block-sizes-almost-bug).

use std::collections::BTreeSet;

use duet_ask::Session;
use duet_ir::{Array, Inst, Rule, Severity};
use duet_product::KernelFacts;
use duet_smt::solver::SolverError;
use duet_transform::{OrderEdit, with_order};
use duet_vc::InRange;

use super::mended_order::{self, Mended};
use super::order::{arrays_of_races, hand_over, is_looked_at};
use super::{check_under, conclude};
use crate::check::{Case, Check};
use crate::options::CheckOptions;
use crate::report::{Finding, KernelReport, Verdict, Why};

/// Checks that find one more array that is handed over each.
const MOST_ARRAYS: usize = 6;

/// What was decided.
pub(super) enum Soon {
    /// A proof, with nothing to warn of.
    Proved(KernelReport),
    /// It is not proved, but would be with a fence, and runs leave that open.
    Almost(KernelReport, Mended),
}

/// Looks for a proof by protocols, or for the fence that is all that is missing. If there is
/// neither, or only a fence is missing, the kernel's facts are as before.
pub(super) fn decide(
    session: &mut Session,
    case: &mut Case<'_>,
    options: &CheckOptions,
) -> Result<Option<Soon>, SolverError> {
    if !is_looked_at(&case.facts, options) {
        return Ok(None);
    }
    let quick =
        CheckOptions { refute: false, explain: false, verdict_only: true, ..options.clone() };
    let before = (case.facts.carried.clone(), case.facts.single_writers.clone());
    let (report, arrays) = under_protocols(session, case, &quick, BTreeSet::new())?;
    if is_proof(&report) {
        return Ok(Some(Soon::Proved(report)));
    }
    let almost = match mended_order::is_concerned(&case.facts, options, &report) {
        true => with_fence(session, case, &quick, report, &arrays)?,
        false => None,
    };
    case.facts.ordered.clear();
    (case.facts.carried, case.facts.single_writers) = before;
    Ok(almost)
}

fn is_proof(report: &KernelReport) -> bool {
    report.verdict == Verdict::Proved && report.findings.is_empty()
}

/// Checks with more and more arrays handed over: those of the race that ended the check before.
fn under_protocols(
    session: &mut Session,
    case: &mut Case<'_>,
    options: &CheckOptions,
    mut arrays: BTreeSet<Array>,
) -> Result<(KernelReport, BTreeSet<Array>), SolverError> {
    for attempt in 1.. {
        hand_over(case, arrays.clone());
        let report = check_under(session, case, options, InRange::new(), None)?;
        let known = arrays.len();
        arrays.extend(arrays_of_races(&case.facts, &report));
        if is_proof(&report) || arrays.len() == known || attempt == MOST_ARRAYS {
            return Ok((report, arrays));
        }
    }
    unreachable!("the last attempt returns")
}

/// Is a fence behind a draw all that is missing? `report` is what was open first.
fn with_fence(
    session: &mut Session,
    case: &Case<'_>,
    options: &CheckOptions,
    mut report: KernelReport,
    arrays: &BTreeSet<Array>,
) -> Result<Option<Soon>, SolverError> {
    let facts = &case.facts;
    for edit in mended_order::fences_behind_draws(facts) {
        if options.fence.is_past() {
            return Ok(None);
        }
        let changed = with_order(facts.module, facts.kernel, edit);
        let mut mended = Case::new(&changed, facts.kernel, options);
        let (proved, _) = under_protocols(session, &mut mended, options, arrays.clone())?;
        if proved.verdict != Verdict::Proved {
            continue;
        }
        let with = ordered_pairs(session, &mended, options)?;
        let without = ordered_pairs(session, case, options)?;
        report.findings = races(with.difference(&without));
        conclude(facts, options, &mut report);
        let is_left_open = mended_order::is_left_open(facts, &report, edit);
        if !is_left_open || report.findings.is_empty() {
            return Ok(None);
        }
        let finding = finding(facts, edit);
        return Ok(Some(Soon::Almost(report, Mended { finding, is_left_open })));
    }
    Ok(None)
}

fn finding(facts: &KernelFacts<'_>, edit: OrderEdit) -> Finding {
    mended_order::finding(facts, Rule::MissingFence, edit)
}

/// The pairs of accesses that protocols order, with the kind of race that each would be.
fn ordered_pairs(
    session: &mut Session,
    case: &Case<'_>,
    options: &CheckOptions,
) -> Result<BTreeSet<(Rule, Inst, Inst)>, SolverError> {
    let mut check = Check::new(session, case, options, InRange::new());
    check.infer_invariants(None)?;
    crate::properties::ordered_pairs(&mut check)
}

/// A finding for each pair, once whichever of the two comes first.
fn races<'p>(pairs: impl Iterator<Item = &'p (Rule, Inst, Inst)>) -> Vec<Finding> {
    let mut seen = BTreeSet::new();
    let pairs = pairs.filter(|&&(rule, a, b)| seen.insert((rule, a.min(b), a.max(b))));
    let finding = |&(rule, a, b): &(Rule, Inst, Inst)| Finding {
        rule,
        severity: Severity::Error,
        primary: Some(a),
        secondary: Some(b),
        why: Why::Stated("only a fence is missing".to_string()),
        obstacles: vec![],
    };
    pairs.map(finding).collect()
}
