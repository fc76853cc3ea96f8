//! Runs of launches that the caller chose, judged as the search for runs judges
//! its own: what they say about the launch.

use duet_interp::{FindingKind, Outcome, Status};
use duet_ir::{Language, Rule};

use crate::Subject;
use crate::run::Run;

/// What a run says about its launch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Judgement {
    /// It finished and shows nothing.
    Clean,
    /// It shows a defect.
    Defective,
    /// It was not legal, or was not finished.
    Nothing,
}

impl Subject<'_> {
    /// What the run says; how many instructions it took.
    pub fn judge(&self, run: &Run, steps: u64) -> (Judgement, u64) {
        let Ok(outcome) = run.perform(self.module, self.kernel, steps) else {
            return (Judgement::Nothing, 0);
        };
        let tolerated = |rule: Rule| {
            let is_cuda = self.module.language == Language::Cuda && !self.setting().strict;
            rule == Rule::ExitBeforeBarrier && is_cuda
        };
        let is_defective = self.defects(&outcome).iter().any(|one| !tolerated(one.rule));
        let judgement = match is_defective {
            true => Judgement::Defective,
            false if self.shows_nothing(&outcome) => Judgement::Clean,
            false => Judgement::Nothing,
        };
        (judgement, outcome.instructions)
    }

    /// Did it finish without anything that counts as a defect in this setting?
    fn shows_nothing(&self, outcome: &Outcome) -> bool {
        use FindingKind::*;
        let harmless = |kind: &FindingKind| match kind {
            PartialExchange { .. } | Uninitialised { .. } => true,
            BenignRace(_) => self.setting().tolerate_benign,
            Race(_) => self.setting().warp_sync.is_some() || self.setting().only_intra_group,
            ExitBeforeBarrier { .. } => self.module.language == Language::Cuda,
            BarrierDivergence { .. }
            | LeftBarrierLoop { .. }
            | WarpDeadlock { .. }
            | MaskExcludesSelf { .. }
            | InactiveLane { .. }
            | OutOfBounds { .. }
            | AssertFailed { .. }
            | InvariantFailed { .. }
            | BarrierInvariantFailed { .. }
            | DivisionByZero { .. }
            | SignedOverflow { .. }
            | ConversionOutOfRange { .. }
            | CopyMismatch { .. } => false,
        };
        outcome.status == Status::Finished
            && outcome.findings.iter().all(|finding| harmless(&finding.kind))
    }
}
