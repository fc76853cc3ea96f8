//! What a run is made of: launches, scalar arguments, first contents of arrays, and
//! pointers to the same memory, each in the order in which they are tried. [`RunMaker`]
//! makes runs of them; it never looks at what a run shows.

mod aliases;
mod arguments;
mod contents;
mod launches;
mod small_runs;

use duet_analysis::{DataDependence, decisions};
use duet_interp::{ArrayInput, Key, Launch};
use duet_ir::{Array, Func, Function, WellFormed};

pub(crate) use aliases::Aliases;
pub(crate) use arguments::Arguments;
use arguments::Comparison;
use contents::ArrayUse;
pub(crate) use contents::Contents;

use crate::run::Run;
use crate::setting::Setting;

/// Contents that the choice of a launch may name, by number.
const SAMPLES: [Contents; 4] =
    [Contents::Zero, Contents::SmallInputs(4), Contents::Counting, Contents::Small(64)];

/// Makes up runs of a kernel.
pub struct RunMaker<'a> {
    pub(crate) module: &'a WellFormed,
    pub(crate) kernel: Func,
    pub(crate) func: &'a Function,
    pub(crate) setting: Setting,
    /// What preconditions compare with constants.
    comparisons: Vec<Comparison>,
    /// Numbers in the kernel.
    constants: Vec<u32>,
    /// What decides more than what is stored.
    decisive: DataDependence,
    /// The arrays whose first contents a launch chooses.
    arrays: Vec<(Array, ArrayUse)>,
    /// Can a thread run by itself, as no thread waits for others?
    pub(crate) may_run_some_threads: bool,
    /// May only some blocks be run?
    pub(crate) may_run_some_blocks: bool,
}

impl<'a> RunMaker<'a> {
    pub(crate) fn new(module: &'a WellFormed, kernel: Func, setting: Setting) -> RunMaker<'a> {
        let func = &module.functions[kernel];
        let decisive = DataDependence::through_memory(func, decisions(func));
        RunMaker {
            module,
            kernel,
            func,
            setting,
            comparisons: arguments::comparisons(func),
            constants: arguments::constants(func),
            arrays: contents::array_uses(module, func, &decisive),
            decisive,
            may_run_some_threads: false,
            may_run_some_blocks: false,
        }
    }

    /// Does more than what is stored depend on what arrays hold?
    pub(crate) fn contents_decide(&self) -> bool {
        self.arrays.iter().any(|(_, array)| array.decides)
    }

    /// A run of all blocks, with these arguments and contents.
    pub(crate) fn run(&self, launch: &Launch, arguments: Arguments, contents: Contents) -> Run {
        let lock_step = self.setting.warp_sync.filter(|size| *size > 1);
        let mut run = Run { lock_step, ..Run::new(launch.clone()) };
        run.inputs.scalars.extend(arguments);
        self.fill(&mut run.inputs, contents, None);
        self.fill_pointers(&mut run);
        run.unknown_below = (contents != Contents::Random).then_some(16);
        run
    }

    /// A run of a launch with these scalar arguments (by their positions among all
    /// parameters); the number chooses what arrays hold.
    pub fn sample(&self, launch: Launch, scalars: &[(usize, u128)], number: usize) -> Run {
        let mut run = Run::new(launch);
        let scalars = scalars.iter().map(|&(index, bits)| (Key::Index(index), bits));
        run.inputs.scalars.extend(scalars);
        run.inputs.other_arrays = ArrayInput::default();
        self.fill(&mut run.inputs, SAMPLES[number % SAMPLES.len()], None);
        run.unknown_below = Some(16);
        run
    }
}
