//! Kernels in the text form, checked.

#![allow(dead_code, reason = "each test uses a part of it")]

use duet_ask::Session;
use duet_check::{CheckOptions, KernelReport, check_kernel};
use duet_ir::{Module, WellFormed, check_well_formed};
use duet_vc::{Extent, LaunchSpec};

pub fn parse(text: &str) -> Result<WellFormed, String> {
    let module = Module::parse(text).map_err(|errors| format!("{errors:?}"))?;
    check_well_formed(module).map_err(|errors| format!("{errors:?}"))
}

/// The usual options for 64 threads in each of 4 blocks.
pub fn fixed() -> CheckOptions {
    options(Extent::Number(64), Extent::Number(4))
}

/// The same for any number of threads and blocks along one dimension.
pub fn free() -> CheckOptions {
    options(Extent::Free, Extent::Free)
}

fn options(block: Extent, grid: Extent) -> CheckOptions {
    let along = |size| [size, Extent::Number(1), Extent::Number(1)];
    let (block, grid) = (along(block), along(grid));
    let launch = LaunchSpec { block, grid, global_offset: [0; 3], work_dim: 1, most_threads: 1024 };
    CheckOptions::new(launch)
}

/// Checks the first kernel.
pub fn check(text: &str, session: &mut Session, options: &CheckOptions) -> KernelReport {
    let module = parse(text).expect("a module");
    let (kernel, _) = module.kernels().next().expect("a kernel");
    check_kernel(session, &module, kernel, options).expect("an answer")
}

/// The rules of the findings, each once.
pub fn rules(report: &KernelReport) -> Vec<String> {
    let mut rules: Vec<String> =
        report.findings.iter().map(|finding| finding.rule.to_string()).collect();
    rules.sort();
    rules.dedup();
    rules
}
