//! Barrier invariants: how the time of a check grows with the number of threads in a block,
//! beside what the paper reports (barrier-invariants.txt, Figs. 9 to 12).
//!
//! Each file is checked for one block of several powers of two, and for any block; a file
//! whose header gives sizes is checked with these instead of its own. Which figure a file
//! belongs to is told by its name. A file that takes an operator and a type (`-DMAX`, `-DT=…`) is
//! checked with several of both, at fewer numbers of threads: these are the curves of Figures 10
//! and 12. Where the paper has a curve only, its row says how far
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

/// Threads of a block in the tables by operator and width.
const FEWER_SIZES: [u32; 5] = [8, 16, 64, 256, 1024];

/// What files mention that take an operator and a type.
const TAKES_OPERATOR: &str = "defined(ABSTRACT)";

/// Operators, with the macros that choose them.
const OPERATORS: [(&str, &[&str]); 4] =
    [("+", &[]), ("max", &["-DMAX"]), ("|", &["-DOR"]), (ABSTRACT, &["-DABSTRACT"])];

/// The one of which only the laws are known.
const ABSTRACT: &str = "abstract";

/// Widths of elements, with their types.
const WIDTHS: [(u32, &str); 4] =
    [(8, "unsigned char"), (16, "unsigned short"), (32, "unsigned"), (64, "unsigned long long")];

/// What a row without a size is called.
const ANY: &str = "any";

/// One for each number of threads, and one for any; then those by operator and width.
pub(super) fn configurations() -> Vec<Configuration> {
    let of = |threads: &u32| {
        let size = format!("--blockDim={threads}");
        Configuration::new(&threads.to_string(), &[&size])
    };
    let any = Configuration::new(ANY, &["--blockDim=*"]);
    SIZES.iter().map(of).chain([any]).chain(by_operator()).collect()
}

fn by_operator() -> Vec<Configuration> {
    let mut all = vec![];
    for (operator, chosen) in OPERATORS {
        for (bits, ty) in WIDTHS {
            for threads in FEWER_SIZES {
                let (size, ty) = (format!("--blockDim={threads}"), format!("-DT={ty}"));
                let options = [&[size.as_str(), &ty], chosen].concat();
                let name = format!("{threads}, {}", variant(operator, bits));
                all.push(Configuration::new(&name, &options).needing(TAKES_OPERATOR));
            }
        }
    }
    all
}

fn variant(operator: &str, bits: u32) -> String {
    format!("{operator} of {bits} bits")
}

/// A row: what was measured, and what came of it for each column.
type Row<'r> = (String, Vec<Option<&'r Record>>);

/// Seconds by file and number of threads, with what came of it if it is no proof.
pub(super) fn page(records: &[Record]) -> Page {
    let groups = by_configuration(records);
    let (chosen, groups): (Vec<_>, Vec<_>) =
        groups.into_iter().partition(|(name, _)| name.contains(", "));
    let mut files: Vec<&str> = records.iter().map(|record| record.file.as_str()).collect();
    files.sort_unstable();
    files.dedup();
    let mut page = Page::new("Barrier invariants");
    page.text("Seconds of a check, by the number of threads in a block.");
    let columns: Vec<String> = groups.iter().map(|(threads, _)| threads.clone()).collect();
    let found = |file: &str| -> Row<'_> {
        let of = |list: &Vec<&'_ Record>| list.iter().position(|record| record.file == file);
        let cells = groups.iter().map(|(_, list)| of(list).map(|at| list[at])).collect();
        (file.to_string(), cells)
    };
    let taken = files.clone();
    for figure in &FIGURES {
        let is_of =
            |figure: &Figure, file: &str| figure.names.iter().any(|name| file.contains(name));
        let (own, others): (Vec<&str>, Vec<&str>) =
            files.into_iter().partition(|file| is_of(figure, file));
        files = others;
        let rows = own.into_iter().map(found).collect();
        add(&mut page, figure.heading, figure.paper, &columns, rows);
    }
    add(&mut page, "Other files", &[], &columns, files.into_iter().map(found).collect());
    add_by_operator(&mut page, &taken, &chosen);
    page
}

/// Adds the tables by operator and width: Figure 10 with those that the source languages have,
/// Figure 12 with the abstract one.
fn add_by_operator(page: &mut Page, files: &[&str], groups: &[(String, Vec<&Record>)]) {
    let columns: Vec<String> = FEWER_SIZES.iter().map(u32::to_string).collect();
    let row = |file: &str, variant: &str| -> Row<'_> {
        let cell = |threads: &String| {
            let name = format!("{threads}, {variant}");
            let group = groups.iter().find(|(group, _)| *group == name);
            group.and_then(|(_, list)| list.iter().copied().find(|record| record.file == file))
        };
        (format!("{file}, {variant}"), columns.iter().map(cell).collect())
    };
    for (heading, figure, is_abstract) in [
        ("Figure 10 by operator and width", &FIGURES[3], false),
        ("Figure 12 by width", &FIGURES[2], true),
    ] {
        let mut rows = vec![];
        for (operator, _) in OPERATORS {
            let of_figure = (operator == ABSTRACT) == is_abstract;
            for (bits, _) in WIDTHS.iter().filter(|_| of_figure) {
                let of = |file: &&str| row(file, &variant(operator, *bits));
                rows.extend(
                    files.iter().map(of).filter(|(_, cells)| cells.iter().any(Option::is_some)),
                );
            }
        }
        add(page, heading, figure.paper, &columns, rows);
    }
}

/// Adds a table, and a chart of the rows that are proved in every column.
fn add(
    page: &mut Page,
    heading: &str,
    paper: &[(&str, &[(u32, &str)])],
    columns: &[String],
    rows: Vec<Row<'_>>,
) {
    if rows.is_empty() {
        return;
    }
    let mut table = Table::new(&[("file", Align::Left)]);
    for threads in columns {
        table.column(threads, Align::Right);
    }
    let mut series = vec![];
    for (name, found) in rows {
        let mut cells = vec![name.clone()];
        cells.extend(found.iter().map(|record| record.map_or("-".to_string(), cell)));
        table.row(cells);
        if found.iter().flatten().all(|record| record.outcome == Outcome::Proved) {
            let seconds = found.iter().flatten().map(|record| record.seconds).collect();
            series.push((name, seconds));
        }
    }
    for (what, given) in paper {
        let of = |threads: &str| {
            let given = given.iter().find(|(size, _)| size.to_string() == threads);
            given.map_or("-", |(_, cell)| *cell).to_string()
        };
        let mut cells = vec![what.to_string()];
        cells.extend(columns.iter().map(|threads| of(threads)));
        table.row(cells);
    }
    page.table(heading, table);
    if !series.is_empty() {
        let (labels, unit) = (columns.to_vec(), "s".to_string());
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
