//! Every conformance kernel on PoCL: it runs, writes something, and gives the same
//! result in every run and in every order of its work-groups.
//!
//! These tests need PoCL and fail without it: a differential test without its
//! other side would be no test.

use std::path::Path;
use std::sync::Once;

use duet_conformance::{Arg, Buffers, Case, Fill, Pocl, PoclDevice};

const RUNS: usize = 3;

fn cases() -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../kernels/conformance");
    Case::from_folder(&folder).unwrap_or_else(|error| panic!("{error}"))
}

/// PoCL with a device that runs groups in turn and one that runs them in parallel.
fn open_with_two_devices() -> Pocl {
    static DEVICES: Once = Once::new();
    DEVICES.call_once(|| {
        // SAFETY: before OpenCL is loaded, and Rust's own readers of the
        // environment take the lock that this call takes.
        unsafe { std::env::set_var("POCL_DEVICES", "basic pthread") };
    });
    Pocl::open().unwrap_or_else(|error| panic!("{error}"))
}

fn run(pocl: &Pocl, device: &PoclDevice, case: &Case) -> Result<Buffers, String> {
    pocl.run(device, case, &case.initial_buffers())
        .map_err(|error| format!("{} on {}: {error}", case.name, device.name))
}

#[test]
fn there_are_enough_cases() {
    assert!(cases().len() >= 50);
}

#[test]
fn every_case_runs_alike_in_every_order() {
    let pocl = open_with_two_devices();
    assert_eq!(pocl.devices().len(), 2, "the basic and the pthread device");
    let mut failures = Vec::new();
    for case in cases() {
        failures.extend(check_case(&pocl, &case).unwrap_or_else(|error| vec![error]));
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// What is wrong with a case, or the reason why it did not run.
fn check_case(pocl: &Pocl, case: &Case) -> Result<Vec<String>, String> {
    let first = run(pocl, &pocl.devices()[0], case)?;
    let mut failures = check_written(case, &first);
    for device in pocl.devices() {
        for _ in 0..RUNS {
            let difference = first.first_difference(&run(pocl, device, case)?);
            failures.extend(difference.map(|d| format!("{} on {}: {d}", case.name, device.name)));
        }
    }
    Ok(failures)
}

/// Each buffer that started as zeros must have got something: otherwise the case
/// would compare nothing.
fn check_written(case: &Case, after: &Buffers) -> Vec<String> {
    let before = case.initial_buffers();
    let mut failures = Vec::new();
    if before == *after {
        failures.push(format!("{} changes no buffer", case.name));
    }
    for arg in &case.args {
        let Arg::Buffer(spec) = arg else { continue };
        let zero = after.get(&spec.name).is_some_and(|buffer| buffer.is_zero());
        if spec.fill == Fill::Zero && zero {
            failures.push(format!("{}: `{}` is still all zero", case.name, spec.name));
        }
    }
    failures
}
