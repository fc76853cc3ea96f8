//! The parser's position in the token stream, and what every rule of the
//! grammar is made of: words, numbers, strings, ids, types.

use std::fmt;

use cranelift_entity::EntityRef;

use super::lexer::{Kind, Token, tokenize};
use crate::{File, FloatType, Loc, Type};

/// What is wrong with a text, and where.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub struct ParseError {
    /// From 1.
    pub line: u32,
    /// From 1, in bytes.
    pub column: u32,
    /// One phrase, lower case.
    pub message: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

/// An error at a byte of the text; lines are counted when all errors are known.
#[derive(Debug)]
pub(super) struct ErrorAt {
    pub at: usize,
    pub message: String,
}

pub(super) type Parsed<T> = Result<T, ErrorAt>;

pub(super) fn error<T>(at: usize, message: impl Into<String>) -> Parsed<T> {
    Err(ErrorAt { at, message: message.into() })
}

/// Ids at or above this are refused: the half above is used for constants while
/// a function is read, and the very last is reserved.
pub(super) const MAX_ID: u32 = 1 << 31;

/// A position in the tokens of a text.
pub(super) struct Cursor<'t> {
    pub text: &'t str,
    tokens: Vec<Token>,
    at: usize,
    line_starts: Vec<usize>,
}

impl<'t> Cursor<'t> {
    pub fn new(text: &'t str) -> Cursor<'t> {
        let breaks = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let line_starts = std::iter::once(0).chain(breaks.map(|(at, _)| at + 1)).collect();
        Cursor { text, tokens: tokenize(text), at: 0, line_starts }
    }

    /// The line, from 1, of a byte of the text.
    pub fn line(&self, at: usize) -> u32 {
        self.line_starts.partition_point(|&start| start <= at) as u32
    }

    /// The error with its line and column.
    pub fn locate(&self, error: ErrorAt) -> ParseError {
        let line = self.line(error.at);
        let column = (error.at - self.line_starts[line as usize - 1] + 1) as u32;
        ParseError { line, column, message: error.message }
    }

    pub fn peek(&self) -> Token {
        self.tokens[self.at]
    }

    /// First byte of the next token.
    pub fn here(&self) -> usize {
        self.peek().start
    }

    /// The next token's text.
    pub fn peek_text(&self) -> &'t str {
        let token = self.peek();
        &self.text[token.start..token.end]
    }

    /// Moves past the next token, but never past the end.
    pub fn advance(&mut self) {
        if self.peek().kind != Kind::End {
            self.at += 1;
        }
    }

    pub fn at_end(&self) -> bool {
        self.peek().kind == Kind::End
    }

    /// Moves to the start of the next line.
    pub fn skip_line(&mut self) {
        while !matches!(self.peek().kind, Kind::Newline | Kind::End) {
            self.advance();
        }
        self.advance();
    }

    /// "expected `what`, found …" at the next token.
    pub fn unexpected<T>(&self, what: &str) -> Parsed<T> {
        let found = match self.peek().kind {
            Kind::Newline | Kind::End => "the end of the line".to_string(),
            Kind::Bad if self.peek_text().starts_with('"') => "an unterminated string".to_string(),
            Kind::Word | Kind::Number | Kind::String | Kind::Punct(_) | Kind::Arrow | Kind::Bad => {
                format!("`{}`", self.peek_text())
            }
        };
        error(self.here(), format!("expected {what}, found {found}"))
    }

    pub fn is_punct(&self, byte: u8) -> bool {
        self.peek().kind == Kind::Punct(byte)
    }

    pub fn eat_punct(&mut self, byte: u8) -> bool {
        let found = self.is_punct(byte);
        if found {
            self.advance();
        }
        found
    }

    pub fn expect_punct(&mut self, byte: u8) -> Parsed<()> {
        if self.eat_punct(byte) { Ok(()) } else { self.unexpected(&format!("`{}`", byte as char)) }
    }

    pub fn eat_arrow(&mut self) -> bool {
        let found = self.peek().kind == Kind::Arrow;
        if found {
            self.advance();
        }
        found
    }

