//! The values that others are computed from, within one function.
//!
//! Backwards over operands and over the arguments of edges into block parameters. What
//! comes from memory depends on the place it is loaded from; whether it depends on what is
//! stored in the array is for the caller to say. Which branch was taken does not count.
//! Callers use it to choose what is worth trying, and nothing is proved with it.

use std::collections::{BTreeMap, BTreeSet};

use duet_ir::{Array, Edge, Effect, Function, InstData, Terminator, Value, ValueDef};

/// The values that some values are computed from, and these themselves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DataDependence {
    values: BTreeSet<Value>,
}

impl DataDependence {
    /// What the values are computed from.
    pub fn of(func: &Function, values: Vec<Value>) -> DataDependence {
        DataDependence::collect(func, values, &BTreeMap::new())
    }

    /// What the values are computed from, also by way of memory: all that is stored in an
    /// array counts for what is loaded from it.
    pub fn through_memory(func: &Function, values: Vec<Value>) -> DataDependence {
        DataDependence::collect(func, values, &stored(func))
    }

    fn collect(
        func: &Function,
        mut open: Vec<Value>,
        stored: &BTreeMap<Array, Vec<Value>>,
    ) -> DataDependence {
        let passed = passed(func);
        let mut values = BTreeSet::new();
        while let Some(value) = open.pop() {
            if !values.insert(value) {
                continue;
            }
            match func.values[value] {
                ValueDef::Result(inst, _) => {
                    let data = &func.insts[inst];
                    open.extend(data.values());
                    let arrays = data.accesses().into_iter().map(|(_, access)| access.array);
                    open.extend(arrays.filter_map(|array| stored.get(&array)).flatten().copied());
                }
                ValueDef::BlockParam(..) => {
                    open.extend(passed.get(&value).into_iter().flatten().copied());
                }
                ValueDef::Const(_) | ValueDef::FunctionParam(_) => {}
            }
        }
        DataDependence { values }
    }

    /// Is the value among them?
    pub fn contains(&self, value: Value) -> bool {
        self.values.contains(&value)
    }

    /// All of them.
    pub fn values(&self) -> impl Iterator<Item = Value> {
        self.values.iter().copied()
    }
}

/// Where memory is touched: the offsets of all accesses.
pub fn offsets(func: &Function) -> Vec<Value> {
    let insts = func.insts_in_order().map(|inst| &func.insts[inst]);
    insts.flat_map(|data| data.accesses()).map(|(_, access)| access.offset).collect()
}

/// What a property may depend on by itself: where memory is touched, what is stated, and
/// which way is taken.
pub fn decisions(func: &Function) -> Vec<Value> {
    let mut found = vec![];
    for &block in &func.layout {
        for &inst in &func.blocks[block].insts {
            found.extend(judged(&func.insts[inst]));
        }
        match &func.blocks[block].terminator {
            Terminator::Branch { cond, .. } => found.push(*cond),
            Terminator::Switch { arg, .. } => found.push(*arg),
            Terminator::Jump(_) | Terminator::Return(_) | Terminator::Halt => {}
        }
    }
    found
}

/// The operands of an instruction that a property may depend on by themselves.
fn judged(data: &InstData) -> Vec<Value> {
    match data.effect() {
        Effect::Memory => data.accesses().iter().map(|(_, access)| access.offset).collect(),
        Effect::Statement => data.values(),
        Effect::None
        | Effect::MayFail
        | Effect::Barrier(_)
        | Effect::Exchange
        | Effect::Fence
        | Effect::WaitsForCopies
        | Effect::Call(_)
        | Effect::CallUnknown => vec![],
    }
}

/// What edges pass to each block parameter.
fn passed(func: &Function) -> BTreeMap<Value, Vec<Value>> {
    let mut passed: BTreeMap<Value, Vec<Value>> = BTreeMap::new();
    for &block in &func.layout {
        for Edge { block: to, args } in func.blocks[block].terminator.edges() {
            for (&param, &arg) in func.blocks[*to].params.iter().zip(args) {
                passed.entry(param).or_default().push(arg);
            }
        }
    }
    passed
}

/// The operands of all that may write to an array: places and values.
fn stored(func: &Function) -> BTreeMap<Array, Vec<Value>> {
    let mut stored: BTreeMap<Array, Vec<Value>> = BTreeMap::new();
    for inst in func.insts_in_order() {
        let data = &func.insts[inst];
        for (mode, access) in data.accesses() {
            if mode.may_write() {
                stored.entry(access.array).or_default().extend(data.values());
            }
        }
    }
    stored
}
