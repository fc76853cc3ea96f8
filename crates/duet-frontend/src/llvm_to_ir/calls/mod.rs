//! Calls: which family a callee belongs to, and what it becomes.
//!
//! In order: inline assembly, LLVM's own intrinsics, the opaque values that
//! [`crate::prepare`] planted, functions of the module, Duet's intrinsics,
//! annotations, OpenCL built-ins, functions without an effect on what is proved
//! ([`NO_EFFECT`]), pure functions, and at last functions that nothing is known
//! about.
//!
//! | file | holds |
//! |---|---|
//! | `inline_asm` | inline PTX |
//! | `llvm_intrinsics`, `intrinsic_table` | LLVM's own intrinsics, and which there are |
//! | `intrinsics` | Duet's intrinsics |
//! | `annotations` | the annotation language |
//! | `opencl_memory` | OpenCL built-ins that touch memory |

mod annotations;
mod inline_asm;
pub mod intrinsic_table;
#[cfg(test)]
mod intrinsic_tests;
mod intrinsics;
mod llvm_intrinsics;
mod opencl_memory;
mod ptx;

use duet_ir::{AssertKind, Cause, Diagnostic, InstData, Language, Type};
use inkwell::llvm_sys::LLVMValueKind;

use self::annotations::Annotations;
use self::inline_asm::InlineAssembly;
use self::intrinsics::DuetIntrinsics;
use self::llvm_intrinsics::LlvmIntrinsics;
use self::opencl_memory::OpenClMemory;

use crate::layout::LeafKind;
use crate::llvm::Val;
use crate::llvm_to_ir::memory::Accesses;
use crate::llvm_to_ir::values::{Leaf, Pointer, Values};
use crate::mangled::Mangled;
use crate::opencl_builtins;
use crate::prepare::{
    ARGUMENT, BEYOND, ESCAPE, PARAM_LEAF, SPECIFICATION, UNINITIALISED, is_recursive,
};

/// Functions whose effects no property that Duet checks depends on: output,
/// hints to the hardware, and brackets of the compiler.
const NO_EFFECT: &[&str] = &[
    "printf",
    "vprintf",
    "puts",
    "putchar",
    "fflush",
    "__duet_free",
    "__nanosleep",
    "__prof_trigger",
    "__brkpt",
];

/// Functions that end a failed path.
const FAILURES: &[(&str, AssertKind)] = &[
    ("__duet_assert_fail", AssertKind::Library),
    ("__duet_bad_function_pointer", AssertKind::Pointer),
    ("__assert_fail", AssertKind::Library),
    ("__assertfail", AssertKind::Library),
    ("abort", AssertKind::Trap),
    ("__trap", AssertKind::Trap),
];

/// Translates calls.
pub struct Calls<'c, 't> {
    pub values: &'c mut Values<'t>,
    pub accesses: &'c mut Accesses,
}

impl Calls<'_, '_> {
    /// Translates a call.
    pub fn call(&mut self, call: Val) -> Result<(), Diagnostic> {
        let callee = call.callee();
        if callee.kind() == LLVMValueKind::LLVMInlineAsmValueKind {
            return InlineAssembly { values: self.values, accesses: self.accesses }.call(call);
        }
        if !callee.is_function() {
            return Err(self.values.unsupported(
                "a call through a pointer that is not known before the kernel runs",
                "call the function directly, or make it a template parameter; virtual functions need the object's type to be visible",
            ));
        }
        let symbol = callee.name();
        if symbol.starts_with("llvm.") {
            return LlvmIntrinsics { values: self.values, accesses: self.accesses }
                .call(call, &symbol);
        }
        if let Some(variable) = symbol.strip_prefix(UNINITIALISED) {
            return self.uninitialised(call, variable);
        }
        if symbol.starts_with(PARAM_LEAF) {
            return Ok(());
        }
        if let Some(param) = symbol.strip_prefix(ARGUMENT) {
            let param = param.split('~').next().unwrap_or(param);
            return self.unknown_value(call, Cause::from(format!("argument `{param}`")));
        }
        if let Some(table) = symbol.strip_prefix(BEYOND) {
            let table = table.rsplit_once('~').map_or(table, |(name, _)| name);
            let cause = match table {
                "" => Cause::from("beyond the end of a table of functions"),
                name => Cause::BeyondTable(name.to_string()),
            };
            return self.unknown_value(call, cause);
        }
        if symbol == ESCAPE {
            return self.accesses.renew_array(self.values, call);
        }
        if !callee.is_declaration() {
            return self.module_call(call);
        }
        self.declared_call(call, &symbol)
    }

