//! `duet merge`: the results of several runs of `duet bench` as one.

use std::path::PathBuf;

use duet_bench::{
    Record, ResultFile, Summary, merge as merge_records, read_results, render_csv, write_file,
    write_results,
};

use crate::exit::Exit;
use crate::output;

/// Options of `duet merge`.
#[derive(clap::Args)]
pub struct Args {
    /// Results of `duet bench`: files that --json wrote, or folders of --out; of a file that
    /// several have, the last counts
    #[arg(required = true)]
    results: Vec<PathBuf>,
    /// Write all of them as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write all of them as comma-separated values
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
}

/// Runs the command.
pub fn merge(args: &Args) -> Exit {
    match try_merge(args) {
        Ok(records) if records.iter().any(Record::contradicts) => Exit::Refuted,
        Ok(_) => Exit::Proved,
        Err(message) => {
            eprintln!("error: {message}");
            Exit::Usage
        }
    }
}

fn try_merge(args: &Args) -> Result<Vec<Record>, String> {
    let read = args.results.iter().map(|path| read_results(path).map_err(|e| e.to_string()));
    let records = merge_records(read.collect::<Result<_, _>>()?);
    let summary = Summary::new(&records);
    output::print(&format!("{}\n{}", summary.verdict_table().to_text(), summary.notes()));
    let file = ResultFile {
        version: 1,
        folder: String::new(),
        duet: env!("CARGO_PKG_VERSION").to_string(),
        seconds: records.iter().map(|record| record.seconds).sum(),
        jobs: args.results.len(),
        problems: vec![],
        records: records.clone(),
    };
    if let Some(path) = &args.json {
        write_results(path, &file).map_err(|error| error.to_string())?;
    }
    if let Some(path) = &args.csv {
        write_file(path, &render_csv(&records)).map_err(|error| error.to_string())?;
    }
    Ok(records)
}
