//! A run of a kernel as plain data: all that the interpreter needs to repeat it.

use duet_interp::{
    ArrayInput, Fill, Inputs, Key, Launch, Limits, Observer, Outcome, RunError, RunOptions,
    Schedule, run_observed,
};
use duet_ir::{Array, Func, Function, Module, Space};

/// Instructions of one thread; more is taken for a loop without an end.
const THREAD_STEPS: u64 = 1 << 20;
/// Conflicts of a run: by then it has shown what it has to show. A long run may have one in
/// so many instructions.
const CONFLICTS: u64 = 100_000;
const STEPS_OF_A_CONFLICT: u64 = 32;
/// Memory of a run.
const MEMORY: u64 = 1 << 28;

/// A run that can be repeated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Run {
    /// The launch.
    pub launch: Launch,
    /// Arguments (by position) and contents of arrays (by name).
    pub inputs: Inputs,
    /// The order of threads.
    pub schedule: Schedule,
    /// The seed of unknown values.
    pub seed: u64,
    /// What these values are below.
    pub unknown_below: Option<u32>,
    /// The blocks that were run, if not all.
    pub only_blocks: Option<Vec<u32>>,
    /// The threads of these that were run, by number in the grid, if not all.
    pub only_threads: Option<Vec<u32>>,
    /// The instructions after which it was cut off, if it was.
    pub cut_after: Option<u64>,
    /// Warps of so many threads run in lock step.
    pub lock_step: Option<u32>,
}

impl Run {
    /// A run of all blocks in order, with no arguments yet.
    pub fn new(launch: Launch) -> Run {
        Run {
            launch,
            inputs: Inputs { other_scalars: Some(0), ..Inputs::new() },
            schedule: Schedule::InOrder,
            seed: 0,
            unknown_below: None,
            only_blocks: None,
            only_threads: None,
            cut_after: None,
            lock_step: None,
        }
    }

    /// How the interpreter is asked for it.
    pub fn options(&self, steps: u64) -> RunOptions {
        RunOptions {
            schedule: self.schedule,
            seed: self.seed,
            limits: Limits {
                steps: steps.min(self.cut_after.unwrap_or(u64::MAX)),
                conflicts: CONFLICTS.max(steps / STEPS_OF_A_CONFLICT),
                thread_steps: THREAD_STEPS,
                memory: MEMORY,
                ..Limits::default()
            },
            races: true,
            unknown_below: self.unknown_below,
            only_blocks: self.only_blocks.clone(),
            only_threads: self.only_threads.clone(),
            lock_step: self.lock_step,
        }
    }

    /// Runs the kernel, with at most so many instructions.
    pub fn perform(&self, module: &Module, kernel: Func, steps: u64) -> Result<Outcome, RunError> {
        duet_interp::run(module, kernel, &self.launch, &self.inputs, &self.options(steps))
    }

    /// The same with an observer.
    pub fn watch<O: Observer>(
        &self,
        module: &Module,
        kernel: Func,
        steps: u64,
        observer: &mut O,
    ) -> Result<Outcome, RunError> {
        let options = self.options(steps);
        run_observed(module, kernel, &self.launch, &self.inputs, &options, observer)
    }

    /// Threads that are run.
    pub fn threads(&self) -> u64 {
        if let Some(threads) = &self.only_threads {
            return threads.len() as u64;
        }
        let blocks = match &self.only_blocks {
            Some(blocks) => blocks.len() as u64,
            None => self.launch.blocks(),
        };
        blocks.saturating_mul(self.launch.threads_per_block())
    }

    /// How large the run is: threads, then arguments, then array cells that are not
    /// zero. Shrinking never makes it larger.
    pub fn weight(&self) -> (u64, u128, u64) {
        let scalars = self.inputs.scalars.values().copied().fold(0u128, u128::saturating_add);
        let cells = self.inputs.arrays.values().map(cells).fold(0u64, u64::saturating_add);
        (self.launch.threads(), scalars, cells)
    }
}

/// Cells that are not zero; contents that are not listed count as endless.
fn cells(input: &ArrayInput) -> u64 {
    match &input.fill {
        Fill::Zero => 0,
        Fill::Cells(cells) => cells.len() as u64,
        Fill::Ones
        | Fill::Byte(_)
        | Fill::Random(_)
        | Fill::Iota
        | Fill::Small(_)
        | Fill::Bytes(_)
        | Fill::Unknown => u64::MAX,
    }
}

/// The arrays whose first contents a launch may choose.
pub(crate) fn input_arrays(module: &Module, func: &Function) -> Vec<Array> {
    let is_input = |array: &Array| {
        let data = &module.arrays[*array];
        // The address of a function is an array of no bytes.
        let holds_something = data.size != Some(0) && data.init.is_none();
        holds_something
            && data.filled_at_launch().is_none()
            && matches!(data.space, Space::Global | Space::Constant)
    };
    func.arrays_used().into_iter().filter(is_input).collect()
}

/// How inputs name an array.
pub(crate) fn array_key(module: &Module, array: Array) -> Key {
    Key::Name(module.arrays[array].name.clone())
}
