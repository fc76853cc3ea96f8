//! Reports of `duet check` by several machines as one. JSON has everything, so parts in JSON
//! can be printed in every format; parts in SARIF and GitLab's form are merged as they are.

use std::collections::BTreeMap;
use std::path::PathBuf;

use duet_bench::write_file;
use duet_report::{Run, Sources, run_from_json};
use serde_json::{Value, json};

use super::Args;
use crate::exit::Exit;
use crate::output;

/// A part: its report, and where it comes from.
type Part = (PathBuf, Value);

/// Merges parts in JSON and prints the whole.
pub fn merge_json(args: &Args, parts: Vec<Part>) -> Result<Exit, String> {
    let parts = last_of_each_shard(parts)?;
    let mut files: BTreeMap<PathBuf, Value> = BTreeMap::new();
    let mut exit = Exit::Proved;
    for (path, part) in &parts {
        let own = match part["files"].as_array() {
            Some(files) => files.clone(),
            None => vec![part.clone()],
        };
        if !own.is_empty() {
            exit = exit.worse(exit_of_part(path, part, &own)?);
        }
        for file in own {
            let name = file["file"].as_str();
            let name = name.ok_or_else(|| format!("{}: a file without a name", path.display()))?;
            files.insert(PathBuf::from(name), file);
        }
    }
    let files: Vec<Value> = files.into_values().collect();
    let kernels = files.iter().filter_map(|file| file["kernels"].as_array()).flatten().count();
    // SOUNDNESS: where no kernel was judged nothing is proved (test
    // `parts_without_kernels_prove_nothing`).
    if kernels == 0 {
        exit = exit.worse(Exit::Unproven);
    }
    let whole = json!({ "version": 1, "files": files, "exit_code": exit as u8 });
    if let Some(path) = &args.json {
        write_file(path, &format!("{whole:#}\n")).map_err(|error| error.to_string())?;
    }
    print(args, &files, &whole, exit)?;
    Ok(exit)
}

/// Of parts that say which they are, the last of each; an error if one of them is missing.
fn last_of_each_shard(parts: Vec<Part>) -> Result<Vec<Part>, String> {
    let mut shards: BTreeMap<u64, Part> = BTreeMap::new();
    let mut others = vec![];
    let mut of = None;
    for (path, part) in parts {
        let said = part["shard"].as_str().and_then(|text| text.split_once('/'));
        let Some((number, count)) = said.map(|(a, b)| (a.parse().ok(), b.parse::<u64>().ok()))
        else {
            others.push((path, part));
            continue;
        };
        let (Some(number), Some(count)) = (number, count) else {
            return Err(format!("{}: `shard` is no part as in 3/16", path.display()));
        };
        if of.is_some_and(|of| of != count) {
            return Err(format!("{}: a part of {count}, unlike others", path.display()));
        }
        of = Some(count);
        shards.insert(number, (path, part));
    }
    if let Some(missing) = (1..=of.unwrap_or(0)).find(|number| !shards.contains_key(number)) {
        return Err(format!("part {missing}/{} is missing", of.unwrap_or(0)));
    }
    Ok(shards.into_values().chain(others).collect())
}

/// How a part's check ended: as it says, or as its verdicts say where it is about one file.
fn exit_of_part(path: &std::path::Path, part: &Value, files: &[Value]) -> Result<Exit, String> {
    if let Some(code) = part["exit_code"].as_u64() {
        return Ok(exit(code));
    }
    let mut worst = Exit::Proved;
    for file in files {
        let run = run_from_json(file, 0).map_err(|why| format!("{}: {why}", path.display()))?;
        let failed = run.messages.iter().any(|one| one.severity == duet_ir::Severity::Error);
        worst = if failed { worst.worse(Exit::BadInput) } else { worst };
        for kernel in &run.kernels {
            worst = worst.worse(match kernel.verdict.as_str() {
                "proved" => Exit::Proved,
                _ if kernel.is_accepted() => Exit::Proved,
                "refuted" => Exit::Refuted,
                _ => Exit::Unproven,
            });
        }
    }
    Ok(worst)
}

