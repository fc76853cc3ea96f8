//! From suspicions to evidence, on small kernels in the text form of the IR: what a run
//! shows is confirmed, and nothing else.

use duet_analysis::{Aliasing, ArrayUses, Dominators, Loops, Uniformity, UniformityOptions};
use duet_interp::FindingKind;
use duet_ir::{Inst, InstData, Module, Rule, Type, WellFormed, check_well_formed};
use duet_refute::{Refuted, Setting, Subject, Suspicion, refute};
use duet_vc::{Extent, LaunchSpec, Scalar, Witness};

/// All threads write their number to the element of this index.
fn one_store(index: &str) -> String {
    format!(
        "module cuda 64
array @a global param granule 4

kernel k symbol k (a: @a, n: i32 v0) {{
bb0:
  v1 = thread_id.x
  v2 = {index}
  v3 = zext v2 to i64
  v4 = shl i64 v3, 2
  store i32 @a[v4], v1 align 4
  return
}}
"
    )
}

/// All threads write to the same element, if the argument has a value that nobody guesses.
const ONE_VALUE: &str = "module cuda 64
array @a global param granule 4

kernel k symbol k (a: @a, n: i32 v0) {
bb0:
  v1 = thread_id.x
  v2 = icmp eq i32 v0, 77777777
  br v2, bb1, bb2
bb1:
  store i32 @a[i64 0], v1 align 4
  return
bb2:
  return
}
";

/// Some threads return before the barrier at which the others wait.
const EARLY_EXIT: &str = "module cuda 64

kernel k symbol k () {
bb0:
  v1 = thread_id.x
  v2 = icmp slt i32 v1, 2
  br v2, bb1, bb2
bb1:
  barrier block 3
  return
bb2:
  return
}
";

fn setting() -> Setting {
    let one = Extent::Number(1);
    Setting {
        launch: LaunchSpec {
            block: [Extent::Number(4), one, one],
            grid: [one; 3],
            global_offset: [0; 3],
            work_dim: 1,
            most_threads: 1024,
        },
        global_size: [None; 3],
        scalar_args: vec![],
        array_sizes: vec![],
        may_alias: false,
        warp_sync: None,
        tolerate_benign: true,
        only_intra_group: false,
        only_divergence: false,
        strict: false,
        check_bounds: false,
        likely: None,
    }
}

fn module(text: &str) -> WellFormed {
    check_well_formed(Module::parse(text).expect("a module")).expect("a well-formed module")
}

/// Hands a module's only kernel to somebody, with its stores.
fn with_subject<T>(
    module: &WellFormed,
    setting: Setting,
    then: impl FnOnce(&Subject<'_>, &[Inst]) -> T,
) -> T {
    let (kernel, func) = module.kernels().next().expect("a kernel");
    let loops = Loops::new(func, &Dominators::new(func));
    let uses = ArrayUses::new(module, kernel, Aliasing::Distinct);
    let uniformity = Uniformity::new(module, func, &loops, &uses, UniformityOptions::default());
    let is_store = |inst: &Inst| matches!(func.insts[*inst], InstData::Store { .. });
    let stores: Vec<Inst> = func.insts_in_order().filter(is_store).collect();
    then(&Subject::new(module, kernel, setting, &uniformity), &stores)
}

fn race(store: Inst, witness: Option<&Witness>) -> Suspicion<'_> {
    let (primary, secondary) = (Some(store), Some(store));
    Suspicion { rule: Rule::WriteWriteRace, primary, secondary, witness }
}

/// The numbers of confirmed suspicions, and the rules of further defects.
fn summary(refuted: &[Refuted]) -> (Vec<usize>, Vec<Rule>) {
    let confirmed = refuted.iter().flat_map(|one| &one.confirmed).map(|(number, _)| *number);
    let further = refuted.iter().flat_map(|one| &one.further).map(|one| one.defect.rule);
    (confirmed.collect(), further.collect())
}

