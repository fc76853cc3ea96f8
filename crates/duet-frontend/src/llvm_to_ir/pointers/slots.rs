//! Which bytes of a private array an access may touch.
//!
//! A pointer that is kept in a private array is known when it is loaded only if
//! nothing but pointers was ever written to its place. Most often that can be told
//! from the form of the address: a constant distance from the start of the array,
//! plus multiples of the sizes that indices are scaled by. Two such [`Slot`]s are
//! apart if they are apart modulo the greatest common divisor of these sizes.
//!
//! Whatever does not have this form may touch everything.

use inkwell::llvm_sys::LLVMOpcode;
use inkwell::llvm_sys::LLVMTypeKind;
use inkwell::llvm_sys::core::LLVMGetGEPSourceElementType;
use inkwell::llvm_sys::prelude::LLVMModuleRef;

use crate::llvm::{Ty, Val};
use crate::prepare::{field_offset, size_of};

/// Bytes `offset + k * stride` and the `size - 1` that follow, for any integer `k`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Slot {
    /// 0 if there is only one such place.
    stride: i128,
    offset: i128,
    size: i128,
}

impl Slot {
    /// Every byte.
    pub const EVERYWHERE: Slot = Slot { stride: 1, offset: 0, size: 1 };

    /// What an access of `size` bytes at `place` may touch of the private array that
    /// it starts from.
    pub fn of(llvm: LLVMModuleRef, place: Val, size: u64) -> Slot {
        use LLVMOpcode::*;
        let mut slot = Slot { stride: 0, offset: 0, size: i128::from(size) };
        let mut at = place;
        loop {
            match at.is_instruction().then(|| at.opcode()) {
                Some(LLVMAlloca) => return slot,
                Some(LLVMBitCast | LLVMAddrSpaceCast | LLVMFreeze) => {}
                Some(LLVMGetElementPtr) => slot.add_indices(llvm, at),
                _ => return Slot::EVERYWHERE,
            }
            at = at.operand(0);
        }
    }

    fn add_indices(&mut self, llvm: LLVMModuleRef, gep: Val) {
        // SAFETY: the value is a `getelementptr`.
        let mut ty = Ty(unsafe { LLVMGetGEPSourceElementType(gep.0) });
        for (position, index) in gep.operands().skip(1).enumerate() {
            if position > 0 && ty.kind() == LLVMTypeKind::LLVMStructTypeKind {
                let field = index.const_u64().unwrap_or(0) as u32;
                self.offset += i128::from(field_offset(llvm, ty, field));
                ty = ty.fields()[field as usize];
                continue;
            }
            if position > 0 {
                ty = ty.element();
            }
            let size = i128::from(size_of(llvm, ty));
            match signed_constant(index) {
                Some(number) => self.offset += number * size,
                None => self.stride = gcd(self.stride, size),
            }
        }
    }

    /// May the two have a byte in common?
    pub fn may_touch(self, other: Slot) -> bool {
        match gcd(self.stride, other.stride) {
            0 => self.offset < other.offset + other.size && other.offset < self.offset + self.size,
            stride => {
                let behind = (other.offset - self.offset).rem_euclid(stride);
                behind < self.size || stride - behind < other.size
            }
        }
    }

    /// The same bytes after a copy of what is at `from` to `to`.
    pub fn moved(self, from: Slot, to: Slot) -> Slot {
        let stride = gcd(self.stride, gcd(from.stride, to.stride));
        Slot { stride, offset: self.offset - from.offset + to.offset, size: self.size }
    }
}

/// An index that is a literal; indices are signed.
fn signed_constant(index: Val) -> Option<i128> {
    let unused = 128 - index.ty().int_width().min(128);
    index.const_bits().map(|bits| (bits << unused) as i128 >> unused)
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::Slot;

    #[test]
    fn fields_of_structs_in_an_array_are_apart() {
        // struct { int *p; int n; } s[k]
        let pointer = Slot { stride: 16, offset: 0, size: 8 };
        let number = Slot { stride: 16, offset: 8, size: 4 };
        assert!(!pointer.may_touch(number) && !number.may_touch(pointer));
        assert!(pointer.may_touch(Slot { stride: 0, offset: 36, size: 4 }));
        assert!(pointer.may_touch(Slot { stride: 8, offset: 0, size: 4 }));
        assert!(pointer.may_touch(Slot::EVERYWHERE));
    }

    #[test]
    fn an_access_may_reach_into_the_next_element() {
        let wide = Slot { stride: 16, offset: 12, size: 8 };
        assert!(wide.may_touch(Slot { stride: 16, offset: 0, size: 4 }));
        assert!(!wide.may_touch(Slot { stride: 16, offset: 4, size: 8 }));
    }

    #[test]
    fn copies_move_what_was_written() {
        let number = Slot { stride: 0, offset: 8, size: 4 };
        let from = Slot { stride: 0, offset: 0, size: 16 };
        let to = Slot { stride: 16, offset: 4, size: 16 };
        assert_eq!(number.moved(from, to), Slot { stride: 16, offset: 12, size: 4 });
    }
}
