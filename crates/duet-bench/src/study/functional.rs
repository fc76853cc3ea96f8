//! Contracts: what each step of a proof brings, beside the paper's table of its own
//! simplifications (functional-correctness.txt, Table 1).
//!
//! A task of the paper is a formula given to a solver; ours is a question of the proof, the
//! check of the kernel left out. A step that is left out may lead to more questions or to
//! fewer: the first that is left open ends a clause.

use super::by_configuration;
use crate::page::Page;
use crate::record::{Outcome, Record};
use crate::run::Configuration;
use crate::table::{Align, Table};

/// The steps, as `--without-steps` calls them.
const STEPS: [&str; 5] = ["inversion", "digits", "leaves", "splitting", "rounds"];

/// All steps, then all but each.
pub(super) fn configurations() -> Vec<Configuration> {
    let without = |step: &&str| {
        let option = format!("--without-steps={step}");
        Configuration::new(&format!("without {step}"), &[&option])
    };
    let all = Configuration::new("all steps", &[]);
    std::iter::once(all).chain(STEPS.iter().map(without)).collect()
}

/// Proofs, questions and times of each configuration, the table by file, and the paper's.
pub(super) fn page(records: &[Record]) -> Page {
    let groups = by_configuration(records);
    let mut page = Page::new("Contracts: what each step of a proof brings");
    page.text(
        "Tasks are questions of proofs: proved / asked. Seconds are those of proofs, without \
         the check and clang.",
    );
    page.table("All files", totals(&groups));
    page.table("By file", by_file(records, &groups));
    page.table("The paper's programs, with and without its simplification", in_the_paper());
    page
}

/// Questions of a file: asked, and answered so that they prove something.
fn tasks(record: &Record) -> (u64, u64) {
    record.kernels.iter().fold((0, 0), |(asked, proved), kernel| {
        let number = |name: &str| kernel.questions[name].as_u64().unwrap_or(0);
        (asked + number("asked"), proved + number("proved"))
    })
}

fn seconds(record: &Record) -> f64 {
    record.kernels.iter().map(|kernel| kernel.prove_ms as f64 / 1e3).sum()
}

fn totals(groups: &[(String, Vec<&Record>)]) -> Table {
    let mut table = Table::new(&[
        ("steps", Align::Left),
        ("proved", Align::Right),
        ("refuted", Align::Right),
        ("others", Align::Right),
        ("tasks", Align::Right),
        ("seconds", Align::Right),
    ]);
    for (name, list) in groups {
        let count = |outcome| list.iter().filter(|one| one.outcome == outcome).count();
        let (proved, refuted) = (count(Outcome::Proved), count(Outcome::Refuted));
        let all = list.iter().map(|one| tasks(one));
        let (asked, shown) = all.fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
        let time: f64 = list.iter().map(|one| seconds(one)).sum();
        table.row([
            name.clone(),
            proved.to_string(),
            refuted.to_string(),
            (list.len() - proved - refuted).to_string(),
            format!("{shown}/{asked}"),
            format!("{time:.1}"),
        ]);
    }
    table
}

fn by_file(records: &[Record], groups: &[(String, Vec<&Record>)]) -> Table {
    let mut columns = vec![("file", Align::Left)];
    columns.extend(groups.iter().map(|(name, _)| (name.as_str(), Align::Right)));
    let mut table = Table::new(&columns);
    let mut files: Vec<&str> = records.iter().map(|record| record.file.as_str()).collect();
    files.sort_unstable();
    files.dedup();
    for file in files {
        let cells = groups.iter().map(|(_, list)| {
            list.iter().find(|one| one.file == file).map_or(String::new(), |one| cell(one))
        });
        table.row(std::iter::once(file.to_string()).chain(cells));
    }
    table
}

/// Tasks and time, or what came of the file if it is no proof.
fn cell(record: &Record) -> String {
    let (asked, proved) = tasks(record);
    match record.outcome {
        Outcome::Proved => format!("{proved}/{asked} {:.2} s", seconds(record)),
        Outcome::Unproven => format!("unproven {proved}/{asked} {:.2} s", seconds(record)),
        Outcome::Refuted
        | Outcome::Unreadable
        | Outcome::BadOptions
        | Outcome::TimedOut
        | Outcome::OutOfMemory
        | Outcome::Crashed => record.outcome.word().to_string(),
    }
}

/// Table 1 of the paper: seconds are those of generating conditions and of solving them.
fn in_the_paper() -> Table {
    let mut table = Table::new(&[
        ("program", Align::Left),
        ("simplified", Align::Left),
        ("tasks", Align::Right),
        ("seconds", Align::Right),
    ]);
    for (program, simplified, tasks, seconds) in [
        ("vectorAdd", "yes", "7/7", "0.9"),
        ("", "no", "3/7", "9.1"),
        ("matrixMul", "yes", "19/19", "12.4"),
        ("", "no", "15/17", "6.6"),
        ("diffusion", "yes", "112/112", "9361.9"),
        ("", "no", "1/4", "6.7"),
    ] {
        table.row([program, simplified, tasks, seconds].map(String::from));
    }
    table
}
