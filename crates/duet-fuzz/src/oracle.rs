//! What the interpreter says about a kernel: real defects in real runs.

use duet_interp::{
    ArrayInput, Fill, FindingKind, Inputs, Launch, Limits, RunOptions, Schedule, Status, run,
};
use duet_ir::{Func, Module};

use crate::ast::{Kernel, PARAMS};
use crate::lower::PARAM_NAMES;
use crate::random::Random;

/// A kind of defect.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Class {
    /// A data race that is not tolerated.
    Race,
    /// Two threads at different barriers.
    Divergence,
    /// A thread returned before a barrier of others.
    Exit,
    /// An assertion is false.
    Assertion,
    /// A claim about memory at a barrier is false.
    Claim,
    /// Division by zero.
    Division,
    /// Lanes of a mask do not meet.
    WarpMask,
}

/// A defect that a run showed.
#[derive(Clone, Debug)]
pub struct Evidence {
    /// Its kind.
    pub class: Class,
    /// The launch.
    pub launch: Launch,
    /// Parameters, schedule and contents of the run.
    pub run: String,
    /// The finding.
    pub finding: FindingKind,
}

/// The launches that a kernel is run on: one thread, one block, two warps, two
/// blocks.
pub fn launches(two_dimensional: bool) -> Vec<Launch> {
    let mut list = vec![
        Launch::linear(1, 1),
        Launch::linear(1, 4),
        Launch::linear(1, 64),
        Launch::linear(2, 4),
        Launch::linear(2, 33),
    ];
    if two_dimensional {
        list = vec![
            Launch::new([1, 1, 1], [1, 1, 1]),
            Launch::new([1, 1, 1], [2, 2, 1]),
            Launch::new([2, 1, 1], [2, 2, 1]),
            Launch::new([1, 1, 1], [20, 2, 1]),
        ];
    }
    list
}

/// Limits of a run: kernels are small, and what loops for ever is cut off.
const LIMITS: Limits = Limits {
    steps: 400_000,
    thread_steps: 4_000,
    memory: 64 << 20,
    call_depth: 1,
    conflicts: u64::MAX,
};

/// Runs the kernel `runs` times on the launch; the defects of runs that count.
///
/// A run counts unless a precondition or assumption was false, an access fell out
/// of its array, or signed arithmetic overflowed: proofs take these for granted.
pub fn observe(
    kernel: &Kernel,
    module: &Module,
    func: Func,
    launch: &Launch,
    runs: usize,
    random: &mut Random,
) -> Vec<Evidence> {
    let mut found: Vec<Evidence> = vec![];
    for number in 0..runs {
        let (inputs, options, text) = setting(kernel, number, random);
        let outcome = run(module, func, launch, &inputs, &options).expect("a legal launch");
        let illegal =
            matches!(outcome.status, Status::RequirementFailed(_) | Status::AssumptionFailed(_));
        let assumed_away = |kind: &FindingKind| {
            matches!(kind, FindingKind::OutOfBounds { .. } | FindingKind::SignedOverflow { .. })
        };
        if illegal || outcome.findings.iter().any(|finding| assumed_away(&finding.kind)) {
            continue;
        }
        for finding in outcome.findings {
            let Some(class) = Class::of(&finding.kind) else { continue };
            if found.iter().all(|other| other.class != class) {
                let (launch, run, finding) = (launch.clone(), text.clone(), finding.kind);
                found.push(Evidence { class, launch, run, finding });
            }
        }
    }
    found.sort_by_key(|evidence| evidence.class);
    found
}

/// Arguments, contents and schedule of a run.
fn setting(kernel: &Kernel, number: usize, random: &mut Random) -> (Inputs, RunOptions, String) {
    let mut inputs = Inputs::new();
    let mut values = [0; PARAMS];
    for (param, name) in PARAM_NAMES.into_iter().enumerate() {
        let bound = kernel.bounds[param];
        let value = if number == 0 { bound - 1 } else { random.below(bound as usize) as u32 };
        values[param] = value;
        inputs = inputs.scalar(name, u128::from(value));
    }
    let seed = random.bits();
    let small = (0..1 << 12).map(|_| random.below(6) as u8 * u8::from(random.percent(40)));
    let fill = match number % 4 {
        0 => Fill::Zero,
        1 => Fill::Iota,
        2 => Fill::Bytes(small.collect()),
        _ => Fill::Random(seed),
    };
    let bytes = (number % 4 == 2).then_some(1 << 16);
    let name = ["zeros", "iota", "small", "random"][number % 4];
    inputs.other_arrays = ArrayInput { fill, bytes };
    let schedule = match number % 3 {
        0 => Schedule::InOrder,
        1 => Schedule::Reversed,
        _ => Schedule::Seeded(seed),
    };
    let options = RunOptions { schedule, seed, limits: LIMITS, ..RunOptions::default() };
    (inputs, options, format!("n, m = {values:?}, contents {name}, {schedule:?}, seed {seed}"))
}

impl Class {
    /// Does a proof exclude it? Not, by docs/soundness.md: a zero divisor, whose
    /// quotient is arbitrary; and, unless the check is strict, a thread of CUDA
    /// that returns early.
    pub fn counts(self, strict: bool) -> bool {
        match self {
            Class::Race | Class::Divergence | Class::Assertion | Class::Claim | Class::WarpMask => {
                true
            }
            Class::Exit => strict,
            Class::Division => false,
        }
    }

    /// The kind of a finding; `None` if it is no defect, or one that proofs take
    /// for granted.
    pub fn of(finding: &FindingKind) -> Option<Class> {
        Some(match finding {
            FindingKind::Race(_) => Class::Race,
            FindingKind::BarrierDivergence { .. } | FindingKind::LeftBarrierLoop { .. } => {
                Class::Divergence
            }
            FindingKind::ExitBeforeBarrier { .. } => Class::Exit,
            FindingKind::AssertFailed { .. } => Class::Assertion,
            FindingKind::BarrierInvariantFailed { .. } => Class::Claim,
            FindingKind::DivisionByZero { .. } => Class::Division,
            FindingKind::WarpDeadlock { .. } | FindingKind::MaskExcludesSelf { .. } => {
                Class::WarpMask
            }
            _ => return None,
        })
    }
}
