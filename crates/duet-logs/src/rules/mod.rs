//! Rules that make up candidates about two threads and about logs, one file each.
//!
//! Names and numbers are those of the paper *candidate-invariants*, appendix A, where a rule
//! comes from there. What a rule states is a guess.

mod access_bounds_block;
mod access_break;
mod access_only_if_enabled;
mod accessed_offsets;
mod closed_form;
mod conditions_implying_enabledness;
mod disabled_maintains;
mod guard_minus_initial;
mod linear;
mod logged_iteration;
mod loop_predicate_equality;
mod no_access;
mod predicated_equality;
mod same_warp_no_access;

use duet_analysis::{LaunchSpec, Loop};
use duet_infer::Selection;
use duet_ir::{Type, Value};

pub(crate) use closed_form::closed_forms;

use crate::log::Key;
use crate::statement::{Candidate, Statement};
use crate::walk::{Lockstep, Row};

/// A way to make candidates up.
pub(crate) struct LogRule {
    /// Its name.
    pub name: &'static str,
    /// Its number in the paper.
    pub number: Option<u8>,
    /// The candidates for a loop.
    pub guess: fn(&Input<'_, '_>) -> Vec<Statement>,
}

/// All rules.
pub(crate) const RULES: &[LogRule] = &[
    access_break::RULE,
    accessed_offsets::RULE,
    access_bounds_block::LOWER,
    access_bounds_block::UPPER,
    access_only_if_enabled::RULE,
    conditions_implying_enabledness::RULE,
    disabled_maintains::RULE,
    guard_minus_initial::RULE,
    loop_predicate_equality::RULE,
    no_access::NO_READ,
    no_access::NO_WRITE,
    no_access::NO_ATOMIC,
    predicated_equality::RULE,
    same_warp_no_access::RULE,
    logged_iteration::RULE,
];

/// The rules about two threads and about logs: names, and numbers in the paper.
pub fn log_rules() -> Vec<(&'static str, Option<u8>)> {
    let own = std::iter::once(("closedForm", None));
    RULES.iter().map(|rule| (rule.name, rule.number)).chain(own).collect()
}

/// A loop for which candidates are wanted.
pub(crate) struct Input<'a, 'k> {
    /// The walk that is to be made.
    pub lockstep: &'a Lockstep<'k>,
    /// The loop.
    pub id: Loop,
    /// The launch.
    pub launch: &'a LaunchSpec,
}

impl Input<'_, '_> {
    /// What the loop may log, or take out of the log.
    pub fn keys(&self) -> Vec<Key> {
        let all = self.lockstep.log.keys().copied();
        all.filter(|&key| self.lockstep.changes_log(self.id, key)).collect()
    }

    /// Does the loop log this itself?
    pub fn logs(&self, key: Key) -> bool {
        let facts = self.lockstep.setting.facts;
        self.lockstep.sites.iter().any(|site| {
            let block = facts.block_of(site.inst);
            site.key == key && block.is_some_and(|block| facts.loops.contains(self.id, block))
        })
    }

    /// What the loop logs itself.
    pub fn logged_keys(&self) -> Vec<Key> {
        self.keys().into_iter().filter(|&key| self.logs(key)).collect()
    }

    /// The offsets of the loop's accesses.
    pub fn offsets(&self, key: Key) -> Vec<Value> {
        let facts = self.lockstep.setting.facts;
        let is_inside = |inst| {
            let block = facts.block_of(inst);
            block.is_some_and(|block| facts.loops.contains(self.id, block))
        };
        let sites = self.lockstep.sites.iter().filter(|site| site.key == key);
        let mut offsets: Vec<Value> =
            sites.filter(|site| is_inside(site.inst)).map(|site| site.offset).collect();
        offsets.sort_unstable();
        offsets.dedup();
        offsets
    }

    /// The integer parameters of the header.
    pub fn integers(&self) -> Vec<(usize, Value)> {
        let facts = self.lockstep.setting.facts;
        let header = facts.loops.data(self.id).header;
        let params = facts.func.blocks[header].params.iter().copied().enumerate();
        let is_integer = |value: Value| {
            let ty = facts.func.type_of(value);
            ty.is_int() && ty != Type::BOOL
        };
        params.filter(|&(_, value)| is_integer(value)).collect()
    }

    /// May a value differ between the two threads, as far as is known?
    pub fn may_differ(&self, value: Value) -> bool {
        let setting = &self.lockstep.setting;
        !setting.options.uniformity
            || setting.facts.uniformity.may_be_divergent(value, self.lockstep.row.scope())
    }
}

/// The candidates of all loops, for two threads.
pub(crate) fn guess(
    lockstep: &Lockstep<'_>,
    selection: &Selection,
    launch: &LaunchSpec,
) -> Vec<Candidate> {
    let mut found = vec![];
    if lockstep.row == Row::Alone {
        return found;
    }
    for (id, _) in lockstep.setting.facts.loops.iter() {
        for rule in RULES.iter().filter(|rule| selection.includes_name(rule.name)) {
            let statements = (rule.guess)(&Input { lockstep, id, launch });
            let candidates = statements.into_iter();
            found.extend(candidates.map(|statement| Candidate { id, rule: rule.name, statement }));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The names that `duet-infer` lists are those of rules, and the numbers are the paper's.
    #[test]
    fn names_of_rules_are_known_to_the_options() {
        let mut names: Vec<&str> = log_rules().into_iter().map(|(name, _)| name).collect();
        names.sort_unstable_by_key(|name| name.to_lowercase());
        let mut known = duet_infer::RULES_ABOUT_LOGS.to_vec();
        known.sort_unstable_by_key(|name| name.to_lowercase());
        assert_eq!(names, known);
        let mut numbers: Vec<u8> =
            log_rules().into_iter().filter_map(|(_, number)| number).collect();
        numbers.sort_unstable();
        assert_eq!(numbers, [0, 1, 2, 3, 4, 5, 6, 7, 11, 12, 13, 16, 18]);
    }
}
