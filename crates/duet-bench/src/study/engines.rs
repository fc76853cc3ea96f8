//! Refutation engines: what each kills and in which time (candidate-invariants.txt,
//! Table 4), how alike they are (Table 5), and what they bring Houdini (Figs. 12, 13).

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::{by_configuration, speed};
use crate::page::{Page, Part};
use crate::record::Record;
use crate::run::Configuration;
use crate::table::{Align, Table};

/// The engines besides Houdini.
const ENGINES: [&str; 4] = ["SBASE", "SSTEP", "LU(1)", "DYN"];

fn with_engines(engines: &str) -> Configuration {
    Configuration::new(engines, &[&format!("--engines={engines}")])
}

/// Houdini alone, after each engine, and beside two of them.
pub(super) fn compositions() -> Vec<Configuration> {
    let mut list = vec![with_engines("H")];
    list.extend(ENGINES.map(|engine| with_engines(&format!("{engine};H"))));
    list.push(with_engines("DYN||SBASE||H"));
    list
}

/// Each engine in front of Houdini, so that what it kills is its own doing.
pub(super) fn alone() -> Vec<Configuration> {
    ENGINES.map(|engine| with_engines(&format!("{engine};H"))).to_vec()
}

/// What an engine did in a run.
#[derive(Default)]
struct Work {
    seconds: f64,
    /// The candidates it killed: file, kernel, candidate.
    killed: BTreeSet<String>,
}

/// What each engine did, by its name, over the records of one configuration.
fn work(records: &[&Record]) -> BTreeMap<String, Work> {
    let mut all: BTreeMap<String, Work> = BTreeMap::new();
    for record in records {
        for kernel in &record.kernels {
            let Some(engines) = kernel.inference["engines"].as_object() else { continue };
            for (name, done) in engines {
                let work = all.entry(name.clone()).or_default();
                work.seconds += done["ms"].as_f64().unwrap_or(0.0) / 1e3;
                let killed = done["refuted"].as_array().map(Vec::as_slice).unwrap_or_default();
                let names = killed.iter().filter_map(Value::as_str);
                work.killed.extend(names.map(|id| format!("{} {} {id}", record.file, kernel.name)));
            }
        }
    }
    all
}

/// The speed-ups over Houdini alone, Table 4 and Table 5. Times are those of the search
/// for loop invariants, of the files in which something is searched for.
pub(super) fn page(records: &[Record]) -> Page {
    let mut page = speed::page("Refutation engines", &speed::of_inference(records));
    let at = 1.min(page.parts.len());
    let tables = [("Throughput", throughput(records)), ("Pairs of engines", similarity(records))];
    for (title, table) in tables.into_iter().rev() {
        page.parts.insert(at, Part::Table(title.to_string(), table));
    }
    let note = "Times are those of the search for loop invariants.";
    page.parts.insert(at, Part::Text(note.to_string()));
    page
}

/// Table 4.
fn throughput(records: &[Record]) -> Table {
    let mut table = Table::new(&[
        ("configuration", Align::Left),
        ("engine", Align::Left),
        ("refutations", Align::Right),
        ("seconds", Align::Right),
        ("refutations a second", Align::Right),
    ]);
    for (name, list) in by_configuration(records) {
        for (engine, work) in work(&list) {
            let count = work.killed.len();
            table.row([
                name.clone(),
                engine,
                count.to_string(),
                format!("{:.2}", work.seconds),
                format!("{:.2}", count as f64 / work.seconds.max(1e-9)),
            ]);
        }
    }
    table
}

/// Table 5, by itself.
pub(super) fn jaccard(records: &[Record]) -> Page {
    let mut page = Page::new("How alike engines are");
    page.text("Candidates that both engines kill over those that either kills; low: they complement each other.");
    page.table("Pairs of engines", similarity(records));
    page
}

/// Table 5.
fn similarity(records: &[Record]) -> Table {
    let groups = by_configuration(records);
    let killed: Vec<(&str, BTreeSet<String>)> = ENGINES
        .iter()
        .map(|engine| {
            let configuration = format!("{engine};H");
            let list = groups.iter().find(|(name, _)| *name == configuration);
            let work = list.and_then(|(_, list)| work(list).remove(*engine));
            (*engine, work.unwrap_or_default().killed)
        })
        .collect();
    let mut table = Table::new(&[
        ("engine", Align::Left),
        ("engine", Align::Left),
        ("both", Align::Right),
        ("either", Align::Right),
        ("Jaccard index", Align::Right),
    ]);
    for (number, (one, first)) in killed.iter().enumerate() {
        for (other, second) in &killed[number + 1..] {
            let (both, either) = (first.intersection(second).count(), first.union(second).count());
            let index = match either {
                0 => "-".to_string(),
                either => format!("{:.2}", both as f64 / either as f64),
            };
            table.row([
                one.to_string(),
                other.to_string(),
                both.to_string(),
                either.to_string(),
                index,
            ]);
        }
    }
    table
}
