//! Contracts in a source text: the comments `//@` and `/*@ … */`, what each stands before,
//! and the text in which clang resolves their names.
//!
//! A contract's text has the length of the source between its ends, with everything that is
//! no part of it blanked, so that a place in the one is a place in the other.

use crate::names::{Capture, free_names};
use crate::parse::{SpecError, parse};
use crate::tree::{Contract, Span};

/// What a contract belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// A kernel.
    Kernel,
    /// A loop.
    Loop,
}

/// A contract as it stands in a file.
#[derive(Clone, PartialEq, Debug)]
pub struct SpecText {
    /// The first byte of its text in the file.
    pub start: usize,
    /// Its text.
    pub text: String,
    /// What it belongs to.
    pub place: Place,
    /// Where captures go: the byte after the brace that opens the body.
    pub body: usize,
    /// What it says.
    pub contract: Contract,
    /// Its free names.
    pub captures: Vec<Capture>,
    /// It stands in a file of contracts: `start` is a place there, `body` one in the source.
    pub is_beside: bool,
}

/// The contracts of a file, and what is wrong with others; spans of errors are places in
/// the file.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Scanned {
    /// In the order of the file.
    pub specs: Vec<SpecText>,
    /// What is wrong.
    pub errors: Vec<SpecError>,
}

/// Finds the contracts of a file.
pub fn scan(source: &str) -> Scanned {
    let pieces = pieces(source);
    let mut scanned = Scanned::default();
    for joined in joined(source, &pieces) {
        match read(source, &pieces, &joined) {
            Ok(spec) => scanned.specs.push(spec),
            Err(error) => scanned.errors.push(error),
        }
    }
    know_ghosts(&mut scanned.specs);
    scanned
}

/// Ghost variables of a kernel are known at its loops, where clang knows nothing of them.
pub(crate) fn know_ghosts(specs: &mut [SpecText]) {
    let mut ghosts: Vec<String> = vec![];
    for spec in specs {
        match spec.place {
            Place::Kernel => ghosts = spec.contract.ghosts(),
            Place::Loop => spec.captures.retain(|one| !ghosts.contains(&one.name)),
        }
    }
}

/// The contract of the kernel around a contract, which is its own for a kernel's.
pub fn contract_around(specs: &[SpecText], number: usize) -> Option<&Contract> {
    let before = specs.get(..=number)?.iter().rev();
    before.into_iter().find(|spec| spec.place == Place::Kernel).map(|spec| &spec.contract)
}

/// The file with a call for each free name, at the top of the body that the contract is
/// about. Lines stay where they are.
pub fn with_captures(source: &str, specs: &[SpecText]) -> String {
    let mut inserts: Vec<(usize, String)> = vec![];
    for (number, spec) in specs.iter().enumerate() {
        let calls = spec.captures.iter().enumerate().map(|(index, capture)| {
            format!(" __duet_capture({number}, {index}, {});", capture.name)
        });
        // A contract without names is the kernel's too.
        let mark = format!(" __duet_capture({number}, -1, 0);");
        inserts.push((spec.body, std::iter::once(mark).chain(calls).collect()));
    }
    inserts.sort_by_key(|(at, _)| *at);
    let mut text = source.to_string();
    for (at, calls) in inserts.into_iter().rev() {
        text.insert_str(at, &calls);
    }
    text
}

/// A part of a source text.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Piece {
    /// The contents of a contract's comment.
    Spec(Span),
    /// A word of code, or a sign of it.
    Code(Span),
}

/// Words, signs and contracts of a source text. Strings, comments and directives of the
/// preprocessor are passed over.
pub(crate) fn pieces(source: &str) -> Vec<Piece> {
    let bytes = source.as_bytes();
    let mut found = vec![];
    let mut at = 0;
    while at < bytes.len() {
        let rest = &source.as_bytes()[at..];
        let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        let length = if rest.starts_with(b"//") {
            line_comment(source, at, &mut found)
        } else if rest.starts_with(b"/*") {
            block_comment(source, at, &mut found)
        } else if rest[0] == b'"' || rest[0] == b'\'' {
            literal(rest)
        } else if rest[0] == b'#' && starts_line(bytes, at) {
            directive(rest)
        } else if is_word(&rest[0]) {
            let length = rest.iter().take_while(|byte| is_word(byte)).count();
            found.push(Piece::Code(Span { start: at, end: at + length }));
            length
        } else {
            if !rest[0].is_ascii_whitespace() {
                found.push(Piece::Code(Span { start: at, end: at + 1 }));
            }
            1
        };
        at += length.max(1);
    }
    found
}

fn line_comment(source: &str, at: usize, found: &mut Vec<Piece>) -> usize {
    let line = source.as_bytes()[at..].iter().take_while(|byte| **byte != b'\n').count();
    if source.as_bytes()[at..].starts_with(b"//@") {
        let text = &source.as_bytes()[at + 3..at + line];
        // What follows `//` inside is a remark.
        let end = text.windows(2).position(|two| two == b"//").unwrap_or(text.len());
        found.push(Piece::Spec(Span { start: at + 3, end: at + 3 + end }));
    }
    line
}

fn block_comment(source: &str, at: usize, found: &mut Vec<Piece>) -> usize {
    let rest = &source.as_bytes()[at..];
    let close = rest.windows(2).skip(2).position(|two| two == b"*/").map(|found| found + 2);
    let length = close.map_or(rest.len(), |close| close + 2);
    if rest.starts_with(b"/*@") && close.is_some_and(|close| close >= 3) {
        found.push(Piece::Spec(Span { start: at + 3, end: at + length - 2 }));
    }
    length
}

