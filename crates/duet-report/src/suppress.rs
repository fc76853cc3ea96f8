//! Findings that the user accepts: comments in the source, the baseline and the project file.
//!
//! `// duet: allow(write-write-race) the host ignores it` accepts findings of that
//! rule whose place (or other place) is on the comment's line or on the line below.
//! Without a reason it accepts nothing. The project file says the same of a kernel or of all:
//! `write-write-race in scan: the host ignores it`. What is about the check itself (a missing
//! solver, a contradiction among preconditions) cannot be accepted, and neither can
//! what has no place.

use duet_ir::{Diagnostic, Rule, SourceSpan};
use serde_json::{Value, json};

use crate::run::{Reported, Run, SuppressedBy, Suppression};
use crate::source::Sources;

/// Marks the findings that a comment accepts. Returns the comments that accept
/// nothing because they give no reason, each with its place.
pub fn suppress_by_comments(run: &mut Run, sources: &mut Sources) -> Vec<SourceSpan> {
    let mut without_reason = vec![];
    let findings = run.kernels.iter_mut().flat_map(|kernel| &mut kernel.findings);
    for finding in findings.filter(|one| can_be_accepted(&one.diagnostic)) {
        for span in places(&finding.diagnostic) {
            match comment_about(finding.diagnostic.rule, &span, sources) {
                Some(Ok(reason)) => {
                    let by = SuppressedBy::Comment;
                    finding.suppression = Some(Suppression { by, reason });
                }
                Some(Err(line)) => without_reason.push(SourceSpan { line, column: 0, ..span }),
                None => {}
            }
        }
    }
    without_reason.sort();
    without_reason.dedup();
    without_reason
}

fn can_be_accepted(diagnostic: &Diagnostic) -> bool {
    diagnostic.rule.can_be_accepted() && diagnostic.primary.is_some()
}

fn places(diagnostic: &Diagnostic) -> Vec<SourceSpan> {
    let others = diagnostic.secondary.iter().map(|(span, _)| span);
    diagnostic.primary.iter().chain(others).cloned().collect()
}

/// The reason in a comment on the line or the one above; the comment's line if it
/// gives none.
fn comment_about(
    rule: Rule,
    span: &SourceSpan,
    sources: &mut Sources,
) -> Option<Result<String, u32>> {
    let above = span.line.checked_sub(1);
    let lines = std::iter::once(span.line).chain(above);
    lines.filter(|line| *line > 0).find_map(|line| {
        let text = line_text(&SourceSpan { line, ..span.clone() }, sources)?;
        // A comment after code is about that line only.
        let is_alone = text.trim_start().starts_with("//");
        let reason = parse_comment(&text, rule)?;
        if line != span.line && !is_alone {
            return None;
        }
        Some(if reason.is_empty() { Err(line) } else { Ok(reason) })
    })
}

/// The reason in `// duet: allow(rule, ...) reason`, if the rule is named.
fn parse_comment(line: &str, rule: Rule) -> Option<String> {
    let (_, comment) = line.split_once("//")?;
    let allow = comment.trim_start().strip_prefix("duet:")?.trim_start().strip_prefix("allow(")?;
    let (rules, reason) = allow.split_once(')')?;
    let is_named = rules.split(',').any(|name| Rule::from_id(name.trim()) == Some(rule));
    is_named.then(|| reason.trim().to_string())
}

/// The text of a place's line, without blanks around it.
fn line_text(span: &SourceSpan, sources: &mut Sources) -> Option<String> {
    sources.load(&span.file);
    let bytes = sources.get(&span.file)?.line(span.line)?;
    Some(String::from_utf8_lossy(bytes).trim().to_string())
}

/// The findings of an earlier run that are accepted. They are recognised by rule,
/// kernel and the text of their lines, so that other lines may come and go.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Baseline {
    entries: Vec<Entry>,
    accepted: Vec<Accepted>,
}

/// What the project file accepts.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Accepted {
    rule: Rule,
    /// None: in every kernel.
    kernel: Option<String>,
    reason: String,
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct Entry {
    /// The id as the file has it: a baseline of another version may name rules that this
    /// one does not know, and they are written back as they were.
    rule: String,
    kernel: String,
    lines: Vec<String>,
}

impl Baseline {
    /// Everything in the run that stands against a proof and can be accepted.
    pub fn of(run: &Run, sources: &mut Sources) -> Baseline {
        let mut baseline = Baseline::default();
        for kernel in &run.kernels {
            for one in kernel.errors().filter(|one| can_be_accepted(&one.diagnostic)) {
                let entry = entry(&kernel.name, one, sources);
                if !baseline.entries.contains(&entry) {
                    baseline.entries.push(entry);
                }
            }
        }
        baseline
    }

    /// Reads the text form. The error says what is wrong.
    pub fn parse(text: &str) -> Result<Baseline, String> {
        let json: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
        if json["version"] != 1 {
            return Err("it is no baseline of version 1".to_string());
        }
        let entries = json["findings"].as_array().ok_or("it has no list of findings")?;
        let entries = entries.iter().map(parse_entry).collect::<Option<_>>();
        let entries = entries.ok_or("a finding lacks its rule, kernel or lines")?;
        Ok(Baseline { entries, accepted: vec![] })
    }

