//! Verdicts under a solver that answers from a script: only `unsat` proves anything, and
//! a solver that finds nothing out leaves a finding behind.

mod common;
#[path = "../../duet-ask/tests/common/script.rs"]
mod script;

use std::collections::BTreeSet;
use std::time::Duration;

use duet_ask::Patience;
use duet_check::{
    CheckOptions, Encoding, KernelReport, LogOptions, Verdict, Why, check_kernel, kernel_conditions,
};
use duet_ir::Severity;
use duet_smt::solver::{Reason, SolverError};

use common::{check, fixed, free, parse, rules};
use script::{NO_PROOF, Reply};

/// Each thread writes an element of its own, as long as nothing wraps around.
const RACE: &str = r#"
module cuda 64
array @a global param granule 4
kernel k symbol k (a: @a) {
bb0:
  v1 = thread_id.x
  v2 = block_id.x
  v3 = mul i32 v2, 64
  v4 = add i32 v3, v1
  v5 = zext v4 to i64
  v6 = mul i64 v5, 4
  store i32 @a[v6], v1 align 4
  return
}
"#;

/// Which thread is at the barrier depends on what it read.
const DIVERGENCE: &str = r#"
module opencl 64
array @a global param granule 4
kernel k symbol k (a: @a) {
bb0:
  v1 = thread_id.x
  v2 = xor i32 v1, 5
  v3 = mul i32 v2, v2
  v4 = icmp ne i32 v3, 77
  br v4, bb1, bb2
bb1:
  barrier block 3
  jump bb2
bb2:
  return
}
"#;

/// A square is not that number: zero is no counterexample, and no simplifier knows.
const ASSERTION: &str = r#"
module cuda 64
kernel k symbol k (n: i32 v9 "n") {
bb0:
  v1 = mul i32 v9, v9
  v2 = icmp ne i32 v1, 4660
  assert annotated v2
  return
}
"#;

/// Each thread writes an even element and reads an odd one.
const READ: &str = r#"
module cuda 64
array @a global param granule 4
kernel k symbol k (a: @a) {
bb0:
  v1 = thread_id.x
  v2 = mul i32 v1, v1
  v3 = mul i32 v2, 2
  v4 = zext v3 to i64
  v5 = mul i64 v4, 4
  v6 = add i64 v5, 4
  v7 = load i32 @a[v6] align 4
  store i32 @a[v5], 1 align 4
  return
}
"#;

/// Kernels with one thing to prove, and the rule of what is left open.
const OBLIGATIONS: [(&str, &str); 4] = [
    (RACE, "write-write-race"),
    (DIVERGENCE, "exit-before-barrier"),
    (ASSERTION, "assertion-failed"),
    (READ, "read-write-race"),
];

/// Nothing but the solver decides: no run is looked for.
fn options() -> CheckOptions {
    CheckOptions { refute: false, ..fixed() }
}

/// The report on a kernel if the solver says this, and how often it was asked.
fn report(text: &str, reply: Reply) -> (KernelReport, usize) {
    let (mut session, log) = script::session(move |_| reply);
    let report = check(text, &mut session, &options());
    let asked = log.lock().expect("a log").len();
    (report, asked)
}

#[test]
fn only_unsat_to_all_questions_is_a_proof() {
    for (text, rule) in OBLIGATIONS {
        let (proved, asked) = report(text, Reply::Unsat);
        assert!(asked > 0, "no solver was asked about {rule}");
        assert_eq!(proved.verdict, Verdict::Proved, "{rule}: {:?}", proved.findings);
        for reply in NO_PROOF {
            let (open, asked) = report(text, reply);
            assert!(asked > 0, "no solver was asked about {rule}");
            assert_eq!(open.verdict, Verdict::Unproven, "{rule}, {reply:?}");
        }
    }
}

/// The same by logs.
#[test]
fn nothing_is_proved_by_logs_without_an_answer() {
    let options = || CheckOptions { encoding: Encoding::Logs(LogOptions::default()), ..options() };
    for text in [RACE, DIVERGENCE, ASSERTION] {
        for reply in NO_PROOF {
            let (mut session, log) = script::session(move |_| reply);
            let open = check(text, &mut session, &options());
            assert!(!log.lock().expect("a log").is_empty(), "no solver was asked about {text}");
            assert_eq!(open.verdict, Verdict::Unproven, "{reply:?}, {text}");
        }
    }
}

