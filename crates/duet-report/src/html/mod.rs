//! Runs as one HTML file that needs nothing else: counts and a filter at the top, an
//! overview, then each kernel with its findings, their source and the run that showed
//! them.
//!
//! The page is written by hand: [`Text`] escapes whatever is put into it, so that no
//! name of a user's file becomes markup. Without JavaScript all of it is shown.
//!
//! | file | holds |
//! |---|---|
//! | this one | the page: head, counts, filter, overview |
//! | `text` | text with markup, escaped |
//! | `finding` | kernels and their findings |
//! | `code` | source lines with the places marked |
//! | `picture` | the threads between barriers and the memory they meet in, as SVG |
//! | `style.css`, `script.js` | what the page looks like, and the filter |

mod code;
mod finding;
mod picture;
mod text;

use std::collections::BTreeMap;

use duet_ir::Severity;

use crate::run::{KernelResult, Run};
use crate::source::Sources;
use text::Text;
pub(crate) use text::escape;

/// The verdicts in the order in which they are listed.
const VERDICTS: [&str; 4] = ["refuted", "unproven", "vacuous", "proved"];

/// The whole page.
pub fn render_html(runs: &[Run], sources: &mut Sources) -> String {
    let title = match runs {
        [run] => format!("Duet: {}", run.file.display()),
        runs => format!("Duet: {} files", runs.len()),
    };
    let mut page = Text::default();
    page.raw("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    page.raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    page.raw("<meta name=\"color-scheme\" content=\"light dark\">\n");
    page.element("title", &title);
    page.raw("<style>").raw(include_str!("style.css")).raw("</style>\n</head>\n<body>\n");
    header(&mut page, runs, &title);
    page.raw("<main>\n");
    overview(&mut page, runs);
    let mut numbers = finding::Numbers::default();
    for run in runs {
        finding::file(&mut page, run, runs.len() > 1, &mut numbers, sources);
    }
    page.raw("</main>\n<footer>Duet ").text(version(runs)).raw("</footer>\n");
    page.raw("<script>").raw(include_str!("script.js")).raw("</script>\n</body>\n</html>\n");
    page.finish()
}

fn version(runs: &[Run]) -> &str {
    runs.first().map_or("", |run| run.version.as_str())
}

fn kernels(runs: &[Run]) -> impl Iterator<Item = &KernelResult> {
    runs.iter().flat_map(|run| &run.kernels)
}

/// The title, the counts and the filter.
fn header(page: &mut Text, runs: &[Run], title: &str) {
    page.raw("<header>\n").element("h1", title).raw("<ul class=\"counts\">\n");
    count(page, "kernels", kernels(runs).count());
    for verdict in VERDICTS {
        count(page, verdict, kernels(runs).filter(|kernel| kernel.verdict == verdict).count());
    }
    let findings = || kernels(runs).flat_map(|kernel| &kernel.findings);
    let warnings = findings().filter(|one| one.diagnostic.severity == Severity::Warning).count();
    count(page, "warnings", warnings);
    count(page, "accepted", findings().filter(|one| one.suppression.is_some()).count());
    page.raw("</ul>\n");
    filter(page, runs);
    page.raw("</header>\n");
}

fn count(page: &mut Text, what: &str, number: usize) {
    let class = if number == 0 { "count none" } else { "count" };
    page.raw("<li").attribute("class", &format!("{class} {what}")).raw("><b>");
    page.text(&number.to_string()).raw("</b> ").text(what).raw("</li>\n");
}

/// A box to tick for each verdict and each rule that occurs.
fn filter(page: &mut Text, runs: &[Run]) {
    let mut rules: BTreeMap<&str, usize> = BTreeMap::new();
    let messages = runs.iter().flat_map(|run| &run.messages);
    let findings = kernels(runs).flat_map(|kernel| &kernel.findings).map(|one| &one.diagnostic);
    for diagnostic in findings.chain(messages) {
        *rules.entry(diagnostic.rule.id()).or_default() += 1;
    }
    page.raw("<form class=\"filter\">\n<fieldset>\n<legend>Verdict</legend>\n");
    for verdict in VERDICTS {
        let number = kernels(runs).filter(|kernel| kernel.verdict == verdict).count();
        if number > 0 {
            tick(page, "verdict", verdict, number);
        }
    }
    page.raw("</fieldset>\n");
    if !rules.is_empty() {
        page.raw("<fieldset>\n<legend>Rule</legend>\n");
        for (rule, number) in rules {
            tick(page, "rule", rule, number);
        }
        page.raw("</fieldset>\n");
    }
    page.raw("<output id=\"shown\" aria-live=\"polite\"></output>\n</form>\n");
}

fn tick(page: &mut Text, name: &str, value: &str, number: usize) {
    page.raw("<label><input type=\"checkbox\" checked").attribute("name", name);
    page.attribute("value", value).raw("> ").text(value);
    page.raw(" <small>").text(&number.to_string()).raw("</small></label>\n");
}

/// A row for each kernel.
fn overview(page: &mut Text, runs: &[Run]) {
    if kernels(runs).count() == 0 {
        page.raw("<p>There is no kernel.</p>\n");
        return;
    }
    page.raw("<div class=\"wide\"><table class=\"overview\">\n<thead><tr>");
    let several = runs.len() > 1;
    if several {
        page.raw("<th>File</th>");
    }
    page.raw("<th>Kernel</th><th>Verdict</th><th>Findings</th></tr></thead>\n<tbody>\n");
    let mut number = 0;
    for run in runs {
        for kernel in &run.kernels {
            number += 1;
            page.raw("<tr").attribute("data-verdict", &kernel.verdict).raw(">");
            if several {
                page.element("td", &run.file.display().to_string());
            }
            page.raw("<td><a").attribute("href", &format!("#kernel-{number}")).raw(">");
            page.text(&kernel.name).raw("</a></td><td>");
            badge(page, &kernel.verdict);
            page.raw("</td>").element("td", &findings_of(kernel)).raw("</tr>\n");
        }
    }
    page.raw("</tbody>\n</table></div>\n");
}

fn findings_of(kernel: &KernelResult) -> String {
    let accepted = kernel.findings.iter().filter(|one| one.suppression.is_some()).count();
    match (kernel.findings.len(), accepted) {
        (0, _) => "none".to_string(),
        (all, 0) => all.to_string(),
        (all, accepted) => format!("{all} ({accepted} accepted)"),
    }
}

fn badge(page: &mut Text, verdict: &str) {
    page.raw("<span").attribute("class", &format!("badge {verdict}")).raw(">");
    page.text(verdict).raw("</span>");
}
