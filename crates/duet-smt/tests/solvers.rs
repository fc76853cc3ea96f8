//! Solver processes: real ones, and fake ones that misbehave. Nothing that goes
//! wrong may become `Unsat`, and the next question must work.

mod common;

use duet_smt::solver::{
    Answer, CancelToken, Limits, Located, Origin, Portfolio, ProcessSolver, Query, QueryCache,
    QueryLog, Reason, RecordingSolver, Solver, SolverError, SolverKind, locate,
};
use duet_smt::{Decider, DeciderOptions, Model, Question, Sort, TermId, TermPool, Value, eval};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::{Duration, Instant};

fn z3() -> ProcessSolver {
    ProcessSolver::find(SolverKind::Z3, None).expect("z3 is installed")
}

fn query(assumptions: &[TermId], ms: u64) -> Query<'_> {
    Query { limits: Limits::wall_ms(ms), ..Query::new(assumptions) }
}

/// `x < 5` and `x > 3` on bytes, with the variable.
fn four(pool: &mut TermPool) -> (TermId, Vec<TermId>) {
    let x = pool.bv_var("x", 8);
    let (three, five) = (pool.bv(8, 3), pool.bv(8, 5));
    let terms = vec![pool.compare().ult(x, five), pool.compare().ult(three, x)];
    (x, terms)
}

#[test]
fn a_context_is_asked_under_changing_assumptions() {
    let mut decider = Decider::new(Box::new(z3()), DeciderOptions::default());
    let mut pool = TermPool::new();
    let (x, mut terms) = four(&mut pool);
    let (selector, four) = (pool.bool_var("s"), pool.bv(8, 4));
    let other = pool.ne(x, four);
    terms.push(pool.implies(selector, other));
    let mut context = decider.context(&mut pool, &terms);
    let dropped = pool.not(selector);
    let mut ask = |pool: &mut TermPool, decider: &mut Decider, assumption, literals: &[TermId]| {
        let question = Question { literals, ..Question::default() };
        let limits = Limits::default();
        let decision = decider.decide_within(pool, &mut context, &[assumption], &question, limits);
        decision.expect("runs").answer
    };
    let plain = terms[..2].to_vec();
    for _ in 0..2 {
        let literals = [plain.clone(), vec![other]].concat();
        assert_eq!(ask(&mut pool, &mut decider, selector, &literals), Answer::Unsat);
        let Answer::Sat(model) = ask(&mut pool, &mut decider, dropped, &plain) else {
            panic!("there is a model without the assumption")
        };
        assert_eq!(eval(&pool, &model, x), Ok(Value::bv(8, 4)));
    }
    // A model of the context that the literals contradict is none.
    let wrong = [plain, vec![other]].concat();
    let answer = ask(&mut pool, &mut decider, dropped, &wrong);
    assert_eq!(answer, Answer::Unknown(Reason::Incomplete));
    decider.close(&mut context);
    let question = Question { literals: &terms, ..Question::default() };
    let again = decider.decide(&mut pool, &question).expect("runs");
    assert_eq!(again.answer.word(), "sat", "other questions are not disturbed");
}

#[test]
fn real_solvers_answer_incrementally() {
    for kind in [SolverKind::Z3, SolverKind::Cvc5] {
        let mut solver = ProcessSolver::find(kind, None).expect("installed");
        let mut pool = TermPool::new();
        let (x, terms) = four(&mut pool);
        terms.iter().for_each(|&t| solver.assert(t));
        let Answer::Sat(model) = solver.check(&pool, &Query::new(&[])).expect("runs") else {
            panic!("{kind:?}: {:?}", solver.last_problem())
        };
        assert_eq!(eval(&pool, &model, x), Ok(Value::bv(8, 4)), "{kind:?}");
        let four = pool.bv(8, 4);
        let not_four = pool.ne(x, four);
        assert_eq!(solver.check(&pool, &Query::new(&[not_four])), Ok(Answer::Unsat), "{kind:?}");
        let odd = pool.bits().mul(x, x);
        let odd = pool.eq(odd, four);
        assert_eq!(solver.check(&pool, &Query::new(&[odd])), Ok(Answer::Unsat), "{kind:?}");
        solver.push();
        solver.assert(not_four);
        assert_eq!(solver.check(&pool, &Query::new(&[])), Ok(Answer::Unsat), "{kind:?}");
        solver.pop();
        assert_eq!(solver.check(&pool, &Query::new(&[])).expect("runs").word(), "sat", "{kind:?}");
        solver.reset();
        solver.assert(not_four);
        let Ok(Answer::Sat(model)) = solver.check(&pool, &Query::new(&[])) else {
            panic!("{kind:?}")
        };
        assert_eq!(eval(&pool, &model, not_four), Ok(Value::Bool(true)), "{kind:?}");
        assert_eq!(solver.starts(), 1, "{kind:?}: {:?}", solver.last_problem());
    }
}

