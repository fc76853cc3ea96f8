//! Accesses must stay inside their arrays (only when asked for).
//!
//! An offset below the start is found for every array, one beyond the end where
//! the size is known: from the source, or given for a pointer parameter.

use duet_ask::Question;
use duet_ir::{Array, Function, Module, Rule};
use duet_smt::TermId;
use duet_smt::solver::SolverError;
use duet_vc::SiteTerm;

use crate::check::Check;
use crate::options::CheckOptions;

/// The size of an array in bytes, as far as it is known.
pub fn size_of(
    module: &Module,
    func: &Function,
    options: &CheckOptions,
    array: Array,
) -> Option<u64> {
    let pointers = func.array_params().map(|param| param.array);
    let given = pointers.zip(&options.array_sizes).find(|(pointer, _)| *pointer == array);
    given.and_then(|(_, size)| *size).or(module.arrays[array].size)
}

impl Check<'_, '_> {
    /// Every access of one thread by itself.
    pub(crate) fn check_bounds(&mut self) -> Result<(), SolverError> {
        let walk = self.walker.walk_alone();
        let facts = self.walker.facts_alone();
        for site in &walk.sites {
            let mut given = facts.clone();
            given.extend(walk.facts_at(site.at));
            let is_outside = self.is_outside(site);
            let question = Question {
                given,
                when: vec![site.guard],
                goal: vec![is_outside],
                places: vec![site.inst],
                ..Question::about("array bounds")
            };
            if let Some(open) = self.ask(&question)? {
                self.report_open(Rule::OutOfBounds, site.inst, None, open);
            }
        }
        Ok(())
    }

    /// An offset is an unsigned number; one before the start is a huge one.
    fn is_outside(&mut self, site: &SiteTerm) -> TermId {
        let width = self.walker.pool.width(site.offset);
        let size = size_of(self.facts.module, self.facts.func, self.options, site.array);
        match size.map(|size| size.checked_sub(u64::from(site.bytes))) {
            Some(Some(last)) => {
                let last = self.walker.pool.bv(width, u128::from(last));
                self.walker.pool.compare().ult(last, site.offset)
            }
            // The access is longer than the array.
            Some(None) => self.walker.pool.bool(true),
            None => {
                let zero = self.walker.pool.bv(width, 0);
                self.walker.pool.compare().slt(site.offset, zero)
            }
        }
    }
}
