//! Terms as polynomials over unsolved atoms.
//!
//! Two questions are answered for a bit-vector term: what it is modulo 2^w
//! (always a polynomial of its operands), and what it is as an integer, which
//! needs the proof that this polynomial does not leave the range of the width.

use super::bounds::Bounds;
use super::equations::solvable_atoms;
use super::meaning::{self, Atoms};
use super::notebook::Notebook;
use super::poly::{Atom, Poly};
use super::proof::{Fact, Rule, StepId, View};
use super::state::Known;
use crate::op::Op;
use crate::pool::TermPool;
use crate::sort::{Sort, TermId};
use rustc_hash::{FxHashMap, FxHashSet};

/// How hard a no-wrap condition is tried.
const NO_WRAP_DEPTH: u32 = 4;

/// What is known of terms on the current branch.
#[derive(Clone, Default)]
pub(super) struct KnownTerms {
    /// Solved atoms: the line says `atom − poly = 0`.
    pub solved: FxHashMap<Atom, Known>,
    /// Facts found on the way, normalised anew in each round.
    pub extra: Vec<StepId>,
    /// Truth-valued terms that hold.
    pub held: FxHashMap<TermId, StepId>,
    /// Terms whose opaque operation has been looked at.
    introduced: FxHashSet<TermId>,
    /// Division terms that wait for their divisor to be positive.
    divisions: Vec<TermId>,
    /// Terms known only modulo 2^w.
    pub wrapping: Vec<(TermId, View)>,
    /// Memo of a round: atoms in terms of unsolved atoms.
    pub values: FxHashMap<Atom, (Poly, Option<StepId>)>,
    /// Memo of a round: terms modulo 2^w.
    pub moduli: FxHashMap<TermId, Option<StepId>>,
}

/// Reads terms as polynomials: what solved equations and bounds say they are.
pub(super) struct Terms<'a> {
    pub pool: &'a mut TermPool,
    pub atoms: Atoms,
    pub notebook: Notebook,
    pub bounds: Bounds,
    pub known: KnownTerms,
}

impl<'a> Terms<'a> {
    pub fn new(pool: &'a mut TermPool, fuel: u32) -> Self {
        let notebook = Notebook::new(fuel, pool.work.fence());
        Terms {
            pool,
            atoms: Atoms::default(),
            notebook,
            bounds: Bounds::default(),
            known: KnownTerms::default(),
        }
    }

    /// `p ≥ 0`, by intervals and known inequalities.
    pub fn prove_ge(&mut self, p: &Poly, depth: u32) -> Option<StepId> {
        self.bounds.prove_ge(&mut self.notebook, p, depth)
    }

    /// Notes a fact for the rounds to come.
    pub fn learn(&mut self, id: StepId) {
        if !self.known.extra.contains(&id) {
            self.known.extra.push(id);
            self.notebook.changed = true;
        }
    }

    /// The bounds by width of an atom, as bounds like any other.
    pub fn ensure_width(&mut self, atom: Atom) {
        self.bounds.ensure_width(&mut self.notebook, self.pool, &self.atoms, atom);
    }

    /// Whether an atom is known to stay within less than its width.
    pub fn is_bounded(&self, atom: Atom) -> bool {
        self.bounds.is_bounded(self.pool, self.atoms.table[atom], atom)
    }

    /// What a comparison says: over the integers, and for (dis)equalities of
    /// bit-vectors modulo 2^w too.
    pub fn readings(&mut self, id: StepId) -> Vec<StepId> {
        let Fact::Holds(t) = *self.notebook.fact(id) else { return Vec::new() };
        let Some(fact) = meaning::reading(self.pool, &mut self.atoms, t) else {
            return Vec::new();
        };
        let modular = self.modular_reading(t, &fact);
        let read = self.notebook.line(fact, Rule::Reading, &[id]);
        let mut found: Vec<StepId> = self.normal(read).into_iter().collect();
        if let Some(fact) = modular {
            let read = self.notebook.line(fact, Rule::Reading, &[id]);
            found.extend(self.normal_modular(read));
        }
        found
    }

    fn modular_reading(&self, t: TermId, fact: &Fact) -> Option<Fact> {
        let inner = if self.pool.op(t) == Op::Not { self.pool.args(t)[0] } else { t };
        let Sort::BitVec(width) = self.pool.sort(self.pool.args(inner)[0]) else { return None };
        match fact {
            Fact::Eq(p) => Some(Fact::Cong(p.clone(), meaning::modulus(width))),
            Fact::Ne(p) => Some(Fact::NotCong(p.clone(), meaning::modulus(width))),
            _ => None,
        }
    }

