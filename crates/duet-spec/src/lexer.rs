//! The words of a contract, with their places.

use crate::parse::SpecError;
use crate::tree::Span;

/// A word.
#[derive(Clone, PartialEq, Debug)]
pub enum Token {
    /// A name, or a keyword.
    Word(String),
    /// A keyword with a backslash, without it.
    Escaped(String),
    /// An integer.
    Int(i128),
    /// A float, and whether it is of single precision.
    Float(f64, bool),
    /// A sign.
    Sign(&'static str),
}

/// Signs, the longest first.
const SIGNS: [&str; 37] = [
    "==>", "<<=", ">>=", "==", "!=", "<=", ">=", "&&", "||", "<<", ">>", "..", "++", "--", "+=",
    "-=", "*=", "/=", "->", "+", "-", "*", "/", "%", "<", ">", "=", "!", "~", "&", "|", "^", "?",
    ":", ";", ",", ".",
];
const BRACKETS: [&str; 6] = ["(", ")", "[", "]", "{", "}"];

/// The words of a text.
pub fn tokens(text: &str) -> Result<Vec<(Token, Span)>, SpecError> {
    let mut found = vec![];
    let mut at = 0;
    while let Some(next) = text[at..].chars().next() {
        if next.is_whitespace() {
            at += next.len_utf8();
            continue;
        }
        let (token, length) = token(&text[at..], at)?;
        found.push((token, Span { start: at, end: at + length }));
        at += length;
    }
    Ok(found)
}

fn token(rest: &str, at: usize) -> Result<(Token, usize), SpecError> {
    let first = rest.chars().next().unwrap_or(' ');
    if is_word(first) && !first.is_ascii_digit() {
        let word = word(rest);
        return Ok((Token::Word(word.to_string()), word.len()));
    }
    if first == '\\' {
        let word = word(&rest[1..]);
        if !word.is_empty() {
            return Ok((Token::Escaped(word.to_string()), 1 + word.len()));
        }
    }
    let is_fraction = first == '.' && rest[1..].starts_with(|next: char| next.is_ascii_digit());
    if first.is_ascii_digit() || is_fraction {
        return number(rest, at);
    }
    let signs = SIGNS.iter().chain(&BRACKETS);
    match signs.into_iter().find(|sign| rest.starts_with(**sign)) {
        Some(sign) => Ok((Token::Sign(sign), sign.len())),
        None => {
            let span = Span { start: at, end: at + first.len_utf8() };
            Err(SpecError::new(span, format!("`{first}` has no meaning in a contract")))
        }
    }
}

fn is_word(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_'
}

fn word(rest: &str) -> &str {
    &rest[..rest.find(|letter| !is_word(letter)).unwrap_or(rest.len())]
}

/// A number of C. `0 .. n` has no fraction: two points are a sign.
fn number(rest: &str, at: usize) -> Result<(Token, usize), SpecError> {
    let hexadecimal = rest.starts_with("0x") || rest.starts_with("0X");
    let mut end = word(rest).len();
    let point = |end: usize| rest[end..].starts_with('.') && !rest[end..].starts_with("..");
    if !hexadecimal && point(end) {
        end += 1 + word(&rest[end + 1..]).len();
    }
    let exponent = rest[..end].ends_with(['e', 'E']) && !hexadecimal;
    if exponent && rest[end..].starts_with(['+', '-']) {
        end += 1 + word(&rest[end + 1..]).len();
    }
    let text = &rest[..end];
    let bad = || {
        let span = Span { start: at, end: at + end };
        SpecError::new(span, format!("`{text}` is no number"))
    };
    let is_float = !hexadecimal && text.contains(['.', 'e', 'E']);
    let token = match is_float {
        true => {
            let single = text.ends_with(['f', 'F']);
            let digits = text.trim_end_matches(['f', 'F', 'l', 'L']);
            Token::Float(digits.parse().map_err(|_| bad())?, single)
        }
        false => Token::Int(integer(text).ok_or_else(bad)?),
    };
    Ok((token, end))
}

fn integer(text: &str) -> Option<i128> {
    let digits = text.trim_end_matches(['u', 'U', 'l', 'L']);
    if let Some(digits) = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        return i128::from_str_radix(digits, 16).ok();
    }
    match digits.len() > 1 && digits.starts_with('0') {
        true => i128::from_str_radix(digits, 8).ok(),
        false => digits.parse().ok(),
    }
}