    /// A call of a function without a body.
    fn declared_call(&mut self, call: Val, symbol: &str) -> Result<(), Diagnostic> {
        let name = Mangled::parse(symbol)
            .unwrap_or_else(|| Mangled { base: symbol.to_string(), params: vec![] });
        let base = name.base.as_str();
        // SOUNDNESS: these are functions of C; one of C++ with such a name is the
        // user's (`names_of_c_are_not_names_of_c_plus_plus` in duet's tests).
        if let Some(&(_, kind)) = FAILURES.iter().find(|(failing, _)| *failing == symbol) {
            self.values.fail(kind);
            return Ok(());
        }
        if NO_EFFECT.contains(&symbol) {
            return self.define_zero(call);
        }
        let Calls { values, accesses } = self;
        if (DuetIntrinsics { values, accesses }).call(call, base)?
            || (Annotations { values, accesses }).call(call, &name)?
        {
            return Ok(());
        }
        if values.builder.module.language == Language::OpenCl
            && (OpenClMemory { values, accesses }).call(call, &name)?
        {
            return Ok(());
        }
        if self.value_builtin(call, &name)? || self.pure_call(call, symbol)? {
            return Ok(());
        }
        self.unknown_call(call, symbol, base)
    }

    /// Results that are unused.
    fn define_zero(&mut self, call: Val) -> Result<(), Diagnostic> {
        let kinds = self.values.leaf_kinds(call.ty())?;
        let leaves =
            kinds.into_iter().map(|kind| self.values.fresh_leaf(kind, "unused result")).collect();
        self.values.define(call, leaves);
        Ok(())
    }

    fn uninitialised(&mut self, call: Val, variable: &str) -> Result<(), Diagnostic> {
        let variable = variable.split('~').next().unwrap_or(variable);
        let cause = format!("uninitialised variable `{variable}`");
        let kinds = self.values.leaf_kinds(call.ty())?;
        let leaves =
            kinds.into_iter().map(|kind| self.values.fresh_leaf(kind, cause.as_str())).collect();
        self.values.define(call, leaves);
        Ok(())
    }

    /// A call of a function that was not inlined.
    fn module_call(&mut self, call: Val) -> Result<(), Diagnostic> {
        let callee = call.callee();
        let name = crate::llvm_to_ir::function_name(callee);
        if is_recursive(callee) {
            return Err(self.values.unsupported(
                format!("recursion (`{name}` calls itself)"),
                "rewrite the recursion as a loop",
            ));
        }
        let Some(&function) = self.values.shared.functions.get(&callee) else {
            return Err(self
                .values
                .unsupported(format!("the call of `{name}`"), "see the error in it"));
        };
        let mut args = vec![];
        for argument in call.arguments() {
            for leaf in self.values.leaves(argument)? {
                match leaf {
                    Leaf::Scalar(value) => args.push(value),
                    Leaf::Pointer(Pointer { reference, offset }) => {
                        args.extend([reference, offset]);
                    }
                }
            }
        }
        let inst = self.values.builder.inst(InstData::Call { callee: function, args });
        let mut results = self.values.builder.func.results_of[inst].clone().into_iter();
        let mut next = || results.next().expect("one result per leaf");
        let kinds = self.values.leaf_kinds(call.ty())?;
        let leaves = kinds
            .into_iter()
            .map(|kind| match kind {
                LeafKind::Scalar(_) => Leaf::Scalar(next()),
                LeafKind::Pointer(_) => {
                    Leaf::Pointer(Pointer { reference: next(), offset: next() })
                }
            })
            .collect();
        self.values.define(call, leaves);
        Ok(())
    }

    /// OpenCL built-ins that compute a value, and the arithmetic helpers of
    /// annotations in either language.
    fn value_builtin(&mut self, call: Val, name: &Mangled) -> Result<bool, Diagnostic> {
        let is_helper = name.base.starts_with("__");
        if self.values.builder.module.language == Language::Cuda && !is_helper {
            return Ok(false);
        }
        let Some(result) = self.values.scalar_result(call)? else { return Ok(false) };
        let Some(args) = self.values.scalar_arguments(call)? else { return Ok(false) };
        let is_built_in = opencl_builtins::suits_value(name) && is_declared_const(call, name);
        if !is_helper && !is_built_in {
            return Ok(false);
        }
        let lowered = opencl_builtins::lower(&mut self.values.builder, name, &args, result);
        let Some(values) = lowered else { return Ok(false) };
        let fits = |&value: &duet_ir::Value| self.values.builder.func.type_of(value) == result.ty;
        if values.len() != result.count || !values.iter().all(fits) {
            return Err(self.values.unsupported(
                format!("`{}` with these parameters: OpenCL has no such function", name.base),
                "give the function another name, and a body",
            ));
        }
        self.values.define_scalars(call, values);
        Ok(true)
    }

