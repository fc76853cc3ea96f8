//! Loop invariants: guessed, and sorted out.
//!
//! [`search`] finds out which candidates about one thread hold, with the engines of
//! [`sorting`], which serve other encodings too; [`proof_cache`] keeps on disk which ones a
//! proof kept. The rest of this page is about the rules that make candidates up.
//!
//! A *rule* looks at a loop and states what may hold at every visit of its header
//! ([`RULES`], one file each, named and numbered as in the paper
//! *candidate-invariants*, appendix A, where it comes from there). What it states is
//! a [`duet_vc::Candidate`]: a guess. It may be wrong without harm, since nothing
//! uses a candidate before it was proved; it costs time.
//!
//! # What rules are not needed for
//!
//! In our encoding a candidate speaks of one thread's variables. Some of the paper's
//! rules are about pairs of threads or about logged accesses, and have another home:
//!
//! * *guardMinusInitialUniform* (r7), *loopPredicateEquality* (r11) and
//!   *predicatedEquality* (r16) relate the two threads at aligned visits. There the
//!   two walks share the count of visits and every value that is uniform, so a
//!   counter minus its first value is the same term in both
//!   (`kernels/papers/rule-uniform-guard`, `kernels/barriers/equal-trips`).
//! * *conditionsImpliedByEnabledness*: a condition that was passed before the loop is
//!   about values that the loop cannot change (the IR is in SSA form), and stays a
//!   fact inside (`kernels/papers/rule-enclosing-scopes`).
//! * Linear relations between two counters, divisibility by a stride that is an
//!   argument or a size, equality with the value on entry: closed forms over one count
//!   of visits say all of it.
//! * Bounds of pointers that are bumped: a pointer is an array and an offset, and the
//!   offset is an integer like any other (`loopBound`).
//! * r0 to r6, r12, r13 and r18 are about logged accesses. There is no log: an
//!   arbitrary iteration stands for all of them.
//!
//! Rules ask no solver and never decide whether a candidate holds: that is the business
//! of [`search`]. This crate produces no text for users and knows no property of kernels.

// A new instruction, annotation or operation does not compile until every place that it
// concerns handles it.
#![warn(clippy::wildcard_enum_match_arm)]

pub mod proof_cache;
mod rule_counts;
mod rules;
pub mod search;
pub mod sorting;
mod states;

use std::collections::BTreeSet;

use duet_analysis::Loop;
use duet_ir::Value;
use duet_product::KernelFacts;
use duet_vc::{Candidate, LoopView, Source};

pub use rule_counts::{RuleCount, by_rule, inference_rules, of_more, rule_counts};
pub use rules::{RULES, Rule};
pub use search::{Found, InferOptions, Inference, Invariant, Search, holds_at_all_loops};
pub use sorting::{Composition, Engine, EngineWork};
pub use states::{HeaderStates, States};

/// A loop for which candidates are wanted.
#[derive(Clone, Copy)]
pub struct LoopInput<'a> {
    /// The kernel.
    pub kernel: &'a KernelFacts<'a>,
    /// The loop, seen from its header.
    pub view: LoopView<'a>,
    /// The states of all loops.
    pub states: &'a States,
    /// Parameters whose values are listed already: nothing else needs to be said.
    pub listed: &'a BTreeSet<Value>,
}

/// Rules about two threads and about logged accesses, of which only the names are known
/// here: `duet-logs` holds them.
pub const RULES_ABOUT_LOGS: &[&str] = &[
    "accessBreak",
    "accessedOffsetsSatisfyPredicates",
    "accessLowerBoundBlock",
    "accessOnlyIfEnabledInEnclosingScopes",
    "accessUpperBoundBlock",
    "closedForm",
    "conditionsImplyingEnabledness",
    "disabledMaintainsInstrumentation",
    "guardMinusInitialIsUniform",
    "loggedIteration",
    "loopPredicateEquality",
    "noatomic",
    "noread",
    "nowrite",
    "predicatedEquality",
    "sameWarpNoAccess",
];

/// Which rules are used.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Selection {
    /// Only these, if there are any.
    pub only: BTreeSet<String>,
    /// Not these.
    pub omit: BTreeSet<String>,
}

impl Selection {
    fn includes(&self, rule: &Rule) -> bool {
        self.includes_name(rule.name)
    }

    /// Is the rule of this name used?
    pub fn includes_name(&self, name: &str) -> bool {
        (self.only.is_empty() || self.only.contains(name)) && !self.omit.contains(name)
    }

    /// Of these rules the ones that list the few values of counters, if there are any.
    pub fn only_states(&self) -> Option<Selection> {
        let lists = RULES.iter().filter(|rule| rule.lists_states && self.includes(rule));
        let only: BTreeSet<String> = lists.map(|rule| rule.name.to_string()).collect();
        (!only.is_empty()).then_some(Selection { only, omit: BTreeSet::new() })
    }

    /// The names that no rule has.
    pub fn unknown_names(&self) -> Vec<&str> {
        let is_unknown = |name: &&String| {
            RULES.iter().all(|rule| rule.name != name.as_str())
                && !RULES_ABOUT_LOGS.contains(&name.as_str())
        };
        self.only.iter().chain(&self.omit).filter(is_unknown).map(String::as_str).collect()
    }
}

/// The candidates of all loops.
pub fn guess(kernel: &KernelFacts<'_>, selection: &Selection) -> Vec<(Loop, Candidate)> {
    let mut found = vec![];
    if !kernel.loops.is_reducible() {
        return found;
    }
    let states = states::States::new(kernel.func, &kernel.loops, &kernel.ranges);
    for (id, _) in kernel.loops.iter() {
        let view = LoopView { facts: kernel, id };
        let mut listed = BTreeSet::new();
        // The first rule lists states; the others leave alone what it covers.
        for rule in RULES.iter().filter(|rule| selection.includes(rule)) {
            let input = LoopInput { kernel, view, states: &states, listed: &listed };
            let source = Source::Rule(rule.name);
            let exprs = (rule.guess)(&input);
            if rule.lists_states && !exprs.is_empty() {
                listed = states.of(id).into_iter().flat_map(|one| &one.values).copied().collect();
            }
            found.extend(exprs.into_iter().map(|expr| (id, Candidate { source, expr })));
        }
    }
    found
}
