//! Runs of a kernel on inputs that its preconditions allow.
//!
//! A kernel file says how it is launched, but not with which arguments. Here
//! arguments are guessed: for each scalar the constants that preconditions want
//! it to equal, then numbers that go with the launch, then small ones and the
//! bounds that preconditions set; runs that are refused don't count. What
//! preconditions say of memory is filled in; the rest is as [`Contents`] says.

use std::collections::{BTreeMap, BTreeSet};

use duet_engine::{Size, Sizes};
use duet_interp::{
    ArrayInput, Fill, Inputs, Key, Launch, Limits, Observer, Outcome, RunError, RunOptions,
    Schedule, Site, Status, ThreadPos,
};
use duet_ir::{
    AnnotationKind, Array, BinaryOp, FloatCc, Func, Function, InstData, IntCc, Module, Space, Type,
    Value,
};

use super::KernelFile;

/// Combinations of scalars that are looked at.
const MAX_COMBINATIONS: usize = 4000;
/// Instructions of a run; the kernels of this folder need far fewer.
const MAX_STEPS: u64 = 4_000_000;

/// The orders of threads that every kernel is run in.
pub const SCHEDULES: [Schedule; 3] = [Schedule::InOrder, Schedule::Reversed, Schedule::Seeded(7)];

/// A run that was not refused.
pub struct Trial {
    /// What it was run on.
    pub launch: Launch,
    /// The arguments.
    pub inputs: Inputs,
    /// The order.
    pub schedule: Schedule,
    /// What happened.
    pub outcome: Outcome,
}

/// What arrays without an initialiser hold, and what unknown values are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Contents {
    /// Random.
    Random,
    /// Random where the kernel only reads, zero where it writes: the usual state
    /// of outputs and counters.
    RandomInputs,
    /// 0, 1, 2, ...
    Counting,
    /// All 1.
    Ones,
    /// All 0; and the unknown values of the run are small.
    Zero,
}

impl Contents {
    /// All of them.
    pub const ALL: [Contents; 5] = [
        Contents::Random,
        Contents::RandomInputs,
        Contents::Counting,
        Contents::Ones,
        Contents::Zero,
    ];

    fn fill(self, is_written: bool) -> Fill {
        match self {
            Contents::Random => Fill::Unknown,
            Contents::RandomInputs if is_written => Fill::Zero,
            Contents::RandomInputs => Fill::Random(11),
            Contents::Counting => Fill::Iota,
            Contents::Ones => Fill::Ones,
            Contents::Zero => Fill::Zero,
        }
    }
}

/// Makes unknown values small, so that they have a chance to be equal.
struct SmallUnknowns;

impl Observer for SmallUnknowns {
    fn unknown(&mut self, _: ThreadPos, _: Site, _: u64, default: u128) -> u128 {
        default % 16
    }
}

/// The launches that a header allows: the one it names, or, where sizes are
/// free, some small ones.
pub fn launches(file: &KernelFile) -> Vec<Launch> {
    let sizes = file.sizes();
    let grid_sizes = sizes.grid().unwrap_or_else(|error| panic!("{}: {error}", file.name));
    let is_free =
        |sizes: &Option<Sizes>| sizes.as_ref().is_none_or(|sizes| sizes.0.contains(&Size::Any));
    let choices: &[(u32, u32)] = match is_free(&sizes.block) || is_free(&grid_sizes) {
        // The last is square in two dimensions.
        true => &[(64, 2), (8, 3), (32, 1), (4, 2)],
        false => &[(1, 1)],
    };
    let launch = |&(block, grid): &(u32, u32)| {
        let block = numbers(&sizes.block, block);
        let mut launch = Launch::new(numbers(&grid_sizes, grid), block);
        if let Some(grid) = &grid_sizes {
            launch.work_dim = grid.0.len() as u32;
        }
        if let Some(offset) = &sizes.offset {
            for (dim, size) in offset.0.iter().enumerate() {
                launch.global_offset[dim] = number(*size, 0);
            }
        }
        launch
    };
    choices.iter().map(launch).collect()
}

/// Three numbers; the first free one is `free`, further free ones are small.
fn numbers(sizes: &Option<Sizes>, free: u32) -> [u32; 3] {
    let Some(sizes) = sizes else { return [free, 1, 1] };
    let mut numbers = [1; 3];
    for (dim, size) in sizes.0.iter().enumerate() {
        numbers[dim] = number(*size, if dim == 0 { free } else { free.min(4) });
    }
    numbers
}

fn number(size: Size, free: u32) -> u32 {
    match size {
        Size::Number(number) => number,
        Size::Any => free,
    }
}

