//! The reference interpreter: runs a whole grid of a kernel on a concrete launch
//! and reports what went wrong. It is the oracle for every proof, so it shares no
//! code with the proving side; it knows only the kernel IR.
//!
//! # What a run means
//!
//! Integers, floats, memory and threads are as the header of `duet-ir` says.
//! Beyond that:
//!
//! * Threads take turns instruction by instruction, in the order that
//!   [`Schedule`] names; every access sees all earlier ones. So a run with a data
//!   race shows one of its outcomes.
//! * A *race* is found whatever the order: two accesses to overlapping bytes by
//!   distinct threads race unless a barrier that both took part in, and that
//!   covers the array's space for both, lies between them (`races`).
//!   Threads that have ended take part in no barrier. A run finds the races of
//!   the paths and addresses that it takes.
//! * What is unspecified gets a value, the same for the same seed: `fresh`,
//!   uninitialised memory, shuffles from lanes that take no part. Division by
//!   zero yields all ones, the remainder the dividend.
//! * Arrays without a known or given size grow on demand; see [`ArrayInput`].
//! * Threads of a block at different barriers: reported, and the block is given
//!   up. Threads that wait while others have returned: reported, and the barrier
//!   is passed without them.
//! * Preconditions speak of memory as the launch gives it (`decode::preconditions`).
//! * An assertion that is false is reported, and the thread goes on. A false
//!   precondition or assumption ends the run: it shows nothing.
//! * A loop invariant that is false at its loop's head is reported.
//! * Assertions, invariants and assumptions over ghost values that one thread's run cannot
//!   know (the other thread's values, access logs) are skipped (`decode::taint`).
//!
//! # The folders
//!
//! | folder | holds |
//! |---|---|
//! | `interface` | what a run is given and what comes of it |
//! | `values` | what operations compute |
//! | `memory` | the bytes of arrays, addresses, pointers into the same memory |
//! | `races` | which accesses are ordered, and the race log |
//! | `decode` | functions as dense code, and what of them is skipped |
//! | `execute` | the run itself: threads, barriers, accesses |
//!
//! Each uses only those above it.
//!
//! # What it leaves out
//!
//! Weak memory: fences do nothing, because what they could order is either
//! ordered by barriers or a race. Hardware limits. Reading source files.

// A new instruction, annotation or operation does not compile until every place that it
// concerns handles it.
#![warn(clippy::wildcard_enum_match_arm)]

mod decode;
mod execute;
mod interface;
mod memory;
mod races;
mod values;

pub use execute::observer::{NoObserver, Observer, Visit};
pub use interface::findings::{
    AccessKind, Actor, At, Finding, FindingKind, Race, RaceSide, Site, ThreadPos,
};
pub use interface::launch::{
    ArrayInput, Fill, Inputs, Key, Launch, Limits, RunError, RunOptions, Schedule, Small, SmallKind,
};
pub use interface::outcome::{Contents, Coverage, Limit, Outcome, Status};

use duet_ir::{
    AnnotationKind, Array, Cause, EntityRef, Func, Inst, InstData, Module, Space, Value,
};

use decode::{preconditions, taint};
use execute::{schedule, setup};
use memory::{address, alias};
use values::math;

/// Runs a kernel on a launch.
///
/// # Errors
/// When the run cannot start: see [`RunError`].
pub fn run(
    module: &Module,
    kernel: Func,
    launch: &Launch,
    inputs: &Inputs,
    options: &RunOptions,
) -> Result<Outcome, RunError> {
    run_observed(module, kernel, launch, inputs, options, &mut NoObserver)
}

/// Runs a kernel on a launch and lets an observer watch.
///
/// # Errors
/// When the run cannot start: see [`RunError`].
pub fn run_observed<O: Observer>(
    module: &Module,
    kernel: Func,
    launch: &Launch,
    inputs: &Inputs,
    options: &RunOptions,
    observer: &mut O,
) -> Result<Outcome, RunError> {
    let Some((first, rest)) = preconditions::split(module, kernel) else {
        return run_module(module, kernel, launch, inputs, options, observer);
    };
    let before = run_module(&first, kernel, launch, inputs, options, &mut NoObserver)?;
    match before.status {
        Status::RequirementFailed(_) => Ok(before),
        Status::Finished
        | Status::Stuck
        | Status::DidNotFinish(_)
        | Status::AssumptionFailed(_) => {
            run_module(&rest, kernel, launch, inputs, options, observer)
        }
    }
}

fn run_module<O: Observer>(
    module: &Module,
    kernel: Func,
    launch: &Launch,
    inputs: &Inputs,
    options: &RunOptions,
    observer: &mut O,
) -> Result<Outcome, RunError> {
    let aliases = alias::Aliases::new(module, kernel, inputs)?;
    let program = decode::Program::new(module, kernel, launch, &aliases);
    let mut scheduler =
        schedule::Scheduler::new(module, kernel, &program, launch, inputs, options, observer)?;
    scheduler.run_grid();
    Ok(scheduler.engine.finish())
}

