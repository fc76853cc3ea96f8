//! Checks that a module means what the crate header says. Later stages take a
//! [`WellFormed`], which only this check can make of a module, so none of them has to
//! think about an id that does not exist or an operand of the wrong type. Rewrites of a
//! module that has passed keep it so ([`WellFormed::rewrite`]).
//!
//! What is enforced; the names are those of [`WellFormedRule`]:
//!
//! 1.  `pointer-width`: pointers have 32 or 64 bits.
//! 2.  `file-exists`: the file of every location exists.
//! 3.  `loc-exists`: every location that something refers to exists.
//! 4.  `loc-acyclic`: no location is inlined into itself, however indirectly.
//! 5.  `unique-array-name`: no two arrays have one name.
//! 6.  `granule`: the granule of an array is a power of two.
//! 7.  `initialiser`: only global and constant arrays have one, and it is as
//!     long as the array, whose size is known.
//! 8.  `array-space`: a dynamic shared array is in shared memory.
//! 9.  `unique-symbol`: no two functions have one symbol.
//! 10. `unique-kernel-name`: no two kernels have one name.
//! 11. `launch-bounds`: required block sizes and thread limits are not zero.
//! 12. `kernel-result`: kernels have no results.
//! 13. `parameter`: scalars are numbers; array parameters belong to kernels, each
//!     with an array of its own; pointer parameters belong to device functions
//!     and are a `ref` and an offset of pointer width.
//! 14. `layout`: a function has a block; the blocks of the layout and the
//!     instructions of the blocks exist and occur once.
//! 15. `entry`: the first block has no parameters, and no edge leads to it.
//! 16. `type-width`: integers have 1 to 128 bits.
//! 17. `definition`: a value is defined once, where its entry in the value table
//!     says.
//! 18. `constant`: a constant fits its width; `null` and arrays are `ref`s.
//! 19. `id-exists`: every value, block, array and function that is named exists;
//!     a value is defined in, and an edge leads into, the function's layout.
//! 20. `dominance`: a definition dominates its uses. A block that cannot be
//!     reached is dominated by all others; inside it order still counts.
//! 21. `edge-arguments`: an edge brings one argument of the right type for each
//!     parameter of its target.
//! 22. `operand-count`: instructions have as many operands as they need.
//! 23. `operand-type`: and of the right types.
//! 24. `result-type`: an instruction's results are those of
//!     [`Function::result_types`](crate::Function::result_types).
//! 25. `access-type`: what is read or written is one or more numbers of whole
//!     bytes.
//! 26. `alignment`: alignments are powers of two.
//! 27. `granule-fits`: an access touches a whole number of its array's granules,
//!     at an alignment that is a multiple of the granule.
//! 28. `constant-write`: nothing writes constant memory. A source that would has
//!     an `assert constant_write` instead of the store.
//! 29. `ghost-access`: only loads, and the stores that set up a fresh array, are
//!     part of annotations; atomics and copies are not.
//! 30. `nsw`: only `add`, `sub`, `mul` and `shl` can overflow; only `add`, `sub`
//!     and `mul` without `nsw`, and `trunc`, are `into_signed`.
//! 31. `conversion`: a cast goes between types that it is for.
//! 32. `work-dim`: `work_dim` is along x.
//! 33. `switch-case`: cases fit the type of the operand and are distinct.
//! 34. `return-value`: `return` brings one value of the right type for each
//!     result of the function.
//! 35. `callee`: only device functions are called.
//!
//! Not enforced: that a kernel uses only its own parameters' arrays, that blocks
//! can be reached, that constant offsets keep their alignment, and that device
//! functions are not recursive.

mod definitions;
mod dominance;
mod function;
mod inst;
mod module;
mod subject;

use std::fmt;
use std::ops::Deref;

use crate::annotation::names;
use crate::{Module, Place};

/// A module that has passed [`check_well_formed`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WellFormed(Module);

impl WellFormed {
    /// The module, to be changed; it has to be checked again afterwards.
    pub fn into_inner(self) -> Module {
        self.0
    }

    /// The module after a change that keeps it well formed; debug builds check that.
    ///
    /// Release builds trust the code that makes the change: `duet check` tries many variants of
    /// a kernel, and a change that breaks a rule is an error in the program that tests in
    /// debug builds find. This makes no `WellFormed` of a module that came from elsewhere:
    /// it starts from one, and only the rewrites of `duet-transform` may call it, each
    /// with its argument and its tests (test `only_duet_transform_rewrites` in
    /// `crates/duet/tests/layering.rs`). Everybody else calls [`check_well_formed`].
    ///
    /// # Panics
    /// In debug builds, with all errors and the module, if a rule is broken.
    #[must_use]
    pub fn rewrite(mut self, change: impl FnOnce(&mut Module)) -> WellFormed {
        self.rewrite_in_place(change);
        self
    }

