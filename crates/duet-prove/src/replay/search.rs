//! Runs that meet the preconditions, and what they show of each postcondition.

use std::collections::{BTreeMap, BTreeSet};

use duet_analysis::LaunchSpec;
use duet_interp::{
    Fill, FindingKind, Observer, Outcome, Site, Small, SmallKind, Status, ThreadPos,
};
use duet_ir::{Array, FloatType, Func, InstData, Module, ScalarType, Type, WellFormed};
use duet_refute::Run;
use duet_spec::{ClauseKind, Expr};

use super::arguments::launches;
use super::eval::{Counterexample, Evaluator, Scope, World};
use super::world::{RunWorld, set_contents};
use crate::contract::{Bound, Named};

/// Instances of quantifiers that are looked at in one run.
const INSTANCES: u64 = 1 << 18;
/// Instructions of one run.
const STEPS: u64 = 4_000_000;
/// Instructions of all runs.
const ALL_STEPS: u64 = 60_000_000;
/// Runs that are made at most.
const RUNS: u32 = 160;
/// Contents that are tried for each launch.
const CONTENTS: usize = 5;
/// Inputs that are looked at, whether they meet the preconditions or not.
const ATTEMPTS: u32 = 4000;

/// A postcondition that a run breaks.
#[derive(Clone, Debug)]
pub struct Broken {
    /// Which of the postconditions, or the frame after the last one.
    pub clause: usize,
    /// The instance.
    pub instance: Counterexample,
    /// The cell's array, by its name in the source, and who wrote it last.
    pub cell: Option<(String, i128)>,
    /// The thread that wrote the cell last, with the line.
    pub writer: Option<(ThreadPos, Site)>,
    /// The run.
    pub run: Run,
    /// The ghost variables.
    pub ghosts: BTreeMap<String, i128>,
}

/// What a search showed.
#[derive(Clone, Debug, Default)]
pub struct Searched {
    /// The first postcondition that was found broken.
    pub broken: Option<Broken>,
    /// For each postcondition: a run met the preconditions, ended, and its guard held.
    pub met: Vec<bool>,
    /// A run met the preconditions and ended.
    pub any: bool,
    /// Runs that counted.
    pub runs: u32,
    /// A launch that met the preconditions, with several threads and blocks if there was one.
    pub example: Option<Run>,
}

/// Looks for runs that break the contract.
pub fn search(
    module: &WellFormed,
    bound: &Bound<'_>,
    spec: &LaunchSpec,
    given: &[Option<u128>],
) -> Searched {
    let count = bound.ensures().count();
    let mut found = Searched { met: vec![false; count], ..Searched::default() };
    let may_refute = judges_runs(module, bound.kernel);
    let (mut steps, mut runs, mut attempts) = (0u64, 0u32, 0u32);
    launches(module, bound, spec, given, |run, ghosts| {
        for number in 0..CONTENTS {
            let mut one = run.clone();
            fill(&mut one, module, bound, number);
            attempts += 1;
            let (broken, used) = replay(module, bound, &one, &ghosts, &mut found);
            steps += used;
            runs += u32::from(used > 0);
            if let Some(broken) = broken.filter(|_| may_refute) {
                found.broken = Some(broken);
                return false;
            }
        }
        steps < ALL_STEPS && runs < RUNS && attempts < ATTEMPTS
    });
    if let Some(broken) = found.broken.take() {
        found.broken = Some(shrink(module, bound, broken));
    }
    found
}

/// May a run of the kernel refute anything? Results of functions whose bits are not fixed
/// may be others on a device.
fn judges_runs(module: &Module, kernel: Func) -> bool {
    let func = &module.functions[kernel];
    let opaque = |data: &InstData| {
        matches!(
            data,
            InstData::Pure { .. }
                | InstData::Fresh { .. }
                | InstData::CallUnknown { .. }
                | InstData::Exchange { .. }
        )
    };
    let used = |inst: duet_ir::Inst| func.results_of[inst].iter().any(|&value| func.is_used(value));
    !func.insts_in_order().any(|inst| opaque(&func.insts[inst]) && used(inst))
}

