//! The encoding by access logs: what each of its optimisations brings (engineering.txt,
//! Table 1), the solvers (Table 2), and logs against pairs. And the numbers that the paper
//! gives for its rules (candidate-invariants.txt, Table 3), to be read beside ours.

use super::{by_configuration, speed};
use crate::page::Page;
use crate::record::{Outcome, Record};
use crate::run::Configuration;
use crate::table::{Align, Table};

const WATCHDOG: &str = "--race-instrumenter=watchdog-single";
const ORIGINAL: &str = "--race-instrumenter=original";
/// The optimisations besides the watched offset.
const SHORTCUTS: [&str; 3] = ["uniformity", "read-only-arrays", "private-arrays"];

/// None of the optimisations, each alone, all but each, and all.
pub(super) fn optimisations() -> Vec<Configuration> {
    let named = |name: String, taken: &[&str], watches: bool| {
        let left: Vec<&str> =
            SHORTCUTS.into_iter().filter(|shortcut| !taken.contains(shortcut)).collect();
        let mut options = vec![if watches { WATCHDOG } else { ORIGINAL }.to_string()];
        if !left.is_empty() {
            options.push(format!("--without={}", left.join(",")));
        }
        Configuration { name, options, needs: None }
    };
    let mut list = vec![named("none".to_string(), &[], false)];
    list.extend(SHORTCUTS.map(|one| named(format!("only {one}"), &[one], false)));
    list.push(named("only watchdog".to_string(), &[], true));
    for one in SHORTCUTS {
        let others: Vec<&str> = SHORTCUTS.into_iter().filter(|other| *other != one).collect();
        list.push(named(format!("without {one}"), &others, true));
    }
    list.push(named("without watchdog".to_string(), &SHORTCUTS, false));
    list.push(named("all".to_string(), &SHORTCUTS, true));
    list
}

/// The solvers, by logs.
pub(super) fn solvers(solvers: &[String]) -> Vec<Configuration> {
    let mut list = speed::solvers(solvers);
    list.iter_mut().for_each(|one| one.options.insert(0, WATCHDOG.to_string()));
    list
}

/// Pairs, then logs.
pub(super) fn both_ways() -> Vec<Configuration> {
    vec![Configuration::new("pairs", &[]), Configuration::new("logs", &[WATCHDOG])]
}

/// Candidates made and kept in a file.
fn candidates(record: &Record) -> (u64, u64) {
    let rules = record.kernels.iter().filter_map(|kernel| kernel.inference["rules"].as_object());
    rules.flatten().fold((0, 0), |(made, kept), (_, counts)| {
        let number = |field: &str| counts[field].as_u64().unwrap_or(0);
        (made + number("candidates"), kept + number("kept"))
    })
}

/// Logs against pairs: proofs, candidates, time, and what only one of them proves.
pub(super) fn against_pairs(records: &[Record]) -> Page {
    let mut page = speed::page("Logs against pairs", records);
    let groups = by_configuration(records);
    let mut table = Table::new(&[
        ("way", Align::Left),
        ("proved", Align::Right),
        ("refuted", Align::Right),
        ("candidates", Align::Right),
        ("kept", Align::Right),
        ("seconds", Align::Right),
    ]);
    for (name, list) in &groups {
        let count = |outcome| list.iter().filter(|one| one.outcome == outcome).count().to_string();
        let (made, kept) = list.iter().fold((0, 0), |(made, kept), one| {
            let (more, hits) = candidates(one);
            (made + more, kept + hits)
        });
        let seconds: f64 = list.iter().map(|one| one.seconds).sum();
        let (proved, refuted) = (count(Outcome::Proved), count(Outcome::Refuted));
        table.row([
            name.clone(),
            proved,
            refuted,
            made.to_string(),
            kept.to_string(),
            format!("{seconds:.1}"),
        ]);
    }
    page.table("Proofs and candidates", table);
    page.table("Files that one way proves and the other refutes", contradictions(&groups));
    page
}

/// There should be none.
fn contradictions(groups: &[(String, Vec<&Record>)]) -> Table {
    let mut table = Table::new(&[
        ("file", Align::Left),
        ("proved by", Align::Left),
        ("refuted by", Align::Left),
    ]);
    for (name, list) in groups {
        for record in list.iter().filter(|one| one.outcome == Outcome::Proved) {
            let refutes = |(other, list): &&(String, Vec<&Record>)| {
                let is_it = |one: &&&Record| one.file == record.file;
                other != name
                    && list.iter().find(is_it).is_some_and(|one| one.outcome == Outcome::Refuted)
            };
            for (other, _) in groups.iter().filter(refutes) {
                table.row([record.file.clone(), name.clone(), other.clone()]);
            }
        }
    }
    table
}

/// Table 3 of the paper: rule, kernels that trigger it, hit rate in per cent, kernels for which
/// it is essential.
const TABLE_3: [(&str, u32, u32, u32); 19] = [
    ("accessBreak", 70, 74, 36),
    ("accessedOffsetsSatisfyPredicates", 211, 89, 88),
    ("accessLowerBoundBlock", 30, 83, 3),
    ("accessUpperBoundBlock", 30, 60, 3),
    ("accessOnlyIfEnabledInEnclosingScopes", 92, 59, 0),
    ("conditionsImplyingEnabledness", 147, 99, 1),
    ("disabledMaintainsInstrumentation", 84, 100, 3),
    ("guardMinusInitialIsUniform", 46, 91, 32),
    ("guardNonNeg", 190, 75, 0),
    ("loopBound", 255, 47, 30),
    ("loopCounterIsStrided", 149, 87, 113),
    ("loopPredicateEquality", 46, 91, 4),
    ("noread", 103, 49, 45),
    ("nowrite", 116, 52, 36),
    ("pow2", 55, 40, 16),
    ("pow2NotZero", 55, 29, 0),
    ("predicatedEquality", 46, 4, 1),
    ("relationalPow2", 14, 4, 10),
    ("sameWarpNoAccess", 7, 90, 1),
];

/// The paper's numbers for the rules that are studied.
pub(super) fn in_the_paper(rules: &[String]) -> Table {
    let mut table = Table::new(&[
        ("rule", Align::Left),
        ("number", Align::Left),
        ("kernels", Align::Right),
        ("hit rate", Align::Right),
        ("essential for", Align::Right),
    ]);
    for (number, (rule, kernels, rate, essential)) in TABLE_3.iter().enumerate() {
        if rules.iter().any(|name| name == rule) {
            table.row([
                rule.to_string(),
                format!("r{number}"),
                kernels.to_string(),
                format!("{rate} %"),
                essential.to_string(),
            ]);
        }
    }
    table
}
