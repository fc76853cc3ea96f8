//! Masks of lanes: which lanes of a warp an instruction makes wait for each other.
//!
//! A warp barrier or exchange names the lanes that take part. For two lanes of a
//! warp it matters which of the kernel's masks both are in: a barrier orders the
//! two only if both are in its mask, and then both must come to it. So the pairs of
//! a warp are divided by the sets of lanes that hold both of them
//! ([`Masks::shared`]); within such a division every known mask either makes the pair
//! wait or does not concern it.
//!
//! Known are
//!
//! * literal masks, and those that are one number for the launch (`(1 << (blockDim.x / 32)) - 1`
//!   for blocks of 256 threads);
//! * *tiles*: `((1 << size) - 1) << (lane & ~(size - 1))`, for a literal size that is a power of
//!   two. Each lane names the lanes of its own tile, so two lanes of a tile name the same ones,
//!   and lanes of two tiles do not name each other. SOUNDNESS: the lane must be that of the
//!   thread itself, and the tile aligned (kernels/warp/tile-shifted-bug).
//!
//! Other masks, and all in a kernel with too many, make no thread wait here: they order nothing.
//! That the lanes meet there must be shown otherwise ([`Masks::makes_lanes_meet`] says where).

use std::collections::{BTreeMap, BTreeSet};

use duet_analysis::Ranges;
use duet_ir::{BinaryOp, Dim, Function, Geometry, GeometryKind, Inst, Operation, Value};

/// All lanes.
pub const ALL_LANES: u32 = u32::MAX;
/// Lanes of a warp.
const WARP: u32 = 32;
/// Divisions that are told apart.
const MAX_DIVISIONS: usize = 8;

/// The lanes that a lane names.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Lanes {
    /// The same for every lane: those whose bits are set.
    Listed(u32),
    /// The tile of so many lanes that the lane is in.
    Tile(u32),
}

impl Lanes {
    /// Are both lanes among those that either of them names?
    fn hold_both(self, one: u32, other: u32) -> bool {
        match self {
            Lanes::Listed(mask) => mask >> one & 1 == 1 && mask >> other & 1 == 1,
            Lanes::Tile(size) => one / size == other / size,
        }
    }
}

/// Named lanes, and whether both lanes of a pair are among them. If not, at most one is, or
/// each names others.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct MaskOfPair {
    /// The lanes.
    pub lanes: Lanes,
    /// Are both lanes among them?
    pub holds_both: bool,
}

/// The known masks of a kernel's barriers and exchanges.
#[derive(Clone, Debug, Default)]
pub struct Masks {
    of: BTreeMap<Inst, Lanes>,
}

impl Masks {
    /// Finds those that are literals, one number by their range, or tiles.
    pub fn new(func: &Function, ranges: &Ranges) -> Masks {
        let lanes = |inst: Inst| {
            let mask = func.insts[inst].lane_mask()?;
            let number = func.const_bits(mask).or_else(|| ranges.known(mask));
            let listed = number.map(|bits| Lanes::Listed(bits as u32));
            Some((inst, listed.or_else(|| tile(func, mask))?))
        };
        Masks { of: func.insts_in_order().filter_map(lanes).collect() }
    }

    /// The divisions that pairs of lanes fall into; one empty division if there are no masks but
    /// that of all lanes, or too many.
    pub fn shared(&self) -> Vec<Vec<MaskOfPair>> {
        let all = Lanes::Listed(ALL_LANES);
        let named: BTreeSet<Lanes> = self.of.values().copied().filter(|&one| one != all).collect();
        let mut divisions = BTreeSet::new();
        for one in 0..WARP {
            for other in one + 1..WARP {
                let of_pair =
                    |&lanes: &Lanes| MaskOfPair { lanes, holds_both: lanes.hold_both(one, other) };
                divisions.insert(named.iter().map(of_pair).collect::<Vec<_>>());
                if divisions.len() > MAX_DIVISIONS {
                    return vec![vec![]];
                }
            }
        }
        divisions.into_iter().collect()
    }

    /// Does the instruction make every pair of the division wait for each other?
    pub fn makes_wait(&self, inst: Inst, division: &[MaskOfPair]) -> bool {
        let Some(&lanes) = self.of.get(&inst) else { return false };
        lanes == Lanes::Listed(ALL_LANES)
            || division.contains(&MaskOfPair { lanes, holds_both: true })
    }

    /// Is it the business of the rows that the lanes of its mask meet at the
    /// instruction?
    pub fn makes_lanes_meet(&self, inst: Inst) -> bool {
        let Some(&lanes) = self.of.get(&inst) else { return false };
        let divides = || self.shared()[0].iter().any(|of_pair| of_pair.lanes == lanes);
        lanes == Lanes::Listed(ALL_LANES) || divides()
    }
}

/// The tile whose lanes a mask is: `((1 << size) - 1) << (lane & ~(size - 1))`.
fn tile(func: &Function, mask: Value) -> Option<Lanes> {
    let [lanes, first] = operands(func, mask, BinaryOp::Shl)?;
    let lanes = func.const_bits(lanes)? as u32;
    let size = lanes.trailing_ones();
    let is_run = lanes.checked_shr(size) == Some(0);
    let [lane, kept] = operands(func, first, BinaryOp::And)?;
    let upper = !(size.wrapping_sub(1)) & (WARP - 1);
    let is_aligned = func.const_bits(kept)? as u32 & (WARP - 1) == upper;
    let is_tile = is_run && size.is_power_of_two() && is_aligned;
    (is_tile && is_lane(func, lane)).then_some(Lanes::Tile(size))
}

/// Is it the flat id of the thread modulo 32?
fn is_lane(func: &Function, value: Value) -> bool {
    let by = |op: BinaryOp, bits: u128| {
        operands(func, value, op)
            .filter(|&[_, by]| func.const_bits(by) == Some(bits))
            .is_some_and(|[flat, _]| is_flat_id(func, flat))
    };
    by(BinaryOp::URem, WARP.into()) || by(BinaryOp::And, (WARP - 1).into())
}

/// Is it `threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)`? What wraps
/// around is a multiple of 32.
fn is_flat_id(func: &Function, value: Value) -> bool {
    let is = |value: Value, kind: GeometryKind, dim: Dim| {
        let id = Geometry { kind, dim };
        matches!(func.operation_of(value), Some(Operation::Geometry(found)) if found == id)
    };
    let thread = |value: Value, dim: Dim| is(value, GeometryKind::ThreadId, dim);
    let row = |value: Value, dim: Dim, above: &dyn Fn(Value) -> bool| {
        operands(func, value, BinaryOp::Mul)
            .is_some_and(|[size, rest]| is(size, GeometryKind::BlockDim, dim) && above(rest))
    };
    let sum = |value: Value, dim: Dim, above: &dyn Fn(Value) -> bool| {
        operands(func, value, BinaryOp::Add)
            .is_some_and(|[id, rest]| thread(id, dim) && row(rest, dim, above))
    };
    sum(value, Dim::X, &|above| sum(above, Dim::Y, &|last| thread(last, Dim::Z)))
}

fn operands(func: &Function, value: Value, wanted: BinaryOp) -> Option<[Value; 2]> {
    let Some(Operation::Binary { op, args, .. }) = func.operation_of(value) else { return None };
    (op == wanted).then_some(args)
}
