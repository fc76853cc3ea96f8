//! Pointers that are one of several allocations: those that were put into an array, into a
//! member of a struct in an array, or chosen on the way.
//!
//! What is found is a set of calls that allocate, such that the pointer is the result of an
//! execution of one of them, or was never set: it is null, or no value at all. That it was
//! set is listed as an assumption of the verdict. Nothing is said about which of two such
//! pointers are the same memory.
//!
//! The size of the memory is known if each call of the set asks for the same, or for one of
//! a few numbers, at each of its executions.
//!
//! SOUNDNESS: the execution that made the pointer need not be the last one before the
//! launch, so a size that a loop changes is not known (trap 31 of the test `traps`); and
//! every store that may put something into the place is in the set or ends the search
//! (trap 32).

use std::collections::HashSet;

use duet_frontend::host::UNINITIALISED;
use duet_frontend::llvm::{self, Val};
use duet_ir::{IntCc, Type};
use inkwell::llvm_sys::{LLVMOpcode, LLVMValueKind};

use crate::cfg;
use crate::evaluate::Evaluator;
use crate::memory::{Address, Memory, Source, Spot, callee_name, is_device, is_global, opcode};
use crate::relation::{Origin, Term};
use crate::sites::Finder;

/// The most allocations that a pointer is one of.
const MAX_ALLOCATIONS: usize = 8;
/// The most steps of a search.
const MAX_STEPS: usize = 400;

/// What a pointer may be.
#[derive(Default)]
pub struct Origins {
    /// Results of these calls.
    pub allocations: Vec<Val>,
    /// Or nothing that was ever set.
    pub may_be_unset: bool,
}

/// What is still to be looked at.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Open {
    Value(Val),
    Source(Source),
    Object(Slot),
}

/// Places in an object: so many bytes from its start, and whole steps from there.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Slot {
    object: Val,
    offset: i64,
    /// No step: just this place.
    step: Option<u64>,
}

const POINTER_BYTES: u64 = 8;

