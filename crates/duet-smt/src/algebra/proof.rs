//! Facts, rules and refutations: what the algebra's prover produces and its
//! checker reads.
//!
//! Atoms are *machine values read as integers*: `u(t)` is the unsigned value of
//! the bit-vector term `t`, `s(t)` its signed value. A machine operation is
//! only ever a congruence between such atoms (`u(a+b) ≡ u(a) + u(b)` modulo
//! 2^w); it becomes an equation over the integers by the rule
//! [`Rule::NoWrap`], whose premises are the two bounds that exclude wrapping.
//! So no step can use order, division or mixed radix on a value that may have
//! wrapped: there is no rule that would allow it.

use super::poly::{Atom, Poly};
use crate::pool::TermPool;
use crate::sort::TermId;
use crate::text::Printer;
use cranelift_entity::{PrimaryMap, entity_impl};
use std::fmt::{self, Write};

/// How an atom reads its term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum View {
    /// The unsigned value of a bit-vector.
    Unsigned,
    /// The signed value of a bit-vector.
    Signed,
    /// The value of an integer term.
    Integer,
}

/// What an atom stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AtomData {
    /// The term.
    pub term: TermId,
    /// How it is read.
    pub view: View,
}

/// A line of a refutation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StepId(u32);
entity_impl!(StepId, "#");

/// Something that holds in every model of the literals (and hypotheses).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fact {
    /// A truth-valued term is true.
    Holds(TermId),
    /// The polynomial is zero.
    Eq(Poly),
    /// The polynomial is at least zero.
    Ge(Poly),
    /// The polynomial is not zero.
    Ne(Poly),
    /// The polynomial is a multiple of the modulus.
    Cong(Poly, i128),
    /// The polynomial is no multiple of the modulus.
    NotCong(Poly, i128),
    /// Contradiction.
    False,
}

/// Why a fact holds. Premises are listed in the step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rule {
    /// `Holds(t)`: a literal that was given.
    Given,
    /// Assumed, until a [`Rule::Cases`] discharges it.
    Hypothesis,
    /// `Holds(and …)` or `Holds(not (or …))` gives each part, `Holds(or …)` what its parts
    /// have in common.
    Part,
    /// What a comparison that holds (or not) says about the atoms of its sides.
    Reading,
    /// The values of a width: `0 ≤ u < 2^w`, `−2^(w−1) ≤ s < 2^(w−1)`.
    Width(Atom),
    /// The meaning of a term's operation as a fact about atoms.
    Definition(TermId),
    /// `s(t) ≡ u(t)` modulo 2^w, either way round.
    SignLink(TermId),
    /// `u(t) = 2^k·u(high part) + u(low part)`.
    Split(TermId, u32),
    /// `u(t[hi:lo]) ≡ u(t[w−1:lo])` modulo 2^(hi−lo+1).
    Middle(TermId),
    /// For a divisor of at least one (the premise; signed: a dividend of at
    /// least zero too): `a = b·q + r`, or `0 ≤ r < b`.
    Division(TermId),
    /// Bounds of bitwise operations by their operands.
    BitBound(TermId),
    /// The first premise with atoms replaced one after the other: each further
    /// premise is `x − X = 0`, or the same as a congruence if the first is one.
    Substitute(Vec<Atom>),
    /// Divided by a common factor; the constant of an inequality rounded down.
    Tighten,
    /// `scale·P = Σ weight·G + c` with `G ≥ 0`, `weight ≥ 0`, `c ≥ 0`.
    Combine {
        /// Positive factor of the conclusion.
        scale: i128,
        /// One factor per premise.
        weights: Vec<i128>,
    },
    /// `scale·P = M·G + R`, with premises `M ≥ 0`, `G ≥ 0`, `R ≥ 0`.
    Product {
        /// Positive factor of the conclusion.
        scale: i128,
    },
    /// Interval arithmetic from the bounds in the premises.
    Interval,
    /// `P ≥ 0` and `−P ≥ 0` give `P = 0`.
    Squeeze,
    /// `P ≡ 0 (mod m)`, `P < m` and `P > −m` give `P = 0`.
    NoWrap,
    /// `A·R + L = 0`, `L < A` and `L > −A` give `R = 0`.
    MixedRadix {
        /// The radix.
        radix: Poly,
    },
    /// The premise cannot hold: a false constant, or a constant that the common
    /// divisor of the other coefficients (and the modulus) does not divide.
    Absurd,
    /// Two terms that hold are each other's negation.
    Clash,
    /// A linear combination of congruences of one modulus:
    /// `P = first + factor·second`.
    CongSum {
        /// Factor of the second premise.
        factor: i128,
    },
    /// `Holds(not (and …))` gives the disjunction of the negated parts.
    DeMorgan,
    /// `Holds(or …)`: one of the parts is another's negation.
    Tautology,
    /// A conditional term is its branch: the premise says which.
    Branch(TermId),
    /// Coefficients of a congruence changed by multiples of the modulus.
    Reduce,
    /// `P = first + factor·second`, both zero.
    EqSum {
        /// Factor of the second premise.
        factor: Poly,
    },
    /// `P ≠ 0` and `P ≥ 0` give `P ≥ 1`.
    Strict,
    /// `P = 0` gives `P ≥ 0` and `−P ≥ 0`.
    Relax,
    /// First premise: a disjunction, a disequality, or a congruence whose
    /// polynomial the next two premises bound. Then, for each case, its
    /// hypothesis and the contradiction under it.
    Cases,
}

