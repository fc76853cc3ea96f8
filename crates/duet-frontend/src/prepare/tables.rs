//! Tables of functions: what is loaded from them, made a choice among their entries.
//!
//! A table is a global variable that the source initialises with addresses of functions
//! and that nothing in the module writes or hands on. A load from it at a computed place
//! becomes a chain of choices by that place; [`super::dispatch`] then calls the function
//! that was chosen. Copies of such a table to a variable (`op local[] = {add, sub}`)
//! become a store for each entry.
//!
//! What lies beyond the entries is an unknown address.
//!
//! SOUNDNESS: the host could change a table that is not constant. A check that meets the
//! unknown lists that as an assumption (kernels/pointers/function-entries, test
//! `entries_of_tables_are_an_assumption`).

use std::ffi::CString;

use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::*;
use inkwell::llvm_sys::{LLVMIntPredicate, LLVMOpcode, LLVMTypeKind, LLVMValueKind};

use super::{field_offset, size_of};
use crate::llvm::{self, Ty, Val};

/// The call that stands for what lies beyond the entries of a table; the table's name
/// follows.
pub const BEYOND: &str = "__duet_beyond_table~";

/// Entries that are told apart.
const MAX_ENTRIES: u64 = 64;

/// Makes the loads from tables of functions choices.
pub fn make_entries_known(module: LLVMModuleRef) {
    for table in llvm::globals(module) {
        let Some(entries) = entries_of(module, table) else { continue };
        let mut uses = vec![];
        if gather(module, table, Spot::default(), &mut uses) {
            uses.into_iter().for_each(|one| one.replace(module, table, &entries));
        }
    }
}

/// The functions of a table by their byte offset, if there is nothing else in it.
fn entries_of(module: LLVMModuleRef, table: Val) -> Option<Vec<(u64, Val)>> {
    let initial = table.initializer()?;
    let mut entries = vec![];
    collect(module, initial, 0, &mut entries)?;
    let has_function = entries.iter().any(|(_, entry)| entry.is_function());
    (has_function && entries.len() as u64 <= MAX_ENTRIES).then_some(entries)
}

fn collect(
    module: LLVMModuleRef,
    value: Val,
    at: u64,
    entries: &mut Vec<(u64, Val)>,
) -> Option<()> {
    use LLVMValueKind::*;
    match value.kind() {
        LLVMFunctionValueKind | LLVMConstantPointerNullValueKind => {
            entries.push((at, value));
            Some(())
        }
        LLVMConstantArrayValueKind => {
            let ty = value.ty();
            let stride = size_of(module, ty.element());
            (ty.len() <= MAX_ENTRIES).then_some(())?;
            (0..ty.len()).try_for_each(|index| {
                collect(module, value.element(index as u32)?, at + index * stride, entries)
            })
        }
        LLVMConstantStructValueKind => {
            let ty = value.ty();
            (0..ty.fields().len() as u32).try_for_each(|index| {
                let place = at + field_offset(module, ty, index);
                collect(module, value.element(index)?, place, entries)
            })
        }
        _ => None,
    }
}

/// A place in a table: a constant distance and at most one index that is scaled.
#[derive(Clone, Copy, Default)]
struct Spot {
    offset: i64,
    index: Option<(Val, u64)>,
}

impl Spot {
    /// The place that an address computation leads to.
    fn after(mut self, module: LLVMModuleRef, gep: Val) -> Option<Spot> {
        // SAFETY: the value is a `getelementptr`.
        let mut ty = Ty(unsafe { LLVMGetGEPSourceElementType(gep.0) });
        for (position, index) in gep.operands().skip(1).enumerate() {
            if position > 0 && ty.kind() == LLVMTypeKind::LLVMStructTypeKind {
                let field = index.const_u64()? as u32;
                self.offset += i64::try_from(field_offset(module, ty, field)).ok()?;
                ty = ty.fields()[field as usize];
                continue;
            }
            if position > 0 {
                ty = ty.element();
            }
            let size = size_of(module, ty);
            match index.const_u64() {
                Some(number) => self.offset += (number as i64).checked_mul(size as i64)?,
                None if self.index.is_none() => self.index = Some((index, size)),
                None => return None,
            }
        }
        Some(self)
    }
}

/// Something that is done with a table and can be replaced.
enum Use {
    Load(Val, Spot),
    Copy(Val),
}

/// Finds all uses of an address in a table; are they all of the kinds that we know?
fn gather(module: LLVMModuleRef, address: Val, spot: Spot, uses: &mut Vec<Use>) -> bool {
    llvm::users(address).into_iter().all(|user| {
        let opcode = match () {
            () if user.is_instruction() => user.opcode(),
            () if user.kind() == LLVMValueKind::LLVMConstantExprValueKind => user.const_opcode(),
            () => return is_metadata(user),
        };
        match opcode {
            LLVMOpcode::LLVMLoad if !user.is_volatile() && user.ty().is_pointer() => {
                uses.push(Use::Load(user, spot));
                true
            }
            LLVMOpcode::LLVMGetElementPtr if user.operand(0) == address => {
                spot.after(module, user).is_some_and(|spot| gather(module, user, spot, uses))
            }
            LLVMOpcode::LLVMAddrSpaceCast | LLVMOpcode::LLVMBitCast => {
                gather(module, user, spot, uses)
            }
            LLVMOpcode::LLVMCall if is_copy_from(user, address, spot) => {
                uses.push(Use::Copy(user));
                true
            }
            _ => false,
        }
    })
}