    /// The congruence of a term that may wrap, with its own atom replaced too
    /// if it has been solved otherwise.
    pub fn wrapping_fact(&mut self, t: TermId, view: View) -> Option<StepId> {
        let id = match view {
            View::Unsigned => self.modular(t)?,
            View::Signed => self.signed_modular(t)?,
            View::Integer => return None,
        };
        let id = self.normal(id)?;
        Some(self.notebook.reduce(id))
    }

    /// The value of a sum or product that the equation defines: once it is solved,
    /// only what the operation works on is left. One with bounds of its own may be
    /// the low digit of a mixed radix, and stays.
    pub fn operation_in(&self, p: &Poly) -> Option<(Atom, i128)> {
        let is_operation = |&(a, _): &(Atom, i128)| {
            use crate::op::Op::{BvAdd, BvMul, SignExtend, ZeroExtend};
            let op = self.pool.op(self.atoms.table[a].term);
            matches!(op, BvAdd | BvMul | SignExtend(_) | ZeroExtend(_)) && !self.is_bounded(a)
        };
        solvable_atoms(p).filter(is_operation).max_by_key(|&(a, _)| self.atoms.table[a].term)
    }

    /// The value of an atom over unsolved atoms, with the line `atom − value = 0`
    /// unless it is the atom itself.
    pub fn value(&mut self, atom: Atom) -> (Poly, Option<StepId>) {
        if let Some(known) = self.known.values.get(&atom) {
            return known.clone();
        }
        self.ensure_width(atom);
        // Guards against looking at an atom while it is being computed.
        self.known.values.insert(atom, (Poly::atom(atom), None));
        let found = self.find_value(atom).map(|id| {
            let value =
                Poly::atom(atom).sub(self.notebook.poly(id)).expect("a value fits: it was made");
            (value, Some(id))
        });
        let result = found.unwrap_or((Poly::atom(atom), None));
        self.known.values.insert(atom, result.clone());
        result
    }

    /// A line `atom − value = 0`.
    fn find_value(&mut self, atom: Atom) -> Option<StepId> {
        let data = self.atoms.table[atom];
        if let Some((_, id)) = self.known.solved.get(&atom) {
            let id = *id;
            self.introduce(data.term);
            return self.normal_except(id, Some(atom));
        }
        let exact = self
            .branch_value(data.term, atom)
            .or_else(|| self.exact_definition(data.term, data.view, atom));
        if exact.is_some() {
            return exact;
        }
        self.introduce(data.term);
        match data.view {
            View::Unsigned => self.unsigned_value(data.term, atom),
            View::Signed => self.signed_value(data.term, atom),
            View::Integer => None,
        }
    }

    /// A conditional whose condition is known is its branch.
    fn branch_value(&mut self, t: TermId, atom: Atom) -> Option<StepId> {
        if self.pool.op(t) != Op::Ite {
            return None;
        }
        let condition = self.pool.args(t)[0];
        let negation = self.pool.not(condition);
        let held = |c| self.known.held.get(&c).copied();
        let (line, taken) = match (held(condition), held(negation)) {
            (Some(line), _) => (line, true),
            (_, Some(line)) => (line, false),
            _ => return None,
        };
        let facts = meaning::branch(self.pool, &mut self.atoms, t, taken)?;
        let own = |fact: &Fact| matches!(fact, Fact::Eq(p) if p.coefficient(&[atom]) == 1);
        let fact = facts.into_iter().find(own)?;
        let id = self.notebook.line(fact, Rule::Branch(t), &[line]);
        self.normal_except(id, Some(atom))
    }

    /// Operations that are equations without condition.
    fn exact_definition(&mut self, t: TermId, view: View, atom: Atom) -> Option<StepId> {
        let facts = meaning::definitions(self.pool, &mut self.atoms, t);
        let fact = facts.into_iter().find(|fact| {
            matches!(fact, Fact::Eq(p) if p.coefficient(&[atom]) == 1 && view_fits(self, p, view, t))
        })?;
        let id = self.notebook.line(fact, Rule::Definition(t), &[]);
        self.normal_except(id, Some(atom))
    }

    fn unsigned_value(&mut self, t: TermId, atom: Atom) -> Option<StepId> {
        let congruence = self.modular(t)?;
        let m = self.modulus_of(congruence);
        let value = Poly::atom(atom).sub(self.notebook.poly(congruence))?;
        let exact = self.no_wrap(congruence, &value, (0, m - 1), atom);
        if exact.is_none() {
            self.note_wrapping(t, View::Unsigned);
        }
        exact
    }

