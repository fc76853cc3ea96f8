//! First contents of arrays that are tried.

use std::collections::{BTreeMap, BTreeSet};

use duet_analysis::{DataDependence, offsets};
use duet_interp::{ArrayInput, Fill, Inputs, Small, SmallKind};
use duet_ir::{
    AnnotationKind, Array, BinaryOp, Const, Found, Function, Inst, InstData, IntCc, Module,
    Operation, Value, ValueDef,
};
use duet_vc::Witness;

use super::RunMaker;
use super::arguments::source;
use crate::run::{Run, array_key, input_arrays};

/// Elements of [`Contents::Few`] that are not 0.
const FEW: u64 = 64;

/// What arrays hold before the kernel runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Contents {
    /// Zeros.
    Zero,
    /// Small numbers where the kernel only reads, zeros where it writes.
    SmallInputs(u32),
    /// Small numbers.
    Small(u32),
    /// 0, 1, 2, ..., but small numbers where they are floating-point.
    Counting,
    /// All 1.
    Ones,
    /// Small numbers from -1 on, but from 0 on where they decide where memory is touched:
    /// many a kernel marks what it has not seen yet with -1.
    Signed,
    /// Random bytes.
    Random,
    /// A few small numbers that are not 0 at the start of arrays that the kernel only reads,
    /// zeros elsewhere: sums over parts of the array differ, and those over all of it, or
    /// over what is beyond it, have an end.
    Few,
    /// Counting numbers, small numbers and zeros in turn, beginning with the one of
    /// this number: an array of indices and one of values seldom want the same.
    Mixed(usize),
}

impl Contents {
    /// All that are tried, the easiest to read first.
    pub(crate) const ALL: [Contents; 13] = [
        Contents::Zero,
        Contents::Counting,
        Contents::SmallInputs(4),
        Contents::Signed,
        Contents::Small(4),
        Contents::SmallInputs(64),
        Contents::Mixed(0),
        Contents::Mixed(1),
        Contents::Mixed(2),
        Contents::Ones,
        Contents::Small(2),
        Contents::Random,
        Contents::Few,
    ];

    /// Its place among all.
    pub(crate) fn number(self) -> usize {
        Contents::ALL.iter().position(|one| *one == self).unwrap_or(Contents::ALL.len())
    }

    fn fill(self, number: usize, array: ArrayUse) -> Fill {
        if array.is_flag {
            return Fill::Zero;
        }
        let kind = if array.is_float { SmallKind::Float } else { SmallKind::Natural };
        let small = |below| Fill::Small(Small { seed: 1, below, kind });
        // As bits of floating-point numbers 0, 1, 2, ... are so small that products vanish.
        let counting = if array.is_float { small(64) } else { Fill::Iota };
        match self {
            Contents::Zero => Fill::Zero,
            Contents::SmallInputs(_) if array.is_written => Fill::Zero,
            Contents::Signed if array.is_float || array.has_indices => small(4),
            Contents::Signed => Fill::Small(Small { seed: 1, below: 4, kind: SmallKind::Signed }),
            Contents::SmallInputs(below) | Contents::Small(below) => small(below),
            Contents::Counting => counting,
            Contents::Few if array.is_written => Fill::Zero,
            Contents::Few if array.is_float => small(4),
            Contents::Few => {
                Fill::Cells((0..FEW).map(|index| (index, u128::from(1 + index % 3))).collect())
            }
            Contents::Ones => Fill::Ones,
            Contents::Random => Fill::Random(1),
            Contents::Mixed(first) => match (first + number) % 3 {
                0 => counting,
                1 => small(4),
                _ => Fill::Zero,
            },
        }
    }
}

/// What a kernel does with an array.
#[derive(Clone, Copy, Debug)]
pub(super) struct ArrayUse {
    /// It writes it.
    is_written: bool,
    /// It reads floating-point numbers from it.
    pub(super) is_float: bool,
    /// What it reads from it decides where memory is touched.
    has_indices: bool,
    /// What it reads from it decides more than what is stored.
    pub(super) decides: bool,
    /// It orders accesses by fences, and touches it by atomic or volatile accesses: it may
    /// hold flags, locks or counters, which begin at zero unless the source says otherwise.
    /// A flag that is set from the start orders nothing, and that is the host's fault.
    is_flag: bool,
}

