//! The check of a kernel for one launch: first all but the bounds of what the host
//! allocates, then these, with a part of the work.
//!
//! Bounds count where the host code was followed to its input: every size and argument is
//! a number or computed from what the program reads. Then an access that is not proved to
//! stay inside may leave it. Where something could not be followed (a device property, the
//! result of an unknown call, a loop's value), bounds that are not proved and that no run
//! shows to be broken leave the verdict as it is: they may fail only for values that never
//! occur. The verdict then assumes that accesses stay inside their arrays, as verdicts
//! without a host do, and says so. If bounds are asked for (`--check-array-bounds`), they
//! stand against it everywhere.

use std::sync::PoisonError;
use std::time::Duration;

use duet_ask::Session;
use duet_check::{
    CheckOptions, Finding, HostLaunch, KernelReport, Property, PropertyStatus, Verdict, Why,
    check_kernel, fails_in_small_runs,
};
use duet_ir::{Rule, Severity, WellFormed};
use duet_smt::solver::SolverError;

use super::{LightCheck, SiteCopies};

/// The assumption of a verdict that is not about bounds.
const INSIDE: &str = "accesses stay inside their arrays";
/// How the same begins where bounds are asked for.
const BELOW: &str = "accesses stay below the end of ";
/// The same where the host's memory was looked at.
const INSIDE_OTHERS: &str =
    "accesses stay inside their arrays, but for memory that the host allocates: that is checked";
/// The most work for bounds, and the part of all the work.
const MOST_WORK: u64 = 50_000_000;
const PART: u64 = 4;
/// The part of the time for bounds where what is not proved of them stays an assumption: most
/// of it is decided at once, and the launches of a file share their time.
const UNASKED_PART: (usize, usize) = (1, 8);
/// The most work for an attempt from constants alone, and the part of the time that is left.
const LIGHT_WORK: u64 = 150_000_000;
/// What it has in any case, up to twice the work of a launch: it is made once for several.
const LEAST_LIGHT_WORK: u64 = 30_000_000;
const LIGHT_PART: (usize, usize) = (1, 2);
/// The same for kernels with fences.
const FENCED_LIGHT_WORK: u64 = 500_000_000;
const FENCED_LIGHT_PART: (usize, usize) = (3, 4);
/// An attempt that was cut short is made again with so many times its time.
const WORTH_ANOTHER: u32 = 2;

/// Checks the copies of a kernel for a launch. Findings are about the bounded one.
///
/// # Errors
/// If a solver cannot be asked.
pub fn check_site(
    session: &mut Session,
    module: &WellFormed,
    site: &SiteCopies,
    options: &CheckOptions,
) -> Result<KernelReport, SolverError> {
    if let Some(known) = site.checked.proved() {
        let name = module.functions[site.copies.bounded].name.clone();
        return Ok(KernelReport { name, launch: options.launch.clone(), ..known });
    }
    let mut report = check_copies(session, module, site, options)?;
    drop_what_time_explains(&mut report.findings);
    site.checked.keep(&report);
    Ok(report)
}

/// Where the time ran out, that nothing was shown to meet the facts says no more than that.
/// The verdict stays: `time-limit` stands against a proof as well.
fn drop_what_time_explains(findings: &mut Vec<Finding>) {
    let is_late =
        findings.iter().any(|one| one.rule == Rule::TimeLimit && one.severity == Severity::Error);
    findings.retain(|one| !(is_late && one.rule == Rule::NotShownSatisfiable));
}

