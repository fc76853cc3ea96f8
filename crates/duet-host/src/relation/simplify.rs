//! Relations made smaller without losing a launch: facts that say nothing about it go, and
//! what can have any value whatever the rest is becomes one unknown.
//!
//! `n = argc > 1 ? atoi(argv[1]) : 1000` is three unknowns and a choice, and if none of
//! them is used elsewhere it is no more than some `n`. Each step admits at least the
//! launches of before: a fact less, or a term whose value is free instead of computed.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use duet_analysis::bits;
use duet_ir::{BinaryOp, CastOp, IntCc, Type};

use crate::relation::{
    Argument, BaseData, Origin, Relation, Term, TermData, Terms, Unknown, UnknownData,
};

/// The most equations that are used.
const MAX_EQUATIONS: usize = 12;
/// The name of unknowns that count iterations.
pub const COUNT: &str = "iteration";

impl Relation {
    /// The relation without what says nothing.
    pub fn simplified(mut self) -> Relation {
        for _ in 0..MAX_EQUATIONS {
            let Some((fact, unknown, term)) = self.equation() else { break };
            self.facts.retain(|&other| other != fact);
            self = self.rebuilt(Some((unknown, term)));
        }
        self.drop_facts();
        self.rebuilt(None)
    }

    /// A fact that says what an unknown is in terms of others.
    fn equation(&self) -> Option<(Term, Unknown, Term)> {
        let is_count = |unknown: &Unknown| self.unknowns[unknown.0 as usize].name == COUNT;
        self.facts.iter().find_map(|&fact| {
            let TermData::Compare { cc: IntCc::Eq, args: [a, b] } = self.terms.data(fact) else {
                return None;
            };
            [(a, b), (b, a)].into_iter().find_map(|(a, b)| {
                let TermData::Unknown { unknown, .. } = self.terms.data(a) else { return None };
                let others = self.terms.unknowns_of(b);
                let fits = !others.contains(&unknown) && !others.iter().any(is_count);
                fits.then_some((fact, unknown, b))
            })
        })
    }

    /// The relation with a term in the place of an unknown, or with what can be anything
    /// as unknowns.
    fn rebuilt(&self, known: Option<(Unknown, Term)>) -> Relation {
        let mut rebuild = Rebuild {
            old: self,
            bounds: Bounds::of(self),
            uses: self.uses(),
            known,
            terms: Terms::default(),
            unknowns: vec![],
            made: HashMap::new(),
            leaves: HashMap::new(),
        };
        let grid = self.grid.map(|term| rebuild.term(term));
        let block = self.block.map(|term| rebuild.term(term));
        let shared = rebuild.term(self.shared);
        let arguments = self.arguments.as_ref().map(|arguments| {
            let mut change = |term: Term| rebuild.term(term);
            arguments.iter().map(|argument| argument.with_terms(&mut change)).collect()
        });
        let bases: Vec<BaseData> = self
            .bases
            .iter()
            .map(|base| BaseData { size: base.size.map(|size| rebuild.term(size)), ..base.clone() })
            .collect();
        let facts = self.facts.iter().map(|&fact| rebuild.term(fact)).collect();
        let (terms, unknowns) = (rebuild.terms, rebuild.unknowns);
        let items = self.items.clone();
        Relation { terms, unknowns, grid, block, shared, arguments, bases, facts, items }
    }

    /// The relation without facts and without what sizes and scalar arguments are made of:
    /// each that is no constant is an unknown of its own. Pointers keep their offsets.
    /// Kernels that guard their accesses are proved for this, and faster.
    pub fn light(&self) -> Relation {
        let mut terms = Terms::default();
        let mut unknowns: Vec<UnknownData> = vec![];
        let mut made: HashMap<Term, Term> = HashMap::new();
        let mut free = |term: Term, terms: &mut Terms| {
            *made.entry(term).or_insert_with(|| {
                let ty = self.terms.ty(term);
                if let Some(bits) = self.terms.bits(term) {
                    return terms.constant(bits, ty);
                }
                let name = self.show(term);
                unknowns.push(UnknownData { name, origin: Origin::Choice, ty });
                terms.unknown(Unknown(unknowns.len() as u32 - 1), ty)
            })
        };
        let grid = self.grid.map(|term| free(term, &mut terms));
        let block = self.block.map(|term| free(term, &mut terms));
        let shared = free(self.shared, &mut terms);
        let arguments = self.arguments.as_ref().map(|arguments| {
            let mut change = |term: Term| free(term, &mut terms);
            arguments.iter().map(|argument| argument.with_terms(&mut change)).collect()
        });
        let bases = self.bases.iter().map(|base| BaseData { size: None, ..base.clone() });
        let bases = bases.collect();
        let (facts, items) = (vec![], self.items.clone());
        Relation { terms, unknowns, grid, block, shared, arguments, bases, facts, items }
    }

