//! A solver that answers from a script and notes what it was asked.

#![allow(dead_code, reason = "each test uses a part of it")]

use std::sync::{Arc, Mutex};

use duet_ask::{Session, SessionOptions};
use duet_smt::solver::{Answer, Query, Reason, Solver, SolverError};
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
}

impl<F: Fn(&str) -> Reply + Send + Sync> Solver for Scripted<F> {
    fn identity(&self) -> String {
        "a script".to_string()
    }

    fn push(&mut self) {}

    fn pop(&mut self) {}

    fn reset(&mut self) {}

    fn assert(&mut self, _: TermId) {}

    fn check(&mut self, _: &TermPool, query: &Query<'_>) -> Result<Answer, SolverError> {
        let reply = (self.script)(query.about);
        self.log.lock().expect("no test panics with it").push((query.about.to_string(), reply));
        Ok(match reply {
            Reply::Unsat => Answer::Unsat,
            Reply::EmptyModel => Answer::Sat(Model::new()),
            Reply::Silent(reason) => Answer::Unknown(reason),
        })
    }
}

/// A session whose solver answers what the script says about a question with these words.
/// The algebra is not asked, so that the solver is.
pub fn session(script: impl Fn(&str) -> Reply + Send + Sync + 'static) -> (Session, Log) {
    let log = Log::default();
    let (script, kept) = (Arc::new(script), log.clone());
    let make = move || -> Box<dyn Solver> {
        Box::new(Scripted { script: script.clone(), log: kept.clone() })
    };
    let options = SessionOptions { algebra: false, ..SessionOptions::default() };
    (Session::with_solver(make, &options).expect("no folder is opened"), log)
}
