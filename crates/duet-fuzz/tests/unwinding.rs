//! A kernel whose loops are followed for more iterations than they make does what the
//! kernel does.

use duet_analysis::{Dominators, Loops};
use duet_fuzz::{Random, generate, lower};
use duet_interp::{
    ArrayInput, Fill, Finding, FindingKind, Inputs, Launch, Limits, Outcome, RunOptions, Status,
    run,
};
use duet_ir::{Func, Function, Module, well_formed_errors};
use duet_transform::{Unwound, unwind};

const KERNELS: u64 = 400;
const PASSES: u32 = 5;

fn loops_of(func: &Function) -> Loops {
    Loops::new(func, &Dominators::new(func))
}

fn outcome(module: &Module, kernel: Func) -> Outcome {
    let mut inputs = Inputs::new().scalar("n", 2).scalar("m", 1);
    inputs.other_arrays = ArrayInput { fill: Fill::Iota, bytes: None };
    let limits = Limits { steps: 20_000, ..Limits::default() };
    let options = RunOptions { limits, ..RunOptions::default() };
    run(module, kernel, &Launch::linear(2, 4), &inputs, &options).expect("a run")
}

/// Do the two threads wait at copies of one barrier? In the kernel itself they then meet at
/// it in different iterations, which is no divergence.
fn is_one_barrier(unwound: &Unwound, defect: &Finding) -> bool {
    let FindingKind::BarrierDivergence { first, second, .. } = &defect.kind else { return false };
    unwound.origin(first.site.inst) == unwound.origin(second.site.inst)
}

#[test]
fn unwound_kernels_do_the_same() {
    let (mut with_loops, mut compared) = (0, 0);
    for number in 0..KERNELS {
        let (module, kernel) = lower(&generate(&mut Random::new(number)).kernel);
        let func = &module.functions[kernel];
        let unwound = unwind(&module, kernel, PASSES).expect("few loops, with one entry each");
        let flat = unwound.module.clone();
        assert!(loops_of(&flat.functions[kernel]).is_empty(), "kernel {number} still has loops");
        let cut = *flat.functions[kernel].layout.last().expect("blocks");
        let errors = well_formed_errors(&flat);
        assert!(errors.is_empty(), "kernel {number}: {errors:?}\n{flat}");
        with_loops += usize::from(!loops_of(func).is_empty());
        let (before, after) = (outcome(&module, kernel), outcome(&flat, kernel));
        let finished = before.status == Status::Finished;
        if finished && after.coverage.visits(kernel, cut) == 0 && before.defects().count() == 0 {
            compared += 1;
            assert_eq!(before.arrays, after.arrays, "kernel {number}\n{module}\n{flat}");
            let defects: Vec<&Finding> =
                after.defects().filter(|defect| !is_one_barrier(&unwound, defect)).collect();
            assert!(defects.is_empty(), "kernel {number}: {defects:?}\n{flat}");
        }
    }
    assert!(with_loops > 50 && compared > 50, "{with_loops} with loops, {compared} compared");
}
