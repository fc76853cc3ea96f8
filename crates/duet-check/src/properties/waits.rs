//! Waits for asynchronous copies of OpenCL.
//!
//! The threads of a group wait together: each of them makes every wait, with the same
//! events (OpenCL C 3.0, 6.15.11). Anything else is undefined, like a barrier that some
//! threads do not reach, and is reported as that.
//!
//! SOUNDNESS: a wait is passed over only if every thread gets there and each of its events
//! is, as a term of the walk through the whole kernel, what one call of a copy yields;
//! that the threads make that call alike is checked with the copies
//! (kernels/async/some-wait-bug, kernels/async/other-event-bug). An event that is chosen, or
//! that a loop brings, is open.

use std::collections::BTreeSet;

use duet_ir::{BarrierScope, EntityRef, Inst, InstData, Language, Rule};
use duet_product::{Context, Scope};
use duet_smt::TermId;
use duet_vc::Walk;

use crate::check::Check;
use crate::report::Why;

/// Looks at the waits of a kernel.
pub(crate) struct Waits<'c, 's, 'f> {
    pub(crate) check: &'c mut Check<'s, 'f>,
}

impl Waits<'_, '_, '_> {
    /// Every wait must be made by all threads of the group, for the same events.
    pub(crate) fn check_waits(&mut self) {
        let facts = self.check.facts;
        let is_wait = |inst: &Inst| matches!(facts.func.insts[*inst], InstData::WaitEvents { .. });
        let is_opencl = facts.module.language == Language::OpenCl;
        let waits: Vec<Inst> = facts.func.insts_in_order().filter(is_wait).collect();
        if !is_opencl || waits.is_empty() {
            return;
        }
        let walk = self.check.walker.walk_alone();
        let events = self.events(&walk);
        for wait in waits {
            let why = if self.may_be_skipped(wait) {
                "some threads of a group may wait here and others not"
            } else if !is_for_calls(&walk, &events, wait) {
                "the threads of a group may wait for different events here"
            } else {
                continue;
            };
            if !self.check.report_if_shown(Rule::BarrierDivergence, wait, Some(wait)) {
                let why = Why::Stated(why.to_string());
                self.check.report(Rule::BarrierDivergence, wait, Some(wait), why);
            }
        }
    }

    /// May a thread of the group get there while another does not, or more often?
    fn may_be_skipped(&self, wait: Inst) -> bool {
        let facts = self.check.facts;
        let Some(block) = facts.block_of(wait) else { return false };
        let of_block = |row: &&duet_product::Row| row.scope == Scope::Block;
        let in_unaligned_loop = facts.program.rows.iter().filter(of_block).any(|row| {
            let Some(aligned) = row.families.iter().find(|family| family.aligned) else {
                return true;
            };
            let open = facts.unaligned_loops(row, aligned);
            open.iter().any(|&id| {
                facts.loops.contains(id, block)
                    && facts.uniformity.may_be_left_apart(id, BarrierScope::Block)
            })
        });
        in_unaligned_loop || facts.uniformity.may_be_divergent_block(block, BarrierScope::Block)
    }

    /// What the calls of copies yield.
    fn events(&self, walk: &Walk) -> BTreeSet<TermId> {
        let func = self.check.facts.func;
        let is_copy = |inst: &Inst| matches!(func.insts[*inst], InstData::AsyncCopy { .. });
        let copies = func.insts_in_order().filter(is_copy);
        copies
            .filter_map(|copy| walk.values.get(&(Context::new(0), func.result(copy))).copied())
            .collect()
    }
}

/// Is every event of the wait what a call yields?
fn is_for_calls(walk: &Walk, calls: &BTreeSet<TermId>, wait: Inst) -> bool {
    let mut of_wait = walk.waits.iter().filter(|(inst, _)| *inst == wait);
    of_wait.all(|(_, events)| events.iter().all(|event| calls.contains(event)))
}
