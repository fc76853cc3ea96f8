//! What proofs of contracts cover. Everything else makes the whole kernel unproven, with
//! the place.
//!
//! SOUNDNESS: the facts of a proof hold only in kernels whose one way of ordering threads
//! is the barrier of the whole block, and whose arrays are accessed in whole elements by
//! plain loads and stores (kernels/prove/traps/26-warp-barrier, kernels/prove/traps/28-volatile,
//! kernels/prove/traps/18-part-of-a-cell).

use std::collections::BTreeSet;

use duet_analysis::Loops;
use duet_check::{CheckOptions, KernelReport};
use duet_ir::{Access, BarrierScope, Function, Inst, InstData, Module, Rule, Space};

use super::sums::atomics::uncovered;
use crate::contract::Bound;

/// Why a kernel is not covered.
pub struct Uncovered {
    /// Why.
    pub why: String,
    /// Where.
    pub place: Option<Inst>,
}

fn not(why: impl Into<String>, place: Option<Inst>) -> Result<(), Uncovered> {
    Err(Uncovered { why: why.into(), place })
}

/// Is the kernel one whose contract can be proved?
pub fn covered(
    module: &Module,
    bound: &Bound<'_>,
    loops: &Loops,
    options: &CheckOptions,
    check: &KernelReport,
) -> Result<(), Uncovered> {
    let func = &module.functions[bound.kernel];
    if options.may_alias || options.warp_sync.is_some() {
        return not("proofs of contracts assume distinct arrays and no lock step", None);
    }
    if options.only_intra_group || options.only_divergence || options.unwind.is_some() {
        return not("the check left something out", None);
    }
    if module.pointer_width != 64 {
        return not("proofs of contracts are for pointers of 64 bits", None);
    }
    let exits = |rule: Rule| rule == Rule::ExitBeforeBarrier;
    if let Some(finding) = check.findings.iter().find(|finding| exits(finding.rule)) {
        return not("a thread may return before a barrier that others wait at", finding.primary);
    }
    if !loops.is_reducible() {
        return not("a loop has several entries", None);
    }
    for inst in func.insts_in_order() {
        instruction(module, func, inst)?;
    }
    Ok(())
}

fn instruction(module: &Module, func: &Function, inst: Inst) -> Result<(), Uncovered> {
    let place = Some(inst);
    match &func.insts[inst] {
        InstData::Barrier { scope: BarrierScope::Block, .. } => all_memory(module, func, inst),
        InstData::Barrier { .. } => not("only barriers of the whole block are covered", place),
        InstData::BarrierReduce { .. } => not("counting barriers are not covered yet", place),
        InstData::Exchange { .. } => not("exchanges in a warp are not covered yet", place),
        InstData::Fence { .. } => not("memory fences are not covered yet", place),
        InstData::Atomic { .. } => match uncovered(module, func, inst) {
            Some(why) => not(why, place),
            None => Ok(()),
        },
        InstData::AsyncCopy { .. } | InstData::WaitEvents { .. } => {
            not("asynchronous copies are not covered", place)
        }
        InstData::Call { .. } | InstData::CallUnknown { .. } => {
            not("a call that is not inlined is not covered", place)
        }
        InstData::IntToPtr { .. } => not("pointers from numbers are not covered", place),
        InstData::Load { access, ty, lanes } => {
            whole_elements(module, access, ty.bytes(), *lanes, inst)
        }
        InstData::Store { access, values } => {
            let ty = func.type_of(values[0]);
            whole_elements(module, access, ty.bytes(), values.len() as u32, inst)
        }
        InstData::Binary { .. }
        | InstData::Unary { .. }
        | InstData::Cast { .. }
        | InstData::IntCompare { .. }
        | InstData::FloatCompare { .. }
        | InstData::Select { .. }
        | InstData::Pure { .. }
        | InstData::Fresh { .. }
        | InstData::Geometry(_)
        | InstData::PtrToInt { .. }
        | InstData::Assert { .. }
        | InstData::Annotation { .. }
        | InstData::Ghost { .. } => Ok(()),
    }
}

/// A barrier orders what its flags name; one that leaves global memory out orders less than
/// the facts say. It does where nobody reads what the kernel writes there: each cell of such an
/// array is then a matter of stores alone, and of two by different threads that no barrier orders
/// both leave the same value, as the check shows.
// SOUNDNESS: what one thread reads of another over such a barrier is not what it wrote
// (kernels/prove/traps/85-local-fence).
fn all_memory(module: &Module, func: &Function, inst: Inst) -> Result<(), Uncovered> {
    let InstData::Barrier { arg: Some(flags), .. } = func.insts[inst] else { return Ok(()) };
    match func.const_bits(flags) {
        Some(flags) if flags & 3 == 3 => Ok(()),
        Some(flags) if flags & 3 == 1 && only_stores(module, func) => Ok(()),
        _ => not("the barrier does not order all memory", Some(inst)),
    }
}

/// Does the kernel only load, or only store, each array of global memory?
fn only_stores(module: &Module, func: &Function) -> bool {
    let is_global = |access: &Access| module.arrays[access.array].space == Space::Global;
    let (mut loaded, mut stored) = (BTreeSet::new(), BTreeSet::new());
    for inst in func.insts_in_order() {
        let data = &func.insts[inst];
        if let InstData::Load { access, .. } = data
            && is_global(access)
        {
            loaded.insert(access.array);
        }
        if let InstData::Store { access, .. } = data
            && is_global(access)
        {
            stored.insert(access.array);
        }
        if matches!(data, InstData::Atomic { .. }) {
            return false;
        }
    }
    loaded.is_disjoint(&stored)
}

fn whole_elements(
    module: &Module,
    access: &Access,
    bytes: Option<u32>,
    lanes: u32,
    inst: Inst,
) -> Result<(), Uncovered> {
    let data = &module.arrays[access.array];
    if access.volatile {
        return not("volatile accesses are not covered", Some(inst));
    }
    let is_whole = bytes == Some(data.granule) && lanes == 1;
    if data.space != Space::Private && !is_whole {
        return not("the array is accessed in pieces of different sizes", Some(inst));
    }
    Ok(())
}
