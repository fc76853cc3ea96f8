//! `duet merge`: the results of several machines as one.
//!
//! | file | holds |
//! |---|---|
//! | this one | the command: what kind of results the parts are |
//! | `bench` | results of `duet bench` |
//! | `reports` | reports of `duet check`: JSON, SARIF, GitLab's list |

mod bench;
mod reports;

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::exit::Exit;

/// Options of `duet merge`.
#[derive(clap::Args)]
pub struct Args {
    /// Results of `duet bench` (files that --json wrote, or folders of --out), or reports of
    /// `duet check` (--format=json, sarif or gitlab), all of one kind; of a file that several
    /// have, the last counts
    #[arg(required = true)]
    results: Vec<PathBuf>,
    /// Write all of them as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write all results of `duet bench` as comma-separated values
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// How to print reports of `duet check`: human, json, sarif, html, github or gitlab; those
    /// that are not JSON are printed as they are [default: human for JSON]
    #[arg(long, value_name = "FORMAT", value_parser = ["human", "json", "sarif", "html", "github", "gitlab"])]
    format: Option<String>,
}

/// What a part is.
enum Part {
    /// Of `duet bench`.
    Bench,
    /// Of `duet check --format=json`.
    Check(Value),
    /// Of `duet check --format=sarif`.
    Sarif(Value),
    /// Of `duet check --format=gitlab`.
    Gitlab(Value),
}

/// Runs the command.
pub fn merge(args: &Args) -> Exit {
    match try_merge(args) {
        Ok(exit) => exit,
        Err(message) => {
            eprintln!("error: {message}");
            Exit::Usage
        }
    }
}

fn try_merge(args: &Args) -> Result<Exit, String> {
    let (mut check, mut sarif, mut gitlab, mut bench) = (vec![], vec![], vec![], 0);
    for path in &args.results {
        match part(path)? {
            Part::Bench => bench += 1,
            Part::Check(value) => check.push((path.clone(), value)),
            Part::Sarif(value) => sarif.push(value),
            Part::Gitlab(value) => gitlab.push(value),
        }
    }
    let all = args.results.len();
    match all {
        _ if bench == all => bench::merge(args),
        _ if check.len() == all => reports::merge_json(args, check),
        _ if sarif.len() == all => reports::merge_sarif(args, &sarif),
        _ if gitlab.len() == all => reports::merge_gitlab(args, &gitlab),
        _ => Err("the parts are not all of one kind".to_string()),
    }
}

/// Reads a part. One that a job did not finish is an error: the whole would lack something.
fn part(path: &Path) -> Result<Part, String> {
    if path.is_dir() {
        return Ok(Part::Bench);
    }
    let bytes = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let value: Value = match serde_json::from_slice(&bytes) {
        Ok(value) => value,
        // Lines of JSON are results of a bench as they come.
        Err(_) if path.extension().is_some_and(|ending| ending == "jsonl") => {
            return Ok(Part::Bench);
        }
        Err(error) => {
            let path = path.display();
            return Err(format!("{path}: no whole result ({error}); was its job ended?"));
        }
    };
    match &value {
        Value::Array(_) => Ok(Part::Gitlab(value)),
        one if one["runs"].is_array() => Ok(Part::Sarif(value)),
        one if one["records"].is_array() => Ok(Part::Bench),
        one if one["files"].is_array() || one["kernels"].is_array() => Ok(Part::Check(value)),
        _ => Err(format!("{}: neither of duet bench nor of duet check", path.display())),
    }
}
