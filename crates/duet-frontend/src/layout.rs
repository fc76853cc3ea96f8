//! How LLVM types lie in memory: their scalar leaves and byte offsets.

use duet_ir::Type;
use inkwell::llvm_sys::LLVMTypeKind;
use inkwell::llvm_sys::prelude::LLVMModuleRef;

use crate::llvm::Ty;
use crate::prepare::{field_offset, size_of};

/// A scalar part of a type.
#[derive(Clone, Copy, Debug)]
pub struct Leaf {
    /// Its LLVM type.
    pub ty: Ty,
    /// What it is.
    pub kind: LeafKind,
    /// Byte offset in the whole.
    pub offset: u64,
}

/// What a leaf is to the kernel IR.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LeafKind {
    /// A number. Samplers and events are numbers too.
    Scalar(Type),
    /// A pointer into an address space, or an image.
    Pointer(u32),
}

/// The most leaves that a type is split into.
const MAX_LEAVES: usize = 4096;

/// The leaves of a type, in memory order; an error names what has none.
pub fn leaves(module: LLVMModuleRef, ty: Ty) -> Result<Vec<Leaf>, String> {
    let mut found = vec![];
    collect(module, ty, 0, &mut found)?;
    Ok(found)
}

/// What a type is that is a leaf itself.
pub fn leaf_kind(ty: Ty) -> Result<LeafKind, String> {
    use LLVMTypeKind::*;
    let scalar = |ty| Ok(LeafKind::Scalar(ty));
    match ty.kind() {
        LLVMIntegerTypeKind if ty.int_width() <= 128 => scalar(Type::Int(ty.int_width() as u8)),
        LLVMIntegerTypeKind => Err(format!("an integer of {} bits", ty.int_width())),
        LLVMHalfTypeKind => scalar(Type::F16),
        LLVMBFloatTypeKind => scalar(Type::BF16),
        LLVMFloatTypeKind => scalar(Type::F32),
        LLVMDoubleTypeKind => scalar(Type::F64),
        LLVMPointerTypeKind => Ok(LeafKind::Pointer(ty.address_space())),
        LLVMTargetExtTypeKind => match ty.target_ext_name().as_str() {
            "spirv.Image" => Ok(LeafKind::Pointer(GLOBAL)),
            "spirv.Sampler" | "spirv.Event" => scalar(Type::I32),
            other => Err(format!("the type `{other}`")),
        },
        other => Err(format!("a type that has no meaning here ({other:?})")),
    }
}

/// LLVM's number for global memory, in both languages.
pub const GLOBAL: u32 = 1;

fn collect(
    module: LLVMModuleRef,
    ty: Ty,
    offset: u64,
    found: &mut Vec<Leaf>,
) -> Result<(), String> {
    use LLVMTypeKind::*;
    match ty.kind() {
        LLVMStructTypeKind => {
            for (index, field) in ty.fields().into_iter().enumerate() {
                collect(module, field, offset + field_offset(module, ty, index as u32), found)?;
            }
        }
        LLVMArrayTypeKind | LLVMVectorTypeKind => {
            let stride = element_stride(module, ty);
            for index in 0..ty.len() {
                collect(module, ty.element(), offset + index * stride, found)?;
            }
        }
        LLVMVoidTypeKind => {}
        _ => found.push(Leaf { ty, kind: leaf_kind(ty)?, offset }),
    }
    if found.len() > MAX_LEAVES {
        return Err(format!("a value of more than {MAX_LEAVES} parts"));
    }
    Ok(())
}

/// Distance in bytes between the elements of an array or vector.
pub fn element_stride(module: LLVMModuleRef, ty: Ty) -> u64 {
    size_of(module, ty.element())
}

/// The width of offsets in the module's default address space.
pub fn pointer_width(module: LLVMModuleRef) -> u8 {
    use inkwell::llvm_sys::target::{LLVMGetModuleDataLayout, LLVMPointerSize};
    // SAFETY: the module is alive, and so is the layout that it owns.
    (unsafe { LLVMPointerSize(LLVMGetModuleDataLayout(module)) } * 8) as u8
}
