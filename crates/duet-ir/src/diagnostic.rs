//! What Duet has to say about a source file, as plain data. Rendering is the
//! business of `duet-report`.

use std::path::PathBuf;

use crate::{Language, Rule};

/// A message about a place in the source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// The kind of problem.
    pub rule: Rule,
    /// How bad it is.
    pub severity: Severity,
    /// One phrase, lower case, in the user's terms.
    pub headline: String,
    /// Where.
    pub primary: Option<SourceSpan>,
    /// What happens there.
    pub label: Option<String>,
    /// Other places that matter, each with its label.
    pub secondary: Vec<(SourceSpan, String)>,
    /// Further facts.
    pub notes: Vec<String>,
    /// What the user can do.
    pub help: Option<String>,
    /// A change of the source that mends it.
    pub fix: Option<Fix>,
}

/// A line to put into a source file, or to put there instead of another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fix {
    /// What it does, in words.
    pub description: String,
    /// The file.
    pub file: PathBuf,
    /// The line before which it goes, or the one that it replaces, from 1.
    pub line: u32,
    /// Does it take the place of that line?
    pub replaces: bool,
    /// The new line, with its end.
    pub text: String,
}

/// Severity of a diagnostic.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    /// Stops the work.
    Error,
    /// Does not stop the work.
    Warning,
    /// For information.
    Note,
}

/// A place in a source file. `column` is 0 where only the line is known.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SourceSpan {
    /// The file.
    pub file: PathBuf,
    /// From 1.
    pub line: u32,
    /// From 1, in bytes; 0 where unknown.
    pub column: u32,
}

impl Diagnostic {
    /// A message of the rule's severity, about no place.
    pub fn new(rule: Rule, headline: impl Into<String>) -> Diagnostic {
        Diagnostic {
            rule,
            severity: rule.severity(),
            headline: headline.into(),
            primary: None,
            label: None,
            secondary: vec![],
            notes: vec![],
            help: None,
            fix: None,
        }
    }

    /// A message in the rule's usual words: its headline, which has nothing to fill in,
    /// and its advice.
    pub fn usual(rule: Rule, language: Language) -> Diagnostic {
        Diagnostic::new(rule, rule.headline().unwrap_or(rule.id())).usual_help(language)
    }

    /// The same, at a place.
    pub fn at(mut self, span: Option<SourceSpan>) -> Diagnostic {
        self.primary = span;
        self
    }

    /// The same, with a further fact.
    pub fn note(mut self, note: impl Into<String>) -> Diagnostic {
        self.notes.push(note.into());
        self
    }

    /// The same, with advice.
    pub fn help(mut self, help: impl Into<String>) -> Diagnostic {
        self.help = Some(help.into());
        self
    }

    /// The same, with the rule's usual advice.
    pub fn usual_help(mut self, language: Language) -> Diagnostic {
        self.help = self.rule.help(language).map(str::to_string);
        self
    }
}
