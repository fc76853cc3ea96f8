//! A run as SARIF 2.1.0, the format that code-scanning services read.
//!
//! Each finding is a result. Its place is the location, and both accesses of a race
//! are related locations. Suggested lines are fixes. What the user accepts is there too, marked as suppressed.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

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
/// `duet explain` prints; where it can be read by others is for the user to say
/// ([`add_help_uris`]).
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

/// Gives each rule the address of its page: a prefix, the rule's id and `.md`, as the pages are
/// called in docs/rules.
pub fn add_help_uris(log: &mut Value, prefix: &str) {
    let runs = log["runs"].as_array_mut().into_iter().flatten();
    let rules = runs.filter_map(|run| run["tool"]["driver"]["rules"].as_array_mut()).flatten();
    for rule in rules {
        let id = rule["id"].as_str().unwrap_or_default().to_string();
        rule["helpUri"] = json!(format!("{prefix}{id}.md"));
    }
}

/// Several logs as one with one run: services take one run of a tool. Each rule is described
/// once, results are in the order of their files, and the worst exit code is the code.
/// `worse` tells which of two codes that is.
pub fn merge_sarif(logs: &[Value], worse: impl Fn(u64, u64) -> u64) -> Result<Value, String> {
    let mut rules: BTreeMap<String, Value> = BTreeMap::new();
    let mut results: Vec<Value> = vec![];
    let mut code = 0;
    let mut whole = logs.first().cloned().ok_or("there is nothing to merge")?;
    for log in logs {
        for run in log["runs"].as_array().ok_or("a log of SARIF without runs")? {
            let driver = &run["tool"]["driver"];
            if driver["name"] != "Duet" {
                return Err(format!("a run of another tool: {}", driver["name"]));
            }
            let described = driver["rules"].as_array().map(Vec::as_slice).unwrap_or_default();
            let id = |rule: &Value| rule["id"].as_str().unwrap_or_default().to_string();
            rules.extend(described.iter().map(|rule| (id(rule), rule.clone())));
            results.extend(run["results"].as_array().ok_or("a run without results")?.clone());
            let own = run["invocations"][0]["exitCode"].as_u64();
            code = worse(code, own.ok_or("a run that does not say how it ended")?);
        }
    }
    // As `render_sarif` has them: rules in their order, messages about files before findings.
    let mut known: Vec<(Rule, Value)> = vec![];
    for (id, description) in rules {
        let rule = Rule::from_id(&id).ok_or_else(|| format!("there is no rule `{id}`"))?;
        known.push((rule, description));
    }
    known.sort_by_key(|(rule, _)| *rule);
    results.sort_by_key(place_of_result);
    for result in &mut results {
        let at = known.iter().position(|(rule, _)| result["ruleId"] == rule.id());
        result["ruleIndex"] = json!(at.ok_or("a result of a rule that is not described")?);
    }
    let descriptions: Vec<Value> = known.into_iter().map(|(_, description)| description).collect();
    let mut run = whole["runs"][0].clone();
    run["tool"]["driver"]["rules"] = Value::Array(descriptions);
    run["results"] = Value::Array(results);
    run["invocations"] = json!([{ "executionSuccessful": code <= 2, "exitCode": code }]);
    whole["runs"] = json!([run]);
    Ok(whole)
}

/// Messages first, then by file. A sort that keeps the order of equals leaves the rest.
fn place_of_result(result: &Value) -> (bool, PathBuf) {
    let place = &result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"];
    let file = place.as_str().unwrap_or_default();
    let file = file.strip_prefix("./").unwrap_or(file);
    (!result["properties"]["kernel"].is_null(), PathBuf::from(file))
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

/// An insertion is the replacement of nothing at the start of a line; a line goes with its end.
fn fix(change: &Fix) -> Value {
    let region = match change.replaces {
        false => json!({ "startLine": change.line, "startColumn": 1, "endColumn": 1 }),
        true => json!({
            "startLine": change.line,
            "startColumn": 1,
            "endLine": change.line + 1,
            "endColumn": 1,
        }),
    };
    json!({
        "description": { "text": change.description },
        "artifactChanges": [{
            "artifactLocation": { "uri": uri(&change.file) },
            "replacements": [{
                "deletedRegion": region,
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
