//! Tidies the control flow and values that translation leaves behind.
//!
//! **What it does**: drops blocks that cannot be reached, threads edges through
//! blocks that only test a constant the edge brings (short-circuit operators),
//! merges straight lines, and drops block parameters and instructions whose
//! unused values.
//!
//! **Why it is sound**: every step keeps the sequence of instructions with an
//! effect along every path; only instructions for which [`duet_ir::InstData::is_pure`]
//! holds are dropped. Loads, stores and divisions always stay.

#![warn(clippy::wildcard_enum_match_arm)]

use std::collections::HashSet;

use duet_ir::{Block, Cause, Edge, Function, InstData, Module, SecondaryMap, Terminator, Value};

/// Tidies every function, then the arrays.
pub fn clean(module: &mut Module) {
    for function in module.functions.values_mut() {
        clean_function(function);
    }
    crate::granule::set_granules(module);
    module.retain_used_arrays();
}

/// Tidies one function until nothing changes.
pub fn clean_function(func: &mut Function) {
    loop {
        drop_unreachable(func);
        let changed = fold_branches(func)
            | thread_constants(func)
            | skip_forwarders(func)
            | merge_lines(func)
            | drop_single_valued_params(func);
        if !changed {
            break;
        }
    }
    drop_unused(func);
    renumber_layout(func);
}

/// Keeps the blocks that can be reached.
fn drop_unreachable(func: &mut Function) {
    let mut seen = HashSet::from([func.entry()]);
    let mut stack = vec![func.entry()];
    while let Some(block) = stack.pop() {
        for successor in func.successors(block).collect::<Vec<_>>() {
            if seen.insert(successor) {
                stack.push(successor);
            }
        }
    }
    func.layout.retain(|block| seen.contains(block));
}

/// Turns branches on constants, and branches whose edges agree, into jumps.
fn fold_branches(func: &mut Function) -> bool {
    let mut changed = false;
    for block in func.layout.clone() {
        let edge = match &func.blocks[block].terminator {
            Terminator::Branch { then, otherwise, .. } if then == otherwise => Some(then.clone()),
            Terminator::Branch { cond, then, otherwise } => func
                .const_bits(*cond)
                .map(|bits| if bits == 1 { then.clone() } else { otherwise.clone() }),
            Terminator::Switch { arg, cases, default } => func.const_bits(*arg).map(|bits| {
                let case = cases.iter().find(|(case, _)| *case == bits);
                case.map_or(default, |(_, edge)| edge).clone()
            }),
            Terminator::Jump(_) | Terminator::Return(_) | Terminator::Halt => None,
        };
        if let Some(edge) = edge {
            func.blocks[block].terminator = Terminator::Jump(edge);
            changed = true;
        }
    }
    changed
}

/// How often each value is used.
fn use_counts(func: &Function) -> SecondaryMap<Value, u32> {
    let mut counts: SecondaryMap<Value, u32> = SecondaryMap::new();
    for &block in &func.layout {
        for &inst in &func.blocks[block].insts {
            for value in func.insts[inst].values() {
                counts[value] += 1;
            }
        }
        for value in func.blocks[block].terminator.values() {
            counts[value] += 1;
        }
    }
    counts
}

/// A block without instructions whose branch tests one of its own parameters is
/// decided for every edge that binds the parameter to a constant: that edge goes
/// on to where the branch would. The block's parameters must have no other uses,
/// as the edge no longer binds them.
fn thread_constants(func: &mut Function) -> bool {
    let counts = use_counts(func);
    let mut changed = false;
    for block in func.layout.clone() {
        let data = &func.blocks[block];
        let Terminator::Branch { cond, .. } = &data.terminator else { continue };
        let Some(tested) = data.params.iter().position(|param| param == cond) else { continue };
        let own = data.terminator.values();
        let confined = data.params.iter().all(|param| {
            counts[*param] as usize == own.iter().filter(|value| *value == param).count()
        });
        if !data.insts.is_empty() || !confined {
            continue;
        }
        changed |= redirect_constant_edges(func, block, tested);
    }
    changed
}

