//! Values of a relation's unknowns under which a recorded launch is an instance of it, found
//! by trying: what a launch shows (its sizes, its arguments, the program's input) and small
//! numbers. Whoever finds none has to ask a solver; what is found here is checked here, with
//! arithmetic that is not the crate's own.

use duet_host::{Argument, Relation, Term, TermData, Unknown};
use duet_ir::{BinaryOp, CastOp, IntCc};

use super::{Launch, width};

/// How many partial assignments are looked at.
const MOST_NODES: usize = 4_000;
/// Numbers that iterations of loops and choices often have.
const SMALL: i64 = 20;

/// Are there such values?
pub fn is_found(relation: &Relation, launch: &Launch, inputs: &[i64]) -> bool {
    let Some(wanted) = wanted(relation, launch) else { return false };
    let mut pool: Vec<u128> = inputs.iter().map(|&one| one as u128).collect();
    pool.extend(launch.sizes.iter().map(|&size| u128::from(size)));
    pool.extend(&launch.arguments);
    pool.extend((-4..SMALL).map(|one| one as u128));
    let mut search = Search { relation, launch, wanted, pool, nodes: 0 };
    search.visit(&mut vec![None; relation.unknowns.len()])
}

/// What terms must be, pointers aside.
fn wanted(relation: &Relation, launch: &Launch) -> Option<Vec<(Term, u128)>> {
    let sizes = relation.grid.iter().chain(&relation.block).copied();
    let mut wanted: Vec<(Term, u128)> =
        sizes.zip(launch.sizes.iter().map(|&size| u128::from(size))).collect();
    let arguments = relation.arguments.as_ref()?;
    if arguments.len() != launch.arguments.len() {
        return None;
    }
    for (argument, &bits) in arguments.iter().zip(&launch.arguments) {
        match argument {
            Argument::Scalar(term) => wanted.push((*term, bits)),
            Argument::Pointer { .. } | Argument::Opaque => {}
            // Its parts are for the solver.
            Argument::Struct(_) => return None,
        }
    }
    wanted.extend(relation.facts.iter().map(|&fact| (fact, 1)));
    let masked = |(term, bits): (Term, u128)| (term, bits & mask(width(relation.terms.ty(term))));
    Some(wanted.into_iter().map(masked).collect())
}

struct Search<'a> {
    relation: &'a Relation,
    launch: &'a Launch,
    wanted: Vec<(Term, u128)>,
    pool: Vec<u128>,
    nodes: usize,
}

impl Search<'_> {
    /// Can the unknowns that have no value yet be given one?
    fn visit(&mut self, chosen: &mut Vec<Option<u128>>) -> bool {
        self.nodes += 1;
        if self.nodes > MOST_NODES {
            return false;
        }
        let values = values(self.relation, chosen);
        let is_broken = |&(term, bits): &(Term, u128)| {
            values[term.0 as usize].is_some_and(|value| value != bits)
        };
        if self.wanted.iter().any(is_broken) {
            return false;
        }
        let Some(open) = chosen.iter().position(Option::is_none) else {
            return self.is_instance(&values);
        };
        let mut derived = vec![];
        for &(term, bits) in &self.wanted {
            self.derive(&values, term, bits, &mut derived);
        }
        let next = derived.first().map_or(open, |&(unknown, _)| unknown);
        let bits = mask(width(self.relation.unknowns[next].ty));
        let own = derived.iter().filter(|(unknown, _)| *unknown == next).map(|(_, value)| *value);
        let mut tried: Vec<u128> = vec![];
        for value in own.chain(self.pool.clone()).map(|value| value & bits) {
            if tried.contains(&value) {
                continue;
            }
            tried.push(value);
            chosen[next] = Some(value);
            if self.visit(chosen) {
                return true;
            }
        }
        chosen[next] = None;
        false
    }

    /// Values that an unknown has to have, or may well have, for a term to be what it must.
    fn derive(
        &self,
        values: &[Option<u128>],
        term: Term,
        bits: u128,
        found: &mut Vec<(usize, u128)>,
    ) {
        if values[term.0 as usize].is_some() {
            return;
        }
        let known = |term: Term| values[term.0 as usize];
        match self.relation.terms.data(term) {
            TermData::Const { .. } => {}
            TermData::Unknown { unknown: Unknown(number), .. } => {
                found.push((number as usize, bits));
            }
            TermData::Cast { op, arg, .. } => {
                let from = width(self.relation.terms.ty(term));
                self.derive(values, arg, bits, found);
                if op == CastOp::Trunc {
                    self.derive(values, arg, signed(bits, from) as u128, found);
                }
            }
            TermData::Binary { op, args: [a, b], .. } => match (op, known(a), known(b)) {
                (BinaryOp::Add, Some(x), None) => {
                    self.derive(values, b, bits.wrapping_sub(x), found);
                }
                (BinaryOp::Add, None, Some(y)) => {
                    self.derive(values, a, bits.wrapping_sub(y), found);
                }
                (BinaryOp::Sub, Some(x), None) => {
                    self.derive(values, b, x.wrapping_sub(bits), found);
                }
                (BinaryOp::Sub, None, Some(y)) => {
                    self.derive(values, a, bits.wrapping_add(y), found);
                }
                _ => {}
            },
            TermData::Compare { cc: IntCc::Eq, args: [a, b] } if bits == 1 => {
                if let Some(x) = known(a) {
                    self.derive(values, b, x, found);
                }
                if let Some(y) = known(b) {
                    self.derive(values, a, y, found);
                }
            }
            TermData::Compare { .. } => {}
            TermData::Select { cond, args: [a, b] } => {
                let sides = match known(cond) {
                    Some(0) => vec![b],
                    Some(_) => vec![a],
                    None => vec![a, b],
                };
                sides.into_iter().for_each(|side| self.derive(values, side, bits, found));
            }
        }
    }

    /// All terms have values: is each what it must be, and do the pointers fit?
    fn is_instance(&self, values: &[Option<u128>]) -> bool {
        let fits = |&(term, bits): &(Term, u128)| values[term.0 as usize] == Some(bits);
        self.wanted.iter().all(fits) && self.pointers_fit(values).unwrap_or(false)
    }

    fn pointers_fit(&self, values: &[Option<u128>]) -> Option<bool> {
        let mut addresses: Vec<Option<u64>> = vec![None; self.relation.bases.len()];
        let mut is_null = vec![false; self.relation.bases.len()];
        for (argument, &bits) in
            self.relation.arguments.iter().flatten().zip(&self.launch.arguments)
        {
            let Argument::Pointer { base, offset } = argument else { continue };
            is_null[*base] |= bits == 0;
            let address = (bits as u64).wrapping_sub(values[offset.0 as usize]? as u64);
            if *addresses[*base].get_or_insert(address) != address {
                return Some(false);
            }
        }
        let bases = self.relation.bases.iter().enumerate();
        for (number, base) in bases {
            let Some(size) = base.size else { continue };
            if base.may_be_unset && is_null[number] {
                continue;
            }
            let own = (addresses[number]?, values[size.0 as usize]? as u64);
            if !self.launch.allocations.contains(&own) {
                return Some(false);
            }
        }
        let bases = self.relation.bases.iter().zip(addresses);
        let mut distinct = vec![];
        for (_, address) in bases.filter(|(base, _)| base.distinct) {
            distinct.push(address?);
        }
        let count = distinct.len();
        distinct.sort();
        distinct.dedup();
        Some(distinct.len() == count)
    }
}

