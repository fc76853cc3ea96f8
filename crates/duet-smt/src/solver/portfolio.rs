//! Several solvers race for each question.
//!
//! Who is first is a matter of luck, so luck must not show: `unsat` is the same from every
//! member and ends the race at once; a model is that of the first member, in the order
//! in which they are listed, that has one, so a race with a model goes on until all
//! members before that one are done. Members forget what they learned from earlier
//! questions: a member that was stopped early learned less.

use super::session::estimated_work;
use super::{Answer, CancelToken, Query, Reason, Solver, SolverError};
use crate::pool::TermPool;
use crate::sort::TermId;
use std::sync::mpsc::channel;
use std::time::Duration;

/// Solvers that are asked the same question at the same time.
pub struct Portfolio {
    members: Vec<Box<dyn Solver>>,
    problem: Option<String>,
    winner: Option<usize>,
    work: u64,
}

/// How often the caller's cancel flag is passed on.
const POLL: Duration = Duration::from_millis(10);

impl Portfolio {
    /// A race of these.
    ///
    /// # Panics
    /// If there is none.
    pub fn new(members: Vec<Box<dyn Solver>>) -> Self {
        assert!(!members.is_empty(), "a portfolio needs a solver");
        Portfolio { members, problem: None, winner: None, work: 0 }
    }

    /// Who gave the last definite answer.
    pub fn last_winner(&self) -> Option<String> {
        self.winner.map(|i| self.members[i].identity())
    }

    /// Runs all members; stops the others once nothing that they say would change the
    /// answer. Returns every member's result, in the order in which they are listed.
    fn race(&mut self, pool: &TermPool, query: &Query<'_>) -> Vec<(usize, Outcome)> {
        let stop = CancelToken::new();
        let (report, reports) = channel();
        let mut results = Vec::new();
        let total = self.members.len();
        std::thread::scope(|scope| {
            for (i, member) in self.members.iter_mut().enumerate() {
                let (report, mut query) = (report.clone(), query.clone());
                query.cancel = stop.clone();
                scope.spawn(move || {
                    let _ = report.send((i, member.check(pool, &query)));
                });
            }
            drop(report);
            while results.len() < total {
                match reports.recv_timeout(POLL) {
                    Ok((i, outcome)) => {
                        results.push((i, outcome));
                        if is_settled(&results) {
                            stop.cancel();
                        }
                    }
                    Err(std::sync::mpsc::RecvTimeoutError::Timeout) => {
                        if query.cancel.is_cancelled() {
                            stop.cancel();
                        }
                    }
                    Err(std::sync::mpsc::RecvTimeoutError::Disconnected) => break,
                }
            }
        });
        results.sort_by_key(|(i, _)| *i);
        results
    }

    fn disagreement(&self, results: &[(usize, Outcome)], about: &str) -> Option<SolverError> {
        let said = |word: &str| {
            results.iter().find(|(_, r)| matches!(r, Ok(a) if a.word() == word)).map(|(i, _)| *i)
        };
        let (sat, unsat) = (said("sat")?, said("unsat")?);
        Some(SolverError::Disagreement(format!(
            "{} says sat, {} says unsat: {about}",
            self.members[sat].identity(),
            self.members[unsat].identity()
        )))
    }
}

type Outcome = Result<Answer, SolverError>;

/// Is the answer clear, whatever the members say that are not done?
fn is_settled(results: &[(usize, Outcome)]) -> bool {
    let is_done = |member: usize| results.iter().any(|(i, _)| *i == member);
    results.iter().any(|(i, outcome)| match outcome {
        Ok(Answer::Unsat) => true,
        Ok(Answer::Sat(_)) => (0..*i).all(is_done),
        Ok(Answer::Unknown(_)) | Err(_) => false,
    })
}

impl Solver for Portfolio {
    fn identity(&self) -> String {
        self.members.iter().map(|m| m.identity()).collect::<Vec<_>>().join(" | ")
    }

    fn name(&self) -> String {
        self.members.iter().map(|m| m.name()).collect::<Vec<_>>().join(" | ")
    }

    fn push(&mut self) {
        self.members.iter_mut().for_each(|m| m.push());
    }

    fn pop(&mut self) {
        self.members.iter_mut().for_each(|m| m.pop());
    }

    fn reset(&mut self) {
        self.members.iter_mut().for_each(|m| m.reset());
    }

    fn assert(&mut self, t: TermId) {
        self.members.iter_mut().for_each(|m| m.assert(t));
    }

    /// A member that cannot be started counts as unknown as long as another
    /// one runs; contradiction is an error whichever was first.
    fn check(&mut self, pool: &TermPool, query: &Query<'_>) -> Result<Answer, SolverError> {
        let results = self.race(pool, query);
        self.members.iter_mut().for_each(|member| member.forget());
        self.problem = self.members.iter().find_map(|m| m.last_problem().map(str::to_string));
        if let Some(error) = self.disagreement(&results, query.about) {
            return Err(error);
        }
        let definite = results.iter().find(|(_, r)| matches!(r, Ok(a) if a.is_definite()));
        self.winner = definite.map(|(i, _)| *i);
        self.work = estimated_work(query.limits, definite.is_none());
        if let Some((_, answer)) = definite {
            return answer.clone();
        }
        if query.cancel.is_cancelled() {
            return Ok(Answer::Unknown(Reason::Cancelled));
        }
        let unknown = results.iter().find(|(_, r)| r.is_ok()).or(results.first());
        unknown.map_or(Ok(Answer::Unknown(Reason::Crashed)), |(_, outcome)| outcome.clone())
    }

    fn last_work(&self) -> u64 {
        self.work
    }

    fn last_problem(&self) -> Option<&str> {
        self.problem.as_deref()
    }
}
