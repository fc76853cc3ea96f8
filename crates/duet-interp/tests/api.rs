//! The interface: errors, limits, coverage, observers, seeds, and runs at scale.

mod common;

use common::Text;
use duet_interp::*;
use duet_ir::{AnnotationKind, Block, EntityRef, Func, Inst};

const KERNEL: &str = "module cuda 64
array @a global param granule 4
array @t global variable granule 4 size 8 init \"0500000007000000\"

device helper symbol helper () {
bb0:
  return
}

kernel k symbol k (a: @a, n: i32 v0) {
bb0:
  v1 = block_id.x
  v2 = block_dim.x
  v3 = mul i32 v1, v2
  v4 = thread_id.x
  v5 = add i32 v3, v4
  v6 = zext v5 to i64
  v7 = shl i64 v6, 2
  jump bb1(i32 0)
bb1(i32 v8):
  v9 = icmp slt i32 v8, v0
  annotation candidate_invariant (v9)
  br v9, bb2, bb3
bb2:
  v10 = add nsw i32 v8, 1
  jump bb1(v10)
bb3:
  v11 = fresh i32 \"clock\"
  store i32 @a[v7], v11 align 4
  return
}
";

fn module() -> Text {
    Text::parse(KERNEL).unwrap()
}

fn inputs() -> Inputs {
    Inputs::new().scalar("n", 3).array("a", Fill::Zero, 4096)
}

fn run_k(launch: &Launch, inputs: &Inputs, options: &RunOptions) -> Result<Outcome, RunError> {
    let text = module();
    run(&text.module, text.kernel("k").unwrap(), launch, inputs, options)
}

#[test]
fn wrong_requests_are_errors() {
    let (launch, options) = (Launch::linear(1, 1), RunOptions::default());
    let text = module();
    let helper = run(&text.module, Func::new(0), &launch, &Inputs::new(), &options);
    assert_eq!(helper.unwrap_err(), RunError::NotAKernel("helper".to_string()));
    let error = |launch: &Launch, inputs: &Inputs| run_k(launch, inputs, &options).unwrap_err();
    assert_eq!(error(&launch, &Inputs::new()), RunError::MissingScalar("n".to_string()));
    let wrong = inputs().scalar("m", 1);
    assert_eq!(error(&launch, &wrong), RunError::UnknownInput("m".to_string()));
    let wrong = inputs().array(1, Fill::Zero, 4);
    assert_eq!(error(&launch, &wrong), RunError::UnknownInput("parameter 1".to_string()));
    assert_eq!(error(&Launch::linear(0, 1), &inputs()), RunError::EmptyLaunch);
    let huge = Launch::linear(1 << 31, 2);
    assert_eq!(error(&huge, &inputs()), RunError::TooManyThreads(1 << 32));
    let big = inputs().array("a", Fill::Zero, 1 << 40);
    assert!(matches!(error(&launch, &big), RunError::Memory { needed, .. } if needed > 1 << 39));
}

#[test]
fn arguments_go_by_name_or_position() {
    let by_position = Inputs::new().scalar(1, 3).array(0, Fill::Zero, 4096);
    let options = RunOptions::default();
    let a = run_k(&Launch::linear(2, 4), &by_position, &options).unwrap();
    let b = run_k(&Launch::linear(2, 4), &inputs(), &options).unwrap();
    assert_eq!(a.arrays, b.arrays);
    assert_eq!(a.instructions, b.instructions);
}

#[test]
fn initialisers_are_the_contents() {
    let outcome = run_k(&Launch::linear(1, 1), &inputs(), &RunOptions::default()).unwrap();
    let table = outcome.arrays.values().nth(1).unwrap();
    assert_eq!(
        (table.number(0, 4), table.number(4, 4), table.number(8, 4)),
        (Some(5), Some(7), None)
    );
}

