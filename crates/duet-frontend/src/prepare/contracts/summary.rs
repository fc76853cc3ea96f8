//! The contract of a function in the place of its body.
//!
//! SOUNDNESS: what is ensured is ensured of what the function leaves behind, so no access, no
//! barrier and no other clause may come after it (kernels/modular/72-ensures-first). Accesses
//! both before the first barrier and after the last are not understood: one choice of a thread
//! would stand for two calls at once, in a loop, of which one ends and the other begins
//! between the same barriers.

use inkwell::llvm_sys::LLVMOpcode;
use inkwell::llvm_sys::prelude::*;

use super::edit::{call_before, erase, move_before, redirect, replace, return_behind, settle};
use super::flow::{calls_in, deeds_of, is_call_of, is_return, is_wait, reaches};
use super::{
    CHOICE, ENSURES, FRAME, IS_SUMMARY, OLD, REQUIRES, RESULT, Reason, WORKS_ALONE, edit, insts,
};
use crate::llvm::{self, Val};
use crate::prepare::underlying;

/// Stands in every summary that was made.
const MADE: &str = "__duet_summary_made";
/// Yields what a function returns that is known by its contract.
const RESULT_OF: &str = "__duet_summary_result";
const BEGIN: &str = "__non_temporal_loads_begin";
const END: &str = "__non_temporal_loads_end";

/// Has the function become the summary of its contract?
pub fn is_made(function: Val) -> bool {
    !calls_in(function, &[MADE]).is_empty()
}

/// Makes a specification what its clauses say.
pub fn of_specification(module: LLVMModuleRef, function: Val) -> Result<(), Reason> {
    only_clauses(function, None)?;
    let deeds = deeds_of(function);
    if deeds.more {
        return Err("it orders threads by more than barriers of the block");
    }
    finish(module, function, deeds.waits)
}

/// Makes a function with a body what its clauses say.
pub fn of_function(module: LLVMModuleRef, function: Val) -> Result<(), Reason> {
    let clauses: Vec<Val> = [REQUIRES, ENSURES, FRAME]
        .into_iter()
        .flat_map(|names| calls_in(function, names))
        .collect();
    let is_last = |clause: &&Val| {
        !reaches(function, Some(**clause), &|inst| clauses.contains(&inst), &|_| false)
    };
    let &last = clauses.iter().find(is_last).ok_or("its clauses are in a loop")?;
    if !is_call_of(last, ENSURES) && !is_call_of(last, REQUIRES) {
        return Err("the accesses of its last clause are not told from its body");
    }
    let last = end_of_clause(last);
    only_clauses(function, Some(last))?;
    let waits = deeds_of(function).waits;
    let returned = returned(function)?;
    let result = result_of(module, function, returned)?;
    return_behind(last, result);
    if waits {
        let first = calls_in(function, ENSURES).first().map(|&clause| start_of_clause(clause));
        let ret = insts(function).into_iter().find(|&inst| is_return(inst));
        let at = first.or(ret).ok_or("it never returns")?;
        let all = edit_flags(at);
        call_before(module, at, "__duet_barrier_block", edit::void_type(at), &[all]);
    }
    let pointers: Vec<Val> =
        function.params().into_iter().filter(|param| param.ty().is_pointer()).collect();
    let first = insts(function)[0];
    call_before(module, first, "__duet_arguments", edit::void_type(first), &pointers);
    finish(module, function, waits)
}

/// The flags of a barrier that orders all memory.
fn edit_flags(at: Val) -> Val {
    // SAFETY: the context is that of an instruction that is alive.
    unsafe {
        let ty = inkwell::llvm_sys::core::LLVMInt32TypeInContext(at.context());
        Val(inkwell::llvm_sys::core::LLVMConstInt(ty, 3, 0))
    }
}

