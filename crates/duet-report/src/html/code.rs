//! Source lines with the places of a finding marked.

use std::path::Path;

use duet_ir::SourceSpan;

use super::text::Text;
use crate::source::{Line, SourceFile, Sources};
use crate::token::token_length;

/// Lines shown before and after a place.
const AROUND: u32 = 2;

/// A place to mark.
pub struct Place<'a> {
    pub span: &'a SourceSpan,
    pub label: Option<&'a str>,
    /// The finding's places are A, B, …
    pub letter: char,
    pub finding: usize,
}

impl Place<'_> {
    /// The class of its colour: there are two.
    pub fn class(&self) -> &'static str {
        letter_class(self.letter)
    }

    fn id(&self) -> String {
        format!("finding-{}-{}", self.finding, self.letter)
    }
}

/// The colour of a letter.
pub fn letter_class(letter: char) -> &'static str {
    if letter == 'A' { "first" } else { "second" }
}

/// An excerpt of each file that a place is in.
pub fn excerpts(page: &mut Text, places: &[Place<'_>], sources: &mut Sources) {
    let mut files: Vec<&Path> = vec![];
    for place in places {
        if !files.contains(&place.span.file.as_path()) {
            files.push(&place.span.file);
        }
    }
    for path in files {
        sources.load(path);
        let here: Vec<&Place> =
            places.iter().filter(|place| place.span.file.as_path() == path).collect();
        page.raw("<figure class=\"code\"><figcaption>").text(&path.display().to_string());
        page.text(&format!(":{}", here[0].span.line)).raw("</figcaption>\n");
        match sources.get(path) {
            Some(file) => excerpt(page, file, &here, places),
            None => here.iter().for_each(|place| annotation(page, place, places)),
        }
        page.raw("</figure>\n");
    }
}

fn excerpt(page: &mut Text, file: &SourceFile, here: &[&Place<'_>], all: &[Place<'_>]) {
    let near = |line: u32| here.iter().any(|place| place.span.line.abs_diff(line) <= AROUND);
    let last = here.iter().map(|place| place.span.line).max().unwrap_or(0) + AROUND;
    page.raw("<div class=\"lines\">\n");
    let mut before = None;
    for number in 1..=last {
        let Some(bytes) = file.line(number).filter(|_| near(number)) else { continue };
        if before.is_some_and(|before| before + 1 < number) {
            page.raw("<div class=\"gap\">⋯</div>\n");
        }
        before = Some(number);
        let marks: Vec<&&Place> = here.iter().filter(|place| place.span.line == number).collect();
        source_line(page, number, &Line::decode(bytes), &marks);
        // A single place without a label is marked, and that says it.
        for place in marks.iter().filter(|place| place.label.is_some() || all.len() > 1) {
            annotation(page, place, all);
        }
    }
    page.raw("</div>\n");
}

fn source_line(page: &mut Text, number: u32, line: &Line, marks: &[&&Place<'_>]) {
    let class = marks.first().map_or("line", |place| match place.class() {
        "first" => "line marked first",
        _ => "line marked second",
    });
    page.raw("<div").attribute("class", class).raw("><span class=\"number\">");
    page.text(&number.to_string()).raw("</span><code>");
    let mut tokens: Vec<(usize, usize, &'static str)> = marks
        .iter()
        .filter(|place| place.span.column > 0)
        .map(|place| {
            let start = line.text_offset(place.span.column as usize - 1);
            (start, start + token_length(&line.text[start..]), place.class())
        })
        .collect();
    tokens.sort_unstable();
    let mut at = 0;
    for (start, end, class) in tokens {
        if start < at || start == end {
            continue;
        }
        page.text(&line.text[at..start]).raw("<mark").attribute("class", class).raw(">");
        page.text(&line.text[start..end]).raw("</mark>");
        at = end;
    }
    page.text(&line.text[at..]).raw("</code></div>\n");
}

/// The letter of a place, what happens there, and a link to the other places.
fn annotation(page: &mut Text, place: &Place<'_>, all: &[Place<'_>]) {
    page.raw("<div").attribute("class", &format!("label {}", place.class()));
    page.attribute("id", &place.id()).raw("><b class=\"letter\">");
    page.text(&place.letter.to_string()).raw("</b> ");
    page.prose(place.label.unwrap_or("here"));
    for other in all.iter().filter(|other| other.letter != place.letter) {
        page.raw(" <a").attribute("href", &format!("#{}", other.id())).raw(">");
        page.text(&format!("{} in line {}", other.letter, other.span.line)).raw("</a>");
    }
    page.raw("</div>\n");
}
