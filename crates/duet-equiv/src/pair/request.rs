//! What is asked, as plain data.

use std::path::PathBuf;
use std::time::Duration;

use duet_engine::LaunchSizes;
use duet_ir::{Func, WellFormed};

use super::expr::Expr;

/// One of the two kernels.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Side {
    /// The first one.
    A,
    /// The second one.
    B,
}

impl Side {
    /// Both, in order.
    pub const BOTH: [Side; 2] = [Side::A, Side::B];

    /// The other one.
    pub fn other(self) -> Side {
        match self {
            Side::A => Side::B,
            Side::B => Side::A,
        }
    }

    /// 0 or 1.
    pub fn index(self) -> usize {
        match self {
            Side::A => 0,
            Side::B => 1,
        }
    }

    /// `a` or `b`.
    pub fn letter(self) -> char {
        match self {
            Side::A => 'a',
            Side::B => 'b',
        }
    }
}

/// A kernel of a loaded file.
#[derive(Clone)]
pub struct Kernel<'m> {
    /// The file.
    pub file: PathBuf,
    /// Its module.
    pub module: &'m WellFormed,
    /// Which of its functions.
    pub func: Func,
    /// The sizes of its launch, as far as they are given.
    pub sizes: LaunchSizes,
    /// How the file was read, as words of a command line.
    pub reading: Vec<String>,
}

impl<'m> Kernel<'m> {
    /// The function.
    pub fn function(&self) -> &'m duet_ir::Function {
        &self.module.functions[self.func]
    }
}

/// How parameters find their partners.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum MatchBy {
    /// By their names.
    #[default]
    Name,
    /// By their positions.
    Position,
}

/// Which laws of arithmetic floats are given.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum FloatModel {
    /// The same operations on the same operands.
    #[default]
    Exact,
    /// Sums and products may be regrouped and reordered.
    Reassociating,
    /// Real numbers.
    Real,
}

/// What is asked.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// How parameters are matched.
    pub match_by: MatchBy,
    /// Parameters that belong together: A's name, B's name.
    pub same: Vec<(String, String)>,
    /// Arrays that are compared; empty for all that either side writes.
    pub outputs: Vec<String>,
    /// Arrays that are not compared.
    pub scratch: Vec<String>,
    /// What relates the two launches.
    pub given: Vec<Expr>,
    /// Which elements are compared, by their index `i`.
    pub places: Option<Expr>,
    /// Laws of float arithmetic.
    pub float: FloatModel,
    /// Were sizes given for one side alone?
    pub one_sided_sizes: bool,
    /// Refuse what the language leaves undefined.
    pub strict: bool,
    /// Only runs are compared: nothing is proved.
    pub fixed: bool,
    /// After so long nothing more is tried.
    pub timeout: Option<Duration>,
    /// Work for each check, in units of z3's resource count.
    pub work: Option<u64>,
}

impl Request {
    /// The same with A and B exchanged, as far as proofs read it.
    ///
    /// SOUNDNESS: launches that are not the same stay so, whatever the names are then (test
    /// `a_relation_with_its_sides_exchanged`).
    pub fn turned(&self) -> Request {
        let is_tied = self.is_same_launch();
        let given = self.given.iter().flat_map(Expr::conjuncts);
        let given = given.map(|expr| expr.renamed(&|name: &str| turned_name(name, is_tied)));
        Request { given: given.collect(), one_sided_sizes: !is_tied, ..self.clone() }
    }

    /// Are both launches the same one? Once a size of B is named they are not.
    pub fn is_same_launch(&self) -> bool {
        let of_b = |name: &String| name.starts_with("blockDim_b") || name.starts_with("gridDim_b");
        !self.one_sided_sizes && !self.given.iter().any(|expr| expr.names().iter().any(of_b))
    }
}

/// A name of A as one of B, and the other way round. One without a side is A's, except for the
/// sizes of launches that are the same.
fn turned_name(name: &str, is_tied: bool) -> String {
    let (stem, dim) = match name.split_once('.') {
        Some((stem, dim)) => (stem, format!(".{dim}")),
        None => (name, String::new()),
    };
    let is_size = !dim.is_empty();
    match (stem.strip_suffix("_a"), stem.strip_suffix("_b")) {
        _ if is_size && is_tied => name.to_string(),
        (Some(stem), _) => format!("{stem}_b{dim}"),
        (None, Some(stem)) => format!("{stem}_a{dim}"),
        (None, None) => format!("{stem}_b{dim}"),
    }
}

#[cfg(test)]
mod tests {
    use super::Request;
    use crate::pair::expr::Expr;

    #[test]
    fn a_relation_with_its_sides_exchanged() {
        let turned = |text: &str| {
            let given = vec![Expr::parse(text).expect("an expression")];
            Request { given, ..Request::default() }.turned().given
        };
        let parsed = |text: &str| vec![Expr::parse(text).expect("an expression")];
        let relation = "gridDim_a.x * 2 == gridDim_b.x + blockDim.x * n";
        assert_eq!(turned(relation), parsed("gridDim_b.x * 2 == gridDim_a.x + blockDim_b.x * n_b"));
        // The sizes of launches that are the same have no side.
        assert_eq!(turned("gridDim.x == 2 * m_b"), parsed("gridDim.x == 2 * m_a"));
        assert_eq!(turned("gridDim_a.x == m"), parsed("gridDim_a.x == m_b"));
        let given = parsed("gridDim_b.x == 2");
        let untied = Request { given, ..Request::default() };
        assert!(!untied.is_same_launch() && !untied.turned().is_same_launch());
        assert!(Request::default().turned().is_same_launch());
    }
}
