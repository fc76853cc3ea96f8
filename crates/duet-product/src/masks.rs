//! Masks of lanes: which lanes of a warp an instruction makes wait for each other.
//!
//! A warp barrier or exchange names the lanes that take part. For two lanes of a
//! warp it matters which of the kernel's masks both are in: a barrier orders the
//! two only if both are in its mask, and then both must come to it. So the pairs of
//! a warp are divided by the set of literal masks that hold both lanes
//! ([`shared_masks`]); within such a set every literal mask either makes the pair
//! wait or does not concern it.
//!
//! Masks that are computed, and literal ones in a kernel with too many, make no thread
//! wait here: they order nothing. That the lanes meet there must be shown otherwise
//! ([`makes_lanes_meet`] says where).

use std::collections::BTreeSet;

use duet_ir::{Function, Inst};

/// All lanes.
pub const ALL_LANES: u32 = u32::MAX;
/// Sets of masks that are told apart.
const MAX_SETS: usize = 8;

/// A mask, and whether both lanes of a pair are in it. If not, at most one is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct MaskOfPair {
    /// The mask.
    pub mask: u32,
    /// Are both lanes in it?
    pub holds_both: bool,
}

/// The mask of a warp barrier or exchange, if it is a literal.
pub fn literal_mask(func: &Function, inst: Inst) -> Option<u32> {
    func.const_bits(func.insts[inst].lane_mask()?).map(|bits| bits as u32)
}

/// The sets that pairs of lanes fall into; one empty set if there are no masks but
/// that of all lanes, or too many.
pub fn shared_masks(func: &Function) -> Vec<Vec<MaskOfPair>> {
    let masks: BTreeSet<u32> = func
        .insts_in_order()
        .filter_map(|inst| literal_mask(func, inst))
        .filter(|&mask| mask != ALL_LANES)
        .collect();
    let mut sets = BTreeSet::new();
    for one in 0..32 {
        for other in one + 1..32 {
            let both = 1u32 << one | 1 << other;
            let set =
                masks.iter().map(|&mask| MaskOfPair { mask, holds_both: mask & both == both });
            sets.insert(set.collect::<Vec<_>>());
            if sets.len() > MAX_SETS {
                return vec![vec![]];
            }
        }
    }
    sets.into_iter().collect()
}

/// Does the instruction make every pair of the set wait for each other?
pub fn makes_wait(func: &Function, inst: Inst, set: &[MaskOfPair]) -> bool {
    let Some(mask) = literal_mask(func, inst) else { return false };
    mask == ALL_LANES || set.contains(&MaskOfPair { mask, holds_both: true })
}

/// Is it the business of the rows that the lanes of its mask meet at the
/// instruction?
pub fn makes_lanes_meet(func: &Function, inst: Inst) -> bool {
    let known = |mask| shared_masks(func)[0].iter().any(|of_pair| of_pair.mask == mask);
    literal_mask(func, inst).is_some_and(|mask| mask == ALL_LANES || known(mask))
}
