//! File tests: each file holds a kernel in the text form with assertions. The section
//! `obstacles` lists, for each assertion that z3 leaves open, what stood in the way of a
//! proof; the section `unanswered` the same with a solver that finds nothing out. Values of
//! a state are left out: another version of the solver finds another state. The launch has
//! free sizes. `BLESS=1` rewrites the sections.

#[path = "common/kernel.rs"]
mod kernel;
#[path = "common/script.rs"]
mod script;

use std::fmt::Write;
use std::path::PathBuf;

use duet_ask::{Answered, Asker, Doubt, Obstacle, Session, Variable};
use duet_product::KernelFacts;
use duet_smt::solver::Reason;

use script::Reply;

fn in_words(facts: &KernelFacts<'_>, obstacle: &Obstacle) -> String {
    match obstacle {
        Obstacle::Loop { line, variables, invariants, guard } => {
            let name =
                |one: &Variable| one.name.clone().unwrap_or_else(|| "iterations".to_string());
            let names: Vec<String> = variables.iter().map(name).collect();
            let names = names.join(", ");
            format!("loop at {line:?} by {names}, knowing {invariants:?}, while {guard:?}")
        }
        Obstacle::Contents { array, lines, is_written, into } => {
            let name = &facts.module.arrays[*array].name;
            let how = if *is_written { "written" } else { "not written" };
            format!("contents of @{name}, {how}, read at {lines:?} into {into:?}")
        }
        Obstacle::NotMet { assumed } => format!("not met: {assumed:?}"),
        Obstacle::Result { what, line } => format!("what {what} at {line:?}"),
        Obstacle::Function => "an unknown function".to_string(),
        Obstacle::AboutTwoThreads { lines } => format!("about two threads at {lines:?}"),
        Obstacle::Fences { lines, flags } => format!("fences at {lines:?}, flags at {flags:?}"),
        Obstacle::Products { of } => format!("products of {}", of.join(", ")),
    }
}

fn obstacles(facts: &KernelFacts<'_>, session: &mut Session) -> Result<String, String> {
    let mut walker = kernel::walker(facts);
    let mut asker = Asker::new(session, kernel::ask_options());
    let mut text = String::new();
    for (inst, question) in kernel::assertions(&mut walker) {
        let answer = asker.ask(&mut walker, &question).map_err(|error| error.to_string())?;
        let Answered::Open(open) = answer else {
            let _ = writeln!(text, "{inst}: proved");
            continue;
        };
        let how = match open.doubt {
            Doubt::Model(_) => "there is a state".to_string(),
            Doubt::Unknown(reason) => format!("{reason:?}"),
        };
        let _ = writeln!(text, "{inst}: {how}");
        for obstacle in &open.obstacles {
            let _ = writeln!(text, "  {}", in_words(facts, obstacle));
        }
    }
    Ok(text)
}

#[test]
fn obstacles_are_what_the_files_say() {
    let dir = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/files");
    duet_filetest::run(dir, "duet", |file| {
        let mut sections = file.sections();
        let module = kernel::parse(&sections.input)?;
        let facts = kernel::facts(&module)?;
        let mut z3 = Session::new().map_err(|error| error.to_string())?;
        sections.set("obstacles", obstacles(&facts, &mut z3)?);
        let (mut silent, _) = script::session(|_| Reply::Silent(Reason::Resource));
        sections.set("unanswered", obstacles(&facts, &mut silent)?);
        Ok(sections.to_string())
    });
}
