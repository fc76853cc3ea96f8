//! Barrier invariants: how the time of a check grows with the number of threads in a block,
//! beside what the paper reports (barrier-invariants.txt, Figs. 9 to 12).
//!
//! Each file is checked for one block of several powers of two, and for any block; a file
//! whose header gives sizes is checked with these instead of its own. Which figure a file
//! belongs to is told by its name. Where the paper has a curve only, its row says how far
//! that goes.

use super::by_configuration;
use crate::chart::Chart;
use crate::page::Page;
use crate::record::{Outcome, Record};
use crate::run::Configuration;
use crate::table::{Align, Table};

/// Threads of a block.
const SIZES: [u32; 11] = [8, 16, 32, 64, 128, 256, 512, 1024, 1 << 15, 1 << 20, 1 << 31];

/// A figure of the paper.
struct Figure {
    heading: &'static str,
    /// Whose files' names contain one of these belong to it, if no figure before has them.
    names: &'static [&'static str],
    /// Rows of the paper: what was measured, and a cell for each size that it gives.
    paper: &'static [(&'static str, &'static [(u32, &'static str)])],
}

const TIME_OUT: &str = "time-out";

/// The figures, the most particular names first.
const FIGURES: [Figure; 4] = [
    Figure {
        heading: "Figure 9: stream compaction",
        names: &["compaction"],
        paper: &[
            (
                "paper: GPUVerify, by contract",
                &[
                    (8, "1.43"),
                    (16, "1.43"),
                    (32, "1.47"),
                    (64, "1.39"),
                    (128, "1.40"),
                    (256, "1.38"),
                    (512, "1.38"),
                    (1024, "1.41"),
                    (1 << 15, "1.41"),
                    (1 << 20, "< 2"),
                    (1 << 31, "< 2"),
                ],
            ),
            ("paper: GKLEE", &[(8, "76.95"), (16, TIME_OUT), (32, TIME_OUT), (64, TIME_OUT)]),
        ],
    },
    Figure {
        heading: "Figure 11: Kogge-Stone",
        names: &["kogge-stone"],
        paper: &[
            ("paper: GPUVerify, abstract", &[(1 << 20, "proved"), (1 << 31, "proved")]),
            ("paper: GKLEE, abstract", &[(64, "proved"), (128, TIME_OUT)]),
        ],
    },
    Figure {
        heading: "Figure 12: Blelloch and Brent-Kung, abstract operator",
        names: &["operator"],
        paper: &[
            ("paper: GPUVerify, 32 bits, without the result", &[(64, "proved"), (128, TIME_OUT)]),
            ("paper: GPUVerify, 32 bits, the result", &[(8, "not achieved")]),
        ],
    },
    Figure {
        heading: "Figure 10: Blelloch and Brent-Kung",
        names: &["blelloch", "brent-kung"],
        paper: &[("paper: GPUVerify, + of 32 bits", &[(8, "proved"), (16, TIME_OUT)])],
    },
];

/// What a row without a size is called.
const ANY: &str = "any";

/// One for each number of threads, and one for any.
pub(super) fn configurations() -> Vec<Configuration> {
    let of = |threads: &u32| {
        let size = format!("--blockDim={threads}");
        Configuration::new(&threads.to_string(), &[&size])
    };
    let any = Configuration::new(ANY, &["--blockDim=*"]);
    SIZES.iter().map(of).chain([any]).collect()
}

/// Seconds by file and number of threads, with what came of it if it is no proof.
pub(super) fn page(records: &[Record]) -> Page {
    let groups = by_configuration(records);
    let mut files: Vec<&str> = records.iter().map(|record| record.file.as_str()).collect();
    files.sort_unstable();
    files.dedup();
    let mut page = Page::new("Barrier invariants");
    page.text("Seconds of a check, by the number of threads in a block.");
    for figure in &FIGURES {
        let is_of =
            |figure: &Figure, file: &str| figure.names.iter().any(|name| file.contains(name));
        let (own, others) = files.into_iter().partition(|file| is_of(figure, file));
        files = others;
        add(&mut page, figure.heading, figure.paper, &own, &groups);
    }
    add(&mut page, "Other files", &[], &files, &groups);
    page
}

/// Adds a table of files, and a chart of those that are proved for every number of threads.
fn add(
    page: &mut Page,
    heading: &str,
    paper: &[(&str, &[(u32, &str)])],
    files: &[&str],
    groups: &[(String, Vec<&Record>)],
) {
    if files.is_empty() {
        return;
    }
    let mut table = Table::new(&[("file", Align::Left)]);
    for (threads, _) in groups {
        table.column(threads, Align::Right);
    }
    let mut series = vec![];
    for file in files {
        let found: Vec<Option<&Record>> = groups
            .iter()
            .map(|(_, list)| list.iter().copied().find(|record| record.file == *file))
            .collect();
        let mut cells = vec![file.to_string()];
        cells.extend(found.iter().map(|record| record.map_or("-".to_string(), cell)));
        table.row(cells);
        if found.iter().flatten().all(|record| record.outcome == Outcome::Proved) {
            let seconds = found.iter().flatten().map(|record| record.seconds).collect();
            series.push((file.to_string(), seconds));
        }
    }
    for (what, given) in paper {
        let of = |threads: &str| {
            let given = given.iter().find(|(size, _)| size.to_string() == threads);
            given.map_or("-", |(_, cell)| *cell).to_string()
        };
        let mut cells = vec![what.to_string()];
        cells.extend(groups.iter().map(|(threads, _)| of(threads)));
        table.row(cells);
    }
    page.table(heading, table);
    if !series.is_empty() {
        let labels = groups.iter().map(|(threads, _)| threads.clone()).collect();
        let unit = "s".to_string();
        page.chart(heading, Chart::Lines { labels, series, unit });
    }
}

fn cell(record: &Record) -> String {
    match record.outcome {
        Outcome::Proved => format!("{:.2}", record.seconds),
        Outcome::Refuted
        | Outcome::Unproven
        | Outcome::Unreadable
        | Outcome::BadOptions
        | Outcome::TimedOut
        | Outcome::OutOfMemory
        | Outcome::Crashed => format!("{:.2} {}", record.seconds, record.outcome.word()),
    }
}