    fn signed_value(&mut self, t: TermId, atom: Atom) -> Option<StepId> {
        let id = self.signed_modular(t)?;
        let m = self.modulus_of(id);
        let value = Poly::atom(atom).sub(self.notebook.poly(id))?;
        let exact = self.no_wrap(id, &value, (-(m / 2), m / 2 - 1), atom);
        if exact.is_none() {
            self.note_wrapping(t, View::Signed);
        }
        exact
    }

    /// `s(t) ≡ value of t` modulo 2^w.
    pub fn signed_modular(&mut self, t: TermId) -> Option<StepId> {
        let [link, _] = meaning::sign_links(self.pool, &mut self.atoms, t)?;
        let link = self.notebook.line(link, Rule::SignLink(t), &[]);
        let unsigned = self.atoms.get(t, View::Unsigned);
        let signed = self.atoms.get(t, View::Signed);
        self.modular_substitute(link, &[unsigned], signed)
    }

    fn note_wrapping(&mut self, t: TermId, view: View) {
        if !self.known.wrapping.contains(&(t, view)) {
            self.known.wrapping.push((t, view));
            self.notebook.changed = true;
        }
    }

    fn modulus_of(&self, id: StepId) -> i128 {
        match self.notebook.fact(id) {
            Fact::Cong(_, m) => *m,
            _ => unreachable!("a congruence"),
        }
    }

    /// From `atom ≡ value` to `atom = value`, if the value stays in the bounds
    /// that the atom has by its width.
    fn no_wrap(
        &mut self,
        congruence: StepId,
        value: &Poly,
        (lo, hi): (i128, i128),
        atom: Atom,
    ) -> Option<StepId> {
        let above = self.prove_ge(&value.plus(-lo)?, NO_WRAP_DEPTH)?;
        let below = self.prove_ge(&Poly::constant(hi).sub(value)?, NO_WRAP_DEPTH)?;
        let low = Poly::atom(atom).plus(-lo)?;
        let high = Poly::constant(hi).sub(&Poly::atom(atom))?;
        let low = self.notebook.line(Fact::Ge(low), Rule::Width(atom), &[]);
        let high = self.notebook.line(Fact::Ge(high), Rule::Width(atom), &[]);
        let m = self.modulus_of(congruence);
        let p = self.notebook.poly(congruence).clone();
        let sum = Rule::Combine { scale: 1, weights: vec![1, 1] };
        let less = Poly::constant(m - 1).sub(&p)?;
        let less = self.notebook.line(Fact::Ge(less), sum.clone(), &[high, above]);
        let more = self.notebook.line(Fact::Ge(p.plus(m - 1)?), sum, &[low, below]);
        Some(self.notebook.line(Fact::Eq(p), Rule::NoWrap, &[congruence, less, more]))
    }

    /// `u(t) ≡ value` modulo 2^w over unsolved atoms, for operations that are
    /// congruences; looks through operands that wrap.
    pub fn modular(&mut self, t: TermId) -> Option<StepId> {
        if let Some(&known) = self.known.moduli.get(&t) {
            return known;
        }
        self.known.moduli.insert(t, None);
        let found = self.find_modular(t);
        self.known.moduli.insert(t, found);
        found
    }

    fn find_modular(&mut self, t: TermId) -> Option<StepId> {
        let own = self.atoms.get(t, View::Unsigned);
        if matches!(self.pool.op(t), Op::SignExtend(_)) {
            let [_, link] = meaning::sign_links(self.pool, &mut self.atoms, t)?;
            let link = self.notebook.line(link, Rule::SignLink(t), &[]);
            return self.normal_except(link, Some(own));
        }
        let facts = meaning::definitions(self.pool, &mut self.atoms, t);
        let fact = facts.into_iter().find(|fact| matches!(fact, Fact::Cong(..)))?;
        let id = self.notebook.line(fact, Rule::Definition(t), &[]);
        let operands: Vec<Atom> =
            self.notebook.poly(id).atoms().into_iter().filter(|&a| a != own).collect();
        self.modular_substitute(id, &operands, own)
    }

    /// Replaces operands in a congruence by their values, or by what they are
    /// modulo 2^w, and reduces the coefficients.
    fn modular_substitute(&mut self, id: StepId, operands: &[Atom], own: Atom) -> Option<StepId> {
        let mut atoms = Vec::new();
        let mut premises = vec![id];
        let mut poly = self.notebook.poly(id).clone();
        let m = self.modulus_of(id);
        for &a in operands {
            let Some(by) = self.modular_operand(a, own, m) else { continue };
            let value = Poly::atom(a).sub(self.notebook.poly(by))?;
            poly = poly.substitute(a, &value)?;
            atoms.push(a);
            premises.push(by);
        }
        let id = if atoms.is_empty() {
            id
        } else {
            self.notebook.line(Fact::Cong(poly, m), Rule::Substitute(atoms), &premises)
        };
        Some(self.notebook.reduce(id))
    }

