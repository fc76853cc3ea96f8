//! Structs that a launch passes by value, part by part.
//!
//! clang passes a struct to a kernel's stub by the address of a copy, or in one or two
//! words of eight bytes. The stub hands each parameter to `cudaSetupArgument`, in order,
//! out of a variable of the parameter's type, which tells what parts it has and where. A
//! part is what was last stored at its place, or some bits of a word.
//!
//! SOUNDNESS: only a place that is exactly one part gives a value; bits of a word are taken
//! at the offset that the type says (trap 34 of the test `traps`).

use duet_frontend::host;
use duet_frontend::llvm::{Ty, Val};
use duet_ir::{BinaryOp, CastOp, Type};
use inkwell::llvm_sys::LLVMTypeKind;
use inkwell::llvm_sys::prelude::LLVMModuleRef;

use crate::evaluate::{Evaluator, type_of};
use crate::memory::{Spot, callee_name};
use crate::relation::{Argument, Term, TermData, Terms};
use crate::sites::{Bases, Finder};

/// The most parts of a struct that are followed.
const MAX_PARTS: usize = 64;
/// Bytes of a word in which clang passes a part of a struct.
const WORD: u64 = 8;

/// A part of a struct: its offset in bytes, and its type.
type Part = (u64, Ty);

/// How a stub takes a struct: the numbers of its own parameters.
pub enum Passed {
    /// The address of a copy.
    ByReference(usize),
    /// Words, the first at offset 0, the second at 8.
    InWords(Vec<usize>),
}

/// The parts of the kernel's parameter of this number, as the stub tells.
pub fn parts(module: LLVMModuleRef, stub: Val, number: usize) -> Option<Vec<Part>> {
    let is_setup = |inst: &Val| callee_name(*inst).as_deref() == Some("cudaSetupArgument");
    let mut insts = stub.blocks().into_iter().flat_map(|block| block.instructions());
    let call = insts.by_ref().filter(is_setup).nth(number)?;
    let place = call.arguments()[0];
    let own = stub.params().iter().position(|&param| param == place);
    let ty = match own {
        Some(at) => stub.byval_type(at as u32)?,
        None if place.is_instruction() && place.opcode_is_alloca() => place.value_type(),
        None => return None,
    };
    let mut found = vec![];
    collect(module, ty, 0, &mut found)?;
    Some(found)
}

fn collect(module: LLVMModuleRef, ty: Ty, at: u64, found: &mut Vec<Part>) -> Option<()> {
    if found.len() > MAX_PARTS {
        return None;
    }
    match ty.kind() {
        LLVMTypeKind::LLVMStructTypeKind => {
            for (number, field) in ty.fields().into_iter().enumerate() {
                let offset = host::field_offset(module, ty, number as u32);
                collect(module, field, at + offset, found)?;
            }
        }
        LLVMTypeKind::LLVMArrayTypeKind => {
            let size = host::size_of(module, ty.element());
            for number in 0..ty.len().min(MAX_PARTS as u64 + 1) {
                collect(module, ty.element(), at + number * size, found)?;
            }
        }
        _ => {
            type_of(ty)?;
            found.push((at, ty));
        }
    }
    Some(())
}

impl Finder<'_> {
    /// The argument that a struct is.
    pub fn struct_argument(
        &self,
        evaluator: &mut Evaluator<'_>,
        bases: &mut Bases<'_, '_>,
        launch: Val,
        passed: &Passed,
        parts: Vec<Part>,
    ) -> Argument {
        let values = launch.arguments();
        let found = parts.into_iter().map(|(offset, ty)| {
            let part = match passed {
                Passed::ByReference(at) => {
                    self.part_in_memory(evaluator, bases, launch, values[*at], (offset, ty))
                }
                Passed::InWords(words) => {
                    let word = words.get((offset / WORD) as usize).map(|&at| values[at]);
                    word.and_then(|word| {
                        self.part_of_word(evaluator, bases, word, (offset % WORD, ty))
                    })
                }
            };
            (offset, part.unwrap_or(Argument::Opaque))
        });
        Argument::Struct(found.collect())
    }

    fn part_in_memory(
        &self,
        evaluator: &mut Evaluator<'_>,
        bases: &mut Bases<'_, '_>,
        launch: Val,
        copy: Val,
        (offset, ty): Part,
    ) -> Option<Argument> {
        copy.ty().is_pointer().then_some(())?;
        let kind = type_of(ty)?;
        let size = u64::from(kind.bits()?) / 8;
        let whole = self.memory.spot(copy, size.max(1))?;
        let spot = Spot { offset: whole.offset + offset as i64, ..whole };
        if !self.memory.is_steady(spot) {
            return None;
        }
        let source = self.memory.resolve(self.memory.source_before(spot, launch));
        if ty.is_pointer() {
            let pointer = self.pointer_of_source(evaluator, source, 0);
            let base = bases.number(evaluator, pointer.base);
            return Some(Argument::Pointer { base, offset: pointer.offset });
        }
        Some(Argument::Scalar(evaluator.source(source, kind, "")))
    }

    fn part_of_word(
        &self,
        evaluator: &mut Evaluator<'_>,
        bases: &mut Bases<'_, '_>,
        word: Val,
        (offset, ty): Part,
    ) -> Option<Argument> {
        let (kind, whole) = (type_of(ty)?, type_of(word.ty())?);
        if ty.is_pointer() || word.ty().is_pointer() {
            let is_it = ty.is_pointer() && word.ty().is_pointer() && offset == 0;
            return is_it.then(|| self.argument(evaluator, bases, word));
        }
        if kind == whole && offset == 0 {
            return Some(Argument::Scalar(evaluator.value(word)));
        }
        let (Type::Int(_), Type::Int(width)) = (whole, bits_type(kind)?) else { return None };
        let term = evaluator.value(word);
        let last = offset * 8 + u64::from(width);
        (last <= u64::from(whole.bits()?)).then_some(())?;
        let part = bits_of(&mut evaluator.terms, term, offset as u32 * 8, width);
        Some(Argument::Scalar(evaluator.terms.cast(CastOp::Bitcast, part, kind)))
    }
}

