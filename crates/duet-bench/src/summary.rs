//! The numbers of a run: how many kernel files are proved, in total and by whether
//! they have loops and whether their name begins with an underscore; times; memory.

use crate::record::{Expected, Outcome, Record};
use crate::statistics::{median, percentile};
use crate::table::{Align, Table};

/// Files that are counted together.
#[derive(Clone, PartialEq, Debug)]
pub struct Group {
    /// What they have in common.
    pub name: &'static str,
    /// How many there are.
    pub files: usize,
    /// How many ended in which way, in the order of [`Outcome::ALL`].
    pub outcomes: [usize; 8],
    /// The median time of one.
    pub median_seconds: f64,
}

impl Group {
    fn new(name: &'static str, records: &[&Record]) -> Group {
        let count = |outcome| records.iter().filter(|record| record.outcome == outcome).count();
        let times: Vec<f64> = records.iter().map(|record| record.seconds).collect();
        Group {
            name,
            files: records.len(),
            outcomes: Outcome::ALL.map(count),
            median_seconds: median(&times),
        }
    }

    /// How many are proved.
    pub fn proved(&self) -> usize {
        self.outcomes[0]
    }

    /// How many ended without any verdict of the checker.
    pub fn without_verdict(&self) -> usize {
        self.outcomes[3..].iter().sum()
    }

    fn percent(&self) -> String {
        match self.files {
            0 => String::new(),
            files => format!("{:.1} %", 100.0 * self.proved() as f64 / files as f64),
        }
    }
}

/// The numbers of a run under one configuration.
#[derive(Clone, PartialEq, Debug)]
pub struct Summary {
    /// All files, then parts of them.
    pub groups: Vec<Group>,
    /// Files whose result contradicts their header.
    pub contradictions: Vec<String>,
    /// Files that should fail and are not proved, and files that should fail.
    pub bugs: (usize, usize),
    /// Files that are not proved and whose findings the user accepts.
    pub accepted: usize,
    /// Sums over all files: wall-clock time, clang, solvers, search for invariants.
    pub seconds: [f64; 4],
    /// Median, 90th percentile and longest time.
    pub times: [f64; 3],
    /// Median and largest memory, in megabytes.
    pub memory: [f64; 2],
    /// The slowest files.
    pub slowest: Vec<(String, f64)>,
}

/// How many of the slowest files are named.
const SLOWEST: usize = 5;

impl Summary {
    /// Of the records of one configuration.
    pub fn new(records: &[Record]) -> Summary {
        let times: Vec<f64> = records.iter().map(|record| record.seconds).collect();
        let memory: Vec<f64> = records.iter().map(|record| record.peak_mb).collect();
        let sum = |part: fn(&Record) -> f64| records.iter().map(part).sum();
        let bugs: Vec<&Record> =
            records.iter().filter(|record| record.expected == Expected::Fail).collect();
        let caught = bugs.iter().filter(|record| record.outcome != Outcome::Proved).count();
        let mut slowest: Vec<&Record> = records.iter().collect();
        slowest.sort_by(|a, b| b.seconds.total_cmp(&a.seconds));
        Summary {
            groups: groups(records),
            contradictions: records
                .iter()
                .filter(|record| record.contradicts())
                .map(|record| record.file.clone())
                .collect(),
            bugs: (caught, bugs.len()),
            accepted: records.iter().filter(|record| record.accepted).count(),
            seconds: [
                sum(|record| record.seconds),
                sum(|record| record.clang_seconds),
                sum(|record| record.solver_seconds),
                sum(|record| record.infer_seconds),
            ],
            times: [median(&times), percentile(&times, 90.0), percentile(&times, 100.0)],
            memory: [median(&memory), percentile(&memory, 100.0)],
            slowest: slowest
                .iter()
                .take(SLOWEST)
                .map(|record| (record.file.clone(), record.seconds))
                .collect(),
        }
    }

    /// How many files ended in which way.
    pub fn verdict_table(&self) -> Table {
        let mut table = Table::new(&[
            ("files", Align::Left),
            ("all", Align::Right),
            ("proved", Align::Right),
            ("", Align::Right),
            ("refuted", Align::Right),
            ("unproven", Align::Right),
            ("no verdict", Align::Right),
            ("median", Align::Right),
        ]);
        for group in &self.groups {
            table.row([
                group.name.to_string(),
                group.files.to_string(),
                group.proved().to_string(),
                group.percent(),
                group.outcomes[1].to_string(),
                group.outcomes[2].to_string(),
                group.without_verdict().to_string(),
                format!("{:.3} s", group.median_seconds),
            ]);
        }
        table
    }

    /// Times, memory, the slowest, and what contradicts its header.
    pub fn notes(&self) -> String {
        let [total, clang, solver, infer] = self.seconds;
        let [median, most, longest] = self.times;
        let [typical, largest] = self.memory;
        let mut text = format!(
            "time: median {median:.3} s, 90 % within {most:.3} s, longest {longest:.2} s; \
             in total {total:.1} s (clang {clang:.1} s, solvers {solver:.1} s, \
             search for invariants {infer:.1} s)\n\
             memory: median {typical:.0} MB, largest {largest:.0} MB\n"
        );
        let slowest: Vec<String> =
            self.slowest.iter().map(|(file, seconds)| format!("{file} {seconds:.2} s")).collect();
        if !slowest.is_empty() {
            text.push_str(&format!("slowest: {}\n", slowest.join(", ")));
        }
        let (caught, bugs) = self.bugs;
        if bugs > 0 {
            text.push_str(&format!("files that should fail: {bugs}, not proved {caught}\n"));
        }
        if self.accepted > 0 {
            let count = self.accepted;
            text.push_str(&format!("not proved, but all findings accepted: {count}\n"));
        }
        for file in &self.contradictions {
            text.push_str(&format!("WRONG: {file} contradicts its header\n"));
        }
        text
    }
}

/// All, and the parts that have a file.
fn groups(records: &[Record]) -> Vec<Group> {
    let of = |name, wanted: &dyn Fn(&Record) -> bool| {
        let part: Vec<&Record> = records.iter().filter(|record| wanted(record)).collect();
        Group::new(name, &part)
    };
    let plain = |record: &Record| !record.has_underscore();
    let mut list = vec![of("all", &|_| true)];
    if records.iter().any(|record| record.expected == Expected::Fail) {
        list.push(of("expected to pass", &|record| record.expected == Expected::Pass));
        list.push(of("expected to fail", &|record| record.expected == Expected::Fail));
    }
    let parts = [
        of("without leading underscore", &plain),
        of("- without loops", &|record| plain(record) && record.has_loops() == Some(false)),
        of("- with loops", &|record| plain(record) && record.has_loops() == Some(true)),
        of("- not known", &|record| plain(record) && record.has_loops().is_none()),
        of("with leading underscore", &|record| !plain(record)),
    ];
    list.extend(parts.into_iter().filter(|group| group.files > 0));
    list
}