    /// The best line to replace `u(t)` inside a congruence modulo `m`. A
    /// congruence of the operand serves only if its own modulus is a multiple.
    fn modular_operand(&mut self, a: Atom, own: Atom, m: i128) -> Option<StepId> {
        let data = self.atoms.table[a];
        let fits = self.pool.sort(data.term).width().is_some_and(|w| (1i128 << w) % m == 0);
        if let (_, Some(exact)) = self.value(a) {
            return (!self.notebook.poly(exact).mentions(own) || a == own).then_some(exact);
        }
        if !fits {
            return None;
        }
        if let Some(modular) = self.modular(data.term) {
            return (!self.notebook.poly(modular).mentions(own)).then_some(modular);
        }
        let signed = self.atoms.get(data.term, View::Signed);
        if signed == own || !self.prefers_signed(signed, a) {
            return None;
        }
        let [_, link] = meaning::sign_links(self.pool, &mut self.atoms, data.term)?;
        let link = self.notebook.line(link, Rule::SignLink(data.term), &[]);
        self.normal_except(link, Some(a))
    }

    /// Whether more than its width is known of the signed value; if that is the
    /// unsigned one, nothing is gained.
    fn prefers_signed(&self, signed: Atom, unsigned: Atom) -> bool {
        if let Some((value, _)) = self.known.solved.get(&signed) {
            return !value.mentions(unsigned);
        }
        self.is_bounded(signed)
    }

    /// A line with all atoms replaced by their values.
    pub fn normal(&mut self, id: StepId) -> Option<StepId> {
        self.normal_except(id, None)
    }

    /// The same, but one atom stays.
    pub fn normal_except(&mut self, id: StepId, keep: Option<Atom>) -> Option<StepId> {
        let mut atoms = Vec::new();
        let mut premises = vec![id];
        let mut poly = self.notebook.poly(id).clone();
        for a in self.notebook.poly(id).atoms() {
            if Some(a) == keep {
                continue;
            }
            let (value, by) = self.value(a);
            let Some(by) = by else { continue };
            if keep.is_some_and(|k| value.mentions(k)) {
                continue;
            }
            poly = poly.substitute(a, &value)?;
            atoms.push(a);
            premises.push(by);
        }
        if atoms.is_empty() {
            return Some(id);
        }
        let fact = match self.notebook.fact(id) {
            Fact::Eq(_) => Fact::Eq(poly),
            Fact::Ge(_) => Fact::Ge(poly),
            Fact::Ne(_) => Fact::Ne(poly),
            Fact::Cong(_, m) => Fact::Cong(poly, *m),
            Fact::NotCong(_, m) => Fact::NotCong(poly, *m),
            Fact::Holds(_) | Fact::False => return None,
        };
        Some(self.notebook.line(fact, Rule::Substitute(atoms), &premises))
    }

    /// A congruence with all atoms replaced by what they are modulo 2^w.
    pub fn normal_modular(&mut self, id: StepId) -> Option<StepId> {
        let atoms = self.notebook.poly(id).atoms();
        let (Fact::Cong(_, m) | Fact::NotCong(_, m)) = *self.notebook.fact(id) else { return None };
        let mut replaced = Vec::new();
        let mut premises = vec![id];
        let mut poly = self.notebook.poly(id).clone();
        for a in atoms {
            let data = self.atoms.table[a];
            let by = match (self.value(a).1, data.view) {
                (Some(exact), _) => Some(exact),
                (None, View::Unsigned) => self.modular_operand(a, a, m),
                (None, _) => None,
            };
            let Some(by) = by else { continue };
            poly = poly.substitute(a, &Poly::atom(a).sub(self.notebook.poly(by))?)?;
            replaced.push(a);
            premises.push(by);
        }
        poly = self.unify_signs(poly, m, &mut replaced, &mut premises)?;
        let id = match (replaced.is_empty(), self.notebook.fact(id)) {
            (true, _) => id,
            (_, Fact::Cong(_, m)) => {
                let fact = Fact::Cong(poly, *m);
                self.notebook.line(fact, Rule::Substitute(replaced), &premises)
            }
            (_, Fact::NotCong(_, m)) => {
                let fact = Fact::NotCong(poly, *m);
                self.notebook.line(fact, Rule::Substitute(replaced), &premises)
            }
            _ => return None,
        };
        Some(self.notebook.reduce(id))
    }

