//! One finding for one place: races of one line with several others, and copies of one
//! line that unrolling or inlining made, are one finding, with the other places noted.
//!
//! This changes what is listed, not what is concluded: a group is refuted if one of it is,
//! and stands against the same properties.

use std::collections::BTreeMap;

use duet_ir::{Array, Inst, Rule, Severity, SourceSpan};
use duet_product::KernelFacts;

use crate::report::{Finding, KernelReport};

/// What findings of one place have in common.
type Key = (Rule, Severity, SourceSpan, Vec<Array>);

/// Joins the findings of one place. They are in order.
pub(crate) fn join(facts: &KernelFacts<'_>, report: &mut KernelReport) {
    let mut groups: Vec<(Option<Key>, Vec<Finding>)> = vec![];
    for finding in std::mem::take(&mut report.findings) {
        let key = key_of(facts, &finding);
        let group = groups.iter_mut().find(|(known, _)| key.is_some() && *known == key);
        match group {
            Some((_, members)) => members.push(finding),
            None => groups.push((key, vec![finding])),
        }
    }
    report.other_places = BTreeMap::new();
    for (number, (_, mut members)) in groups.into_iter().enumerate() {
        let chosen = members.iter().position(Finding::is_refuted).unwrap_or(0);
        let finding = members.remove(chosen);
        let others = other_places(facts, &finding, &members);
        if !others.is_empty() {
            report.other_places.insert(number, others);
        }
        report.findings.push(finding);
    }
}

fn key_of(facts: &KernelFacts<'_>, finding: &Finding) -> Option<Key> {
    let inst = finding.primary?;
    let mut span = facts.module.span_of_inst(facts.func, inst)?;
    let accesses = facts.func.insts[inst].accesses();
    // Of a race the line says enough; there may be several assertions on one.
    if finding.rule.is_race() || finding.rule == Rule::BenignWriteWriteRace {
        span.column = 0;
    }
    let arrays = accesses.into_iter().map(|(_, access)| access.array).collect();
    Some((finding.rule, finding.severity, span, arrays))
}

/// The second places of further findings, each line once.
fn other_places(facts: &KernelFacts<'_>, finding: &Finding, more: &[Finding]) -> Vec<Inst> {
    let line =
        |inst: Inst| facts.module.span_of_inst(facts.func, inst).map(|span| (span.file, span.line));
    let mut known = vec![finding.secondary.and_then(line)];
    let mut others = vec![];
    for inst in more.iter().filter_map(|one| one.secondary) {
        let place = line(inst);
        if !known.contains(&place) {
            known.push(place);
            others.push(inst);
        }
    }
    others
}