/// Elements that preconditions want to be pointers: array, index, and the array that
/// the pointer names.
fn wanted_pointers(module: &Module, func: &Function) -> Vec<(Array, u64, Array)> {
    use AnnotationKind::{Assume, GlobalRequires, Requires};
    let mut found = vec![];
    for inst in func.insts_in_order() {
        if let InstData::Annotation { kind: Requires | GlobalRequires | Assume, args } =
            &func.insts[inst]
        {
            note_pointers(module, func, args[0], &mut found);
        }
    }
    found
}

fn note_pointers(
    module: &Module,
    func: &Function,
    condition: Value,
    found: &mut Vec<(Array, u64, Array)>,
) {
    match func.operation_of(condition) {
        Some(Operation::Binary { op: BinaryOp::And, args, .. }) => {
            args.iter().for_each(|&arg| note_pointers(module, func, arg, found));
        }
        // A pointer is compared as its array, and then its offset.
        Some(Operation::Select { cond, args: [then, other] })
            if func.const_bits(other) == Some(0) =>
        {
            [cond, then].iter().for_each(|&arg| note_pointers(module, func, arg, found));
        }
        Some(Operation::IntCompare { cc: IntCc::Eq, args: [a, b] }) => {
            for (pointer, other) in [(a, b), (b, a)] {
                let Some(Const::Array(target)) = func.const_of(other) else { continue };
                let cell = loaded_pointer(module, func, pointer);
                found.extend(cell.map(|(table, index)| (table, index, target)));
            }
        }
        Some(
            Operation::Binary { .. }
            | Operation::Unary { .. }
            | Operation::Cast { .. }
            | Operation::IntCompare { .. }
            | Operation::FloatCompare { .. }
            | Operation::Select { .. }
            | Operation::Geometry(_),
        )
        | None => {}
    }
}

/// The element that a pointer was loaded from.
fn loaded_pointer(module: &Module, func: &Function, pointer: Value) -> Option<(Array, u64)> {
    let ValueDef::Result(cast, _) = func.values[pointer] else { return None };
    let InstData::IntToPtr { arg, .. } = &func.insts[cast] else { return None };
    let ValueDef::Result(load, _) = func.values[*arg] else { return None };
    let InstData::Load { access, lanes: 1, .. } = &func.insts[load] else { return None };
    let offset = u64::try_from(func.const_bits(access.offset)?).ok()?;
    Some((access.array, offset / u64::from(module.arrays[access.array].granule.max(1))))
}

impl RunMaker<'_> {
    /// Fills the arrays. What preconditions say of elements comes first, then what
    /// a model says.
    pub(crate) fn fill(&self, inputs: &mut Inputs, contents: Contents, model: Option<&Witness>) {
        let wanted = self.wanted_cells();
        for (number, &(array, array_use)) in self.arrays.iter().enumerate() {
            let fill = contents.fill(number, array_use);
            let model = model.filter(|_| !array_use.is_flag);
            let mut cells = self.model_cells(array, model);
            cells.extend(wanted.get(&array).cloned().unwrap_or_default());
            let fill = if cells.is_empty() { fill } else { Fill::Cells(cells) };
            let bytes = self.array_size(array);
            inputs.arrays.insert(array_key(self.module, array), ArrayInput { fill, bytes });
        }
    }

    /// Puts the pointers into memory that preconditions ask for.
    pub(crate) fn fill_pointers(&self, run: &mut Run) {
        for (table, index, target) in wanted_pointers(self.module, self.func) {
            let (module, kernel) = (self.module, self.kernel);
            let address = duet_interp::address_of(module, kernel, &run.launch, &run.inputs, target);
            let input = run.inputs.arrays.get_mut(&array_key(module, table));
            let (Some(address), Some(input)) = (address, input) else { continue };
            let cells = match &mut input.fill {
                Fill::Cells(cells) => cells,
                other @ Fill::Zero
                | other @ Fill::Ones
                | other @ Fill::Byte(_)
                | other @ Fill::Random(_)
                | other @ Fill::Iota
                | other @ Fill::Small(_)
                | other @ Fill::Bytes(_)
                | other @ Fill::Unknown => {
                    *other = Fill::Cells(BTreeMap::new());
                    let Fill::Cells(cells) = other else { continue };
                    cells
                }
            };
            cells.insert(index, u128::from(address));
        }
    }

    /// The size that an option gives for the array behind a pointer.
    fn array_size(&self, array: Array) -> Option<u64> {
        let pointers = self.func.array_params().map(|param| param.array);
        let mut given = pointers.zip(&self.setting.array_sizes);
        given.find(|(pointer, _)| *pointer == array).and_then(|(_, size)| *size)
    }

    /// Elements that a model gives, by their index.
    fn model_cells(&self, array: Array, model: Option<&Witness>) -> BTreeMap<u64, u128> {
        let name = &self.module.arrays[array].name;
        let contents = model.into_iter().flat_map(|model| &model.contents);
        contents.filter(|(other, _)| other == name).flat_map(|(_, cells)| cells.clone()).collect()
    }

    /// Elements that preconditions ask for, by their index.
    fn wanted_cells(&self) -> BTreeMap<Array, BTreeMap<u64, u128>> {
        let mut wanted: BTreeMap<Array, BTreeMap<u64, u128>> = BTreeMap::new();
        for comparison in self.comparisons.iter().filter(|one| one.is_exact) {
            let value = source(self.func, comparison.value);
            let Some(InstData::Load { access, lanes: 1, .. }) = self.func.definition(value) else {
                continue;
            };
            let Some(offset) = self.func.const_bits(access.offset) else { continue };
            let granule = u128::from(self.module.arrays[access.array].granule.max(1));
            if let Ok(index) = u64::try_from(offset / granule) {
                // What is assumed later may be of another moment.
                let cells = wanted.entry(access.array).or_default();
                cells.entry(index).or_insert(comparison.bits);
            }
        }
        wanted
    }
}

