//! What came of one file, as plain data that survives on disk.

use serde::{Deserialize, Serialize};

/// What a file's header expects.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Expected {
    /// Everything is proved.
    Pass,
    /// Something is not.
    Fail,
    /// The header says nothing, or there is none.
    Nothing,
}

/// How the check of a file ended.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// Every kernel is proved.
    Proved,
    /// A run showed a defect.
    Refuted,
    /// Something is neither proved nor refuted.
    Unproven,
    /// The file, or one of its kernels, cannot be read.
    Unreadable,
    /// The options in the file's header are wrong or not supported.
    BadOptions,
    /// The time was over and the process was ended.
    TimedOut,
    /// The process wanted more memory than it may have.
    OutOfMemory,
    /// The process died, or ended in an internal error.
    Crashed,
}

impl Outcome {
    /// Did the check come to a verdict?
    pub fn is_verdict(self) -> bool {
        matches!(self, Outcome::Proved | Outcome::Refuted | Outcome::Unproven)
    }

    /// In the order of tables.
    pub const ALL: [Outcome; 8] = [
        Outcome::Proved,
        Outcome::Refuted,
        Outcome::Unproven,
        Outcome::Unreadable,
        Outcome::BadOptions,
        Outcome::TimedOut,
        Outcome::OutOfMemory,
        Outcome::Crashed,
    ];

    /// As it is printed and stored.
    pub fn word(self) -> &'static str {
        match self {
            Outcome::Proved => "proved",
            Outcome::Refuted => "refuted",
            Outcome::Unproven => "unproven",
            Outcome::Unreadable => "unreadable",
            Outcome::BadOptions => "bad-options",
            Outcome::TimedOut => "timed-out",
            Outcome::OutOfMemory => "out-of-memory",
            Outcome::Crashed => "crashed",
        }
    }
}

/// What came of one file under one configuration.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Record {
    /// The file, below the folder that was run.
    pub file: String,
    /// The configuration's name.
    pub configuration: String,
    /// A fingerprint of everything that the result rests on, so that a run that is
    /// taken up again knows which results still count.
    pub key: String,
    /// What its header expects.
    pub expected: Expected,
    /// How it ended.
    pub outcome: Outcome,
    /// Does the user accept all that was found? It is no proof, but no gate fails for it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub accepted: bool,
    /// Why it is not proved, in one line; empty if it is.
    pub reason: String,
    /// The kernels of the file.
    pub kernels: Vec<KernelRecord>,
    /// Wall-clock time of the whole process.
    pub seconds: f64,
    /// Of that, clang.
    pub clang_seconds: f64,
    /// Of that, solvers.
    pub solver_seconds: f64,
    /// Of that, the search for loop invariants (solvers included).
    pub infer_seconds: f64,
    /// The most memory that one of its processes held, in megabytes.
    pub peak_mb: f64,
}

/// What came of one kernel.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct KernelRecord {
    /// Its name.
    pub name: String,
    /// The checker's word.
    pub verdict: String,
    /// Loops in its IR.
    pub loops: u64,
    /// Invariants that its loops have.
    pub invariants: u64,
    /// The rules of its findings, each once.
    pub rules: Vec<String>,
    /// Facts of the checker's report that studies want, as it gives them.
    #[serde(default, skip_serializing_if = "serde_json::Value::is_null")]
    pub inference: serde_json::Value,
    /// The precondition that was found, as the checker gives it.
    #[serde(default, skip_serializing_if = "serde_json::Value::is_null")]
    pub requires: serde_json::Value,
    /// The questions of the proof of its contract, as the prover gives them.
    #[serde(default, skip_serializing_if = "serde_json::Value::is_null")]
    pub questions: serde_json::Value,
    /// Milliseconds of the proof of its contract, without the check.
    #[serde(default)]
    pub prove_ms: u64,
}

impl Record {
    /// Has one of its kernels a loop? Unknown where none could be read.
    pub fn has_loops(&self) -> Option<bool> {
        (!self.kernels.is_empty()).then(|| self.kernels.iter().any(|kernel| kernel.loops > 0))
    }

    /// Does the file's name begin with an underscore?
    pub fn has_underscore(&self) -> bool {
        self.file.rsplit('/').next().is_some_and(|name| name.starts_with('_'))
    }

    /// Does the result contradict the header: a planted bug that is proved absent,
    /// or a correct kernel that is refuted?
    pub fn contradicts(&self) -> bool {
        matches!(
            (self.expected, self.outcome),
            (Expected::Fail, Outcome::Proved) | (Expected::Pass, Outcome::Refuted)
        )
    }
}
