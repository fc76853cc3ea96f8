//! What came of several files, as one report.

use duet_report::{Run, Sources};
use serde_json::{Value, json};

use super::Args;
use crate::exit::Exit;
use crate::output;

/// What came of all files so far.
#[derive(Default)]
pub struct Merged {
    /// The findings of each file.
    pub runs: Vec<Run>,
    /// The reports of each file as JSON.
    pub json: Vec<Value>,
    /// Was a kernel judged, or a file refused?
    pub any: bool,
}

impl Merged {
    /// Prints what is printed once for all files.
    pub fn print(&self, args: &Args, is_alone: bool, exit: Exit) {
        if args.silent {
            return;
        }
        match args.format.as_str() {
            "html" if !self.runs.is_empty() => {
                let runs: Vec<Run> = self.runs.iter().map(Run::without_repeats).collect();
                output::print(&duet_report::render_html(&runs, &mut Sources::default()));
            }
            "json" if !is_alone => {
                let mut all = json!({ "version": 1, "files": self.json, "exit_code": exit as u8 });
                // `duet merge` then knows whether all parts are there.
                if let Some(shard) = args.shard {
                    all["shard"] = json!(shard.to_string());
                }
                output::print(&format!("{all:#}\n"));
            }
            "gitlab" if !is_alone => {
                let run = self.as_one(args, exit).without_repeats();
                let list = duet_report::render_gitlab(&run, &mut Sources::default());
                output::print(&format!("{list:#}\n"));
            }
            "sarif" if !is_alone => {
                let run = self.as_one(args, exit).without_repeats();
                let mut log = duet_report::render_sarif(&run, &mut Sources::default());
                if let Some(prefix) = &args.help_uri {
                    duet_report::add_help_uris(&mut log, prefix);
                }
                output::print(&format!("{log:#}\n"));
            }
            _ => {}
        }
    }

    /// The runs over all files as one.
    pub fn as_one(&self, args: &Args, exit: Exit) -> Run {
        Run {
            file: args.frontend.file.clone(),
            version: env!("CARGO_PKG_VERSION").to_string(),
            exit_code: exit as u8,
            kernels: self.runs.iter().flat_map(|run| run.kernels.clone()).collect(),
            messages: self.runs.iter().flat_map(|run| run.messages.clone()).collect(),
        }
    }
}
