//! `duet-fuzz --kernels N --seed S`: the fuzzer as a program. Exit code 1 if a
//! defect was proved absent. `duet-fuzz pairs` compares pairs of kernels instead; exit code 1
//! if two were proved equal that are not. `duet-fuzz contracts` does the same for contracts,
//! `mutants` compares changed kernels with the right ones, `selves` kernels with themselves.

use std::process::ExitCode;

use duet_fuzz::claims::{ClaimPlan, claim_case, fuzz_claims};
use duet_fuzz::contracts::{self, ContractPlan};
use duet_fuzz::pairs::mutants::{MutantPlan, compare_mutants};
use duet_fuzz::pairs::selves::compare_selves;
use duet_fuzz::pairs::{self, PairPlan};
use duet_fuzz::{Plan, case_of, fuzz, lower};

const USAGE: &str = "usage: duet-fuzz [--kernels N | --claims N [--sample N]] [--first N] [--seed N] [--jobs N] [--enough N] \
                     [--shrinking N] [--clean PERCENT] [--cross-check 1] [--show N]\n       \
                     duet-fuzz pairs [--pairs N] [--first N] [--seed N] [--runs N] [--show N]\n       \
                     duet-fuzz contracts [--kernels N] [--first N] [--seed N] [--show N]\n       \
                     duet-fuzz mutants FOLDER [--mutants N] [--first N] [--runs N]\n       \
                     duet-fuzz selves FOLDER [--every N]";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match args.split_first() {
        Some((word, rest)) if word == "pairs" => of_pairs(rest),
        Some((word, rest)) if word == "contracts" => of_contracts(rest),
        Some((word, rest)) if word == "mutants" => of_mutants(rest),
        Some((word, rest)) if word == "selves" => of_selves(rest),
        _ => of_kernels(&args),
    }
}

fn of_pairs(args: &[String]) -> ExitCode {
    let mut plan = PairPlan { pairs: 2000, first: 0, seed: 1, runs: 60, progress: true };
    for pair in args.chunks(2) {
        let [name, value] = pair else { return usage() };
        let Ok(value) = value.parse::<usize>() else { return usage() };
        match name.as_str() {
            "--pairs" => plan.pairs = value,
            "--first" => plan.first = value,
            "--seed" => plan.seed = value as u64,
            "--runs" => plan.runs = value,
            "--show" => {
                println!("{}", pairs::source(value, &pairs::pair_of(&plan, value)));
                return ExitCode::SUCCESS;
            }
            _ => return usage(),
        }
    }
    let summary = pairs::fuzz_pairs(&plan);
    println!("{summary}");
    ExitCode::from(u8::from(!summary.violations.is_empty()))
}

fn of_contracts(args: &[String]) -> ExitCode {
    let mut plan = ContractPlan { kernels: 2000, first: 0, seed: 1, progress: true };
    for pair in args.chunks(2) {
        let [name, value] = pair else { return usage() };
        let Ok(value) = value.parse::<usize>() else { return usage() };
        match name.as_str() {
            "--kernels" => plan.kernels = value,
            "--first" => plan.first = value,
            "--seed" => plan.seed = value as u64,
            "--show" => {
                println!("{}", contracts::contract_of(&plan, value).source);
                return ExitCode::SUCCESS;
            }
            _ => return usage(),
        }
    }
    let summary = contracts::fuzz_contracts(&plan);
    println!("{summary}");
    ExitCode::from(u8::from(!summary.violations.is_empty()))
}

fn of_mutants(args: &[String]) -> ExitCode {
    let Some((folder, rest)) = args.split_first() else { return usage() };
    let mut plan =
        MutantPlan { folder: folder.into(), mutants: 1000, first: 0, runs: 60, progress: true };
    for pair in rest.chunks(2) {
        let [name, value] = pair else { return usage() };
        let Ok(value) = value.parse::<usize>() else { return usage() };
        match name.as_str() {
            "--mutants" => plan.mutants = value,
            "--first" => plan.first = value,
            "--runs" => plan.runs = value,
            _ => return usage(),
        }
    }
    let summary = compare_mutants(&plan);
    println!("{summary}");
    ExitCode::from(u8::from(!summary.violations.is_empty()))
}

fn of_selves(args: &[String]) -> ExitCode {
    let (folder, every) = match args {
        [folder] => (folder, 1),
        [folder, name, value] if name == "--every" => {
            let Ok(value) = value.parse::<usize>() else { return usage() };
            (folder, value)
        }
        _ => return usage(),
    };
    println!("{}", compare_selves(folder.as_ref(), every, true));
    ExitCode::SUCCESS
}

fn of_kernels(args: &[String]) -> ExitCode {
    let mut plan = Plan {
        kernels: 2000,
        first: 0,
        seed: 1,
        jobs: 2,
        enough: 10,
        shrinking: 400,
        clean: 45,
        progress: true,
        cross_check: false,
    };
    let (mut show, mut claims, mut sample) = (None, None, 8);
    for pair in args.chunks(2) {
        let [name, value] = pair else { return usage() };
        let Ok(value) = value.parse::<usize>() else { return usage() };
        match name.as_str() {
            "--kernels" => plan.kernels = value,
            "--claims" => claims = Some(value),
            "--sample" => sample = value.max(1),
            "--first" => plan.first = value,
            "--seed" => plan.seed = value as u64,
            "--jobs" => plan.jobs = value,
            "--enough" => plan.enough = value,
            "--shrinking" => plan.shrinking = value,
            "--clean" => plan.clean = value.min(100),
            "--cross-check" => plan.cross_check = value != 0,
            "--show" => show = Some(value),
            _ => return usage(),
        }
    }
    if let Some(kernels) = claims {
        return fuzz_about_claims(&plan, (kernels, sample), show);
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

fn fuzz_about_claims(
    plan: &Plan,
    (kernels, sample): (usize, usize),
    show: Option<usize>,
) -> ExitCode {
    let plan = ClaimPlan {
        kernels,
        first: plan.first,
        seed: plan.seed,
        jobs: plan.jobs,
        shrinking: plan.shrinking,
        sample,
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
