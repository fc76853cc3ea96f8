//! Exit codes.

use std::process::ExitCode;

/// How a command ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exit {
    /// Everything was proved, or the command did what was asked.
    Proved = 0,
    /// Something was refuted: a run showed a defect.
    Refuted = 1,
    /// Something could be neither proved nor refuted.
    Unproven = 2,
    /// The input cannot be read.
    BadInput = 3,
    /// The command line is wrong.
    Usage = 4,
    /// A defect of Duet itself.
    Internal = 5,
}

impl Exit {
    /// Of two the one that says more: a defect that a run showed outweighs what
    /// is unknown.
    pub fn worse(self, other: Exit) -> Exit {
        let rank = |exit: Exit| match exit {
            Exit::Proved => 0,
            Exit::Unproven => 1,
            Exit::Refuted => 2,
            Exit::BadInput => 3,
            Exit::Usage => 4,
            Exit::Internal => 5,
        };
        if rank(other) > rank(self) { other } else { self }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}
