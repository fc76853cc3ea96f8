//! The results of several runs of `duet bench` as one.

use duet_bench::{
    Record, ResultFile, Summary, merge as merge_records, read_results, render_csv, write_file,
    write_results,
};

use super::Args;
use crate::exit::Exit;
use crate::output;

/// Prints the tables of the whole, and writes what is asked for.
pub fn merge(args: &Args) -> Result<Exit, String> {
    let read = args.results.iter().map(|path| read_results(path).map_err(|e| e.to_string()));
    let records = merge_records(read.collect::<Result<_, _>>()?);
    let summary = Summary::new(&records);
    output::print(&format!("{}\n{}", summary.verdict_table().to_text(), summary.notes()));
    if let Some(path) = &args.csv {
        write_file(path, &render_csv(&records)).map_err(|error| error.to_string())?;
    }
    let is_wrong = records.iter().any(Record::contradicts);
    let file = ResultFile {
        version: 1,
        folder: String::new(),
        duet: env!("CARGO_PKG_VERSION").to_string(),
        seconds: records.iter().map(|record| record.seconds).sum(),
        jobs: args.results.len(),
        problems: vec![],
        records,
    };
    if let Some(path) = &args.json {
        write_results(path, &file).map_err(|error| error.to_string())?;
    }
    Ok(if is_wrong { Exit::Refuted } else { Exit::Proved })
}
