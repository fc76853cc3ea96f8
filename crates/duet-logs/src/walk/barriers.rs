//! Barriers.
//!
//! Two threads of a block must come to a barrier of the block together, any two threads to
//! one of the grid. Then what the first thread did before is ordered before whatever comes
//! after: it is taken out of the log, for the memory that the flags of *both* threads cover.
//! A barrier of the block orders nothing between threads of different blocks. Barriers of a
//! warp are in [`super::warps`].

use super::accesses::change_all;
use super::instructions::add_defect;
use duet_ir::ArrayOrigin;
use duet_ir::{Array, BarrierScope, Inst, Language, Rule, Space, Value};
use duet_smt::TermId;

use super::{Lockstep, Row};
use crate::log::Key;

impl Lockstep<'_> {
    /// A barrier, with the flags or the mask that it has.
    pub(super) fn barrier(
        &mut self,
        inst: Inst,
        scope: BarrierScope,
        flags: Option<Value>,
        reach: &[TermId],
    ) {
        let is_for_both = match (self.row, scope) {
            (Row::Block, BarrierScope::Block | BarrierScope::Grid) => true,
            (Row::Grid, BarrierScope::Grid) => true,
            (Row::Alone, _) | (_, BarrierScope::Warp) | (Row::Grid, BarrierScope::Block) => false,
        };
        if is_for_both && !self.is_ghost {
            self.check_divergence(inst, scope, reach);
            self.wait_for_each_other(reach);
            self.clear_log(scope, flags, reach);
        }
        if scope == BarrierScope::Warp {
            self.warp_barrier(inst, flags, reach);
        }
        change_all(self);
    }

    fn check_divergence(&mut self, inst: Inst, scope: BarrierScope, reach: &[TermId]) {
        let facts = self.setting.facts;
        let block = facts.block_of(inst);
        // SOUNDNESS: the analysis speaks of threads that return or get here; one that failed
        // is not alive (test `wrong_kernels_are_never_proved`).
        let is_uniform = self.setting.options.uniformity
            && block.is_some_and(|block| {
                !facts.uniformity.may_be_divergent_block(block, self.row.scope())
            });
        if is_uniform {
            return;
        }
        let both_alive = self.pool.and2(self.threads[0].alive, self.threads[1].alive);
        let apart = self.pool.ne(reach[0], reach[1]);
        // A thread that returned, or goes on to the end without a barrier, from outside of
        // all loops around this barrier.
        let depth_of_barrier = self.inside.len();
        let tolerable = self.setting.tolerates_exits && scope == BarrierScope::Block;
        let tolerated = tolerable.then(|| {
            let mut excused = vec![];
            for thread in 0..2 {
                let gone: Vec<TermId> = self
                    .gone
                    .iter()
                    .filter(|gone| gone.depth == 0 || depth_of_barrier == 0)
                    .map(|gone| gone.guards[thread])
                    .collect();
                excused.push(self.pool.or(&gone));
            }
            let mut missing = vec![];
            for thread in 0..2 {
                let here = reach[1 - thread];
                let absent = self.pool.not(reach[thread]);
                let unexcused = self.pool.not(excused[thread]);
                missing.push(self.pool.and(&[here, absent, unexcused]));
            }
            (Rule::ExitBeforeBarrier, vec![self.pool.or(&missing)])
        });
        add_defect(self, Rule::BarrierDivergence, vec![inst], vec![both_alive, apart], tolerated);
    }

    /// A thread waits at a barrier for the other, for ever if that one is not alive.
    ///
    /// SOUNDNESS: one that returned does not keep the other waiting; it is alive (test
    /// `a_thread_that_is_stuck_keeps_its_log`).
    fn wait_for_each_other(&mut self, reach: &[TermId]) {
        let alive = [self.threads[0].alive, self.threads[1].alive];
        if alive[0] == alive[1] {
            return;
        }
        for thread in 0..2 {
            let now = self.unknown_truth("alive");
            let met = self.pool.implies(reach[thread], alive[1 - thread]);
            let still = self.pool.and2(alive[thread], met);
            let meaning = self.pool.eq(now, still);
            self.known.push(meaning, None);
            self.threads[thread].alive = now;
        }
    }

    /// What both threads' flags cover is ordered.
    fn clear_log(&mut self, scope: BarrierScope, flags: Option<Value>, reach: &[TermId]) {
        let keys: Vec<Key> = self.log.keys().copied().collect();
        let here: Vec<TermId> = (0..2).map(|thread| self.is_here(thread, reach[thread])).collect();
        for key in keys {
            let mut conditions = here.clone();
            for thread in 0..2 {
                conditions.push(self.is_covered(thread, key.0, scope, flags));
            }
            let is_ordered = self.pool.and(&conditions);
            let remains = self.pool.not(is_ordered);
            if let Some(mut entry) = self.log.get(&key).cloned() {
                entry.flag = self.pool.and2(entry.flag, remains);
                entry.valued = self.pool.and2(entry.valued, remains);
                self.log.insert(key, entry);
            }
        }
    }

    /// Do a thread's flags cover the array?
    fn is_covered(
        &mut self,
        thread: usize,
        array: Array,
        scope: BarrierScope,
        flags: Option<Value>,
    ) -> TermId {
        let module = self.setting.facts.module;
        let Some(flags) = flags.filter(|_| scope == BarrierScope::Block) else {
            return self.pool.tt();
        };
        let data = &module.arrays[array];
        let is_image = module.language == Language::OpenCl && data.origin == ArrayOrigin::Image;
        let bit = match data.space {
            Space::Shared => 0,
            Space::Global | Space::Constant if is_image => 2,
            Space::Global | Space::Constant | Space::Private => 1,
        };
        let flags = self.term(thread, flags);
        let set = self.pool.bits().extract(bit, bit, flags);
        let one = self.pool.bv(1, 1);
        self.pool.eq(set, one)
    }
}
