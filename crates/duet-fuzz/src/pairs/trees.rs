//! Expressions as trees: made at random, and rewritten in ways that keep their value.

use crate::random::Random;

/// The type of elements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Element {
    /// `int`
    Int,
    /// `unsigned`
    Unsigned,
    /// `float`
    Float,
}

impl Element {
    /// As C.
    pub fn name(self) -> &'static str {
        match self {
            Element::Int => "int",
            Element::Unsigned => "unsigned",
            Element::Float => "float",
        }
    }
}

/// An expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Tree {
    /// A variable, a cell or a number.
    Leaf(String),
    /// `a op b`
    Binary(&'static str, Box<Tree>, Box<Tree>),
    /// `f(a, b)`
    Call(&'static str, Box<Tree>, Box<Tree>),
    /// `op a`
    Unary(&'static str, Box<Tree>),
    /// `c ? a : b`
    Choice(Box<Tree>, Box<Tree>, Box<Tree>),
}

use Tree::{Binary, Call, Choice, Leaf, Unary};

fn binary(op: &'static str, a: Tree, b: Tree) -> Tree {
    Binary(op, Box::new(a), Box::new(b))
}

fn leaf(text: &str) -> Tree {
    Leaf(text.to_string())
}

/// A value made of some of the leaves.
pub fn value(random: &mut Random, ty: Element, leaves: &[&str], depth: usize) -> Tree {
    if depth == 0 || random.percent(15) {
        return match random.below(8) {
            0 if ty == Element::Float => leaf(random.pick(&["0.5f", "2.0f", "3.0f"])),
            0 => leaf(random.pick(&["1", "3", "5", "7"])),
            _ => leaf(random.pick(leaves)),
        };
    }
    let sub = |random: &mut Random| value(random, ty, leaves, depth - 1);
    let (a, b) = (sub(random), sub(random));
    match (random.below(10), ty) {
        (0 | 1, _) => binary("+", a, b),
        (2, _) => binary("-", a, b),
        (3, _) => binary("*", a, b),
        (4, _) => {
            let condition = condition(random, leaves);
            Choice(Box::new(condition), Box::new(a), Box::new(b))
        }
        (5, Element::Float) => Call("fminf", Box::new(a), Box::new(b)),
        (5, Element::Int | Element::Unsigned) => {
            Call(random.pick(&["min", "max"]), Box::new(a), Box::new(b))
        }
        (6, Element::Int | Element::Unsigned) => binary(random.pick(&["&", "|", "^"]), a, b),
        (7, Element::Int | Element::Unsigned) => {
            binary(random.pick(&["/", "%", ">>"]), a, leaf(random.pick(&["2", "3", "4"])))
        }
        (8, _) => Unary("-", Box::new(a)),
        _ => a,
    }
}

/// A comparison of two leaves, or two of them.
pub fn condition(random: &mut Random, leaves: &[&str]) -> Tree {
    let op = random.pick(&["<", "<=", ">", ">=", "==", "!="]);
    let right = match random.below(3) {
        0 => leaf(random.pick(&["0", "1", "2", "3"])),
        _ => leaf(random.pick(leaves)),
    };
    let one = binary(op, leaf(random.pick(leaves)), right);
    match random.below(5) {
        0 => binary(random.pick(&["&&", "||"]), one, condition(random, leaves)),
        _ => one,
    }
}

/// The same value, written in another way here and there. Laws that only integers obey are
/// used for integers only.
pub fn rewritten(random: &mut Random, tree: &Tree, ty: Element) -> Tree {
    let mut again = |part: &Tree| Box::new(rewritten(random, part, ty));
    let tree = match tree {
        Leaf(_) => tree.clone(),
        Binary(op, a, b) => Binary(op, again(a), again(b)),
        Call(op, a, b) => Call(op, again(a), again(b)),
        Unary(op, a) => Unary(op, again(a)),
        Choice(c, a, b) => Choice(again(c), again(a), again(b)),
    };
    match random.percent(30) {
        true => one_step(random, tree, ty),
        false => tree,
    }
}

fn one_step(random: &mut Random, tree: Tree, ty: Element) -> Tree {
    let is_whole = ty != Element::Float;
    match tree {
        Binary(op @ ("+" | "*" | "&" | "|" | "^"), a, b) => match *a {
            Binary(inner, x, y) if inner == op && is_whole && random.percent(50) => {
                Binary(op, x, Box::new(Binary(op, y, b)))
            }
            a => Binary(op, b, Box::new(a)),
        },
        Binary("-", a, b) if is_whole => Binary("+", a, Box::new(Unary("-", b))),
        Binary("/", a, b) if ty == Element::Unsigned && *b == leaf("2") => {
            Binary(">>", a, Box::new(leaf("1")))
        }
        Binary(op @ ("<" | "<=" | ">" | ">=" | "==" | "!="), a, b) => compared(random, op, a, b),
        Binary("&&", a, b) => Unary("!", Box::new(Binary("||", not(a), not(b)))),
        Call(op @ ("min" | "max"), a, b) if random.percent(50) => Call(op, b, a),
        Call("min", a, b) => Choice(Box::new(Binary("<", a.clone(), b.clone())), a, b),
        Call("max", a, b) => Choice(Box::new(Binary(">=", a.clone(), b.clone())), a, b),
        Choice(c, a, b) => Choice(not(c), b, a),
        Leaf(text) if is_whole && random.percent(10) => binary("+", Leaf(text), leaf("0")),
        other @ (Leaf(_) | Binary(..) | Call(..) | Unary(..)) => other,
    }
}

fn not(tree: Box<Tree>) -> Box<Tree> {
    Box::new(Unary("!", tree))
}

/// A comparison the other way round, or as the negation of its opposite. For floats the second
/// is wrong where one is no number; the judge knows.
fn compared(random: &mut Random, op: &'static str, a: Box<Tree>, b: Box<Tree>) -> Tree {
    let (mirrored, opposite) = match op {
        "<" => (">", ">="),
        "<=" => (">=", ">"),
        ">" => ("<", "<="),
        ">=" => ("<=", "<"),
        "==" => ("==", "!="),
        _ => ("!=", "=="),
    };
    match random.percent(50) {
        true => Binary(mirrored, b, a),
        false => Unary("!", Box::new(Binary(opposite, a, b))),
    }
}

impl std::fmt::Display for Tree {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Leaf(text) => f.write_str(text),
            Binary(op, a, b) => write!(f, "({a} {op} {b})"),
            Call(op, a, b) => write!(f, "{op}({a}, {b})"),
            Unary(op, a) => write!(f, "({op} {a})"),
            Choice(c, a, b) => write!(f, "({c} ? {a} : {b})"),
        }
    }
}