/// Runs a kernel of a file on one launch and one kind of contents, in every
/// order, on up to `limit` choices of arguments that its preconditions allow.
pub fn trials(
    file: &KernelFile,
    module: &Module,
    kernel: Func,
    (launch, contents): (&Launch, Contents),
    limit: usize,
) -> Result<Vec<Trial>, RunError> {
    let base = given_inputs(file, module, kernel, contents);
    let pools = pools(&module.functions[kernel], launch, &base);
    let mut trials = vec![];
    for scalars in combinations(&pools) {
        let mut inputs = base.clone();
        inputs.scalars.extend(scalars);
        for schedule in SCHEDULES {
            let trial = run(module, kernel, launch, &inputs, (schedule, contents))?;
            if !trial.outcome.is_legal() {
                break;
            }
            trials.push(trial);
        }
        if trials.len() >= limit * SCHEDULES.len() {
            break;
        }
    }
    Ok(trials)
}

/// Did the run keep to preconditions and assumptions?
trait Legal {
    fn is_legal(&self) -> bool;
}

impl Legal for Outcome {
    fn is_legal(&self) -> bool {
        !matches!(self.status, Status::RequirementFailed(_) | Status::AssumptionFailed(_))
    }
}

fn run(
    module: &Module,
    kernel: Func,
    launch: &Launch,
    inputs: &Inputs,
    (schedule, contents): (Schedule, Contents),
) -> Result<Trial, RunError> {
    let limits = Limits { steps: MAX_STEPS, ..Limits::default() };
    let options = RunOptions { schedule, seed: 1, limits, ..RunOptions::default() };
    let outcome = match contents {
        Contents::Zero => {
            duet_interp::run_observed(module, kernel, launch, inputs, &options, &mut SmallUnknowns)
        }
        _ => duet_interp::run(module, kernel, launch, inputs, &options),
    }?;
    Ok(Trial { launch: launch.clone(), inputs: inputs.clone(), schedule, outcome })
}

/// The contents of arrays, and what `--kernel-args=K,v...` and
/// `--kernel-arrays=K,s...` say.
fn given_inputs(file: &KernelFile, module: &Module, kernel: Func, contents: Contents) -> Inputs {
    let function = &module.functions[kernel];
    let of_kernel = |option: &'static str| {
        let values = file.header.values(option).map(|value| value.split(',').collect::<Vec<_>>());
        values.filter(|words| words[0] == function.name).flat_map(|words| words[1..].to_vec())
    };
    let mut inputs = Inputs { arrays: array_inputs(module, function, contents), ..Inputs::new() };
    for ((index, _, _), word) in scalar_params(function).into_iter().zip(of_kernel("--kernel-args"))
    {
        if let Some(digits) = word.strip_prefix("0x") {
            let bits = u128::from_str_radix(digits, 16).expect("a hexadecimal number");
            inputs.scalars.insert(Key::Index(index), bits);
        }
    }
    for (array, word) in array_params(function).into_iter().zip(of_kernel("--kernel-arrays")) {
        let input = inputs.arrays.entry(name_of(module, array)).or_default();
        input.bytes = word.parse().ok();
    }
    inputs
}

fn name_of(module: &Module, array: Array) -> Key {
    Key::Name(module.arrays[array].name.clone())
}

fn array_params(function: &Function) -> Vec<Array> {
    function.array_params().map(|param| param.array).collect()
}

/// The contents of every array that the source does not initialise.
fn array_inputs(
    module: &Module,
    function: &Function,
    contents: Contents,
) -> BTreeMap<Key, ArrayInput> {
    let written = written_arrays(function);
    let wanted = wanted_contents(function);
    let arrays = function.arrays_used().into_iter().filter(|&array| {
        let data = &module.arrays[array];
        data.init.is_none() && matches!(data.space, Space::Global | Space::Constant)
    });
    arrays
        .map(|array| {
            let fill = match wanted.get(&array) {
                Some(bytes) => Fill::Bytes(bytes.clone()),
                None => contents.fill(written.contains(&array)),
            };
            (name_of(module, array), ArrayInput { fill, bytes: None })
        })
        .collect()
}

fn written_arrays(function: &Function) -> BTreeSet<Array> {
    let accesses = function.insts_in_order().flat_map(|inst| function.insts[inst].accesses());
    let written = accesses.filter(|(mode, _)| mode.may_write() || mode.is_atomic());
    written.map(|(_, access)| access.array).collect()
}

/// The scalar parameters: position, value, type.
fn scalar_params(function: &Function) -> Vec<(usize, Value, Type)> {
    function.scalar_params().map(|param| (param.index, param.value, param.ty)).collect()
}

