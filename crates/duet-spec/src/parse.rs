//! From a contract's text to its clauses. Expressions are read in `parse_expr`.

use duet_ir::ScalarType;

use crate::lexer::{Token, tokens};
use crate::tree::{Assigned, Binder, Clause, ClauseKind, Contract, Expr, Logic, Span, Type};

/// What is wrong with a contract, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SpecError {
    /// Where in the contract's text.
    pub span: Span,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
}

impl SpecError {
    /// An error without advice.
    pub fn new(span: Span, message: impl Into<String>) -> SpecError {
        SpecError { span, message: message.into(), help: None }
    }

    /// The same with advice.
    pub fn help(mut self, text: impl Into<String>) -> SpecError {
        self.help = Some(text.into());
        self
    }
}

/// Reads a contract.
///
/// # Errors
/// The first thing that is no contract.
pub fn parse(text: &str) -> Result<Contract, SpecError> {
    let tokens = tokens(text)?;
    let mut parser = Parser { tokens, at: 0, end: text.trim_end().len() };
    let mut contract = Contract::default();
    while parser.peek().is_some() {
        let start = parser.span().start;
        let kind = parser.clause()?;
        let end = parser.expect(";")?.end;
        contract.clauses.push(Clause { kind, span: Span { start, end } });
    }
    Ok(contract)
}

/// Reads words in order.
pub(crate) struct Parser {
    pub tokens: Vec<(Token, Span)>,
    pub at: usize,
    pub end: usize,
}

impl Parser {
    fn clause(&mut self) -> Result<ClauseKind, SpecError> {
        let span = self.span();
        let word = self.word("a clause")?;
        match word.as_str() {
            "requires" => Ok(ClauseKind::Requires(self.expr()?)),
            "ensures" => Ok(ClauseKind::Ensures(self.expr()?)),
            "assigns" => self.assigns(),
            "ghost" => self.ghost(),
            "logic" => self.logic(),
            "writer" => {
                let cell = self.assigned()?;
                self.expect(":")?;
                Ok(ClauseKind::Writer(cell, self.expr()?))
            }
            "loop" => {
                let span = self.span();
                match self.word("`invariant`")?.as_str() {
                    "invariant" => Ok(ClauseKind::LoopInvariant(self.expr()?)),
                    other => Err(SpecError::new(span, format!("`loop {other}` is no clause"))
                        .help("write `loop invariant`")),
                }
            }
            other => Err(SpecError::new(span, format!("`{other}` is no clause")).help(
                "clauses are requires, ensures, assigns, ghost, logic, writer and loop invariant",
            )),
        }
    }

    fn assigns(&mut self) -> Result<ClauseKind, SpecError> {
        if self.peek() == Some(&Token::Escaped("nothing".to_string())) {
            self.at += 1;
            return Ok(ClauseKind::Assigns(vec![]));
        }
        let mut cells = vec![self.assigned()?];
        while self.eat(",") {
            cells.push(self.assigned()?);
        }
        Ok(ClauseKind::Assigns(cells))
    }

    fn assigned(&mut self) -> Result<Assigned, SpecError> {
        let start = self.span().start;
        let array = self.word("an array")?;
        self.expect("[")?;
        let from = self.expr()?;
        let to = if self.eat("..") { Some(self.expr()?) } else { None };
        let end = self.expect("]")?.end;
        Ok(Assigned { array, from, to, span: Span { start, end } })
    }

    fn ghost(&mut self) -> Result<ClauseKind, SpecError> {
        let span = self.span();
        let Some(ty) = self.eat_type().filter(|ty| !ty.is_float()) else {
            return Err(SpecError::new(span, "a ghost variable has an integer type"));
        };
        let mut names = vec![self.word("a name")?];
        while self.eat(",") {
            names.push(self.word("a name")?);
        }
        Ok(ClauseKind::Ghost(names, ty))
    }

