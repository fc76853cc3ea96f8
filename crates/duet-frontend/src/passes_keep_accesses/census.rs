//! Numbers the accesses of a module's kernels and compares them later.

use std::collections::{BTreeMap, BTreeSet};

use inkwell::llvm_sys::LLVMOpcode;
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::*;

use super::places::Places;
use crate::llvm::{Bb, Ty, Val};
use crate::prepare::{self, size_of};

/// The kind of metadata that holds an access's number.
const NUMBER: &str = "duet.access";

/// What an instruction does to memory that is not private.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Access {
    /// The instruction as LLVM prints it: for messages, and for what must not change.
    shown: String,
    /// Bytes read and written.
    bytes: Bytes,
    /// Line and column, with those of the calls it was inlined through.
    place: Vec<(u32, u32)>,
    /// May it be taken apart (a copy of a structure)?
    divisible: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
struct Bytes {
    read: u64,
    written: u64,
}

/// The accesses of a module at one moment.
pub struct Census {
    accesses: BTreeMap<u64, Access>,
}

impl Census {
    /// Numbers every access of the kernels.
    pub fn number(module: LLVMModuleRef) -> Census {
        let mut accesses = BTreeMap::new();
        let mut next = 1;
        for kernel in prepare::kernels(module) {
            let places = Places::of(module, kernel);
            for inst in instructions(kernel) {
                set_number(inst, next);
                accesses.extend(access(module, &places, inst).map(|access| (next, access)));
                next += 1;
            }
        }
        Census { accesses }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.accesses.len()
    }

    /// What has changed.
    pub fn compare(mut self, module: LLVMModuleRef) -> Vec<String> {
        let mut problems = vec![];
        let mut seen = BTreeSet::new();
        let mut balance: BTreeMap<Vec<(u32, u32)>, (i128, i128)> = BTreeMap::new();
        for (inst, access) in accesses(module) {
            let before = number_of(inst).filter(|number| seen.insert(*number));
            match before.and_then(|number| self.accesses.remove(&number)) {
                Some(before) if before.bytes == access.bytes => {}
                Some(before) => {
                    problems.push(format!("`{}` became `{}`", before.shown, access.shown))
                }
                None if access.bytes == Bytes::default() => {
                    problems.push(format!("a call appeared: `{}`", access.shown));
                }
                None => add(&mut balance, &access, -1),
            }
        }
        for access in self.accesses.into_values() {
            match access.divisible {
                true => add(&mut balance, &access, 1),
                false => problems.push(format!("lost at {:?}: `{}`", access.place, access.shown)),
            }
        }
        balance.retain(|_, difference| *difference != (0, 0));
        problems.extend(balance.into_iter().map(|(place, (read, written))| {
            format!("at {place:?} {read} bytes read and {written} bytes written were lost")
        }));
        problems
    }
}

fn add(balance: &mut BTreeMap<Vec<(u32, u32)>, (i128, i128)>, access: &Access, sign: i128) {
    let entry = balance.entry(access.place.clone()).or_default();
    entry.0 += sign * i128::from(access.bytes.read);
    entry.1 += sign * i128::from(access.bytes.written);
}

fn instructions(kernel: Val) -> impl Iterator<Item = Val> {
    kernel.blocks().into_iter().flat_map(Bb::instructions)
}

/// The accesses of the kernels: what is not inlined into one does not count.
fn accesses(module: LLVMModuleRef) -> Vec<(Val, Access)> {
    let mut found = vec![];
    for kernel in prepare::kernels(module) {
        let places = Places::of(module, kernel);
        let insts = instructions(kernel);
        found.extend(insts.filter_map(|inst| Some((inst, access(module, &places, inst)?))));
    }
    found
}

/// What an instruction does to memory that is not private; `None` if nothing.
fn access(module: LLVMModuleRef, places: &Places, inst: Val) -> Option<Access> {
    let open = |pointer: Val| !places.is_private(pointer);
    let size = |ty: Ty| size_of(module, ty);
    let mut divisible = false;
    let bytes = match inst.opcode() {
        LLVMOpcode::LLVMLoad if open(inst.operand(0)) => {
            Bytes { read: size(inst.ty()), written: 0 }
        }
        LLVMOpcode::LLVMStore if open(inst.operand(1)) => {
            Bytes { read: 0, written: size(inst.operand(0).ty()) }
        }
        LLVMOpcode::LLVMAtomicRMW | LLVMOpcode::LLVMAtomicCmpXchg if open(inst.operand(0)) => {
            let size = size(inst.operand(1).ty());
            Bytes { read: size, written: size }
        }
        LLVMOpcode::LLVMCall => {
            let name = inst.callee().name();
            if is_bookkeeping(&name) {
                return None;
            }
            divisible = is_block_operation(&name);
            if divisible { block_bytes(&name, inst, open)? } else { Bytes::default() }
        }
        _ => return None,
    };
    Some(Access { shown: show(inst), bytes, place: place(inst), divisible })
}

/// Calls that stand for nothing that happens.
fn is_bookkeeping(name: &str) -> bool {
    name.starts_with("llvm.dbg.") || name.starts_with("llvm.lifetime.")
}

fn is_block_operation(name: &str) -> bool {
    ["llvm.memcpy.", "llvm.memmove.", "llvm.memset."].iter().any(|start| name.starts_with(start))
}

/// The bytes that a copy or fill touches outside private memory.
fn block_bytes(name: &str, call: Val, open: impl Fn(Val) -> bool) -> Option<Bytes> {
    let args = call.arguments();
    let len = args[2].const_u64().unwrap_or(u64::MAX);
    let copies = !name.starts_with("llvm.memset.");
    let read = if copies && open(args[1]) { len } else { 0 };
    let written = if open(args[0]) { len } else { 0 };
    (read > 0 || written > 0).then_some(Bytes { read, written })
}

fn show(inst: Val) -> String {
    // SAFETY: LLVM hands out a string that is ours until it is disposed of.
    unsafe {
        let text = LLVMPrintValueToString(inst.0);
        let shown = std::ffi::CStr::from_ptr(text).to_string_lossy().trim().to_string();
        LLVMDisposeMessage(text);
        shown
    }
}

fn place(inst: Val) -> Vec<(u32, u32)> {
    std::iter::successors(inst.debug_loc(), |loc| loc.inlined_at())
        .map(|loc| loc.line_column())
        .collect()
}

fn number_kind(inst: Val) -> u32 {
    // SAFETY: the context is alive, and the name has this length.
    unsafe { LLVMGetMDKindIDInContext(inst.context(), NUMBER.as_ptr().cast(), NUMBER.len() as u32) }
}

fn set_number(inst: Val, number: u64) {
    // SAFETY: all is made in the context of the instruction, which is alive.
    unsafe {
        let context = inst.context();
        let constant = LLVMConstInt(LLVMInt64TypeInContext(context), number, 0);
        let mut operand = LLVMValueAsMetadata(constant);
        let node = LLVMMDNodeInContext2(context, &mut operand, 1);
        LLVMSetMetadata(inst.0, number_kind(inst), LLVMMetadataAsValue(context, node));
    }
}

fn number_of(inst: Val) -> Option<u64> {
    // SAFETY: the value is an instruction, which may have metadata.
    let node = unsafe { LLVMGetMetadata(inst.0, number_kind(inst)) };
    if node.is_null() {
        return None;
    }
    Val(node).md_operands().first().copied().flatten().and_then(Val::const_u64)
}
