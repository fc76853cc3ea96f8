//! Preconditions are about the launch: they speak of memory as it is before any
//! thread has run. A thread evaluates them when it starts, and by then others may
//! have written. So a kernel that writes what a precondition reads is run in two
//! parts: first each thread up to its first write, which evaluates them, then the
//! kernel without them.

use duet_ir::{
    AccessMode, AnnotationKind, Array, Block, Effect, Func, Function, Inst, InstData, Module,
    Space, Terminator, Value, ValueDef,
};
use std::collections::BTreeSet;

/// The two parts of a kernel, if it needs them: the module in which every thread
/// ends before its first write, and the one without preconditions.
pub(crate) fn split(module: &Module, kernel: Func) -> Option<(Module, Module)> {
    let function = &module.functions[kernel];
    let early = early_preconditions(module, function);
    let written = written_arrays(module, function);
    let dependent = |&inst: &Inst| {
        let args = function.insts[inst].values();
        args.iter().any(|&arg| may_read(function, arg, &written, &mut BTreeSet::new()))
    };
    if !early.iter().any(dependent) {
        return None;
    }
    let (mut first, mut rest) = (module.clone(), module.clone());
    cut_at_writes(&mut first, kernel);
    for block in rest.functions[kernel].blocks.values_mut() {
        block.insts.retain(|inst| !early.contains(inst));
    }
    Some((first, rest))
}

/// Does the instruction end the part in which memory is as the launch gave it?
fn ends_first_part(module: &Module, data: &InstData) -> bool {
    let outside = |array: Array| module.arrays[array].space != Space::Private;
    match data.effect() {
        Effect::Memory => data.accesses().iter().any(|(kind, access)| match kind {
            AccessMode::Load => false,
            AccessMode::Store | AccessMode::AtomicLoad | AccessMode::Atomic => {
                outside(access.array)
            }
            AccessMode::CopyFrom | AccessMode::CopyTo => true,
        }),
        Effect::Barrier(_) | Effect::Exchange | Effect::Call(_) => true,
        Effect::None
        | Effect::MayFail
        | Effect::Fence
        | Effect::WaitsForCopies
        | Effect::Statement
        | Effect::CallUnknown => false,
    }
}

/// Preconditions that no thread reaches after such an instruction.
fn early_preconditions(module: &Module, function: &Function) -> BTreeSet<Inst> {
    let mut late: BTreeSet<Block> = BTreeSet::new();
    let ends = |inst: &Inst| ends_first_part(module, &function.insts[*inst]);
    let mut work: Vec<Block> = vec![];
    for &block in &function.layout {
        if function.blocks[block].insts.iter().any(ends) {
            work.extend(successors(function, block));
        }
    }
    while let Some(block) = work.pop() {
        if late.insert(block) {
            work.extend(successors(function, block));
        }
    }
    let mut early = BTreeSet::new();
    for &block in function.layout.iter().filter(|block| !late.contains(block)) {
        for &inst in function.blocks[block].insts.iter().take_while(|inst| !ends(inst)) {
            use AnnotationKind::{GlobalRequires, Requires};
            if matches!(
                function.insts[inst],
                InstData::Annotation { kind: Requires | GlobalRequires, .. }
            ) {
                early.insert(inst);
            }
        }
    }
    early
}

fn successors(function: &Function, block: Block) -> Vec<Block> {
    function.blocks[block].terminator.edges().into_iter().map(|edge| edge.block).collect()
}

fn written_arrays(module: &Module, function: &Function) -> BTreeSet<Array> {
    // Instructions that were left out of every block may name arrays that are gone
    // (kernels/async/null-source-bug).
    let insts = function.insts_in_order().map(|inst| &function.insts[inst]);
    let accesses = insts.flat_map(InstData::accesses);
    let written = accesses.filter(|(kind, _)| kind.may_write() || kind.is_atomic());
    let arrays = written.map(|(_, access)| access.array);
    arrays.filter(|&array| module.arrays[array].space != Space::Private).collect()
}

/// May the value come from one of the arrays? What other ways brought counts.
fn may_read(
    function: &Function,
    value: Value,
    arrays: &BTreeSet<Array>,
    seen: &mut BTreeSet<Value>,
) -> bool {
    if !seen.insert(value) {
        return false;
    }
    match function.values[value] {
        ValueDef::Const(_) | ValueDef::FunctionParam(_) => false,
        ValueDef::BlockParam(..) => !arrays.is_empty(),
        ValueDef::Result(inst, _) => {
            let data = &function.insts[inst];
            data.accesses().iter().any(|(_, access)| arrays.contains(&access.array))
                || data.values().iter().any(|&arg| may_read(function, arg, arrays, seen))
        }
    }
}

/// Ends every thread before the first instruction that may change memory.
fn cut_at_writes(module: &mut Module, kernel: Func) {
    let function = &module.functions[kernel];
    let mut cuts = vec![];
    for &block in &function.layout {
        let insts = &function.blocks[block].insts;
        let cut = insts.iter().position(|inst| ends_first_part(module, &function.insts[*inst]));
        cuts.extend(cut.map(|at| (block, at)));
    }
    for (block, at) in cuts {
        let data = &mut module.functions[kernel].blocks[block];
        data.insts.truncate(at);
        data.terminator = Terminator::Return(vec![]);
    }
}
