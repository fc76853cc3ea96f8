//! Proofs that assume signed arithmetic to stay in its range.
//!
//! What is not proved exactly is tried once more under the assumption that signed
//! arithmetic does not overflow (undefined in the source languages), and that
//! unsigned results fit the signed variables they are put into. If that is a
//! proof, lines are dropped from the assumption as long as it remains one; the
//! rest is listed with the verdict. Every attempt is a check of the whole kernel
//! with the assumption stated where the operation is executed, so that the last
//! one is the proof.
//!
//! SOUNDNESS: the assumption is a fact of a thread only after it executed the
//! operation (`Encoder::assume_in_range`), and all assumptions together must have a
//! model, in which all threads of a launch can meet them (`satisfy_assumptions`;
//! kernels/soundness/43-overflow-in-every-launch). These questions are asked with loops
//! cut, so the proof is accepted only if interpreted runs meet the assumption, and if
//! small runs of the kernel as it is show no defect ([`Accepted`]).

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use duet_ask::{Patience, Session};
use duet_infer::of_more;
use duet_ir::{Edge, Effect, Function, Inst, InstData, Severity, Terminator, Value, ValueDef};
use duet_product::KernelFacts;
use duet_smt::solver::SolverError;
use duet_vc::{InRange, may_be_assumed};

use super::{check_under, runs};
use crate::check::Case;
use crate::options::CheckOptions;
use crate::report::{Finding, KernelReport, Property, Verdict, Why};

/// Attempts at dropping lines.
const MAX_ATTEMPTS: usize = 24;
/// Time for the proof under all assumptions.
const FIRST_TIME: Duration = Duration::from_secs(15);
/// The part of the time in which a proof must be found to be found soon.
const SOON: u32 = 3;
/// Time for dropping lines, whatever the proof took.
const MIN_TIME: Duration = Duration::from_secs(2);

/// What came of an attempt under such an assumption.
pub(crate) enum Accepted {
    /// A proof, under an assumption that runs meet.
    Proof(Box<KernelReport>),
    /// A proof, but no run that was tried meets the assumption: in words, what was
    /// assumed.
    NotMet(Vec<String>),
    /// No proof, or one that would be of no use.
    Nothing,
}

/// A proof that takes little: exact, or else under such an assumption; nothing if there
/// is no arithmetic to assume anything of.
///
/// A counter that might wrap makes hard questions of what is easy without, or a model
/// that no run confirms: both are better asked under the assumption before solvers are
/// asked at length. Where the sizes are numbers the exact way decides almost always.
pub(crate) fn prove_soon(
    session: &mut Session,
    case: &Case<'_>,
    options: &CheckOptions,
) -> Result<Accepted, SolverError> {
    let is_free = options.premises().is_size_free();
    let wanted = is_free && !options.strict && options.patience == Patience::Full;
    if !wanted || assumable(&case.facts).is_empty() {
        return Ok(Accepted::Nothing);
    }
    // Most of the time is for those who ask at length and look for runs.
    let time_limit = options.time_limit.map(|limit| limit / SOON);
    let quick = CheckOptions {
        patience: Patience::Little,
        verdict_only: true,
        time_limit,
        ..options.clone()
    };
    let exact = check_under(session, case, &quick, InRange::new(), None)?;
    if exact.verdict == Verdict::Proved {
        return Ok(Accepted::Proof(Box::new(exact)));
    }
    prove(session, case, &quick, &exact)
}

/// A proof under an assumption about as few lines as could be found.
pub(crate) fn prove(
    session: &mut Session,
    case: &Case<'_>,
    options: &CheckOptions,
    exact: &KernelReport,
) -> Result<Accepted, SolverError> {
    let facts = &case.facts;
    let lines = assumable(facts);
    if options.strict || lines.is_empty() || !may_help(exact) {
        return Ok(Accepted::Nothing);
    }
    // SOUNDNESS: what a run shows is not assumed away. A conversion that changes a value
    // is no undefined behaviour (kernels/soundness/91-generator-converts).
    let subject = case.subject(options);
    if runs::fail_soon(&subject, &exact.findings, exact.example.as_ref()) {
        return Ok(Accepted::Nothing);
    }
    let left = options.time_limit.unwrap_or(Duration::MAX).saturating_sub(exact.took);
    let time_limit = Some(left.min(FIRST_TIME));
    let mut attempt = CheckOptions { verdict_only: true, time_limit, ..options.clone() };
    let mut best = check_under(session, case, &attempt, union(&lines), None)?;
    if best.verdict != Verdict::Proved {
        return Ok(Accepted::Nothing);
    }
    let end = Instant::now() + MIN_TIME.max(best.took * 4);
    attempt.time_limit = Some(best.took * 2 + Duration::from_millis(500));
    let kept = drop_lines(lines, |fewer, attempts| {
        if attempts >= MAX_ATTEMPTS || Instant::now() > end {
            return Ok(false);
        }
        // What is not inductive under more assumptions is not under fewer.
        let among = best.invariants.clone();
        let report = check_under(session, case, &attempt, union(fewer), Some(&among))?;
        let proved = report.verdict == Verdict::Proved;
        if proved {
            best = KernelReport { rules: of_more(&best.rules, &report.rules), ..report };
        }
        Ok(proved)
    })?;
    let assumed = union(&kept);
    Ok(match subject.is_met_by_runs(&assumed, &facts.loops, best.example.as_ref()) {
        true => Accepted::Proof(Box::new(best)),
        false => Accepted::NotMet(in_words(facts, &assumed)),
    })
}

