//! The typed ids of the IR. Each prints as it does in the text form.

use cranelift_entity::entity_impl;

macro_rules! entity {
    ($(#[$doc:meta])* $name:ident, $prefix:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u32);
        entity_impl!($name, $prefix);
    };
}

entity!(
    /// A basic block of a function.
    Block, "bb"
);
entity!(
    /// An instruction of a function.
    Inst, "inst"
);
entity!(
    /// A value of a function: defined once, by an instruction, as a block
    /// parameter, or as a constant.
    Value, "v"
);
entity!(
    /// An array of a module: one piece of memory that kernels can touch.
    Array, "array"
);
entity!(
    /// A function of a module.
    Func, "func"
);
entity!(
    /// A source file.
    File, "file"
);
entity!(
    /// A source location, with the chain of calls it was inlined through.
    Loc, "loc"
);