#[test]
fn blocks_are_counted() {
    let outcome = run_k(&Launch::linear(2, 4), &inputs(), &RunOptions::default()).unwrap();
    let visits = |n| outcome.coverage.visits(Func::new(1), Block::new(n));
    assert_eq!([0, 1, 2, 3].map(visits), [8, 32, 24, 8]);
    assert_eq!(outcome.coverage.visits(Func::new(0), Block::new(0)), 0);
    // bb0: 8, bb1: 3, bb2: 2, bb3: 3, terminators included.
    assert_eq!(outcome.instructions, 8 * (8 + 4 * 3 + 3 * 2 + 3));
}

#[test]
fn unknowns_follow_the_seed_and_not_the_schedule() {
    let launch = Launch::linear(3, 5);
    let with = |seed, schedule| {
        let options = RunOptions { seed, schedule, ..RunOptions::default() };
        run_k(&launch, &inputs(), &options).unwrap().arrays
    };
    assert_eq!(with(1, Schedule::InOrder), with(1, Schedule::Seeded(9)));
    assert_eq!(with(1, Schedule::InOrder), with(1, Schedule::Reversed));
    assert_ne!(with(1, Schedule::InOrder), with(2, Schedule::InOrder));
}

/// Records the loop counter at the head, and chooses every unknown.
#[derive(Default)]
struct Watcher {
    heads: Vec<u128>,
    annotations: Vec<u128>,
}

impl Observer for Watcher {
    fn enter_block(&mut self, visit: &Visit<'_>, block: Block) {
        if visit.func() == Func::new(1) && block == Block::new(1) {
            self.heads.push(visit.value(duet_ir::Value::new(8)));
        }
    }

    fn annotation(&mut self, _: &Visit<'_>, _: Inst, kind: AnnotationKind, args: &[u128]) {
        assert_eq!(kind, AnnotationKind::CandidateInvariant);
        self.annotations.push(args[0]);
    }

    fn unknown(&mut self, _: ThreadPos, _: Site, nth: u64, _: u128) -> u128 {
        40 + u128::from(nth)
    }
}

#[test]
fn observers_see_loop_heads_and_choose_unknowns() {
    let text = module();
    let mut watcher = Watcher::default();
    let kernel = text.kernel("k").unwrap();
    let (launch, options) = (Launch::linear(1, 1), RunOptions::default());
    let outcome =
        run_observed(&text.module, kernel, &launch, &inputs(), &options, &mut watcher).unwrap();
    assert_eq!(watcher.heads, [0, 1, 2, 3]);
    assert_eq!(watcher.annotations, [1, 1, 1, 0]);
    assert_eq!(outcome.arrays.values().next().unwrap().number(0, 4), Some(40));
}

/// Has seen enough after some loop heads.
struct Impatient(u32);

impl Observer for Impatient {
    fn enter_block(&mut self, _: &Visit<'_>, block: Block) {
        self.0 = self.0.saturating_sub(u32::from(block == Block::new(1)));
    }

    fn is_satisfied(&self) -> bool {
        self.0 == 0
    }
}

#[test]
fn an_observer_that_has_seen_enough_ends_the_run() {
    let text = module();
    let kernel = text.kernel("k").unwrap();
    let (launch, options) = (Launch::linear(1, 2), RunOptions::default());
    let with = |heads: u32| {
        let mut observer = Impatient(heads);
        run_observed(&text.module, kernel, &launch, &inputs(), &options, &mut observer).unwrap()
    };
    let (soon, never) = (with(2), with(100));
    assert_eq!(soon.status, Status::DidNotFinish(Limit::Observed));
    assert_eq!(never.status, Status::Finished);
    assert!(soon.instructions < never.instructions, "the second thread did not run");
}

