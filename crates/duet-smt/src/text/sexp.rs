//! S-expressions, as SMT-LIB has them.

/// A symbol, literal or list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sexp {
    /// A symbol, number or keyword, without bars.
    Atom(String),
    /// A string literal, unquoted.
    Text(String),
    /// A list.
    List(Vec<Sexp>),
}

impl Sexp {
    /// The symbol, if it is one.
    pub fn atom(&self) -> Option<&str> {
        match self {
            Sexp::Atom(s) => Some(s),
            _ => None,
        }
    }

    /// The elements, if it is a list.
    pub fn list(&self) -> Option<&[Sexp]> {
        match self {
            Sexp::List(items) => Some(items),
            _ => None,
        }
    }
}

/// Text that is no sequence of s-expressions.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {what}")]
pub struct SexpError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong there.
    pub what: &'static str,
}

/// Parses a whole text. Nesting is kept on a heap stack, so no input overflows.
pub fn parse_sexps(text: &str) -> Result<Vec<Sexp>, SexpError> {
    let mut stack: Vec<Vec<Sexp>> = vec![Vec::new()];
    let mut lexer = Lexer { rest: text, line: 1 };
    while let Some(token) = lexer.next_token()? {
        let done = match token {
            Token::Open => {
                stack.push(Vec::new());
                continue;
            }
            Token::Close if stack.len() == 1 => return Err(lexer.error("unexpected `)`")),
            Token::Close => Sexp::List(stack.pop().expect("an open list")),
            Token::Leaf(leaf) => leaf,
        };
        stack.last_mut().expect("the outer list").push(done);
    }
    if stack.len() > 1 {
        return Err(lexer.error("missing `)`"));
    }
    Ok(stack.pop().expect("the outer list"))
}

enum Token {
    Open,
    Close,
    Leaf(Sexp),
}

struct Lexer<'a> {
    rest: &'a str,
    line: usize,
}

impl<'a> Lexer<'a> {
    fn error(&self, what: &'static str) -> SexpError {
        SexpError { line: self.line, what }
    }

    fn advance(&mut self, bytes: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(bytes);
        self.line += taken.matches('\n').count();
        self.rest = rest;
        taken
    }

    fn skip_blank(&mut self) {
        loop {
            let blank = self.rest.len() - self.rest.trim_start().len();
            self.advance(blank);
            if !self.rest.starts_with(';') {
                return;
            }
            let end = self.rest.find('\n').unwrap_or(self.rest.len());
            self.advance(end);
        }
    }

    fn next_token(&mut self) -> Result<Option<Token>, SexpError> {
        self.skip_blank();
        let Some(first) = self.rest.chars().next() else { return Ok(None) };
        Ok(Some(match first {
            '(' => {
                self.advance(1);
                Token::Open
            }
            ')' => {
                self.advance(1);
                Token::Close
            }
            '|' => Token::Leaf(Sexp::Atom(self.until('|')?)),
            '"' => Token::Leaf(Sexp::Text(self.string()?)),
            _ => {
                let end = |c: char| c.is_whitespace() || "()|\";".contains(c);
                let len = self.rest.find(end).unwrap_or(self.rest.len());
                Token::Leaf(Sexp::Atom(self.advance(len).to_string()))
            }
        }))
    }

    fn until(&mut self, close: char) -> Result<String, SexpError> {
        let end = self.rest[1..].find(close).ok_or_else(|| self.error("unclosed quotation"))?;
        let taken = self.advance(end + 2);
        Ok(taken[1..taken.len() - 1].to_string())
    }

    /// A string literal; a doubled quote stands for a quote.
    fn string(&mut self) -> Result<String, SexpError> {
        let mut text = self.until('"')?;
        while self.rest.starts_with('"') {
            text.push('"');
            text.push_str(&self.until('"')?);
        }
        Ok(text)
    }
}
