//! Terms of values, and what is assumed on the way.

use duet_ir::{Const, EntityRef, Space, Type, Value, ValueDef};
use duet_smt::{Op, TermId};
use duet_vc::{argument_name, ops};

use super::Lockstep;

impl Lockstep<'_> {
    /// The term of a value for a thread.
    pub fn term(&mut self, thread: usize, value: Value) -> TermId {
        if let Some(term) = self.constant_term(value) {
            return term;
        }
        match self.threads[thread].values.get(&value) {
            Some(&term) => term,
            // It was never computed on a way that was walked.
            None => self.unknown(value),
        }
    }

    /// The term of a value that no instruction computes.
    pub fn constant_term(&mut self, value: Value) -> Option<TermId> {
        let func = self.setting.facts.func;
        let ty = func.type_of(value);
        Some(match func.values[value] {
            ValueDef::Const(Const::Bits(bits)) => ops::constant(self.pool, bits, ty),
            ValueDef::Const(Const::Null) => self.pool.bv(32, 0),
            ValueDef::Const(Const::Array(array)) => self.pool.bv(32, array.index() as u128 + 1),
            ValueDef::FunctionParam(_) => {
                let name = argument_name(func, value);
                self.pool.constant(&name, ops::sort_of(ty))
            }
            ValueDef::Result(..) | ValueDef::BlockParam(..) => return None,
        })
    }

    /// A value of which nothing is known.
    pub fn unknown(&mut self, value: Value) -> TermId {
        let ty = self.setting.facts.func.type_of(value);
        self.unknown_of(ty)
    }

    /// A value of a type of which nothing is known.
    pub fn unknown_of(&mut self, ty: Type) -> TermId {
        self.pool.fresh("any", ops::sort_of(ty))
    }

    /// A truth of which nothing is known.
    pub fn unknown_truth(&mut self, hint: &str) -> TermId {
        self.pool.fresh(hint, duet_smt::Sort::Bool)
    }

    /// Gives a value its term.
    pub fn define(&mut self, thread: usize, value: Value, term: TermId) {
        self.threads[thread].values.insert(value, term);
    }

    /// A thread that gets here goes on only if a condition holds.
    pub fn assume(&mut self, thread: usize, reach: TermId, holds: TermId) {
        let fact = self.pool.implies(reach, holds);
        if self.pool.as_bool(fact) == Some(true) {
            return;
        }
        // SOUNDNESS: nothing that could be excused came before (test
        // `an_assumption_does_not_excuse_what_came_before`).
        if self.is_quiet && self.pool.as_bool(fact) != Some(false) {
            self.known.push(fact, None);
            return;
        }
        let alive = self.unknown_truth("alive");
        let still = self.pool.and2(self.threads[thread].alive, fact);
        let meaning = self.pool.eq(alive, still);
        self.known.push(meaning, None);
        self.threads[thread].alive = alive;
    }

    /// The thread is here, and alive.
    pub fn is_here(&mut self, thread: usize, reach: TermId) -> TermId {
        let alive = self.threads[thread].alive;
        self.pool.and2(reach, alive)
    }

    /// The value of whichever way was taken.
    pub fn choose(&mut self, choices: &[(TermId, TermId)], value: Value) -> TermId {
        let possible: Vec<&(TermId, TermId)> =
            choices.iter().filter(|(guard, _)| self.pool.as_bool(*guard) != Some(false)).collect();
        let Some((&&(_, last), rest)) = possible.split_last() else { return self.unknown(value) };
        let rest: Vec<(TermId, TermId)> = rest.iter().map(|choice| **choice).collect();
        let merge = |term, &(guard, own): &(TermId, TermId)| self.pool.ite(guard, own, term);
        rest.iter().rev().fold(last, merge)
    }

    /// One of the conditions holds; `a and c` or `a and not c` is `a`.
    pub fn join(&mut self, guards: &[TermId]) -> TermId {
        let mut guards = guards.to_vec();
        'again: loop {
            for i in 0..guards.len() {
                for j in i + 1..guards.len() {
                    if let Some(merged) = self.complementary(guards[i], guards[j]) {
                        guards[i] = merged;
                        guards.remove(j);
                        continue 'again;
                    }
                }
            }
            return self.pool.or(&guards);
        }
    }

    /// What two conjunctions have in common if one literal is all they differ in.
    fn complementary(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        let parts = |pool: &duet_smt::TermPool, term| match pool.op(term) == Op::And {
            true => pool.args(term).to_vec(),
            false => vec![term],
        };
        let (x, y) = (parts(self.pool, a), parts(self.pool, b));
        let only_x: Vec<TermId> = x.iter().copied().filter(|term| !y.contains(term)).collect();
        let only_y: Vec<TermId> = y.iter().copied().filter(|term| !x.contains(term)).collect();
        let ([p], [q]) = (&only_x[..], &only_y[..]) else { return None };
        if self.pool.not(*p) != *q {
            return None;
        }
        let common: Vec<TermId> = x.into_iter().filter(|term| y.contains(term)).collect();
        Some(self.pool.and(&common))
    }

    /// Is a reference null, or an array that the whole launch shares?
    pub fn has_one_address(&self, reference: Value) -> bool {
        let facts = self.setting.facts;
        match facts.func.const_of(reference) {
            Some(Const::Array(array)) => {
                matches!(facts.module.arrays[array].space, Space::Global | Space::Constant)
            }
            Some(Const::Null) => true,
            Some(Const::Bits(_)) | None => false,
        }
    }
}
