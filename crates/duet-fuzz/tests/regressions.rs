//! Kernels that were once proved wrongly, or would be by a plausible change: each
//! file under `regressions/` has a defect that a run shows, and must not be proved.
//! Its first line says the blocks and threads of the launch, and `any` if it
//! is checked for any size.

use std::path::{Path, PathBuf};

use duet_engine::check::{Session, Verdict};
use duet_fuzz::{Class, check};
use duet_interp::{Finding, Inputs, Launch, RunOptions, Schedule, run};
use duet_ir::{Module, check_well_formed};

fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/regressions");
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

fn launch(text: &str) -> Launch {
    let line = text.lines().next().unwrap();
    let mut numbers =
        line.strip_prefix("; launch ").unwrap().split(' ').map(|n| n.parse().unwrap());
    let (blocks, threads) = (numbers.next().unwrap(), numbers.next().unwrap());
    Launch::linear(blocks, threads)
}

/// Does some run show a defect?
fn is_defective(module: &Module, launch: &Launch) -> bool {
    let kernel = module.kernels().next().unwrap().0;
    (0..32_u64).any(|seed| {
        let inputs = Inputs { other_scalars: Some(u128::from(seed)), ..Inputs::new() };
        let options = RunOptions { seed, ..RunOptions::scheduled(Schedule::Seeded(1)) };
        let outcome = run(module, kernel, launch, &inputs, &options).unwrap();
        let class = |finding: &Finding| Class::of(&finding.kind);
        outcome.findings.iter().filter_map(class).any(|class| class.counts(false))
    })
}

#[test]
fn none_is_proved() {
    let mut session = Session::new().unwrap();
    let files = files();
    assert!(files.len() >= 4, "the folder has regressions");
    let mut wrong = vec![];
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let module = check_well_formed(Module::parse(&text).unwrap()).unwrap();
        let launch = launch(&text);
        let name = file.file_stem().unwrap().to_string_lossy().to_string();
        assert!(is_defective(&module, &launch), "{name}: no run shows a defect");
        let kernel = module.kernels().next().unwrap().0;
        let any = text.lines().next().unwrap().ends_with(" any");
        let checked = (!any).then_some(&launch);
        for strict in [true, false] {
            let report = check(&mut session, &module, kernel, checked, strict, false).unwrap();
            println!("{name}: {:?} in {:?}, strict: {strict}", report.verdict, report.took);
            if report.verdict == Verdict::Proved {
                wrong.push((name.clone(), strict));
            }
        }
    }
    assert!(wrong.is_empty(), "proved wrongly: {wrong:?}");
}
