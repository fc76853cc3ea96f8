//! What relates the two launches, as facts.
//!
//! SOUNDNESS: arithmetic of a relation is that of integers, so it is done in bits enough for
//! every number in it; what would need more is left out (test
//! `a_relation_that_would_wrap_is_no_fact`).

use duet_ir::{Type, ValueDef};
use duet_smt::{TermId, TermPool};
use duet_vc::Geometry;

use crate::engines::terms::{Env, Terms};
use crate::pair::expr::Expr;
use crate::pair::matching::Matching;
use crate::pair::request::{Kernel, Request, Side};

/// Bits of arithmetic: the first that is enough.
const WIDTHS: [u32; 2] = [64, 128];

/// The relation's conjuncts, as far as they can be stated.
pub fn facts(
    pool: &mut TermPool,
    kernels: &[Kernel<'_>; 2],
    matching: &Matching,
    request: &Request,
    geometries: &[Geometry; 2],
) -> Vec<TermId> {
    let conjuncts = request.given.iter().flat_map(Expr::conjuncts);
    let mut relation = Relation { pool, kernels, matching, geometries, width: 0 };
    conjuncts
        .filter_map(|one| {
            WIDTHS.into_iter().find_map(|width| {
                relation.width = width;
                relation.predicate(one)
            })
        })
        .collect()
}

struct Relation<'a> {
    pool: &'a mut TermPool,
    kernels: &'a [Kernel<'a>; 2],
    matching: &'a Matching,
    geometries: &'a [Geometry; 2],
    width: u32,
}

impl Relation<'_> {
    fn predicate(&mut self, expr: &Expr) -> Option<TermId> {
        match expr {
            Expr::Binary(op @ ("&&" | "||"), a, b) => {
                let (a, b) = (self.predicate(a)?, self.predicate(b)?);
                Some(if *op == "&&" { self.pool.and2(a, b) } else { self.pool.or2(a, b) })
            }
            Expr::Unary('!', arg) => {
                let arg = self.predicate(arg)?;
                Some(self.pool.not(arg))
            }
            Expr::Binary(op, a, b) => {
                let ((a, _), (b, _)) = (self.number(a)?, self.number(b)?);
                Some(match *op {
                    "==" => self.pool.eq(a, b),
                    "!=" => self.pool.ne(a, b),
                    "<" => self.pool.compare().slt(a, b),
                    "<=" => self.pool.compare().sle(a, b),
                    ">" => self.pool.compare().slt(b, a),
                    ">=" => self.pool.compare().sle(b, a),
                    _ => return None,
                })
            }
            Expr::Number(_) | Expr::Name(_) | Expr::Unary(..) => None,
        }
    }

    /// A number, and how many bits it has at most, with its sign.
    fn number(&mut self, expr: &Expr) -> Option<(TermId, u32)> {
        let (term, bits) = match expr {
            Expr::Number(number) => {
                let bits = 129 - number.unsigned_abs().leading_zeros();
                (self.pool.bv(self.width, *number as u128), bits)
            }
            Expr::Name(name) => self.name(name)?,
            Expr::Unary('-', arg) => {
                let (arg, bits) = self.number(arg)?;
                let zero = self.pool.bv(self.width, 0);
                (self.pool.bits().sub(zero, arg), bits + 1)
            }
            Expr::Binary(op, a, b) => {
                let ((a, x), (b, y)) = (self.number(a)?, self.number(b)?);
                match *op {
                    "+" => (self.pool.bits().add(a, b), x.max(y) + 1),
                    "-" => (self.pool.bits().sub(a, b), x.max(y) + 1),
                    "*" => (self.pool.bits().mul(a, b), x + y),
                    // C rounds to zero; only a positive divisor is known not to fail.
                    "%" if self
                        .pool
                        .as_bv(b)
                        .is_some_and(|bits| bits > 0 && bits >> (self.width - 1) == 0) =>
                    {
                        (self.pool.bits().srem(a, b), y)
                    }
                    "/" if self
                        .pool
                        .as_bv(b)
                        .is_some_and(|bits| bits > 0 && bits >> (self.width - 1) == 0) =>
                    {
                        (self.pool.bits().sdiv(a, b), x)
                    }
                    _ => return None,
                }
            }
            Expr::Unary(..) => return None,
        };
        (bits < self.width).then_some((term, bits))
    }

    fn name(&mut self, name: &str) -> Option<(TermId, u32)> {
        let (stem, dim) =
            name.split_once('.').map_or((name, None), |(stem, dim)| (stem, Some(dim)));
        let (plain, side) = match (stem.strip_suffix("_a"), stem.strip_suffix("_b")) {
            (Some(plain), _) => (plain, Some(Side::A)),
            (None, Some(plain)) => (plain, Some(Side::B)),
            (None, None) => (stem, None),
        };
        if let Some(dim) = dim {
            let dim = ["x", "y", "z"].iter().position(|own| *own == dim)?;
            let geometry = &self.geometries[side.unwrap_or(Side::A).index()];
            let size = match plain {
                "blockDim" => geometry.block[dim],
                "gridDim" => geometry.grid[dim],
                _ => return None,
            };
            // Free sizes have limits, which are facts; given ones need not keep to them.
            let bits = match (self.pool.as_bv(size), plain) {
                (Some(bits), _) => 129 - bits.leading_zeros(),
                (None, "blockDim") => 12,
                (None, _) => 32,
            };
            return Some((self.pool.bits().zext_or_trunc(size, self.width), bits));
        }
        self.argument(Side::A, stem).or_else(|| self.argument(side?, plain))
    }

    fn argument(&mut self, side: Side, name: &str) -> Option<(TermId, u32)> {
        let func = self.kernels[side.index()].function();
        let param = func.scalar_params().find(|param| param.name == name)?;
        let Type::Int(width) = param.ty else { return None };
        let is_argument = matches!(func.values[param.value], ValueDef::FunctionParam(_));
        if !is_argument || width > 64 {
            return None;
        }
        let terms = Terms { side, func, matching: self.matching };
        let term = terms.term(self.pool, &Env::new(), param.value).ok()?;
        let wide = match param.unsigned {
            true => self.pool.bits().zext_or_trunc(term, self.width),
            false => self.pool.bits().sext_or_trunc(term, self.width),
        };
        Some((wide, u32::from(width) + 1))
    }
}
