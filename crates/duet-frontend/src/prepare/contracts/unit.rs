//! A function that is verified by itself, and what a function ensures where it runs.
//!
//! SOUNDNESS: callers may pass a number that differs from thread to thread, so the parameters
//! of such a function are unknowns of each thread, unlike those of a kernel
//! (kernels/modular/74-argument-differs). A body that names memory of its own accord is inlined: an array that is passed could be
//! the same.

use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::*;
use inkwell::llvm_sys::{LLVMLinkage, LLVMOpcode, LLVMValueKind};

use super::edit::{call_before, move_before, redirect, replace};
use super::flow::{
    base_name, calls_in, deeds_of, is_call, is_call_of, is_return, is_wait, reaches,
};
use super::{ENSURES, OLD, REQUIRES, RESULT, Reason, edit, insts};
use crate::llvm::{self, Val};
use crate::prepare::{calls_of, underlying};

/// Prefix of the functions that stand for an argument; the rest is the parameter's name.
pub const ARGUMENT: &str = "__duet_argument.";

/// LLVM's numbers of calling conventions.
const PTX_KERNEL: u32 = 71;
const SPIR_FUNCTION: u32 = 75;
const SPIR_KERNEL: u32 = 76;

/// Can the function be verified by itself?
pub fn can_be(function: Val) -> bool {
    let deeds = deeds_of(function);
    let by_value = (0..function.params().len()).any(|index| {
        function.byval_type(index as u32).is_some()
            || function.param_has_attribute(index as u32, "sret")
    });
    let is_simple = |param: &Val| {
        use inkwell::llvm_sys::LLVMTypeKind::*;
        matches!(
            param.ty().kind(),
            LLVMIntegerTypeKind | LLVMPointerTypeKind | LLVMFloatTypeKind | LLVMDoubleTypeKind
        )
    };
    // A barrier ends it, or all after it would have to be told apart.
    let ends_with_wait = || {
        let mut returns = insts(function).into_iter().filter(|&inst| is_return(inst));
        returns.all(|ret| is_behind_wait(function, ret))
    };
    !deeds.more
        && !by_value
        && function.params().iter().all(is_simple)
        && !names_memory(function)
        && (!deeds.waits || ends_with_wait())
}

/// Is there a barrier before the return with nothing but private accesses in between?
fn is_behind_wait(function: Val, ret: Val) -> bool {
    let touches = |inst: Val| match inst.opcode() {
        LLVMOpcode::LLVMStore => !underlying(inst.operand(1)).opcode_is_alloca(),
        LLVMOpcode::LLVMLoad => !underlying(inst.operand(0)).opcode_is_alloca(),
        LLVMOpcode::LLVMCall => !is_wait(inst) && !base_name(inst.callee()).starts_with("llvm."),
        _ => false,
    };
    let mut starts = insts(function).into_iter().filter(|&inst| touches(inst));
    !reaches(function, None, &|inst| inst == ret, &is_wait)
        && starts.all(|inst| !reaches(function, Some(inst), &|other| other == ret, &is_wait))
}

/// Does the body, or one that it calls, name a variable of the module?
fn names_memory(function: Val) -> bool {
    let (mut open, mut seen) = (vec![function], vec![]);
    while let Some(function) = open.pop() {
        if seen.contains(&function) || !function.is_function() {
            continue;
        }
        seen.push(function);
        let is_variable = |value: Val| {
            value.kind() == LLVMValueKind::LLVMGlobalVariableValueKind
                || value.kind() == LLVMValueKind::LLVMConstantExprValueKind
        };
        if insts(function).into_iter().any(|inst| inst.operands().any(is_variable)) {
            return true;
        }
        open.extend(calls_of(function));
    }
    false
}

/// Makes the function one that is verified like a kernel.
pub fn make(module: LLVMModuleRef, function: Val) {
    for call in calls_in(function, REQUIRES) {
        redirect(module, call, "__duet_given");
    }
    let first = insts(function)[0];
    call_before(module, first, "__duet_verified", edit::void_type(first), &[]);
    for param in function.params() {
        if !param.ty().is_pointer() {
            let name = format!("{ARGUMENT}{}", param.name());
            let unknown = call_before(module, first, &name, param.ty(), &[]);
            // SAFETY: both are of one type, in one function.
            unsafe { LLVMReplaceAllUsesWith(param.0, unknown.0) };
        }
    }
    // SAFETY: the function is of a module that is alive.
    unsafe {
        LLVMSetLinkage(function.0, LLVMLinkage::LLVMExternalLinkage);
        let is_opencl = LLVMGetFunctionCallConv(function.0) == SPIR_FUNCTION;
        LLVMSetFunctionCallConv(function.0, if is_opencl { SPIR_KERNEL } else { PTX_KERNEL });
    }
}

