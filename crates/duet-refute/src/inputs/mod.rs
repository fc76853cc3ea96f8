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
use duet_ir::{Array, Func, Function, GhostKind, InstData, Type, WellFormed};

pub(crate) use aliases::Aliases;
use arguments::Comparison;
pub(crate) use arguments::{Arguments, bits_of};
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

    /// What the array's elements are, as far as their size tells: floating-point numbers, or
    /// integers.
    pub(crate) fn element_type(&self, array: Array) -> Type {
        let of = self.arrays.iter().find(|(other, _)| *other == array);
        let is_float = of.is_some_and(|(_, array_use)| array_use.is_float);
        match (is_float, self.module.arrays[array].granule) {
            (true, 4) => Type::F32,
            (true, 8) => Type::F64,
            _ => Type::Int(64),
        }
    }

    /// Does something that is stated name a sum over a part of an array?
    pub(crate) fn has_sums(&self) -> bool {
        let is_sum =
            |data: &InstData| matches!(data, InstData::Ghost { kind: GhostKind::Fold, .. });
        self.func.insts_in_order().any(|inst| is_sum(&self.func.insts[inst]))
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