fn check_copies(
    session: &mut Session,
    module: &WellFormed,
    site: &SiteCopies,
    options: &CheckOptions,
) -> Result<KernelReport, SolverError> {
    let copies = site.copies;
    let options = CheckOptions {
        likely: site.likely.clone(),
        runs_likely: site.is_shared,
        ..options.begun()
    };
    let is_followed = options.host.as_ref().is_some_and(HostLaunch::is_followed);
    let may_fail = site.is_shared && options.refute && !is_followed;
    let launch_fails = may_fail && fails_in_small_runs(module, copies.plain, &options);
    let options = &CheckOptions { launch_fails, ..options };
    let light = match launch_fails {
        true => None,
        false => check_light(session, module, site, options)?,
    };
    let mut report = match light {
        Some(report) => report,
        None => check_kernel(session, module, copies.plain, options)?,
    };
    report.name = module.functions[copies.bounded].name.clone();
    if copies.bounded == copies.plain || report.verdict == Verdict::Refuted {
        return Ok(report);
    }
    let is_asked = options.check_bounds || is_followed;
    // A run of a launch that is not followed shows no access out of bounds, so only a proof
    // would say something, and only where all else is proved.
    if !is_asked && report.verdict != Verdict::Proved {
        return Ok(report);
    }
    let (part, of) = if is_asked { (1, 1) } else { UNASKED_PART };
    let limit = (options.work / PART).min(MOST_WORK);
    // SOUNDNESS: bounds rest on the absence of races, which is not looked at here; so they
    // are only claimed where the plain copy is proved (kernels/programs/stale-index-bug.cu).
    let about_bounds = CheckOptions {
        only_divergence: true,
        check_bounds: false,
        refute: options.refute && is_asked,
        fence: options.fence.part(part, of),
        ..options.with_work(limit)
    };
    let bounds = check_kernel(session, module, copies.bounded, &about_bounds)?;
    report.took += bounds.took;
    report.work += bounds.work;
    report.in_solvers += bounds.in_solvers;
    merge(&mut report, bounds, is_asked);
    Ok(report)
}

/// A proof from constant sizes and arguments alone. Most kernels guard their accesses, and
/// need no more; what the host computes only makes the questions harder. Launches that have
/// the copy in common have what comes of it in common too.
///
/// A kernel of which a fence is all that is missing, and of which no run can show it
/// ([`CheckOptions::mends`]), is left open here too: what the host computes is no fence.
///
/// SOUNDNESS: the light copy is run by every launch that runs the other, and by more
/// (kernels/programs/known-width.cu is not proved for it). A report with other findings
/// would be about values of another copy, so only one without is accepted.
fn check_light(
    session: &mut Session,
    module: &WellFormed,
    site: &SiteCopies,
    options: &CheckOptions,
) -> Result<Option<KernelReport>, SolverError> {
    let Some(light) = &site.light else { return Ok(None) };
    let mut checked = light.checked.lock().unwrap_or_else(PoisonError::into_inner);
    let func = &module.functions[light.copy];
    let has_fences = func.insts_in_order().any(|inst| func.insts[inst].may_order_others());
    // Where the host's values matter, this attempt must leave the other its time. They are
    // no fences, so fences are mostly looked for here.
    let (part, of) = if has_fences { FENCED_LIGHT_PART } else { LIGHT_PART };
    let fence = options.fence.part(part, of);
    let time = fence.left();
    match &*checked {
        LightCheck::Done(known) => {
            return Ok(known.as_deref().map(|report| of_another(report, options)));
        }
        LightCheck::CutShort(had) if time < had.saturating_mul(WORTH_ANOTHER) => return Ok(None),
        LightCheck::CutShort(_) | LightCheck::Untried => {}
    }
    let limit = match has_fences {
        true => options.work.min(FENCED_LIGHT_WORK),
        false => {
            let most = options.work.saturating_mul(2).min(LIGHT_WORK);
            (options.work / PART).max(LEAST_LIGHT_WORK).min(most)
        }
    };
    let quick = CheckOptions {
        launch: light.launch.clone(),
        // Protocols are looked for between all accesses that may race.
        verdict_only: !has_fences,
        is_first_look: !has_fences,
        mends: has_fences,
        refute: false,
        likely: None,
        runs_likely: false,
        fence,
        work: limit,
        ..options.clone()
    };
    let mut report = check_kernel(session, module, light.copy, &quick)?;
    report.asked.clear();
    report.launch = options.launch.clone();
    let is_late = fence.is_past();
    let is_proved = report.verdict == Verdict::Proved && report.findings.is_empty();
    let accepted = is_proved.then(|| report.clone()).or_else(|| only_a_fence(report));
    // What a limit of time left open may be proved for a launch that has more.
    *checked = match accepted.is_none() && is_late {
        true => LightCheck::CutShort(time),
        false => LightCheck::Done(accepted.clone().map(Box::new)),
    };
    Ok(accepted)
}

