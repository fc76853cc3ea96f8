//! Frames: every store is to a cell that the clause names.

use duet_ask::Effort;
use duet_ir::Space;
use duet_smt::TermId;
use duet_spec::Assigned;

use super::clauses::{Clauses, Stop};
use crate::contract::Named;

impl Clauses<'_, '_, '_> {
    /// Every store is to a cell that the frame names.
    pub fn frame(&mut self, cells: &[Assigned]) -> Result<(), Stop> {
        let sites: Vec<_> =
            self.walked.walk.sites.iter().filter(|site| site.writes).cloned().collect();
        for site in sites {
            let module = self.walked.facts().module;
            if module.arrays[site.array].space != Space::Global {
                continue;
            }
            let mut anyone = self.walked.stranger(None);
            let mut known = self.base.clone();
            known.extend(self.stranger_facts(None, &site, &mut anyone));
            let offset = self.walked.one_at(&mut anyone, site.offset);
            let mut ways = vec![];
            for cell in cells {
                if let Some(&Named::Array(array, ty)) = self.bound.names.get(&cell.array)
                    && array == site.array
                {
                    ways.push(self.inside(cell, ty, offset)?);
                }
            }
            let goal = self.walked.walker.pool.or(&ways);
            if !self.implies(&known, goal, "a store is inside the frame", Effort::Full)? {
                let line = self.walked.facts().line_of(site.inst);
                let line = line.map_or(String::new(), |line| format!(" at line {line}"));
                return Err(Stop::Open(format!("the store{line} may be outside of the frame")));
            }
        }
        Ok(())
    }

    /// The offset is one of the cells; bounds are evaluated before the launch.
    fn inside(
        &mut self,
        cell: &Assigned,
        ty: duet_ir::ScalarType,
        offset: TermId,
    ) -> Result<TermId, Stop> {
        let none = vec![];
        let (from, cells) = self.with_cells(&none, true, |terms| terms.offset(&cell.from, ty))?;
        let last = cell.to.as_ref().unwrap_or(&cell.from);
        let (to, more) = self.with_cells(&none, true, |terms| terms.offset(last, ty))?;
        debug_assert!(cells.is_empty() && more.is_empty());
        let base = self.base.clone();
        self.show_sides(&base)?;
        let pool = &mut self.walked.walker.pool;
        let (above, below) = (pool.compare().sle(from, offset), pool.compare().sle(offset, to));
        Ok(pool.and2(above, below))
    }
}
