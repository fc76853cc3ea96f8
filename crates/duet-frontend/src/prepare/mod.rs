//! From bitcode to an LLVM module that is ready to be translated: everything
//! inlined into the kernels, private variables in registers.
//!
//! **Input and output.** Bitcode as clang writes it without optimisation. The
//! result has the same kernels, each with the bodies of what it calls.
//!
//! **Why no access is lost.** Two passes run: `always-inline`, which copies
//! bodies, and `sroa`, which rewrites accesses to allocas only. Neither deletes
//! or merges a load or a store of other memory; nothing that simplifies control
//! flow or exploits undefined behaviour is run (`simplifycfg` would delete a
//! store through null and assume its condition away). The test
//! `passes_keep_accesses` counts them over all kernels.
//!
//! **Uninitialised variables.** `sroa` folds a read of an uninitialised variable
//! into whatever is convenient. So every alloca first gets an opaque value: the
//! result of a call that LLVM knows nothing about, stored where the alloca is
//! made and again where the source declares the variable (which may be inside a
//! loop). SOUNDNESS: kernels/traps/09-uninitialised is proved wrongly without these
//! stores.

mod contracts;
mod dispatch;
mod reducible;
mod tables;

use std::ffi::CString;

use inkwell::OptimizationLevel;
use inkwell::context::Context;
use inkwell::llvm_sys::LLVMOpcode;
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::*;
use inkwell::llvm_sys::target::{LLVMABISizeOfType, LLVMGetModuleDataLayout, LLVMOffsetOfElement};
use inkwell::memory_buffer::MemoryBuffer;
use inkwell::module::Module as LlvmModule;
use inkwell::passes::PassBuilderOptions;
use inkwell::targets::{
    CodeModel, InitializationConfig, RelocMode, Target, TargetMachine, TargetTriple,
};

use crate::layout;
use crate::llvm::{self, Bb, Ty, Val};

pub use contracts::ARGUMENT;
pub use reducible::reverse_postorder;
pub use tables::BEYOND;

/// Prefix of the functions that stand for an uninitialised variable; the rest of
/// the name is the variable's.
pub const UNINITIALISED: &str = "__duet_uninitialised.";
/// Prefix of the functions that stand for a leaf of a struct that a kernel takes
/// by value; the rest is `PARAMETER.BYTE_OFFSET`.
pub const PARAM_LEAF: &str = "__duet_param.";
/// Called with the address of a private array too large to initialise leaf by
/// leaf, so that it stays in memory.
pub const ESCAPE: &str = "__duet_escape";

/// Allocas with more leaves than this stay arrays.
const MAX_LEAVES: usize = 64;
/// Promotes private variables to registers.
const PROMOTE: &str = "function(sroa<preserve-cfg>)";
/// Rounds of inlining: each may turn calls through pointers into direct ones.
const MAX_ROUNDS: usize = 6;

/// An LLVM module ready for translation. `module` refers into `context`, which
/// the caller keeps.
pub struct Prepared<'c> {
    /// The module.
    pub module: LlvmModule<'c>,
    /// Its kernels, in order.
    pub kernels: Vec<Val>,
}

impl Prepared<'_> {
    /// The C API's handle.
    pub fn raw(&self) -> LLVMModuleRef {
        self.module.as_mut_ptr()
    }
}

/// A moment in the sequence of passes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Moment {
    /// The module is about to be changed by passes that must keep its accesses.
    Before,
    /// They have run.
    After,
}

/// Looks at the module before and after passes.
type Watch<'w> = &'w mut dyn FnMut(Moment, LLVMModuleRef);

/// Reads bitcode and prepares it.
pub fn prepare<'c>(
    context: &'c Context,
    bitcode: &[u8],
    calls: Calls,
) -> Result<Prepared<'c>, String> {
    prepare_watched(context, bitcode, calls, &mut |_, _| {})
}