/// A solver that dies, gives up, is late or tells lies leaves a finding of the rule that
/// the question was about, with the reason.
#[test]
fn what_nobody_answers_is_a_finding_of_its_rule() {
    for (text, rule) in OBLIGATIONS {
        for reply in NO_PROOF {
            let (open, _) = report(text, reply);
            assert!(rules(&open).contains(&rule.to_string()), "{:?}", open.findings);
            let words = match reply {
                Reply::Silent(Reason::Crashed) => "the solver died or spoke garbage",
                Reply::Silent(Reason::Timeout) => "the time limit was reached",
                Reply::Silent(Reason::Memory) => "the solver ran out of memory",
                Reply::Silent(Reason::Resource) => "the solver used up its resources",
                Reply::Silent(Reason::Cancelled) => "the solver was stopped",
                Reply::Silent(Reason::Incomplete) | Reply::EmptyModel => "the solver gave up",
                Reply::Unsat | Reply::Truth => unreachable!("it may prove"),
            };
            let is_it = |why: &Why| matches!(why, Why::Solver(own) if own == words);
            assert!(open.findings.iter().any(|finding| is_it(&finding.why)), "{reply:?}");
        }
    }
}

/// For each kind of question that a proof asks: if this one alone is not answered, there
/// is no proof.
#[test]
fn every_kind_of_question_counts() {
    for (text, rule) in OBLIGATIONS {
        let (mut session, log) = script::session(|_| Reply::Unsat);
        assert_eq!(check(text, &mut session, &options()).verdict, Verdict::Proved, "{rule}");
        let kinds: BTreeSet<String> =
            log.lock().expect("a log").iter().map(|(about, _)| about.clone()).collect();
        for kind in kinds {
            for reply in NO_PROOF {
                let silent = kind.clone();
                let (mut session, _) = script::session(move |about| match about == silent {
                    true => reply,
                    false => Reply::Unsat,
                });
                let open = check(text, &mut session, &options());
                assert_eq!(open.verdict, Verdict::Unproven, "{rule}, {kind}, {reply:?}");
            }
        }
    }
}

/// A precondition that neither zero nor a small change of it meets, and nothing to prove:
/// 16 to 31 are among the numbers that do.
const NOTHING_TO_PROVE: &str = r#"
module cuda 64
kernel k symbol k (n: i32 v9 "n") {
bb0:
  v0 = xor i32 v9, 21
  v1 = icmp ule i32 v0, 10
  annotation requires (v1)
  return
}
"#;

/// The same with a precondition that hardly any run meets.
const HARD_TO_MEET: &str = r#"
module cuda 64
kernel k symbol k (n: i32 v9 "n") {
bb0:
  v1 = xor i32 v9, 305419896
  v2 = icmp ule i32 v1, 10
  annotation requires (v2)
  return
}
"#;

/// Where the solver says nothing, a run that comes to its end shows that what is assumed
/// can be met, by one thread and by two of each row.
#[test]
fn a_run_shows_what_a_silent_solver_does_not() {
    for reason in [Reason::Resource, Reason::Crashed] {
        let (proved, asked) = report(NOTHING_TO_PROVE, Reply::Silent(reason));
        assert!(asked > 0, "the solver comes first");
        assert_eq!(proved.verdict, Verdict::Proved, "{:?}", proved.findings);
        let example = proved.example.expect("the run");
        assert!(example.arguments.iter().any(|(name, n)| name == "n" && n.bits > 5));
    }
}

/// Nothing to prove and no model of what is assumed is no proof.
#[test]
fn what_may_be_vacuous_is_not_proved() {
    for reply in NO_PROOF {
        let (open, asked) = report(HARD_TO_MEET, reply);
        assert!(asked > 0, "nobody was asked for a model");
        assert_eq!(open.verdict, Verdict::Unproven, "{reply:?}");
        assert_eq!(rules(&open), ["not-shown-satisfiable"], "{reply:?}");
    }
    let (vacuous, _) = report(NOTHING_TO_PROVE, Reply::Unsat);
    assert_eq!(vacuous.verdict, Verdict::Vacuous);
    assert_eq!(vacuous.verdict.word(), "unproven");
    // With free sizes a model is guessed, and runs meet the precondition.
    let (mut session, _) = script::session(|_| Reply::Silent(Reason::Crashed));
    let proved = check(NOTHING_TO_PROVE, &mut session, &free());
    assert_eq!(proved.verdict, Verdict::Proved, "{:?}", proved.findings);
}