    /// Where a congruence mentions both values of a term, the unsigned one is
    /// replaced by the signed one.
    fn unify_signs(
        &mut self,
        mut poly: Poly,
        m: i128,
        replaced: &mut Vec<Atom>,
        premises: &mut Vec<StepId>,
    ) -> Option<Poly> {
        let atoms = poly.atoms();
        for &u in &atoms {
            let data = self.atoms.table[u];
            if data.view != View::Unsigned || (1i128 << self.pool.width(data.term)) % m != 0 {
                continue;
            }
            let signed = self.atoms.get(data.term, View::Signed);
            if !atoms.contains(&signed) {
                continue;
            }
            let [_, link] = meaning::sign_links(self.pool, &mut self.atoms, data.term)?;
            poly = poly.substitute(u, &Poly::atom(signed))?;
            premises.push(self.notebook.line(link, Rule::SignLink(data.term), &[]));
            replaced.push(u);
        }
        Some(poly)
    }

    /// Looks once at an operation that is no polynomial: what it says about its
    /// operands is learnt.
    fn introduce(&mut self, t: TermId) {
        if !self.known.introduced.insert(t) {
            return;
        }
        for fact in meaning::bit_bounds(self.pool, &mut self.atoms, t) {
            let id = self.notebook.line(fact, Rule::BitBound(t), &[]);
            self.learn(id);
        }
        match self.pool.op(t) {
            Op::Extract { hi, lo } => {
                let inner = self.pool.args(t)[0];
                let at = if lo == 0 { hi + 1 } else { lo };
                if let Some(fact) = meaning::split(self.pool, &mut self.atoms, inner, at) {
                    let id = self.notebook.line(fact, Rule::Split(inner, at), &[]);
                    self.learn(id);
                }
                if let Some(fact) = meaning::middle(self.pool, &mut self.atoms, t) {
                    let id = self.notebook.line(fact, Rule::Middle(t), &[]);
                    self.learn(id);
                }
            }
            Op::BvUdiv | Op::BvUrem | Op::BvSdiv | Op::BvSrem | Op::IntDiv | Op::IntMod => {
                self.known.divisions.push(t);
            }
            _ => {}
        }
    }

    /// Divisions whose divisor has become provably positive.
    pub fn try_divisions(&mut self) {
        for t in std::mem::take(&mut self.known.divisions) {
            if self.divide(t).is_none() {
                self.known.divisions.push(t);
            }
        }
    }

    fn divide(&mut self, t: TermId) -> Option<()> {
        let divided = meaning::division(self.pool, &mut self.atoms, t)?;
        let mut premises = Vec::new();
        for need in &divided.needs {
            premises.push(self.prove_unresolved_ge(need)?);
        }
        for fact in divided.gives {
            let id = self.notebook.line(fact, Rule::Division(t), &premises);
            self.learn(id);
        }
        Some(())
    }

    /// Proves `p ≥ 0` for a polynomial over atoms that may have values: proves
    /// the value's bound and goes back by adding the equations.
    fn prove_unresolved_ge(&mut self, p: &Poly) -> Option<StepId> {
        let mut replaced = p.clone();
        let mut relations = Vec::new();
        for (m, c) in p.proper_terms() {
            let [a] = m[..] else { return None };
            let (value, by) = self.value(a);
            let Some(by) = by else { continue };
            replaced = replaced.add_scaled(&value, c)?.add_scaled(&Poly::atom(a), -c)?;
            // c·(a − value) ≥ 0, as one half of the equation.
            let half = self.notebook.poly(by).scale(c.signum())?;
            relations.push((self.notebook.line(Fact::Ge(half), Rule::Relax, &[by]), c.abs()));
        }
        let base = self.prove_ge(&replaced, NO_WRAP_DEPTH)?;
        if relations.is_empty() {
            return Some(base);
        }
        let mut premises = vec![base];
        let mut weights = vec![1];
        for (id, weight) in relations {
            premises.push(id);
            weights.push(weight);
        }
        Some(self.notebook.line(
            Fact::Ge(p.clone()),
            Rule::Combine { scale: 1, weights },
            &premises,
        ))
    }
}

/// Whether a defining equation speaks of the atom's own view.
fn view_fits(terms: &Terms<'_>, p: &Poly, view: View, t: TermId) -> bool {
    let own = |a: &Atom| terms.atoms.table[*a].term == t && terms.atoms.table[*a].view == view;
    p.atoms().iter().any(own)
}
