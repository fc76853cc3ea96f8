//! The JSON form of diagnostics.

use duet_ir::{Diagnostic, Rule, SourceSpan};
use duet_report::render_json;
use serde_json::{Value, json};

fn parse(diagnostics: &[Diagnostic]) -> Value {
    serde_json::from_str(&render_json(diagnostics)).unwrap()
}

#[test]
fn every_field_is_there() {
    let span = SourceSpan { file: "k.cu".into(), line: 3, column: 8 };
    let mut diagnostic = Diagnostic::new(Rule::WriteWriteRace, "two threads race on \"a\"")
        .at(Some(span.clone()))
        .note("one block")
        .help("put a barrier between");
    diagnostic.label = Some("read here".into());
    diagnostic.secondary.push((SourceSpan { column: 0, ..span }, "written here".into()));
    let expected = json!([{
        "rule": "write-write-race",
        "severity": "error",
        "headline": "two threads race on \"a\"",
        "primary": { "file": "k.cu", "line": 3, "column": 8 },
        "label": "read here",
        "secondary": [{ "file": "k.cu", "line": 3, "column": null, "label": "written here" }],
        "notes": ["one block"],
        "help": "put a barrier between",
        "fix": null,
    }]);
    assert_eq!(parse(&[diagnostic]), expected);
}

#[test]
fn what_is_not_known_is_null_or_empty() {
    let expected = json!([{
        "rule": "missing-restrict", "severity": "warning", "headline": "a and b may overlap",
        "primary": null, "label": null, "secondary": [], "notes": [], "help": null, "fix": null,
    }]);
    assert_eq!(parse(&[Diagnostic::new(Rule::MissingRestrict, "a and b may overlap")]), expected);
    assert_eq!(parse(&[]), json!([]));
}

#[test]
fn the_list_is_one_line() {
    let text = render_json(&[Diagnostic::new(Rule::CompileError, "first\nsecond")]);
    assert!(!text.contains('\n'), "{text}");
}
