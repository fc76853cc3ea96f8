//! Additions of the two threads to a counter return different values.
//!
//! Which arrays are counters, and why it is so, is said in
//! [`duet_product::KernelFacts::is_counter`].

use duet_ir::Space;
use duet_product::{Row, Scope};
use duet_smt::TermId;

use super::Walker;
use crate::SiteTerm;

impl Walker<'_> {
    /// Additions to counters on a walk.
    pub fn additions<'w>(&self, sites: impl Iterator<Item = &'w SiteTerm>) -> Vec<SiteTerm> {
        sites
            .filter(|site| site.writes && site.result.is_some() && site.atomic.is_some())
            .filter(|site| self.facts.is_counter(site.array))
            .cloned()
            .collect()
    }

    /// Additions of the two threads at one place return different values.
    pub fn counter_facts(
        &mut self,
        row: &Row,
        first: &[SiteTerm],
        second: &[SiteTerm],
    ) -> Vec<TermId> {
        let mut facts = vec![];
        for a in first {
            for b in second.iter().filter(|b| b.array == a.array) {
                let shared = self.facts.module.arrays[a.array].space == Space::Shared;
                let (Some(one), Some(other)) = (a.result, b.result) else { continue };
                if (shared && row.scope == Scope::Grid)
                    || self.pool.sort(one) != self.pool.sort(other)
                {
                    continue;
                }
                let place = self.pool.eq(a.offset, b.offset);
                let both = self.pool.and(&[a.guard, b.guard, place]);
                let differ = self.pool.ne(one, other);
                facts.push(self.pool.implies(both, differ));
            }
        }
        facts
    }
}
