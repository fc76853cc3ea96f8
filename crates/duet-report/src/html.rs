//! A run as one HTML file that needs nothing else: verdicts at the top, then each
//! kernel with its findings as the terminal shows them.

use std::fmt::Write as _;

use crate::human::{Options, render_diagnostic};
use crate::run::{KernelResult, Reported, Run};
use crate::source::Sources;

/// Wide enough for most source lines.
const WIDTH: usize = 120;

/// The whole page.
pub fn render_html(run: &Run, sources: &mut Sources) -> String {
    let title = escape(&format!("Duet: {}", run.file.display()));
    let mut body = format!("<h1>{title}</h1>\n{}", overview(run));
    for message in &run.messages {
        let text = render_diagnostic(message, sources, &options());
        let _ = writeln!(body, "<pre>{}</pre>", escape(&text));
    }
    for (number, kernel) in run.kernels.iter().enumerate() {
        body.push_str(&section(number, kernel, sources));
    }
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>{title}</title>\n\
         <style>{STYLE}</style>\n</head>\n<body>\n{body}<footer>Duet {}</footer>\n</body>\n</html>\n",
        escape(&run.version)
    )
}

const STYLE: &str = "body{font:15px/1.45 system-ui,sans-serif;max-width:70em;margin:2em auto;\
padding:0 1em;color:#222;background:#fff}pre{background:#f6f6f4;padding:.7em 1em;overflow-x:auto}\
table{border-collapse:collapse}th,td{padding:.25em .9em;border-bottom:1px solid #ddd;\
text-align:left}.proved{color:#22733b}.refuted{color:#a3252b}.unproven{color:#9a6200}\
details{margin:.4em 0}footer{margin-top:3em;color:#777}";

fn options() -> Options {
    Options { width: WIDTH, ..Options::default() }
}

/// A row for each kernel.
fn overview(run: &Run) -> String {
    let mut text =
        "<table>\n<tr><th>kernel</th><th>verdict</th><th>findings</th></tr>\n".to_string();
    for (number, kernel) in run.kernels.iter().enumerate() {
        let accepted = kernel.findings.iter().filter(|one| one.suppression.is_some()).count();
        let accepted =
            if accepted > 0 { format!(" ({accepted} suppressed)") } else { String::new() };
        let _ = writeln!(
            text,
            "<tr><td><a href=\"#k{number}\">{}</a></td><td class=\"{v}\">{v}</td>\
             <td>{}{accepted}</td></tr>",
            escape(&kernel.name),
            kernel.findings.len(),
            v = escape(&kernel.verdict),
        );
    }
    text + "</table>\n"
}

fn section(number: usize, kernel: &KernelResult, sources: &mut Sources) -> String {
    let verdict = escape(&kernel.verdict);
    let mut text = format!(
        "<h2 id=\"k{number}\">{}: <span class=\"{verdict}\">{verdict}</span></h2>\n<p>{}</p>\n",
        escape(&kernel.name),
        escape(&kernel.launch)
    );
    if !kernel.assumptions.is_empty() {
        let items = kernel.assumptions.iter().map(|one| format!("<li>{}</li>", escape(one)));
        let items: String = items.collect();
        let _ = writeln!(text, "<p>Assuming that</p>\n<ul>{items}</ul>");
    }
    for one in &kernel.findings {
        text.push_str(&finding(one, sources));
    }
    text
}

/// As the terminal shows it; one that the user accepts is folded.
fn finding(one: &Reported, sources: &mut Sources) -> String {
    let text = escape(&render_diagnostic(&one.diagnostic, sources, &options()));
    match &one.suppression {
        Some(suppression) => format!(
            "<details><summary>{} suppressed ({}): {}</summary>\n<pre>{text}</pre></details>\n",
            escape(one.diagnostic.rule.id()),
            suppression.by.word(),
            escape(&suppression.reason)
        ),
        None => format!("<pre>{text}</pre>\n"),
    }
}

pub(crate) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
