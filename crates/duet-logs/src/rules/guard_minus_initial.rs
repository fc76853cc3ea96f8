//! *guardMinusInitialIsUniform* (r7): a counter has come as far in both threads.
//!
//! A counter is a parameter on which a way out of the loop depends.

use std::collections::BTreeSet;

use duet_ir::{Block, Terminator, Value, ValueDef};

use super::{Input, LogRule};
use crate::statement::Statement;

/// The rule.
pub(crate) const RULE: LogRule = LogRule {
    name: "guardMinusInitialIsUniform",
    number: Some(7),
    guess: |input| {
        let guards = guards(input);
        let is_counter = |value: Value| guards.contains(&value) && input.may_differ(value);
        let apart = input.integers().into_iter().filter(|&(_, value)| is_counter(value));
        apart.map(|(number, _)| Statement::SameDistance(number)).collect()
    },
};

/// The values on which it depends whether a thread leaves the loop.
fn guards(input: &Input<'_, '_>) -> BTreeSet<Value> {
    let facts = input.lockstep.setting.facts;
    let is_inside = |block: Block| facts.loops.contains(input.id, block);
    let mut found = BTreeSet::new();
    let mut open = vec![];
    for &block in &facts.loops.data(input.id).blocks {
        let terminator = &facts.func.blocks[block].terminator;
        if terminator.edges().iter().all(|edge| is_inside(edge.block)) {
            continue;
        }
        match terminator {
            Terminator::Branch { cond, .. } => open.push(*cond),
            Terminator::Switch { arg, .. } => open.push(*arg),
            Terminator::Jump(_) | Terminator::Return(_) | Terminator::Halt => {}
        }
    }
    while let Some(value) = open.pop() {
        let is_new = facts.homes.of(value).is_some_and(is_inside) && found.insert(value);
        if let (ValueDef::Result(inst, _), true) = (&facts.func.values[value], is_new) {
            open.extend(facts.func.insts[*inst].values());
        }
    }
    found
}
