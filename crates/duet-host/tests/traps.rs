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
