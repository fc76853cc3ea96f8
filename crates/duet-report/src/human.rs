//! Diagnostics as text for people: headline, source lines with carets, notes
//! and help, laid out as compilers do.

use std::ops::Range;
use std::path::Path;

use annotate_snippets::{
    Annotation, AnnotationKind, Element, Group, Level, Origin, Renderer, Snippet,
};
use duet_ir::{Diagnostic, Severity, SourceSpan};

use crate::source::{Line, SourceFile, Sources};
use crate::token::token_length;

/// How the text looks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// Colour, by terminal escape codes.
    pub color: bool,
    /// Columns of the output; longer source lines are shortened around the caret.
    pub width: usize,
}

impl Default for Options {
    /// No colour, 140 columns.
    fn default() -> Options {
        Options { color: false, width: 140 }
    }
}

/// All the diagnostics, an empty line after each.
pub fn render_diagnostics(
    diagnostics: &[Diagnostic],
    sources: &mut Sources,
    options: &Options,
) -> String {
    let render = |diagnostic| render_diagnostic(diagnostic, sources, options) + "\n";
    diagnostics.iter().map(render).collect()
}

/// One diagnostic, with a line end after its last line. Source files are read
/// through `sources`; where one cannot be read, its place is named without text.
pub fn render_diagnostic(
    diagnostic: &Diagnostic,
    sources: &mut Sources,
    options: &Options,
) -> String {
    let marks = collect_marks(diagnostic);
    for mark in &marks {
        sources.load(&mark.span.file);
    }
    let elements = marks
        .chunk_by(|a, b| a.span.file == b.span.file)
        .flat_map(|marks| file_elements(marks, sources))
        .chain(message_elements(diagnostic));
    let title =
        level(diagnostic.severity).primary_title(&diagnostic.headline).id(diagnostic.rule.id());
    let group = Group::with_title(title).elements(elements);
    renderer(options).render(&[group]) + "\n"
}

fn renderer(options: &Options) -> Renderer {
    let renderer = if options.color { Renderer::styled() } else { Renderer::plain() };
    renderer.term_width(options.width)
}

fn level(severity: Severity) -> Level<'static> {
    match severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    }
}

/// The lines after the source: notes, then help.
fn message_elements(diagnostic: &Diagnostic) -> impl Iterator<Item = Element<'_>> {
    let notes = diagnostic.notes.iter().map(|note| Level::NOTE.message(visible(note)).into());
    notes.chain(diagnostic.help.iter().map(|help| Level::HELP.message(visible(help)).into()))
}

/// The text with its control characters made visible: a note may quote the
/// source, which must not steer the terminal. The library does this for the
/// headline, labels and source lines, but lets notes through as they are.
fn visible(text: &str) -> String {
    text.chars().map(visible_char).collect()
}

fn visible_char(c: char) -> char {
    match c {
        '\n' | '\t' => c,
        // The control pictures of Unicode, in the order of the characters.
        '\0'..='\x1f' => char::from_u32(0x2400 + u32::from(c)).unwrap_or(c),
        c if c.is_control() => char::REPLACEMENT_CHARACTER,
        c => c,
    }
}

/// A place to point at.
struct Mark<'a> {
    span: &'a SourceSpan,
    label: Option<&'a str>,
    kind: AnnotationKind,
}

/// The places of a diagnostic, those of one file together; the primary one and
/// its file come first.
fn collect_marks(diagnostic: &Diagnostic) -> Vec<Mark<'_>> {
    let primary = diagnostic.primary.iter();
    let mut marks: Vec<Mark> = primary
        .map(|span| Mark {
            span,
            label: diagnostic.label.as_deref(),
            kind: AnnotationKind::Primary,
        })
        .chain(diagnostic.secondary.iter().map(|(span, label)| Mark {
            span,
            label: Some(label),
            kind: AnnotationKind::Context,
        }))
        .collect();
    let files: Vec<&Path> = marks.iter().map(|mark| mark.span.file.as_path()).collect();
    marks.sort_by_key(|mark| files.iter().position(|file| *file == mark.span.file));
    marks
}

/// What is shown of one file: its source lines with the marks, and the places
/// whose text is not there or too far off to be shown in the same picture.
fn file_elements<'a>(marks: &[Mark<'a>], sources: &'a Sources) -> Vec<Element<'a>> {
    let file = sources.get(&marks[0].span.file);
    let (shown, hidden): (Vec<&Mark>, Vec<&Mark>) =
        marks.iter().partition(|mark| file.is_some_and(|file| can_show(file, mark, marks)));
    let snippet = file.filter(|_| !shown.is_empty()).map(|file| snippet(file, &shown).into());
    snippet.into_iter().chain(hidden.into_iter().flat_map(place_elements)).collect()
}

/// Two marks of one line are shown together if they are at most so far apart.
const FARTHEST: u32 = 200;

/// Is the marked line in the file, and is the mark near its line's first one?
fn can_show(file: &SourceFile, mark: &Mark, marks: &[Mark]) -> bool {
    let near = |first: &Mark| first.span.column.abs_diff(mark.span.column) <= FARTHEST;
    let first = marks.iter().find(|other| other.span.line == mark.span.line);
    file.line(mark.span.line).is_some() && first.is_none_or(near)
}

/// A place without its text: `file:line:column`, and the label below.
fn place_elements<'a>(mark: &Mark<'a>) -> Vec<Element<'a>> {
    let label = mark.label.map(|label| Level::NOTE.message(visible(label)).into());
    std::iter::once(origin(mark.span).into()).chain(label).collect()
}

fn origin(span: &SourceSpan) -> Origin<'_> {
    let origin = Origin::path(span.file.to_string_lossy());
    match (span.line, span.column) {
        (0, _) => origin,
        (line, 0) => origin.line(line as usize),
        (line, column) => origin.line(line as usize).char_column(column as usize),
    }
}

/// The source from the first to the last marked line, with the marks.
fn snippet<'a>(file: &'a SourceFile, marks: &[&Mark<'a>]) -> Snippet<'a, Annotation<'a>> {
    let lines = marks.iter().map(|mark| mark.span.line);
    let (first, last) = (lines.clone().min().unwrap_or(1), lines.max().unwrap_or(1));
    let mut text = String::new();
    let mut annotations = vec![];
    for number in first..=last {
        let line = Line::decode(file.line(number).unwrap_or_default());
        for mark in marks.iter().filter(|mark| mark.span.line == number) {
            let range = marked_range(&line, mark.span.column);
            let range = text.len() + range.start..text.len() + range.end;
            annotations.push(mark.kind.span(range).label(mark.label));
        }
        text.push_str(&line.text);
        text.push('\n');
    }
    let path = marks[0].span.file.to_string_lossy();
    Snippet::source(text).path(path).line_start(first as usize).annotations(annotations)
}

/// The token at a column counted from 1 in bytes; for column 0 the whole line
/// without the blanks around it.
fn marked_range(line: &Line, column: u32) -> Range<usize> {
    let text = &line.text;
    if column == 0 {
        let start = text.len() - text.trim_start().len();
        return start..text.trim_end().len().max(start);
    }
    let start = line.text_offset(column as usize - 1);
    start..start + token_length(&text[start..])
}
