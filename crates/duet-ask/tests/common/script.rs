//! A solver that answers from a script and notes what it was asked.

#![allow(dead_code, reason = "each test uses a part of it")]

use std::sync::{Arc, Mutex};

use duet_ask::{Session, SessionOptions};
use duet_smt::solver::{Answer, ProcessSolver, Query, Reason, Solver, SolverError, SolverKind};
use duet_smt::{Model, TermId, TermPool};

/// What the solver says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reply {
    /// It has no model.
    Unsat,
    /// It has a model in which everything is zero: a lie, mostly.
    EmptyModel,
    /// Nothing was found out, for this reason.
    Silent(Reason),
    /// What z3 says.
    Truth,
}

/// Everything that proves nothing.
pub const NO_PROOF: [Reply; 7] = [
    Reply::EmptyModel,
    Reply::Silent(Reason::Timeout),
    Reply::Silent(Reason::Resource),
    Reply::Silent(Reason::Memory),
    Reply::Silent(Reason::Incomplete),
    Reply::Silent(Reason::Crashed),
    Reply::Silent(Reason::Cancelled),
];

/// What the solver was asked, in words, and what it said.
pub type Log = Arc<Mutex<Vec<(String, Reply)>>>;

struct Scripted<F> {
    script: Arc<F>,
    log: Log,
    /// Who is asked for the truth; a script that never wants it needs nobody.
    z3: Option<ProcessSolver>,
}

impl<F: Fn(&str) -> Reply + Send + Sync> Solver for Scripted<F> {
    fn identity(&self) -> String {
        "a script".to_string()
    }

    fn push(&mut self) {
        self.z3.iter_mut().for_each(|z3| z3.push());
    }

    fn pop(&mut self) {
        self.z3.iter_mut().for_each(|z3| z3.pop());
    }

    fn reset(&mut self) {
        self.z3.iter_mut().for_each(|z3| z3.reset());
    }

    fn assert(&mut self, term: TermId) {
        self.z3.iter_mut().for_each(|z3| z3.assert(term));
    }

    fn check(&mut self, pool: &TermPool, query: &Query<'_>) -> Result<Answer, SolverError> {
        let reply = (self.script)(query.about);
        self.log.lock().expect("no test panics with it").push((query.about.to_string(), reply));
        Ok(match reply {
            Reply::Unsat => Answer::Unsat,
            Reply::EmptyModel => Answer::Sat(Model::new()),
            Reply::Silent(reason) => Answer::Unknown(reason),
            Reply::Truth => self.z3.as_mut().expect("z3").check(pool, query)?,
        })
    }
}

/// A session whose solver answers what the script says about a question with these words.
/// The algebra is not asked, so that the solver is.
pub fn session(script: impl Fn(&str) -> Reply + Send + Sync + 'static) -> (Session, Log) {
    start(script, false)
}

/// The same for a script that may say [`Reply::Truth`].
pub fn session_with_z3(script: impl Fn(&str) -> Reply + Send + Sync + 'static) -> (Session, Log) {
    start(script, true)
}

fn start(script: impl Fn(&str) -> Reply + Send + Sync + 'static, truthful: bool) -> (Session, Log) {
    let log = Log::default();
    let (script, kept) = (Arc::new(script), log.clone());
    let make = move || -> Box<dyn Solver> {
        let z3 = truthful.then(|| ProcessSolver::find(SolverKind::Z3, None).expect("z3"));
        Box::new(Scripted { script: script.clone(), log: kept.clone(), z3 })
    };
    let options = SessionOptions { algebra: false, ..SessionOptions::default() };
    (Session::with_solver(make, &options).expect("no folder is opened"), log)
}
