//! *conditionsImplyingEnabledness* (r5): a thread is in the loop only if it is enabled in all
//! scopes around it, and as long as the loop's own condition holds.
//!
//! The second part is about loops that test at their heads: a thread that is not in the loop
//! any more found the condition false at its last visit. It fails where a thread may leave
//! from the middle.

use duet_ir::Terminator;

use super::{Input, LogRule};
use crate::statement::Statement;

/// The rule.
pub(crate) const RULE: LogRule = LogRule {
    name: "conditionsImplyingEnabledness",
    number: Some(5),
    guess: |input| {
        let mut found = vec![Statement::ActiveOnlyIfEntered];
        found.extend(while_tested(input));
        found
    },
};

/// The condition at the head by which a thread stays, where threads may leave apart.
fn while_tested(input: &Input<'_, '_>) -> Option<Statement> {
    let facts = input.lockstep.setting.facts;
    let header = facts.loops.data(input.id).header;
    let Terminator::Branch { cond, then, otherwise } = &facts.func.blocks[header].terminator else {
        return None;
    };
    let stays = facts.loops.contains(input.id, then.block);
    let is_test = stays != facts.loops.contains(input.id, otherwise.block);
    (is_test && !input.lockstep.leaves_together(input.id))
        .then_some(Statement::ActiveIf(*cond, stays))
}
