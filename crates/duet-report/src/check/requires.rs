//! What is said about a precondition under which a kernel is proved.

use duet_engine::Report;
use duet_engine::refute::command_line;
use duet_engine::requires::Precondition;
use duet_ir::{Func, Module};
use serde_json::{Value, json};

use super::replay::Replay;

/// "help: proved if ...", with lines to paste.
pub fn help(report: &Report) -> String {
    let Some(found) = &report.precondition else { return String::new() };
    let mut text = format!("  help: proved if {}", found.text());
    if found.one_block_only {
        text.push_str(" (one block only)");
    }
    text.push_str("\n    at the kernel's start:\n");
    for line in found.annotations() {
        text.push_str(&format!("      {line}\n"));
    }
    let assumptions = &found.proof.assumptions;
    if !assumptions.is_empty() {
        text.push_str(&format!("    assuming that {}\n", assumptions.join("; ")));
    }
    text
}

/// The same as data; null if there is none.
pub fn json(module: &Module, kernel: Func, report: &Report, replay: &Replay) -> Value {
    match &report.precondition {
        Some(found) => found_json(module, kernel, found, replay),
        None => Value::Null,
    }
}

fn found_json(module: &Module, kernel: Func, found: &Precondition, replay: &Replay) -> Value {
    let run = &found.run;
    json!({
        "condition": found.text(),
        "annotations": found.annotations(),
        "one_block_only": found.one_block_only,
        "fixes_a_size": found.fixes_a_size(),
        "assumptions": found.proof.assumptions,
        "attempts": found.attempts,
        "run": {
            "block_dim": run.launch.block,
            "grid_dim": run.launch.grid,
            "command": command_line(module, kernel, run, &replay.file, &replay.reading),
        },
    })
}