/// What is made of calls of functions with a body.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Calls {
    /// They stay calls.
    Kept,
    /// They are inlined.
    Inlined,
    /// They are inlined, except that contracts stand for functions that have one, which are
    /// verified by themselves.
    ByContract,
}

/// The same, for a test that looks at the module around the passes.
pub fn prepare_watched<'c>(
    context: &'c Context,
    bitcode: &[u8],
    calls: Calls,
    watch: Watch<'_>,
) -> Result<Prepared<'c>, String> {
    let module = read(context, bitcode)?;
    let raw = module.as_mut_ptr();
    crate::repair::mark_kernels(raw);
    let mut kernels = kernels(raw);
    let inline = calls != Calls::Kept;
    let modular = calls == Calls::ByContract;
    kernels.extend(contracts::apply(context, &module, bitcode, &kernels, modular)?);
    if inline {
        tables::make_entries_known(raw);
        dispatch::make_calls_direct(raw);
    }
    call_axioms(raw, &kernels);
    forget_specifications(raw, &kernels);
    for function in llvm::functions(raw) {
        if !function.is_declaration() {
            open_up(raw, function, kernels.contains(&function), inline);
        }
    }
    run_passes(&module, inline, watch)?;
    let kernels = self::kernels(raw);
    Ok(Prepared { module, kernels })
}

/// Parses bitcode, with debug information as calls.
pub fn read<'c>(context: &'c Context, bitcode: &[u8]) -> Result<LlvmModule<'c>, String> {
    let buffer = MemoryBuffer::create_from_memory_range_copy(bitcode, "kernel");
    let module = LlvmModule::parse_bitcode_from_buffer(&buffer, context)
        .map_err(|error| error.to_string())?;
    // SAFETY: the module was just read and is alive.
    unsafe { LLVMSetIsNewDbgInfoFormat(module.as_mut_ptr(), 0) };
    Ok(module)
}

/// The kernels of a module: by calling convention, or by NVPTX annotation.
pub fn kernels(module: LLVMModuleRef) -> Vec<Val> {
    /// LLVM's numbers of the calling conventions of kernels.
    const SPIR_KERNEL: u32 = 76;
    const PTX_KERNEL: u32 = 71;
    let annotated: Vec<Val> = llvm::named_metadata(module, c"nvvm.annotations")
        .into_iter()
        .filter_map(|node| {
            let operands = node.md_operands();
            let is_kernel = operands
                .iter()
                .any(|operand| operand.and_then(Val::md_string).as_deref() == Some("kernel"));
            operands.first().copied().flatten().filter(|_| is_kernel)
        })
        .collect();
    llvm::functions(module)
        .into_iter()
        .filter(|function| {
            // SAFETY: the value is a function of a module that is alive.
            let convention = unsafe { LLVMGetFunctionCallConv(function.0) };
            !function.is_declaration()
                && (convention == SPIR_KERNEL
                    || convention == PTX_KERNEL
                    || annotated.contains(function))
        })
        .collect()
}

/// The language that bitcode was compiled from, by its target.
pub fn language_of(prepared: &Prepared<'_>) -> duet_ir::Language {
    let triple = prepared.module.get_triple();
    match triple.as_str().to_string_lossy().starts_with("spir") {
        true => duet_ir::Language::OpenCl,
        false => duet_ir::Language::Cuda,
    }
}

/// Makes one function ready for the passes.
fn open_up(module: LLVMModuleRef, function: Val, is_kernel: bool, inline: bool) {
    // SAFETY: the function belongs to the module, which is alive.
    unsafe {
        for name in ["noinline", "optnone"] {
            let kind = LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len());
            LLVMRemoveEnumAttributeAtIndex(function.0, LLVM_FUNCTION_INDEX, kind);
        }
        if inline && !is_kernel {
            let name = "alwaysinline";
            let kind = LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len());
            let attribute = LLVMCreateEnumAttribute(function.context(), kind, 0);
            LLVMAddAttributeAtIndex(function.0, LLVM_FUNCTION_INDEX, attribute);
            LLVMSetLinkage(function.0, inkwell::llvm_sys::LLVMLinkage::LLVMInternalLinkage);
        }
    }
    let opaque = Opaque { module, function };
    opaque.initialise_variables();
    if is_kernel {
        opaque.split_struct_params();
    }
}