/// The values of all terms, as far as the unknowns have some. Terms come after their parts.
fn values(relation: &Relation, chosen: &[Option<u128>]) -> Vec<Option<u128>> {
    let mut values: Vec<Option<u128>> = vec![];
    for (number, &data) in relation.terms.all().iter().enumerate() {
        let of = |term: Term| values[term.0 as usize];
        let bits_of = |term: Term| width(relation.terms.ty(term));
        let own = width(relation.terms.ty(Term(number as u32)));
        let value = match data {
            TermData::Const { bits, .. } => Some(bits),
            TermData::Unknown { unknown: Unknown(number), .. } => chosen[number as usize],
            TermData::Binary { op, args: [a, b], .. } => {
                of(a).zip(of(b)).and_then(|(x, y)| binary(op, x, y, own))
            }
            TermData::Cast { op, arg, .. } => of(arg).map(|bits| match op {
                CastOp::SExt => signed(bits, bits_of(arg)) as u128,
                _ => bits,
            }),
            TermData::Compare { cc, args: [a, b] } => {
                of(a).zip(of(b)).map(|(x, y)| u128::from(compare(cc, x, y, bits_of(a))))
            }
            TermData::Select { cond, args: [a, b] } => match of(cond) {
                Some(0) => of(b),
                Some(_) => of(a),
                None => None,
            },
        };
        values.push(value.map(|bits| bits & mask(own)));
    }
    values
}

fn mask(width: u32) -> u128 {
    if width >= 128 { u128::MAX } else { (1 << width) - 1 }
}

fn signed(bits: u128, width: u32) -> i128 {
    let unused = 128 - width;
    ((bits << unused) as i128) >> unused
}

/// The operators of bit vectors as solvers define them; what divides by zero is left to one.
fn binary(op: BinaryOp, x: u128, y: u128, width: u32) -> Option<u128> {
    let (sx, sy) = (signed(x, width), signed(y, width));
    let too_far = y >= u128::from(width);
    match op {
        BinaryOp::Add => Some(x.wrapping_add(y)),
        BinaryOp::Sub => Some(x.wrapping_sub(y)),
        BinaryOp::Mul => Some(x.wrapping_mul(y)),
        BinaryOp::UDiv => x.checked_div(y),
        BinaryOp::URem => x.checked_rem(y),
        BinaryOp::SDiv => (y != 0).then(|| sx.wrapping_div(sy) as u128),
        BinaryOp::SRem => (y != 0).then(|| sx.wrapping_rem(sy) as u128),
        BinaryOp::Shl => Some(if too_far { 0 } else { x << y }),
        BinaryOp::LShr => Some(if too_far { 0 } else { x >> y }),
        BinaryOp::AShr => Some((sx >> y.min(u128::from(width) - 1)) as u128),
        BinaryOp::And => Some(x & y),
        BinaryOp::Or => Some(x | y),
        BinaryOp::Xor => Some(x ^ y),
        BinaryOp::FAdd | BinaryOp::FSub | BinaryOp::FMul | BinaryOp::FDiv | BinaryOp::FRem => None,
    }
}

fn compare(cc: IntCc, x: u128, y: u128, width: u32) -> bool {
    let (sx, sy) = (signed(x, width), signed(y, width));
    match cc {
        IntCc::Eq => x == y,
        IntCc::Ne => x != y,
        IntCc::Ult => x < y,
        IntCc::Ule => x <= y,
        IntCc::Ugt => x > y,
        IntCc::Uge => x >= y,
        IntCc::Slt => sx < sy,
        IntCc::Sle => sx <= sy,
        IntCc::Sgt => sx > sy,
        IntCc::Sge => sx >= sy,
    }
}
