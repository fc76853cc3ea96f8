//! Inverses of usual indices: for random sizes and coordinates, one of the proposals is what
//! the place was computed from.

use std::collections::BTreeMap;

use duet_smt::{Model, Op, TermId, TermPool, Value, eval};

use super::{Digit, Inverse, Sought, inverses};

/// A site with coordinates and sizes by name.
struct Case {
    pool: TermPool,
    unknowns: Vec<Digit>,
    sizes: Vec<TermId>,
}

impl Case {
    /// Unknowns as `name:bound`; what is no other's bound has a size of its own.
    fn new(unknowns: &[(&str, &str)]) -> Case {
        let mut pool = TermPool::new();
        let mut sizes = vec![];
        let mut size = |pool: &mut TermPool, name: &str| {
            let term = match name.parse::<u128>() {
                Ok(number) => pool.bv(32, number),
                Err(_) => pool.bv_var(name, 32),
            };
            if !sizes.contains(&term) {
                sizes.push(term);
            }
            term
        };
        let unknowns = unknowns
            .iter()
            .map(|(name, below)| Digit {
                symbol: pool.bv_var(name, 32),
                below: (!below.is_empty()).then(|| size(&mut pool, below)),
            })
            .collect();
        Case { pool, unknowns, sizes }
    }

    fn var(&mut self, name: &str) -> TermId {
        match name.parse::<u128>() {
            Ok(number) => self.pool.bv(32, number),
            Err(_) => {
                let term = self.pool.bv_var(name, 32);
                let is_unknown = self.unknowns.iter().any(|digit| digit.symbol == term);
                if !is_unknown && !self.sizes.contains(&term) {
                    self.sizes.push(term);
                }
                term
            }
        }
    }

    /// `4·(Σ products)` as an offset of 64 bits.
    fn offset(&mut self, sum: &[&[&str]]) -> TermId {
        let mut parts = vec![];
        for product in sum {
            let factors: Vec<TermId> = product.iter().map(|name| self.var(name)).collect();
            parts.push(self.pool.bits().product(&factors));
        }
        let index = self.pool.bits().sum(&parts);
        self.bytes(index)
    }

    fn bytes(&mut self, index: TermId) -> TermId {
        let wide = self.pool.bits().sign_extend(32, index);
        let four = self.pool.bv(64, 4);
        self.pool.bits().mul(wide, four)
    }

    fn inverses(&mut self, place: TermId, offset: TermId, known: &[Digit]) -> Vec<Inverse> {
        let unknowns = self.unknowns.clone();
        let sought = Sought { place, offset, unknowns: &unknowns, fixed: &[], known };
        inverses(&mut self.pool, &sought)
    }

    /// The place is the offset at other values of the coordinates, as a symbol of its own:
    /// some proposal finds those values, or others with the same offset.
    fn finds(&mut self, offset: TermId) {
        let place = self.pool.bv_var("place", 64);
        let found = self.inverses(place, offset, &[]);
        assert!(!found.is_empty(), "no proposal");
        let right =
            found.iter().any(|one| (0..50).all(|seed| self.agrees(one, offset, place, seed)));
        assert!(right, "none of {} proposals is right", found.len());
    }

    fn agrees(&mut self, inverse: &Inverse, offset: TermId, place: TermId, seed: u64) -> bool {
        let mut numbers = Numbers(seed * 7919 + 1);
        let mut model = Model::default();
        let mut sizes = BTreeMap::new();
        for &size in &self.sizes {
            let number = self.pool.as_bv(size).unwrap_or_else(|| 2 + numbers.below(6));
            sizes.insert(size, number);
            self.set(&mut model, size, 32, number);
        }
        for digit in &self.unknowns {
            let below = digit.below.map_or(5, |below| sizes[&below]);
            let number = numbers.below(below);
            self.set(&mut model, digit.symbol, 32, number);
        }
        let Ok(Value::Bv { bits, .. }) = eval(&self.pool, &model, offset) else {
            panic!("no value")
        };
        self.set(&mut model, place, 64, bits);
        let at = inverse.apply(&mut self.pool, offset);
        let same = eval(&self.pool, &model, at) == eval(&self.pool, &model, place);
        let in_range = inverse.values.iter().zip(&self.unknowns).all(|((_, value), digit)| {
            let value = eval(&self.pool, &model, *value);
            let Ok(Value::Bv { bits, .. }) = value else { return false };
            digit.below.is_none_or(|below| bits < sizes[&below])
        });
        same && in_range
    }

    fn set(&self, model: &mut Model, symbol: TermId, width: u32, bits: u128) {
        if let Op::Apply(func) = self.pool.op(symbol) {
            model.set(func, Value::bv(width, bits));
        }
    }
}

struct Numbers(u64);

impl Numbers {
    fn below(&mut self, most: u128) -> u128 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        u128::from(self.0 >> 33) % most
    }
}

#[test]
fn row_major() {
    let mut case = Case::new(&[("row", ""), ("col", "width")]);
    let offset = case.offset(&[&["row", "width"], &["col"]]);
    case.finds(offset);
}