/// The report on a copy for another launch that has it in common.
fn of_another(report: &KernelReport, options: &CheckOptions) -> KernelReport {
    KernelReport {
        launch: options.launch.clone(),
        took: Duration::ZERO,
        work: 0,
        in_solvers: Duration::ZERO,
        ..report.clone()
    }
}

/// The report, if it says that a fence is all that is missing. States of solvers are about
/// the copy with constants only, so they are left out.
fn only_a_fence(mut report: KernelReport) -> Option<KernelReport> {
    let is_missing = |finding: &Finding| finding.rule == Rule::MissingFence;
    let is_it = report.verdict == Verdict::Unproven && report.findings.iter().any(is_missing);
    for finding in report.findings.iter_mut().filter(|one| one.rule != Rule::MissingFence) {
        let text = "only a fence is missing, whatever the host passes";
        finding.why = Why::Stated(text.to_string());
        finding.obstacles.clear();
    }
    is_it.then_some(report)
}

fn merge(report: &mut KernelReport, bounds: KernelReport, is_asked: bool) {
    let (mut open, others): (Vec<_>, Vec<_>) =
        bounds.findings.into_iter().partition(|finding| finding.rule == Rule::OutOfBounds);
    let is_broken = open.iter().any(|finding| finding.is_refuted());
    if bounds.verdict == Verdict::Proved && report.verdict == Verdict::Proved {
        let about_bounds = |one: &&mut String| *one == INSIDE || one.starts_with(BELOW);
        for assumption in report.assumptions.iter_mut().filter(about_bounds) {
            *assumption = INSIDE_OTHERS.to_string();
        }
        set_status(report, PropertyStatus::Proved);
        return;
    }
    if !is_broken && !is_asked {
        return;
    }
    if open.is_empty() && report.findings.is_empty() {
        // Something else stood in the way, a limit for example.
        open = others;
    }
    let kept = open.into_iter().filter(|finding| is_asked || finding.is_refuted());
    report.findings.extend(kept);
    let (verdict, status) = match is_broken {
        true => (Verdict::Refuted, PropertyStatus::Refuted),
        false => (Verdict::Unproven, PropertyStatus::Unproven),
    };
    report.verdict = verdict;
    set_status(report, status);
}

fn set_status(report: &mut KernelReport, status: PropertyStatus) {
    for property in &mut report.properties {
        if property.property == Property::InBounds {
            property.status = status;
        }
    }
}

#[cfg(test)]
mod tests {
    use duet_check::{Finding, Why};
    use duet_ir::{Rule, Severity};

    use super::drop_what_time_explains;

    fn left(rules: &[Rule]) -> Vec<Rule> {
        let finding = |&rule: &Rule| Finding {
            rule,
            severity: Severity::Error,
            primary: None,
            secondary: None,
            why: Why::Stated(String::new()),
            obstacles: vec![],
        };
        let mut findings: Vec<Finding> = rules.iter().map(finding).collect();
        drop_what_time_explains(&mut findings);
        findings.into_iter().map(|one| one.rule).collect()
    }

    #[test]
    fn only_a_limit_of_time_explains_what_was_not_shown() {
        let (late, not_shown) = (Rule::TimeLimit, Rule::NotShownSatisfiable);
        assert_eq!(left(&[not_shown, late, Rule::OutOfBounds]), [late, Rule::OutOfBounds]);
        assert_eq!(left(&[not_shown]), [not_shown]);
        assert_eq!(left(&[Rule::OutOfBounds, not_shown]), [Rule::OutOfBounds, not_shown]);
    }
}
