//! Contracts of functions, before anything is inlined.
//!
//! | clause | where the function runs | where its contract stands for it |
//! |---|---|---|
//! | `__requires(e)` | assumed, if it is verified by itself; asserted, if it is inlined | asserted |
//! | `__ensures(e)` | asserted where it returns | assumed |
//! | `__reads_from(p)`, `__writes_to(p)` | nothing else is touched, if it is verified by itself | any accesses to the array |
//! | a barrier | as it stands | as it stands in a `__spec` function; one, before what is ensured, for another one |
//! | `__return_val_int()` | what is returned | an unknown, which is returned |
//! | `__old_int(e)` | `e` where the clause stands | `e` before the accesses |
//!
//! A [`summary`] is what a contract makes of a function: its body is then no more than its
//! clauses, and it is inlined like any other. A `__spec` function is always one: nothing else
//! is known of it. With `--no-inline` every other function with a contract is verified
//! by itself, as if it were a kernel (the module `unit`), and a summary of it, made from a second copy of
//! the module, is called in its place, by itself too: a recursion is then a call of the
//! contract, and what is proved is partial correctness.
//!
//! *Why it is sound.* A summary makes any accesses to the arrays that the clauses name, any
//! number of times, with unknown values: whatever the function does is among it, if it keeps to its
//! clauses, which is checked of it or, for a `__spec` function, believed and listed. Where
//! threads wait for each other inside of the function, races between its own accesses are its own
//! matter; those with other code remain. So one thread makes the accesses, and which
//! one it is stays open: any pair of an access outside and one inside, by two threads, is a pair
//! for some choice. What the function does of its own accord in one thread is there if that
//! thread is the choice. A call that passes one array twice, or not its start, fails an
//! assertion, since the function was verified with arrays of their own.
//!
//! What is not understood keeps its old meaning: a `__spec` function may do anything, another
//! function is inlined, and clauses that are not checked are findings.

mod edit;
mod flow;
mod summary;
mod unit;

use inkwell::context::Context;
use inkwell::llvm_sys::LLVMLinkage;
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::linker::LLVMLinkModules2;
use inkwell::llvm_sys::prelude::*;
use inkwell::module::Module as LlvmModule;

use self::flow::{base_name, calls_in};
use super::SPECIFICATION;
use crate::llvm::{self, Bb, Val};

pub use unit::ARGUMENT;

const REQUIRES: &[&str] = &["__requires", "__global_requires", "bugle_requires"];
const ENSURES: &[&str] = &["__ensures", "__global_ensures", "bugle_ensures"];
const FRAME: &[&str] = &["__reads_from", "__writes_to"];
const RESULT: &[&str] =
    &["__return_val_int", "__return_val_bool", "__return_val_int4", "__return_val_ptr"];
const OLD: &[&str] = &["__old_int", "__old_bool"];
/// Marks the accesses that a summary makes.
const IS_SUMMARY: &[&str] = &["__duet_is_summary"];
const WORKS_ALONE: &[&str] = &["__duet_works_alone"];
const CHOICE: &[&str] = &["__duet_choice"];

/// Why a contract is not understood.
type Reason = &'static str;

/// Makes specifications what their clauses say, and clauses elsewhere what is said of them
/// above; returns the functions that are to be verified like kernels.
pub fn apply<'c>(
    context: &'c Context,
    module: &LlvmModule<'c>,
    bitcode: &[u8],
    kernels: &[Val],
    modular: bool,
) -> Result<Vec<Val>, String> {
    let raw = module.as_mut_ptr();
    let all: Vec<&str> = [REQUIRES, ENSURES, FRAME, IS_SUMMARY].concat();
    if !llvm::functions(raw)
        .into_iter()
        .any(|one| all.contains(&base_name(one).as_str()) || is_specification(one))
    {
        return Ok(vec![]);
    }
    for function in defined(raw) {
        if is_specification(function) && !kernels.contains(&function) {
            // What is not understood is forgotten, see `forget_specifications`.
            let _ = summary::of_specification(raw, function);
        }
    }
    let units = match modular {
        true => separate(context, module, bitcode, kernels)?,
        false => vec![],
    };
    for function in defined(raw) {
        if !summary::is_made(function) {
            edit::settle(function, IS_SUMMARY, false);
            let _ = unit::assert_at_return(raw, function);
        }
    }
    Ok(units)
}