/// Prefix of the functions that the preludes make of axioms at file scope.
const AXIOM: &str = "__axiom_";

/// States each axiom of the file at the start of each kernel, as an argument of
/// `__duet_axiom`.
fn call_axioms(module: LLVMModuleRef, kernels: &[Val]) {
    let is_axiom = |function: &Val| {
        !function.is_declaration()
            && crate::mangled::Mangled::parse(&function.name())
                .map_or(function.name(), |name| name.base)
                .starts_with(AXIOM)
    };
    for axiom in llvm::functions(module).into_iter().filter(is_axiom) {
        for kernel in kernels {
            let first = kernel.blocks()[0].instructions()[0];
            // SAFETY: all is made in the context of the axiom and put into a kernel of its module,
            // which is alive.
            unsafe {
                let builder = LLVMCreateBuilderInContext(axiom.context());
                LLVMPositionBuilderBefore(builder, first.0);
                let ty = axiom.value_type();
                let none = std::ptr::null_mut();
                let mut holds = LLVMBuildCall2(builder, ty.0, axiom.0, none, 0, c"".as_ptr());
                let void = LLVMVoidTypeInContext(axiom.context());
                let statement = LLVMFunctionType(void, &mut LLVMTypeOf(holds), 1, 0);
                let opaque = Opaque { module, function: *kernel };
                let callee = opaque.declare("__duet_axiom", statement);
                LLVMBuildCall2(builder, statement, callee, &mut holds, 1, c"".as_ptr());
                LLVMDisposeBuilder(builder);
            }
        }
    }
}

/// Prefix of functions whose body is their specification.
pub const SPECIFICATION: &str = "__spec";

/// Takes the body from every function that only has a specification: what it does
/// stands elsewhere. SOUNDNESS: inlined, it would be a function that does nothing
/// (`specifications_are_not_bodies` in duet's tests).
fn forget_specifications(module: LLVMModuleRef, kernels: &[Val]) {
    let is_specification = |function: &Val| {
        !function.is_declaration()
            && !kernels.contains(function)
            && !contracts::is_summary(*function)
            && crate::mangled::Mangled::parse(&function.name())
                .map_or(function.name(), |name| name.base)
                .starts_with(SPECIFICATION)
    };
    for function in llvm::functions(module).into_iter().filter(is_specification) {
        let name = function.name();
        // SAFETY: the function belongs to the module, and the strings outlive the calls.
        unsafe {
            let forgotten = format!("__duet_forgotten.{name}");
            LLVMSetValueName2(function.0, forgotten.as_ptr().cast(), forgotten.len());
            let name = std::ffi::CString::new(name).expect("no zero byte");
            let declared = LLVMAddFunction(module, name.as_ptr(), function.value_type().0);
            LLVMReplaceAllUsesWith(function.0, declared);
        }
    }
}

const LLVM_FUNCTION_INDEX: u32 = u32::MAX;

/// Gives every variable of a function an opaque first value where it is made and where
/// it is declared.
pub fn initialise_variables(module: LLVMModuleRef, function: Val) {
    Opaque { module, function }.initialise_variables();
}

/// Inserts opaque values into one function.
struct Opaque {
    module: LLVMModuleRef,
    function: Val,
}

impl Opaque {
    /// Gives every alloca an opaque first value, and again at its declaration.
    fn initialise_variables(&self) {
        for block in self.function.blocks() {
            for inst in block.instructions() {
                if inst.opcode() == LLVMOpcode::LLVMAlloca {
                    self.store_opaque(inst, next(inst));
                } else if let Some(alloca) = declared_local(block, inst) {
                    self.store_opaque(alloca, inst);
                }
            }
        }
    }

