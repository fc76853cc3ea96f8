//! What a launch finds in memory that the host allocates: bytes that one `cudaMemset` put
//! there, or nothing that any code wrote.
//!
//! The allocation is one call in the function that launches, and its address is followed to
//! every use: address arithmetic, kernels, copies, `cudaMemset`. If it goes anywhere else
//! (into memory, to a function that is not inlined, through a choice between pointers),
//! nothing is known.
//!
//! *Argument.* Let `M` set bytes and dominate the launch `L`, and let no writer `W` of the
//! memory have a way to `L` that does not pass `M`. The launch itself is a writer, as are
//! another allocation by the same call, releases, and calls after which another device is
//! the current one. Then the last writer in the order of the program is `M`. All of this is
//! work of streams: `M` and `L` are in the same stream, or a wait for the whole device lies on
//! every way from `M` to `L`; and a writer of another stream that may come before `M` may
//! still be running then, so there must be none. Kernels that are not given an address in the
//! memory cannot write it, unless one that was given such an address keeps it where others
//! find it: the kernels that were given one are listed, and whoever knows their code must say
//! that they do not. Work that is recorded and run again later (graphs) has no such order:
//! then nothing is known.
//!
//! If no writer at all has a way to `L` that does not pass the allocation, the memory is as
//! the allocation left it: any contents.
//!
//! SOUNDNESS: each condition has a program that breaks it (test `memory_that_is_not_known` in
//! tests/found.rs).

use std::collections::{BTreeSet, HashSet};

use duet_frontend::llvm::{self, Val};
use duet_ir::Found;
use inkwell::llvm_sys::prelude::LLVMModuleRef;
use inkwell::llvm_sys::{LLVMOpcode, LLVMValueKind};

use crate::calls::{self, Effect};
use crate::evaluate::Evaluator;
use crate::memory::{Source, callee_name, opcode};
use crate::names;
use crate::sites::Finder;

/// The call that sets bytes: the address, the byte, how many, and the stream.
const MEMSET: &str = "__duet_memset";

/// The calls of a program after which memory or the order of streams may be another.
pub struct Turns {
    /// Another device may be the current one behind these.
    switches: Vec<Val>,
    /// The device has done all its work behind these.
    waits: Vec<Val>,
    /// Launches may be made later, or again.
    pub repeats: bool,
}

impl Turns {
    /// Those of a module.
    pub fn new(module: LLVMModuleRef) -> Turns {
        let functions = names::defined(module);
        let insts = functions.iter().flat_map(|function| function.blocks());
        let mut turns = Turns { switches: vec![], waits: vec![], repeats: false };
        for inst in insts.flat_map(|block| block.instructions()) {
            let Some(name) = callee_name(inst) else { continue };
            if calls::chooses_device(&name) {
                turns.switches.push(inst);
            }
            if calls::waits_for_device(&name) {
                turns.waits.push(inst);
            }
            turns.repeats |= calls::repeats_launches(&name);
        }
        turns
    }
}

/// The stream that does some work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stream {
    /// None: the host does it, and goes on when it is done.
    Host,
    /// The default stream.
    Default,
    /// The stream that is this value, the same one wherever it is the same.
    Value(Val),
    /// What is in memory, likewise.
    Memory(Source),
    /// One that is not known.
    Unknown,
}

/// An instruction that may write the memory.
struct Writer {
    inst: Val,
    stream: Stream,
}

