//! Preconditions at a kernel's start, as if the user had written `__requires` there.
//!
//! The conditions are computed and stated before everything else in the entry block, so
//! a launch in which one of them is false has no run that reaches an access; every other
//! launch runs as before. A proof of the result is a proof of the original for those
//! launches, and for no others.
//!
//! SOUNDNESS: the annotations are ordinary ones, and no stage treats them in any way of
//! its own; what is proved is the kernel that the user gets by writing them (test
//! `the_annotation_gives_the_same_proof` of `duet`). What the conditions say is the
//! business of the caller, who builds them: they may use the kernel's arguments and the
//! sizes of the launch, and must not access memory.

use duet_ir::{AnnotationKind, Func, FunctionBuilder, InstData, Value, WellFormed};

/// The module in which the kernel has these preconditions; `build` appends what computes
/// one of them to the current block and returns the truth value.
pub fn with_preconditions<C: Copy>(
    module: &WellFormed,
    kernel: Func,
    conditions: &[C],
    build: impl Fn(&mut FunctionBuilder<'_>, C) -> Value,
) -> WellFormed {
    module.clone().rewrite(|module| {
        let func = module.functions[kernel].clone();
        let entry = func.entry();
        let old = func.blocks[entry].insts.len();
        let mut builder = FunctionBuilder::new(module, func);
        builder.switch_to(entry);
        for &condition in conditions {
            let holds = build(&mut builder, condition);
            let kind = AnnotationKind::Requires;
            builder.inst(InstData::Annotation { kind, args: vec![holds] });
        }
        let mut func = builder.finish();
        // They come before everything else.
        func.blocks[entry].insts.rotate_left(old);
        module.functions[kernel] = func;
    })
}