    /// The same where it is: a module that grows by a kernel for each launch of a program
    /// would be copied as often.
    ///
    /// # Panics
    /// As [`WellFormed::rewrite`].
    pub fn rewrite_in_place(&mut self, change: impl FnOnce(&mut Module)) {
        let module = &mut self.0;
        change(module);
        if cfg!(debug_assertions) {
            let errors = well_formed_errors(module);
            let list: Vec<String> = errors.iter().map(|error| error.describe(module)).collect();
            assert!(errors.is_empty(), "a rewrite broke a module:\n{}\n{module}", list.join("\n"));
        }
    }
}

impl Deref for WellFormed {
    type Target = Module;

    fn deref(&self) -> &Module {
        &self.0
    }
}

/// As the module prints.
impl fmt::Display for WellFormed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A rule that a module breaks, and where.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub struct WellFormedError {
    /// Where.
    pub place: Place,
    /// Which rule.
    pub rule: WellFormedRule,
    /// How, as one phrase in the names of the text form.
    pub message: String,
}

impl fmt::Display for WellFormedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.rule, self.message)
    }
}

impl WellFormedError {
    /// The whole message, with the place as it prints.
    pub fn describe(&self, module: &Module) -> String {
        format!("{}: {self}", self.place.describe(module))
    }
}

/// The rules; the list at the head of this file says what each enforces.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)]
pub enum WellFormedRule {
    PointerWidth,
    FileExists,
    LocExists,
    LocAcyclic,
    UniqueArrayName,
    Granule,
    Initialiser,
    ArraySpace,
    UniqueSymbol,
    UniqueKernelName,
    LaunchBounds,
    KernelResult,
    Parameter,
    Layout,
    Entry,
    TypeWidth,
    Definition,
    Constant,
    IdExists,
    Dominance,
    EdgeArguments,
    OperandCount,
    OperandType,
    ResultType,
    AccessType,
    Alignment,
    GranuleFits,
    ConstantWrite,
    GhostAccess,
    Nsw,
    Conversion,
    WorkDim,
    SwitchCase,
    ReturnValue,
    Callee,
}

names!(WellFormedRule {
    PointerWidth = "pointer-width",
    FileExists = "file-exists",
    LocExists = "loc-exists",
    LocAcyclic = "loc-acyclic",
    UniqueArrayName = "unique-array-name",
    Granule = "granule",
    Initialiser = "initialiser",
    ArraySpace = "array-space",
    UniqueSymbol = "unique-symbol",
    UniqueKernelName = "unique-kernel-name",
    LaunchBounds = "launch-bounds",
    KernelResult = "kernel-result",
    Parameter = "parameter",
    Layout = "layout",
    Entry = "entry",
    TypeWidth = "type-width",
    Definition = "definition",
    Constant = "constant",
    IdExists = "id-exists",
    Dominance = "dominance",
    EdgeArguments = "edge-arguments",
    OperandCount = "operand-count",
    OperandType = "operand-type",
    ResultType = "result-type",
    AccessType = "access-type",
    Alignment = "alignment",
    GranuleFits = "granule-fits",
    ConstantWrite = "constant-write",
    GhostAccess = "ghost-access",
    Nsw = "nsw",
    Conversion = "conversion",
    WorkDim = "work-dim",
    SwitchCase = "switch-case",
    ReturnValue = "return-value",
    Callee = "callee",
});

/// Checks a module against all rules.
///
/// # Errors
/// Every rule that is broken, with its place: the module's first, then function
/// by function.
/// [`well_formed_errors`] finds them without giving the module away.
pub fn check_well_formed(module: Module) -> Result<WellFormed, Vec<WellFormedError>> {
    let errors = well_formed_errors(&module);
    if errors.is_empty() { Ok(WellFormed(module)) } else { Err(errors) }
}

/// Everything that keeps a module from being well-formed.
pub fn well_formed_errors(module: &Module) -> Vec<WellFormedError> {
    let mut errors = Errors::default();
    module::check(module, &mut errors);
    for (func, function) in &module.functions {
        function::check(module, func, function, &mut errors);
    }
    errors.0
}

/// The errors found so far.
#[derive(Default)]
struct Errors(Vec<WellFormedError>);

impl Errors {
    fn push(&mut self, place: Place, rule: WellFormedRule, message: impl Into<String>) {
        self.0.push(WellFormedError { place, rule, message: message.into() });
    }
}