/// Two threads can meet the precondition, all 64 of a block cannot: no number above 31 is
/// within 10 of 21 bit by bit.
const HALF_A_BLOCK: &str = r#"
module cuda 64
kernel k symbol k (n: i32 v9 "n") {
bb0:
  v1 = thread_id.x
  v4 = xor i32 v1, 3
  v2 = icmp ult i32 v4, v9
  annotation requires (v2)
  v0 = xor i32 v9, 21
  v3 = icmp ule i32 v0, 10
  annotation requires (v3)
  return
}
"#;

/// Whether all threads of a launch can meet what is required is asked by several kinds of
/// questions. If one of them is not answered and no run meets it, nothing is proved.
#[test]
fn what_nobody_knows_of_all_threads_is_a_finding() {
    let (mut session, _) = script::session_with_z3(|_| Reply::Truth);
    assert_eq!(check(HALF_A_BLOCK, &mut session, &options()).verdict, Verdict::Vacuous);
    for kind in ["a thread that breaks preconditions", "preconditions of several threads"] {
        for reply in NO_PROOF {
            let (mut session, log) = script::session_with_z3(move |about| match about == kind {
                true => reply,
                false => Reply::Truth,
            });
            let report = check(HALF_A_BLOCK, &mut session, &options());
            let asked = log.lock().expect("a log").iter().any(|(about, _)| about == kind);
            assert!(asked, "{kind} was not asked");
            assert_eq!(report.verdict, Verdict::Unproven, "{kind}, {reply:?}");
            assert_eq!(rules(&report), ["not-shown-satisfiable"]);
        }
    }
}

/// What a contract states of a bit and of the bits of two threads can be met by two threads,
/// and by no three.
const CONTRACT_OF_THREE: &str = r#"
module cuda 64
array @out global param granule 4
kernel k symbol k (out: @out) {
bb0:
  annotation contract (true)
  v7 = fresh i32 unknown_function "a function known by its contract"
  v9 = icmp ult i32 v7, 2
  annotation contract (v9)
  v16 = ghost other i32 (v7)
  v17 = icmp ne i32 v7, v16
  annotation contract (v17)
  return
}
"#;

/// Whether contracts can be met by several threads is a question too: if it is not answered,
/// nothing is proved.
#[test]
fn what_nobody_knows_of_contracts_is_a_finding() {
    let (mut session, _) = script::session_with_z3(|_| Reply::Truth);
    assert_eq!(check(CONTRACT_OF_THREE, &mut session, &options()).verdict, Verdict::Vacuous);
    let kind = "contracts of a few threads";
    for reply in NO_PROOF {
        let (mut session, log) = script::session_with_z3(move |about| match about == kind {
            true => reply,
            false => Reply::Truth,
        });
        let report = check(CONTRACT_OF_THREE, &mut session, &options());
        let asked = log.lock().expect("a log").iter().any(|(about, _)| about == kind);
        assert!(asked, "{kind} was not asked");
        assert_eq!(report.verdict, Verdict::Unproven, "{reply:?}");
        assert_eq!(rules(&report), ["not-shown-satisfiable"], "{reply:?}");
    }
}

/// What the mirrored thread stored is claimed, and used after the barrier.
const CLAIM: &str = r#"
module cuda 64
array @out global param granule 4
array @a shared variable granule 4 size 256
kernel k symbol k (out: @out) {
bb0:
  v8 = thread_id.x
  v9 = zext v8 to i64
  v13 = mul i64 v9, 4
  store i32 @a[v13], v8 align 4
  v17 = load i32 @a[v13] align 4 ghost
  v19 = icmp eq i32 v17, v8
  v22 = xor i32 v8, 32
  v23 = zext v22 to i64
  annotation barrier_invariant (v19, v23)
  barrier block 3
  v27 = mul i64 v23, 4
  v28 = load i32 @a[v27] align 4
  v30 = icmp eq i32 v28, v22
  assert annotated v30
  return
}
"#;