/// Sends every edge to `block` whose argument number `tested` is a constant on to
/// where the block's branch leads.
fn redirect_constant_edges(func: &mut Function, block: Block, tested: usize) -> bool {
    let data = func.blocks[block].clone();
    let Terminator::Branch { then, otherwise, .. } = &data.terminator else { return false };
    let mut changed = false;
    for from in func.layout.clone() {
        if from == block {
            continue;
        }
        let mut terminator = func.blocks[from].terminator.clone();
        for edge in terminator.edges_mut().into_iter().filter(|edge| edge.block == block) {
            let Some(bits) = func.const_bits(edge.args[tested]) else { continue };
            let target = if bits == 1 { then } else { otherwise };
            if target.block == block {
                continue;
            }
            let bind = |value: &Value| match data.params.iter().position(|param| param == value) {
                Some(index) => edge.args[index],
                None => *value,
            };
            let args = target.args.iter().map(bind).collect();
            *edge = Edge { block: target.block, args };
            changed = true;
        }
        func.blocks[from].terminator = terminator;
    }
    changed
}

/// Redirects edges to a block that does nothing but jump on.
fn skip_forwarders(func: &mut Function) -> bool {
    let mut changed = false;
    for block in func.layout.clone() {
        let data = &func.blocks[block];
        let Terminator::Jump(onward) = &data.terminator else { continue };
        let onward = onward.clone();
        let is_plain = data.insts.is_empty() && data.params.is_empty() && onward.block != block;
        if !is_plain || block == func.entry() {
            continue;
        }
        for from in func.layout.clone() {
            for edge in func.blocks[from].terminator.edges_mut() {
                if edge.block == block {
                    *edge = onward.clone();
                    changed = true;
                }
            }
        }
    }
    changed
}

/// Appends a block to its only predecessor where that one ends in a jump to it.
fn merge_lines(func: &mut Function) -> bool {
    let predecessors = func.predecessors();
    let mut changed = false;
    let mut replacement = Replacement::default();
    for block in func.layout.clone() {
        while let Terminator::Jump(edge) = &func.blocks[block].terminator {
            let (next, args) = (edge.block, edge.args.clone());
            let is_only = predecessors[next].len() == 1 && next != block && next != func.entry();
            if !is_only || !func.layout.contains(&next) {
                break;
            }
            let tail = std::mem::take(&mut func.blocks[next]);
            for (param, arg) in tail.params.into_iter().zip(args) {
                replacement.set(func, param, arg);
            }
            let head = &mut func.blocks[block];
            head.insts.extend(tail.insts);
            head.terminator = tail.terminator;
            head.loc = tail.loc;
            func.layout.retain(|&other| other != next);
            changed = true;
        }
    }
    replacement.apply(func);
    changed
}

/// Replaces a block parameter that is bound to one value by every edge.
fn drop_single_valued_params(func: &mut Function) -> bool {
    let mut changed = false;
    for block in func.layout.clone() {
        let mut index = 0;
        while index < func.blocks[block].params.len() {
            let param = func.blocks[block].params[index];
            match single_value(func, block, index, param) {
                Some(value) => {
                    remove_param(func, block, index);
                    let mut replacement = Replacement::default();
                    replacement.set(func, param, value);
                    replacement.apply(func);
                    changed = true;
                }
                None => index += 1,
            }
        }
    }
    changed
}

/// The value that every edge binds a parameter to, itself apart.
fn single_value(func: &Function, block: Block, index: usize, param: Value) -> Option<Value> {
    let mut single = None;
    for &from in &func.layout {
        for edge in func.blocks[from].terminator.edges() {
            if edge.block != block || edge.args[index] == param {
                continue;
            }
            match single {
                None => single = Some(edge.args[index]),
                Some(value) if value == edge.args[index] => {}
                Some(_) => return None,
            }
        }
    }
    single
}

fn remove_param(func: &mut Function, block: Block, index: usize) {
    func.remove_block_param(block, index);
    for from in func.layout.clone() {
        for edge in func.blocks[from].terminator.edges_mut() {
            if edge.block == block {
                edge.args.remove(index);
            }
        }
    }
}

/// Values that stand for others.
#[derive(Default)]
struct Replacement {
    map: std::collections::HashMap<Value, Value>,
}

