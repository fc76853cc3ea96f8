//! The tree of a contract. Predicates and expressions are one kind of node: a predicate is
//! an expression whose type is a truth value.

use duet_ir::ScalarType;

/// A range of bytes in the text of a contract.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Span {
    /// The first byte.
    pub start: usize,
    /// The byte after the last.
    pub end: usize,
}

/// The clauses of one comment, or of several that join.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Contract {
    /// In the order of the text.
    pub clauses: Vec<Clause>,
}

impl Contract {
    /// The names of its ghost variables.
    pub fn ghosts(&self) -> Vec<String> {
        let mut names = vec![];
        for clause in &self.clauses {
            if let ClauseKind::Ghost(own, _) = &clause.kind {
                names.extend(own.iter().cloned());
            }
        }
        names
    }
}

/// One clause.
#[derive(Clone, PartialEq, Debug)]
pub struct Clause {
    /// What it says.
    pub kind: ClauseKind,
    /// Where it stands.
    pub span: Span,
}

/// What a clause says.
#[derive(Clone, PartialEq, Debug)]
pub enum ClauseKind {
    /// What a launch must meet.
    Requires(Expr),
    /// What holds of the memory that a launch leaves.
    Ensures(Expr),
    /// All other cells keep their values. Empty: nothing is assigned.
    Assigns(Vec<Assigned>),
    /// Arbitrary numbers of a type, which `requires` ties down.
    Ghost(Vec<String>, ScalarType),
    /// A function of contracts.
    Logic(Logic),
    /// Which thread writes a cell: a guess of the user's.
    Writer(Assigned, Expr),
    /// Holds whenever the loop's head is reached.
    LoopInvariant(Expr),
}

/// A function of contracts.
#[derive(Clone, PartialEq, Debug)]
pub struct Logic {
    /// Its name.
    pub name: String,
    /// What it yields.
    pub result: Type,
    /// Its parameters.
    pub params: Vec<Binder>,
    /// Its value.
    pub body: Expr,
}

/// Cells of an array: one, or those between two indices, both included.
#[derive(Clone, PartialEq, Debug)]
pub struct Assigned {
    /// The array.
    pub array: String,
    /// The first index.
    pub from: Expr,
    /// The last index, if it is a range.
    pub to: Option<Expr>,
    /// Where it stands.
    pub span: Span,
}

/// The type of an expression.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    /// A truth value.
    Bool,
    /// A mathematical integer.
    Int,
    /// IEEE single precision.
    Float,
    /// IEEE double precision.
    Double,
    /// An array with elements of this type.
    Array(ScalarType),
}

/// A variable that a quantifier, a fold or a function binds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Binder {
    /// Its name.
    pub name: String,
    /// Integers are mathematical, whatever their type says; of floats the width counts.
    pub ty: Type,
    /// Its type has no negative values.
    pub unsigned: bool,
}

/// An expression.
#[derive(Clone, PartialEq, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it stands.
    pub span: Span,
}

/// What an expression is.
#[derive(Clone, PartialEq, Debug)]
pub enum ExprKind {
    /// An integer.
    Int(i128),
    /// A float, and whether it is of single precision.
    Float(f64, bool),
    /// A name, with what selects a member: `n`, `blockDim.x`, `get_local_size(0)`.
    Name(String),
    /// All threads of the launch.
    Threads,
    /// A cell.
    Index(Box<Expr>, Box<Expr>),
    /// A call of a function.
    Call(String, Vec<Expr>),
    /// One operand.
    Unary(UnaryOp, Box<Expr>),
    /// Two operands.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `a ? b : c`.
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    /// A conversion to a type of C.
    Cast(ScalarType, Box<Expr>),
    /// The value before the launch.
    Old(Box<Expr>),
    /// For all, or for some, values of the variables.
    Quantified(Quantifier, Vec<Binder>, Box<Expr>),
    /// A fold over `from <= variable < to`.
    Fold(Fold, Binder, Box<Expr>, Box<Expr>, Box<Expr>),
    /// Two to the power of it.
    Pow2(Box<Expr>),
    /// Is it a power of two?
    IsPow2(Box<Expr>),
}

/// For all, or for some.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Quantifier {
    /// For all.
    Forall,
    /// For some.
    Exists,
}

/// What a fold makes of the values in its range.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fold {
    /// Their sum, from the left.
    Sum,
    /// Their product, from the left.
    Prod,
    /// The least.
    Min,
    /// The greatest.
    Max,
    /// How many are true.
    Count,
}