/// Values to try for each scalar parameter that is not given, best first.
fn pools(function: &Function, launch: &Launch, given: &Inputs) -> Vec<(usize, Vec<u128>)> {
    let comparisons = comparisons(function);
    let constants = |value: Value, exact: bool| {
        let of_value = comparisons.iter().filter(move |one| one.is_exact == exact);
        of_value.filter(move |one| source(function, one.value) == value).map(|one| one.bits)
    };
    let params = scalar_params(function).into_iter();
    let free = params.filter(|(index, ..)| !given.scalars.contains_key(&Key::Index(*index)));
    free.map(|(index, value, ty)| {
        let usual = usual_values(launch).map(|number| bits_of(number, ty));
        let bounds = constants(value, false).flat_map(|bits| [bits, bits + 1, bits.max(1) - 1]);
        let pool = constants(value, true).chain(usual).chain(bounds);
        let mut seen = BTreeSet::new();
        (index, pool.filter(|&bits| seen.insert(bits)).collect())
    })
    .collect()
}

/// Numbers that arguments of kernels often are.
fn usual_values(launch: &Launch) -> impl Iterator<Item = u32> + use<> {
    let total = launch.grid[0].wrapping_mul(launch.block[0]);
    [total, launch.block[0], 1, 0, 4, 2, 3, 16, 32, 64, launch.grid[0], 100, 1000].into_iter()
}

fn bits_of(number: u32, ty: Type) -> u128 {
    match ty {
        Type::F32 => u128::from((number as f32).to_bits()),
        Type::F64 => u128::from(f64::from(number).to_bits()),
        _ => u128::from(number) & (u128::MAX >> (128 - ty.bits().unwrap_or(128))),
    }
}

/// A comparison with a constant in a precondition.
struct Comparison {
    value: Value,
    bits: u128,
    /// With `==`.
    is_exact: bool,
}

/// What preconditions compare with constants.
fn comparisons(function: &Function) -> Vec<Comparison> {
    use AnnotationKind::{Assume, GlobalRequires, Requires};
    let mut found = vec![];
    for inst in function.insts_in_order() {
        if let InstData::Annotation { kind: Requires | GlobalRequires | Assume, args } =
            &function.insts[inst]
        {
            note_comparisons(function, args[0], &mut found);
        }
    }
    found
}

fn note_comparisons(function: &Function, cond: Value, found: &mut Vec<Comparison>) {
    let Some(data) = function.definition(cond) else { return };
    let (args, is_exact) = match data {
        InstData::Binary { op: BinaryOp::And, args, .. } => {
            args.iter().for_each(|&arg| note_comparisons(function, arg, found));
            return;
        }
        InstData::Cast { arg, .. } => return note_comparisons(function, *arg, found),
        InstData::IntCompare { cc, args } => (args, *cc == IntCc::Eq),
        InstData::FloatCompare { cc, args } => (args, *cc == FloatCc::Oeq),
        _ => return,
    };
    for (value, other) in [(args[0], args[1]), (args[1], args[0])] {
        note_comparisons(function, value, found);
        let bits = function.const_bits(other);
        found.extend(bits.map(|bits| Comparison { value, bits, is_exact }));
    }
}

/// The bytes that preconditions want at the start of arrays.
fn wanted_contents(function: &Function) -> BTreeMap<Array, Vec<u8>> {
    let mut wanted = BTreeMap::new();
    for Comparison { value, bits, is_exact } in comparisons(function) {
        if let Some(InstData::Load { access, ty, lanes: 1 }) = function.definition(value)
            && is_exact
            && function.const_bits(access.offset) == Some(0)
        {
            let len = ty.bits().unwrap_or(0) as usize / 8;
            wanted.insert(access.array, bits.to_le_bytes()[..len].to_vec());
        }
    }
    wanted
}

/// The value that casts start from.
fn source(function: &Function, value: Value) -> Value {
    match function.definition(value) {
        Some(InstData::Cast { arg, .. }) => source(function, *arg),
        _ => value,
    }
}

/// All ways to choose a value for each parameter, the first of every pool first.
fn combinations(pools: &[(usize, Vec<u128>)]) -> impl Iterator<Item = BTreeMap<Key, u128>> + '_ {
    let total = pools.iter().fold(1usize, |total, (_, pool)| total.saturating_mul(pool.len()));
    (0..total.min(MAX_COMBINATIONS)).map(move |mut number| {
        let mut scalars = BTreeMap::new();
        for (index, pool) in pools {
            scalars.insert(Key::Index(*index), pool[number % pool.len()]);
            number /= pool.len();
        }
        scalars
    })
}
