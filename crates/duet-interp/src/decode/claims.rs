//! Claims at barriers, as code that is run again when the barrier is complete.
//!
//! The operations before a barrier of the block that have no effect are its run; a claim in
//! it is computed by operations of the run, from what the thread brings there and from what
//! it reads of memory for annotations. To judge the claim, the run is executed once more in
//! a copy of the thread's frame, when all threads have come: locals are then those of the
//! arrival, and memory is what the barrier found.
//!
//! A claim that depends on such a read outside of the run, or in another block, is not
//! judged: an old view may differ from memory without a defect.

use std::collections::BTreeSet;

use duet_ir::{
    AnnotationKind, Array, Block, Const, EntityRef, FoldOp, Function, GhostKind, Inst, InstData,
    Module, Value, ValueDef,
};

use crate::decode::{Arg, Code, Op};

/// A claim at a barrier.
#[derive(Clone, Debug)]
pub(crate) struct ClaimData {
    /// The barrier.
    pub(crate) barrier: u32,
    /// The first operation of the run, and the annotation.
    pub(crate) start: u32,
    pub(crate) end: u32,
    /// Its condition.
    pub(crate) cond: Arg,
    /// It is about two threads.
    pub(crate) is_binary: bool,
    /// Values of the other thread: where they go, and what they are.
    pub(crate) others: Vec<(Arg, Arg)>,
    /// Values that are true.
    pub(crate) truths: Vec<Arg>,
    /// The number of the element that it is about, the array and the size of an element, if
    /// it is about every element.
    pub(crate) cell: Option<(Arg, Array, u32)>,
}

/// The claims of a function whose operations are decoded.
pub(crate) fn claims(
    module: &Module,
    function: &Function,
    code: &Code,
    starts: &[u32],
) -> Vec<ClaimData> {
    let mut claims = vec![];
    for &block in &function.layout {
        let insts = &function.blocks[block].insts;
        for (number, &inst) in insts.iter().enumerate() {
            if let Some(is_binary) = is_binary(&function.insts[inst]) {
                let at = Place { module, function, code, block, start: starts[block.index()] };
                claims.extend(at.claim(number, is_binary));
            }
        }
    }
    claims
}

/// Is it a claim, and about two threads?
fn is_binary(data: &InstData) -> Option<bool> {
    let InstData::Annotation { kind, .. } = data else { return None };
    match kind {
        AnnotationKind::BarrierInvariant | AnnotationKind::CellInvariant => Some(false),
        AnnotationKind::BarrierInvariantBinary => Some(true),
        AnnotationKind::Requires
        | AnnotationKind::GlobalRequires
        | AnnotationKind::Ensures
        | AnnotationKind::GlobalEnsures
        | AnnotationKind::Assume
        | AnnotationKind::CandidateAssert
        | AnnotationKind::CandidateGlobalAssert
        | AnnotationKind::Invariant
        | AnnotationKind::GlobalInvariant
        | AnnotationKind::CandidateInvariant
        | AnnotationKind::CandidateGlobalInvariant
        | AnnotationKind::FunctionWideInvariant
        | AnnotationKind::FunctionWideCandidateInvariant
        | AnnotationKind::Axiom
        | AnnotationKind::Contract
        | AnnotationKind::Verified
        | AnnotationKind::ReadsFrom
        | AnnotationKind::WritesTo
        | AnnotationKind::ArraySnapshot
        | AnnotationKind::Captured => None,
    }
}

struct Place<'a> {
    module: &'a Module,
    function: &'a Function,
    code: &'a Code,
    block: Block,
    /// The first operation of the block.
    start: u32,
}

