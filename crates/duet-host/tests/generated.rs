//! Made-up host programs, really run: each launch that they make must be an instance of
//! the relation that was found, and what is an expression over the input must be found to
//! be one.
//!
//! `GENERATED=10000 cargo test --release -p duet-host --test generated` runs so many
//! programs. They come in files of 40: `SEED=5` begins with the fifth file, so that a long
//! run can be made in slices. A launch that is no instance is told at once, as is how far a
//! run of more than one file has come. `KEEP=folder` keeps the files there.

mod common;

use std::io::Write as _;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use common::generate::programs;
use common::{ASKED, COMPARED, Header, compile, is_instance, run};
use duet_frontend::Options;
use duet_host::{Host, Origin};

/// Programs in a file, and launches of a run that are looked at.
const PER_FILE: usize = 40;
const MOST_LAUNCHES: usize = 5;

/// Arguments of runs.
const INPUTS: [[i64; 2]; 6] =
    [[1000, 7], [0, 0], [-1, 256], [255, -4096], [2147483647, 3], [65536, 65535]];

fn number(name: &str, usual: usize) -> usize {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

fn header() -> Header {
    let flags = vec!["-fwrapv".to_string()];
    Header { runs: vec![], flags, extra: None, widths: None }
}

fn read(source: &Path) -> Host {
    let host = duet_host::read(&[source.to_path_buf()], &Options::default());
    host.unwrap_or_else(|errors| panic!("{}: {errors:?}", source.display()))
}

/// Says something now, whether or not the test's own output is kept back.
fn say(text: &str) {
    // A closed stream changes nothing about the test.
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// What comes of some work, whose time is added.
fn timed<T>(spent: &mut Duration, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let made = work();
    *spent += start.elapsed();
    made
}

#[test]
fn generated_programs_launch_what_was_found() {
    let files = number("GENERATED", 40).div_ceil(PER_FILE);
    let first = number("SEED", 1);
    let (mut plain, mut exact, mut launches) = (0, 0, 0);
    let mut wrong = vec![];
    // Compiled natively, read, run, compared.
    let mut spent = [Duration::ZERO; 4];
    for seed in first..first + files {
        let work = tempfile::tempdir().expect("a folder");
        let made = programs(seed as u64, PER_FILE);
        let source = work.path().join("program.cu");
        std::fs::write(&source, &made.text).expect("a file can be written");
        if let Some(folder) = std::env::var_os("KEEP") {
            let kept = Path::new(&folder).join(format!("{seed}.cu"));
            std::fs::write(kept, &made.text).expect("a file can be written");
        }
        let header = header();
        let program = timed(&mut spent[0], || compile(&source, &header, work.path()));
        let host = timed(&mut spent[1], || read(&source));
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
                let made = timed(&mut spent[2], || run(&program, &words, &header));
                for launch in made.iter().take(MOST_LAUNCHES) {
                    launches += 1;
                    if !timed(&mut spent[3], || is_instance(&host, launch, &inputs)) {
                        wrong.push(format!("seed {seed}, {words:?}: {launch:?}"));
                        say(&format!("no instance: {}", wrong[wrong.len() - 1]));
                    }
                }
            }
        }
        if files > 1 {
            let done = seed + 1 - first;
            let wrong = wrong.len();
            say(&format!(
                "file {seed} ({done} of {files}): {launches} launches, {wrong} wrong, \
                 {exact} of {plain} plain sites exact, {spent:.0?}"
            ));
        }
    }
    assert!(wrong.is_empty(), "{} launches:\n{}", wrong.len(), wrong.join("\n"));
    println!("{launches} launches, {exact} of {plain} plain sites are exact");
    let compared = COMPARED.load(Ordering::Relaxed);
    println!("{compared} times the contents of memory were compared");
    let asked = ASKED.load(Ordering::Relaxed);
    println!("compiled, read, run and compared in {spent:.1?}; {asked} questions for the solver");
    assert!(compared > 0, "no relation says what memory holds");
    assert!(launches > files * PER_FILE / 2, "{launches} launches");
    // Of few sites a few more than one in ten may be among the hard ones.
    let least = if plain < 1000 { 75 } else { 90 };
    assert!(exact * 100 >= plain * least, "{exact} of {plain}");
}

/// A launch that is recorded wrongly in any size or number is no instance of what was found
/// for an exact site, whether values are tried or a solver is asked.
#[test]
fn launches_that_were_not_made_are_no_instances() {
    let work = tempfile::tempdir().expect("a folder");
    let source = work.path().join("program.cu");
    let text = "__global__ void k(float *a, float *b, int x) {}\n\
                int main(int argc, char **argv) {\n  int n = atoi(argv[1]);\n\
                float *p, *q; cudaMalloc(&p, 400); cudaMalloc(&q, 4 * (size_t)(unsigned)n);\n\
                if (n > 3) k<<<(n + 7) / 8, dim3(8, 2)>>>(p, q, 3 * n);\n}\n";
    std::fs::write(&source, format!("#include <cstdlib>\n{text}")).expect("a file can be written");
    let program = compile(&source, &header(), work.path());
    let host = read(&source);
    let launches = run(&program, &["100".to_string()], &header());
    let [launch] = launches.as_slice() else { panic!("{launches:?}") };
    let inputs = [100];
    assert!(common::witness::is_found(&host.sites[0].relation, launch, &inputs));
    for at in 0..6 {
        let mut other = launch.clone();
        other.sizes[at] += 1;
        assert!(!is_instance(&host, &other, &inputs), "{other:?}");
    }
    for (at, bits) in [(0, 4096), (1, launch.arguments[0]), (2, 301)] {
        let mut other = launch.clone();
        other.arguments[at] = bits;
        assert!(!is_instance(&host, &other, &inputs), "{other:?}");
    }
    let mut other = launch.clone();
    other.allocations[1].1 += 4;
    assert!(!is_instance(&host, &other, &inputs), "{other:?}");
}

#[test]
fn programs_repeat_for_a_seed() {
    assert_eq!(programs(3, 4).text, programs(3, 4).text);
    assert_ne!(programs(3, 4).text, programs(4, 4).text);
}