/// One line: a fact and why it holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// What holds.
    pub fact: Fact,
    /// By which rule.
    pub rule: Rule,
    /// From which earlier lines.
    pub premises: Vec<StepId>,
}

/// A proof that a conjunction of literals has no model.
#[derive(Clone, Debug)]
pub struct Refutation {
    /// What the atoms stand for.
    pub atoms: PrimaryMap<Atom, AtomData>,
    /// The lines; premises come before conclusions.
    pub steps: PrimaryMap<StepId, Step>,
    /// The contradiction.
    pub conclusion: StepId,
}

impl Refutation {
    /// The literals that were used.
    pub fn used_literals(&self) -> Vec<TermId> {
        let given = self.steps.values().filter(|s| s.rule == Rule::Given);
        let mut used: Vec<TermId> = given
            .filter_map(|s| match s.fact {
                Fact::Holds(t) => Some(t),
                _ => None,
            })
            .collect();
        used.sort_unstable();
        used.dedup();
        used
    }

    /// The proof as numbered lines.
    pub fn explain(&self, pool: &TermPool) -> String {
        let mut out = String::new();
        for (id, step) in &self.steps {
            let from: Vec<String> = step.premises.iter().map(StepId::to_string).collect();
            let _ = write!(out, "{id}  ");
            let _ = self.write_fact(pool, &step.fact, &mut out);
            let _ = writeln!(out, "   [{}{}{}]", step.rule.name(), sep(&from), from.join(" "));
        }
        out
    }

    fn write_fact(&self, pool: &TermPool, fact: &Fact, out: &mut String) -> fmt::Result {
        let name = |a: Atom| atom_name(pool, self.atoms[a]);
        match fact {
            Fact::Holds(t) => write!(out, "{}", term_text(pool, *t)),
            Fact::Eq(p) => p.write(out, &name).and_then(|()| write!(out, " = 0")),
            Fact::Ge(p) => p.write(out, &name).and_then(|()| write!(out, " >= 0")),
            Fact::Ne(p) => p.write(out, &name).and_then(|()| write!(out, " != 0")),
            Fact::Cong(p, m) => p.write(out, &name).and_then(|()| write!(out, " = 0 mod {m}")),
            Fact::NotCong(p, m) => p.write(out, &name).and_then(|()| write!(out, " != 0 mod {m}")),
            Fact::False => write!(out, "contradiction"),
        }
    }
}

fn sep(from: &[String]) -> &'static str {
    if from.is_empty() { "" } else { ": " }
}

fn atom_name(pool: &TermPool, atom: AtomData) -> String {
    let text = term_text(pool, atom.term);
    match atom.view {
        View::Signed => format!("s({text})"),
        View::Unsigned | View::Integer => text,
    }
}

fn term_text(pool: &TermPool, t: TermId) -> String {
    let text = Printer::new().terms_inline(pool, &[t]).remove(0);
    if text.len() <= 160 {
        text
    } else {
        format!("{}…", text.chars().take(150).collect::<String>())
    }
}

impl Rule {
    /// The rule's name in explanations.
    pub fn name(&self) -> &'static str {
        match self {
            Rule::Given => "given",
            Rule::Hypothesis => "suppose",
            Rule::Part => "part of",
            Rule::Reading => "reads as",
            Rule::Width(_) => "width",
            Rule::Definition(_) => "operation",
            Rule::SignLink(_) => "sign",
            Rule::Split(..) | Rule::Middle(_) => "bits",
            Rule::Division(_) => "division",
            Rule::BitBound(_) => "bitwise",
            Rule::Substitute(_) => "substitute",
            Rule::Tighten => "divide",
            Rule::Combine { .. } => "add",
            Rule::Product { .. } => "multiply",
            Rule::Interval => "ranges",
            Rule::Squeeze => "squeeze",
            Rule::NoWrap => "no wrap",
            Rule::MixedRadix { .. } => "mixed radix",
            Rule::Absurd => "absurd",
            Rule::Clash => "clash",
            Rule::CongSum { .. } => "add mod",
            Rule::DeMorgan => "not all",
            Rule::Tautology => "either or",
            Rule::Branch(_) => "branch",
            Rule::Reduce => "reduce",
            Rule::EqSum { .. } => "add",
            Rule::Strict => "not zero",
            Rule::Relax => "weaken",
            Rule::Cases => "cases",
        }
    }
}
