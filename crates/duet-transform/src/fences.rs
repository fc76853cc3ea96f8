//! A kernel with one change to how it orders its threads without a barrier: a fence more, a
//! fence or an atomic operation of wider scope, a volatile access instead of a plain one.
//!
//! The result is another kernel, as with barriers: a proof of it says nothing about the
//! original, it tells what would hold if the user made the same edit. What a thread by itself
//! computes is the same in both; ids of instructions stay what they are.

use duet_ir::{
    Block, FenceScope, FenceSpaces, Func, Function, Inst, InstData, MemoryOrder, MemoryScope,
    WellFormed,
};

/// A change to the order of threads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OrderEdit {
    /// A fence of the device before the instruction.
    FenceBefore(Inst),
    /// A fence of the device behind the instruction.
    FenceBehind(Inst),
    /// The fence reaches the device.
    WidenFence(Inst),
    /// The atomic operation reaches the device.
    WidenAtomic(Inst),
    /// The load or store is volatile.
    MakeVolatile(Inst),
}

/// The module in which the kernel has this change.
pub fn with_order(module: &WellFormed, kernel: Func, edit: OrderEdit) -> WellFormed {
    module.clone().rewrite(|module| {
        let func = &mut module.functions[kernel];
        match edit {
            OrderEdit::FenceBefore(inst) => put_fence(func, inst, 0),
            OrderEdit::FenceBehind(inst) => put_fence(func, inst, 1),
            OrderEdit::WidenFence(inst) => {
                if let InstData::Fence { scope, .. } = &mut func.insts[inst] {
                    *scope = FenceScope::Device;
                }
            }
            OrderEdit::WidenAtomic(inst) => {
                if let InstData::Atomic { scope, .. } = &mut func.insts[inst] {
                    *scope = MemoryScope::Device;
                }
            }
            OrderEdit::MakeVolatile(inst) => {
                for access in func.insts[inst].accesses_mut() {
                    access.volatile = true;
                }
            }
        }
    })
}

/// Puts a fence so many instructions behind the place of one.
fn put_fence(func: &mut Function, at: Inst, behind: usize) {
    let fence = InstData::Fence {
        scope: FenceScope::Device,
        order: MemoryOrder::AcquireRelease,
        spaces: FenceSpaces::All,
    };
    let fence = func.make_inst(fence, &[], None);
    let blocks: Vec<Block> = func.layout.clone();
    for block in blocks {
        let insts = &mut func.blocks[block].insts;
        if let Some(place) = insts.iter().position(|&inst| inst == at) {
            insts.insert(place + behind, fence);
            return;
        }
    }
}
