//! Host programs that a plausible analysis gets wrong, really run: each launch that they
//! make must be an instance of the relation that was found.

mod common;

use std::path::PathBuf;

use common::{Header, compile, is_instance, run};
use duet_frontend::Options;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/traps")
}

/// The options of the analysis that the flags of a program come to.
fn options(header: &Header) -> Options {
    let defines = header.flags.iter().filter_map(|flag| flag.strip_prefix("-D"));
    Options { defines: defines.map(str::to_string).collect(), ..Options::default() }
}

/// The traps that the analysis was designed against, by number, and words of their names.
const DESIGNED: [(usize, &str); 24] = [
    (1, "size-wraps"),
    (2, "rounding-up-wraps"),
    (3, "one-site-two-arrays"),
    (4, "perhaps-the-same"),
    (5, "block-changed-after-use"),
    (6, "static-constructor"),
    (7, "scanf-changes-it"),
    (8, "message-is-no-exit"),
    (9, "halves-are-no-powers"),
    (10, "first-visit-untested"),
    (11, "address-comes-again"),
    (12, "swap-under-condition"),
    (13, "order-of-arguments"),
    (14, "ceil-of-integers"),
    (15, "member-by-memcpy"),
    (16, "recursion"),
    (17, "launch-at-exit"),
    (18, "thread-changes-size"),
    (19, "weak-function"),
    (20, "perhaps-uninitialised"),
    (21, "pitch-is-no-multiple"),
    (22, "unsigned-and-narrow"),
    (23, "exception-before-assignment"),
    (24, "contents-by-bytes"),
];

/// Each of them is a program that is run: it says with which arguments.
#[test]
fn every_trap_of_the_design_is_run() {
    for (number, words) in DESIGNED {
        let file = folder().join(format!("{number:02}-{words}.cu"));
        let text = std::fs::read_to_string(&file).unwrap_or_default();
        let runs = Header::parse(&text).runs;
        assert!(!runs.is_empty(), "{} is not run", file.display());
    }
}

/// What memory holds is compared too: one byte all over, and after it nothing that is known.
#[test]
fn contents_are_compared() {
    let file = folder().join("24-contents-by-bytes.cu");
    let header = Header::parse(&std::fs::read_to_string(&file).expect("a program"));
    let host = duet_host::read(std::slice::from_ref(&file), &options(&header)).expect("a program");
    let work = tempfile::tempdir().expect("a folder");
    let program = compile(&file, &header, work.path());
    let launches = run(&program, &header.runs[0], &header);
    assert!(launches.iter().all(|launch| is_instance(&host, launch, &[16])), "{launches:?}");
    // Recorded with other contents, the first one is no instance.
    let mut other = launches[0].clone();
    other.filled.clear();
    assert!(!is_instance(&host, &other, &[16]), "{other:?}");
}

#[test]
fn traps() {
    let only = std::env::var("TRAP").ok();
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder())
        .expect("a folder of programs")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| only.as_ref().is_none_or(|name| path.display().to_string().contains(name)))
        .collect();
    files.sort();
    let mut wrong = vec![];
    for file in files {
        let text = std::fs::read_to_string(&file).expect("a program");
        let header = Header::parse(&text);
        let work = tempfile::tempdir().expect("a folder");
        let program = compile(&file, &header, work.path());
        let host = duet_host::read(std::slice::from_ref(&file), &options(&header));
        let host = host.unwrap_or_else(|errors| panic!("{}: {errors:?}", file.display()));
        let mut launches = 0;
        for arguments in &header.runs {
            let inputs: Vec<i64> = arguments.iter().flat_map(|word| word.parse()).collect();
            for launch in run(&program, arguments, &header) {
                launches += 1;
                if !is_instance(&host, &launch, &inputs) {
                    let sites: String = host.sites.iter().map(|site| site.describe()).collect();
                    wrong.push(format!("{} {arguments:?}: {launch:?}\n{sites}", file.display()));
                }
            }
        }
        if launches == 0 {
            wrong.push(format!("{} launches nothing", file.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
