//! Barrier invariants: how the time of a check grows with the number of threads in a block
//! (barrier-invariants.txt, Figs. 9 to 12). Each file is checked for one block of every
//! power of two; a file whose header gives sizes is checked with these instead of its own.

use super::by_configuration;
use crate::chart::Chart;
use crate::page::Page;
use crate::record::{Outcome, Record};
use crate::run::Configuration;
use crate::table::{Align, Table};

/// Threads of a block.
const SIZES: [u32; 8] = [8, 16, 32, 64, 128, 256, 512, 1024];

/// One for each number of threads.
pub(super) fn configurations() -> Vec<Configuration> {
    let of = |threads: &u32| {
        let size = format!("--blockDim={threads}");
        Configuration::new(&threads.to_string(), &[&size])
    };
    SIZES.iter().map(of).collect()
}

/// Seconds by file and number of threads, with what came of it if it is no proof.
pub(super) fn page(records: &[Record]) -> Page {
    let groups = by_configuration(records);
    let mut files: Vec<&str> = records.iter().map(|record| record.file.as_str()).collect();
    files.sort_unstable();
    files.dedup();
    let mut table = Table::new(&[("file", Align::Left)]);
    for (threads, _) in &groups {
        table.column(threads, Align::Right);
    }
    let mut series = vec![];
    for file in files {
        let found: Vec<Option<&Record>> = groups
            .iter()
            .map(|(_, list)| list.iter().copied().find(|record| record.file == file))
            .collect();
        let mut cells = vec![file.to_string()];
        cells.extend(found.iter().map(|record| record.map_or("-".to_string(), cell)));
        table.row(cells);
        if found.iter().flatten().all(|record| record.outcome == Outcome::Proved) {
            let seconds = found.iter().flatten().map(|record| record.seconds).collect();
            series.push((file.to_string(), seconds));
        }
    }
    let labels = groups.iter().map(|(threads, _)| threads.clone()).collect();
    let mut page = Page::new("Barrier invariants");
    page.text("Seconds of a check, by the number of threads in a block.");
    page.table("Seconds", table);
    if !series.is_empty() {
        let unit = "s".to_string();
        page.chart("Files that are proved for all sizes", Chart::Lines { labels, series, unit });
    }
    page
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