/// What the launch finds in the allocation, and the kernels that are given its address.
pub fn at(finder: &Finder<'_>, allocation: Val, launch: Val) -> (Found, BTreeSet<String>) {
    let unknown = (Found::Unknown, BTreeSet::new());
    if finder.memory.has_threads() || finder.turns.repeats {
        return unknown;
    }
    let Some(uses) = Uses::of(finder, allocation) else { return unknown };
    let reaches = |from: Val, to: Val, avoiding: Option<Val>| {
        from == to && avoiding.is_none() || finder.cfg.reaches(from, to, avoiding)
    };
    let is_unset =
        !uses.writers.iter().any(|writer| reaches(writer.inst, launch, Some(allocation)));
    if is_unset {
        return (Found::Unset, uses.given);
    }
    let sets = uses.writers.iter().filter(|writer| is_set(writer.inst));
    for set in sets {
        if dominates(finder, set.inst, launch) && uses.is_last(finder, set, launch) {
            let only = |writer: &Writer| {
                writer.inst == set.inst || !reaches(writer.inst, launch, Some(allocation))
            };
            let is_only = uses.writers.iter().all(only);
            return (filled(finder, allocation, set.inst, is_only), uses.given);
        }
    }
    unknown
}

/// Is it a call that sets bytes?
fn is_set(inst: Val) -> bool {
    callee_name(inst).as_deref() == Some(MEMSET)
}

/// What the memory holds where a call that sets bytes is the last that wrote it. `is_only`: it
/// is the only one, so that all else was never written.
fn filled(finder: &Finder<'_>, allocation: Val, set: Val, is_only: bool) -> Found {
    let arguments = set.arguments();
    let address = finder.memory.address(arguments[0]);
    let is_start = address.base == allocation && address.offset == 0 && address.indices.is_empty();
    let Some(byte) = arguments[1].const_u64().filter(|_| is_start) else { return Found::Unknown };
    let byte = (byte & 0xff) as u8;
    // Made with an evaluator of its own: the terms are of no use to the relation.
    let block = finder.cfg.block_of(set);
    let mut evaluator = Evaluator::new(finder.cfg, finder.memory, finder.names, block);
    let size = evaluator.value(allocation.arguments()[0]);
    let count = evaluator.value(arguments[2]);
    if size == count {
        return Found::Filled { byte, bytes: None };
    }
    match (evaluator.terms.bits(size), evaluator.terms.bits(count)) {
        // More than there is: the call fails and sets nothing.
        (Some(size), Some(count)) if count < size && is_only => {
            Found::Filled { byte, bytes: u64::try_from(count).ok() }
        }
        _ => Found::Unknown,
    }
}

/// Does every way to `to` pass `from`?
fn dominates(finder: &Finder<'_>, from: Val, to: Val) -> bool {
    let position = &finder.cfg.position;
    match (position.get(&from), position.get(&to)) {
        (Some(&(block, at)), Some(&(own, own_at))) if block == own => at < own_at,
        (Some(&(block, _)), Some(&(own, _))) => finder.cfg.dominates(block, own),
        (None, _) | (_, None) => false,
    }
}

/// The uses of an allocation.
struct Uses {
    /// All that may write it, the allocation itself among them.
    writers: Vec<Writer>,
    /// The kernels that are given an address in it.
    given: BTreeSet<String>,
}

impl Uses {
    /// Those of an allocation; `None` if the address goes where it is not followed.
    fn of(finder: &Finder<'_>, allocation: Val) -> Option<Uses> {
        let mut uses = Uses { writers: vec![], given: BTreeSet::new() };
        let mut seen = HashSet::new();
        let mut open = vec![allocation];
        while let Some(pointer) = open.pop() {
            if !seen.insert(pointer) {
                continue;
            }
            for user in llvm::users(pointer) {
                match opcode(user)? {
                    LLVMOpcode::LLVMLoad | LLVMOpcode::LLVMICmp => {}
                    LLVMOpcode::LLVMGetElementPtr if user.operand(0) == pointer => open.push(user),
                    LLVMOpcode::LLVMBitCast => open.push(user),
                    LLVMOpcode::LLVMStore if user.operand(0) != pointer => {
                        uses.writers.push(Writer { inst: user, stream: Stream::Host });
                    }
                    LLVMOpcode::LLVMCall | LLVMOpcode::LLVMInvoke if user.is_instruction() => {
                        uses.call(finder, pointer, user)?;
                    }
                    _ => return None,
                }
            }
        }
        Some(uses)
    }

