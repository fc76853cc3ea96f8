//! Loops followed for a number of iterations, as a function without loops.
//!
//! Each block gets a copy for every combination of iterations of the loops around it.
//! Code behind a loop is not copied for each way out: where several copies of a
//! value meet, the block gets a parameter for it. A thread that would begin one iteration
//! more halts instead, and nothing is claimed of what it would have done.
//!
//! A run whose loops make no more iterations than that executes the same instructions in
//! the same order, so it does the same (test `unwound_kernels_do_the_same` of
//! `duet-fuzz`). Of other runs only the beginning is left: an under-approximation, by
//! which defects can be found and nothing can be proved. The number of copies grows with
//! the product of the iterations of nested loops.

use std::collections::HashMap;

use duet_analysis::{Dominators, Loops};
use duet_ir::{
    AnnotationKind, AssertKind, Block, Edge, Func, Function, Inst, InstData, SecondaryMap, Value,
    WellFormed,
};

/// The most copies of blocks: beyond that it would never be decided anyway.
const MOST_COPIES: usize = 20_000;

/// A module in which a kernel has no loops.
pub struct Unwound {
    /// The module.
    pub module: WellFormed,
    /// The instruction that each instruction of the kernel is a copy of.
    origins: Origins,
}

/// The instruction of the original that each instruction is a copy of.
type Origins = SecondaryMap<Inst, Option<Inst>>;

impl Unwound {
    /// The instruction of the original kernel.
    pub fn origin(&self, inst: Inst) -> Inst {
        self.origins[inst].unwrap_or(inst)
    }
}

/// A copy of a block, by number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Copy(usize);

/// A block at certain iterations of the loops around it, the innermost first.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct At {
    block: Block,
    iterations: Vec<u32>,
}

/// Follows the loops of a kernel for so many iterations. `None` if a loop has
/// several entries, or there would be too many copies.
pub fn unwind(module: &WellFormed, kernel: Func, iterations: u32) -> Option<Unwound> {
    let func = &module.functions[kernel];
    let loops = Loops::new(func, &Dominators::new(func));
    if !loops.is_reducible() {
        return None;
    }
    let plan = Plan::new(func, &loops, iterations)?;
    let (flat, origins) = Writer::new(func, plan).write();
    let module = module.clone().rewrite(|module| module.functions[kernel] = flat);
    Some(Unwound { module, origins })
}

/// Which copies there are, and how they follow each other.
struct Plan {
    /// Predecessors come before their successors, up to the order of discovery.
    copies: Vec<At>,
    /// For each copy and edge: the copy it leads to, or none if it is cut.
    successors: Vec<Vec<Option<Copy>>>,
    /// For each copy: the edges into it.
    predecessors: Vec<Vec<(Copy, usize)>>,
}

impl Plan {
    fn new(func: &Function, loops: &Loops, iterations: u32) -> Option<Plan> {
        let first =
            At { block: func.entry(), iterations: vec![1; loops.around(func.entry()).count()] };
        let mut numbers = HashMap::from([(first.clone(), Copy(0))]);
        let mut plan = Plan { copies: vec![first], successors: vec![], predecessors: vec![vec![]] };
        while let Some(from) = plan.copies.get(plan.successors.len()).cloned() {
            let here = Copy(plan.successors.len());
            let mut next = vec![];
            for (edge, to) in func.successors(from.block).enumerate() {
                let Some(to) = follow(loops, &from, to, iterations) else {
                    next.push(None);
                    continue;
                };
                let number = *numbers.entry(to.clone()).or_insert_with(|| {
                    plan.copies.push(to);
                    plan.predecessors.push(vec![]);
                    Copy(plan.copies.len() - 1)
                });
                plan.predecessors[number.0].push((here, edge));
                next.push(Some(number));
            }
            plan.successors.push(next);
            if plan.copies.len() > MOST_COPIES {
                return None;
            }
        }
        Some(plan)
    }
}

/// Where an edge leads to; none if that would be an iteration too many.
fn follow(loops: &Loops, from: &At, to: Block, most: u32) -> Option<At> {
    let before: HashMap<_, _> = loops.around(from.block).zip(&from.iterations).collect();
    let mut iterations = vec![];
    for id in loops.around(to) {
        let iteration = match before.get(&id) {
            Some(&&iteration) if loops.data(id).header == to => iteration + 1,
            Some(&&iteration) => iteration,
            None => 1,
        };
        if iteration > most {
            return None;
        }
        iterations.push(iteration);
    }
    Some(At { block: to, iterations })
}

/// Writes the copies.
struct Writer<'a> {
    old: &'a Function,
    plan: Plan,
    func: Function,
    origins: Origins,
    /// The block of each copy.
    blocks: Vec<Block>,
    /// Where threads halt that would begin an iteration too many.
    cut: Block,
    /// What a value of the original is at the end of a copy.
    known: HashMap<(Copy, Value), Value>,
    /// The block that each value is defined in.
    homes: SecondaryMap<Value, Option<Block>>,
    /// Arguments of edges for the parameters that were added.
    further: HashMap<(Copy, usize), Vec<Value>>,
}