    fn logic(&mut self) -> Result<ClauseKind, SpecError> {
        let result = self.type_name()?;
        let name = self.word("a name")?;
        self.expect("(")?;
        let mut params = vec![];
        while !self.eat(")") {
            if !params.is_empty() {
                self.expect(",")?;
            }
            let ty = self.type_name()?;
            params.push(binder(ty, self.word("a name")?));
        }
        self.expect("=")?;
        let body = self.expr()?;
        Ok(ClauseKind::Logic(Logic { name, result: of_scalar(result), params, body }))
    }

    /// A type that must be there.
    pub fn type_name(&mut self) -> Result<ScalarType, SpecError> {
        let span = self.span();
        self.eat_type().ok_or_else(|| SpecError::new(span, "expected a type"))
    }

    /// A scalar type of C, if one stands here.
    pub fn eat_type(&mut self) -> Option<ScalarType> {
        let mut words = vec![];
        while let Some(Token::Word(word)) = self.tokens.get(self.at + words.len()).map(|(t, _)| t) {
            if !ScalarType::is_part(word) {
                break;
            }
            words.push(word.as_str());
        }
        let ty = ScalarType::from_words(&words)?;
        self.at += words.len();
        Some(ty)
    }

    pub fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at).map(|(token, _)| token)
    }

    /// Where the next word stands.
    pub fn span(&self) -> Span {
        let end = Span { start: self.end, end: self.end + 1 };
        self.tokens.get(self.at).map_or(end, |(_, span)| *span)
    }

    /// Where the last word ended.
    pub fn last_end(&self) -> usize {
        self.at.checked_sub(1).map_or(0, |at| self.tokens[at].1.end)
    }

    pub fn eat(&mut self, sign: &str) -> bool {
        let is_it = matches!(self.peek(), Some(Token::Sign(own)) if *own == sign);
        self.at += usize::from(is_it);
        is_it
    }

    pub fn expect(&mut self, sign: &str) -> Result<Span, SpecError> {
        let span = self.span();
        match self.eat(sign) {
            true => Ok(span),
            false => Err(self.unexpected(&format!("`{sign}`"))),
        }
    }

    pub fn word(&mut self, what: &str) -> Result<String, SpecError> {
        match self.peek() {
            Some(Token::Word(word)) => {
                let word = word.clone();
                self.at += 1;
                Ok(word)
            }
            _ => Err(self.unexpected(what)),
        }
    }

    /// The next word is not what is needed.
    pub fn unexpected(&self, what: &str) -> SpecError {
        let found = match self.peek() {
            None => "the end of the contract".to_string(),
            Some(Token::Word(word)) => format!("`{word}`"),
            Some(Token::Escaped(word)) => format!("`\\{word}`"),
            Some(Token::Int(number)) => format!("`{number}`"),
            Some(Token::Float(number, _)) => format!("`{number}`"),
            Some(Token::Sign(sign)) if sign.ends_with('=') && sign.len() == 2 => {
                format!("`{sign}`: a contract changes nothing")
            }
            Some(Token::Sign(sign @ ("=" | "++" | "--"))) => {
                format!("`{sign}`: a contract changes nothing")
            }
            Some(Token::Sign(sign)) => format!("`{sign}`"),
        };
        SpecError::new(self.span(), format!("expected {what}, found {found}"))
    }

    /// An expression that spans from `start` to the last word.
    pub fn node(&self, start: usize, kind: crate::tree::ExprKind) -> Expr {
        Expr { kind, span: Span { start, end: self.last_end() } }
    }
}

/// A bound variable of a type of C.
pub(crate) fn binder(ty: ScalarType, name: String) -> Binder {
    Binder { name, ty: of_scalar(ty), unsigned: !ty.is_signed() }
}

/// The type of contracts that a type of C is read as.
pub(crate) fn of_scalar(ty: ScalarType) -> Type {
    match ty {
        ScalarType::Float => Type::Float,
        ScalarType::Double => Type::Double,
        ScalarType::Bool
        | ScalarType::Char
        | ScalarType::UChar
        | ScalarType::Short
        | ScalarType::UShort
        | ScalarType::Int
        | ScalarType::UInt
        | ScalarType::Long
        | ScalarType::ULong
        | ScalarType::Half => Type::Int,
    }
}
