//! File tests: a module, and sections `==== run …` that say what comes of a run
//! (see `common` for run lines). Unless a section names a schedule, it is run in
//! order, and what is found must not depend on the order: the same rules at the
//! same lines in reverse and at random.

mod common;

use std::path::PathBuf;

use common::{Run, Text, parse_run};
use duet_filetest::TestFile;
use duet_interp::Schedule;

#[test]
fn runs() {
    let dir = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/files");
    duet_filetest::run(dir, "duet", check_file);
}

fn check_file(file: &TestFile) -> Result<String, String> {
    let mut sections = file.sections();
    let text = Text::parse(&sections.input)?;
    let names: Vec<String> = sections.names().map(str::to_string).collect();
    if names.is_empty() {
        return Err("no section `==== run …`".to_string());
    }
    for name in names {
        let line = name.strip_prefix("run ").ok_or(format!("unknown section `{name}`"))?;
        let body = run_all(&text, parse_run(line)?).map_err(|error| format!("{name}: {error}"))?;
        sections.set(&name, body);
    }
    Ok(sections.to_string())
}

fn run_all(text: &Text, mut run: Run) -> Result<String, String> {
    let outcome = text.run(&run)?;
    let body = text.describe(&run, &outcome);
    if run.scheduled {
        return Ok(body);
    }
    let seeded = (1..=4).map(Schedule::Seeded);
    for schedule in [Schedule::Reversed].into_iter().chain(seeded) {
        run.options.schedule = schedule;
        let other = text.run(&run)?;
        if text.essence(&other) != text.essence(&outcome) {
            let other = text.describe(&run, &other);
            return Err(format!("in order:\n{body}\n{schedule:?}:\n{other}"));
        }
    }
    Ok(body)
}