    /// Drops facts about the values that finished loops left, and facts with an unknown
    /// that occurs nowhere else.
    fn drop_facts(&mut self) {
        let of_launch = self.launch_unknowns();
        let is_count = |unknown: &Unknown| self.unknowns[unknown.0 as usize].name == COUNT;
        let is_left = |unknown: &Unknown| {
            let data = &self.unknowns[unknown.0 as usize];
            data.origin == Origin::Iteration && data.name != COUNT && !of_launch.contains(unknown)
        };
        let mut facts: Vec<(Term, BTreeSet<Unknown>)> = self
            .facts
            .iter()
            .map(|&fact| (fact, self.terms.unknowns_of(fact)))
            .filter(|(_, unknowns)| !unknowns.iter().any(is_left))
            .collect();
        loop {
            let mut seen: BTreeMap<Unknown, usize> = BTreeMap::new();
            for unknown in facts.iter().flat_map(|(_, unknowns)| unknowns) {
                *seen.entry(*unknown).or_default() += 1;
            }
            let before = facts.len();
            facts.retain(|(_, unknowns)| {
                let lone = |unknown: &Unknown| {
                    seen[unknown] == 1 && !of_launch.contains(unknown) && !is_count(unknown)
                };
                let only_counts = unknowns.iter().all(|unknown| is_count(unknown) || lone(unknown));
                !unknowns.iter().any(lone) && !only_counts
            });
            if facts.len() == before {
                break;
            }
        }
        self.facts = facts.into_iter().map(|(fact, _)| fact).collect();
    }

    /// How often each term is used, by other terms or by the relation itself.
    fn uses(&self) -> HashMap<Term, usize> {
        let mut roots: Vec<Term> = self.grid.into_iter().chain(self.block).collect();
        roots.push(self.shared);
        roots.extend(self.arguments.iter().flatten().flat_map(Argument::terms));
        roots.extend(self.bases.iter().filter_map(|base| base.size));
        roots.extend(&self.facts);
        let mut uses: HashMap<Term, usize> = HashMap::new();
        let mut open = roots;
        let mut seen = BTreeSet::new();
        while let Some(term) = open.pop() {
            *uses.entry(term).or_default() += 1;
            if seen.insert(term) {
                open.extend(children(&self.terms, term));
            }
        }
        uses
    }
}

fn children(terms: &Terms, term: Term) -> Vec<Term> {
    match terms.data(term) {
        TermData::Const { .. } | TermData::Unknown { .. } => vec![],
        TermData::Binary { args, .. } | TermData::Compare { args, .. } => args.to_vec(),
        TermData::Cast { arg, .. } => vec![arg],
        TermData::Select { cond, args } => vec![cond, args[0], args[1]],
    }
}

/// Signed bounds of terms that facts state.
struct Bounds(HashMap<Term, (i128, i128)>);

impl Bounds {
    fn of(relation: &Relation) -> Bounds {
        let mut bounds = Bounds(HashMap::new());
        for &fact in &relation.facts {
            bounds.learn(&relation.terms, fact, true);
        }
        bounds
    }

    /// Takes the bounds from a condition that holds, or does not.
    fn learn(&mut self, terms: &Terms, cond: Term, holds: bool) {
        match terms.data(cond) {
            TermData::Compare { cc, args: [a, b] } => {
                let cc = if holds { cc } else { bits::negate(cc) };
                for (cc, term, limit) in [(cc, a, b), (bits::swap(cc), b, a)] {
                    if let Some(limit) = signed_constant(terms, limit) {
                        self.narrow(cc, term, limit);
                    }
                }
            }
            // Neither of two, or both.
            TermData::Binary { op, args: [a, b], .. } if terms.ty(cond) == Type::BOOL => {
                match (op, holds) {
                    (BinaryOp::Or, false) | (BinaryOp::And, true) => {
                        self.learn(terms, a, holds);
                        self.learn(terms, b, holds);
                    }
                    (BinaryOp::Xor, _) if terms.bits(b) == Some(1) => self.learn(terms, a, !holds),
                    _ => {}
                }
            }
            TermData::Select { cond, args: [a, b] } => {
                match (terms.bits(a), terms.bits(b), holds) {
                    (Some(1), _, false) => {
                        self.learn(terms, cond, false);
                        self.learn(terms, b, false);
                    }
                    (_, Some(0), true) => {
                        self.learn(terms, cond, true);
                        self.learn(terms, a, true);
                    }
                    _ => {}
                }
            }
            TermData::Binary { .. }
            | TermData::Const { .. }
            | TermData::Unknown { .. }
            | TermData::Cast { .. } => {}
        }
    }

