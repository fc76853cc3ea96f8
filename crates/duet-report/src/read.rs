//! The JSON of `duet check` read back as a [`Run`], so that results of several machines can be
//! shown in every format. What the JSON does not have is left out: the pictures of a run that
//! showed a defect.

use std::path::PathBuf;

use duet_ir::{Diagnostic, Fix, Rule, Severity, SourceSpan};
use serde_json::Value;

use crate::check::shell_line;
use crate::run::{KernelResult, Reported, Run, SuppressedBy, Suppression};

/// The run over one file. An error names the field that is not as it should be.
pub fn run_from_json(report: &Value, exit_code: u8) -> Result<Run, String> {
    if report["version"] != 1 {
        return Err("not a report of `duet check --format=json`".to_string());
    }
    let messages = list(report, "diagnostics")?.iter().map(diagnostic);
    Ok(Run {
        file: PathBuf::from(text(report, "file")?),
        version: env!("CARGO_PKG_VERSION").to_string(),
        exit_code,
        kernels: list(report, "kernels")?.iter().map(kernel).collect::<Result<_, _>>()?,
        messages: messages.collect::<Result<_, _>>()?,
    })
}

fn kernel(value: &Value) -> Result<KernelResult, String> {
    // Warnings come first, as in the run that was written.
    let warnings = list(value, "warnings")?.iter().map(|one| {
        let diagnostic = diagnostic(one)?;
        Ok(Reported { diagnostic, is_refuted: false, suppression: None, witness: None })
    });
    let findings = list(value, "findings")?.iter().map(finding);
    let words = |name: &str| -> Result<Vec<String>, String> { strings(list(value, name)?) };
    Ok(KernelResult {
        name: text(value, "name")?,
        verdict: text(value, "verdict")?,
        launch: text(value, "launch")?,
        assumptions: words("assumptions")?,
        findings: warnings.chain(findings).collect::<Result<_, String>>()?,
    })
}

fn finding(value: &Value) -> Result<Reported, String> {
    let mut diagnostic = diagnostic(value)?;
    if let Some(words) = value["witness"]["command"].as_array() {
        let command = shell_line(&strings(words)?);
        diagnostic.notes.push(format!("to see it again:\n{command}"));
    }
    let suppression = match &value["suppressed"] {
        Value::Null => None,
        known => Some(Suppression { by: by(&text(known, "by")?)?, reason: text(known, "reason")? }),
    };
    let is_refuted = text(value, "status")? == "refuted";
    Ok(Reported { diagnostic, is_refuted, suppression, witness: None })
}

fn by(word: &str) -> Result<SuppressedBy, String> {
    let all = [SuppressedBy::Comment, SuppressedBy::Baseline, SuppressedBy::Project];
    let found = all.into_iter().find(|by| by.word() == word);
    found.ok_or_else(|| format!("`suppressed` has an unknown word `{word}`"))
}

fn diagnostic(value: &Value) -> Result<Diagnostic, String> {
    let id = text(value, "rule")?;
    let rule = Rule::from_id(&id).ok_or_else(|| format!("there is no rule `{id}`"))?;
    let mut one = Diagnostic::new(rule, text(value, "headline")?).at(span(&value["primary"])?);
    one.severity = match text(value, "severity")?.as_str() {
        "error" => Severity::Error,
        "warning" => Severity::Warning,
        "note" => Severity::Note,
        other => return Err(format!("`severity` has an unknown word `{other}`")),
    };
    one.label = value["label"].as_str().map(str::to_string);
    one.notes = strings(list(value, "notes")?)?;
    one.help = value["help"].as_str().map(str::to_string);
    // A finding has one place or none, a message has a list.
    let places: Vec<&Value> = match &value["secondary"] {
        Value::Array(all) => all.iter().collect(),
        one => vec![one],
    };
    for place in places {
        if let (Some(span), Some(label)) = (span(place)?, place["label"].as_str()) {
            one.secondary.push((span, label.to_string()));
        }
    }
    one.fix = match &value["fix"] {
        Value::Null => None,
        fix => Some(Fix {
            description: text(fix, "description")?,
            file: PathBuf::from(text(fix, "file")?),
            line: number(fix, "line")?,
            // Reports of earlier versions only put lines before others.
            replaces: fix["replaces"].as_bool().unwrap_or(false),
            text: text(fix, "text")?,
        }),
    };
    Ok(one)
}

fn span(value: &Value) -> Result<Option<SourceSpan>, String> {
    if value.is_null() {
        return Ok(None);
    }
    let column = if value["column"].is_null() { 0 } else { number(value, "column")? };
    let file = PathBuf::from(text(value, "file")?);
    Ok(Some(SourceSpan { file, line: number(value, "line")?, column }))
}

fn text(value: &Value, name: &str) -> Result<String, String> {
    value[name].as_str().map(str::to_string).ok_or_else(|| format!("`{name}` is no text"))
}

fn number(value: &Value, name: &str) -> Result<u32, String> {
    let number = value[name].as_u64().and_then(|number| u32::try_from(number).ok());
    number.ok_or_else(|| format!("`{name}` is no number"))
}

fn list<'a>(value: &'a Value, name: &str) -> Result<&'a Vec<Value>, String> {
    value[name].as_array().ok_or_else(|| format!("`{name}` is no list"))
}

fn strings(values: &[Value]) -> Result<Vec<String>, String> {
    let all: Option<Vec<String>> =
        values.iter().map(|value| value.as_str().map(str::to_string)).collect();
    all.ok_or_else(|| "a list has something else than texts".to_string())
}