/// Runs the kernel once; what it broke, and the instructions that it took (0 if the
/// preconditions were not met).
fn replay(
    module: &Module,
    bound: &Bound<'_>,
    run: &Run,
    ghosts: &BTreeMap<String, i128>,
    found: &mut Searched,
) -> (Option<Broken>, u64) {
    let logic = bound.logic();
    let before = RunWorld { module, bound, run, outcome: None, ghosts };
    let evaluator = Evaluator::new(&before, &logic, INSTANCES);
    if !bound.requires().all(|pred| evaluator.holds(pred, true) == Some(true)) {
        return (None, 0);
    }
    let mut writers = Writers::new(&module.functions[bound.kernel]);
    let Ok(outcome) = run.watch(module, bound.kernel, STEPS, &mut writers) else {
        return (None, 1);
    };
    if !counts(&outcome) {
        return (None, outcome.instructions.max(1));
    }
    found.any = true;
    found.runs += 1;
    let size = |run: &Run| {
        let several = |sizes: [u32; 3]| sizes.iter().any(|&size| size > 1);
        (several(run.launch.block), several(run.launch.grid))
    };
    if found.example.as_ref().is_none_or(|known| size(known) < size(run)) {
        found.example = Some(run.clone());
    }
    let after = RunWorld { outcome: Some(&outcome), ..before };
    let evaluator = Evaluator::new(&after, &logic, INSTANCES);
    let mut broken = None;
    for (number, (_, pred)) in bound.ensures().enumerate() {
        evaluator.take_guard_met();
        let truth = evaluator.holds(pred, false);
        // What a clause says may be unknown, as the mathematical library's results are.
        found.met[number] |= is_met(pred, &evaluator);
        if truth == Some(false) && broken.is_none() {
            let instance = evaluator.counterexample(pred, &mut Scope::default());
            broken = Some((number, instance));
        }
    }
    let broken = broken.or_else(|| {
        let instance = frame_broken(&after, bound, &evaluator, &writers)?;
        Some((bound.ensures().count(), instance))
    });
    let broken = broken.map(|(clause, instance)| {
        let func = &module.functions[bound.kernel];
        let cell = instance
            .cell
            .map(|(array, _, index)| (func.array_name(module, array).to_string(), index));
        let writer = instance.cell.and_then(|(array, ty, index)| writers.of(array, ty, index));
        let (run, ghosts) = (run.clone(), ghosts.clone());
        Broken { clause, instance, cell, writer, run, ghosts }
    });
    (broken, outcome.instructions.max(1))
}

/// Does a run meet these preconditions, as far as that can be told without ghost variables?
pub fn meets(module: &Module, bound: &Bound<'_>, run: &Run, requires: &[&Expr]) -> bool {
    let (logic, ghosts) = (bound.logic(), BTreeMap::new());
    let world = RunWorld { module, bound, run, outcome: None, ghosts: &ghosts };
    let evaluator = Evaluator::new(&world, &logic, INSTANCES);
    requires.iter().all(|pred| evaluator.holds(pred, true) == Some(true))
}

/// Does the clause say something of this run?
fn is_met<W: World>(pred: &Expr, evaluator: &Evaluator<'_, W>) -> bool {
    let has_forall = |one: &&Expr| matches!(one.kind, duet_spec::ExprKind::Quantified(..));
    !pred.conjuncts().iter().any(has_forall) || evaluator.take_guard_met()
}

/// Does the run show what the kernel does, without breaking what a proof assumes?
fn counts(outcome: &Outcome) -> bool {
    outcome.status == Status::Finished
        && outcome.findings.iter().all(|finding| {
            matches!(finding.kind, FindingKind::BenignRace(_) | FindingKind::PartialExchange { .. })
        })
}