/// The arrays whose first contents a launch may choose, with what the kernel does with
/// them.
pub(super) fn array_uses(
    module: &Module,
    func: &Function,
    decisive: &DataDependence,
) -> Vec<(Array, ArrayUse)> {
    let indices = DataDependence::through_memory(func, offsets(func));
    let (indices, decisive) = (loaded_from(func, &indices), loaded_from(func, decisive));
    let (written, floats) = (written_arrays(func), float_arrays(func));
    // SOUNDNESS: memory that the host never sets may hold anything, flags or not
    // (kernels/programs/last-block-unset-bug.cu).
    let mut flags = flag_arrays(func);
    flags.retain(|&array| module.arrays[array].found != Found::Unset);
    let with_use = |array: Array| {
        let (is_written, is_float) = (written.contains(&array), floats.contains(&array));
        let (has_indices, decides) = (indices.contains(&array), decisive.contains(&array));
        let is_flag = flags.contains(&array);
        (array, ArrayUse { is_written, is_float, has_indices, decides, is_flag })
    };
    input_arrays(module, func).into_iter().map(with_use).collect()
}

pub(super) fn written_arrays(func: &Function) -> BTreeSet<Array> {
    let accesses = func.insts_in_order().flat_map(|inst| func.insts[inst].accesses());
    let written = accesses.filter(|(mode, _)| mode.may_write() || mode.is_atomic());
    written.map(|(_, access)| access.array).collect()
}

/// Arrays that may hold flags.
fn flag_arrays(func: &Function) -> BTreeSet<Array> {
    if !func.insts_in_order().any(|inst| func.insts[inst].may_order_others()) {
        return BTreeSet::new();
    }
    let accesses = func.insts_in_order().flat_map(|inst| func.insts[inst].accesses());
    let strong = accesses.filter(|(mode, access)| mode.is_atomic() || access.volatile);
    strong.map(|(_, access)| access.array).collect()
}

/// Arrays that are read as floating-point numbers.
fn float_arrays(func: &Function) -> BTreeSet<Array> {
    func.insts_in_order()
        .filter_map(|inst| {
            let InstData::Load { access, ty, .. } = &func.insts[inst] else { return None };
            ty.is_float().then_some(access.array)
        })
        .collect()
}

/// Arrays that some of the values are loaded from.
fn loaded_from(func: &Function, values: &DataDependence) -> BTreeSet<Array> {
    let is_one = |inst: &Inst| func.results_of[*inst].iter().any(|&value| values.contains(value));
    func.insts_in_order()
        .filter(is_one)
        .flat_map(|inst| func.insts[inst].accesses())
        .map(|(_, access)| access.array)
        .collect()
}
