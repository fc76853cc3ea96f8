//! Contracts in a file of their own, for kernels whose source is not to be changed:
//!
//! ```text
//! kernel vectorAdd {
//!   requires 0 <= n && n <= \threads;
//!   ensures \forall int j; 0 <= j < n ==> C[j] == A[j] + B[j];
//!   loop 1 { loop invariant k == loop_count; }
//! }
//! ```
//!
//! Clauses are those of comments, and mean the same. A kernel is found by its name in the
//! source; one that is a template has the contract in all its instances. Loops are counted in
//! the order of the kernel's text, inner ones too, whether their bodies have braces or not.

use crate::names::free_names;
use crate::parse::{SpecError, parse};
use crate::scan::{Piece, Place, SpecText, blanked, know_ghosts, loop_body, pieces};
use crate::tree::Span;

/// A word or sign of a text, with its place.
type Word<'s> = (&'s str, Span);

/// The contracts of a file of contracts for the kernels of a source; spans of errors are
/// places in the file of contracts.
///
/// # Errors
/// What is wrong with them; kernels and loops that the source does not have.
pub fn beside(contracts: &str, source: &str) -> Result<Vec<SpecText>, Vec<SpecError>> {
    let words = words(contracts)?;
    let found = kernels(&words).map_err(|error| vec![error])?;
    let code: Vec<Word<'_>> =
        pieces(source).iter().filter_map(|piece| code(source, piece)).collect();
    let (mut specs, mut errors) = (vec![], vec![]);
    for written in &found {
        match located(contracts, written, &code) {
            Ok(own) => specs.extend(own),
            Err(error) => errors.push(error),
        }
    }
    know_ghosts(&mut specs);
    match errors.is_empty() {
        true => Ok(specs),
        false => Err(errors),
    }
}

fn code<'s>(text: &'s str, piece: &Piece) -> Option<Word<'s>> {
    match piece {
        Piece::Code(span) => Some((&text[span.start..span.end], *span)),
        Piece::Spec(_) => None,
    }
}

fn words(contracts: &str) -> Result<Vec<Word<'_>>, Vec<SpecError>> {
    let mut list = vec![];
    for piece in pieces(contracts) {
        match piece {
            Piece::Code(span) => list.push((&contracts[span.start..span.end], span)),
            Piece::Spec(span) => {
                let message = "in a file of contracts clauses are not in comments";
                return Err(vec![SpecError::new(span, message)]);
            }
        }
    }
    Ok(list)
}

/// A contract as it is written: its name, its words, and those at its loops.
struct Written<'s> {
    name: Word<'s>,
    own: Vec<Span>,
    loops: Vec<(Word<'s>, Vec<Span>)>,
}

fn kernels<'s>(words: &[Word<'s>]) -> Result<Vec<Written<'s>>, SpecError> {
    let mut list: Vec<Written<'s>> = vec![];
    let mut at = 0;
    while at < words.len() {
        let [("kernel", _), name, ("{", _), ..] = words[at..] else {
            return Err(SpecError::new(words[at].1, "expected `kernel NAME { … }`"));
        };
        if let Some(twice) = list.iter().find(|one| one.name.0 == name.0) {
            let message = format!("`{}` has a contract already", twice.name.0);
            return Err(SpecError::new(name.1, message));
        }
        let end = closing(words, at + 2)?;
        list.push(written(name, words, at + 3, end)?);
        at = end + 1;
    }
    Ok(list)
}

fn written<'s>(
    name: Word<'s>,
    words: &[Word<'s>],
    mut at: usize,
    end: usize,
) -> Result<Written<'s>, SpecError> {
    let (mut own, mut loops) = (vec![], vec![]);
    while at < end {
        match words[at..end] {
            [("loop", _), number, ("{", _), ..] => {
                let close = closing(words, at + 2)?;
                let inside = words[at + 3..close].iter().map(|word| word.1).collect();
                loops.push((number, inside));
                at = close + 1;
            }
            _ => {
                own.push(words[at].1);
                at += 1;
            }
        }
    }
    Ok(Written { name, own, loops })
}

