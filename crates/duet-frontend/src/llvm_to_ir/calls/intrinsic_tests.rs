//! Feeds every intrinsic that LLVM has through the translator.
//!
//! SAFETY: everything is made in one context, which the test holds to its end; names are
//! handed to LLVM with their lengths, or with a zero at the end.

use std::ffi::CString;
use std::path::Path;

use duet_ir::Language;
use inkwell::context::Context;
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::*;

use super::intrinsic_table;
use crate::llvm::{self, Val};
use crate::prepare::{self, Prepared};

/// The last intrinsic in LLVM's order: the groups of the targets come last, by name.
const LAST: &str = "llvm.xcore.zext";

/// What is translated of NVIDIA's group.
const NVVM: &[&str] = &[
    "read.ptx.sreg.tid.x",
    "read.ptx.sreg.tid.y",
    "read.ptx.sreg.tid.z",
    "read.ptx.sreg.ctaid.x",
    "read.ptx.sreg.ctaid.y",
    "read.ptx.sreg.ctaid.z",
    "read.ptx.sreg.ntid.x",
    "read.ptx.sreg.ntid.y",
    "read.ptx.sreg.ntid.z",
    "read.ptx.sreg.nctaid.x",
    "read.ptx.sreg.nctaid.y",
    "read.ptx.sreg.nctaid.z",
    "read.ptx.sreg.warpsize",
    "read.ptx.sreg.laneid",
    "read.ptx.sreg.clock",
    "read.ptx.sreg.clock64",
    "read.ptx.sreg.globaltimer",
    "read.ptx.sreg.smid",
    "read.ptx.sreg.nsmid",
    "read.ptx.sreg.warpid",
    "read.ptx.sreg.nwarpid",
    "barrier0",
    "bar.warp.sync",
    "membar.cta",
    "membar.gl",
    "membar.sys",
    "texsurf.handle",
    "texsurf.handle.internal",
];

/// The names of all intrinsics, without types, and whether types are appended.
fn all_intrinsics() -> Vec<(String, bool)> {
    // SAFETY: ids up to the last one are valid, and LLVM owns the names that it returns.
    unsafe {
        let last = LLVMLookupIntrinsicID(LAST.as_ptr().cast(), LAST.len());
        let name = |id| {
            let mut len = 0;
            let pointer = LLVMIntrinsicGetName(id, &mut len);
            let bytes = std::slice::from_raw_parts(pointer.cast::<u8>(), len);
            String::from_utf8_lossy(bytes).into_owned()
        };
        (1..=last).map(|id| (name(id), LLVMIntrinsicIsOverloaded(id) != 0)).collect()
    }
}

/// The types of a call: the result's and the arguments'.
type Shape = (LLVMTypeRef, Vec<LLVMTypeRef>);

/// Calls that some intrinsic might have, for the translator to go wrong with.
fn shapes(context: LLVMContextRef) -> Vec<Shape> {
    // SAFETY: the context outlives the types made in it.
    unsafe {
        let (int, float) = (LLVMInt32TypeInContext(context), LLVMFloatTypeInContext(context));
        let (void, pointer) =
            (LLVMVoidTypeInContext(context), LLVMPointerTypeInContext(context, 0));
        let (ints, floats) = (LLVMVectorType(int, 4), LLVMVectorType(float, 4));
        let mask = LLVMVectorType(LLVMInt1TypeInContext(context), 4);
        vec![
            (float, vec![float]),
            (float, vec![float, float]),
            (float, vec![floats]),
            (floats, vec![floats, floats]),
            (int, vec![int, int]),
            (int, vec![ints]),
            (int, vec![pointer]),
            (void, vec![pointer]),
            (void, vec![floats, pointer, int, mask]),
        ]
    }
}

