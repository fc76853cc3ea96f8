//! Contents under which the order of threads shows.
//!
//! The run of a race need not: two threads that copy zeros leave zeros in any order. So
//! arrays that the run left at zero are filled with other numbers, until the interpreter
//! leaves different memory in two orders.

use duet_interp::{ArrayInput, Contents, Fill, FindingKind, Outcome, Schedule, Status};
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
    let found = tries.into_iter().find(|run| orders_differ(module, kernel, run));
    match found {
        Some(run) => Evidence { run, ..evidence.clone() },
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
            Fill::Ones | Fill::Random(_) | Fill::Iota | Fill::Small(_) | Fill::Bytes(_) => false,
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
    for fill in [Fill::Iota, Fill::Random(1)] {
        runs.extend(open.iter().map(|&array| filled(&[array], &fill)));
        runs.push(filled(&open, &fill));
    }
    runs
}

/// Do two orders of all threads leave different memory, and nothing wrong but races?
fn orders_differ(module: &Module, kernel: Func, run: &Run) -> bool {
    let left = |schedule| {
        let whole =
            Run { schedule, only_blocks: None, only_threads: None, cut_after: None, ..run.clone() };
        let outcome = whole.perform(module, kernel, STEPS).ok()?;
        is_sound(&outcome).then(|| memory(module, outcome))
    };
    match (left(Schedule::InOrder), left(Schedule::Reversed)) {
        (Some(one), Some(other)) => one != other,
        (None, _) | (_, None) => false,
    }
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
