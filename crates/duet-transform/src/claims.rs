//! Claims about memory before barriers, as if the user had written barrier invariants.
//!
//! A claim says something of the cell that a store of the kernel writes: that it holds the
//! stored value, a number in a range, or another number than the same cell of another
//! thread. The address and the value are computed anew before the barrier, and the cell is
//! read there for the annotation only. So the accesses of a run, their order and the ends of
//! its threads are those of the original; what is added has no effect.
//!
//! SOUNDNESS: the annotations are ordinary ones, proved before their barrier and assumed
//! after it, and no stage treats them in any way of its own. So a proof of the result is a
//! proof of the original, whatever the claims say: one that does not hold is a finding
//! (kernels/contents/other-mirror-bug).

use std::collections::HashMap;

use duet_analysis::Dominators;
use duet_ir::{
    AnnotationKind, BinaryOp, Block, Func, Function, FunctionBuilder, GhostKind, Inst, InstData,
    IntCc, Type, Value, ValueDef, WellFormed,
};

/// Instructions that are copied for one claim, at most.
const MAX_COPIED: usize = 64;

/// What is claimed of the cell that a store writes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CellClaim {
    /// It holds what the store writes.
    Stored,
    /// It holds a number from the first to the second, unsigned.
    Within(u128, u128),
    /// Two threads have different numbers in their cells.
    Distinct,
}

/// A claim before a barrier.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BarrierClaim {
    /// The barrier.
    pub barrier: Inst,
    /// The store.
    pub store: Inst,
    /// Conditions with their values under which a thread comes to the store.
    pub when: Vec<(Value, bool)>,
    /// What is claimed.
    pub says: CellClaim,
}

/// The module in which the kernel has these claims, and the annotation of each; `None` for
/// one that cannot be said before its barrier. Loads for which `is_constant` holds may be
/// made again.
pub fn with_claims(
    module: &WellFormed,
    kernel: Func,
    claims: &[BarrierClaim],
    is_constant: impl Fn(Inst) -> bool,
) -> (WellFormed, Vec<Option<Inst>>) {
    let mut made = vec![];
    let module = module.clone().rewrite(|module| {
        let mut func = module.functions[kernel].clone();
        let dominators = Dominators::new(&func);
        for claim in claims {
            let Some(block) = func.block_of(claim.barrier) else {
                made.push(None);
                continue;
            };
            let insts = func.blocks[block].insts.clone();
            let at = insts.iter().position(|&inst| inst == claim.barrier).unwrap_or(0);
            let rest = func.blocks[block].insts.split_off(at);
            let mut builder = FunctionBuilder::new(module, func);
            builder.switch_to(block);
            let here = builder.func.inst_locs[claim.barrier];
            builder.set_loc(here);
            let (dominators, is_constant) = (&dominators, &is_constant);
            let known = HashMap::new();
            let left = MAX_COPIED;
            let mut copier = Copier { builder, block, dominators, is_constant, known, left };
            let annotation = copier.claim(claim);
            func = copier.builder.finish();
            if annotation.is_none() {
                func.blocks[block].insts.truncate(at);
            }
            func.blocks[block].insts.extend(rest);
            made.push(annotation);
        }
        module.functions[kernel] = func;
    });
    (module, made)
}

/// Computes values anew at the end of a block.
struct Copier<'a, 'm, F> {
    builder: FunctionBuilder<'m>,
    block: Block,
    dominators: &'a Dominators,
    is_constant: &'a F,
    known: HashMap<Value, Value>,
    left: usize,
}

impl<F: Fn(Inst) -> bool> Copier<'_, '_, F> {
    fn func(&self) -> &Function {
        &self.builder.func
    }

