//! Built-ins that touch memory, synchronise or exchange values: what each one is,
//! by its name and parameter types. Their lowering is the translator's.
//!
//! A built-in that OpenCL has and Duet does not model is [`MemoryBuiltin::Unsupported`]
//! with the reason, so that the translator can say so; it is never ignored.

use duet_ir::{AtomicOp, MemoryOrder, MemoryScope};

use crate::mangled::{ImageShape, Mangled, ParamType, Scalar};

/// A built-in with effects beyond its result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MemoryBuiltin {
    /// `vloadn(offset, p)`, `vload_half[n](offset, p)`, `vloada_halfn(offset, p)`:
    /// reads `lanes` elements at element `offset * stride` of `p`. With `half` the
    /// elements are halves and the result is of floats.
    VLoad {
        /// Elements read.
        lanes: u32,
        /// Elements from one offset to the next.
        stride: u32,
        /// Halves in memory.
        half: bool,
    },
    /// `vstoren(value, offset, p)` and its kin.
    VStore {
        /// Elements written.
        lanes: u32,
        /// Elements from one offset to the next.
        stride: u32,
        /// Halves in memory, rounded so; `None` if the type in memory is the
        /// value's.
        half: Option<Rounding>,
    },
    /// An atomic operation on the first argument.
    Atomic(AtomicBuiltin),
    /// `atomic_init(p, value)`: a plain store.
    AtomicInit,
    /// `async_work_group_copy(dst, src, count, event)` or, `strided`,
    /// `…(dst, src, count, stride, event)`. The stride is the global side's.
    AsyncCopy {
        /// Has a stride.
        strided: bool,
        /// From global to local memory, else from local to global.
        to_local: bool,
        /// Type of an element.
        element: Scalar,
        /// Lanes of an element; three take the room of four.
        lanes: u32,
    },
    /// `wait_group_events(count, events)`.
    WaitEvents,
    /// `barrier(flags)`, `work_group_barrier(flags[, scope])`: bit 0 of the flags
    /// is local memory, bit 1 global memory, bit 2 images.
    Barrier,
    /// `mem_fence(flags)` and its kin: they order what one work-item does, for itself.
    MemFence,
    /// `atomic_work_item_fence(flags, order, scope)`.
    WorkItemFence,
    /// `read_image*`.
    ReadImage {
        /// The image is the first argument.
        shape: ImageShape,
        /// Type of the result's lanes.
        texel: Texel,
        /// The second argument is a sampler.
        sampler: bool,
        /// Index of the coordinates' argument.
        coordinates: usize,
        /// They are floats.
        float_coordinates: bool,
        /// What selects the mipmap level.
        level: LevelOfDetail,
    },
    /// `write_image*(image, coordinates[, level], value)`.
    WriteImage {
        /// The image is the first argument.
        shape: ImageShape,
        /// Type of the value's lanes.
        texel: Texel,
        /// There is a level argument.
        level: bool,
    },
    /// `get_image_*`: constant for the launch.
    ImageQuery {
        /// The image is the only argument.
        shape: ImageShape,
        /// What is asked.
        query: ImageQuery,
    },
    /// `prefetch(p, count)`: no effect.
    Prefetch,
    /// `printf`: no effect; the result is unknown.
    Printf,
    /// A built-in without a model; the reason completes "… is not supported: ".
    Unsupported(&'static str),
}

/// How a float becomes a half.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Rounding {
    /// `_rte`, and the default.
    NearestEven,
    /// `_rtz`.
    Zero,
    /// `_rtp`.
    Up,
    /// `_rtn`.
    Down,
}

/// What an image read yields or a write takes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Texel {
    /// `f`: floats.
    Float,
    /// `h`: halves.
    Half,
    /// `i`: signed integers.
    Int,
    /// `ui`: unsigned integers.
    UInt,
}

/// What selects the mipmap level of an image read.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum LevelOfDetail {
    /// Nothing: the only level.
    None,
    /// The argument after the coordinates (a level, or a sample of a
    /// multi-sample image).
    Explicit,
    /// The two arguments after the coordinates.
    Gradients,
}

/// A question about an image.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)]
pub enum ImageQuery {
    Width,
    Height,
    Depth,
    ArraySize,
    /// Width and height, or width, height, depth and 0, as a vector.
    Dim,
    ChannelDataType,
    ChannelOrder,
    NumMipLevels,
    NumSamples,
}

/// An atomic operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AtomicBuiltin {
    /// The operation, its signedness chosen by the pointer's type.
    pub op: AtomicOp,
    /// Where its operands come from.
    pub operands: AtomicOperands,
    /// What the call returns.
    pub result: AtomicResult,
    /// Who it is atomic for.
    pub scope: AtomicScope,
    /// What it orders besides.
    pub order: AtomicOrder,
    /// The type in memory.
    pub element: Scalar,
}