/// What is shown if a race of the kernel's store is suspected.
fn if_race_is_suspected(text: &str, setting: Setting) -> (Vec<usize>, Vec<Rule>) {
    with_subject(&module(text), setting, |subject, stores| {
        summary(&refute(subject, &[race(stores[0], None)], None, &[]))
    })
}

#[test]
fn a_suspected_race_is_confirmed_by_number_and_can_be_replayed() {
    let module = module(&one_store("and i32 v1, 0"));
    with_subject(&module, setting(), |subject, stores| {
        let about_all =
            Suspicion { rule: Rule::TimeLimit, primary: None, secondary: None, witness: None };
        let refuted = refute(subject, &[about_all, race(stores[0], None)], None, &[]);
        assert_eq!(summary(&refuted), (vec![1], vec![]));
        let (_, evidence) = &refuted[0].confirmed[0];
        assert_eq!(evidence.paths.len(), 2);
        let again = evidence.run.perform(&module, subject.kernel, 1 << 20).expect("a run");
        assert!(again.findings.iter().any(|one| matches!(one.kind, FindingKind::Race(_))));
    });
}

#[test]
fn a_suspicion_without_a_run_is_not_confirmed() {
    let fine = one_store("add i32 v1, 0");
    assert_eq!(if_race_is_suspected(&fine, setting()), (vec![], vec![]));
}

#[test]
fn what_nobody_suspected_is_shown_beside() {
    let module = module(&one_store("and i32 v1, 0"));
    let shown =
        with_subject(&module, setting(), |subject, _| summary(&refute(subject, &[], None, &[])));
    assert_eq!(shown, (vec![], vec![Rule::WriteWriteRace]));
}

#[test]
fn the_setting_says_what_counts_as_a_defect() {
    let text = one_store("and i32 v1, 0");
    let no_races = Setting { only_divergence: true, ..setting() };
    assert_eq!(if_race_is_suspected(&text, no_races), (vec![], vec![]));
    let same_value = text.replace("], v1 align", "], i32 7 align");
    assert_eq!(if_race_is_suspected(&same_value, setting()), (vec![], vec![]));
    let exact = Setting { tolerate_benign: false, ..setting() };
    assert_eq!(if_race_is_suspected(&same_value, exact), (vec![0], vec![]));
}

#[test]
fn the_state_of_a_suspicion_is_tried() {
    let module = module(ONE_VALUE);
    with_subject(&module, setting(), |subject, stores| {
        let shown = |witness| summary(&refute(subject, &[race(stores[0], witness)], None, &[])).0;
        assert_eq!(shown(None), [0; 0]);
        let n = Scalar { bits: 77_777_777, ty: Type::Int(32), unsigned: false };
        let witness = Witness {
            block_dim: [4, 1, 1],
            grid_dim: [1; 3],
            arguments: vec![("n".to_string(), n)],
            ..Witness::default()
        };
        assert_eq!(shown(Some(&witness)), [0]);
    });
}

#[test]
fn leaving_before_a_barrier_is_tolerated_unless_strict() {
    let module = module(EARLY_EXIT);
    for strict in [false, true] {
        with_subject(&module, Setting { strict, ..setting() }, |subject, _| {
            let is_barrier = |inst: &Inst| subject.func.insts[*inst].barrier_scope().is_some();
            let barrier = subject.func.insts_in_order().find(is_barrier);
            let (rule, secondary, witness) = (Rule::ExitBeforeBarrier, None, None);
            let suspicions = [Suspicion { rule, primary: barrier, secondary, witness }];
            let refuted = refute(subject, &suspicions, None, &[]);
            assert_eq!(summary(&refuted), (vec![0], vec![]));
            let (_, evidence) = &refuted[0].confirmed[0];
            assert_eq!(subject.is_tolerated(&evidence.defect), !strict);
            assert_eq!(!subject.first_failures().is_empty(), strict);
        });
    }
}
