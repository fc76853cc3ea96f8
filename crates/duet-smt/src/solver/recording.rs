//! A solver whose questions are looked up in a cache and written to a log.

use super::{Answer, Query, QueryCache, QueryLog, Solver, SolverError};
use crate::eval::holds;
use crate::pool::TermPool;
use crate::sort::TermId;
use crate::text::write_script;
use std::time::Instant;

/// Wraps a solver; either addition may be absent.
pub struct RecordingSolver {
    inner: Box<dyn Solver>,
    cache: Option<QueryCache>,
    log: Option<QueryLog>,
    frames: Vec<Vec<TermId>>,
    hits: u64,
    work: u64,
}

impl RecordingSolver {
    /// Adds a cache and a log to a solver.
    pub fn new(inner: Box<dyn Solver>, cache: Option<QueryCache>, log: Option<QueryLog>) -> Self {
        RecordingSolver { inner, cache, log, frames: vec![Vec::new()], hits: 0, work: 0 }
    }

    /// How many questions the cache answered.
    pub fn cache_hits(&self) -> u64 {
        self.hits
    }

    /// A kept answer. A model is used only if it is one.
    fn lookup(&self, pool: &TermPool, key: &str, all: &[TermId]) -> Option<(Answer, u64)> {
        match self.cache.as_ref()?.get(pool, key)? {
            (Answer::Sat(model), _) if !holds(pool, &model, all) => None,
            answer => Some(answer),
        }
    }

    fn ask(
        &mut self,
        pool: &TermPool,
        query: &Query<'_>,
        all: &[TermId],
    ) -> Result<(Answer, &'static str), SolverError> {
        if self.cache.is_none() {
            let answer = self.inner.check(pool, query)?;
            self.work = self.inner.last_work();
            return Ok((answer, "asked"));
        }
        let script = write_script(pool, all, "");
        let key = QueryCache::key(&script, &self.inner.identity());
        if let Some((answer, work)) = self.lookup(pool, &key, all) {
            self.hits += 1;
            self.work = work;
            return Ok((answer, "cached"));
        }
        let answer = self.inner.check(pool, query)?;
        self.work = self.inner.last_work();
        if let Some(cache) = &self.cache {
            cache.put(pool, &key, &answer, self.work);
        }
        Ok((answer, "asked"))
    }
}

impl Solver for RecordingSolver {
    fn identity(&self) -> String {
        self.inner.identity()
    }

    fn name(&self) -> String {
        self.inner.name()
    }

    fn push(&mut self) {
        self.frames.push(Vec::new());
        self.inner.push();
    }

    fn pop(&mut self) {
        self.frames.pop();
        self.inner.pop();
    }

    fn reset(&mut self) {
        self.frames = vec![Vec::new()];
        self.inner.reset();
    }

    fn assert(&mut self, t: TermId) {
        self.frames.last_mut().expect("the outermost scope").push(t);
        self.inner.assert(t);
    }

    fn check(&mut self, pool: &TermPool, query: &Query<'_>) -> Result<Answer, SolverError> {
        let mut all: Vec<TermId> = self.frames.concat();
        all.extend_from_slice(query.assumptions);
        let name = self.log.as_ref().and_then(|log| {
            let comment = format!("{}\nfor {}", query.about, self.inner.identity());
            log.question(&write_script(pool, &all, &comment)).ok()
        });
        let start = Instant::now();
        let outcome = self.ask(pool, query, &all);
        if let (Some(log), Some(name)) = (&self.log, name) {
            let (word, how) = match &outcome {
                Ok((answer, how)) => (answer.word(), *how),
                Err(_) => ("error", "asked"),
            };
            let by = format!("{} ({how})", self.inner.identity());
            log.answer(&name, query.about, &by, word, start.elapsed());
        }
        outcome.map(|(answer, _)| answer)
    }

    fn last_work(&self) -> u64 {
        self.work
    }

    fn forget(&mut self) {
        self.inner.forget();
    }

    fn last_problem(&self) -> Option<&str> {
        self.inner.last_problem()
    }

    fn has_integers(&self) -> bool {
        self.inner.has_integers()
    }

    fn answers_briefly(&self) -> bool {
        self.inner.answers_briefly()
    }
}