/// Operands of an atomic operation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum AtomicOperands {
    /// None (a load).
    None,
    /// The constant.
    Constant(u32),
    /// The argument after the pointer, converted to the type in memory.
    Argument,
    /// The two arguments after the pointer: compare, new.
    CompareAndNew,
    /// The C11 form: `(p, expected, new)`. The value to compare is read through
    /// `expected`, a plain access, and the old value is stored there if the
    /// comparison failed. A weak one may fail without reason.
    ThroughPointer {
        /// May fail although the values are equal.
        weak: bool,
    },
}

/// What the call of an atomic operation returns.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum AtomicResult {
    /// Nothing.
    None,
    /// The old value.
    Old,
    /// Whether the old value was not zero.
    OldIsSet,
    /// Whether the exchange took place.
    Success,
}

/// Who an operation is atomic for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum AtomicScope {
    /// The device, the default of both versions of the language.
    Device,
    /// The `memory_scope` in this argument; see [`memory_scope`].
    Argument(usize),
}

/// Where the order of an atomic operation is said.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum AtomicOrder {
    /// It orders nothing: the functions of OpenCL 1.
    Relaxed,
    /// It is sequentially consistent: those of OpenCL 2 that name no order.
    Sequential,
    /// The `memory_order` in this argument; see [`memory_order`].
    Argument(usize),
}

/// The order of a `memory_order` constant, with the numbers of C. One that is not known
/// orders nothing.
pub fn memory_order(constant: Option<u128>) -> MemoryOrder {
    match constant {
        Some(1 | 2) => MemoryOrder::Acquire,
        Some(3) => MemoryOrder::Release,
        Some(4 | 5) => MemoryOrder::AcquireRelease,
        Some(_) | None => MemoryOrder::Relaxed,
    }
}

/// The scope of a `memory_scope` constant; `None` for those narrower than a
/// block, which the IR has no name for.
pub fn memory_scope(constant: u128) -> Option<MemoryScope> {
    match constant {
        1 => Some(MemoryScope::Block),
        2 => Some(MemoryScope::Device),
        3 => Some(MemoryScope::System),
        _ => None,
    }
}

/// What a built-in with effects is; `None` if `name` is none.
pub fn classify(name: &Mangled) -> Option<MemoryBuiltin> {
    let base = name.base.as_str();
    let simple = match base {
        "wait_group_events" => MemoryBuiltin::WaitEvents,
        "barrier" | "work_group_barrier" => MemoryBuiltin::Barrier,
        "mem_fence" | "read_mem_fence" | "write_mem_fence" => MemoryBuiltin::MemFence,
        "atomic_work_item_fence" => MemoryBuiltin::WorkItemFence,
        "prefetch" => MemoryBuiltin::Prefetch,
        "printf" => MemoryBuiltin::Printf,
        "async_work_group_copy" => return async_copy(name, false),
        "async_work_group_strided_copy" => return async_copy(name, true),
        _ => {
            return vector_access(name)
                .or_else(|| atomic(name))
                .or_else(|| image(name))
                .or_else(|| unsupported(base).map(MemoryBuiltin::Unsupported));
        }
    };
    Some(simple)
}

/// `vload…` and `vstore…`.
fn vector_access(name: &Mangled) -> Option<MemoryBuiltin> {
    let base = name.base.as_str();
    let (is_load, rest) = match base.strip_prefix("vload") {
        Some(rest) => (true, rest),
        None => (false, base.strip_prefix("vstore")?),
    };
    let (aligned, rest) = match rest.strip_prefix("a_half") {
        Some(rest) => (true, Some(rest)),
        None => (false, rest.strip_prefix("_half")),
    };
    let Some(rest) = rest else {
        let lanes = vector_lanes(base.trim_start_matches(|c: char| c.is_ascii_alphabetic()))?;
        let stride = lanes;
        return Some(if is_load {
            MemoryBuiltin::VLoad { lanes, stride, half: false }
        } else {
            MemoryBuiltin::VStore { lanes, stride, half: None }
        });
    };
    let (lanes, mode) = rest.split_once('_').unwrap_or((rest, ""));
    let lanes = if lanes.is_empty() { 1 } else { vector_lanes(lanes)? };
    // Three lanes take the room of four in the aligned forms only.
    let stride = if aligned && lanes == 3 { 4 } else { lanes };
    match (is_load, mode) {
        (true, "") => Some(MemoryBuiltin::VLoad { lanes, stride, half: true }),
        (true, _) => None,
        (false, mode) => Some(MemoryBuiltin::VStore { lanes, stride, half: Some(rounding(mode)?) }),
    }
}

