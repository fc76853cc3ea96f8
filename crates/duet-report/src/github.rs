//! A run as workflow commands of GitHub, which shows them beside the source.

use duet_ir::{Diagnostic, Severity};

use crate::run::Run;

/// One line for each message; what the user accepts is left out.
pub fn render_github(run: &Run) -> String {
    let shown = run.findings().filter(|(_, one)| one.suppression.is_none());
    let findings = shown.map(|(_, one)| command(&one.diagnostic));
    run.messages.iter().map(command).chain(findings).collect()
}

/// `::error file=k.cu,line=3,col=5,title=write-write-race::text`.
fn command(diagnostic: &Diagnostic) -> String {
    let kind = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "notice",
    };
    let mut fields = vec![];
    if let Some(span) = &diagnostic.primary {
        fields.push(("file", span.file.to_string_lossy().into_owned()));
        fields.push(("line", span.line.to_string()));
        if span.column > 0 {
            fields.push(("col", span.column.to_string()));
        }
    }
    fields.push(("title", diagnostic.rule.to_string()));
    let fields: Vec<String> =
        fields.iter().map(|(name, value)| format!("{name}={}", escape_field(value))).collect();
    let mut text = diagnostic.headline.clone();
    let lines = diagnostic.notes.iter().chain(&diagnostic.help);
    lines.for_each(|line| text.push_str(&format!("\n{line}")));
    format!("::{kind} {}::{}\n", fields.join(","), escape(&text))
}

fn escape(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn escape_field(text: &str) -> String {
    escape(text).replace(':', "%3A").replace(',', "%2C")
}