/// What is known after a barrier that a run passes must have a model. If it has none, what a
/// proof rests on is wrong, and there is no verdict.
#[test]
fn a_contradiction_after_a_barrier_is_an_internal_error() {
    let about_barrier = "what is known after a barrier";
    let module = parse(CLAIM).expect("a module");
    let (kernel, _) = module.kernels().next().expect("a kernel");
    for (safety_net, reply) in [(true, Reply::Truth), (false, Reply::Unsat), (true, Reply::Unsat)] {
        let (mut session, log) = script::session_with_z3(move |about| match about {
            _ if about == about_barrier => reply,
            _ => Reply::Truth,
        });
        let options = CheckOptions { safety_net, ..options() };
        let result = check_kernel(&mut session, &module, kernel, &options);
        let asked = log.lock().expect("a log").iter().any(|(about, _)| about == about_barrier);
        assert_eq!(asked, safety_net);
        match (safety_net, reply) {
            (true, Reply::Unsat) => {
                assert!(matches!(result, Err(SolverError::Disagreement(_))), "no error");
            }
            _ => assert_eq!(result.expect("a report").verdict, Verdict::Proved),
        }
    }
}

/// What is assumed in the second iteration excludes every thread from the racing store.
const ASSUMED_AWAY: &str = r#"
module cuda 64
array @a global param granule 4
kernel k symbol k (a: @a) {
bb0:
  v1 = thread_id.x
  jump bb1(i32 0)
bb1(i32 v5 "i"):
  v9 = icmp ule i32 v5, 1
  annotation invariant (v9)
  v6 = icmp ult i32 v5, 4
  br v6, bb2, bb3
bb2:
  v7 = icmp eq i32 v5, 0
  annotation assume (v7)
  v8 = add i32 v5, 1
  jump bb1(v8)
bb3:
  store i32 @a[0], v1 align 4
  return
}
"#;

/// An assumption in a loop that no run meets may leave nobody to get to what is proved:
/// if that is not found out, nothing is proved.
#[test]
fn what_nobody_knows_of_assumptions_in_loops_is_a_finding() {
    let (mut session, log) = script::session_with_z3(|_| Reply::Truth);
    assert_eq!(check(ASSUMED_AWAY, &mut session, &options()).verdict, Verdict::Vacuous);
    for kind in ["is this place reached", "without assumptions"] {
        let asked = log.lock().expect("a log").iter().any(|(about, _)| about == kind);
        assert!(asked, "{kind} was not asked");
        for reply in NO_PROOF {
            let (mut session, _) = script::session_with_z3(move |about| match about == kind {
                true => reply,
                false => Reply::Truth,
            });
            let report = check(ASSUMED_AWAY, &mut session, &options());
            assert_eq!(report.verdict, Verdict::Unproven, "{kind}, {reply:?}");
            assert_eq!(rules(&report), ["not-shown-satisfiable"]);
        }
    }
}

/// The write of each iteration is the thread's own if the index stays in its row, which
/// has to be an invariant.
const LOOP: &str = r#"
module cuda 64
array @a global param granule 4
kernel k symbol k (a: @a) {
bb0:
  v1 = thread_id.x
  v2 = block_id.x
  v3 = mul i32 v2, 64
  v4 = add i32 v3, v1
  v20 = mul i32 v4, 64
  jump bb1(i32 0)
bb1(i32 v5 "x"):
  v6 = fresh i1 "unknown"
  br v6, bb2, bb5
bb2:
  v7 = add i32 v20, v5
  v8 = zext v7 to i64
  v9 = mul i64 v8, 4
  store i32 @a[v9], v5 align 4
  v10 = add i32 v5, 1
  v11 = icmp uge i32 v10, 64
  br v11, bb3, bb4(v10)
bb3:
  jump bb4(i32 0)
bb4(i32 v12):
  jump bb1(v12)
bb5:
  return
}
"#;

/// A candidate that nobody decides is dropped: it is no invariant.
#[test]
fn undecided_candidates_are_no_invariants() {
    for reply in NO_PROOF {
        let (mut session, log) = script::session(move |_| reply);
        let report = check(LOOP, &mut session, &options());
        assert!(!log.lock().expect("a log").is_empty());
        assert_eq!(report.verdict, Verdict::Unproven, "{reply:?}");
        let kept: Vec<_> = report.inference.kept.iter().map(|one| &one.text).collect();
        let simple = check(LOOP, &mut script::session(|_| NO_PROOF[1]).0, &options());
        assert_eq!(simple.inference.kept.len(), kept.len(), "{kept:?}");
    }
}