    /// The next token, if it is a word.
    pub fn peek_word(&self) -> Option<&'t str> {
        (self.peek().kind == Kind::Word).then(|| self.peek_text())
    }

    pub fn eat_word(&mut self, word: &str) -> bool {
        let found = self.peek_word() == Some(word);
        if found {
            self.advance();
        }
        found
    }

    pub fn expect_word(&mut self, word: &str) -> Parsed<()> {
        if self.eat_word(word) { Ok(()) } else { self.unexpected(&format!("`{word}`")) }
    }

    /// Any word; `what` says what it stands for.
    pub fn word(&mut self, what: &str) -> Parsed<&'t str> {
        match self.peek_word() {
            Some(word) => {
                self.advance();
                Ok(word)
            }
            None => self.unexpected(what),
        }
    }

    /// A word out of a fixed set.
    pub fn keyword<T>(&mut self, what: &str, from_name: fn(&str) -> Option<T>) -> Parsed<T> {
        match self.peek_word().and_then(from_name) {
            Some(value) => {
                self.advance();
                Ok(value)
            }
            None => self.unexpected(what),
        }
    }

    /// A keyword, if there is one.
    pub fn optional<T>(&mut self, from_name: fn(&str) -> Option<T>) -> Option<T> {
        let value = self.peek_word().and_then(from_name)?;
        self.advance();
        Some(value)
    }

    /// The end of a line.
    pub fn end_line(&mut self) -> Parsed<()> {
        match self.peek().kind {
            Kind::Newline => self.advance(),
            Kind::End => {}
            Kind::Word | Kind::Number | Kind::String | Kind::Punct(_) | Kind::Arrow | Kind::Bad => {
                return self.unexpected("the end of the line");
            }
        }
        Ok(())
    }

    /// An unsigned number without sign, in decimal or hexadecimal.
    pub fn number<T: TryFrom<u128>>(&mut self, what: &str) -> Parsed<T> {
        if self.peek().kind != Kind::Number {
            return self.unexpected(what);
        }
        let (at, text) = (self.here(), self.peek_text());
        self.advance();
        match parse_magnitude(text).map(T::try_from) {
            Some(Ok(number)) => Ok(number),
            Some(Err(_)) => error(at, format!("`{text}` is too large for {what}")),
            None => error(at, format!("expected {what}, found `{text}`")),
        }
    }

    /// A string, without its quotes and escapes.
    pub fn string(&mut self, what: &str) -> Parsed<String> {
        if self.peek().kind != Kind::String {
            return self.unexpected(what);
        }
        let (at, text) = (self.here(), self.peek_text());
        self.advance();
        match unescape(&text[1..text.len() - 1]) {
            Some(string) => Ok(string),
            None => error(at, "unknown escape in a string"),
        }
    }

    /// A name: a word, or a string where it has other characters.
    pub fn name(&mut self, what: &str) -> Parsed<String> {
        match self.peek_word() {
            Some(word) => {
                self.advance();
                Ok(word.to_string())
            }
            None => self.string(what),
        }
    }

    pub fn ty(&mut self) -> Parsed<Type> {
        match self.eat_type() {
            Some(ty) => Ok(ty),
            None => self.unexpected("a type"),
        }
    }

    /// A type, if the next word is one.
    pub fn eat_type(&mut self) -> Option<Type> {
        let ty = parse_type(self.peek_word()?)?;
        self.advance();
        Some(ty)
    }

    /// The number of an id such as `v3`, if the next word is one.
    pub fn peek_id(&self, prefix: &str) -> Option<u32> {
        parse_digits(self.peek_word()?.strip_prefix(prefix)?)
    }

    /// An id such as `bb3`: its number.
    pub fn id(&mut self, prefix: &str, what: &str) -> Parsed<u32> {
        match self.peek_id(prefix) {
            Some(id) if id < MAX_ID => {
                self.advance();
                Ok(id)
            }
            Some(_) => error(self.here(), format!("`{}` is too large", self.peek_text())),
            None => self.unexpected(what),
        }
    }

    pub fn file(&mut self) -> Parsed<File> {
        Ok(File::new(self.id("file", "a file such as `file0`")? as usize))
    }

    /// The number after `!`.
    pub fn loc(&mut self) -> Parsed<Loc> {
        self.expect_punct(b'!')?;
        let at = self.here();
        match self.number::<u32>("the number of a location")? {
            id if id < MAX_ID => Ok(Loc::from_u32(id)),
            _ => error(at, "the number of a location is too large"),
        }
    }

    /// `!3`, where there is one.
    pub fn optional_loc(&mut self) -> Parsed<Option<Loc>> {
        if self.is_punct(b'!') { self.loc().map(Some) } else { Ok(None) }
    }
}

/// Decimal digits as a number.
fn parse_digits(text: &str) -> Option<u32> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    // `v007` would print as `v7`: only the form that prints is an id.
    let plain = text == "0" || !text.starts_with('0');
    if digits && plain { Some(text.parse().unwrap_or(u32::MAX)) } else { None }
}

/// A number without sign, decimal or `0x`.
pub(super) fn parse_magnitude(text: &str) -> Option<u128> {
    let (digits, radix) = match text.strip_prefix("0x") {
        Some(digits) => (digits, 16),
        None => (text, 10),
    };
    // `from_str_radix` takes a sign; the callers have removed the only one.
    let plain = digits.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if plain { u128::from_str_radix(digits, radix).ok() } else { None }
}

/// The type of this name.
fn parse_type(word: &str) -> Option<Type> {
    Some(match word {
        "f16" => Type::Float(FloatType::F16),
        "bf16" => Type::Float(FloatType::BF16),
        "f32" => Type::Float(FloatType::F32),
        "f64" => Type::Float(FloatType::F64),
        "ref" => Type::Ref,
        _ => Type::Int(u8::try_from(parse_digits(word.strip_prefix('i')?)?).ok()?),
    })
}

/// Undoes [`super::print::write_quoted`].
fn unescape(text: &str) -> Option<String> {
    let mut result = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        result.push_str(&rest[..at]);
        let mut chars = rest[at + 1..].chars();
        match chars.next()? {
            '"' => result.push('"'),
            '\\' => result.push('\\'),
            'n' => result.push('\n'),
            'u' => {
                let (code, after) = chars.as_str().strip_prefix('{')?.split_once('}')?;
                result.push(char::from_u32(u32::from_str_radix(code, 16).ok()?)?);
                chars = after.chars();
            }
            _ => return None,
        }
        rest = chars.as_str();
    }
    result.push_str(rest);
    Some(result)
}
