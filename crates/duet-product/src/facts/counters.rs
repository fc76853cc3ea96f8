//! Counters: atomic additions that give every caller another value.
//!
//! If every write of the kernel to an array, plain ones included, adds one same
//! literal other than zero, then two additions at one place of one instance of the
//! array return different values, as long as the place does not wrap around. That
//! it does not is an assumption, printed. `ArrayUses::counter_step` says which
//! arrays these are; SOUNDNESS: a reset, another step, `atomicInc` or a float sum
//! makes an array none (kernels/traps/17-counter-reset, 17-mixed-steps, 17-counter-wraps
//! and 17-float-counter).
//!
//! Two threads never share an addition. So for the pair: two additions, one of each
//! thread, at the same place, return different values; whatever the visits, on the
//! way to the interval or in it. SOUNDNESS: a shared array has an instance for each
//! block, so the pair must share the block (kernels/traps/17-counter-per-block, file test
//! `files/shared_counter.duet` of `duet-vc`).

use duet_ir::{Array, Inst, InstData};

use super::KernelFacts;

/// A counter that wraps around after fewer additions than this is none.
const FEWEST_ADDITIONS: u128 = 1 << 16;

impl KernelFacts<'_> {
    /// Does the array hold counters whose values are used?
    pub fn is_counter(&self, array: Array) -> bool {
        let Some(step) = self.uses.counter_step(array) else { return false };
        // SOUNDNESS: by elements, so that additions are all at the same bytes or
        // apart; that offsets are aligned is shown for such arrays (test
        // `counters_are_counted_by_elements_and_apart_from_others`).
        let by_elements = self.module.arrays[array].granule * 8 == u32::from(step.width);
        // SOUNDNESS: arrays that overlap it may add at places in between
        // (kernels/pointers/alias-atomic-bug).
        let apart = self.uses.aliases(array).next().is_none();
        // SOUNDNESS: that the counter does not wrap around may be assumed only if it can
        // be so (kernels/soundness/50-counter-always-wraps).
        let size = 1u128 << step.width.min(127);
        let additions = size / step.step.min(size - step.step);
        let may_last = additions > self.least_threads.max(FEWEST_ADDITIONS);
        by_elements
            && apart
            && may_last
            && self.uses.sites(array).iter().any(|site| self.has_used_result(site.inst))
    }

    fn has_used_result(&self, inst: Inst) -> bool {
        let func = self.func;
        let InstData::Atomic { .. } = func.insts[inst] else { return false };
        func.results_of[inst].first().is_some_and(|&result| func.is_used(result))
    }

    /// The counters, for the assumption that they don't wrap.
    pub fn counters(&self) -> Vec<String> {
        let arrays = self.func.arrays_used();
        let counters = arrays.into_iter().filter(|&array| self.is_counter(array));
        counters.map(|array| format!("`{}`", self.module.arrays[array].name)).collect()
    }
}
