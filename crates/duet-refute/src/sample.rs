//! Runs of launches that somebody else chose, judged as the search for runs judges
//! its own: what they say about the launch.

use duet_interp::{ArrayInput, FindingKind, Key, Launch, Outcome, Status};
use duet_ir::{Language, Rule};

use crate::Subject;
use crate::inputs::Contents;
use crate::run::Run;

/// Contents that are tried in turn.
const CONTENTS: [Contents; 4] =
    [Contents::Zero, Contents::SmallInputs(4), Contents::Counting, Contents::Small(64)];

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
    /// A run of a launch with these scalar arguments (by their positions among all
    /// parameters); the number chooses what arrays hold.
    pub fn sample(&self, launch: Launch, scalars: &[(usize, u128)], number: usize) -> Run {
        let mut run = Run::new(launch);
        let scalars = scalars.iter().map(|&(index, bits)| (Key::Index(index), bits));
        run.inputs.scalars.extend(scalars);
        run.inputs.other_arrays = ArrayInput::default();
        self.fill(&mut run.inputs, CONTENTS[number % CONTENTS.len()], None);
        run.unknown_below = Some(16);
        run
    }

    /// What the run says; how many instructions it took.
    pub fn judge(&self, run: &Run, steps: u64) -> (Judgement, u64) {
        let Ok(outcome) = run.perform(self.module, self.kernel, steps) else {
            return (Judgement::Nothing, 0);
        };
        let tolerated = |rule: Rule| {
            let is_cuda = self.module.language == Language::Cuda && !self.setting.strict;
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
            BenignRace(_) => self.setting.tolerate_benign,
            Race(_) => self.setting.warp_sync.is_some() || self.setting.only_intra_group,
            ExitBeforeBarrier { .. } => self.module.language == Language::Cuda,
            BarrierDivergence { .. }
            | LeftBarrierLoop { .. }
            | WarpDeadlock { .. }
            | MaskExcludesSelf { .. }
            | InactiveLane { .. }
            | OutOfBounds { .. }
            | AssertFailed { .. }
            | InvariantFailed { .. }
            | DivisionByZero { .. }
            | SignedOverflow { .. }
            | ConversionOutOfRange { .. }
            | CopyMismatch { .. } => false,
        };
        outcome.status == Status::Finished
            && outcome.findings.iter().all(|finding| harmless(&finding.kind))
    }
}
