//! Claims about memory at barriers that are in force: a thread that passes the barrier may
//! rely on them, because the check proves each of them before it.

use std::collections::{BTreeMap, BTreeSet};

use duet_analysis::{BarrierClaims, Loop};
use duet_ir::{BarrierScope, Inst, Value, ValueDef};

use super::KernelFacts;
use super::arrivals::Exit;
use crate::Scope;

/// The claims of a kernel.
#[derive(Clone, Debug, Default)]
pub struct Claims {
    /// Which claims stand at which barrier.
    pub places: BarrierClaims,
    /// Those that are in force.
    pub in_force: BTreeSet<Inst>,
    /// All threads of a block come to every barrier of it: none returns while others go on.
    pub all_arrive: bool,
    /// Where they need not: the exits before each barrier with claims, as far as they can be
    /// told.
    pub exits: BTreeMap<Inst, Vec<Exit>>,
    /// The loops whose iterations two threads of a block may be in different ones of.
    unaligned: BTreeSet<Loop>,
}

impl KernelFacts<'_> {
    /// The claims of the kernel, none of them in force yet.
    pub fn find_claims(&self) -> Claims {
        let places = BarrierClaims::new(self.func, &self.dominators, &self.loops);
        let row = self.program.rows.iter().find(|row| row.scope == Scope::Block);
        let aligned = row.and_then(|row| row.families.iter().find(|family| family.aligned));
        let (Some(row), Some(aligned)) = (row, aligned) else { return Claims::default() };
        let unaligned = self.unaligned_loops(row, aligned);
        // SOUNDNESS: a thread that has returned claims nothing
        // (kernels/claims/02-instance-that-left).
        let all_arrive = aligned.intervals.iter().all(|interval| {
            let returns = interval.region.ends().any(|(_, end)| end == crate::End::Return);
            let waits =
                interval.region.ends().any(|(_, end)| matches!(end, crate::End::Barrier(_)));
            !(returns && waits) || self.goes_one_way(row, aligned, interval)
        });
        let barriers = places.iter().filter(|_| !all_arrive).map(|(barrier, _)| barrier);
        let exits = barriers.filter_map(|at| Some((at, self.exits_before(at)?))).collect();
        Claims { places, in_force: BTreeSet::new(), all_arrive, exits, unaligned }
    }

    /// The claims in force that stand before a barrier.
    pub fn claims_at(&self, barrier: Inst) -> Vec<Inst> {
        let claims = self.claims.places.at(barrier).iter().copied();
        claims.filter(|claim| self.claims.in_force.contains(claim)).collect()
    }

    /// Have all threads of a block the same value when they come to the barrier?
    ///
    /// SOUNDNESS: at the same visit of the barrier, so no loop around both may have threads
    /// in different iterations (kernels/claims/13-counter-of-another-visit,
    /// 14-own-variable).
    pub fn is_common_at(&self, barrier: Inst, value: Value) -> bool {
        let home = match self.func.values[value] {
            ValueDef::Const(_) | ValueDef::FunctionParam(_) => return true,
            ValueDef::BlockParam(block, _) => Some(block),
            ValueDef::Result(inst, _) => self.block_of(inst),
        };
        let (Some(home), Some(block)) = (home, self.block_of(barrier)) else { return false };
        let in_unaligned =
            |&id: &Loop| self.loops.contains(id, block) && self.loops.contains(id, home);
        !self.claims.unaligned.iter().any(in_unaligned)
            && !self.uniformity.may_be_divergent_at(value, block, BarrierScope::Block)
    }
}