fn print(args: &Args, files: &[Value], whole: &Value, exit: Exit) -> Result<(), String> {
    let format = args.format.as_deref().unwrap_or("human");
    if format == "json" {
        output::print(&format!("{whole:#}\n"));
        return Ok(());
    }
    let runs = files.iter().map(|file| run_from_json(file, exit as u8));
    let runs: Vec<Run> = runs.collect::<Result<_, _>>()?;
    let mut sources = Sources::default();
    let one = Run {
        file: runs.first().map(|run| run.file.clone()).unwrap_or_default(),
        version: env!("CARGO_PKG_VERSION").to_string(),
        exit_code: exit as u8,
        kernels: runs.iter().flat_map(|run| run.kernels.clone()).collect(),
        messages: runs.iter().flat_map(|run| run.messages.clone()).collect(),
    };
    output::print(&match format {
        "sarif" => {
            format!("{:#}\n", duet_report::render_sarif(&one.without_repeats(), &mut sources))
        }
        "gitlab" => {
            format!("{:#}\n", duet_report::render_gitlab(&one.without_repeats(), &mut sources))
        }
        "github" => {
            let each = runs.iter().map(|run| duet_report::render_github(&run.without_repeats()));
            each.collect()
        }
        "html" => {
            let runs: Vec<Run> = runs.iter().map(Run::without_repeats).collect();
            duet_report::render_html(&runs, &mut sources)
        }
        _ => lines(&runs),
    });
    Ok(())
}

/// A line for each kernel and each message, and how many there are of which verdict.
fn lines(runs: &[Run]) -> String {
    let mut text = String::new();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for run in runs {
        let file = run.file.display();
        for message in &run.messages {
            text.push_str(&format!("{file}: {}: {}\n", message.rule, message.headline));
        }
        for kernel in &run.kernels {
            let accepted = if kernel.is_accepted() { " (accepted)" } else { "" };
            text.push_str(&format!("{file}: {}: {}{accepted}\n", kernel.name, kernel.verdict));
            for one in kernel.errors() {
                let line = one.diagnostic.primary.as_ref().map(|span| format!("{}: ", span.line));
                let line = line.unwrap_or_default();
                let headline = &one.diagnostic.headline;
                text.push_str(&format!("  {line}{}: {headline}\n", one.diagnostic.rule));
            }
            *counts.entry(&kernel.verdict).or_default() += 1;
        }
    }
    let all: Vec<String> = counts.iter().map(|(word, count)| format!("{count} {word}")).collect();
    text.push_str(&format!("{} files: {}\n", runs.len(), all.join(", ")));
    text
}

/// Merges logs of SARIF and prints one of them all.
pub fn merge_sarif(args: &Args, logs: &[Value]) -> Result<Exit, String> {
    only("sarif", args)?;
    let worse = |one: u64, other: u64| exit(one).worse(exit(other)) as u64;
    let log = duet_report::merge_sarif(logs, worse)?;
    output::print(&format!("{log:#}\n"));
    Ok(exit(log["runs"][0]["invocations"][0]["exitCode"].as_u64().unwrap_or(5)))
}

/// Merges lists of GitLab and prints one of them all. They do not say how a check ended, so
/// the exit code only says that they were merged.
pub fn merge_gitlab(args: &Args, lists: &[Value]) -> Result<Exit, String> {
    only("gitlab", args)?;
    let list = duet_report::merge_gitlab(lists)?;
    output::print(&format!("{list:#}\n"));
    Ok(Exit::Proved)
}

fn only(format: &str, args: &Args) -> Result<(), String> {
    match args.format.as_deref() {
        None => Ok(()),
        Some(wanted) if wanted == format => Ok(()),
        Some(wanted) => Err(format!("parts in {format} cannot be printed as {wanted}: use JSON")),
    }
}

/// An exit code as it is written; what is none of ours is an internal error.
fn exit(code: u64) -> Exit {
    match code {
        0 => Exit::Proved,
        1 => Exit::Refuted,
        2 => Exit::Unproven,
        3 => Exit::BadInput,
        4 => Exit::Usage,
        _ => Exit::Internal,
    }
}