    /// Accepts what a line of the project file says: `RULE in KERNEL: REASON`, or
    /// `RULE: REASON`. The error says what is wrong.
    pub fn accept(&mut self, line: &str) -> Result<(), String> {
        let (what, reason) = line.split_once(": ").unwrap_or((line, ""));
        let (rule, kernel) = match what.split_once(" in ") {
            Some((rule, kernel)) => (rule.trim(), Some(kernel.trim().to_string())),
            None => (what.trim_end_matches(':').trim(), None),
        };
        let known = Rule::from_id(rule).ok_or_else(|| format!("there is no rule `{rule}`"))?;
        if !known.can_be_accepted() {
            return Err(format!("`{rule}` is about the check itself and cannot be accepted"));
        }
        let reason = reason.trim().to_string();
        if reason.is_empty() {
            return Err(format!("`{line}` gives no reason: `RULE in KERNEL: REASON`"));
        }
        self.accepted.push(Accepted { rule: known, kernel, reason });
        Ok(())
    }

    /// The text form.
    pub fn to_text(&self) -> String {
        let entries = self
            .entries
            .iter()
            .map(|one| json!({ "rule": one.rule, "kernel": one.kernel, "lines": one.lines }));
        let json = json!({ "version": 1, "findings": entries.collect::<Vec<_>>() });
        format!("{json:#}\n")
    }

    /// Marks the findings that are in it. Returns how many of its entries are for
    /// kernels of this run and occur no more.
    pub fn apply(&self, run: &mut Run, sources: &mut Sources) -> usize {
        let mut used = vec![false; self.entries.len()];
        for kernel in &mut run.kernels {
            for one in kernel.findings.iter_mut().filter(|one| can_be_accepted(&one.diagnostic)) {
                let fits = |known: &&Accepted| {
                    let is_there = |name: &String| is_kernel(&kernel.name, name);
                    known.rule == one.diagnostic.rule && known.kernel.iter().all(is_there)
                };
                if let Some(known) = self.accepted.iter().find(fits) {
                    let reason = known.reason.clone();
                    let by = SuppressedBy::Project;
                    one.suppression.get_or_insert(Suppression { by, reason });
                }
                let entry = entry(&kernel.name, one, sources);
                let Some(number) = self.entries.iter().position(|known| *known == entry) else {
                    continue;
                };
                used[number] = true;
                let reason = "in the baseline".to_string();
                let known = Suppression { by: SuppressedBy::Baseline, reason };
                one.suppression.get_or_insert(known);
            }
        }
        let is_here = |entry: &Entry| run.kernels.iter().any(|kernel| kernel.name == entry.kernel);
        let entries = self.entries.iter().zip(used);
        entries.filter(|(entry, used)| !used && is_here(entry)).count()
    }
}

/// Is this the kernel's name, with or without template arguments and the launch that it was
/// judged for (`main.cu:12 scan<int><<<n, 64>>>`)?
fn is_kernel(reported: &str, name: &str) -> bool {
    let own = reported.split("<<<").next().unwrap_or(reported);
    let own = match own.split_once(' ') {
        Some((place, rest)) if reported.contains("<<<") && place.contains(':') => rest,
        _ => own,
    };
    own == name || own.split('<').next() == Some(name)
}

fn parse_entry(value: &Value) -> Option<Entry> {
    let text = |value: &Value| value.as_str().map(str::to_string);
    let lines = value["lines"].as_array()?.iter().map(text).collect::<Option<_>>()?;
    Some(Entry { rule: text(&value["rule"])?, kernel: text(&value["kernel"])?, lines })
}

fn entry(kernel: &str, one: &Reported, sources: &mut Sources) -> Entry {
    let lines = places(&one.diagnostic)
        .iter()
        .map(|span| line_text(span, sources).unwrap_or_default())
        .collect();
    Entry { rule: one.diagnostic.rule.to_string(), kernel: kernel.to_string(), lines }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_the_project_file() {
        let mut baseline = Baseline::default();
        assert_eq!(baseline.accept("write-write-race in scan: the host ignores it"), Ok(()));
        assert_eq!(baseline.accept("out-of-bounds: arrays are padded"), Ok(()));
        for wrong in ["no-such-rule: x", "write-write-race in scan", "write-write-race:", ""] {
            assert!(baseline.accept(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn kernels_by_their_name() {
        for reported in ["scan", "scan<int>", "main.cu:12 scan<unsigned int><<<n, 64>>>"] {
            assert!(is_kernel(reported, "scan"), "{reported}");
        }
        assert!(is_kernel("main.cu:12 scan<int><<<n, 64>>> (2)", "scan<int>"));
        assert!(!is_kernel("main.cu:12 scan2<<<n, 64>>>", "scan"));
        assert!(!is_kernel("scan2", "scan"));
    }
}