impl Replacement {
    /// `old` is to be replaced by `new`, which takes over its source name.
    fn set(&mut self, func: &mut Function, old: Value, new: Value) {
        if func.names[new].is_none() && func.const_of(new).is_none() {
            func.names[new] = func.names[old].clone();
        }
        self.map.insert(old, new);
    }

    fn resolve(&self, value: Value) -> Value {
        let mut at = value;
        while let Some(&next) = self.map.get(&at) {
            at = next;
        }
        at
    }

    /// Rewrites every use.
    fn apply(&self, func: &mut Function) {
        if self.map.is_empty() {
            return;
        }
        for block in func.layout.clone() {
            for inst in func.blocks[block].insts.clone() {
                func.insts[inst].visit_values_mut(|value| *value = self.resolve(*value));
            }
            let terminator = &mut func.blocks[block].terminator;
            terminator.visit_values_mut(|value| *value = self.resolve(*value));
        }
    }
}

/// Drops pure instructions and block parameters whose values are unused.
fn drop_unused(func: &mut Function) {
    let needed = needed_values(func);
    for block in func.layout.clone() {
        let mut insts = std::mem::take(&mut func.blocks[block].insts);
        insts.retain(|&inst| {
            !func.insts[inst].is_pure()
                || lists_an_assumption(&func.insts[inst])
                || func.results_of[inst].iter().any(|value| needed.contains(value))
        });
        func.blocks[block].insts = insts;
        for index in (0..func.blocks[block].params.len()).rev() {
            if !needed.contains(&func.blocks[block].params[index]) {
                remove_param(func, block, index);
            }
        }
    }
}

/// SOUNDNESS: what a table of functions holds is an assumption, also where the entry is
/// known (test `entries_of_tables_are_an_assumption`).
fn lists_an_assumption(data: &InstData) -> bool {
    matches!(data, InstData::Fresh { cause: Cause::BeyondTable(_), .. })
}

/// The values that instructions with an effect, or the control flow, depend on.
fn needed_values(func: &Function) -> HashSet<Value> {
    let mut stack = vec![];
    for &block in &func.layout {
        let data = &func.blocks[block];
        for &inst in &data.insts {
            if !func.insts[inst].is_pure() {
                stack.extend(func.insts[inst].values());
            }
        }
        match &data.terminator {
            Terminator::Branch { cond, .. } => stack.push(*cond),
            Terminator::Switch { arg, .. } => stack.push(*arg),
            Terminator::Return(values) => stack.extend(values),
            Terminator::Jump(_) | Terminator::Halt => {}
        }
    }
    let bindings = bindings(func);
    let mut needed = HashSet::new();
    while let Some(value) = stack.pop() {
        if !needed.insert(value) {
            continue;
        }
        match func.values[value] {
            duet_ir::ValueDef::Result(inst, _) => stack.extend(func.insts[inst].values()),
            duet_ir::ValueDef::BlockParam(..) => stack.extend(&bindings[value]),
            duet_ir::ValueDef::FunctionParam(_) | duet_ir::ValueDef::Const(_) => {}
        }
    }
    needed
}

/// What edges bind each block parameter to.
fn bindings(func: &Function) -> SecondaryMap<Value, Vec<Value>> {
    let mut map: SecondaryMap<Value, Vec<Value>> = SecondaryMap::new();
    for &block in &func.layout {
        for edge in func.blocks[block].terminator.edges() {
            for (&param, &arg) in func.blocks[edge.block].params.iter().zip(&edge.args) {
                map[param].push(arg);
            }
        }
    }
    map
}

/// Puts the blocks into reverse postorder, entry first.
fn renumber_layout(func: &mut Function) {
    let mut order = vec![];
    let mut seen = HashSet::from([func.entry()]);
    let mut stack = vec![(func.entry(), successors_reversed(func, func.entry()))];
    while let Some((block, successors)) = stack.last_mut() {
        match successors.pop() {
            Some(next) if seen.insert(next) => {
                let onward = successors_reversed(func, next);
                stack.push((next, onward));
            }
            Some(_) => {}
            None => {
                order.push(*block);
                stack.pop();
            }
        }
    }
    order.reverse();
    func.layout = order;
}

/// Successors to be popped: the last edge first, so that the first edge's blocks
/// come first in reverse postorder.
fn successors_reversed(func: &Function, block: Block) -> Vec<Block> {
    func.successors(block).collect()
}
