//! Diagnostics as JSON. The field names are an interface: they are only ever
//! added to.

use duet_ir::{Diagnostic, Fix, Severity, SourceSpan};
use serde_json::{Value, json};

/// A list of diagnostics as one line of JSON.
pub fn render_json(diagnostics: &[Diagnostic]) -> String {
    diagnostics.iter().map(diagnostic_to_json).collect::<Value>().to_string()
}

/// One diagnostic: `rule`, `severity` (`error`, `warning`, `note`), `headline`,
/// `primary` (a place or null), `label` (of it, or null), `secondary` (places with a `label`), `notes`,
/// `help` (a string or null), `fix` (a line to insert, or null: `description`, `file`,
/// the `line` before which it goes, `text`). A place is `file`, `line` from 1, and `column`
/// from 1 in bytes or null where only the line is known.
pub fn diagnostic_to_json(diagnostic: &Diagnostic) -> Value {
    let secondary = diagnostic.secondary.iter().map(|(span, label)| {
        let mut place = span_to_json(span);
        place["label"] = json!(label);
        place
    });
    json!({
        "rule": diagnostic.rule.id(),
        "severity": severity_name(diagnostic.severity),
        "headline": diagnostic.headline,
        "primary": diagnostic.primary.as_ref().map(span_to_json),
        "label": diagnostic.label,
        "secondary": secondary.collect::<Vec<Value>>(),
        "notes": diagnostic.notes,
        "help": diagnostic.help,
        "fix": diagnostic.fix.as_ref().map(fix_to_json),
    })
}

fn fix_to_json(fix: &Fix) -> Value {
    json!({
        "description": fix.description,
        "file": fix.file.to_string_lossy(),
        "line": fix.line,
        "replaces": fix.replaces,
        "text": fix.text,
    })
}

fn span_to_json(span: &SourceSpan) -> Value {
    let column = (span.column > 0).then_some(span.column);
    json!({ "file": span.file.to_string_lossy(), "line": span.line, "column": column })
}

fn severity_name(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    }
}
