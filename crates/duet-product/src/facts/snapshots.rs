//! Snapshots of shared arrays: `__array_snapshot(dst, src)` right after a barrier.
//!
//! A snapshot is modelled where the source is written by no thread of the block before the
//! next barrier: then it is what the barrier left, for whichever thread takes it and whenever
//! that is. The copy is never written otherwise, so it is settled by that barrier
//! ([`super::settled`]), and what the source holds right after the barrier is what the copy
//! holds from there on.
//!
//! SOUNDNESS: every mention of the copy comes after the snapshot
//! (kernels/claims/62-snapshot-too-late), the source is quiet in every interval that the barrier
//! starts (kernels/claims/63-snapshot-of-written), and all threads come to the barrier, once.
//! Only of shared memory: another block may write global memory at any time
//! (kernels/claims/17-quiet-in-one-block).

use std::collections::BTreeMap;

use duet_ir::{AccessMode, AnnotationKind, Array, Const, Inst, InstData, Space};

use super::KernelFacts;
use crate::{Scope, Start};

/// A snapshot that is modelled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Snapshot {
    /// The array of which it is one.
    pub source: Array,
    /// The barrier after which it is taken.
    pub barrier: Inst,
    /// The annotation.
    pub inst: Inst,
}

impl KernelFacts<'_> {
    /// The snapshots that are modelled, by the arrays that hold them. Claims have to be known.
    pub fn find_snapshots(&self) -> BTreeMap<Array, Snapshot> {
        let mut found = BTreeMap::new();
        for inst in self.func.insts_in_order() {
            if let Some((copy, source)) = self.snapshot_of(inst)
                && let Some(barrier) = self.barrier_right_before(inst)
                && self.may_be_copied(copy, source, barrier)
                && self.is_mentioned_only_after(copy, inst)
            {
                found.insert(copy, Snapshot { source, barrier, inst });
            }
        }
        found
    }

    /// The two arrays of a snapshot.
    fn snapshot_of(&self, inst: Inst) -> Option<(Array, Array)> {
        let InstData::Annotation { kind: AnnotationKind::ArraySnapshot, args } =
            &self.func.insts[inst]
        else {
            return None;
        };
        let array = |number: usize| match self.func.const_of(*args.get(number)?)? {
            Const::Array(array) => Some(array),
            Const::Null | Const::Bits(_) => None,
        };
        Some((array(0)?, array(1)?))
    }

    /// The barrier before an instruction of the same block, if nothing between the two may
    /// order threads or end one.
    fn barrier_right_before(&self, inst: Inst) -> Option<Inst> {
        let block = self.block_of(inst)?;
        let insts = &self.func.blocks[block].insts;
        let at = insts.iter().position(|&other| other == inst)?;
        for &before in insts[..at].iter().rev() {
            match &self.func.insts[before] {
                InstData::Barrier { .. } => return Some(before),
                InstData::BarrierReduce { .. }
                | InstData::Atomic { .. }
                | InstData::Fence { .. }
                | InstData::Exchange { .. }
                | InstData::AsyncCopy { .. }
                | InstData::WaitEvents { .. }
                | InstData::Assert { .. }
                | InstData::Call { .. }
                | InstData::CallUnknown { .. } => return None,
                InstData::Binary { .. }
                | InstData::Unary { .. }
                | InstData::Cast { .. }
                | InstData::IntCompare { .. }
                | InstData::FloatCompare { .. }
                | InstData::Select { .. }
                | InstData::Pure { .. }
                | InstData::Fresh { .. }
                | InstData::Geometry(_)
                | InstData::PtrToInt { .. }
                | InstData::IntToPtr { .. }
                | InstData::Load { .. }
                | InstData::Store { .. }
                | InstData::Annotation { .. }
                | InstData::Ghost { .. } => {}
            }
        }
        None
    }

    fn may_be_copied(&self, copy: Array, source: Array, barrier: Inst) -> bool {
        let [to, from] = [copy, source].map(|array| &self.module.arrays[array]);
        let is_shared = |array: Array| {
            self.module.arrays[array].space == Space::Shared
                && self.uses.aliases(array).next().is_none()
        };
        let is_plain = self.uses.sites(source).iter().all(|site| {
            matches!(site.kind, AccessMode::Load | AccessMode::Store) && !site.volatile
        });
        let is_alike = to.size.is_some() && to.size == from.size && to.granule == from.granule;
        let sites = self.uses.sites(copy);
        let is_read_only = sites.iter().all(|site| site.kind == AccessMode::Load && site.ghost);
        copy != source
            && is_shared(copy)
            && is_shared(source)
            && is_alike
            && is_plain
            && is_read_only
            && self.may_settle(copy, barrier)
            && self.is_quiet_from(source, barrier)
    }

    /// Does no thread of the block write the array before the barrier that comes next?
    fn is_quiet_from(&self, array: Array, barrier: Inst) -> bool {
        let rows = self.program.rows.iter().filter(|row| row.scope == Scope::Block);
        let families = rows.flat_map(|row| &row.families);
        let mut starts = families
            .filter(|family| self.is_ordered_by(array, family))
            .flat_map(|family| &family.intervals)
            .filter(|interval| interval.start == Start::Barrier(barrier))
            .peekable();
        starts.peek().is_some()
            && starts.all(|interval| {
                interval.region.nodes.values().all(|node| {
                    let insts = &self.func.blocks[node.block].insts[node.first..node.end];
                    !insts.iter().any(|&inst| self.writes_to(inst, array))
                })
            })
    }

    fn writes_to(&self, inst: Inst, array: Array) -> bool {
        self.uses.writes(array).iter().any(|write| write.inst == inst)
    }

    /// Is the array named nowhere but in the snapshot and after it?
    fn is_mentioned_only_after(&self, array: Array, snapshot: Inst) -> bool {
        let Some(block) = self.block_of(snapshot) else { return false };
        let position = |inst| self.func.blocks[block].insts.iter().position(|&other| other == inst);
        let is_after = |inst: Inst| match self.block_of(inst) {
            Some(home) if home == block => position(inst) > position(snapshot),
            Some(home) => self.dominators.strictly_dominates(block, home),
            None => false,
        };
        let is_passed_on = self.func.layout.iter().any(|&home| {
            let values = self.func.blocks[home].terminator.values();
            values.into_iter().any(|value| self.func.const_of(value) == Some(Const::Array(array)))
        });
        !is_passed_on
            && self.func.insts_in_order().filter(|&inst| inst != snapshot).all(|inst| {
                let data = &self.func.insts[inst];
                let is_accessed = data.accesses().iter().any(|(_, access)| access.array == array);
                let is_named = data
                    .values()
                    .iter()
                    .any(|&value| self.func.const_of(value) == Some(Const::Array(array)));
                !(is_accessed || is_named) || is_after(inst)
            })
    }
}
