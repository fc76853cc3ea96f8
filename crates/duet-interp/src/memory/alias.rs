//! Pointer parameters that point into the same memory.
//!
//! A run can be told that a parameter points into another parameter's array, at a
//! distance in bytes. Every access through it then goes to that array, at its own
//! offset plus the distance: bytes, bounds, race log and observers all see the one
//! array. This is exact for kernels that only access memory through these
//! parameters; one that looks at the pointers themselves (compares them, keeps them
//! or turns them into integers) is refused, since two names of one place would
//! differ there.

use std::collections::HashMap;

use duet_ir::{
    Array, ArrayOrigin, Const, Func, Function, InstData, Module, ParamKind, Space, Value,
};

use crate::interface::launch::{Inputs, Key, RunError};

/// Where accesses through a parameter go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Target {
    /// The array.
    pub(crate) array: Array,
    /// Bytes that are added to every offset.
    pub(crate) shift: u64,
}

/// The parameters that point into others' arrays.
#[derive(Debug, Default)]
pub(crate) struct Aliases(HashMap<Array, Target>);

impl Aliases {
    /// What the inputs say.
    pub(crate) fn new(module: &Module, kernel: Func, inputs: &Inputs) -> Result<Aliases, RunError> {
        let function = &module.functions[kernel];
        let mut aliases = Aliases::default();
        for (key, (of, shift)) in &inputs.aliases {
            let (from, to) = (pointer(module, function, key)?, pointer(module, function, of)?);
            if from == to || inputs.aliases.contains_key(of) {
                return Err(RunError::NotAliased(text(of)));
            }
            // Offsets wrap at the width of pointers; shifts are added in 64 bits.
            let wraps = *shift != 0 && module.pointer_width < 64;
            if wraps || looks_at_pointers(function, [from, to]) {
                return Err(RunError::NotAliased(text(key)));
            }
            aliases.0.insert(from, Target { array: to, shift: *shift });
        }
        Ok(aliases)
    }

    /// All of them.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (Array, Target)> + '_ {
        self.0.iter().map(|(&array, &target)| (array, target))
    }
}

/// The array behind a pointer parameter to global memory.
fn pointer(module: &Module, function: &Function, key: &Key) -> Result<Array, RunError> {
    let found = function.params.iter().enumerate().find_map(|(index, param)| {
        let ParamKind::Array(array) = param.kind else { return None };
        let data = &module.arrays[array];
        let named = match key {
            Key::Name(name) => *name == param.name || *name == data.name,
            Key::Index(number) => *number == index,
        };
        let global = data.space == Space::Global && data.origin == ArrayOrigin::Param;
        (named && global).then_some(array)
    });
    found.ok_or_else(|| RunError::NotAliased(text(key)))
}

fn text(key: &Key) -> String {
    match key {
        Key::Name(name) => name.clone(),
        Key::Index(index) => format!("parameter {index}"),
    }
}

/// Does the kernel use one of the pointers other than for an access?
fn looks_at_pointers(function: &Function, arrays: [Array; 2]) -> bool {
    let is_one = |&value: &Value| match function.const_of(value) {
        Some(Const::Array(array)) => arrays.contains(&array),
        _ => false,
    };
    let looks = |data: &InstData| {
        matches!(data, InstData::IntToPtr { .. } | InstData::Call { .. })
            || data.values().iter().any(is_one)
    };
    function.layout.iter().any(|&block| {
        let block = &function.blocks[block];
        let passed = block.terminator.edges().into_iter().flat_map(|edge| &edge.args);
        block.insts.iter().any(|&inst| looks(&function.insts[inst]))
            || passed.into_iter().any(is_one)
    })
}
