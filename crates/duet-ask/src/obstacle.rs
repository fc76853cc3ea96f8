//! What stood in the way of a proof, as plain data.

use duet_ir::Array;

/// Something that stood in the way of a proof.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Obstacle {
    /// The invariants of a loop are too weak.
    Loop {
        /// Its line.
        line: Option<u32>,
        /// The values that break the proof.
        variables: Vec<Variable>,
        /// The invariants that hold, in the words of the source.
        invariants: Vec<String>,
        /// The loop's test, likewise.
        guard: Option<String>,
    },
    /// What an array holds is not known.
    Contents {
        /// The array.
        array: Array,
        /// The lines that read it.
        lines: Vec<u32>,
        /// Does the kernel write it?
        is_written: bool,
        /// A variable that is read from it.
        into: Option<String>,
    },
    /// It would be proved under this assumption, but no run that was tried meets it.
    NotMet {
        /// The assumption, in words.
        assumed: Vec<String>,
    },
    /// What an operation yields is not known: what, in words.
    Result {
        /// "the atomic operation yields".
        what: String,
        /// Its line.
        line: Option<u32>,
    },
    /// Operations on floats and mathematical functions are unknown functions.
    Function,
    /// What the source assumes here speaks of two threads. It was not used, and no run
    /// was looked for, since a run could not tell whether it holds.
    AboutTwoThreads {
        /// The lines.
        lines: Vec<u32>,
    },
    /// No run that was tried shows the accesses unordered, but only fences and flags may
    /// order them, which no proof uses.
    Fences {
        /// The lines of the fences.
        lines: Vec<u32>,
        /// The lines of the flags that one of the two may have read behind the other's
        /// write; none where no such flag was found.
        flags: Vec<u32>,
    },
    /// The solver gave up where these sizes and arguments are multiplied or divided.
    Products {
        /// Their names.
        of: Vec<String>,
    },
}

/// A value at the head of a loop, in a state that breaks a proof.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Variable {
    /// Its name; none for the count of iterations.
    pub name: Option<String>,
    /// 1 or 2 for the value of the first or second thread, 0 for both.
    pub thread: usize,
    /// The value.
    pub value: String,
}
