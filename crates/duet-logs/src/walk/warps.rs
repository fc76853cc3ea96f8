//! Threads of one warp: barriers and exchanges of its lanes, and lock step (`--warp-sync`).
//!
//! A barrier of a warp orders two lanes that are both in its mask. An exchange orders nothing
//! and yields anything. Either waits for the lanes of its mask; kernels in which one of them
//! may stay away are rejected before the walk. That a lane is in the mask that it names is
//! shown of each thread alone.
//!
//! With lock step assumed, two threads of a warp that make an access together are ordered by
//! it: what the first did before and what it does there comes before whatever the second does
//! later. In the same step they are compared like any other two.

use duet_ir::{Block, Inst, Rule, Value};
use duet_product::KernelFacts;
use duet_smt::TermId;

use super::instructions::add_defect;
use super::{Lockstep, Row};

/// Lanes of a warp, as barriers and exchanges have them.
const WARP: u32 = 32;

/// Is it known that all lanes of the mask come to this barrier or exchange?
///
/// SOUNDNESS: the mask is one for the warp, and every lane comes by at every such place, so
/// that none is held up elsewhere (kernels/warp/mask-computed-bug).
pub(crate) fn lanes_meet(facts: &KernelFacts<'_>, block: Block, mask: Value) -> bool {
    let scope = duet_ir::BarrierScope::Warp;
    facts.all_lanes_come_by && !facts.uniformity.may_be_divergent_at(mask, block, scope)
}

impl Lockstep<'_> {
    /// Lock step, where it is assumed of two threads that are walked.
    pub fn assume_lock_step(&mut self) {
        let size = self.setting.facts.warp_sync.filter(|_| self.row == Row::Block);
        self.in_lock_step = size.map(|size| same_warp(self, size));
    }

    /// A lane must be in the mask that it names.
    pub(super) fn names_itself(&mut self, inst: Inst, mask: Value, reach: &[TermId]) {
        if self.row != Row::Alone || self.is_ghost {
            return;
        }
        let own = is_in_mask(self, 0, mask);
        let goal = vec![self.is_here(0, reach[0]), self.pool.not(own)];
        add_defect(self, Rule::MaskExcludesSelf, vec![inst], goal, None);
    }

    /// A barrier of a warp.
    pub(super) fn warp_barrier(&mut self, inst: Inst, mask: Option<Value>, reach: &[TermId]) {
        let Some(mask) = mask else { return };
        self.names_itself(inst, mask, reach);
        if self.row != Row::Block || self.is_ghost {
            return;
        }
        let mut conditions = vec![same_warp(self, WARP)];
        for (thread, &here) in reach.iter().enumerate() {
            conditions.push(self.is_here(thread, here));
            conditions.push(is_in_mask(self, thread, mask));
        }
        let is_ordered = self.pool.and(&conditions);
        order_log(self, is_ordered);
    }

    /// Two threads of a warp in lock step make an access together.
    ///
    /// SOUNDNESS: they do only if both came there by the same way from every branch that may
    /// part them (kernels/warp/lockstep-continue-bug).
    pub(super) fn step_together(&mut self, inst: Inst, reach: &[TermId]) {
        let Some(mates) = self.in_lock_step else { return };
        let facts = self.setting.facts;
        let is_together = |block: Block| !facts.apart.iter().any(|way| way.parts(block, block));
        if !facts.block_of(inst).is_some_and(is_together) {
            return;
        }
        let mut conditions = vec![mates];
        for (thread, &here) in reach.iter().enumerate() {
            conditions.push(self.is_here(thread, here));
        }
        let is_ordered = self.pool.and(&conditions);
        order_log(self, is_ordered);
    }
}

/// Everything that was logged is ordered, if this holds.
fn order_log(walk: &mut Lockstep<'_>, is_ordered: TermId) {
    let remains = walk.pool.not(is_ordered);
    for entry in walk.log.values_mut() {
        entry.flag = walk.pool.and2(entry.flag, remains);
        entry.valued = walk.pool.and2(entry.valued, remains);
    }
}

fn is_in_mask(walk: &mut Lockstep<'_>, thread: usize, mask: Value) -> TermId {
    let mask = walk.term(thread, mask);
    let mask = walk.pool.bits().zext_or_trunc(mask, 32);
    let terms = walk.threads[thread].terms.clone();
    terms.lane_is_in(walk.pool, walk.geometry, mask)
}

/// Are the two threads, which are of one block, in one warp of so many threads?
fn same_warp(walk: &mut Lockstep<'_>, size: u32) -> TermId {
    let mut warp = |thread: usize| {
        let flat = walk.threads[thread].terms.flat(walk.pool, walk.geometry);
        let width = walk.pool.width(flat);
        let size = walk.pool.bv(width, u128::from(size));
        walk.pool.bits().udiv(flat, size)
    };
    let (first, second) = (warp(0), warp(1));
    walk.pool.eq(first, second)
}
