//! Whether defects are excluded: those about one array together, then one by one.
//!
//! What the simplifier or a short look of the algebra excludes is settled first. Of the rest
//! those that meet one array are asked about at once: what is known at all their places, and
//! that one of them happens, with what else is known there. A model shows which; what is not
//! decided is asked by itself, at length.

use std::collections::BTreeMap;

use duet_ask::Effort;
use duet_ir::{Array, Inst};
use duet_smt::solver::{Answer, SolverError};
use duet_smt::{Model, TermId, eval, holds};

use crate::check::{Checker, Found, Open, out_of_time};
use crate::log::{Key, Site};
use crate::walk::{Obligation, What};

/// A defect that was not excluded at once.
struct Doubt<'o> {
    obligation: &'o Obligation,
    /// What is known, and that it happens.
    literals: Vec<TermId>,
}

impl Checker<'_, '_, '_> {
    /// Shows that no defect is possible, or reports those that may be.
    ///
    /// SOUNDNESS: each is excluded by `Unsat` alone, of itself or of a disjunction that it is
    /// part of (tests `logs_prove_what_is_right_and_nothing_else`,
    /// `what_is_not_asked_is_not_proved`).
    pub(crate) fn show_all(
        &mut self,
        is_live: &impl Fn(usize) -> bool,
        obligations: &[Obligation],
        sites: &[Site],
    ) -> Result<(), SolverError> {
        let mut groups: BTreeMap<Option<Array>, Vec<Doubt<'_>>> = BTreeMap::new();
        for obligation in obligations {
            let What::Defect { rule, places, .. } = &obligation.what else { continue };
            if self.asker.end().is_some() {
                self.add(out_of_time());
                return Ok(());
            }
            let mut literals = obligation.known.terms(is_live);
            literals.extend(&obligation.goal);
            if !self.asker.is_excluded_soon(self.pool, &literals, rule.id(), places)? {
                let array = obligation.logged.map(|((array, _), _)| array);
                groups.entry(array).or_default().push(Doubt { obligation, literals });
            }
        }
        groups.into_values().try_for_each(|doubts| self.show_together(doubts, sites))
    }

    fn show_together(
        &mut self,
        mut doubts: Vec<Doubt<'_>>,
        sites: &[Site],
    ) -> Result<(), SolverError> {
        while doubts.len() > 1 {
            if self.is_settled() {
                return Ok(());
            }
            if self.asker.end().is_some() {
                self.add(out_of_time());
                return Ok(());
            }
            let literals = self.any_of(&doubts);
            let about = "defects of an array";
            match self.asker.decide(self.pool, &literals, about, Effort::Joint)?.answer {
                Answer::Unsat => return Ok(()),
                Answer::Unknown(_) => break,
                Answer::Sat(model) => {
                    let happens = |doubt: &Doubt<'_>| holds(self.pool, &model, &doubt.literals);
                    let (shown, rest): (Vec<_>, Vec<_>) = doubts.into_iter().partition(happens);
                    let is_stuck = shown.is_empty();
                    for doubt in shown {
                        self.report(doubt, &Answer::Sat(model.clone()), sites)?;
                    }
                    doubts = rest;
                    if is_stuck {
                        break;
                    }
                }
            }
        }
        for doubt in doubts {
            if self.is_settled() {
                return Ok(());
            }
            if self.asker.end().is_some() {
                self.add(out_of_time());
                return Ok(());
            }
            let answer = self.ask(&doubt, &doubt.literals)?;
            self.report(doubt, &answer, sites)?;
        }
        Ok(())
    }

    /// One of them happens: what all know, and for one of them the rest.
    fn any_of(&mut self, doubts: &[Doubt<'_>]) -> Vec<TermId> {
        let Some((first, others)) = doubts.split_first() else { return vec![self.pool.ff()] };
        let shared = |literals: &[TermId]| {
            first.literals.iter().zip(literals).take_while(|(a, b)| a == b).count()
        };
        let common = others.iter().map(|one| shared(&one.literals)).min();
        let common = common.unwrap_or(first.literals.len());
        let each: Vec<TermId> =
            doubts.iter().map(|one| self.pool.and(&one.literals[common..])).collect();
        let mut literals = first.literals[..common].to_vec();
        literals.push(self.pool.or(&each));
        literals
    }

    /// Reports a defect unless the answer excludes it. One that is tolerated in all cases is
    /// only a warning.
    fn report(
        &mut self,
        doubt: Doubt<'_>,
        answer: &Answer,
        sites: &[Site],
    ) -> Result<(), SolverError> {
        let What::Defect { rule, places, tolerated } = &doubt.obligation.what else {
            return Ok(());
        };
        if *answer == Answer::Unsat {
            return Ok(());
        }
        let mut is_tolerated = false;
        if let Some((_, more)) = tolerated {
            let literals = [&doubt.literals[..], more].concat();
            is_tolerated = self.ask(&doubt, &literals)? == Answer::Unsat;
        }
        let why = match &answer {
            Answer::Unsat => return Ok(()),
            Answer::Sat(_) => Open::State,
            Answer::Unknown(reason) => Open::Undecided(*reason),
        };
        let model = match &answer {
            Answer::Sat(model) => Some(model),
            Answer::Unsat | Answer::Unknown(_) => None,
        };
        let first =
            doubt.obligation.logged.and_then(|logged| self.logged_site(logged, model, sites));
        let rule = match (tolerated, is_tolerated) {
            (Some((warning, _)), true) => *warning,
            _ => *rule,
        };
        let (primary, secondary) = match first {
            Some(first) => (Some(first), places.first().copied()),
            None => (places.first().copied(), None),
        };
        self.add(Found { rule, is_tolerated, primary, secondary, why });
        Ok(())
    }

    fn ask(&mut self, doubt: &Doubt<'_>, literals: &[TermId]) -> Result<Answer, SolverError> {
        let What::Defect { rule, places, .. } = &doubt.obligation.what else {
            return Ok(Answer::Unsat);
        };
        Ok(self.asker.decide_at(self.pool, literals, rule.id(), places, Effort::Full)?.answer)
    }

    /// The access that was logged, as a model has it, or some access that is logged there.
    fn logged_site(
        &self,
        (key, site): (Key, TermId),
        model: Option<&Model>,
        sites: &[Site],
    ) -> Option<Inst> {
        let number = model.and_then(|model| eval(self.pool, model, site).ok()?.bits());
        let named = number.and_then(|number| sites.get(usize::try_from(number).ok()?));
        let of_key = |site: &&Site| site.key == key;
        named.filter(of_key).or_else(|| sites.iter().find(of_key)).map(|site| site.inst)
    }
}