/// The brace that closes the one at this place.
fn closing(words: &[Word<'_>], open: usize) -> Result<usize, SpecError> {
    let mut depth = 0usize;
    for (at, (word, _)) in words.iter().enumerate().skip(open) {
        match *word {
            "{" => depth += 1,
            "}" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Ok(at);
        }
    }
    Err(SpecError::new(words[open].1, "this brace is not closed"))
}

/// The contracts of one kernel, its own first.
fn located(
    contracts: &str,
    written: &Written<'_>,
    code: &[Word<'_>],
) -> Result<Vec<SpecText>, SpecError> {
    let (name, span) = written.name;
    let bodies = bodies(code, name);
    let &[(first, end)] = &bodies[..] else {
        let message = match bodies.len() {
            0 => format!("the source defines no kernel `{name}`"),
            count => format!("the source defines {count} kernels `{name}`"),
        };
        return Err(SpecError::new(span, message));
    };
    let mut specs = vec![read(contracts, &written.own, span, Place::Kernel, code[first].1.end)?];
    let loops = loops(&code[first..end]);
    for ((number, at), inside) in &written.loops {
        let which = number.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
        let body = which.and_then(|which| loops.get(which)).ok_or_else(|| {
            let message = format!("`{name}` has no loop {number}: it has {}", loops.len());
            SpecError::new(*at, message)
        })?;
        let body = body.ok_or_else(|| {
            SpecError::new(*at, format!("the body of loop {number} of `{name}` has no braces"))
        })?;
        specs.push(read(contracts, inside, *at, Place::Loop, body)?);
    }
    Ok(specs)
}

fn read(
    contracts: &str,
    spans: &[Span],
    otherwise: Span,
    place: Place,
    body: usize,
) -> Result<SpecText, SpecError> {
    let start = spans.first().map_or(otherwise.end, |span| span.start);
    let end = spans.last().map_or(start, |span| span.end);
    let text = blanked(contracts, start, end, spans);
    let moved = |error: SpecError| SpecError {
        span: Span { start: error.span.start + start, end: error.span.end + start },
        ..error
    };
    let contract = parse(&text).map_err(moved)?;
    let captures = free_names(&contract);
    Ok(SpecText { start, text, place, body, contract, captures, is_beside: true })
}

/// The definitions of the kernel: the brace that opens the body, and the one that closes it.
fn bodies(code: &[Word<'_>], name: &str) -> Vec<(usize, usize)> {
    let mut list = vec![];
    for (at, (word, _)) in code.iter().enumerate() {
        if matches!(*word, "__global__" | "__kernel" | "kernel")
            && let Some((called, open)) = head(code, at)
            && called == name
            && let Ok(close) = closing(code, open)
        {
            list.push((open, close));
        }
    }
    list.dedup();
    list
}

/// The name of the kernel whose head begins here, and the brace that opens its body: the last
/// word before parentheses that stand by themselves is the name, since attributes with
/// arguments come before it.
fn head<'s>(code: &[Word<'s>], from: usize) -> Option<(&'s str, usize)> {
    let (mut depth, mut name) = (0usize, None);
    for at in from + 1..code.len() {
        match code[at].0 {
            "(" => {
                if depth == 0 {
                    name = Some(code[at - 1].0);
                }
                depth += 1;
            }
            ")" => depth = depth.checked_sub(1)?,
            "{" if depth == 0 => return Some((name?, at)),
            ";" | "}" if depth == 0 => return None,
            _ => {}
        }
    }
    None
}

/// For each loop of a body, in order: where its body begins, if that has braces. The `while`
/// that ends a `do` begins none.
fn loops(code: &[Word<'_>]) -> Vec<Option<usize>> {
    let mut list = vec![];
    // For each `do` that is not over: the depth of braces at which it stands.
    let (mut open, mut depth) = (vec![], 0usize);
    for (at, (word, _)) in code.iter().enumerate() {
        match *word {
            "{" => depth += 1,
            "}" => depth = depth.saturating_sub(1),
            "do" => {
                list.push(code.get(at + 1).filter(|next| next.0 == "{").map(|next| next.1.end));
                open.push(depth);
            }
            "while" if open.last() == Some(&depth) && ends_do(code, at) => {
                open.pop();
            }
            "for" | "while" => list.push(loop_body(&code[at..])),
            _ => {}
        }
    }
    list
}

/// Does the `while` at this place stand behind a statement and before a semicolon?
fn ends_do(code: &[Word<'_>], at: usize) -> bool {
    let mut depth = 0usize;
    for (place, (word, _)) in code.iter().enumerate().skip(at + 1) {
        match *word {
            "(" => depth += 1,
            ")" => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return code.get(place + 1).is_some_and(|next| next.0 == ";");
        }
    }
    false
}
