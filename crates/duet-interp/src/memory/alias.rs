//! Pointer parameters that point into the same memory.
//!
//! A run can be told that a parameter points into another parameter's array, at a
//! distance in bytes, or that a parameter and a variable at file scope are in the same
//! memory. Every access through it then goes to that array, at its own offset plus the
//! distance: bytes, bounds, race log and observers all see the one array, and its
//! addresses as integers are those of that array. One thing would tell the two names
//! apart, a reference to an array as a value: a kernel that compares, keeps or makes
//! references to either is refused.

use std::collections::HashMap;

use duet_ir::{
    Array, ArrayData, ArrayOrigin, Const, Func, Function, InstData, Module, ParamKind, Space, Value,
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
            let (from, to) = (memory(module, function, key)?, memory(module, function, of)?);
            let is_param = |array: Array| module.arrays[array].origin == ArrayOrigin::Param;
            let of_two_variables = !is_param(from) && !is_param(to);
            if from == to || of_two_variables || inputs.aliases.contains_key(of) {
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

/// The array behind a pointer parameter to global memory, or a variable at file scope.
fn memory(module: &Module, function: &Function, key: &Key) -> Result<Array, RunError> {
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
    let variable = || {
        let Key::Name(name) = key else { return None };
        // The address of a function is an array of no bytes.
        let is_variable = |data: &ArrayData| {
            let in_memory = matches!(data.space, Space::Global | Space::Constant);
            in_memory && data.origin == ArrayOrigin::Variable && data.size != Some(0)
        };
        let mut all = module.arrays.iter();
        all.find(|(_, data)| data.name == *name && is_variable(data)).map(|(array, _)| array)
    };
    found.or_else(variable).ok_or_else(|| RunError::NotAliased(text(key)))
}

fn text(key: &Key) -> String {
    match key {
        Key::Name(name) => name.clone(),
        Key::Index(index) => format!("parameter {index}"),
    }
}

/// Does the kernel use one of the pointers other than for an access, or as an integer?
fn looks_at_pointers(function: &Function, arrays: [Array; 2]) -> bool {
    let is_one = |&value: &Value| match function.const_of(value) {
        Some(Const::Array(array)) => arrays.contains(&array),
        _ => false,
    };
    let looks = |data: &InstData| {
        let makes = matches!(data, InstData::IntToPtr { .. } | InstData::Call { .. });
        // An address is a number, and no number becomes a reference again.
        let is_address = matches!(data, InstData::PtrToInt { .. });
        makes || (!is_address && data.values().iter().any(is_one))
    };
    function.layout.iter().any(|&block| {
        let block = &function.blocks[block];
        let passed = block.terminator.edges().into_iter().flat_map(|edge| &edge.args);
        block.insts.iter().any(|&inst| looks(&function.insts[inst]))
            || passed.into_iter().any(is_one)
    })
}