#[test]
fn models_cover_functions_integers_and_named_sorts() {
    for kind in [SolverKind::Z3, SolverKind::Cvc5] {
        let mut pool = TermPool::new();
        let s = pool.named_sort("Thing");
        let f = pool.func("f", &[Sort::BitVec(8), Sort::Int], Sort::Int);
        let g = pool.func("g", &[s], Sort::Bool);
        let (x, n) = (pool.bv_var("x", 8), pool.int_var("n"));
        let (a, b) = (pool.constant("a", s), pool.constant("b", s));
        let two = pool.bv(8, 2);
        let sum = pool.bits().add(x, two);
        let (f1, f2) = (pool.apply(f, &[x, n]), pool.apply(f, &[sum, n]));
        let minus = pool.int(-7);
        let (ga, gb) = (pool.apply(g, &[a]), pool.apply(g, &[b]));
        let terms =
            vec![pool.eq(f1, minus), pool.ints().lt(f1, f2), ga, pool.not(gb), pool.ne(a, b)];
        let mut solver = ProcessSolver::find(kind, None).expect("installed");
        terms.iter().for_each(|&t| solver.assert(t));
        let Ok(Answer::Sat(model)) = solver.check(&pool, &Query::new(&[])) else {
            panic!("{kind:?}: {:?}", solver.last_problem())
        };
        assert!(duet_smt::holds(&pool, &model, &terms), "{kind:?}: {model:?}");
    }
}

/// The sum of three cubes 33 has no small solution: every limit strikes.
fn hard(pool: &mut TermPool) -> TermId {
    let cubes: Vec<TermId> = ["a", "b", "c"]
        .iter()
        .map(|n| {
            let v = pool.int_var(n);
            pool.ints().product(&[v, v, v])
        })
        .collect();
    let sum = pool.ints().sum(&cubes);
    let target = pool.int(114);
    pool.eq(sum, target)
}

#[test]
fn limits_give_unknown_and_the_session_goes_on() {
    for kind in [SolverKind::Z3, SolverKind::Cvc5] {
        let mut pool = TermPool::new();
        let hard = hard(&mut pool);
        let mut solver = ProcessSolver::find(kind, None).expect("installed");
        solver.push();
        solver.assert(hard);
        let counted = Limits { resources: Some(300_000), ..Limits::wall_ms(20_000) };
        let q = Query { limits: counted, ..Query::new(&[]) };
        let start = Instant::now();
        let answer = solver.check(&pool, &q).expect("runs");
        assert!(!answer.is_definite(), "{kind:?}: {answer:?}");
        assert!(start.elapsed() < Duration::from_secs(15), "{kind:?}: the count did not strike");
        let answer = solver.check(&pool, &query(&[], 200)).expect("runs");
        assert!(!answer.is_definite(), "{kind:?}: {answer:?}");
        solver.pop();
        let (_, terms) = four(&mut pool);
        assert_eq!(
            solver.check(&pool, &query(&terms, 5000)).expect("runs").word(),
            "sat",
            "{kind:?}"
        );
    }
}

#[test]
fn cancelling_stops_a_question() {
    let mut pool = TermPool::new();
    let hard = hard(&mut pool);
    let mut solver = z3();
    solver.assert(hard);
    let cancel = CancelToken::new();
    let flag = cancel.clone();
    let waiter = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(150));
        flag.cancel();
    });
    let q = Query { cancel, ..query(&[], 20_000) };
    assert_eq!(solver.check(&pool, &q), Ok(Answer::Unknown(Reason::Cancelled)));
    waiter.join().expect("the waiter ends");
    solver.reset();
    assert_eq!(solver.check(&pool, &query(&[], 5000)).expect("runs").word(), "sat");
}