impl Finder<'_> {
    /// The allocations that a value that is no allocation may be the start of.
    pub fn origins_of_value(&self, value: Val) -> Option<Origins> {
        self.origins(Open::Value(value))
    }

    /// The same of what is in memory.
    pub fn origins_of_source(&self, source: Source) -> Option<Origins> {
        self.origins(Open::Source(source))
    }

    fn origins(&self, start: Open) -> Option<Origins> {
        let mut found = Origins::default();
        let mut seen = HashSet::new();
        let mut open = vec![start];
        while let Some(next) = open.pop() {
            if !seen.insert(next) {
                continue;
            }
            if seen.len() > MAX_STEPS || found.allocations.len() > MAX_ALLOCATIONS {
                return None;
            }
            match next {
                Open::Value(value) => self.from_value(value, &mut found, &mut open)?,
                Open::Source(source) => self.from_source(source, &mut found, &mut open)?,
                Open::Object(slot) => self.from_object(slot, &mut found, &mut open)?,
            }
        }
        (!found.allocations.is_empty()).then_some(found)
    }

    fn from_value(&self, value: Val, found: &mut Origins, open: &mut Vec<Open>) -> Option<()> {
        if is_device(value) {
            found.allocations.push(value);
            return Some(());
        }
        if is_unset(value) {
            found.may_be_unset = true;
            return Some(());
        }
        let address = self.memory.address(value);
        if address.base != value {
            let at_start = address.offset == 0 && address.indices.is_empty();
            return at_start.then(|| open.push(Open::Value(address.base)));
        }
        // Another function's values cannot be followed here.
        if !value.is_instruction() || llvm::instruction_function(value) != self.cfg.function {
            return None;
        }
        match value.opcode() {
            LLVMOpcode::LLVMPHI => {
                let block = self.cfg.block_of(value);
                let preds = self.cfg.preds[block].iter();
                let from = |&pred: &usize| cfg::incoming(value, self.cfg.blocks[pred]);
                open.extend(preds.map(from).map(Open::Value));
                Some(())
            }
            LLVMOpcode::LLVMSelect => {
                open.extend([1, 2].map(|side| Open::Value(value.operand(side))));
                Some(())
            }
            LLVMOpcode::LLVMLoad if !value.is_volatile() => {
                let address = self.memory.address(value.operand(0));
                open.push(match self.memory.spot(value.operand(0), POINTER_BYTES) {
                    Some(spot) if self.memory.is_steady(spot) => {
                        Open::Source(self.memory.resolve(self.memory.source_before(spot, value)))
                    }
                    Some(_) => return None,
                    None => Open::Object(slot(&address)?),
                });
                Some(())
            }
            _ => None,
        }
    }

    fn from_source(&self, source: Source, found: &mut Origins, open: &mut Vec<Open>) -> Option<()> {
        match source {
            Source::Stored(value) => {
                value.ty().is_pointer().then(|| open.push(Open::Value(value)))?;
            }
            Source::Zero => found.may_be_unset = true,
            Source::Merged(spot, block) => {
                let preds = self.cfg.preds[block].iter();
                let from =
                    |&pred: &usize| self.memory.resolve(self.memory.source_at_end(spot, pred));
                open.extend(preds.map(from).map(Open::Source));
            }
            Source::Changed(inst, _) if inst.opcode_is_alloca() => found.may_be_unset = true,
            Source::Changed(inst, spot) if inst.opcode() == LLVMOpcode::LLVMStore => {
                open.push(Open::Object(whole(spot)));
            }
            Source::Changed(..) => return None,
            Source::Entry(spot) => {
                let initial = self.memory.initial(spot)?;
                open.push(Open::Value(initial));
            }
        }
        Some(())
    }

    /// Everything that is put into these places of an object, by whomever and whenever.
    fn from_object(&self, slot: Slot, found: &mut Origins, open: &mut Vec<Open>) -> Option<()> {
        let spot = Spot { object: slot.object, offset: slot.offset, size: POINTER_BYTES };
        let is_own = self.memory.is_own(slot.object) && self.memory.is_steady(spot);
        if !is_own {
            return None;
        }
        // What an object holds at first is no allocation.
        found.may_be_unset = true;
        if is_global(slot.object) && !holds_zeros(slot.object) {
            return None;
        }
        let mut seen = HashSet::new();
        let mut pointers = vec![slot.object];
        while let Some(pointer) = pointers.pop() {
            if !seen.insert(pointer) {
                continue;
            }
            for user in llvm::users(pointer) {
                match opcode(user)? {
                    LLVMOpcode::LLVMLoad | LLVMOpcode::LLVMICmp => {}
                    LLVMOpcode::LLVMGetElementPtr | LLVMOpcode::LLVMBitCast => pointers.push(user),
                    LLVMOpcode::LLVMStore => {
                        let address = self.memory.address(user.operand(1));
                        let size = self.memory.size_of(user.operand(0));
                        if may_meet(slot, &address, size) {
                            let value = user.operand(0);
                            value.ty().is_pointer().then(|| open.push(Open::Value(value)))?;
                        }
                    }
                    LLVMOpcode::LLVMCall => harmless(self.memory, user, slot)?,
                    _ => return None,
                }
            }
        }
        Some(())
    }

    /// The size that all executions of these calls ask for; an unknown if it is one of a few
    /// numbers.
    pub fn common_size(&self, evaluator: &mut Evaluator<'_>, origins: &Origins) -> Option<Term> {
        let sizes: Option<Vec<Term>> =
            origins.allocations.iter().map(|&call| self.fixed_size(evaluator, call)).collect();
        let mut sizes = sizes?;
        sizes.sort();
        sizes.dedup();
        if let [one] = sizes.as_slice() {
            return Some(*one);
        }
        sizes.iter().all(|&size| evaluator.terms.bits(size).is_some()).then_some(())?;
        // SOUNDNESS: each pointer has a size of its own, though two may be one of the same
        // allocations (trap 32 of the test `traps`).
        let name = "the size of what was allocated".to_string();
        let chosen = evaluator.fresh(name, Origin::Choice, Type::I64, None);
        let mut any = evaluator.terms.constant(0, Type::BOOL);
        for size in sizes {
            let is = evaluator.terms.compare(IntCc::Eq, chosen, size);
            any = evaluator.terms.or(any, is);
        }
        evaluator.facts.push(any);
        Some(chosen)
    }

    /// The size that an allocating call asks for, if it is the same each time.
    fn fixed_size(&self, evaluator: &mut Evaluator<'_>, call: Val) -> Option<Term> {
        let argument = call.arguments()[0];
        if let Some(bits) = argument.const_bits() {
            return Some(evaluator.terms.constant(bits, Type::I64));
        }
        // SOUNDNESS: another function, or this one when it is called again, computes another
        // size (trap 31 of the test `traps`).
        let is_here = llvm::instruction_function(call) == self.cfg.function;
        if !is_here || self.cfg.function.name() != "main" {
            return None;
        }
        let size = evaluator.value(argument);
        let is_fixed = evaluator.terms.unknowns_of(size).iter().all(|unknown| {
            let block = evaluator.defined.get(unknown).copied().flatten();
            block.is_some_and(|block| !self.cfg.loops.values().any(|body| body.contains(&block)))
        });
        is_fixed.then_some(size)
    }
}