    fn claim(&mut self, claim: &BarrierClaim) -> Option<Inst> {
        let InstData::Store { access, values } = self.func().insts[claim.store].clone() else {
            return None;
        };
        let &[stored] = &values[..] else { return None };
        let mut when = self.builder.int(1, Type::BOOL);
        for &(cond, is_true) in &claim.when {
            let mut cond = self.copy(cond)?;
            if !is_true {
                let no = self.builder.int(0, Type::BOOL);
                cond = self.builder.compare(IntCc::Eq, cond, no);
            }
            when = self.builder.binary(BinaryOp::And, when, cond);
        }
        let ty = self.func().type_of(stored);
        let mut access = access;
        access.offset = self.copy(access.offset)?;
        access.ghost = true;
        let cell = self.builder.value(InstData::Load { access, ty, lanes: 1 });
        let holds = match &claim.says {
            CellClaim::Stored => {
                let value = self.copy(stored)?;
                self.builder.compare(IntCc::Eq, cell, value)
            }
            &CellClaim::Within(lo, hi) => {
                let first = self.builder.int(lo, ty);
                let distance = self.builder.binary(BinaryOp::Sub, cell, first);
                let most = self.builder.int(hi - lo, ty);
                self.builder.compare(IntCc::Ule, distance, most)
            }
            CellClaim::Distinct => {
                let other = self.other(cell, ty);
                let other_when = self.other(when, Type::BOOL);
                when = self.builder.binary(BinaryOp::And, when, other_when);
                self.builder.compare(IntCc::Ne, cell, other)
            }
        };
        let no = self.builder.int(0, Type::BOOL);
        let otherwise = self.builder.compare(IntCc::Eq, when, no);
        let cond = self.builder.binary(BinaryOp::Or, otherwise, holds);
        let kind = match claim.says {
            CellClaim::Stored | CellClaim::Within(..) => AnnotationKind::BarrierInvariant,
            CellClaim::Distinct => AnnotationKind::BarrierInvariantBinary,
        };
        Some(self.builder.inst(InstData::Annotation { kind, args: vec![cond] }))
    }

    fn other(&mut self, value: Value, ty: Type) -> Value {
        self.builder.value(InstData::Ghost { kind: GhostKind::Other, args: vec![value], ty })
    }

    /// The value, computed from what is there at the end of the block.
    fn copy(&mut self, value: Value) -> Option<Value> {
        if let Some(&known) = self.known.get(&value) {
            return Some(known);
        }
        let copied = match self.func().values[value] {
            ValueDef::Const(_) | ValueDef::FunctionParam(_) => value,
            ValueDef::BlockParam(block, _) => self.at_hand(value, block)?,
            ValueDef::Result(inst, _) => self.copy_result(value, inst)?,
        };
        self.known.insert(value, copied);
        Some(copied)
    }

    fn at_hand(&self, value: Value, block: Block) -> Option<Value> {
        let is_at_hand = block == self.block || self.dominators.dominates(block, self.block);
        is_at_hand.then_some(value)
    }

    fn copy_result(&mut self, value: Value, inst: Inst) -> Option<Value> {
        let mut data = self.func().insts[inst].clone();
        let may_be_copied = match &mut data {
            InstData::Load { access, lanes, .. } => {
                let can_be = *lanes == 1 && !access.volatile && (self.is_constant)(inst);
                access.ghost = true;
                can_be
            }
            InstData::Binary { .. }
            | InstData::Unary { .. }
            | InstData::Cast { .. }
            | InstData::IntCompare { .. }
            | InstData::FloatCompare { .. }
            | InstData::Select { .. }
            | InstData::Pure { .. }
            | InstData::Geometry(_) => true,
            InstData::Fresh { .. }
            | InstData::PtrToInt { .. }
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
            | InstData::Annotation { .. }
            | InstData::Ghost { .. }
            | InstData::Call { .. }
            | InstData::CallUnknown { .. } => false,
        };
        if !may_be_copied {
            let block = self.func().block_of(inst)?;
            return self.at_hand(value, block);
        }
        self.left = self.left.checked_sub(1)?;
        let mut operands = vec![];
        for operand in data.values() {
            operands.push(self.copy(operand)?);
        }
        let mut operands = operands.into_iter();
        data.visit_values_mut(|operand| {
            if let Some(copied) = operands.next() {
                *operand = copied;
            }
        });
        Some(self.builder.value(data))
    }
}