#[test]
fn time_limit_is_a_finding() {
    // Nobody is asked anything.
    let none = CheckOptions { time_limit: Some(Duration::ZERO), ..options() };
    let (mut session, log) = script::session(|_| Reply::Unsat);
    let report = check(RACE, &mut session, &none);
    assert_eq!(report.verdict, Verdict::Unproven);
    assert!(rules(&report).contains(&"time-limit".to_string()), "{:?}", report.findings);
    assert!(log.lock().expect("a log").is_empty(), "a solver was asked");
    // The first answer comes when the time is up: what it proves counts, the rest is open.
    let short = CheckOptions { time_limit: Some(Duration::from_secs(1)), ..options() };
    let (mut session, log) = script::session(|_| {
        std::thread::sleep(Duration::from_millis(1100));
        Reply::Unsat
    });
    let report = check(&two_arrays(), &mut session, &short);
    assert_eq!(report.verdict, Verdict::Unproven);
    assert_eq!(rules(&report), ["time-limit"], "{:?}", report.findings);
    assert_eq!(log.lock().expect("a log").len(), 1, "nobody is asked after that");
}

/// RACE with another interval after it.
fn two_arrays() -> String {
    let again = "  barrier block 3\n  store i32 @a[v6], v2 align 4\n  return\n";
    RACE.replace("  return\n", again)
}

/// A loop that the algebra alone proves, and a return before a barrier, which is only a
/// warning in CUDA.
const EARLY_RETURN: &str = r#"
module cuda 64
array @a global param granule 4
kernel k symbol k (a: @a, n: i32 v90 "n") {
bb0:
  v1 = thread_id.x
  v2 = icmp slt i32 v1, v90
  br v2, bb1(i32 0), bb4
bb1(i32 v5 "i"):
  v6 = icmp ult i32 v5, 8
  br v6, bb2, bb3
bb2:
  v7 = add i32 v5, 1
  jump bb1(v7)
bb3:
  barrier block 3
  jump bb4
bb4:
  return
}
"#;

#[test]
fn no_patience_accepts_no_warning() {
    let (mut session, _) = script::session(|_| Reply::Silent(Reason::Incomplete));
    let warned = check(EARLY_RETURN, &mut session, &options());
    assert_eq!(rules(&warned), ["exit-before-barrier"], "{:?}", warned.findings);
    assert_eq!(warned.findings[0].severity, Severity::Warning);
    // Whether the warning is true was asked again, with patience.
    assert_ne!(warned.decided_by, "plain");
    // Where all threads come to the barrier, nobody has to ask.
    let all = EARLY_RETURN.replace("icmp slt i32 v1, v90", "icmp ult i32 v1, 64");
    let clean = check(&all, &mut session, &options());
    assert_eq!(
        (clean.verdict, clean.decided_by),
        (Verdict::Proved, "plain"),
        "{:?}",
        clean.findings
    );
}

/// Without patience the first question that needs a solver ends the check.
#[test]
fn what_no_patience_leaves_is_a_finding() {
    for (text, rule) in OBLIGATIONS {
        let hasty = CheckOptions { patience: Patience::None, ..options() };
        let (mut session, log) = script::session(|_| Reply::Unsat);
        let report = check(text, &mut session, &hasty);
        assert_eq!(report.verdict, Verdict::Unproven, "{rule}");
        let found = rules(&report);
        assert!(found.contains(&"not-shown-satisfiable".to_string()), "{found:?}");
        assert!(log.lock().expect("a log").is_empty(), "a solver was asked about {rule}");
    }
}

/// A kernel with one annotation, at the head of its loop if the place is not named.
fn annotated(annotation: &str) -> String {
    format!(
        r#"
module cuda 64
array @a global param granule 4
array @b global fresh granule 4
kernel k symbol k (a: @a, n: i32 v9 "n") {{
bb0:
  v1 = icmp eq i32 v9, v9
  v2 = icmp ne i32 v9, 4660
  {}
  jump bb1(v9)
bb1(i32 v5 "x"):
  v6 = icmp ne i32 v5, 77
  {}
  v7 = fresh i1 "unknown"
  br v7, bb2, bb3
bb2:
  v8 = mul i32 v5, 3
  jump bb1(v8)
bb3:
  return
}}
"#,
        if annotation.contains("v6") { "" } else { annotation },
        if annotation.contains("v6") { annotation } else { "" },
    )
}