/// A cell outside of the frame that the run changed.
fn frame_broken<W: World>(
    world: &RunWorld<'_>,
    bound: &Bound<'_>,
    evaluator: &Evaluator<'_, W>,
    writers: &Writers,
) -> Option<Counterexample> {
    let frames = bound.contract().clauses.iter().filter_map(|clause| match &clause.kind {
        ClauseKind::Assigns(cells) => Some(cells),
        ClauseKind::Requires(_)
        | ClauseKind::Ensures(_)
        | ClauseKind::Ghost(..)
        | ClauseKind::Logic(_)
        | ClauseKind::Writer(..)
        | ClauseKind::LoopInvariant(_) => None,
    });
    let frames: Vec<_> = frames.collect();
    if frames.is_empty() {
        return None;
    }
    let mut allowed: Vec<(Array, ScalarType, i128, i128)> = vec![];
    for cell in frames.into_iter().flatten() {
        let Some(&Named::Array(array, ty)) = bound.names.get(&cell.array) else { return None };
        let mut scope = Scope { initial: true, ..Scope::default() };
        let from = evaluator.eval(&cell.from, &mut scope).int()?;
        let to = match &cell.to {
            Some(to) => evaluator.eval(to, &mut scope).int()?,
            None => from,
        };
        allowed.push((array, ty, from, to));
    }
    for &(array, offset) in writers.last.keys() {
        let module = world.module;
        if module.arrays[array].space != duet_ir::Space::Global {
            continue;
        }
        let element = bound.names.values().find_map(|named| match named {
            Named::Array(own, ty) if *own == array => Some(*ty),
            Named::Argument(..)
            | Named::Constant(..)
            | Named::Size(_)
            | Named::Along(_)
            | Named::Id(_)
            | Named::GlobalId(_)
            | Named::Array(..) => None,
        });
        let ty = element.unwrap_or(ScalarType::UChar);
        let index = i128::from(offset / u64::from(ty.bytes()));
        let inside = allowed
            .iter()
            .any(|(own, _, from, to)| *own == array && (*from..=*to).contains(&index));
        let (first, last) =
            (world.cell(array, ty, index, true), world.cell(array, ty, index, false));
        let same = first.binary(duet_spec::BinaryOp::Eq, last).truth();
        if !inside && same == Some(false) {
            let name = module.functions[bound.kernel].array_name(module, array).to_string();
            let text = format!("{name}[{index}]");
            let compared = Some((text.clone(), last, format!("\\old({text})"), first));
            return Some(Counterexample {
                variables: vec![],
                compared,
                cell: Some((array, ty, index)),
            });
        }
    }
    None
}

/// Who wrote a cell last.
struct Writers {
    /// The instructions that write.
    stores: BTreeSet<duet_ir::Inst>,
    last: BTreeMap<(Array, u64), (ThreadPos, Site)>,
}

/// Cells whose writers are kept.
const WRITERS: usize = 1 << 16;

impl Observer for Writers {
    fn access(&mut self, thread: ThreadPos, site: Site, array: Array, offset: u64, _len: u32) {
        if self.stores.contains(&site.inst) && self.last.len() < WRITERS {
            self.last.insert((array, offset), (thread, site));
        }
    }
}

impl Writers {
    fn new(func: &duet_ir::Function) -> Writers {
        let writes = |inst: &duet_ir::Inst| {
            func.insts[*inst].accesses().iter().any(|(mode, _)| mode.may_write())
        };
        Writers { stores: func.insts_in_order().filter(writes).collect(), last: BTreeMap::new() }
    }

    fn of(&self, array: Array, ty: ScalarType, index: i128) -> Option<(ThreadPos, Site)> {
        let offset = u64::try_from(index).ok()?.checked_mul(u64::from(ty.bytes()))?;
        self.last.get(&(array, offset)).copied()
    }
}

