//! Which value a load yields: the last store to its place, found by a walk backwards.
//!
//! A place is an object, an offset and a size. An object is *identified* if it is a
//! variable, a global or memory of the host's heap: two of them never overlap. Any other
//! pointer is *symbolic*: it may point into every object whose address is known to someone
//! ([`Memory::is_captured`]). The walk stops at whatever may write the place; only a store
//! of exactly that place gives a value, everything else an unknown.
//!
//! SOUNDNESS: unknown code writes all that is captured (test `traps`), and nothing is
//! followed where threads may write in between.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

use duet_analysis::bits;
use duet_frontend::host;
use duet_frontend::llvm::{self, Val};
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::LLVMModuleRef;
use inkwell::llvm_sys::{LLVMLinkage, LLVMOpcode, LLVMTypeKind, LLVMValueKind};

use crate::calls::{self, Effect};
use crate::cfg::Cfg;

/// A place in memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Spot {
    /// The object, or a pointer that nothing more is known about.
    pub object: Val,
    /// Bytes from there.
    pub offset: i64,
    /// Bytes.
    pub size: u64,
}

/// Where the value of a place comes from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Source {
    /// This value was stored.
    Stored(Val),
    /// Zero bytes were put there.
    Zero,
    /// This instruction may have changed it.
    Changed(Val, Spot),
    /// It is what was there when the function was called.
    Entry(Spot),
    /// It depends on the way that control came into this block.
    Merged(Spot, usize),
}

/// An address: a pointer, constant bytes, and indices with their scales.
pub struct Address {
    /// What it starts from.
    pub base: Val,
    /// Constant bytes added.
    pub offset: i64,
    /// Variable parts: index times bytes.
    pub indices: Vec<(Val, u64)>,
}

/// The memory of a function.
pub struct Memory<'a> {
    /// The module.
    pub module: LLVMModuleRef,
    cfg: &'a Cfg,
    world: &'a World,
    at_start: RefCell<HashMap<(Spot, usize), Source>>,
    open: RefCell<HashSet<(Spot, usize)>>,
    captured: RefCell<HashMap<Val, bool>>,
}

/// What is known about the whole program.
pub struct World {
    /// All of the program is seen.
    pub is_closed: bool,
    /// It starts threads, or lets others run its functions at any time.
    pub has_threads: bool,
    /// It starts copies that go on after the call.
    pub has_copies: bool,
    /// Parameters of functions: whether pointers given there are kept.
    pub kept: RefCell<HashMap<Val, bool>>,
}

