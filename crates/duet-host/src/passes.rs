//! From bitcode of the host side to a module in which the values of a launch can be
//! followed: files linked, calls inlined, variables in registers.
//!
//! **No undefined behaviour is exploited.** Flags that promise the absence of overflow are
//! taken from all instructions first (where signed arithmetic was is kept as metadata,
//! [`SIGNED`]), and variables get an opaque first value, so that no pass may choose one.
//! Few passes run: a larger set rotates loops, merges launches and turns sizes into bit
//! masks.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use duet_frontend::host;
use duet_frontend::llvm::{self, Val};
use inkwell::context::Context;
use inkwell::llvm_sys::comdat::LLVMSetComdat;
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::*;
use inkwell::llvm_sys::{LLVMLinkage, LLVMOpcode};
use inkwell::module::Module as LlvmModule;

use crate::calls::{self, is_stub};

/// Name of the metadata that marks arithmetic whose overflow the source leaves undefined.
pub const SIGNED: &str = "duet.signed";

const PASSES: &str = "always-inline,function(sroa,instsimplify,simplifycfg),\
    cgscc(inline,function(sroa,instsimplify,simplifycfg)),globaldce,function(loop-simplify)";
/// The most instructions that an inlined function may come to: if a launch or an allocation
/// is behind it, and otherwise. The first pair that keeps the program small enough is taken.
const LIMITS: [(usize, usize); 4] = [(30_000, 200), (3_000, 200), (3_000, 40), (3_000, 0)];
/// The same if it is called at one place, and by no code that is not seen.
const MAX_ONLY: usize = 30_000;
/// The most instructions that all functions together may come to.
const MAX_ALL: usize = 200_000;
const FUNCTION_INDEX: u32 = u32::MAX;

/// A program that was made ready.
pub struct Prepared<'c> {
    /// The module; it refers into the context, which the caller keeps.
    pub module: LlvmModule<'c>,
    /// Whether all of the program is seen: it has `main`, and what it calls besides is
    /// known. Then no other code calls its functions or writes its variables.
    pub is_closed: bool,
    /// Functions that are called and neither defined nor known.
    pub missing: BTreeSet<String>,
    /// Symbols of the kernels that the source launches, reached or not.
    pub launched: BTreeSet<String>,
}

/// Links the files of a program and makes it ready.
pub fn prepare<'c>(
    context: &'c Context,
    bitcode: &[Vec<u8>],
    is_whole: bool,
) -> Result<Prepared<'c>, String> {
    let mut files = bitcode.iter();
    let first = files.next().ok_or("there is no file")?;
    let module = host::read(context, first)?;
    if bitcode.len() > 1 {
        tell_static_kernels_apart(module.as_mut_ptr(), 0);
    }
    for (number, file) in files.enumerate() {
        let next = host::read(context, file)?;
        tell_static_kernels_apart(next.as_mut_ptr(), number + 1);
        module.link_in_module(next).map_err(|error| error.to_string())?;
    }
    let raw = module.as_mut_ptr();
    let missing = missing(raw);
    let launched = launched(raw);
    let has_main = llvm::functions(raw).iter().any(|f| f.name() == "main" && !f.is_declaration());
    let is_closed = is_whole && has_main && missing.is_empty();
    let functions = llvm::functions(raw);
    for &function in &functions {
        forget_target(function);
        if !function.is_declaration() {
            forget_promises(function);
            host::initialise_variables(raw, function);
        }
    }
    for function in llvm::functions(raw) {
        if function.name().starts_with(host::UNINITIALISED) {
            for (name, value) in [("memory", 0), ("willreturn", 0), ("nounwind", 0)] {
                add_attribute(function, name, value);
            }
        }
    }
    if is_closed {
        hide_symbols(raw);
    }
    choose_inlined(raw);
    let machine = host::target_machine()?;
    host::run_pass(&module, PASSES, &machine)?;
    Ok(Prepared { module, is_closed, missing, launched })
}