/// The bracket of unlogged reads around a clause, or what a frame's accesses start from.
fn end_of_clause(clause: Val) -> Val {
    let block = llvm::instruction_block(clause);
    let after = block.instructions().into_iter().skip_while(|&inst| inst != clause);
    let mut bracket = after.skip(1).take(2);
    bracket.find(|&inst| is_call_of(inst, &[END])).unwrap_or(clause)
}

fn start_of_clause(clause: Val) -> Val {
    let block = llvm::instruction_block(clause);
    let before: Vec<Val> =
        block.instructions().into_iter().take_while(|&inst| inst != clause).collect();
    before.into_iter().rev().find(|&inst| is_call_of(inst, &[BEGIN])).unwrap_or(clause)
}

/// Up to an instruction there are clauses and what they are computed from, and nothing else.
fn only_clauses(function: Val, last: Option<Val>) -> Result<(), Reason> {
    for (index, _) in function.params().iter().enumerate() {
        if function.param_has_attribute(index as u32, "sret") {
            return Err("it returns a structure");
        }
    }
    let mut is_behind = false;
    for block in function.blocks() {
        // A bracket is one expression, and stays in one block here.
        let mut is_ghost = false;
        for inst in block.instructions() {
            if is_behind {
                return Ok(());
            }
            is_behind = Some(inst) == last;
            is_ghost |= is_call_of(inst, &[BEGIN]);
            is_ghost &= !is_call_of(inst, &[END]);
            // The headers' own accesses, which a summary makes, are at places of their own.
            let is_local = |pointer: Val| {
                underlying(pointer).opcode_is_alloca() || is_place_of_summary(pointer)
            };
            match inst.opcode() {
                LLVMOpcode::LLVMStore if !is_local(inst.operand(1)) => {
                    return Err("it writes memory before its last clause");
                }
                LLVMOpcode::LLVMLoad if !is_ghost && !is_local(inst.operand(0)) => {
                    return Err("it reads memory before its last clause");
                }
                _ => {}
            }
        }
    }
    match last {
        Some(_) if !is_behind => Err("its clauses are not at its start"),
        Some(_) | None => Ok(()),
    }
}

/// Is it a place that a summary accesses?
fn is_place_of_summary(pointer: Val) -> bool {
    pointer.is_instruction()
        && pointer.opcode() == LLVMOpcode::LLVMGetElementPtr
        && pointer
            .operands()
            .any(|index| index.is_instruction() && is_call_of(index, &["__duet_summary_place"]))
}

/// The order of the clauses, and then each as it is meant.
fn finish(module: LLVMModuleRef, function: Val, waits: bool) -> Result<(), Reason> {
    check_order(function, waits)?;
    let result = match insts(function).into_iter().find(|&inst| is_call_of(inst, &[RESULT_OF])) {
        Some(result) => Some(result),
        None => {
            let returned = returned(function)?;
            result_of(module, function, returned)?
        }
    };
    move_old(module, function, result)?;
    for call in calls_in(function, RESULT) {
        let result = result.filter(|result| result.ty() == call.ty());
        replace(call, result.ok_or("it returns another type than its contract names")?);
    }
    for inst in insts(function).into_iter().filter(|&inst| is_return(inst)) {
        if let Some(result) = result {
            // SAFETY: the result is of the function's type and dominates every return.
            unsafe { inkwell::llvm_sys::core::LLVMSetOperand(inst.0, 0, result.0) };
        }
    }
    calls_in(function, FRAME).into_iter().for_each(erase);
    for call in calls_in(function, ENSURES) {
        redirect(module, call, "__duet_contract");
    }
    settle(function, IS_SUMMARY, true);
    settle(function, WORKS_ALONE, waits);
    choose_once(function);
    let first = insts(function)[0];
    call_before(module, first, MADE, edit::void_type(first), &[]);
    Ok(())
}

