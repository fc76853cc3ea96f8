//! Calls through function pointers, made direct.
//!
//! A call through a pointer becomes a call of a dispatcher: a function that
//! compares the pointer with every function of that type whose address the module
//! takes, and calls the one that is equal; if none is, it traps. Inlining then
//! does the rest, and a pointer that turns out to be constant leaves one call.
//!
//! SOUNDNESS: a function whose address is never taken cannot be what a pointer of
//! this module holds; if the host brings another one, the trap is reached, which
//! is an obligation that fails (kernels/pointers/function-unknown-bug,
//! test `a_function_pointer_is_compared_with_its_candidates`).

use std::ffi::CString;

use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::*;
use inkwell::llvm_sys::{LLVMIntPredicate, LLVMLinkage, LLVMOpcode, LLVMValueKind};

use crate::llvm::{self, Bb, Ty, Val};

/// Replaces every call through a pointer.
pub fn make_calls_direct(module: LLVMModuleRef) {
    let functions = llvm::functions(module);
    let indirect: Vec<Val> = functions
        .iter()
        .flat_map(|function| function.blocks())
        .flat_map(Bb::instructions)
        .filter(|inst| inst.opcode() == LLVMOpcode::LLVMCall && is_indirect(inst.callee()))
        .collect();
    for call in indirect {
        // SAFETY: the instruction is a call, of a module that is alive.
        let ty = Ty(unsafe { LLVMGetCalledFunctionType(call.0) });
        let candidates: Vec<Val> = functions
            .iter()
            .copied()
            .filter(|function| {
                !function.is_declaration() && function.value_type() == ty && is_taken(*function)
            })
            .collect();
        // Without a candidate the call stays as it is, and translation rejects it.
        if !candidates.is_empty() {
            replace(module, call, ty, &candidates);
        }
    }
}

fn is_indirect(callee: Val) -> bool {
    !callee.is_function() && callee.kind() != LLVMValueKind::LLVMInlineAsmValueKind
}

/// Is the function's address used other than to call it?
fn is_taken(function: Val) -> bool {
    llvm::users(function).into_iter().any(|user| {
        !(user.is_instruction()
            && user.opcode() == LLVMOpcode::LLVMCall
            && user.callee() == function
            && !user.arguments().contains(&function))
    })
}

/// Replaces `call` by a call of a dispatcher over `candidates`.
fn replace(module: LLVMModuleRef, call: Val, ty: Ty, candidates: &[Val]) {
    // SAFETY: all values and types are of the context of `call`, whose module is alive; the
    // builder is disposed of in the end.
    unsafe {
        let context = call.context();
        let builder = LLVMCreateBuilderInContext(context);
        let mut params = vec![LLVMTypeOf(call.callee().0)];
        params.extend(llvm::param_types(ty).into_iter().map(|param| param.0));
        let dispatcher_type =
            LLVMFunctionType(ty.result().0, params.as_mut_ptr(), params.len() as u32, 0);
        let name = CString::new("__duet_dispatch").expect("no zero byte");
        let dispatcher = LLVMAddFunction(module, name.as_ptr(), dispatcher_type);
        LLVMSetLinkage(dispatcher, LLVMLinkage::LLVMInternalLinkage);
        fill_dispatcher(module, builder, Val(dispatcher), ty, candidates);
        let mut args = vec![call.callee().0];
        args.extend(call.arguments().into_iter().map(|argument| argument.0));
        LLVMPositionBuilderBefore(builder, call.0);
        let here = call.debug_loc().map_or(std::ptr::null_mut(), |node| node.0);
        LLVMSetCurrentDebugLocation2(builder, here);
        let direct = LLVMBuildCall2(
            builder,
            dispatcher_type,
            dispatcher,
            args.as_mut_ptr(),
            args.len() as u32,
            c"".as_ptr(),
        );
        LLVMReplaceAllUsesWith(call.0, direct);
        LLVMInstructionEraseFromParent(call.0);
        LLVMDisposeBuilder(builder);
    }
}

/// `if (p == &f) return f(...); ... trap();`
fn fill_dispatcher(
    module: LLVMModuleRef,
    builder: LLVMBuilderRef,
    dispatcher: Val,
    ty: Ty,
    candidates: &[Val],
) {
    let params = dispatcher.params();
    let mut args: Vec<LLVMValueRef> = params[1..].iter().map(|param| param.0).collect();
    // SAFETY: all values are of the context of `dispatcher`, whose module is alive, and the
    // builder is of the same context.
    unsafe {
        let context = dispatcher.context();
        let append = || LLVMAppendBasicBlockInContext(context, dispatcher.0, c"".as_ptr());
        let mut block = append();
        for candidate in candidates {
            LLVMPositionBuilderAtEnd(builder, block);
            let is_this = LLVMBuildICmp(
                builder,
                LLVMIntPredicate::LLVMIntEQ,
                params[0].0,
                candidate.0,
                c"".as_ptr(),
            );
            let (case, next) = (append(), append());
            LLVMBuildCondBr(builder, is_this, case, next);
            LLVMPositionBuilderAtEnd(builder, case);
            let count = args.len() as u32;
            let result =
                LLVMBuildCall2(builder, ty.0, candidate.0, args.as_mut_ptr(), count, c"".as_ptr());
            match ty.result().is_void() {
                true => LLVMBuildRetVoid(builder),
                false => LLVMBuildRet(builder, result),
            };
            block = next;
        }
        LLVMPositionBuilderAtEnd(builder, block);
        let void = LLVMVoidTypeInContext(context);
        let trap_type = LLVMFunctionType(void, std::ptr::null_mut(), 0, 0);
        let mut trap = LLVMGetNamedFunction(module, c"__duet_bad_function_pointer".as_ptr());
        if trap.is_null() {
            trap = LLVMAddFunction(module, c"__duet_bad_function_pointer".as_ptr(), trap_type);
        }
        LLVMBuildCall2(builder, trap_type, trap, std::ptr::null_mut(), 0, c"".as_ptr());
        LLVMBuildUnreachable(builder);
    }
}