#[test]
fn global_id() {
    let mut case = Case::new(&[("b", "G"), ("t", "D")]);
    let offset = case.offset(&[&["b", "D"], &["t"]]);
    case.finds(offset);
}

#[test]
fn grid_stride() {
    let mut case = Case::new(&[("k", ""), ("b", "G"), ("t", "D")]);
    let offset = case.offset(&[&["b", "D"], &["t"], &["k", "D", "G"]]);
    case.finds(offset);
}

#[test]
fn padded_pitch() {
    let mut case = Case::new(&[("ty", "D"), ("tx", "D")]);
    let offset = case.offset(&[&["ty", "D"], &["ty"], &["tx"]]);
    case.finds(offset);
}

#[test]
fn reversed() {
    let mut case = Case::new(&[("t", "D")]);
    let (n, t) = (case.var("D"), case.var("t"));
    let one = case.pool.bv(32, 1);
    let last = case.pool.bits().sub(n, one);
    let index = case.pool.bits().sub(last, t);
    let offset = case.bytes(index);
    case.finds(offset);
}

#[test]
fn tiles_of_fixed_size() {
    let mut case = Case::new(&[("by", "4"), ("ty", "32"), ("bx", "4"), ("tx", "32")]);
    // Four tiles of 32 along a row: a width that is known.
    let offset = case.offset(&[&["by", "32", "128"], &["ty", "128"], &["bx", "32"], &["tx"]]);
    case.finds(offset);
}

#[test]
fn blocks_of_32_by_8() {
    // Each thread copies four rows of a tile, eight apart.
    let mut case = Case::new(&[("k", "4"), ("ty", "8"), ("tx", "32")]);
    let offset = case.offset(&[&["k", "8", "33"], &["ty", "33"], &["tx"]]);
    case.finds(offset);
}

#[test]
fn exclusive_or() {
    let mut case = Case::new(&[("b", "G"), ("t", "8")]);
    let (t, m) = (case.var("t"), case.pool.bv(32, 5));
    let flipped = case.pool.bits().xor(t, m);
    let (b, eight) = (case.var("b"), case.pool.bv(32, 8));
    let block = case.pool.bits().mul(b, eight);
    let index = case.pool.bits().add(block, flipped);
    let offset = case.bytes(index);
    case.finds(offset);
}

#[test]
fn rotated() {
    let mut case = Case::new(&[("b", "G")]);
    let (b, g) = (case.var("b"), case.var("G"));
    let one = case.pool.bv(32, 1);
    let next = case.pool.bits().add(b, one);
    let index = case.pool.bits().urem(next, g);
    let offset = case.bytes(index);
    case.finds(offset);
}

/// The place of one transpose in the coordinates of another: no division is needed.
#[test]
fn transposes_need_no_division() {
    let mut case = Case::new(&[("bx", "G"), ("by", "G"), ("tx", "D"), ("ty", "D")]);
    let tiled = case.offset(&[&["bx", "D", "H"], &["ty", "H"], &["by", "D"], &["tx"]]);
    let names = ["bx'", "by'", "tx'", "ty'"];
    let naive = case.offset(&[&["bx'", "D", "H"], &["tx'", "H"], &["by'", "D"], &["ty'"]]);
    let found = case.inverses(naive, tiled, &[]);
    let [bx, by, tx, ty] = names.map(|name| case.pool.bv_var(name, 32));
    let values: Vec<TermId> = found[0].values.iter().map(|(_, value)| *value).collect();
    assert_eq!(values, [bx, by, ty, tx]);
    let at = found[0].apply(&mut case.pool, tiled);
    assert_eq!(at, naive);
}

/// The diagonal order of blocks: one block id is read off, the other out of a remainder.
#[test]
fn diagonal() {
    let mut case = Case::new(&[("bx", "G"), ("by", "G")]);
    let (bx, by, g) = (case.var("bx"), case.var("by"), case.var("G"));
    let sum = case.pool.bits().add(bx, by);
    let column = case.pool.bits().urem(sum, g);
    let row = case.pool.bits().mul(bx, g);
    let index = case.pool.bits().add(row, column);
    let offset = case.bytes(index);
    case.finds(offset);
}

/// An inverse is a guess: a place that no thread touches has one too.
#[test]
fn proposals_may_be_wrong() {
    let mut case = Case::new(&[("t", "D")]);
    let (t, two) = (case.var("t"), case.pool.bv(32, 2));
    let index = case.pool.bits().mul(t, two);
    let offset = case.bytes(index);
    let odd = case.pool.bv(64, 12);
    let found = case.inverses(odd, offset, &[]);
    let wrong = found.iter().all(|one| one.apply(&mut case.pool, offset) != odd);
    assert!(!found.is_empty() && wrong);
}

/// Two unknowns that are multiplied are given up.
#[test]
fn products_of_unknowns_are_given_up() {
    let mut case = Case::new(&[("a", ""), ("b", "")]);
    let offset = case.offset(&[&["a", "b"]]);
    let place = case.pool.bv_var("place", 64);
    assert!(case.inverses(place, offset, &[]).is_empty());
}