fn vector_lanes(digits: &str) -> Option<u32> {
    digits.parse().ok().filter(|lanes| matches!(lanes, 2 | 3 | 4 | 8 | 16))
}

fn rounding(mode: &str) -> Option<Rounding> {
    Some(match mode {
        "" | "rte" => Rounding::NearestEven,
        "rtz" => Rounding::Zero,
        "rtp" => Rounding::Up,
        "rtn" => Rounding::Down,
        _ => return None,
    })
}

fn async_copy(name: &Mangled, strided: bool) -> Option<MemoryBuiltin> {
    let ParamType::Pointer { space, pointee, .. } = name.params.first()? else { return None };
    Some(MemoryBuiltin::AsyncCopy {
        strided,
        to_local: *space == crate::mangled::AddressSpace::Local,
        element: pointee.element()?,
        lanes: pointee.lanes(),
    })
}

/// `atomic_*` of both versions of the language, and `atom_*`.
fn atomic(name: &Mangled) -> Option<MemoryBuiltin> {
    let base = name.base.as_str();
    let operation = base.strip_prefix("atomic_").or_else(|| base.strip_prefix("atom_"))?;
    let element = name.params.first()?.pointee()?.element()?;
    if operation == "init" {
        return Some(MemoryBuiltin::AtomicInit);
    }
    let (operation, explicit) = match operation.strip_suffix("_explicit") {
        Some(operation) => (operation, true),
        None => (operation, false),
    };
    let ((op, operands, result), is_old) = match operation.strip_prefix("fetch_") {
        Some(operation) => {
            let op = arithmetic(operation, element)?;
            ((op, AtomicOperands::Argument, AtomicResult::Old), false)
        }
        None => match old_style(operation, element) {
            Some(shape) => (shape, true),
            None => (c11(operation)?, false),
        },
    };
    // There is no such operation on floats: the name promises what the IR's
    // integer operation would not do.
    if element.is_float() && is_integer_only(op) {
        return Some(MemoryBuiltin::Unsupported("this atomic operation on floats"));
    }
    let last = name.params.len() - 1;
    let has_scope =
        explicit && matches!(&name.params[last], ParamType::Named(n) if n == "memory_scope");
    let scope = if has_scope { AtomicScope::Argument(last) } else { AtomicScope::Device };
    let is_order = |param: &ParamType| matches!(param, ParamType::Named(n) if n == "memory_order");
    let order = match name.params.iter().position(is_order) {
        Some(index) => AtomicOrder::Argument(index),
        None if is_old => AtomicOrder::Relaxed,
        None => AtomicOrder::Sequential,
    };
    Some(MemoryBuiltin::Atomic(AtomicBuiltin { op, operands, result, scope, order, element }))
}

type AtomicShape = (AtomicOp, AtomicOperands, AtomicResult);

/// OpenCL 1.x: `atomic_add`, `atomic_inc`, `atomic_cmpxchg`, …
fn old_style(operation: &str, element: Scalar) -> Option<AtomicShape> {
    Some(match operation {
        "inc" => (AtomicOp::Add, AtomicOperands::Constant(1), AtomicResult::Old),
        "dec" => (AtomicOp::Sub, AtomicOperands::Constant(1), AtomicResult::Old),
        "xchg" => (AtomicOp::Exchange, AtomicOperands::Argument, AtomicResult::Old),
        "cmpxchg" => (AtomicOp::CompareExchange, AtomicOperands::CompareAndNew, AtomicResult::Old),
        _ => (arithmetic(operation, element)?, AtomicOperands::Argument, AtomicResult::Old),
    })
}

/// OpenCL 2.0, but for `fetch_…`.
fn c11(operation: &str) -> Option<AtomicShape> {
    let through = |weak| {
        let operands = AtomicOperands::ThroughPointer { weak };
        (AtomicOp::CompareExchange, operands, AtomicResult::Success)
    };
    Some(match operation {
        "load" => (AtomicOp::Load, AtomicOperands::None, AtomicResult::Old),
        "store" => (AtomicOp::Store, AtomicOperands::Argument, AtomicResult::None),
        "exchange" => (AtomicOp::Exchange, AtomicOperands::Argument, AtomicResult::Old),
        "compare_exchange_strong" => through(false),
        "compare_exchange_weak" => through(true),
        "flag_test_and_set" => {
            (AtomicOp::Exchange, AtomicOperands::Constant(1), AtomicResult::OldIsSet)
        }
        "flag_clear" => (AtomicOp::Store, AtomicOperands::Constant(0), AtomicResult::None),
        _ => return None,
    })
}

