//! A kernel without the preconditions of its source that fix a size or an argument to a
//! number, for proofs that hold for any size (`--sizes-free`).
//!
//! Only `__requires` statements of the form `argument == 512` and `blockDim.x == 64` go;
//! 0 and 1 are no sizes and stay.
//!
//! SOUNDNESS: fewer preconditions admit more launches, so what is proved without
//! them is proved with them. The caller has to forget the sizes given for the launch
//! too, or nothing would be more general (test `sizes_can_be_left_free` of `duet`).

use duet_ir::{
    AnnotationKind, Function, GeometryKind, Inst, InstData, IntCc, Module, Operation, Value,
    ValueDef, WellFormed,
};

/// The module without preconditions that fix a size or an argument.
pub fn forget_fixed_sizes(module: WellFormed) -> WellFormed {
    module.rewrite(forget)
}

fn forget(module: &mut Module) {
    for func in module.functions.values_mut() {
        for &block in &func.layout.clone() {
            let kept = func.blocks[block].insts.iter().copied();
            let kept: Vec<Inst> = kept.filter(|&inst| !fixes_a_size(func, inst)).collect();
            func.blocks[block].insts = kept;
        }
    }
}

fn fixes_a_size(func: &Function, inst: Inst) -> bool {
    use AnnotationKind::{GlobalRequires, Requires};
    let InstData::Annotation { kind: Requires | GlobalRequires, args } = &func.insts[inst] else {
        return false;
    };
    args.first().is_some_and(|&condition| compares_with_a_size(func, condition))
}

fn compares_with_a_size(func: &Function, condition: Value) -> bool {
    match func.operation_of(condition) {
        Some(Operation::IntCompare { cc: IntCc::Eq, args: [a, b] }) => {
            let fixed = |one: Value, other: Value| {
                func.const_bits(one).is_some_and(|bits| bits > 1) && is_launch_value(func, other)
            };
            fixed(a, b) || fixed(b, a)
        }
        // `(x == 5) != 0` and widened truth values.
        Some(Operation::IntCompare { cc: IntCc::Ne, args: [a, b] }) => {
            func.const_bits(b) == Some(0) && compares_with_a_size(func, a)
        }
        Some(Operation::Cast { arg, .. }) => compares_with_a_size(func, arg),
        Some(
            Operation::Binary { .. }
            | Operation::Unary { .. }
            | Operation::IntCompare { .. }
            | Operation::FloatCompare { .. }
            | Operation::Select { .. }
            | Operation::Geometry(_),
        )
        | None => false,
    }
}

/// A scalar argument or a size of the launch, perhaps widened.
fn is_launch_value(func: &Function, value: Value) -> bool {
    match func.operation_of(value) {
        Some(Operation::Cast { arg, .. }) => is_launch_value(func, arg),
        Some(Operation::Geometry(geometry)) => {
            matches!(geometry.kind, GeometryKind::BlockDim | GeometryKind::GridDim)
        }
        Some(
            Operation::Binary { .. }
            | Operation::Unary { .. }
            | Operation::IntCompare { .. }
            | Operation::FloatCompare { .. }
            | Operation::Select { .. },
        ) => false,
        None => matches!(func.values[value], ValueDef::FunctionParam(_)),
    }
}