    /// Stores an opaque value to each leaf of `alloca`, before `position`.
    fn store_opaque(&self, alloca: Val, position: Val) {
        let ty = alloca.value_type();
        let leaves = layout::leaves(self.module, ty);
        let leaves = match leaves {
            Ok(leaves) if leaves.len() <= MAX_LEAVES && is_static(alloca) => leaves,
            _ => return self.escape(alloca, position),
        };
        let name = variable_name(alloca);
        for leaf in leaves {
            let value = self.call_opaque(leaf.ty, &format!("{UNINITIALISED}{name}"), position);
            self.store_at(alloca, leaf.offset, value, position);
        }
    }

    /// Keeps `alloca` in memory.
    fn escape(&self, alloca: Val, position: Val) {
        // SAFETY: all is made in the context of `alloca`, whose module is alive.
        unsafe {
            let context = alloca.context();
            let builder = LLVMCreateBuilderInContext(context);
            LLVMPositionBuilderBefore(builder, position.0);
            let void = LLVMVoidTypeInContext(context);
            let ty = LLVMFunctionType(void, [alloca.ty().0].as_mut_ptr(), 1, 0);
            let function = self.declare(ESCAPE, ty);
            LLVMBuildCall2(builder, ty, function, [alloca.0].as_mut_ptr(), 1, c"".as_ptr());
            LLVMDisposeBuilder(builder);
        }
    }

    /// Replaces each struct passed by value by an alloca filled with leaves.
    fn split_struct_params(&self) {
        let first = self.function.blocks()[0].instructions()[0];
        for (index, param) in self.function.params().into_iter().enumerate() {
            let Some(ty) = self.function.byval_type(index as u32) else { continue };
            let Ok(leaves) = layout::leaves(self.module, ty) else { continue };
            // SAFETY: all is made in the context of `param`, whose module is alive.
            unsafe {
                let builder = LLVMCreateBuilderInContext(param.context());
                LLVMPositionBuilderBefore(builder, first.0);
                let name = CString::new(format!("{}.copy", param.name())).unwrap_or_default();
                let alloca = Val(LLVMBuildAlloca(builder, ty.0, name.as_ptr()));
                LLVMSetAlignment(alloca.0, 16);
                LLVMDisposeBuilder(builder);
                LLVMReplaceAllUsesWith(param.0, alloca.0);
                for leaf in leaves {
                    let name = format!("{PARAM_LEAF}{index}.{}", leaf.offset);
                    let value = self.call_opaque(leaf.ty, &name, first);
                    self.store_at(alloca, leaf.offset, value, first);
                }
            }
        }
    }

    /// Calls the function `name` that returns an unknown `ty`.
    fn call_opaque(&self, ty: Ty, name: &str, position: Val) -> Val {
        // SAFETY: all is made in the context of the function, whose module is alive.
        unsafe {
            let builder = LLVMCreateBuilderInContext(self.function.context());
            LLVMPositionBuilderBefore(builder, position.0);
            let function_type = LLVMFunctionType(ty.0, std::ptr::null_mut(), 0, 0);
            let function = self.declare(name, function_type);
            let call = LLVMBuildCall2(
                builder,
                function_type,
                function,
                std::ptr::null_mut(),
                0,
                c"".as_ptr(),
            );
            LLVMDisposeBuilder(builder);
            Val(call)
        }
    }

    /// The declaration of `name`; one of another type gets a name of its own.
    fn declare(&self, name: &str, ty: LLVMTypeRef) -> LLVMValueRef {
        for attempt in 0.. {
            let unique = if attempt == 0 { name.to_string() } else { format!("{name}~{attempt}") };
            let unique = CString::new(unique.replace('\0', "?")).unwrap_or_default();
            // SAFETY: the module is alive, and the name ends with a zero byte.
            unsafe {
                let found = LLVMGetNamedFunction(self.module, unique.as_ptr());
                if found.is_null() {
                    return LLVMAddFunction(self.module, unique.as_ptr(), ty);
                }
                if LLVMGlobalGetValueType(found) == ty {
                    return found;
                }
            }
        }
        unreachable!("some name is free")
    }