/// Null, or a value that was never set.
fn is_unset(value: Val) -> bool {
    matches!(
        value.kind(),
        LLVMValueKind::LLVMConstantPointerNullValueKind
            | LLVMValueKind::LLVMUndefValueValueKind
            | LLVMValueKind::LLVMPoisonValueKind
    ) || callee_name(value).is_some_and(|name| name.starts_with(UNINITIALISED))
}

/// The places that an address with a variable part may be.
fn slot(address: &Address) -> Option<Slot> {
    let &[(_, step)] = address.indices.as_slice() else {
        return Some(Slot { object: address.base, offset: 0, step: Some(1) });
    };
    Some(Slot { object: address.base, offset: address.offset, step: Some(step.max(1)) })
}

fn whole(spot: Spot) -> Slot {
    Slot { object: spot.object, offset: spot.offset, step: None }
}

/// May a store of so many bytes at the address write one of the places?
fn may_meet(slot: Slot, address: &Address, size: u64) -> bool {
    let steps = address.indices.iter().map(|(_, step)| *step).chain(slot.step);
    // Both move in multiples of this.
    let common = steps.fold(0, gcd);
    let distance = address.offset.wrapping_sub(slot.offset);
    let (before, after) = (POINTER_BYTES as i64, size as i64);
    if common == 0 {
        return distance < before && -distance < after;
    }
    let rest = distance.rem_euclid(common as i64);
    rest < before || common as i64 - rest < after
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Is the global full of zeros at first?
fn holds_zeros(global: Val) -> bool {
    // SAFETY: the value is a constant of a module that is alive.
    let is_null = |value: Val| unsafe { inkwell::llvm_sys::core::LLVMIsNull(value.0) != 0 };
    !global.is_declaration() && global.initializer().is_some_and(is_null)
}

/// Calls that put nothing but zeros into an object whose address they are given.
fn harmless(memory: &Memory<'_>, call: Val, slot: Slot) -> Option<()> {
    let name = callee_name(call)?;
    let is_mark = name.starts_with("llvm.dbg.") || name.starts_with("llvm.lifetime.");
    if is_mark || name.starts_with("llvm.memset") && call.arguments()[1].const_u64() == Some(0) {
        return Some(());
    }
    let reads = name.starts_with("llvm.memcpy") || name.starts_with("llvm.memmove");
    (reads && memory.address(call.arguments()[0]).base != slot.object).then_some(())
}
