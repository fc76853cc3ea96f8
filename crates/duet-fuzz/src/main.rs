//! `duet-fuzz --kernels N --seed S`: the fuzzer as a program; `--claims N` makes kernels
//! about claims instead. Exit code 1 if a defect was proved absent.

use std::process::ExitCode;

use duet_fuzz::claims::{ClaimPlan, claim_case, fuzz_claims};
use duet_fuzz::{Plan, case_of, fuzz, lower};

const USAGE: &str = "usage: duet-fuzz [--kernels N | --claims N] [--first N] [--seed N] [--jobs N] [--enough N] \
                     [--shrinking N] [--clean PERCENT] [--show N]";

fn main() -> ExitCode {
    let mut plan = Plan {
        kernels: 2000,
        first: 0,
        seed: 1,
        jobs: 2,
        enough: 10,
        shrinking: 400,
        clean: 45,
        progress: true,
    };
    let (mut show, mut claims) = (None, None);
    let args: Vec<String> = std::env::args().skip(1).collect();
    for pair in args.chunks(2) {
        let [name, value] = pair else { return usage() };
        let Ok(value) = value.parse::<usize>() else { return usage() };
        match name.as_str() {
            "--kernels" => plan.kernels = value,
            "--claims" => claims = Some(value),
            "--first" => plan.first = value,
            "--seed" => plan.seed = value as u64,
            "--jobs" => plan.jobs = value,
            "--enough" => plan.enough = value,
            "--shrinking" => plan.shrinking = value,
            "--clean" => plan.clean = value.min(100),
            "--show" => show = Some(value),
            _ => return usage(),
        }
    }
    if let Some(kernels) = claims {
        return fuzz_about_claims(&plan, kernels, show);
    }
    if let Some(number) = show {
        let case = case_of(&plan, number);
        println!("; checked for {:?}\n{}", case.checked, lower(&case.kernel).0);
        return ExitCode::SUCCESS;
    }
    let summary = fuzz(&plan);
    println!("{summary}");
    ExitCode::from(u8::from(!summary.violations.is_empty()))
}

fn fuzz_about_claims(plan: &Plan, kernels: usize, show: Option<usize>) -> ExitCode {
    let plan = ClaimPlan {
        kernels,
        first: plan.first,
        seed: plan.seed,
        jobs: plan.jobs,
        shrinking: plan.shrinking,
        cache: None,
        progress: plan.progress,
    };
    if let Some(number) = show {
        let (kind, program, setting) = claim_case(&plan, number);
        println!("// {kind:?}, {setting:?}\n{}", program.text());
        return ExitCode::SUCCESS;
    }
    let summary = fuzz_claims(&plan);
    println!("{summary}");
    ExitCode::from(u8::from(!summary.violations.is_empty()))
}

fn usage() -> ExitCode {
    eprintln!("{USAGE}");
    ExitCode::from(4)
}