impl<'a> Writer<'a> {
    fn new(old: &'a Function, plan: Plan) -> Writer<'a> {
        let mut func = old.clone();
        func.layout.clear();
        let blocks: Vec<Block> = plan.copies.iter().map(|_| func.make_block()).collect();
        let cut = func.make_block();
        Writer {
            old,
            plan,
            func,
            origins: SecondaryMap::new(),
            blocks,
            cut,
            known: HashMap::new(),
            homes: homes(old),
            further: HashMap::new(),
        }
    }

    fn write(mut self) -> (Function, Origins) {
        for number in 0..self.blocks.len() {
            self.copy_definitions(Copy(number));
        }
        for number in 0..self.blocks.len() {
            self.copy_uses(Copy(number));
        }
        for number in 0..self.blocks.len() {
            self.complete_edges(Copy(number));
        }
        self.func.layout = self.blocks;
        self.func.layout.push(self.cut);
        (self.func, self.origins)
    }

    /// Parameters and instructions, the operands still those of the original.
    fn copy_definitions(&mut self, copy: Copy) {
        let (from, to) = (self.plan.copies[copy.0].block, self.blocks[copy.0]);
        let old = self.old;
        for &param in &old.blocks[from].params {
            let value = self.func.add_block_param(to, old.type_of(param));
            self.rename(copy, param, value);
        }
        for &inst in &old.blocks[from].insts {
            let Some(data) = without_loop(&old.insts[inst]) else { continue };
            let results = &old.results_of[inst];
            let types: Vec<_> = results.iter().map(|&value| old.type_of(value)).collect();
            let made = self.func.make_inst(data, &types, old.inst_locs[inst]);
            self.func.into_signed[made] = old.into_signed[inst];
            self.origins[made] = Some(inst);
            self.func.blocks[to].insts.push(made);
            for (index, &result) in results.iter().enumerate() {
                let value = self.func.results_of[made][index];
                self.rename(copy, result, value);
            }
        }
        self.func.blocks[to].terminator = old.blocks[from].terminator.clone();
        self.func.blocks[to].loc = old.blocks[from].loc;
    }

    fn rename(&mut self, copy: Copy, old: Value, new: Value) {
        self.func.names[new] = self.old.names[old].clone();
        self.known.insert((copy, old), new);
    }

    /// Makes operands those of the copy.
    fn copy_uses(&mut self, copy: Copy) {
        let block = self.blocks[copy.0];
        for inst in self.func.blocks[block].insts.clone() {
            let mut data = self.func.insts[inst].clone();
            data.visit_values_mut(|value| *value = self.value_at(copy, *value));
            self.func.insts[inst] = data;
        }
        let mut terminator = self.func.blocks[block].terminator.clone();
        terminator.visit_values_mut(|value| *value = self.value_at(copy, *value));
        self.func.blocks[block].terminator = terminator;
    }

    /// What a value is at the end of a copy. Copies follow each other without a
    /// cycle, so the search for definitions ends.
    fn value_at(&mut self, copy: Copy, value: Value) -> Value {
        if self.homes[value].is_none() {
            return value;
        }
        if let Some(&known) = self.known.get(&(copy, value)) {
            return known;
        }
        let edges = self.plan.predecessors[copy.0].clone();
        let arriving: Vec<Value> =
            edges.iter().map(|&(from, _)| self.value_at(from, value)).collect();
        let found = match arriving.iter().all(|other| *other == arriving[0]) {
            true => arriving[0],
            false => {
                let block = self.blocks[copy.0];
                let param = self.func.add_block_param(block, self.old.type_of(value));
                for (edge, arriving) in edges.into_iter().zip(arriving) {
                    self.further.entry(edge).or_default().push(arriving);
                }
                param
            }
        };
        self.rename(copy, value, found);
        found
    }

    /// Leads the edges of a copy to copies.
    fn complete_edges(&mut self, copy: Copy) {
        let block = self.blocks[copy.0];
        let mut terminator = self.func.blocks[block].terminator.clone();
        let targets = &self.plan.successors[copy.0];
        for (number, edge) in terminator.edges_mut().into_iter().enumerate() {
            match targets[number] {
                Some(target) => {
                    edge.block = self.blocks[target.0];
                    let further = self.further.get(&(copy, number));
                    edge.args.extend(further.into_iter().flatten());
                }
                None => *edge = Edge { block: self.cut, args: vec![] },
            }
        }
        self.func.blocks[block].terminator = terminator;
    }
}

/// The block that each value is defined in; none for constants and arguments.
fn homes(func: &Function) -> SecondaryMap<Value, Option<Block>> {
    let mut homes = SecondaryMap::new();
    for &block in &func.layout {
        let data = &func.blocks[block];
        let results = data.insts.iter().flat_map(|&inst| &func.results_of[inst]);
        for &value in data.params.iter().chain(results) {
            homes[value] = Some(block);
        }
    }
    homes
}

/// An invariant of a loop is an assertion at each iteration of its head; a candidate
/// for one is nothing.
fn without_loop(data: &InstData) -> Option<InstData> {
    use AnnotationKind::*;
    let InstData::Annotation { kind, args } = data else { return Some(data.clone()) };
    match kind {
        Invariant => Some(InstData::Assert { kind: AssertKind::Annotated, cond: args[0] }),
        GlobalInvariant => Some(InstData::Assert { kind: AssertKind::Global, cond: args[0] }),
        CandidateInvariant | CandidateGlobalInvariant => None,
        Requires
        | GlobalRequires
        | Ensures
        | GlobalEnsures
        | Assume
        | CandidateAssert
        | CandidateGlobalAssert
        | FunctionWideInvariant
        | FunctionWideCandidateInvariant
        | BarrierInvariant
        | BarrierInvariantBinary
        | CellInvariant
        | Axiom
        | Contract
        | Verified
        | ReadsFrom
        | WritesTo
        | ArraySnapshot
        | Captured => Some(data.clone()),
    }
}