/// A kernel that calls the function, and keeps what it yields.
unsafe fn add_kernel(module: LLVMModuleRef, number: usize, symbol: &str, shape: &Shape) -> Val {
    // SAFETY: the caller's module and the shape's types belong to one context.
    unsafe {
        let context = LLVMGetModuleContext(module);
        let pointer = LLVMPointerTypeInContext(context, 0);
        let void = LLVMVoidTypeInContext(context);
        let mut params = shape.1.clone();
        let ty = LLVMFunctionType(shape.0, params.as_mut_ptr(), params.len() as u32, 0);
        let name = CString::new(symbol).expect("no zero byte");
        let callee = LLVMAddFunction(module, name.as_ptr(), ty);
        let kernel_type = LLVMFunctionType(void, [pointer].as_mut_ptr(), 1, 0);
        let name = CString::new(format!("k{number}")).expect("no zero byte");
        let kernel = LLVMAddFunction(module, name.as_ptr(), kernel_type);
        let block = LLVMAppendBasicBlockInContext(context, kernel, c"".as_ptr());
        let builder = LLVMCreateBuilderInContext(context);
        LLVMPositionBuilderAtEnd(builder, block);
        let own = LLVMGetParam(kernel, 0);
        let mut args: Vec<LLVMValueRef> = params
            .iter()
            .map(|&param| if param == pointer { own } else { LLVMConstNull(param) })
            .collect();
        let count = args.len() as u32;
        let result = LLVMBuildCall2(builder, ty, callee, args.as_mut_ptr(), count, c"".as_ptr());
        if shape.0 != void {
            LLVMBuildStore(builder, result, own);
        }
        LLVMBuildRetVoid(builder);
        LLVMDisposeBuilder(builder);
        Val(kernel)
    }
}

/// The intrinsics that are translated when they are called in this shape.
fn translated(names: &[(String, bool)], shape: usize) -> Vec<String> {
    let context = Context::create();
    let module = context.create_module("intrinsics");
    let shape = &shapes(context.raw())[shape];
    let mut kernels = vec![];
    for (number, (name, overloaded)) in names.iter().enumerate() {
        let symbol = if *overloaded { format!("{name}.v3i77") } else { name.clone() };
        // SAFETY: the module and the shape were made in the same context.
        kernels.push(unsafe { add_kernel(module.as_mut_ptr(), number, &symbol, shape) });
        let callee = prepare::calls_of(kernels[number])[0];
        assert_eq!(llvm::intrinsic_name(callee).as_ref(), Some(name), "{symbol}");
    }
    let prepared = Prepared { module, kernels };
    let translation =
        crate::llvm_to_ir::translate(&prepared, Language::Cuda, Path::new("/"), |_, _| true);
    let errors = translation.diagnostics.len();
    let read = translation.module.functions.values();
    let read: Vec<String> = read
        .map(|function| names[function.name[1..].parse::<usize>().expect("a number")].0.clone())
        .collect();
    assert_eq!(read.len() + errors, names.len(), "each is translated or rejected");
    read
}

/// Is there a meaning for the name? Calls of those have the shape that LLVM checks.
fn is_known(name: &str) -> bool {
    let nvvm = name.strip_prefix("llvm.nvvm.");
    nvvm.map_or(intrinsic_table::meaning(name).is_some(), |nvvm| NVVM.contains(&nvvm))
}

/// [`intrinsic_table`] says what a name means, and nothing else does.
#[test]
fn every_intrinsic_of_llvm_is_in_the_table_or_rejected() {
    let mut names = all_intrinsics();
    assert!(names.len() > 10_000, "LLVM 19 has more than {}", names.len());
    names.retain(|(name, _)| !is_known(name));
    let context = Context::create();
    for shape in 0..shapes(context.raw()).len() {
        // Some passes look at all kernels of a module for each.
        for some in names.chunks(100) {
            assert_eq!(translated(some, shape), [""; 0], "in shape {shape}");
        }
    }
}

#[test]
fn intrinsics_of_the_table_are_translated() {
    let names: Vec<(String, bool)> = all_intrinsics()
        .into_iter()
        .filter(|(name, _)| ["llvm.sqrt", "llvm.floor"].contains(&name.as_str()))
        .collect();
    assert_eq!(translated(&names, 0).len(), 2);
}

#[test]
fn the_table_names_intrinsics_of_llvm_once_each() {
    let names = all_intrinsics();
    for (index, (name, _)) in intrinsic_table::TABLE.iter().enumerate() {
        assert!(names.iter().any(|(known, _)| known == name), "LLVM has no {name}");
        let again = intrinsic_table::TABLE[..index].iter().any(|(other, _)| other == name);
        assert!(!again, "{name} is there twice");
    }
    for name in NVVM {
        assert!(
            names.iter().any(|(known, _)| known.strip_prefix("llvm.nvvm.") == Some(name)),
            "{name}"
        );
    }
}