impl Place<'_> {
    fn claim(&self, number: usize, is_binary: bool) -> Option<ClaimData> {
        let insts = &self.function.blocks[self.block].insts;
        let pc = |number: usize| self.start + number as u32;
        let is_clean = |inst: &&Inst| self.has_no_effect(**inst);
        let after = insts[number..].iter().take_while(is_clean).count();
        let barrier = pc(number + after);
        if !matches!(self.code.ops.get(barrier as usize), Some(Op::BlockBarrier { .. })) {
            return None;
        }
        let before = insts[..number].iter().rev().take_while(is_clean).count();
        let run: BTreeSet<Inst> = insts[number - before..number].iter().copied().collect();
        let InstData::Annotation { args, .. } = &self.function.insts[insts[number]] else {
            return None;
        };
        let cond = *args.first()?;
        let mut claim = ClaimData {
            barrier,
            start: pc(number - before),
            end: pc(number),
            cond: self.code.arg(cond),
            is_binary,
            others: vec![],
            truths: vec![],
            cell: None,
        };
        let mut seen = BTreeSet::new();
        self.collect(cond, &run, &mut seen, &mut claim).then_some(claim)
    }

    fn has_no_effect(&self, inst: Inst) -> bool {
        let data = &self.function.insts[inst];
        match data {
            InstData::Load { access, .. } => access.ghost && !access.volatile,
            InstData::Annotation { .. } => is_binary(data).is_some(),
            InstData::Ghost { .. } => true,
            InstData::Fresh { .. } | InstData::IntToPtr { .. } => false,
            InstData::Binary { .. }
            | InstData::Unary { .. }
            | InstData::Cast { .. }
            | InstData::IntCompare { .. }
            | InstData::FloatCompare { .. }
            | InstData::Select { .. }
            | InstData::Pure { .. }
            | InstData::Geometry(_)
            | InstData::PtrToInt { .. }
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
            | InstData::CallUnknown { .. } => {
                data.is_pure() || matches!(data, InstData::Binary { .. })
            }
        }
    }

    /// Notes what a value needs of other threads; can it be judged?
    fn collect(
        &self,
        value: Value,
        run: &BTreeSet<Inst>,
        seen: &mut BTreeSet<Value>,
        claim: &mut ClaimData,
    ) -> bool {
        if !seen.insert(value) {
            return true;
        }
        let ValueDef::Result(inst, _) = self.function.values[value] else {
            return !self.may_be_read(value, &mut BTreeSet::new());
        };
        if !run.contains(&inst) {
            return !self.may_be_read(value, &mut BTreeSet::new());
        }
        if let InstData::Ghost { kind, args, .. } = &self.function.insts[inst] {
            let to = self.code.arg(self.function.result(inst));
            match kind {
                GhostKind::Other if claim.is_binary => {
                    claim.others.push((to, self.code.arg(args[0])));
                }
                GhostKind::SameBlock | GhostKind::Enabled => claim.truths.push(to),
                GhostKind::Fold => {
                    let op = args.get(4).and_then(|&op| self.function.const_bits(op));
                    let op = op.and_then(FoldOp::from_number);
                    if op.is_none_or(FoldOp::is_declared) {
                        return false;
                    }
                }
                GhostKind::Cell => {
                    let Some(Const::Array(array)) = self.function.const_of(args[0]) else {
                        return false;
                    };
                    claim.cell = Some((to, array, self.module.arrays[array].granule.max(1)));
                }
                GhostKind::DominatorEnabled
                | GhostKind::Other
                | GhostKind::HasRead
                | GhostKind::HasWritten
                | GhostKind::ReadOffset
                | GhostKind::WriteOffset
                | GhostKind::ArrayIdentity
                | GhostKind::ReturnValue
                | GhostKind::Old
                | GhostKind::AtomicHasTakenValue => return false,
            }
        }
        let operands = self.function.insts[inst].values();
        operands.into_iter().all(|operand| self.collect(operand, run, seen, claim))
    }

    /// May the value come from a read for annotations, or be a ghost value?
    fn may_be_read(&self, value: Value, seen: &mut BTreeSet<Value>) -> bool {
        if !seen.insert(value) {
            return false;
        }
        match self.function.values[value] {
            ValueDef::Const(_) | ValueDef::FunctionParam(_) => false,
            ValueDef::Result(inst, _) => match &self.function.insts[inst] {
                InstData::Load { access, .. } if access.ghost => true,
                InstData::Ghost { .. } => true,
                data @ InstData::Binary { .. }
                | data @ InstData::Unary { .. }
                | data @ InstData::Cast { .. }
                | data @ InstData::IntCompare { .. }
                | data @ InstData::FloatCompare { .. }
                | data @ InstData::Select { .. }
                | data @ InstData::Pure { .. }
                | data @ InstData::Fresh { .. }
                | data @ InstData::Geometry(_)
                | data @ InstData::PtrToInt { .. }
                | data @ InstData::IntToPtr { .. }
                | data @ InstData::Load { .. }
                | data @ InstData::Store { .. }
                | data @ InstData::Atomic { .. }
                | data @ InstData::Barrier { .. }
                | data @ InstData::BarrierReduce { .. }
                | data @ InstData::Fence { .. }
                | data @ InstData::Exchange { .. }
                | data @ InstData::AsyncCopy { .. }
                | data @ InstData::WaitEvents { .. }
                | data @ InstData::Assert { .. }
                | data @ InstData::Annotation { .. }
                | data @ InstData::Call { .. }
                | data @ InstData::CallUnknown { .. } => {
                    data.values().iter().any(|&operand| self.may_be_read(operand, seen))
                }
            },
            ValueDef::BlockParam(block, index) => {
                let edges =
                    self.function.layout.iter().flat_map(|&from| {
                        self.function.blocks[from].terminator.edges().into_iter()
                    });
                let incoming: Vec<Value> = edges
                    .filter(|edge| edge.block == block)
                    .filter_map(|edge| edge.args.get(index as usize).copied())
                    .collect();
                let decides = self.function.layout.iter().flat_map(|&from| {
                    let terminator = &self.function.blocks[from].terminator;
                    let leads = terminator.edges().iter().any(|edge| edge.block == block);
                    if leads { terminator.values() } else { vec![] }
                });
                let all: Vec<Value> = incoming.into_iter().chain(decides).collect();
                all.into_iter().any(|operand| self.may_be_read(operand, seen))
            }
        }
    }
}
