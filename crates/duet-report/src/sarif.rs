//! A run as SARIF 2.1.0, the format that code-scanning services read.
//!
//! Each finding is a result. Its place is the location, and both accesses of a race
//! are related locations. Suggested lines are fixes. What the user accepts is there too, marked as suppressed.

use std::path::Path;

use duet_ir::{Diagnostic, Fix, Language, Rule, Severity, SourceSpan};
use serde_json::{Value, json};

use crate::fingerprint::Fingerprints;
use crate::run::{KernelResult, Reported, Run, SuppressedBy};
use crate::source::Sources;

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// The name of our way to tell findings apart.
const FINGERPRINT: &str = "duetRuleKernelLines/v1";

/// The whole log.
pub fn render_sarif(run: &Run, sources: &mut Sources) -> Value {
    let mut rules: Vec<Rule> = run.findings().map(|(_, one)| one.diagnostic.rule).collect();
    rules.extend(run.messages.iter().map(|message| message.rule));
    rules.sort_unstable();
    rules.dedup();
    let mut fingerprints = Fingerprints::default();
    let mut results: Vec<Value> = vec![];
    for message in &run.messages {
        let mut value = result(message, &rules, sources);
        let fingerprint = fingerprints.of("", message, sources);
        value["partialFingerprints"] = json!({ FINGERPRINT: fingerprint });
        results.push(value);
    }
    for (kernel, one) in run.findings() {
        let mut value = finding(kernel, one, &rules, sources);
        let fingerprint = fingerprints.of(&kernel.name, &one.diagnostic, sources);
        value["partialFingerprints"] = json!({ FINGERPRINT: fingerprint });
        results.push(value);
    }
    let descriptions: Vec<Value> = rules.iter().map(|rule| describe_rule(*rule)).collect();
    json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "Duet",
                "semanticVersion": run.version,
                "rules": descriptions,
            }},
            "invocations": [{
                "executionSuccessful": run.exit_code <= 2,
                "exitCode": run.exit_code,
            }],
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    })
}

/// A rule: its id, the id in words, and what to do about it. The rest is on the page that
/// `duet explain` prints: there is no address of it for everybody.
fn describe_rule(rule: Rule) -> Value {
    let help = rule.help(Language::Cuda).unwrap_or("see the messages of the finding");
    let more = format!("{help}; `duet explain {}` says more", rule.id());
    json!({
        "id": rule.id(),
        "name": rule.code(),
        "shortDescription": { "text": rule.id().replace('-', " ") },
        "help": { "text": more },
    })
}

fn finding(kernel: &KernelResult, one: &Reported, rules: &[Rule], sources: &mut Sources) -> Value {
    let mut value = result(&one.diagnostic, rules, sources);
    value["properties"] = json!({
        "kernel": kernel.name,
        "launch": kernel.launch,
        "status": if one.is_refuted { "refuted" } else { "unproven" },
    });
    if let Some(suppression) = &one.suppression {
        let kind = match suppression.by {
            SuppressedBy::Comment => "inSource",
            SuppressedBy::Baseline | SuppressedBy::Project => "external",
        };
        value["suppressions"] = json!([{ "kind": kind, "justification": suppression.reason }]);
    }
    value
}

fn result(diagnostic: &Diagnostic, rules: &[Rule], sources: &mut Sources) -> Value {
    let level = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    };
    let mut value = json!({
        "ruleId": diagnostic.rule.id(),
        "ruleIndex": rules.binary_search(&diagnostic.rule).unwrap_or(0),
        "level": level,
        "message": { "text": message(diagnostic) },
    });
    if let Some(primary) = &diagnostic.primary {
        value["locations"] = json!([{ "physicalLocation": place(primary, sources) }]);
    }
    let related = related(diagnostic, sources);
    if !related.is_empty() {
        value["relatedLocations"] = Value::Array(related);
    }
    if let Some(change) = &diagnostic.fix {
        value["fixes"] = json!([fix(change)]);
    }
    value
}

/// An insertion is the replacement of nothing at the start of a line.
fn fix(change: &Fix) -> Value {
    let nothing = json!({ "startLine": change.line, "startColumn": 1, "endColumn": 1 });
    json!({
        "description": { "text": change.description },
        "artifactChanges": [{
            "artifactLocation": { "uri": uri(&change.file) },
            "replacements": [{
                "deletedRegion": nothing,
                "insertedContent": { "text": change.text },
            }],
        }],
    })
}

/// Headline, notes and help: SARIF has one text.
fn message(diagnostic: &Diagnostic) -> String {
    let notes = diagnostic.notes.iter().chain(&diagnostic.help);
    let lines: Vec<&str> =
        std::iter::once(&diagnostic.headline).chain(notes).map(String::as_str).collect();
    lines.join("\n")
}

/// Where there are two places, both, so that a viewer can go to either.
fn related(diagnostic: &Diagnostic, sources: &mut Sources) -> Vec<Value> {
    if diagnostic.secondary.is_empty() {
        return vec![];
    }
    let first = diagnostic.primary.iter().map(|span| (span, "here"));
    let others = diagnostic.secondary.iter().map(|(span, label)| (span, label.as_str()));
    let all: Vec<(&SourceSpan, &str)> = first.chain(others).collect();
    let one = |(number, (span, label)): (usize, &(&SourceSpan, &str))| {
        json!({
            "id": number + 1,
            "physicalLocation": place(span, sources),
            "message": { "text": label },
        })
    };
    all.iter().enumerate().map(one).collect()
}

fn place(span: &SourceSpan, sources: &mut Sources) -> Value {
    let mut region = json!({ "startLine": span.line.max(1) });
    if span.column > 0 {
        region["startColumn"] = json!(column(span, sources));
    }
    json!({ "artifactLocation": { "uri": uri(&span.file) }, "region": region })
}

/// The column in characters; ours is in bytes.
fn column(span: &SourceSpan, sources: &mut Sources) -> usize {
    let bytes = span.column as usize - 1;
    sources.load(&span.file);
    let line = sources.get(&span.file).and_then(|file| file.line(span.line));
    let before = line.map(|line| String::from_utf8_lossy(&line[..bytes.min(line.len())]));
    before.map_or(bytes, |text| text.chars().count()) + 1
}

/// The path as a reference: relative ones stay relative.
fn uri(path: &Path) -> String {
    let text = path.to_string_lossy();
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte);
    let encoded: String = text
        .bytes()
        .map(|byte| if plain(byte) { (byte as char).to_string() } else { format!("%{byte:02X}") })
        .collect();
    if path.is_absolute() { format!("file://{encoded}") } else { encoded }
}
