//! Questions about the order of instructions in a function, and what its callees do.

use std::collections::HashSet;

use inkwell::llvm_sys::LLVMOpcode;

use crate::llvm::{self, Bb, Val};
use crate::mangled::Mangled;

/// The name of a function without the types of its parameters, and without the number that
/// tells declarations of one name apart.
pub fn base_name(function: Val) -> String {
    let name = function.name();
    let base = Mangled::parse(&name).map_or(name, |name| name.base);
    base.split('~').next().unwrap_or_default().to_string()
}

/// Is the instruction a call of one of these functions?
pub fn is_call_of(inst: Val, names: &[&str]) -> bool {
    is_call(inst)
        && inst.callee().is_function()
        && names.contains(&base_name(inst.callee()).as_str())
}

pub fn is_call(inst: Val) -> bool {
    inst.opcode() == LLVMOpcode::LLVMCall
}

/// The calls of these functions, in the order of the text.
pub fn calls_in(function: Val, names: &[&str]) -> Vec<Val> {
    let insts = function.blocks().into_iter().flat_map(Bb::instructions);
    insts.filter(|&inst| is_call_of(inst, names)).collect()
}

/// Does a way lead from behind an instruction, or from the function's start, to one that is
/// looked for, past none that stops it?
pub fn reaches(
    function: Val,
    from: Option<Val>,
    wanted: &dyn Fn(Val) -> bool,
    stop: &dyn Fn(Val) -> bool,
) -> bool {
    let entry = function.blocks()[0];
    let start = from.map_or(entry, llvm::instruction_block);
    let insts = start.instructions();
    let first = from.map_or(0, |from| insts.iter().position(|&inst| inst == from).unwrap_or(0) + 1);
    let mut open = vec![(start, first)];
    let mut seen: HashSet<Bb> = HashSet::new();
    while let Some((block, first)) = open.pop() {
        let mut is_stopped = false;
        for inst in block.instructions().into_iter().skip(first) {
            if wanted(inst) {
                return true;
            }
            if stop(inst) {
                is_stopped = true;
                break;
            }
        }
        if !is_stopped {
            let next = block.successors().into_iter().filter(|&next| seen.insert(next));
            open.extend(next.map(|next| (next, 0)));
        }
    }
    false
}

pub fn is_return(inst: Val) -> bool {
    inst.opcode() == LLVMOpcode::LLVMRet
}

/// Barriers of the block that order all memory, and those of which it is not known here.
const BARRIERS: &[&str] = &["__duet_barrier_block", "barrier", "work_group_barrier"];

/// How the names of functions without a body begin that touch no memory of the kernel and
/// order nothing.
const HARMLESS: &[&str] = &[
    "llvm.dbg.",
    "llvm.lifetime.",
    "llvm.stack",
    "llvm.smin",
    "llvm.smax",
    "llvm.umin",
    "llvm.umax",
    "llvm.abs",
    "__duet_thread_id_",
    "__duet_block_id_",
    "__duet_block_dim_",
    "__duet_grid_dim_",
    "__duet_rank_",
    "__duet_summary_",
    "__duet_is_summary",
    "__duet_works_alone",
    "__duet_choice",
    "__duet_sum_",
    "__duet_argument",
    "__duet_verified",
    "__duet_given",
    "__duet_contract",
    "__duet_ensured",
    "__duet_cell",
    "__duet_same_group",
    "__non_temporal_loads_",
    "__requires",
    "__global_requires",
    "__ensures",
    "__global_ensures",
    "bugle_requires",
    "bugle_ensures",
    "__return_val_",
    "__old_",
    "__reads_from",
    "__writes_to",
    "__implies",
    "__ite_",
    "__add_",
    "__other_",
    "__same_group",
    "__enabled",
    "__assert",
    "__global_assert",
    "__invariant",
    "__global_invariant",
    "__candidate_",
    "__barrier_invariant_",
    "__uninterpreted_function_",
    "get_",
];

/// What a function and those that it calls may do.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Deeds {
    /// Wait at a barrier of the block.
    pub waits: bool,
    /// Order threads otherwise, or what is unknown.
    pub more: bool,
}

/// What a function and those that it calls may do, plain accesses aside.
///
/// SOUNDNESS: whatever is not known to be harmless is not
/// (kernels/modular/73-fence-in-function).
pub fn deeds_of(function: Val) -> Deeds {
    let (mut deeds, mut open, mut seen) = (Deeds::default(), vec![function], HashSet::new());
    while let Some(function) = open.pop() {
        if !seen.insert(function) {
            continue;
        }
        if !function.is_function() {
            deeds.more = true;
            continue;
        }
        if function.is_declaration() {
            let name = base_name(function);
            let is_barrier = BARRIERS.contains(&name.as_str());
            deeds.waits |= is_barrier;
            deeds.more |= !is_barrier && !HARMLESS.iter().any(|known| name.starts_with(known));
            continue;
        }
        for inst in function.blocks().into_iter().flat_map(Bb::instructions) {
            match inst.opcode() {
                LLVMOpcode::LLVMCall => open.push(inst.callee()),
                LLVMOpcode::LLVMAtomicRMW
                | LLVMOpcode::LLVMAtomicCmpXchg
                | LLVMOpcode::LLVMFence => deeds.more = true,
                LLVMOpcode::LLVMLoad | LLVMOpcode::LLVMStore if inst.is_volatile() => {
                    deeds.more = true;
                }
                _ => {}
            }
        }
    }
    deeds
}

/// Is it a call of a function that waits at a barrier?
pub fn is_wait(inst: Val) -> bool {
    is_call(inst) && inst.callee().is_function() && deeds_of(inst.callee()).waits
}