/// Does a run of the kernel skip a precondition or an assumption, because it speaks
/// of what one thread's run cannot know? A run that skips one may be illegal.
pub fn skips_assumptions(module: &Module, kernel: Func) -> bool {
    !skipped_assumptions(module, kernel).is_empty()
}

/// The preconditions and assumptions that a run of the kernel skips.
pub fn skipped_assumptions(module: &Module, kernel: Func) -> Vec<Inst> {
    let taint = taint::Taint::of(module, kernel);
    let function = &module.functions[kernel];
    let is_skipped = |block, inst: Inst| match &function.insts[inst] {
        InstData::Annotation { kind, args } if kind.is_believed() => {
            taint.affects(kernel, block, args.first().copied())
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
        | InstData::Atomic { .. }
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
        | InstData::CallUnknown { .. } => false,
    };
    let insts = function.insts_with_blocks();
    insts.filter(|&(block, inst)| is_skipped(block, inst)).map(|(_, inst)| inst).collect()
}

/// Does where a run goes, what it accesses or what it asserts depend on the result of
/// the instruction? If not, a result that is made up changes contents of memory alone.
pub fn decides(module: &Module, site: Site) -> bool {
    taint::Taint::from(module, site.func, site.inst).decides(module)
}

/// Does a run of the kernel make up what a function yields: one without a body whose
/// meaning is unknown, or the heap's, of which there is none? Some other meaning may
/// be the right one. A function that may do anything may also have written or waited.
pub fn makes_up_results(module: &Module, kernel: Func) -> bool {
    let function = &module.functions[kernel];
    let used: std::collections::HashSet<Value> = function
        .insts_in_order()
        .flat_map(|inst| function.insts[inst].values())
        .chain(function.layout.iter().flat_map(|&b| function.blocks[b].terminator.values()))
        .collect();
    let is_used = |inst: Inst| function.results_of[inst].iter().any(|value| used.contains(value));
    function.insts_in_order().any(|inst| match &function.insts[inst] {
        InstData::CallUnknown { name, .. } => name != duet_ir::ASYNCHRONOUS_COPY,
        // What a specification says that a function does is not done, and no snapshot is taken.
        InstData::Annotation { kind, .. } => {
            matches!(kind, AnnotationKind::WritesTo | AnnotationKind::ArraySnapshot)
        }
        InstData::Fresh { cause, .. } => match cause {
            Cause::Allocated | Cause::UnknownFunction(_) | Cause::AssumedFunction(_) => {
                is_used(inst)
            }
            Cause::Open(_) | Cause::BeyondTable(_) => false,
        },
        InstData::Pure { name, args, ty } => {
            let types: Vec<_> = args.iter().map(|&arg| function.type_of(arg)).collect();
            // Properties of images are inputs like others, and names with underscores
            // are those of built-in functions: how they round is no matter of a race.
            let built_in = ["image_", "__"].iter().any(|prefix| name.starts_with(prefix));
            is_used(inst) && !built_in && math::is_opaque(name, &types, *ty)
        }
        InstData::Binary { .. }
        | InstData::Unary { .. }
        | InstData::Cast { .. }
        | InstData::IntCompare { .. }
        | InstData::FloatCompare { .. }
        | InstData::Select { .. }
        | InstData::Geometry(_)
        | InstData::PtrToInt { .. }
        | InstData::IntToPtr { .. }
        | InstData::Load { .. }
        | InstData::Store { .. }
        | InstData::Atomic { .. }
        | InstData::Barrier { .. }
        | InstData::BarrierReduce { .. }
        | InstData::Fence { .. }
        | InstData::Exchange { .. }
        | InstData::AsyncCopy { .. }
        | InstData::WaitEvents { .. }
        | InstData::Assert { .. }
        | InstData::Ghost { .. }
        | InstData::Call { .. } => false,
    })
}

/// The address that a pointer to the start of a global array has in a run, as an
/// integer: for contents that are pointers.
pub fn address_of(
    module: &Module,
    kernel: Func,
    launch: &Launch,
    inputs: &Inputs,
    array: Array,
) -> Option<u64> {
    let size = |array| setup::array_size(module, kernel, array, launch, inputs);
    let sizes: Vec<Option<u64>> = module.arrays.keys().map(size).collect();
    let addresses = address::Addresses::new(module, &sizes, launch.blocks(), launch.threads());
    let is_global = matches!(module.arrays[array].space, Space::Global | Space::Constant);
    let base = is_global.then(|| addresses.base(array.index(), 0, 0))?;
    // An array without addresses has none.
    (base != 0).then_some(base)
}

/// What an element of an array holds first; `granule` is its size in bytes.
pub fn initial_element(fill: &Fill, granule: u32, index: u64) -> u128 {
    memory::Source { fill: fill.clone(), granule, seed: 0 }.element(index)
}
