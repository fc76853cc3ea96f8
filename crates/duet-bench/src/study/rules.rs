//! What the rules that guess loop invariants are worth (candidate-invariants.txt,
//! §4.3, Table 3 and Fig. 6) and what adding them did (Figs. 7 and 8).
//!
//! A kernel file is *trivial* here if it is proved with no rule at all.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::{by_configuration, logs};
use crate::chart::Chart;
use crate::page::Page;
use crate::record::{Outcome, Record};
use crate::run::Configuration;
use crate::table::{Align, Table};

const ALL: &str = "all rules";
const NONE: &str = "no rules";

/// All rules, no rules, and all but each.
pub(super) fn one_left_out(rules: &[String]) -> Vec<Configuration> {
    let without =
        |rule: &String| Configuration::new(&left_out(rule), &[&format!("--omit-infer={rule}")]);
    let mut list = vec![
        Configuration::new(ALL, &["--without=plain-first"]),
        Configuration::new(NONE, &["--no-infer"]),
    ];
    list.extend(rules.iter().map(without));
    list
}

fn left_out(rule: &str) -> String {
    format!("without {rule}")
}

/// No rules, then one more each time.
pub(super) fn one_more_each(rules: &[String]) -> Vec<Configuration> {
    let step = |count: usize| {
        let name = format!("+ {}", rules[count - 1]);
        let options = rules[..count].iter().map(|rule| format!("--only-infer={rule}"));
        Configuration { name, options: options.collect(), needs: None }
    };
    let none = Configuration::new(NONE, &["--no-infer"]);
    std::iter::once(none).chain((1..=rules.len()).map(step)).collect()
}

type ByFile<'a> = BTreeMap<&'a str, &'a Record>;

