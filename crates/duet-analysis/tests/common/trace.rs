//! Runs a kernel in the interpreter and records what every thread does: the
//! visits of blocks, named as the loops' header says, with the values that are
//! defined there.

use std::collections::BTreeMap;

use duet_analysis::{Dominators, Loops};
use duet_interp::{
    Fill, Inputs, Launch, Limits, Observer, Outcome, RunOptions, Schedule, ThreadPos, Visit,
    run_observed,
};
use duet_ir::{Block, Func, Function, Module, SecondaryMap, Terminator, Type, Value};

/// One visit of a block by a thread.
#[derive(Clone, Debug)]
pub struct BlockVisit {
    pub block: Block,
    /// Iteration counts of the loops around it, outermost first.
    pub iterations: Vec<u32>,
    /// The bits of [`Trace::visible`] when the block is entered.
    pub before: Vec<u128>,
    /// What its instructions yielded; empty if the thread went nowhere after.
    pub results: Vec<(Value, u128)>,
}

/// What the threads of a run did.
pub struct Trace {
    pub threads: BTreeMap<ThreadPos, Vec<BlockVisit>>,
    pub outcome: Outcome,
    /// The integers that are defined when a block is entered, its parameters
    /// included.
    pub visible: SecondaryMap<Block, Vec<Value>>,
}

struct Recorder<'a> {
    func: &'a Function,
    loops: &'a Loops,
    visible: SecondaryMap<Block, Vec<Value>>,
    threads: BTreeMap<ThreadPos, Vec<BlockVisit>>,
}

impl Observer for Recorder<'_> {
    fn enter_block(&mut self, visit: &Visit<'_>, block: Block) {
        let visits = self.threads.entry(visit.thread).or_default();
        let mut iterations = vec![];
        if let Some(last) = visits.last_mut() {
            let results =
                self.func.blocks[last.block].insts.iter().flat_map(|&i| &self.func.results_of[i]);
            last.results = results.map(|&value| (value, visit.value(value))).collect();
            iterations = next_iterations(self.loops, last, block);
        }
        let before = self.visible[block].iter().map(|&value| visit.value(value)).collect();
        visits.push(BlockVisit { block, iterations, before, results: vec![] });
    }
}

/// The iteration counts after going from a visit to a block.
fn next_iterations(loops: &Loops, last: &BlockVisit, block: Block) -> Vec<u32> {
    let mut around: Vec<_> = loops.around(block).collect();
    around.reverse();
    let mut before: Vec<_> = loops.around(last.block).collect();
    before.reverse();
    let count = |(depth, id)| {
        let old = (before.get(depth) == Some(id)).then(|| last.iterations[depth]);
        let again = loops.data(*id).header == block;
        match old {
            Some(iterations) => iterations + u32::from(again),
            None => 0,
        }
    };
    around.iter().enumerate().map(count).collect()
}

/// Runs the kernel with scalars `n` and `m`.
pub fn record(
    module: &Module,
    id: Func,
    dominators: &Dominators,
    loops: &Loops,
    launch: &Launch,
    scalars: [u128; 2],
    seed: u64,
) -> Trace {
    let func = &module.functions[id];
    let visible = visible(func, dominators);
    let mut recorder = Recorder { func, loops, visible, threads: BTreeMap::new() };
    let mut inputs = Inputs::new().scalar("n", scalars[0]).scalar("m", scalars[1]);
    inputs.other_arrays.fill = Fill::Random(seed);
    let limits = Limits { thread_steps: 3_000, ..Limits::default() };
    let options = RunOptions {
        schedule: Schedule::Seeded(seed),
        seed,
        limits,
        races: false,
        ..RunOptions::default()
    };
    let outcome = run_observed(module, id, launch, &inputs, &options, &mut recorder)
        .unwrap_or_else(|error| panic!("{error}\n{module}"));
    Trace { threads: recorder.threads, outcome, visible: recorder.visible }
}

/// The integers that are defined when a block is entered.
fn visible(func: &Function, dominators: &Dominators) -> SecondaryMap<Block, Vec<Value>> {
    let mut result: SecondaryMap<Block, Vec<Value>> = SecondaryMap::new();
    for &block in &func.layout {
        for &from in &func.layout {
            if !dominators.dominates(from, block) || !dominators.is_reachable(block) {
                continue;
            }
            let data = &func.blocks[from];
            let results = data.insts.iter().flat_map(|&inst| &func.results_of[inst]);
            let results = results.filter(|_| from != block);
            let ints = data.params.iter().chain(results);
            result[block].extend(ints.filter(|&&v| matches!(func.type_of(v), Type::Int(_))));
        }
    }
    result
}

impl Trace {
    /// The values that are defined at the start of a visit, with their bits.
    pub fn before<'a>(&'a self, visit: &'a BlockVisit) -> impl Iterator<Item = (Value, u128)> + 'a {
        self.visible[visit.block].iter().copied().zip(visit.before.iter().copied())
    }

    /// The bits of a value at the start of a visit.
    pub fn value(&self, visit: &BlockVisit, value: Value) -> Option<u128> {
        self.before(visit).find(|(v, _)| *v == value).map(|(_, bits)| bits)
    }

    /// Did the thread return?
    pub fn returned(&self, func: &Function, thread: &ThreadPos) -> bool {
        let last = self.threads[thread].last().expect("every thread visits the entry");
        matches!(func.blocks[last.block].terminator, Terminator::Return(_))
    }
}
