//! LLVM to kernel IR.
//!
//! **Input**: a module that [`crate::prepare`] has made ready. **Output**: a
//! [`duet_ir::Module`] with one function per kernel. Pointers become pairs of
//! array and byte offset; ids, barriers, atomics and annotations become
//! instructions of their own; vectors and structs fall apart into scalars.
//!
//! **Why it is sound.** Each LLVM instruction is translated by itself, to IR that
//! computes the same bits, or to an error that names it; none is skipped but
//! those listed in [`calls`] as having no effect on what is proved. A pointer is
//! resolved by [`pointers::points_to`]; where that is not certain, an access becomes a case
//! split whose last case is a failing assertion, so that an incomplete guess can
//! only cost a proof.
//!
//! Not handled: recursion, calls through pointers that inlining does not
//! resolve, exceptions, variable-length arrays, most of inline PTX.
//!
//! | file or folder | holds |
//! |---|---|
//! | `locations` | source locations and names |
//! | `pointers` | the arrays of a module, and which of them pointers point into |
//! | `function`, `params` | a function, its parameters, its blocks and edges |
//! | `values` | what each LLVM value is in the IR, so far |
//! | `constants`, `arithmetic`, `memory` | constants, instructions that compute, accesses |
//! | `calls` | built-in functions, intrinsics, annotations, inline PTX |

mod arithmetic;
mod calls;
mod constants;
mod function;
mod locations;
mod memory;
mod params;
mod pointers;
mod values;

use std::collections::{HashMap, HashSet};

use duet_ir::{Diagnostic, Func, Function, Language, Module, Rule, SourceSpan};
use inkwell::llvm_sys::prelude::LLVMModuleRef;

use crate::llvm::Val;
use crate::prepare::Prepared;

/// Names of LLVM's intrinsics that are translated, without types; those of NVIDIA's
/// group are left out.
pub use calls::intrinsic_table::names as intrinsic_names;
pub use locations::variable_name;
pub use pointers::arrays::Arrays;
pub use pointers::points_to::PointsTo;

/// What translation yields.
pub struct Translation {
    /// The kernels that could be translated.
    pub module: Module,
    /// Why others could not, and warnings.
    pub diagnostics: Vec<Diagnostic>,
}

/// State shared by all functions of a module, beside the module itself.
struct Shared {
    llvm: LLVMModuleRef,
    language: Language,
    arrays: Arrays,
    points_to: PointsTo,
    locations: locations::Locations,
    diagnostics: Vec<Diagnostic>,
    /// Functions that are kept as functions (only without inlining).
    functions: HashMap<Val, Func>,
    /// Functions without a body that have been warned about.
    unknown_functions: HashSet<String>,
    /// Choices of threads that were made so far.
    choices: u128,
}

/// Translates the kernels that `wanted` accepts by name.
pub fn translate(
    llvm: &Prepared<'_>,
    language: Language,
    directory: &std::path::Path,
    wanted: impl Fn(&str, &str) -> bool,
) -> Translation {
    let mut module = Module::new(language, crate::layout::pointer_width(llvm.raw()));
    let mut locations = locations::Locations::new(directory);
    let kernels: Vec<Val> = llvm
        .kernels
        .iter()
        .copied()
        .filter(|&kernel| wanted(&function_name(kernel), &kernel.name()))
        .collect();
    let functions = with_callees(&kernels);
    let arrays = Arrays::collect(llvm.raw(), &functions, &kernels, &mut module, &mut locations);
    let points_to = PointsTo::compute(llvm.raw(), &functions, &arrays, &module);
    let mut shared = Shared {
        llvm: llvm.raw(),
        language,
        arrays,
        points_to,
        locations,
        diagnostics: vec![],
        functions: HashMap::new(),
        unknown_functions: HashSet::new(),
        choices: 0,
    };
    for function in callees_first(kernels.iter().copied()) {
        shared.add_function(&mut module, function, kernels.contains(&function));
    }
    crate::cleanup::clean(&mut module);
    Translation { module, diagnostics: shared.diagnostics }
}

/// The kernels in source order and every defined function they still call,
/// callers first.
fn with_callees(kernels: &[Val]) -> Vec<Val> {
    let mut order = callees_first(kernels.iter().rev().copied());
    order.reverse();
    order
}

/// The kernels in the order given, each after the functions that it still calls,
/// so that a call finds its function.
fn callees_first(kernels: impl Iterator<Item = Val>) -> Vec<Val> {
    fn visit(function: Val, order: &mut Vec<Val>, seen: &mut HashSet<Val>) {
        if !seen.insert(function) {
            return;
        }
        for callee in crate::prepare::calls_of(function) {
            if callee.is_function() && !callee.is_declaration() {
                visit(callee, order, seen);
            }
        }
        order.push(function);
    }
    let (mut order, mut seen) = (vec![], HashSet::new());
    for kernel in kernels {
        visit(kernel, &mut order, &mut seen);
    }
    order
}

/// The name, or the symbol if an overload has taken the name.
fn unique_name(module: &Module, name: String, symbol: String) -> String {
    let taken = module.functions.values().any(|function| function.name == name);
    if taken { symbol } else { name }
}

/// The name of a function as the user knows it.
pub fn function_name(function: Val) -> String {
    let from_debug = function.subprogram().and_then(|subprogram| {
        let operands = subprogram.operands(function.context());
        operands.get(2).copied().flatten().and_then(Val::md_string)
    });
    from_debug.filter(|name| !name.is_empty()).unwrap_or_else(|| function.name())
}

impl Shared {
    /// Translates one function and adds it to the module, or says why not.
    fn add_function(&mut self, module: &mut Module, function: Val, is_kernel: bool) {
        let name = unique_name(module, function_name(function), function.name());
        let kind = params::kind_of(self.llvm, function, is_kernel);
        let skeleton = Function::new(&name, function.name(), kind);
        match function::translate(self, module, function, skeleton) {
            Ok(translated) => {
                let id = module.functions.push(translated);
                self.functions.insert(function, id);
            }
            Err(diagnostic) if is_kernel => {
                self.diagnostics.push(diagnostic.note(format!("in kernel `{name}`")));
            }
            Err(diagnostic) => self.diagnostics.push(diagnostic),
        }
    }

    /// A number that no choice has yet.
    fn next_choice(&mut self) -> u128 {
        self.choices += 1;
        self.choices
    }

    /// Warns once about a function without a body.
    fn warn_unknown(&mut self, name: &str, span: Option<SourceSpan>, note: &str) {
        // Launches in code of the device were told when the file was compiled.
        let is_told = name.contains(crate::compiler::device_launch::LAUNCH);
        if !is_told && self.unknown_functions.insert(name.to_string()) {
            self.diagnostics.push(
                Diagnostic::new(Rule::UnknownFunction, format!("`{name}` has no body"))
                    .at(span)
                    .note(note)
                    .usual_help(self.language),
            );
        }
    }
}

/// An array of the module by its place in a kernel's parameters.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ParamPlace {
    /// The kernel.
    pub kernel: Val,
    /// Number of the parameter.
    pub index: u32,
    /// Byte offset in a struct passed by value.
    pub offset: u64,
}

/// Where an array comes from in LLVM.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Home {
    /// A global variable or an alloca.
    Variable(Val),
    /// A pointer or image that a kernel is given.
    Param(ParamPlace),
    /// The image behind a texture or surface handle.
    Handle(Val),
}