/// Lists such as `llvm.used` only keep the variable alive.
fn is_metadata(user: Val) -> bool {
    user.kind() == LLVMValueKind::LLVMGlobalVariableValueKind && user.name().starts_with("llvm.")
        || user.kind() == LLVMValueKind::LLVMConstantArrayValueKind
            && llvm::users(user).into_iter().all(is_metadata)
}

fn is_copy_from(call: Val, table: Val, spot: Spot) -> bool {
    let arguments = call.arguments();
    call.callee().name().starts_with("llvm.memcpy")
        && arguments.len() >= 3
        && arguments[0] != table
        && arguments[1] == table
        && spot.index.is_none()
        && spot.offset == 0
        && arguments[2].const_u64().is_some()
}

impl Use {
    fn replace(self, module: LLVMModuleRef, table: Val, entries: &[(u64, Val)]) {
        // SAFETY: all values are of the module's context, which is alive; the builder is
        // disposed of in the end.
        unsafe {
            let inst = match &self {
                Use::Load(inst, _) | Use::Copy(inst) => *inst,
            };
            let builder = LLVMCreateBuilderInContext(inst.context());
            LLVMPositionBuilderBefore(builder, inst.0);
            let here = inst.debug_loc().map_or(std::ptr::null_mut(), |node| node.0);
            LLVMSetCurrentDebugLocation2(builder, here);
            match self {
                Use::Load(load, spot) => {
                    let chosen = choose(module, builder, load, spot, table, entries);
                    LLVMReplaceAllUsesWith(load.0, chosen.0);
                    LLVMInstructionEraseFromParent(load.0);
                }
                Use::Copy(call) => {
                    store_entries(builder, call, entries);
                    LLVMInstructionEraseFromParent(call.0);
                }
            }
            LLVMDisposeBuilder(builder);
        }
    }
}

/// The entry at a place, by comparing the index with that of each entry.
///
/// # Safety
/// The builder stands before `load`, which is in the module.
unsafe fn choose(
    module: LLVMModuleRef,
    builder: LLVMBuilderRef,
    load: Val,
    spot: Spot,
    table: Val,
    entries: &[(u64, Val)],
) -> Val {
    // SAFETY: by the caller's promise; the values are of the module's context.
    unsafe {
        let ty = load.ty();
        let as_loaded = |entry: Val| match entry.ty() == ty {
            true => entry.0,
            false => LLVMConstAddrSpaceCast(entry.0, ty.0),
        };
        let at =
            |offset: i64| entries.iter().find(|(place, _)| i64::try_from(*place) == Ok(offset));
        let Some((index, stride)) = spot.index.filter(|(_, stride)| *stride > 0) else {
            // The call stays, unused: the assumption is listed by it.
            let beyond = beyond(module, builder, ty, table);
            return at(spot.offset).map_or(beyond, |(_, entry)| Val(as_loaded(*entry)));
        };
        let mut chosen = beyond(module, builder, ty, table).0;
        for (place, entry) in entries {
            let distance = i64::try_from(*place).unwrap_or(i64::MAX) - spot.offset;
            let stride = i64::try_from(stride).unwrap_or(i64::MAX);
            if distance.rem_euclid(stride) != 0 {
                continue;
            }
            let number = LLVMConstInt(index.ty().0, (distance / stride) as u64, 1);
            let equal = LLVMIntPredicate::LLVMIntEQ;
            let is_it = LLVMBuildICmp(builder, equal, index.0, number, c"".as_ptr());
            chosen = LLVMBuildSelect(builder, is_it, as_loaded(*entry), chosen, c"".as_ptr());
        }
        Val(chosen)
    }
}

/// A call that yields an unknown address, told by its name.
///
/// # Safety
/// The builder stands in a function of the module.
unsafe fn beyond(module: LLVMModuleRef, builder: LLVMBuilderRef, ty: Ty, table: Val) -> Val {
    // SAFETY: by the caller's promise; the values are of the module's context.
    unsafe {
        let is_fixed = llvm::is_constant_global(table) && !llvm::is_externally_initialized(table);
        let name = if is_fixed { String::new() } else { llvm::source_name(table) };
        let function = CString::new(format!("{BEYOND}{name}~{}", ty.address_space()));
        let function = function.unwrap_or_default();
        let function_type = LLVMFunctionType(ty.0, std::ptr::null_mut(), 0, 0);
        let mut found = LLVMGetNamedFunction(module, function.as_ptr());
        if found.is_null() {
            found = LLVMAddFunction(module, function.as_ptr(), function_type);
        }
        Val(LLVMBuildCall2(builder, function_type, found, std::ptr::null_mut(), 0, c"".as_ptr()))
    }
}

/// Stores each entry where a copy would bring it.
///
/// # Safety
/// The builder stands before `call`, a copy.
unsafe fn store_entries(builder: LLVMBuilderRef, call: Val, entries: &[(u64, Val)]) {
    // SAFETY: by the caller's promise; the values are of the call's context.
    unsafe {
        let arguments = call.arguments();
        let length = arguments[2].const_u64().unwrap_or(0);
        let byte = LLVMInt8TypeInContext(call.context());
        for (place, entry) in entries.iter().filter(|(place, _)| *place < length) {
            let offset = LLVMConstInt(LLVMInt64TypeInContext(call.context()), *place, 0);
            let mut indices = [offset];
            let to =
                LLVMBuildGEP2(builder, byte, arguments[0].0, indices.as_mut_ptr(), 1, c"".as_ptr());
            let store = LLVMBuildStore(builder, entry.0, to);
            LLVMSetAlignment(store, llvm::argument_align(call, 0).clamp(1, 8));
        }
    }
}