/// Asserts where the function returns what it ensures.
pub fn assert_at_return(module: LLVMModuleRef, function: Val) -> Result<(), Reason> {
    let ensured = calls_in(function, ENSURES);
    if ensured.is_empty() {
        return Ok(());
    }
    let returns: Vec<Val> = insts(function).into_iter().filter(|&inst| is_return(inst)).collect();
    let &[ret] = &returns[..] else { return Err("it returns in several places") };
    let mut moved = vec![];
    for &clause in &ensured {
        if reaches(function, None, &|inst| inst == ret, &|inst| inst == clause) {
            return Err("not every way passes the clause");
        }
        if !is_at_start(function, clause) {
            return Err("something is done before the clause");
        }
        moved.push(moved_of(clause)?);
    }
    for (&clause, slice) in ensured.iter().zip(moved) {
        let at = ret;
        call_before(module, at, "__non_temporal_loads_begin", edit::void_type(at), &[]);
        move_before(&slice, at);
        move_before(&[clause], at);
        call_before(module, at, "__non_temporal_loads_end", edit::void_type(at), &[]);
        redirect(module, clause, "__duet_ensured");
    }
    for call in calls_in(function, RESULT) {
        if ret.num_operands() == 1 && ret.operand(0).ty() == call.ty() {
            replace(call, ret.operand(0));
        }
    }
    for call in calls_in(function, OLD) {
        replace(call, call.operand(0));
    }
    Ok(())
}

/// Has nothing been written, and no barrier passed, before the clause?
fn is_at_start(function: Val, clause: Val) -> bool {
    let acts = |inst: Val| match inst.opcode() {
        LLVMOpcode::LLVMStore => !underlying(inst.operand(1)).opcode_is_alloca(),
        LLVMOpcode::LLVMCall => {
            let deeds = deeds_of(inst.callee());
            deeds.more || deeds.waits || !inst.callee().is_declaration() && writes(inst.callee())
        }
        LLVMOpcode::LLVMAtomicRMW | LLVMOpcode::LLVMAtomicCmpXchg | LLVMOpcode::LLVMFence => true,
        _ => false,
    };
    let mut acts = insts(function).into_iter().filter(|&inst| acts(inst));
    acts.all(|act| !reaches(function, Some(act), &|inst| inst == clause, &|_| false))
}

fn writes(function: Val) -> bool {
    let is_store = |inst: &Val| {
        inst.opcode() == LLVMOpcode::LLVMStore && !underlying(inst.operand(1)).opcode_is_alloca()
    };
    let calls = |inst: &Val| is_call(*inst) && !inst.callee().is_declaration();
    insts(function).iter().any(|inst| {
        is_store(inst) || calls(inst) && inst.callee() != function && writes(inst.callee())
    })
}

/// What the clause is computed from that depends on memory or on the result, in order.
fn moved_of(clause: Val) -> Result<Vec<Val>, Reason> {
    let block = llvm::instruction_block(clause);
    let insts = block.instructions();
    let before: Vec<Val> = insts.into_iter().take_while(|&inst| inst != clause).collect();
    let needed = needed_by(clause, &before);
    let mut moved: Vec<Val> = vec![];
    for &inst in before.iter().filter(|inst| needed.contains(inst)) {
        let is_load = inst.opcode() == LLVMOpcode::LLVMLoad
            && !underlying(inst.operand(0)).opcode_is_alloca();
        let is_result = is_call_of(inst, RESULT);
        let depends = inst.operands().any(|operand| moved.contains(&operand));
        if !(is_load || is_result || depends) {
            continue;
        }
        if inst.opcode() == LLVMOpcode::LLVMPHI {
            return Err("the clause is not one expression");
        }
        moved.push(inst);
    }
    // A branch on memory inside of the clause cannot be moved with it.
    let has_phi = needed.iter().any(|inst| inst.opcode() == LLVMOpcode::LLVMPHI);
    match has_phi {
        true => Err("the clause is not one expression"),
        false => Ok(moved),
    }
}

/// The instructions of the block that a value is computed from; old values are leaves.
fn needed_by(clause: Val, before: &[Val]) -> Vec<Val> {
    let (mut needed, mut open) = (vec![], vec![clause.operand(0)]);
    while let Some(value) = open.pop() {
        if needed.contains(&value) || !before.contains(&value) {
            continue;
        }
        needed.push(value);
        if !is_call_of(value, OLD) {
            open.extend(value.operands());
        }
    }
    needed
}