    fn narrow(&mut self, cc: IntCc, term: Term, limit: i128) {
        let (least, most) = self.0.entry(term).or_insert((i128::MIN, i128::MAX));
        match cc {
            IntCc::Sge => *least = limit.max(*least),
            IntCc::Sgt => *least = (limit + 1).max(*least),
            IntCc::Sle => *most = limit.min(*most),
            IntCc::Slt => *most = (limit - 1).min(*most),
            IntCc::Eq => (*least, *most) = (limit.max(*least), limit.min(*most)),
            IntCc::Ne | IntCc::Ult | IntCc::Ule | IntCc::Ugt | IntCc::Uge => {}
        }
    }

    /// Do the bounds imply the condition, which is a comparison with a constant, or several?
    ///
    /// SOUNDNESS: a bound that is one too weak decides nothing (test
    /// `facts_decide_choices`).
    fn imply(&self, terms: &Terms, cond: Term) -> bool {
        match terms.data(cond) {
            TermData::Binary { op: BinaryOp::And, args: [a, b], .. } => {
                self.imply(terms, a) && self.imply(terms, b)
            }
            TermData::Compare { cc, args: [a, b] } => {
                let Some(limit) = signed_constant(terms, b) else { return false };
                let (least, most) = self.of_term(terms, a);
                match cc {
                    IntCc::Sge => least >= limit,
                    IntCc::Sgt => least > limit,
                    IntCc::Sle => most <= limit,
                    IntCc::Slt => most < limit,
                    IntCc::Eq | IntCc::Ne | IntCc::Ult | IntCc::Ule | IntCc::Ugt | IntCc::Uge => {
                        false
                    }
                }
            }
            TermData::Const { bits, .. } => bits == 1,
            TermData::Unknown { .. }
            | TermData::Binary { .. }
            | TermData::Cast { .. }
            | TermData::Select { .. } => false,
        }
    }

    /// The bounds of a term. Signed widening keeps the number.
    fn of_term(&self, terms: &Terms, term: Term) -> (i128, i128) {
        let own = self.0.get(&term).copied().unwrap_or((i128::MIN, i128::MAX));
        match terms.data(term) {
            TermData::Cast { op: CastOp::SExt, arg, .. } => {
                let inner = self.of_term(terms, arg);
                (own.0.max(inner.0), own.1.min(inner.1))
            }
            TermData::Const { .. }
            | TermData::Unknown { .. }
            | TermData::Binary { .. }
            | TermData::Cast { .. }
            | TermData::Compare { .. }
            | TermData::Select { .. } => own,
        }
    }
}

/// The signed reading of a constant of up to 64 bits.
fn signed_constant(terms: &Terms, term: Term) -> Option<i128> {
    let width = terms.ty(term).bits().filter(|width| *width <= 64)?;
    terms.bits(term).map(|value| bits::signed(value, width as u8))
}

/// Builds a relation's terms anew.
struct Rebuild<'r> {
    old: &'r Relation,
    bounds: Bounds,
    uses: HashMap<Term, usize>,
    /// An unknown that is a term.
    known: Option<(Unknown, Term)>,
    terms: Terms,
    unknowns: Vec<UnknownData>,
    made: HashMap<Term, Term>,
    leaves: HashMap<Unknown, Unknown>,
}

