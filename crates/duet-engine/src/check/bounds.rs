//! Accesses must stay inside their arrays (only when asked for).
//!
//! An offset below the start is found for every array, one beyond the end where
//! the size is known: from the source, or given for a pointer parameter.

use duet_ir::{Array, Function, Module};
use duet_smt::TermId;
use duet_smt::solver::SolverError;
use duet_vc::SiteTerm;

use super::options::CheckOptions;
use super::session::Check;

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

impl Check<'_, '_, '_> {
    /// Every access of one thread by itself.
    pub fn check_bounds(&mut self) -> Result<(), SolverError> {
        let walk = self.walk_alone();
        let facts = self.facts_alone();
        for site in &walk.sites {
            let mut literals = facts.clone();
            literals.extend(walk.facts_at(site.at));
            literals.push(site.guard);
            let is_outside = self.is_outside(site);
            literals.push(is_outside);
            self.about([site.inst]);
            let decision = self.decide(&literals, "array bounds")?;
            self.note_obstacles(&decision.answer, &[is_outside], &[site.guard]);
            if let Some(why) = self.why(&decision.answer) {
                self.report("out-of-bounds", site.inst, None, why);
            }
        }
        Ok(())
    }

    /// An offset is an unsigned number; one before the start is a huge one.
    fn is_outside(&mut self, site: &SiteTerm) -> TermId {
        let width = self.pool.width(site.offset);
        let size = size_of(self.facts.module, self.facts.func, self.options, site.array);
        match size.map(|size| size.checked_sub(u64::from(site.bytes))) {
            Some(Some(last)) => {
                let last = self.pool.bv(width, u128::from(last));
                self.pool.ult(last, site.offset)
            }
            // The access is longer than the array.
            Some(None) => self.pool.bool(true),
            None => {
                let zero = self.pool.bv(width, 0);
                self.pool.slt(site.offset, zero)
            }
        }
    }
}