#[test]
fn a_killed_solver_is_no_answer_and_is_replaced() {
    let mut pool = TermPool::new();
    let (_, terms) = four(&mut pool);
    let hard = hard(&mut pool);
    let mut solver = z3();
    solver.assert(terms[0]);
    assert_eq!(solver.check(&pool, &query(&[], 5000)).expect("runs").word(), "sat");
    let id = solver.process_id().expect("it runs");
    let killer = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(200));
        let status = std::process::Command::new("kill").args(["-9", &id.to_string()]).status();
        assert!(status.expect("kill runs").success());
    });
    let answer = solver.check(&pool, &query(&[hard], 20_000)).expect("runs");
    killer.join().expect("the killer ends");
    assert_eq!(answer, Answer::Unknown(Reason::Crashed));
    assert!(solver.last_problem().is_some());
    let not_less = pool.not(terms[0]);
    assert_eq!(solver.check(&pool, &query(&[not_less], 5000)), Ok(Answer::Unsat));
    assert_eq!(solver.starts(), 2);
}

#[test]
fn the_memory_fence_gives_unknown() {
    let mut pool = TermPool::new();
    let x = pool.bv_var("x", 128);
    let y = pool.bv_var("y", 128);
    let product = pool.bits().mul(x, y);
    let product = pool.bits().product(&[product, product, x]);
    let c = pool.bv(128, 0x1234_5678_9abc_def1_1234_5678_9abc_def3);
    let t = pool.eq(product, c);
    let mut solver = z3();
    solver.assert(t);
    let limits = Limits { memory_mb: Some(64), ..Limits::wall_ms(20_000) };
    let answer = solver.check(&pool, &Query { limits, ..Query::new(&[]) }).expect("starts");
    assert!(
        matches!(answer, Answer::Unknown(Reason::Memory | Reason::Crashed)),
        "{answer:?} {:?}",
        solver.last_problem()
    );
    solver.reset();
    assert_eq!(solver.check(&pool, &query(&[], 5000)).expect("runs").word(), "sat");
}

/// A shell script that plays solver: it echoes what it is told to echo, and on
/// each `check-sat` runs `on_check`. `$n` counts the questions over all
/// processes, by a file.
fn fake(dir: &Path, on_check: &str) -> ProcessSolver {
    let program = dir.join("solver.sh");
    let script = format!(
        "#!/bin/sh\n\
         while read -r line; do\n\
           case \"$line\" in\n\
             '(echo '*) t=${{line#*\\\"}}; echo \"${{t%\\\"*}}\";;\n\
             '(check-sat'*) echo x >> {count}; n=$(wc -l < {count}); {on_check};;\n\
             '(get-info :rlimit'*) echo '(:rlimit 1)';;\n\
             '(get-info'*) echo '(:reason-unknown incomplete)';;\n\
           esac\n\
         done\n",
        count = dir.join("count").display(),
    );
    std::fs::write(&program, script).expect("the script is written");
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).expect("executable");
    ProcessSolver::new(Located { kind: SolverKind::Z3, program, origin: Origin::Given })
}

/// Asks a fake twice: the first time it misbehaves, the second it says `unsat`.
fn misbehave(first: &str) -> (Answer, Answer, Option<String>) {
    let dir = tempfile::tempdir().expect("a folder");
    let mut solver = fake(dir.path(), &format!("if [ $n = 1 ]; then {first}; else echo unsat; fi"));
    let pool = TermPool::new();
    let before = solver.check(&pool, &query(&[], 700)).expect("starts");
    let problem = solver.last_problem().map(str::to_string);
    let after = solver.check(&pool, &query(&[], 5000)).expect("starts");
    (before, after, problem)
}