fn defined(module: LLVMModuleRef) -> Vec<Val> {
    llvm::functions(module).into_iter().filter(|function| !function.is_declaration()).collect()
}

/// Is the function one whose body is its specification?
pub fn is_specification(function: Val) -> bool {
    base_name(function).starts_with(SPECIFICATION)
}

/// Has a specification become what its clauses say?
pub fn is_summary(function: Val) -> bool {
    summary::is_made(function)
}

/// Does the function have a contract?
fn has_contract(function: Val) -> bool {
    [REQUIRES, ENSURES, FRAME].into_iter().any(|names| !calls_in(function, names).is_empty())
}

/// Verifies functions with contracts by themselves, and calls their summaries instead.
fn separate<'c>(
    context: &'c Context,
    module: &LlvmModule<'c>,
    bitcode: &[u8],
    kernels: &[Val],
) -> Result<Vec<Val>, String> {
    let raw = module.as_mut_ptr();
    let wanted: Vec<Val> = defined(raw)
        .into_iter()
        .filter(|&one| {
            !kernels.contains(&one)
                && !is_specification(one)
                && !one.name().starts_with("__duet")
                && has_contract(one)
                && unit::can_be(one)
        })
        .collect();
    let names: Vec<String> = wanted.iter().map(|one| one.name()).collect();
    let made = link_summaries(context, module, bitcode, &names)?;
    let mut units = vec![];
    for (function, name) in wanted.into_iter().zip(&names) {
        if !made.contains(name) {
            continue;
        }
        let symbol = std::ffi::CString::new(format!("{SUMMARY}{name}")).unwrap_or_default();
        // SAFETY: the module is alive, and the name ends with a zero byte.
        let summary = Val(unsafe { LLVMGetNamedFunction(raw, symbol.as_ptr()) });
        for user in llvm::users(function) {
            let is_call = user.is_instruction() && flow::is_call(user);
            if is_call && user.callee() == function {
                edit::redirect_to(user, summary);
            }
        }
        // SAFETY: the function is of a module that is alive.
        unsafe { LLVMSetLinkage(summary.0, LLVMLinkage::LLVMInternalLinkage) };
        units.push((function, name));
    }
    for (function, _) in &units {
        unit::make(raw, *function);
    }
    Ok(units.into_iter().map(|(function, _)| function).collect())
}

/// How the names of summaries begin.
const SUMMARY: &str = "__duet_summary_of.";

/// Makes summaries in a second copy of the module and links them; returns the names of the
/// functions that have one.
fn link_summaries<'c>(
    context: &'c Context,
    module: &LlvmModule<'c>,
    bitcode: &[u8],
    names: &[String],
) -> Result<Vec<String>, String> {
    let copy = super::read(context, bitcode)?;
    let raw = copy.as_mut_ptr();
    let mut made = vec![];
    for function in defined(raw) {
        let name = function.name();
        if names.contains(&name) && summary::of_function(raw, function).is_ok() {
            let symbol = format!("{SUMMARY}{name}");
            // SAFETY: the function is of the copy, and the string outlives the call.
            unsafe { LLVMSetValueName2(function.0, symbol.as_ptr().cast(), symbol.len()) };
            made.push(name);
        }
    }
    drop_the_rest(raw);
    // SAFETY: both modules are of one context; the second is consumed, so its owner must not
    // drop it.
    let failed = unsafe { LLVMLinkModules2(module.as_mut_ptr(), raw) };
    std::mem::forget(copy);
    match failed {
        0 => Ok(made),
        _ => Err("contracts cannot be linked".to_string()),
    }
}

/// Leaves everything but the summaries to the first copy.
fn drop_the_rest(module: LLVMModuleRef) {
    let is_own = |value: &Val| !value.name().starts_with(SUMMARY);
    let globals = llvm::globals(module).into_iter().filter(|one| !one.is_declaration());
    for value in defined(module).into_iter().chain(globals).filter(is_own) {
        // SAFETY: the value is a global of a module that is alive.
        unsafe {
            if LLVMGetLinkage(value.0) == LLVMLinkage::LLVMExternalLinkage {
                LLVMSetLinkage(value.0, LLVMLinkage::LLVMLinkOnceODRLinkage);
            }
        }
    }
}

/// Every instruction of a function.
fn insts(function: Val) -> Vec<Val> {
    function.blocks().into_iter().flat_map(Bb::instructions).collect()
}