/// Contents by number: distinct, small, random, with extreme values.
fn fill(run: &mut Run, module: &Module, bound: &Bound<'_>, number: usize) {
    let func = &module.functions[bound.kernel];
    let named: BTreeMap<Array, ScalarType> = bound
        .names
        .values()
        .filter_map(|named| match named {
            Named::Array(array, ty) => Some((*array, *ty)),
            Named::Argument(..)
            | Named::Constant(..)
            | Named::Size(_)
            | Named::Along(_)
            | Named::Id(_)
            | Named::GlobalId(_) => None,
        })
        .collect();
    for (position, array) in func.arrays_used().into_iter().enumerate() {
        let data = &module.arrays[array];
        let is_input = matches!(data.space, duet_ir::Space::Global | duet_ir::Space::Constant);
        if !is_input || data.init.is_some() {
            continue;
        }
        let is_float = match named.get(&array) {
            Some(ty) => ty.is_float(),
            None => holds_floats(func, array),
        };
        let seed = 11 + 7 * position as u64;
        let small = |below, kind| Fill::Small(Small { seed, below, kind });
        let contents = match (number, is_float) {
            (0, true) => small(1 << 16, SmallKind::Float),
            (0, false) => small(1 << 16, SmallKind::Signed),
            (1, true) => small(5, SmallKind::Float),
            (1, false) => small(5, SmallKind::Natural),
            (2, true) => extreme_floats(position, data.granule),
            (2, false) => Fill::Iota,
            (3, true) => Fill::Random(seed),
            (3, false) => small(2, SmallKind::Signed),
            _ => Fill::Zero,
        };
        set_contents(run, module, array, contents);
    }
}

fn holds_floats(func: &duet_ir::Function, array: Array) -> bool {
    func.insts.values().any(|data| match data {
        InstData::Load { access, ty, .. } => {
            access.array == array && matches!(ty, Type::Float(FloatType::F32 | FloatType::F64))
        }
        InstData::Binary { .. }
        | InstData::Unary { .. }
        | InstData::Cast { .. }
        | InstData::IntCompare { .. }
        | InstData::FloatCompare { .. }
        | InstData::Select { .. }
        | InstData::Pure { .. }
        | InstData::Fresh { .. }
        | InstData::Geometry(_)
        | InstData::PtrToInt { .. }
        | InstData::IntToPtr { .. }
        | InstData::Store { .. }
        | InstData::Atomic { .. }
        | InstData::Barrier { .. }
        | InstData::BarrierReduce { .. }
        | InstData::Fence { .. }
        | InstData::Exchange { .. }
        | InstData::AsyncCopy { .. }
        | InstData::WaitEvents { .. }
        | InstData::Assert { .. }
        | InstData::Annotation { .. }
        | InstData::Ghost { .. }
        | InstData::Call { .. }
        | InstData::CallUnknown { .. } => false,
    })
}

/// Negative zero, infinity, NaN and usual numbers, in turn.
fn extreme_floats(position: usize, granule: u32) -> Fill {
    let single = [0x8000_0000u128, 0x3f80_0000, 0x7f80_0000, 0x7fc0_0000, 0xbf80_0000, 0x0000_0001];
    let double = [1u128 << 63, 0x3ff0 << 48, 0x7ff0 << 48, 0x7ff8 << 48, 0xbff0 << 48, 1];
    let values = if granule == 8 { double } else { single };
    let cell = |index: u64| (index, values[(index as usize + position) % values.len()]);
    Fill::Cells((0..64).map(cell).collect())
}

/// The same defect with smaller contents where that is possible.
fn shrink(module: &WellFormed, bound: &Bound<'_>, broken: Broken) -> Broken {
    let mut best = broken;
    for key in best.run.inputs.arrays.keys().cloned().collect::<Vec<_>>() {
        let mut run = best.run.clone();
        if let Some(input) = run.inputs.arrays.get_mut(&key) {
            input.fill = Fill::Zero;
        }
        let mut ignored =
            Searched { met: vec![false; bound.ensures().count()], ..Searched::default() };
        let (again, _) = replay(module, bound, &run, &best.ghosts, &mut ignored);
        if let Some(again) = again.filter(|again| again.clause == best.clause) {
            best = again;
        }
    }
    best
}
