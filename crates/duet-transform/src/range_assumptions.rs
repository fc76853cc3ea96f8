//! `__assume` behind operations that must stay in their signed range, for runs that are
//! to meet what a proof assumes.
//!
//! The operation is done again in twice the bits, where it cannot overflow, and the two
//! results must agree. A run of the result that comes to its end is a run of the original
//! in which each of these operations stayed in range whenever it was executed; a run that
//! breaks the assumption is stopped there. The result is only ever run: nothing is
//! proved of it.
//!
//! Not handled: operations wider than 64 bits, and anything but arithmetic and
//! truncation of integers.

use std::collections::{BTreeMap, BTreeSet};

use duet_ir::{
    AnnotationKind, BinaryOp, CastOp, Func, Function, FunctionBuilder, Inst, InstData, IntCc, Type,
    Value, WellFormed,
};

/// The module in which each of these operations of the kernel is followed by the
/// assumption that it stays in range; `None` if that cannot be said of one of them.
pub fn with_range_assumptions(
    module: &WellFormed,
    kernel: Func,
    in_range: &BTreeSet<Inst>,
) -> Option<WellFormed> {
    let func = &module.functions[kernel];
    let assumed = func.insts_in_order().filter(|inst| in_range.contains(inst));
    let exact: BTreeMap<Inst, Exact> =
        assumed.map(|inst| Some((inst, exact_result(func, inst)?))).collect::<Option<_>>()?;
    Some(module.clone().rewrite(|module| {
        let func = module.functions[kernel].clone();
        let layout = func.layout.clone();
        let mut builder = FunctionBuilder::new(module, func);
        for block in layout {
            let old = std::mem::take(&mut builder.func.blocks[block].insts);
            builder.switch_to(block);
            for inst in old {
                builder.func.blocks[block].insts.push(inst);
                if let Some(&exact) = exact.get(&inst) {
                    assume(&mut builder, inst, exact);
                }
            }
        }
        module.functions[kernel] = builder.finish();
    }))
}

/// What an operation yields if no bit is lost.
#[derive(Clone, Copy)]
enum Exact {
    /// The operation on its operands, widened to this type.
    Widened(BinaryOp, [Value; 2], Type),
    /// The operand itself.
    Operand(Value),
}

fn exact_result(func: &Function, inst: Inst) -> Option<Exact> {
    match func.insts[inst] {
        InstData::Binary { op, args, .. } => {
            let wide = twice(func.type_of(func.result(inst)))?;
            Some(Exact::Widened(op, args, wide))
        }
        InstData::Cast { op: CastOp::Trunc, arg, .. } => Some(Exact::Operand(arg)),
        InstData::Unary { .. }
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
        | InstData::CallUnknown { .. } => None,
    }
}

/// Adds the assumption that the operation's result, read with its sign, is the exact one.
fn assume(builder: &mut FunctionBuilder<'_>, inst: Inst, exact: Exact) {
    let (wide, exact) = match exact {
        Exact::Widened(op, args, wide) => {
            let [a, b] = args.map(|arg| builder.resize(arg, wide, true));
            (wide, builder.binary(op, a, b))
        }
        Exact::Operand(arg) => (builder.func.type_of(arg), arg),
    };
    let result = builder.func.result(inst);
    let signed: Value = builder.resize(result, wide, true);
    let holds = builder.compare(IntCc::Eq, signed, exact);
    builder.inst(InstData::Annotation { kind: AnnotationKind::Assume, args: vec![holds] });
}

/// The integer type of twice the width.
fn twice(ty: Type) -> Option<Type> {
    match ty {
        Type::Int(width @ 1..=64) => Some(Type::Int(2 * width)),
        Type::Int(_) | Type::Float(_) | Type::Ref => None,
    }
}