/// The length of a string or character literal.
fn literal(rest: &[u8]) -> usize {
    let mut at = 1;
    while at < rest.len() && rest[at] != rest[0] && rest[at] != b'\n' {
        at += if rest[at] == b'\\' { 2 } else { 1 };
    }
    (at + 1).min(rest.len())
}

fn starts_line(bytes: &[u8], at: usize) -> bool {
    let before = bytes[..at].iter().rev().take_while(|byte| **byte != b'\n');
    before.into_iter().all(|byte| byte.is_ascii_whitespace())
}

/// The length of a directive, with the lines that continue it.
fn directive(rest: &[u8]) -> usize {
    let mut at = 0;
    while at < rest.len() && (rest[at] != b'\n' || rest[at - 1] == b'\\') {
        at += 1;
    }
    at
}

/// Comments that join to one contract: the piece before them, and theirs.
struct Joined {
    first: usize,
    spans: Vec<Span>,
}

fn joined(source: &str, pieces: &[Piece]) -> Vec<Joined> {
    let mut all: Vec<Joined> = vec![];
    let mut last = None;
    for (index, piece) in pieces.iter().enumerate() {
        let Piece::Spec(span) = piece else { continue };
        let goes_on = index > 0 && last == Some(index - 1);
        match all.last_mut() {
            Some(joined) if goes_on && only_comments(source, joined, *span) => {
                joined.spans.push(*span);
            }
            _ => all.push(Joined { first: index, spans: vec![*span] }),
        }
        last = Some(index);
    }
    all
}

/// Is there nothing between the comments but blanks and what marks a comment?
fn only_comments(source: &str, joined: &Joined, next: Span) -> bool {
    let end = joined.spans.last().map_or(0, |span| span.end);
    !source[end..next.start].contains('#')
}

fn read(source: &str, pieces: &[Piece], joined: &Joined) -> Result<SpecText, SpecError> {
    let start = joined.spans[0].start;
    let end = joined.spans.last().map_or(start, |span| span.end);
    let text = blanked(source, start, end, &joined.spans);
    let moved = |error: SpecError| SpecError {
        span: Span { start: error.span.start + start, end: error.span.end + start },
        ..error
    };
    let contract = parse(&text).map_err(moved)?;
    let captures = free_names(&contract);
    let at = joined.spans[0];
    let (place, body) = owner(source, pieces, joined).ok_or_else(|| {
        SpecError::new(
            Span { start: at.start, end: at.start + 1 },
            "a contract stands before a kernel or a loop whose body has braces",
        )
    })?;
    Ok(SpecText { start, text, place, body, contract, captures, is_beside: false })
}

/// The text from `start` to `end`, blank outside of the spans.
pub(crate) fn blanked(source: &str, start: usize, end: usize, spans: &[Span]) -> String {
    let is_inside = |at: usize| spans.iter().any(|span| span.start <= at && at < span.end);
    let letters = source[start..end].char_indices().flat_map(|(at, letter)| {
        let keep = is_inside(start + at) || letter == '\n';
        let blank = std::iter::repeat_n(' ', letter.len_utf8());
        let own = keep.then_some(letter);
        own.into_iter().chain(blank.take(if keep { 0 } else { letter.len_utf8() }))
    });
    letters.collect()
}

/// What the contract belongs to, and where its body begins.
fn owner(source: &str, pieces: &[Piece], joined: &Joined) -> Option<(Place, usize)> {
    let code = |piece: &Piece| match piece {
        Piece::Code(span) => Some((&source[span.start..span.end], *span)),
        Piece::Spec(_) => None,
    };
    let after: Vec<(&str, Span)> =
        pieces[joined.first + joined.spans.len()..].iter().filter_map(code).collect();
    if matches!(after.first()?.0, "for" | "while" | "do") {
        return Some((Place::Loop, loop_body(&after)?));
    }
    let before: Vec<(&str, Span)> = pieces[..joined.first].iter().filter_map(code).collect();
    if let Some(body) = first_in_loop(&before) {
        return Some((Place::Loop, body));
    }
    kernel_body(&after).map(|body| (Place::Kernel, body))
}

/// The brace that opens the body of the loop that the words begin with.
pub(crate) fn loop_body(after: &[(&str, Span)]) -> Option<usize> {
    let mut depth = 0;
    for (word, span) in &after[1..] {
        match *word {
            "(" => depth += 1,
            ")" => depth -= 1,
            "{" if depth == 0 => return Some(span.end),
            _ if depth == 0 => return None,
            _ => {}
        }
    }
    None
}

/// The end of the last word, if it opens the body of a loop.
fn first_in_loop(before: &[(&str, Span)]) -> Option<usize> {
    let (last, rest) = before.split_last()?;
    if last.0 != "{" {
        return None;
    }
    if rest.last()?.0 == "do" {
        return Some(last.1.end);
    }
    let mut depth = 0;
    for (index, (word, _)) in rest.iter().enumerate().rev() {
        match *word {
            ")" => depth += 1,
            "(" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            let keyword = index.checked_sub(1).map(|index| rest[index].0);
            return matches!(keyword, Some("for" | "while")).then_some(last.1.end);
        }
    }
    None
}

/// The brace that opens the body of the kernel that comes next.
fn kernel_body(after: &[(&str, Span)]) -> Option<usize> {
    let (mut depth, mut is_kernel) = (0, false);
    for (word, span) in after {
        match *word {
            "(" => depth += 1,
            ")" => depth -= 1,
            "__global__" | "__kernel" | "kernel" => is_kernel = true,
            ";" | "}" if depth == 0 => return None,
            "{" if depth == 0 => return is_kernel.then_some(span.end),
            _ => {}
        }
    }
    None
}