#[test]
fn fakes_that_misbehave_never_prove() {
    let crashed = Answer::Unknown(Reason::Crashed);
    let cases = [
        ("garbage", "echo 'unsat?'", crashed.clone()),
        ("dies", "exit 3", crashed.clone()),
        ("dies after half an answer", "printf unsa; exit 0", crashed.clone()),
        ("dies after its answer", "echo unsat; exit 0", crashed.clone()),
        ("says it twice", "echo unsat; echo unsat", crashed.clone()),
        ("contradicts itself", "echo sat; echo unsat", crashed.clone()),
        ("error, then unsat", "echo '(error \"line 3\")'; echo unsat", crashed.clone()),
        ("says nothing", ":", crashed.clone()),
        ("another question's answer", "echo duet-17; echo unsat", crashed.clone()),
        ("hangs", "sleep 30", Answer::Unknown(Reason::Timeout)),
        ("answers late", "sleep 2; echo unsat", Answer::Unknown(Reason::Timeout)),
        ("out of memory", "echo '(error \"out of memory\")'", Answer::Unknown(Reason::Memory)),
        ("binary noise", "head -c 300 /dev/urandom; echo", crashed),
    ];
    for (name, script, expected) in cases {
        let (before, after, problem) = misbehave(script);
        assert_eq!(before, expected, "{name}: {problem:?}");
        assert!(problem.is_some(), "{name}");
        assert_eq!(after, Answer::Unsat, "{name}: the next question");
    }
}

#[test]
fn a_refused_assertion_is_noticed() {
    let dir = tempfile::tempdir().expect("a folder");
    let program = dir.path().join("solver.sh");
    let script = "#!/bin/sh\nwhile read -r line; do case \"$line\" in\n\
        '(assert '*) echo '(error \"no\")';;\n\
        '(echo '*) t=${line#*\\\"}; echo \"${t%\\\"*}\";;\n\
        '(check-sat'*) echo unsat;;\nesac; done\n";
    std::fs::write(&program, script).expect("written");
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).expect("executable");
    let located = Located { kind: SolverKind::Z3, program, origin: Origin::Given };
    let mut solver = ProcessSolver::new(located);
    let mut pool = TermPool::new();
    let (_, terms) = four(&mut pool);
    solver.assert(terms[0]);
    assert_eq!(solver.check(&pool, &query(&[], 2000)), Ok(Answer::Unknown(Reason::Crashed)));
}

#[test]
fn a_solver_that_never_reads_cannot_block_us() {
    let dir = tempfile::tempdir().expect("a folder");
    let program = dir.path().join("solver.sh");
    std::fs::write(&program, "#!/bin/sh\nexec sleep 30\n").expect("written");
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).expect("executable");
    let located = Located { kind: SolverKind::Z3, program, origin: Origin::Given };
    let mut solver = ProcessSolver::new(located);
    let mut pool = TermPool::new();
    for i in 0..20_000 {
        let x = pool.bool_var(&format!("a_rather_long_name_{i}"));
        solver.assert(x);
    }
    let start = Instant::now();
    assert_eq!(solver.check(&pool, &query(&[], 300)), Ok(Answer::Unknown(Reason::Timeout)));
    assert!(start.elapsed() < Duration::from_secs(5));
}

#[test]
fn a_missing_solver_is_an_error_that_names_it() {
    let missing = Path::new("/nonexistent/z3");
    let error = locate(SolverKind::Z3, Some(missing)).expect_err("not there");
    assert!(error.to_string().contains("z3 is not installed"), "{error}");
    let located =
        Located { kind: SolverKind::Z3, program: missing.to_path_buf(), origin: Origin::Given };
    let result = ProcessSolver::new(located).check(&TermPool::new(), &Query::new(&[]));
    assert!(matches!(result, Err(SolverError::CannotStart { .. })), "{result:?}");
}

#[test]
fn a_portfolio_takes_the_first_and_reports_contradiction() {
    let pool = TermPool::new();
    let slow = tempfile::tempdir().expect("a folder");
    let fast = tempfile::tempdir().expect("a folder");
    let slow_fake = fake(slow.path(), "sleep 20; echo sat");
    let fast_fake = fake(fast.path(), "echo unsat");
    let mut race = Portfolio::new(vec![Box::new(slow_fake), Box::new(fast_fake)]);
    let start = Instant::now();
    assert_eq!(race.check(&pool, &query(&[], 15_000)), Ok(Answer::Unsat));
    assert!(start.elapsed() < Duration::from_secs(5));

    let sat = Fixed("a", Answer::Sat(Model::new()));
    let unsat = Fixed("b", Answer::Unsat);
    let mut race = Portfolio::new(vec![Box::new(sat), Box::new(unsat)]);
    let q = Query { about: "a question", ..query(&[], 5000) };
    let Err(SolverError::Disagreement(text)) = race.check(&pool, &q) else {
        panic!("the contradiction is not reported")
    };
    assert_eq!(text, "a says sat, b says unsat: a question");
}

