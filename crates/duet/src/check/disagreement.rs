//! What is kept when the two ways of `--cross-check` disagree: a folder with the source, the
//! command, and what each way alone says, from which the disagreement can be repeated.
//!
//! Each way is run again in a process of its own, with the same options: a check depends on
//! nothing else.

use std::path::{Path, PathBuf};
use std::process::Command;

use duet_engine::Report;
use duet_ir::{Func, Rule};

use super::args::Args;

/// The two ways, with the option that chooses each; logs may be chosen already.
const WAYS: [(&str, &str); 2] =
    [("pairs", "--race-instrumenter=pairs"), ("logs", "--race-instrumenter=watchdog-single")];

/// Says which kernels logs decided, and writes the folder if the two ways disagree.
///
/// # Errors
/// What cannot be written, in words.
pub fn compare_ways(args: &Args, reports: &[(Func, Report)]) -> Result<Vec<String>, String> {
    let by_logs = reports.iter().filter(|(_, one)| one.decided_by == "logs");
    let mut notes: Vec<String> =
        by_logs.map(|(_, one)| format!("kernel `{}`: decided by logs", one.name)).collect();
    if !args.is_cross_check() {
        return Ok(notes);
    }
    let disagrees =
        |report: &Report| report.findings.iter().any(|one| one.rule == Rule::InternalError);
    if let Some((_, report)) = reports.iter().find(|(_, one)| disagrees(one)) {
        let folder = keep(args, &report.name)?;
        let folder = folder.display();
        notes.push(format!("{folder}: the source, the options and what each way says"));
    }
    Ok(notes)
}

fn keep(args: &Args, kernel: &str) -> Result<PathBuf, String> {
    let under = args.emit_repro.clone().unwrap_or_else(std::env::temp_dir);
    let folder = under.join(format!("duet-disagreement-{}", plain(kernel)));
    let given: Vec<String> = std::env::args().skip(1).collect();
    write(&folder, &args.frontend.file, &given)
        .map_err(|error| format!("{}: {error}", folder.display()))?;
    Ok(folder)
}

fn write(folder: &Path, source: &Path, given: &[String]) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)?;
    if let Some(name) = source.file_name() {
        std::fs::copy(source, folder.join(name))?;
    }
    std::fs::write(folder.join("options.txt"), format!("duet {}\n", given.join(" ")))?;
    let program = std::env::current_exe()?;
    for (way, option) in WAYS {
        let output = Command::new(&program).args(options_for(given, way, option)).output()?;
        std::fs::write(folder.join(format!("{way}.json")), output.stdout)?;
    }
    Ok(())
}

/// The options of one way alone, which reports as JSON.
fn options_for(given: &[String], way: &str, option: &str) -> Vec<String> {
    let is_kept = |text: &&String| {
        let chooses = text.starts_with("--race-instrumenter") && way == "pairs";
        // Pairs know no log that could be left unchecked.
        let only_log = text.as_str() == "--only-log" && way == "pairs";
        let replaced = text.as_str() == "--cross-check" || text.starts_with("--format=");
        !(chooses || only_log || replaced)
    };
    let mut options: Vec<String> = given.iter().filter(is_kept).cloned().collect();
    if !options.iter().any(|text| text.starts_with("--race-instrumenter")) {
        options.push(option.to_string());
    }
    options.push("--format=json".to_string());
    options
}

/// A kernel's name as part of a folder's.
fn plain(kernel: &str) -> String {
    let plain = |letter: char| if letter.is_ascii_alphanumeric() { letter } else { '_' };
    kernel.chars().map(plain).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_way_is_run_with_the_options_that_were_given() {
        let given = ["check", "k.cu", "--cross-check", "--only-log", "--format=html"];
        let given: Vec<String> = given.map(str::to_string).to_vec();
        let pairs = options_for(&given, WAYS[0].0, WAYS[0].1);
        assert_eq!(pairs, ["check", "k.cu", "--race-instrumenter=pairs", "--format=json"]);
        let logs = options_for(&given, WAYS[1].0, WAYS[1].1);
        let expected =
            ["check", "k.cu", "--only-log", "--race-instrumenter=watchdog-single", "--format=json"];
        assert_eq!(logs, expected);
    }
}
