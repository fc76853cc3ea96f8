//! Words that threads synchronise with: arrays of which every access is strong.
//!
//! Strong are atomic operations, and volatile accesses to one aligned word of at most 8
//! bytes. That each is in the scope of the threads that it meets is asked like every race: a narrow
//! atomic, or a plain access, is a race with the others and a finding of its own.

use duet_ir::{
    Access, Array, AtomicOp, FenceScope, FenceSpaces, Inst, InstData, Language, MemoryOrder,
    MemoryScope, Space, Value,
};
use duet_product::KernelFacts;

/// How far a fence must reach.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Reach {
    /// To threads of the same block.
    Block,
    /// To all threads of the launch.
    Device,
}

/// What a strong access does to its word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Does {
    /// Leaves it as it is.
    Read,
    /// Puts a literal there, whatever was there before.
    Set { to: u128, by_exchange: bool },
    /// Puts a literal there if another literal was there.
    Swap { from: u128, to: u128 },
    /// Adds a literal other than 0.
    Add(u128),
    /// Adds 1, or starts again at 0 where the bound was reached.
    Increment,
    /// Puts 0 into shared memory, plainly, before there is any other access to the array.
    Start,
    /// Puts 0 into global memory, plainly.
    Reset,
    /// Something else.
    Other,
}

/// A strong access.
#[derive(Clone, Copy, Debug)]
pub(super) struct Word {
    pub(super) inst: Inst,
    pub(super) offset: Value,
    pub(super) does: Does,
}

/// The accesses to an array, if all of them are strong, to whole elements, and visible here.
/// There may be plain ones that put 0 there: in shared memory for a start, and in global
/// memory of CUDA to reset a counter, which only `counter` knows what to make of.
///
/// SOUNDNESS: every write to the word in the kernel must fit the protocol, so one that is
/// not listed makes it none (kernels/order/lock-plain-reset-bug).
pub(super) fn words(facts: &KernelFacts<'_>, array: Array) -> Option<Vec<Word>> {
    let data = &facts.module.arrays[array];
    let is_apart = facts.uses.aliases(array).next().is_none();
    let may_hold_words = matches!(data.space, Space::Global | Space::Shared);
    if !may_hold_words || !is_apart || ![4, 8].contains(&data.granule) {
        return None;
    }
    let plainly = match (facts.module.language, data.space) {
        (Language::Cuda | Language::OpenCl, Space::Shared) => Some(Does::Start),
        (Language::Cuda, Space::Global) => Some(Does::Reset),
        (Language::Cuda, Space::Constant | Space::Private)
        | (Language::OpenCl, Space::Global | Space::Constant | Space::Private) => None,
    };
    let sites = facts.uses.sites(array).iter().filter(|site| !site.ghost);
    sites
        .map(|site| match site.inner {
            None => word(facts, site.inst, data.granule)
                .or_else(|| plain_zero(facts, site.inst, data.granule, plainly?)),
            Some(_) => None,
        })
        .collect()
}

/// A plain store of 0.
fn plain_zero(facts: &KernelFacts<'_>, inst: Inst, granule: u32, does: Does) -> Option<Word> {
    let func = facts.func;
    let InstData::Store { access, values } = &func.insts[inst] else { return None };
    let &[value] = &values[..] else { return None };
    let is_zero = func.const_bits(value) == Some(0)
        && func.type_of(value).bytes() == Some(granule)
        && func.const_bits(access.offset).is_some();
    is_zero.then_some(Word { inst, offset: access.offset, does })
}

