//! Changes to a function: calls of other functions, constants, code that is moved or removed.

use std::collections::HashSet;
use std::ffi::CString;

use inkwell::llvm_sys::LLVMOpcode;
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::*;

use crate::llvm::{self, Bb, Ty, Val};
use crate::prepare::reverse_postorder;

/// The declaration of a function; one of another type gets a name of its own.
pub fn declare(module: LLVMModuleRef, name: &str, ty: LLVMTypeRef) -> Val {
    for attempt in 0.. {
        let unique = if attempt == 0 { name.to_string() } else { format!("{name}~{attempt}") };
        let unique = CString::new(unique).unwrap_or_default();
        // SAFETY: the module is alive, and the name ends with a zero byte.
        unsafe {
            let found = LLVMGetNamedFunction(module, unique.as_ptr());
            if found.is_null() {
                return Val(LLVMAddFunction(module, unique.as_ptr(), ty));
            }
            if LLVMGlobalGetValueType(found) == ty {
                return Val(found);
            }
        }
    }
    unreachable!("some name is free")
}

/// Calls a function before an instruction, at the instruction's place in the source.
pub fn call_before(module: LLVMModuleRef, at: Val, name: &str, result: Ty, args: &[Val]) -> Val {
    // SAFETY: all is of the context of `at`, whose module is alive; the builder is disposed of.
    unsafe {
        let mut types: Vec<LLVMTypeRef> = args.iter().map(|arg| arg.ty().0).collect();
        let ty = LLVMFunctionType(result.0, types.as_mut_ptr(), types.len() as u32, 0);
        let callee = declare(module, name, ty);
        let builder = LLVMCreateBuilderInContext(at.context());
        LLVMPositionBuilderBefore(builder, at.0);
        let here = at.debug_loc().map_or(std::ptr::null_mut(), |node| node.0);
        LLVMSetCurrentDebugLocation2(builder, here);
        let mut args: Vec<LLVMValueRef> = args.iter().map(|arg| arg.0).collect();
        let count = args.len() as u32;
        let call = LLVMBuildCall2(builder, ty, callee.0, args.as_mut_ptr(), count, c"".as_ptr());
        LLVMDisposeBuilder(builder);
        Val(call)
    }
}

/// The type of nothing.
pub fn void_type(of: Val) -> Ty {
    // SAFETY: the context is that of a value that is alive.
    Ty(unsafe { LLVMVoidTypeInContext(of.context()) })
}

/// Makes a call one of another function of the same type.
pub fn redirect(module: LLVMModuleRef, call: Val, name: &str) {
    // SAFETY: the instruction is a call, of a module that is alive.
    let ty = unsafe { LLVMGetCalledFunctionType(call.0) };
    redirect_to(call, declare(module, name, ty));
}

/// The same for a function that there is.
pub fn redirect_to(call: Val, callee: Val) {
    // SAFETY: the callee is the last operand of a call.
    unsafe { LLVMSetOperand(call.0, call.num_operands() - 1, callee.0) };
}

pub fn replace(old: Val, new: Val) {
    // SAFETY: both are values of one type, and the old one is an instruction.
    unsafe {
        LLVMReplaceAllUsesWith(old.0, new.0);
        LLVMInstructionEraseFromParent(old.0);
    }
}

pub fn erase(inst: Val) {
    // SAFETY: the instruction is unused.
    unsafe { LLVMInstructionEraseFromParent(inst.0) };
}

/// Makes calls of these functions constant, and drops what can then not be reached.
pub fn settle(function: Val, names: &[&str], truth: bool) {
    for call in super::flow::calls_in(function, names) {
        // SAFETY: the type is that of a value that is alive.
        let constant = Val(unsafe { LLVMConstInt(call.ty().0, u64::from(truth), 0) });
        replace(call, constant);
    }
    for block in function.blocks() {
        let branch = block.terminator();
        let is_conditional = branch.opcode() == LLVMOpcode::LLVMBr && branch.num_operands() == 3;
        let Some(taken) = is_conditional.then(|| branch.operand(0).const_u64()).flatten() else {
            continue;
        };
        let target = block.successors()[usize::from(taken == 0)];
        jump_instead(branch, target);
    }
    drop_unreachable(function);
}

fn jump_instead(branch: Val, target: Bb) {
    // SAFETY: both are of one function that is alive; the builder is disposed of.
    unsafe {
        let builder = LLVMCreateBuilderInContext(branch.context());
        LLVMPositionBuilderBefore(builder, branch.0);
        let here = branch.debug_loc().map_or(std::ptr::null_mut(), |node| node.0);
        LLVMSetCurrentDebugLocation2(builder, here);
        LLVMBuildBr(builder, target.0);
        LLVMDisposeBuilder(builder);
        LLVMInstructionEraseFromParent(branch.0);
    }
}

/// Ends a function behind an instruction with this result.
pub fn return_behind(inst: Val, result: Option<Val>) {
    let block = llvm::instruction_block(inst);
    let rest = block.instructions();
    let behind = rest.iter().position(|&other| other == inst).map_or(rest.len(), |at| at + 1);
    for &dropped in rest[behind..].iter().rev() {
        forget(dropped);
    }
    // SAFETY: the block has no terminator now; the builder is disposed of.
    unsafe {
        let builder = LLVMCreateBuilderInContext(inst.context());
        LLVMPositionBuilderAtEnd(builder, block.0);
        let here = inst.debug_loc().map_or(std::ptr::null_mut(), |node| node.0);
        LLVMSetCurrentDebugLocation2(builder, here);
        match result {
            Some(result) => LLVMBuildRet(builder, result.0),
            None => LLVMBuildRetVoid(builder),
        };
        LLVMDisposeBuilder(builder);
    }
    drop_unreachable(llvm::instruction_function(inst));
}

fn forget(inst: Val) {
    // SAFETY: the instruction is of a function that is alive, and has no users afterwards.
    unsafe {
        if !inst.ty().is_void() {
            LLVMReplaceAllUsesWith(inst.0, LLVMGetUndef(inst.ty().0));
        }
        LLVMInstructionEraseFromParent(inst.0);
    }
}

fn drop_unreachable(function: Val) {
    let kept: HashSet<Bb> = reverse_postorder(function.blocks()[0]).into_iter().collect();
    let dropped: Vec<Bb> =
        function.blocks().into_iter().filter(|block| !kept.contains(block)).collect();
    for block in &dropped {
        block.instructions().into_iter().rev().for_each(forget);
    }
    for block in dropped {
        // SAFETY: the block is empty and no edge leads there.
        unsafe { LLVMDeleteBasicBlock(block.0) };
    }
}

/// Moves instructions, in their order, before another one.
pub fn move_before(insts: &[Val], at: Val) {
    // SAFETY: all are instructions of one function that is alive; the builder is disposed of.
    unsafe {
        let builder = LLVMCreateBuilderInContext(at.context());
        for inst in insts {
            let loc = inst.debug_loc();
            LLVMInstructionRemoveFromParent(inst.0);
            LLVMPositionBuilderBefore(builder, at.0);
            LLVMInsertIntoBuilder(builder, inst.0);
            if let Some(loc) = loc {
                inkwell::llvm_sys::debuginfo::LLVMInstructionSetDebugLoc(inst.0, loc.0);
            }
        }
        LLVMDisposeBuilder(builder);
    }
}
