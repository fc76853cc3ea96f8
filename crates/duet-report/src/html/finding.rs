//! Kernels and their findings.

use duet_ir::{Diagnostic, Fix, Severity};

use super::code::{self, Place};
use super::text::Text;
use super::{badge, picture};
use crate::run::{KernelResult, Reported, Run, Witness};
use crate::source::Sources;

/// Numbers of kernels and findings, over all files: they are the names of places in
/// the page.
#[derive(Default)]
pub struct Numbers {
    kernels: usize,
    findings: usize,
}

/// A file: what was found while it was read, and its kernels.
pub fn file(
    page: &mut Text,
    run: &Run,
    titled: bool,
    numbers: &mut Numbers,
    sources: &mut Sources,
) {
    page.raw("<section class=\"file\">\n");
    if titled {
        page.element("h2", &run.file.display().to_string());
    }
    for message in &run.messages {
        numbers.findings += 1;
        diagnostic(page, message, None, numbers.findings, sources);
    }
    for one in &run.kernels {
        kernel(page, one, numbers, sources);
    }
    page.raw("</section>\n");
}

fn kernel(page: &mut Text, kernel: &KernelResult, numbers: &mut Numbers, sources: &mut Sources) {
    numbers.kernels += 1;
    page.raw("<article class=\"kernel\"").attribute("id", &format!("kernel-{}", numbers.kernels));
    page.attribute("data-verdict", &kernel.verdict).raw(">\n<h3>").text(&kernel.name).raw(" ");
    badge(page, &kernel.verdict);
    page.raw("</h3>\n<p class=\"launch\">").text(&kernel.launch).raw("</p>\n");
    if !kernel.assumptions.is_empty() {
        let number = kernel.assumptions.len();
        let summary = match number {
            1 => "1 assumption".to_string(),
            _ => format!("{number} assumptions"),
        };
        page.raw("<details class=\"assumptions\">").element("summary", &summary).raw("<ul>\n");
        for assumption in &kernel.assumptions {
            page.raw("<li>").prose(assumption).raw("</li>\n");
        }
        page.raw("</ul></details>\n");
    }
    for one in &kernel.findings {
        numbers.findings += 1;
        match &one.suppression {
            Some(suppression) => {
                let by = suppression.by.word();
                page.raw("<details class=\"accepted\"><summary>");
                page.text(&format!("accepted ({by}): {}", suppression.reason));
                page.raw("</summary>\n");
                reported(page, one, numbers.findings, sources);
                page.raw("</details>\n");
            }
            None => reported(page, one, numbers.findings, sources),
        }
    }
    page.raw("</article>\n");
}

fn reported(page: &mut Text, one: &Reported, number: usize, sources: &mut Sources) {
    diagnostic(page, &one.diagnostic, one.witness.as_ref(), number, sources);
}

/// A finding, or a message about the file.
fn diagnostic(
    page: &mut Text,
    diagnostic: &Diagnostic,
    witness: Option<&Witness>,
    number: usize,
    sources: &mut Sources,
) {
    let severity = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    };
    page.raw("<section").attribute("class", &format!("finding {severity}"));
    page.attribute("id", &format!("finding-{number}"));
    page.attribute("data-rule", diagnostic.rule.id()).raw(">\n");
    page.raw("<h4><span class=\"rule\">").text(diagnostic.rule.id()).raw("</span> ");
    page.prose(&diagnostic.headline).raw("</h4>\n");
    let places = places(diagnostic, number);
    code::excerpts(page, &places, sources);
    if let Some(witness) = witness {
        run(page, witness, number);
    }
    if let Some(help) = &diagnostic.help {
        page.raw("<p class=\"help\"><b>Help</b> ").prose(help).raw("</p>\n");
    }
    if let Some(fix) = &diagnostic.fix {
        mend(page, fix);
    }
    notes(page, &diagnostic.notes, witness);
    page.raw("</section>\n");
}

/// The primary place, then the others, each with a letter.
fn places(diagnostic: &Diagnostic, number: usize) -> Vec<Place<'_>> {
    let primary = diagnostic.primary.iter().map(|span| (span, diagnostic.label.as_deref()));
    let others = diagnostic.secondary.iter().map(|(span, label)| (span, Some(label.as_str())));
    primary
        .chain(others)
        .zip('A'..='Z')
        .map(|((span, label), letter)| Place { span, label, letter, finding: number })
        .collect()
}

/// The run that showed it: tables and pictures.
fn run(page: &mut Text, witness: &Witness, number: usize) {
    page.raw("<div class=\"run\">\n");
    picture::threads(page, &witness.threads, number);
    if let Some(memory) = &witness.memory {
        picture::memory(page, memory);
    }
    page.raw("<div class=\"tables\">\n");
    table(page, "Launch", &witness.launch);
    table(page, "Arguments", &witness.arguments);
    table(page, "Arrays at the start", &witness.contents);
    page.raw("</div>\n</div>\n<details class=\"command\"><summary>See it again</summary><pre>");
    page.text(&witness.command).raw("</pre></details>\n");
}

fn table(page: &mut Text, caption: &str, rows: &[(String, String)]) {
    if rows.is_empty() {
        return;
    }
    page.raw("<table class=\"values\">").element("caption", caption).raw("<tbody>\n");
    for (name, value) in rows {
        page.raw("<tr><th scope=\"row\">").text(name).raw("</th>").element("td", value);
        page.raw("</tr>\n");
    }
    page.raw("</tbody></table>\n");
}

/// A line to put into the source.
fn mend(page: &mut Text, fix: &Fix) {
    page.raw("<div class=\"fix\"><p><b>Fix</b> ").prose(&fix.description);
    let place = if fix.replaces { "instead of" } else { "before" };
    page.text(&format!(", {place} line {} of {}", fix.line, fix.file.display()));
    page.raw("</p><pre>").text(&format!("+ {}", fix.text.trim_end())).raw("</pre></div>\n");
}

/// Further facts, folded. What tables and the command say already is left out.
fn notes(page: &mut Text, notes: &[String], witness: Option<&Witness>) {
    let is_told = |note: &&String| witness.is_some() && note.starts_with("to see it again:");
    let notes: Vec<&String> = notes.iter().filter(|note| !is_told(note)).collect();
    if notes.is_empty() {
        return;
    }
    let summary = match notes.len() {
        1 => "1 note".to_string(),
        number => format!("{number} notes"),
    };
    page.raw("<details class=\"notes\">").element("summary", &summary);
    for note in notes {
        page.raw("<pre>").text(note).raw("</pre>\n");
    }
    page.raw("</details>\n");
}
