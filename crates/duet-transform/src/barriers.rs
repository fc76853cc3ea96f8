//! A kernel with a barrier less, or with one more.
//!
//! The result is another kernel: a run of it need not be a run of the original, and a
//! proof of it says nothing about the original. It tells what would hold if the user made
//! the same edit, which is what advice about barriers is for. What a thread by itself
//! computes and accesses is the same in both, as barriers have no results; only what is
//! ordered between threads differs. Ids of instructions stay what they are, so findings
//! about both kernels can be compared.

use duet_analysis::{Dominators, Loops};
use duet_ir::{
    BarrierScope, Block, Edge, Func, Function, Inst, InstData, Terminator, Type, WellFormed,
};

/// The module in which the kernel lacks these instructions, which are barriers and so
/// have no results.
pub fn without_barriers(module: &WellFormed, kernel: Func, gone: &[Inst]) -> WellFormed {
    module.clone().rewrite(|module| {
        for block in module.functions[kernel].blocks.values_mut() {
            block.insts.retain(|inst| !gone.contains(inst));
        }
    })
}

/// Where a barrier goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BarrierPlace {
    /// Before the instruction with this number in a block, or at its end.
    Inside(Block, usize),
    /// On the ways into a loop, whose header this is.
    BeforeLoop(Block),
}

/// The module in which the kernel has one more barrier of the block. `flags` are the
/// spaces it covers.
pub fn with_barrier(
    module: &WellFormed,
    kernel: Func,
    place: BarrierPlace,
    flags: u32,
) -> WellFormed {
    module.clone().rewrite(|module| {
        let func = &mut module.functions[kernel];
        let (block, number) = match place {
            BarrierPlace::Inside(block, number) => (block, number),
            BarrierPlace::BeforeLoop(header) => (own_entry(func, header), 0),
        };
        let flags = func.int_constant(u128::from(flags), Type::I32);
        let barrier = InstData::Barrier { scope: BarrierScope::Block, arg: Some(flags) };
        let inst = func.make_inst(barrier, &[], None);
        func.blocks[block].insts.insert(number, inst);
    })
}

/// Gives a loop a block of its own that all ways into it pass.
fn own_entry(func: &mut Function, header: Block) -> Block {
    let loops = Loops::new(func, &Dominators::new(func));
    let of_header = loops.iter().find(|(_, data)| data.header == header);
    let latches = of_header.map(|(_, data)| data.latches.clone()).unwrap_or_default();
    let entry = func.make_block();
    let types: Vec<Type> =
        func.blocks[header].params.iter().map(|&param| func.type_of(param)).collect();
    let args = types.into_iter().map(|ty| func.add_block_param(entry, ty)).collect();
    for block in func.layout.clone() {
        if !latches.contains(&block) {
            let edges = func.blocks[block].terminator.edges_mut().into_iter();
            edges.filter(|edge| edge.block == header).for_each(|edge| edge.block = entry);
        }
    }
    func.blocks[entry].terminator = Terminator::Jump(Edge { block: header, args });
    let position = func.layout.iter().position(|&block| block == header).unwrap_or(0);
    func.layout.insert(position, entry);
    entry
}
