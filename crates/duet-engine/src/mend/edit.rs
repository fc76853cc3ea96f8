//! A kernel with a barrier less, or one more. Ids of instructions stay what they are,
//! so findings of both can be compared.

use duet_ir::{BarrierScope, Block, Func, Inst, InstData, Module, Type};

/// The module in which the kernel lacks these instructions, which have no results.
pub(super) fn without(module: &Module, kernel: Func, gone: &[Inst]) -> Module {
    let mut module = module.clone();
    for block in module.functions[kernel].blocks.values_mut() {
        block.insts.retain(|inst| !gone.contains(inst));
    }
    module
}

/// The module in which the kernel has a barrier of the block before the instruction
/// with this number in a block (or at its end). `flags` are the spaces it covers.
pub(super) fn with_barrier(
    module: &Module,
    kernel: Func,
    (block, number): (Block, usize),
    flags: u32,
) -> Module {
    let mut module = module.clone();
    let func = &mut module.functions[kernel];
    let flags = func.int_constant(u128::from(flags), Type::I32);
    let barrier = InstData::Barrier { scope: BarrierScope::Block, arg: Some(flags) };
    let inst = func.make_inst(barrier, &[], None);
    func.blocks[block].insts.insert(number, inst);
    module
}
