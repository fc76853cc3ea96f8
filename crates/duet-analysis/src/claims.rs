//! Claims about memory that stand before a barrier: which barrier they belong to, and
//! which reads of memory they make.
//!
//! A claim belongs to the barrier of the block that comes next, if nothing stands between
//! the two but what has no effect: pure instructions, reads of memory for annotations, and
//! other claims. The code before a barrier that is like that is its *run*. Memory as the
//! thread sees it does not change in a run, so a claim that is checked in it is checked at
//! the barrier, and what it reads there is what it would read at the barrier.
//!
//! `&&` and `?:` inside a claim are branches, so a run goes over joins: from the join to
//! the block that dominates it, if every block between the two is without effect and no
//! loop is entered. A claim inside such a branch is made by some threads only and belongs
//! to no barrier.
//!
//! SOUNDNESS: an effect on one of the ways would change memory after it was read
//! (kernels/claims/06-changed-after-check); a claim that some threads do not pass says
//! nothing of them (kernels/claims/07-claimed-by-some).
//!
//! Cost: for each barrier, the blocks of its run.

use std::collections::{BTreeMap, BTreeSet};

use duet_ir::{AnnotationKind, BarrierScope, Block, Function, Inst, InstData, Value, ValueDef};

use crate::{Dominators, Loops};

/// The claims of a function.
#[derive(Clone, Debug, Default)]
pub struct BarrierClaims {
    runs: BTreeMap<Inst, Run>,
    misplaced: Vec<Inst>,
}

/// What stands before a barrier.
#[derive(Clone, Debug, Default)]
struct Run {
    /// The claims, in the order of the source.
    claims: Vec<Inst>,
    /// The reads of memory.
    reads: BTreeSet<Inst>,
}

impl BarrierClaims {
    /// Of a well-formed function.
    pub fn new(func: &Function, dominators: &Dominators, loops: &Loops) -> BarrierClaims {
        let mut open: BTreeSet<Inst> =
            func.insts_in_order().filter(|&inst| is_claim(&func.insts[inst])).collect();
        if open.is_empty() {
            return BarrierClaims::default();
        }
        let mut runs = BTreeMap::new();
        for (block, barrier) in func.insts_with_blocks() {
            let of_block = Some(BarrierScope::Block);
            if func.insts[barrier].barrier_scope() == of_block && dominators.is_reachable(block) {
                let run = Runs { func, dominators, loops }.before(block, barrier);
                run.claims.iter().for_each(|claim| {
                    open.remove(claim);
                });
                runs.insert(barrier, run);
            }
        }
        let is_reached = |claim: &Inst| {
            func.block_of(*claim).is_some_and(|block| dominators.is_reachable(block))
        };
        BarrierClaims { runs, misplaced: open.into_iter().filter(is_reached).collect() }
    }

    /// The claims that stand before a barrier.
    pub fn at(&self, barrier: Inst) -> &[Inst] {
        self.runs.get(&barrier).map_or(&[], |run| &run.claims)
    }

    /// Does the instruction read memory in the run of the barrier?
    pub fn is_read_at(&self, barrier: Inst, load: Inst) -> bool {
        self.runs.get(&barrier).is_some_and(|run| run.reads.contains(&load))
    }

    /// The reads in the run of the barrier from which a value is computed.
    pub fn reads_of(&self, func: &Function, barrier: Inst, value: Value) -> Vec<Inst> {
        let (mut open, mut seen) = (vec![value], BTreeSet::new());
        let mut reads = vec![];
        while let Some(value) = open.pop() {
            let ValueDef::Result(inst, _) = func.values[value] else { continue };
            if !seen.insert(inst) {
                continue;
            }
            if self.is_read_at(barrier, inst) {
                reads.push(inst);
            }
            open.extend(func.insts[inst].values());
        }
        reads
    }

    /// The barriers with claims, and these.
    pub fn iter(&self) -> impl Iterator<Item = (Inst, &[Inst])> {
        let runs = self.runs.iter().filter(|(_, run)| !run.claims.is_empty());
        runs.map(|(&barrier, run)| (barrier, &run.claims[..]))
    }

    /// Claims that belong to no barrier.
    pub fn misplaced(&self) -> &[Inst] {
        &self.misplaced
    }
}