/// Gives the stubs of kernels that only one file sees names of their own: another file may
/// have a kernel of the same name, which is not launched here.
///
/// SOUNDNESS: the launches of one would be taken for those of the other (test
/// `static_kernels_of_two_files`).
fn tell_static_kernels_apart(module: LLVMModuleRef, number: usize) {
    for stub in llvm::functions(module).into_iter().filter(|f| is_stub(&f.name())) {
        // SAFETY: the function belongs to a module that is alive, and the name is given
        // with its length.
        unsafe {
            if LLVMGetLinkage(stub.0) == LLVMLinkage::LLVMInternalLinkage {
                let name = format!("{}.{number}", stub.name());
                LLVMSetValueName2(stub.0, name.as_ptr().cast(), name.len());
            }
        }
    }
}

/// The functions that are called or pointed at, and neither defined nor known.
fn missing(module: LLVMModuleRef) -> BTreeSet<String> {
    let used = |function: &Val| !llvm::users(*function).is_empty();
    let functions = llvm::functions(module).into_iter().filter(|f| f.is_declaration()).filter(used);
    let names = functions.map(|function| function.name());
    names.filter(|name| !calls::is_known(name)).map(shown).collect()
}

/// The name of a missing function as messages show it: those that stand for what a missing
/// header declares have names that no source spells.
fn shown(name: String) -> String {
    match name.contains("12duet_unknown") {
        true => "what missing headers declare".to_string(),
        false => name,
    }
}

/// The kernels whose stubs are called.
fn launched(module: LLVMModuleRef) -> BTreeSet<String> {
    let is_called = |stub: &Val| {
        let users = llvm::users(*stub);
        users.into_iter().any(|user| {
            user.is_instruction()
                && matches!(user.opcode(), LLVMOpcode::LLVMCall | LLVMOpcode::LLVMInvoke)
                && user.callee() == *stub
        })
    };
    let stubs = llvm::functions(module).into_iter().filter(|f| is_stub(&f.name()));
    stubs.filter(is_called).filter_map(|stub| calls::kernel_of_stub(&stub.name())).collect()
}

fn attribute_kind(name: &str) -> u32 {
    // SAFETY: the text is given with its length.
    unsafe { LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len()) }
}

fn add_attribute(function: Val, name: &str, value: u64) {
    // SAFETY: the function belongs to a module that is alive.
    unsafe {
        let attribute = LLVMCreateEnumAttribute(function.context(), attribute_kind(name), value);
        LLVMAddAttributeAtIndex(function.0, FUNCTION_INDEX, attribute);
    }
}

/// Removes what makes a function one of a certain processor: the passes run for none, and
/// what says that it must not be inlined.
fn forget_target(function: Val) {
    // SAFETY: the function belongs to a module that is alive; the texts are given with
    // their lengths.
    unsafe {
        for name in ["target-cpu", "target-features", "tune-cpu"] {
            let text = name.as_ptr().cast();
            LLVMRemoveStringAttributeAtIndex(function.0, FUNCTION_INDEX, text, name.len() as u32);
        }
        for name in ["noinline", "optnone"] {
            LLVMRemoveEnumAttributeAtIndex(function.0, FUNCTION_INDEX, attribute_kind(name));
        }
    }
    if is_stub(&function.name()) {
        // SAFETY: as above. A call of a stub is a launch and must stay one.
        unsafe {
            let kind = attribute_kind("alwaysinline");
            LLVMRemoveEnumAttributeAtIndex(function.0, FUNCTION_INDEX, kind);
        }
        add_attribute(function, "noinline", 0);
    }
}

/// Removes the flags by which later passes could exploit undefined behaviour.
///
/// SOUNDNESS: with them `m = n + 1; if (m > n)` is always true (test
/// `overflow_is_not_exploited`).
fn forget_promises(function: Val) {
    use LLVMOpcode::*;
    for block in function.blocks() {
        for inst in block.instructions() {
            // SAFETY: the instruction is of the opcode that each call wants.
            unsafe {
                match inst.opcode() {
                    LLVMAdd | LLVMSub | LLVMMul | LLVMShl => {
                        if LLVMGetNSW(inst.0) != 0 {
                            mark_signed(inst);
                        }
                        LLVMSetNSW(inst.0, 0);
                        LLVMSetNUW(inst.0, 0);
                    }
                    LLVMUDiv | LLVMSDiv | LLVMLShr | LLVMAShr => LLVMSetExact(inst.0, 0),
                    LLVMGetElementPtr => LLVMSetIsInBounds(inst.0, 0),
                    _ => {}
                }
            }
        }
    }
}