/// Operations with one operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnaryOp {
    /// `-`
    Minus,
    /// `~`
    Complement,
    /// `!`
    Not,
}

/// Operations with two operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BinaryOp {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`
    Div,
    /// `%`
    Rem,
    /// `<<`
    Shl,
    /// `>>`
    Shr,
    /// `&`
    BitAnd,
    /// `|`
    BitOr,
    /// `^`
    BitXor,
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
    /// `&&`
    And,
    /// `||`
    Or,
    /// `==>`
    Implies,
}

impl BinaryOp {
    /// Does it compare?
    pub fn is_relation(self) -> bool {
        use BinaryOp::{Eq, Ge, Gt, Le, Lt, Ne};
        matches!(self, Eq | Ne | Lt | Le | Gt | Ge)
    }

    /// Does it combine truth values?
    pub fn is_logical(self) -> bool {
        matches!(self, BinaryOp::And | BinaryOp::Or | BinaryOp::Implies)
    }

    /// The sign that it is written with.
    pub fn sign(self) -> &'static str {
        match self {
            BinaryOp::Add => "+",
            BinaryOp::Sub => "-",
            BinaryOp::Mul => "*",
            BinaryOp::Div => "/",
            BinaryOp::Rem => "%",
            BinaryOp::Shl => "<<",
            BinaryOp::Shr => ">>",
            BinaryOp::BitAnd => "&",
            BinaryOp::BitOr => "|",
            BinaryOp::BitXor => "^",
            BinaryOp::Eq => "==",
            BinaryOp::Ne => "!=",
            BinaryOp::Lt => "<",
            BinaryOp::Le => "<=",
            BinaryOp::Gt => ">",
            BinaryOp::Ge => ">=",
            BinaryOp::And => "&&",
            BinaryOp::Or => "||",
            BinaryOp::Implies => "==>",
        }
    }
}

impl Expr {
    /// The expressions directly inside.
    pub fn children(&self) -> Vec<&Expr> {
        match &self.kind {
            ExprKind::Int(_) | ExprKind::Float(..) | ExprKind::Name(_) | ExprKind::Threads => {
                vec![]
            }
            ExprKind::Index(a, b) | ExprKind::Binary(_, a, b) => vec![a, b],
            ExprKind::Call(_, args) => args.iter().collect(),
            ExprKind::Unary(_, a)
            | ExprKind::Cast(_, a)
            | ExprKind::Old(a)
            | ExprKind::Quantified(_, _, a)
            | ExprKind::Pow2(a)
            | ExprKind::IsPow2(a) => vec![a],
            ExprKind::Conditional(a, b, c) | ExprKind::Fold(_, _, a, b, c) => vec![a, b, c],
        }
    }

    /// The conjuncts of a predicate.
    pub fn conjuncts(&self) -> Vec<&Expr> {
        match &self.kind {
            ExprKind::Binary(BinaryOp::And, a, b) => {
                let mut all = a.conjuncts();
                all.extend(b.conjuncts());
                all
            }
            ExprKind::Int(_)
            | ExprKind::Float(..)
            | ExprKind::Name(_)
            | ExprKind::Threads
            | ExprKind::Index(..)
            | ExprKind::Call(..)
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Conditional(..)
            | ExprKind::Cast(..)
            | ExprKind::Old(_)
            | ExprKind::Quantified(..)
            | ExprKind::Fold(..)
            | ExprKind::Pow2(_)
            | ExprKind::IsPow2(_) => vec![self],
        }
    }

    /// Does the name occur free?
    pub fn mentions(&self, name: &str) -> bool {
        match &self.kind {
            ExprKind::Name(own) => own == name,
            ExprKind::Quantified(_, binders, _) if binders.iter().any(|one| one.name == name) => {
                false
            }
            ExprKind::Fold(_, binder, from, to, _) if binder.name == name => {
                from.mentions(name) || to.mentions(name)
            }
            ExprKind::Int(_)
            | ExprKind::Float(..)
            | ExprKind::Threads
            | ExprKind::Index(..)
            | ExprKind::Call(..)
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Conditional(..)
            | ExprKind::Cast(..)
            | ExprKind::Old(_)
            | ExprKind::Quantified(..)
            | ExprKind::Fold(..)
            | ExprKind::Pow2(_)
            | ExprKind::IsPow2(_) => self.children().iter().any(|child| child.mentions(name)),
        }
    }
}