impl<'a> Memory<'a> {
    /// Nothing looked at yet.
    pub fn new(module: LLVMModuleRef, cfg: &'a Cfg, world: &'a World) -> Memory<'a> {
        Memory {
            module,
            cfg,
            world,
            at_start: RefCell::default(),
            open: RefCell::default(),
            captured: RefCell::default(),
        }
    }

    /// Is all of the program seen?
    pub fn is_closed(&self) -> bool {
        self.world.is_closed
    }

    /// May other code of the program run at any time?
    pub fn has_threads(&self) -> bool {
        self.world.has_threads
    }

    /// The parts of an address.
    pub fn address(&self, pointer: Val) -> Address {
        let mut address = Address { base: pointer, offset: 0, indices: vec![] };
        while let Some(next) = self.step(&mut address) {
            address.base = next;
        }
        address
    }

    /// Takes one step of address arithmetic apart.
    fn step(&self, address: &mut Address) -> Option<Val> {
        let at = address.base;
        let opcode = opcode(at)?;
        match opcode {
            LLVMOpcode::LLVMBitCast | LLVMOpcode::LLVMAddrSpaceCast | LLVMOpcode::LLVMFreeze => {
                at.operand(0).ty().is_pointer().then(|| at.operand(0))
            }
            LLVMOpcode::LLVMGetElementPtr => {
                let parts = self.gep(at)?;
                address.offset = address.offset.wrapping_add(parts.0);
                address.indices.extend(parts.1);
                Some(at.operand(0))
            }
            _ => None,
        }
    }

    /// Constant bytes and variable parts of address arithmetic.
    fn gep(&self, gep: Val) -> Option<(i64, Vec<(Val, u64)>)> {
        // SAFETY: the value is address arithmetic of a module that is alive.
        let mut ty = llvm::Ty(unsafe { LLVMGetGEPSourceElementType(gep.0) });
        let mut offset: i64 = 0;
        let mut indices = vec![];
        for (number, index) in gep.operands().skip(1).enumerate() {
            let scale = match (number, ty.kind()) {
                (0, _) => host::size_of(self.module, ty),
                (_, LLVMTypeKind::LLVMStructTypeKind) => {
                    let field = index.const_u64()? as u32;
                    offset += host::field_offset(self.module, ty, field) as i64;
                    ty = ty.fields()[field as usize];
                    continue;
                }
                (_, LLVMTypeKind::LLVMArrayTypeKind | LLVMTypeKind::LLVMVectorTypeKind) => {
                    ty = ty.element();
                    host::size_of(self.module, ty)
                }
                _ => return None,
            };
            match index.const_u64() {
                Some(value) => {
                    let width = index.ty().int_width();
                    let signed = bits::signed(u128::from(value), width as u8) as i64;
                    offset = offset.wrapping_add(signed.wrapping_mul(scale as i64));
                }
                None => indices.push((index, scale)),
            }
        }
        Some((offset, indices))
    }

    /// The place that a pointer with a known offset points at.
    pub fn spot(&self, pointer: Val, size: u64) -> Option<Spot> {
        let address = self.address(pointer);
        let fixed = address.indices.is_empty();
        fixed.then_some(Spot { object: address.base, offset: address.offset, size })
    }

    /// Bytes of a type in memory.
    pub fn size_of(&self, value: Val) -> u64 {
        host::size_of(self.module, value.ty())
    }

    /// The object that a pointer is about, if it is identified.
    fn identified(&self, base: Val) -> bool {
        is_identified(base)
    }

    /// May others than direct loads and stores of this function reach the object?
    pub fn is_captured(&self, object: Val) -> bool {
        if let Some(&known) = self.captured.borrow().get(&object) {
            return known;
        }
        let captured = is_visible(object, self.world) || self.escapes(object);
        self.captured.borrow_mut().insert(object, captured);
        captured
    }

    /// Is it an object that only direct loads and stores of what is seen reach?
    pub fn is_own(&self, object: Val) -> bool {
        self.identified(object) && !self.is_captured(object)
    }

    /// Does a use of the pointer hand it on?
    fn escapes(&self, object: Val) -> bool {
        let mut seen = HashSet::new();
        let mut open = vec![object];
        while let Some(pointer) = open.pop() {
            if !seen.insert(pointer) {
                continue;
            }
            for user in llvm::users(pointer) {
                match self.use_of(pointer, user) {
                    Use::Plain => {}
                    Use::Derived => open.push(user),
                    Use::Kept => return true,
                }
            }
        }
        false
    }

    fn use_of(&self, pointer: Val, user: Val) -> Use {
        let Some(opcode) = opcode(user) else { return Use::Kept };
        match opcode {
            LLVMOpcode::LLVMLoad | LLVMOpcode::LLVMICmp => Use::Plain,
            LLVMOpcode::LLVMStore if user.operand(0) != pointer => Use::Plain,
            LLVMOpcode::LLVMGetElementPtr if user.operand(0) == pointer => Use::Derived,
            LLVMOpcode::LLVMBitCast => Use::Derived,
            LLVMOpcode::LLVMCall | LLVMOpcode::LLVMInvoke if user.is_instruction() => {
                let callee = user.callee();
                if callee == pointer || !callee.is_function() {
                    return Use::Kept;
                }
                let name = callee.name();
                let is_plain = name.starts_with("llvm.dbg.")
                    || name.starts_with("llvm.lifetime.")
                    || name.starts_with("llvm.mem")
                    || name.starts_with("llvm.invariant")
                    || callee.is_declaration() && calls::effect(&name) != Effect::Anything
                    || !callee.is_declaration() && !self.is_kept_by(callee, pointer, user);
                if is_plain { Use::Plain } else { Use::Kept }
            }
            _ => Use::Kept,
        }
    }

    /// Does a function with a body keep a pointer that it is given, or hand it on?
    fn is_kept_by(&self, function: Val, pointer: Val, call: Val) -> bool {
        let params = function.params();
        let arguments = call.arguments();
        let given = arguments.iter().enumerate().filter(|(_, argument)| **argument == pointer);
        // SAFETY: the function belongs to a module that is alive.
        let linkage = unsafe { LLVMGetLinkage(function.0) };
        let is_replaceable = matches!(
            linkage,
            LLVMLinkage::LLVMWeakAnyLinkage | LLVMLinkage::LLVMLinkOnceAnyLinkage
        );
        is_replaceable
            || given.into_iter().any(|(at, _)| match params.get(at) {
                Some(&param) => self.param_escapes(param),
                None => true,
            })
    }

    /// The same about a parameter; on a cycle of calls it is taken to be kept.
    fn param_escapes(&self, param: Val) -> bool {
        if let Some(&known) = self.world.kept.borrow().get(&param) {
            return known;
        }
        self.world.kept.borrow_mut().insert(param, true);
        let escapes = self.escapes(param);
        self.world.kept.borrow_mut().insert(param, escapes);
        escapes
    }

    /// Where the value of a place comes from, just before an instruction.
    pub fn source_before(&self, spot: Spot, inst: Val) -> Source {
        let Some(&(block, position)) = self.cfg.position.get(&inst) else {
            return Source::Entry(spot);
        };
        self.source_in(spot, block, position)
    }

    /// The same at a position of a block.
    pub fn source_in(&self, spot: Spot, block: usize, position: usize) -> Source {
        for &inst in self.cfg.insts[block][..position].iter().rev() {
            if let Some(source) = self.effect(spot, inst) {
                return source;
            }
        }
        self.source_at_start(spot, block)
    }

    fn source_at_start(&self, spot: Spot, block: usize) -> Source {
        if let Some(&known) = self.at_start.borrow().get(&(spot, block)) {
            return known;
        }
        if block == 0 {
            return Source::Entry(spot);
        }
        let merged = Source::Merged(spot, block);
        if !self.open.borrow_mut().insert((spot, block)) {
            return merged;
        }
        let mut sources: Vec<Source> = vec![];
        for &pred in &self.cfg.preds[block] {
            let source = self.source_at_end(spot, pred);
            if source != merged && !sources.contains(&source) {
                sources.push(source);
            }
        }
        self.open.borrow_mut().remove(&(spot, block));
        let source = match sources.as_slice() {
            [one] => *one,
            _ => merged,
        };
        self.at_start.borrow_mut().insert((spot, block), source);
        source
    }

    /// Where the value comes from at the end of a block.
    pub fn source_at_end(&self, spot: Spot, block: usize) -> Source {
        self.resolve(self.source_in(spot, block, self.cfg.insts[block].len()))
    }

    /// A merge that turned out to be none is what it merges.
    pub fn resolve(&self, source: Source) -> Source {
        let mut source = source;
        for _ in 0..64 {
            let Source::Merged(spot, block) = source else { return source };
            match self.at_start.borrow().get(&(spot, block)) {
                Some(&known) if known != source => source = known,
                _ => return source,
            }
        }
        source
    }

    /// What an instruction does to a place; `None` if nothing.
    fn effect(&self, spot: Spot, inst: Val) -> Option<Source> {
        let changed = Some(Source::Changed(inst, spot));
        if inst == spot.object {
            return changed;
        }
        match inst.opcode() {
            LLVMOpcode::LLVMStore => {
                let size = self.size_of(inst.operand(0));
                let address = self.address(inst.operand(1));
                match self.overlap(spot, &address, Some(size)) {
                    Overlap::None => None,
                    Overlap::Exact if !inst.is_volatile() => Some(Source::Stored(inst.operand(0))),
                    Overlap::Exact | Overlap::Some => changed,
                }
            }
            LLVMOpcode::LLVMAtomicRMW | LLVMOpcode::LLVMAtomicCmpXchg | LLVMOpcode::LLVMFence => {
                changed
            }
            LLVMOpcode::LLVMCall | LLVMOpcode::LLVMInvoke | LLVMOpcode::LLVMCallBr => {
                self.call_effect(spot, inst)
            }
            LLVMOpcode::LLVMVAArg => changed,
            _ => None,
        }
    }

    fn call_effect(&self, spot: Spot, call: Val) -> Option<Source> {
        let changed = Some(Source::Changed(call, spot));
        let callee = call.callee();
        if !callee.is_function() {
            return if self.unknown_code_writes(spot) { changed } else { None };
        }
        let name = callee.name();
        if name.starts_with("llvm.") {
            return self.intrinsic_effect(spot, call, &name);
        }
        let effect = match callee.is_declaration() {
            // SOUNDNESS: a copy that was started writes until it is waited for (trap 28 of
            // the test `traps`).
            true if self.world.has_copies && calls::is_wait(&name) => Effect::Anything,
            true => calls::effect(&name),
            false if calls::is_stub(&name) => Effect::Nothing,
            false => Effect::Anything,
        };
        match effect {
            Effect::Nothing => None,
            Effect::Anything => {
                let given = self.is_given(spot, call);
                if given || self.unknown_code_writes(spot) { changed } else { None }
            }
            Effect::Arguments => {
                if self.is_given(spot, call) {
                    changed
                } else {
                    None
                }
            }
        }
    }

    /// May an argument of the call point at the place?
    fn is_given(&self, spot: Spot, call: Val) -> bool {
        call.arguments().into_iter().filter(|value| value.ty().is_pointer()).any(|argument| {
            let address = self.address(argument);
            let known = self.identified(address.base) && self.identified(spot.object);
            match known {
                true => address.base == spot.object,
                false => {
                    address.base == spot.object
                        || !is_constant_data(address.base)
                            && (!self.identified(spot.object) || self.is_captured(spot.object))
                }
            }
        })
    }

    /// May unknown code write the place?
    fn unknown_code_writes(&self, spot: Spot) -> bool {
        if !self.identified(spot.object) || self.is_captured(spot.object) {
            return true;
        }
        is_global(spot.object) && written_elsewhere(spot.object, self.cfg.function)
    }

    fn intrinsic_effect(&self, spot: Spot, call: Val, name: &str) -> Option<Source> {
        let is_copy = name.starts_with("llvm.memcpy") || name.starts_with("llvm.memmove");
        let is_set = name.starts_with("llvm.memset");
        if !is_copy && !is_set {
            return None;
        }
        let arguments = call.arguments();
        let address = self.address(arguments[0]);
        let length = arguments[2].const_u64();
        let overlap = self.overlap(spot, &address, length);
        if overlap == Overlap::None {
            return None;
        }
        let changed = Some(Source::Changed(call, spot));
        let inside = address.base == spot.object
            && address.indices.is_empty()
            && address.offset <= spot.offset
            && length.is_some_and(|length| {
                spot.offset + spot.size as i64 <= address.offset + length as i64
            });
        if !inside {
            return changed;
        }
        if is_set {
            let is_zero = arguments[1].const_u64() == Some(0);
            return if is_zero { Some(Source::Zero) } else { changed };
        }
        let from = self.address(arguments[1]);
        if !from.indices.is_empty() {
            return changed;
        }
        let source = Spot {
            object: from.base,
            offset: from.offset + (spot.offset - address.offset),
            size: spot.size,
        };
        Some(self.source_before(source, call))
    }

    fn overlap(&self, spot: Spot, address: &Address, size: Option<u64>) -> Overlap {
        if address.base == spot.object {
            let (true, Some(size)) = (address.indices.is_empty(), size) else {
                return Overlap::Some;
            };
            let (from, to) = (address.offset, address.offset + size as i64);
            let end = spot.offset + spot.size as i64;
            return match () {
                () if from == spot.offset && to == end => Overlap::Exact,
                () if to <= spot.offset || end <= from => Overlap::None,
                () => Overlap::Some,
            };
        }
        let apart = match (self.identified(address.base), self.identified(spot.object)) {
            (true, true) => true,
            (true, false) => !self.is_captured(address.base),
            (false, true) => !self.is_captured(spot.object),
            (false, false) => false,
        };
        if apart { Overlap::None } else { Overlap::Some }
    }

    /// May the value of a place be followed at all?
    pub fn is_steady(&self, spot: Spot) -> bool {
        if is_device(spot.object) {
            return false;
        }
        let alone = self.identified(spot.object) && !self.is_captured(spot.object);
        !self.world.has_threads || alone && !is_global(spot.object)
    }

    /// The first value of a global, if that is what the function finds when it is called.
    pub fn initial(&self, spot: Spot) -> Option<Val> {
        if !is_global(spot.object) {
            return None;
        }
        let global = spot.object;
        if llvm::is_constant_global(global) && !global.is_declaration() {
            return self.part(global.initializer()?, spot);
        }
        let own = !self.is_captured(global) && !global.is_declaration();
        let is_main = self.cfg.function.name() == "main" && self.world.is_closed;
        let unwritten = !is_written(global);
        if own && (unwritten || is_main && !written_elsewhere(global, self.cfg.function)) {
            return self.part(global.initializer()?, spot);
        }
        None
    }

    /// The part of a constant at a place.
    fn part(&self, constant: Val, spot: Spot) -> Option<Val> {
        let (mut value, mut offset) = (constant, u64::try_from(spot.offset).ok()?);
        loop {
            let size = self.size_of(value);
            let ty = value.ty();
            match ty.kind() {
                LLVMTypeKind::LLVMStructTypeKind => {
                    let count = ty.fields().len() as u32;
                    let field = (0..count)
                        .rev()
                        .find(|&f| host::field_offset(self.module, ty, f) <= offset)?;
                    offset -= host::field_offset(self.module, ty, field);
                    value = value.element(field)?;
                }
                LLVMTypeKind::LLVMArrayTypeKind => {
                    let stride = host::size_of(self.module, ty.element());
                    let index = offset.checked_div(stride)?;
                    if index >= ty.len() {
                        return None;
                    }
                    offset -= index * stride;
                    value = value.element(index as u32)?;
                }
                _ => return (offset == 0 && size == spot.size).then_some(value),
            }
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Overlap {
    None,
    Exact,
    Some,
}

enum Use {
    Plain,
    Derived,
    Kept,
}

/// The opcode of an instruction or a constant expression.
pub fn opcode(value: Val) -> Option<LLVMOpcode> {
    if value.is_instruction() {
        return Some(value.opcode());
    }
    (value.kind() == LLVMValueKind::LLVMConstantExprValueKind).then(|| value.const_opcode())
}

/// Is the value a global variable?
pub fn is_global(value: Val) -> bool {
    value.kind() == LLVMValueKind::LLVMGlobalVariableValueKind
}

fn is_constant_data(value: Val) -> bool {
    value.is_constant() && !is_global(value) || is_global(value) && llvm::is_constant_global(value)
}

/// The name of the function that a call calls.
pub fn callee_name(value: Val) -> Option<String> {
    let is_call = value.is_instruction()
        && matches!(value.opcode(), LLVMOpcode::LLVMCall | LLVMOpcode::LLVMInvoke);
    (is_call && value.callee().is_function()).then(|| value.callee().name())
}

/// Memory that kernels reach.
pub fn is_device(value: Val) -> bool {
    callee_name(value).as_deref() == Some("__duet_malloc")
}

fn is_identified(base: Val) -> bool {
    if base.opcode_is_alloca() {
        return true;
    }
    if is_global(base) {
        // SAFETY: the value is a global of a module that is alive.
        let linkage = unsafe { LLVMGetLinkage(base.0) };
        return linkage != LLVMLinkage::LLVMExternalWeakLinkage;
    }
    let heap = ["malloc", "calloc", "_Znwm", "_Znam", "__duet_malloc"];
    callee_name(base).is_some_and(|name| heap.contains(&name.as_str()))
}

/// Can code outside of what is seen reach the object?
fn is_visible(object: Val, world: &World) -> bool {
    if !is_global(object) {
        return !is_identified(object);
    }
    // SAFETY: the value is a global of a module that is alive.
    let linkage = unsafe { LLVMGetLinkage(object.0) };
    let _ = world;
    !matches!(linkage, LLVMLinkage::LLVMInternalLinkage | LLVMLinkage::LLVMPrivateLinkage)
}

/// The instructions that write a global directly, through address arithmetic or by a
/// call that is given its address.
fn writers(global: Val) -> Vec<Val> {
    let mut found = vec![];
    let mut seen = HashSet::new();
    let mut open = vec![global];
    while let Some(pointer) = open.pop() {
        if !seen.insert(pointer) {
            continue;
        }
        for user in llvm::users(pointer) {
            match opcode(user) {
                Some(LLVMOpcode::LLVMLoad | LLVMOpcode::LLVMICmp) => {}
                Some(LLVMOpcode::LLVMGetElementPtr | LLVMOpcode::LLVMBitCast) => open.push(user),
                _ if user.is_instruction() => found.push(user),
                _ => {}
            }
        }
    }
    found
}

fn is_written(global: Val) -> bool {
    !writers(global).is_empty()
}

/// Does another function write the global, or this one when it is called again?
fn written_elsewhere(global: Val, function: Val) -> bool {
    let is_main = function.name() == "main";
    writers(global)
        .into_iter()
        .any(|writer| llvm::instruction_function(writer) != function || !is_main)
}