fn arithmetic(operation: &str, element: Scalar) -> Option<AtomicOp> {
    let by_kind = |signed, unsigned, float| match element {
        _ if element.is_float() => float,
        _ if element.is_signed() => signed,
        _ => unsigned,
    };
    Some(match operation {
        "add" => by_kind(AtomicOp::Add, AtomicOp::Add, AtomicOp::FAdd),
        "sub" => AtomicOp::Sub,
        "min" => by_kind(AtomicOp::SMin, AtomicOp::UMin, AtomicOp::FMin),
        "max" => by_kind(AtomicOp::SMax, AtomicOp::UMax, AtomicOp::FMax),
        "and" => AtomicOp::And,
        "or" => AtomicOp::Or,
        "xor" => AtomicOp::Xor,
        _ => return None,
    })
}

fn is_integer_only(op: AtomicOp) -> bool {
    use AtomicOp::*;
    matches!(op, Add | Sub | And | Or | Xor)
}

/// Image reads, writes and queries.
fn image(name: &Mangled) -> Option<MemoryBuiltin> {
    let &ParamType::Image(shape, _) = name.params.first()? else { return None };
    let base = name.base.as_str();
    if let Some(kind) = base.strip_prefix("read_image") {
        return read_image(name, shape, texel(kind)?);
    }
    if let Some(kind) = base.strip_prefix("write_image") {
        let (texel, level) = (texel(kind)?, name.params.len() == 4);
        return Some(MemoryBuiltin::WriteImage { shape, texel, level });
    }
    let query = match base.strip_prefix("get_image_")? {
        "width" => ImageQuery::Width,
        "height" => ImageQuery::Height,
        "depth" => ImageQuery::Depth,
        "array_size" => ImageQuery::ArraySize,
        "dim" => ImageQuery::Dim,
        "channel_data_type" => ImageQuery::ChannelDataType,
        "channel_order" => ImageQuery::ChannelOrder,
        "num_mip_levels" => ImageQuery::NumMipLevels,
        "num_samples" => ImageQuery::NumSamples,
        _ => return None,
    };
    Some(MemoryBuiltin::ImageQuery { shape, query })
}

fn texel(kind: &str) -> Option<Texel> {
    Some(match kind {
        "f" => Texel::Float,
        "h" => Texel::Half,
        "i" => Texel::Int,
        "ui" => Texel::UInt,
        _ => return None,
    })
}

fn read_image(name: &Mangled, shape: ImageShape, texel: Texel) -> Option<MemoryBuiltin> {
    let sampler = name.params.get(1) == Some(&ParamType::Sampler);
    let coordinates = 1 + usize::from(sampler);
    let float_coordinates = name.element(coordinates)?.is_float();
    let level = match name.params.len() - coordinates {
        1 => LevelOfDetail::None,
        2 => LevelOfDetail::Explicit,
        3 => LevelOfDetail::Gradients,
        _ => return None,
    };
    Some(MemoryBuiltin::ReadImage { shape, texel, sampler, coordinates, float_coordinates, level })
}

/// Built-ins of OpenCL that Duet has no model for, and why.
fn unsupported(base: &str) -> Option<&'static str> {
    let starts = |prefixes: &[&str]| prefixes.iter().any(|prefix| base.starts_with(prefix));
    if starts(&["sub_group_", "intel_sub_group_", "get_sub_group_"])
        || ["get_max_sub_group_size", "get_num_sub_groups", "get_enqueued_num_sub_groups"]
            .contains(&base)
    {
        return Some("sub-groups have no fixed size");
    }
    if starts(&["work_group_"]) {
        return Some("collective functions of a work-group");
    }
    if starts(&["__to_"]) || ["get_fence", "to_global", "to_local", "to_private"].contains(&base) {
        return Some("the address space of a pointer is not known at run time");
    }
    if starts(&PIPES) || base == "is_valid_reserve_id" {
        return Some("pipes");
    }
    if starts(&["__enqueue_", "__get_kernel_", "ndrange_"]) || DEVICE_QUEUE.contains(&base) {
        return Some("kernels that start kernels");
    }
    starts(&["clock_read_"]).then_some("clocks")
}

/// How clang calls the pipe functions begins so.
const PIPES: [&str; 8] = [
    "__read_pipe_",
    "__write_pipe_",
    "__reserve_",
    "__commit_",
    "__work_group_reserve_",
    "__work_group_commit_",
    "__sub_group_",
    "__get_pipe_",
];

/// Functions on device-side queues and their events.
const DEVICE_QUEUE: [&str; 8] = [
    "capture_event_profiling_info",
    "create_user_event",
    "enqueue_marker",
    "get_default_queue",
    "is_valid_event",
    "release_event",
    "retain_event",
    "set_user_event_status",
];
