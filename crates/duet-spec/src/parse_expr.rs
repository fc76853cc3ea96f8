//! Expressions of contracts: C's precedence, `==>` lowest and to the right, relations in
//! chains.

use crate::lexer::Token;
use crate::parse::{Parser, SpecError, binder};
use crate::tree::{BinaryOp, Expr, ExprKind, Fold, Quantifier, Span, UnaryOp};

/// Binary operations by binding power, the weakest first; relations have their own rule.
const LEVELS: [&[(&str, BinaryOp)]; 10] = [
    &[("||", BinaryOp::Or)],
    &[("&&", BinaryOp::And)],
    &[("|", BinaryOp::BitOr)],
    &[("^", BinaryOp::BitXor)],
    &[("&", BinaryOp::BitAnd)],
    &[("==", BinaryOp::Eq), ("!=", BinaryOp::Ne)],
    &[("<=", BinaryOp::Le), (">=", BinaryOp::Ge), ("<", BinaryOp::Lt), (">", BinaryOp::Gt)],
    &[("<<", BinaryOp::Shl), (">>", BinaryOp::Shr)],
    &[("+", BinaryOp::Add), ("-", BinaryOp::Sub)],
    &[("*", BinaryOp::Mul), ("/", BinaryOp::Div), ("%", BinaryOp::Rem)],
];
/// The levels of `|`, `^` and `&`.
const BITS: std::ops::Range<usize> = 2..5;
/// The levels of relations: a chain may mix them.
const RELATIONS: usize = 5;
/// The level below relations.
const SHIFTS: usize = 7;

impl Parser {
    /// An expression or predicate.
    pub fn expr(&mut self) -> Result<Expr, SpecError> {
        let start = self.span().start;
        let condition = self.level(0)?;
        if self.eat("?") {
            let then = self.expr()?;
            self.expect(":")?;
            let otherwise = self.expr()?;
            let kind =
                ExprKind::Conditional(Box::new(condition), Box::new(then), Box::new(otherwise));
            return Ok(self.node(start, kind));
        }
        if self.eat("==>") {
            let then = self.expr()?;
            let kind = ExprKind::Binary(BinaryOp::Implies, Box::new(condition), Box::new(then));
            return Ok(self.node(start, kind));
        }
        Ok(condition)
    }

    fn level(&mut self, level: usize) -> Result<Expr, SpecError> {
        if level == RELATIONS {
            return self.relations();
        }
        let Some(operations) = LEVELS.get(level) else { return self.unary() };
        let start = self.span().start;
        let first = self.tokens.get(self.at).map(|(token, _)| token.clone());
        let mut left = self.level(level + 1)?;
        while let Some(&(_, op)) = operations.iter().find(|(sign, _)| self.is_sign(sign)) {
            self.at += 1;
            let opened = self.peek().cloned();
            let right = self.level(level + 1)?;
            if BITS.contains(&level) {
                refuse_bare_relation(&left, &first)?;
                refuse_bare_relation(&right, &opened)?;
            }
            left = self.node(start, ExprKind::Binary(op, Box::new(left), Box::new(right)));
        }
        Ok(left)
    }

    /// `a <= b < c` is `a <= b && b < c`.
    fn relations(&mut self) -> Result<Expr, SpecError> {
        let start = self.span().start;
        let mut left = self.level(SHIFTS)?;
        let mut all: Option<Expr> = None;
        let signs = LEVELS[RELATIONS].iter().chain(LEVELS[RELATIONS + 1]);
        while let Some(&(_, op)) = signs.clone().find(|(sign, _)| self.is_sign(sign)) {
            self.at += 1;
            let right = self.level(SHIFTS)?;
            let one = self.node(
                left.span.start,
                ExprKind::Binary(op, Box::new(left), Box::new(right.clone())),
            );
            all = Some(match all {
                None => one,
                Some(before) => self
                    .node(start, ExprKind::Binary(BinaryOp::And, Box::new(before), Box::new(one))),
            });
            left = right;
        }
        Ok(all.unwrap_or(left))
    }

    fn is_sign(&self, sign: &str) -> bool {
        matches!(self.peek(), Some(Token::Sign(own)) if *own == sign)
    }

    fn unary(&mut self) -> Result<Expr, SpecError> {
        let start = self.span().start;
        for (sign, op) in [("-", UnaryOp::Minus), ("~", UnaryOp::Complement), ("!", UnaryOp::Not)] {
            if self.eat(sign) {
                let arg = self.unary()?;
                return Ok(self.node(start, ExprKind::Unary(op, Box::new(arg))));
            }
        }
        if self.eat("+") {
            return self.unary();
        }
        if let Some(cast) = self.cast()? {
            return Ok(cast);
        }
        self.postfix()
    }

    /// `(type) operand`, if a type stands in the bracket.
    fn cast(&mut self) -> Result<Option<Expr>, SpecError> {
        let (start, before) = (self.span().start, self.at);
        if self.eat("(")
            && let Some(ty) = self.eat_type()
            && self.eat(")")
        {
            let arg = self.unary()?;
            return Ok(Some(self.node(start, ExprKind::Cast(ty, Box::new(arg)))));
        }
        self.at = before;
        Ok(None)
    }

