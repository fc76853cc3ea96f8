//! `duet-fuzz --kernels N --seed S`: the fuzzer as a program. Exit code 1 if a
//! defect was proved absent.

use std::process::ExitCode;

use duet_fuzz::{Plan, case_of, fuzz, lower};

const USAGE: &str = "usage: duet-fuzz [--kernels N] [--first N] [--seed N] [--jobs N] [--enough N] \
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
    let mut show = None;
    let args: Vec<String> = std::env::args().skip(1).collect();
    for pair in args.chunks(2) {
        let [name, value] = pair else { return usage() };
        let Ok(value) = value.parse::<usize>() else { return usage() };
        match name.as_str() {
            "--kernels" => plan.kernels = value,
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
    if let Some(number) = show {
        let case = case_of(&plan, number);
        println!("; checked for {:?}\n{}", case.checked, lower(&case.kernel).0);
        return ExitCode::SUCCESS;
    }
    let summary = fuzz(&plan);
    println!("{summary}");
    ExitCode::from(u8::from(!summary.violations.is_empty()))
}

fn usage() -> ExitCode {
    eprintln!("{USAGE}");
    ExitCode::from(4)
}