/// The integer of as many bits.
fn bits_type(ty: Type) -> Option<Type> {
    Some(Type::Int(u8::try_from(ty.bits()?).ok()?))
}

/// Some bits of a term: `(term >> first)` cut to `width`. Words that were put together of
/// parts are taken apart again, so that a part is the term it was made of.
fn bits_of(terms: &mut Terms, term: Term, first: u32, width: u8) -> Term {
    let all = terms.ty(term).bits().unwrap_or(128);
    if first == 0 && all == u32::from(width) {
        return term;
    }
    let end = first + u32::from(width);
    match terms.data(term) {
        TermData::Cast { op: CastOp::ZExt, arg, .. } => {
            let own = terms.ty(arg).bits().unwrap_or(128);
            if end <= own {
                return bits_of(terms, arg, first, width);
            }
            if first >= own {
                return terms.constant(0, Type::Int(width));
            }
        }
        TermData::Cast { op: CastOp::Trunc, arg, .. } => return bits_of(terms, arg, first, width),
        TermData::Binary { op: BinaryOp::Shl, args: [a, by], .. } => {
            if let Some(by) = terms.bits(by).and_then(|by| u32::try_from(by).ok()) {
                if first >= by {
                    return bits_of(terms, a, first - by, width);
                }
                if end <= by {
                    return terms.constant(0, Type::Int(width));
                }
            }
        }
        TermData::Binary { op: op @ (BinaryOp::Or | BinaryOp::And), args: [a, b], .. } => {
            let a = bits_of(terms, a, first, width);
            let b = bits_of(terms, b, first, width);
            let ones = u128::MAX >> (128 - u32::from(width));
            return match (op, terms.bits(a), terms.bits(b)) {
                (BinaryOp::And, Some(bits), _) if bits == ones => b,
                (BinaryOp::And, _, Some(bits)) if bits == ones => a,
                (BinaryOp::And, Some(0), _) => a,
                (BinaryOp::And, _, Some(0)) => b,
                _ => terms.binary(op, false, a, b),
            };
        }
        TermData::Const { .. }
        | TermData::Unknown { .. }
        | TermData::Binary { .. }
        | TermData::Cast { .. }
        | TermData::Compare { .. }
        | TermData::Select { .. } => {}
    }
    let ty = terms.ty(term);
    let by = terms.constant(u128::from(first), ty);
    let moved = terms.binary(BinaryOp::LShr, false, term, by);
    terms.cast(CastOp::Trunc, moved, Type::Int(width))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::relation::Unknown;

    #[test]
    fn words_are_taken_apart_as_they_were_put_together() {
        let mut terms = Terms::default();
        let low = terms.unknown(Unknown(0), Type::I32);
        let high = terms.unknown(Unknown(1), Type::I32);
        let wide_low = terms.cast(CastOp::ZExt, low, Type::I64);
        let wide_high = terms.cast(CastOp::ZExt, high, Type::I64);
        let by = terms.constant(32, Type::I64);
        let moved = terms.binary(BinaryOp::Shl, false, wide_high, by);
        let word = terms.binary(BinaryOp::Or, false, wide_low, moved);
        assert_eq!(bits_of(&mut terms, word, 0, 32), low);
        assert_eq!(bits_of(&mut terms, word, 32, 32), high);
        let middle = bits_of(&mut terms, word, 16, 32);
        let value = terms.evaluate(middle, &|Unknown(number)| {
            Some(if number == 0 { 0x1122_3344 } else { 0x5566_7788 })
        });
        assert_eq!(value, Some(0x7788_1122));
    }
}