    fn postfix(&mut self) -> Result<Expr, SpecError> {
        let start = self.span().start;
        let mut expr = self.primary()?;
        loop {
            if self.eat("[") {
                let index = self.expr()?;
                self.expect("]")?;
                expr = self.node(start, ExprKind::Index(Box::new(expr), Box::new(index)));
            } else if self.is_sign(".") {
                let ExprKind::Name(name) = &expr.kind else {
                    return Err(self.unexpected("an operator: members are selected of names only"));
                };
                let name = name.clone();
                self.at += 1;
                let member = self.word("a member")?;
                expr = self.node(start, ExprKind::Name(format!("{name}.{member}")));
            } else {
                return Ok(expr);
            }
        }
    }

    fn primary(&mut self) -> Result<Expr, SpecError> {
        let start = self.span().start;
        match self.peek().cloned() {
            Some(Token::Int(number)) => {
                self.at += 1;
                Ok(self.node(start, ExprKind::Int(number)))
            }
            Some(Token::Float(number, single)) => {
                self.at += 1;
                Ok(self.node(start, ExprKind::Float(number, single)))
            }
            Some(Token::Escaped(word)) => self.escaped(&word),
            Some(Token::Word(name)) => {
                self.at += 1;
                self.name_or_call(start, name)
            }
            Some(Token::Sign("(")) => {
                self.at += 1;
                let mut inner = self.expr()?;
                self.expect(")")?;
                inner.span = Span { start, end: self.last_end() };
                Ok(inner)
            }
            Some(Token::Sign(_)) | None => Err(self.unexpected("an expression")),
        }
    }

    /// The sizes of OpenCL are names, though they are written as calls.
    fn name_or_call(&mut self, start: usize, name: String) -> Result<Expr, SpecError> {
        if !self.eat("(") {
            return Ok(self.node(start, ExprKind::Name(name)));
        }
        let mut args = vec![];
        while !self.eat(")") {
            if !args.is_empty() {
                self.expect(",")?;
            }
            args.push(self.expr()?);
        }
        if let ([Expr { kind: ExprKind::Int(dim), .. }], true) =
            (&args[..], name.starts_with("get_"))
        {
            return Ok(self.node(start, ExprKind::Name(format!("{name}({dim})"))));
        }
        Ok(self.node(start, ExprKind::Call(name, args)))
    }

    fn escaped(&mut self, word: &str) -> Result<Expr, SpecError> {
        let (start, span) = (self.span().start, self.span());
        self.at += 1;
        let fold = match word {
            "forall" => return self.quantified(start, Quantifier::Forall),
            "exists" => return self.quantified(start, Quantifier::Exists),
            "threads" => return Ok(self.node(start, ExprKind::Threads)),
            "old" | "pow2" | "is_pow2" => return self.of_one(start, word),
            "sum" => Fold::Sum,
            "prod" => Fold::Prod,
            "min" => Fold::Min,
            "max" => Fold::Max,
            "count" => Fold::Count,
            _ => return Err(SpecError::new(span, format!("`\\{word}` is unknown"))),
        };
        self.fold(start, fold)
    }

    fn of_one(&mut self, start: usize, word: &str) -> Result<Expr, SpecError> {
        self.expect("(")?;
        let arg = Box::new(self.expr()?);
        self.expect(")")?;
        let kind = match word {
            "old" => ExprKind::Old(arg),
            "pow2" => ExprKind::Pow2(arg),
            _ => ExprKind::IsPow2(arg),
        };
        Ok(self.node(start, kind))
    }

    fn quantified(&mut self, start: usize, which: Quantifier) -> Result<Expr, SpecError> {
        let ty = self.type_name()?;
        let mut binders = vec![binder(ty, self.word("a name")?)];
        while self.eat(",") {
            binders.push(binder(ty, self.word("a name")?));
        }
        self.expect(";")?;
        let body = Box::new(self.expr()?);
        Ok(self.node(start, ExprKind::Quantified(which, binders, body)))
    }

    /// `(type name; from <= name < to; body)`
    fn fold(&mut self, start: usize, fold: Fold) -> Result<Expr, SpecError> {
        self.expect("(")?;
        let ty = self.type_name()?;
        let variable = binder(ty, self.word("a name")?);
        self.expect(";")?;
        let from = self.level(SHIFTS)?;
        self.expect("<=")?;
        let span = self.span();
        if self.word("the variable")? != variable.name {
            let message = format!("the range of a fold is `from <= {} < to`", variable.name);
            return Err(SpecError::new(span, message));
        }
        self.expect("<")?;
        let to = self.level(SHIFTS)?;
        self.expect(";")?;
        let body = self.expr()?;
        self.expect(")")?;
        let kind = ExprKind::Fold(fold, variable, Box::new(from), Box::new(to), Box::new(body));
        Ok(self.node(start, kind))
    }
}

/// C reads `a & b == c` as `a & (b == c)`, which is hardly ever meant.
fn refuse_bare_relation(operand: &Expr, first: &Option<Token>) -> Result<(), SpecError> {
    let bare = matches!(&operand.kind, ExprKind::Binary(op, ..) if op.is_relation());
    match bare && *first != Some(Token::Sign("(")) {
        true => Err(SpecError::new(operand.span, "`&`, `|`, `^` beside a relation need brackets")),
        false => Ok(()),
    }
}
