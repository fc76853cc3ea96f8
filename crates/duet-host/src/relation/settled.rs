//! Terms that a fact says the number of, and launches that facts rule out.
//!
//! `switch (threads) { case 64: k<64><<<blocks, threads>>>(…); }` launches blocks of 64, however
//! the host computed `threads`. A fact holds whenever the launch is made, and a term stands for
//! one value of that launch, so the number may take the term's place everywhere but in the fact
//! itself. Two facts that are each other's opposite hold at no launch.

use std::collections::HashMap;

use duet_analysis::bits;
use duet_ir::{BinaryOp, IntCc, Type};

use crate::relation::{Argument, BaseData, Relation, Term, TermData, Terms};

impl Relation {
    /// The relation with numbers in the place of terms that facts say the number of.
    ///
    /// SOUNDNESS: only an equality that holds at the launch settles a term (trap 39 of the
    /// test `traps`).
    pub fn settled(mut self) -> Relation {
        let mut facts = vec![];
        self.facts.iter().for_each(|&fact| split(&self.terms, fact, &mut facts));
        self.facts = facts;
        let numbers: HashMap<Term, Term> =
            self.facts.iter().filter_map(|&fact| equal_number(&self.terms, fact)).collect();
        if numbers.is_empty() {
            return self;
        }
        let mut settle = Settle { terms: &mut self.terms, made: numbers };
        let grid = self.grid.map(|term| settle.term(term));
        let block = self.block.map(|term| settle.term(term));
        let shared = settle.term(self.shared);
        let arguments = self.arguments.as_ref().map(|arguments| {
            let mut change = |term: Term| settle.term(term);
            let settled = |argument: &Argument| argument.with_terms(&mut change);
            arguments.iter().map(settled).collect()
        });
        let bases: Vec<BaseData> = self
            .bases
            .iter()
            .map(|base| BaseData { size: base.size.map(|size| settle.term(size)), ..base.clone() })
            .collect();
        let settles = |terms: &Terms, fact: Term| equal_number(terms, fact).is_some();
        let facts = self.facts.iter();
        let facts = facts
            .map(|&fact| if settles(settle.terms, fact) { fact } else { settle.term(fact) })
            .collect();
        Relation { grid, block, shared, arguments, bases, facts, ..self }
    }

    /// Do two facts contradict each other, so that the launch is never made?
    pub fn is_never_made(&self) -> bool {
        let compared = |&fact: &Term| match self.terms.data(fact) {
            TermData::Compare { cc, args } => Some((cc, args)),
            TermData::Const { .. }
            | TermData::Unknown { .. }
            | TermData::Binary { .. }
            | TermData::Cast { .. }
            | TermData::Select { .. } => None,
        };
        let comparisons: Vec<(IntCc, [Term; 2])> = self.facts.iter().filter_map(compared).collect();
        let is_opposed = |(cc, args): &(IntCc, [Term; 2])| {
            comparisons.iter().any(|(other, of)| of == args && *other == bits::negate(*cc))
        };
        comparisons.iter().any(is_opposed)
            || self.facts.iter().any(|&fact| self.terms.bits(fact) == Some(0))
    }
}

/// A fact as the facts that it is made of: LLVM turns nested conditions into one.
fn split(terms: &Terms, fact: Term, parts: &mut Vec<Term>) {
    let both = match terms.data(fact) {
        TermData::Binary { op: BinaryOp::And, args, .. } if terms.ty(fact) == Type::BOOL => {
            Some(args)
        }
        TermData::Select { cond, args: [a, b] } if terms.bits(b) == Some(0) => Some([cond, a]),
        TermData::Const { .. }
        | TermData::Unknown { .. }
        | TermData::Binary { .. }
        | TermData::Cast { .. }
        | TermData::Compare { .. }
        | TermData::Select { .. } => None,
    };
    match both {
        Some(both) => both.into_iter().for_each(|part| split(terms, part, parts)),
        None if !parts.contains(&fact) => parts.push(fact),
        None => {}
    }
}

/// The term and its number, if a fact is `term == number`.
fn equal_number(terms: &Terms, fact: Term) -> Option<(Term, Term)> {
    let TermData::Compare { cc: IntCc::Eq, args: [a, b] } = terms.data(fact) else { return None };
    match (terms.bits(a), terms.bits(b)) {
        (None, Some(_)) => Some((a, b)),
        (Some(_), None) => Some((b, a)),
        (None, None) | (Some(_), Some(_)) => None,
    }
}

/// Builds terms anew where parts of them have become numbers.
struct Settle<'t> {
    terms: &'t mut Terms,
    made: HashMap<Term, Term>,
}

impl Settle<'_> {
    fn term(&mut self, term: Term) -> Term {
        if let Some(&made) = self.made.get(&term) {
            return made;
        }
        let made = match self.terms.data(term) {
            TermData::Const { .. } | TermData::Unknown { .. } => term,
            TermData::Binary { op, signed, args } => {
                let [a, b] = args.map(|arg| self.term(arg));
                self.terms.binary(op, signed, a, b)
            }
            TermData::Cast { op, arg, to } => {
                let arg = self.term(arg);
                self.terms.cast(op, arg, to)
            }
            TermData::Compare { cc, args } => {
                let [a, b] = args.map(|arg| self.term(arg));
                self.terms.compare(cc, a, b)
            }
            TermData::Select { cond, args } => {
                let cond = self.term(cond);
                let [a, b] = args.map(|arg| self.term(arg));
                self.terms.select(cond, a, b)
            }
        };
        if let Some(name) = self.terms.name(term).map(str::to_string) {
            self.terms.set_name(made, name);
        }
        self.made.insert(term, made);
        made
    }
}
