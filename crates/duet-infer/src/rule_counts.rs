//! How many candidates each rule made, and how many of them hold.

use std::collections::BTreeMap;

use duet_vc::{Invariants, Source};

/// What came of a rule's candidates in a kernel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RuleCount {
    /// The rule.
    pub rule: &'static str,
    /// Candidates that no rule before it made.
    pub candidates: usize,
    /// Those that are invariants.
    pub kept: usize,
}

/// Names of the rules that guess loop invariants, in the order in which they are used.
pub fn inference_rules() -> Vec<&'static str> {
    crate::RULES.iter().map(|rule| rule.name).collect()
}

/// The rules of these candidates, with how often each occurs.
pub fn by_rule(invariants: &Invariants) -> BTreeMap<&'static str, usize> {
    let mut counts = BTreeMap::new();
    for candidate in invariants.all() {
        if let Source::Rule(name) = candidate.source {
            *counts.entry(name).or_default() += 1;
        }
    }
    counts
}

/// Of the candidates made and those that were kept.
pub fn rule_counts(
    made: &BTreeMap<&'static str, usize>,
    kept: &BTreeMap<&'static str, usize>,
) -> Vec<RuleCount> {
    let count = |(rule, candidates): (&&'static str, &usize)| RuleCount {
        rule,
        candidates: *candidates,
        kept: kept.get(rule).copied().unwrap_or(0),
    };
    made.iter().map(count).collect()
}

/// The candidates of a first search, and what was kept of them by a second that began
/// with what the first had kept.
pub fn of_more(first: &[RuleCount], second: &[RuleCount]) -> Vec<RuleCount> {
    let kept = |rule| second.iter().find(|one| one.rule == rule).map_or(0, |one| one.kept);
    first.iter().map(|one| RuleCount { kept: kept(one.rule), ..*one }).collect()
}