fn by_file<'a>(groups: &'a [(String, Vec<&'a Record>)], configuration: &str) -> ByFile<'a> {
    let list = groups.iter().find(|(name, _)| name == configuration).map(|(_, list)| list);
    list.into_iter().flatten().map(|record| (record.file.as_str(), *record)).collect()
}

fn is_proved(record: &Record) -> bool {
    record.outcome == Outcome::Proved
}

/// Candidates that a rule made in a file, and how many of them hold.
fn counts(record: &Record, rule: &str) -> (u64, u64) {
    let number = |value: &Value| value.as_u64().unwrap_or(0);
    record.kernels.iter().fold((0, 0), |(made, kept), kernel| {
        let of_rule = &kernel.inference["rules"][rule];
        (made + number(&of_rule["candidates"]), kept + number(&of_rule["kept"]))
    })
}

/// Table 3: generality, hit rate, essentiality.
pub(super) fn worth(rules: &[String], records: &[Record]) -> Page {
    let groups = by_configuration(records);
    let (all, none) = (by_file(&groups, ALL), by_file(&groups, NONE));
    let trivial: BTreeSet<&str> =
        none.iter().filter(|(_, record)| is_proved(record)).map(|(file, _)| *file).collect();
    let mut table = Table::new(&[
        ("rule", Align::Left),
        ("non-trivial files", Align::Right),
        ("trivial files", Align::Right),
        ("all files", Align::Right),
        ("candidates", Align::Right),
        ("hit rate", Align::Right),
        ("essential for", Align::Right),
        ("for example", Align::Left),
    ]);
    for rule in rules {
        let without = by_file(&groups, &left_out(rule));
        let triggering: Vec<&str> =
            all.iter().filter(|(_, one)| counts(one, rule).0 > 0).map(|(file, _)| *file).collect();
        let easy = triggering.iter().filter(|file| trivial.contains(*file)).count();
        let (made, kept) = all.values().fold((0, 0), |(made, kept), record| {
            let (more, hits) = counts(record, rule);
            (made + more, kept + hits)
        });
        let essential: Vec<&str> = all
            .iter()
            .filter(|(_, record)| is_proved(record))
            .filter(|(file, _)| without.get(*file).is_some_and(|record| !is_proved(record)))
            .map(|(file, _)| *file)
            .collect();
        let rate = match made {
            0 => "-".to_string(),
            made => format!("{:.0} %", 100.0 * kept as f64 / made as f64),
        };
        table.row([
            rule.clone(),
            (triggering.len() - easy).to_string(),
            easy.to_string(),
            triggering.len().to_string(),
            made.to_string(),
            rate,
            essential.len().to_string(),
            essential.first().unwrap_or(&"").to_string(),
        ]);
    }
    let mut page = Page::new("What each rule is worth");
    let proved = |files: &ByFile<'_>| files.values().filter(|record| is_proved(record)).count();
    page.text(format!(
        "{} files; proved with all rules {}, with none {} (these are the trivial ones). A rule is \
         essential for a file that is proved with all rules and not without this one.",
        all.len(),
        proved(&all),
        proved(&none)
    ));
    page.table("Generality, hit rate, essentiality", table);
    page.table("The same in the paper", logs::in_the_paper(rules));
    page
}

/// Fig. 6: in how many files does leaving out a rule change what another one keeps?
pub(super) fn influence(rules: &[String], records: &[Record]) -> Page {
    let groups = by_configuration(records);
    let all = by_file(&groups, ALL);
    let influenced = |removed: &String, other: &String| {
        let without = by_file(&groups, &left_out(removed));
        let changed = all.iter().filter(|(file, record)| {
            let now = without.get(*file).map(|one| counts(one, other).1);
            removed != other && now.is_some_and(|kept| kept != counts(record, other).1)
        });
        changed.count() as f64
    };
    let values: Vec<Vec<f64>> = rules
        .iter()
        .map(|removed| rules.iter().map(|other| influenced(removed, other)).collect())
        .collect();
    let mut table = Table::new(&[
        ("left out", Align::Left),
        ("influenced", Align::Left),
        ("files", Align::Right),
    ]);
    for (removed, row) in rules.iter().zip(&values) {
        for (other, count) in rules.iter().zip(row).filter(|(_, count)| **count > 0.0) {
            table.row([removed.clone(), other.clone(), format!("{count:.0}")]);
        }
    }
    let mut page = Page::new("Which rule needs another");
    page.text(
        "In how many files the candidates that one rule keeps change when another rule is left \
         out. Pairs that are not listed: in none.",
    );
    page.table("Pairs with influence", table);
    let (rows, columns) = (rules.to_vec(), rules.to_vec());
    page.chart(
        "Left out (rows) against influenced (columns)",
        Chart::HeatMap { rows, columns, values },
    );
    page
}

/// Figs. 7 and 8: time and proofs, of trivial and other files, as rules are added.
pub(super) fn evolution(records: &[Record]) -> Page {
    let groups = by_configuration(records);
    let none = by_file(&groups, NONE);
    let is_trivial =
        |record: &Record| none.get(record.file.as_str()).is_some_and(|one| is_proved(one));
    let mut table = Table::new(&[
        ("rules", Align::Left),
        ("trivial proved", Align::Right),
        ("others proved", Align::Right),
        ("trivial s", Align::Right),
        ("others s", Align::Right),
    ]);
    let mut proved = [vec![], vec![]];
    let mut seconds = [vec![], vec![]];
    for (name, list) in &groups {
        for (at, wanted) in [true, false].into_iter().enumerate() {
            let part = || list.iter().filter(|record| is_trivial(record) == wanted);
            proved[at].push(part().filter(|record| is_proved(record)).count() as f64);
            seconds[at].push(part().map(|record| record.seconds).sum::<f64>());
        }
        let last = |values: &[Vec<f64>; 2], at: usize| values[at].last().copied().unwrap_or(0.0);
        table.row([
            name.clone(),
            format!("{:.0}", last(&proved, 0)),
            format!("{:.0}", last(&proved, 1)),
            format!("{:.1}", last(&seconds, 0)),
            format!("{:.1}", last(&seconds, 1)),
        ]);
    }
    let labels: Vec<String> = groups.iter().map(|(name, _)| name.clone()).collect();
    let lines = |[trivial, others]: [Vec<f64>; 2], unit: &str| Chart::Lines {
        labels: labels.clone(),
        series: vec![("trivial".to_string(), trivial), ("others".to_string(), others)],
        unit: unit.to_string(),
    };
    let mut page = Page::new("Time and proofs as rules are added");
    page.text("Rules are added from the top. A file is trivial if it is proved with no rule.");
    page.table("Steps", table);
    page.chart("Time", lines(seconds, "seconds"));
    page.chart("Proved files", lines(proved, "files"));
    page
}