/// All operations that may be assumed to stay in range.
pub(crate) fn everything(facts: &KernelFacts<'_>) -> InRange {
    union(&assumable(facts))
}

/// Drops what is not needed, large parts first.
fn drop_lines(
    mut lines: Vec<InRange>,
    mut is_enough: impl FnMut(&[InRange], usize) -> Result<bool, SolverError>,
) -> Result<Vec<InRange>, SolverError> {
    let mut attempts = 0;
    let mut size = lines.len().div_ceil(2);
    while size > 0 {
        let mut from = 0;
        while from < lines.len() && lines.len() > 1 {
            let mut fewer = lines.clone();
            fewer.drain(from..(from + size).min(lines.len()));
            attempts += 1;
            match !fewer.is_empty() && is_enough(&fewer, attempts)? {
                true => lines = fewer,
                false => from += size,
            }
        }
        size /= 2;
    }
    Ok(lines)
}

/// Is everything assumed that may be?
pub(crate) fn assumes_all(facts: &KernelFacts<'_>, in_range: &InRange) -> bool {
    union(&assumable(facts)) == *in_range
}

fn union(lines: &[InRange]) -> InRange {
    lines.iter().flatten().copied().collect()
}

/// Could an assumption about values turn the findings into a proof?
fn may_help(report: &KernelReport) -> bool {
    let about_values = |finding: &Finding| {
        finding.severity == Severity::Warning
            || Property::of_rule(finding.rule).is_some()
                && !matches!(finding.why, Why::NotModelled(_))
    };
    report.verdict == Verdict::Unproven && report.findings.iter().all(about_values)
}

/// What an assumption says, for the verdict.
pub(crate) fn in_words(facts: &KernelFacts<'_>, in_range: &InRange) -> Vec<String> {
    let lines = |converted: bool| -> BTreeSet<u32> {
        let of_kind = in_range.iter().filter(|&&inst| facts.func.into_signed[inst] == converted);
        of_kind.filter_map(|&inst| facts.line_of(inst)).collect()
    };
    let mut list = vec![];
    if let Some(places) = places(&lines(false)) {
        list.push(format!("there is no signed overflow at {places}"));
    }
    if let Some(places) = places(&lines(true)) {
        list.push(format!("what is put into a signed variable at {places} fits it"));
    }
    list
}

/// `line 3`, `lines 3 and 4`.
fn places(lines: &BTreeSet<u32>) -> Option<String> {
    let numbers: Vec<String> = lines.iter().map(u32::to_string).collect();
    match &numbers[..] {
        [] => None,
        [one] => Some(format!("line {one}")),
        [first @ .., last] => Some(format!("lines {} and {last}", first.join(", "))),
    }
}

/// The operations that may be assumed to stay in range and on which an address, a
/// branch or a statement depends, by line.
fn assumable(facts: &KernelFacts<'_>) -> Vec<InRange> {
    let mut lines: BTreeMap<(Option<u32>, bool), InRange> = BTreeMap::new();
    for inst in relevant(facts.func) {
        if may_be_assumed(facts.func, inst) {
            let key = (facts.line_of(inst), facts.func.into_signed[inst]);
            lines.entry(key).or_default().insert(inst);
        }
    }
    // SOUNDNESS: what cannot be named in the verdict is not assumed (test
    // `what_has_no_line_is_not_assumed`).
    lines.into_iter().filter(|((line, _), _)| line.is_some()).map(|(_, insts)| insts).collect()
}

/// The instructions that addresses, branches and statements depend on.
fn relevant(func: &Function) -> BTreeSet<Inst> {
    let mut open: Vec<Value> = vec![];
    let mut sources: BTreeMap<Value, Vec<Value>> = BTreeMap::new();
    for &block in &func.layout {
        for &inst in &func.blocks[block].insts {
            open.extend(judged(&func.insts[inst]));
        }
        let terminator = &func.blocks[block].terminator;
        match terminator {
            Terminator::Branch { cond, .. } => open.push(*cond),
            Terminator::Switch { arg, .. } => open.push(*arg),
            Terminator::Jump(_) | Terminator::Return(_) | Terminator::Halt => {}
        }
        for Edge { block: to, args } in terminator.edges() {
            for (&param, &arg) in func.blocks[*to].params.iter().zip(args) {
                sources.entry(param).or_default().push(arg);
            }
        }
    }
    let mut seen: BTreeSet<Value> = BTreeSet::new();
    let mut found = BTreeSet::new();
    while let Some(value) = open.pop() {
        if !seen.insert(value) {
            continue;
        }
        match func.values[value] {
            ValueDef::Result(inst, _) => {
                found.insert(inst);
                open.extend(func.insts[inst].values());
            }
            ValueDef::BlockParam(..) => {
                open.extend(sources.get(&value).into_iter().flatten().copied());
            }
            ValueDef::Const(_) | ValueDef::FunctionParam(_) => {}
        }
    }
    found
}

/// The operands of an instruction that a property may depend on by themselves: where it
/// touches memory, and what it states.
fn judged(data: &InstData) -> Vec<Value> {
    match data.effect() {
        Effect::Memory => data.accesses().iter().map(|(_, access)| access.offset).collect(),
        Effect::Statement => data.values(),
        Effect::None
        | Effect::MayFail
        | Effect::Barrier(_)
        | Effect::Exchange
        | Effect::Fence
        | Effect::WaitsForCopies
        | Effect::Call(_)
        | Effect::CallUnknown => vec![],
    }
}
