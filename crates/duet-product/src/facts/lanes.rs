//! Barriers and exchanges of a warp: the lanes of a mask must meet.
//!
//! A lane must be in the mask that it names; that is asked of each thread alone
//! (`mask-excludes-self`). And all lanes of the mask must come to the instruction
//! with the same mask. This is so
//!
//! * for a known mask, a literal or a tile ([`crate::Masks`]): if two lanes that are both in it end every interval between
//!   such places together, which the rows of the warp are asked (`warp-deadlock`,
//!   see [`crate::MaskOfPair`]);
//! * for any mask that is the same for all lanes: if every lane of the warp comes by,
//!   at every visit. SOUNDNESS: and if no lane can be held up elsewhere, that is, if
//!   all lanes come by at every such place of the kernel
//!   (kernels/warp/mask-computed-bug);
//! * for the result of a ballot or a match that leads its lanes to the place
//!   ([`super::led`]).
//!
//! What is left is not covered. With lock step assumed, only the second kind is.

use std::collections::BTreeSet;

use duet_analysis::Uniformity;
use duet_ir::{BarrierScope, Block, Function, Inst};

use super::KernelFacts;

/// The barriers and exchanges of a warp, if lanes may come by at different ones.
pub(super) fn meeting_places(func: &Function, uniformity: &Uniformity) -> BTreeSet<Inst> {
    let mut places = BTreeSet::new();
    let mut divergent = false;
    for (block, inst) in func.insts_with_blocks() {
        if func.insts[inst].lane_mask().is_some() {
            places.insert(inst);
            divergent |= uniformity.may_be_divergent_block(block, BarrierScope::Warp);
        }
    }
    if divergent { places } else { BTreeSet::new() }
}

impl KernelFacts<'_> {
    /// Is it open whether the lanes of the mask meet at this instruction?
    pub fn may_miss_lanes(&self, block: Block, inst: Inst) -> bool {
        let Some(mask) = self.func.insts[inst].lane_mask() else { return false };
        let one_mask = !self.uniformity.may_be_divergent_at(mask, block, BarrierScope::Warp);
        if one_mask && self.all_lanes_come_by || self.warp_sync.is_none() && self.all_lanes_are_led
        {
            return false;
        }
        self.warp_sync.is_some() || !self.masks.makes_lanes_meet(inst)
    }
}