/// A solver with one answer to everything, which cannot be stopped.
struct Fixed(&'static str, Answer);

impl Solver for Fixed {
    fn identity(&self) -> String {
        self.0.to_string()
    }
    fn push(&mut self) {}
    fn pop(&mut self) {}
    fn reset(&mut self) {}
    fn assert(&mut self, _: TermId) {}
    fn check(&mut self, _: &TermPool, _: &Query<'_>) -> Result<Answer, SolverError> {
        Ok(self.1.clone())
    }
}

#[test]
fn a_portfolio_survives_a_dead_member() {
    let dir = tempfile::tempdir().expect("a folder");
    let mut pool = TermPool::new();
    let (_, terms) = four(&mut pool);
    let mut race = Portfolio::new(vec![Box::new(fake(dir.path(), "exit 1")), Box::new(z3())]);
    terms.iter().for_each(|&t| race.assert(t));
    let not_less = pool.not(terms[0]);
    assert_eq!(race.check(&pool, &query(&[not_less], 5000)), Ok(Answer::Unsat));
    assert_eq!(race.check(&pool, &query(&[], 5000)).expect("runs").word(), "sat");
}

#[test]
fn the_cache_keeps_definite_answers_only() {
    let dir = tempfile::tempdir().expect("a folder");
    let cache = QueryCache::open(dir.path()).expect("opens");
    let mut pool = TermPool::new();
    let (_, terms) = four(&mut pool);
    let log_dir = dir.path().join("log");
    let log = QueryLog::open(&log_dir).expect("opens");
    let ask = |pool: &TermPool, assumption: &[TermId]| {
        let mut solver =
            RecordingSolver::new(Box::new(z3()), Some(cache.clone()), Some(log.clone()));
        terms.iter().for_each(|&t| solver.assert(t));
        let q = Query { about: "is x four?", ..query(assumption, 5000) };
        let answer = solver.check(pool, &q).expect("runs");
        (answer, solver.cache_hits())
    };
    let first = ask(&pool, &[]);
    assert_eq!((first.0.word(), first.1), ("sat", 0));
    assert_eq!(ask(&pool, &[]), (first.0, 1), "the model is kept");
    let not_less = pool.not(terms[0]);
    assert_eq!(ask(&pool, &[not_less]), (Answer::Unsat, 0));
    assert_eq!(ask(&pool, &[not_less]), (Answer::Unsat, 1));

    let question = std::fs::read_to_string(log_dir.join("q00001.smt2")).expect("written");
    assert!(question.starts_with("; is x four?\n") && question.ends_with("(check-sat)\n"));
    let transcript = std::fs::read_to_string(log_dir.join("transcript.txt")).expect("written");
    assert_eq!(transcript.lines().count(), 4, "{transcript}");
    let again = duet_smt::text::parse_script(&mut pool, &question, true).expect("stands alone");
    assert_eq!(again.assertions.len(), 2);

    for entry in walk(dir.path()) {
        if entry.parent() == Some(&log_dir) {
            continue;
        }
        let text = std::fs::read_to_string(&entry).expect("reads").replace("unsat", "sat");
        let text = text.replace("(|x| () 4)", "(|x| () 9)");
        std::fs::write(&entry, text).expect("corrupted");
    }
    assert_eq!(ask(&pool, &[not_less]), (Answer::Unsat, 0), "a changed entry is ignored");
}

fn walk(dir: &Path) -> Vec<std::path::PathBuf> {
    let entries = std::fs::read_dir(dir).expect("a folder").map(|e| e.expect("an entry").path());
    entries.flat_map(|p| if p.is_dir() { walk(&p) } else { vec![p] }).collect()
}

#[test]
fn unknown_is_not_cached() {
    let dir = tempfile::tempdir().expect("a folder");
    let cache = QueryCache::open(&dir.path().join("cache")).expect("opens");
    let pool = TermPool::new();
    let solver = fake(dir.path(), "if [ $n = 1 ]; then echo unknown; else echo unsat; fi");
    let mut solver = RecordingSolver::new(Box::new(solver), Some(cache), None);
    let first = solver.check(&pool, &query(&[], 2000));
    assert_eq!(first, Ok(Answer::Unknown(Reason::Incomplete)));
    assert_eq!(solver.check(&pool, &query(&[], 2000)), Ok(Answer::Unsat));
    assert_eq!(solver.cache_hits(), 0);
}
