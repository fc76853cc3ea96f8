//! What came of a comparison, as plain data.

use crate::search::Difference;

/// The verdict.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Both compute the same.
    Equal,
    /// Runs showed a difference.
    Different,
    /// Neither.
    NotShown,
    /// No launch meets what is asked.
    Vacuous,
}

impl Verdict {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Verdict::Equal => "equal",
            Verdict::Different => "different",
            Verdict::NotShown => "not shown",
            Verdict::Vacuous => "vacuous",
        }
    }
}

/// What came of a comparison.
#[derive(Clone, Debug)]
pub struct Report {
    /// The verdict.
    pub verdict: Verdict,
    /// File and kernel of each side.
    pub kernels: [(String, String); 2],
    /// The launches that it speaks of.
    pub launches: Vec<String>,
    /// Compared arrays, by A's names.
    pub outputs: Vec<String>,
    /// The engine that proved it.
    pub engine: Option<String>,
    /// How.
    pub notes: Vec<String>,
    /// What is taken for granted.
    pub assumptions: Vec<String>,
    /// What only one side needs to be assumed.
    pub one_sided: Vec<String>,
    /// Why nothing was shown.
    pub reasons: Vec<String>,
    /// The difference.
    pub difference: Option<Difference>,
    /// Commands that repeat the runs of the difference, or of the example.
    pub commands: Vec<String>,
    /// Pairs of runs that were compared.
    pub runs: usize,
}
