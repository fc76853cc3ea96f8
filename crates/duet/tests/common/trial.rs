//! Runs of a kernel on inputs that its preconditions allow.
//!
//! A kernel file says how it is launched, but not with which arguments. Here
//! arguments are guessed: for each scalar the constants that preconditions
//! compare it with, then numbers that go with the launch, then small ones, until
//! a run is not refused. Array contents are random, counting, ones and zeros.

use std::collections::BTreeMap;

use duet_engine::{Size, Sizes};
use duet_interp::{
    ArrayInput, Fill, Inputs, Key, Launch, Limits, Outcome, RunError, RunOptions, Schedule, Status,
};
use duet_ir::{
    AnnotationKind, BinaryOp, Func, Function, InstData, Module, ParamKind, Type, Value, ValueDef,
};

use super::KernelFile;

/// Combinations of scalars that are tried before a kernel counts as one that
/// cannot be run.
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

/// The contents that arrays are given, each with a seed for what is unknown.
pub fn fills() -> [(Fill, u64); 4] {
    [(Fill::Unknown, 1), (Fill::Iota, 2), (Fill::Ones, 3), (Fill::Zero, 4)]
}

/// The launches that a header allows: the one it names, or, where sizes are
/// free, some small ones.
pub fn launches(file: &KernelFile) -> Vec<Launch> {
    let sizes = file.sizes();
    let grid_sizes = sizes.grid().unwrap_or_else(|error| panic!("{}: {error}", file.name));
    let is_free = |sizes: &Option<Sizes>| {
        sizes.as_ref().is_none_or(|sizes| sizes.0.contains(&Size::Any))
    };
    let choices: &[(u32, u32)] = match is_free(&sizes.block) || is_free(&grid_sizes) {
        true => &[(64, 2), (8, 3), (32, 1)],
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
/// order, on the first arguments that its preconditions allow.
pub fn trials(
    file: &KernelFile,
    module: &Module,
    kernel: Func,
    launch: &Launch,
    (fill, seed): (Fill, u64),
) -> Result<Vec<Trial>, RunError> {
    let mut base = given_inputs(file, module, kernel);
    base.other_arrays = ArrayInput { fill, bytes: None };
    let pools = pools(&module.functions[kernel], launch, &base);
    for scalars in combinations(&pools) {
        let mut inputs = base.clone();
        inputs.scalars.extend(scalars);
        let runs: Vec<Trial> = SCHEDULES
            .iter()
            .map(|&schedule| run(module, kernel, launch, &inputs, schedule, seed))
            .take_while(|run| run.as_ref().map_or(true, |trial| trial.outcome.is_legal()))
            .collect::<Result<_, _>>()?;
        if !runs.is_empty() {
            return Ok(runs);
        }
    }
    Ok(vec![])
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
    schedule: Schedule,
    seed: u64,
) -> Result<Trial, RunError> {
    let limits = Limits { steps: MAX_STEPS, ..Limits::default() };
    let options = RunOptions { schedule, seed, limits, ..RunOptions::default() };
    let outcome = duet_interp::run(module, kernel, launch, inputs, &options)?;
    Ok(Trial { launch: launch.clone(), inputs: inputs.clone(), schedule, outcome })
}

/// What `--kernel-args=K,v...` and `--kernel-arrays=K,s...` say.
fn given_inputs(file: &KernelFile, module: &Module, kernel: Func) -> Inputs {
    let function = &module.functions[kernel];
    let of_kernel = |option: &'static str| {
        let values = file.header.values(option).map(|value| value.split(',').collect::<Vec<_>>());
        values.filter(|words| words[0] == function.name).flat_map(|words| words[1..].to_vec())
    };
    let mut inputs = Inputs::new();
    for ((index, _, _), word) in scalar_params(function).into_iter().zip(of_kernel("--kernel-args")) {
        if let Some(digits) = word.strip_prefix("0x") {
            let bits = u128::from_str_radix(digits, 16).expect("a hexadecimal number");
            inputs.scalars.insert(Key::Index(index), bits);
        }
    }
    let arrays = function.params.iter().enumerate().filter(|(_, param)| matches!(param.kind, ParamKind::Array(_)));
    for ((index, _), word) in arrays.zip(of_kernel("--kernel-arrays")) {
        if let Ok(bytes) = word.parse() {
            inputs.arrays.insert(Key::Index(index), ArrayInput::new(Fill::Unknown, bytes));
        }
    }
    inputs
}

/// The scalar parameters: position, value, type.
fn scalar_params(function: &Function) -> Vec<(usize, Value, Type)> {
    let params = function.params.iter().enumerate();
    params
        .filter_map(|(index, param)| match param.kind {
            ParamKind::Scalar(value) => Some((index, value, function.type_of(value))),
            ParamKind::Array(_) | ParamKind::Pointer(..) => None,
        })
        .collect()
}

/// Values to try for each scalar parameter that is not given, best first.
fn pools(function: &Function, launch: &Launch, given: &Inputs) -> Vec<(usize, Vec<u128>)> {
    let hints = hints(function);
    let params = scalar_params(function);
    let free = params.into_iter().filter(|(index, ..)| !given.scalars.contains_key(&Key::Index(*index)));
    free.map(|(index, value, ty)| {
        let mut pool = hints.get(&value).cloned().unwrap_or_default();
        pool.extend(usual_values(launch).map(|number| bits_of(number, ty)));
        let mut seen = std::collections::HashSet::new();
        pool.retain(|&bits| seen.insert(bits));
        (index, pool)
    })
    .collect()
}

/// Numbers that arguments of kernels often are.
fn usual_values(launch: &Launch) -> impl Iterator<Item = u32> + use<> {
    let total = launch.grid[0].wrapping_mul(launch.block[0]);
    [total, launch.block[0], 4, 1, 2, 0, 3, 16, 32, 64, launch.grid[0], 100, 1000].into_iter()
}

fn bits_of(number: u32, ty: Type) -> u128 {
    match ty {
        Type::F32 => u128::from((number as f32).to_bits()),
        Type::F64 => u128::from(f64::from(number).to_bits()),
        _ => u128::from(number) & (u128::MAX >> (128 - ty.bits().unwrap_or(128))),
    }
}

/// The constants that preconditions compare each parameter with.
fn hints(function: &Function) -> BTreeMap<Value, Vec<u128>> {
    let mut hints = BTreeMap::new();
    for &block in &function.layout {
        for &inst in &function.blocks[block].insts {
            if let InstData::Annotation {
                kind: AnnotationKind::Requires | AnnotationKind::GlobalRequires | AnnotationKind::Assume,
                args,
            } = &function.insts[inst]
            {
                note_comparisons(function, args[0], &mut hints);
            }
        }
    }
    hints
}

fn note_comparisons(function: &Function, cond: Value, hints: &mut BTreeMap<Value, Vec<u128>>) {
    let ValueDef::Result(inst, _) = function.values[cond] else { return };
    match &function.insts[inst] {
        InstData::Binary { op: BinaryOp::And, args: [a, b], .. } => {
            note_comparisons(function, *a, hints);
            note_comparisons(function, *b, hints);
        }
        InstData::Cast { arg, .. } => note_comparisons(function, *arg, hints),
        InstData::IntCompare { args: [a, b], .. } => {
            for (side, other) in [(a, b), (b, a)] {
                note_comparisons(function, *side, hints);
                if let Some(bits) = function.const_bits(*other) {
                    let bits = [bits, bits.wrapping_add(1), bits.wrapping_sub(1) & 0xffff_ffff];
                    hints.entry(source(function, *side)).or_default().extend(bits);
                }
            }
        }
        _ => {}
    }
}

/// The value that casts start from.
fn source(function: &Function, value: Value) -> Value {
    match function.values[value] {
        ValueDef::Result(inst, _) => match &function.insts[inst] {
            InstData::Cast { arg, .. } => source(function, *arg),
            _ => value,
        },
        _ => value,
    }
}

/// All ways to choose a value for each parameter, the first of every pool first.
fn combinations(
    pools: &[(usize, Vec<u128>)],
) -> impl Iterator<Item = BTreeMap<Key, u128>> + '_ {
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