impl Rebuild<'_> {
    fn term(&mut self, term: Term) -> Term {
        if let Some(&made) = self.made.get(&term) {
            return made;
        }
        let data = self.old.terms.data(term);
        let made = match data {
            TermData::Const { bits, ty } => self.terms.constant(bits, ty),
            TermData::Unknown { unknown, .. }
                if self.known.is_some_and(|(known, _)| known == unknown) =>
            {
                let (_, value) = self.known.expect("it was just looked at");
                self.term(value)
            }
            TermData::Unknown { unknown, ty } => {
                let known = self.leaves.get(&unknown).copied();
                let new = known
                    .unwrap_or_else(|| self.add(self.old.unknowns[unknown.0 as usize].clone()));
                self.leaves.insert(unknown, new);
                self.terms.unknown(new, ty)
            }
            // The facts hold at every launch, so what they imply decides here.
            TermData::Select { cond, args: [a, _] } if self.bounds.imply(&self.old.terms, cond) => {
                self.term(a)
            }
            _ if self.known.is_none() && self.is_free(term) => {
                let ty = self.old.terms.ty(term);
                let new = self.add(self.any_value(term));
                self.terms.unknown(new, ty)
            }
            TermData::Binary { op, signed, args: [a, b] } => {
                let (a, b) = (self.term(a), self.term(b));
                self.terms.binary(op, signed, a, b)
            }
            TermData::Cast { op, arg, to } => {
                let arg = self.term(arg);
                self.terms.cast(op, arg, to)
            }
            TermData::Compare { cc, args: [a, b] } => {
                let (a, b) = (self.term(a), self.term(b));
                self.terms.compare(cc, a, b)
            }
            TermData::Select { cond, args: [a, b] } => {
                let (cond, a, b) = (self.term(cond), self.term(a), self.term(b));
                self.terms.select(cond, a, b)
            }
        };
        if let Some(name) = self.old.terms.name(term) {
            self.terms.set_name(made, name.to_string());
        }
        self.made.insert(term, made);
        made
    }

    fn add(&mut self, data: UnknownData) -> Unknown {
        self.unknowns.push(data);
        Unknown(self.unknowns.len() as u32 - 1)
    }

    /// Can the term have any value, whatever everything outside of it is?
    fn is_free(&self, term: Term) -> bool {
        let alone = |child: Term| {
            let is_count = |unknown: Unknown| self.old.unknowns[unknown.0 as usize].name == COUNT;
            let plain = match self.old.terms.data(child) {
                TermData::Unknown { unknown, .. } => !is_count(unknown),
                TermData::Const { .. }
                | TermData::Binary { .. }
                | TermData::Cast { .. }
                | TermData::Compare { .. }
                | TermData::Select { .. } => true,
            };
            plain && self.uses.get(&child) == Some(&1) && self.is_free(child)
        };
        match self.old.terms.data(term) {
            TermData::Unknown { .. } => true,
            TermData::Const { .. } | TermData::Compare { .. } => false,
            TermData::Cast { op, arg, .. } => {
                matches!(op, CastOp::Trunc | CastOp::Bitcast) && alone(arg)
            }
            TermData::Binary { op, args: [a, b], .. } => {
                let turns = matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Xor);
                turns && (alone(a) || alone(b))
            }
            // What only stands for results that the machine does not define is no reason to
            // forget the others.
            TermData::Select { args, .. } => {
                args.into_iter().any(|side| alone(side) && !self.is_undefined(side))
            }
        }
    }

    /// Is it an unknown for what the host does not define, or does not compute exactly?
    fn is_undefined(&self, term: Term) -> bool {
        match self.old.terms.data(term) {
            TermData::Unknown { unknown, .. } => {
                let origin = &self.old.unknowns[unknown.0 as usize].origin;
                matches!(origin, Origin::Uninitialised | Origin::Float)
            }
            TermData::Const { .. }
            | TermData::Binary { .. }
            | TermData::Cast { .. }
            | TermData::Compare { .. }
            | TermData::Select { .. } => false,
        }
    }

    /// The unknown that stands for a term. It is input only if all of it is.
    fn any_value(&self, term: Term) -> UnknownData {
        let unknowns = self.old.terms.unknowns_of(term);
        let data = |unknown: &Unknown| &self.old.unknowns[unknown.0 as usize];
        let other = unknowns.iter().map(data).find(|data| data.origin != Origin::Input);
        let first = unknowns.iter().map(data).next();
        let name = match (self.old.terms.name(term), other.or(first)) {
            (Some(name), _) => name.to_string(),
            (None, Some(data)) => data.name.clone(),
            (None, None) => "a value".to_string(),
        };
        let origin = other.map_or(Origin::Input, |data| data.origin.clone());
        UnknownData { name, origin, ty: self.old.terms.ty(term) }
    }
}

#[cfg(test)]
mod tests {
    use duet_ir::Type;

    use super::*;