    /// Stores `value` at a byte offset of `alloca`.
    fn store_at(&self, alloca: Val, offset: u64, value: Val, position: Val) {
        // SAFETY: all is made in the context of the function, whose module is alive.
        unsafe {
            let context = self.function.context();
            let builder = LLVMCreateBuilderInContext(context);
            LLVMPositionBuilderBefore(builder, position.0);
            let byte = LLVMInt8TypeInContext(context);
            let mut index = LLVMConstInt(LLVMInt64TypeInContext(context), offset, 0);
            let place = LLVMBuildGEP2(builder, byte, alloca.0, &mut index, 1, c"".as_ptr());
            let store = LLVMBuildStore(builder, value.0, place);
            LLVMSetAlignment(store, 1);
            LLVMDisposeBuilder(builder);
        }
    }
}

/// The instruction after `inst`.
fn next(inst: Val) -> Val {
    // SAFETY: the value is an instruction that another one follows.
    Val(unsafe { LLVMGetNextInstruction(inst.0) })
}

/// Is the alloca of a fixed size (no variable-length array)?
fn is_static(alloca: Val) -> bool {
    alloca.operand(0).const_u64() == Some(1)
}

/// The alloca that `inst` declares as a local variable, if it does: a parameter's
/// alloca is filled before its declaration, a local's is not.
fn declared_local(block: Bb, inst: Val) -> Option<Val> {
    if inst.opcode() != LLVMOpcode::LLVMCall || inst.callee().name() != "llvm.dbg.declare" {
        return None;
    }
    let alloca = inst.operand(0).md_operands().first().copied().flatten()?;
    if !alloca.is_instruction() || alloca.opcode() != LLVMOpcode::LLVMAlloca {
        return None;
    }
    let filled_before = block
        .instructions()
        .into_iter()
        .take_while(|&earlier| earlier != inst)
        .any(|earlier| stores_argument(earlier, alloca));
    (!filled_before).then_some(alloca)
}

/// Does the instruction store anything but an opaque value to the alloca?
fn stores_argument(inst: Val, alloca: Val) -> bool {
    let opaque = |value: Val| {
        value.is_instruction()
            && value.opcode() == LLVMOpcode::LLVMCall
            && value.callee().name().starts_with(UNINITIALISED)
    };
    match inst.opcode() {
        LLVMOpcode::LLVMStore => underlying(inst.operand(1)) == alloca && !opaque(inst.operand(0)),
        LLVMOpcode::LLVMCall => {
            let name = inst.callee().name();
            !name.starts_with("llvm.dbg.")
                && name != ESCAPE
                && inst.arguments().into_iter().any(|argument| underlying(argument) == alloca)
        }
        _ => false,
    }
}

/// The pointer that address arithmetic and casts start from.
pub fn underlying(pointer: Val) -> Val {
    let mut at = pointer;
    while at.is_instruction()
        && matches!(
            at.opcode(),
            LLVMOpcode::LLVMGetElementPtr
                | LLVMOpcode::LLVMBitCast
                | LLVMOpcode::LLVMAddrSpaceCast
                | LLVMOpcode::LLVMFreeze
        )
    {
        at = at.operand(0);
    }
    at
}

/// The source name of an alloca, as far as clang kept it.
fn variable_name(alloca: Val) -> String {
    let name = alloca.name();
    name.strip_suffix(".addr").unwrap_or(&name).to_string()
}

