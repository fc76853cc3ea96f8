//! A run as a report of GitLab's code quality, which merge requests show.

use duet_ir::{Diagnostic, Severity};
use serde_json::{Value, json};

use crate::fingerprint::Fingerprints;
use crate::run::Run;
use crate::source::Sources;

/// A list with an item for each message; what the user accepts is left out.
pub fn render_gitlab(run: &Run, sources: &mut Sources) -> Value {
    let mut fingerprints = Fingerprints::default();
    let messages = run.messages.iter().map(|message| ("", message, true));
    let open = run.findings().filter(|(_, one)| one.suppression.is_none());
    let findings =
        open.map(|(kernel, one)| (kernel.name.as_str(), &one.diagnostic, one.is_refuted));
    let all: Vec<Value> = messages
        .chain(findings)
        .map(|(kernel, diagnostic, is_sure)| {
            let fingerprint = fingerprints.of(kernel, diagnostic, sources);
            item(diagnostic, is_sure, &fingerprint, run)
        })
        .collect();
    Value::Array(all)
}

/// Several lists as one, in the order of files.
pub fn merge_gitlab(lists: &[Value]) -> Result<Value, String> {
    let mut all: Vec<Value> = vec![];
    for list in lists {
        all.extend(list.as_array().ok_or("not a list of GitLab's code quality")?.clone());
    }
    let path = |item: &Value| {
        let path = item["location"]["path"].as_str().unwrap_or_default();
        std::path::PathBuf::from(path.strip_prefix("./").unwrap_or(path))
    };
    if let Some(other) = all.iter().find(|item| !item["check_name"].is_string()) {
        return Err(format!("not an item of GitLab's code quality: {other}"));
    }
    all.sort_by_key(path);
    Ok(Value::Array(all))
}

fn item(diagnostic: &Diagnostic, is_sure: bool, fingerprint: &str, run: &Run) -> Value {
    let severity = match (diagnostic.severity, is_sure) {
        (Severity::Error, true) => "critical",
        (Severity::Error, false) => "major",
        (Severity::Warning, _) => "minor",
        (Severity::Note, _) => "info",
    };
    // A place is required: what has none is about the file.
    let (file, line) = match &diagnostic.primary {
        Some(span) => (&span.file, span.line.max(1)),
        None => (&run.file, 1),
    };
    json!({
        "description": diagnostic.headline,
        "check_name": diagnostic.rule.id(),
        "fingerprint": fingerprint,
        "severity": severity,
        "location": { "path": file.to_string_lossy(), "lines": { "begin": line } },
    })
}