    /// A relation with these sizes and facts.
    fn relation(build: impl FnOnce(&mut Terms) -> (Term, Vec<Term>), unknowns: usize) -> Relation {
        let mut terms = Terms::default();
        let (grid, facts) = build(&mut terms);
        let one = terms.constant(1, Type::I32);
        let data = UnknownData { name: "u".into(), origin: Origin::Input, ty: Type::I32 };
        Relation {
            terms,
            unknowns: vec![data; unknowns],
            grid: [grid, one, one],
            block: [one; 3],
            shared: one,
            arguments: None,
            bases: vec![],
            facts,
            items: None,
        }
    }

    #[test]
    fn what_can_be_anything_is_one_unknown() {
        let simple = relation(
            |terms| {
                let wide = terms.unknown(Unknown(0), Type::I64);
                let narrow = terms.cast(CastOp::Trunc, wide, Type::I32);
                let count = terms.unknown(Unknown(1), Type::I32);
                let one = terms.constant(1, Type::I32);
                let given = terms.compare(IntCc::Sgt, count, one);
                let usual = terms.constant(1000, Type::I32);
                (terms.select(given, narrow, usual), vec![])
            },
            2,
        )
        .simplified();
        assert!(matches!(simple.terms.data(simple.grid[0]), TermData::Unknown { .. }));
        assert_eq!(simple.unknowns.len(), 1);
    }

    #[test]
    fn facts_decide_choices() {
        let sizes = |least: u128| {
            relation(
                |terms| {
                    let n = terms.unknown(Unknown(0), Type::I32);
                    let other = terms.unknown(Unknown(1), Type::I32);
                    let wide = terms.cast(CastOp::SExt, n, Type::I64);
                    let zero = terms.constant(0, Type::I64);
                    let fits = terms.compare(IntCc::Sge, wide, zero);
                    let limit = terms.constant(least, Type::I32);
                    let fact = terms.compare(IntCc::Sgt, n, limit);
                    let twice = terms.binary(BinaryOp::Add, false, n, n);
                    (terms.select(fits, twice, other), vec![fact])
                },
                2,
            )
            .simplified()
        };
        let is_choice = |one: &Relation| {
            matches!(one.terms.data(one.grid[0]), TermData::Select { .. }) || one.unknowns.len() > 1
        };
        let (known, open) = (sizes(u128::MAX), sizes(u128::MAX - 1));
        assert!(!is_choice(&known), "{known:?}");
        assert_eq!(known.facts.len(), 1);
        let is_exact = |one: &Relation| {
            matches!(one.terms.data(one.grid[0]), TermData::Binary { op: BinaryOp::Add, .. })
        };
        assert!(is_exact(&known) && !is_exact(&open), "{open:?}");
    }

    #[test]
    fn bounds_from_tests_that_failed() {
        let mut terms = Terms::default();
        let n = terms.unknown(Unknown(0), Type::I32);
        let (one, ten) = (terms.constant(1, Type::I32), terms.constant(10, Type::I32));
        let small = terms.compare(IntCc::Slt, n, one);
        let large = terms.compare(IntCc::Sgt, n, ten);
        let either = terms.or(small, large);
        for (cond, holds, expected) in [
            (either, false, (1, 10)),
            (either, true, (i128::MIN, i128::MAX)),
            (small, true, (i128::MIN, 0)),
            (large, true, (11, i128::MAX)),
        ] {
            let mut bounds = Bounds(HashMap::new());
            bounds.learn(&terms, cond, holds);
            assert_eq!(bounds.of_term(&terms, n), expected);
        }
    }

    #[test]
    fn what_is_used_twice_stays() {
        let simple = relation(
            |terms| {
                let n = terms.unknown(Unknown(0), Type::I32);
                let twice = terms.binary(BinaryOp::Mul, false, n, n);
                let bound = terms.constant(9, Type::I32);
                let fact = terms.compare(IntCc::Slt, n, bound);
                (terms.binary(BinaryOp::Add, false, twice, n), vec![fact])
            },
            1,
        )
        .simplified();
        assert!(matches!(simple.terms.data(simple.grid[0]), TermData::Binary { .. }));
        assert_eq!(simple.facts.len(), 1);
    }

    #[test]
    fn facts_about_something_else_go() {
        let simple = relation(
            |terms| {
                let n = terms.unknown(Unknown(0), Type::I32);
                let other = terms.unknown(Unknown(1), Type::I32);
                let fact = terms.compare(IntCc::Slt, n, other);
                (n, vec![fact])
            },
            2,
        )
        .simplified();
        assert!(simple.facts.is_empty());
    }
}