fn mark_signed(inst: Val) {
    // SAFETY: the instruction belongs to a module that is alive.
    unsafe {
        let context = inst.context();
        let node = LLVMMDNodeInContext2(context, std::ptr::null_mut(), 0);
        LLVMSetMetadata(inst.0, signed_kind(context), LLVMMetadataAsValue(context, node));
    }
}

/// Does the source leave overflow of this arithmetic undefined?
pub fn is_signed(inst: Val) -> bool {
    // SAFETY: the value is an instruction of a module that is alive.
    unsafe { !LLVMGetMetadata(inst.0, signed_kind(inst.context())).is_null() }
}

fn signed_kind(context: LLVMContextRef) -> u32 {
    // SAFETY: the text is given with its length.
    unsafe { LLVMGetMDKindIDInContext(context, SIGNED.as_ptr().cast(), SIGNED.len() as u32) }
}

/// Makes everything but `main` and the stubs the program's own.
fn hide_symbols(module: LLVMModuleRef) {
    let hide = |value: Val| {
        let name = value.name();
        // SAFETY: the value belongs to a module that is alive.
        let linkage = unsafe { LLVMGetLinkage(value.0) };
        let is_fixed = matches!(
            linkage,
            LLVMLinkage::LLVMWeakAnyLinkage
                | LLVMLinkage::LLVMExternalWeakLinkage
                | LLVMLinkage::LLVMAppendingLinkage
                | LLVMLinkage::LLVMAvailableExternallyLinkage
                | LLVMLinkage::LLVMPrivateLinkage
        );
        if !value.is_declaration()
            && !is_fixed
            && name != "main"
            && !is_stub(&name)
            && !name.starts_with("llvm.")
        {
            // SAFETY: as above.
            unsafe {
                LLVMSetLinkage(value.0, LLVMLinkage::LLVMInternalLinkage);
                LLVMSetComdat(value.0, std::ptr::null_mut());
            }
        }
    };
    llvm::functions(module).into_iter().for_each(hide);
    llvm::globals(module).into_iter().for_each(hide);
}

/// May another definition take the place of the function's?
fn is_weak(function: Val) -> bool {
    // SAFETY: the function belongs to a module that is alive.
    let linkage = unsafe { LLVMGetLinkage(function.0) };
    matches!(linkage, LLVMLinkage::LLVMWeakAnyLinkage | LLVMLinkage::LLVMLinkOnceAnyLinkage)
}

/// Is the function called at one place, and known to no other code?
fn has_one_call(function: Val) -> bool {
    // SAFETY: the function belongs to a module that is alive.
    let linkage = unsafe { LLVMGetLinkage(function.0) };
    let users = llvm::users(function);
    let is_call = |user: &Val| {
        user.is_instruction()
            && matches!(user.opcode(), LLVMOpcode::LLVMCall | LLVMOpcode::LLVMInvoke)
            && user.callee() == function
    };
    linkage == LLVMLinkage::LLVMInternalLinkage && users.len() == 1 && users.iter().all(is_call)
}

/// Marks the functions that are inlined.
fn choose_inlined(module: LLVMModuleRef) {
    let graph = CallGraph::new(module);
    let mut chosen = BTreeSet::new();
    for limits in LIMITS {
        let (inlined, total) = graph.inlined(limits);
        chosen = inlined;
        if total <= MAX_ALL {
            break;
        }
    }
    for (name, &function) in &graph.functions {
        // SAFETY: the function belongs to a module that is alive.
        unsafe {
            let kind = attribute_kind("alwaysinline");
            LLVMRemoveEnumAttributeAtIndex(function.0, FUNCTION_INDEX, kind);
        }
        if chosen.contains(name) {
            add_attribute(function, "alwaysinline", 0);
        } else {
            add_attribute(function, "noinline", 0);
        }
    }
}

