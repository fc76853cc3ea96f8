//! Can the threads of a block meet what a contract ensures, of the memory that they share?
//!
//! What a function with a barrier ensures is about the memory that the barrier left, and that
//! is one for all threads of the block. So several threads are walked together through the
//! interval that the barrier starts, as a pair is, and what is ensured of each of them, and of
//! each two, must have a model with the others: of all threads where the block is given and
//! small, of a few otherwise. That more can is on the list of what is assumed.
//!
//! *Why it is right.* Only an unsatisfiable question counts, and only if the same question
//! without what the contracts say is not: threads that the launch does not have, or that do not
//! come to the interval, make both of them so.
//!
//! SOUNDNESS: kernels/modular/22-shared-by-neighbours, which two threads can meet and two
//! neighbours cannot; no answer is a finding (kernels/modular/23-more-threads-than-places).

use duet_ask::Effort;
use duet_ir::{AnnotationKind, InstData};
use duet_product::{Interval, Scope, Start};
use duet_smt::solver::{Answer, SolverError};
use duet_smt::{Model, Op, TermId, Value, eval_all};
use duet_vc::{Extent, Group, Position, Side, ThreadTerms, Walk, walk_group};

use super::Vacuity;
use super::all_threads::{FEW, TOGETHER, first_positions};

impl Vacuity<'_, '_, '_> {
    /// Are there threads of a block that cannot all meet what contracts say of memory that
    /// they share?
    pub(super) fn threads_after_calls_contradict(&mut self) -> Result<bool, SolverError> {
        let facts = self.check.facts;
        let row = facts.program.rows.iter().find(|row| row.scope == Scope::Block);
        let aligned = row.and_then(|row| row.families.iter().find(|family| family.aligned));
        let (Some(row), Some(aligned)) = (row, aligned) else { return Ok(false) };
        let positions = self.threads_of_a_block();
        for interval in &aligned.intervals {
            if !self.has_contract_behind_barrier(interval) {
                continue;
            }
            let guests = positions.len().saturating_sub(1) as u32;
            let group = walk_group(&mut self.check.walker, (row, aligned), interval, guests);
            if self.group_contradicts(&group, &positions)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The threads that are asked about together.
    fn threads_of_a_block(&self) -> Vec<Position> {
        let block = &self.check.options.launch.block;
        let count = block.iter().try_fold(1u64, |count, extent| match extent {
            Extent::Number(number) => count.checked_mul(u64::from(*number)),
            Extent::Free => None,
        });
        let is_small = count.is_some_and(|count| count <= TOGETHER as u64);
        let mut positions = first_positions(&self.check.options.launch);
        positions.retain(|position| position.block == [0; 3]);
        positions.truncate(if is_small { TOGETHER } else { FEW });
        positions
    }

    fn has_contract_behind_barrier(&self, interval: &Interval) -> bool {
        let func = self.check.facts.func;
        let is_contract = |inst: &duet_ir::Inst| {
            let data = &func.insts[*inst];
            matches!(data, InstData::Annotation { kind: AnnotationKind::Contract, .. })
        };
        matches!(interval.start, Start::Barrier(_))
            && interval.region.nodes.values().any(|node| {
                func.blocks[node.block].insts[node.first..node.end].iter().any(is_contract)
            })
    }

    fn group_contradicts(
        &mut self,
        group: &Group,
        positions: &[Position],
    ) -> Result<bool, SolverError> {
        let walks: Vec<&Walk> =
            std::iter::once(&group.walk).chain(group.guests.iter().map(|(_, walk)| walk)).collect();
        let mut without = group.facts.clone();
        let first = self.check.walker.thread(Side::First, None);
        let guests = group.guests.iter().map(|(thread, _)| thread);
        let threads: Vec<_> = std::iter::once(&first).chain(guests).collect();
        let mut likely = Model::new();
        for (thread, position) in threads.into_iter().zip(positions) {
            without.push(self.is_at(thread, position));
            self.place(&mut likely, thread, position);
        }
        without.extend(walks.iter().flat_map(|walk| walk.premises_without_contracts()));
        let mut with = without.clone();
        with.extend(walks.iter().flat_map(|walk| walk.premises()));
        for (number, one) in walks.iter().enumerate() {
            for other in &walks[..number] {
                with.extend(self.check.walker.assumed_of_walks(other, one, true));
            }
        }
        if eval_all(&self.check.walker.pool, &likely, &with)
            .is_ok_and(|values| with.iter().all(|one| values[one] == Value::Bool(true)))
        {
            return Ok(false);
        }
        match self.is_met_together(&with)? {
            Answer::Sat(_) => Ok(false),
            Answer::Unsat => {
                let without = self.is_met_together(&without)?;
                Ok(!matches!(without, Answer::Unsat))
            }
            Answer::Unknown(reason) => Ok(self.not_shown_satisfiable(reason)),
        }
    }

    /// Gives the thread these ids in a model in which all else is 0: many contracts are met
    /// there, and to evaluate it takes no solver.
    fn place(&self, model: &mut Model, thread: &ThreadTerms, position: &Position) {
        let ids = position.thread.iter().chain(&position.block);
        for (&term, &id) in thread.thread.iter().chain(&thread.block).zip(ids) {
            if let Op::Apply(symbol) = self.check.walker.pool.op(term) {
                model.set_at(symbol, vec![], Value::bv(32, u128::from(id)));
            }
        }
    }

    fn is_met_together(&mut self, facts: &[TermId]) -> Result<Answer, SolverError> {
        let about = "contracts of threads that share memory";
        let pool = &mut self.check.walker.pool;
        Ok(self.check.asker.decide(pool, facts, about, Effort::Example)?.answer)
    }
}
