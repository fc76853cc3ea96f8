//! What executes the operations of threads, and what comes out of a run.

use std::collections::BTreeMap;

use duet_ir::{Array, EntityRef, Func, Module, SecondaryMap};

use crate::decode::Program;
use crate::execute::copies::Copy;
use crate::execute::lockstep::LockStep;
use crate::execute::memory::Memory;
use crate::execute::observer::Observer;
use crate::execute::race_log::RaceLog;
use crate::execute::recorder::Recorder;
use crate::execute::setup::*;
use crate::execute::thread::*;
use crate::interface::launch::*;
use crate::interface::outcome::*;
use crate::values::random::Rng;

/// What executes the operations of threads.
pub(crate) struct Engine<'a, O> {
    pub(crate) module: &'a Module,
    pub(crate) program: &'a Program,
    pub(crate) options: &'a RunOptions,
    pub(crate) observer: &'a mut O,
    pub(crate) memory: Memory<'a>,
    pub(crate) races: RaceLog<'a>,
    pub(crate) recorder: Recorder<'a>,
    pub(crate) copies: Vec<Copy>,
    /// Warps in lock step, if that is wanted.
    pub(crate) lock_step: Option<LockStep>,
    pub(crate) steps_left: u64,
    pub(crate) visits: Vec<Vec<u64>>,
    pub(crate) rng: Rng,
}

impl<'a, O: Observer> Engine<'a, O> {
    pub(crate) fn new(
        module: &'a Module,
        kernel: Func,
        program: &'a Program,
        launch: &'a Launch,
        inputs: &Inputs,
        options: &'a RunOptions,
        observer: &'a mut O,
    ) -> Result<Engine<'a, O>, RunError> {
        check_launch(module, kernel, launch, options)?;
        check_inputs(module, kernel, inputs)?;
        let memory = Memory::new(module, kernel, program, launch, inputs, options)?;
        let seed = match options.schedule {
            Schedule::Seeded(seed) => seed,
            Schedule::InOrder | Schedule::Reversed => 0,
        };
        let lock_step = options.lock_step.map(|size| LockStep::new(module, kernel, size));
        let lock_step = lock_step.transpose()?;
        let blocks_of = |f: &duet_ir::Function| vec![0; f.blocks.len()];
        Ok(Engine {
            module,
            program,
            options,
            observer,
            memory,
            races: RaceLog::new(module, program, launch, options.limits.conflicts),
            recorder: Recorder::new(program, launch),
            copies: vec![],
            lock_step,
            steps_left: options.limits.steps,
            visits: module.functions.values().map(blocks_of).collect(),
            rng: Rng::new(seed),
        })
    }

    /// The result, after the grid has run.
    pub(crate) fn finish(self) -> Outcome {
        let status = match (self.recorder.stop, self.recorder.stuck) {
            (Some(status), _) => status,
            (None, true) => Status::Stuck,
            (None, false) => Status::Finished,
        };
        let contents =
            |(&array, instance): (&Array, Instance)| (array, instance.region.into_contents());
        let arrays = self.program.globals.iter().zip(self.memory.globals).map(contents).collect();
        Outcome {
            status,
            findings: self.recorder.findings.into_list(),
            arrays,
            instructions: self.options.limits.steps - self.steps_left,
            coverage: coverage(self.visits),
        }
    }

    // -- findings ---------------------------------------------------------
}

fn coverage(visits: Vec<Vec<u64>>) -> Coverage {
    let mut all = BTreeMap::new();
    for (func, blocks) in visits.into_iter().enumerate() {
        let mut map = SecondaryMap::new();
        for (block, visits) in blocks.into_iter().enumerate() {
            map[duet_ir::Block::new(block)] = visits;
        }
        all.insert(Func::new(func), map);
    }
    Coverage { visits: all }
}
