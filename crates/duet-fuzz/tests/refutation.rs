//! Random kernels: what is refuted can be seen again in the very run that is
//! reported, and making a run smaller never makes it larger.

use duet_engine::check::{Finding, KernelReport, Session, Verdict, Why};
use duet_engine::refute::Evidence;
use duet_fuzz::{Plan, case_of, check, lower};
use duet_interp::FindingKind;
use duet_ir::{Func, Inst, Module, Rule};

/// How many kernels; `DUET_REFUTATION_KERNELS` asks for more, from number
/// `DUET_REFUTATION_FIRST` on:
/// `DUET_REFUTATION_KERNELS=5000 cargo nextest run -p duet-fuzz --test refutation`.
const KERNELS: usize = 40;
/// Kernels after which a line says how far it is.
const STRIDE: usize = 250;
/// Instructions of a run.
const STEPS: u64 = 50_000_000;

fn plan() -> Plan {
    let asked = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    Plan {
        kernels: asked("DUET_REFUTATION_KERNELS").unwrap_or(KERNELS),
        first: asked("DUET_REFUTATION_FIRST").unwrap_or(0),
        seed: 11,
        jobs: 1,
        enough: 1,
        shrinking: 0,
        clean: 45,
        progress: false,
        cross_check: false,
    }
}

/// Does the reported run show the defect that is reported, at the same places?
fn is_seen_again(module: &Module, kernel: Func, evidence: &Evidence) -> bool {
    let outcome = evidence.run.perform(module, kernel, STEPS).expect("a run");
    let wanted = places(&evidence.defect.kind);
    outcome.findings.iter().any(|finding| places(&finding.kind) == wanted)
}

/// The rule, and of a race the two instructions, in either order.
fn places(kind: &FindingKind) -> (Rule, Vec<Inst>) {
    let mut insts = match kind {
        FindingKind::Race(race) => vec![race.first.site.inst, race.second.site.inst],
        _ => vec![],
    };
    insts.sort_unstable();
    (kind.rule(), insts)
}

fn refuted(report: &KernelReport) -> impl Iterator<Item = (&Finding, &Evidence)> {
    report.findings.iter().filter_map(|finding| match &finding.why {
        Why::Run(evidence) => Some((finding, &**evidence)),
        _ => None,
    })
}

#[test]
fn refuted_means_replayed() {
    let plan = plan();
    let mut session = Session::new().expect("a solver");
    let (mut defective, mut shown) = (0, 0);
    for number in plan.first..plan.first + plan.kernels {
        if number > plan.first && number % STRIDE == 0 {
            println!("up to {number}: {shown} refuted, {defective} showed a defect");
        }
        let case = case_of(&plan, number);
        let (module, kernel) = lower(&case.kernel);
        let checked = case.checked.as_ref();
        let report =
            check(&mut session, &module, kernel, checked, case.strict, true).expect("a report");
        defective += usize::from(case.defective);
        shown += usize::from(report.verdict == Verdict::Refuted);
        for (finding, evidence) in refuted(&report) {
            let seen = is_seen_again(&module, kernel, evidence);
            assert!(seen, "kernel {number}: {} is not seen again\n{module}", finding.rule);
            let (last, first) = (evidence.run.weight(), evidence.first_weight);
            assert!(last <= first, "kernel {number}: {last:?} is larger than {first:?}");
            if let Some(launch) = checked {
                let sizes = (evidence.run.launch.block, evidence.run.launch.grid);
                assert_eq!(sizes, (launch.block, launch.grid), "kernel {number}");
            }
        }
    }
    println!("{shown} of {} kernels are refuted, {defective} showed a defect", plan.kernels);
    assert!(shown * 2 >= defective, "only {shown} are refuted, {defective} showed a defect");
}