fn word(facts: &KernelFacts<'_>, inst: Inst, granule: u32) -> Option<Word> {
    let func = facts.func;
    let literal = |value: Option<&Value>| value.and_then(|&value| func.const_bits(value));
    // SOUNDNESS: volatile accesses of OpenCL synchronise nothing
    // (kernels/order/opencl-message-volatile-bug).
    let is_strong = facts.module.language == Language::Cuda;
    let (access, bytes, does) = match &func.insts[inst] {
        InstData::Atomic { op, access, args, ty, .. } => {
            (access, ty.bytes()?, atomic(*op, literal(args.first()), literal(args.get(1))))
        }
        InstData::Load { access, ty, lanes: 1 } if access.volatile && is_strong => {
            (access, ty.bytes()?, Does::Read)
        }
        InstData::Store { access, values } if access.volatile && is_strong && values.len() == 1 => {
            let does = match literal(values.first()) {
                Some(to) => Does::Set { to, by_exchange: false },
                None => Does::Other,
            };
            (access, func.type_of(values[0]).bytes()?, does)
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
        | InstData::IntToPtr { .. }
        | InstData::Load { .. }
        | InstData::Store { .. }
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
        | InstData::CallUnknown { .. } => return None,
    };
    let Access { offset, .. } = *access;
    (bytes == granule).then_some(Word { inst, offset, does })
}

fn atomic(op: AtomicOp, first: Option<u128>, second: Option<u128>) -> Does {
    match (op, first) {
        (AtomicOp::Load, _) => Does::Read,
        (AtomicOp::Add | AtomicOp::Sub | AtomicOp::Or | AtomicOp::Xor, Some(0)) => Does::Read,
        (AtomicOp::Add, Some(step)) => Does::Add(step),
        (AtomicOp::Exchange, Some(to)) => Does::Set { to, by_exchange: true },
        (AtomicOp::Store, Some(to)) => Does::Set { to, by_exchange: false },
        (AtomicOp::CompareExchange, Some(from)) => match second {
            Some(to) if to == from => Does::Read,
            Some(to) => Does::Swap { from, to },
            None => Does::Other,
        },
        (AtomicOp::IncWrap, _) => Does::Increment,
        (
            AtomicOp::Add
            | AtomicOp::Sub
            | AtomicOp::Exchange
            | AtomicOp::SMin
            | AtomicOp::SMax
            | AtomicOp::UMin
            | AtomicOp::UMax
            | AtomicOp::And
            | AtomicOp::Or
            | AtomicOp::Xor
            | AtomicOp::DecWrap
            | AtomicOp::CompareExchange
            | AtomicOp::FAdd
            | AtomicOp::FMin
            | AtomicOp::FMax
            | AtomicOp::Store,
            _,
        ) => Does::Other,
    }
}

/// The order of a fence that reaches so far, for one memory.
///
/// SOUNDNESS: a fence of the block orders nothing for another block
/// (kernels/order/lock-narrow-bug).
pub(super) fn fence_order(
    facts: &KernelFacts<'_>,
    inst: Inst,
    reach: Reach,
    space: Space,
) -> Option<MemoryOrder> {
    let InstData::Fence { scope, order, spaces } = facts.func.insts[inst] else { return None };
    let reaches = match scope {
        FenceScope::Block => reach == Reach::Block,
        FenceScope::Device | FenceScope::System => true,
    };
    // SOUNDNESS: a fence about the other memory orders nothing in this one
    // (kernels/order/opencl-message-flags-bug, opencl-local-fence-bug).
    let is_about = match spaces {
        FenceSpaces::All => true,
        FenceSpaces::Global => space == Space::Global,
        FenceSpaces::Shared => space == Space::Shared,
    };
    (reaches && is_about).then_some(order)
}

/// The order of an atomic operation, for threads so far away.
///
/// SOUNDNESS: a compare-and-swap has it only if it succeeds; one that leaves the word as it
/// is counts as a read, which may have failed (kernels/order/compare-as-read-bug).
pub(super) fn order_of(facts: &KernelFacts<'_>, inst: Inst, reach: Reach) -> MemoryOrder {
    let InstData::Atomic { op, scope, order, args, .. } = &facts.func.insts[inst] else {
        return MemoryOrder::Relaxed;
    };
    let reaches = match scope {
        MemoryScope::Block => reach == Reach::Block,
        MemoryScope::Device | MemoryScope::System => true,
    };
    let literal = |value: Option<&Value>| value.and_then(|&value| facts.func.const_bits(value));
    let is_read = *op == AtomicOp::CompareExchange && literal(args.first()) == literal(args.get(1));
    if reaches && !is_read { *order } else { MemoryOrder::Relaxed }
}