#[test]
fn annotations_that_are_not_checked_are_findings() {
    let cases = [
        ("annotation ensures (v1)", "not-modelled"),
        ("annotation global_ensures (v1)", "not-modelled"),
        ("annotation barrier_invariant (v1, v9, i32 1)", "misplaced-barrier-invariant"),
        ("annotation barrier_invariant_binary (v1, v9, i32 1)", "misplaced-barrier-invariant"),
        ("annotation array_snapshot (@a, @b)", "not-modelled"),
        ("annotation invariant (v6)", "invariant-failed"),
        ("annotation global_invariant (v6)", "invariant-failed"),
        ("annotation invariant (v2)", "misplaced-annotation"),
        ("annotation global_invariant (v2)", "misplaced-annotation"),
        ("annotation function_wide_invariant (v2)", "invariant-failed"),
        ("assert annotated v6", "assertion-failed"),
    ];
    for (annotation, rule) in cases {
        let (report, _) = report(&annotated(annotation), Reply::Silent(Reason::Incomplete));
        assert_eq!(report.verdict, Verdict::Unproven, "{annotation}");
        assert_eq!(rules(&report), [rule], "{annotation}");
    }
    // Only candidates may be dropped without a word.
    for annotation in [
        "",
        "annotation candidate_invariant (v6)",
        "annotation candidate_global_invariant (v6)",
        "annotation function_wide_candidate_invariant (v2)",
    ] {
        let (report, _) = report(&annotated(annotation), Reply::Silent(Reason::Incomplete));
        assert_eq!(report.verdict, Verdict::Proved, "{annotation}: {:?}", report.findings);
    }
}

/// The questions of a proof can be had as text; they are not asked.
#[test]
fn conditions_are_written_and_not_asked() {
    let module = parse(RACE).expect("a module");
    let (kernel, _) = module.kernels().next().expect("a kernel");
    let (mut session, log) = script::session(|_| Reply::Unsat);
    let asked = kernel_conditions(&mut session, &module, kernel, &options()).expect("conditions");
    assert!(!asked.is_empty() && asked.iter().all(|one| one.answer == "unknown"));
    assert!(log.lock().expect("a log").is_empty(), "a solver was asked");
}

/// An index that may wrap around, as the file test `soon` has it.
fn may_wrap(place: &str) -> String {
    format!(
        r#"
module cuda 64
file0 "k.cu"
array @a global param granule 4
kernel k symbol k (a: @a, w: i32 v90 "w") {{
bb0:
  v1 = thread_id.x
  v2 = block_id.x
  v3 = mul i32 v2, 64
  v4 = add i32 v3, v1
  v10 = icmp sge i32 v90, 1
  annotation requires (v10)
  v6 = mul nsw i32 v4, v90{place}
  v7 = sext v6 to i64
  v8 = mul i64 v7, 4
  store i32 @a[v8], v1 align 4
  return
}}

!0 = file0:3:1
"#
    )
}

#[test]
fn what_has_no_line_is_not_assumed() {
    let mut session = duet_ask::Session::new().expect("a solver");
    let named = check(&may_wrap(" !0"), &mut session, &options());
    assert_eq!((named.verdict, named.decided_by), (Verdict::Proved, "no overflow"));
    let nameless = check(&may_wrap(""), &mut session, &options());
    assert_eq!(nameless.verdict, Verdict::Unproven, "{:?}", nameless.assumptions);
}

/// In SMT-LIB a division by zero yields a number with all bits set. Hardware may differ.
#[test]
fn a_division_by_zero_yields_anything() {
    let text = r#"
module cuda 64
kernel k symbol k (n: i32 v9 "n") {
bb0:
  v1 = icmp eq i32 v9, 0
  annotation requires (v1)
  v2 = udiv i32 7, v9
  v3 = icmp eq i32 v2, -1
  assert annotated v3
  return
}
"#;
    let mut session = duet_ask::Session::new().expect("a solver");
    let open = check(text, &mut session, &options());
    assert_eq!(open.verdict, Verdict::Unproven);
    assert_eq!(rules(&open), ["assertion-failed"]);
    let by_one = text.replace("eq i32 v9, 0", "eq i32 v9, 1").replace("v2, -1", "v2, 7");
    assert_eq!(check(&by_one, &mut session, &options()).verdict, Verdict::Proved);
}