/// Is it a claim about memory at a barrier?
fn is_claim(data: &InstData) -> bool {
    use AnnotationKind::{BarrierInvariant, BarrierInvariantBinary, CellInvariant};
    matches!(
        data,
        InstData::Annotation {
            kind: BarrierInvariant | BarrierInvariantBinary | CellInvariant,
            ..
        }
    )
}

/// May the instruction stand between a claim and its barrier?
fn has_no_effect(data: &InstData) -> bool {
    match data {
        InstData::Load { access, .. } => access.ghost && !access.volatile,
        InstData::Annotation { .. } => is_claim(data),
        InstData::Binary { .. }
        | InstData::Unary { .. }
        | InstData::Cast { .. }
        | InstData::IntCompare { .. }
        | InstData::FloatCompare { .. }
        | InstData::Select { .. }
        | InstData::Pure { .. }
        | InstData::Geometry(_)
        | InstData::PtrToInt { .. }
        | InstData::Ghost { .. } => true,
        InstData::Fresh { .. }
        | InstData::IntToPtr { .. }
        | InstData::Store { .. }
        | InstData::Atomic { .. }
        | InstData::Barrier { .. }
        | InstData::BarrierReduce { .. }
        | InstData::Fence { .. }
        | InstData::Exchange { .. }
        | InstData::AsyncCopy { .. }
        | InstData::WaitEvents { .. }
        | InstData::Assert { .. }
        | InstData::Call { .. }
        | InstData::CallUnknown { .. } => false,
    }
}

struct Runs<'a> {
    func: &'a Function,
    dominators: &'a Dominators,
    loops: &'a Loops,
}

impl Runs<'_> {
    /// The run before an instruction.
    fn before(&self, block: Block, inst: Inst) -> Run {
        let mut run = Run::default();
        let insts = &self.func.blocks[block].insts;
        let end = insts.iter().position(|&other| other == inst).unwrap_or(0);
        let (mut block, mut end) = (block, end);
        while self.add_block(&mut run, block, end) {
            let Some(above) = self.dominators.immediate(block) else { break };
            let Some(between) = self.between(above, block) else { break };
            // Reads on one of several ways count; claims there are made by some only.
            for &part in &between {
                run.reads.extend(self.reads(&self.func.blocks[part].insts));
            }
            (block, end) = (above, self.func.blocks[above].insts.len());
        }
        run.claims.reverse();
        run
    }

    /// Adds what stands in a block before a place; does the run go on above the block?
    fn add_block(&self, run: &mut Run, block: Block, end: usize) -> bool {
        let insts = &self.func.blocks[block].insts[..end];
        let clean = insts.iter().rev().take_while(|&&inst| has_no_effect(&self.func.insts[inst]));
        let clean: Vec<Inst> = clean.copied().collect();
        run.reads.extend(self.reads(&clean));
        run.claims.extend(clean.iter().filter(|&&inst| is_claim(&self.func.insts[inst])));
        clean.len() == insts.len() && self.loops.headed_by(block).is_none()
    }

    fn reads(&self, insts: &[Inst]) -> Vec<Inst> {
        let is_read = |inst: &Inst| matches!(self.func.insts[*inst], InstData::Load { .. });
        insts.iter().copied().filter(is_read).collect()
    }

    /// The blocks on the ways from a dominator to a block, if none has an effect and no
    /// loop is entered or left.
    fn between(&self, above: Block, block: Block) -> Option<BTreeSet<Block>> {
        let same_loop = self.loops.around(above).next() == self.loops.around(block).next();
        let mut found = BTreeSet::new();
        let mut open: Vec<Block> = self.predecessors(block);
        while let Some(part) = open.pop() {
            if part == above || !found.insert(part) {
                continue;
            }
            let insts = &self.func.blocks[part].insts;
            let clean = insts.iter().all(|&inst| has_no_effect(&self.func.insts[inst]));
            if !clean || self.loops.headed_by(part).is_some() {
                return None;
            }
            open.extend(self.predecessors(part));
        }
        same_loop.then_some(found)
    }

    fn predecessors(&self, block: Block) -> Vec<Block> {
        let reachable = self.dominators.reverse_postorder().iter().copied();
        reachable.filter(|&from| self.func.successors(from).any(|next| next == block)).collect()
    }
}
