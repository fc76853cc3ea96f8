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
    /// Are both launches the same one? Once a size of B is named they are not.
    pub fn is_same_launch(&self) -> bool {
        let of_b = |name: &String| name.starts_with("blockDim_b") || name.starts_with("gridDim_b");
        !self.one_sided_sizes && !self.given.iter().any(|expr| expr.names().iter().any(of_b))
    }
}
