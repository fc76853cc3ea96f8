//! Runs of the interpreter before and after a rewrite are related as the rewrite's file
//! says.

mod common;

use common::{kernel, parse, rewritten, unwound};
use duet_interp::{ArrayInput, Fill, Inputs, Launch, Outcome, RunOptions, Status, run};
use duet_ir::Module;

/// The input of a test file.
macro_rules! input {
    ($name:literal) => {
        include_str!(concat!("files/", $name, ".duet")).split("====").next().unwrap()
    };
}

fn outcome(module: &Module, blocks: u32, scalars: &[(&str, u128)]) -> Outcome {
    let mut inputs = Inputs { other_scalars: Some(0), ..Inputs::new() };
    // Bytes, as other fills count in granules.
    inputs.other_arrays = ArrayInput { fill: Fill::Bytes((1..=64).collect()), bytes: Some(64) };
    for &(name, value) in scalars {
        inputs = inputs.scalar(name, value);
    }
    let launch = Launch::linear(blocks, 8);
    run(module, kernel(module), &launch, &inputs, &RunOptions::default()).expect("a run")
}

#[test]
fn bytes_change_no_run() {
    let module = parse(input!("bytes")).unwrap();
    let bytes = rewritten(&module, "bytes").unwrap().unwrap();
    let [before, after] = [&module, &bytes].map(|module| outcome(module, 1, &[]));
    assert_eq!(before.status, Status::Finished);
    assert_eq!((before.status, before.arrays), (after.status, after.arrays));
}

#[test]
fn preconditions_stop_the_launches_that_break_them_and_no_others() {
    let module = parse(input!("preconditions")).unwrap();
    let under = rewritten(&module, "preconditions").unwrap().unwrap();
    // A block has 8 threads.
    let [before, after] = [&module, &under].map(|module| outcome(module, 1, &[("n", 8)]));
    assert_eq!(after.status, Status::Finished);
    assert_eq!(before.arrays, after.arrays);
    for n in [7, 101] {
        assert_eq!(outcome(&module, 1, &[("n", n)]).status, Status::Finished);
        let stopped = outcome(&under, 1, &[("n", n)]).status;
        assert!(matches!(stopped, Status::RequirementFailed(_)), "{n}: {stopped:?}");
    }
}

#[test]
fn forgotten_sizes_admit_more_launches() {
    let module = parse(input!("fixed_sizes")).unwrap();
    let free = rewritten(&module, "sizes forgotten").unwrap().unwrap();
    let at = |module: &Module, n| match outcome(module, 1, &[("n", n)]).status {
        Status::RequirementFailed(at) => at,
        other => panic!("{other:?}"),
    };
    // The first precondition goes; the bound of 512, which stays, is the next to fail.
    assert_ne!(at(&module, 513), at(&free, 513));
    // So is the one that speaks of a thread, which is no size.
    assert_ne!(at(&free, 513), at(&free, 500));
}

#[test]
fn an_unwound_loop_does_the_same_until_it_is_cut() {
    let module = parse(input!("unwinding")).unwrap();
    let flat = unwound(&module, 4).expect("loops with one entry").module;
    let cut = *flat.functions[kernel(&flat)].layout.last().unwrap();
    for (n, m) in [(0, 0), (1, 3), (3, 1), (3, 3), (4, 0), (1, 4)] {
        let [before, after] =
            [&module, &flat].map(|module| outcome(module, 1, &[("n", n), ("m", m)]));
        let fits = n < 4 && m < 4;
        assert_eq!(before.status, Status::Finished);
        assert_eq!(after.coverage.visits(kernel(&flat), cut) == 0, fits, "{n}, {m}");
        assert_eq!(before.arrays == after.arrays, fits, "{n}, {m}");
    }
}

#[test]
fn a_barrier_less_is_a_race_more() {
    let module = parse(input!("barriers")).unwrap();
    let defects_and_arrays = |name: &str| {
        let module = match name {
            "" => module.clone(),
            _ => rewritten(&module, name).unwrap().unwrap(),
        };
        let outcome = outcome(&module, 1, &[("n", 5)]);
        (outcome.defects().count() > 0, outcome.arrays)
    };
    let (races, arrays) = defects_and_arrays("");
    assert!(!races);
    assert!(defects_and_arrays("without barriers").0);
    for name in ["barrier inside bb1 1", "barrier before bb1"] {
        assert_eq!(defects_and_arrays(name), (false, arrays.clone()), "{name}");
    }
}

#[test]
fn range_assumptions_stop_runs_that_leave_the_range() {
    let module = parse(input!("range_assumptions")).unwrap();
    let assumed = rewritten(&module, "in range v2 v4").unwrap().unwrap();
    let both = |n: i32, m: i64| {
        let scalars = [("n", u128::from(n as u32)), ("m", u128::from(m as u64))];
        [&module, &assumed].map(|module| outcome(module, 1, &scalars))
    };
    for (n, m) in [(0, 0), (-7, -1), (715_827_882, 0), (0, i64::from(i32::MIN))] {
        let [before, after] = both(n, m);
        assert_eq!(after.status, Status::Finished, "{n}, {m}");
        assert_eq!(before.arrays, after.arrays);
    }
    for (n, m) in [(715_827_883, 0), (i32::MIN, 0), (0, 1 << 31), (0, -(1 << 31) - 1)] {
        let [before, after] = both(n, m);
        assert_eq!(before.status, Status::Finished);
        assert!(matches!(after.status, Status::AssumptionFailed(_)), "{n}, {m}");
    }
}
