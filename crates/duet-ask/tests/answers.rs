//! Only a solver that says `unsat` proves anything.

#[path = "common/kernel.rs"]
mod kernel;
#[path = "common/script.rs"]
mod script;

use std::time::Duration;

use duet_ask::{Answered, AskOptions, Asker, Budget, Doubt, Patience, Session, Trace};
use duet_smt::solver::Reason;

use script::{NO_PROOF, Reply};

/// An assertion that neither the simplifier nor the state in which all is zero decides.
const KERNEL: &str = r#"
module cuda 64
kernel k symbol k (n: i32 v9 "n") {
bb0:
  v1 = mul i32 v9, v9
  v2 = icmp ne i32 v1, 4660
  assert annotated v2
  return
}
"#;

/// What becomes of the assertion.
fn answer(session: &mut Session, options: AskOptions, trace: Trace) -> (Answered, Trace) {
    let module = kernel::parse(KERNEL).expect("a module");
    let facts = kernel::facts(&module).expect("a kernel");
    let mut walker = kernel::walker(&facts);
    let mut asker = Asker::new(session, options);
    asker.trace = trace;
    let (_, question) = kernel::assertions(&mut walker).remove(0);
    let answer = asker.ask(&mut walker, &question).expect("an answer");
    (answer, std::mem::take(&mut asker.trace))
}

fn reason(answer: Answered) -> Option<Reason> {
    match answer.open()?.doubt {
        Doubt::Model(_) => None,
        Doubt::Unknown(reason) => Some(reason),
    }
}

#[test]
fn only_unsat_is_a_proof() {
    let (mut session, log) = script::session(|_| Reply::Unsat);
    let (answer, _) = answer(&mut session, kernel::ask_options(), Trace::default());
    assert_eq!(answer, Answered::Proved);
    let log = log.lock().expect("a log");
    assert_eq!(log[..], [("an assertion".to_string(), Reply::Unsat)]);
}

#[test]
fn what_a_silent_solver_leaves_is_open() {
    for reply in NO_PROOF {
        let (mut session, log) = script::session(move |_| reply);
        let (answer, _) = answer(&mut session, kernel::ask_options(), Trace::default());
        // The state in which all is zero does not break the assertion: it is refused.
        let expected = match reply {
            Reply::Silent(reason) => reason,
            Reply::EmptyModel | Reply::Unsat | Reply::Truth => Reason::Incomplete,
        };
        assert_eq!(reason(answer), Some(expected), "{reply:?}");
        assert!(!log.lock().expect("a log").is_empty(), "{reply:?} was not asked for");
    }
}

#[test]
fn what_nobody_was_asked_is_open() {
    let with = |budget: Budget| AskOptions { budget, ..kernel::ask_options() };
    let late = with(Budget::new(Patience::Full, Some(Duration::ZERO)));
    let hasty = with(Budget::new(Patience::None, None));
    let poor = with(Budget { work: 0, ..Budget::new(Patience::Full, None) });
    let all = [(late, Reason::Timeout), (hasty, Reason::Incomplete), (poor, Reason::Resource)];
    for (options, expected) in all {
        let (mut session, log) = script::session(|_| Reply::Unsat);
        let (answer, _) = answer(&mut session, options, Trace::default());
        assert_eq!(reason(answer), Some(expected));
        assert!(log.lock().expect("a log").is_empty(), "a solver was asked");
    }
}

#[test]
fn what_is_only_written_down_is_not_proved() {
    let (mut session, log) = script::session(|_| Reply::Unsat);
    let written = Trace { only_written: true, ..Trace::default() };
    let (answer, trace) = answer(&mut session, kernel::ask_options(), written);
    assert_eq!(reason(answer), Some(Reason::Cancelled));
    assert!(log.lock().expect("a log").is_empty(), "a solver was asked");
    let script = trace.asked[0].script.as_deref().expect("a script");
    assert!(script.contains("(check-sat)"), "{script}");
    assert_eq!((trace.asked[0].answer, trace.asked.len()), ("unknown", 1));
}

/// Once the verdict is clear nothing more is asked, and nothing more is proved.
#[test]
fn what_comes_after_the_verdict_is_not_proved() {
    let (mut session, log) = script::session(|_| Reply::Unsat);
    let module = kernel::parse(KERNEL).expect("a module");
    let facts = kernel::facts(&module).expect("a kernel");
    let mut walker = kernel::walker(&facts);
    let mut asker = Asker::new(&mut session, kernel::ask_options());
    asker.settle();
    let (_, question) = kernel::assertions(&mut walker).remove(0);
    let answer = asker.ask(&mut walker, &question).expect("an answer");
    assert_eq!(reason(answer), Some(Reason::Cancelled));
    assert!(log.lock().expect("a log").is_empty(), "a solver was asked");
}

/// A session beside one with its own solver asks such a solver too.
#[test]
fn sessions_beside_ask_the_same_kind_of_solver() {
    let (mut session, log) = script::session(|_| Reply::Unsat);
    let mut beside = session.another().expect("a session");
    let (answer, _) = answer(&mut beside, kernel::ask_options(), Trace::default());
    assert_eq!(answer, Answered::Proved);
    assert_eq!(log.lock().expect("a log").len(), 1);
}