/// Who calls whom, among defined functions that are no stubs.
struct CallGraph {
    functions: BTreeMap<String, Val>,
    calls: HashMap<String, Vec<String>>,
    sizes: HashMap<String, usize>,
    /// Calls a function that launches or allocates.
    touches: BTreeSet<String>,
}

impl CallGraph {
    fn new(module: LLVMModuleRef) -> CallGraph {
        let mut graph = CallGraph {
            functions: BTreeMap::new(),
            calls: HashMap::new(),
            sizes: HashMap::new(),
            touches: BTreeSet::new(),
        };
        for function in llvm::functions(module) {
            let name = function.name();
            if function.is_declaration() || is_stub(&name) {
                continue;
            }
            let mut callees = vec![];
            let mut size = 0;
            for inst in function.blocks().into_iter().flat_map(|block| block.instructions()) {
                size += 1;
                let opcode = inst.opcode();
                if matches!(opcode, LLVMOpcode::LLVMCall | LLVMOpcode::LLVMInvoke) {
                    let callee = inst.callee().name();
                    size -= usize::from(callee.starts_with("llvm.dbg."));
                    if is_stub(&callee) || calls::is_modelled(&callee) {
                        graph.touches.insert(name.clone());
                    }
                    callees.push(callee);
                }
            }
            graph.functions.insert(name.clone(), function);
            graph.sizes.insert(name.clone(), size);
            graph.calls.insert(name, callees);
        }
        graph
    }

    /// The functions that are inlined, and what all others come to then.
    fn inlined(&self, limits: (usize, usize)) -> (BTreeSet<String>, usize) {
        let mut walk = Walk { graph: self, limits, state: HashMap::new() };
        for name in self.functions.keys() {
            walk.visit(name);
        }
        let inlined: BTreeSet<String> = walk
            .state
            .iter()
            .filter(|(_, state)| matches!(state, State::Done { inlined: true, .. }))
            .map(|(name, _)| name.clone())
            .collect();
        let total = walk.state.values().map(|state| match state {
            State::Done { size, inlined: false, .. } => *size,
            State::Done { .. } | State::Open => 0,
        });
        let total = total.sum();
        (inlined, total)
    }
}

#[derive(Clone, Copy)]
enum State {
    Open,
    Done { size: usize, is_interesting: bool, inlined: bool },
}

struct Walk<'g> {
    graph: &'g CallGraph,
    limits: (usize, usize),
    state: HashMap<String, State>,
}

impl Walk<'_> {
    /// Decides about a function after those that it calls; `None` on a cycle.
    fn visit(&mut self, name: &str) -> Option<State> {
        match self.state.get(name) {
            Some(State::Open) => return None,
            Some(done) => return Some(*done),
            None => {}
        }
        self.state.insert(name.to_string(), State::Open);
        let mut size = self.graph.sizes[name];
        let mut is_interesting = self.graph.touches.contains(name);
        let mut is_recursive = false;
        for callee in &self.graph.calls[name] {
            if !self.graph.functions.contains_key(callee) {
                continue;
            }
            match self.visit(callee) {
                None => is_recursive = true,
                Some(State::Done { size: more, is_interesting: also, inlined }) => {
                    is_interesting |= also;
                    size += if inlined { more } else { 0 };
                }
                Some(State::Open) => {}
            }
        }
        // A function with one caller costs nothing there that it did not cost before.
        let is_only = is_interesting && has_one_call(self.graph.functions[name]);
        let most = match is_interesting {
            true if is_only => MAX_ONLY,
            true => self.limits.0,
            false => self.limits.1,
        };
        // SOUNDNESS: another file may replace a weak function (trap 19 of the test
        // `traps`).
        let is_fixed = !is_weak(self.graph.functions[name]);
        let inlined = size <= most && !is_recursive && is_fixed && name != "main";
        let done = State::Done { size, is_interesting, inlined };
        self.state.insert(name.to_string(), done);
        Some(done)
    }
}
