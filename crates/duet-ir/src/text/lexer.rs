//! Splits text into tokens. Never fails: what is no token becomes [`Kind::Bad`],
//! and the parser says so when it gets there.

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A keyword, a name, a type or an id: letters, digits, `_`, `.`, `$`.
    Word,
    /// A number, possibly negative, hexadecimal or with a fraction.
    Number,
    /// A quoted string, quotes included.
    String,
    /// One of `@ ( ) [ ] { } , : = ! +`.
    Punct(u8),
    /// `->`
    Arrow,
    /// The end of a line that holds tokens.
    Newline,
    /// Anything else.
    Bad,
    /// The end of the text.
    End,
}

/// A token and the bytes it covers.
#[derive(Clone, Copy, Debug)]
pub struct Token {
    /// What it is.
    pub kind: Kind,
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

/// All tokens of `text`; blanks and comments (`;` to the end of the line) are
/// left out. The last token is [`Kind::End`].
pub fn tokenize(text: &str) -> Vec<Token> {
    let mut lexer = Lexer { bytes: text.as_bytes(), at: 0, tokens: Vec::new() };
    while lexer.at < lexer.bytes.len() {
        lexer.step();
    }
    lexer.newline();
    lexer.push(Kind::End, text.len());
    lexer.tokens
}

struct Lexer<'t> {
    bytes: &'t [u8],
    at: usize,
    tokens: Vec<Token>,
}

impl Lexer<'_> {
    /// Reads one token, blank or comment.
    fn step(&mut self) {
        let start = self.at;
        let byte = self.bytes[start];
        match byte {
            b'\n' => {
                self.newline();
                self.at += 1;
            }
            b' ' | b'\t' | b'\r' => self.at += 1,
            b';' => self.skip_while(|byte| byte != b'\n'),
            b'"' => self.string(start),
            b'-' if self.byte(start + 1) == Some(b'>') => {
                self.at += 2;
                self.push(Kind::Arrow, start);
            }
            b'-' | b'0'..=b'9' => self.number(start),
            _ if is_word_byte(byte) => {
                self.skip_while(is_word_byte);
                self.push(Kind::Word, start);
            }
            b'@' | b'(' | b')' | b'[' | b']' | b'{' | b'}' | b',' | b':' | b'=' | b'!' | b'+' => {
                self.at += 1;
                self.push(Kind::Punct(byte), start);
            }
            _ => self.bad(start),
        }
    }

    fn byte(&self, at: usize) -> Option<u8> {
        self.bytes.get(at).copied()
    }

    /// Adds the token from `start` to the current place.
    fn push(&mut self, kind: Kind, start: usize) {
        self.tokens.push(Token { kind, start, end: self.at });
    }

    /// Ends a line, unless it was empty.
    fn newline(&mut self) {
        if self.tokens.last().is_some_and(|last| last.kind != Kind::Newline) {
            self.tokens.push(Token { kind: Kind::Newline, start: self.at, end: self.at });
        }
    }

    fn skip_while(&mut self, test: impl Fn(u8) -> bool) {
        while self.byte(self.at).is_some_and(&test) {
            self.at += 1;
        }
    }

    /// A quoted string; an unterminated one is bad up to the end of its line.
    fn string(&mut self, start: usize) {
        self.at += 1;
        loop {
            match self.byte(self.at) {
                Some(b'"') => break,
                Some(b'\\') if self.byte(self.at + 1).is_some_and(|byte| byte != b'\n') => {
                    self.at += 2;
                }
                None | Some(b'\n') => return self.push(Kind::Bad, start),
                Some(_) => self.at += 1,
            }
        }
        self.at += 1;
        self.push(Kind::String, start);
    }

    /// A number; the sign of an exponent belongs to it.
    fn number(&mut self, start: usize) {
        self.at += 1;
        let hex = self.bytes[start..].starts_with(b"0x") || self.bytes[start..].starts_with(b"-0x");
        loop {
            self.skip_while(is_word_byte);
            let exponent = !hex && matches!(self.bytes[self.at - 1], b'e' | b'E');
            if !(exponent && matches!(self.byte(self.at), Some(b'+' | b'-'))) {
                break;
            }
            self.at += 1;
        }
        self.push(Kind::Number, start);
    }

    /// One character that starts no token.
    fn bad(&mut self, start: usize) {
        self.at += 1;
        // The text is valid UTF-8: continuation bytes belong to this character.
        self.skip_while(|byte| byte & 0xc0 == 0x80);
        self.push(Kind::Bad, start);
    }
}

/// May the byte be part of a word?
pub fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'$')
}

/// Does `name` read back as one word?
pub fn is_word(name: &str) -> bool {
    name.bytes().all(is_word_byte) && name.bytes().next().is_some_and(|byte| !byte.is_ascii_digit())
}