    /// A function that the source declares to depend on its arguments alone, or that has
    /// the name of an uninterpreted one. It goes by its symbol. SOUNDNESS: overloads and instances of one template are different
    /// functions (kernels/soundness/33-overloaded-function).
    fn pure_call(&mut self, call: Val, symbol: &str) -> Result<bool, Diagnostic> {
        if !touches_no_memory(call, symbol) {
            return Ok(false);
        }
        let Some(result) = self.values.scalar_result(call)? else { return Ok(false) };
        let Some(args) = self.values.scalar_arguments(call)? else { return Ok(false) };
        let args: Vec<_> = args.into_iter().flatten().collect();
        let values = (0..result.count)
            .map(|lane| {
                let name = match result.count {
                    1 => symbol.to_string(),
                    _ => format!("{symbol}.{lane}"),
                };
                let args = args.clone();
                self.values.builder.value(InstData::Pure { name, args, ty: result.ty })
            })
            .collect();
        self.values.define_scalars(call, values);
        Ok(true)
    }

    /// A function that touches no memory, or is taken not to.
    fn unknown_value(&mut self, call: Val, cause: Cause) -> Result<(), Diagnostic> {
        let kinds = self.values.leaf_kinds(call.ty())?;
        let leaves =
            kinds.into_iter().map(|kind| self.values.fresh_leaf(kind, cause.clone())).collect();
        self.values.define(call, leaves);
        Ok(())
    }

    /// Is the function given numbers and nothing else, and is there a use for the number
    /// that it yields? Kernels declare helpers so whose bodies are elsewhere.
    fn is_of_numbers(&self, call: Val) -> Result<bool, Diagnostic> {
        let is_number = |kind: &LeafKind| matches!(kind, LeafKind::Scalar(_));
        let result = self.values.leaf_kinds(call.ty())?;
        let numbers = !result.is_empty() && result.iter().all(is_number);
        for (index, argument) in call.arguments().into_iter().enumerate() {
            // A struct of numbers that is passed by value is a pointer to a copy.
            let ty = call.callee().byval_type(index as u32).unwrap_or_else(|| argument.ty());
            if !self.values.leaf_kinds(ty)?.iter().all(is_number) {
                return Ok(false);
            }
        }
        Ok(numbers && !crate::llvm::users(call).is_empty())
    }

    /// A function that nothing is known about.
    fn unknown_call(&mut self, call: Val, symbol: &str, base: &str) -> Result<(), Diagnostic> {
        if touches_no_memory(call, symbol) {
            return self.unknown_value(call, Cause::UnknownFunction(base.to_string()));
        }
        let here = self.values.here();
        if !base.starts_with(SPECIFICATION) && self.is_of_numbers(call)? {
            self.values.shared.warn_unknown(base, here, TAKEN_TO_COMPUTE);
            return self.unknown_value(call, Cause::AssumedFunction(base.to_string()));
        }
        self.values.shared.warn_unknown(base, here, MAY_DO_ANYTHING);
        let mut args = vec![];
        for argument in call.arguments() {
            for leaf in self.values.leaves(argument)? {
                if let Leaf::Scalar(value) = leaf {
                    args.push(value);
                }
            }
        }
        let kinds = self.values.leaf_kinds(call.ty())?;
        let pointer = self.values.builder.module.pointer_type();
        let results: Vec<Type> = kinds
            .iter()
            .map(|kind| match kind {
                LeafKind::Scalar(ty) => *ty,
                LeafKind::Pointer(_) => pointer,
            })
            .collect();
        let inst = self.values.builder.inst(InstData::CallUnknown {
            name: base.to_string(),
            args,
            results,
        });
        let values = self.values.builder.func.results_of[inst].clone();
        let leaves = values
            .into_iter()
            .zip(kinds)
            .map(|(value, kind)| match kind {
                LeafKind::Scalar(_) => Leaf::Scalar(value),
                LeafKind::Pointer(_) => Leaf::Pointer(self.values.pointer_from_int(value)),
            })
            .collect();
        self.values.define(call, leaves);
        Ok(())
    }
}

/// What is made of a function without a body.
const MAY_DO_ANYTHING: &str = "it may do anything, so nothing is proved of a kernel that calls it";
const TAKEN_TO_COMPUTE: &str = "it is assumed to touch no memory, and its result to be arbitrary";

/// How the name of a function begins that the source wants to be uninterpreted.
const UNINTERPRETED: &str = "__uninterpreted_function_";

/// Does a function without a body touch no memory, by its declaration or its name?
fn touches_no_memory(call: Val, symbol: &str) -> bool {
    let plain = || Mangled::parse(symbol).map_or(symbol.to_string(), |name| name.base);
    call.callee().attribute_value("memory") == Some(0) || plain().starts_with(UNINTERPRETED)
}

/// Does the declaration say that the function depends on its arguments alone, as
/// clang's declarations of the built-ins that compute a value do? Those about the
/// launch need not, and what they take leaves no room for an overload.
fn is_declared_const(call: Val, name: &Mangled) -> bool {
    call.callee().attribute_value("memory") == Some(0)
        || name.base.starts_with("get_")
        || name.base.starts_with("amd_")
}
