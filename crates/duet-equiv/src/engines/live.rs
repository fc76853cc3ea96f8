//! Instructions that nothing rests on but statements about the kernel, such as the elements that
//! a cell invariant reads.

use std::collections::BTreeSet;

use duet_ir::{AnnotationKind, Function, Inst, InstData, Value, ValueDef};

/// Instructions without effect whose results nothing needs.
///
/// SOUNDNESS: what has an effect, decides a branch, or is a precondition is needed, and so is
/// all that it is computed from (test `what_statements_read_alone`).
pub fn not_needed(func: &Function) -> BTreeSet<Inst> {
    let mut needed: BTreeSet<Inst> = BTreeSet::new();
    let mut left: Vec<Value> =
        func.layout.iter().flat_map(|&block| func.blocks[block].terminator.values()).collect();
    for inst in func.insts_in_order().filter(|&inst| is_root(&func.insts[inst])) {
        needed.insert(inst);
        left.extend(func.insts[inst].values());
    }
    while let Some(value) = left.pop() {
        if let ValueDef::Result(inst, _) = func.values[value]
            && needed.insert(inst)
        {
            left.extend(func.insts[inst].values());
        }
    }
    func.insts_in_order().filter(|inst| !needed.contains(inst)).collect()
}

/// Has an instruction an effect, or is it what an engine takes for granted?
fn is_root(data: &InstData) -> bool {
    match data {
        InstData::Binary { .. }
        | InstData::Unary { .. }
        | InstData::Cast { .. }
        | InstData::IntCompare { .. }
        | InstData::FloatCompare { .. }
        | InstData::Select { .. }
        | InstData::Pure { .. }
        | InstData::Geometry(_)
        | InstData::Fresh { .. }
        | InstData::Ghost { .. }
        | InstData::Assert { .. } => false,
        InstData::Load { access, .. } => access.volatile,
        InstData::Annotation { kind, .. } => {
            matches!(kind, AnnotationKind::Requires | AnnotationKind::GlobalRequires)
        }
        InstData::PtrToInt { .. }
        | InstData::IntToPtr { .. }
        | InstData::Store { .. }
        | InstData::Atomic { .. }
        | InstData::Barrier { .. }
        | InstData::BarrierReduce { .. }
        | InstData::Fence { .. }
        | InstData::Exchange { .. }
        | InstData::AsyncCopy { .. }
        | InstData::WaitEvents { .. }
        | InstData::Call { .. }
        | InstData::CallUnknown { .. } => true,
    }
}