    /// A call that is given the address.
    fn call(&mut self, finder: &Finder<'_>, pointer: Val, call: Val) -> Option<()> {
        let name = callee_name(call).filter(|_| call.callee() != pointer)?;
        let mut writes = |stream: Stream| self.writers.push(Writer { inst: call, stream });
        if name.starts_with("llvm.") {
            let is_mark = ["llvm.dbg.", "llvm.lifetime.", "llvm.invariant."];
            if !is_mark.iter().any(|mark| name.starts_with(mark)) {
                writes(Stream::Host);
            }
            return Some(());
        }
        if calls::is_stub(&name) {
            let &(block, _) = finder.cfg.position.get(&call)?;
            let configure = finder.configuration(block)?;
            writes(stream(finder, configure.arguments().get(7).copied()?));
            self.given.insert(calls::kernel_of_stub(&name)?);
            return Some(());
        }
        if name == MEMSET {
            let of = stream(finder, call.arguments().get(3).copied()?);
            // An address as the number of bytes is no use that is looked at.
            let is_address = call.arguments()[0] == pointer;
            return is_address.then(|| writes(of));
        }
        if name == "__duet_free" {
            writes(Stream::Host);
            return Some(());
        }
        if calls::is_copy(&name) && call.arguments().first() != Some(&pointer) {
            return Some(());
        }
        let is_known = call.callee().is_declaration() && calls::effect(&name) != Effect::Anything;
        if is_known || calls::is_copy(&name) {
            writes(Stream::Unknown);
            return Some(());
        }
        None
    }

    /// Is a call that sets bytes the last that writes before a launch that it dominates?
    fn is_last(&self, finder: &Finder<'_>, set: &Writer, launch: Val) -> bool {
        let own = self.writers.iter().find(|writer| writer.inst == launch);
        let is_one_stream =
            own.is_some_and(|own| own.stream == set.stream && own.stream != Stream::Unknown);
        let is_waited_for = |wait: &Val| {
            finder.cfg.position.contains_key(wait) && {
                !finder.cfg.reaches(set.inst, launch, Some(*wait))
            }
        };
        let is_ordered = is_one_stream || finder.turns.waits.iter().any(is_waited_for);
        let is_between = |inst: Val| finder.cfg.reaches(inst, launch, Some(set.inst));
        let may_run_on = |writer: &Writer| {
            writer.stream != Stream::Host
                && (writer.stream != set.stream || writer.stream == Stream::Unknown)
                && finder.cfg.reaches(writer.inst, set.inst, None)
        };
        let breaks = |writer: &Writer| {
            writer.inst != set.inst && (is_between(writer.inst) || may_run_on(writer))
        };
        let allocation = finder.memory.address(set.inst.arguments()[0]).base;
        is_ordered
            && !self.writers.iter().any(breaks)
            && !is_between(allocation)
            && !finder.turns.switches.iter().any(|&switch| is_between(switch))
    }
}

/// The stream of some work. A value is the same at a call that sets bytes and at a launch
/// which that call dominates: who computes it anew comes by the call again.
fn stream(finder: &Finder<'_>, value: Val) -> Stream {
    if value.kind() == LLVMValueKind::LLVMConstantPointerNullValueKind {
        return Stream::Default;
    }
    if !value.is_instruction() || value.opcode() != LLVMOpcode::LLVMLoad {
        // Other constants name the default stream in other ways.
        return if value.is_constant() { Stream::Unknown } else { Stream::Value(value) };
    }
    let spot = finder.memory.spot(value.operand(0), 8);
    let spot = spot.filter(|&spot| !value.is_volatile() && finder.memory.is_steady(spot));
    let Some(spot) = spot else { return Stream::Unknown };
    match finder.memory.resolve(finder.memory.source_before(spot, value)) {
        Source::Merged(..) => Stream::Unknown,
        source @ (Source::Stored(_) | Source::Zero | Source::Changed(..) | Source::Entry(_)) => {
            Stream::Memory(source)
        }
    }
}
