//! Expressions of the command line: relations between two launches, and places that are
//! compared. The syntax is that of C; arithmetic is that of integers, without wrap-around.

use std::collections::BTreeSet;

/// An expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Expr {
    /// A number.
    Number(i128),
    /// `blockDim_a.x`, `n`, `n_b`, `i`.
    Name(String),
    /// `-`, `!`, `~`.
    Unary(char, Box<Expr>),
    /// By the operator's text.
    Binary(&'static str, Box<Expr>, Box<Expr>),
}

/// Binary operators by their rank, the loosest first.
const OPERATORS: [&[&str]; 10] = [
    &["||"],
    &["&&"],
    &["|"],
    &["^"],
    &["&"],
    &["==", "!="],
    &["<=", ">=", "<", ">"],
    &["<<", ">>"],
    &["+", "-"],
    &["*", "/", "%"],
];

impl Expr {
    /// Reads an expression.
    ///
    /// # Errors
    /// If the text is none.
    pub fn parse(text: &str) -> Result<Expr, String> {
        let mut reader = Reader { tokens: tokens(text)?, at: 0 };
        let expr = reader.binary(0)?;
        match reader.tokens.get(reader.at) {
            None => Ok(expr),
            Some(token) => Err(format!("`{token}` does not belong in `{text}`")),
        }
    }

    /// The value, if the names have one and nothing is divided by zero.
    pub fn value(&self, of: &dyn Fn(&str) -> Option<i128>) -> Option<i128> {
        match self {
            Expr::Number(number) => Some(*number),
            Expr::Name(name) => of(name),
            Expr::Unary(op, arg) => {
                let arg = arg.value(of)?;
                Some(match op {
                    '-' => arg.checked_neg()?,
                    '!' => i128::from(arg == 0),
                    _ => !arg,
                })
            }
            Expr::Binary(op, a, b) => binary(op, a.value(of)?, b.value(of)?),
        }
    }

    /// Is it true? Unknown counts as false.
    pub fn holds(&self, of: &dyn Fn(&str) -> Option<i128>) -> bool {
        self.value(of).is_some_and(|value| value != 0)
    }

    /// The same with other names.
    pub fn renamed(&self, name: &dyn Fn(&str) -> String) -> Expr {
        self.substituted(&|own| Some(Expr::Name(name(own))))
    }

    /// The same with expressions for some names.
    pub fn substituted(&self, value: &dyn Fn(&str) -> Option<Expr>) -> Expr {
        match self {
            Expr::Number(number) => Expr::Number(*number),
            Expr::Name(own) => value(own).unwrap_or_else(|| self.clone()),
            Expr::Unary(op, arg) => Expr::Unary(*op, Box::new(arg.substituted(value))),
            Expr::Binary(op, a, b) => {
                Expr::Binary(op, Box::new(a.substituted(value)), Box::new(b.substituted(value)))
            }
        }
    }

    /// The names in it.
    pub fn names(&self) -> BTreeSet<String> {
        match self {
            Expr::Number(_) => BTreeSet::new(),
            Expr::Name(name) => BTreeSet::from([name.clone()]),
            Expr::Unary(_, arg) => arg.names(),
            Expr::Binary(_, a, b) => a.names().into_iter().chain(b.names()).collect(),
        }
    }

    /// The parts of a conjunction.
    pub fn conjuncts(&self) -> Vec<&Expr> {
        match self {
            Expr::Binary("&&", a, b) => [a.conjuncts(), b.conjuncts()].concat(),
            Expr::Number(_) | Expr::Name(_) | Expr::Unary(..) | Expr::Binary(..) => vec![self],
        }
    }
}

fn binary(op: &str, a: i128, b: i128) -> Option<i128> {
    let truth = |value: bool| Some(i128::from(value));
    match op {
        "||" => truth(a != 0 || b != 0),
        "&&" => truth(a != 0 && b != 0),
        "|" => Some(a | b),
        "^" => Some(a ^ b),
        "&" => Some(a & b),
        "==" => truth(a == b),
        "!=" => truth(a != b),
        "<=" => truth(a <= b),
        ">=" => truth(a >= b),
        "<" => truth(a < b),
        ">" => truth(a > b),
        "<<" => a.checked_mul(1i128.checked_shl(u32::try_from(b).ok()?)?),
        ">>" => Some(a >> u32::try_from(b).ok()?.min(127)),
        "+" => a.checked_add(b),
        "-" => a.checked_sub(b),
        "*" => a.checked_mul(b),
        "/" => a.checked_div(b),
        _ => a.checked_rem(b),
    }
}