/// Inlines and promotes until nothing more can be inlined.
fn run_passes(module: &LlvmModule<'_>, inline: bool, watch: Watch<'_>) -> Result<(), String> {
    let machine = target_machine()?;
    let raw = module.as_mut_ptr();
    let mut run_watched = |passes| {
        watch(Moment::Before, raw);
        run_pass(module, passes, &machine)?;
        watch(Moment::After, raw);
        Ok::<(), String>(())
    };
    if !inline {
        return run_watched(PROMOTE);
    }
    for _ in 0..MAX_ROUNDS {
        run_pass(module, "always-inline", &machine)?;
        run_watched(PROMOTE)?;
        if !has_inlinable_call(raw) {
            break;
        }
    }
    if llvm::functions(raw).into_iter().any(is_irreducible) {
        run_watched("function(lower-switch,fix-irreducible)")?;
    }
    run_pass(module, "globaldce", &machine)
}

/// Runs passes by their names.
pub fn run_pass(
    module: &LlvmModule<'_>,
    passes: &str,
    machine: &TargetMachine,
) -> Result<(), String> {
    module
        .run_passes(passes, machine, PassBuilderOptions::create())
        .map_err(|error| error.to_string())
}

/// The pass manager wants some target machine; no pass of ours depends on it.
pub fn target_machine() -> Result<TargetMachine, String> {
    Target::initialize_nvptx(&InitializationConfig::default());
    let triple = TargetTriple::create("nvptx64-nvidia-cuda");
    let target = Target::from_triple(&triple).map_err(|error| error.to_string())?;
    target
        .create_target_machine(
            &triple,
            "sm_70",
            "",
            OptimizationLevel::None,
            RelocMode::Default,
            CodeModel::Default,
        )
        .ok_or_else(|| "LLVM has no NVPTX target".to_string())
}

/// Is there a call of a defined function that is not part of a recursion?
fn has_inlinable_call(module: LLVMModuleRef) -> bool {
    kernels(module).into_iter().any(|kernel| {
        calls_of(kernel)
            .into_iter()
            .any(|callee| callee.is_function() && !callee.is_declaration() && !is_recursive(callee))
    })
}

/// The callees of a function, one per call.
pub fn calls_of(function: Val) -> Vec<Val> {
    function
        .blocks()
        .into_iter()
        .flat_map(Bb::instructions)
        .filter(|inst| inst.opcode() == LLVMOpcode::LLVMCall)
        .map(Val::callee)
        .collect()
}

/// Can the function call itself, directly or through others?
pub fn is_recursive(function: Val) -> bool {
    let mut seen = vec![];
    let mut stack = calls_of(function);
    while let Some(callee) = stack.pop() {
        if callee == function {
            return true;
        }
        if callee.is_function() && !seen.contains(&callee) {
            seen.push(callee);
            stack.extend(calls_of(callee));
        }
    }
    false
}

/// Does the control-flow graph have a loop with two entries? Depth-first search:
/// a retreating edge to a block that does not dominate its source.
fn is_irreducible(function: Val) -> bool {
    let blocks = function.blocks();
    if blocks.len() < 3 {
        return false;
    }
    !reducible::is_reducible(&blocks)
}

/// Size in bytes of a type in memory.
#[allow(clippy::not_unsafe_ptr_arg_deref)] // handles of LLVM are pointers, see `llvm`
pub fn size_of(module: LLVMModuleRef, ty: Ty) -> u64 {
    // SAFETY: the module is alive, and the type is one of its context that has a size.
    unsafe { LLVMABISizeOfType(LLVMGetModuleDataLayout(module), ty.0) }
}

/// Byte offset of a struct's field.
#[allow(clippy::not_unsafe_ptr_arg_deref)] // handles of LLVM are pointers, see `llvm`
pub fn field_offset(module: LLVMModuleRef, ty: Ty, field: u32) -> u64 {
    // SAFETY: the module is alive, and the type is a struct of its context with this field.
    unsafe { LLVMOffsetOfElement(LLVMGetModuleDataLayout(module), ty.0, field) }
}
