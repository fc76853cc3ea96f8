//! The result of a run.

use std::collections::BTreeMap;

use duet_ir::{Array, Block, Func, Rule, SecondaryMap};

use crate::interface::findings::{At, Finding, FindingKind};

/// Everything a run yields.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// How it ended.
    pub status: Status,
    /// What it found, in the order of first occurrence.
    pub findings: Vec<Finding>,
    /// Final contents of global and constant arrays.
    pub arrays: BTreeMap<Array, Contents>,
    /// Instructions executed, terminators included.
    pub instructions: u64,
    /// Visits of each basic block.
    pub coverage: Coverage,
}

impl Outcome {
    /// Findings that are defects: everything but benign races and partial
    /// exchanges.
    pub fn defects(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(|finding| {
            !matches!(
                finding.kind,
                FindingKind::BenignRace(_) | FindingKind::PartialExchange { .. }
            )
        })
    }

    /// Did the run finish, with no defect?
    pub fn is_clean(&self) -> bool {
        self.status == Status::Finished && self.defects().next().is_none()
    }

    /// The rules that were broken, each once, in order.
    pub fn rules(&self) -> Vec<Rule> {
        let mut rules: Vec<_> = self.findings.iter().map(|finding| finding.kind.rule()).collect();
        rules.sort_unstable();
        rules.dedup();
        rules
    }
}

/// How a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// Every thread returned or failed an assertion that ends it.
    Finished,
    /// Some threads were given up because of divergence or deadlock; a finding
    /// says which.
    Stuck,
    /// A limit was reached. The findings so far are real.
    DidNotFinish(Limit),
    /// A precondition is false: the launch or the inputs are not legal, and the
    /// findings mean nothing.
    RequirementFailed(At),
    /// An assumption of the source is false in this run; the findings mean nothing.
    AssumptionFailed(At),
}

/// The limit that a run reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limit {
    /// Instructions of all threads.
    Steps,
    /// Instructions of one thread.
    ThreadSteps,
    /// Memory.
    Memory,
    /// Nested calls.
    CallDepth,
    /// Barriers: the interpreter's clock has run out.
    Barriers,
    /// Pairs of accesses in conflict.
    Conflicts,
    /// The observer wants to see no more.
    Observed,
}

/// Visits of basic blocks, by all threads together.
#[derive(Clone, Default, PartialEq, Debug)]
pub struct Coverage {
    pub(crate) visits: BTreeMap<Func, SecondaryMap<Block, u64>>,
}

impl Coverage {
    /// How often a block was entered.
    pub fn visits(&self, func: Func, block: Block) -> u64 {
        self.visits.get(&func).map_or(0, |blocks| blocks[block])
    }
}

/// The contents of an array.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Contents {
    /// All bytes, of an array whose size is known.
    Dense(Vec<u8>),
    /// The pages that the run touched, by their first byte.
    Sparse(BTreeMap<u64, Vec<u8>>),
}

impl Contents {
    /// The bytes at an offset; `None` where the run knows nothing of them.
    pub fn bytes(&self, offset: u64, len: usize) -> Option<&[u8]> {
        let (start, page): (u64, &[u8]) = match self {
            Contents::Dense(bytes) => (0, bytes),
            Contents::Sparse(pages) => {
                let (&start, page) = pages.range(..=offset).next_back()?;
                (start, page)
            }
        };
        let from = usize::try_from(offset - start).ok()?;
        page.get(from..from.checked_add(len)?)
    }

    /// The little-endian number of `len` (at most 16) bytes at an offset.
    pub fn number(&self, offset: u64, len: usize) -> Option<u128> {
        let mut word = [0; 16];
        word.get_mut(..len)?.copy_from_slice(self.bytes(offset, len)?);
        Some(u128::from_le_bytes(word))
    }
}