fn tokens(text: &str) -> Result<Vec<String>, String> {
    let characters: Vec<char> = text.chars().collect();
    let (mut tokens, mut at) = (vec![], 0);
    while at < characters.len() {
        let start = at;
        let first = characters[at];
        let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
        if first.is_whitespace() {
            at += 1;
            continue;
        } else if is_word(first) {
            while at < characters.len() && is_word(characters[at]) {
                at += 1;
            }
        } else if "+-*/%()<>=!&|^~".contains(first) {
            at += 1;
            let pair: String =
                characters[start..(start + 2).min(characters.len())].iter().collect();
            if ["||", "&&", "==", "!=", "<=", ">=", "<<", ">>"].contains(&pair.as_str()) {
                at += 1;
            }
        } else {
            return Err(format!("`{first}` is not understood in `{text}`"));
        }
        tokens.push(characters[start..at].iter().collect());
    }
    Ok(tokens)
}

struct Reader {
    tokens: Vec<String>,
    at: usize,
}

impl Reader {
    fn next(&mut self) -> Option<String> {
        self.at += 1;
        self.tokens.get(self.at - 1).cloned()
    }

    fn binary(&mut self, rank: usize) -> Result<Expr, String> {
        let Some(operators) = OPERATORS.get(rank) else { return self.unary() };
        let mut left = self.binary(rank + 1)?;
        loop {
            let token = self.tokens.get(self.at).map(String::as_str);
            let Some(op) = operators.iter().find(|op| Some(**op) == token) else {
                return Ok(left);
            };
            self.at += 1;
            let right = self.binary(rank + 1)?;
            left = Expr::Binary(op, Box::new(left), Box::new(right));
        }
    }

    fn unary(&mut self) -> Result<Expr, String> {
        let token = self.next().ok_or("an expression ends too early")?;
        match token.as_str() {
            "-" | "!" | "~" => {
                let op = token.chars().next().unwrap_or('-');
                Ok(Expr::Unary(op, Box::new(self.unary()?)))
            }
            "+" => self.unary(),
            "(" => {
                let inner = self.binary(0)?;
                match self.next().as_deref() {
                    Some(")") => Ok(inner),
                    _ => Err("a bracket is not closed".to_string()),
                }
            }
            word if word.starts_with(|c: char| c.is_ascii_digit()) => number(word),
            word if word.starts_with(|c: char| c.is_alphabetic() || c == '_') => {
                Ok(Expr::Name(word.to_string()))
            }
            word => Err(format!("`{word}` is no operand")),
        }
    }
}

fn number(word: &str) -> Result<Expr, String> {
    let digits = word.trim_end_matches(['u', 'U', 'l', 'L']);
    let parsed = match digits.strip_prefix("0x") {
        Some(hex) => i128::from_str_radix(hex, 16),
        None => digits.parse(),
    };
    parsed.map(Expr::Number).map_err(|_| format!("`{word}` is no number"))
}

#[cfg(test)]
mod tests {
    use super::Expr;

    fn value(text: &str) -> Option<i128> {
        let of = |name: &str| (name == "blockDim_a.x").then_some(8);
        Expr::parse(text).expect("reads").value(&of)
    }

    #[test]
    fn the_rank_of_operators_is_that_of_c() {
        assert_eq!(value("1 + 2 * 3 == 7 && !0"), Some(1));
        assert_eq!(value("(1 + 2) * 3 - 4 - 5"), Some(0));
        assert_eq!(value("blockDim_a.x % 3 << 2"), Some(8));
        assert_eq!(value("1 / 0"), None);
        assert_eq!(value("n"), None);
        assert!(Expr::parse("1 +").is_err() && Expr::parse("(1").is_err());
        assert!(Expr::parse("1 2").is_err() && Expr::parse("a ? b : c").is_err());
    }
}
