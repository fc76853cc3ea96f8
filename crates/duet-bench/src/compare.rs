//! An old run against a new one.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::record::{Outcome, Record};
use crate::statistics::{geometric_mean, median};

/// Times below this are noise, whatever their ratio.
const NOTICEABLE_SECONDS: f64 = 0.1;
/// A ratio of times beyond this is worth a line.
const NOTICEABLE_RATIO: f64 = 1.5;

/// A file with another result than before.
#[derive(Clone, PartialEq, Debug)]
pub struct Change<T> {
    /// The file.
    pub file: String,
    /// The configuration.
    pub configuration: String,
    /// Before.
    pub old: T,
    /// Now.
    pub new: T,
}

/// What changed between two runs.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Comparison {
    /// Files in both runs.
    pub common: usize,
    /// Other outcomes.
    pub outcomes: Vec<Change<Outcome>>,
    /// Times that differ noticeably.
    pub times: Vec<Change<f64>>,
    /// Files of the old run only, and of the new one only.
    pub missing: Vec<String>,
    /// Files of the new run only.
    pub added: Vec<String>,
    /// New time over old time of each common file.
    pub ratios: Vec<f64>,
}

/// Compares two runs.
pub fn compare(old: &[Record], new: &[Record]) -> Comparison {
    let by_name = |records: &[Record]| -> BTreeMap<(String, String), Record> {
        let key = |record: &Record| (record.file.clone(), record.configuration.clone());
        records.iter().map(|record| (key(record), record.clone())).collect()
    };
    let (old, new) = (by_name(old), by_name(new));
    let mut comparison = Comparison::default();
    for (key, before) in &old {
        match new.get(key) {
            Some(now) => comparison.add(before, now),
            None => comparison.missing.push(key.0.clone()),
        }
    }
    let added = new.keys().filter(|key| !old.contains_key(*key));
    comparison.added = added.map(|key| key.0.clone()).collect();
    comparison
}

impl Comparison {
    fn add(&mut self, old: &Record, new: &Record) {
        self.common += 1;
        let (file, configuration) = (new.file.clone(), new.configuration.clone());
        if old.outcome != new.outcome {
            let (file, configuration) = (file.clone(), configuration.clone());
            self.outcomes.push(Change { file, configuration, old: old.outcome, new: new.outcome });
        }
        if old.seconds <= 0.0 || new.seconds <= 0.0 {
            return;
        }
        let ratio = new.seconds / old.seconds;
        self.ratios.push(ratio);
        let is_far = !(1.0 / NOTICEABLE_RATIO..=NOTICEABLE_RATIO).contains(&ratio);
        if is_far && (new.seconds - old.seconds).abs() >= NOTICEABLE_SECONDS {
            let (old, new) = (old.seconds, new.seconds);
            self.times.push(Change { file, configuration, old, new });
        }
    }

    /// Outcomes that were proved and are not any more.
    pub fn lost(&self) -> impl Iterator<Item = &Change<Outcome>> {
        self.outcomes.iter().filter(|change| change.old == Outcome::Proved)
    }

    /// For people.
    pub fn to_text(&self) -> String {
        let gained = self.outcomes.iter().filter(|one| one.new == Outcome::Proved).count();
        let mut text = format!(
            "{} files in both runs: {} verdicts changed (newly proved {gained}, no longer proved {}); \
             time new over old: median {:.2}, geometric mean {:.2}\n",
            self.common,
            self.outcomes.len(),
            self.lost().count(),
            median(&self.ratios),
            geometric_mean(&self.ratios),
        );
        for change in &self.outcomes {
            let (old, new) = (change.old.word(), change.new.word());
            let _ = writeln!(text, "  {}: {old} -> {new}", change.file);
        }
        for change in &self.times {
            let ratio = change.new / change.old;
            let Change { file, old, new, .. } = change;
            let _ = writeln!(text, "  {file}: {old:.2} s -> {new:.2} s ({ratio:.2})");
        }
        for file in &self.missing {
            let _ = writeln!(text, "  {file}: only in the old run");
        }
        for file in &self.added {
            let _ = writeln!(text, "  {file}: only in the new run");
        }
        text
    }
}
