//! What the search for runs costs: files checked with `--no-refute` and without, one
//! after the other. For proved files it must cost nothing, for refuted ones little.

use super::by_configuration;
use crate::page::Page;
use crate::record::{Outcome, Record};
use crate::run::Configuration;
use crate::statistics::{median, percentile};
use crate::table::{Align, Table};

/// Without the search, then with it.
pub(super) fn configurations() -> Vec<Configuration> {
    vec![Configuration::new("without runs", &["--no-refute"]), Configuration::new("with runs", &[])]
}

/// The times of a file without the search and with it.
struct Times {
    without: f64,
    with: f64,
}

impl Times {
    fn extra(&self) -> f64 {
        self.with - self.without
    }
}

/// One row for each outcome.
pub(super) fn page(records: &[Record]) -> Page {
    let mut page = Page::new("What the search for runs costs");
    let groups = by_configuration(records);
    let [(_, without), (_, with)] = groups.as_slice() else {
        page.text("Both configurations are needed.");
        return page;
    };
    let mut table = Table::new(&[
        ("with runs", Align::Left),
        ("files", Align::Right),
        ("median seconds more", Align::Right),
        ("95 % seconds more", Align::Right),
        ("median ratio", Align::Right),
        ("ratio of totals", Align::Right),
    ]);
    for outcome in [Outcome::Proved, Outcome::Refuted, Outcome::Unproven] {
        let times = times(without, with, outcome);
        if !times.is_empty() {
            table.row(row(outcome, &times));
        }
    }
    page.table("Times", table);
    page
}

/// The files that end so with the search.
fn times(without: &[&Record], with: &[&Record], outcome: Outcome) -> Vec<Times> {
    let ended_so = with.iter().filter(|record| record.outcome == outcome);
    ended_so
        .filter_map(|record| {
            let base = without.iter().find(|base| base.file == record.file)?;
            Some(Times { without: base.seconds, with: record.seconds })
        })
        .collect()
}

fn row(outcome: Outcome, times: &[Times]) -> [String; 6] {
    let extra: Vec<f64> = times.iter().map(Times::extra).collect();
    let ratios: Vec<f64> = times.iter().map(|one| one.with / one.without.max(1e-9)).collect();
    let total = |of: fn(&Times) -> f64| times.iter().map(of).sum::<f64>();
    let ratio = total(|one| one.with) / total(|one| one.without).max(1e-9);
    [
        outcome.word().to_string(),
        times.len().to_string(),
        format!("{:.3}", median(&extra)),
        format!("{:.3}", percentile(&extra, 95.0)),
        format!("{:.3}", median(&ratios)),
        format!("{ratio:.3}"),
    ]
}

#[cfg(test)]
mod tests {
    use super::{Times, row};
    use crate::record::Outcome;

    #[test]
    fn the_extra_time_of_each_file_counts() {
        let times =
            [(1.0, 1.2), (2.0, 2.1), (1.0, 1.9)].map(|(without, with)| Times { without, with });
        let row = row(Outcome::Refuted, &times);
        assert_eq!(row[1..3], ["3".to_string(), "0.200".to_string()]);
        assert_eq!(row[5], "1.300");
    }
}
