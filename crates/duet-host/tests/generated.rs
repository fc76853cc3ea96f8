//! Made-up host programs, really run: each launch that they make must be an instance of
//! the relation that was found, and what is an expression over the input must be found to
//! be one.
//!
//! `GENERATED=10000 cargo test --release -p duet-host --test generated` runs so many
//! programs, and `SEED=5` others.

mod common;

use common::generate::programs;
use common::{Header, compile, is_instance, run};
use duet_frontend::Options;
use duet_host::Origin;

/// Programs in a file, and launches of a run that are looked at.
const PER_FILE: usize = 20;
const MOST_LAUNCHES: usize = 5;

/// Arguments of runs.
const INPUTS: [[i64; 2]; 6] =
    [[1000, 7], [0, 0], [-1, 256], [255, -4096], [2147483647, 3], [65536, 65535]];

fn number(name: &str, usual: usize) -> usize {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

#[test]
fn generated_programs_launch_what_was_found() {
    let files = number("GENERATED", 40).div_ceil(PER_FILE);
    let first = number("SEED", 1);
    let (mut plain, mut exact, mut launches) = (0, 0, 0);
    let mut wrong = vec![];
    for seed in first..first + files {
        let work = tempfile::tempdir().expect("a folder");
        let made = programs(seed as u64, PER_FILE);
        let source = work.path().join("program.cu");
        std::fs::write(&source, &made.text).expect("a file can be written");
        let flags = vec!["-fwrapv".to_string()];
        let header = Header { runs: vec![], flags, extra: None, widths: None };
        let program = compile(&source, &header, work.path());
        let host = duet_host::read(std::slice::from_ref(&source), &Options::default());
        let host = host.unwrap_or_else(|errors| panic!("seed {seed}: {errors:?}"));
        for which in 0..PER_FILE {
            let own = format!("k{which}P");
            let sites: Vec<_> =
                host.sites.iter().filter(|site| site.kernel.contains(&own)).collect();
            if made.is_plain[which] {
                plain += sites.len();
                let is_exact = |site: &&&duet_host::Site| {
                    site.relation.unknowns.iter().all(|one| one.origin == Origin::Input)
                };
                exact += sites.iter().filter(is_exact).count();
            }
            for inputs in [INPUTS[which % 6], INPUTS[(which / 2 + seed) % 6]] {
                let words: Vec<String> =
                    [which as i64, inputs[0], inputs[1]].iter().map(i64::to_string).collect();
                for launch in run(&program, &words, &header).iter().take(MOST_LAUNCHES) {
                    launches += 1;
                    if !is_instance(&host, launch) {
                        wrong.push(format!("seed {seed}, {words:?}: {launch:?}"));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} launches:\n{}", wrong.len(), wrong.join("\n"));
    println!("{launches} launches, {exact} of {plain} plain sites are exact");
    assert!(launches > files * PER_FILE / 2, "{launches} launches");
    assert!(exact * 10 >= plain * 9, "{exact} of {plain}");
}

#[test]
fn programs_repeat_for_a_seed() {
    assert_eq!(programs(3, 4).text, programs(3, 4).text);
    assert_ne!(programs(3, 4).text, programs(4, 4).text);
}
