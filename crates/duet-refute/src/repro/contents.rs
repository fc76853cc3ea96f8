//! Contents under which the order of threads shows.
//!
//! The run of a race need not: two threads that copy zeros leave zeros in any order. So
//! arrays that the run left at zero are filled with other numbers, until the interpreter
//! leaves different memory in two orders. A device knows more orders than the interpreter,
//! so if no two of these differ, contents other than zero are taken in which the race is
//! still there.

use duet_interp::{
    ArrayInput, Contents, Fill, FindingKind, Outcome, Schedule, Small, SmallKind, Status,
};
use duet_ir::{Array, Func, Module, Space};

use crate::Evidence;
use crate::run::{Run, array_key, input_arrays};

/// Instructions of a run that is tried.
const STEPS: u64 = 5_000_000;

/// The same evidence, with contents that tell orders apart if there are some.
pub(super) fn telling(module: &Module, kernel: Func, evidence: &Evidence) -> Evidence {
    let (FindingKind::Race(_) | FindingKind::BenignRace(_)) = &evidence.defect.kind else {
        return evidence.clone();
    };
    let tries = candidates(module, kernel, &evidence.run);
    let differs = |run: &&Run| orders_differ(module, kernel, run);
    let races =
        |run: &&Run| left(module, kernel, run, Schedule::InOrder).is_some_and(|one| one.races);
    let found = tries.iter().find(differs).or_else(|| tries.iter().rev().find(races));
    match found {
        Some(run) => Evidence { run: run.clone(), ..evidence.clone() },
        None => evidence.clone(),
    }
}

/// The run itself, then with other contents of one array, then of all.
fn candidates(module: &Module, kernel: Func, run: &Run) -> Vec<Run> {
    let func = &module.functions[kernel];
    let is_zero = |array: &Array| {
        let input = run.inputs.arrays.get(&array_key(module, *array));
        input.is_none_or(|input| match &input.fill {
            Fill::Zero | Fill::Unknown => true,
            Fill::Cells(cells) => cells.is_empty(),
            Fill::Ones
            | Fill::Byte(_)
            | Fill::Random(_)
            | Fill::Iota
            | Fill::Small(_)
            | Fill::Bytes(_) => false,
        })
    };
    let open: Vec<Array> = input_arrays(module, func).into_iter().filter(is_zero).collect();
    let filled = |arrays: &[Array], fill: &Fill| {
        let mut run = run.clone();
        for &array in arrays {
            let input = run.inputs.arrays.entry(array_key(module, array));
            let input = input.or_insert(ArrayInput { fill: Fill::Zero, bytes: None });
            input.fill = fill.clone();
        }
        run
    };
    let mut runs = vec![run.clone()];
    // The last of them has no numbers that sums and products lose.
    let small = Fill::Small(Small { seed: 1, below: 64, kind: SmallKind::Float });
    for fill in [Fill::Iota, Fill::Random(1), small] {
        runs.extend(open.iter().map(|&array| filled(&[array], &fill)));
        runs.push(filled(&open, &fill));
    }
    runs
}

/// Do two orders of all threads leave different memory, and nothing wrong but races?
fn orders_differ(module: &Module, kernel: Func, run: &Run) -> bool {
    let left = |schedule| left(module, kernel, run, schedule).map(|one| one.memory);
    let first = left(Schedule::InOrder);
    let others = [Schedule::Reversed, Schedule::Seeded(1), Schedule::Seeded(7)];
    first.is_some() && others.into_iter().filter_map(left).any(|other| Some(other) != first)
}

/// What a run of all threads leaves.
struct Left {
    memory: Vec<(Array, Contents)>,
    races: bool,
}

/// What a run of all threads in an order leaves, if nothing is wrong with it but races.
fn left(module: &Module, kernel: Func, run: &Run, schedule: Schedule) -> Option<Left> {
    let whole =
        Run { schedule, only_blocks: None, only_threads: None, cut_after: None, ..run.clone() };
    let outcome = whole.perform(module, kernel, STEPS).ok()?;
    let races = !outcome.findings.is_empty();
    is_sound(&outcome).then(|| Left { memory: memory(module, outcome), races })
}

/// A device may do anything after the other kinds of defects.
fn is_sound(outcome: &Outcome) -> bool {
    let is_race =
        |kind: &FindingKind| matches!(kind, FindingKind::Race(_) | FindingKind::BenignRace(_));
    outcome.status == Status::Finished
        && outcome.findings.iter().all(|finding| is_race(&finding.kind))
}

/// What the host sees.
fn memory(module: &Module, outcome: Outcome) -> Vec<(Array, Contents)> {
    let is_seen = |(array, _): &(Array, Contents)| module.arrays[*array].space == Space::Global;
    outcome.arrays.into_iter().filter(is_seen).collect()
}