#[test]
fn limits_end_a_run() {
    let limits = |limits| RunOptions { limits, ..RunOptions::default() };
    let many = inputs().scalar("n", 1_000_000);
    let steps = limits(Limits { steps: 1000, ..Limits::default() });
    let outcome = run_k(&Launch::linear(1, 2), &many, &steps).unwrap();
    assert_eq!(outcome.status, Status::DidNotFinish(Limit::Steps));
    assert_eq!(outcome.instructions, 1000);
    let memory = limits(Limits { memory: 10_000, ..Limits::default() });
    let outcome = run_k(&Launch::linear(1, 1024), &inputs(), &memory).unwrap();
    assert_eq!(outcome.status, Status::DidNotFinish(Limit::Memory));
}

/// Every thread of the grid writes its number to one place, and reads another
/// that the last thread of the grid writes.
const HOT: &str = "module cuda 64
array @a global param granule 4
kernel hot symbol hot (a: @a, last: i32 v0) {
bb0:
  v1 = block_id.x
  v2 = block_dim.x
  v3 = mul i32 v1, v2
  v4 = thread_id.x
  v5 = add i32 v3, v4
  store i32 @a[0], v5 align 4
  v6 = load i32 @a[4] align 4
  v7 = atomic add device i32 @a[8], 1 align 4
  v8 = icmp eq i32 v5, v0
  br v8, bb1, bb2
bb1:
  store i32 @a[4], 1 align 4
  store i32 @a[8], 1 align 4
  return
bb2:
  return
}
";

/// The log of a place that all threads touch stays small, and still finds the
/// pair with the one thread that comes last.
#[test]
fn hot_places_stay_cheap() {
    let text = Text::parse(HOT).unwrap();
    let kernel = text.kernel("hot").unwrap();
    let launch = Launch::linear(128, 128);
    let inputs = Inputs::new().scalar("last", 128 * 128 - 1).array("a", Fill::Zero, 12);
    let limits = Limits { memory: 1 << 22, ..Limits::default() };
    let options = RunOptions { limits, ..RunOptions::default() };
    let outcome = run(&text.module, kernel, &launch, &inputs, &options).unwrap();
    assert_eq!(outcome.status, Status::Finished);
    let lines: std::collections::BTreeSet<_> = text.essence(&outcome).into_iter().collect();
    let wanted = [
        ("atomic-race", vec![12, 17]),
        ("read-write-race", vec![11, 16]),
        ("write-write-race", vec![10, 10]),
    ];
    assert_eq!(lines, wanted.into_iter().collect());
}

/// Threads that are left out do nothing; the others do what they always do.
#[test]
fn some_threads_of_a_launch() {
    let options = RunOptions { only_threads: Some(vec![1, 6]), ..RunOptions::default() };
    let launch = Launch::linear(2, 4);
    let outcome = run_k(&launch, &inputs(), &options).unwrap();
    let whole = run_k(&launch, &inputs(), &RunOptions::default()).unwrap();
    assert_eq!(outcome.status, Status::Finished);
    let bytes = |outcome: &Outcome| match &outcome.arrays[&duet_ir::Array::new(0)] {
        Contents::Dense(bytes) => bytes.clone(),
        Contents::Sparse(_) => panic!("the size is known"),
    };
    let (some, all) = (bytes(&outcome), bytes(&whole));
    for thread in 0..8 {
        let element = 4 * thread..4 * thread + 4;
        match [1, 6].contains(&thread) {
            true => assert_eq!(some[element.clone()], all[element]),
            false => assert_eq!(some[element], [0; 4]),
        }
    }
}

#[test]
fn threads_that_wait_for_others_cannot_run_alone() {
    let source = KERNEL.replace("  v11 = fresh", "  barrier block 3\n  v11 = fresh");
    let text = Text::parse(&source).unwrap();
    let options = RunOptions { only_threads: Some(vec![0]), ..RunOptions::default() };
    let kernel = text.kernel("k").unwrap();
    let result = run(&text.module, kernel, &Launch::linear(1, 4), &inputs(), &options);
    assert_eq!(result.unwrap_err(), RunError::ThreadsWait);
}