fn check_order(function: Val, waits: bool) -> Result<(), Reason> {
    let is_access = |inst| is_call_of(inst, IS_SUMMARY);
    let comes_first = |inst| {
        is_access(inst) || is_wait(inst) || is_call_of(inst, REQUIRES) || is_call_of(inst, FRAME)
    };
    for ensured in calls_in(function, ENSURES) {
        if reaches(function, Some(ensured), &comes_first, &|_| false) {
            return Err("something comes after what it ensures");
        }
    }
    if !waits {
        return Ok(());
    }
    if reaches(function, None, &is_return, &is_wait) {
        return Err("not every way through it passes a barrier");
    }
    let leads = reaches(function, None, &is_access, &is_wait);
    let mut accesses = insts(function).into_iter().filter(|&inst| is_access(inst));
    let trails = accesses.any(|access| reaches(function, Some(access), &is_return, &is_wait));
    match leads && trails {
        true => Err("it touches memory before its first barrier and after its last"),
        false => Ok(()),
    }
}

/// What the function returns, of a type that an unknown can have.
fn returned(function: Val) -> Result<bool, Reason> {
    let ty = function.value_type().result();
    if ty.is_void() {
        return Ok(false);
    }
    match ty.kind() {
        inkwell::llvm_sys::LLVMTypeKind::LLVMIntegerTypeKind => Ok(true),
        _ => Err("it returns no integer"),
    }
}

/// An unknown of the type that the function returns, at its start.
fn result_of(module: LLVMModuleRef, function: Val, returned: bool) -> Result<Option<Val>, Reason> {
    if !returned {
        return Ok(None);
    }
    let first = insts(function)[0];
    let ty = function.value_type().result();
    Ok(Some(call_before(module, first, RESULT_OF, ty, &[])))
}

/// Old values are computed before the first access and the first barrier.
fn move_old(module: LLVMModuleRef, function: Val, result: Option<Val>) -> Result<(), Reason> {
    let calls = calls_in(function, OLD);
    let Some(&first) = calls.first() else { return Ok(()) };
    let entry = function.blocks()[0];
    let is_event =
        |inst: &Val| is_call_of(*inst, IS_SUMMARY) || is_wait(*inst) || *inst == entry.terminator();
    let at = entry.instructions().into_iter().find(is_event).unwrap_or(first);
    for call in calls {
        let slice = slice_of(call, result)?;
        let comes_later = reaches(function, Some(at), &|inst| inst == call, &|_| false);
        if !slice.is_empty() && comes_later {
            call_before(module, at, BEGIN, edit::void_type(at), &[]);
            move_before(&slice, at);
            call_before(module, at, END, edit::void_type(at), &[]);
        }
        replace(call, call.operand(0));
    }
    Ok(())
}

/// What an old value is computed from, in the block of the clause.
fn slice_of(call: Val, result: Option<Val>) -> Result<Vec<Val>, Reason> {
    let block = llvm::instruction_block(call);
    let (mut slice, mut open) = (vec![], vec![call.operand(0)]);
    while let Some(value) = open.pop() {
        let is_here = value.is_instruction() && llvm::instruction_block(value) == block;
        if !is_here || value.opcode_is_alloca() || Some(value) == result || slice.contains(&value) {
            continue;
        }
        let is_call = value.opcode() == LLVMOpcode::LLVMCall;
        if value.opcode() == LLVMOpcode::LLVMPHI || is_call && deeds_of(value.callee()).more {
            return Err("an old value is not a plain expression");
        }
        if is_call_of(value, RESULT) || is_call_of(value, OLD) {
            return Err("an old value names the result");
        }
        slice.push(value);
        open.extend(value.operands());
    }
    let in_order = block.instructions().into_iter().filter(|inst| slice.contains(inst));
    Ok(in_order.collect())
}

/// One choice of a thread for all accesses of a call.
fn choose_once(function: Val) {
    let calls = calls_in(function, CHOICE);
    let [first, rest @ ..] = &calls[..] else { return };
    let start = insts(function)[0];
    if start != *first {
        move_before(&[*first], start);
    }
    for &call in rest {
        replace(call, *first);
    }
}
