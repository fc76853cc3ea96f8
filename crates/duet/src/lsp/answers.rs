//! The report of `duet check` as what an editor shows: diagnostics, hovers, edits, inlays.

use serde_json::{Value, json};

use super::source::{self, Definition};

/// The kernels of a report.
fn kernels(report: &Value) -> impl Iterator<Item = &Value> {
    report["kernels"].as_array().into_iter().flatten()
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn word(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// Findings of a kernel and its warnings, with what is not accepted only.
fn findings(kernel: &Value) -> impl Iterator<Item = &Value> {
    let all = list(&kernel["findings"]).chain(list(&kernel["warnings"]));
    all.filter(|finding| finding["suppressed"].is_null())
}

/// Is there a kernel for which an edit may help?
pub fn has_open_kernels(report: &Value) -> bool {
    kernels(report).any(|kernel| word(&kernel["verdict"]) != "proved")
}

/// Does a place lie in the document?
fn is_here(place: &Value, uri: &str) -> bool {
    source::path_of(uri).is_some_and(|path| path.display().to_string() == word(&place["file"]))
}

/// The place as a range of the document.
fn range(place: &Value, text: &str) -> Value {
    let number = |name: &str| place[name].as_u64().unwrap_or_default();
    source::word_at(text, number("line"), number("column"))
}

/// The diagnostics of a report.
pub fn diagnostics(report: &Value, uri: &str, text: &str) -> Vec<Value> {
    let found = kernels(report).flat_map(findings).chain(list(&report["diagnostics"]));
    let mut seen: Vec<Value> = vec![];
    for finding in found {
        let one = diagnostic(finding, uri, text);
        // The launches of one kernel may show the same.
        if !seen.contains(&one) {
            seen.push(one);
        }
    }
    seen
}

fn diagnostic(finding: &Value, uri: &str, text: &str) -> Value {
    let primary = &finding["primary"];
    let at = match is_here(primary, uri) {
        true => range(primary, text),
        // In a header, or without a place: the document's first line tells.
        false => source::word_at(text, 1, 0),
    };
    let severity = match word(&finding["severity"]) {
        "warning" => 2,
        "note" => 3,
        _ => 1,
    };
    let mut message = word(&finding["headline"]).to_string();
    let lines = std::iter::once(&finding["label"]).chain(list(&finding["notes"]));
    for line in lines.filter_map(Value::as_str).filter(|line| !line.is_empty()) {
        message.push_str(&format!("\n{line}"));
    }
    let secondary = &finding["secondary"];
    let places = if secondary.is_array() { list(secondary).collect() } else { vec![secondary] };
    let related: Vec<Value> = places
        .into_iter()
        .filter(|place| is_here(place, uri))
        .map(|place| {
            let location = json!({ "uri": uri, "range": range(place, text) });
            json!({ "location": location, "message": word(&place["label"]) })
        })
        .collect();
    json!({
        "range": at,
        "severity": severity,
        "code": finding["rule"],
        "source": "duet",
        "message": message,
        "relatedInformation": related,
    })
}

/// The kernel's name in the source, for a kernel or a launch of one.
fn name(kernel: &Value) -> &str {
    kernel["site"]["kernel"].as_str().unwrap_or_else(|| word(&kernel["name"]))
}

/// What is known about what the cursor is at: a kernel, or a line.
pub fn hover(report: &Value, text: &str, position: &Value) -> Value {
    let line = position["line"].as_u64().unwrap_or_default() + 1;
    let mut parts: Vec<String> = vec![];
    for kernel in kernels(report) {
        let definition = source::definition(text, name(kernel));
        let is_named = definition.is_some_and(|found| {
            source::position(text, found.name)["line"].as_u64() == Some(line - 1)
        });
        if is_named {
            parts.push(about_kernel(kernel));
        }
        for kept in list(&kernel["inference"]["kept"]) {
            if kept["line"].as_u64() == Some(line) {
                parts.push(format!("invariant: `{}`", word(&kept["text"])));
            }
        }
        for finding in findings(kernel) {
            for place in [&finding["primary"], &finding["secondary"]] {
                if place["line"].as_u64() == Some(line) {
                    let label = place["label"].as_str().or(finding["label"].as_str());
                    parts.push(label.unwrap_or_default().to_string());
                }
            }
        }
    }
    parts.retain(|part| !part.is_empty());
    parts.dedup();
    match parts.is_empty() {
        true => Value::Null,
        false => json!({ "contents": { "kind": "markdown", "value": parts.join("\n\n") } }),
    }
}

fn about_kernel(kernel: &Value) -> String {
    let mut text = format!("**{}**: {}", word(&kernel["name"]), word(&kernel["verdict"]));
    let launch = match &kernel["site"] {
        Value::Null => word(&kernel["launch"]).to_string(),
        site => {
            let places: Vec<&str> = list(&site["places"]).map(word).collect();
            format!("{} at {}", word(&site["sizes"]), places.join(", "))
        }
    };
    text.push_str(&format!("\n\nlaunch: {launch}"));
    let invariants = kernel["invariants"].as_u64().unwrap_or_default();
    if invariants > 0 {
        text.push_str(&format!("\n\n{invariants} loop invariants found"));
    }
    for assumption in list(&kernel["assumptions"]).map(word) {
        text.push_str(&format!("\n- assuming that {assumption}"));
    }
    text
}

/// The edits that are offered in a range of lines.
pub fn actions(report: &Value, uri: &str, text: &str, range: &Value) -> Vec<Value> {
    let line = |at: &Value| at["line"].as_u64().unwrap_or_default() + 1;
    let (first, last) = (line(&range["start"]), line(&range["end"]));
    let mut found: Vec<Value> = vec![];
    for kernel in kernels(report) {
        for finding in findings(kernel).filter(|finding| is_here(&finding["primary"], uri)) {
            let at = finding["primary"]["line"].as_u64().unwrap_or_default();
            if !(first..=last).contains(&at) {
                continue;
            }
            let problem = diagnostic(finding, uri, text);
            found.extend(mended_line(finding, uri).map(|edit| action(edit, uri, &problem, true)));
            let accepted = suppression(finding, text);
            found.push(action(accepted, uri, &problem, false));
        }
        found.extend(precondition(kernel, text, (first, last)).map(|(title, edit)| {
            json!({
                "title": title,
                "kind": "quickfix",
                "edit": { "changes": { uri: [edit] } },
            })
        }));
    }
    let mut distinct: Vec<Value> = vec![];
    for one in found {
        if !distinct.contains(&one) {
            distinct.push(one);
        }
    }
    distinct
}

fn action((title, edit): (String, Value), uri: &str, problem: &Value, is_preferred: bool) -> Value {
    json!({
        "title": title,
        "kind": "quickfix",
        "diagnostics": [problem],
        "isPreferred": is_preferred,
        "edit": { "changes": { uri: [edit] } },
    })
}

/// A text before a line.
fn insertion(line: u64, text: &str) -> Value {
    let at = json!({ "line": line.saturating_sub(1), "character": 0 });
    json!({ "range": { "start": at, "end": at }, "newText": text })
}

/// The line that was tried and mends the finding.
fn mended_line(finding: &Value, uri: &str) -> Option<(String, Value)> {
    let fix = &finding["fix"];
    let line = fix["line"].as_u64().filter(|_| is_here(fix, uri))?;
    let text = word(&fix["text"]);
    let replaces = fix["replaces"].as_bool().unwrap_or(false);
    let does = if replaces { "Replace by" } else { "Insert" };
    let title =
        format!("{does} `{}` (checked: {})", text.trim(), outcome(word(&fix["description"])));
    let mut edit = insertion(line, text);
    if replaces {
        edit["range"]["end"] = json!({ "line": line, "character": 0 });
    }
    Some((title, edit))
}

/// What a description says came of the edit.
fn outcome(description: &str) -> &str {
    description.rsplit_once(": ").map_or(description, |(_, outcome)| outcome)
}

/// A comment that accepts the finding; the reason is the user's to give.
fn suppression(finding: &Value, text: &str) -> (String, Value) {
    let rule = word(&finding["rule"]);
    let line = finding["primary"]["line"].as_u64().unwrap_or(1);
    let source = text.lines().nth(line.saturating_sub(1) as usize).unwrap_or_default();
    let indent = &source[..source.len() - source.trim_start().len()];
    let comment = format!("{indent}// duet: allow({rule}) \n");
    (format!("Accept this `{rule}` (write the reason behind it)"), insertion(line, &comment))
}

/// The precondition under which the kernel is proved, at the start of its body.
fn precondition(kernel: &Value, text: &str, (first, last): (u64, u64)) -> Option<(String, Value)> {
    let lines: Vec<&str> = list(&kernel["requires"]["annotations"]).map(word).collect();
    if lines.is_empty() {
        return None;
    }
    let Definition { name: at, body } = source::definition(text, name(kernel))?;
    let line = |at: usize| source::position(text, at)["line"].as_u64().unwrap_or_default() + 1;
    let in_findings = findings(kernel).any(|finding| {
        finding["primary"]["line"].as_u64().is_some_and(|line| (first..=last).contains(&line))
    });
    if !(first..=last).contains(&line(at)) && !in_findings {
        return None;
    }
    let start = source::position(text, body);
    let new: String = lines.iter().map(|line| format!("\n  {line}")).collect();
    let title = format!(
        "Require `{}`: the kernel is proved with it",
        word(&kernel["requires"]["condition"])
    );
    Some((title, json!({ "range": { "start": start, "end": start }, "newText": new })))
}

/// The verdict behind each kernel's name, and behind each launch.
pub fn inlays(report: &Value, uri: &str, text: &str) -> Vec<Value> {
    let file = source::path_of(uri);
    let file = file.as_ref().and_then(|path| path.file_name()).unwrap_or_default();
    let file = file.to_string_lossy();
    let mut found = vec![];
    let mut names: Vec<(&str, &str)> = vec![];
    for kernel in kernels(report) {
        let verdict = word(&kernel["verdict"]);
        names.push((name(kernel), verdict));
        for place in list(&kernel["site"]["places"]).map(word) {
            let Some((of, line)) = place.rsplit_once(':') else { continue };
            let Ok(line) = line.parse::<u64>() else { continue };
            if of == file {
                let end = source::word_at(text, line, 0)["end"].clone();
                found.push(inlay(end, &format!(" {verdict}")));
            }
        }
    }
    // A kernel is what the worst of its launches is.
    let rank = |verdict: &str| match verdict {
        "proved" => 0,
        "refuted" => 2,
        _ => 1,
    };
    names.sort_by_key(|(name, verdict)| (*name, std::cmp::Reverse(rank(verdict))));
    names.dedup_by_key(|(name, _)| *name);
    for (name, verdict) in names {
        if let Some(definition) = source::definition(text, name) {
            let bare = name.split('<').next().unwrap_or(name).rsplit("::").next().unwrap_or(name);
            let end = source::position(text, definition.name + bare.len());
            found.push(inlay(end, &format!(" {verdict} ")));
        }
    }
    found
}

fn inlay(position: Value, label: &str) -> Value {
    json!({ "position": position, "label": label, "paddingLeft": true })
}
